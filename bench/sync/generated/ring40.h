// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Ring40
#define C_NAME(suffix) Ring40##suffix
template <typename Draw> void fill(Ring40::Inputs& in, Draw& draw) {
  for (auto& cell : in.want) cell = draw.truth();
}
