// The iterations of a `for` loop as a set.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

namespace warploom {

namespace {

/// True when `expr` loads, other than from a plain variable, from a place that `is` so.
bool loadsAny(const clang::Stmt* expr, const std::function<bool(const clang::Expr*)>& is) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_LValueToRValue)
    if (!namedVariable(cast->getSubExpr()) && is(cast->getSubExpr())) return true;
  return std::any_of(expr->child_begin(), expr->child_end(),
                     [&](const clang::Stmt* child) { return child && loadsAny(child, is); });
}

} // namespace

bool RegionReader::readsState(const clang::Expr* expr) const {
  if (llvm::isa<clang::ArraySubscriptExpr>(expr) || llvm::isa<clang::MemberExpr>(expr) ||
      llvm::isa<clang::CallExpr>(expr))
    return true;
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->getOpcode() == clang::UO_Deref)
    return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable && !loopOfIndex.count(variable) && contents.written.count(variable);
  }
  return std::any_of(expr->child_begin(), expr->child_end(), [&](const clang::Stmt* child) {
    const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
    return part && readsState(part);
  });
}

bool RegionReader::endsByIndex(const clang::Expr* condition, const Header& header, const Contents& body) {
  // The index against something that stays the same while the loop runs.
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!test || !test->isRelationalOp()) return false;
  bool left = namedVariable(test->getLHS()) == header.index,
       right = namedVariable(test->getRHS()) == header.index;
  if (left == right) return false;
  const clang::Expr* limit = left ? test->getRHS() : test->getLHS();
  Contents of = contentsOf(limit, input.summaries);
  if (!of.unknownCalls.empty() || !body.unknownCalls.empty()) return false;
  for (const clang::VarDecl* variable : of.referenced)
    if (variable == header.index || body.written.count(variable)) return false;
  // What is not the same in the whole region is an access, which has conditions of its own.
  return !loadsAny(limit, [&](const clang::Expr* place) {
    return invariantRoot(place) ? changes(place, body) : changeOf(place, body) == Change::Yes;
  });
}

RegionReader::Bounds RegionReader::boundsOf(const Header& header, const Contents& body, Value first,
                                            const std::string& indexName) {
  Bounds bounds;
  bounds.inside = domain;
  auto inexact = [&](const std::string& why, const clang::Expr* bound) {
    if (bounds.inexact.empty()) bounds.inexact = why;
    if (bound && readsState(bound)) bounds.evaluated.push_back(bound);
  };
  isl::pw_aff index = parameter(indexName);
  Polynomial indexValue = Polynomial::parameter(indexName, false);

  if (first.polynomial && header.countsInCondition)
    first.polynomial = *first.polynomial - Polynomial::constant(1);
  auto firstAffine = first.polynomial ? first.polynomial->asAffine() : std::nullopt;
  if (!firstAffine)
    inexact(first.why.empty() ? "the first value of the index is not affine" : first.why, header.first);
  bounds.first = first.polynomial;
  if (header.step == 0) inexact("the step of the loop is not a constant", nullptr);
  if (firstAffine && header.step != 0) {
    bounds.inside =
        bounds.inside.intersect(header.ascending ? index.ge_set(*firstAffine) : index.le_set(*firstAffine));
    if (std::abs(header.step) > 1) {
      isl::val step = isl::val(islContext(), std::abs(header.step));
      bounds.inside = bounds.inside.intersect(index.sub(*firstAffine).mod(step).eq_set(constant(0)));
    }
  }

  isl::set outside = domain;
  domain = bounds.inside;
  loopOfIndex[header.index] = std::stoi(indexName.substr(1));
  std::optional<isl::pw_aff> beyond; // the first value, in the direction of the loop, that is out of bounds
  bool allBeyond = true;
  for (const clang::Expr* condition : header.conditions) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
    std::optional<Polynomial> difference;
    if (test && test->isComparisonOp() && header.isPointer) {
      difference = distanceOf(test->getLHS(), test->getRHS());
      if (!difference)
        inexact("`" + textOf(condition) + "` compares what may be in different arrays", nullptr);
    } else if (test && test->isComparisonOp() && test->getLHS()->getType()->isIntegralOrEnumerationType()) {
      Value left, right;
      if (header.countsInCondition) {
        // The comparison sees the value before the step, the body the one after it.
        left = {indexValue + Polynomial::constant(1), ""};
        right = unwrapped(test->getRHS(), valueOf(test->getRHS()));
      } else {
        left = unwrapped(test->getLHS(), valueOf(test->getLHS()));
        right = unwrapped(test->getRHS(), valueOf(test->getRHS()));
      }
      if (left.polynomial && right.polynomial)
        difference = *left.polynomial - *right.polynomial;
      else
        inexact(left.polynomial ? right.why : left.why, condition);
    } else {
      inexact("`" + textOf(condition) + "` is not a comparison", condition);
    }
    if (!difference) {
      if (!endsByIndex(condition, header, body))
        bounds.uncountable = fmt::format("`{}` decides only while the loop runs when it ends (line {})",
                                         textOf(condition), rangeOf(condition).line);
      allBeyond = false;
      continue;
    }
    auto affine = difference->asAffine();
    auto coefficient = difference->monomials().find({indexName});
    long slope = coefficient == difference->monomials().end() ? 0 : coefficient->second;
    if (!affine) {
      inexact("`" + textOf(condition) + "` is not affine", condition);
      allBeyond = false;
      continue;
    }
    // difference REL 0, with difference = slope * index + rest.
    Polynomial rest = *difference - indexValue * Polynomial::constant(slope);
    clang::BinaryOperatorKind relation = test->getOpcode();
    isl::pw_aff zero = constant(0);
    bool upward = (slope > 0) == header.ascending; // the difference grows as the loop goes on
    bool monotone = slope != 0 && !rest.involves(indexName);
    std::optional<isl::set> holds;
    long strict = 0; // 1: equality still holds, so the bound lies one further
    switch (relation) {
    case clang::BO_LT:
      monotone &= upward, holds = affine->lt_set(zero);
      break;
    case clang::BO_LE:
      monotone &= upward, holds = affine->le_set(zero), strict = 1;
      break;
    case clang::BO_GT:
      monotone &= !upward, holds = affine->gt_set(zero);
      break;
    case clang::BO_GE:
      monotone &= !upward, holds = affine->ge_set(zero), strict = 1;
      break;
    case clang::BO_NE: {
      // Counting up to a value ends there, if the value is met: it is not passed by.
      if (std::abs(slope) != 1 || header.step == 0 || !firstAffine) {
        monotone = false;
        break;
      }
      holds = upward ? affine->lt_set(zero) : affine->gt_set(zero);
      auto restAffine = rest.asAffine();
      isl::pw_aff target = slope > 0 ? restAffine->neg() : *restAffine;
      isl::pw_aff distance = header.ascending ? target.sub(*firstAffine) : firstAffine->sub(target);
      isl::set missed = distance.lt_set(zero);
      if (std::abs(header.step) > 1)
        missed = missed.unite(distance.mod(isl::val(islContext(), std::abs(header.step))).ne_set(zero));
      domain = outside;
      bool canHold = assume(Condition::Kind::NoWrap, missed, rangeOf(condition));
      domain = bounds.inside;
      if (!canHold) monotone = false;
      break;
    }
    default:
      monotone = false;
      break;
    }
    if (!holds || slope == 0) {
      // A condition without the index, or `==`: only the first failure ends the loop.
      if (auto set = conditionOf(condition)) bounds.inside = bounds.inside.intersect(*set);
      if (slope != 0 || !holds || !difference->involves(indexName))
        inexact("`" + textOf(condition) + "` is not a bound of the index", nullptr);
      allBeyond = false;
      continue;
    }
    if (!monotone)
      inexact("`" + textOf(condition) + "` does not bound the index in the loop's direction", nullptr);
    bounds.inside = bounds.inside.intersect(*holds);
    auto restAffine = rest.asAffine();
    if (!monotone || std::abs(slope) != 1 || !restAffine) {
      allBeyond = false;
      continue;
    }
    isl::pw_aff limit = slope > 0 ? restAffine->neg() : *restAffine;
    limit = header.ascending ? limit.add(constant(strict)) : limit.sub(constant(strict));
    if (!beyond)
      beyond = limit;
    else
      beyond = header.ascending ? beyond->min(limit) : beyond->max(limit);
  }
  loopOfIndex.erase(header.index);
  domain = outside;
  bounds.inside = bounds.inside.coalesce();
  if (allBeyond && beyond && firstAffine && header.step != 0) {
    isl::pw_aff span = header.ascending ? beyond->sub(*firstAffine) : firstAffine->sub(*beyond);
    isl::pw_aff trips = span.div(constant(std::abs(header.step))).ceil();
    bounds.trips = trips.max(constant(0)).coalesce();
    // Without the clamp where the context of the loop shows that it is not needed.
    if (span.lt_set(constant(0)).intersect(domain).intersect(region.context).is_empty()) bounds.trips = trips;
  }
  return bounds;
}

} // namespace warploom
