#include "mapping/Plan.h"

#include "analysis/Order.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom {

namespace {

constexpr std::size_t maximumGridDimensions = 3;

/// Thrown inside this file only: the region has no plan.
struct Refusal {
  SourceRange at;
  std::string reason;
};

class Planner {
public:
  Planner(const Region& region, const Facts& facts, const MappingOptions& options)
      : region(region), facts(facts), options(options) {
    for (std::size_t s = 0; s < region.statements.size(); ++s)
      if (auto found = accumulation(region, static_cast<int>(s))) accumulations.push_back(*found);
  }

  RegionPlan plan() {
    try {
      checkRegion();
      std::vector<int> all(region.statements.size());
      for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = static_cast<int>(k);
      result.host = planLevel(all, 0, {});
      bool anyMapped = std::any_of(result.kernels.begin(), result.kernels.end(),
                                   [](const KernelPlan& kernel) { return !kernel.mapped.empty(); });
      if (!anyMapped) throw Refusal{region.range, "no loop of it can run in parallel"};
    } catch (const Refusal& refusal) {
      result = {};
      result.refused = refusal.reason;
      result.refusedAt = refusal.at;
    }
    return std::move(result);
  }

private:
  void checkRegion() {
    for (const Statement& statement : region.statements)
      if (!statement.hostOnly.empty()) throw Refusal{statement.range, statement.hostOnly};
    for (const Loop& loop : region.loops) {
      if (!loop.mustStaySequential.empty()) throw Refusal{loop.header, loop.mustStaySequential};
      if (!loop.inexactBounds.empty()) throw Refusal{loop.header, loop.inexactBounds};
    }
    for (const Condition& condition : region.conditions)
      if (condition.kind == Condition::Kind::NoOverlap && condition.arrays[0] == condition.arrays[1])
        throw Refusal{region.range,
                      "`" + region.arrays[condition.arrays[0]].name + "` is an array of pointers"};
  }

  /// The plan of `members`, statements that agree in their first `level` loops.
  std::vector<HostNode> planLevel(const std::vector<int>& members, std::size_t level,
                                  std::vector<int> hostLoops) {
    std::vector<HostNode> nodes;
    std::vector<int> single; // adjacent statements without a further loop
    auto flush = [&] {
      if (!single.empty()) nodes.push_back(launch(single, hostLoops, {}));
      single.clear();
    };
    for (std::size_t k = 0; k < members.size();) {
      const Statement& first = region.statements[members[k]];
      std::size_t end = k + 1;
      if (first.loops.size() == level) {
        if (first.kind != Statement::Kind::Kill) single.push_back(members[k]);
        k = end;
        continue;
      }
      while (end < members.size() && region.statements[members[end]].loops.size() > level &&
             region.statements[members[end]].loops[level] == first.loops[level])
        ++end;
      std::vector<int> inside(members.begin() + static_cast<long>(k),
                              members.begin() + static_cast<long>(end));
      int loop = first.loops[level];
      std::vector<int> mapped = mappedFrom(loop, inside, level);
      if (!mapped.empty()) {
        flush();
        nodes.push_back(launch(inside, hostLoops, mapped));
      } else if (anyParallel(inside, level + 1)) {
        flush();
        HostNode node;
        node.loop = loop;
        std::vector<int> around = hostLoops;
        around.push_back(loop);
        explain(loop, "stays on the host: " + facts.loops[loop].reason);
        node.children = planLevel(inside, level + 1, around);
        nodes.push_back(std::move(node));
      } else {
        // Nothing in it is parallel: one thread runs it, so that its data stays on the device.
        explain(loop, "runs in one thread: " + facts.loops[loop].reason);
        single.insert(single.end(), inside.begin(), inside.end());
      }
      k = end;
    }
    flush();
    return nodes;
  }

  bool independent(int loop) const {
    const LoopVerdict& verdict = facts.loops[loop];
    return verdict.verdict == Verdict::Parallel ||
           (verdict.verdict == Verdict::Conditional && verdict.reductions.empty());
  }

  /// True when `loop` reduces, and all its accumulators can be combined by threads.
  bool reducible(int loop, const std::vector<int>& inside, std::size_t level) const {
    const LoopVerdict& verdict = facts.loops[loop];
    bool reduces = verdict.verdict == Verdict::Reduction ||
                   (verdict.verdict == Verdict::Conditional && !verdict.reductions.empty());
    if (!reduces) return false;
    for (const Reduction& reduction : verdict.reductions) {
      const Array& array = region.arrays[reduction.array];
      if (options.strictFloatingPoint && array.element.isFloating()) return false;
      if (array.element.bits != 32 && array.element.bits != 64) return false;
      if (array.isScalar()) continue;
      for (int statement : reduction.statements)
        if (!updatesInPlace(statement)) return false;
    }
    (void)inside;
    (void)level;
    return true;
  }

  /// `x op= e` with an operation that has an atomic form.
  bool updatesInPlace(int statement) const {
    const Statement& s = region.statements[statement];
    static const std::set<std::string> operations = {"+=", "-=", "*=", "&=", "|=", "^="};
    return s.body && s.body->kind == Expr::Kind::Assign && operations.count(s.body->text) > 0;
  }

  /// The loops from `loop` inward that become the grid; empty when `loop` cannot be mapped.
  std::vector<int> mappedFrom(int loop, const std::vector<int>& inside, std::size_t level) const {
    if (reducible(loop, inside, level)) return {loop};
    if (!independent(loop)) return {};
    std::vector<int> mapped = {loop};
    while (mapped.size() < maximumGridDimensions) {
      std::size_t next = level + mapped.size();
      int inner = -1;
      bool perfect = true;
      for (int s : inside) {
        const Statement& statement = region.statements[s];
        if (statement.kind == Statement::Kind::Kill && statement.loops.size() == next) continue;
        if (statement.loops.size() <= next || (inner >= 0 && statement.loops[next] != inner))
          perfect = false;
        else
          inner = statement.loops[next];
      }
      if (!perfect || inner < 0 || !independent(inner)) break;
      mapped.push_back(inner);
    }
    return mapped;
  }

  bool anyParallel(const std::vector<int>& members, std::size_t level) const {
    for (int s : members)
      for (std::size_t k = level; k < region.statements[s].loops.size(); ++k) {
        int loop = region.statements[s].loops[k];
        if (independent(loop) || reducible(loop, members, k)) return true;
      }
    return false;
  }

  HostNode launch(const std::vector<int>& statements, const std::vector<int>& hostLoops,
                  const std::vector<int>& mapped) {
    KernelPlan kernel;
    kernel.hostLoops = hostLoops;
    kernel.mapped = mapped;
    for (int s : statements)
      if (region.statements[s].kind != Statement::Kind::Kill) kernel.statements.push_back(s);
    int line = static_cast<int>(region.statements[kernel.statements.front()].range.line);
    if (!mapped.empty()) line = static_cast<int>(region.loops[mapped.front()].range.line);
    kernel.name = fmt::format("{}_{}", region.function, line);
    place(kernel);
    for (int loop : mapped)
      explain(loop, fmt::format("is spread over the grid of kernel {}", kernel.name));
    HostNode node;
    node.kernel = static_cast<int>(result.kernels.size());
    result.kernels.push_back(std::move(kernel));
    return node;
  }

  void place(KernelPlan& kernel) {
    std::set<int> inKernel(kernel.statements.begin(), kernel.statements.end());
    std::vector<bool> writtenInRegion(region.arrays.size()), usedElsewhere(region.arrays.size());
    for (std::size_t s = 0; s < region.statements.size(); ++s)
      for (const Access& access : region.statements[s].accesses) {
        if (access.writes()) writtenInRegion[access.array] = true;
        if (!inKernel.count(static_cast<int>(s)) && access.kind != Access::Kind::Kill)
          usedElsewhere[access.array] = true;
      }
    kernel.placement.assign(region.arrays.size(), Placement::Device);
    for (std::size_t a = 0; a < region.arrays.size(); ++a)
      if (region.arrays[a].isScalar() && !writtenInRegion[a]) kernel.placement[a] = Placement::Value;
    for (int loop : kernel.mapped)
      for (int array : facts.loops[loop].privateArrays)
        kernel.placement[array] = Placement::Private;
    // What lives and dies in one iteration of a mapped loop needs no place in device memory either.
    for (std::size_t a = 0; a < region.arrays.size(); ++a) {
      const Array& array = region.arrays[a];
      bool inside = array.declaredIn >= 0 && !kernel.mapped.empty() &&
                    encloses(region, kernel.mapped.back(), array.declaredIn);
      if (inside && !usedElsewhere[a]) kernel.placement[a] = Placement::Private;
    }
    for (std::size_t a = 0; a < region.arrays.size(); ++a) {
      if (kernel.placement[a] != Placement::Private || region.arrays[a].isScalar()) continue;
      for (const auto& extent : region.arrays[a].extents)
        if (!extent || !constant(*extent))
          throw Refusal{region.arrays[a].declaration,
                        "`" + region.arrays[a].name +
                            "` is private to a thread, but its size is not a constant"};
    }
    if (kernel.mapped.size() != 1 || !reducible(kernel.mapped[0], kernel.statements, 0)) return;
    kernel.reductions = facts.loops[kernel.mapped[0]].reductions;
    for (const Reduction& reduction : kernel.reductions) {
      if (region.arrays[reduction.array].isScalar()) {
        kernel.placement[reduction.array] = Placement::Partial;
      } else {
        kernel.atomicStatements.insert(kernel.atomicStatements.end(), reduction.statements.begin(),
                                       reduction.statements.end());
      }
    }
  }

  static bool constant(const isl::pw_aff& value) { return value.isa_aff() && value.as_aff().is_cst(); }

  void explain(int loop, const std::string& what) {
    const Loop& l = region.loops[loop];
    result.explanations.push_back(
        fmt::format("{}:{}:{}: loop '{}' {}", region.file, l.range.line, l.range.column, l.index, what));
  }

  const Region& region;
  const Facts& facts;
  const MappingOptions& options;
  std::vector<Accumulation> accumulations;
  RegionPlan result;
};

} // namespace

RegionPlan planRegion(const Region& region, const Facts& facts, const MappingOptions& options) {
  return Planner(region, facts, options).plan();
}

} // namespace warploom
