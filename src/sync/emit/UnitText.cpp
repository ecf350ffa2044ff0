// The statements of one unit: guards, assignments and reports, with every leaf replaced by the text of its
// column.
#include "sync/emit/CodeText.h"

#include <algorithm>
#include <array>
#include <memory_resource>
#include <unordered_map>

namespace warploom::sync {

namespace {

// Binding strengths of C, of those operators that are printed.
enum Strength {
  Lowest = 0,
  OrElse = 1,
  AndThen = 2,
  Equality = 6,
  Relation = 7,
  Sum = 9,
  Product = 10,
  Prefix = 11,
  Atom = 12
};

/// An expression of a unit: a leaf with its text, an operand converted to a real, or an operator and its
/// operands.
struct Term {
  enum class Form { Leaf, ToReal, Operator };
  Form form = Form::Leaf;
  std::string_view text;         ///< Leaf
  const Expr* expr = nullptr;    ///< Operator: any expression of this shape
  std::span<const int> operands; ///< terms
  bool isLeaf = true;            ///< or a converted one: never worth a name
  int uses = 0;                  ///< by different terms, and by statements
  bool considered = false;       ///< for a name
  std::string name;              ///< where it has one
};

/// The terms of a unit. Equal ones have one number, so that what occurs twice is seen.
class Terms {
public:
  const Term& operator[](int number) const { return terms[std::size_t(number)]; }
  Term& operator[](int number) { return terms[std::size_t(number)]; }

  int leaf(std::string_view text) {
    if (const auto found = leaves.find(text); found != leaves.end()) return found->second;
    Term& term = terms.emplace_back();
    term.text = kept(text, memory);
    return leaves.emplace(term.text, int(terms.size()) - 1).first->second;
  }
  int toReal(int operand) {
    const int key[] = {-1, 0, 0, 0, operand};
    return number(key, Term::Form::ToReal, nullptr, terms[std::size_t(operand)].isLeaf);
  }
  /// The operator of `expr` on these terms.
  int apply(const Expr& expr, const std::vector<int>& operands) {
    std::vector<int> key(typeSize + operands.size());
    key[0] = int(expr.op);
    key[1] = int(expr.type.base);
    key[2] = int(expr.type.bound);
    key[3] = expr.op == Expr::Op::Read    ? expr.variable
             : expr.op == Expr::Op::Slice ? int(expr.value.integer)
                                          : 0;
    std::copy(operands.begin(), operands.end(), key.begin() + typeSize);
    return number(key, Term::Form::Operator, &expr, false);
  }

private:
  static constexpr std::size_t typeSize = 4;
  struct SameSequence {
    bool operator()(std::span<const int> a, std::span<const int> b) const { return std::ranges::equal(a, b); }
  };

  int number(std::span<const int> key, Term::Form form, const Expr* expr, bool isLeaf) {
    if (const auto found = operators.find(key); found != operators.end()) return found->second;
    const std::span<const int> own = kept(key, memory);
    Term& term = terms.emplace_back();
    term.form = form;
    term.expr = expr;
    term.operands = own.subspan(typeSize);
    term.isLeaf = isLeaf;
    return operators.emplace(own, int(terms.size()) - 1).first->second;
  }

  std::array<std::byte, 8192> room;                                     // enough for most units
  std::pmr::monotonic_buffer_resource memory{room.data(), room.size()}; ///< of all below
  std::pmr::vector<Term> terms{&memory};
  std::pmr::unordered_map<std::string_view, int> leaves{&memory};
  /// By operator, type and what else tells them apart, four numbers, and the operands.
  std::pmr::unordered_map<std::span<const int>, int, SequenceHash, SameSequence> operators{&memory};
};

} // namespace

/// Prints the actions of a piece's group. Leaves are used up in the order in which leavesOf() lists them.
class CodeText::UnitText {
public:
  UnitText(const CodeText& with, const StepPhase& in, std::size_t number, const Piece& of)
      : code(with), phase(in), pieceNumber(number), piece(of), names(code.indexNames(piece)) {}

  /// What the text written so far uses.
  UnitCode facts;

  /// `scoped`: names may be declared here without a clash.
  void write(TextWriter& out, bool scoped = true) {
    const Unit& unit = piece.group->units[0];
    if (unit.cell >= 0) own = leaf++;
    for (std::size_t i = 0; i < unit.actions.size(); ++i)
      readAction(unit, i);
    // Where nothing that is read is written in between, what occurs twice is computed once.
    if (scoped && (unit.cell >= 0 || statements.size() == 1)) nameRepeated(out);
    if (unit.cell >= 0)
      writeNextValue(out);
    else
      for (const Statement& statement : statements)
        writeStatement(out, statement, statement.target);
  }

private:
  struct Statement {
    std::string present; ///< switches a padded action on or off; usually empty
    int guard = -1;      ///< a term, or -1: true
    std::string target;  ///< empty for a report; for a memory, its name
    int address = -1;    ///< a term, or -1 where the target is no memory
    int value = -1;      ///< a term, or -1 for a report
    std::string report;  ///< the statement of a report
  };

  void readAction(const Unit& unit, std::size_t i) {
    const CellAction& action = code.folding.plan->system.actions[unit.actions[i]];
    Statement statement;
    bool missing = false; // in every unit of this piece
    if (piece.group->padded[i]) {
      const Column& present = piece.columns[leaf];
      const bool fixed = !present.hasTable() && present.index.plain.isConstant();
      missing = fixed && present.index.plain.base == 0;
      if (!fixed) statement.present = columnText(leaf, false) + " != 0";
      ++leaf;
    }
    if (!action.guard->isTrue()) statement.guard = read(*action.guard);
    if (action.address) {
      const int memory = code.folding.plan->system.cells.variableOf(action.target);
      statement.target = memoryText(memory);
      statement.address = read(*action.address);
      statement.value = converted(read(*action.value), action);
      if (!missing) statements.push_back(std::move(statement));
      return;
    }
    const std::size_t target = leaf++;
    if (action.kind == CellAction::Kind::Report) {
      facts.uses.reports = true;
      const bool c = code.language == Language::C;
      statement.report = fmt::format("{}({}{}, {});", code.scoped("report"), c ? "violated" : "status",
                                     c ? "" : ", step", columnText(target, false));
    } else {
      // In a two-phase unit the target is the unit's own cell, and not written out again.
      if (unit.cell < 0) statement.target = columnText(target, false);
      statement.value = converted(read(*action.value), action);
    }
    if (!missing) statements.push_back(std::move(statement));
  }

  /// `value`, made a real where the target of `action` is one.
  int converted(int value, const CellAction& action) {
    const Variable& variable = code.folding.plan->system.variableOf(action.target);
    const bool real = variable.type.scalar.base == ScalarType::Base::Real && action.value->type.isInteger();
    return real ? terms.toReal(value) : value;
  }

  /// A memory as a whole.
  std::string memoryText(int variable) {
    const Placement& place = code.folding.layout.variables[variable];
    facts.uses.add(place.memory, false);
    return code.base(place.memory, false) + code.members[variable];
  }

  void writeNextValue(TextWriter& out) {
    const std::string next = columnText(own, true);
    if (statements.empty()) {
      out.line("{} = {};", next, columnText(own, false));
      return;
    }
    if (statements.size() == 1 && statements[0].guard < 0 && statements[0].present.empty()) {
      writeStatement(out, statements[0], next);
      return;
    }
    facts.declares = true;
    out.line("{} value = {};", code.elementType(piece.columns[own].element), columnText(own, false));
    for (const Statement& statement : statements)
      writeStatement(out, statement, "value");
    out.line("{} = value;", next);
  }

  void writeStatement(TextWriter& out, const Statement& statement, std::string target) {
    if (statement.address >= 0) target += "[" + text(statement.address, Lowest) + "]";
    std::string condition = statement.present;
    if (statement.guard >= 0 && condition.empty())
      condition = text(statement.guard, Lowest);
    else if (statement.guard >= 0)
      condition += " && " + text(statement.guard, AndThen + 1);
    const std::string effect = statement.value >= 0
                                   ? fmt::format("{} = {};", target, text(statement.value, Lowest))
                                   : statement.report;
    out.line(condition.empty() ? effect : fmt::format("if ({}) {}", condition, effect));
  }

  // ---- Names for what occurs more than once

  void nameRepeated(TextWriter& out) {
    const auto forEachRoot = [&](const auto& visit) {
      for (const Statement& statement : statements)
        for (int root : {statement.guard, statement.address, statement.value})
          if (root >= 0) visit(root);
    };
    forEachRoot([&](int root) { count(root); });
    forEachRoot([&](int root) { define(root, out); });
  }

  /// Counts uses by different terms: what stands inside a repeated term is not repeated by that.
  void count(int number) {
    Term& term = terms[number];
    if (term.isLeaf || ++term.uses > 1) return;
    for (int operand : term.operands)
      count(operand);
  }

  void define(int number, TextWriter& out) {
    Term& term = terms[number];
    if (term.isLeaf || term.considered) return;
    term.considered = true;
    for (int operand : term.operands)
      define(operand, out);
    constexpr std::size_t shortest = 16;
    if (term.uses < 2 || text(number, Lowest, false).size() < shortest) return;
    const Element element = term.form == Term::Form::ToReal ? Element::Real : elementOf(term.expr->type);
    const std::string label = fmt::format("{}{}", element == Element::Bool ? "g" : "v", named++);
    facts.declares = true;
    out.line("const {} {} = {};", code.elementType(element), label, text(number, Lowest));
    term.name = label;
  }

  // ---- Terms as text

  /// The text of a term, in parentheses when it binds less tightly than `needed`; with or without the names.
  std::string text(int number, int needed, bool withNames = true) {
    std::string result;
    append(number, needed, withNames, result);
    return result;
  }

  void append(int number, int needed, bool withNames, std::string& out) {
    const Term& term = terms[number];
    if (withNames && !term.name.empty()) {
      out += term.name;
      return;
    }
    const int strength = strengthOf(term);
    if (strength < needed) out += '(';
    switch (term.form) {
    case Term::Form::Leaf:
      out += term.text;
      break;
    case Term::Form::ToReal:
      out += code.language == Language::Cuda ? "static_cast<double>(" : "(double)(";
      append(term.operands[0], Lowest, withNames, out);
      out += ')';
      break;
    case Term::Form::Operator:
      appendOperator(term, strength, withNames, out);
      break;
    }
    if (strength < needed) out += ')';
  }

  void appendOperator(const Term& term, int strength, bool withNames, std::string& out) {
    const Expr& expr = *term.expr;
    const auto operand = [&](std::size_t i, int needed) { append(term.operands[i], needed, withNames, out); };
    // The operands, each of which must bind so tightly, with `symbol` between them.
    const auto chain = [&](const char* symbol, int first, int others) {
      for (std::size_t i = 0; i < term.operands.size(); ++i) {
        if (i != 0) out += symbol;
        append(term.operands[i], i == 0 ? first : others, withNames, out);
      }
    };
    const auto spaced = [&] { return fmt::format(" {} ", spelling(expr.op)); };
    const auto call = [&](Function function, const std::string& last = "") {
      const Element element = elementOf(expr.type);
      facts.calls.emplace(function, element);
      out += code.functionName(function, element) + "(";
      chain(", ", Lowest, Lowest);
      out += last + ")";
    };
    switch (expr.op) {
    case Expr::Op::Read:
      out += memoryText(expr.variable) + "[";
      operand(0, Lowest);
      out += ']';
      return;
    case Expr::Op::Xor:
      if (expr.type.isBool()) return chain(" != ", Relation, Relation);
      out += '(';
      chain(" ^ ", Atom, Atom);
      out += ')';
      return;
    case Expr::Op::If:
      out += '(';
      operand(0, OrElse);
      out += " ? ";
      operand(1, OrElse);
      out += " : ";
      operand(2, OrElse);
      out += ')';
      return;
    case Expr::Op::Shl:
      return call(Function::ShiftLeft, fmt::format(", {}", expr.type.bound));
    case Expr::Op::Shr:
      return call(Function::ShiftRight, fmt::format(", {}", expr.type.bound));
    case Expr::Op::Abs:
      return call(Function::Abs);
    case Expr::Op::Min:
      return call(Function::Min);
    case Expr::Op::Max:
      return call(Function::Max);
    case Expr::Op::Slice:
      out += '(';
      operand(0, Atom);
      if (expr.value.integer != 0) out += fmt::format(" >> {}", expr.value.integer);
      out += fmt::format(" & {})", mask(expr.type));
      return;
    case Expr::Op::Join:
      out += '(';
      operand(0, Atom);
      out += fmt::format(" << {} | ", term.expr->operands[1]->type.bound);
      operand(1, Atom);
      out += ')';
      return;
    case Expr::Op::ToNat:
      return operand(0, Atom);
    case Expr::Op::ToInt: {
      const std::int64_t width = expr.operands[0]->type.bound;
      if (width == code.system.wordBits) return operand(0, Atom);
      const std::string sign = code.integer(std::int64_t(1) << (width - 1));
      out += '(';
      operand(0, Atom);
      out += fmt::format(" ^ {}) - {}", sign, sign);
      return;
    }
    case Expr::Op::ToBits:
      out += '(';
      operand(0, Atom);
      out += fmt::format(" & {})", mask(expr.type));
      return;
    case Expr::Op::Not:
      out += expr.type.isBool() ? "!" : "(~";
      append(term.operands[0], Prefix, withNames, out);
      if (!expr.type.isBool()) out += fmt::format(" & {})", mask(expr.type));
      return;
    case Expr::Op::Neg:
      out += '-';
      append(term.operands[0], Atom, withNames, out); // `--` would be a decrement
      return;
    case Expr::Op::Or:
    case Expr::Op::And:
      // Bitwise operators bind in ways few remember: they keep their parentheses.
      if (!expr.type.isBool()) out += '(';
      if (expr.type.isBool())
        chain(expr.op == Expr::Op::Or ? " || " : " && ", AndThen + 1, AndThen + 1);
      else
        chain(expr.op == Expr::Op::Or ? " | " : " & ", Atom, Atom);
      if (!expr.type.isBool()) out += ')';
      return;
    case Expr::Op::Add:
    case Expr::Op::Sub:
      return chain(expr.op == Expr::Op::Add ? " + " : " - ", Sum, Product);
    case Expr::Op::Mul:
      return chain(" * ", Product, Prefix);
    case Expr::Op::Div:
    case Expr::Op::Mod:
      if (strength == Product) return chain(spaced().c_str(), Product, Prefix);
      return call(expr.op == Expr::Op::Div ? Function::Quotient : Function::Remainder);
    default: // a comparison
      return chain(spaced().c_str(), Sum, Sum);
    }
  }

  int strengthOf(const Term& term) const {
    if (term.form == Term::Form::Leaf) return term.text[0] == '-' ? Prefix : Atom;
    if (term.form == Term::Form::ToReal) return Atom;
    const ScalarType& type = term.expr->type;
    switch (term.expr->op) {
    case Expr::Op::Not:
      return type.isBool() ? Prefix : Atom;
    case Expr::Op::Neg:
      return Prefix;
    case Expr::Op::Or:
      return type.isBool() ? OrElse : Atom;
    case Expr::Op::And:
      return type.isBool() ? AndThen : Atom;
    case Expr::Op::Xor:
      return type.isBool() ? Equality : Atom;
    case Expr::Op::ToInt:
      return term.expr->operands[0]->type.bound == code.system.wordBits ? Atom : Sum;
    case Expr::Op::Read:
    case Expr::Op::If:
    case Expr::Op::Shl:
    case Expr::Op::Shr:
    case Expr::Op::Abs:
    case Expr::Op::Min:
    case Expr::Op::Max:
    case Expr::Op::Slice:
    case Expr::Op::Join:
    case Expr::Op::ToNat:
    case Expr::Op::ToBits:
      return Atom;
    case Expr::Op::Eq:
    case Expr::Op::Ne:
      return Equality;
    case Expr::Op::Add:
    case Expr::Op::Sub:
      return Sum;
    case Expr::Op::Mul:
      return Product;
    case Expr::Op::Div:
    case Expr::Op::Mod: {
      // By a positive constant C divides exactly as we do; otherwise a function is called.
      const std::string_view divisor = terms[term.operands[1]].text;
      const bool plain = type.base == ScalarType::Base::Real ||
                         (!divisor.empty() && divisor[0] != '0' &&
                          divisor.find_first_not_of("0123456789L") == std::string_view::npos);
      return plain ? Product : Atom;
    }
    default:
      return Relation;
    }
  }

  // ---- Expressions

  std::string columnText(std::size_t number, bool next) {
    const Column& column = piece.columns[number];
    if (column.hasTable()) facts.tables.insert(number);
    if (column.isCell) facts.uses.add(column.memory, next);
    const bool scalar =
        column.isCell && column.variable >= 0 && code.system.variables[column.variable].type.extents.empty();
    std::string index = scalar              ? ""
                        : column.hasTable() ? code.tableName(phase, pieceNumber, number) + "[t]"
                                            : indexText(column.index, names);
    if (!column.isCell) {
      if (column.hasTable()) return index;
      if (column.type.base == ScalarType::Base::Real) return code.literal(column.type, {0, column.real});
      if (column.index.plain.isConstant()) return code.integer(column.index.plain.base);
      return index.find(' ') == std::string::npos && index[0] != '-' ? index : "(" + index + ")";
    }
    const std::string base = code.base(column.memory, next);
    if (column.variable < 0) return fmt::format("{}{}[{}]", base, code.poolName(column.element), index);
    const Placement& place = code.folding.layout.variables[column.variable];
    if (!place.pooled) return base + code.members[column.variable] + (scalar ? "" : "[" + index + "]");
    std::string offset = code.language == Language::Cuda
                             ? (column.memory == Memory::Inputs  ? "Inputs::"
                                : column.memory == Memory::State ? "State::"
                                                                 : "Registers::") +
                                   code.members[column.variable]
                             : fmt::format("{}", place.offset);
    if (!scalar && index != "0") offset += " + " + index;
    return fmt::format("{}{}[{}]", base, code.poolName(column.element), offset);
  }

  /// The term of `expr`; its leaves are the next ones.
  int read(const Expr& expr) {
    if (expr.op == Expr::Op::Literal && isStructural(expr, code.folding.plan->options.shapes))
      return terms.leaf(code.literal(expr.type, expr.value));
    if (expr.op == Expr::Op::Literal || expr.isCell()) return terms.leaf(columnText(leaf++, false));
    const bool real = expr.op != Expr::Op::Read && std::ranges::any_of(expr.operands, [](ExprPtr operand) {
                        return operand->type.base == ScalarType::Base::Real;
                      });
    std::vector<int> operands;
    operands.reserve(expr.operands.size());
    for (ExprPtr operand : expr.operands) {
      const int term = read(*operand);
      operands.push_back(real && operand->type.isInteger() ? terms.toReal(term) : term);
    }
    return terms.apply(expr, operands);
  }

  std::string mask(const ScalarType& type) const {
    const std::uint64_t bits = type.bound >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << type.bound) - 1;
    if (code.system.wordBits == 32) return fmt::format("0x{:x}", bits);
    return code.language == Language::Cuda ? fmt::format("static_cast<long long>(0x{:x}ULL)", bits)
                                           : fmt::format("(long long)0x{:x}ULL", bits);
  }

  const CodeText& code;
  const StepPhase& phase;
  const std::size_t pieceNumber;
  const Piece& piece;
  const std::vector<std::string> names;
  std::size_t leaf = 0;
  std::size_t own = 0; ///< column of a two-phase unit's cell
  std::vector<Statement> statements;
  Terms terms;
  int named = 0; ///< terms
};

UnitCode CodeText::unitCode(const StepPhase& phase, std::size_t number) const {
  TextWriter out(false);
  const Piece& piece = *phase.pieces[number];
  UnitCode result;
  const auto write = [&](const Piece& part, bool scoped) {
    UnitText unit(*this, phase, number, part);
    unit.write(out, scoped);
    result.uses |= unit.facts.uses;
    result.calls.insert(unit.facts.calls.begin(), unit.facts.calls.end());
    if (&part != &piece) return; // its loop is a scope of its own, and it has no tables
    result.declares = unit.facts.declares;
    result.tables = unit.facts.tables;
  };
  if (piece.serial.empty()) write(piece, true);
  for (const Piece& part : piece.serial) {
    const bool loop = part.size() > 1;
    if (loop) out.open("for (int i = 0; i < {}; ++i)", part.size());
    write(part, loop);
    if (loop) out.close();
  }
  result.text = out.text();
  return result;
}

} // namespace warploom::sync
