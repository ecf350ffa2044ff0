#include "transform/StepChecks.h"

#include <cctype>
#include <fmt/format.h>
#include <set>

namespace warploom {

Refusal noSuchLoop(const std::string& name) {
  return Refusal{fmt::format("there is no loop `{}`", name)};
}

std::optional<Refusal> refusedMapped(const LoopTree& loop) {
  if (!loop.place) return std::nullopt;
  return Refusal{fmt::format("`{}` is mapped already", loop.name)};
}

std::optional<Refusal> refusedName(const ScheduleState& state, const std::string& name) {
  bool identifier = !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front()));
  for (char c : name)
    identifier &= std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  if (!identifier) return Refusal{fmt::format("`{}` is no name", name)};
  if (state.isTaken(name)) return Refusal{fmt::format("the name `{}` is in use", name)};
  return std::nullopt;
}

LoopTree flattened(LoopTree tree) {
  for (LoopTree& child : tree.children) {
    LoopTree flat = flattened(std::move(child));
    child = std::move(flat);
  }
  if (tree.kind != LoopTree::Kind::Sequence) return tree;
  return sequence(std::move(tree.children));
}

namespace {

void rename(const ScheduleState& state, LoopTree& tree, const std::string& wanted,
            std::set<std::string>& fresh) {
  if (tree.kind == LoopTree::Kind::Loop) {
    tree.name = wanted.empty() ? uniqueName(tree.name,
                                            [&](const std::string& name) {
                                              return state.isTaken(name) || fresh.count(name) > 0;
                                            })
                               : wanted;
    fresh.insert(tree.name);
  }
  for (LoopTree& child : tree.children)
    rename(state, child, {}, fresh);
}

} // namespace

void renameLoops(const ScheduleState& state, LoopTree& copy, const std::string& root) {
  std::set<std::string> fresh{root};
  rename(state, copy, root, fresh);
}

} // namespace warploom
