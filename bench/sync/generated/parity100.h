// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Parity100
#define C_NAME(suffix) Parity100##suffix
template <typename Draw> void fill(Parity100::Inputs& in, Draw& draw) {
  for (auto& cell : in.x) cell = draw.truth();
}
