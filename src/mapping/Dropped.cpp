#include "mapping/Dropped.h"

#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace warploom {

namespace {

class Checker {
public:
  Checker(const ScheduleState& state, const RegionPlan& plan)
      : state(state), region(state.region()), plan(plan) {}

  std::optional<NoPlan> find() const {
    for (auto part : {&Checker::scans, &Checker::levels, &Checker::groups, &Checker::copies, &Checker::slices,
                      &Checker::unrolled})
      if (auto refused = (this->*part)()) return refused;
    return std::nullopt;
  }

private:
  bool anyKernel(const std::function<bool(const KernelPlan&)>& does) const {
    return std::any_of(plan.kernels.begin(), plan.kernels.end(), does);
  }

  NoPlan noPlace(int loop, const char* what) const {
    return {region.loops[loop].header,
            fmt::format("`{}` is to run {}, but it has no place", state.sourceName(loop), what)};
  }

  std::optional<NoPlan> scans() const {
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Scanned && !anyKernel([&](const KernelPlan& kernel) {
            return std::any_of(kernel.scans.begin(), kernel.scans.end(), [&](const auto& scan) {
              return sourceLoopInOrder(region, *findLoop(kernel.tree, scan.first)) == one.loop;
            });
          }))
        return noPlace(one.loop, "as a scan");
    return std::nullopt;
  }

  std::optional<NoPlan> levels() const {
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Leveled && !anyKernel([&](const KernelPlan& kernel) {
            return kernel.levels &&
                   std::any_of(kernel.mapped.begin(), kernel.mapped.end(), [&](const auto& loop) {
                     return sourceLoopInOrder(region, *findLoop(kernel.tree, loop)) == one.loop;
                   });
          }))
        return noPlace(one.loop, "by levels");
    return std::nullopt;
  }

  std::optional<NoPlan> groups() const {
    for (int s : state.groups())
      if (!anyKernel([&](const KernelPlan& kernel) { return kernel.sharedCode.count(s) > 0; }))
        return NoPlan{region.statements[s].range,
                      "groups of threads are to share this loop, but none around it is on the grid"};
    return std::nullopt;
  }

  /// Copies close to the threads are for threads of blocks.
  std::optional<NoPlan> copies() const {
    for (const Staging& staging : state.staging()) {
      const bool isShared = staging.kind == Staging::Kind::Shared;
      if (!isShared && staging.kind != Staging::Kind::Registers) continue;
      const std::vector<int> inside = statementsOf(region, *findLoop(state.tree(), staging.loop));
      if (inside.empty() || anyKernel([&](const KernelPlan& kernel) {
            return kernel.inBlocks && findLoop(kernel.tree, staging.loop);
          }))
        continue;
      return NoPlan{region.statements[inside.front()].range,
                    fmt::format("{}(\"{}\", \"{}\") needs loops on a block: map_to_block",
                                isShared ? "copy_to_shared" : "copy_to_registers", staging.loop,
                                region.arrays[staging.array].name)};
    }
    return std::nullopt;
  }

  /// The host brings slices of constant memory in iterations of its own loops.
  std::optional<NoPlan> slices() const {
    for (const Staging& staging : state.staging()) {
      if (staging.kind != Staging::Kind::Constant || staging.loop.empty()) continue;
      for (const KernelPlan& kernel : plan.kernels) {
        const bool isBrought =
            std::any_of(kernel.hostLoops.begin(), kernel.hostLoops.end(),
                        [&](const ScheduledLoop& loop) { return loop.name == staging.loop; });
        const auto reader = std::find_if(kernel.statements.begin(), kernel.statements.end(),
                                         [&](int s) { return region.statements[s].touches(staging.array); });
        if (!isBrought && reader != kernel.statements.end())
          return NoPlan{region.statements[*reader].range,
                        fmt::format("copy_to_constant(\"{}\", \"{}\") needs the host to run `{}`",
                                    region.arrays[staging.array].name, staging.loop, staging.loop)};
      }
    }
    return std::nullopt;
  }

  std::optional<NoPlan> unrolled() const {
    for (const KernelPlan& kernel : plan.kernels)
      for (const ScheduledLoop& loop : kernel.hostLoops)
        if (findLoop(state.tree(), loop.name)->unroll != 1)
          return NoPlan{region.statements[kernel.statements.front()].range,
                        fmt::format("`{}` is unrolled, but the host runs it", loop.name)};
    return std::nullopt;
  }

  const ScheduleState& state;
  const Region& region;
  const RegionPlan& plan;
};

} // namespace

std::optional<NoPlan> dropped(const ScheduleState& state, const RegionPlan& plan) {
  return Checker(state, plan).find();
}

} // namespace warploom
