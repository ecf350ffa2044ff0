// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Fir256
#define C_NAME(suffix) Fir256##suffix
template <typename Draw> void fill(Fir256::Inputs& in, Draw& draw) {
  in.sample = draw.integer(-128, 127);
}
