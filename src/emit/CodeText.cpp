#include "emit/CodeText.h"

#include "support/Failure.h"
#include "support/IslC.h"

#include <fmt/format.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <optional>

namespace warploom {

namespace {

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

} // namespace

std::string firstAlong(const std::set<int>& axes) {
  std::string condition;
  for (int axis : axes)
    condition += fmt::format("{}threadIdx.{} == 0", condition.empty() ? "" : " && ", axisName(axis));
  return condition;
}

CodeText::CodeText(KernelScope& scope, const CodeNode& code)
    : scope(scope), code(code), onlyFirst(firstAlong(code.firstAlong)) {}

CodeText::~CodeText() {
  for (const Instance& instance : instances)
    isl_ast_expr_free(instance.call);
}

isl_ast_node* CodeText::noteInstance(isl_ast_node* node, isl_ast_build* build, void* user) {
  auto* self = static_cast<CodeText*>(user);
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

void CodeText::write(TextWriter& to) {
  isl::schedule schedule = markedSchedule(code.tree, code.at.runs, code.fixed);
  if (schedule.domain().is_empty()) return;
  // What shifts a loop may be something that neither bounds nor guards speak of; isl wants to know it all.
  isl_set* context = code.at.context.copy();
  isl_space* known = isl_union_set_get_space(code.at.runs.get());
  for (const Parameter& one : scope.region.parameters)
    if (isl_space_find_dim_by_name(known, isl_dim_param, one.name.c_str()) < 0)
      context = isl_set_align_params(context, isl_pw_aff_get_domain_space(parameter(one.name).get()));
  isl_space_free(known);
  isl_ast_build* build = isl_ast_build_from_context(context);
  build = isl_ast_build_set_at_each_domain(build, noteInstance, this);
  isl_ast_node* node = isl_ast_build_node_from_schedule(build, schedule.release());
  isl_ast_build_free(build);
  if (!node) throwIslError();
  writeNode(node, "", to);
  isl_ast_node_free(node);
}

std::string CodeText::text(isl_ast_expr* expr) {
  std::string result = astText(expr, scope.renaming());
  isl_ast_expr_free(expr);
  return result;
}

void CodeText::writeNode(isl_ast_node* node, const std::string& loop, TextWriter& to) {
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_user:
    return writeInstance(node, to);
  case isl_ast_node_mark: {
    std::string name = nameOf(isl_ast_node_mark_get_id(node));
    isl_ast_node* inside = isl_ast_node_mark_get_node(node);
    writeNode(inside, name, to);
    isl_ast_node_free(inside);
    return;
  }
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
    to.open("if ({})", text(isl_ast_node_if_get_cond(node)));
    isl_ast_node* then = isl_ast_node_if_get_then(node);
    writeNode(then, loop, to);
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else(node)) {
      to.reopen("else");
      isl_ast_node* otherwise = isl_ast_node_if_get_else(node);
      writeNode(otherwise, loop, to);
      isl_ast_node_free(otherwise);
    }
    to.close();
    return;
  }
  default:
    throw Failure(scope.region.name(), "a syntax tree node of unknown kind");
  }
}

/// How many iterations the loop `node` has, where its bounds are numbers.
static std::optional<long> iterationsOf(isl_ast_node* node) {
  auto number = [](isl_ast_expr* expression) -> std::optional<long> {
    std::optional<long> value;
    if (isl_ast_expr_get_type(expression) == isl_ast_expr_int)
      value = own(isl_ast_expr_get_val(expression)).num_si();
    isl_ast_expr_free(expression);
    return value;
  };
  isl_ast_expr* condition = isl_ast_node_for_get_cond(node);
  const std::optional<long> first = number(isl_ast_node_for_get_init(node)),
                            last = number(isl_ast_expr_get_op_arg(condition, 1)),
                            step = number(isl_ast_node_for_get_inc(node));
  isl_ast_expr_free(condition);
  if (!first || !last || !step) return std::nullopt;
  return (*last - *first) / *step + 1;
}

void CodeText::writeFor(isl_ast_node* node, const std::string& loop, TextWriter& to) {
  isl_ast_expr* iterator = isl_ast_node_for_get_iterator(node);
  std::string name = nameOf(isl_ast_expr_get_id(iterator));
  isl_ast_expr_free(iterator);
  isl_ast_node* body = isl_ast_node_for_get_body(node);
  if (isl_ast_node_for_is_degenerate(node)) {
    scope.texts[name] = "(" + text(isl_ast_node_for_get_init(node)) + ")";
    writeNode(body, "", to);
  } else {
    const LoopTree& source = *findLoop(code.tree, loop);
    std::string given = scope.freeVariableOf(source);
    std::string init = text(isl_ast_node_for_get_init(node));
    scope.texts[name] = given;
    std::string condition = text(isl_ast_node_for_get_cond(node));
    std::string step = text(isl_ast_node_for_get_inc(node));
    scope.writeUnroll(source, iterationsOf(node), to);
    to.open("for (Index {0} = {1}; {2}; {3})", given, init, condition,
            step == "1" ? "++" + given : given + " += " + step);
    writeNode(body, "", to);
    to.close();
  }
  scope.texts.erase(name);
  isl_ast_node_free(body);
}

void CodeText::writeInstance(isl_ast_node* node, TextWriter& to) {
  std::size_t number = std::stoul(nameOf(isl_ast_node_get_annotation(node)));
  const Instance& instance = instances[number];
  std::vector<std::string> indices;
  for (std::size_t k = 0; k < scope.region.statements[instance.statement].loops.size(); ++k)
    indices.push_back(text(isl_ast_expr_get_op_arg(instance.call, static_cast<int>(k) + 1)));
  scope.writeInstance(instance.statement, indices, onlyFirst, to);
}

} // namespace warploom
