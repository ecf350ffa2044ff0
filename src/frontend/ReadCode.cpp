// Code that one thread runs as it stands: bodies of functions, and loops whose iterations cannot be told
// apart beforehand.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/SourceSize.h"
#include "frontend/StorageUnits.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/space.h>

namespace warploom {

namespace {

ExprPtr node(const ExprPtr& like, std::vector<ExprPtr> operands) {
  auto copy = std::make_shared<Expr>(*like);
  copy->operands = std::move(operands);
  return copy;
}

std::shared_ptr<Code> newCode(Code::Kind kind, const SourceRange& range) {
  auto code = std::make_shared<Code>();
  code->kind = kind;
  code->range = range;
  return code;
}

/// `parts` as one piece of code; what they declare ends with it.
CodePtr together(const SourceRange& range, const std::vector<CodePtr>& parts) {
  if (parts.size() == 1 && parts.front()->kind != Code::Kind::Declare) return parts.front();
  auto code = newCode(Code::Kind::Block, range);
  code->children = parts;
  return code;
}

/// What a device can hold in a variable: a number, real or complex, or a struct.
bool isPlainValue(clang::QualType type) {
  return (type->isArithmeticType() || type->isEnumeralType() || type->isRecordType()) &&
         !type->isComplexIntegerType() && !type.isVolatileQualified();
}

/// Counts how often each variable is mentioned.
class MentionCount : public clang::RecursiveASTVisitor<MentionCount> {
public:
  std::map<const clang::ValueDecl*, std::size_t> count;
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    ++count[reference->getDecl()];
    return true;
  }
};

} // namespace

bool RegionReader::noCode(const std::string& why) {
  if (unsupported.empty()) unsupported = why;
  return false;
}

std::string RegionReader::declareLocal(const clang::VarDecl* variable) {
  std::string wish = variable->getNameAsString(), name = wish;
  auto taken = [&] {
    return std::any_of(locals.begin(), locals.end(), [&](const auto& local) { return local.second == name; });
  };
  for (int k = 2; taken(); ++k)
    name = fmt::format("{}_{}", wish, k);
  locals[variable] = name;
  return name;
}

ExprPtr RegionReader::quietBodyOf(const clang::Expr* expr, RawStatement& into) {
  ExprPtr value = bodyOf(expr, into);
  if (pendingIncrements.empty()) return value;
  pendingIncrements.clear();
  noCode("`" + textOf(expr) + "` changes a value inside an expression");
  return nullptr;
}

ExprPtr RegionReader::localPlace(const clang::Expr* lvalue, RawStatement& into) {
  lvalue = lvalue->IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    auto found = locals.find(llvm::dyn_cast<clang::VarDecl>(reference->getDecl()));
    return found == locals.end() ? nullptr : leaf(Expr::Kind::Local, lvalue, found->second);
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
    const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
    ExprPtr array = base->getType()->isArrayType() ? localPlace(base, into) : nullptr;
    if (!array) return nullptr;
    ExprPtr index = quietBodyOf(subscript->getIdx(), into);
    if (!index) return nullptr;
    auto element = std::make_shared<Expr>(*array);
    element->operands.push_back(index);
    element->type = modelType(input.context, lvalue->getType());
    return element;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue); member && !member->isArrow()) {
    ExprPtr base = localPlace(member->getBase(), into);
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!base || !field) return nullptr;
    return node(leaf(Expr::Kind::Member, lvalue, fieldName(field)), {base});
  }
  return nullptr;
}

/// The value of a constant of the program, where it can be told; null otherwise.
ExprPtr RegionReader::numberOf(const clang::Expr* place) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const clang::Expr* init =
      variable && variable->getType().isConstQualified() && !variable->getType().isVolatileQualified()
          ? variable->getAnyInitializer()
          : nullptr;
  clang::Expr::EvalResult result;
  if (!init || init->isValueDependent() || !init->EvaluateAsRValue(result, input.context)) {
    noCode("`" + textOf(place) + "` is not a variable of its own");
    return nullptr;
  }
  ExprPtr value;
  if (result.Val.isInt() && place->getType()->isIntegralOrEnumerationType()) {
    llvm::SmallString<24> digits;
    result.Val.getInt().toString(digits, 10);
    value = leaf(Expr::Kind::Literal, place, std::string(digits));
  } else if (result.Val.isFloat() && place->getType()->isRealFloatingType()) {
    // Hexadecimal, so that it is the same number.
    value = leaf(Expr::Kind::Literal, place, fmt::format("{:a}", result.Val.getFloat().convertToDouble()));
    if (input.context.getTypeSize(place->getType()) > 64) value = nullptr;
  }
  if (!value) {
    noCode("`" + textOf(place) + "` is not a number that is known here");
    return nullptr;
  }
  return node(leaf(Expr::Kind::Cast, place, ""), {value});
}

ExprPtr RegionReader::initialiserOf(const clang::Expr* init, RawStatement& into) {
  init = init->IgnoreParens();
  if (const auto* missing = llvm::dyn_cast<clang::ImplicitValueInitExpr>(init)) {
    bool parts = missing->getType()->isRecordType() || missing->getType()->isArrayType();
    return leaf(parts ? Expr::Kind::Aggregate : Expr::Kind::Literal, init, parts ? "" : "0");
  }
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(init);
  if (!list) return quietBodyOf(init, into);
  if (const clang::InitListExpr* semantic = list->getSemanticForm()) list = semantic;
  bool parts = list->getType()->isRecordType() || list->getType()->isArrayType();
  if (!parts) return list->getNumInits() == 1 ? initialiserOf(list->getInit(0), into) : nullptr;
  if (const auto* record = list->getType()->getAs<clang::RecordType>();
      record && record->getDecl()->isUnion()) {
    noCode("`" + textOf(init) + "` is a union");
    return nullptr;
  }
  if (const auto* record = list->getType()->getAsRecordDecl();
      record && std::any_of(record->field_begin(), record->field_end(),
                            [](const clang::FieldDecl* field) { return field->isBitField(); })) {
    noCode("`" + textOf(init) + "` has bit-fields");
    return nullptr;
  }
  std::vector<ExprPtr> values;
  for (const clang::Expr* part : list->inits()) {
    ExprPtr value = initialiserOf(part, into);
    if (!value) return nullptr;
    values.push_back(value);
  }
  return node(leaf(Expr::Kind::Aggregate, init, ""), values);
}

bool RegionReader::addDeclaration(const clang::DeclStmt* declaration, CodeList& to, RawStatement& into) {
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) continue; // a type or a prototype
    std::string name = "`" + variable->getNameAsString() + "`";
    if (variable->isStaticLocal() && !isTable(variable)) return noCode(name + " keeps its value");
    auto code = newCode(Code::Kind::Declare, rangeOf(declaration));
    clang::QualType type = variable->getType();
    while (const auto* array = input.context.getAsConstantArrayType(type)) {
      code->extents.push_back(static_cast<long>(array->getSize().getZExtValue()));
      type = array->getElementType();
    }
    if (!isPlainValue(type))
      return noCode(fmt::format("{} is of type `{}`", name, variable->getType().getAsString()));
    if (const clang::Expr* init = variable->getInit()) {
      code->value = initialiserOf(init, into);
      if (!code->value) return noCode("the initialiser of " + name + " is not looked into");
    }
    code->type = modelType(input.context, type);
    code->name = declareLocal(variable);
    to.push_back(code);
  }
  return true;
}

ExprPtr RegionReader::assignment(const clang::Expr* at, const clang::Expr* target, const std::string& op,
                                 const ExprPtr& value, RawStatement& into) {
  if (!value) return nullptr;
  target = target->IgnoreParens();
  if (!isPlainValue(target->getType())) {
    noCode(fmt::format("`{}` is of type `{}`", textOf(target), target->getType().getAsString()));
    return nullptr;
  }
  if (dependsOnWidth(input.context, at)) {
    noCode(fmt::format("`{}` {}", textOf(at), widthDiffers));
    return nullptr;
  }
  if (isComputedApart(at)) {
    ExprPtr old = loadOf(target, into);
    return old ? assignment(target, target, "=", computedApart(at, old, value), into) : nullptr;
  }
  ExprPtr place = localPlace(target, into);
  if (!place && inFunction) {
    noCode("`" + textOf(target) + "` is not a variable of its own");
    return nullptr;
  }
  if (!place && unitOf(target)) {
    noCode("`" + textOf(target) + "` is a bit-field or a member of a union");
    return nullptr;
  }
  if (!place) {
    if (op != "=") addAccess(Access::Kind::Read, placeOf(target), target, into);
    place = accessOf(target, Access::Kind::Write, into);
    if (!pendingIncrements.empty()) return nullptr;
  }
  return place ? node(leaf(Expr::Kind::Assign, at, op), {place, value}) : nullptr;
}

bool RegionReader::evaluate(const clang::Expr* expr, std::vector<ExprPtr>& assigns, RawStatement& into) {
  if (assertedBy(expr)) return noCode("an assertion is made inside code that one thread runs");
  expr = expr->IgnoreParens();
  if (const auto* cleanups = llvm::dyn_cast<clang::FullExpr>(expr))
    return evaluate(cleanups->getSubExpr(), assigns, into);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return evaluate(cast->getSubExpr(), assigns, into);
  ExprPtr assign;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr); op && op->isAssignmentOp()) {
    // `a = b = c` assigns from the inside out.
    const clang::Expr* value = op->getRHS();
    const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
    if (inner && inner->isAssignmentOp()) {
      if (!evaluate(inner, assigns, into)) return false;
      assign = assignment(expr, op->getLHS(), assignmentOperator(op), loadOf(inner->getLHS(), into), into);
    } else {
      assign = assignment(expr, op->getLHS(), assignmentOperator(op), quietBodyOf(value, into), into);
    }
  } else if (const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(expr);
             comma && comma->getOpcode() == clang::BO_Comma) {
    return evaluate(comma->getLHS(), assigns, into) && evaluate(comma->getRHS(), assigns, into);
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(expr);
             step && step->isIncrementDecrementOp()) {
    assign = assignment(expr, step->getSubExpr(),
                        step->isIncrementOp() ? "+=" : "-=", leaf(Expr::Kind::Literal, expr, "1"), into);
  } else {
    Contents inside = contentsOf(expr, input.summaries);
    if (inside.unknownCalls.empty() && inside.written.empty()) return true; // its value is thrown away
    noCode("`" + textOf(expr) + "` is not looked into");
    return false;
  }
  if (!assign || !pendingIncrements.empty()) {
    pendingIncrements.clear();
    noCode("`" + textOf(expr) + "` is not looked into");
    return false;
  }
  assigns.push_back(assign);
  return true;
}

bool RegionReader::addExpression(const clang::Expr* expr, CodeList& to, RawStatement& into) {
  std::vector<ExprPtr> assigns;
  if (!evaluate(expr, assigns, into)) return false;
  for (const ExprPtr& assign : assigns) {
    auto code = newCode(Code::Kind::Evaluate, rangeOf(expr));
    code->value = assign;
    to.push_back(code);
  }
  return true;
}

bool RegionReader::addFor(const clang::ForStmt* loop, CodeList& to, RawStatement& into) {
  if (loop->getConditionVariable()) return noCode("the condition of the loop declares a variable");
  CodeList parts;
  if (loop->getInit() && !addCode(loop->getInit(), parts, into)) return false;
  // What is known of the index bounds what the loop touches.
  isl::set outside = domain;
  Header header = inFunction ? Header{} : headerOf(loop);
  bool bounded = !inFunction && header.problem.empty() && locals.count(header.index) > 0;
  if (bounded) {
    Contents body = contentsOf(loop->getBody(), input.summaries);
    int id = dryLoops++;
    Value first = header.first ? unwrapped(header.first, valueOf(header.first)) : Value{};
    domain = boundsOf(header, body, first, loopName(id)).inside;
    loopOfIndex[header.index] = id;
    when = domain;
  }
  auto code = newCode(Code::Kind::Loop, rangeOf(loop));
  bool good = true;
  codeLoops.push_back(loop);
  if (loop->getCond()) good = (code->value = quietBodyOf(loop->getCond(), into)) != nullptr;
  if (good) good = addPart(loop->getBody(), *code, into);
  if (good && loop->getInc()) good = evaluate(loop->getInc(), code->steps, into);
  codeLoops.pop_back();
  if (bounded) loopOfIndex.erase(header.index);
  domain = outside;
  when = outside;
  if (!good) return false;
  parts.push_back(code);
  to.push_back(together(rangeOf(loop), parts));
  return true;
}

bool RegionReader::addPart(const clang::Stmt* part, Code& of, RawStatement& into) {
  CodeList list;
  if (!addCode(part, list, into)) return false;
  of.children.push_back(together(rangeOf(part), list));
  return true;
}

bool RegionReader::addCode(const clang::Stmt* statement, CodeList& to, RawStatement& into) {
  SourceRange range = rangeOf(statement);
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    CodeList parts;
    for (const clang::Stmt* child : list->body())
      if (!addCode(child, parts, into)) return false;
    to.push_back(together(range, parts));
    return true;
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
    return addDeclaration(declaration, to, into);
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(statement)) return addExpression(expr, to, into);
  if (llvm::isa<clang::NullStmt>(statement)) return true;
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
    return addCode(attributed->getSubStmt(), to, into);
  if (llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::ContinueStmt>(statement)) {
    bool ends = llvm::isa<clang::BreakStmt>(statement);
    to.push_back(newCode(ends ? Code::Kind::Break : Code::Kind::Continue, range));
    return true;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
      branch && !branch->hasInitStorage() && !branch->hasVarStorage()) {
    auto code = newCode(Code::Kind::If, range);
    code->value = quietBodyOf(branch->getCond(), into);
    if (!code->value || !addPart(branch->getThen(), *code, into)) return false;
    if (branch->getElse() && !addPart(branch->getElse(), *code, into)) return false;
    to.push_back(code);
    return true;
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return addFor(loop, to, into);
  if (const clang::Stmt* once = onceIn(statement)) return addCode(once, to, into);
  const auto* whileLoop = llvm::dyn_cast<clang::WhileStmt>(statement);
  const auto* doLoop = llvm::dyn_cast<clang::DoStmt>(statement);
  if ((whileLoop && !whileLoop->getConditionVariable()) || doLoop) {
    auto code = newCode(Code::Kind::Loop, range);
    code->testsLast = doLoop != nullptr;
    code->value = quietBodyOf(whileLoop ? whileLoop->getCond() : doLoop->getCond(), into);
    if (!code->value || !addPart(whileLoop ? whileLoop->getBody() : doLoop->getBody(), *code, into))
      return false;
    to.push_back(code);
    return true;
  }
  if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(statement); result && inFunction) {
    auto code = newCode(Code::Kind::Return, range);
    if (const clang::Expr* value = result->getRetValue()) {
      code->value = quietBodyOf(value, into);
      if (!code->value) return false;
    }
    to.push_back(code);
    return true;
  }
  return noCode(fmt::format("a kernel cannot contain `{}`", textOf(statement)));
}

namespace {

/// True when the closed form of a pointer in `expr` is one over the index of a loop inside the code.
bool hasInnerIndex(const Expr& expr, const std::vector<int>& around) {
  if (expr.value) {
    isl_space* space = isl_pw_aff_get_domain_space(expr.value->get());
    bool found = false;
    for (int k = 0; k < static_cast<int>(isl_space_dim(space, isl_dim_param)); ++k) {
      std::string name = isl_space_get_dim_name(space, isl_dim_param, static_cast<unsigned>(k));
      bool isAround = std::any_of(around.begin(), around.end(),
                                  [&](int loop) { return name == "$" + std::to_string(loop); });
      found |= name.starts_with("$") && !isAround;
    }
    isl_space_free(space);
    if (found) return true;
  }
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ExprPtr& operand) { return hasInnerIndex(*operand, around); });
}

/// True when to do the assignments of `init` twice is the same as to do them once.
bool isIdempotent(const clang::Expr* init, const Contents& all, CallSummaries& summaries) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(init->IgnoreParens());
  if (op && op->getOpcode() == clang::BO_Comma)
    return isIdempotent(op->getLHS(), all, summaries) && isIdempotent(op->getRHS(), all, summaries);
  if (!op || op->getOpcode() != clang::BO_Assign) return false;
  Contents value = contentsOf(op->getRHS(), summaries);
  return value.written.empty() && all.writtenTypes.empty() &&
         std::none_of(value.referenced.begin(), value.referenced.end(),
                      [&](const clang::VarDecl* variable) { return all.written.count(variable) > 0; });
}

} // namespace

CodePtr RegionReader::codeOf(const clang::Stmt* statement, RawStatement& into) {
  Contents inside = contentsOf(statement, input.summaries);
  unsupported.clear();
  if (inside.breaks || inside.continues || inside.leaves || inside.ordered || !inside.unknownCalls.empty())
    return nullptr;
  Environment entry = environment;
  const std::size_t conditions = region.conditions.size();
  forgetWritten(inside);
  // Variables that only this statement uses, and sets before it reads them, are its own wherever they are
  // declared.
  MentionCount here;
  here.TraverseStmt(const_cast<clang::Stmt*>(statement));
  auto onlyHere = [&](const clang::VarDecl* variable) {
    return input.mentions.count(variable) == here.count[variable];
  };
  std::vector<const clang::VarDecl*> own;
  for (const clang::VarDecl* variable : inside.written) {
    bool candidate = variable->hasLocalStorage() && !inside.declared.count(variable) &&
                     !input.aliasing.isAddressTaken(variable) && isPlainValue(variable->getType());
    if (candidate && (onlyHere(variable) || input.mentions.isOnlyLoopIndex(variable)))
      own.push_back(variable);
  }
  std::sort(own.begin(), own.end(),
            [](const auto* a, const auto* b) { return a->getLocation() < b->getLocation(); });
  CodePtr code;
  into.mayNotRun = true;
  ++maybe;
  for (bool again = true; again;) {
    into.accesses.clear();
    locals.clear();
    unsupported.clear();
    when = domain;
    CodeList parts;
    for (const clang::VarDecl* variable : own) {
      auto declared = newCode(Code::Kind::Declare, rangeOf(statement));
      declared->type = modelType(input.context, variable->getType());
      declared->name = declareLocal(variable);
      parts.push_back(declared);
    }
    code = addCode(statement, parts, into) ? together(rangeOf(statement), parts) : nullptr;
    pendingIncrements.clear();
    if (!code) break;
    auto exposed = std::find_if(own.begin(), own.end(), [&](const clang::VarDecl* variable) {
      return mayReadFirst(*code, locals.at(variable));
    });
    again = exposed != own.end();
    if (again) own.erase(exposed);
  }
  bool followed = true;
  if (code) forEachExpr(*code, [&](const Expr& expr) { followed = followed && !hasInnerIndex(expr, loops); });
  if (!followed) code = nullptr;
  --maybe;
  when = domain;
  locals.clear();
  environment = std::move(entry);
  if (!code) {
    into.accesses.clear();
    region.conditions.resize(conditions);
  }
  return code;
}

void RegionReader::readWhole(const clang::ForStmt* loop, const Header& header, int id) {
  if (loops.empty()) return; // nothing is around it that could run in parallel
  // What the loop's header sets beside the index was read as statements before the loop.
  const auto* init = llvm::dyn_cast_or_null<clang::Expr>(loop->getInit());
  if (init && !isIdempotent(init, contentsOf(init, input.summaries), input.summaries)) return;
  RawStatement whole = newStatement(Statement::Kind::Opaque, loop);
  whole.model.code = codeOf(loop, whole);
  if (!whole.model.code) return;
  // An index that is a variable of the region gets its first value for certain, before all else.
  int index = objectOfVariable(header.index);
  bool isShared = std::any_of(whole.accesses.begin(), whole.accesses.end(),
                              [&](const RawAccess& access) { return access.place.object == index; });
  if (isShared && init) {
    RawStatement first = newStatement(Statement::Kind::Assign, init);
    unsupported.clear();
    ExprPtr value = quietBodyOf(header.first, first);
    if (!value) return;
    MemoryPlace place;
    place.object = index;
    addAccess(Access::Kind::Write, place, init, first);
    auto target = std::make_shared<Expr>(*leaf(Expr::Kind::Access, init, objects[index].name));
    target->access = static_cast<int>(first.accesses.size()) - 1;
    first.model.body = node(leaf(Expr::Kind::Assign, init, "="), {target, value});
    wholes[id].push_back(guarded(std::move(first)));
  }
  wholes[id].push_back(guarded(std::move(whole)));
}

Function RegionReader::readFunction(const clang::FunctionDecl* definition) {
  Function function;
  function.name = definition->getNameAsString();
  function.result = modelType(input.context, definition->getReturnType());
  inFunction = true;
  region.context = domain;
  contents = contentsOf(definition->getBody(), input.summaries);
  contents.declared.insert(definition->param_begin(), definition->param_end());
  auto refuse = [&](const std::string& why) {
    function.body = nullptr;
    function.problem = why;
    return function;
  };
  const clang::Stmt* at = nullptr;
  if (!whyTooLarge(definition->getBody(), at).empty()) return refuse("is too large to be looked into");
  if (definition->isVariadic()) return refuse("takes any number of arguments");
  if (!isPlainValue(definition->getReturnType()))
    return refuse("returns a `" + function.result.spelling + "`");
  for (const clang::ParmVarDecl* parameter : definition->parameters()) {
    if (!isPlainValue(parameter->getType()))
      return refuse("takes a `" + parameter->getType().getAsString() + "`");
    function.parameters.push_back({declareLocal(parameter), modelType(input.context, parameter->getType())});
  }
  RawStatement unused = newStatement(Statement::Kind::Opaque, definition->getBody());
  CodeList parts;
  if (!addCode(definition->getBody(), parts, unused))
    return refuse("cannot be written for a device: " + unsupported);
  function.body = together(rangeOf(definition->getBody()), parts);
  return function;
}

std::shared_ptr<const Function> RegionReader::functionOf(const clang::FunctionDecl* callee) {
  const clang::FunctionDecl* definition = definitionOf(callee);
  if (!definition || input.context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return nullptr;
  auto& known = input.summaries.functions[definition->getCanonicalDecl()];
  if (!known) {
    auto usedOutside = [](const clang::VarDecl*) { return false; };
    ReadInput inner{input.context,
                    definition,
                    input.summaries,
                    input.aliasing,
                    input.extents,
                    input.file,
                    false,
                    input.mentions,
                    usedOutside,
                    input.inlined,
                    {},
                    {},
                    {}};
    known = std::make_shared<const Function>(RegionReader(inner).readFunction(definition));
  }
  return known;
}

} // namespace warploom
