// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Outer256
#define C_NAME(suffix) Outer256##suffix
template <typename Draw> void fill(Outer256::Inputs& in, Draw& draw) {
  in.first = draw.truth();
  for (auto& cell : in.a) cell = draw.integer(-32, 31);
  for (auto& cell : in.b) cell = draw.integer(-32, 31);
}
