// Shapes of actions: what is left of them when cells, and on request constants, are taken away. Units of
// equal shape run as one piece of code.
#pragma once

#include "sync/order/Actions.h"

#include <algorithm>
#include <memory_resource>
#include <string_view>
#include <unordered_map>

namespace warploom::sync {

struct SequenceHash {
  std::size_t operator()(std::span<const int> sequence) const {
    std::size_t hash = sequence.size();
    for (int element : sequence)
      hash = hash * 1099511628211u + std::size_t(element) + 0x9e3779b9u;
    return hash;
  }
};

struct ShapeOptions {
  /// Constants are parameters: actions that differ only in numbers have one shape. (Truth values stay.)
  bool constantsAsParameters = true;
  /// Operands of commutative operators are put into a canonical order first, and sums of integers are
  /// flattened.
  bool commutative = true;
};

/// Shapes, numbered as they are met: equal shapes have one number. As text they are in preorder, a cell as I
/// (input) or V with its type, a constant by value or as # with its type; no text is the beginning of
/// another.
class Shapes {
public:
  /// Of `op` on operands of these shapes.
  int node(Expr::Op op, std::span<const int> operands);
  /// Of anything else, by its text.
  int whole(std::string_view text);

  std::string_view text(int shape) const { return texts[shape]; }

private:
  struct Node {
    Expr::Op op;
    std::span<const int> operands;
    bool operator==(const Node& other) const {
      return op == other.op && std::ranges::equal(operands, other.operands);
    }
  };
  struct NodeHash {
    std::size_t operator()(const Node& node) const {
      return SequenceHash()(node.operands) * 31 + std::size_t(node.op);
    }
  };
  std::pmr::monotonic_buffer_resource memory; ///< of all below
  std::pmr::unordered_map<Node, int, NodeHash> nodes{&memory};
  std::pmr::unordered_map<std::string_view, int> wholes{&memory};
  std::vector<std::string_view> texts;
};

/// A copy of the elements that lives as long as `memory` does.
template <typename T>
std::span<const T> kept(std::span<const T> elements, std::pmr::memory_resource& memory) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (elements.empty()) return {};
  T* const own = static_cast<T*>(memory.allocate(elements.size_bytes(), alignof(T)));
  std::ranges::copy(elements, own);
  return {own, elements.size()};
}
inline std::string_view kept(std::string_view text, std::pmr::memory_resource& memory) {
  const std::span<const char> own = kept(std::span<const char>(text), memory);
  return {own.data(), own.size()};
}

/// Puts the operands in guard and value of `action` into a canonical order where the result is exactly the
/// same: integers wrap around, so their sums and products may be reordered at will; of reals only the two
/// operands of one operator. The result is the shape of the action: guard, kind of target, value.
int canonicalise(const CellSystem& system, CellAction& action, const ShapeOptions& options, Shapes& shapes);

/// A leaf that may differ between actions of one shape, in the order in which accesses are numbered: per
/// action the guard's from the left, the target, the value's from the left. For a report its number stands
/// for the target, for a memory the leaves of the address. Memories are part of the shape.
struct Leaf {
  int cell = -1; ///< -1: a constant
  bool written = false;
  ScalarType type; ///< of the constant
  Value value;     ///< of the constant
};
void appendLeaves(const CellSystem& system, const CellAction& action, const ShapeOptions& options,
                  std::vector<Leaf>& leaves);

/// The constant takes part in the shape by its value, so it is no leaf.
bool isStructural(const Expr& literal, const ShapeOptions& options);

} // namespace warploom::sync
