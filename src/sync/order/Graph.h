// Directed graphs: longest paths, cycles, and connected sets.
#pragma once

#include <numeric>
#include <vector>

namespace warploom::sync {

/// A directed graph whose nodes have weight 0 or 1.
struct Graph {
  explicit Graph(std::size_t nodes) : successors(nodes) {}
  std::vector<std::vector<int>> successors;

  void add(int from, int to) { successors[from].push_back(to); }
  int addNode() {
    successors.emplace_back();
    return int(successors.size()) - 1;
  }
};

/// Per node, the weight of the heaviest path that ends before it; -1 for nodes on or behind a cycle.
std::vector<int> longestPaths(const Graph& graph, const std::vector<char>& weights);

/// The strongly connected components with more than one node or an edge to itself.
std::vector<std::vector<int>> cyclicComponents(const Graph& graph);

/// Disjoint sets of 0..count-1.
class UnionFind {
public:
  explicit UnionFind(int count) : parents(count) { std::iota(parents.begin(), parents.end(), 0); }
  int find(int x) {
    while (parents[x] != x)
      x = parents[x] = parents[parents[x]];
    return x;
  }
  void unite(int a, int b) { parents[find(a)] = find(b); }

private:
  std::vector<int> parents;
};

} // namespace warploom::sync
