#include "frontend/ForkJoinReader.h"

#include <algorithm>
#include <clang/AST/DeclOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace warploom {

ForkJoinReader::ForkJoinReader(const clang::ASTContext& context, ForkJoinTokens& tokens,
                               ForkJoinSource& result)
    : context(context), sources(context.getSourceManager()), tokens(tokens), result(result) {
  for (ForkJoinKeyword& keyword : tokens.keywords)
    (keyword.kind == ForkJoinKind::Join ? joins
     : keyword.assigned                 ? assigned
                                        : statements)[keyword.next] = &keyword;
}

bool ForkJoinReader::inMainFile(clang::SourceLocation location) const {
  return sources.isInMainFile(sources.getFileLoc(location));
}

/// Where `location` is in the main file; inside a macro, where that is used.
std::size_t ForkJoinReader::offset(clang::SourceLocation location) const {
  return sources.getFileOffset(sources.getFileLoc(location));
}

/// Where the token ends that begins at `location`; of a macro, where its use ends.
std::size_t ForkJoinReader::endOffset(clang::SourceLocation location) const {
  if (location.isMacroID()) location = sources.getExpansionRange(location).getEnd();
  location = sources.getFileLoc(location);
  return sources.getFileOffset(location) +
         clang::Lexer::MeasureTokenLength(location, sources, context.getLangOpts());
}

SourceRange ForkJoinReader::range(std::size_t begin, std::size_t end) const {
  SourceRange result;
  clang::FileID file = sources.getMainFileID();
  result.begin = begin;
  result.end = std::max(begin, end);
  result.line = sources.getLineNumber(file, unsigned(begin));
  result.column = sources.getColumnNumber(file, unsigned(begin));
  result.endLine = sources.getLineNumber(file, unsigned(result.end));
  result.endColumn = sources.getColumnNumber(file, unsigned(result.end));
  return result;
}

SourceRange ForkJoinReader::range(clang::SourceRange from) const {
  return range(offset(from.getBegin()), endOffset(from.getEnd()));
}

std::string ForkJoinReader::text(const SourceRange& at) const {
  return result.source.substr(at.begin, at.end - at.begin);
}

/// `end`, or the end of the semicolon that is the next token.
std::size_t ForkJoinReader::behindSemicolon(std::size_t end) const {
  clang::SourceLocation at = sources.getLocForStartOfFile(sources.getMainFileID()).getLocWithOffset(int(end));
  clang::Token token;
  if (!clang::Lexer::getRawToken(at, token, sources, context.getLangOpts(), true) &&
      token.is(clang::tok::semi))
    return endOffset(token.getLocation());
  return end;
}

std::size_t ForkJoinReader::statementEnd(const clang::Stmt* statement) const {
  using namespace clang;
  if (auto* loop = dyn_cast<ForStmt>(statement)) return statementEnd(loop->getBody());
  if (auto* loop = dyn_cast<WhileStmt>(statement)) return statementEnd(loop->getBody());
  if (auto* branch = dyn_cast<IfStmt>(statement))
    return statementEnd(branch->getElse() ? branch->getElse() : branch->getThen());
  if (auto* label = dyn_cast<LabelStmt>(statement)) return statementEnd(label->getSubStmt());
  if (auto* label = dyn_cast<SwitchCase>(statement)) return statementEnd(label->getSubStmt());
  if (auto* attributed = dyn_cast<AttributedStmt>(statement)) return statementEnd(attributed->getSubStmt());
  if (auto* branch = dyn_cast<SwitchStmt>(statement)) return statementEnd(branch->getBody());
  if (auto* directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (!directive->hasAssociatedStmt()) return offset(directive->getEndLoc());
    const Stmt* body = directive->getRawStmt();
    while (auto* captured = dyn_cast<CapturedStmt>(body))
      body = captured->getCapturedStmt();
    return statementEnd(body);
  }
  std::size_t end = endOffset(statement->getEndLoc());
  return isa<CompoundStmt, DeclStmt, NullStmt>(statement) ? end : behindSemicolon(end);
}

SourceRange ForkJoinReader::statementRange(const clang::Stmt* statement) const {
  return range(offset(statement->getBeginLoc()), statementEnd(statement));
}

void ForkJoinReader::error(const SourceRange& at, const std::string& message) {
  result.problems.push_back({"", at, true, message});
}

std::optional<unsigned> ForkJoinReader::indexOf(const clang::ValueDecl* variable) const {
  auto* plain = clang::dyn_cast_or_null<clang::VarDecl>(variable);
  auto found = plain ? variables.find(plain) : variables.end();
  if (found == variables.end()) return std::nullopt;
  return found->second;
}

void ForkJoinReader::read() {
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    if (clang::isa<clang::OMPDeclareReductionDecl>(declaration) && inMainFile(declaration->getLocation()))
      reductionLine(declaration);
    if (auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration);
        function && function->doesThisDeclarationHaveABody() && inMainFile(function->getLocation()))
      this->function(function);
  }
  for (const ForkJoinTokens::Directive& directive : tokens.directives) {
    bool known =
        std::any_of(result.constructs.begin(), result.constructs.end(),
                    [&](const ForkJoinConstruct& one) { return one.keyword.begin == directive.begin; });
    known =
        known ||
        std::any_of(result.languageTexts.begin(), result.languageTexts.end(), [&](const LanguageText& one) {
          return one.range.begin <= directive.begin && directive.begin < one.range.end;
        });
    if (!known)
      error(range(directive.begin, directive.end), "'omp " + directive.name + "' has no translation here");
  }
  for (const ReducerMark& mark : tokens.reducers) {
    LanguageText text;
    std::size_t end = mark.end;
    while (end < result.source.size() && result.source[end] == ' ')
      ++end;
    text.range = range(mark.begin, end);
    result.languageTexts.push_back(text);
    bool known = false;
    for (std::size_t k = 0; k < result.variables.size(); ++k) {
      LocalVariable& variable = result.variables[k];
      const std::string between =
          variable.declared >= mark.end ? tokens.text.substr(mark.end, variable.declared - mark.end) : ";";
      if (between.find_first_not_of(" \t\r\n") != std::string::npos) continue;
      known = true;
      variable.identity = mark.identity;
      variable.combine = mark.combine;
    }
    if (!known)
      error(range(mark.begin, mark.end),
            "a reducer is translated only as a local variable of its own declaration");
  }
  for (const ForkJoinKeyword& keyword : tokens.keywords) {
    if (keyword.matched) continue;
    SourceRange at = range(keyword.begin, keyword.end);
    bool fork = keyword.kind == ForkJoinKind::ForkBlock;
    if (fork && keyword.assigned)
      error(at, keyword.name + " gives a result only as `x = " + keyword.name + " f(a);`");
    else
      error(at, keyword.name + " is in no code that Clang compiles here: a macro's argument, or switched off "
                               "by the preprocessor");
  }
  std::sort(result.uses.begin(), result.uses.end(),
            [](const VariableUse& a, const VariableUse& b) { return a.begin < b.begin; });
  // One mention may be met twice: `x += 1` reads and writes, an initialiser list has two forms.
  std::vector<VariableUse> merged;
  for (const VariableUse& use : result.uses) {
    if (!merged.empty() && merged.back().begin == use.begin && merged.back().variable == use.variable) {
      merged.back().written |= use.written;
      merged.back().addressed |= use.addressed;
    } else {
      merged.push_back(use);
    }
  }
  result.uses = std::move(merged);
  std::sort(result.constants.begin(), result.constants.end(),
            [](const ConstantUse& a, const ConstantUse& b) { return a.begin < b.begin; });
  readNests();
}

/// The line that declares a reduction is OpenMP's alone.
void ForkJoinReader::reductionLine(const clang::Decl* declaration) {
  std::size_t at = offset(declaration->getLocation());
  std::size_t first = at == 0 ? std::string::npos : result.source.rfind('\n', at - 1),
              last = result.source.find('\n', at);
  LanguageText line;
  line.range = range(first == std::string::npos ? 0 : first + 1,
                     last == std::string::npos ? result.source.size() : last + 1);
  if (text(line.range).find("#") != std::string::npos && text(line.range).find('\\') == std::string::npos)
    result.languageTexts.push_back(line);
}

void ForkJoinReader::function(const clang::FunctionDecl* declaration) {
  FunctionText text;
  text.name = declaration->getNameAsString();
  text.range = range(declaration->getSourceRange());
  text.nameRange = range(clang::SourceRange(declaration->getLocation()));
  text.body = range(declaration->getBody()->getSourceRange());
  text.returnsVoid = declaration->getReturnType()->isVoidType();
  text.takesNothing = declaration->param_empty();
  result.functions.push_back(text);
  frames.clear();
  open.clear();
  jumps.clear();
  labels.clear();
  for (const clang::ParmVarDecl* parameter : declaration->parameters())
    declare(parameter);
  walk(declaration->getBody(), true);
  finishFunction();
}

void ForkJoinReader::declare(const clang::VarDecl* variable) {
  if (variables.count(variable)) return;
  LocalVariable read;
  read.name = variable->getNameAsString();
  read.declared = offset(variable->getLocation());
  read.end = endOffset(variable->getEndLoc());
  read.function = unsigned(result.functions.size() - 1);
  read.isStatic = !variable->hasLocalStorage();
  read.isParameter = clang::isa<clang::ParmVarDecl>(variable);
  read.hasInitialiser = variable->hasInit();
  clang::QualType type = variable->getType();
  read.isConst = type.isConstQualified();
  read.isArray = type->isArrayType();
  read.isPointer = type->isPointerType();
  if (read.isPointer && type->getPointeeType()->isArrayType()) type = type->getPointeeType();
  while (const clang::ArrayType* array = context.getAsArrayType(type)) {
    auto* constant = clang::dyn_cast<clang::ConstantArrayType>(array);
    read.extents.push_back(constant ? std::to_string(constant->getSize().getZExtValue()) : "");
    if (auto* variable_length = clang::dyn_cast<clang::VariableArrayType>(array))
      if (variable_length->getSizeExpr()) uses(variable_length->getSizeExpr(), false, false);
    type = array->getElementType();
  }
  if (!read.isArray && !read.isPointer) read.extents.clear();
  read.localType = isLocalType(type);
  if (const clang::TagDecl* tag = type->getAsTagDecl(); tag && read.localType)
    read.typeDeclared = offset(tag->getLocation());
  read.element = declaration(read.isArray || !read.extents.empty() ? type : type.getUnqualifiedType());
  variables[variable] = unsigned(result.variables.size());
  declarations.push_back(variable);
  result.variables.push_back(read);
}

void ForkJoinReader::use(const clang::DeclRefExpr* mention, bool written, bool addressed) {
  if (result.language == ForkJoinLanguage::OpenMP && clang::isa<clang::FunctionDecl>(mention->getDecl()) &&
      mention->getDecl()->getName().starts_with("omp_"))
    return error(range(mention->getSourceRange()),
                 mention->getDecl()->getNameAsString() + " has no translation");
  if (auto* constant = clang::dyn_cast<clang::EnumConstantDecl>(mention->getDecl());
      constant && constant->getParentFunctionOrMethod() && !mention->getLocation().isMacroID()) {
    llvm::SmallString<24> value;
    constant->getInitVal().toString(value, 10);
    result.constants.push_back(
        {offset(mention->getLocation()), constant->getName().size(), value.str().str()});
    return;
  }
  auto index = indexOf(mention->getDecl());
  if (!index) return;
  VariableUse use;
  clang::SourceLocation at = mention->getLocation();
  use.inMacro = at.isMacroID() && !sources.isMacroArgExpansion(at);
  use.begin = offset(at);
  // The expression of a pragma is one byte further left for Clang.
  for (const GrainPragma& grain : tokens.grains)
    if (use.begin + 1 >= grain.expression && use.begin < grain.end) ++use.begin;
  use.variable = *index;
  use.written = written;
  use.addressed = addressed;
  result.uses.push_back(use);
}

/// Notes the variables in `expression`, and what happens to them.
void ForkJoinReader::uses(const clang::Stmt* expression, bool written, bool addressed) {
  using namespace clang;
  if (!expression) return;
  if (auto* mention = dyn_cast<DeclRefExpr>(expression)) return use(mention, written, addressed);
  if (auto* paren = dyn_cast<ParenExpr>(expression)) return uses(paren->getSubExpr(), written, addressed);
  if (auto* member = dyn_cast<MemberExpr>(expression))
    return uses(member->getBase(), written && !member->isArrow(), addressed && !member->isArrow());
  if (auto* unary = dyn_cast<UnaryOperator>(expression)) {
    if (unary->isIncrementDecrementOp()) return uses(unary->getSubExpr(), true, false);
    if (unary->getOpcode() == UO_AddrOf) return uses(unary->getSubExpr(), false, true);
    return uses(unary->getSubExpr(), false, false);
  }
  if (auto* binary = dyn_cast<BinaryOperator>(expression); binary && binary->isAssignmentOp()) {
    uses(binary->getLHS(), true, false);
    return uses(binary->getRHS(), false, false);
  }
  if (auto* cast = dyn_cast<CastExpr>(expression))
    return uses(cast->getSubExpr(), false,
                addressed || (cast->getCastKind() == CK_ArrayToPointerDecay &&
                              isa<MemberExpr>(cast->getSubExpr()->IgnoreParens())));
  if (isa<StmtExpr>(expression)) return walk(cast<StmtExpr>(expression)->getSubStmt(), true);
  // Of an array it matters that it is one, and no pointer.
  if (auto* trait = dyn_cast<UnaryExprOrTypeTraitExpr>(expression); trait && !trait->isArgumentType())
    return uses(trait->getArgumentExpr(), false, true);
  for (const Stmt* child : expression->children())
    uses(child, written && isa<ArraySubscriptExpr>(expression) && child == *expression->child_begin(), false);
}

unsigned ForkJoinReader::begin(ForkJoinConstruct construct, bool inBlock) {
  construct.function = unsigned(result.functions.size() - 1);
  construct.inBlock = inBlock;
  if (!open.empty()) construct.parent = open.back();
  result.constructs.push_back(std::move(construct));
  return unsigned(result.constructs.size() - 1);
}

void ForkJoinReader::walkInside(const clang::Stmt* statement, Frame frame) {
  frames.push_back(frame);
  bool construct = frame.construct >= 0;
  if (construct) open.push_back(unsigned(frame.construct));
  walk(statement, false);
  if (construct) open.pop_back();
  frames.pop_back();
}

void ForkJoinReader::walk(const clang::Stmt* statement, bool inBlock) {
  using namespace clang;
  if (!statement) return;
  const std::size_t at = offset(statement->getBeginLoc());
  // A construct's keyword stands before the outermost statement that begins here.
  if (auto found = statements.find(at);
      found != statements.end() && !found->second->matched && !isa<LabelStmt>(statement)) {
    ForkJoinKeyword& keyword = *found->second;
    keyword.matched = true;
    if (keyword.kind == ForkJoinKind::Loop) {
      if (auto* loop = dyn_cast<ForStmt>(statement)) return parallelLoop(keyword, loop, inBlock);
    } else {
      return fork(keyword, statement, inBlock);
    }
  }
  if (auto* null = dyn_cast<NullStmt>(statement)) {
    auto found = joins.find(offset(null->getSemiLoc()));
    if (found == joins.end()) return;
    found->second->matched = true;
    ForkJoinConstruct join;
    join.kind = ForkJoinKind::Join;
    join.name = found->second->name;
    join.keyword = range(found->second->begin, found->second->end);
    join.statement = range(found->second->begin, endOffset(null->getSemiLoc()));
    begin(join, inBlock);
    return;
  }
  if (auto* directive = dyn_cast<OMPExecutableDirective>(statement))
    return this->directive(directive, inBlock);
  if (isa<Expr, DeclStmt>(statement)) {
    auto found = assigned.lower_bound(at);
    if (found != assigned.end() && found->first < statementEnd(statement) && !found->second->matched &&
        !isa<StmtExpr>(statement))
      assignedFork(*found->second, statement, inBlock);
  }
  if (auto* block = dyn_cast<CompoundStmt>(statement)) {
    for (const Stmt* child : block->body())
      walk(child, true);
  } else if (auto* declared = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* one : declared->decls())
      if (auto* variable = dyn_cast<VarDecl>(one)) {
        declare(variable);
        uses(variable->getInit(), false, false);
      }
  } else if (auto* loop = dyn_cast<ForStmt>(statement)) {
    walk(loop->getInit(), true);
    uses(loop->getCond(), false, false);
    uses(loop->getInc(), false, false);
    walkInside(loop->getBody(), {Frame::Loop});
  } else if (auto* loop = dyn_cast<WhileStmt>(statement)) {
    uses(loop->getCond(), false, false);
    walkInside(loop->getBody(), {Frame::Loop});
  } else if (auto* loop = dyn_cast<DoStmt>(statement)) {
    walkInside(loop->getBody(), {Frame::Loop});
    uses(loop->getCond(), false, false);
  } else if (auto* branch = dyn_cast<SwitchStmt>(statement)) {
    uses(branch->getCond(), false, false);
    walkInside(branch->getBody(), {Frame::Switch});
  } else if (auto* branch = dyn_cast<IfStmt>(statement)) {
    uses(branch->getCond(), false, false);
    walk(branch->getThen(), false);
    walk(branch->getElse(), false);
  } else if (auto* label = dyn_cast<LabelStmt>(statement)) {
    result.functions.back().hasLabels = true;
    labels[label->getDecl()] = open.empty() ? -1 : int(open.back());
    walk(label->getSubStmt(), inBlock);
  } else if (auto* label = dyn_cast<SwitchCase>(statement)) {
    jump(statement);
    walk(label->getSubStmt(), inBlock);
  } else if (auto* attributed = dyn_cast<AttributedStmt>(statement)) {
    walk(attributed->getSubStmt(), inBlock);
  } else if (auto* returned = dyn_cast<ReturnStmt>(statement)) {
    jump(statement);
    ReturnText text;
    text.range = statementRange(returned);
    text.inBlock = inBlock;
    text.inLoop = std::any_of(frames.begin(), frames.end(),
                              [](const Frame& frame) { return frame.kind == Frame::Loop; });
    result.functions.back().returns.push_back(text);
    uses(returned->getRetValue(), false, false);
  } else if (isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(statement)) {
    jump(statement);
  } else if (isa<Expr>(statement)) {
    uses(statement, false, false);
  } else {
    for (const Stmt* child : statement->children())
      if (child) isa<Expr>(child) ? uses(child, false, false) : walk(child, false);
  }
}

/// A fork, a device statement or a scope: its keyword stands before `statement`.
void ForkJoinReader::fork(ForkJoinKeyword& keyword, const clang::Stmt* statement, bool inBlock) {
  ForkJoinConstruct construct;
  construct.kind = keyword.kind;
  construct.name = keyword.name;
  construct.keyword = range(keyword.begin, keyword.end);
  construct.body = range(keyword.next, statementEnd(statement));
  construct.statement = range(keyword.begin, construct.body.end);
  construct.bodyIsBlock = clang::isa<clang::CompoundStmt>(statement);
  for (const ForkJoinKeyword::Name& name : keyword.shared)
    construct.shared.push_back(name.text);
  for (const ForkJoinKeyword::Name& name : keyword.cached)
    construct.cached.push_back(name.text);
  if (construct.kind == ForkJoinKind::ForkBlock) {
    if (clang::isa<clang::DeclStmt>(statement))
      error(construct.keyword, keyword.name + " of a declaration: what it declares would be of no use");
    construct.call = callOf(statement);
    if (construct.call && construct.call->target.end == 0 && keyword.shared.empty() && !construct.bodyIsBlock)
      construct.kind = ForkJoinKind::ForkCall;
  }
  checkNames(construct, keyword.shared, false);
  checkNames(construct, keyword.cached, true);
  unsigned index = begin(construct, inBlock);
  if (construct.kind == ForkJoinKind::ForkCall) {
    uses(statement, false, false);
    return;
  }
  Frame frame{Frame::Fork, int(index)};
  walkInside(statement, frame);
  if (construct.kind == ForkJoinKind::Schedule) {
    checkSchedule(construct, statement);
    schedules.emplace_back(index, statement);
  }
}

/// `x = meta_fork f(a);` or `int x = meta_fork f(a);`: the keyword stands inside `statement`.
void ForkJoinReader::assignedFork(ForkJoinKeyword& keyword, const clang::Stmt* statement, bool inBlock) {
  auto call = callOf(statement);
  if (!call || call->call.begin != keyword.next || call->target.end == 0) return; // reported as not matched
  if (!keyword.shared.empty())
    error(range(keyword.begin, keyword.end),
          "shared is a clause of a forked block, not of a call whose result is kept");
  keyword.matched = true;
  ForkJoinConstruct construct;
  construct.kind = ForkJoinKind::ForkCall;
  construct.name = keyword.name;
  construct.keyword = range(keyword.begin, keyword.end);
  construct.statement = construct.body = statementRange(statement);
  construct.call = call;
  begin(construct, inBlock);
}

std::vector<ReductionText> ForkJoinReader::reductionsOf(const ForkJoinKeyword& keyword) {
  std::vector<ReductionText> read;
  for (const ForkJoinKeyword::Reduction& clause : keyword.reductions)
    for (const ForkJoinKeyword::Name& name : clause.names) {
      const clang::VarDecl* variable = lookUp(name.text, name.begin);
      SourceRange at = range(name.begin, name.begin + name.text.size());
      if (!variable) {
        error(at, "'" + name.text + "' is no variable here");
        continue;
      }
      ReductionText one{clause.operation,
                        clause.identity,
                        clause.combine,
                        name.text,
                        declaration(variable->getType().getUnqualifiedType()),
                        variable->getType()->isArithmeticType(),
                        indexOf(variable)};
      if (!one.scalar && clause.combine.empty())
        error(at, "'" + name.text + "' is not of an arithmetic type");
      read.push_back(one);
    }
  return read;
}

void ForkJoinReader::parallelLoop(ForkJoinKeyword& keyword, const clang::ForStmt* loop, bool inBlock) {
  ForkJoinConstruct construct;
  construct.kind = ForkJoinKind::Loop;
  construct.name = keyword.name;
  construct.keyword = range(keyword.begin, keyword.end);
  if (auto* declared = clang::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
    for (const clang::Decl* one : declared->decls())
      if (auto* variable = clang::dyn_cast<clang::VarDecl>(one)) declare(variable);
  construct.loop = loopOf(loop);
  construct.body = construct.loop->body;
  construct.bodyIsBlock = construct.loop->bodyIsBlock;
  construct.statement = range(keyword.begin, construct.body.end);
  construct.reductions = reductionsOf(keyword);
  for (const GrainPragma& grain : tokens.grains)
    if (grain.next == keyword.begin) {
      construct.grainLine = range(grain.begin, grain.end);
      construct.grainsize = range(grain.expression, grain.expressionEnd);
      construct.statement = range(grain.begin, construct.body.end);
    }
  if (!construct.loop->unusable.empty())
    error(construct.keyword, keyword.name + " is expected to count: " + construct.loop->unusable);
  unsigned index = begin(construct, inBlock);
  walk(loop->getInit(), true);
  uses(loop->getCond(), false, false);
  uses(loop->getInc(), false, false);
  walkInside(loop->getBody(), {Frame::ParallelLoop, int(index)});
}

/// The variable that `name` means at `at`; null when there is none.
const clang::VarDecl* ForkJoinReader::lookUp(const std::string& name, std::size_t at) const {
  const clang::VarDecl* found = nullptr;
  std::size_t innermost = 0;
  for (std::size_t k = 0; k < result.variables.size(); ++k) {
    const LocalVariable& variable = result.variables[k];
    if (variable.name != name || variable.declared >= at || variable.function + 1 != result.functions.size())
      continue;
    // Its block must still be open: no closing brace of it stands between.
    int depth = 0;
    bool closed = false;
    const std::string& source = tokens.text;
    if (!variable.isParameter)
      for (std::size_t p = variable.end; p < at && !closed; ++p) {
        depth += (source[p] == '{') - (source[p] == '}');
        closed = depth < 0;
      }
    if (!closed && (!found || variable.declared >= innermost)) {
      found = declarations[k];
      innermost = variable.declared;
    }
  }
  if (found) return found;
  clang::IdentifierInfo& identifier = context.Idents.get(name);
  for (const clang::NamedDecl* one :
       context.getTranslationUnitDecl()->lookup(clang::DeclarationName(&identifier)))
    if (auto* variable = clang::dyn_cast<clang::VarDecl>(one)) found = variable;
  return found;
}

void ForkJoinReader::checkNames(const ForkJoinConstruct& construct,
                                const std::vector<ForkJoinKeyword::Name>& names, bool arrays) {
  for (const ForkJoinKeyword::Name& name : names) {
    const clang::VarDecl* variable = lookUp(name.text, construct.keyword.begin);
    SourceRange at = range(name.begin, name.begin + name.text.size());
    if (!variable)
      error(at, "'" + name.text + "' is no variable here");
    else if (arrays && !variable->getType()->isArrayType() && !variable->getType()->isPointerType())
      error(at, "'" + name.text + "' is no array");
    else if (arrays) {
      const std::string body = text(construct.body);
      bool mentioned = false;
      for (std::size_t at = body.find(name.text); at != std::string::npos && !mentioned;
           at = body.find(name.text, at + 1)) {
        auto part = [&](std::size_t k) {
          return k < body.size() && (std::isalnum(static_cast<unsigned char>(body[k])) || body[k] == '_');
        };
        mentioned = !(at > 0 && part(at - 1)) && !part(at + name.text.size());
      }
      if (!mentioned) error(at, "'" + name.text + "' is no array of this statement's loops");
    }
  }
}

} // namespace warploom
