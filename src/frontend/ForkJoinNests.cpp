// Device nests as plain values: what `meta_schedule` holds, for who looks into it.
#include "frontend/ForkJoinReader.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <set>

namespace warploom {

/// Reads one nest. What it cannot express it notes as the reason why the nest is unusable.
class NestReader {
public:
  NestReader(const ForkJoinReader& r, DeviceNest& n) : reader(r), nest(n) {}

  NestStatement loop(const clang::ForStmt* statement) {
    NestStatement read;
    read.kind = NestStatement::Kind::Loop;
    read.at = reader.statementRange(statement);
    const LoopText text = reader.loopOf(statement);
    auto keyword = reader.statements.find(reader.offset(statement->getBeginLoc()));
    read.isParallel = keyword != reader.statements.end() && keyword->second->kind == ForkJoinKind::Loop;
    const std::size_t begin = read.isParallel ? keyword->second->begin : read.at.begin;
    read.header = reader.range(begin, reader.offset(statement->getBody()->getBeginLoc()));
    read.at = reader.range(begin, read.at.end);
    if (!text.unusable.empty() || reader.text(text.start) != "0" || text.comparison != "<" ||
        !text.increases || (text.by.end != 0 && reader.text(text.by) != "1") || text.counterIsPointer) {
      refuse(read.at, "a loop in it does not count from 0 in steps of 1");
      return read;
    }
    read.counter = text.counter;
    read.declaresCounter = text.declaresCounter;
    auto* condition = clang::cast<clang::BinaryOperator>(statement->getCond()->IgnoreParenImpCasts());
    read.bound = expr(text.counterFirst ? condition->getRHS() : condition->getLHS());
    auto* declared = clang::dyn_cast<clang::DeclStmt>(statement->getInit());
    if (declared)
      assigned(clang::cast<clang::VarDecl>(declared->getSingleDecl()));
    else
      assignedTo(clang::cast<clang::BinaryOperator>(statement->getInit())->getLHS());
    add(read.body, statement->getBody());
    return read;
  }

  /// How often a loop around the nest runs.
  NestExpr times(const clang::ForStmt* statement) {
    const LoopText text = reader.loopOf(statement);
    if (!text.unusable.empty() || reader.text(text.start) != "0" || text.comparison != "<" ||
        !text.increases || (text.by.end != 0 && reader.text(text.by) != "1"))
      return {};
    auto* condition = clang::cast<clang::BinaryOperator>(statement->getCond()->IgnoreParenImpCasts());
    return expr(text.counterFirst ? condition->getRHS() : condition->getLHS());
  }

  /// Notes what it reads from outside.
  void finish() {
    for (const auto& [variable, order] : mentioned) {
      const std::string name = variable->getNameAsString();
      if (auto [place, isNew] = byName.emplace(name, variable); !isNew && place->second != variable)
        refuse(nest.loop.at, "two variables in it are called '" + name + "'");
    }
    std::vector<std::pair<unsigned, const clang::VarDecl*>> inOrder;
    for (const auto& [variable, order] : mentioned)
      if (!isAssigned.count(variable) && variable->getType()->isArithmeticType())
        inOrder.emplace_back(order, variable);
    std::sort(inOrder.begin(), inOrder.end());
    for (const auto& [order, variable] : inOrder)
      define(variable);
  }

private:
  void refuse(const SourceRange& at, const std::string& why) {
    if (!nest.unusable.empty()) return;
    nest.unusable = why;
    nest.unusableAt = at;
  }

  /// Notes the scalar, and its definition where it has just one, and those of the scalars in that.
  void define(const clang::VarDecl* variable) {
    const std::string name = variable->getNameAsString();
    if (std::find(nest.scalars.begin(), nest.scalars.end(), name) != nest.scalars.end()) return;
    nest.scalars.push_back(name);
    nest.scalarTypes[name] = variable->getType().getUnqualifiedType().getAsString();
    if (auto* parameter = clang::dyn_cast<clang::ParmVarDecl>(variable))
      if (auto given = givenTo(parameter)) nest.likely[name] = *given;
    auto index = reader.indexOf(variable);
    if (!index || !variable->hasInit() || clang::isa<clang::ParmVarDecl>(variable) ||
        !variable->getType()->isIntegerType() || !variable->hasLocalStorage())
      return;
    for (const VariableUse& use : reader.result.uses)
      if (use.variable == *index && (use.written || use.addressed)) return;
    const auto before = mentioned;
    NestExpr definition = expr(variable->getInit());
    for (const auto& [more, order] : mentioned)
      if (!before.count(more)) {
        auto [place, isNew] = byName.emplace(more->getNameAsString(), more);
        if (!isNew && place->second != more) return; // the name means something else in the nest
        auto inside = reader.indexOf(more);
        // It must still be what it was when the definition was evaluated.
        if (!inside) return;
        for (const VariableUse& use : reader.result.uses)
          if (use.variable == *inside && (use.written || use.addressed)) return;
      }
    nest.definitions[name] = definition;
    for (const auto& [more, order] : std::map(mentioned))
      if (!before.count(more)) define(more);
  }

  /// The number that all calls of its function in the file give the parameter, by itself or as what a
  /// variable is at first.
  std::optional<long long> givenTo(const clang::ParmVarDecl* parameter) const {
    struct Calls : clang::RecursiveASTVisitor<Calls> {
      const clang::FunctionDecl* function = nullptr;
      std::vector<const clang::CallExpr*> found;
      bool VisitCallExpr(clang::CallExpr* call) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        if (callee && callee->getCanonicalDecl() == function) found.push_back(call);
        return true;
      }
    } calls;
    auto* function = clang::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (!function || !parameter->getType()->isIntegerType()) return std::nullopt;
    calls.function = function->getCanonicalDecl();
    calls.TraverseDecl(reader.context.getTranslationUnitDecl());
    std::optional<long long> all;
    for (const clang::CallExpr* call : calls.found) {
      if (parameter->getFunctionScopeIndex() >= call->getNumArgs()) return std::nullopt;
      const clang::Expr* argument = call->getArg(parameter->getFunctionScopeIndex())->IgnoreParenImpCasts();
      if (auto* mention = clang::dyn_cast<clang::DeclRefExpr>(argument))
        if (auto* variable = clang::dyn_cast<clang::VarDecl>(mention->getDecl());
            variable && variable->hasInit())
          argument = variable->getInit();
      clang::Expr::EvalResult value;
      if (argument->isValueDependent() || !argument->EvaluateAsInt(value, reader.context) ||
          value.Val.getInt().getSignificantBits() > 62)
        return std::nullopt;
      const long long number = value.Val.getInt().getExtValue();
      if (all && *all != number) return std::nullopt;
      all = number;
    }
    return all;
  }

  void mention(const clang::VarDecl* variable) { mentioned.emplace(variable, unsigned(mentioned.size())); }
  void assigned(const clang::VarDecl* variable) {
    mention(variable);
    isAssigned.insert(variable);
  }
  void assignedTo(const clang::Expr* target) {
    if (auto* mention = clang::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts()))
      if (auto* variable = clang::dyn_cast<clang::VarDecl>(mention->getDecl())) assigned(variable);
  }

  /// An integer of the type has the value that was assigned, unless that overflows.
  bool keepsValues(clang::QualType type) const {
    return type->isSignedIntegerType() && reader.context.getIntWidth(type) >= 32;
  }

  void add(std::vector<NestStatement>& to, const clang::Stmt* statement) {
    using namespace clang;
    if (auto* block = dyn_cast<CompoundStmt>(statement)) {
      for (const Stmt* child : block->body())
        add(to, child);
    } else if (auto* inside = dyn_cast<ForStmt>(statement)) {
      to.push_back(loop(inside));
    } else if (auto* declared = dyn_cast<DeclStmt>(statement)) {
      for (const Decl* one : declared->decls()) {
        auto* variable = dyn_cast<VarDecl>(one);
        if (!variable || !variable->getType()->isArithmeticType() || !variable->hasLocalStorage())
          return refuse(reader.statementRange(statement), "a declaration in it is not one of a number");
        assigned(variable);
        if (!variable->hasInit()) continue;
        NestStatement read;
        read.kind = NestStatement::Kind::Assign;
        read.at = reader.statementRange(statement);
        read.declares = true;
        read.target.op = NestExpr::Op::Variable;
        read.target.name = variable->getNameAsString();
        read.target.isInteger = keepsValues(variable->getType());
        read.value = expr(variable->getInit());
        to.push_back(read);
      }
    } else if (auto* branch = dyn_cast<IfStmt>(statement);
               branch && !branch->getConditionVariable() && !branch->getInit()) {
      NestStatement read;
      read.kind = NestStatement::Kind::If;
      read.at = reader.statementRange(statement);
      read.value = expr(branch->getCond());
      add(read.body, branch->getThen());
      if (branch->getElse()) add(read.otherwise, branch->getElse());
      to.push_back(read);
    } else if (auto* binary = dyn_cast<BinaryOperator>(statement); binary && binary->isAssignmentOp()) {
      NestStatement read;
      read.kind = NestStatement::Kind::Assign;
      read.at = reader.statementRange(statement);
      read.target = expr(binary->getLHS());
      read.target.isInteger = keepsValues(binary->getLHS()->getType());
      read.value = expr(binary->getRHS());
      const std::string sign = binary->getOpcodeStr().str();
      read.operation = sign.substr(0, sign.size() - 1);
      assignedTo(binary->getLHS());
      if (read.target.op != NestExpr::Op::Variable && read.target.op != NestExpr::Op::Access)
        refuse(read.at, "an assignment in it is to neither a scalar nor an array's element");
      to.push_back(read);
    } else if (!isa<NullStmt>(statement)) {
      refuse(reader.statementRange(statement),
             "a statement in it is neither a loop, an assignment nor a condition");
    }
  }

  NestExpr expr(const clang::Expr* whole) {
    using namespace clang;
    NestExpr read;
    read.at = reader.range(whole->getSourceRange());
    read.isInteger = whole->getType()->isIntegerType();
    const Expr* inner = whole->IgnoreParenImpCasts();
    Expr::EvalResult value;
    if (read.isInteger && !inner->isValueDependent() && inner->EvaluateAsInt(value, reader.context) &&
        value.Val.getInt().isSignedIntN(62)) {
      read.op = NestExpr::Op::Number;
      read.value = value.Val.getInt().getExtValue();
      return read;
    }
    auto operands = [&](NestExpr::Op op, std::initializer_list<const Expr*> of) {
      read.op = op;
      for (const Expr* one : of)
        read.operands.push_back(expr(one));
    };
    auto wraps = [](QualType type) { return type->isUnsignedIntegerType(); };
    if (auto* named = dyn_cast<DeclRefExpr>(inner)) {
      if (auto* variable = dyn_cast<VarDecl>(named->getDecl())) {
        mention(variable);
        read.op = NestExpr::Op::Variable;
        read.name = variable->getNameAsString();
        return read;
      }
    } else if (isa<ArraySubscriptExpr>(inner)) {
      if (access(inner, read)) return read;
    } else if (auto* unary = dyn_cast<UnaryOperator>(inner)) {
      read.name = UnaryOperator::getOpcodeStr(unary->getOpcode()).str();
      if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf ||
          unary->getOpcode() == UO_Deref)
        refuse(read.at, "an expression in it changes a variable, or goes through a pointer");
      operands(unary->getOpcode() == UO_Minus && !wraps(inner->getType()) ? NestExpr::Op::Negate
                                                                          : NestExpr::Op::Other,
               {unary->getSubExpr()});
      return read;
    } else if (auto* binary = dyn_cast<BinaryOperator>(inner); binary && !binary->isAssignmentOp()) {
      NestExpr::Op op = NestExpr::Op::Other;
      if (!wraps(inner->getType())) switch (binary->getOpcode()) {
        case BO_Add:
          op = NestExpr::Op::Add;
          break;
        case BO_Sub:
          op = NestExpr::Op::Subtract;
          break;
        case BO_Mul:
          op = NestExpr::Op::Multiply;
          break;
        default:
          break;
        }
      read.name = binary->getOpcodeStr().str();
      operands(op, {binary->getLHS(), binary->getRHS()});
      return read;
    } else if (auto* choice = dyn_cast<ConditionalOperator>(inner)) {
      read.name = "?:";
      operands(NestExpr::Op::Other, {choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()});
      smaller(read);
      return read;
    } else if (auto* call = dyn_cast<CallExpr>(inner)) {
      read.op = NestExpr::Op::Other;
      if (const FunctionDecl* function = call->getDirectCallee()) read.name = function->getNameAsString();
      for (const Expr* argument : call->arguments())
        read.operands.push_back(expr(argument));
      return read;
    } else if (auto* cast = dyn_cast<ExplicitCastExpr>(inner)) {
      read.name = "cast";
      operands(NestExpr::Op::Other, {cast->getSubExpr()});
      return read;
    } else if (isa<FloatingLiteral, CharacterLiteral, IntegerLiteral>(inner)) {
      read.name = "literal";
      return read;
    }
    refuse(read.at, "an expression in it is not understood");
    return read;
  }

  /// `x < y ? x : y`, in any of its forms, is the smaller one.
  static void smaller(NestExpr& choice) {
    const NestExpr& condition = choice.operands[0];
    if (condition.operands.size() != 2) return;
    const bool less = condition.name == "<" || condition.name == "<=",
               greater = condition.name == ">" || condition.name == ">=";
    auto same = [](const NestExpr& a, const NestExpr& b) {
      return a.op == b.op &&
             (a.op == NestExpr::Op::Variable ? a.name == b.name
                                             : a.op == NestExpr::Op::Number && a.value == b.value);
    };
    const NestExpr &x = condition.operands[0], &y = condition.operands[1], &first = choice.operands[1],
                   &second = choice.operands[2];
    if ((less && same(x, first) && same(y, second)) || (greater && same(x, second) && same(y, first))) {
      choice.op = NestExpr::Op::Smaller;
      choice.operands.erase(choice.operands.begin());
    }
  }

  /// Adds the variables in the size of a dimension.
  static void extents(const clang::Stmt* size, std::vector<std::string>& to) {
    if (auto* named = clang::dyn_cast<clang::DeclRefExpr>(size))
      to.push_back(named->getDecl()->getNameAsString());
    for (const clang::Stmt* child : size->children())
      if (child) extents(child, to);
  }

  /// An array's element; false when it is not one of an array with a name.
  bool access(const clang::Expr* inner, NestExpr& read) {
    using namespace clang;
    read.op = NestExpr::Op::Access;
    std::vector<const Expr*> subscripts;
    const QualType element = inner->getType();
    while (auto* subscript = dyn_cast<ArraySubscriptExpr>(inner)) {
      subscripts.insert(subscripts.begin(), subscript->getIdx());
      inner = subscript->getBase()->IgnoreParenImpCasts();
    }
    auto* named = dyn_cast<DeclRefExpr>(inner);
    auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
    if (!variable || !element->isArithmeticType()) return false;
    mention(variable);
    read.name = variable->getNameAsString();
    NestArray array;
    array.name = read.name;
    array.elementSize = unsigned(reader.context.getTypeSizeInChars(element).getQuantity());
    array.elementType = element.getUnqualifiedType().getAsString();
    QualType type = variable->getType();
    if (auto* parameter = dyn_cast<ParmVarDecl>(variable)) type = parameter->getOriginalType();
    for (;; type = type->isPointerType() ? type->getPointeeType()
                                         : type->getAsArrayTypeUnsafe()->getElementType()) {
      if (auto* sized = reader.context.getAsVariableArrayType(type); sized && sized->getSizeExpr())
        extents(sized->getSizeExpr(), array.extents);
      if (!type->isPointerType() && !type->isArrayType()) break;
    }
    nest.arrays[read.name] = array;
    for (const Expr* subscript : subscripts)
      read.operands.push_back(expr(subscript));
    return true;
  }

  const ForkJoinReader& reader;
  DeviceNest& nest;
  std::map<const clang::VarDecl*, unsigned> mentioned; ///< and when
  std::set<const clang::VarDecl*> isAssigned;
  std::map<std::string, const clang::VarDecl*> byName;
};

void ForkJoinReader::readNests() {
  for (const auto& [construct, body] : schedules) {
    auto level = [&, of = construct](auto&& self, const clang::Stmt* statement,
                                     const std::vector<const clang::ForStmt*>& outer) -> void {
      if (auto* block = clang::dyn_cast<clang::CompoundStmt>(statement)) {
        for (const clang::Stmt* child : block->body())
          self(self, child, outer);
        return;
      }
      auto* loop = clang::dyn_cast<clang::ForStmt>(statement);
      if (!loop) return; // reported by checkSchedule
      if (!statements.count(offset(loop->getBeginLoc()))) {
        std::vector<const clang::ForStmt*> more = outer;
        more.push_back(loop);
        return self(self, loop->getBody(), more);
      }
      DeviceNest nest;
      NestReader reader(*this, nest);
      nest.loop = reader.loop(loop);
      for (const clang::ForStmt* around : outer) {
        nest.outer.push_back(loopOf(around).counter);
        nest.outerBounds.push_back(reader.times(around));
      }
      reader.finish();
      result.constructs[of].nests.push_back(std::move(nest));
    };
    level(level, body, {});
  }
}

} // namespace warploom
