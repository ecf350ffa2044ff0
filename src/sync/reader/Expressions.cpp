#include "sync/reader/Expressions.h"

#include "sync/model/Binding.h"

#include <charconv>
#include <fmt/format.h>
#include <map>

namespace warploom::sync {

namespace {

class ExpressionParser {
public:
  /// In AIF the end of a line may be the end of an expression, but not inside of parentheses; elsewhere a
  /// symbol ends it.
  ExpressionParser(Lexer& from, const SystemBuilder& with)
      : lexer(from), builder(with), parentheses(from.language() == Syntax::Aif ? 0 : 1) {}

  ExprPtr expression() { return expression(Binding::Conditional); }

private:
  /// One level of nesting, so that a hostile text cannot exhaust the stack before the tree is built.
  struct Nesting {
    explicit Nesting(ExpressionParser& of) : parser(of) {
      if (++parser.nesting > maximalDepth / 4)
        throw Error(parser.lexer.peek().place, "expression nested too deeply");
    }
    ~Nesting() { --parser.nesting; }
    ExpressionParser& parser;
  };

  /// A binary operator; `<->` and `->` have no operator of their own.
  struct Operator {
    enum class Word { Plain, Implies, Equivalent };
    Expr::Op op = Expr::Op::Eq;
    Binding binding = Binding::Comparison;
    Word word = Word::Plain;
  };

  /// The binary operator that comes next. A line that starts with one continues the expression, except that
  /// `-` may also start a guard.
  std::optional<Operator> nextOperator() const {
    const Token& token = lexer.peek();
    const auto plain = [](Expr::Op op) { return Operator{op, bindingOf(op), Operator::Word::Plain}; };
    if (token.kind == Token::Kind::Name)
      return token.text == "xor" ? std::optional(plain(Expr::Op::Xor)) : std::nullopt;
    if (token.kind != Token::Kind::Symbol) return std::nullopt;
    const bool single = token.text.size() == 1;
    switch (token.text[0]) {
    case '|':
      if (single) return plain(Expr::Op::Or);
      break;
    case '&':
      return plain(Expr::Op::And);
    case '=':
      if (token.text == "==") return plain(Expr::Op::Eq);
      break;
    case '!':
      if (!single) return plain(Expr::Op::Ne);
      break;
    case '<':
      if (token.text == "<->")
        return Operator{Expr::Op::Eq, Binding::Implication, Operator::Word::Equivalent};
      if (token.text == "<>") break;
      return plain(single ? Expr::Op::Lt : token.text == "<<" ? Expr::Op::Shl : Expr::Op::Le);
    case '>':
      return plain(single ? Expr::Op::Gt : token.text == ">>" ? Expr::Op::Shr : Expr::Op::Ge);
    case '@':
      return plain(Expr::Op::Join);
    case '+':
      return plain(Expr::Op::Add);
    case '-':
      if (token.text == "->") return Operator{Expr::Op::Or, Binding::Implication, Operator::Word::Implies};
      if (!token.firstOnLine || parentheses > 0) return plain(Expr::Op::Sub);
      break;
    case '*':
      return plain(Expr::Op::Mul);
    case '/':
      return plain(Expr::Op::Div);
    case '%':
      return plain(Expr::Op::Mod);
    default:
      break;
    }
    return std::nullopt;
  }

  /// Operands joined by operators that bind at least as tightly as `loosest`. Operators of one level group
  /// from the left (implications from the right), and runs of an associative one become one node; comparisons
  /// cannot be chained.
  ExprPtr expression(Binding loosest) {
    Nesting nested(*this);
    const Place place = lexer.peek().place;
    ExprPtr left = unary();
    Binding tightest = Binding::Product; // of the operators that may follow
    while (const std::optional<Operator> found = nextOperator()) {
      if (found->binding < loosest || found->binding > tightest) break;
      const Binding above = Binding(int(found->binding) + 1);
      if (found->word != Operator::Word::Plain) {
        lexer.next();
        const bool implies = found->word == Operator::Word::Implies;
        const ExprPtr right = expression(implies ? found->binding : above);
        left = implies ? apply(Expr::Op::Or, {apply(Expr::Op::Not, {left}, place), right}, place)
                       : apply(Expr::Op::Eq, {left, right}, place);
        tightest = found->binding;
        continue;
      }
      const bool associative = found->op == Expr::Op::Or || found->op == Expr::Op::And ||
                               found->op == Expr::Op::Add || found->op == Expr::Op::Mul;
      std::vector<ExprPtr> operands;
      operands.reserve(8);
      operands.push_back(left);
      do {
        lexer.next();
        operands.push_back(expression(above));
      } while (associative && nextIs(found->op));
      left = apply(found->op, operands, place);
      tightest = found->binding == Binding::Comparison ? Binding::Conjunction : found->binding;
    }
    if (loosest > Binding::Conditional || !lexer.accept("?")) return left;
    const ExprPtr yes = expression(Binding::Conditional);
    lexer.expect(":", "between the cases of a conditional expression");
    return apply(Expr::Op::If, {left, yes, expression(Binding::Conditional)}, place);
  }
  bool nextIs(Expr::Op op) const {
    const std::optional<Operator> found = nextOperator();
    return found && found->word == Operator::Word::Plain && found->op == op;
  }

  ExprPtr unary() {
    Nesting nested(*this);
    const Place place = lexer.peek().place;
    if (lexer.accept("!")) return apply(Expr::Op::Not, {unary()}, place);
    if (lexer.accept("-")) {
      const Token::Kind kind = lexer.peek().kind;
      if (kind == Token::Kind::Integer) return integer(true, place);
      if (kind == Token::Kind::Real) return realLiteral(-real(lexer.next()), place);
      return apply(Expr::Op::Neg, {unary()}, place);
    }
    ExprPtr result = atom();
    while (lexer.peek().is("{") && !lexer.peek().firstOnLine && result->type.base == ScalarType::Base::Bits)
      result = bitsOf(result);
    return result;
  }

  /// `{high:low}`, some bits of a vector, or `{i}`, the truth value of one.
  ExprPtr bitsOf(ExprPtr vector) {
    const Place place = lexer.next().place;
    ++parentheses;
    const ExprPtr first = expression(Binding::Disjunction);
    if (!first->type.isInteger()) throw Error(first->place, "the number of a bit must be an integer");
    const std::optional<Value> high = builder.constant(*first);
    ExprPtr result = nullptr;
    if (lexer.accept(":")) {
      const ExprPtr second = expression(Binding::Disjunction);
      const std::optional<Value> low = builder.constant(*second);
      if (!high || !low) throw Error(place, "the bounds of a slice must be constants");
      result = slice(vector, high->integer, low->integer, place);
    } else {
      const ExprPtr bit = high ? slice(vector, high->integer, high->integer, place)
                               : slice(apply(Expr::Op::Shr, {vector, first}, place), 0, 0, place);
      result = apply(Expr::Op::Eq, {bit, bitsLiteral(1, 1, place)}, place);
    }
    --parentheses;
    lexer.expect("}", "after the number of a bit");
    return result;
  }

  /// A macro that is being read: what its parameters are given, and the use that it stands in.
  struct Expansion {
    const Macro* macro;
    std::vector<ExprPtr> arguments;
    const Expansion* outer;
  };

  /// What a parameter of the macro stands for whose text this is, or the macro `name`; null when it is
  /// neither.
  ExprPtr expanded(const Token& name) {
    if (expansion != nullptr)
      for (std::size_t i = 0; i < expansion->arguments.size(); ++i)
        if (expansion->macro->parameters[i] == name.text) return expansion->arguments[i];
    const Macro* macro = builder.macro(name.text);
    if (macro == nullptr) return nullptr;
    for (const Expansion* outer = expansion; outer != nullptr; outer = outer->outer)
      if (outer->macro == macro)
        throw Error(name.place, fmt::format("macro `{}` is used in itself", name.text));
    Expansion use{macro, {}, expansion};
    if (!macro->parameters.empty()) {
      lexer.expect("(", "before the arguments of a macro");
      use.arguments = arguments();
    }
    if (use.arguments.size() != macro->parameters.size())
      throw Error(name.place, fmt::format("macro `{}` has {} parameter{} and is given {}", name.text,
                                          macro->parameters.size(), macro->parameters.size() == 1 ? "" : "s",
                                          use.arguments.size()));
    Lexer body = macro->body;
    ExpressionParser inner(body, builder);
    inner.nesting = nesting;
    inner.expansion = &use;
    inner.expansions = expansions;
    if (++*expansions > mostExpansions)
      throw Error(name.place, fmt::format("more than {} macros in one expression", mostExpansions));
    const ExprPtr result = inner.expression();
    body.expect(";", "after a macro");
    // Macros in macros could make a small text a huge expression.
    if (treeSize(*result) > mostNodes)
      throw Error(name.place, fmt::format("macro `{}` makes an expression of more than {} operators",
                                          name.text, mostNodes));
    return result;
  }

  /// Expressions separated by commas, up to the closing parenthesis, which is passed.
  std::vector<ExprPtr> arguments() {
    std::vector<ExprPtr> result;
    ++parentheses;
    do
      result.push_back(expression());
    while (lexer.accept(","));
    --parentheses;
    lexer.expect(")", "after the operands of a function");
    return result;
  }

  /// `int(e)`, `nat(e)`, `real(e)`; null when `name` is no type. A boolean counts as 0 or 1.
  ExprPtr cast(const Token& name) {
    using Base = ScalarType::Base;
    const bool real = name.text == "real";
    if ((!real && name.text != "int" && name.text != "nat") || !lexer.peek().is("(")) return nullptr;
    lexer.next();
    const std::vector<ExprPtr> operands = arguments();
    if (operands.size() != 1) throw Error(name.place, fmt::format("`{}` takes 1 operand", name.text));
    ExprPtr operand = operands[0];
    if (operand->type.base == Base::Real) {
      if (real) return operand;
      throw Error(operand->place, fmt::format("a real cannot be made a {}", name.text));
    }
    if (operand->type.isBool())
      operand = apply(Expr::Op::If, {operand, integerLiteral(1), integerLiteral(0)}, name.place);
    else if (operand->type.base == Base::Bits)
      operand = apply(name.text == "int" ? Expr::Op::ToInt : Expr::Op::ToNat, {operand}, name.place);
    return real ? apply(Expr::Op::Mul, {operand, realLiteral(1)}, name.place) : operand;
  }

  /// A call of one of the functions that are operators; null when `name` is none.
  ExprPtr call(const Token& name) {
    static const std::map<std::string_view, Expr::Op> functions = {
        {"abs", Expr::Op::Abs},      {"min", Expr::Op::Min},      {"max", Expr::Op::Max},
        {"bv2nat", Expr::Op::ToNat}, {"bv2int", Expr::Op::ToInt}, {"nat2bv", Expr::Op::ToBits},
        {"int2bv", Expr::Op::ToBits}};
    const auto found = functions.find(name.text);
    if (found == functions.end() || !lexer.peek().is("(") || builder.isDeclared(name.text)) return nullptr;
    lexer.next();
    const std::vector<ExprPtr> operands = arguments();
    const Expr::Op op = found->second;
    const std::size_t wanted = op == Expr::Op::Min || op == Expr::Op::Max || op == Expr::Op::ToBits ? 2 : 1;
    if (operands.size() != wanted)
      throw Error(name.place,
                  fmt::format("`{}` takes {} operand{}", name.text, wanted, wanted == 1 ? "" : "s"));
    if (op != Expr::Op::ToBits) return apply(op, operands, name.place);
    const std::optional<Value> width = builder.constant(*operands[1]);
    if (!width) throw Error(operands[1]->place, "the width of a bit vector must be a constant");
    return toBits(operands[0], width->integer, name.place);
  }

  ExprPtr integer(bool negative, Place place) {
    const std::string_view digits = lexer.next().text;
    const std::uint64_t largest = std::uint64_t(INT64_MAX) + negative;
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec != std::errc() || value > largest)
      throw Error(place, fmt::format("{}{} does not fit into 64 bits", negative ? "-" : "", digits));
    return integerLiteral(std::int64_t(negative ? 0 - value : value), place);
  }

  double real(const Token& token) {
    double value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
      throw Error(token.place, fmt::format("{} is not a double-precision number", token.text));
    return value;
  }

  ExprPtr atom() {
    const Token token = lexer.peek();
    switch (token.kind) {
    case Token::Kind::Integer:
      return integer(false, token.place);
    case Token::Kind::Real:
      lexer.next();
      return realLiteral(real(token), token.place);
    case Token::Kind::Bits: {
      lexer.next();
      const std::string_view digits = token.text.substr(2);
      const int each = token.text[1] == 'x' ? 4 : 1; // bits of a digit
      std::uint64_t bits = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), bits, 1 << each);
      return bitsLiteral(std::int64_t(bits), std::int64_t(digits.size()) * each, token.place);
    }
    case Token::Kind::Name:
      lexer.next();
      if (token.text == "true" || token.text == "false")
        return boolLiteral(token.text == "true", token.place);
      if (const ExprPtr result = expanded(token)) return result;
      if (const ExprPtr result = cast(token)) return result;
      if (const ExprPtr result = call(token)) return result;
      return builder.named(token.text, subscripts(), token.place);
    default:
      if (lexer.accept("(")) {
        ++parentheses;
        ExprPtr inner = expression();
        --parentheses;
        lexer.expect(")", "to close the parenthesis");
        return inner;
      }
      throw Error(token.place, fmt::format("expected an expression, found {}", token.described()));
    }
  }

public:
  std::vector<ExprPtr> subscripts() {
    std::vector<ExprPtr> result;
    result.reserve(2);
    while (lexer.peek().is("[") && !lexer.peek().firstOnLine) {
      lexer.next();
      ++parentheses;
      result.push_back(expression());
      --parentheses;
      lexer.expect("]", "to close the subscript");
    }
    return result;
  }

private:
  static constexpr std::size_t mostNodes = 1'000'000;
  static constexpr int mostExpansions = 100'000;

  Lexer& lexer;
  const SystemBuilder& builder;
  int parentheses;
  int nesting = 0;
  const Expansion* expansion = nullptr; ///< of the macro whose text this is
  int ownExpansions = 0;
  int* expansions = &ownExpansions; ///< that the whole expression has needed so far
};

std::int64_t parseSize(Lexer& lexer, const SystemBuilder& builder, const char* what, std::int64_t most) {
  const Token token = lexer.peek();
  const ExprPtr size = parseExpression(lexer, builder);
  const std::optional<Value> value = size->type.isInteger() ? builder.constant(*size) : std::nullopt;
  if (!value)
    throw Error(token.place, fmt::format("expected {}, a constant, found {}", what, token.described()));
  if (value->integer < 1 || value->integer > most)
    throw Error(token.place, fmt::format("{} must be between 1 and {}", what, most));
  return value->integer;
}

} // namespace

ExprPtr parseExpression(Lexer& lexer, const SystemBuilder& builder) {
  return ExpressionParser(lexer, builder).expression();
}

std::int64_t parseConstant(Lexer& lexer, const SystemBuilder& builder, const char* what) {
  const Token token = lexer.peek();
  const ExprPtr expr = parseExpression(lexer, builder);
  const std::optional<Value> value = expr->type.isInteger() ? builder.constant(*expr) : std::nullopt;
  if (!value) throw Error(token.place, fmt::format("{} must be a constant integer", what));
  return value->integer;
}

Meaning parseActual(Lexer& lexer, const SystemBuilder& builder) {
  const Token first = lexer.peek();
  // A name with subscripts and nothing behind them is a part of a variable; everything else a value.
  if (first.kind == Token::Kind::Name && first.text != "true" && first.text != "false" &&
      builder.isDeclared(first.text) && builder.macro(first.text) == nullptr) {
    Lexer ahead = lexer;
    ahead.next();
    std::vector<ExprPtr> subscripts = ExpressionParser(ahead, builder).subscripts();
    if (ahead.peek().is(",") || ahead.peek().is("}") || ahead.peek().is(")")) {
      lexer = ahead;
      return builder.part(first.text, std::move(subscripts), first.place);
    }
  }
  Meaning result;
  result.kind = Meaning::Kind::Value;
  result.value = parseExpression(lexer, builder);
  result.place = first.place;
  return result;
}

Target parseTarget(Lexer& lexer, const SystemBuilder& builder) {
  const Token name = lexer.expectName("the name of a variable");
  std::vector<ExprPtr> subscripts = ExpressionParser(lexer, builder).subscripts();
  return builder.target(name.text, std::move(subscripts), name.place);
}

std::pair<Target, bool> parseAssignedTarget(Lexer& lexer, const SystemBuilder& builder) {
  if (!lexer.peek().is("next") || !lexer.after(lexer.peek()).is("("))
    return {parseTarget(lexer, builder), false};
  lexer.next();
  lexer.expect("(", "after `next`");
  Target target = parseTarget(lexer, builder);
  lexer.expect(")", "after the target of `next`");
  return {std::move(target), true};
}

Type parseType(Lexer& lexer, const SystemBuilder& builder) {
  Type type;
  // Quartz has the extents in front: `[4]nat{8} x`.
  const auto extents = [&] {
    while (lexer.accept("[")) {
      type.extents.push_back(parseSize(lexer, builder, "the extent of an array", maximalCells));
      lexer.expect("]", "after the extent of an array");
    }
  };
  if (lexer.language() == Syntax::Quartz) extents();
  const Token token = lexer.expectName("a type");
  if (token.text == "bool")
    type.scalar.base = ScalarType::Base::Bool;
  else if (token.text == "real")
    type.scalar.base = ScalarType::Base::Real;
  else if (token.text == "int")
    type.scalar.base = ScalarType::Base::Int;
  else if (token.text == "nat")
    type.scalar.base = ScalarType::Base::Nat;
  else if (token.text == "bv" || token.text == "btv")
    type.scalar.base = ScalarType::Base::Bits;
  else
    throw Error(token.place,
                fmt::format("unknown type `{}`; known are bool, int, nat, bv and real", token.text));
  const bool sized = type.scalar.isInteger() || type.scalar.base == ScalarType::Base::Bits;
  if (sized) {
    if (!lexer.accept("{"))
      throw Error(token.place,
                  fmt::format("`{}` without a bound is an infinite type, which cannot be synthesised; "
                              "write {}{{N}}",
                              token.text, token.text));
    const bool bits = type.scalar.base == ScalarType::Base::Bits;
    type.scalar.bound = parseSize(lexer, builder, bits ? "the width of a bit vector" : "the bound of a type",
                                  bits ? 64 : INT64_C(1) << 62);
    lexer.expect("}", "after the bound of a type");
  }
  extents();
  return type;
}

} // namespace warploom::sync
