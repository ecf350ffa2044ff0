// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Ring1000
#define C_NAME(suffix) Ring1000##suffix
template <typename Draw> void fill(Ring1000::Inputs& in, Draw& draw) {
  for (auto& cell : in.want) cell = draw.truth();
}
