// Quartz as text. Everything beyond the kernel language is written in terms of it while parsing.
#include "sync/quartz/Kernel.h"
#include "sync/reader/Expressions.h"

#include <charconv>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

KernelStatementPtr make(KernelStatement::Kind kind, Place place, std::vector<KernelStatementPtr> parts = {},
                        ExprPtr condition = nullptr) {
  auto statement = std::make_shared<KernelStatement>();
  statement->kind = kind;
  statement->place = place;
  statement->parts = std::move(parts);
  statement->condition = condition;
  return statement;
}

class QuartzParser {
public:
  explicit QuartzParser(const std::string& text) : lexer(text) {}

  Module module() {
    lexer.expect("module", "at the beginning");
    builder.system.name = std::string(lexer.expectName("the name of the module").text);
    lexer.expect("(", "after the name of the module");
    if (!lexer.accept(")")) {
      do
        parameter();
      while (lexer.accept(","));
      lexer.expect(")", "after the parameters");
    }
    KernelStatementPtr body = block();
    if (lexer.peek().kind != Token::Kind::End)
      throw Error(lexer.peek().place,
                  fmt::format("unexpected {} after the module", lexer.peek().described()));
    return {std::move(builder), std::move(body)};
  }

private:
  using Kind = KernelStatement::Kind;

  struct Nesting {
    explicit Nesting(QuartzParser& of) : parser(of) {
      if (++parser.nesting > 200) throw Error(parser.lexer.peek().place, "statements nested too deeply");
    }
    ~Nesting() { --parser.nesting; }
    QuartzParser& parser;
  };

  void parameter() {
    Variable variable;
    variable.storage = lexer.accept("event") ? Variable::Storage::Event : Variable::Storage::Memorized;
    variable.type = parseType(lexer, builder);
    const Place place = lexer.peek().place;
    if (lexer.accept("?"))
      variable.role = Variable::Role::Input;
    else if (lexer.accept("!"))
      variable.role = Variable::Role::Output;
    else if (lexer.accept("&"))
      variable.role = Variable::Role::InOut;
    else
      throw Error(place, "a parameter is marked by ? (input), ! (output) or & (both)");
    if (variable.isInput()) variable.storage = Variable::Storage::None;
    declare(std::move(variable));
  }

  int declare(Variable variable) {
    const Token name = lexer.expectName("the name of a variable");
    variable.name = std::string(name.text);
    variable.place = name.place;
    return builder.declare(std::move(variable));
  }

  int newLabel(const Token* named, Place place) {
    Variable label;
    label.role = Variable::Role::Label;
    label.storage = Variable::Storage::Event;
    label.name = named != nullptr ? std::string(named->text) : fmt::format("__ell{}", labels++);
    label.place = place;
    return builder.declare(std::move(label));
  }

  bool atDeclaration() const {
    const Token& token = lexer.peek();
    for (const char* word : {"event", "bool", "int", "nat", "bv", "btv", "real"})
      if (token.is(word)) return true;
    return false;
  }

  KernelStatementPtr block() {
    Nesting nested(*this);
    const Place place = lexer.expect("{", "before statements").place;
    std::vector<KernelStatementPtr> parts;
    std::vector<int> locals;
    std::vector<std::string> names;
    while (!lexer.accept("}")) {
      if (atDeclaration()) {
        Variable variable;
        variable.storage = lexer.accept("event") ? Variable::Storage::Event : Variable::Storage::Memorized;
        variable.type = parseType(lexer, builder);
        names.emplace_back(lexer.peek().text);
        locals.push_back(declare(std::move(variable)));
        lexer.expect(";", "after a declaration");
      } else {
        parts.push_back(statement());
      }
    }
    for (const std::string& name : names)
      builder.forget(name);
    KernelStatementPtr body = make(Kind::Sequence, place, std::move(parts));
    if (loops == 0 || locals.empty()) return body; // started once: no more than one incarnation
    KernelStatementPtr scope = make(Kind::Scope, place, {body});
    scope->locals = std::move(locals);
    return scope;
  }

  KernelStatementPtr statement() {
    Nesting nested(*this);
    const Place place = lexer.peek().place;
    std::vector<KernelStatementPtr> parts{single()};
    while (lexer.accept("||"))
      parts.push_back(single());
    return parts.size() == 1 ? parts[0] : make(Kind::Parallel, place, std::move(parts));
  }

  ExprPtr condition() {
    lexer.expect("(", "before a condition");
    ExprPtr result = parseExpression(lexer, builder);
    lexer.expect(")", "after a condition");
    if (!result->type.isBool()) throw Error(result->place, "a condition must be a boolean");
    return result;
  }

  /// Runs `body` in the knowledge that it is repeated.
  template <typename Body> auto repeated(const Body& body) {
    ++loops;
    auto result = body();
    --loops;
    return result;
  }

  KernelStatementPtr pause(Place place, const Token* named = nullptr) {
    KernelStatementPtr result = make(Kind::Pause, place);
    result->label = newLabel(named, place);
    return result;
  }

  KernelStatementPtr halt(Place place) {
    return make(Kind::DoWhile, place, {pause(place)}, boolLiteral(true));
  }

  KernelStatementPtr whileLoop(ExprPtr test, KernelStatementPtr body, Place place) {
    KernelStatementPtr loop = make(Kind::DoWhile, place, {std::move(body)}, test);
    return make(Kind::If, place, {loop, make(Kind::Nothing, place)}, test);
  }

  KernelStatementPtr await(ExprPtr test, bool immediate, Place place) {
    if (immediate) return whileLoop(negation(test), pause(place), place);
    return make(Kind::DoWhile, place, {pause(place)}, negation(test));
  }

  KernelStatementPtr single() {
    const Token token = lexer.peek();
    const Place place = token.place;
    if (token.is("{")) return block();
    if (lexer.accept("nothing")) return ended(make(Kind::Nothing, place));
    if (lexer.accept("pause")) return ended(pause(place));
    if (lexer.accept("emit")) {
      auto [target, delayed] = parseAssignedTarget(lexer, builder);
      return ended(assignment(std::move(target), delayed, boolLiteral(true, place), place));
    }
    if (lexer.accept("if")) {
      ExprPtr test = condition();
      KernelStatementPtr yes = single();
      KernelStatementPtr no = lexer.accept("else") ? single() : make(Kind::Nothing, place);
      return make(Kind::If, place, {yes, no}, test);
    }
    if (lexer.accept("do")) {
      KernelStatementPtr body = repeated([&] { return single(); });
      lexer.expect("while", "after the body of `do`");
      ExprPtr test = condition();
      return ended(make(Kind::DoWhile, place, {body}, test));
    }
    if (lexer.accept("while")) {
      ExprPtr test = condition();
      return whileLoop(test, repeated([&] { return single(); }), place);
    }
    if (lexer.accept("loop"))
      return make(Kind::DoWhile, place, {repeated([&] { return single(); })}, boolLiteral(true));
    if (lexer.accept("for")) return forLoop(place);
    const bool weak = lexer.accept("weak"), immediate = lexer.accept("immediate");
    if (!weak && lexer.accept("await")) {
      ExprPtr test = condition();
      return ended(await(test, immediate, place));
    }
    if (!weak && lexer.accept("every")) {
      ExprPtr test = condition();
      KernelStatementPtr body = repeated([&] { return single(); });
      KernelStatementPtr round =
          make(Kind::Abort, place, {make(Kind::Sequence, place, {body, halt(place)})}, test);
      return make(Kind::Sequence, place,
                  {await(test, immediate, place), make(Kind::DoWhile, place, {round}, boolLiteral(true))});
    }
    if (lexer.peek().is("abort") || lexer.peek().is("suspend")) {
      const Kind kind = lexer.next().text == "abort" ? Kind::Abort : Kind::Suspend;
      KernelStatementPtr body = single();
      lexer.expect("when", "after the body of a preemption");
      KernelStatementPtr result = make(kind, place, {body}, condition());
      result->weak = weak;
      result->immediate = immediate;
      if (kind == Kind::Suspend && immediate) result->label = newLabel(nullptr, place);
      return ended(result);
    }
    if (weak || immediate) throw Error(lexer.peek().place, "expected `abort`, `suspend`, `await` or `every`");
    if (token.kind == Token::Kind::Name && lexer.after(token).is(":")) {
      const Token name = lexer.next();
      lexer.next();
      lexer.expect("pause", "after a label");
      return ended(pause(place, &name));
    }
    auto [target, delayed] = parseAssignedTarget(lexer, builder);
    lexer.expect("=", "after the target of an assignment");
    ExprPtr value = parseExpression(lexer, builder);
    return ended(assignment(std::move(target), delayed, value, place));
  }

  KernelStatementPtr ended(KernelStatementPtr statement) {
    lexer.expect(";", "after a statement");
    return statement;
  }

  KernelStatementPtr assignment(Target target, bool delayed, ExprPtr value, Place place) {
    // Checked here once; the guard is added with every use.
    const Action action = builder.action(boolLiteral(true), std::move(target), delayed, value, place);
    KernelStatementPtr result = make(Kind::Assign, place);
    result->target = action.target;
    result->delayed = delayed;
    result->value = action.value;
    return result;
  }

  std::int64_t number() {
    const Token token = lexer.next();
    std::int64_t value = 0;
    if (token.kind != Token::Kind::Integer ||
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
      throw Error(token.place, fmt::format("expected a number, found {}", token.described()));
    return value;
  }

  KernelStatementPtr forLoop(Place place) {
    lexer.expect("(", "after `for`");
    const Token name = lexer.expectName("the name of the counter");
    lexer.expect("=", "after the counter");
    const std::int64_t first = number();
    lexer.expect("to", "between the bounds of `for`");
    const std::int64_t last = number();
    lexer.expect(")", "after the bounds of `for`");
    if (last < first) throw Error(place, "the bounds of `for` are the wrong way round");
    std::vector<KernelStatementPtr> parts;
    const Lexer body = lexer;
    for (std::int64_t i = first; i <= last; ++i) {
      if (++rounds > mostRounds)
        throw Error(place,
                    fmt::format("`for` is unrolled, and all rounds together are more than {}", mostRounds));
      lexer = body;
      builder.bind(std::string(name.text), i, name.place);
      parts.push_back(single());
      builder.unbind(std::string(name.text));
    }
    return make(Kind::Sequence, place, std::move(parts));
  }

  Lexer lexer;
  SystemBuilder builder;
  int labels = 0, loops = 0, nesting = 0;
  static constexpr std::int64_t mostRounds = 65'536;
  std::int64_t rounds = 0; ///< of all `for` so far, unrolled
};

} // namespace

Module parseQuartz(const std::string& text) {
  return QuartzParser(text).module();
}

} // namespace warploom::sync
