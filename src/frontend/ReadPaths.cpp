// Places in memory that are reached by a path that is the same in the whole region, `s->n`, `t->layers[l].w`:
// what they hold is read where the region begins.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"

#include <functional>
#include <isl/set.h>

namespace warploom {

/// True when the lvalue `place` is an element of an array, or a field of one.
static bool ofArray(const clang::Expr* place) {
  place = place->IgnoreParens();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) return ofArray(member->getBase());
  return llvm::isa<clang::ArraySubscriptExpr>(place);
}

const clang::VarDecl* RegionReader::invariantRoot(const clang::Expr* expr) const {
  expr = expr->IgnoreParenImpCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    bool changes = !variable || contents.written.count(variable) || contents.declared.count(variable) ||
                   variable->getType().isVolatileQualified();
    return changes ? nullptr : variable;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) return invariantRoot(member->getBase());
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return op->getOpcode() == clang::UO_Deref ? invariantRoot(op->getSubExpr()) : nullptr;
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
    return isFixedIndex(subscript->getIdx()) ? invariantRoot(subscript->getBase()) : nullptr;
  return nullptr;
}

bool RegionReader::isFixedIndex(const clang::Expr* index) const {
  if (constantOf(index, input.context)) return true;
  if (branches > 0 || maybe > 0 || mayNotRun > 0 || !guards.empty() || inlineGuard) return false;
  index = index->IgnoreParenImpCasts();
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index))
    return sum->isAdditiveOp() && isFixedIndex(sum->getLHS()) && isFixedIndex(sum->getRHS());
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(index);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && invariantRoot(index) && variable->hasLocalStorage() &&
         variable->getType()->isIntegralOrEnumerationType() && !input.aliasing.isAddressTaken(variable) &&
         !loopOfIndex.count(variable) && !input.inlined.texts.count(variable) &&
         !input.inlined.variables.count(variable);
}

std::string RegionReader::fixedIndexText(const clang::Expr* index) const {
  if (auto constant = constantOf(index, input.context)) return std::to_string(*constant);
  index = index->IgnoreParenImpCasts();
  // Names, not the text: where a call has been inlined, that is the call's.
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index);
  if (!sum) return input.inlined.nameOf(namedVariable(index));
  const std::string right = fixedIndexText(sum->getRHS());
  const bool isPart =
      llvm::isa<clang::BinaryOperator>(sum->getRHS()->IgnoreParenImpCasts()) || right.starts_with("-");
  return fixedIndexText(sum->getLHS()) + (sum->getOpcode() == clang::BO_Add ? " + " : " - ") +
         (isPart ? "(" + right + ")" : right);
}

/// The pointers that reading `place` goes through, as `text` writes them, outer ones first.
static void addPointersOn(const clang::Expr* place,
                          const std::function<std::string(const clang::Expr*)>& text,
                          std::vector<std::string>& pointers) {
  place = place->IgnoreParenImpCasts();
  const clang::Expr* base = nullptr;
  bool isPointer = false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    base = member->getBase();
    isPointer = member->isArrow();
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    base = subscript->getBase();
    isPointer = true;
  } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place);
             op && (op->getOpcode() == clang::UO_Deref || op->getOpcode() == clang::UO_AddrOf)) {
    base = op->getSubExpr();
    isPointer = op->getOpcode() == clang::UO_Deref;
  }
  if (!base) return;
  addPointersOn(base, text, pointers);
  base = base->IgnoreParenImpCasts();
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(base);
  if (isPointer && base->getType()->isPointerType() && !(op && op->getOpcode() == clang::UO_AddrOf))
    pointers.push_back(text(base));
}

void RegionReader::noteThrough(const std::string& read, const clang::Expr* place) {
  std::vector<std::string> pointers;
  addPointersOn(place, [&](const clang::Expr* one) { return pathText(one); }, pointers);
  if (!pointers.empty()) region.through[read] = std::move(pointers);
}

std::string RegionReader::pathText(const clang::Expr* place) const {
  place = place->IgnoreParenImpCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const clang::VarDecl* variable = namedVariable(place);
    return variable ? input.inlined.nameOf(variable) : reference->getDecl()->getNameAsString();
  }
  auto operand = [&](const clang::Expr* expr) {
    std::string text = pathText(expr);
    return text.starts_with("*") ? "(" + text + ")" : text;
  };
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    std::string name = member->getMemberDecl()->getNameAsString();
    // What has no name of its own is not named.
    while (const auto* part = llvm::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParenImpCasts())) {
      if (!part->getMemberDecl()->getNameAsString().empty()) break;
      member = part;
    }
    const clang::Expr* base = member->getBase()->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::UnaryOperator>(base);
    if (member->isArrow() && op && op->getOpcode() == clang::UO_AddrOf)
      return operand(op->getSubExpr()) + "." + name;
    if (!member->isArrow() && op && op->getOpcode() == clang::UO_Deref)
      return operand(op->getSubExpr()) + "->" + name;
    return operand(base) + (member->isArrow() ? "->" : ".") + name;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place)) {
    if (op->getOpcode() == clang::UO_Deref) return "*" + pathText(op->getSubExpr());
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
    if (isFixedIndex(subscript->getIdx()))
      return operand(subscript->getBase()) + "[" + fixedIndexText(subscript->getIdx()) + "]";
  return textOf(place);
}

namespace {

/// The lvalue that `place` is a part of: what the last pointer on its way points to, or a variable. Of what
/// an arrow leads to, which has no expression of its own, the field that it names.
const clang::Expr* wholeOf(const clang::Expr* place, const clang::FieldDecl** field = nullptr) {
  while (true) {
    place = place->IgnoreParenImpCasts();
    const clang::Expr* base = nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      base = member->isArrow() ? nullptr : member->getBase();
      if (field) *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      base = subscript->getBase()->IgnoreParenImpCasts();
    }
    if (!base || base->getType()->isPointerType()) return place;
    place = base;
  }
}

/// The pointer through which `whole`, of wholeOf, is reached; null for a variable.
const clang::Expr* pointerTo(const clang::Expr* whole) {
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(whole)) return member->getBase();
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(whole)) return subscript->getBase();
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(whole);
  return op && op->getOpcode() == clang::UO_Deref ? op->getSubExpr() : nullptr;
}

/// The variable where the way to `place` begins, null when it begins elsewhere, and how many pointers are on
/// the way.
std::pair<const clang::VarDecl*, int> originOf(const clang::Expr* place) {
  for (int pointers = 0;; ++pointers) {
    const clang::Expr* whole = wholeOf(place);
    place = pointerTo(whole);
    if (!place) return {storageOf(whole), pointers};
  }
}

/// What `place` is a part of, as in wholeOf: its type, or that of an element; and the field of it.
struct Part {
  explicit Part(const clang::Expr* place) : whole(wholeOf(place, &field)) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(whole);
    type = member ? member->getBase()->getType()->getPointeeType() : whole->getType();
    while (const auto* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
  }
  const clang::FieldDecl* field = nullptr;
  const clang::Expr* whole;
  clang::QualType type;
};

} // namespace

RegionReader::Change RegionReader::changeBy(const clang::Expr* target, const clang::Expr* place) const {
  const clang::VarDecl *own = storageOf(target), *ownPlace = storageOf(place);
  if (own && ownPlace) return own == ownPlace ? Change::Yes : Change::No;
  const auto [root, pointers] = originOf(place);
  if (const clang::VarDecl* only = restrictOf(target);
      only && root && root != only && !input.aliasing.haveOneOrigin(root, only))
    return Change::No;
  const Part one(target), other(place);
  if (one.field && other.field && one.field != other.field &&
      one.field->getParent() == other.field->getParent() && !sharesStorage(one.field) &&
      !sharesStorage(other.field) && !TypesOfMemory::loose())
    return Change::No; // two structs are one, or lie apart
  if (!mayHold(typeOfMemory(target), place->getType()) && !mayHold(typeOfMemory(place), target->getType()))
    return !own && target->getType()->isCharType() ? Change::Elsewhere : Change::No;
  // Pointers are read to find out where other things are.
  if (target->getType()->isPointerType() && place->getType()->isPointerType()) return Change::Yes;
  if (one.type->isRecordType() && other.type->isRecordType() &&
      (mayHold(one.type, other.type) || mayHold(other.type, one.type)))
    return Change::Yes;
  const clang::Expr *way = pointerTo(one.whole), *wayThere = pointerTo(other.whole);
  if (way && wayThere && pathText(way) == pathText(wayThere)) return Change::Yes;
  const auto [from, steps] = originOf(target);
  const bool isKnown = root && from && pointers <= 1 && steps <= 1;
  return isKnown && input.aliasing.haveOneOrigin(root, from) ? Change::Yes : Change::Elsewhere;
}

RegionReader::Change RegionReader::changeOf(const clang::Expr* place, const Contents& inside) const {
  if (!inside.unknownCalls.empty()) return Change::Yes;
  auto inMemory = [&](const clang::VarDecl* variable) {
    return !variable->hasLocalStorage() || input.aliasing.isAddressTaken(variable);
  };
  place = place->IgnoreParenImpCasts();
  const clang::VarDecl* own = storageOf(place);
  if (own) {
    if (inside.written.count(own)) return Change::Yes;
    // An array becomes a pointer wherever it is named.
    if (!inMemory(own) && !ofArray(place)) return Change::No;
  }
  Change change = Change::No;
  for (const clang::Expr* target : inside.writtenPlaces)
    change = std::max(change, changeBy(target, place));
  const auto [root, pointers] = originOf(place);
  for (const clang::VarDecl* written : inside.written) {
    if (own || !inMemory(written) || !shareMemory(written->getType(), place->getType())) continue;
    const bool isSame = root && pointers == 1 && input.aliasing.haveOneOrigin(root, written);
    change = std::max(change, isSame || place->getType()->isPointerType() ? Change::Yes : Change::Elsewhere);
  }
  if (change == Change::Yes) return change;
  // The pointer on the way may change, too.
  const clang::Expr* pointer = pointerTo(wholeOf(place));
  const bool isRead = pointer && !llvm::isa<clang::DeclRefExpr>(pointer->IgnoreParenImpCasts());
  return isRead ? std::max(changeOf(pointer, inside), change) : change;
}

bool RegionReader::changes(const clang::Expr* place, const Contents& inside) {
  Change change = changeOf(place, inside);
  if (change == Change::Elsewhere) takeAsFixed(place);
  return change == Change::Yes;
}

void RegionReader::takeAsFixed(const clang::Expr* place) {
  place = place->IgnoreParenImpCasts();
  bool hasAddress = invariantRoot(place) != nullptr && !place->refersToBitField();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || (variable->hasLocalStorage() && !input.aliasing.isAddressTaken(variable))) return;
    hasAddress = variable->getStorageClass() != clang::SC_Register;
  }
  const auto [root, pointers] = originOf(place);
  if (!takenAsFixed.emplace(pathText(place), Fixed{hasAddress, place->getType(), root, pointers}).second)
    return;
  noteThrough(pathText(place), place);
  // Pointers on the way are read from memory, too.
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    const clang::Expr* base = member->getBase()->IgnoreParenImpCasts();
    while (const auto* part = llvm::dyn_cast<clang::MemberExpr>(base)) {
      if (member->isArrow()) break;
      member = part;
      base = part->getBase()->IgnoreParenImpCasts();
    }
    if (member->isArrow()) takeAsFixed(base);
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
    if (base->getType()->isPointerType()) takeAsFixed(base);
  } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place)) {
    takeAsFixed(op->getSubExpr());
  }
}

RegionReader::Value RegionReader::parameterPath(const clang::Expr* expr) {
  Value none{std::nullopt, "`" + textOf(expr) + "` is read from memory"};
  // An int in memory is a symbolic size when nothing in the region can change it.
  if (!invariantRoot(expr) || changes(expr, contents)) return none;
  std::string text = pathText(expr);
  if (pathParameters.insert(text).second) {
    region.parameters.push_back({text, text, modelType(input.context, expr->getType())});
    noteThrough(text, expr);
  }
  if (expr->getType()->isUnsignedIntegerType())
    region.context = region.context.intersect(parameter(text).ge_set(constant(0)));
  return {Polynomial::parameter(text, true), ""};
}

} // namespace warploom
