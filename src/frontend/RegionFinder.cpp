#include "frontend/RegionFinder.h"

#include "frontend/ClangText.h"
#include "frontend/Includes.h"
#include "frontend/SourceSize.h"
#include "frontend/TreeRewrite.h"
#include "support/Attempt.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

namespace warploom {

namespace {

/// A run longer than this is cut into several regions: each is analysed as a whole.
constexpr std::size_t maximumLoopsPerRegion = 48;
/// Elementary isl operations that reading one region may take.
constexpr unsigned long readingLimit = 20'000'000;

/// What a loop is: `for (...)`, `while (...)`, `do`; not valid when `statement` is none.
clang::SourceRange loopHeader(const clang::Stmt* statement) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
    return {loop->getForLoc(), loop->getRParenLoc()};
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement))
    return {loop->getWhileLoc(), loop->getRParenLoc()};
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
    return {loop->getForLoc(), loop->getRParenLoc()};
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement); loop && !onceIn(loop))
    return {loop->getDoLoc(), loop->getDoLoc()};
  return {};
}

/// Collects the loops of a function, in textual order.
class LoopScan : public clang::RecursiveASTVisitor<LoopScan> {
public:
  explicit LoopScan(const Inlined& inlined) : inlined(inlined) {}
  std::vector<const clang::Stmt*> loops;
  bool TraverseStmt(clang::Stmt* statement) {
    return inlined.parts.count(statement) > 0 ||
           clang::RecursiveASTVisitor<LoopScan>::TraverseStmt(statement);
  }
  bool VisitStmt(clang::Stmt* statement) {
    if (loopHeader(statement).isValid()) loops.push_back(statement);
    return true;
  }

private:
  const Inlined& inlined;
};

/// The name of the variable that the loop `statement` sets first; empty when it sets none.
std::string indexOf(const clang::Stmt* statement) {
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
  if (!loop) return {};
  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(*declaration->decl_begin()))
      return variable->getNameAsString();
  if (const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit()))
    if (const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()))
      return target->getDecl()->getNameAsString();
  return {};
}

} // namespace

std::vector<const clang::FunctionDecl*> definedFunctions(const clang::ASTContext& context) {
  struct Scan : clang::RecursiveASTVisitor<Scan> {
    const clang::SourceManager& sources;
    std::vector<const clang::FunctionDecl*> found;
    explicit Scan(const clang::SourceManager& sources) : sources(sources) {}
    /// False for those in headers that nothing uses, which are not compiled.
    bool isThere(const clang::FunctionDecl* function) const {
      return isCompiled(function) || !isFromElsewhere(sources, function->getLocation());
    }
    bool VisitFunctionDecl(clang::FunctionDecl* function) {
      bool onDeviceOnly =
          function->hasAttr<clang::CUDAGlobalAttr>() ||
          (function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAHostAttr>());
      if (function->isThisDeclarationADefinition() && function->hasBody() && !onDeviceOnly &&
          !function->isDependentContext() && isThere(function) &&
          sources.isInMainFile(sources.getExpansionLoc(function->getLocation())))
        found.push_back(function);
      return true;
    }
  } scan(context.getSourceManager());
  scan.TraverseDecl(context.getTranslationUnitDecl());
  return scan.found;
}

RegionFinder::RegionFinder(const clang::ASTContext& context, const clang::FunctionDecl* function,
                           CallSummaries& summaries, Aliasing& aliasing, const Inlined& inlined,
                           const Markers& markers, std::string file, const FrontendOptions& options)
    : context(context), function(function), summaries(summaries), aliasing(aliasing), inlined(inlined),
      markers(markers), extents(context, function, options.extents), file(std::move(file)), options(options),
      mentions(context, function, aliasing) {}

std::vector<Region> RegionFinder::find() {
  SourceRange body = sourceRange(context, function->getBody()->getSourceRange());
  auto marked = markers.pairsIn(static_cast<unsigned>(body.begin), static_cast<unsigned>(body.end));
  if (marked.empty()) findIn(function->getBody(), false);
  for (const auto& pair : marked)
    findMarked(function->getBody(), pair, false);
  if (options.everyLoop) addOtherLoops(marked);
  return std::move(regions);
}

void RegionFinder::addOtherLoops(const std::vector<std::pair<unsigned, unsigned>>& marked) {
  // Where something is marked, nobody asks about the rest.
  auto isAskedFor = [&](const clang::Stmt* loop) {
    SourceRange range = sourceRange(context, loop);
    return marked.empty() || std::any_of(marked.begin(), marked.end(), [&](const auto& marks) {
             return range.begin >= marks.first && range.end <= marks.second;
           });
  };
  LoopScan scan(inlined);
  scan.TraverseStmt(function->getBody());
  for (const clang::Stmt* loop : scan.loops) {
    if (held.count(loop) || !isAskedFor(loop)) continue;
    const auto* counted = llvm::dyn_cast<clang::ForStmt>(loop);
    std::string why;
    if (auto found = whyOpaque.find(loop); counted && found != whyOpaque.end())
      why = found->second;
    else if (counted)
      why = RegionReader::whyNotHeld(counted, inputFor({loop}, true, false));
    else if (!llvm::isa<clang::CXXForRangeStmt>(loop))
      why = "only its condition says, while it runs, when it ends";
    bool inOrder = !why.empty();
    if (!inOrder) why = "it is not looked into";
    why += fmt::format(" (line {})", sourceRange(context, loop).line);
    regions.push_back(unread({loop}, false, why, inOrder));
  }
}

const clang::Stmt* RegionFinder::withoutDirective(const clang::Stmt* statement) {
  auto found = openMpLoop(context, statement);
  if (!found) return statement;
  const clang::Stmt* loop = found->loop;
  directives[loop] = std::move(*found);
  return loop;
}

void RegionFinder::addUnder(const clang::OMPExecutableDirective* directive,
                            std::optional<std::pair<unsigned, unsigned>> marks) {
  LoopScan scan(inlined);
  scan.TraverseStmt(const_cast<clang::OMPExecutableDirective*>(directive));
  std::size_t end = 0;
  for (const clang::Stmt* loop : scan.loops) {
    const SourceRange range = sourceRange(context, loop);
    const bool isInside = range.begin < end;
    if (isInside || (marks && (range.begin < marks->first || range.end > marks->second))) continue;
    end = range.end;
    held.insert(loop);
    regions.push_back(unread({loop}, marks.has_value(),
                             fmt::format("`#pragma omp {}` (line {}) is not looked into", nameOf(directive),
                                         sourceRange(context, directive).line),
                             false));
  }
}

bool RegionFinder::hasPrivates(const clang::Stmt* loop) const {
  auto found = directives.find(loop);
  return found != directives.end() &&
         std::any_of(found->second.privates.begin(), found->second.privates.end(),
                     [&](const clang::VarDecl* one) { return !mentions.isOnlyLoopIndex(one); });
}

void RegionFinder::findIn(const clang::Stmt* statement, bool insideLoop) {
  if (!statement || inlined.parts.count(statement)) return; // what is not in the text cannot be replaced
  statement = withoutDirective(statement);
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return findInList({block->body_begin(), block->body_end()}, insideLoop);
  if (llvm::isa<clang::ForStmt>(statement)) return findInList({statement}, insideLoop);
  if (const clang::Stmt* once = onceIn(statement)) return findIn(once, insideLoop);
  if (llvm::isa<clang::Expr>(statement)) return;
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement))
    return addUnder(directive, std::nullopt);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    for (const bool yes : {true, false}) {
      const clang::Stmt* part = yes ? branch->getThen() : branch->getElse();
      const bool holds = part && staysTrue(branch->getCond(), part);
      if (holds) given.emplace_back(branch->getCond(), yes);
      findIn(part, insideLoop);
      if (holds) given.pop_back();
    }
    return;
  }
  bool loop = loopHeader(statement).isValid();
  for (const clang::Stmt* child : statement->children())
    findIn(child, insideLoop || loop);
}

/// True when `condition`, a comparison of integers that only this function changes, is what it was before
/// `part` wherever control is in that.
bool RegionFinder::staysTrue(const clang::Expr* condition, const clang::Stmt* part) const {
  const Contents inside = contentsOf(part, summaries);
  // Control may come from elsewhere to labels, also to those of a `switch`.
  if (inside.leaves ||
      anyPart(part, [](const clang::Stmt* one) { return llvm::isa<clang::SwitchCase>(one); }))
    return false;
  std::function<bool(const clang::Stmt*)> isSteady = [&](const clang::Stmt* one) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(one)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (!variable || !variable->hasLocalStorage() || !variable->getType()->isIntegerType() ||
          variable->getType().isVolatileQualified() || inlined.variables.count(variable) ||
          inside.written.count(variable) || aliasing.isAddressTaken(variable))
        return false;
    } else if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one)) {
      if (op->isAssignmentOp() || op->getOpcode() == clang::BO_Comma) return false;
    } else if (!llvm::isa<clang::IntegerLiteral, clang::ParenExpr, clang::ImplicitCastExpr>(one)) {
      return false;
    }
    return std::all_of(one->child_begin(), one->child_end(), isSteady);
  };
  return isSteady(condition);
}

bool RegionFinder::joinsNests(const clang::Stmt* statement) const {
  bool simple = llvm::isa<clang::Expr>(statement) || llvm::isa<clang::DeclStmt>(statement) ||
                llvm::isa<clang::IfStmt>(statement) || llvm::isa<clang::NullStmt>(statement) ||
                onceIn(statement);
  if (!simple) return false;
  Contents contents = contentsOf(statement, summaries);
  return contents.unknownCalls.empty() && contents.forLoops.empty() && !contents.leaves && !contents.breaks &&
         !contents.continues && !contents.ordered;
}

void RegionFinder::findInList(const Statements& list, bool insideLoop) {
  Statements run, between, straight;
  std::size_t loopsInRun = 0;
  auto finishRun = [&] {
    if (!run.empty()) {
      readRun(run, insideLoop, false, straight);
      straight.clear();
    }
    run.clear();
    between.clear();
    loopsInRun = 0;
  };
  for (const clang::Stmt* listed : list) {
    const clang::Stmt* statement = withoutDirective(listed);
    if (auto other = inlined.standIns.find(statement); other != inlined.standIns.end()) {
      held.insert(statement);
      const Statements& parts = other->second.parts;
      if (parts.size() > 1 || !other->second.leaves.then.empty()) {
        finishRun();
        readRun(parts, insideLoop, false, {});
        straight.clear();
        continue;
      }
      // How often it runs is found where the region begins.
      if (!other->second.endsEarly) finishRun();
      statement = parts.front();
    }
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    // What is private to a loop has another value after it than the loop gives it.
    const bool alone = hasPrivates(statement);
    if (alone) finishRun();
    if (loop) {
      ReadInput input = inputFor({statement}, insideLoop, false);
      if (!RegionReader::whyNotHeld(loop, input).empty()) {
        finishRun();
        straight.clear();
        findIn(loop->getBody(), true);
        continue;
      }
      std::size_t loops = contentsOf(loop, summaries).forLoops.size();
      if (!run.empty() && loopsInRun + loops > maximumLoopsPerRegion) finishRun();
      // A variable declared between two nests must not be needed after the region.
      run.insert(run.end(), between.begin(), between.end());
      between.clear();
      run.push_back(statement);
      loopsInRun += loops;
      if (alone) finishRun();
    } else if (!run.empty() && joinsNests(statement) && !inlined.parts.count(statement) &&
               !inlined.namedIn(statement)) {
      between.push_back(statement);
    } else {
      finishRun();
      bool plain = (llvm::isa<clang::Expr>(statement) || llvm::isa<clang::DeclStmt>(statement)) &&
                   !inlined.parts.count(statement) && !inlined.namedIn(statement);
      if (plain)
        straight.push_back(statement);
      else
        straight.clear();
      findIn(statement, insideLoop);
    }
  }
  finishRun();
}

void RegionFinder::findMarked(const clang::Stmt* statement, std::pair<unsigned, unsigned> marks,
                              bool insideLoop) {
  if (!statement) return;
  Statements inside;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    for (const clang::Stmt* child : block->body()) {
      SourceRange range = sourceRange(context, child);
      if (range.begin < marks.first || range.end > marks.second) continue;
      const clang::Stmt* loop = withoutDirective(child);
      inside.push_back(hasPrivates(loop) && block->size() > 1 ? child : loop);
    }
  if (!inside.empty()) return readRun(inside, insideLoop, true, {});
  if (const clang::ForStmt* under = loopUnder(statement)) return findMarked(under->getBody(), marks, true);
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement))
    return addUnder(directive, marks);
  bool loop = loopHeader(statement).isValid();
  for (const clang::Stmt* child : statement->children())
    findMarked(child, marks, insideLoop || loop);
}

/// Why nothing may be written around the text of `run`; empty when it may.
std::string RegionFinder::whyFixedText(const Statements& run) const {
  const clang::SourceManager& sources = context.getSourceManager();
  for (clang::SourceLocation end : {run.front()->getBeginLoc(), endOf(run.back())})
    if (!sources.isInMainFile(sources.getExpansionLoc(end))) return "its text stands in an included file";
  clang::CharSourceRange whole =
      clang::CharSourceRange::getTokenRange(run.front()->getBeginLoc(), endOf(run.back()));
  if (clang::Lexer::makeFileCharRange(whole, sources, context.getLangOpts()).isInvalid())
    return "it begins or ends inside the expansion of a macro";
  clang::SourceLocation last = endOf(run.back());
  char final = *sources.getCharacterData(sources.getSpellingLoc(last));
  auto next =
      clang::Lexer::findNextToken(sources.getExpansionRange(last).getEnd(), sources, context.getLangOpts());
  if (final != '}' && final != ';' && !(next && next->is(clang::tok::semi)))
    return "its last semicolon comes from a macro";
  for (const clang::Stmt* statement : run) {
    const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (!declarations) continue;
    for (const clang::Decl* declaration : declarations->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (!variable) return "it declares a type or function outside its loops";
      std::string name = "`" + variable->getNameAsString() + "`";
      if (variable->getType()->isVariablyModifiedType())
        return "it declares " + name + ", whose type depends on a value";
      if (variable->hasAttr<clang::CleanupAttr>()) return "it declares " + name + ", which is cleaned up";
      if (!mentions.mayBeUsedAfter(variable, run.back())) continue;
      if (variable->getType().isConstQualified())
        return "it declares the constant " + name + ", used after it";
      if (context.getLangOpts().CPlusPlus) return "it declares " + name + ", used after it";
    }
  }
  return {};
}

std::vector<RegionVariable> RegionFinder::variablesOf(const Statements& run) const {
  std::vector<RegionVariable> variables;
  for (const clang::Stmt* statement : run)
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl* declaration : declarations->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
          variables.push_back({variable->getNameAsString(), mentions.mayBeUsedAfter(variable, run.back())});
  return variables;
}

ReadInput RegionFinder::inputFor(const Statements& run, bool insideLoop, bool marked) const {
  const clang::Stmt *first = run.front(), *last = run.back();
  const bool again = insideLoop || mentions.mayRunAgain(first, last);
  const auto directive = run.size() == 1 ? directives.find(first) : directives.end();
  auto usedOutside = [=, this](const clang::VarDecl* variable) {
    if (directive != directives.end() && directive->second.privates.count(variable)) return false;
    return mentions.count(variable) > 0 && (again || mentions.mayBeUsedAfter(variable, last));
  };
  std::map<const clang::Stmt*, OpenMpLoop> said;
  for (const clang::Stmt* statement : run)
    if (auto found = directives.find(statement); found != directives.end()) said.insert(*found);
  return {context,  function,    summaries, aliasing, extents, file, marked,
          mentions, usedOutside, inlined,   {},       given,   said};
}

std::string RegionFinder::tooLarge(const Statements& run) const {
  for (const clang::Stmt* statement : run) {
    const clang::Stmt* at = nullptr;
    std::string why = whyTooLarge(statement, at);
    if (!why.empty()) return fmt::format("{} (line {})", why, sourceRange(context, at).line);
  }
  return {};
}

bool RegionFinder::usesInlined(const Statements& run) const {
  if (inlined.variables.empty()) return false;
  std::set<const clang::VarDecl*> used, declared;
  for (const clang::Stmt* statement : run) {
    Contents inside = contentsOf(statement, summaries);
    used.insert(inside.referenced.begin(), inside.referenced.end());
    declared.insert(inside.declared.begin(), inside.declared.end());
  }
  return std::any_of(used.begin(), used.end(), [&](const clang::VarDecl* variable) {
    return inlined.variables.count(variable) > 0 && !declared.count(variable);
  });
}

/// A region with the outermost loops of `run` and, in each, a statement that may do anything because of
/// `reason`; `inOrder`: because of it the iterations must stay in order, too.
Region RegionFinder::unread(const Statements& run, bool marked, const std::string& reason,
                            bool inOrder) const {
  Region region;
  region.function = function->getNameAsString();
  region.file = fileOf(context, run.front(), file);
  region.marked = marked;
  region.range = sourceRange(context, run.front());
  SourceRange last = sourceRange(context, run.back());
  region.range.endLine = last.endLine;
  region.range.endColumn = last.endColumn;
  region.range.end = last.end;
  region.context = isl::set::universe(isl::space::unit(islContext()).params());
  region.fixedText = "it was not read: " + reason;
  if (!inOrder) region.remarks.push_back({region.range, reason});
  Array memory; // stands for all that the loops may touch
  memory.name = memory.variable = "memory";
  memory.storage = Array::Storage::Predicate;
  region.arrays.push_back(memory);
  for (const clang::Stmt* part : run) {
    const clang::SourceRange header = loopHeader(part);
    if (header.isInvalid()) continue;
    int number = static_cast<int>(region.loops.size());
    Loop loop;
    loop.index = indexOf(part);
    loop.range = sourceRange(context, part);
    loop.header = sourceRange(context, header);
    loop.inexactBounds = reason;
    if (inOrder) loop.mustStaySequential = reason;
    region.loops.push_back(loop);
    Statement statement;
    statement.name = "S" + std::to_string(number);
    statement.kind = Statement::Kind::Opaque;
    statement.range = loop.range;
    statement.text = sourceText(context, header);
    statement.loops = {number};
    statement.position = {number, 0};
    statement.domain = isl::set(islContext(), "{ " + statement.name + "[i] }");
    statement.hostOnly = reason;
    Access access;
    access.array = 0;
    access.map = isl::map(islContext(), "{ " + statement.name + "[i] -> memory[] }");
    access.exact = false;
    access.inexactReason = reason;
    access.range = loop.header;
    access.text = statement.text;
    for (Access::Kind kind : {Access::Kind::MayRead, Access::Kind::MayWrite}) {
      access.kind = kind;
      statement.accesses.push_back(access);
    }
    region.statements.push_back(std::move(statement));
  }
  validate(region);
  return region;
}

/// The outermost statements of a region, by where they begin, that may have to stay on the host, and whether
/// one of them certainly has to.
struct RegionFinder::HostParts {
  std::set<std::size_t> begins;
  bool certain = false;
};

RegionFinder::HostParts RegionFinder::hostParts(const Region& region) {
  HostParts parts;
  std::set<int> whole;
  for (const WholeLoop& form : region.wholes)
    whole.insert(form.loop);
  // In a loop that one thread can run as a whole nothing matters any more.
  auto note = [&](int loop, bool certain, std::size_t begin) {
    for (; loop >= 0; loop = region.loops[loop].parent) {
      certain = certain && !whole.count(loop);
      begin = region.loops[loop].range.begin;
    }
    parts.begins.insert(begin);
    parts.certain |= certain;
  };
  for (const Statement& statement : region.statements)
    if (!statement.hostOnly.empty() || statement.kind == Statement::Kind::Opaque) {
      int innermost = statement.loops.empty() ? -1 : statement.loops.back();
      bool replaced = whole.count(statement.afterLoop) > 0;
      note(innermost, !statement.hostOnly.empty() && !replaced, statement.range.begin);
    }
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
    if (!region.loops[loop].mustStaySequential.empty() || !region.loops[loop].inexactBounds.empty())
      note(loop, true, 0);
  return parts;
}

void RegionFinder::findInside(const Statements& run, bool insideLoop, const HostParts& parts) {
  if (run.size() > 1) {
    // Each part on its own, and what is between them together.
    Statements rest;
    auto readRest = [&] {
      if (!rest.empty()) findInList(rest, insideLoop);
      rest.clear();
    };
    for (const clang::Stmt* statement : run) {
      bool isPart = parts.begins.count(sourceRange(context, statement).begin) > 0;
      if (!isPart) {
        rest.push_back(statement);
        continue;
      }
      readRest();
      if (llvm::isa<clang::ForStmt>(statement))
        readRun({statement}, insideLoop, false, {});
      else
        findIn(statement, insideLoop);
    }
    return readRest();
  }
  findInLoops(run);
}

void RegionFinder::findInLoops(const Statements& run) {
  for (const clang::Stmt* statement : run) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
      findIn(loop->getBody(), true);
    else
      for (const clang::Stmt* child : statement->children())
        findIn(child, true);
  }
}

void RegionFinder::readRun(const Statements& run, bool insideLoop, bool marked, const Statements& before) {
  ReadInput input = inputFor(run, insideLoop, marked);
  input.before = before;
  decltype(RegionReader::opaqueParts) opaque;
  std::vector<const clang::ForStmt*> loops;
  std::string reason = tooLarge(run);
  if (reason.empty() && usesInlined(run)) reason = "it uses what a call inside the loop around it made";
  std::optional<Region> region;
  double seconds = 0;
  if (reason.empty()) {
    Budget budget(Budget::For::Region);
    auto result = attempt([&] {
      return limited(
          [&] {
            RegionReader reader(input);
            Region result = reader.read(run);
            opaque = reader.opaqueParts;
            loops = reader.sourceLoops;
            return result;
          },
          readingLimit);
    });
    reason = result.reason;
    if (result.value) region = std::move(*result.value);
    if (reason.empty() && !region) reason = Budget::reason();
    if (reason.empty() && !region) reason = "reading this nest took more isl operations than allowed";
    seconds = budget.seconds();
  }
  if (!region) {
    // Too hard as a whole. Its inner nests may be easier.
    regions.push_back(unread(run, marked, reason, false));
    for (const clang::Stmt* statement : run)
      if (loopHeader(statement).isValid()) held.insert(statement);
    return findInLoops(run);
  }
  region->readingSeconds = seconds;
  if (region->fixedText.empty()) region->fixedText = whyFixedText(run);
  region->variables = variablesOf(run);
  held.insert(loops.begin(), loops.end());
  whyOpaque.insert(opaque.begin(), opaque.end());
  HostParts parts = options.nested ? hostParts(*region) : HostParts{};
  bool cut = parts.certain && run.size() > 1 && !marked;
  if ((marked || !region->loops.empty()) && !cut) regions.push_back(std::move(*region));
  if (!parts.begins.empty()) return findInside(run, insideLoop, parts);
  for (const auto& [part, why] : opaque) {
    if (llvm::isa<clang::ForStmt>(part))
      findIn(llvm::cast<clang::ForStmt>(part)->getBody(), true);
    else
      for (const clang::Stmt* child : part->children())
        findIn(child, true);
  }
}

} // namespace warploom
