// Running systems on random inputs and comparing what comes out.
#pragma once

#include "sync/run/Interpreter.h"

#include <fmt/format.h>
#include <random>

namespace warploom::sync {

using Inputs = std::vector<std::vector<Value>>; ///< per step, the cells of inputCells()

inline Inputs randomInputs(const System& system, int steps, unsigned seed) {
  std::mt19937_64 random(seed);
  Inputs result(steps);
  for (std::vector<Value>& step : result)
    for (const Variable& variable : system.variables) {
      if (!variable.isInput()) continue;
      const ScalarType& type = variable.type.scalar;
      for (std::int64_t i = 0; i < variable.type.cellCount(); ++i) {
        Value value;
        switch (type.base) {
        case ScalarType::Base::Bool:
          value.integer = std::int64_t(random() % 2);
          break;
        case ScalarType::Base::Bits:
          value.integer =
              std::int64_t(type.bound == 64 ? random() : random() & ((std::uint64_t(1) << type.bound) - 1));
          break;
        case ScalarType::Base::Real:
          value.real = double(std::int64_t(random() % 2001) - 1000) / 8;
          break;
        default:
          value.integer =
              std::uniform_int_distribution<std::int64_t>(type.smallest(), type.largest())(random);
        }
        step.push_back(value);
      }
    }
  return result;
}

inline std::string line(const std::vector<Value>& values) {
  std::string result;
  for (const Value& value : values) {
    if (!result.empty()) result += ' ';
    result += value.real != 0 ? fmt::format("{}", value.real) : fmt::format("{}", value.integer);
  }
  return result;
}

/// The outputs of every step; a run that ends in an error ends with a line "error KIND".
inline std::vector<std::string> traceOf(const System& system, const Inputs& inputs, RunChecks checks = {}) {
  std::vector<std::string> result;
  Interpreter interpreter(system, checks);
  try {
    for (const std::vector<Value>& step : inputs) {
      interpreter.step(step);
      result.push_back(line(interpreter.outputs()));
    }
  } catch (const RunError& error) {
    result.push_back(fmt::format("error {}", int(error.kind)));
  }
  return result;
}

/// The inputs up to the step before the one in which a run of `system` fails.
inline Inputs untilError(const System& system, Inputs inputs) {
  const std::vector<std::string> trace = traceOf(system, inputs);
  if (!trace.empty() && trace.back().rfind("error", 0) == 0) inputs.resize(trace.size() - 1);
  return inputs;
}

} // namespace warploom::sync
