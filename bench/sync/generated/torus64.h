// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Torus64
#define C_NAME(suffix) Torus64##suffix
template <typename Draw> void fill(Torus64::Inputs& in, Draw& draw) {
  in.load = draw.truth();
}
