// Which kernels a library may stand in for, and which loops of the host with theirs: all that it can, once
// they have their places.
#include "strategy/Library.h"

#include "transform/LibraryCall.h"

namespace warploom {

namespace {

/// The names of the outermost loops of kernels in `tree` of which no step has said anything, and of loops of
/// the host that a library may stand in for.
void collectKernels(const ScheduleState& state, const LoopTree& tree, std::vector<std::string>& kernels) {
  if (tree.place) {
    if (tree.place->kind == Place::Kind::Grid && tree.library == LibraryUse::Never)
      kernels.push_back(tree.name);
    return;
  }
  if (tree.kind == LoopTree::Kind::Loop && tree.library == LibraryUse::Never && hasPlaces(tree)) {
    const auto call = libraryCall(state, tree.name);
    if (const LibraryCall* found = std::get_if<LibraryCall>(&call); found && found->triangle)
      return kernels.push_back(tree.name);
  }
  if (tree.library != LibraryUse::Never) return;
  for (const LoopTree& child : tree.children)
    collectKernels(state, child, kernels);
}

/// True for a kernel in a loop of the host that moves as much as it computes: in one launch with the others
/// of the loop it is faster than any call.
bool isBetterInOneLaunch(const ScheduleState& state, const std::string& kernel) {
  if (pathTo(state.tree(), kernel).size() == 1) return false;
  const auto call = libraryCall(state, kernel);
  const LibraryCall* found = std::get_if<LibraryCall>(&call);
  return found && !found->triangle && found->operation.find("gem") == std::string::npos;
}

} // namespace

void callLibraries(ScheduleState& state, LibraryUse use) {
  if (use == LibraryUse::Never) return;
  std::vector<std::string> kernels;
  collectKernels(state, state.tree(), kernels);
  for (const std::string& kernel : kernels)
    if (use == LibraryUse::Always || !isBetterInOneLaunch(state, kernel))
      state.take(CallLibrary{kernel, use});
}

} // namespace warploom
