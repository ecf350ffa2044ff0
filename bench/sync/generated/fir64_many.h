// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Fir64
#define C_NAME(suffix) Fir64##suffix
template <typename Draw> void fill(Fir64::Inputs& in, Draw& draw) {
  in.sample = draw.integer(-128, 127);
}
