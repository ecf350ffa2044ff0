#include "transform/Trace.h"

#include "support/IslC.h"

#include <cstdlib>
#include <fmt/format.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <memory>

namespace warploom {

namespace {

/// What a C function of isl's returned as a new string.
std::string ownText(char* text) {
  if (!text) throwIslError();
  std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
  return text;
}

/// Comments on what the code of a loop does not show.
void writeMarks(const LoopTree& tree, std::string& text) {
  if (tree.tile)
    text += fmt::format("// loop {}: tiles of {} iterations from {}\n", tree.name, tree.tile->size,
                        tree.tile->origin);
  if (tree.place) text += fmt::format("// loop {}: {}\n", tree.name, placeName(*tree.place));
  for (const LoopTree& child : tree.children)
    writeMarks(child, text);
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    result += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

} // namespace

std::string codeText(const LoopTree& tree) {
  std::string text;
  writeMarks(tree, text);
  isl_ast_build* build = isl_ast_build_alloc(islContext().get());
  isl_ast_node* node = isl_ast_build_node_from_schedule(build, scheduleOf(tree).release());
  isl_ast_build_free(build);
  if (!node) throwIslError();
  std::unique_ptr<isl_ast_node, decltype(&isl_ast_node_free)> owner(node, isl_ast_node_free);
  return text + ownText(isl_ast_node_to_C_str(node));
}

std::string spacesText(const ScheduleState& state) {
  std::string text;
  instances(state.tree()).foreach_set([&](const isl::set& set) {
    std::string name = isl_set_get_tuple_name(set.get());
    for (const Statement& statement : state.region().statements)
      if (name == isl_set_get_tuple_name(statement.domain.get()))
        text += fmt::format("{}, line {}: {}\n", name, statement.range.line, printed(set));
  });
  return text;
}

std::string orderText(const ScheduleState& state) {
  std::string text;
  for (const Constraint& constraint : state.constraints())
    text += fmt::format("{}: {}\n", describe(state.region(), constraint), printed(constraint.relation));
  return text;
}

std::string trace(ScheduleState state, const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : state.history())
    text += print(step) + "\n";
  text += "instances\n" + indented(spacesText(state)) + "in this order\n" + indented(orderText(state)) +
          "the program\n" + indented(codeText(state.tree()));
  for (const Step& step : steps) {
    text += print(step) + "\n";
    if (auto refused = state.take(step)) return text + "  refused: " + refused->reason + "\n";
    text += indented(codeText(state.tree()));
  }
  return text;
}

} // namespace warploom
