// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Arbiter200
#define C_NAME(suffix) Arbiter200##suffix
template <typename Draw> void fill(Arbiter200::Inputs& in, Draw& draw) {
  in.busy = draw.truth();
  for (auto& cell : in.request) cell = draw.truth();
}
