// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM MatrixMul32
#define C_NAME(suffix) MatrixMul32##suffix
template <typename Draw> void fill(MatrixMul32::Inputs& in, Draw& draw) {
  for (auto& cell : in.a) cell = draw.integer(-32, 31);
  for (auto& cell : in.b) cell = draw.integer(-32, 31);
}
