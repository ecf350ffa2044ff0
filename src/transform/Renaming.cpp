#include "transform/Renaming.h"

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
#include <set>

namespace warploom {

namespace {

/// The part of `statement` that runs `kept`, called `name`.
Statement part(const Statement& statement, const isl::set& kept, const std::string& name) {
  Statement result = statement;
  result.name = name;
  result.domain = own(isl_set_set_tuple_id(kept.copy(), idOf(name).release()));
  for (Access& access : result.accesses) {
    access.map = access.map.intersect_domain(kept);
    access.map = own(isl_map_set_tuple_id(access.map.copy(), isl_dim_in, idOf(name).release()));
  }
  if (result.body) result.body = onStatement(result.body, name);
  for (ExprPtr& guard : result.guards)
    guard = onStatement(guard, name);
  return result;
}

class Renamer {
public:
  Renamer(const Region& source, const Facts& facts, int array, int loop)
      : source(source), facts(facts), array(array), loop(loop), result(withRoom(source)),
        spaced(result.statements) {}

  std::variant<Region, Refusal> run() {
    const Array& object = source.arrays[array];
    if (object.within >= 0 || object.element.kind == Type::Kind::Struct)
      return Refusal{fmt::format("`{}` is a struct or a part of one", object.name)};
    if (!source.wholes.empty()) return Refusal{"there are loops that only data end"};
    auto refused = object.isScalar() ? renameScalar() : renameArray();
    if (refused) return *refused;
    if (tooMany) return Refusal{"statements would come into too many parts"};
    validate(result);
    return std::move(result);
  }

private:
  std::size_t level() const { return static_cast<std::size_t>(source.loops[loop].depth) - 1; }

  /// A new array of the kind of the old one, which the host does not know.
  int addArray(const std::string& name, int rank) {
    Array copy = source.arrays[array];
    copy.name = copy.variable = name;
    copy.base = name;
    copy.tables.clear();
    copy.storage = Array::Storage::Local;
    if (rank != copy.rank) {
      copy.extents.assign(static_cast<std::size_t>(rank), std::nullopt);
      copy.extentTexts.assign(static_cast<std::size_t>(rank), "");
      copy.rank = copy.outerRank = rank;
    }
    copy.isConst = copy.isRestrict = copy.isRegister = false;
    copy.declaredIn = -1;
    copy.isHidden = true;
    copy.liveAfter = false;
    result.arrays.push_back(copy);
    return static_cast<int>(result.arrays.size()) - 1;
  }

  /// Replaces statement number `s` of the result by its parts inside and outside `some`; the number of the
  /// first. Where one of them is empty there is only the other.
  int split(int s, const isl::set& some) {
    const Statement whole = result.statements[s];
    const isl::set in = whole.domain.intersect(some), out = whole.domain.subtract(some);
    if (out.is_empty()) return s;
    Statement rest = part(whole, out, freshName(result, whole.name));
    rest.position.back() += 1;
    result.statements[s] = part(whole, in, whole.name);
    // Parts that exist already have taken the next places.
    for (std::size_t k = static_cast<std::size_t>(s) + 1; k < result.statements.size(); ++k) {
      std::vector<int>& next = result.statements[k].position;
      if (next.size() != rest.position.size() || next.back() / room != rest.position.back() / room ||
          !std::equal(next.begin(), next.end() - 1, rest.position.begin()))
        break;
      ++next.back();
    }
    const std::vector<int>& last = result.statements[s].position;
    tooMany |= ++parts > most || last.back() % room + most >= room;
    result.statements.insert(result.statements.begin() + s + 1, rest);
    return s;
  }

  static isl::set onTuple(const isl::set& set, const Statement& statement) {
    return own(isl_set_set_tuple_id(set.copy(), idOf(statement.name).release()));
  }

  // ---- arrays ----

  std::optional<Refusal> renameArray() {
    struct Turn {
      AccessRef read;
      isl::set old;
    };
    std::vector<Turn> turns;
    for (const Dependence& anti : facts.dependences.all) {
      if (anti.array != array || !isRenamable(source, facts, anti, loop)) continue;
      auto isSame = [&](const Turn& turn) { return turn.read == anti.source; };
      if (std::any_of(turns.begin(), turns.end(), isSame)) continue;
      turns.push_back({anti.source, worthCopying(source, facts, loop, anti.source)});
    }
    if (turns.empty())
      return Refusal{
          fmt::format("no read of `{}` in `{}` certainly sees a value from before the loop that is "
                      "overwritten there",
                      source.arrays[array].name, source.loops[loop].index)};
    const int old =
        addArray(freshName(result, source.arrays[array].name + "_old"), source.arrays[array].rank);
    std::optional<isl::set> elements; // { [outer, e] }
    // Backwards: numbers of statements further up stay what they are.
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.read.statement > b.read.statement; });
    for (const Turn& turn : turns) {
      isl::set some = readElements(turn.read, turn.old);
      elements = elements ? elements->unite(some) : some;
      turnReads(turn.read, turn.old, old);
    }
    addCopy(old, elements->coalesce());
    return std::nullopt;
  }

  /// { [o, e] }: what `read` reads in `instances`, after the indices of the loops around the renamed loop.
  isl::set readElements(AccessRef read, const isl::set& instances) const {
    const Statement& statement = read.statementIn(source);
    isl_map* outer = isl_set_identity(isl_set_copy(instances.get()));
    outer = isl_map_reset_tuple_id(outer, isl_dim_out);
    outer = isl_map_project_out(outer, isl_dim_out, static_cast<unsigned>(level()),
                                static_cast<unsigned>(statement.loops.size() - level()));
    isl_map* reached = isl_map_intersect_domain(read.in(source).map.copy(), instances.copy());
    reached = isl_map_reset_tuple_id(reached, isl_dim_out);
    isl::set elements = own(isl_map_range(isl_map_flat_range_product(outer, reached)));
    return isCertain(source, read) ? elements : elements.intersect(inArray(elements));
  }

  /// The members of the space of `elements` { [o, e] } in which e is an element of the array.
  isl::set inArray(const isl::set& elements) const {
    isl::set all = isl::set::universe(elements.get_space());
    for (unsigned d = 0; d < static_cast<unsigned>(source.arrays[array].rank); ++d) {
      isl_local_space* space = isl_local_space_from_space(isl_set_get_space(elements.get()));
      isl::pw_aff at = own(
          isl_pw_aff_from_aff(isl_aff_var_on_domain(space, isl_dim_set, static_cast<unsigned>(level()) + d)));
      const isl::pw_aff& known = *source.arrays[array].extents[d];
      isl_space* around =
          isl_space_align_params(isl_set_get_space(elements.get()), isl_pw_aff_get_domain_space(known.get()));
      isl::pw_aff extent = own(isl_pw_aff_insert_domain(known.copy(), around));
      isl::set inside = own(isl_pw_aff_nonneg_set(at.copy()));
      all = all.intersect(inside).intersect(at.lt_set(extent));
    }
    return all;
  }

  /// Has `read`, a read of the source, take its values from `to` in `instances`. The statement may be in
  /// parts already.
  void turnReads(AccessRef read, const isl::set& instances, int to) {
    const std::vector<int> same = sameReads(read.statementIn(source), read.access);
    for (int s : partsOfSource(read.statement)) {
      isl::set here = onTuple(instances, result.statements[s]);
      if (result.statements[s].domain.is_disjoint(here)) continue;
      split(s, here);
      for (int k : same)
        if (isTurnable(result.statements[s], k)) {
          Access& access = result.statements[s].accesses[k];
          access.array = to;
          access.map = toArray(access.map, result.arrays[to].name);
        }
    }
  }

  /// The statements of the result that are parts of a statement of the source, last first.
  std::vector<int> partsOfSource(int s) const {
    std::vector<int> found;
    const Statement& whole = spaced[s];
    for (int k = static_cast<int>(result.statements.size()) - 1; k >= 0; --k) {
      const Statement& one = result.statements[k];
      bool isPart = one.position.size() == whole.position.size();
      for (std::size_t d = 0; isPart && d < whole.position.size(); ++d)
        isPart = one.position[d] / room == whole.position[d] / room;
      if (isPart && one.loops == whole.loops && one.kind == whole.kind) found.push_back(k);
    }
    return found;
  }

  /// The number of the first statement of the result in the renamed loop.
  int firstInside() const {
    for (int s = 0; s < static_cast<int>(result.statements.size()); ++s)
      if (inside(result.statements[s], loop)) return s;
    return 0;
  }
  int endOfInside() const {
    int end = 0;
    for (int s = 0; s < static_cast<int>(result.statements.size()); ++s)
      if (inside(result.statements[s], loop)) end = s + 1;
    return end;
  }

  /// The loops around the renamed loop, outermost first.
  std::vector<int> loopsAround() const {
    const std::vector<int>& all = result.statements[firstInside()].loops;
    return {all.begin(), all.begin() + static_cast<long>(level())};
  }

  /// An assignment from one array to the other at `subscripts`, over the loops of `statement`.
  void makeAssignment(Statement& statement, int to, const isl::map& target, std::vector<ExprPtr> at, int from,
                      const isl::map& value, std::vector<ExprPtr> fromAt) const {
    auto access = [&](Access::Kind kind, int which, const isl::map& map) {
      Access made{kind, which, map, true, "", source.loops[loop].header, result.arrays[which].name};
      return made;
    };
    statement.accesses = {access(Access::Kind::Read, from, value), access(Access::Kind::Write, to, target)};
    const Type& type = source.arrays[array].element;
    auto node = [&](int which, std::vector<ExprPtr> subscripts) {
      auto expr = makeExpr(Expr::Kind::Access, "", type, std::move(subscripts), source.loops[loop].header);
      expr->access = which;
      return expr;
    };
    ExprPtr left = node(1, std::move(at)), right = node(0, std::move(fromAt));
    statement.body = makeExpr(Expr::Kind::Assign, "=", type, {left, right}, source.loops[loop].header);
    statement.text = fmt::format("{} = {}", exprText(*left), exprText(*right));
  }

  /// A statement beside the renamed loop, with loops of its own over the last `loops` dimensions of `domain`.
  Statement beside(const isl::set& domain, const std::vector<int>& loops, int offset) const {
    Statement statement;
    statement.name = freshName(result, "copy_" + std::to_string(result.statements.size()));
    statement.range = source.loops[loop].header;
    statement.loops = loopsAround();
    const std::vector<int>& near = result.statements[firstInside()].position;
    statement.position.assign(near.begin(), near.begin() + static_cast<long>(level()) + 1);
    statement.position.back() += offset;
    for (int one : loops) {
      statement.loops.push_back(one);
      statement.position.push_back(0);
    }
    statement.domain = own(isl_set_set_tuple_id(domain.copy(), idOf(statement.name).release()));
    return statement;
  }

  /// Adds the statement that copies `elements` { [o, e] } of the array to `old`.
  void addCopy(int old, const isl::set& elements) {
    const int rank = source.arrays[array].rank;
    std::vector<int> loops;
    std::vector<ExprPtr> subscripts;
    int parent = source.loops[loop].parent;
    for (int d = 0; d < rank; ++d) {
      Loop walk = source.loops[loop];
      walk.parent = parent;
      walk.depth = source.loops[loop].depth + d;
      walk.index = freshName(result, rank == 1 ? "e" : fmt::format("e{}", d));
      walk.step = 1;
      parent = static_cast<int>(result.loops.size());
      loops.push_back(parent);
      subscripts.push_back(makeExpr(Expr::Kind::Index, walk.index, walk.indexType));
      result.loops.push_back(walk);
    }
    Statement copy = beside(elements, loops, -1);
    isl_map* reach = isl_set_identity(isl_set_copy(copy.domain.get()));
    reach = isl_map_reset_tuple_id(reach, isl_dim_out);
    isl::map at = own(isl_map_project_out(reach, isl_dim_out, 0, static_cast<unsigned>(level())));
    const isl::map target = toArray(at, result.arrays[old].name),
                   value = toArray(at, result.arrays[array].name);
    makeAssignment(copy, old, target, subscripts, array, value, subscripts);
    result.statements.insert(result.statements.begin() + firstInside(), copy);
  }

  // ---- scalars ----

  /// The instance of the loop as a number from 0 on: { S[i] -> [i - first] }, for statements of the depth of
  /// the loop; nothing when where the loop begins depends on loops around.
  std::optional<isl::pw_aff> first() const {
    isl::set values = isl::set::empty(own(isl_space_set_alloc(islContext().get(), 0, 1)));
    for (const Statement& statement : source.statements) {
      if (!inside(statement, loop) || statement.kind == Statement::Kind::Kill) continue;
      isl_set* one =
          isl_set_project_out(statement.domain.copy(), isl_dim_set, static_cast<unsigned>(level()) + 1,
                              static_cast<unsigned>(statement.loops.size() - level()) - 1);
      one = isl_set_project_out(one, isl_dim_set, 0, static_cast<unsigned>(level()));
      values = values.unite(own(isl_set_reset_tuple_id(one)));
    }
    if (values.is_empty()) return std::nullopt;
    isl::pw_aff low = own(isl_set_dim_min(values.coalesce().release(), 0));
    return low.gist_params(source.context).coalesce();
  }

  std::optional<Refusal> renameScalar() {
    const std::string& name = source.arrays[array].name;
    if (source.loops[loop].step != 1 && source.loops[loop].step != -1)
      return Refusal{"the step of the loop is not 1"};
    std::vector<AccessRef> writes;
    std::set<int> readers;
    for (int s = 0; s < static_cast<int>(source.statements.size()); ++s)
      for (int a = 0; a < static_cast<int>(source.statements[s].accesses.size()); ++a) {
        const Access& access = source.statements[s].accesses[a];
        const Statement& statement = source.statements[s];
        if (access.array != array || access.kind == Access::Kind::Kill ||
            statement.kind == Statement::Kind::Kill || !inside(statement, loop))
          continue;
        if (access.writes()) {
          const bool plain = access.kind == Access::Kind::Write && access.exact &&
                             statement.kind == Statement::Kind::Assign && statement.body->text == "=" &&
                             statement.loops.back() == loop;
          if (!plain)
            return Refusal{
                fmt::format("line {} writes `{}` only sometimes, or more than once in an iteration",
                            statement.range.line, name)};
          writes.push_back({s, a});
        } else {
          if (!isTurnable(statement, a) || !access.exact)
            return Refusal{fmt::format("line {} reads `{}` in a way that cannot be turned to another array",
                                       statement.range.line, name)};
          readers.insert(s);
        }
      }
    if (writes.empty()) return Refusal{fmt::format("nothing in the loop writes `{}`", name)};
    const auto from = first();
    if (!from) return Refusal{"the loop has no iterations"};
    std::map<int, int> values; // by the writing statement of the source: the array with its values
    for (const AccessRef& write : writes)
      values[write.statement] =
          addArray(freshName(result, writes.size() == 1 ? name + "_each"
                                                        : fmt::format("{}_each{}", name, values.size() + 1)),
                   1);
    // The last write of a run must be by the last writer in the text.
    const Statement& last = writes.back().statementIn(source);
    for (const AccessRef& write : writes)
      if (!outermost(write.statementIn(source).domain, level() + 1)
               .is_subset(outermost(last.domain, level() + 1)))
        return Refusal{fmt::format("it depends on the iteration which line writes `{}` last", name)};

    for (auto s = readers.rbegin(); s != readers.rend(); ++s)
      if (auto refused = turnScalarReads(*s, values, *from)) return refused;
    for (const AccessRef& write : writes)
      for (int s : partsOfSource(write.statement))
        turn(result.statements[s], write.access, values.at(write.statement),
             iterationOf(result.statements[s], *from));
    addLastValue(last, values.at(writes.back().statement), *from);
    return std::nullopt;
  }

  /// { S[i] -> [i - first] } as a function on the domain of `statement`.
  isl::pw_aff iterationOf(const Statement& statement, const isl::pw_aff& from) const {
    isl_local_space* space = isl_local_space_from_space(isl_set_get_space(statement.domain.get()));
    isl_aff* index = isl_aff_var_on_domain(space, isl_dim_set, static_cast<unsigned>(level()));
    isl_pw_aff* base = isl_pw_aff_insert_domain(from.copy(), isl_set_get_space(statement.domain.get()));
    return own(isl_pw_aff_sub(isl_pw_aff_from_aff(index), base));
  }

  /// Turns access number `k` of `statement` to the element `at` of the array `to`.
  void turn(Statement& statement, int k, int to, const isl::pw_aff& at) const {
    Access& access = statement.accesses[k];
    isl::map map = own(isl_map_from_pw_aff(at.copy()));
    map = own(isl_map_intersect_domain(map.release(), access.map.domain().release()));
    access.array = to;
    access.map = toArray(map, result.arrays[to].name);
    auto subscript = makeExpr(Expr::Kind::Affine, printed(at), source.loops[loop].indexType);
    subscript->value = at;
    changeAccess(statement, k, [&](Expr& node) { node.operands = {subscript}; });
  }

  /// Turns the reads of the scalar by statement `s` of the source to the elements that hold what they see.
  std::optional<Refusal> turnScalarReads(int s, const std::map<int, int>& values, const isl::pw_aff& from) {
    const Statement& reader = source.statements[s];
    // All reads of an instance see the same value: the statement writes only when it has read.
    int first = -1;
    std::vector<int> reads;
    for (int a = 0; a < static_cast<int>(reader.accesses.size()); ++a)
      if (reader.accesses[a].array == array && reader.accesses[a].reads()) {
        if (first < 0) first = a;
        reads.push_back(a);
      }
    for (const Dependence& flow : facts.dependences.all) {
      if (flow.kind != Dependence::Kind::Flow || flow.array != array || flow.sink.statement != s ||
          !staysInside(source, flow, loop))
        continue;
      if (!flow.exact())
        return Refusal{fmt::format("it is not known which write gives line {} its value", reader.range.line)};
      // { T[j] -> [iteration of the write] }
      const Statement& writer = flow.source.statementIn(source);
      isl::map origin = flow.relation.reverse();
      isl::map number = origin.apply_range(own(isl_map_from_pw_aff(iterationOf(writer, from).release())));
      if (!number.is_single_valued())
        return Refusal{fmt::format("several writes may give line {} its value", reader.range.line)};
      for (int part : partsOfSource(s)) {
        isl::set here = onTuple(flow.relation.range(), result.statements[part]);
        if (result.statements[part].domain.is_disjoint(here)) continue;
        bool isTurned = result.statements[part].accesses[first].array != array;
        if (isTurned)
          return Refusal{fmt::format("several writes may give line {} its value", reader.range.line)};
        split(part, here);
        isl_map* one =
            isl_map_set_tuple_id(number.copy(), isl_dim_in, idOf(result.statements[part].name).release());
        isl::pw_multi_aff at = own(isl_pw_multi_aff_from_map(isl_map_reset_tuple_id(one, isl_dim_out)));
        isl::pw_aff subscript = own(isl_pw_multi_aff_get_pw_aff(at.get(), 0));
        subscript = subscript.gist(result.statements[part].domain).coalesce();
        for (int k : reads)
          turn(result.statements[part], k, values.at(flow.source.statement), subscript);
      }
    }
    return std::nullopt;
  }

  /// Adds the statement that gives the scalar what the last run of `last` wrote.
  void addLastValue(const Statement& last, int values, const isl::pw_aff& from) {
    const bool descends = source.loops[loop].step < 0;
    isl::set domain = last.domain;
    isl::map number = own(isl_map_from_pw_aff(iterationOf(last, from).release())).intersect_domain(domain);
    // { [o] -> [iteration] }, of which the last is wanted.
    isl_map* runs = isl_map_project_out(number.copy(), isl_dim_in, static_cast<unsigned>(level()), 1);
    isl::map by = own(isl_map_reset_tuple_id(runs, isl_dim_in));
    by = descends ? by.lexmin() : by.lexmax();
    Statement save = beside(by.domain(), {}, 1);
    result.statements.insert(result.statements.begin() + endOfInside(), save);
    Statement& made = result.statements[static_cast<std::size_t>(endOfInside())];
    isl_map* one = isl_map_set_tuple_id(by.copy(), isl_dim_in, idOf(made.name).release());
    isl::pw_multi_aff at = own(isl_pw_multi_aff_from_map(one));
    isl::pw_aff subscript = own(isl_pw_multi_aff_get_pw_aff(at.get(), 0)).coalesce();
    auto element = makeExpr(Expr::Kind::Affine, printed(subscript), source.loops[loop].indexType);
    element->value = subscript.gist(made.domain).coalesce();
    isl::map value = toArray(own(isl_map_from_pw_aff(subscript.copy())), result.arrays[values].name);
    isl_map* target = isl_set_identity(isl_set_copy(made.domain.get()));
    target = isl_map_reset_tuple_id(target, isl_dim_out);
    target = isl_map_project_out(target, isl_dim_out, 0, static_cast<unsigned>(level()));
    makeAssignment(made, array, toArray(own(target), source.arrays[array].name), {}, values, value,
                   {element});
  }

  const Region& source;
  const Facts& facts;
  const int array, loop;
  Region result;
  const std::vector<Statement> spaced; ///< those of the source, with room between them
  static constexpr int most = 4;       ///< new parts of statements
  int parts = 0;
  bool tooMany = false;
};

} // namespace

std::variant<Region, Refusal> renamed(const Region& region, const Facts& facts, const RenameArray& step) {
  const auto meant = arrayInLoop(region, step.array, step.loop);
  if (const auto* refused = std::get_if<Refusal>(&meant)) return *refused;
  const auto& [array, loop] = std::get<ArrayInLoop>(meant);
  return Renamer(region, facts, array, loop).run();
}

std::vector<Step> renamings(const Region& region, const Facts& facts, int loop, bool all) {
  std::set<int> arrays;
  for (const Dependence& one : facts.dependences.all) {
    const Array& array = region.arrays[one.array];
    const std::vector<int>& owned = facts.loops[loop].privateArrays;
    if (std::count(owned.begin(), owned.end(), one.array) > 0) continue;
    const bool carried = one.carrier == loop;
    if ((carried || all) && isRenamable(region, facts, one, loop)) arrays.insert(one.array);
    if (array.isScalar() && carried && one.kind == Dependence::Kind::Flow && array.declaredIn < 0 &&
        array.storage != Array::Storage::Predicate)
      arrays.insert(one.array);
  }
  std::vector<Step> steps;
  const std::vector<std::string> names = originalNames(region);
  for (int array : arrays) {
    const RenameArray step{region.arrays[array].name, names[loop]};
    auto tried = renamed(region, facts, step);
    if (std::holds_alternative<Region>(tried)) steps.push_back(step);
  }
  return steps;
}

std::optional<Refusal> apply(const RenameArray& step, ScheduleState& state) {
  return state.rename(step);
}

} // namespace warploom
