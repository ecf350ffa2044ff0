// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Processor16384
#define C_NAME(suffix) Processor16384##suffix
template <typename Draw> void fill(Processor16384::Inputs& in, Draw& draw) {
  in.probe = draw.integer(0, 16383);
}
