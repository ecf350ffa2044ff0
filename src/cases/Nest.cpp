#include "cases/Nest.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

/// Reads statements in order, with what scalars are at each.
class Reader {
public:
  Reader(const DeviceNest& from, Nest& n) : nest(n) {
    unsigned parallel = 0;
    count(from.loop, parallel);
    blocks = parallel / 2;
  }

  void statement(const NestStatement& one) {
    switch (one.kind) {
    case NestStatement::Kind::Loop:
      return loop(one);
    case NestStatement::Kind::If:
      return branch(one);
    case NestStatement::Kind::Assign:
      return assignment(one);
    case NestStatement::Kind::Block:
      return;
    }
  }

private:
  static void count(const NestStatement& statement, unsigned& parallel) {
    parallel += statement.isParallel ? 1 : 0;
    for (const auto* part : {&statement.body, &statement.otherwise})
      for (const NestStatement& child : *part)
        count(child, parallel);
  }

  /// The value in polynomials of counters and parameters, where it is one.
  std::optional<Polynomial> value(const NestExpr& expr) const {
    if (!expr.isInteger) return std::nullopt;
    auto operand = [&](std::size_t k) { return value(expr.operands[k]); };
    switch (expr.op) {
    case NestExpr::Op::Number:
      return Polynomial(expr.value);
    case NestExpr::Op::Variable:
      if (auto found = scalars.find(expr.name); found != scalars.end()) return found->second;
      return Polynomial::symbol(expr.name);
    case NestExpr::Op::Negate:
      if (auto a = operand(0)) return -*a;
      return std::nullopt;
    case NestExpr::Op::Add:
    case NestExpr::Op::Subtract:
    case NestExpr::Op::Multiply: {
      auto a = operand(0), b = operand(1);
      if (!a || !b) return std::nullopt;
      return expr.op == NestExpr::Op::Add ? *a + *b : expr.op == NestExpr::Op::Subtract ? *a - *b : *a * *b;
    }
    default:
      return std::nullopt;
    }
  }

  /// Notes the accesses, values and names in an expression; how many values it needs at a time (Sethi and
  /// Ullman's number).
  unsigned note(const NestExpr& expr, bool isWritten = false, bool isRead = true) {
    std::vector<unsigned> needs;
    if (auto polynomial = value(expr)) nest.values.push_back({*polynomial, expr.at});
    const bool isWhole = value(expr).has_value();
    if (expr.op == NestExpr::Op::Variable || expr.op == NestExpr::Op::Access) nest.names.insert(expr.name);
    for (const NestExpr& operand : expr.operands)
      needs.push_back(isWhole ? inside(operand) : note(operand));
    if (expr.op == NestExpr::Op::Access) {
      NestAccess access;
      access.array = expr.name;
      access.isRead = isRead;
      access.isWritten = isWritten;
      access.loops = around;
      access.path = path;
      access.isConditional = otherConditions > 0;
      access.at = expr.at;
      for (const NestExpr& subscript : expr.operands) {
        auto polynomial = value(subscript);
        if (!polynomial) {
          access.subscripts.clear();
          break;
        }
        access.subscripts.push_back(*polynomial);
      }
      nest.accesses.push_back(access);
    }
    return together(std::move(needs));
  }
  /// The same in an expression that is noted already.
  unsigned inside(const NestExpr& expr) {
    if (expr.op == NestExpr::Op::Variable) nest.names.insert(expr.name);
    std::vector<unsigned> needs;
    for (const NestExpr& operand : expr.operands)
      needs.push_back(inside(operand));
    return together(std::move(needs));
  }
  static unsigned together(std::vector<unsigned> needs) {
    std::sort(needs.rbegin(), needs.rend());
    unsigned most = 1;
    for (std::size_t k = 0; k < needs.size(); ++k)
      most = std::max(most, needs[k] + static_cast<unsigned>(k));
    return most;
  }
  static unsigned operations(const NestExpr& expr) {
    unsigned sum = expr.op == NestExpr::Op::Number || expr.op == NestExpr::Op::Variable ||
                           expr.op == NestExpr::Op::Access || expr.name == "literal" || expr.name == "cast"
                       ? 0
                       : 1;
    for (const NestExpr& operand : expr.operands)
      sum += operations(operand);
    return sum;
  }

  void loop(const NestStatement& one) {
    NestLoop loop;
    loop.counter = one.counter;
    loop.declaresCounter = one.declaresCounter;
    loop.header = one.header;
    loop.boundAt = one.bound.at;
    auto bound = value(one.bound);
    if (!bound) throw NestRefused(one.bound.at, "the bound of a loop is no polynomial");
    loop.bound = *bound;
    if (one.isParallel) {
      loop.role = ++seen <= blocks ? NestLoop::Role::Block : NestLoop::Role::Thread;
    } else {
      loop.role = seen > blocks ? NestLoop::Role::Inner : NestLoop::Role::Between;
      if (seen > blocks && seen < 2 * blocks)
        throw NestRefused(one.at, "a serial loop stands between the loops of a block's threads");
    }
    if (nest.loop(one.counter)) throw NestRefused(one.at, "two loops have the same counter");
    nest.names.insert(one.counter);
    note(one.bound);
    around.push_back(nest.loops.size());
    nest.loops.push_back(loop);
    const auto before = scalars;
    scalars.erase(one.counter);
    unknown(one);
    for (const NestStatement& child : one.body)
      statement(child);
    forget(before);
    around.pop_back();
  }

  /// What a loop assigns to may have changed when an iteration begins.
  void unknown(const NestStatement& in) {
    for (const auto* part : {&in.body, &in.otherwise})
      for (const NestStatement& child : *part) {
        if (child.kind == NestStatement::Kind::Assign && child.target.op == NestExpr::Op::Variable)
          scalars[child.target.name] = std::nullopt;
        unknown(child);
      }
  }

  void branch(const NestStatement& one) {
    nest.deepest = std::max(nest.deepest, note(one.value));
    nest.work.push_back({around, operations(one.value)});
    const bool isChoice = isParametric(one.value);
    const std::size_t number = conditions++;
    const auto before = scalars;
    for (bool holds : {true, false}) {
      if (isChoice)
        path.emplace_back(number, holds);
      else
        ++otherConditions;
      for (const NestStatement& child : holds ? one.body : one.otherwise)
        statement(child);
      if (isChoice)
        path.pop_back();
      else
        --otherConditions;
      forget(before);
    }
  }

  /// Behind a loop or a branch, scalars that were assigned in it are unknown.
  void forget(const std::map<std::string, std::optional<Polynomial>>& before) {
    auto after = std::move(scalars);
    scalars = before;
    for (const auto& [name, polynomial] : after) {
      auto was = before.find(name);
      if (was == before.end() || !(was->second == polynomial)) scalars[name] = std::nullopt;
    }
  }

  /// It is the same for all threads of a block, and in all of its iterations.
  bool isParametric(const NestExpr& expr) const {
    if (expr.op == NestExpr::Op::Access) return false;
    if (expr.op == NestExpr::Op::Variable) {
      auto found = scalars.find(expr.name);
      if (found != scalars.end() && !found->second) return false;
      const Polynomial is = found == scalars.end() ? Polynomial::symbol(expr.name) : *found->second;
      for (const std::string& name : is.symbols())
        if (nest.loop(name)) return false;
    }
    return std::all_of(expr.operands.begin(), expr.operands.end(),
                       [&](const NestExpr& operand) { return isParametric(operand); });
  }

  void assignment(const NestStatement& one) {
    if (one.target.op == NestExpr::Op::Access) {
      note(one.target, true, !one.operation.empty());
    } else {
      nest.names.insert(one.target.name);
      if (nest.loop(one.target.name)) throw NestRefused(one.at, "a loop's counter is assigned to");
    }
    nest.deepest = std::max(nest.deepest, note(one.value));
    nest.work.push_back({around, operations(one.value) + (one.operation.empty() ? 0u : 1u)});
    if (one.target.op == NestExpr::Op::Variable) {
      // What a thread computes in a scalar from one iteration to the next is not known.
      const bool isPlain = one.operation.empty() && one.target.isInteger;
      scalars[one.target.name] = isPlain ? value(one.value) : std::nullopt;
    }
  }

  Nest& nest;
  unsigned blocks = 0, seen = 0;
  std::size_t conditions = 0;
  unsigned otherConditions = 0; ///< that are around what is being read, and not on parameters alone
  std::vector<std::size_t> around;
  std::vector<std::pair<std::size_t, bool>> path;
  std::map<std::string, std::optional<Polynomial>> scalars; ///< nothing: not known
};

/// The parts of a subscript: c + sum of factors times counters that a block runs through.
struct Form {
  Polynomial start;
  std::map<std::string, Polynomial> factors;
};

/// Finds v and g for a loop over elements of one thread: everywhere counters come as v*g + k.
std::optional<Granularity> granularityOf(const Nest& nest) {
  for (const NestLoop& inner : nest.loops) {
    const auto number = inner.bound.asConstant();
    const bool isSize = inner.bound.asSymbol() || (number && *number > 1);
    if (inner.role != NestLoop::Role::Inner || !isSize || !inner.declaresCounter) continue;
    for (const NestLoop& block : nest.loops) {
      if (block.role != NestLoop::Role::Block) continue;
      bool isUsed = false;
      const bool fits = std::all_of(nest.values.begin(), nest.values.end(), [&](const NestValue& one) {
        const Polynomial& p = one.value;
        const Polynomial byBlock = p.coefficient(block.counter, 1), byInner = p.coefficient(inner.counter, 1);
        if (p.asSymbol() == block.counter || p.asSymbol() == inner.counter) return false;
        isUsed = isUsed || !byInner.isZero();
        return p.degree(block.counter) <= 1 && p.degree(inner.counter) <= 1 &&
               byBlock == byInner * inner.bound && byInner.degree(block.counter) == 0;
      });
      if (fits && isUsed) return Granularity{block.counter, inner.counter, inner.bound};
    }
  }
  return std::nullopt;
}

/// An expression of parameters as a polynomial, where it is one.
std::optional<Polynomial> plain(const NestExpr& expr) {
  switch (expr.op) {
  case NestExpr::Op::Number:
    return Polynomial(expr.value);
  case NestExpr::Op::Variable:
    return Polynomial::symbol(expr.name);
  case NestExpr::Op::Add:
  case NestExpr::Op::Subtract:
  case NestExpr::Op::Multiply: {
    const auto a = plain(expr.operands[0]), b = plain(expr.operands[1]);
    if (!a || !b) return std::nullopt;
    return expr.op == NestExpr::Op::Add ? *a + *b : expr.op == NestExpr::Op::Subtract ? *a - *b : *a * *b;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

const NestLoop* Nest::loop(const std::string& counter) const {
  auto found =
      std::find_if(loops.begin(), loops.end(), [&](const NestLoop& loop) { return loop.counter == counter; });
  return found == loops.end() ? nullptr : &*found;
}

Nest readNest(const DeviceNest& from, const std::vector<std::string>& cached) {
  if (!from.unusable.empty()) throw NestRefused(from.unusableAt, from.unusable);
  Nest nest;
  nest.at = from.loop.at;
  nest.arrays = from.arrays;
  for (const std::string& name : cached)
    if (from.arrays.count(name)) nest.cached.push_back(name);
  Reader(from, nest).statement(from.loop);
  nest.granularity = granularityOf(nest);
  for (const std::string& name : from.scalars)
    if (std::any_of(from.arrays.begin(), from.arrays.end(), [&](const auto& array) {
          const auto& extents = array.second.extents;
          return std::find(extents.begin(), extents.end(), name) != extents.end();
        }))
      nest.dataParameters.insert(name);
    else
      nest.programParameters.insert(name);

  // Sizes of tiles are 1 or more, or there is nothing to do.
  std::set<std::string> sizes;
  for (const NestLoop& loop : nest.loops)
    if (loop.role == NestLoop::Role::Thread || loop.role == NestLoop::Role::Inner)
      sizes.merge(loop.bound.symbols());
  for (const std::string& size : sizes)
    if (!nest.loop(size)) nest.facts.push_back({atMost(1, Polynomial::symbol(size))});
  for (const auto& [name, definition] : from.definitions) {
    if (!sizes.count(name) || definition.op != NestExpr::Op::Smaller) continue;
    Clause either;
    for (const NestExpr& operand : definition.operands) {
      if (operand.op != NestExpr::Op::Variable) continue;
      nest.facts.push_back({atMost(Polynomial::symbol(name), Polynomial::symbol(operand.name))});
      either.push_back({Polynomial::symbol(name), Relation::Equal, Polynomial::symbol(operand.name)});
      if (!sizes.count(operand.name)) nest.facts.push_back({atMost(1, Polynomial::symbol(operand.name))});
    }
    if (either.size() == 2) nest.facts.push_back(either);
  }
  for (const auto& [name, definition] : from.definitions) {
    if (definition.name != "/" || definition.operands.size() != 2) continue;
    const auto over = plain(definition.operands[0]), under = plain(definition.operands[1]);
    if (over && under) nest.quotients.push_back({atMost(Polynomial::symbol(name) * *under, *over)});
  }
  return nest;
}

Polynomial Nest::elements(const std::string& array, bool reads, bool writes) const {
  auto counts = [&](const NestAccess& access) {
    return access.array == array && ((reads && access.isRead) || (writes && access.isWritten));
  };
  std::set<std::string> parts; // counters that a block runs through between two fillings
  for (const NestLoop& one : loops)
    if (one.role == NestLoop::Role::Thread || one.role == NestLoop::Role::Inner) parts.insert(one.counter);
  auto formOf = [&](const NestAccess& access, const Polynomial& subscript) {
    Form form{subscript, {}};
    for (const std::string& counter : parts) {
      if (subscript.degree(counter) == 0) continue;
      const Polynomial factor = subscript.coefficient(counter, 1);
      bool isLinear = subscript.degree(counter) == 1;
      for (const std::string& name : factor.symbols())
        isLinear = isLinear && !loop(name);
      if (!isLinear)
        throw NestRefused(access.at, fmt::format("a subscript of '{}' is not linear in the counters", array));
      form.factors[counter] = factor;
      form.start = form.start - factor * Polynomial::symbol(counter);
    }
    return form;
  };
  /// Accesses that go the same way, from places that are a constant apart.
  struct Group {
    std::vector<Form> first;
    std::vector<mpq_class> low, high; ///< from its first place on
  };
  std::vector<std::vector<std::pair<std::size_t, bool>>> paths = {{}};
  for (const NestAccess& access : accesses)
    if (counts(access) && std::find(paths.begin(), paths.end(), access.path) == paths.end())
      paths.push_back(access.path);
  auto contradict = [](const auto& a, const auto& b) {
    for (const auto& [number, holds] : a)
      for (const auto& [other, is] : b)
        if (number == other && holds != is) return true;
    return false;
  };
  auto wordsOn = [&](const std::vector<std::pair<std::size_t, bool>>& path) {
    std::vector<Group> groups;
    for (const NestAccess& access : accesses) {
      if (!counts(access) || contradict(access.path, path)) continue;
      if (access.subscripts.empty())
        throw NestRefused(access.at, fmt::format("a subscript of '{}' is no polynomial", array));
      std::vector<Form> forms;
      for (const Polynomial& subscript : access.subscripts)
        forms.push_back(formOf(access, subscript));
      bool isFound = false;
      for (Group& group : groups) {
        std::vector<mpq_class> apart;
        for (std::size_t d = 0; d < forms.size() && group.first.size() == forms.size(); ++d) {
          auto distance = (forms[d].start - group.first[d].start).asConstant();
          if (!distance || !(forms[d].factors == group.first[d].factors)) break;
          apart.push_back(*distance);
        }
        if (apart.size() != forms.size()) continue;
        for (std::size_t d = 0; d < forms.size(); ++d) {
          group.low[d] = std::min(group.low[d], apart[d]);
          group.high[d] = std::max(group.high[d], apart[d]);
        }
        isFound = true;
        break;
      }
      if (!isFound)
        groups.push_back({forms, std::vector<mpq_class>(forms.size()), std::vector<mpq_class>(forms.size())});
    }
    Polynomial sum;
    for (const Group& group : groups) {
      Polynomial box(1);
      for (std::size_t d = 0; d < group.first.size(); ++d) {
        Polynomial extent(mpq_class(group.high[d] - group.low[d] + 1));
        for (const auto& [counter, factor] : group.first[d].factors) {
          const Polynomial steps = loop(counter)->bound - Polynomial(1);
          if (!factor.hasNoMinus() && !(-factor).hasNoMinus())
            throw NestRefused(at, fmt::format("whether '{}' in a subscript of '{}' is positive is not known",
                                              factor.text(), array));
          extent = extent + (factor.hasNoMinus() ? factor : -factor) * steps;
        }
        box = box * extent;
      }
      sum = sum + box;
    }
    return sum;
  };
  std::optional<Polynomial> most;
  for (const auto& path : paths) {
    // The empty path is that of all accesses together, and counts where no condition is one on parameters.
    if (path.empty() && paths.size() > 1 &&
        std::any_of(accesses.begin(), accesses.end(),
                    [&](const NestAccess& one) { return counts(one) && !one.path.empty(); }))
      continue;
    const Polynomial words = wordsOn(path);
    if (!most || (words - *most).hasNoMinus())
      most = words;
    else if (!(*most - words).hasNoMinus())
      throw NestRefused(at, fmt::format("how much of '{}' is staged depends on a condition", array));
  }
  return most.value_or(Polynomial());
}

Polynomial Nest::words() const {
  Polynomial sum;
  for (const std::string& array : cached)
    sum = sum + elements(array) * Polynomial(mpq_class(arrays.at(array).elementSize, 4));
  return sum;
}

Polynomial Nest::threads() const {
  Polynomial product(1);
  for (const NestLoop& one : loops)
    if (one.role == NestLoop::Role::Thread) product = product * one.bound;
  return product;
}

unsigned Nest::registers() const {
  return static_cast<unsigned>(names.size()) + deepest;
}

Nest Nest::withGranularityOne() const {
  Nest result = *this;
  const auto& [block, counter, size] = *granularity;
  auto without = [&, &b = block, &k = counter](const Polynomial& p) {
    // (v*g + k)*f + r becomes v*f + r, where v now counts parts.
    const Polynomial factor = p.coefficient(k, 1);
    return p.coefficient(b, 0).coefficient(k, 0) + factor * Polynomial::symbol(b);
  };
  for (NestAccess& access : result.accesses)
    for (Polynomial& subscript : access.subscripts)
      subscript = without(subscript);
  for (NestValue& one : result.values)
    one.value = without(one.value);
  // Loops are known by number: the one that is gone has one iteration.
  for (NestLoop& one : result.loops) {
    if (one.counter == counter) one.bound = Polynomial(1);
    if (one.counter == block) one.bound = one.bound * size;
  }
  result.names.erase(counter);
  if (const auto name = size.asSymbol()) {
    const bool isUsed = std::any_of(result.values.begin(), result.values.end(), [&](const NestValue& one) {
      return one.value.degree(*name) > 0 && one.value.asSymbol() != *name;
    });
    if (!isUsed) result.names.erase(*name);
  }
  result.granularity = std::nullopt;
  return result;
}

std::optional<Nest> Nest::withHalfTiles() const {
  const NestLoop* part = nullptr;
  for (const NestLoop& one : loops)
    if (one.role == NestLoop::Role::Inner && !(granularity && granularity->counter == one.counter))
      part = &one;
  if (!part || part->bound == Polynomial(1)) return std::nullopt;
  for (const NestLoop& whole : loops) {
    if (whole.role != NestLoop::Role::Between) continue;
    const bool fits = std::all_of(values.begin(), values.end(), [&](const NestValue& one) {
      return one.value.coefficient(whole.counter, 1) == one.value.coefficient(part->counter, 1) * part->bound;
    });
    if (!fits) continue;
    const Polynomial half(mpq_class(1, 2)), counter = half * Polynomial::symbol(whole.counter);
    Nest result = *this;
    for (NestAccess& access : result.accesses)
      for (Polynomial& subscript : access.subscripts)
        subscript = subscript.substitute(whole.counter, counter);
    for (NestValue& one : result.values)
      one.value = one.value.substitute(whole.counter, counter);
    for (NestLoop& one : result.loops) {
      if (one.counter == part->counter) one.bound = one.bound * half;
      if (one.counter == whole.counter) one.bound = one.bound * Polynomial(2);
    }
    return result;
  }
  return std::nullopt;
}

std::set<std::string> Nest::sums() const {
  std::set<std::string> serial, result, others;
  for (const NestLoop& one : loops)
    if ((one.role == NestLoop::Role::Between || one.role == NestLoop::Role::Inner) &&
        !(granularity && granularity->counter == one.counter) && !(one.bound == Polynomial(1)))
      serial.insert(one.counter);
  if (serial.empty()) return {};
  for (const NestAccess& access : accesses) {
    if (access.isWritten) result.insert(access.array);
    if (access.subscripts.empty()) others.insert(access.array);
    for (const Polynomial& subscript : access.subscripts)
      for (const std::string& name : subscript.symbols())
        if (serial.count(name)) others.insert(access.array);
  }
  for (const std::string& name : others)
    result.erase(name);
  return result;
}

Nest Nest::with(const Values& values) const {
  Nest result = *this;
  auto known = [&](Polynomial& p) {
    for (const auto& [name, value] : values)
      p = p.substitute(name, Polynomial(mpq_class(value)));
  };
  for (NestLoop& one : result.loops)
    known(one.bound);
  for (NestAccess& access : result.accesses)
    for (Polynomial& subscript : access.subscripts)
      known(subscript);
  for (NestValue& one : result.values)
    known(one.value);
  result.granularity = granularityOf(result);
  return result;
}

Nest Nest::uncached() const {
  Nest result = *this;
  result.cached.clear();
  return result;
}

} // namespace warploom::cases
