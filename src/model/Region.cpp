#include "model/Region.h"

#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <set>

namespace warploom {

bool Statement::touches(int array) const {
  return std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
    return access.array == array && (access.reads() || access.writes());
  });
}

bool Statement::writes(int array) const {
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const Access& access) { return access.array == array && access.writes(); });
}

bool isWritten(const Region& region, int array) {
  return std::any_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
    return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
      return access.writes() && memoryOf(region, access.array) == memoryOf(region, array);
    });
  });
}

std::string Region::name() const {
  return fmt::format("{}:{}", function, range.line);
}

bool Region::hasNarrowIndices() const {
  return std::all_of(loops.begin(), loops.end(),
                     [](const Loop& loop) { return loop.indexType.bits <= 32; }) &&
         std::all_of(parameters.begin(), parameters.end(),
                     [](const Parameter& parameter) { return parameter.type.bits <= 32; });
}

isl::union_set domains(const Region& region) {
  isl::union_set all = isl::union_set::empty(islContext());
  for (const Statement& statement : region.statements)
    all = all.unite(statement.domain);
  return all;
}

namespace {

isl::aff constantOn(const isl::space& space, long value) {
  return isl::manage(isl_aff_val_on_domain(isl_local_space_from_space(space.copy()),
                                           isl_val_int_from_si(islContext().get(), value)));
}

/// { S[..., i_level, ...] -> [i_level] }, negated for a descending loop: smaller runs first.
isl::aff orderedIndex(const Region& region, const Statement& statement, std::size_t level) {
  isl::aff index = statement.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(level));
  return region.loops[statement.loops[level]].step < 0 ? index.neg() : index;
}

} // namespace

isl::union_map originalOrder(const Region& region) {
  std::size_t deepest = 0;
  for (const Statement& statement : region.statements)
    deepest = std::max(deepest, statement.loops.size());
  isl::union_map order = isl::union_map::empty(islContext());
  for (const Statement& statement : region.statements) {
    isl::space space = statement.domain.space();
    isl::multi_aff value =
        isl::multi_aff::zero(space.add_unnamed_tuple(static_cast<unsigned>(2 * deepest + 1)));
    for (std::size_t level = 0; level <= statement.loops.size(); ++level) {
      value = value.set_at(static_cast<int>(2 * level), constantOn(space, statement.position[level]));
      if (level < statement.loops.size())
        value = value.set_at(static_cast<int>(2 * level + 1), orderedIndex(region, statement, level));
    }
    order = order.unite(value.as_map().intersect_domain(statement.domain));
  }
  return order;
}

namespace {

/// The schedule of `members`, statements that agree in their first `level` loops and positions.
isl::schedule scheduleFrom(const Region& region, const std::vector<const Statement*>& members,
                           std::size_t level) {
  // Statements of equal position at this level are one child: a loop, or a single statement.
  std::vector<std::vector<const Statement*>> children;
  for (const Statement* statement : members) {
    if (children.empty() || children.back().front()->position[level] != statement->position[level])
      children.emplace_back();
    children.back().push_back(statement);
  }
  std::optional<isl::schedule> sequence;
  for (const auto& child : children) {
    isl::schedule part;
    if (child.front()->loops.size() == level) {
      part = isl::schedule::from_domain(isl::union_set(child.front()->domain));
    } else {
      part = scheduleFrom(region, child, level + 1);
      isl::union_pw_aff index = isl::manage(isl_union_pw_aff_empty_ctx(islContext().get()));
      for (const Statement* statement : child) {
        isl::pw_aff value = orderedIndex(region, *statement, level);
        index = index.union_add(value.intersect_domain(statement->domain));
      }
      isl::multi_union_pw_aff band = isl::manage(isl_multi_union_pw_aff_from_union_pw_aff(index.copy()));
      part = isl::manage(isl_schedule_insert_partial_schedule(part.release(), band.release()));
    }
    sequence = sequence ? isl::manage(isl_schedule_sequence(sequence->release(), part.release())) : part;
  }
  return *sequence;
}

} // namespace

isl::schedule originalSchedule(const Region& region) {
  std::vector<const Statement*> all;
  all.reserve(region.statements.size());
  for (const Statement& statement : region.statements)
    all.push_back(&statement);
  if (all.empty()) return isl::schedule::from_domain(domains(region));
  return scheduleFrom(region, all, 0);
}

namespace {

/// Checks the invariants of one region; the first broken one is thrown.
class Validation {
public:
  explicit Validation(const Region& checked) : region(checked) {}

  void run() {
    for (const Parameter& parameter : region.parameters)
      require(parameters.insert(parameter.name).second, "two parameters named " + parameter.name);
    for (const Array& array : region.arrays)
      check(array);
    for (std::size_t k = 0; k < region.loops.size(); ++k)
      checkLoop(k);
    for (const Statement& statement : region.statements)
      check(statement);
    checkTextualOrder();
    for (const WholeLoop& whole : region.wholes)
      check(whole);
    for (const Condition& condition : region.conditions)
      check(condition);
  }

private:
  void require(bool holds, const std::string& what) const {
    if (!holds) throw Failure(region.name(), what);
  }

  template <typename T> static bool isIndexInto(int index, const std::vector<T>& values) {
    return index >= 0 && static_cast<std::size_t>(index) < values.size();
  }

  void check(const Array& array) {
    require(tuples.insert(array.name).second, "two arrays named " + array.name);
    require(static_cast<int>(array.extents.size()) == array.rank,
            "extents of " + array.name + " do not fit its rank");
    require(array.extentTexts.size() == array.extents.size(), "extent texts of " + array.name);
    require(array.declaredIn == -1 || isIndexInto(array.declaredIn, region.loops),
            "declaration of " + array.name);
    if (array.within < 0) return;
    require(isIndexInto(array.within, region.arrays), "the structs that hold " + array.name);
    const Array& structs = region.arrays[array.within];
    require(structs.within < 0 && structs.element.kind == Type::Kind::Struct,
            array.name + " is a field of what is no array of structs");
    require(!array.members.empty() && array.outerRank <= array.rank, "members of " + array.name);
  }

  void checkLoop(std::size_t number) const {
    const Loop& loop = region.loops[number];
    require(loop.parent >= -1 && loop.parent < static_cast<int>(number), "a loop before its parent");
    require(loop.depth == (loop.parent < 0 ? 1 : region.loops[loop.parent].depth + 1),
            "depth of loop " + loop.index);
    require(loop.step != 0, "a loop of step 0");
  }

  void check(const Statement& statement) {
    const std::string& name = statement.name;
    require(tuples.insert(name).second, "two tuples named " + name);
    require(!statement.domain.is_null(), "no domain of " + name);
    const char* tuple = isl_set_get_tuple_name(statement.domain.get());
    require(tuple && name == tuple, "tuple of the domain of " + name);
    require(unsigned(statement.domain.tuple_dim()) == statement.loops.size(), "dimension of " + name);
    require(statement.position.size() == statement.loops.size() + 1, "position of " + name);
    int around = -1;
    for (int loop : statement.loops) {
      require(isIndexInto(loop, region.loops) && region.loops[loop].parent == around, "loops around " + name);
      around = loop;
    }
    for (const Access& access : statement.accesses)
      check(statement, access);
    for (const ExprPtr& guard : statement.guards) {
      require(guard != nullptr, "a null guard of " + statement.name);
      check(statement, *guard);
    }
    checkBody(statement);
    if (statement.code) forEachExpr(*statement.code, [&](const Expr& expr) { check(statement, expr); });
  }

  void check(const WholeLoop& whole) {
    require(isIndexInto(whole.loop, region.loops), "a loop in another form that is no loop");
    for (const Statement& statement : whole.statements) {
      check(statement);
      int innermost = statement.loops.empty() ? -1 : statement.loops.back();
      require(innermost == region.loops[whole.loop].parent, "loops around " + statement.name);
    }
  }

  void check(const Statement& statement, const Access& access) const {
    require(isIndexInto(access.array, region.arrays), "array of an access of " + statement.name);
    const Array& array = region.arrays[access.array];
    require(!access.map.is_null(), "no map of an access to " + array.name);
    require(access.map.has_range_tuple_id() && access.map.range_tuple_id().name() == array.name,
            "tuple of an access to " + array.name);
    require(int(unsigned(access.map.range_tuple_dim())) == array.rank, "rank of an access to " + array.name);
    require(access.map.has_domain_tuple_id() && access.map.domain_tuple_id().name() == statement.name,
            "an access to " + array.name + " by another statement than " + statement.name);
    require(access.exact == access.inexactReason.empty(), "an inexact access without a reason");
    require(statement.guards.empty() || access.kind != Access::Kind::Write, "a certain write under a guard");
    // Too expensive to tell is no proof of a mistake.
    auto inside = limited([&] { return access.map.domain().is_subset(statement.domain); });
    require(inside.value_or(true), "an access to " + array.name + " outside the domain of " + statement.name);
  }

  /// An expression of `statement` refers to its accesses only.
  void check(const Statement& statement, const Expr& expr) const {
    if (expr.kind == Expr::Kind::Access)
      require(isIndexInto(expr.access, statement.accesses), "an access node of " + statement.name);
    require((expr.kind == Expr::Kind::Affine) == expr.value.has_value(),
            "a closed form in " + statement.name);
    for (const ExprPtr& operand : expr.operands) {
      require(operand != nullptr && operand->kind != Expr::Kind::Assign,
              "an assignment inside " + statement.name);
      check(statement, *operand);
    }
  }

  void checkBody(const Statement& statement) const {
    bool hasBody = statement.kind == Statement::Kind::Assign || statement.kind == Statement::Kind::Predicate;
    require(hasBody == (statement.body != nullptr), "body of " + statement.name);
    require(!statement.code || statement.kind == Statement::Kind::Opaque, "code of " + statement.name);
    if (hasBody) check(statement, *statement.body);
    if (statement.kind == Statement::Kind::Assign)
      require(statement.body->kind == Expr::Kind::Assign, "body of " + statement.name + " is no assignment");
    if (statement.kind == Statement::Kind::Predicate) {
      int writes = 0;
      for (const Access& access : statement.accesses) {
        if (!access.writes()) continue;
        ++writes;
        require(region.arrays[access.array].storage == Array::Storage::Predicate,
                statement.name + " writes what is no predicate");
      }
      require(writes == 1, statement.name + " does not write one predicate");
    }
  }

  /// Later statements have lexicographically later positions, and none is a prefix of another: a position is
  /// either a statement or a loop.
  void checkTextualOrder() const {
    for (std::size_t k = 1; k < region.statements.size(); ++k) {
      const Statement &first = region.statements[k - 1], &second = region.statements[k];
      auto [one, other] = std::mismatch(first.position.begin(), first.position.end(), second.position.begin(),
                                        second.position.end());
      require(one != first.position.end() && other != second.position.end() && *one < *other,
              "order of " + first.name + " and " + second.name);
      auto shared = static_cast<std::size_t>(one - first.position.begin());
      require(std::equal(first.loops.begin(), first.loops.begin() + static_cast<long>(shared),
                         second.loops.begin()),
              "equal positions of different loops around " + first.name + " and " + second.name);
      require(first.loops.size() == shared || second.loops.size() == shared ||
                  first.loops[shared] != second.loops[shared],
              "one loop at two positions around " + first.name + " and " + second.name);
    }
  }

  void check(const Condition& condition) const {
    for (int array : condition.arrays)
      require(isIndexInto(array, region.arrays), "array of a condition");
    for (int loop : condition.loops)
      require(isIndexInto(loop, region.loops), "loop of a condition");
    if (condition.kind == Condition::Kind::NoOverlap)
      require(condition.arrays.size() == 2, "a condition that not two arrays overlap");
  }

  const Region& region;
  std::set<std::string> tuples, parameters;
};

} // namespace

void validate(const Region& region) {
  Validation(region).run();
}

} // namespace warploom
