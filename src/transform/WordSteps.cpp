// The steps that take the recipe's word: for names, for what is said of a kernel as a whole, for what is
// known of sizes, and for dependences that the analysis can only assume.
#include "support/Identifiers.h"
#include "support/IslC.h"
#include "transform/LibraryCall.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>

namespace warploom {

namespace {

/// The statement called `name`; -1 when there is none.
int statementCalled(const Region& region, const std::string& name) {
  for (std::size_t s = 0; s < region.statements.size(); ++s)
    if (region.statements[s].name == name) return static_cast<int>(s);
  return -1;
}

/// `text` with the signs of C as isl writes them.
std::string inIslWords(std::string text) {
  const std::pair<const char*, const char*> words[] = {{"&&", " and "}, {"||", " or "}, {"==", "="}};
  for (const auto& [from, to] : words)
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += std::string(to).size())
      text.replace(at, 2, to);
  return text;
}

/// Whether a library may stand in for a loop of `tree`.
bool asksLibrary(const LoopTree& tree) {
  return tree.library != LibraryUse::Never ||
         std::any_of(tree.children.begin(), tree.children.end(), asksLibrary);
}

} // namespace

std::optional<Refusal> apply(const RenameLoop& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  if (auto refused = refusedName(state, step.name)) return refused;
  const auto& staged = state.staging();
  if (std::any_of(staged.begin(), staged.end(), [&](const Staging& one) { return one.loop == loop->name; }))
    return Refusal{fmt::format("something is kept for iterations of `{}`: rename it before", step.loop)};
  loop->name = step.name;
  return state.adopt(std::move(tree), ScheduleState::Change::Loops);
}

namespace {

/// Why `loop`, called `name`, has no kernel; nothing when it is on the grid of one.
std::optional<Refusal> refusedKernel(const LoopTree* loop, const std::string& name) {
  if (!loop) return noSuchLoop(name);
  if (!loop->place || loop->place->kind != Place::Kind::Grid)
    return Refusal{fmt::format("`{}` is not on the grid of a kernel", name)};
  return std::nullopt;
}

/// Has `change` done to the loops of the nest that the kernel of the loop called `name` runs: what is said of
/// a kernel stands at one of them.
void forKernelOf(LoopTree& tree, const std::string& name, const std::function<void(LoopTree&)>& change) {
  for (const LoopTree* around : pathTo(tree, name)) {
    if (!around->place) continue;
    for (const LoopTree* loop : nestFrom(*around))
      change(*findLoop(tree, loop->name));
    return;
  }
}

} // namespace

std::optional<Refusal> apply(const LaunchBounds& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (auto refused = refusedKernel(loop, step.loop)) return refused;
  constexpr int most = 32;
  if (step.blocks < 1 || step.blocks > most)
    return Refusal{fmt::format("{} blocks on a multiprocessor: 1 to {}", step.blocks, most)};
  forKernelOf(tree, loop->name, [](LoopTree& one) { one.residents = 0; });
  loop->residents = step.blocks;
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

std::optional<Refusal> apply(const CallLibrary& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  const bool isHosts = !loop->place && hasPlaces(*loop);
  if (!isHosts && (!loop->place || loop->place->kind != Place::Kind::Grid))
    return Refusal{fmt::format("`{}` is neither on the grid of a kernel nor around kernels", step.loop)};
  for (const LoopTree* around : pathTo(state.tree(), step.loop))
    if (around->place && around->name != loop->name)
      return Refusal{fmt::format("`{}` is not the outermost loop of its kernel", step.loop)};
  if (step.use != LibraryUse::Never) {
    for (const LoopTree* around : pathTo(state.tree(), step.loop))
      if (around->library != LibraryUse::Never && around->name != loop->name)
        return Refusal{fmt::format("a library may stand in for `{}` around it", around->name)};
    if (std::any_of(loop->children.begin(), loop->children.end(), asksLibrary))
      return Refusal{fmt::format("a library may stand in for a part of `{}`", step.loop)};
    if (state.strictFp()) return Refusal{"libraries add in another order"};
    const auto call = libraryCall(state, loop->name);
    if (const Refusal* refused = std::get_if<Refusal>(&call))
      return Refusal{fmt::format("no library has it: {}", refused->reason)};
    if (isHosts && !std::get<LibraryCall>(call).triangle)
      return Refusal{fmt::format("`{}` is around the kernels of a product", step.loop)};
  }
  loop->library = step.use;
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

std::optional<Refusal> apply(const NameKernel& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (auto refused = refusedKernel(loop, step.loop)) return refused;
  if (auto refused = refusedName(state, step.name)) return refused;
  if (isReserved(step.name) || step.name == "main" || step.name.find("__") != step.name.npos ||
      step.name.starts_with("warploom"))
    return Refusal{fmt::format("no kernel can be called `{}`", step.name)};
  forKernelOf(tree, loop->name, [](LoopTree& one) { one.kernel.clear(); });
  loop->kernel = step.name;
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

std::optional<Refusal> apply(const DeclareSize& step, ScheduleState& state) {
  for (const std::string& name : {step.size.name, step.size.threads})
    if (name == step.size.name || (!name.empty() && !state.sizes().has(name)))
      if (auto refused = refusedName(state, name)) return refused;
  return state.declare(step.size);
}

std::optional<Refusal> apply(const Assume& step, ScheduleState& state) {
  Refusal refused{fmt::format("`{}` is no affine condition on the sizes", step.condition)};
  bool plain = !step.condition.empty() &&
               std::all_of(step.condition.begin(), step.condition.end(), [](unsigned char c) {
                 return std::isalnum(c) || std::string_view("_ +-*%()<>=!&|").find(static_cast<char>(c)) !=
                                               std::string_view::npos;
               });
  if (!plain) return refused;
  std::vector<std::string> parameters;
  for (const Parameter& parameter : state.region().parameters)
    parameters.push_back(parameter.name);
  try {
    isl::set condition(islContext(), fmt::format("[{}] -> {{ : {} }}", fmt::join(parameters, ", "),
                                                 inIslWords(step.condition)));
    if (condition.intersect(state.assumed()).intersect(state.region().context).is_empty())
      return Refusal{fmt::format("no sizes satisfy `{}`", step.condition)};
    state.assume(condition);
  } catch (const isl::exception_invalid&) {
    return refused;
  }
  return std::nullopt;
}

std::optional<Refusal> apply(const DropDependence& step, ScheduleState& state) {
  const int before = statementCalled(state.region(), step.source);
  const int after = statementCalled(state.region(), step.sink);
  for (const auto& [index, name] : {std::pair{before, step.source}, {after, step.sink}})
    if (index < 0) return Refusal{fmt::format("there is no statement `{}`", name)};
  bool any = false;
  for (const Constraint& constraint : state.constraints()) {
    if (constraint.source.statement != before || constraint.sink.statement != after) continue;
    if (constraint.kind == Constraint::Kind::Order || constraint.why.empty())
      return Refusal{fmt::format("{} is known to be there: without it the result would be wrong",
                                 describe(state.region(), constraint))};
    any = true;
  }
  if (!any) return Refusal{fmt::format("nothing makes `{}` wait for `{}`", step.sink, step.source)};
  state.drop(before, after);
  return std::nullopt;
}

} // namespace warploom
