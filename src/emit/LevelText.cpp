// Loops that run by levels, as text: what tells the inspector of runtime/warploom_levels.h which elements an
// iteration uses.
#include "emit/TreeText.h"

#include <fmt/format.h>

namespace warploom {

void TreeText::writeUses(UsesCall& uses, TextWriter& to) {
  const Irregular& levels = *kernel.levels;
  const LoopNode* found = nullptr;
  forEachNode(kernel.body.nodes, [&](const MappedNode& node) {
    if (const auto* loop = std::get_if<LoopNode>(&node.is); loop && !loop->changes.empty()) found = loop;
  });
  const LoopNode& loop = *found;
  for (const std::string& name : loop.loops)
    scope.texts[fixedName(name)] = scope.freeVariableOf(*findLoop(kernel.tree, name));
  std::vector<std::string> indices;
  const UsedNames before = scope.used; // the launcher counts the iterations
  uses.count = rangeOf(loop, loop.launched, indices).count;
  scope.used = before;
  indices.clear();
  const IndexRange range = rangeOf(loop, loop.bounds, indices);
  if (loop.loops.size() == 1)
    indices.push_back(fmt::format("const Index {} = {}{}{};", scope.texts.at(fixedName(loop.loops.front())),
                                  range.first == "0" ? "" : range.first + " + ",
                                  range.step == 1 ? "" : fmt::format("{} * ", range.step),
                                  scope.names.of("number")));
  const std::string visit = scope.local("visit");
  std::string first = "0";
  std::map<int, std::string> places; // where the elements of an array are among all
  for (int array : levels.arrays) {
    const std::string size = scope.names.of(scope.region.arrays[array].name + " size");
    places[array] = fmt::format("{}, {}", first, size);
    first = first == "0" ? size : fmt::format("{} + {}", first, size);
  }
  for (const Irregular::User& user : levels.users) {
    const Statement& statement = scope.region.statements[user.statement];
    std::string text;
    for (const UsedElement& element : usedElements(statement, levels.arrays)) {
      const AccessRef access{user.statement, element.node->access};
      const int array = access.in(scope.region).array;
      text += fmt::format("{}.{}({}, &{} - {});\n", visit, element.isWritten ? "write" : "read",
                          places.at(array), scope.bodies.element(access), scope.bodies.place(array));
    }
    if (!text.empty()) text.pop_back();
    scope.instead[user.statement] = {text, user.told};
  }
  scope.savesLast = false;
  for (const std::string& declaration : indices)
    to.line(declaration);
  write(PrivateNode{loop.changes}, to);
  uses.arrays = levels.arrays;
  closeVariable(loop);
}

} // namespace warploom
