// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Processor65536
#define C_NAME(suffix) Processor65536##suffix
template <typename Draw> void fill(Processor65536::Inputs& in, Draw& draw) {
  in.probe = draw.integer(0, 65535);
}
