#include "sync/order/Graph.h"

#include <algorithm>

namespace warploom::sync {

std::vector<int> longestPaths(const Graph& graph, const std::vector<char>& weights) {
  const int count = int(graph.successors.size());
  std::vector<int> missing(count, 0), result(count, 0), ready;
  for (const std::vector<int>& list : graph.successors)
    for (int to : list)
      ++missing[to];
  for (int node = 0; node < count; ++node)
    if (missing[node] == 0) ready.push_back(node);
  std::vector<char> done(count, false);
  while (!ready.empty()) {
    const int node = ready.back();
    ready.pop_back();
    done[node] = true;
    for (int to : graph.successors[node]) {
      result[to] = std::max(result[to], result[node] + weights[node]);
      if (--missing[to] == 0) ready.push_back(to);
    }
  }
  for (int node = 0; node < count; ++node)
    if (!done[node]) result[node] = -1;
  return result;
}

// Tarjan's algorithm, without recursion.
std::vector<std::vector<int>> cyclicComponents(const Graph& graph) {
  const int count = int(graph.successors.size());
  std::vector<int> index(count, -1), low(count, 0), stack;
  std::vector<char> onStack(count, false);
  std::vector<std::pair<int, std::size_t>> calls;
  std::vector<std::vector<int>> result;
  int next = 0;
  for (int root = 0; root < count; ++root) {
    if (index[root] >= 0) continue;
    calls.emplace_back(root, 0);
    while (!calls.empty()) {
      auto& [node, position] = calls.back();
      if (position == 0) {
        index[node] = low[node] = next++;
        stack.push_back(node);
        onStack[node] = true;
      }
      if (position < graph.successors[node].size()) {
        const int to = graph.successors[node][position++];
        if (index[to] < 0)
          calls.emplace_back(to, 0);
        else if (onStack[to])
          low[node] = std::min(low[node], index[to]);
        continue;
      }
      const int finished = node;
      calls.pop_back();
      if (!calls.empty()) low[calls.back().first] = std::min(low[calls.back().first], low[finished]);
      if (low[finished] != index[finished]) continue;
      std::vector<int> component;
      int member = -1;
      do {
        member = stack.back();
        stack.pop_back();
        onStack[member] = false;
        component.push_back(member);
      } while (member != finished);
      const auto& own = graph.successors[finished];
      if (component.size() > 1 || std::find(own.begin(), own.end(), finished) != own.end())
        result.push_back(std::move(component));
    }
  }
  return result;
}

} // namespace warploom::sync
