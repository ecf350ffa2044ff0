// Inputs of a step, drawn from their types. Written by generate.py.
#define SYSTEM Stopwatch
#define C_NAME(suffix) Stopwatch##suffix
template <typename Draw> void fill(Stopwatch::Inputs& in, Draw& draw) {
  in.startStop = draw.truth();
  in.lap = draw.truth();
}
