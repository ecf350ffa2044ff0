#include "sync/run/Vcd.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <ostream>

namespace warploom::sync {

/// A module of the dump: its variables, and the instances in it.
struct VcdWriter::Scope {
  std::string name;
  std::vector<std::pair<std::string, int>> variables; ///< name in the scope, index in the system
  std::vector<Scope> inner;

  Scope& in(std::string_view instance) {
    for (Scope& scope : inner)
      if (scope.name == instance) return scope;
    return inner.emplace_back(Scope{std::string(instance), {}, {}});
  }
};

namespace {

/// The number of bits that every value of the type fits into.
int widthOf(const ScalarType& type) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return 1;
  case ScalarType::Base::Real:
    return 64;
  case ScalarType::Base::Bits:
    return int(type.bound);
  default: {
    const int bits = std::bit_width(std::uint64_t(type.largest()));
    return type.base == ScalarType::Base::Int ? bits + 1 : std::max(bits, 1);
  }
  }
}

/// The number as a word of the 94 characters that codes may have.
std::string codeOf(std::size_t number) {
  std::string code;
  do {
    code += char('!' + number % 94);
    number /= 94;
  } while (number > 0);
  return code;
}

bool isSimple(const std::string& name) {
  for (char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
}

/// An identifier of Verilog: escaped where it is no plain one.
std::string identifier(const std::string& name) {
  return isSimple(name) ? name : "\\" + name;
}

} // namespace

VcdWriter::VcdWriter(const System& of, std::ostream& stream, bool locals)
    : system(of), to(stream), numbering(of) {
  Scope top{system.name, {}, {}};
  for (std::size_t i = 0; i < system.variables.size(); ++i) {
    const Variable& variable = system.variables[i];
    if (!locals && !variable.isInput() && !variable.isOutput()) continue;
    Scope* scope = &top;
    std::string_view name = variable.name;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
      scope = &scope->in(name.substr(0, dot));
      name.remove_prefix(dot + 1);
    }
    scope->variables.emplace_back(name, int(i));
  }
  to << "$version Warploom $end\n$comment step k of the run is from time k - 1 to time k $end\n"
        "$timescale 1 ns $end\n";
  declare(top, 0);
  to << "$enddefinitions $end\n";
}

void VcdWriter::declare(const Scope& scope, int depth) {
  const std::string indent(std::size_t(2 * depth), ' ');
  to << fmt::format("{}$scope module {} $end\n", indent, identifier(scope.name));
  for (const auto& [name, index] : scope.variables) {
    const Variable& variable = system.variables[index];
    const ScalarType& type = variable.type.scalar;
    const int width = widthOf(type);
    const char* kind = type.base == ScalarType::Base::Real                ? "real"
                       : variable.storage == Variable::Storage::Memorized ? "reg"
                                                                          : "wire";
    for (std::int64_t offset = 0; offset < variable.type.cellCount(); ++offset) {
      std::string cell = name;
      for (std::int64_t subscript : subscriptsOf(variable.type, offset))
        cell += fmt::format("[{}]", subscript);
      Signal signal{numbering.first(index) + int(offset), type, codeOf(signals.size()), {}};
      const bool vector = width > 1 && type.base != ScalarType::Base::Real;
      to << fmt::format("{}  $var {} {} {} {}{} $end\n", indent, kind, width, signal.code, identifier(cell),
                        vector ? fmt::format(" [{}:0]", width - 1) : "");
      signals.push_back(std::move(signal));
    }
  }
  for (const Scope& inner : scope.inner)
    declare(inner, depth + 1);
  to << fmt::format("{}$upscope $end\n", indent);
}

void VcdWriter::change(const Signal& signal, const Value& value) {
  const int width = widthOf(signal.type);
  if (signal.type.base == ScalarType::Base::Real) {
    to << fmt::format("r{:.17g} {}\n", value.real, signal.code);
  } else if (width == 1) {
    to << (!fits(signal.type, value) ? 'x' : value.integer != 0 ? '1' : '0') << signal.code << '\n';
  } else if (!fits(signal.type, value)) {
    to << fmt::format("bx {}\n", signal.code);
  } else {
    // Digits left out on the left count as zeros, those of a negative number are ones.
    const std::uint64_t mask = width == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1;
    to << fmt::format("b{:b} {}\n", std::uint64_t(value.integer) & mask, signal.code);
  }
}

void VcdWriter::step(const Interpreter& interpreter) {
  to << fmt::format("#{}\n", steps);
  if (steps == 0) to << "$dumpvars\n";
  for (Signal& signal : signals) {
    const Value value = interpreter.value(signal.cell);
    if (steps > 0 && value == signal.last) continue;
    change(signal, value);
    signal.last = value;
  }
  if (steps == 0) to << "$end\n";
  ++steps;
}

void VcdWriter::finish() {
  to << fmt::format("#{}\n", steps);
  to.flush();
}

} // namespace warploom::sync
