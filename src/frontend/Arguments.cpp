#include "frontend/Arguments.h"

#include "frontend/TreeRewrite.h"
#include "frontend/Writes.h"

#include <algorithm>

namespace warploom {

namespace {

/// Nodes of an argument that is written more than once.
constexpr int largestRepeated = 40;

const clang::VarDecl* variableOf(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParens());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// What a function writes that is not in its own variables, by canonical types; `restrict` tells nothing of
/// what its caller reads.
struct Writes : VisitsWrites<Writes> {
  std::set<const clang::Type*> types;
  void wrote(const clang::Expr* place) {
    const clang::VarDecl* own = storageOf(place);
    if (own && own->hasLocalStorage()) return;
    types.insert(place->getType().getCanonicalType().getUnqualifiedType().getTypePtr());
  }
};

/// True when `pointer` points into a row of an array of arrays, or into an array in a struct. A function may
/// walk from there over all rows, as programs do.
bool pointsIntoRow(const clang::Expr* pointer) {
  while (pointer) {
    pointer = pointer->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer)) {
      const clang::Expr* of = cast->getSubExpr()->IgnoreParens();
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && !llvm::isa<clang::DeclRefExpr>(of))
        return true;
      pointer = of;
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(pointer)) {
      pointer = unary->getSubExpr();
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer)) {
      pointer = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer)) {
      pointer = element->getBase();
    } else {
      return false;
    }
  }
  return false;
}

} // namespace

int sizeOf(const clang::Stmt* part, int limit) {
  int size = 1;
  for (const clang::Stmt* child : part->children())
    if (child && size < limit) size += sizeOf(child, limit - size);
  return size;
}

bool Arguments::isTaken(const clang::VarDecl* variable) const {
  for (auto found = originals.find(variable); found != originals.end(); found = originals.find(variable))
    variable = found->second;
  return aliasing.isAddressTaken(variable);
}

bool Arguments::readsOwnVariablesOnly(const clang::Expr* value) const {
  return !anyPart(value, [&](const clang::Stmt* part) {
    if (llvm::isa<clang::CallExpr>(part)) return true;
    const auto* load = llvm::dyn_cast<clang::CastExpr>(part);
    if (!load || load->getCastKind() != clang::CK_LValueToRValue) return false;
    const clang::VarDecl* variable = variableOf(load->getSubExpr());
    return !variable || !variable->hasLocalStorage() || isTaken(variable);
  });
}

bool Arguments::isSteady(const clang::Expr* value, const clang::FunctionDecl* definition) {
  Contents inside = contentsOf(definition->getBody(), summaries);
  Writes writes;
  writes.TraverseStmt(definition->getBody());
  inside.writtenTypes.insert(writes.types.begin(), writes.types.end());
  return !anyPart(value, [&](const clang::Stmt* part) {
    const auto* load = llvm::dyn_cast<clang::CastExpr>(part);
    if (!load || load->getCastKind() != clang::CK_LValueToRValue) return false;
    const clang::VarDecl* variable = variableOf(load->getSubExpr());
    if (variable && variable->hasLocalStorage() && !isTaken(variable)) return false;
    if (!inside.unknownCalls.empty() || inside.writesBytes) return true;
    // Parts of it have types of their own.
    if (load->getType()->isRecordType() && !inside.writtenTypes.empty()) return true;
    const clang::VarDecl* storage = storageOf(load->getSubExpr());
    if (storage && inside.written.count(storage)) return true;
    if (std::any_of(inside.written.begin(), inside.written.end(), [&](const clang::VarDecl* written) {
          return !written->hasLocalStorage() && shareMemory(written->getType(), load->getType());
        }))
      return true;
    return inside.mayWrite(load->getType());
  });
}

bool Arguments::bind(const clang::CallExpr* call, const clang::FunctionDecl* definition, AstCopy& copy,
                     bool certain, std::vector<clang::Stmt*>& before) {
  VariableUses uses;
  uses.TraverseStmt(definition->getBody());
  for (unsigned k = 0; k < definition->getNumParams(); ++k) {
    const clang::ParmVarDecl* parameter = definition->getParamDecl(k);
    auto* value = const_cast<clang::Expr*>(call->getArg(k));
    if (!context.hasSameUnqualifiedType(value->getType(), parameter->getType())) return false;
    if (parameter->getType().isVolatileQualified()) return false;
    if (value->getType()->isPointerType() && pointsIntoRow(value)) value = loosened(value, context);
    bool calls = anyPart(value, [&](const clang::Stmt* part) {
      const auto* inner = llvm::dyn_cast<clang::CallExpr>(part);
      return inner &&
             (!inner->getDirectCallee() || summaries.of(inner->getDirectCallee()) != CallEffect::Pure);
    });
    if (calls) return false;
    bool exact = !uses.changed.count(parameter) && isSteady(value, definition);
    bool once = uses.count[parameter] <= 1 || sizeOf(value, largestRepeated) < largestRepeated;
    bool isIndex = value->getType()->isIntegerType() || value->getType()->isPointerType() ||
                   readsOwnVariablesOnly(value) || value->getType()->isRecordType();
    const auto* whole = llvm::dyn_cast<clang::CastExpr>(value->IgnoreParens());
    if (value->getType()->isRecordType())
      exact = exact && whole && whole->getCastKind() == clang::CK_LValueToRValue;
    bool costly = uses.count[parameter] > 1 && !isIndex && certain;
    if (exact && once && !costly) {
      copy.values[parameter] = copy.converted(value);
      continue;
    }
    clang::VarDecl* variable = certain ? copy.newVariable(parameter) : nullptr;
    if (!variable) return false;
    variable->setType(parameter->getType().getUnqualifiedType());
    variable->setInit(value);
    before.push_back(copy.declare(variable));
  }
  return true;
}

} // namespace warploom
