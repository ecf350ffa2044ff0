// Pointers that are kept in memory: `s->data`, which is the same in the whole region, and tables of them,
// `rows[i]` and `layers[l].w`, which lead to rows.
#include "frontend/RegionReader.h"
#include "frontend/TreeRewrite.h"

#include <algorithm>

namespace warploom {

namespace {

/// The way of `reach` from its base on, with `indices` as the subscripts, in the text of C or as a path.
std::string stepsText(const Reach& reach, const std::vector<std::string>& indices, bool isPath) {
  auto next = indices.begin();
  auto subscripts = [&](std::size_t count) {
    std::string text;
    for (; count > 0; --count)
      text += "[" + *next++ + "]";
    return text;
  };
  std::string text = subscripts(reach.steps.empty() ? reach.subscripts.size() : reach.outerRank);
  for (const FieldStep& step : reach.steps)
    text += (isPath ? "." + step.field : step.text) + subscripts(static_cast<std::size_t>(step.rank));
  return text;
}

/// The C text of what `reach` leads to, with `indices` as the subscripts.
std::string placeText(const Reach& reach, const std::vector<std::string>& indices) {
  const std::string text = stepsText(reach, indices, false), first = "[0].";
  return reach.base + (text.starts_with(first) ? "->" + text.substr(first.size()) : text);
}

/// The path of `reach` without the fields since its last pointer.
std::string outerPath(const Reach& reach) {
  std::size_t length = reach.path.size();
  for (const FieldStep& step : reach.steps)
    length -= 1 + step.field.size();
  return reach.path.substr(0, length);
}

/// Notes for the subscripts from `first` to `end` of `reach`, of an array of `element`s, how far apart what
/// they lead to is; false where no number says.
bool stride(const Reach& reach, std::size_t first, std::size_t end, clang::QualType element,
            const clang::ASTContext& context, std::vector<TableStep>& steps) {
  if (element->isIncompleteType() || !element->isConstantSizeType()) return false;
  long apart = context.getTypeSizeInChars(element).getQuantity();
  for (std::size_t k = end; k-- > first;) {
    const auto count = reach.extents[k] ? reach.extents[k]->asConstant() : std::nullopt;
    steps[k] = {apart, 0, false, count.value_or(0)};
    if (k == first) break;
    if (!count || __builtin_mul_overflow(apart, *count, &apart)) return false;
  }
  return true;
}

} // namespace

bool RegionReader::followTable(Reach& reach, clang::QualType pointer, const clang::ASTContext& context) {
  const std::size_t first = reach.tables.size(), all = reach.subscripts.size();
  if (reach.base.empty() == reach.table.empty() || all <= first) return false;
  std::vector<TableStep> steps(all, TableStep());
  std::copy(reach.tables.begin(), reach.tables.end(), steps.begin());
  std::size_t next = reach.steps.empty() ? all : reach.outerRank;
  if (!stride(reach, first, next, reach.steps.empty() ? pointer : reach.outer, context, steps)) return false;
  long at = 0;
  for (const FieldStep& step : reach.steps) {
    const std::size_t end = next + static_cast<std::size_t>(step.rank);
    if (!stride(reach, next, end, step.element, context, steps)) return false;
    at += step.offset;
    next = end;
  }
  steps[first].at = at;
  steps.back().follows = true;
  if (reach.table.empty()) {
    const bool isAddress = reach.pointee || reach.root->getType()->isArrayType();
    reach.table = isAddress ? reach.base : "&" + reach.base;
  }
  reach.tables = std::move(steps);
  return true;
}

bool RegionReader::isAloneLarge() const {
  std::vector<const clang::ForStmt*> around = codeLoops;
  for (int loop : loops)
    if (const auto id = static_cast<std::size_t>(loop); id < sourceLoops.size())
      around.push_back(sourceLoops[id]);
  int unknown = 0;
  for (const clang::ForStmt* loop : around) {
    const clang::Expr* condition = loop->getCond();
    if (!condition) continue;
    const bool asksMemory = anyPart(condition, [&](const clang::Stmt* part) {
      const auto* place = llvm::dyn_cast<clang::Expr>(part);
      return place && llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(place) && !invariantRoot(place);
    });
    const bool isProduct = anyPart(condition, [](const clang::Stmt* part) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part);
      return op && op->getOpcode() == clang::BO_Mul;
    });
    if (asksMemory) unknown += isProduct ? 2 : 1;
  }
  return unknown >= 2;
}

Reach RegionReader::reachKept(const clang::Expr* pointer, const clang::Expr* place) {
  const Change change = changeOf(pointer, contents);
  if (change == Change::Yes) return Reach::nowhere("`" + textOf(pointer) + "` may change in the region");
  Reach reach = reachLvalue(place);
  if (!reach.root) return reach;
  if (!reach.pointee && (contents.written.count(reach.root) || contents.declared.count(reach.root)))
    return Reach::nowhere("`" + textOf(pointer) + "` may change in the region");
  // `a[0]` is a row among others, `*a` and `s->data` are alone; so is `s[k].data` where `k` is fixed.
  std::vector<std::string> indices;
  const bool isField = llvm::isa<clang::MemberExpr>(place) && !reach.base.empty();
  for (std::size_t k = 0; k < reach.subscripts.size(); ++k) {
    const auto constant = reach.subscripts[k] ? reach.subscripts[k]->asConstant() : std::nullopt;
    const clang::Expr* index = reach.indices[k].index;
    if (constant && (isField || *constant == 0))
      indices.push_back(std::to_string(*constant));
    else if (isField && index && isFixedIndex(index))
      indices.push_back(fixedIndexText(index));
  }
  const bool isFixed = indices.size() == reach.subscripts.size();
  const bool rows = !isFixed || llvm::isa<clang::ArraySubscriptExpr>(place) || !reach.tables.empty();
  if (rows && !reach.steps.empty() && isAloneLarge())
    return Reach::nowhere(
        "`" + textOf(pointer) +
        "` has loops of its own, whose bounds only its struct tells: these are better alone");
  if (!rows || !followTable(reach, pointer->getType(), input.context)) {
    reach.table.clear();
    reach.tables.clear();
  }
  if (change == Change::Elsewhere) {
    if (reach.table.empty())
      takeAsFixed(pointer);
    else if (!contents.mayWrite(pointer->getType()))
      reach.bytesMayChangeTable = true;
    else
      return Reach::nowhere("`" + textOf(pointer) + "` may change in the region");
  }
  if (reach.pointee && !reach.base.empty()) reach.through.push_back(reach.base);
  if (!rows && std::any_of(indices.begin(), indices.end(), [](const std::string& one) { return one != "0"; }))
    reach.path = outerPath(reach) + stepsText(reach, indices, true);
  reach.base = rows || reach.base.empty() ? "" : placeText(reach, indices);
  reach.steps.clear();
  if (!rows) {
    reach.subscripts.clear();
    reach.indices.clear();
    reach.extents.clear();
    reach.extentTexts.clear();
    reach.loose.clear();
  }
  reach.rowsArePointers |= rows;
  reach.path += rows ? "[]" : "->";
  reach.pointee = true;
  return reach.first();
}

} // namespace warploom
