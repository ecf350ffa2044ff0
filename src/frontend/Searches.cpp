#include "frontend/Searches.h"

#include "frontend/ClangText.h"
#include "frontend/TreeRewrite.h"

#include <algorithm>
#include <clang/Basic/SourceManager.h>
#include <optional>
#include <regex>

namespace warploom {

namespace {

/// True when `statement` does not come back: `exit(1)`, or a function of the program's that ends with such a
/// call.
bool neverReturns(const clang::Stmt* statement, int depth = 4) {
  if (const auto* value = llvm::dyn_cast<clang::Expr>(statement)) statement = value->IgnoreParenCasts();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && neverReturns(block->body_back(), depth);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || callee->isNoReturn()) return callee != nullptr;
  const clang::FunctionDecl* body = depth > 0 ? definitionOf(callee) : nullptr;
  return body && body->getBody() && neverReturns(body->getBody(), depth - 1) &&
         !anyPart(body->getBody(), [](const clang::Stmt* one) {
           return llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt>(one);
         });
}

/// `for (index = first; index < limit; index++) { before; if (hit) { found; break; } }`
struct Search {
  clang::VarDecl* index = nullptr;
  bool ownIndex = false; ///< declared by the loop
  bool ascending = true;
  bool inclusive = false;         ///< `limit` itself is a value of the index
  bool countsInCondition = false; ///< `for (index = first; index-- > limit;)`
  clang::Expr* first = nullptr;   ///< null: what the index holds
  clang::Expr* limit = nullptr;
  StatementList before, found;
  // Other work of the iterations: `works`, among `all` that stands before the `if`, is done by the one that
  // finds something, too, `rest` behind it no longer.
  StatementList all, works, rest;
  clang::Expr* hit = nullptr;
  /// Instead of `found` and `break`: one `if` after the other whose bodies end with `return` or do not come
  /// back, with nothing but parts of `before` between them.
  std::vector<clang::IfStmt*> checks;
  bool rarely = true; ///< none of `checks` comes back: these are errors
};

/// The variable in whose name the elements of `place` lie: `a` for `a[i][j]`, also where `a` is a pointer;
/// null for what is reached in other ways.
const clang::VarDecl* rootOf(const clang::Expr* place) {
  place = place->IgnoreParenImpCasts();
  while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
    place = element->getBase()->IgnoreParenImpCasts();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

class SearchRewrite : public TreeRewrite {
public:
  SearchRewrite(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                Inlined& inlined)
      : TreeRewrite(function, context), summaries(summaries), inlined(inlined) {
    anyPart(function->getBody(), [&](const clang::Stmt* one) {
      const StatementList list = partsOf(const_cast<clang::Stmt*>(one));
      for (std::size_t k = 0; k + 1 < list.size(); ++k)
        if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(list[k + 1]))
          labels[list[k]] = label->getDecl();
      return false;
    });
  }

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    if (!loop || isCounted() || loop->getConditionVariable() || !loop->getCond()) return statement;
    Search search;
    if (!readHeader(loop, search) || !readBody(loop, search) || !looksSafely(search)) return statement;
    const bool works = !search.works.empty() || !search.rest.empty();
    if (!findsOnce(search) || (works && !leavesTheSearch(search))) return statement;
    if (!search.checks.empty()) {
      leaveAfter(loop, search, works);
    } else if (!works) {
      if (clang::ForStmt* other = turned(loop, search, search.index))
        inlined.standIns[loop] = {{other}, true};
    } else if (search.ownIndex) {
      AstCopy make(context, function, loop->getSourceRange());
      search.ownIndex = false; // where the search ends is what is wanted
      clang::VarDecl* end = make.newVariable(search.index->getNameAsString() + "_end",
                                             search.index->getType().getUnqualifiedType());
      clang::ForStmt* finds = turned(loop, search, end);
      if (finds) inlined.standIns[loop] = {{finds, worksUpTo(loop, search, end)}, true};
    }
    return statement;
  }

  /// Adds what stands for a search that leaves the function: one that finds where it does, the other work up
  /// to there, if it `works`, and then the user's own statements leave.
  void leaveAfter(clang::ForStmt* loop, Search search, bool works) {
    if (!isPlain(search.limit, loop) || (works && !search.first)) return;
    const std::optional<std::string> leaves = textThatLeaves(loop, search);
    if (!leaves) return;

    AstCopy make(context, function, loop->getSourceRange());
    const std::string index = search.index->getNameAsString(), limit = sourceText(context, search.limit);
    const std::string type = search.index->getType().getUnqualifiedType().getAsString();
    std::string found = index, declares, then = *leaves;
    const bool own = search.ownIndex;
    clang::VarDecl* target = search.index;
    if (own || works) {
      search.ownIndex = false;
      target = make.newVariable("warploom_" + index, search.index->getType().getUnqualifiedType());
      found = target->getNameAsString();
      declares = type + " " + found + ";";
      if (own) then = type + " " + index + " = " + found + "; (void)" + index + "; " + then;
    }
    clang::ForStmt* finds = turned(loop, search, target, false);
    if (!finds) return;
    const std::string test = search.ascending   ? (search.inclusive ? "<=" : "<")
                             : search.inclusive ? ">="
                                                : ">";
    inlined.results.insert(target);
    then = "if (" + found + " " + test + " (" + limit + ")) { " + then + " }";
    // Where nothing is found, that is what the index has after the loop.
    if (found != index && !own) then = "{ " + index + " = " + found + "; " + then + " }";
    inlined.standIns[loop] = {{finds}, true, search.rarely, {sourceRange(context, loop), declares, then}};
    if (works) inlined.standIns[loop].parts.push_back(worksUpTo(loop, search, target));
  }

  /// True when the text of `one` may stand in one line, a second time: it lies in `loop` and has no comments
  /// to the end of lines, and no labels, which may no longer be in the tree.
  bool isPlain(const clang::Stmt* one, const clang::ForStmt* loop) const {
    const clang::SourceManager& sources = context.getSourceManager();
    const clang::SourceRange range(one->getBeginLoc(), endOf(one));
    for (clang::SourceLocation at : {range.getBegin(), range.getEnd()})
      if (!at.isFileID() || sources.isBeforeInTranslationUnit(at, loop->getBeginLoc()) ||
          sources.isBeforeInTranslationUnit(endOf(loop), at))
        return false;
    static const std::regex quoted(R"re("(\\.|[^"\\])*"|'(\\.|[^'\\])*')re");
    const std::string text = std::regex_replace(sourceText(context, one), quoted, "0");
    return text.find("//") == text.npos && text.find_first_of("#\\\"") == text.npos &&
           text.find("goto") == text.npos &&
           std::count(text.begin(), text.end(), ':') <= std::count(text.begin(), text.end(), '?');
  }

  /// What the iteration of `loop` that ends it does, once its index is set and it is known to end it: the
  /// body of the only check, or, if that uses what the iteration has declared before, all that lead to it.
  std::optional<std::string> textThatLeaves(const clang::ForStmt* loop, const Search& search) const {
    std::set<const clang::VarDecl*> own;
    for (const clang::Stmt* part : search.before)
      own.merge(contentsOf(part, summaries).declared);
    auto usesOwn = [&](const clang::Stmt* one) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(one);
      return name && own.count(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
    };
    auto isOdd = [&](const clang::Stmt* one) {
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(one);
      const auto isStatic = [](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        return !variable || variable->isStaticLocal();
      };
      return llvm::isa<clang::LabelStmt, clang::StmtExpr, clang::AddrLabelExpr>(one) ||
             (declared && std::any_of(declared->decl_begin(), declared->decl_end(), isStatic));
    };
    for (clang::IfStmt* check : search.checks)
      if (const Contents inside = contentsOf(check->getThen(), summaries); inside.breaks || inside.continues)
        return std::nullopt;
    StatementList parts = {search.checks.front()->getThen()};
    if (search.checks.size() > 1 || anyPart(parts.front(), usesOwn)) {
      parts.clear();
      for (clang::Stmt* part : search.all)
        if (std::count(search.before.begin(), search.before.end(), part) && !inlined.parts.count(part))
          parts.push_back(part);
      parts.insert(parts.end(), search.checks.begin(), search.checks.end());
      std::sort(parts.begin(), parts.end(), [&](const clang::Stmt* a, const clang::Stmt* b) {
        return context.getSourceManager().isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
      });
    }
    std::string text;
    for (const clang::Stmt* part : parts) {
      if (!isPlain(part, loop) || anyPart(part, isOdd)) return std::nullopt;
      text += (text.empty() ? "" : " ") + sourceText(context, part);
      if (text.back() != ';' && text.back() != '}') text += ";";
    }
    return text;
  }

  /// True when nothing that the search reads is written by the other work of its loop: it can go first.
  /// Places behind pointers are told apart when the program runs, as everywhere.
  bool leavesTheSearch(const Search& search) const {
    std::set<const clang::VarDecl*> written, read, given, used;
    bool isAll = true;
    auto look = [&](const clang::Stmt* one) {
      const auto* count = llvm::dyn_cast<clang::UnaryOperator>(one);
      const clang::Expr* place = changedBy(one);
      if (place) written.insert(rootOf(place));
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(one))
        used.insert(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
      const auto* call = llvm::dyn_cast<clang::CallExpr>(one);
      const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      isAll = isAll && (!call || (callee && summaries.of(callee) == CallEffect::Pure)) &&
              !(count && count->getOpcode() == clang::UO_AddrOf) &&
              (!isLoop(one) || llvm::isa<clang::ForStmt>(one));
      return false;
    };
    for (const StatementList* list : {&search.works, &search.rest})
      for (const clang::Stmt* part : *list)
        anyPart(part, look);
    auto reads = [&](const clang::Stmt* one) {
      const auto* cast = llvm::dyn_cast<clang::CastExpr>(one);
      if (cast && cast->getCastKind() == clang::CK_LValueToRValue) read.insert(rootOf(cast->getSubExpr()));
      return false;
    };
    for (const clang::Stmt* part : search.before)
      anyPart(part, reads);
    for (const clang::Stmt* part : search.found) {
      anyPart(part, reads);
      given.insert(rootOf(llvm::cast<clang::BinaryOperator>(part)->getLHS()));
    }
    anyPart(search.hit, reads);
    anyPart(search.limit, reads);
    if (search.first) anyPart(search.first, reads);
    // Each of the two loops has its own of what an iteration declares.
    for (const clang::Stmt* part : search.before)
      for (const clang::VarDecl* own : contentsOf(part, summaries).declared)
        if (!own->getType()->isPointerType()) written.erase(own);
    return isAll && !written.count(nullptr) && !read.count(nullptr) &&
           std::none_of(written.begin(), written.end(),
                        [&](const auto* one) { return read.count(one) > 0; }) &&
           std::none_of(given.begin(), given.end(), [&](const auto* one) { return used.count(one) > 0; });
  }

  /// The user's loop without its search, which ends at `end`.
  clang::ForStmt* worksUpTo(clang::ForStmt* loop, const Search& search, clang::VarDecl* end) const {
    AstCopy make(context, function, loop->getSourceRange());
    auto before = [&](bool including) {
      const auto op = search.ascending ? (including ? clang::BO_LE : clang::BO_LT)
                                       : (including ? clang::BO_GE : clang::BO_GT);
      return binary(make.load(search.index), op, make.load(end), context.IntTy);
    };
    StatementList body;
    if (search.works.empty()) {
      body = search.all;
      body.insert(body.end(), search.rest.begin(), search.rest.end());
      body = {make.branch(before(false), make.block(body), nullptr)};
    } else {
      body = search.all;
      if (!search.rest.empty()) body.push_back(make.branch(before(false), make.block(search.rest), nullptr));
      body = {make.branch(before(true), make.block(body), nullptr)};
    }
    return new (context) clang::ForStmt(context, loop->getInit(), loop->getCond(), nullptr, loop->getInc(),
                                        blockAt(body, loop->getBody()->getSourceRange()), loop->getForLoc(),
                                        loop->getLParenLoc(), loop->getRParenLoc());
  }

  bool sameType(const clang::Expr* value, const clang::VarDecl* variable) const {
    return context.hasSameUnqualifiedType(value->getType(), variable->getType());
  }

  bool readHeader(clang::ForStmt* loop, Search& search) const {
    std::vector<clang::Expr*> conditions;
    splitAnd(loop->getCond(), conditions);
    auto ends = std::find_if(conditions.begin(), conditions.end(), [&](clang::Expr* one) {
      auto* test = llvm::dyn_cast<clang::BinaryOperator>(one->IgnoreParenImpCasts());
      return test && test->isRelationalOp() && readTest(loop, test, search);
    });
    if (ends == conditions.end() || !readInit(loop, search)) return false;
    conditions.erase(ends);
    // `index < limit && goes on` finds what does not go on.
    for (clang::Expr* other : conditions) {
      clang::Expr* found = negated(other);
      search.hit = search.hit ? binary(search.hit, clang::BO_LOr, found, context.IntTy) : found;
    }
    return sameType(search.limit, search.index) && (!search.first || sameType(search.first, search.index)) &&
           !mentions(search.limit, search.index) && isSteady(search.limit, context) &&
           (!search.first || isSteady(search.first, context)) &&
           (search.ascending || search.countsInCondition || search.index->getType()->isSignedIntegerType());
  }

  /// Reads `index < limit` with the step of the loop, which is one up or down.
  bool readTest(clang::ForStmt* loop, clang::BinaryOperator* test, Search& search) const {
    auto* count = llvm::dyn_cast<clang::UnaryOperator>(test->getLHS()->IgnoreParenImpCasts());
    if (count && count->getOpcode() == clang::UO_PostDec && test->getOpcode() == clang::BO_GT) {
      search.index = integerVariable(count->getSubExpr());
      search.limit = test->getRHS();
      search.ascending = false;
      search.countsInCondition = true;
      return search.index && !loop->getInc();
    }
    for (bool left : {true, false}) {
      search.index = integerVariable(left ? test->getLHS() : test->getRHS());
      const auto step =
          search.index && loop->getInc() ? amountAdded(loop->getInc(), search.index, context) : std::nullopt;
      if (!step || (*step != 1 && *step != -1)) continue;
      const auto op =
          left ? test->getOpcode() : clang::BinaryOperator::reverseComparisonOp(test->getOpcode());
      search.limit = left ? test->getRHS() : test->getLHS();
      search.ascending = *step == 1;
      search.inclusive = op == clang::BO_LE || op == clang::BO_GE;
      return search.ascending == (op == clang::BO_LT || op == clang::BO_LE);
    }
    return false;
  }

  bool readInit(clang::ForStmt* loop, Search& search) const {
    if (!loop->getInit()) return true;
    search.ownIndex = llvm::isa<clang::DeclStmt>(loop->getInit());
    search.first = firstValue(loop, search.index);
    return search.first && !mentions(search.first, search.index);
  }

  /// True when `jump` leaves `loop` for what follows it.
  bool ends(const clang::ForStmt* loop, const clang::Stmt* jump) const {
    if (llvm::isa<clang::BreakStmt>(jump)) return true;
    const auto* away = llvm::dyn_cast<clang::GotoStmt>(jump);
    auto found = away ? labels.find(loop) : labels.end();
    return found != labels.end() && found->second == away->getLabel();
  }

  /// Reads the body, which ends with the `if` that ends the search.
  bool readBody(clang::ForStmt* loop, Search& search) const {
    StatementList list = partsOf(loop->getBody());
    std::erase_if(list, [](const clang::Stmt* one) { return llvm::isa<clang::NullStmt>(one); });
    if (list.empty()) return search.hit != nullptr;
    // How the body of an `if` without `else` ends; null for all others.
    auto lastOf = [](clang::Stmt* one) -> const clang::Stmt* {
      auto* branch = llvm::dyn_cast<clang::IfStmt>(one);
      if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage()) return nullptr;
      const StatementList then = partsOf(branch->getThen());
      return then.empty() ? nullptr : then.back();
    };
    auto leaving = [&](clang::Stmt* one) -> clang::IfStmt* {
      const clang::Stmt* last = lastOf(one);
      const bool leaves = last && (llvm::isa<clang::ReturnStmt>(last) || neverReturns(last));
      return leaves ? llvm::cast<clang::IfStmt>(one) : nullptr;
    };
    auto jumps = [&](clang::Stmt* one) {
      const clang::Stmt* last = lastOf(one);
      return leaving(one) || (last && ends(loop, last));
    };
    auto at = std::find_if(list.begin(), list.end(), jumps);
    if (at == list.end()) return false;
    auto* branch = llvm::cast<clang::IfStmt>(*at);
    search.all.assign(list.begin(), at);
    for (clang::Stmt* part : search.all)
      (isOwn(part, search) ? search.before : search.works).push_back(part);
    clang::Expr* hit = branch->getCond();
    if (leaving(branch)) {
      search.checks = {branch};
      const std::size_t before = search.before.size();
      std::size_t kept = before;
      for (auto next = at + 1; next != list.end(); ++next) {
        if (clang::IfStmt* check = leaving(*next)) {
          search.checks.push_back(check);
          hit = binary(hit, clang::BO_LOr, check->getCond(), context.IntTy);
          kept = search.before.size();
          at = next;
        } else if (isOwn(*next, search)) {
          search.before.push_back(*next);
        } else {
          break;
        }
      }
      search.before.resize(kept);
      search.all.insert(search.all.end(), search.before.begin() + static_cast<std::ptrdiff_t>(before),
                        search.before.end());
      for (const clang::IfStmt* check : search.checks)
        search.rarely = search.rarely && neverReturns(check->getThen());
    } else {
      search.found = partsOf(branch->getThen());
      search.found.pop_back();
    }
    search.rest.assign(at + 1, list.end());
    for (const StatementList* others : {&search.works, &search.rest})
      for (const clang::Stmt* part : *others) {
        const Contents inside = contentsOf(part, summaries);
        if (inside.breaks || inside.continues || inside.leaves || !inside.unknownCalls.empty()) return false;
      }
    if (search.hit) {
      // Two ends are one, where nothing tells them apart.
      if (list.size() > 1 || !search.found.empty() || !search.checks.empty()) return false;
      search.hit = binary(search.hit, clang::BO_LOr, hit, context.IntTy);
    } else {
      search.hit = hit;
    }
    return true;
  }

  /// True when `part` only changes what the iteration declares before it or in it.
  bool isOwn(const clang::Stmt* part, const Search& search) const {
    const Contents inside = contentsOf(part, summaries);
    std::set<const clang::VarDecl*> own = inside.declared;
    for (const clang::Stmt* other : search.before)
      own.merge(contentsOf(other, summaries).declared);
    auto changesOthers = [&](const clang::Stmt* one) {
      const clang::Expr* place = changedBy(one);
      const clang::VarDecl* root = place ? rootOf(place) : nullptr;
      return place && (!root || !own.count(root) || root->getType()->isPointerType());
    };
    return inside.unknownCalls.empty() && !inside.breaks && !inside.continues && !inside.leaves &&
           !inside.ordered && !anyPart(part, changesOthers) &&
           std::all_of(inside.written.begin(), inside.written.end(),
                       [&](const clang::VarDecl* one) { return own.count(one) > 0; });
  }

  /// True when what iterations after the end look at is there, if the arrays are long enough: where they look
  /// is not read from memory, of which anything may stand behind the end.
  bool looksSafely(const Search& search) const {
    std::set<const clang::Decl*> loaded; // the iteration's own variables, but for indices of loops
    bool safe = true;
    auto loads = [&](const clang::Stmt* one) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one);
      if (reference && loaded.count(reference->getDecl())) return true;
      const auto* cast = llvm::dyn_cast<clang::CastExpr>(one);
      return cast && cast->getCastKind() == clang::CK_LValueToRValue &&
             !llvm::isa<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()) &&
             mentions(cast, search.index);
    };
    auto look = [&](const clang::Stmt* one) {
      const clang::Stmt *place = nullptr, *base = nullptr;
      if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(one)) {
        place = element->getIdx();
        base = element->getBase(); // a row that is itself loaded, `rows[i][j]`
      }
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(one);
          op && op->getOpcode() == clang::UO_Deref)
        place = op->getSubExpr();
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(one); member && member->isArrow())
        place = member->getBase();
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(one)) {
        place = loop->getCond();
        if (const auto* own = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
          for (const clang::Decl* index : own->decls())
            loaded.erase(index);
      }
      safe = safe && !(place && anyPart(place, loads)) && !(base && anyPart(base, loads)) &&
             !llvm::isa<clang::WhileStmt, clang::DoStmt>(one);
      return false;
    };
    for (const clang::Stmt* part : search.before)
      for (const clang::VarDecl* own : contentsOf(part, summaries).declared)
        loaded.insert(own);
    for (const clang::Stmt* part : search.before)
      anyPart(part, look);
    anyPart(search.hit, look);
    return safe;
  }

  /// True when what an iteration that finds something does is only to give variables values that nobody else
  /// in the loop reads: then the last to find something has the last word.
  bool findsOnce(const Search& search) const {
    std::set<const clang::VarDecl*> own, given;
    std::set<const clang::VarDecl*> read;
    for (const clang::Stmt* part : search.before) {
      const Contents inside = contentsOf(part, summaries);
      own.insert(inside.declared.begin(), inside.declared.end());
      read.insert(inside.referenced.begin(), inside.referenced.end());
    }
    auto reads = [&](clang::Expr* value) {
      const Contents inside = contentsOf(value, summaries);
      read.insert(inside.referenced.begin(), inside.referenced.end());
      return inside.unknownCalls.empty() && inside.written.empty() && !inside.ordered &&
             !anyPart(value, [](const clang::Stmt* one) { return changedBy(one) != nullptr; });
    };
    if (!reads(search.hit) || !reads(search.limit) || (search.first && !reads(search.first))) return false;
    for (clang::Stmt* part : search.found) {
      auto* set = llvm::dyn_cast<clang::BinaryOperator>(part);
      if (!set || set->getOpcode() != clang::BO_Assign || !reads(set->getRHS())) return false;
      auto* place = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
      auto* variable = place ? llvm::dyn_cast<clang::VarDecl>(place->getDecl()) : nullptr;
      if (!variable || !variable->getType()->isArithmeticType() ||
          variable->getType().isVolatileQualified() || variable == search.index ||
          !given.insert(variable).second)
        return false;
    }
    if (!search.ownIndex) given.insert(search.index), read.erase(search.index);
    return std::none_of(given.begin(), given.end(),
                        [&](const clang::VarDecl* one) { return read.count(one) || own.count(one); });
  }

  /// `value` once more.
  clang::Expr* again(clang::Expr* value) const {
    return sameVariables(context, function, value).copy(static_cast<const clang::Expr*>(value));
  }
  /// `value` as the end of a range that does not have its end, or of one that has it.
  clang::Expr* moved(clang::Expr* value, bool on, clang::BinaryOperatorKind by) const {
    AstCopy make(context, function, value->getSourceRange());
    return on ? make.parenthesised(
                    binary(value, by, number(1, value->getType(), value->getBeginLoc()), value->getType()))
              : value;
  }

  /// The loop the other way round, with an index of its own. Where that of the user outlives the loop,
  /// `target` gets the value that it has there, and is declared by the loop where it is another one, unless
  /// `declares` is false.
  clang::ForStmt* turned(clang::ForStmt* loop, const Search& search, clang::VarDecl* target,
                         bool declares = true) {
    AstCopy make(context, function, loop->getSourceRange());
    const clang::QualType type = search.index->getType().getUnqualifiedType();
    clang::VarDecl* index = make.newVariable(search.index->getNameAsString(), type);
    if (search.ownIndex) index->setDeclName(search.index->getDeclName());
    StatementList body = search.before;
    body.push_back(make.branch(search.hit, make.block(search.found), nullptr));
    clang::Stmt* whole = make.block(body);
    AstCopy copier = sameVariables(context, function, whole);
    copier.variables[search.index] = index;
    clang::Stmt* copy = copier.copy(whole);
    clang::Expr* begins = search.first ? again(search.first) : nullptr;
    clang::Expr* ends = again(search.limit);
    if (!copy || !ends || (search.first && !begins)) return nullptr;
    inlined.variables.insert(copier.made.begin(), copier.made.end());
    body = partsOf(copy);
    if (search.ownIndex)
      return over(loop, search, index, begins, ends, body, [&](clang::Expr* from) {
        index->setInit(from);
        return make.declare(index);
      });

    if (search.countsInCondition) return nullptr;
    auto* branch = llvm::cast<clang::IfStmt>(body.back());
    StatementList found = partsOf(branch->getThen());
    found.push_back(make.assign(target, make.load(index)));
    branch->setThen(make.block(found));
    clang::Expr* before = nullptr;
    if (!begins) {
      clang::VarDecl* begun = make.newVariable(search.index->getNameAsString() + "_first", type);
      before = make.assign(begun, make.load(search.index));
      begins = make.load(begun);
    }
    // Where nothing is found, the index has gone through to the end, if there was a way to go.
    clang::Expr *tested = again(begins), *stays = again(begins), *limit = again(ends), *end = again(ends);
    if (!tested || !stays || !limit || !end) return nullptr;
    const auto by = search.ascending ? clang::BO_Add : clang::BO_Sub;
    const auto test = search.ascending ? (search.inclusive ? clang::BO_LE : clang::BO_LT)
                                       : (search.inclusive ? clang::BO_GE : clang::BO_GT);
    auto* last = new (context) clang::ConditionalOperator(
        binary(tested, test, limit, context.IntTy), loop->getForLoc(), moved(end, search.inclusive, by),
        loop->getForLoc(), stays, type, clang::VK_PRValue, clang::OK_Ordinary);
    if (target != search.index && declares)
      return over(loop, search, index, begins, ends, body, [&](clang::Expr* from) -> clang::Stmt* {
        target->setInit(last);
        index->setInit(from);
        clang::Decl* both[] = {target, index};
        return new (context) clang::DeclStmt(clang::DeclGroupRef::Create(context, both, 2), loop->getForLoc(),
                                             loop->getForLoc());
      });
    clang::Expr* set = make.assign(target, last);
    if (before) set = binary(before, clang::BO_Comma, set, type);
    return over(loop, search, index, begins, ends, body, [&](clang::Expr* from) {
      return binary(set, clang::BO_Comma, make.assign(index, from), type);
    });
  }

  /// The loop over `index` from the end of `search`, `limit`, to `first`; `init` makes what sets the index.
  clang::ForStmt* over(clang::ForStmt* loop, const Search& search, clang::VarDecl* index, clang::Expr* first,
                       clang::Expr* limit, const StatementList& body,
                       const std::function<clang::Stmt*(clang::Expr*)>& init) const {
    const clang::SourceLocation at = loop->getForLoc();
    AstCopy make(context, function, {at, at});
    auto counts = [&](clang::UnaryOperatorKind by) {
      return clang::UnaryOperator::Create(context, make.use(index), by, index->getType().getUnqualifiedType(),
                                          clang::VK_PRValue, clang::OK_Ordinary, at, false,
                                          clang::FPOptionsOverride());
    };
    clang::Stmt* from = nullptr;
    clang::Expr *condition = nullptr, *step = nullptr;
    if (search.ascending) {
      from = init(moved(limit, search.inclusive, clang::BO_Add));
      condition = binary(counts(clang::UO_PostDec), clang::BO_GT, first, context.IntTy);
    } else {
      from = init(moved(limit, !search.inclusive && !search.countsInCondition, clang::BO_Add));
      condition = binary(make.load(index), search.countsInCondition ? clang::BO_LT : clang::BO_LE, first,
                         context.IntTy);
      step = counts(clang::UO_PreInc);
    }
    return new (context) clang::ForStmt(context, from, condition, nullptr, step,
                                        blockAt(body, loop->getBody()->getSourceRange()), at,
                                        loop->getLParenLoc(), loop->getRParenLoc());
  }

  CallSummaries& summaries;
  Inlined& inlined;
  std::map<const clang::Stmt*, const clang::LabelDecl*> labels; ///< of what follows a statement
};

} // namespace

void turnSearches(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined) {
  SearchRewrite(function, context, summaries, inlined).run();
}

} // namespace warploom
