// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Heat200
#define C_NAME(suffix) Heat200##suffix
template <typename Draw> void fill(Heat200::Inputs& in, Draw& draw) {
  in.rim = draw.real();
}
