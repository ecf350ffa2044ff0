// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Sort20
#define C_NAME(suffix) Sort20##suffix
template <typename Draw> void fill(Sort20::Inputs& in, Draw& draw) {
  for (auto& cell : in.x) cell = draw.integer(-100, 99);
}
