// Lustre as text.
#include "sync/lustre/LustreSyntax.h"
#include "sync/reader/Lexer.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

using Kind = LustreTerm::Kind;

/// How tightly binary operators bind, loosest first.
enum class Level { Arrow, Implies, Or, And, Comparison, Sum, Product, When };

constexpr std::string_view keywords[] = {"and",   "assert", "bool",     "const", "current", "div", "else",
                                         "false", "fby",    "function", "if",    "int",     "let", "mod",
                                         "node",  "not",    "or",       "pre",   "real",    "tel", "then",
                                         "true",  "var",    "when",     "xor",   "returns"};

class LustreParser {
public:
  explicit LustreParser(const std::string& text) : lexer(text, {1, 1}, Syntax::Lustre) {}

  LustreProgram program() {
    while (lexer.peek().kind != Token::Kind::End) {
      const Token token = lexer.peek();
      if (lexer.accept("const")) do
          constant();
        while (lexer.peek().kind == Token::Kind::Name && !isKeyword(lexer.peek().text));
      else if (lexer.accept("node") || lexer.accept("function"))
        node();
      else
        throw Error(token.place, fmt::format("expected `node` or `const`, found {}", token.described()));
    }
    if (result.nodes.empty()) throw Error(lexer.peek().place, "there is no node here");
    return std::move(result);
  }

private:
  static bool isKeyword(std::string_view word) {
    return std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
  }
  Token newName(const char* what) {
    const Token token = lexer.peek();
    if (token.kind != Token::Kind::Name || isKeyword(token.text))
      throw Error(token.place, fmt::format("expected {}, found {}", what, token.described()));
    return lexer.next();
  }

  // ---- Declarations

  ScalarType type() {
    const Token token = lexer.next();
    if (token.is("int")) return lustreInt;
    if (token.is("bool")) return {ScalarType::Base::Bool, 0};
    if (token.is("real")) return {ScalarType::Base::Real, 0};
    throw Error(token.place, fmt::format("unknown type {}; known are bool, int and real", token.described()));
  }

  void constant() {
    const Token name = newName("the name of a constant");
    LustreConstant made{std::string(name.text), std::nullopt, nullptr, name.place};
    if (lexer.accept(":")) made.type = type();
    lexer.expect("=", "after the name of a constant");
    made.value = term();
    lexer.expect(";", "after a constant");
    result.constants.push_back(std::move(made));
  }

  /// `a, b: int when c` or `(a, b: int) when c`.
  void declarations(std::vector<LustreDeclaration>& into) {
    const bool parenthesis = lexer.accept("(");
    const std::size_t first = into.size();
    do {
      const Token name = newName("the name of a variable");
      into.push_back({std::string(name.text), {}, std::nullopt, name.place});
    } while (lexer.accept(","));
    lexer.expect(":", "after the name of a variable");
    const ScalarType shared = type();
    if (lexer.peek().is("^")) throw Error(lexer.peek().place, "there are no arrays in this subset of Lustre");
    if (parenthesis) lexer.expect(")", "after a declaration");
    std::optional<ClockName> clock;
    if (lexer.accept("when")) clock = clockName();
    for (std::size_t i = first; i < into.size(); ++i) {
      into[i].type = shared;
      into[i].clock = clock;
    }
  }

  /// Between parentheses, separated by semicolons.
  void interface(std::vector<LustreDeclaration>& into, const char* what) {
    lexer.expect("(", what);
    while (!lexer.accept(")")) {
      declarations(into);
      if (!lexer.peek().is(")")) lexer.expect(";", "between declarations");
    }
  }

  void node() {
    const Token name = newName("the name of a node");
    if (!result.byName.emplace(name.text, result.nodes.size()).second)
      throw Error(name.place, fmt::format("there is another node `{}`", name.text));
    LustreNode made;
    made.name = std::string(name.text);
    made.place = name.place;
    interface(made.inputs, "after the name of a node");
    lexer.expect("returns", "after the inputs of a node");
    interface(made.outputs, "after `returns`");
    lexer.accept(";");
    if (lexer.accept("var"))
      while (!lexer.peek().is("let")) {
        declarations(made.locals);
        lexer.expect(";", "after a declaration");
      }
    lexer.expect("let", "before the equations of a node");
    while (!lexer.accept("tel"))
      equation(made);
    if (!lexer.accept(";")) lexer.accept(".");
    result.nodes.push_back(std::move(made));
  }

  void equation(LustreNode& node) {
    const Place place = lexer.peek().place;
    if (lexer.accept("--%")) {
      const Token word = lexer.expectName("PROPERTY or MAIN");
      if (word.text == "MAIN") {
        node.isMain = true;
        lexer.accept(";");
        return;
      }
      node.assertions.push_back({term(), false, place});
    } else if (lexer.accept("assert")) {
      node.assertions.push_back({term(), true, place});
    } else {
      LustreEquation made;
      made.place = place;
      const bool parenthesis = lexer.accept("(");
      do {
        const Token name = newName("the name of a variable, or `tel`");
        made.left.emplace_back(name.text, name.place);
      } while (lexer.accept(","));
      if (parenthesis) lexer.expect(")", "after the left side of an equation");
      lexer.expect("=", "after the left side of an equation");
      made.right = term();
      node.equations.push_back(std::move(made));
    }
    lexer.expect(";", "after an equation");
  }

  // ---- Expressions

  /// One level of recursion of this parser.
  struct Nesting {
    explicit Nesting(LustreParser& of) : parser(of) {
      if (++parser.nesting > maximalDepth / 4)
        throw Error(parser.lexer.peek().place, "expression nested too deeply");
    }
    ~Nesting() { --parser.nesting; }
    LustreParser& parser;
  };

  LustreTermPtr make(LustreTerm term) {
    for (LustreTermPtr part : term.parts)
      term.depth = std::max(term.depth, part->depth + 1);
    if (term.depth > maximalDepth / 2) throw Error(term.place, "expression nested too deeply");
    return &result.terms.emplace_back(std::move(term));
  }
  LustreTermPtr make(Kind kind, Place place, std::vector<LustreTermPtr> parts) {
    LustreTerm made;
    made.kind = kind;
    made.place = place;
    made.parts = std::move(parts);
    return make(std::move(made));
  }
  LustreTermPtr apply(Expr::Op op, Place place, std::vector<LustreTermPtr> parts) {
    LustreTerm made;
    made.kind = Kind::Operator;
    made.op = op;
    made.place = place;
    made.parts = std::move(parts);
    return make(std::move(made));
  }
  LustreTermPtr literal(ExprPtr value) {
    LustreTerm made;
    made.literal = value;
    made.place = value->place;
    return make(std::move(made));
  }

  ClockName clockName() {
    ClockName clock;
    clock.place = lexer.peek().place;
    clock.positive = !lexer.accept("not");
    const bool parenthesis = lexer.accept("(");
    clock.variable = std::string(newName("the name of a clock, or `not` and one").text);
    if (parenthesis) lexer.expect(")", "after the name of a clock");
    return clock;
  }

  struct Operator {
    Kind kind = Kind::Operator;
    Expr::Op op = Expr::Op::Add;
    Level level = Level::Arrow;
  };

  std::optional<Operator> nextOperator() const {
    static const std::map<std::string_view, Operator> operators = {
        {"->", {Kind::Arrow, {}, Level::Arrow}},
        {"fby", {Kind::Fby, {}, Level::Arrow}},
        {"=>", {Kind::Implies, {}, Level::Implies}},
        {"or", {Kind::Operator, Expr::Op::Or, Level::Or}},
        {"xor", {Kind::Operator, Expr::Op::Xor, Level::Or}},
        {"and", {Kind::Operator, Expr::Op::And, Level::And}},
        {"=", {Kind::Operator, Expr::Op::Eq, Level::Comparison}},
        {"<>", {Kind::Operator, Expr::Op::Ne, Level::Comparison}},
        {"<", {Kind::Operator, Expr::Op::Lt, Level::Comparison}},
        {"<=", {Kind::Operator, Expr::Op::Le, Level::Comparison}},
        {">", {Kind::Operator, Expr::Op::Gt, Level::Comparison}},
        {">=", {Kind::Operator, Expr::Op::Ge, Level::Comparison}},
        {"+", {Kind::Operator, Expr::Op::Add, Level::Sum}},
        {"-", {Kind::Operator, Expr::Op::Sub, Level::Sum}},
        {"*", {Kind::Operator, Expr::Op::Mul, Level::Product}},
        {"/", {Kind::Operator, Expr::Op::Div, Level::Product}},
        {"div", {Kind::Operator, Expr::Op::Div, Level::Product}},
        {"mod", {Kind::Operator, Expr::Op::Mod, Level::Product}},
        {"when", {Kind::When, {}, Level::When}}};
    const Token& token = lexer.peek();
    if (token.kind != Token::Kind::Name && token.kind != Token::Kind::Symbol) return std::nullopt;
    const auto found = operators.find(token.text);
    return found == operators.end() ? std::nullopt : std::optional(found->second);
  }

  LustreTermPtr term() { return term(Level::Arrow); }

  /// Operands joined by operators that bind at least as tightly as `loosest`. `->`, `fby` and `=>` group from
  /// the right, the others from the left; comparisons cannot be chained.
  LustreTermPtr term(Level loosest) {
    Nesting nested(*this);
    LustreTermPtr left = unary();
    Level tightest = Level::When; // of the operators that may follow
    while (const std::optional<Operator> found = nextOperator()) {
      if (found->level < loosest || found->level > tightest) break;
      const Place place = lexer.next().place;
      const Level above = Level(int(found->level) + 1);
      tightest = found->level;
      if (found->kind == Kind::When) {
        LustreTerm made;
        made.kind = Kind::When;
        made.place = place;
        made.parts = {left};
        made.clock = clockName();
        left = make(std::move(made));
      } else if (found->kind != Kind::Operator) {
        left = make(found->kind, place, {left, term(found->level)});
      } else {
        std::vector<LustreTermPtr> parts{left, term(above)};
        const bool associative = found->op == Expr::Op::Add || found->op == Expr::Op::Mul ||
                                 found->op == Expr::Op::And || found->op == Expr::Op::Or;
        while (associative && nextIs(found->op)) {
          lexer.next();
          parts.push_back(term(above));
        }
        left = apply(found->op, place, std::move(parts));
        if (found->level == Level::Comparison) tightest = Level::And;
      }
    }
    return left;
  }
  bool nextIs(Expr::Op op) const {
    const std::optional<Operator> found = nextOperator();
    return found && found->kind == Kind::Operator && found->op == op;
  }

  LustreTermPtr unary() {
    Nesting nested(*this);
    const Token token = lexer.peek();
    if (lexer.accept("not")) return apply(Expr::Op::Not, token.place, {term(Level::Sum)});
    if (lexer.accept("-")) return apply(Expr::Op::Neg, token.place, {unary()});
    if (lexer.accept("pre")) return make(Kind::Pre, token.place, {unary()});
    if (lexer.accept("current")) return make(Kind::Current, token.place, {unary()});
    if (lexer.accept("real")) return make(Kind::RealOf, token.place, {unary()});
    if (lexer.accept("if")) {
      LustreTermPtr condition = term();
      lexer.expect("then", "after the condition of `if`");
      LustreTermPtr yes = term();
      lexer.expect("else", "after the first case of `if`");
      return apply(Expr::Op::If, token.place, {condition, yes, term()});
    }
    return atom();
  }

  std::vector<LustreTermPtr> list() {
    std::vector<LustreTermPtr> parts;
    if (lexer.accept(")")) return parts;
    do
      parts.push_back(term());
    while (lexer.accept(","));
    lexer.expect(")", "to close the parenthesis");
    return parts;
  }

  LustreTermPtr atom() {
    const Token token = lexer.peek();
    if (lexer.accept("(")) {
      std::vector<LustreTermPtr> parts = list();
      return parts.size() == 1 ? parts[0] : make(Kind::List, token.place, std::move(parts));
    }
    if (lexer.accept("true") || lexer.accept("false"))
      return literal(boolLiteral(token.text == "true", token.place));
    if (token.kind == Token::Kind::Integer)
      return literal(integerLiteral(integer(lexer.next()), token.place));
    if (token.kind == Token::Kind::Real) return literal(realLiteral(real(lexer.next()), token.place));
    LustreTerm made;
    made.kind = Kind::Name;
    made.place = token.place;
    made.name = std::string(newName("an expression").text);
    if (lexer.accept("(")) {
      made.kind = Kind::Call;
      made.parts = list();
    }
    return make(std::move(made));
  }

  static std::int64_t integer(const Token& token) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    // The one number more is for the smallest integer, which is written with a minus before it.
    if (parsed.ec != std::errc() || value > lustreInt.bound)
      throw Error(token.place, fmt::format("{} does not fit into an int of 32 bits", token.text));
    return value;
  }

  static double real(const Token& token) {
    double value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
      throw Error(token.place, fmt::format("{} is not a double-precision number", token.text));
    return value;
  }

  Lexer lexer;
  LustreProgram result;
  int nesting = 0;
};

} // namespace

LustreProgram parseLustre(const std::string& text) {
  return LustreParser(text).program();
}

const char* lustreName(const ScalarType& type) {
  return type.isBool() ? "bool" : type.isInteger() ? "int" : "real";
}

} // namespace warploom::sync
