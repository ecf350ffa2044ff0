// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Lift
#define C_NAME(suffix) Lift##suffix
template <typename Draw> void fill(Lift::Inputs& in, Draw& draw) {
  for (auto& cell : in.call) cell = draw.truth();
}
