// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM MatrixMul9
#define C_NAME(suffix) MatrixMul9##suffix
template <typename Draw> void fill(MatrixMul9::Inputs& in, Draw& draw) {
  for (auto& cell : in.a) cell = draw.integer(-32, 31);
  for (auto& cell : in.b) cell = draw.integer(-32, 31);
}
