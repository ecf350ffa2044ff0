#include "model/Code.h"

namespace warploom {

void forEachExpr(const Code& code, const std::function<void(const Expr&)>& visit) {
  if (code.value) visit(*code.value);
  for (const ExprPtr& step : code.steps)
    visit(*step);
  for (const CodePtr& child : code.children)
    forEachExpr(*child, visit);
}

CodePtr withExprs(const Code& code, const std::function<ExprPtr(const ExprPtr&)>& change) {
  auto changed = std::make_shared<Code>(code);
  if (changed->value) changed->value = change(changed->value);
  for (ExprPtr& step : changed->steps)
    step = change(step);
  for (CodePtr& child : changed->children)
    child = withExprs(*child, change);
  return changed;
}

} // namespace warploom
