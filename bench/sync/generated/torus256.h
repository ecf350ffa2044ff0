// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Torus256
#define C_NAME(suffix) Torus256##suffix
template <typename Draw> void fill(Torus256::Inputs& in, Draw& draw) {
  in.load = draw.truth();
}
