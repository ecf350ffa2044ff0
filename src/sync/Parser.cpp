#include "sync/Parser.h"

#include <charconv>
#include <fmt/format.h>

namespace warploom::sync {

int SystemBuilder::declare(Variable variable) {
  if (variables.count(variable.name) || abbreviations.count(variable.name))
    throw Error(variable.place, fmt::format("`{}` is already declared", variable.name));
  if (variable.role == Variable::Role::Label && !(variable.type == Type{}))
    throw Error(variable.place, fmt::format("label `{}` must be a single bool", variable.name));
  const std::string name = variable.name;
  const int index = declareUnnamed(std::move(variable));
  variables.emplace(name, index);
  return index;
}

int SystemBuilder::declareUnnamed(Variable variable) {
  std::int64_t count = 1;
  for (std::int64_t extent : variable.type.extents) // stops growing before it could overflow
    count = count > maximalCells / extent ? maximalCells + 1 : count * extent;
  cells += count;
  if (cells > maximalCells)
    throw Error(variable.place,
                fmt::format("`{}` takes the system beyond {} cells, the most that can be compiled",
                            variable.name, maximalCells));
  const std::string written = variable.name;
  for (int number = 1; !used.insert(variable.name).second; ++number)
    variable.name = fmt::format("{}_{}", written, number);
  system.variables.push_back(std::move(variable));
  return int(system.variables.size()) - 1;
}

void SystemBuilder::abbreviate(std::string name, ExprPtr value, Place place) {
  if (variables.count(name) || abbreviations.count(name))
    throw Error(place, fmt::format("`{}` is already declared", name));
  abbreviations.emplace(name, int(system.abbreviations.size()));
  system.abbreviations.push_back({std::move(name), std::move(value), place});
}

void SystemBuilder::checkSubscripts(const Variable& variable, const std::vector<ExprPtr>& subscripts,
                                    Place place) const {
  const std::vector<std::int64_t>& extents = variable.type.extents;
  if (subscripts.size() != extents.size())
    throw Error(place, fmt::format("`{}` has {} dimension{} and is used with {} subscript{}", variable.name,
                                   extents.size(), extents.size() == 1 ? "" : "s", subscripts.size(),
                                   subscripts.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Expr& subscript = *subscripts[i];
    if (!subscript.type.isInteger()) throw Error(subscript.place, "a subscript must be an integer");
    if (subscript.op == Expr::Op::Literal &&
        (subscript.value.integer < 0 || subscript.value.integer >= extents[i]))
      throw Error(subscript.place,
                  fmt::format("subscript {} is outside `{}`, whose dimension {} has {} cells",
                              subscript.value.integer, variable.name, i + 1, extents[i]));
  }
}

void SystemBuilder::bind(const std::string& name, std::int64_t value, Place place) {
  if (variables.count(name) || abbreviations.count(name) || !constants.emplace(name, value).second)
    throw Error(place, fmt::format("`{}` is already declared", name));
}

void SystemBuilder::fold(std::vector<ExprPtr>& subscripts) const {
  if (constants.empty()) return;
  const auto unknown = [](const Expr&) -> std::optional<Value> { return std::nullopt; };
  for (ExprPtr& subscript : subscripts)
    if (subscript->type.isInteger() && subscript->op != Expr::Op::Literal)
      if (std::optional<Value> value = evaluate(*subscript, unknown, 64))
        subscript = integerLiteral(value->integer, subscript->place);
}

void SystemBuilder::share(std::vector<ExprPtr>& subscripts) const {
  for (ExprPtr& subscript : subscripts) {
    if (subscript->op != Expr::Op::Literal) continue;
    ExprPtr& shared = subscriptLiterals[subscript->value.integer];
    if (!shared) shared = integerLiteral(subscript->value.integer);
    subscript = shared;
  }
}

ExprPtr SystemBuilder::named(const std::string& name, std::vector<ExprPtr> subscripts, Place place) const {
  if (auto found = constants.find(name); found != constants.end() && subscripts.empty())
    return integerLiteral(found->second, place);
  fold(subscripts);
  if (auto found = variables.find(name); found != variables.end()) {
    const Variable& variable = system.variables[found->second];
    checkSubscripts(variable, subscripts, place);
    share(subscripts);
    return read(found->second, variable.type.scalar, std::move(subscripts), place);
  }
  auto found = abbreviations.find(name);
  if (found == abbreviations.end()) throw Error(place, fmt::format("`{}` is not declared", name));
  if (!subscripts.empty()) throw Error(place, fmt::format("abbreviation `{}` takes no subscript", name));
  return abbreviation(found->second, system.abbreviations[found->second].value->type, place);
}

Target SystemBuilder::target(const std::string& name, std::vector<ExprPtr> subscripts, Place place) const {
  auto found = variables.find(name);
  if (found == variables.end())
    throw Error(place, abbreviations.count(name) ? fmt::format("abbreviation `{}` cannot be assigned", name)
                                                 : fmt::format("`{}` is not declared", name));
  const Variable& variable = system.variables[found->second];
  if (variable.isInput()) throw Error(place, fmt::format("input `{}` cannot be assigned", name));
  fold(subscripts);
  checkSubscripts(variable, subscripts, place);
  share(subscripts);
  return {found->second, std::move(subscripts)};
}

void SystemBuilder::checkAssignable(const Variable& variable, const Expr& value) const {
  const ScalarType& type = variable.type.scalar;
  const bool fitting = type.base == ScalarType::Base::Real ? value.type.isNumber()
                       : type.isInteger()                  ? value.type.isInteger()
                                                           : value.type == type;
  if (!fitting)
    throw Error(value.place, fmt::format("this value cannot be assigned to `{}`, a {}", variable.name,
                                         text(Type{type, {}})));
  if (value.op == Expr::Op::Literal && type.isInteger() && !fits(type, value.value))
    throw Error(value.place, fmt::format("{} is outside the range {}..{} of `{}`", value.value.integer,
                                         type.smallest(), type.largest(), variable.name));
}

Action SystemBuilder::action(ExprPtr guard, Target target, bool delayed, ExprPtr value, Place place) const {
  if (!guard->type.isBool()) throw Error(guard->place, "a guard must be a boolean");
  const Variable& variable = system.variables[target.variable];
  checkAssignable(variable, *value);
  if (variable.role == Variable::Role::Label && !delayed)
    throw Error(place,
                fmt::format("label `{}` can only be assigned with next({})", variable.name, variable.name));
  return {std::move(guard), std::move(target), std::move(value), delayed, place};
}

Assertion SystemBuilder::assertion(ExprPtr guard, std::string name, ExprPtr condition, Place place) const {
  if (!guard->type.isBool()) throw Error(guard->place, "a guard must be a boolean");
  if (!condition->type.isBool()) throw Error(condition->place, "an assertion must be a boolean");
  return {std::move(guard), std::move(name), std::move(condition), place};
}

void SystemBuilder::react(Target target, ExprPtr value, Place place) {
  checkAssignable(system.variables[target.variable], *value);
  if (!target.subscripts.empty() &&
      !constantOffset(system.variables[target.variable].type, target.subscripts))
    throw Error(place, "an absence reaction needs constant subscripts");
  const std::int64_t offset = *constantOffset(system.variables[target.variable].type, target.subscripts);
  if (!reacting.emplace(target.variable, offset).second)
    throw Error(place, fmt::format("`{}` already has an absence reaction", text(system, target)));
  system.reactions.push_back({std::move(target), std::move(value), place});
}

System SystemBuilder::finish() {
  system.wordBits = neededWordBits(system);
  return std::move(system);
}

namespace {

class ExpressionParser {
public:
  ExpressionParser(Lexer& from, const SystemBuilder& with) : lexer(from), builder(with) {}

  ExprPtr disjunction() {
    return chain(Expr::Op::Or, [this] { return conjunction(); });
  }

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

  /// A line that starts with an operator continues the expression, except that `-` may also start a guard.
  bool atOperator(std::string_view symbol) const {
    const Token& token = lexer.peek();
    return token.is(symbol) && !(symbol == "-" && token.firstOnLine && parentheses == 0);
  }

  template <typename Next> ExprPtr chain(Expr::Op op, const Next& next) {
    const Place place = lexer.peek().place;
    std::vector<ExprPtr> operands{next()};
    while (atOperator(spelling(op))) {
      lexer.next();
      operands.push_back(next());
    }
    return operands.size() == 1 ? operands[0] : apply(op, std::move(operands), place);
  }

  ExprPtr conjunction() {
    return chain(Expr::Op::And, [this] { return comparison(); });
  }

  ExprPtr comparison() {
    const Place place = lexer.peek().place;
    ExprPtr left = sum();
    for (Expr::Op op : {Expr::Op::Eq, Expr::Op::Ne, Expr::Op::Lt, Expr::Op::Le, Expr::Op::Gt, Expr::Op::Ge})
      if (atOperator(spelling(op))) {
        lexer.next();
        return apply(op, {left, sum()}, place);
      }
    return left;
  }

  /// Left-associative operators of one precedence; runs of `many`, the associative one, become one node.
  template <typename Next>
  ExprPtr leftToRight(Expr::Op many, std::initializer_list<Expr::Op> ops, const Next& next) {
    const Place place = lexer.peek().place;
    std::vector<ExprPtr> run{next()};
    auto close = [&] {
      if (run.size() > 1) run = {apply(many, std::move(run), place)};
    };
    while (true) {
      std::optional<Expr::Op> found;
      for (Expr::Op op : ops)
        if (atOperator(spelling(op))) found = op;
      if (!found) break;
      lexer.next();
      ExprPtr right = next();
      if (*found == many) {
        run.push_back(std::move(right));
      } else {
        close();
        run = {apply(*found, {run[0], std::move(right)}, place)};
      }
    }
    close();
    return run[0];
  }

  ExprPtr sum() {
    return leftToRight(Expr::Op::Add, {Expr::Op::Add, Expr::Op::Sub}, [this] { return product(); });
  }
  ExprPtr product() {
    return leftToRight(Expr::Op::Mul, {Expr::Op::Mul, Expr::Op::Div, Expr::Op::Mod},
                       [this] { return unary(); });
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
    const std::string digits = (negative ? "-" : "") + std::string(lexer.next().text);
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
      throw Error(place, fmt::format("{} does not fit into 64 bits", digits));
    return integerLiteral(value, place);
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
      return builder.named(std::string(token.text), subscripts(), token.place);
    default:
      if (lexer.accept("(")) {
        ++parentheses;
        ExprPtr inner = disjunction();
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
    while (lexer.peek().is("[") && !lexer.peek().firstOnLine) {
      lexer.next();
      ++parentheses;
      result.push_back(disjunction());
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
  return ExpressionParser(lexer, builder).disjunction();
}

Target parseTarget(Lexer& lexer, const SystemBuilder& builder) {
  const Token name = lexer.expectName("the name of a variable");
  std::vector<ExprPtr> subscripts = ExpressionParser(lexer, builder).subscripts();
  return builder.target(std::string(name.text), std::move(subscripts), name.place);
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
