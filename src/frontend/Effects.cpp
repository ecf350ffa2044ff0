#include "frontend/Effects.h"

#include "frontend/Characters.h"
#include "frontend/StorageUnits.h"
#include "model/MathFunctions.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace warploom {

namespace {

const clang::VarDecl* variableOf(const clang::Expr* expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return nullptr;
}

/// The integer type of an enumeration, else `type`; without qualifiers.
clang::QualType withoutEnum(clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    if (clang::QualType integer = enumeration->getDecl()->getIntegerType(); !integer.isNull())
      return integer.getCanonicalType();
  return type;
}

/// The `restrict` variable that points where `pointer` does; null: none.
const clang::VarDecl* restrictIn(const clang::Expr* pointer) {
  pointer = pointer->IgnoreParenImpCasts();
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(pointer); op && op->isAdditiveOp())
    return restrictIn(op->getLHS()->getType()->isPointerType() ? op->getLHS() : op->getRHS());
  const clang::VarDecl* variable = variableOf(pointer);
  return variable && variable->getType().isRestrictQualified() ? variable : nullptr;
}

/// True when an object of `type` is volatile or atomic, or has such a part: each access to it counts.
bool countsEachAccess(clang::QualType type) {
  while (const auto* array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  if (type.isVolatileQualified() || type->isAtomicType()) return true;
  const clang::RecordDecl* record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  return record && std::any_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl* field) {
           return countsEachAccess(field->getType());
         });
}

/// Why `expr` must stay and happen in its turn, although it is no assignment and no call, as a predicate: "is
/// volatile"; null when it need not. A struct with volatile parts counts where it is read whole: C has no
/// other way to write one.
const char* whyOrdered(const clang::Expr* expr) {
  if (llvm::isa<clang::AtomicExpr>(expr)) return "is atomic";
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    if (reference->getDecl()->getType()->isReferenceType()) return "is a reference, which is not followed";
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr))
    if (member->getMemberDecl()->getType()->isReferenceType()) return "is a reference, which is not followed";
  if (llvm::isa<clang::VAArgExpr>(expr)) return "takes the next argument";
  if (llvm::isa<clang::CXXNewExpr>(expr) || llvm::isa<clang::CXXDeleteExpr>(expr)) return "manages memory";
  if (llvm::isa<clang::CXXThrowExpr>(expr)) return "throws";
  if (llvm::isa<clang::CXXBindTemporaryExpr>(expr)) return "is destroyed in a way of its own";
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construct->getConstructor()->isTrivial() ? nullptr : "is made in a way of its own";
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_LValueToRValue && expr->getType()->isRecordType())
    return countsEachAccess(expr->getType()) ? "has volatile or atomic parts" : nullptr;
  if (!expr->isGLValue()) return nullptr;
  if (expr->getType()->isAtomicType()) return "is atomic";
  return expr->getType().isVolatileQualified() ? "is volatile" : nullptr;
}

/// Collects what makes a function body more than pure.
class BodyScan : public clang::RecursiveASTVisitor<BodyScan> {
public:
  BodyScan(CallSummaries& summaries) : summaries(summaries) {}
  CallEffect effect = CallEffect::Pure;
  std::string reason;

  void unknown(const std::string& why) {
    if (effect != CallEffect::Unknown) reason = why;
    effect = CallEffect::Unknown;
  }
  void write(const clang::Expr* target) {
    const clang::VarDecl* variable = storageOf(target);
    if (!variable) return unknown("writes through a pointer");
    if (!variable->hasLocalStorage()) unknown("writes `" + variable->getNameAsString() + "`");
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) write(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp()) write(op->getSubExpr());
    if (op->getOpcode() == clang::UO_Deref) reads();
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* subscript) {
    const clang::VarDecl* variable = storageOf(subscript);
    if (!variable) reads();
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (member->isArrow()) reads();
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      if (!variable->hasLocalStorage() && !variable->getType().isConstQualified() && !isTable(variable))
        reads();
    return true;
  }
  bool VisitExpr(clang::Expr* expr) {
    if (const char* why = whyOrdered(expr)) unknown(std::string("contains what ") + why);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->isStaticLocal() && !isTable(variable)) unknown("keeps a static variable");
    if (variable->hasAttr<clang::CleanupAttr>()) unknown("calls a function where a scope ends");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) {
      unknown("calls through a pointer");
      return true;
    }
    std::string why;
    CallEffect inner = summaries.of(callee, &why);
    if (inner == CallEffect::Unknown) unknown("calls `" + callee->getNameAsString() + "`, which " + why);
    if (inner == CallEffect::Reads) reads();
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) {
    unknown("contains inline assembly");
    return true;
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt*) {
    unknown("contains a computed goto");
    return true;
  }

private:
  void reads() {
    if (effect == CallEffect::Pure) effect = CallEffect::Reads;
  }
  CallSummaries& summaries;
};

/// Fills Contents. Loop and switch nesting decides whose `break` and `continue` are seen.
class ContentsScan : public clang::RecursiveASTVisitor<ContentsScan> {
public:
  ContentsScan(Contents& contents, CallSummaries& summaries) : contents(contents), summaries(summaries) {}

  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) write(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp()) write(op->getSubExpr());
    if (op->getOpcode() == clang::UO_AddrOf)
      if (const clang::VarDecl* variable = storageOf(op->getSubExpr()))
        contents.addressTaken.insert(variable);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      contents.referenced.insert(variable);
    return true;
  }
  bool VisitExpr(clang::Expr* expr) {
    if (const char* why = whyOrdered(expr)) inOrder(expr, why);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field && sharesStorage(field)) contents.sharing[field->getParent()].insert(field);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    contents.declared.insert(variable);
    if (variable->getInit() && countsEachAccess(variable->getType()))
      inOrder(variable->getInit(), "is the first value of what is volatile or atomic");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && failsAssertion(callee)) return true; // whoever reads the statement sees that it asserts
    if (!callee || summaries.of(callee) == CallEffect::Unknown) contents.unknownCalls.push_back(call);
    // An array or `&v` handed to a function escapes; so does the array's own storage.
    for (const clang::Expr* argument : call->arguments())
      if (argument->getType()->isPointerType())
        if (const clang::VarDecl* variable = variableOf(argument))
          if (variable->getType()->isArrayType()) contents.addressTaken.insert(variable);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) {
    contents.forLoops.push_back(loop);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) { return leave(s); }
  bool VisitGotoStmt(clang::GotoStmt* s) { return leave(s); }
  bool VisitLabelStmt(clang::LabelStmt* s) { return leave(s); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* s) { return leave(s); }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* s) { return leave(s); }
  bool VisitDeclStmt(clang::DeclStmt* s) {
    return std::any_of(s->decl_begin(), s->decl_end(),
                       [](const clang::Decl* one) { return one->hasAttr<clang::CleanupAttr>(); })
               ? leave(s)
               : true;
  }

  bool VisitBreakStmt(clang::BreakStmt* s) {
    if (breakTargets == 0 && !contents.breaks) contents.breaks = s;
    return true;
  }
  bool VisitContinueStmt(clang::ContinueStmt* s) {
    if (loops == 0 && !contents.continues) contents.continues = s;
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* s) {
    return inLoop([&] { return Base::TraverseForStmt(s); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* s) {
    return inLoop([&] { return Base::TraverseWhileStmt(s); });
  }
  bool TraverseDoStmt(clang::DoStmt* s) {
    return inLoop([&] { return Base::TraverseDoStmt(s); });
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* s) {
    ++breakTargets;
    bool go = Base::TraverseSwitchStmt(s);
    --breakTargets;
    return go;
  }

private:
  using Base = clang::RecursiveASTVisitor<ContentsScan>;
  template <typename F> bool inLoop(F traverse) {
    ++loops, ++breakTargets;
    bool go = traverse();
    --loops, --breakTargets;
    return go;
  }
  bool leave(const clang::Stmt* s) {
    if (!contents.leaves) contents.leaves = s;
    return true;
  }
  void inOrder(const clang::Expr* expr, const char* why) {
    if (!contents.ordered) contents.ordered = expr, contents.whyOrdered = why;
  }
  void write(const clang::Expr* target) {
    if (const clang::VarDecl* variable = storageOf(target)) contents.written.insert(variable);
    if (!variableOf(target) || target->getType()->isRecordType()) {
      contents.writtenTypes.insert(typeOfMemory(target).getCanonicalType().getUnqualifiedType().getTypePtr());
      contents.writtenPlaces.push_back(target);
    }
    if (!storageOf(target) && target->getType()->isCharType()) contents.writesBytes = true;
  }
  Contents& contents;
  CallSummaries& summaries;
  int loops = 0, breakTargets = 0;
};

} // namespace

const clang::VarDecl* restrictOf(const clang::Expr* place) {
  place = place->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
    return member->isArrow() ? restrictIn(member->getBase()) : restrictOf(member->getBase());
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? restrictOf(base) : restrictIn(base);
  }
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place);
  return op && op->getOpcode() == clang::UO_Deref ? restrictIn(op->getSubExpr()) : nullptr;
}

const clang::VarDecl* storageOf(const clang::Expr* expr) {
  while (true) {
    expr = expr->IgnoreParens();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      if (member->isArrow()) return nullptr;
      expr = member->getBase();
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType()) return nullptr;
      expr = base;
    } else {
      return variableOf(expr);
    }
  }
}

bool isTable(const clang::VarDecl* variable) {
  return variable->isStaticLocal() && variable->hasInit() &&
         variable->getType().isConstant(variable->getASTContext()) &&
         !variable->getType().isVolatileQualified();
}

bool sharesStorage(const clang::FieldDecl* field) {
  return field->getParent()->isUnion() || field->isBitField();
}

bool shareMemory(clang::QualType a, clang::QualType b) {
  if (TypesOfMemory::loose()) return true;
  // The parts of a complex number are numbers of their own.
  auto part = [](clang::QualType type) {
    const auto* complex = type->getAs<clang::ComplexType>();
    return withoutEnum(complex ? complex->getElementType() : type);
  };
  a = part(a), b = part(b);
  if (a == b || (a->isPointerType() && b->isPointerType())) return true;
  using Kind = clang::BuiltinType::Kind;
  static const std::map<Kind, Kind> isSigned = {{Kind::UChar, Kind::SChar},       {Kind::Char_U, Kind::SChar},
                                                {Kind::Char_S, Kind::SChar},      {Kind::UShort, Kind::Short},
                                                {Kind::UInt, Kind::Int},          {Kind::ULong, Kind::Long},
                                                {Kind::ULongLong, Kind::LongLong}};
  const auto *left = a->getAs<clang::BuiltinType>(), *right = b->getAs<clang::BuiltinType>();
  if (!left || !right) return false;
  auto of = [&](Kind kind) { return isSigned.count(kind) ? isSigned.at(kind) : kind; };
  return of(left->getKind()) == of(right->getKind());
}

bool mayHold(clang::QualType whole, clang::QualType part) {
  while (const auto* array = whole->getAsArrayTypeUnsafe())
    whole = array->getElementType();
  if (shareMemory(whole, part)) return true;
  const auto* record = whole->getAs<clang::RecordType>();
  const clang::RecordDecl* definition = record ? record->getDecl()->getDefinition() : nullptr;
  if (!definition) return false;
  for (const clang::FieldDecl* field : definition->fields())
    if (mayHold(field->getType(), part)) return true;
  return false;
}

bool Contents::mayWrite(clang::QualType type) const {
  return std::any_of(writtenTypes.begin(), writtenTypes.end(),
                     [&](const clang::Type* written) { return mayHold(clang::QualType(written, 0), type); });
}

const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition)) return nullptr;
  bool ofSystem = function->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation());
  const bool isKnown = isMathFunction(function->getName()) || isOfCharacters(function);
  return ofSystem && isKnown ? nullptr : definition;
}

CallSummaries::Summary CallSummaries::compute(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = definitionOf(function);
  if (!definition) {
    if (isMathFunction(function->getName()) || mathConstant(function->getName()) || isOfCharacters(function))
      return {CallEffect::Pure, ""};
    if (function->hasAttr<clang::ConstAttr>() && !function->getBuiltinID()) return {CallEffect::Pure, ""};
    return {CallEffect::Unknown, "has no body here"};
  }
  BodyScan scan(*this);
  scan.TraverseStmt(definition->getBody());
  return {scan.effect, scan.reason};
}

CallEffect CallSummaries::of(const clang::FunctionDecl* function, std::string* reason) {
  function = function->getCanonicalDecl();
  auto found = known.find(function);
  if (found == known.end()) {
    if (!active.insert(function).second) {
      if (reason) *reason = "is recursive";
      return CallEffect::Unknown;
    }
    Summary summary =
        function->getIdentifier() ? compute(function) : Summary{CallEffect::Unknown, "is an operator"};
    active.erase(function);
    found = known.emplace(function, summary).first;
  }
  if (reason) *reason = found->second.reason;
  return found->second.effect;
}

namespace {

/// True when a `break` or `continue` in `statement` leaves it; inside a `switch`, a `break` does not.
bool breaksOff(const clang::Stmt* statement, bool inSwitch) {
  if (!statement || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement)) return false;
  if (llvm::isa<clang::BreakStmt>(statement)) return !inSwitch;
  if (llvm::isa<clang::ContinueStmt>(statement)) return true;
  const bool isSwitch = inSwitch || llvm::isa<clang::SwitchStmt>(statement);
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return breaksOff(child, isSwitch); });
}

} // namespace

const clang::Stmt* onceIn(const clang::Stmt* statement) {
  const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement);
  if (!loop) return nullptr;
  const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(loop->getCond()->IgnoreParenImpCasts());
  return literal && literal->getValue() == 0 && !breaksOff(loop->getBody(), false) ? loop->getBody()
                                                                                   : nullptr;
}

bool failsAssertion(const clang::FunctionDecl* function) {
  if (!function->getIdentifier() || !function->isNoReturn() || function->hasBody()) return false;
  const llvm::StringRef name = function->getName();
  return name == "__assert_fail" || name == "__assert" || name == "__assert_rtn";
}

namespace {

/// True when `statement` does nothing but call what ends a program whose assertion failed.
bool onlyFails(const clang::Stmt* statement) {
  const auto* expr = llvm::dyn_cast_or_null<clang::Expr>(statement);
  const auto* call = expr ? llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParenCasts()) : nullptr;
  return call && call->getDirectCallee() && failsAssertion(call->getDirectCallee());
}

} // namespace

const clang::Expr* assertedBy(const clang::Stmt* statement) {
  const auto* expr = llvm::dyn_cast<clang::Expr>(statement);
  if (!expr) return nullptr;
  expr = expr->IgnoreParenCasts();
  // ((void)sizeof(...), __extension__({ if (c) ; else fail(); })), or (c ? (void)0 : fail()).
  if (const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(expr);
      comma && comma->getOpcode() == clang::BO_Comma &&
      llvm::isa<clang::UnaryExprOrTypeTraitExpr>(comma->getLHS()->IgnoreParenCasts()))
    expr = comma->getRHS()->IgnoreParenCasts();
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr);
      op && op->getOpcode() == clang::UO_Extension)
    expr = op->getSubExpr()->IgnoreParenCasts();
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    const clang::CompoundStmt* list = block->getSubStmt();
    const auto* test = list->size() == 1 ? llvm::dyn_cast<clang::IfStmt>(list->body_front()) : nullptr;
    return test && llvm::isa<clang::NullStmt>(test->getThen()) && onlyFails(test->getElse()) ? test->getCond()
                                                                                             : nullptr;
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return onlyFails(choice->getFalseExpr()) &&
                   llvm::isa<clang::IntegerLiteral>(choice->getTrueExpr()->IgnoreParenCasts())
               ? choice->getCond()
               : nullptr;
  return nullptr;
}

std::string leavingReason(const clang::Stmt* leaves) {
  if (llvm::isa<clang::GCCAsmStmt>(leaves)) return "inline assembly may do anything";
  if (llvm::isa<clang::DeclStmt>(leaves)) return "a function is called where the scope of a variable ends";
  return "control may leave the loop";
}

Contents contentsOf(const clang::Stmt* statement, CallSummaries& summaries) {
  Contents contents;
  ContentsScan(contents, summaries).TraverseStmt(const_cast<clang::Stmt*>(statement));
  contents.written.insert(contents.addressTaken.begin(), contents.addressTaken.end());
  return contents;
}

} // namespace warploom
