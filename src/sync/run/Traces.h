// Inputs and outputs of a run as text: one JSON object per step, or one line of CSV.
#pragma once

#include "sync/model/System.h"

#include <iosfwd>

namespace warploom::sync {

/// Reads the inputs of steps. Errors are thrown as Error, located by line of the stream.
class InputReader {
public:
  InputReader(const System& system, std::istream& from, bool csv);

  /// The values of inputCells() for the next step, or nothing at the end of the stream. Blank lines are
  /// skipped.
  std::optional<std::vector<Value>> next();

private:
  std::vector<Value> fromJson(const std::string& line) const;
  std::vector<Value> fromCsv(const std::string& line) const;
  void readHeader(const std::string& line);

  const System& system;
  std::istream& from;
  const bool csv;
  std::vector<int> columns; ///< CSV: which of inputCells() each column holds
  unsigned line = 0;
};

/// The values of inputCells() as the line that InputReader reads, in JSON.
std::string inputLine(const System& system, const std::vector<Value>& inputs);

/// Writes the outputs of steps.
class OutputWriter {
public:
  OutputWriter(const System& system, std::ostream& to, bool csv);
  void write(const std::vector<Value>& outputs);

private:
  const System& system;
  std::ostream& to;
  const bool csv;
};

} // namespace warploom::sync
