// The statements of one unit: guards, assignments and reports, with every leaf replaced by the text of its
// column.
#include "sync/CodeText.h"

#include <memory>
#include <unordered_map>
#include <variant>

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

/// An expression as text with holes for its operands, so that one that occurs twice can be given a name.
struct Phrase {
  struct Operand {
    std::shared_ptr<Phrase> phrase;
    int needed = Lowest; ///< in parentheses when it binds less tightly
  };
  std::vector<std::variant<std::string, Operand>> parts;
  int strength = Atom;
  bool isLeaf = false;
  std::string type;
  std::string full; ///< the whole text, nothing named

  void add(const std::string& text) {
    parts.push_back(text);
    full += text;
  }
  void add(std::shared_ptr<Phrase> operand, int needed) {
    full += operand->strength < needed ? "(" + operand->full + ")" : operand->full;
    parts.push_back(Operand{std::move(operand), needed});
  }
};
using PhrasePtr = std::shared_ptr<Phrase>;

} // namespace

/// Prints the actions of a piece's group. Leaves are used up in the order in which leavesOf() lists them.
class CodeText::UnitText {
public:
  UnitText(const CodeText& with, const StepPhase& in, std::size_t number, const Piece& of)
      : code(with), phase(in), pieceNumber(number), piece(of), names(code.indexNames(piece)) {}

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
    PhrasePtr guard;     ///< null: true
    std::string target;  ///< empty for a report
    PhrasePtr value;
    std::string report; ///< the statement of a report
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
    const std::size_t target = leaf++;
    if (action.kind == CellAction::Kind::Report) {
      const bool c = code.language == Language::C;
      statement.report = fmt::format("{}({}{}, {});", code.scoped("report"), c ? "violated" : "status",
                                     c ? "" : ", step", columnText(target, false));
    } else {
      const Variable& variable = code.folding.plan->system.variableOf(action.target);
      statement.target = columnText(target, false);
      statement.value = read(*action.value);
      if (variable.type.scalar.base == ScalarType::Base::Real && action.value->type.isInteger())
        statement.value = asReal(statement.value);
    }
    if (!missing) statements.push_back(std::move(statement));
  }

  void writeNextValue(TextWriter& out) {
    const std::string now = columnText(own, false), next = columnText(own, true);
    if (statements.empty()) {
      out.line("{} = {};", next, now);
      return;
    }
    if (statements.size() == 1 && !statements[0].guard && statements[0].present.empty()) {
      writeStatement(out, statements[0], next);
      return;
    }
    out.line("{} value = {};", code.elementType(piece.columns[own].element), now);
    for (const Statement& statement : statements)
      writeStatement(out, statement, "value");
    out.line("{} = value;", next);
  }

  void writeStatement(TextWriter& out, const Statement& statement, const std::string& target) const {
    std::string condition = statement.present;
    if (statement.guard && condition.empty())
      condition = text(statement.guard, Lowest);
    else if (statement.guard)
      condition += " && " + text(statement.guard, AndThen + 1);
    const std::string effect =
        statement.value ? fmt::format("{} = {};", target, text(statement.value, Lowest)) : statement.report;
    out.line(condition.empty() ? effect : fmt::format("if ({}) {}", condition, effect));
  }

  // ---- Names for what occurs more than once

  void nameRepeated(TextWriter& out) {
    std::unordered_map<std::string, int> uses;
    for (const Statement& statement : statements)
      for (const PhrasePtr& phrase : {statement.guard, statement.value})
        if (phrase) count(*phrase, uses);
    for (const Statement& statement : statements)
      for (const PhrasePtr& phrase : {statement.guard, statement.value})
        if (phrase) define(phrase, uses, out);
  }

  /// Uses of each phrase by different phrases: what stands inside a repeated phrase is not repeated by that.
  static void count(const Phrase& phrase, std::unordered_map<std::string, int>& uses) {
    if (phrase.isLeaf || ++uses[phrase.full] > 1) return;
    for (const auto& part : phrase.parts)
      if (const auto* operand = std::get_if<Phrase::Operand>(&part)) count(*operand->phrase, uses);
  }

  void define(const PhrasePtr& phrase, const std::unordered_map<std::string, int>& uses, TextWriter& out) {
    if (phrase->isLeaf || named.count(phrase->full)) return;
    for (const auto& part : phrase->parts)
      if (const auto* operand = std::get_if<Phrase::Operand>(&part)) define(operand->phrase, uses, out);
    if (uses.at(phrase->full) < 2 || phrase->full.size() < 16) return;
    const bool boolean = phrase->type == "bool";
    const std::string label = fmt::format("{}{}", boolean ? "g" : "v", named.size());
    out.line("const {} {} = {};", phrase->type, label, text(phrase, Lowest));
    named.emplace(phrase->full, label);
  }

  std::string text(const PhrasePtr& phrase, int needed) const {
    if (auto found = named.find(phrase->full); found != named.end()) return found->second;
    std::string result;
    for (const auto& part : phrase->parts) {
      if (const auto* words = std::get_if<std::string>(&part))
        result += *words;
      else {
        const auto& operand = std::get<Phrase::Operand>(part);
        result += text(operand.phrase, operand.needed);
      }
    }
    return phrase->strength < needed ? "(" + result + ")" : result;
  }

  // ---- Expressions

  std::string columnText(std::size_t number, bool next) const {
    const Column& column = piece.columns[number];
    std::string index = column.hasTable() ? code.tableName(phase, pieceNumber, number) + "[t]"
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
    const bool scalar = code.system.variables[column.variable].type.extents.empty();
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

  PhrasePtr made(const Expr& expr, int strength) const {
    auto phrase = std::make_shared<Phrase>();
    phrase->strength = strength;
    phrase->type = code.elementType(expr.type.isBool()                         ? Element::Bool
                                    : expr.type.base == ScalarType::Base::Real ? Element::Real
                                                                               : Element::Word);
    return phrase;
  }

  PhrasePtr leafPhrase(const Expr& expr, const std::string& text) const {
    PhrasePtr phrase = made(expr, text[0] == '-' ? Prefix : Atom);
    phrase->isLeaf = true;
    phrase->add(text);
    return phrase;
  }

  PhrasePtr asReal(PhrasePtr value) const {
    auto phrase = std::make_shared<Phrase>();
    phrase->type = "double";
    phrase->isLeaf = value->isLeaf;
    phrase->add(code.language == Language::Cuda ? "static_cast<double>(" : "(double)(");
    phrase->add(std::move(value), Lowest);
    phrase->add(")");
    return phrase;
  }

  PhrasePtr operand(const Expr& expr, bool real) {
    PhrasePtr phrase = read(expr);
    return real && expr.type.isInteger() ? asReal(std::move(phrase)) : phrase;
  }

  PhrasePtr read(const Expr& expr) {
    const bool real = expr.type.base == ScalarType::Base::Real, boolean = expr.type.isBool();
    switch (expr.op) {
    case Expr::Op::Literal:
      if (isStructural(expr, code.folding.plan->options.shapes))
        return leafPhrase(expr, code.literal(expr.type, expr.value));
      return leafPhrase(expr, columnText(leaf++, false));
    case Expr::Op::Read:
      return leafPhrase(expr, columnText(leaf++, false));
    case Expr::Op::Not: {
      PhrasePtr phrase = made(expr, boolean ? Prefix : Atom);
      phrase->add(boolean ? "!" : "(~");
      phrase->add(read(*expr.operands[0]), Prefix);
      if (!boolean) phrase->add(fmt::format(" & {})", mask(expr.type)));
      return phrase;
    }
    case Expr::Op::Neg: {
      PhrasePtr phrase = made(expr, Prefix), inner = operand(*expr.operands[0], real);
      phrase->add("-");
      phrase->add(inner, inner->full[0] == '-' ? Atom : Prefix); // `--` would be a decrement
      return phrase;
    }
    case Expr::Op::Or:
      return chain(expr, boolean ? " || " : " | ", boolean ? OrElse : Lowest, AndThen + 1);
    case Expr::Op::And:
      return chain(expr, boolean ? " && " : " & ", boolean ? AndThen : Lowest, AndThen + 1);
    case Expr::Op::Eq:
    case Expr::Op::Ne:
    case Expr::Op::Lt:
    case Expr::Op::Le:
    case Expr::Op::Gt:
    case Expr::Op::Ge: {
      const bool reals = expr.operands[0]->type.base == ScalarType::Base::Real ||
                         expr.operands[1]->type.base == ScalarType::Base::Real;
      PhrasePtr phrase = made(expr, expr.op == Expr::Op::Eq || expr.op == Expr::Op::Ne ? Equality : Relation);
      phrase->add(operand(*expr.operands[0], reals), Sum);
      phrase->add(fmt::format(" {} ", spelling(expr.op)));
      phrase->add(operand(*expr.operands[1], reals), Sum);
      return phrase;
    }
    case Expr::Op::Div:
    case Expr::Op::Mod:
      return quotient(expr, real);
    case Expr::Op::Sub: {
      PhrasePtr phrase = made(expr, Sum);
      phrase->add(operand(*expr.operands[0], real), Sum);
      phrase->add(" - ");
      phrase->add(operand(*expr.operands[1], real), Product);
      return phrase;
    }
    case Expr::Op::Add:
      return chain(expr, " + ", Sum, Product);
    default:
      return chain(expr, " * ", Product, Prefix);
    }
  }

  PhrasePtr quotient(const Expr& expr, bool real) {
    PhrasePtr left = operand(*expr.operands[0], real), right = operand(*expr.operands[1], real);
    PhrasePtr phrase = made(expr, Product);
    // By a positive constant C divides exactly as we do.
    const std::string& divisor = right->full;
    const bool plain =
        real || (divisor.find_first_not_of("0123456789L") == std::string::npos && divisor[0] != '0');
    if (!plain) {
      phrase->strength = Atom;
      phrase->add(code.scoped(expr.op == Expr::Op::Div ? "quotient" : "remainder") + "(");
      phrase->add(std::move(left), Lowest);
      phrase->add(", ");
      phrase->add(std::move(right), Lowest);
      phrase->add(")");
      return phrase;
    }
    phrase->add(std::move(left), Product);
    phrase->add(fmt::format(" {} ", spelling(expr.op)));
    phrase->add(std::move(right), Prefix);
    return phrase;
  }

  /// Operands with `symbol` between them. Bitwise operators bind in ways few remember: they keep their
  /// parentheses.
  PhrasePtr chain(const Expr& expr, const char* symbol, int strength, int inner) {
    const bool real = expr.type.base == ScalarType::Base::Real, arithmetic = strength >= Sum;
    PhrasePtr phrase = made(expr, strength == Lowest ? Atom : strength);
    if (strength == Lowest) phrase->add("(");
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (i != 0) phrase->add(symbol);
      phrase->add(operand(*expr.operands[i], real), strength == Lowest     ? Atom
                                                    : i == 0 && arithmetic ? strength
                                                                           : inner);
    }
    if (strength == Lowest) phrase->add(")");
    return phrase;
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
  std::unordered_map<std::string, std::string> named; ///< full text to name
};

void CodeText::writeUnit(TextWriter& out, const StepPhase& phase, std::size_t number) const {
  const Piece& piece = *phase.pieces[number];
  if (piece.serial.empty()) {
    UnitText(*this, phase, number, piece).write(out);
    return;
  }
  for (const Piece& part : piece.serial) {
    const bool loop = part.size() > 1;
    if (loop) out.open("for (int i = 0; i < {}; ++i)", part.size());
    UnitText(*this, phase, number, part).write(out, loop);
    if (loop) out.close();
  }
}

} // namespace warploom::sync
