// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Parity1000
#define C_NAME(suffix) Parity1000##suffix
template <typename Draw> void fill(Parity1000::Inputs& in, Draw& draw) {
  for (auto& cell : in.x) cell = draw.truth();
}
