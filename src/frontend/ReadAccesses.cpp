// Places in memory: which object an lvalue lies in, and with which subscripts.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <isl/aff.h>

namespace warploom {

namespace {

bool sameType(clang::QualType a, clang::QualType b) {
  return a.getCanonicalType().getUnqualifiedType() == b.getCanonicalType().getUnqualifiedType();
}

/// `element` with array dimensions stripped.
clang::QualType scalarElement(const clang::ASTContext& context, clang::QualType type) {
  while (const clang::ArrayType* array = context.getAsArrayType(type))
    type = array->getElementType();
  return type;
}

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

/// The end of the path to what the members of a union, or the bit-fields of a struct, have in common.
constexpr const char* sharedPath = ".<union>";

/// The pointer that `reach` is may be moved out of the row that it points into.
void loosen(Reach& reach) {
  if (reach.root && (reach.subscripts.size() > 1 || !reach.steps.empty()))
    reach.loose.insert(reach.subscripts.size() - 1);
}

Reach nowhere(const std::string& why) {
  Reach reach;
  reach.why = why;
  return reach;
}

} // namespace

void RegionReader::addOffset(Reach& reach, const clang::Expr* offset) {
  if (reach.isStart) loosen(reach);
  auto& last = reach.subscripts.back();
  WrittenSubscript& written = reach.indices.back();
  const Value value = unwrapped(offset, valueOf(offset));
  if (!value.polynomial) reach.why = value.why;
  if (last && value.polynomial) {
    last = *last + *value.polynomial;
    return;
  }
  if (last) written = {nullptr, *last, {}};
  last = std::nullopt;
  if (!written.rest) return;
  const clang::Expr* inner = offset->IgnoreParenImpCasts();
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(inner);
  if (value.polynomial) {
    written.rest = *written.rest + *value.polynomial;
  } else if (sum && sum->getOpcode() == clang::BO_Add && sum->getType()->isSignedIntegerType()) {
    addOffset(reach, sum->getLHS());
    addOffset(reach, sum->getRHS());
  } else {
    written.others.push_back(offset);
  }
}

Reach RegionReader::reachLvalue(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    Reach reach;
    reach.root = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!reach.root) reach.why = "`" + textOf(expr) + "` is not a variable";
    if (reach.root) reach.base = reach.root->getNameAsString();
    return reach;
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    Reach reach = reachPointer(subscript->getBase());
    if (!reach.root) return reach;
    const clang::Expr* index = subscript->getIdx();
    const auto& last = reach.subscripts.back();
    bool fromStart = last && last->asConstant() == 0;
    addOffset(reach, index);
    reach.indices.back().index = fromStart ? index : nullptr;
    return reach;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->getOpcode() == clang::UO_Deref)
    return reachPointer(op->getSubExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    Reach reach = member->isArrow() ? reachPointer(member->getBase()) : reachLvalue(member->getBase());
    if (!reach.root) return reach;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field) return nowhere("`" + textOf(expr) + "` is not a field");
    bool shared = sharesStorage(field) && contents.sharing[field->getParent()].size() > 1;
    if (reach.path.ends_with(sharedPath)) {
      reach.partial = true;
      return reach;
    }
    if (shared) {
      // Members of a union share storage; which elements meet depends on their types. One member alone is a
      // field. The same for bit-fields, which are written together with their neighbours.
      for (auto& subscript : reach.subscripts)
        subscript = std::nullopt;
      reach.path += sharedPath;
      reach.base.clear();
      clang::QualType whole = input.context.getRecordType(field->getParent());
      reach.partial = field->isBitField() ||
                      input.context.getTypeSize(field->getType()) != input.context.getTypeSize(whole);
      reach.why =
          "`" + textOf(expr) + (field->isBitField() ? "` is a bit-field" : "` is a member of a union");
      return reach;
    }
    reach.path += "." + fieldName(field);
    if (reach.steps.empty()) {
      reach.outerRank = reach.subscripts.size();
      reach.outer = input.context.getRecordType(field->getParent());
    }
    std::string text = field->getNameAsString();
    reach.steps.push_back({fieldName(field), text.empty() ? "" : "." + text, 0,
                           scalarElement(input.context, field->getType())});
    return reach;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr); cast && cast->getCastKind() == clang::CK_NoOp)
    return reachLvalue(cast->getSubExpr());
  return nowhere("`" + textOf(expr) + "` is not a place that can be followed");
}

std::pair<std::optional<Polynomial>, std::string> RegionReader::extentOf(clang::QualType type) {
  if (const auto* fixed = input.context.getAsConstantArrayType(type)) {
    const auto size = static_cast<long>(fixed->getSize().getZExtValue());
    return {Polynomial::constant(size), std::to_string(size)};
  }
  const auto* variable = input.context.getAsVariableArrayType(type);
  if (!variable || !variable->getSizeExpr()) return {};
  return {valueOf(variable->getSizeExpr()).polynomial, textOf(variable->getSizeExpr())};
}

Reach RegionReader::reachPointer(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  auto enter = [&](Reach reach, std::optional<Polynomial> extent, const std::string& text) {
    reach.subscripts.emplace_back(Polynomial::constant(0));
    reach.indices.emplace_back();
    reach.extents.push_back(std::move(extent));
    reach.extentTexts.push_back(text);
    if (!reach.steps.empty()) ++reach.steps.back().rank;
    reach.isStart = false;
    return reach;
  };
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr* inner = cast->getSubExpr();
    switch (cast->getCastKind()) {
    case clang::CK_ArrayToPointerDecay: {
      Reach reach = reachLvalue(inner);
      if (!reach.root) return reach;
      bool isShared = reach.path.ends_with(sharedPath);
      auto [extent, text] = extentOf(inner->getType());
      Reach entered = enter(std::move(reach), extent, text);
      if (isShared) entered.subscripts.back() = std::nullopt;
      return entered;
    }
    case clang::CK_NoOp: {
      Reach reach = reachPointer(inner);
      if (llvm::isa<clang::ExplicitCastExpr>(cast)) loosen(reach);
      return reach;
    }
    case clang::CK_BitCast: {
      // `(double*)m` of a matrix leads to its first element, and from there to all of them.
      clang::QualType from = inner->getType()->getPointeeType(), to = expr->getType()->getPointeeType();
      if (!sameType(from, to) && !sameType(scalarElement(input.context, from), to))
        return nowhere("`" + textOf(expr) + "` changes the type of a pointer");
      Reach reach = reachPointer(inner);
      while (reach.root && !sameType(from, to)) {
        auto [extent, text] = extentOf(from);
        reach = enter(std::move(reach), extent, text);
        from = input.context.getAsArrayType(from)->getElementType();
        reach.isStart = true;
      }
      return reach;
    }
    case clang::CK_LValueToRValue:
      break;
    default:
      return nowhere("`" + textOf(expr) + "` is not a pointer that can be followed");
    }
    inner = inner->IgnoreParens();
    if (inner->getType().isVolatileQualified()) return nowhere("`" + textOf(inner) + "` is volatile");
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable) return nowhere("`" + textOf(expr) + "` is not a variable");
      if (auto known = environment.find(variable); known != environment.end() && known->second.pointer) {
        Reach reach = *known->second.pointer;
        loosen(reach);
        return reach;
      }
      if (contents.written.count(variable) || contents.declared.count(variable))
        return nowhere("where `" + variable->getNameAsString() + "` points here is not known");
      if (!variable->hasLocalStorage() && !contents.unknownCalls.empty())
        return nowhere("a call in the region may change `" + variable->getNameAsString() + "`");
      Reach reach;
      reach.root = variable;
      reach.base = variable->getNameAsString();
      reach.pointee = true;
      std::optional<Polynomial> extent;
      std::string text;
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
        std::tie(extent, text) = extentOf(parameter->getOriginalType());
      if (!extent) extent = givenExtent(variable);
      return enter(reach, extent, text);
    }
    // A pointer kept in memory: `s->data`, or `rows[i]` of an array of pointers.
    const Change change = changeOf(expr, contents);
    if (change == Change::Yes) return nowhere("`" + textOf(expr) + "` may change in the region");
    Reach reach = reachLvalue(inner);
    if (!reach.root) return reach;
    if (contents.written.count(reach.root) && !reach.pointee)
      return nowhere("`" + textOf(expr) + "` may change in the region");
    // `a[0]` is a row among others, `*a` and `s->data` are alone; so is `s[k].data` where `k` is fixed.
    std::vector<std::string> indices;
    const bool isField = llvm::isa<clang::MemberExpr>(inner) && !reach.base.empty();
    for (std::size_t k = 0; k < reach.subscripts.size(); ++k) {
      const auto constant = reach.subscripts[k] ? reach.subscripts[k]->asConstant() : std::nullopt;
      const clang::Expr* index = reach.indices[k].index;
      if (constant && (isField || *constant == 0))
        indices.push_back(std::to_string(*constant));
      else if (isField && index && isFixedIndex(index))
        indices.push_back(fixedIndexText(index));
    }
    const bool isFixed = indices.size() == reach.subscripts.size();
    bool rows = !isFixed || llvm::isa<clang::ArraySubscriptExpr>(inner);
    if (rows && reach.tableRank == 0) reach.table = reach.base;
    const bool isTable = rows && reach.steps.empty() && reach.subscripts.size() == reach.tableRank + 1;
    if (!isTable) reach.table.clear();
    if (change == Change::Elsewhere) {
      if (reach.table.empty())
        takeAsFixed(expr);
      else if (!contents.mayWrite(expr->getType()))
        reach.bytesMayChangeTable = true;
      else
        return nowhere("`" + textOf(expr) + "` may change in the region");
    }
    reach.tableRank = rows ? reach.tableRank + 1 : 0;
    if (reach.pointee && !reach.base.empty()) reach.through.push_back(reach.base);
    if (!rows &&
        std::any_of(indices.begin(), indices.end(), [](const std::string& one) { return one != "0"; }))
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
    return enter(reach, std::nullopt, "");
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr); op && op->isAdditiveOp()) {
    bool left = op->getLHS()->getType()->isPointerType();
    const clang::Expr *base = left ? op->getLHS() : op->getRHS(),
                      *offset = left ? op->getRHS() : op->getLHS();
    if (!offset->getType()->isIntegralOrEnumerationType())
      return nowhere("`" + textOf(expr) + "` is not followed");
    Reach reach = reachPointer(base);
    if (!reach.root) return reach;
    reach.indices.back().index = nullptr;
    if (op->getOpcode() == clang::BO_Add) {
      addOffset(reach, offset);
      return reach;
    }
    if (reach.isStart) loosen(reach);
    Value value = unwrapped(offset, valueOf(offset));
    auto& last = reach.subscripts.back();
    if (!value.polynomial) reach.why = value.why;
    if (last && value.polynomial)
      last = *last - *value.polynomial;
    else {
      last = std::nullopt;
      reach.indices.back() = {};
    }
    return reach;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_AddrOf) {
      Reach reach = reachLvalue(op->getSubExpr());
      bool element = reach.root && !reach.subscripts.empty() &&
                     !llvm::isa<clang::MemberExpr>(op->getSubExpr()->IgnoreParens());
      if (!element) return nowhere("`" + textOf(expr) + "` is not followed");
      reach.isStart = true;
      return reach;
    }
    if (op->isIncrementDecrementOp()) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens());
      const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
      if (!variable) return nowhere("`" + textOf(expr) + "` is not followed");
      Reach reach = nowhere("where `" + variable->getNameAsString() + "` points here is not known");
      if (auto known = environment.find(variable); known != environment.end() && known->second.pointer)
        reach = *known->second.pointer;
      loosen(reach);
      if (op->isPrefix() && reach.root) {
        if (auto& last = reach.subscripts.back())
          last = *last + Polynomial::constant(op->isIncrementOp() ? 1 : -1);
        else
          reach.indices.back() = {};
      }
      if (std::find(pendingIncrements.begin(), pendingIncrements.end(), op) == pendingIncrements.end())
        pendingIncrements.push_back(op);
      return reach;
    }
  }
  return nowhere("`" + textOf(expr) + "` is not a pointer that can be followed");
}

std::optional<Polynomial> RegionReader::givenExtent(const clang::VarDecl* variable) {
  const std::vector<GivenExtents::Term>* sum = input.extents.of(variable);
  if (!sum) return std::nullopt;
  Polynomial extent;
  for (const auto& [factor, variables] : *sum) {
    Polynomial product = Polynomial::constant(factor);
    for (const clang::VarDecl* one : variables) {
      Value value = valueOfVariable(one);
      if (!value.polynomial) return std::nullopt;
      product = product * *value.polynomial;
    }
    extent = extent + product;
  }
  return extent;
}

int RegionReader::objectOf(const Reach& reach, clang::QualType element) {
  std::string path = (reach.pointee ? "*" : "") + reach.path;
  auto [found, isNew] = objectIndex.emplace(std::pair{reach.root, path}, static_cast<int>(objects.size()));
  if (!isNew) return found->second;
  Object object;
  object.variable = reach.root;
  object.path = reach.path;
  object.name = reach.root->getNameAsString() + reach.path;
  for (std::size_t at; (at = object.name.find("[]")) != std::string::npos;)
    object.name.erase(at, 2);
  if (object.name.ends_with("->")) object.name.resize(object.name.size() - 2);
  auto taken = [&](const std::string& name) {
    for (const Object& other : objects)
      if (other.name == name) return true;
    return false;
  };
  while (taken(object.name))
    object.name += "'";
  object.pointee = reach.pointee;
  object.storage = reach.pointee                   ? Array::Storage::Pointee
                   : reach.root->hasLocalStorage() ? Array::Storage::Local
                                                   : Array::Storage::Global;
  object.element = element;
  object.base = reach.base;
  if (!reach.through.empty()) {
    region.through[reach.base] = reach.through;
    if (!reach.table.empty()) region.through[reach.table] = reach.through;
  }
  object.steps = reach.steps;
  object.outer = reach.outer;
  object.outerRank = reach.steps.empty() ? reach.subscripts.size() : reach.outerRank;
  object.rank = static_cast<int>(reach.subscripts.size());
  object.extents = reach.extents;
  object.extentTexts = reach.extentTexts;
  object.rowsArePointers = reach.rowsArePointers;
  object.table = reach.table;
  object.tableRank = reach.tableRank;
  object.bytesMayChangeTable = reach.bytesMayChangeTable;
  object.isRestrict = reach.pointee && reach.path.empty() && reach.root->getType().isRestrictQualified();
  object.isConst = element.isConstQualified();
  if (auto loop = declaredIn.find(reach.root); loop != declaredIn.end() && !reach.pointee)
    object.declaredIn = loop->second;
  object.isHidden = !reach.pointee && inHeaders.count(reach.root) > 0;
  object.isRegister = !reach.pointee && reach.root->getStorageClass() == clang::SC_Register;
  object.liveAfter =
      reach.pointee || !reach.root->hasLocalStorage() || input.inlined.results.count(reach.root) ||
      (object.declaredIn < 0 && input.usedOutside(reach.root) && !input.mentions.isOnlyLoopIndex(reach.root));
  objects.push_back(object);
  return found->second;
}

int RegionReader::objectOfVariable(const clang::VarDecl* variable) {
  Reach reach;
  reach.root = variable;
  reach.base = variable->getNameAsString();
  return objectOf(reach, variable->getType());
}

int RegionReader::predicateObject(const std::string& purpose, const clang::Stmt*) {
  Object object;
  object.name = purpose + "#" + std::to_string(predicates++);
  object.storage = Array::Storage::Predicate;
  object.element = input.context.IntTy;
  object.liveAfter = false;
  objects.push_back(object);
  return static_cast<int>(objects.size()) - 1;
}

int RegionReader::unknownMemory() {
  if (memoryObject < 0) {
    memoryObject = predicateObject("memory", nullptr);
    objects[memoryObject].liveAfter = true;
  }
  return memoryObject;
}

/// Drops the subscripts of `place` that are cases, where together they are more cases than it pays to tell
/// apart: each is a case of every dependence.
static void limitCases(MemoryPlace& place) {
  constexpr int mostCases = 4;
  std::vector<int> cases;
  int all = 1;
  for (const auto& subscript : place.subscripts) {
    auto affine = subscript ? subscript->asAffine() : std::nullopt;
    cases.push_back(affine ? isl_pw_aff_n_piece(affine->get()) : 1);
    all = std::min(all * std::max(cases.back(), 1), 1000);
  }
  if (all <= mostCases) return;
  for (std::size_t k = 0; k < cases.size(); ++k)
    if (cases[k] > 1) place.subscripts[k] = std::nullopt;
  place.inexactReason = "a subscript is one of many";
}

MemoryPlace RegionReader::placeOf(const clang::Expr* lvalue) {
  return placeOf(reachInRows(lvalue), lvalue);
}

Reach RegionReader::reachInRows(const clang::Expr* lvalue) {
  Reach reach = reachLvalue(lvalue);
  if (reach.root && !reach.loose.empty()) keepInRows(reach, lvalue);
  return reach;
}

MemoryPlace RegionReader::placeOf(const Reach& reach, const clang::Expr* lvalue) {
  MemoryPlace place;
  place.inexactReason = reach.why;
  if (!reach.root) return place;
  place.object = objectOf(reach, scalarElement(input.context, lvalue->getType()));
  place.subscripts = reach.subscripts;
  std::fill_n(place.subscripts.begin(), reach.unknown, std::nullopt);
  place.partial = reach.partial;
  const Object& object = objects[place.object];
  if (object.rank != static_cast<int>(reach.subscripts.size())) {
    place.subscripts.assign(object.rank, std::nullopt);
    place.partial = true;
    place.inexactReason = "`" + object.name + "` is used with different numbers of subscripts";
  }
  limitCases(place);
  return place;
}

void RegionReader::addAccess(Access::Kind kind, const MemoryPlace& place, const clang::Stmt* at,
                             RawStatement& statement) {
  bool known = place.object >= 0 && !place.partial;
  for (const auto& subscript : place.subscripts)
    known &= subscript.has_value();
  RawAccess access;
  access.kind = kind;
  if (kind == Access::Kind::Write && (!known || statement.mayNotRun)) access.kind = Access::Kind::MayWrite;
  if (kind == Access::Kind::Read && (!known || maybe > 0)) access.kind = Access::Kind::MayRead;
  access.place = place;
  if (!known && access.place.inexactReason.empty()) access.place.inexactReason = "a subscript is not affine";
  if (known) access.place.inexactReason.clear();
  access.when = when;
  access.range = rangeOf(at);
  access.text = textOf(at);
  if (place.object < 0) {
    // Two places that are not known may be the same one, even where no object of the region is.
    RawAccess memory = access;
    memory.place.object = unknownMemory();
    statement.accesses.push_back(std::move(memory));
  }
  statement.accesses.push_back(std::move(access));
}

namespace {

/// Every place a piece of source may touch, whatever path control takes through it.
class PlaceScan : public clang::RecursiveASTVisitor<PlaceScan> {
public:
  std::vector<std::pair<const clang::Expr*, Access::Kind>> places;

  bool shouldVisitImplicitCode() const { return false; }
  bool VisitCastExpr(clang::CastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) add(cast->getSubExpr(), Access::Kind::MayRead);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (!op->isAssignmentOp()) return true;
    add(op->getLHS(), Access::Kind::MayWrite);
    if (op->isCompoundAssignmentOp()) add(op->getLHS(), Access::Kind::MayRead);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (!op->isIncrementDecrementOp()) return true;
    add(op->getSubExpr(), Access::Kind::MayRead);
    add(op->getSubExpr(), Access::Kind::MayWrite);
    return true;
  }

private:
  void add(const clang::Expr* place, Access::Kind kind) {
    if (!place->getType()->isFunctionType()) places.emplace_back(place, kind);
  }
};

} // namespace

void RegionReader::collectAccesses(const clang::Stmt* part, RawStatement& into) {
  Contents inside = contentsOf(part, input.summaries);
  PlaceScan scan;
  scan.TraverseStmt(const_cast<clang::Stmt*>(part));
  for (const auto& [lvalue, kind] : scan.places) {
    const clang::Expr* bare = lvalue->IgnoreParens();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable || inside.declared.count(variable) || loopOfIndex.count(variable)) continue;
      if (kind == Access::Kind::MayRead && !contents.written.count(variable) && variable->hasLocalStorage())
        continue;
    }
    MemoryPlace place = placeOf(bare);
    if (place.object >= 0 && objects[place.object].variable && !objects[place.object].pointee &&
        inside.declared.count(objects[place.object].variable))
      continue;
    addAccess(kind, place, lvalue, into);
  }
  pendingIncrements.clear();
  // A function that only reads may read anything that a pointer argument or a global leads to.
  struct Calls : clang::RecursiveASTVisitor<Calls> {
    std::vector<const clang::CallExpr*> all;
    bool VisitCallExpr(clang::CallExpr* call) {
      all.push_back(call);
      return true;
    }
  } calls;
  calls.TraverseStmt(const_cast<clang::Stmt*>(part));
  for (const clang::CallExpr* call : calls.all) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    CallEffect effect = callee ? input.summaries.of(callee) : CallEffect::Unknown;
    if (effect == CallEffect::Pure) continue;
    MemoryPlace anywhere;
    anywhere.inexactReason = "`" + textOf(call) + "` may touch anything";
    addAccess(Access::Kind::MayRead, anywhere, call, into);
    if (effect == CallEffect::Unknown) addAccess(Access::Kind::MayWrite, anywhere, call, into);
  }
}

} // namespace warploom
