#include "transform/Carrying.h"

#include "analysis/Order.h"
#include "support/IslC.h"
#include "transform/LoopTree.h"
#include "transform/OldValues.h"
#include "transform/Schedule.h"
#include "transform/Turning.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <map>

namespace warploom {

namespace {

/// Carries a value of an array from one iteration to the next in a scalar.
class Carrier {
public:
  Carrier(const Region& source, const Facts& facts, int array, int loop)
      : source(source), facts(facts), array(array), loop(loop), result(withRoom(source)) {}

  std::variant<Region, Refusal> run() {
    const Array& object = source.arrays[array];
    const std::string& name = object.name;
    if (object.isScalar() || object.within >= 0 || object.element.kind == Type::Kind::Struct)
      return Refusal{fmt::format("`{}` is no array of numbers", name)};
    if (!source.wholes.empty()) return Refusal{"there are loops that only data end"};
    for (int s = 0; s < static_cast<int>(source.statements.size()); ++s)
      for (int a = 0; a < static_cast<int>(source.statements[s].accesses.size()); ++a) {
        const Access& access = source.statements[s].accesses[a];
        if (access.array != array || !access.writes() || !inside(source.statements[s], loop)) continue;
        if (write.statement >= 0)
          return Refusal{fmt::format("several statements of the loop write `{}`", name)};
        write = {s, a};
      }
    if (write.statement < 0) return Refusal{fmt::format("nothing in the loop writes `{}`", name)};
    const Statement& writer = write.statementIn(source);
    const bool plain = write.in(source).kind == Access::Kind::Write && write.in(source).exact &&
                       writer.kind == Statement::Kind::Assign && writer.loops.back() == loop;
    if (!plain)
      return Refusal{fmt::format("line {} writes `{}` only sometimes, or more than once in an iteration",
                                 writer.range.line, name)};
    if (auto refused = findReads()) return *refused;
    rewrite();
    validate(result);
    return std::move(result);
  }

private:
  std::size_t level() const { return static_cast<std::size_t>(source.loops[loop].depth) - 1; }

  /// The reads that see what the iteration before has written.
  std::optional<Refusal> findReads() {
    const Statement& writer = write.statementIn(source);
    for (const Dependence& flow : facts.dependences.all) {
      if (flow.kind != Dependence::Kind::Flow || flow.array != array || flow.carrier != loop) continue;
      const Statement& reader = flow.sink.statementIn(source);
      const Distance& along = flow.distance[level()];
      const bool isNext =
          flow.exact() && along.least && along.greatest && *along.least == 1 && *along.greatest == 1;
      if (!isNext || reader.loops.back() != loop || !isTurnable(reader, flow.sink.access))
        return Refusal{
            fmt::format("line {} reads what was written more than one iteration before", reader.range.line)};
      late |= flow.sink.statement > write.statement;
      // Only the first iteration may see anything else.
      isl::set others = flow.sink.in(source).map.domain().subtract(flow.relation.range());
      if (!others.is_disjoint(behindAny(reader.domain, reader.domain)))
        return Refusal{fmt::format("line {} does not read the same in all iterations", reader.range.line)};
      if (!others.is_empty() && !isCertain(source, flow.sink))
        return Refusal{
            fmt::format("line {} may not read anything in the first iteration", reader.range.line)};
      if (!others.is_disjoint(behindAny(others, writer.domain)))
        return Refusal{
            fmt::format("line {} reads what was there before the loop, when the loop has written elsewhere",
                        reader.range.line)};
      if (!others.is_empty()) begins.push_back({flow.sink, others});
      reads.push_back(flow.sink);
    }
    if (reads.empty()) return Refusal{"no iteration reads what the one before has written"};
    for (const Instances& one : begins)
      if (!reachedFirst(one).is_equal(reachedFirst(begins.front())))
        return Refusal{"several statements read different elements in the first iteration"};
    return std::nullopt;
  }

  /// { [o] -> a[e] }: what `first` reads where the loops around the loop have the values o.
  isl::map reachedFirst(const Instances& first) const {
    const Statement& reader = first.access.statementIn(source);
    isl_map* reached = isl_map_intersect_domain(first.access.in(source).map.copy(), first.set.copy());
    return own(isl_map_project_out(reached, isl_dim_in, static_cast<unsigned>(level()),
                                   static_cast<unsigned>(reader.loops.size() - level())));
  }

  /// Those of `some` that the loop runs in a later iteration than one of `others`.
  isl::set behindAny(const isl::set& some, const isl::set& others) const {
    isl::map pairs = own(isl_map_from_domain_and_range(some.copy(), others.copy()));
    pairs = equalUpTo(pairs, level());
    const auto at = static_cast<int>(level());
    pairs = source.loops[loop].step > 0
                ? own(isl_map_order_gt(pairs.release(), isl_dim_in, at, isl_dim_out, at))
                : own(isl_map_order_lt(pairs.release(), isl_dim_in, at, isl_dim_out, at));
    return pairs.domain();
  }

  /// { S[i] -> x[] } for `statement`, where x is array number `of`.
  isl::map toScalar(const Statement& statement, int of) const {
    isl_map* map = isl_set_identity(isl_set_copy(statement.domain.get()));
    map = isl_map_reset_tuple_id(map, isl_dim_out);
    map = isl_map_project_out(map, isl_dim_out, 0, static_cast<unsigned>(statement.loops.size()));
    return toArray(own(map), result.arrays[of].name);
  }

  ExprPtr node(int of, int access, std::vector<ExprPtr> subscripts) const {
    auto expr = makeExpr(Expr::Kind::Access, result.arrays[of].name, source.arrays[array].element,
                         std::move(subscripts));
    expr->access = access;
    return expr;
  }

  /// Adds a scalar for a value of the array; its number.
  int addScalar(const std::string& ending) {
    Array value = source.arrays[array];
    value.name = value.variable = value.base = freshName(result, value.name + ending);
    value.storage = Array::Storage::Local;
    value.extents.clear();
    value.extentTexts.clear();
    value.tables.clear();
    value.rank = value.outerRank = 0;
    value.recovered = value.isConst = value.isRestrict = value.isRegister = value.liveAfter = false;
    value.declaredIn = -1;
    value.isHidden = true;
    result.arrays.push_back(value);
    return static_cast<int>(result.arrays.size()) - 1;
  }

  void rewrite() {
    scalar = addScalar("_last");
    const int now = late ? addScalar("_now") : scalar; // what the iteration itself computes
    const Array carried = result.arrays[now];

    for (const AccessRef& read : reads)
      for (int k : sameReads(read.statementIn(source), read.access))
        if (isTurnable(read.statementIn(source), k)) turn(result.statements[read.statement], k);
    // `a[i] = e` becomes `x = e; a[i] = x`; where the value before is needed after that, `y = e; a[i] = y`,
    // and `x = y` in the end.
    Statement& compute = result.statements[write.statement];
    Statement store = compute;
    store.name = freshName(result, compute.name);
    store.position.back() += 1;
    store.domain = own(isl_set_set_tuple_id(compute.domain.copy(), idOf(store.name).release()));
    Access target = compute.accesses[write.access];
    target.map = own(isl_map_set_tuple_id(target.map.copy(), isl_dim_in, idOf(store.name).release()));
    Access value = target;
    value.kind = Access::Kind::Read;
    value.array = now;
    value.map = toScalar(store, now);
    value.text = carried.name;
    const Expr& assignment = *compute.body;
    const std::vector<ExprPtr> subscripts = assignment.operands[0]->operands;
    auto left = std::make_shared<Expr>(*onStatement(assignment.operands[0], store.name));
    left->access = 1;
    // Accesses that the subscripts make go with them.
    std::map<int, int> moved;
    store.accesses = {value, target};
    for (ExprPtr& subscript : left->operands)
      subscript = withAccesses(subscript, compute, store, moved);
    store.guards.clear();
    store.body =
        makeExpr(Expr::Kind::Assign, "=", assignment.type, {left, node(now, 0, {})}, assignment.range);
    store.text = fmt::format("{} = {}", exprText(*left), carried.name);

    ExprPtr computed = assignment.operands[1];
    if (assignment.text != "=") {
      const std::string op = assignment.text.substr(0, assignment.text.size() - 1);
      int read = -1;
      for (int k = 0; k < static_cast<int>(compute.accesses.size()); ++k)
        if (compute.accesses[k].array == array && compute.accesses[k].reads() && !isTurnable(compute, k))
          read = k;
      computed = makeExpr(Expr::Kind::Binary, op, assignment.type, {node(array, read, subscripts), computed});
    }
    compute.accesses[write.access].array = now;
    compute.accesses[write.access].map = toScalar(compute, now);
    compute.accesses[write.access].text = carried.name;
    compute.body = makeExpr(Expr::Kind::Assign, "=", assignment.type, {node(now, write.access, {}), computed},
                            assignment.range);
    result.statements.insert(result.statements.begin() + write.statement + 1, store);
    if (late) addEnd(now);
    if (!begins.empty()) addBegin(result.arrays[scalar]);
  }

  /// Adds the statement at the end of an iteration that hands on what is in the scalar number `now`.
  void addEnd(int now) {
    Statement end = result.statements[write.statement];
    end.name = freshName(result, end.name);
    end.domain = own(isl_set_set_tuple_id(end.domain.copy(), idOf(end.name).release()));
    auto behind = result.statements.end();
    for (auto one = result.statements.begin(); one != result.statements.end(); ++one)
      if (inside(*one, loop)) {
        end.position.back() = std::max(end.position.back(), one->position[level() + 1] + 1);
        behind = one + 1;
      }
    const Array &last = result.arrays[scalar], &computed = result.arrays[now];
    Access value{Access::Kind::Read, now, toScalar(end, now), true, "", end.range, computed.name};
    Access target{Access::Kind::Write, scalar, toScalar(end, scalar), true, "", end.range, last.name};
    end.accesses = {value, target};
    end.guards.clear();
    end.body =
        makeExpr(Expr::Kind::Assign, "=", last.element, {node(scalar, 1, {}), node(now, 0, {})}, end.range);
    end.text = last.name + " = " + computed.name;
    result.statements.insert(behind, end);
  }

  /// `expr`, of `from`, with the accesses it makes added to those of `to`.
  ExprPtr withAccesses(const ExprPtr& expr, const Statement& from, Statement& to,
                       std::map<int, int>& moved) const {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr& operand : copy->operands)
      operand = withAccesses(operand, from, to, moved);
    if (copy->kind == Expr::Kind::Access) {
      if (moved.count(copy->access) == 0) {
        Access access = from.accesses[copy->access];
        access.map = own(isl_map_set_tuple_id(access.map.copy(), isl_dim_in, idOf(to.name).release()));
        moved[copy->access] = static_cast<int>(to.accesses.size());
        to.accesses.push_back(access);
      }
      copy->access = moved[copy->access];
    }
    return copy;
  }

  /// Turns access number `k` of `statement` to the scalar.
  void turn(Statement& statement, int k) const {
    statement.accesses[k].array = scalar;
    statement.accesses[k].map =
        toScalar(statement, scalar).intersect_domain(statement.accesses[k].map.domain());
    changeAccess(statement, k, [&](Expr& node) {
      node.operands.clear();
      node.text = result.arrays[scalar].name;
    });
  }

  /// Adds the statement that gives the scalar what the first iteration reads.
  void addBegin(const Array& carried) {
    const Instances& first = begins.front();
    const Statement& reader = first.access.statementIn(source);
    isl::map element = reachedFirst(first);
    Statement begin;
    begin.name = freshName(result, "begin_" + std::to_string(result.statements.size()));
    begin.range = source.loops[loop].header;
    begin.loops.assign(reader.loops.begin(), reader.loops.begin() + static_cast<long>(level()));
    const Statement& near = *std::find_if(result.statements.begin(), result.statements.end(),
                                          [&](const Statement& one) { return inside(one, loop); });
    begin.position.assign(near.position.begin(), near.position.begin() + static_cast<long>(level()) + 1);
    begin.position.back() -= 1;
    element = own(isl_map_set_tuple_id(element.release(), isl_dim_in, idOf(begin.name).release()));
    begin.domain = element.domain();
    std::vector<ExprPtr> subscripts;
    isl::pw_multi_aff at = own(isl_pw_multi_aff_from_map(element.copy()));
    for (int d = 0; d < source.arrays[array].rank; ++d) {
      isl::pw_aff one = own(isl_pw_multi_aff_get_pw_aff(at.get(), d)).gist(begin.domain).coalesce();
      auto subscript = makeExpr(Expr::Kind::Affine, printed(one), source.loops[loop].indexType);
      subscript->value = one;
      subscripts.push_back(subscript);
    }
    Access value{Access::Kind::Read, array, element, true, "", begin.range, source.arrays[array].name};
    Access target{Access::Kind::Write, scalar, toScalar(begin, scalar), true, "", begin.range, carried.name};
    begin.accesses = {value, target};
    const Type& type = carried.element;
    begin.body = makeExpr(Expr::Kind::Assign, "=", type, {node(scalar, 1, {}), node(array, 0, subscripts)},
                          begin.range);
    begin.text = carried.name + " = " + source.arrays[array].name;
    auto here = std::find_if(result.statements.begin(), result.statements.end(),
                             [&](const Statement& one) { return inside(one, loop); });
    result.statements.insert(here, begin);
  }

  const Region& source;
  const Facts& facts;
  const int array, loop;
  Region result;
  AccessRef write;
  std::vector<AccessRef> reads;
  std::vector<Instances> begins;
  bool late = false; ///< a read comes when the iteration has computed the next value
  int scalar = -1;
};

} // namespace

std::variant<Region, Refusal> carried(const Region& region, const Facts& facts, const CarryScalar& step) {
  const auto meant = arrayInLoop(region, step.array, step.loop);
  if (const auto* refused = std::get_if<Refusal>(&meant)) return *refused;
  const auto& [array, loop] = std::get<ArrayInLoop>(meant);
  return Carrier(region, facts, array, loop).run();
}

std::optional<Refusal> apply(const CarryScalar& step, ScheduleState& state) {
  return state.carry(step);
}

} // namespace warploom
