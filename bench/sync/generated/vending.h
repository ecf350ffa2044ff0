// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Vending
#define C_NAME(suffix) Vending##suffix
template <typename Draw> void fill(Vending::Inputs& in, Draw& draw) {
  in.coin = draw.integer(0, 5);
  in.cancel = draw.truth();
}
