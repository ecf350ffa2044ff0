// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Heat100
#define C_NAME(suffix) Heat100##suffix
template <typename Draw> void fill(Heat100::Inputs& in, Draw& draw) {
  in.rim = draw.real();
}
