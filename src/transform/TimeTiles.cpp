#include "transform/TimeTiles.h"

#include "analysis/Order.h"
#include "transform/LoopTree.h"
#include "transform/Schedule.h"
#include "transform/TimeSweeps.h"
#include "transform/Turning.h"
#include "transform/UnnamedSets.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// Makes the new region of sweeps.
class TimeTiler {
public:
  explicit TimeTiler(const TimeSweeps& sweeps)
      : sweeps(sweeps), source(sweeps.source), loop(sweeps.loop), rank(sweeps.rank), outer(sweeps.outer),
        result(withRoom(source)) {}

  Region run() {
    build();
    validate(result);
    return std::move(result);
  }

private:
  void build() {
    const int first = firstInside(result, loop);
    const int place = result.statements[first].position.front();
    std::vector<Statement> made;
    std::map<int, int> others;
    int before = place - static_cast<int>(sweeps.arrays.size()) - 1;
    for (const auto& [array, of] : sweeps.elements) {
      if (!of.isCarried) continue;
      others[array] = addArray(array, source.arrays[array].name + "_next", -1);
      if (auto copy = constantCopy(array, others[array], before)) made.push_back(*copy), ++before;
    }
    addConditions([&] {
      pairs = addLoop(source.loops[loop].index + "_tiles", loop, -1);
      for (int half : {0, 1})
        addTurn(half, others, place - 1, made);
    });
    for (Statement& statement : result.statements)
      if (inside(statement, loop)) keepLast(statement);
    result.statements.insert(result.statements.begin() + first, made.begin(), made.end());
  }

  static int firstInside(const Region& region, int loop) {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      if (inside(region.statements[s], loop)) return s;
    return 0;
  }

  /// What `add` adds loops for takes for granted what the loop does.
  template <typename Add> void addConditions(Add add) {
    const int first = static_cast<int>(result.loops.size());
    add();
    for (Condition& condition : result.conditions)
      if (std::any_of(condition.loops.begin(), condition.loops.end(),
                      [&](int one) { return encloses(source, loop, one); }))
        for (int made = first; made < static_cast<int>(result.loops.size()); ++made)
          condition.loops.push_back(made);
  }

  /// An array like `array` that nobody else knows.
  int addArray(int array, const std::string& name, int declaredIn) {
    Array copy = source.arrays[array];
    copy.name = copy.variable = copy.base = freshName(result, name);
    copy.tables.clear();
    copy.storage = Array::Storage::Local;
    copy.isConst = copy.isRestrict = copy.isRegister = copy.recovered = false;
    copy.declaredIn = declaredIn;
    copy.isHidden = true;
    copy.liveAfter = false;
    result.arrays.push_back(copy);
    return static_cast<int>(result.arrays.size()) - 1;
  }

  /// A loop in `parent`, with index `index`, for lines and types like `model`, a loop of the source.
  int addLoop(const std::string& index, int model, int parent, bool isNew = true) {
    Loop made = source.loops[model];
    made.index = isNew ? freshName(result, index) : index;
    made.parent = parent;
    made.depth = parent < 0 ? 1 : result.loops[parent].depth + 1;
    if (isNew) made.step = 1;
    made.word.reset();
    result.loops.push_back(made);
    return static_cast<int>(result.loops.size()) - 1;
  }

  /// Loops over elements, one in the other, in `parent`.
  std::vector<int> elementLoops(int array, int parent) {
    std::vector<int> loops;
    for (std::size_t d = 0; d < rank; ++d) {
      const int like = loopAlong(array, d);
      std::string index = like >= 0 ? source.loops[like].index : "";
      for (int other : loops)
        if (result.loops[other].index == index) index.clear();
      const bool isNew = index.empty();
      parent = addLoop(isNew ? fmt::format("e{}", d) : index, like >= 0 ? like : loop, parent, isNew);
      result.loops[parent].step = 1;
      loops.push_back(parent);
    }
    return loops;
  }

  /// The loop by whose index a statement that writes `array` chooses the element along dimension `d`; -1:
  /// none does.
  int loopAlong(int array, std::size_t d) const {
    for (std::size_t k = 0; k < sweeps.swept.size(); ++k) {
      if (sweeps.statementOf(k).accesses[sweeps.swept[k].write].array != array) continue;
      for (std::size_t level = 1; level < sweeps.depthOf(k); ++level)
        if (own(isl_pw_aff_involves_dims(sweeps.swept[k].element[d].get(), isl_dim_in,
                                         static_cast<unsigned>(level), 1)))
          return sweeps.statementOf(k).loops[level];
    }
    return -1;
  }

  /// `set` { [turn, ...] } of one half of the pairs of turns: { [pair, ...] }.
  isl::set ofHalf(const isl::set& set, int half) const {
    const auto dimensions = static_cast<std::size_t>(isl_set_dim(set.get(), isl_dim_set));
    const isl::space space = spaceOf(dimensions);
    isl_multi_aff* turn = isl_multi_aff_identity_on_domain_space(space.copy());
    isl::aff number = times(variable(space, 0), 2).add_constant(half).as_aff();
    turn = isl_multi_aff_set_aff(turn, 0, number.release());
    const isl::set all = own(isl_set_preimage_multi_aff(set.copy(), turn));
    const isl::pw_aff left = onSpace(sweeps.end->sub(*sweeps.begin), space)
                                 .sub(times(variable(space, 0).add_constant(1), 2 * sweeps.steps));
    return all.intersect(nonNegative(variable(space, 0))).intersect(nonNegative(left)).coalesce();
  }

  /// The convex parts of `set`, each element in one.
  static std::vector<isl::set> piecesOf(const isl::set& set) {
    std::vector<isl::set> pieces;
    const isl::set apart = own(isl_set_make_disjoint(set.copy()));
    apart.foreach_basic_set([&](const isl::basic_set& one) {
      if (!isl::set(one).is_empty()) pieces.push_back(isl::set(one));
    });
    return pieces;
  }

  static isl::set named(const isl::set& set, const std::string& name) {
    return own(isl_set_set_tuple_id(set.copy(), idOf(name).release()));
  }

  /// `to[e] = from[e]` for `domain`, whose last dimensions are e.
  Statement copyStatement(const isl::set& domain, int from, int to, std::vector<int> loops,
                          std::vector<int> position) {
    Statement statement;
    statement.name = freshName(result, fmt::format("move_{}", ++moves));
    statement.range = source.loops[loop].header;
    statement.loops = std::move(loops);
    statement.position = std::move(position);
    statement.domain = named(domain, statement.name);
    isl_map* reach = isl_map_reset_tuple_id(isl_set_identity(statement.domain.copy()), isl_dim_out);
    const isl::map at =
        own(isl_map_project_out(reach, isl_dim_out, 0, static_cast<unsigned>(statement.loops.size() - rank)));
    auto access = [&](Access::Kind kind, int array) {
      return Access{kind,
                    array,
                    toArray(at, result.arrays[array].name),
                    true,
                    "",
                    statement.range,
                    result.arrays[array].name};
    };
    statement.accesses = {access(Access::Kind::Read, from), access(Access::Kind::Write, to)};
    const Type& type = result.arrays[to].element;
    auto node = [&](int which) {
      std::vector<ExprPtr> subscripts;
      for (std::size_t d = statement.loops.size() - rank; d < statement.loops.size(); ++d) {
        const Loop& one = result.loops[statement.loops[d]];
        subscripts.push_back(makeExpr(Expr::Kind::Index, one.index, one.indexType));
      }
      auto expr = makeExpr(Expr::Kind::Access, statement.accesses[which].text, type, std::move(subscripts),
                           statement.range);
      expr->access = which;
      return expr;
    };
    const ExprPtr left = node(1), right = node(0);
    statement.body = makeExpr(Expr::Kind::Assign, "=", type, {left, right}, statement.range);
    statement.text = fmt::format("{} = {}", exprText(*left), exprText(*right));
    return statement;
  }

  /// The statement that gives `other` what tiles load of it and never store; nothing where that is nothing.
  std::optional<Statement> constantCopy(int array, int other, int place) {
    const TimeSweeps::Elements& of = sweeps.elements.at(array);
    const isl::set any = projectedOut(ofHalf(of.loaded, 1), 0, outer).subtract(of.written);
    if (any.is_empty()) return std::nullopt;
    // Few of many: the whole is one simple loop.
    const isl::set copied = projectedOut(ofHalf(of.loaded, 1), 0, outer).coalesce();
    std::vector<int> position{place};
    position.resize(rank + 1, 0);
    return copyStatement(copied, array, other, elementLoops(array, -1), position);
  }

  /// Adds the nest over tiles of one half of the pairs of turns.
  void addTurn(int half, const std::map<int, int>& others, int place, std::vector<Statement>& made) {
    std::vector<int> around{pairs}, at{place, half};
    for (std::size_t d = 0; d < rank; ++d) {
      int like = -1;
      for (int array : sweeps.arrays)
        if (like < 0) like = loopAlong(array, d);
      const std::string index = like >= 0 ? source.loops[like].index : fmt::format("e{}", d);
      tileIndices.try_emplace(d, freshName(result, index + "_tile"));
      around.push_back(addLoop(tileIndices.at(d), like >= 0 ? like : loop, around.back(), false));
      result.loops[around.back()].step = 1;
      if (d > 0) at.push_back(0);
    }
    std::map<int, int> copies;
    for (int array : sweeps.arrays)
      copies[array] = addArray(array, source.arrays[array].name + "_part", around.back());
    int part = 0;
    auto move = [&](int array, const isl::set& domain, int from, int to) {
      for (const isl::set& box : piecesOf(domain)) {
        std::vector<int> loops = around, position = at;
        for (int one : elementLoops(array, around.back()))
          loops.push_back(one);
        position.push_back(part++);
        position.resize(loops.size() + 1, 0);
        made.push_back(copyStatement(box, from, to, loops, position));
      }
    };
    for (const auto& [array, of] : sweeps.elements) {
      const isl::set domain = ofHalf(of.loaded, half);
      const bool isFromOther = of.isCarried && half == 1;
      move(array, domain, isFromOther ? others.at(array) : array, copies[array]);
    }
    addSweeps(half, around, at, part++, copies, made);
    const isl::space space = spaceOf(outer + rank);
    std::vector<isl::pw_aff> element;
    for (std::size_t d = 0; d < rank; ++d)
      element.push_back(variable(space, outer + d));
    const std::vector<isl::pw_aff> none(rank, onSpace(constant(0), space));
    const isl::set kept = sweeps.turnsAndTiles(space).intersect(sweeps.around(space, element, none, none));
    for (const auto& [array, of] : sweeps.elements)
      if (of.isCarried)
        move(array, ofHalf(kept.intersect(lifted(of.written, outer)), half), copies[array],
             half == 1 ? array : others.at(array));
  }

  /// Adds the sweeps on the copies.
  void addSweeps(int half, const std::vector<int>& around, const std::vector<int>& at, int part,
                 const std::map<int, int>& copies, std::vector<Statement>& made) {
    std::map<int, int> loops; // of the source, in the turn
    loops[loop] = addLoop(source.loops[loop].index, loop, around.back(), false);
    for (std::size_t k = 0; k < sweeps.swept.size(); ++k) {
      Statement statement = sweeps.statementOf(k);
      statement.name = freshName(result, statement.name + (half == 0 ? "_odd" : "_even"));
      statement.loops = around;
      for (int one : sweeps.statementOf(k).loops) {
        if (loops.count(one) == 0)
          loops[one] = addLoop(source.loops[one].index, one, loops.at(source.loops[one].parent), false);
        statement.loops.push_back(loops.at(one));
      }
      statement.position = at;
      statement.position.push_back(part);
      statement.position.insert(statement.position.end(), sweeps.statementOf(k).position.begin() + 1,
                                sweeps.statementOf(k).position.end());
      statement.domain = named(ofHalf(sweeps.runs[k], half), statement.name);
      for (Access& access : statement.accesses) {
        isl_map* map = isl_map_insert_dims(access.map.copy(), isl_dim_in, 0, static_cast<unsigned>(outer));
        map = isl_map_set_tuple_id(map, isl_dim_in, idOf(statement.name).release());
        access.map = own(map).intersect_domain(statement.domain);
        if (auto copy = copies.find(access.array); copy != copies.end()) {
          access.array = copy->second;
          access.map = toArray(access.map, result.arrays[copy->second].name);
        }
      }
      statement.body = further(statement.body, statement.name);
      made.push_back(std::move(statement));
    }
  }

  /// `expr` with its closed forms on the domain of the statement called `name`, which has more loops around.
  ExprPtr further(const ExprPtr& expr, const std::string& name) const {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr& operand : copy->operands)
      operand = further(operand, name);
    if (copy->value) {
      isl_pw_aff* value =
          isl_pw_aff_insert_dims(copy->value->copy(), isl_dim_in, 0, static_cast<unsigned>(outer));
      copy->value = own(isl_pw_aff_set_tuple_id(value, isl_dim_in, idOf(name).release()));
    }
    return copy;
  }

  /// Leaves `statement` the iterations behind all pairs of turns, at least one.
  void keepLast(Statement& statement) const {
    const isl::space space = spaceOf(statement.loops.size());
    const isl::pw_aff all = sweeps.end->sub(*sweeps.begin);
    const isl::pw_aff done =
        times(own(isl_pw_aff_floor(isl_pw_aff_scale_down_val(
                  all.copy(), isl_val_int_from_si(islContext().get(), 2 * sweeps.steps)))),
              2 * sweeps.steps);
    const isl::set last = nonNegative(variable(space, 0).sub(onSpace(sweeps.begin->add(done), space)));
    statement.domain = named(unnamed(statement.domain).intersect(last), statement.name);
    for (Access& access : statement.accesses)
      access.map = access.map.intersect_domain(statement.domain);
  }

  const TimeSweeps& sweeps;
  const Region& source;
  const int loop;
  const std::size_t rank, outer; ///< as sweeps have them
  Region result;
  int pairs = -1; ///< the new loop over pairs of turns
  int moves = 0;
  std::map<std::size_t, std::string> tileIndices; ///< by dimension
};

} // namespace

std::variant<TimeTiled, Refusal> timeTiled(const Region& region, const Facts& facts, const TileTime& step) {
  const std::vector<std::string> loops = originalNames(region);
  const auto named = std::find(loops.begin(), loops.end(), step.loop);
  if (step.loop.empty() || named == loops.end())
    return Refusal{fmt::format("there is no loop `{}` in the source", step.loop)};
  auto sweeps = TimeSweeps::of(region, facts, static_cast<int>(named - loops.begin()), step);
  if (const Refusal* refused = std::get_if<Refusal>(&sweeps)) return *refused;
  const TimeSweeps& found = std::get<TimeSweeps>(sweeps);
  return TimeTiled{TimeTiler(found).run(), found.context.gist(region.context).coalesce()};
}

std::optional<Refusal> apply(const TileTime& step, ScheduleState& state) {
  return state.tileTime(step);
}

} // namespace warploom
