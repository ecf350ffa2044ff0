// Random systems for differential testing. They are free of causality errors by construction (immediate
// values flow from lower to higher variables) and mostly free of conflicts.
#pragma once

#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

namespace warploom::sync {

/// What random systems have in them, besides scalars, arrays and labels.
struct RandomOptions {
  bool reals = true;
  bool modules =
      true; ///< one system in three has instances, or arrays of instances, of modules with parameters
  int assertions =
      0; ///< so many, of variables of all kinds; some systems then have an assumption about k and i0
};

class RandomSystem {
public:
  explicit RandomSystem(unsigned seed, RandomOptions with = {}) : random(seed), options(with) {}

  /// A system as AIF text.
  std::string text(const std::string& name) {
    declareInputs();
    declareVariables();
    for (int i = 0, count = below(3); i < count; ++i) {
      abbreviated += fmt::format("  abb{} = {}\n", i, expression(Kind::Bool, 2, 0));
      labels.push_back({fmt::format("abb{}", i), Kind::Bool, 0, false, false, false});
    }
    if (options.modules && chance(3)) instantiate();
    std::string init = part(true), main = part(false), reactions;
    for (const Entry& entry : variables)
      if (entry.event && entry.extent == 0 && chance(4))
        reactions += fmt::format("  {} = {}\n", entry.name, literal(entry));
    return modules +
           fmt::format(
               "system {}:\ninterface:\n{}locals:\n{}abbreviations:\n{}instances:\n{}init:\n{}main:\n{}"
               "absence reactions:\n{}",
               name, interface, locals, abbreviated, instances, init, main, reactions);
  }

private:
  enum class Kind { Bool, Int, Real, Bits };
  struct Entry {
    std::string name;
    Kind kind = Kind::Bool;
    int extent = 0; ///< 0: a scalar
    bool event = false, label = false;
    bool immediate = true; ///< may be written by immediate actions
  };

  int below(int n) { return int(random() % unsigned(n)); }
  bool chance(int oneIn) { return below(oneIn) == 0; }

  std::string type(const Entry& entry) {
    std::string scalar = entry.kind == Kind::Bool   ? "bool"
                         : entry.kind == Kind::Int  ? (chance(2) ? "int{100}" : "nat{50}")
                         : entry.kind == Kind::Real ? "real"
                                                    : "bv{5}";
    return entry.extent == 0 ? scalar : fmt::format("{}[{}]", scalar, entry.extent);
  }

  Kind randomKind() {
    const int n = below(options.reals ? 10 : 9);
    if (!options.reals && n == 8) return Kind::Bits;
    return n < 4 ? Kind::Bool : n < 8 ? Kind::Int : n < 9 ? Kind::Real : Kind::Bits;
  }

  void declareInputs() {
    inputs.push_back({"k", Kind::Int, 0, false, false, false});
    interface += "  k: input nat{3}\n";
    for (int i = 0, count = 2 + below(4); i < count; ++i) {
      Entry entry{fmt::format("i{}", i),
                  i == 0 ? Kind::Bool : randomKind(),
                  i != 0 && chance(4) ? (chance(4) ? 20 : 3) : 0,
                  false,
                  false,
                  false};
      interface += fmt::format("  {}: input {}\n", entry.name, type(entry));
      inputs.push_back(entry);
    }
  }

  void declareVariables() {
    for (int i = 0, count = 1 + below(3); i < count; ++i) {
      labels.push_back({fmt::format("__ell{}", i), Kind::Bool, 0, true, true, false});
      locals += fmt::format("  __ell{}: label bool\n", i);
    }
    for (int i = 0, count = 3 + below(7); i < count; ++i) {
      // The large ones are memories: whatever selects their cells.
      const int extent = chance(3) ? (chance(3) ? 20 : 3) : 0;
      Entry entry{fmt::format("v{}", i), randomKind(), extent, chance(2), false, !chance(3)};
      const std::string storage = entry.event ? "event" : "memorized";
      if (i < 2 || chance(2))
        interface +=
            fmt::format("  {}: {} {} {}\n", entry.name, chance(5) ? "inout" : "output", storage, type(entry));
      else
        locals += fmt::format("  {}: local {} {}\n", entry.name, storage, type(entry));
      variables.push_back(entry);
    }
  }

  std::string literal(const Entry& entry) {
    switch (entry.kind) {
    case Kind::Bool:
      return chance(2) ? "true" : "false";
    case Kind::Int:
      return fmt::format("{}", below(20));
    case Kind::Real:
      return fmt::format("{}.5", below(9));
    default: {
      std::string digits = "0b";
      for (int i = 0; i < 5; ++i)
        digits += char('0' + below(2));
      return digits;
    }
    }
  }

  /// A subscript of an array of so many cells, constant or not; it reads inputs only, so that it never waits
  /// for anything.
  std::string subscript(int extent) {
    if (extent > 3 && chance(2)) {
      for (const Entry& entry : inputs)
        if (entry.kind == Kind::Int && entry.extent == 0 && entry.name != "k" && chance(2))
          return fmt::format("abs({})%{}", entry.name, extent);
      return chance(2) ? "k*6 + 7" : fmt::format("{}", below(extent));
    }
    switch (below(5)) {
    case 0:
      return "k";
    case 1:
      return "(k + 1)%3";
    case 2:
      return "2 - k";
    default:
      return fmt::format("{}", below(3));
    }
  }

  /// Something of `kind` that may be read: inputs, labels, variables below `limit`, and variables no
  /// immediate action writes.
  std::string leaf(Kind kind, std::size_t limit) {
    std::vector<const Entry*> candidates;
    for (const Entry& entry : inputs)
      if (entry.kind == kind) candidates.push_back(&entry);
    if (kind == Kind::Bool)
      for (const Entry& entry : labels)
        candidates.push_back(&entry);
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].kind == kind && (i < limit || !variables[i].immediate))
        candidates.push_back(&variables[i]);
    if (connected)
      for (const Entry& entry : given)
        if (entry.kind == kind) candidates.push_back(&entry);
    if (candidates.empty() || chance(5)) return literal({"", kind, 0, false, false, false});
    const Entry& chosen = *candidates[std::size_t(below(int(candidates.size())))];
    return chosen.extent == 0 ? chosen.name : fmt::format("{}[{}]", chosen.name, subscript(chosen.extent));
  }

  std::string expression(Kind kind, int depth, std::size_t limit) {
    if (depth == 0 || chance(4)) return leaf(kind, limit);
    auto sub = [&](Kind of) { return "(" + expression(of, depth - 1, limit) + ")"; };
    switch (kind) {
    case Kind::Bool:
      switch (below(8)) {
      case 6:
        return sub(kind) + " xor " + sub(kind);
      case 7:
        return "(" + sub(kind) + " ? " + sub(kind) + " : " + sub(kind) + ")";
      case 0:
        return sub(kind) + " & " + sub(kind);
      case 1:
        return sub(kind) + " | " + sub(kind);
      case 2:
        return "!" + sub(kind);
      case 3:
        return sub(Kind::Int) + (chance(2) ? " < " : " >= ") + sub(Kind::Int);
      case 4:
        if (!options.reals) return sub(Kind::Int) + " != " + sub(Kind::Int);
        return sub(Kind::Real) + (chance(2) ? " > " : " <= ") + sub(chance(2) ? Kind::Int : Kind::Real);
      default:
        return sub(Kind::Bits) + (chance(2) ? " == " : " != ") + sub(Kind::Bits);
      }
    case Kind::Int:
      switch (below(10)) {
      case 6:
        return (chance(2) ? "min(" : "max(") + sub(kind) + ", " + sub(kind) + ")";
      case 7:
        return "abs" + sub(kind);
      case 8:
        return "(" + sub(Kind::Bool) + " ? " + sub(kind) + " : " + sub(kind) + ")";
      case 9:
        return (chance(2) ? "bv2nat" : "bv2int") + sub(Kind::Bits);
      case 0:
        return sub(kind) + " + " + sub(kind) + " - " + sub(kind);
      case 1:
        return sub(kind) + "*" + sub(kind);
      case 2:
        return sub(kind) + "/" + fmt::format("{}", 1 + below(7));
      case 3:
        return sub(kind) + "%" + fmt::format("{}", 1 + below(30));
      case 4:
        return sub(kind) + " + " + sub(kind) + " + " + sub(kind);
      default:
        return "-" + sub(kind);
      }
    case Kind::Real:
      switch (below(5)) {
      case 3:
        return (chance(2) ? "min(" : "max(") + sub(kind) + ", " + sub(Kind::Int) + ")";
      case 4:
        return "(" + sub(Kind::Bool) + " ? " + sub(kind) + " : abs" + sub(Kind::Int) + ")";
      case 0:
        return sub(kind) + " + " + sub(Kind::Int) + "*" + sub(kind);
      case 1:
        return sub(kind) + " - " + sub(kind);
      default:
        return sub(kind) + "/4.0";
      }
    default:
      switch (below(7)) {
      case 3:
        return sub(kind) + " xor " + sub(kind);
      case 4:
        return sub(kind) + (chance(2) ? " << " : " >> ") + sub(Kind::Int);
      case 5:
        return sub(kind) + "{4:2} @ " + sub(kind) + "{3:2}";
      case 6:
        return "int2bv(" + sub(Kind::Int) + ", 5)";
      case 0:
        return sub(kind) + " & " + sub(kind);
      case 1:
        return sub(kind) + " | " + sub(kind);
      default:
        return "!" + sub(kind);
      }
    }
  }

  std::string value(const Entry& entry, int depth, std::size_t limit) {
    std::string result = expression(entry.kind, depth, limit);
    return entry.kind == Kind::Int ? fmt::format("({}) % 40", result) : result;
  }

  std::string guard(std::size_t limit) {
    if (chance(3))
      return labels[std::size_t(below(int(labels.size())))].name + " & (" + expression(Kind::Bool, 1, limit) +
             ")";
    return expression(Kind::Bool, 2, limit);
  }

  std::string part(bool init) {
    std::string control = "  control flow:\n", data = "  data flow:\n";
    for (const Entry& label : labels)
      if (label.label)
        control += fmt::format("    {} => next({}) = true\n",
                               init ? (chance(2) ? "true" : "i0") : "(" + expression(Kind::Bool, 2, 0) + ")",
                               label.name);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Entry& entry = variables[i];
      if (entry.immediate) {
        // Several writers, each guarded by the negation of the earlier guards.
        std::string earlier;
        for (int n = 0, count = below(3); n < count; ++n) {
          const std::string own = "(" + guard(i) + ")";
          data += fmt::format("    {}{} => {} = {}\n", own, earlier, cell(entry), value(entry, 2, i));
          earlier += " & !" + own;
        }
      }
      if (!entry.immediate || chance(3)) {
        const std::string own = "(" + guard(variables.size()) + ")";
        data += fmt::format("    {} => next({}) = {}\n", own, cell(entry), value(entry, 2, variables.size()));
        if (chance(2))
          data +=
              fmt::format("    !{} => next({}) = {}\n", own, cell(entry), value(entry, 2, variables.size()));
      }
    }
    std::string assertions = "  assertions:\n";
    for (int i = 0; i < options.assertions; ++i)
      assertions += fmt::format("    {} => {}{} : assert {}\n", guard(variables.size()),
                                init ? "first" : "later", i, expression(Kind::Bool, 2, variables.size()));
    if (options.assertions > 0 && chance(3))
      assertions += fmt::format("    true => {}_given : assume {}\n", init ? "first" : "later",
                                chance(2) ? "i0 | k == 2" : "k < 2");
    return control + data + assertions;
  }

  /// A module of two outputs, and one or several instances of it. Their inputs read what no instance writes.
  void instantiate() {
    const auto one = [&](std::initializer_list<const char*> of) {
      return *(of.begin() + below(int(of.size())));
    };
    const auto boolean = [&] {
      return one({"a", "!a", "b > p", "s == p", "a xor b < s", "q[p % 3] < 9", "e & a", "bv2nat(v) > p"});
    };
    const auto number = [&] {
      return one({"(b + p) % 40", "max(s, p) % 40", "(s > p ? abs(b) : p) % 40", "(s*p + 3) % 40",
                  "q[(p + 1) % 3]", "bv2nat(v << p)", "(x + 1) % 40"});
    };
    modules =
        "module M(p):\ninterface:\n  a: input bool\n  b: input int{100}\n  x: output memorized int{100}\n"
        "  y: output event bool\nlocals:\n  s: local memorized nat{50}\n  q: local memorized nat{50}[3]\n"
        "  v: local memorized bv{5}\n  e: label bool\ninit:\n  control flow:\n    a => next(e) = true\n";
    modules += fmt::format(
        "main:\n  control flow:\n    {} => next(e) = true\n  data flow:\n    {} => next(x) = {}\n", boolean(),
        boolean(), number());
    modules +=
        fmt::format("    {} => y = true\n    a => next(s) = {}\n    {} => next(q[abs(b) % 3]) = abs({})\n",
                    boolean(), number(), boolean(), number());
    modules +=
        fmt::format("    {} => next(v) = int2bv({}, 5) {} v\n", boolean(), number(), one({"xor", "&", "|"}));
    const bool array = chance(2);
    given = {{"gx", Kind::Int, array ? 3 : 0, false, false, false},
             {"gy", Kind::Bool, array ? 3 : 0, true, false, false}};
    const char* extent = array ? "[3]" : "";
    interface += fmt::format("  gx: output memorized int{{100}}{}\n", extent);
    locals += fmt::format("  gy: local event bool{}\n", extent);
    const std::string a = expression(Kind::Bool, 2, 0), b = "(" + expression(Kind::Int, 2, 0) + ") % 40";
    instances = array
                    ? fmt::format("  many[j: 3]: M(j + {}) {{ a = {}, b = {} + j, x = gx[j], y = gy[j] }}\n",
                                  below(3), a, b)
                    : fmt::format("  one: M({}) {{ a = {}, b = {}, x = gx, y = gy }}\n", below(5), a, b);
    connected = true;
  }

  std::string cell(const Entry& entry) {
    return entry.extent == 0 ? entry.name : fmt::format("{}[{}]", entry.name, subscript(entry.extent));
  }

  std::mt19937_64 random;
  const RandomOptions options;
  std::vector<Entry> given; ///< what instances write
  bool connected = false;   ///< the instances are there, so that all else may read it
  std::string modules, instances;
  std::vector<Entry> inputs, labels, variables; ///< labels: abbreviations too, which are read like them
  std::string interface, locals, abbreviated;
};

} // namespace warploom::sync
