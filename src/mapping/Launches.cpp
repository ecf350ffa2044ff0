#include "mapping/Launches.h"

#include <algorithm>

namespace warploom {

namespace {

/// A kernel that does everything has the registers of the greediest; with many kernels one of them is.
constexpr std::size_t mostInOneLaunch = 6;
/// More streams than that are never busy.
constexpr std::size_t mostBeside = 4;

void collect(const HostNode& node, std::vector<int>& kernels) {
  if (node.kernel >= 0) kernels.push_back(node.kernel);
  for (const HostNode& child : node.children)
    collect(child, kernels);
}

/// True when the iterations of `kernel` may be taken by any threads: none waits for others of its block.
bool takesAnyThread(const KernelPlan& kernel) {
  return kernel.isSingle() || kernel.takesAnyBlock();
}

enum class BlockShape { Line, Plane, Rows, Groups };

BlockShape blockShape(const KernelPlan& kernel) {
  if (!kernel.lanes.empty()) return BlockShape::Rows;
  if (!kernel.sharedCode.empty()) return BlockShape::Groups;
  return kernel.isLine() ? BlockShape::Line : BlockShape::Plane;
}

class Arranger {
public:
  Arranger(const Facts& facts, RegionPlan& plan) : facts(facts), plan(plan) {}

  void arrange() {
    for (HostNode& node : plan.host)
      if (node.loop) findOneLaunch(node);
    findBeside(plan.host);
  }

private:
  KernelPlan& kernelOf(int k) { return plan.kernels[static_cast<std::size_t>(k)]; }

  void findOneLaunch(HostNode& node) {
    std::vector<int> inside;
    collect(node, inside);
    std::set<BlockShape> shapes;
    bool fits = inside.size() <= mostInOneLaunch && !asksLibrary(node.children);
    for (int k : inside) {
      fits = fits && !kernelOf(k).inBlocks && !kernelOf(k).scan() && !kernelOf(k).levels &&
             kernelOf(k).residents == 0 && !kernelOf(k).library;
      if (!takesAnyThread(kernelOf(k))) shapes.insert(blockShape(kernelOf(k)));
    }
    if (!fits || shapes.size() > 1) return;
    node.oneLaunch = true;
    bool isLine = shapes.empty() || *shapes.begin() == BlockShape::Line;
    for (int k : inside) {
      KernelPlan& kernel = kernelOf(k);
      kernel.inOneLaunch = true;
      kernel.anyGrid = !isLine && kernel.takesAnyBlock();
    }
  }

  /// True when a library may stand in for a loop of `nodes`.
  static bool asksLibrary(const std::vector<HostNode>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const HostNode& node) { return node.library || asksLibrary(node.children); });
  }

  void findBeside(std::vector<HostNode>& nodes) {
    std::size_t first = 0; // of those that run beside each other
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      findBeside(nodes[k].children);
      bool beside = k > first && k - first < mostBeside;
      for (std::size_t other = first; beside && other < k; ++other)
        beside = areIndependent(nodes[other], nodes[k]);
      nodes[k].beside = beside;
      if (!beside) first = k;
    }
  }

  /// True when nothing orders what the two kernels run. What lies between them in a chain of dependences
  /// would have to run between them.
  bool areIndependent(const HostNode& a, const HostNode& b) {
    if (a.kernel < 0 || b.kernel < 0) return false;
    const KernelPlan &first = kernelOf(a.kernel), &second = kernelOf(b.kernel);
    auto runs = [](const KernelPlan& kernel, int s) {
      return std::find(kernel.statements.begin(), kernel.statements.end(), s) != kernel.statements.end();
    };
    return std::none_of(
        facts.dependences.all.begin(), facts.dependences.all.end(), [&](const Dependence& dependence) {
          int source = dependence.source.statement, sink = dependence.sink.statement;
          bool between =
              (runs(first, source) && runs(second, sink)) || (runs(second, source) && runs(first, sink));
          bool isPrivate =
              first.placement[static_cast<std::size_t>(dependence.array)] == Placement::Private &&
              second.placement[static_cast<std::size_t>(dependence.array)] == Placement::Private;
          return between && !(isPrivate && dependence.kind != Dependence::Kind::Flow);
        });
  }

  const Facts& facts;
  RegionPlan& plan;
};

} // namespace

void arrangeLaunches(const Facts& facts, RegionPlan& plan) {
  Arranger(facts, plan).arrange();
}

} // namespace warploom
