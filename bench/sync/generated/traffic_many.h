// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Traffic
#define C_NAME(suffix) Traffic##suffix
template <typename Draw> void fill(Traffic::Inputs& in, Draw& draw) {
  in.button = draw.truth();
  in.tick = draw.truth();
}
