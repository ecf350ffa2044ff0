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

/// The end of the path to what the members of a union, or the bit-fields of a struct, have in common.
constexpr const char* sharedPath = ".<union>";

/// The pointer that `reach` is may be moved out of the row that it points into.
void loosen(Reach& reach) {
  if (reach.root && (reach.subscripts.size() > 1 || !reach.steps.empty()))
    reach.loose.insert(reach.subscripts.size() - 1);
}

} // namespace

Reach Reach::first(std::optional<Polynomial> extent, const std::string& extentText) const {
  Reach reach = *this;
  reach.subscripts.emplace_back(Polynomial::constant(0));
  reach.indices.emplace_back();
  reach.extents.push_back(std::move(extent));
  reach.extentTexts.push_back(extentText);
  if (!reach.steps.empty()) ++reach.steps.back().rank;
  reach.isStart = false;
  return reach;
}

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
    if (reach.root) reach.base = input.inlined.nameOf(reach.root);
    return reach;
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const auto* decay = llvm::dyn_cast<clang::CastExpr>(subscript->getBase()->IgnoreParens());
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay)
      if (Reach array = reachLvalue(decay->getSubExpr()); array.unit) {
        // An array in a union.
        const auto size = static_cast<long>(input.context.getTypeSize(expr->getType()));
        const auto constant = constantOf(subscript->getIdx(), input.context);
        array.unit->type = expr->getType();
        array.unit->offset += size * constant.value_or(0);
        array.unit->isUnknown |=
            !constant || array.unit->offset < 0 ||
            array.unit->offset + size > static_cast<long>(input.context.getTypeSize(array.unit->number));
        return array;
      }
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
    if (!field) return Reach::nowhere("`" + textOf(expr) + "` is not a field");
    bool shared = sharesStorage(field) && contents.sharing[field->getParent()].size() > 1;
    if ((reach.unit || sharesStorage(field)) && !reach.path.ends_with(sharedPath) && enterUnit(reach, field))
      return reach;
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
    const auto offset = static_cast<long>(input.context.getFieldOffset(field) / 8);
    reach.steps.push_back({fieldName(field), text.empty() ? "" : "." + text, 0,
                           scalarElement(input.context, field->getType()), offset});
    return reach;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr); cast && cast->getCastKind() == clang::CK_NoOp)
    return reachLvalue(cast->getSubExpr());
  return Reach::nowhere("`" + textOf(expr) + "` is not a place that can be followed");
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
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr* inner = cast->getSubExpr();
    switch (cast->getCastKind()) {
    case clang::CK_ArrayToPointerDecay: {
      Reach reach = reachLvalue(inner);
      if (!reach.root) return reach;
      if (reach.unit) return Reach::nowhere("`" + textOf(expr) + "` is an array in a union");
      bool isShared = reach.path.ends_with(sharedPath);
      auto [extent, text] = extentOf(inner->getType());
      Reach entered = reach.first(extent, text);
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
        return Reach::nowhere("`" + textOf(expr) + "` changes the type of a pointer");
      Reach reach = reachPointer(inner);
      while (reach.root && !sameType(from, to)) {
        auto [extent, text] = extentOf(from);
        reach = reach.first(extent, text);
        from = input.context.getAsArrayType(from)->getElementType();
        reach.isStart = true;
      }
      return reach;
    }
    case clang::CK_LValueToRValue:
      break;
    default:
      return Reach::nowhere("`" + textOf(expr) + "` is not a pointer that can be followed");
    }
    inner = inner->IgnoreParens();
    if (inner->getType().isVolatileQualified()) return Reach::nowhere("`" + textOf(inner) + "` is volatile");
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable) return Reach::nowhere("`" + textOf(expr) + "` is not a variable");
      if (auto known = environment.find(variable); known != environment.end() && known->second.pointer) {
        Reach reach = *known->second.pointer;
        loosen(reach);
        return reach;
      }
      if (contents.written.count(variable) || contents.declared.count(variable))
        return Reach::nowhere("where `" + variable->getNameAsString() + "` points here is not known");
      if (!variable->hasLocalStorage() && !contents.unknownCalls.empty())
        return Reach::nowhere("a call in the region may change `" + variable->getNameAsString() + "`");
      Reach reach;
      reach.root = variable;
      reach.base = variable->getNameAsString();
      reach.pointee = true;
      std::optional<Polynomial> extent;
      std::string text;
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
        std::tie(extent, text) = extentOf(parameter->getOriginalType());
      if (!extent) extent = givenExtent(variable);
      return reach.first(extent, text);
    }
    return reachKept(expr, inner);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr); op && op->isAdditiveOp()) {
    bool left = op->getLHS()->getType()->isPointerType();
    const clang::Expr *base = left ? op->getLHS() : op->getRHS(),
                      *offset = left ? op->getRHS() : op->getLHS();
    if (!offset->getType()->isIntegralOrEnumerationType())
      return Reach::nowhere("`" + textOf(expr) + "` is not followed");
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
      bool element = reach.root && !reach.subscripts.empty() && !reach.unit &&
                     !llvm::isa<clang::MemberExpr>(op->getSubExpr()->IgnoreParens());
      if (!element) return Reach::nowhere("`" + textOf(expr) + "` is not followed");
      reach.isStart = true;
      return reach;
    }
    if (op->isIncrementDecrementOp()) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens());
      const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
      if (!variable) return Reach::nowhere("`" + textOf(expr) + "` is not followed");
      Reach reach = Reach::nowhere("where `" + variable->getNameAsString() + "` points here is not known");
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
  return Reach::nowhere("`" + textOf(expr) + "` is not a pointer that can be followed");
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
  object.isNumber = reach.unit.has_value();
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
  object.tables = reach.tables;
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
  reach.base = input.inlined.nameOf(variable);
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
  place.object =
      objectOf(reach, reach.unit ? reach.unit->number : scalarElement(input.context, lvalue->getType()));
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
