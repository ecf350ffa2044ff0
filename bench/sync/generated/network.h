// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Network
#define C_NAME(suffix) Network##suffix
template <typename Draw> void fill(Network::Inputs& in, Draw& draw) {
  in.spark = draw.truth();
}
