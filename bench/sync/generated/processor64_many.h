// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Processor64
#define C_NAME(suffix) Processor64##suffix
template <typename Draw> void fill(Processor64::Inputs& in, Draw& draw) {
  in.probe = draw.integer(0, 63);
}
