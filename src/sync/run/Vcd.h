// A run as a value change dump (IEEE 1364), which waveform viewers read.
#pragma once

#include "sync/run/Interpreter.h"

#include <iosfwd>

namespace warploom::sync {

/// Writes the values of the interface, and on request of the locals, of one run. Step k lasts from time k - 1
/// to time k. The system is a module, and so is every instance in it; each cell of an array is a variable. An
/// integer has as many bits as its declared range needs, in two's complement; one outside of it is written as
/// x.
class VcdWriter {
public:
  /// Writes the head. `system` is the one that the interpreter runs.
  VcdWriter(const System& system, std::ostream& to, bool locals);

  /// What changed in the last step of `interpreter`.
  void step(const Interpreter& interpreter);
  /// The end of the last step.
  void finish();

private:
  struct Signal {
    int cell = -1;
    ScalarType type;
    std::string code; ///< what stands for it in the dump
    Value last;
  };
  struct Scope;
  void declare(const Scope& scope, int depth);
  void change(const Signal& signal, const Value& value);

  const System& system;
  std::ostream& to;
  const CellNumbering numbering;
  std::vector<Signal> signals;
  long steps = 0;
};

} // namespace warploom::sync
