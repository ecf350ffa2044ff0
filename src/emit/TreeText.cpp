#include "emit/TreeText.h"

#include "mapping/Movement.h"
#include "support/Failure.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <utility>

namespace warploom {

namespace {

const std::string laneZero = "threadIdx.x == 0";

/// `tree` restricted to `instances` as an isl schedule, in which a mark with the name of each loop stands
/// above its band. Loops in `fixed` have none.
isl::schedule markedSchedule(const LoopTree& tree, const isl::union_set& instances,
                             const std::set<std::string>& fixed) {
  if (tree.kind == LoopTree::Kind::Leaf) return isl::schedule::from_domain(tree.domain.intersect(instances));
  if (tree.kind == LoopTree::Kind::Sequence) {
    isl::schedule all = markedSchedule(tree.children.front(), instances, fixed);
    for (std::size_t k = 1; k < tree.children.size(); ++k)
      all = own(
          isl_schedule_sequence(all.release(), markedSchedule(tree.children[k], instances, fixed).release()));
    return all;
  }
  isl::schedule body = markedSchedule(tree.children.front(), instances, fixed);
  isl::union_set below = body.domain();
  if (below.is_empty() || fixed.count(tree.name)) return body;
  isl::union_pw_aff value = own(isl_union_pw_aff_intersect_domain(tree.value.copy(), below.copy()));
  isl_multi_union_pw_aff* band = isl_multi_union_pw_aff_from_union_pw_aff(value.release());
  isl_schedule* schedule = isl_schedule_insert_partial_schedule(body.release(), band);
  isl_schedule_node* node = isl_schedule_node_child(isl_schedule_get_root(schedule), 0);
  isl_schedule_free(schedule);
  node = isl_schedule_node_insert_mark(node, isl_id_alloc(islContext().get(), tree.name.c_str(), nullptr));
  isl::schedule marked = own(isl_schedule_node_get_schedule(node));
  isl_schedule_node_free(node);
  return marked;
}

std::string nameOf(isl_id* id) {
  if (!id) throwIslError();
  std::string name = isl_id_get_name(id);
  isl_id_free(id);
  return name;
}

/// True when `statement` reads `array`.
bool readsArray(const Statement& statement, int array) {
  return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                     [&](const Access& access) { return access.array == array && access.reads(); });
}

} // namespace

TreeText::~TreeText() {
  for (const Instance& instance : instances)
    isl_ast_expr_free(instance.call);
}

isl_ast_node* TreeText::noteInstance(isl_ast_node* node, isl_ast_build* build, void* user) {
  auto* self = static_cast<TreeText*>(user);
  // The instance executed here, as a call S(i, j).
  isl_map* map = isl_map_from_union_map(isl_ast_build_get_schedule(build));
  isl_pw_multi_aff* instance = isl_pw_multi_aff_from_map(isl_map_reverse(map));
  isl_ast_expr* call = isl_ast_build_call_from_pw_multi_aff(build, instance);
  isl_ast_expr* callee = isl_ast_expr_get_op_arg(call, 0);
  isl_id* id = isl_ast_expr_get_id(callee);
  isl_ast_expr_free(callee);
  if (!id) {
    // isl gave up. It called this function: it hands the failure on, and no exception could.
    isl_ast_expr_free(call);
    return isl_ast_node_free(node);
  }
  std::string name = nameOf(id);
  Instance found{-1, call};
  for (int s : self->scope.kernel.statements)
    if (self->scope.region.statements[s].name == name) found.statement = s;
  std::string key = std::to_string(self->instances.size());
  self->instances.push_back(found);
  return isl_ast_node_set_annotation(node, isl_id_alloc(islContext().get(), key.c_str(), nullptr));
}

void TreeText::write(const LoopTree& tree, const isl::union_set& of, const std::set<std::string>& fixed,
                     TextWriter& to) {
  root = &tree;
  all = of;
  isl::schedule schedule = markedSchedule(tree, of, fixed);
  if (schedule.domain().is_empty()) return;
  isl_ast_build* build = isl_ast_build_from_context(context.copy());
  build = isl_ast_build_set_at_each_domain(build, noteInstance, this);
  isl_ast_node* node = isl_ast_build_node_from_schedule(build, schedule.release());
  isl_ast_build_free(build);
  if (!node) throwIslError();
  writeNode(node, "", to);
  isl_ast_node_free(node);
}

std::string TreeText::text(isl_ast_expr* expr) {
  std::string result = astText(expr, scope.renaming());
  isl_ast_expr_free(expr);
  return result;
}

void TreeText::writeNode(isl_ast_node* node, const std::string& loop, TextWriter& to) {
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_user:
    return writeInstance(node, to);
  case isl_ast_node_mark:
    return writeMark(node, to);
  case isl_ast_node_for:
    return writeFor(node, loop, to);
  case isl_ast_node_block: {
    isl_ast_node_list* list = isl_ast_node_block_get_children(node);
    for (int k = 0; k < static_cast<int>(isl_ast_node_list_n_ast_node(list)); ++k) {
      isl_ast_node* child = isl_ast_node_list_get_ast_node(list, k);
      writeNode(child, loop, to);
      isl_ast_node_free(child);
    }
    isl_ast_node_list_free(list);
    return;
  }
  case isl_ast_node_if: {
    bool before = unsettled;
    const std::set<int> read = beingRead;
    to.open("if ({})", text(isl_ast_node_if_get_cond(node)));
    isl_ast_node* then = isl_ast_node_if_get_then(node);
    writeNode(then, loop, to);
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else(node)) {
      to.reopen("else");
      before |= std::exchange(unsettled, before);
      beingRead.insert(read.begin(), read.end());
      isl_ast_node* otherwise = isl_ast_node_if_get_else(node);
      writeNode(otherwise, loop, to);
      isl_ast_node_free(otherwise);
    }
    unsettled |= before;
    beingRead.insert(read.begin(), read.end());
    to.close();
    return;
  }
  default:
    throw Failure(scope.region.name(), "a syntax tree node of unknown kind");
  }
}

void TreeText::writeMark(isl_ast_node* node, TextWriter& to) {
  std::string loop = nameOf(isl_ast_node_mark_get_id(node));
  isl_ast_node* inside = isl_ast_node_mark_get_node(node);
  if (scope.kernel.lanes.count(loop))
    writeLanes(loop, inside, to);
  else
    writeNode(inside, loop, to);
  isl_ast_node_free(inside);
}

/// Makes lanes see what others wrote. Threads of a group have nothing to see.
void TreeText::synchronise(TextWriter& to) {
  if (!unsettled || !scope.kernel.sharedCode.empty()) return;
  to.line("__syncwarp();");
  unsettled = false;
  beingRead.clear();
}

/// All lanes run `statement`, or share it out.
void TreeText::noteReads(int statement) {
  for (const Access& access : scope.region.statements[statement].accesses)
    if (access.reads() && scope.kernel.placement[access.array] == Placement::Device)
      beingRead.insert(access.array);
}

/// Before one lane writes to `array`, all are done with reading it.
void TreeText::awaitReads(int array, TextWriter& to) {
  if (beingRead.count(array) == 0) return;
  unsettled = true;
  synchronise(to);
}

/// A lane's parts of the accumulators of the statements `inside`, which combine into them from now on.
std::vector<TreeText::Part> TreeText::declareParts(const std::vector<int>& inside, TextWriter& to) {
  std::vector<Part> parts;
  for (const Reduction& reduction : scope.kernel.reductions)
    if (std::count(inside.begin(), inside.end(), reduction.statements.front())) {
      const Array& array = scope.region.arrays[reduction.array];
      std::string type = scalarType(array.element), part = scope.names.of(array.name + " part");
      // A second sum into the same variable stands in the same braces.
      while (!partNames.insert(part).second)
        part = scope.names.fresh(array.name + " part");
      to.line("{} {} = {}::identity<{}>();", type, part, reductionFunctor(reduction.op), type);
      scope.bodies.combineInParts(reduction, part);
      parts.push_back({&reduction, part});
    }
  return parts;
}

/// Where there are instances of `statements`, as far as it is not known already.
isl::set TreeText::runs(const std::vector<int>& statements) const {
  isl::union_set some = isl::union_set::empty(islContext());
  for (int s : statements)
    some = some.unite(isl::union_set(scope.region.statements[s].domain));
  return own(isl_union_set_params(some.intersect(all).release())).gist(context).coalesce();
}

/// The condition under which the accumulator `target`, an element of an array, is one of the program's: that
/// anything is combined into it, or "1" where it was written before in any case.
std::string TreeText::existence(const Reduction& reduction, const std::string& target) {
  TextWriter unused;
  auto isPlain = [&](int s) { return scope.wasWritten(s) && !scope.declareIndices(s, target, unused); };
  const isl::set universe = isl::set::universe(context.space());
  bool isWritten = isPlain(reduction.statements.front()) &&
                   std::any_of(scope.kernel.statements.begin(), scope.kernel.statements.end(), [&](int s) {
                     const Statement& other = scope.region.statements[s];
                     return other.kind == Statement::Kind::Assign && other.guards.empty() && isPlain(s) &&
                            std::count(reduction.statements.begin(), reduction.statements.end(), s) == 0 &&
                            scope.bodies.target(s) == target && universe.is_subset(runs({s}));
                   });
  return isWritten ? "1" : conditionText(runs(reduction.statements), scope.renaming());
}

/// The parts of all lanes go into the accumulator.
void TreeText::combine(const Part& of, TextWriter& to) {
  const auto& [reduction, part] = of;
  std::string functor = reductionFunctor(reduction->op);
  const bool groups = !scope.kernel.sharedCode.empty();
  to.line("{0} = warploom::{2}({0}, {1}());", part, functor,
          groups ? "groupReduceAll<GROUP>" : "warpReduceAll");
  scope.bodies.combineInPlace(*reduction);
  bool isPrivate = scope.kernel.placement[reduction->array] == Placement::Private;
  if (!isPrivate) awaitReads(reduction->array, to);
  std::string target =
      groups ? scope.bodies.place(reduction->array) : scope.bodies.target(reduction->statements.front());
  std::string combined = fmt::format("{0} = {1}()({0}, {2});", target, functor, part);
  bool braces = scope.declareIndices(reduction->statements.front(), target, to);
  // Nothing is combined where nothing runs: the element may not exist, and `x && 1` is not x.
  std::string condition = isPrivate ? "" : laneZero, exists = "1";
  if (isLogical(reduction->op))
    exists = conditionText(runs(reduction->statements), scope.renaming());
  else if (!isPrivate && !scope.region.arrays[reduction->array].isScalar())
    exists = existence(*reduction, target);
  if (exists != "1" && exists.find("||") != std::string::npos) exists = "(" + exists + ")";
  if (exists != "1") condition += (condition.empty() ? "" : " && ") + exists;
  to.line("{}{}", condition.empty() ? "" : fmt::format("if ({}) ", condition), combined);
  if (braces) to.close();
  unsettled |= !isPrivate;
}

/// A loop whose iterations the lanes share: each has its part of the accumulators.
void TreeText::writeLanes(const std::string& loop, isl_ast_node* body, TextWriter& to) {
  const Region& region = scope.region;
  synchronise(to);
  std::vector<int> inside = statementsOf(region, *findLoop(*root, loop));
  const std::vector<Part> parts = declareParts(inside, to);
  inLanes = true;
  writeNode(body, loop, to);
  inLanes = false;
  for (int s : inside)
    noteReads(s);
  // Accumulators are read where they are combined, by the one lane that does it.
  for (const auto& [reduction, part] : parts)
    if (std::none_of(inside.begin(), inside.end(), [&, combined = reduction](int s) {
          return std::count(combined->statements.begin(), combined->statements.end(), s) == 0 &&
                 readsArray(scope.region.statements[s], combined->array);
        }))
      beingRead.erase(reduction->array);
  for (const Part& part : parts)
    combine(part, to);
  for (int s : inside)
    for (const Access& access : region.statements[s].accesses) {
      bool combined = std::any_of(parts.begin(), parts.end(),
                                  [&](const Part& part) { return part.of->array == access.array; });
      unsettled |= access.writes() && !combined && scope.kernel.placement[access.array] != Placement::Private;
    }
}

void TreeText::writeFor(isl_ast_node* node, const std::string& loop, TextWriter& to) {
  isl_ast_expr* iterator = isl_ast_node_for_get_iterator(node);
  std::string name = nameOf(isl_ast_expr_get_id(iterator));
  isl_ast_expr_free(iterator);
  isl_ast_node* body = isl_ast_node_for_get_body(node);
  bool shared = scope.kernel.lanes.count(loop) > 0;
  if (isl_ast_node_for_is_degenerate(node)) {
    scope.texts[name] = "(" + text(isl_ast_node_for_get_init(node)) + ")";
    writeNode(body, "", to);
  } else {
    std::string given = scope.freeVariableOf(*findLoop(*root, loop));
    std::string init = text(isl_ast_node_for_get_init(node));
    scope.texts[name] = given;
    std::string condition = text(isl_ast_node_for_get_cond(node));
    std::string step = text(isl_ast_node_for_get_inc(node));
    std::string advance = step == "1" ? "++" + given : given + " += " + step;
    if (shared) {
      std::string lane = init == "0" ? "threadIdx.x" : "Index(threadIdx.x)";
      if (step != "1") lane += " * " + step;
      init = init == "0" ? lane : init + " + " + lane;
      advance = given + " += " + (step == "1" ? "LANES" : "LANES * " + step);
    }
    // In a loop that lanes run together, an iteration follows the one before.
    if (scope.kernel.hasLanes() && !inLanes) unsettled = true;
    if (const int factor = findLoop(*root, loop)->unroll; factor != 1)
      to.line(factor == 0 ? "#pragma unroll" : fmt::format("#pragma unroll {}", factor));
    to.open("for (Index {0} = {1}; {2}; {3})", given, init, condition, advance);
    bool before = std::exchange(sharedOut, sharedOut || shared);
    writeNode(body, "", to);
    sharedOut = before;
    to.close();
    if (scope.kernel.hasLanes() && !inLanes) unsettled = true;
  }
  scope.texts.erase(name);
  isl_ast_node_free(body);
}

void TreeText::writeInstance(isl_ast_node* node, TextWriter& to) {
  std::size_t number = std::stoul(nameOf(isl_ast_node_get_annotation(node)));
  const Instance& instance = instances[number];
  std::vector<std::string> indices;
  for (std::size_t k = 0; k < scope.region.statements[instance.statement].loops.size(); ++k)
    indices.push_back(text(isl_ast_expr_get_op_arg(instance.call, static_cast<int>(k) + 1)));
  // isl writes no loop where there is but one iteration: all of that is run by one lane.
  const bool alone = inLanes && !sharedOut;
  const bool byOneLane = scope.kernel.hasLanes() && !inLanes;
  if (byOneLane) synchronise(to);
  const bool byAll = byOneLane && scope.writesPrivate(instance.statement);
  if (byOneLane && !byAll)
    for (const Access& access : scope.region.statements[instance.statement].accesses)
      if (access.writes()) awaitReads(access.array, to);
  if (byAll) noteReads(instance.statement);
  std::vector<Part> parts;
  if (scope.kernel.sharedCode.count(instance.statement)) parts = declareParts({instance.statement}, to);
  if (alone) to.open("if ({})", laneZero);
  scope.writeInstance(instance.statement, indices, byOneLane ? laneZero : "", to);
  if (alone) to.close();
  for (const Part& part : parts)
    combine(part, to);
  if (byOneLane && !byAll) unsettled = true;
}

} // namespace warploom
