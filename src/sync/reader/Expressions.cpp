#include "sync/reader/Expressions.h"

#include <charconv>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

class ExpressionParser {
public:
  ExpressionParser(Lexer& from, const SystemBuilder& with) : lexer(from), builder(with) {}

  ExprPtr expression() { return expression(Disjunction); }

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

  /// How tightly binary operators bind, loosest first.
  enum Level { Disjunction, Conjunction, Comparison, Sum, Product, Operand };
  struct Operator {
    Expr::Op op;
    Level level;
  };

  /// The binary operator that comes next. A line that starts with one continues the expression, except that
  /// `-` may also start a guard.
  std::optional<Operator> nextOperator() const {
    const Token& token = lexer.peek();
    if (token.kind != Token::Kind::Symbol) return std::nullopt;
    const bool single = token.text.size() == 1;
    switch (token.text[0]) {
    case '|':
      if (single) return Operator{Expr::Op::Or, Disjunction};
      break;
    case '&':
      return Operator{Expr::Op::And, Conjunction};
    case '=':
      if (token.text == "==") return Operator{Expr::Op::Eq, Comparison};
      break;
    case '!':
      if (!single) return Operator{Expr::Op::Ne, Comparison};
      break;
    case '<':
      return Operator{single ? Expr::Op::Lt : Expr::Op::Le, Comparison};
    case '>':
      return Operator{single ? Expr::Op::Gt : Expr::Op::Ge, Comparison};
    case '+':
      return Operator{Expr::Op::Add, Sum};
    case '-':
      if (!token.firstOnLine || parentheses > 0) return Operator{Expr::Op::Sub, Sum};
      break;
    case '*':
      return Operator{Expr::Op::Mul, Product};
    case '/':
      return Operator{Expr::Op::Div, Product};
    case '%':
      return Operator{Expr::Op::Mod, Product};
    default:
      break;
    }
    return std::nullopt;
  }

  /// Operands joined by operators that bind at least as tightly as `loosest`. Operators of one level group
  /// from the left, and runs of an associative one become one node; comparisons cannot be chained.
  ExprPtr expression(Level loosest) {
    const Place place = lexer.peek().place;
    ExprPtr left = unary();
    Level tightest = Product; // of the operators that may follow
    while (const std::optional<Operator> found = nextOperator()) {
      if (found->level < loosest || found->level > tightest) break;
      const bool associative = found->op == Expr::Op::Or || found->op == Expr::Op::And ||
                               found->op == Expr::Op::Add || found->op == Expr::Op::Mul;
      std::vector<ExprPtr> operands;
      operands.reserve(8);
      operands.push_back(left);
      do {
        lexer.next();
        operands.push_back(expression(Level(found->level + 1)));
      } while (associative && nextIs(found->op));
      left = apply(found->op, operands, place);
      tightest = found->level == Comparison ? Conjunction : found->level;
    }
    return left;
  }
  bool nextIs(Expr::Op op) const {
    const std::optional<Operator> found = nextOperator();
    return found && found->op == op;
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
    return atom();
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
      std::uint64_t bits = 0;
      for (char digit : token.text.substr(2))
        bits = bits * 2 + std::uint64_t(digit - '0');
      return bitsLiteral(std::int64_t(bits), std::int64_t(token.text.size()) - 2, token.place);
    }
    case Token::Kind::Name:
      lexer.next();
      if (token.text == "true" || token.text == "false")
        return boolLiteral(token.text == "true", token.place);
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
  Lexer& lexer;
  const SystemBuilder& builder;
  int parentheses = 0;
  int nesting = 0;
};

std::int64_t parseSize(Lexer& lexer, const char* what, std::int64_t most) {
  const Token token = lexer.peek();
  std::int64_t value = 0;
  if (token.kind != Token::Kind::Integer)
    throw Error(token.place, fmt::format("expected {}, found {}", what, token.described()));
  const bool parsed =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec == std::errc();
  if (!parsed || value < 1 || value > most)
    throw Error(token.place, fmt::format("{} must be between 1 and {}", what, most));
  lexer.next();
  return value;
}

} // namespace

ExprPtr parseExpression(Lexer& lexer, const SystemBuilder& builder) {
  return ExpressionParser(lexer, builder).expression();
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

Type parseType(Lexer& lexer) {
  const Token token = lexer.expectName("a type");
  Type type;
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
    type.scalar.bound = parseSize(lexer, bits ? "the width of a bit vector" : "the bound of a type",
                                  bits ? 64 : INT64_C(1) << 62);
    lexer.expect("}", "after the bound of a type");
  }
  while (lexer.accept("[")) {
    type.extents.push_back(parseSize(lexer, "the extent of an array", maximalCells));
    lexer.expect("]", "after the extent of an array");
  }
  return type;
}

} // namespace warploom::sync
