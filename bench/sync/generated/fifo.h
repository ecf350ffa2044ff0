// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Fifo
#define C_NAME(suffix) Fifo##suffix
template <typename Draw> void fill(Fifo::Inputs& in, Draw& draw) {
  in.push = draw.truth();
  in.pop = draw.truth();
  in.x = draw.integer(-1000, 999);
}
