// Products of tiles on tensor cores, as text. runtime/warploom_tiles.h has what the threads of a block do.
#include "emit/TreeText.h"
#include "transform/Levels.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// The product of `factors`.
ExprPtr productOf(const std::vector<ExprPtr>& factors) {
  ExprPtr result = factors.front();
  for (std::size_t k = 1; k < factors.size(); ++k)
    result = makeExpr(Expr::Kind::Binary, "*", result->type, {result, factors[k]});
  return result;
}

} // namespace

void TreeText::write(const TensorNode& tensor, TextWriter& to) {
  const TileProduct& product = tensor.product;
  const Statement& statement = scope.region.statements[static_cast<std::size_t>(product.statement)];
  auto index = [&](const std::string& loop) {
    const auto level = sourceLevel(scope.region, *findLoop(kernel.tree, loop), product.statement);
    return scope.names.of("index " + scope.region.loops[statement.loops[*level]].index);
  };
  const std::string i = index(product.rows), j = index(product.columns), k = index(product.depth);
  const LoopTree* tiles = nullptr; // over the terms
  for (const LoopTree* loop : pathTo(kernel.tree, product.depth))
    if (loop->tile) tiles = loop;
  const std::string first = scope.texts.at(tiles->tile->origin), size = scope.used.size(tiles->tile->size),
                    end = scope.rangeOf(tensor.depth).end;
  const bool isWhole =
      end == fmt::format("{} + {}", size, first) || end == fmt::format("{} + {}", first, size);
  for (const TileProduct::Term& term : product.terms) {
    ExprPtr left = productOf(term.left);
    if (term.negated) left = makeExpr(Expr::Kind::Unary, "-", left->type, {left});
    to.line("warploom::multiply<{}>({},", size, registers.nameOf(product.sum));
    to.line("    [&](Index {}, Index {}) {{ return {}; }},", i, k, scope.bodies.expr(*left, statement).text);
    to.line("    [&](Index {}, Index {}) {{ return {}; }}, {}, {}, {}{});", k, j,
            scope.bodies.expr(*productOf(term.right), statement).text,
            scope.tiles.at(kernel.body.onAxis(1)->control).origin,
            scope.tiles.at(kernel.body.onAxis(0)->control).origin, first, isWhole ? "" : ", " + end);
  }
}

} // namespace warploom
