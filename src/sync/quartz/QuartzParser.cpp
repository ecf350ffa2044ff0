// Quartz as text. Everything beyond the kernel language is written in terms of it while parsing.
#include "sync/quartz/Kernel.h"
#include "sync/reader/Expressions.h"
#include "sync/reader/Modules.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

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
  explicit QuartzParser(Sources& in) : sources(in), lexer(in.files.at(0).text, {1, 1}, Syntax::Quartz) {}

  Module module() {
    const std::optional<Token> last = unitsOf(0);
    if (!last) throw Error(lexer.peek().place, "there is no module here");
    builder.system.name = std::string(last->text);
    KernelStatementPtr body = textOf(*last, {});
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

  // ---- Modules and files

  /// Notes the modules of `file`, defines its macros, and reads what it imports. The lexer is at its
  /// beginning. The result is its last module.
  std::optional<Token> unitsOf(unsigned file) {
    std::optional<Token> last;
    while (lexer.peek().kind != Token::Kind::End) {
      if (lexer.accept("import")) {
        const Token name = lexer.expectName("the name of a file");
        lexer.expect(";", "after the name of a file");
        if (const std::optional<unsigned> added = importFile(sources, name, file, ".qrz")) {
          const Lexer outer = std::exchange(lexer, textOfFile(*added));
          unitsOf(*added);
          lexer = outer;
        }
      } else if (lexer.accept("macro")) {
        macro();
      } else {
        lexer.expect("module", "at the beginning");
        last = lexer.expectName("the name of the module");
        modules.add(*last, lexer.peek());
        while (lexer.peek().kind != Token::Kind::End && !lexer.peek().is("module") &&
               !lexer.peek().is("macro") && !lexer.peek().is("import"))
          lexer.next();
      }
    }
    return last;
  }

  Lexer textOfFile(unsigned file) const {
    return Lexer(sources.files[file].text, {1, 1, file}, Syntax::Quartz);
  }

  void macro() {
    const Token name = lexer.expectName("the name of a macro");
    std::vector<std::string> parameters;
    if (lexer.accept("(")) {
      do
        parameters.emplace_back(lexer.expectName("a parameter of a macro").text);
      while (lexer.accept(","));
      lexer.expect(")", "after the parameters of a macro");
    }
    lexer.expect("=", "before the text of a macro");
    builder.define(std::string(name.text), {std::move(parameters), lexer}, name.place);
    while (lexer.peek().kind != Token::Kind::End && !lexer.peek().is(";"))
      lexer.next();
    lexer.expect(";", "after a macro");
  }

  /// The body of the module `name`, whose interface stands for `actuals` where it is an instance.
  KernelStatementPtr textOf(const Token& name, std::vector<Meaning> actuals) {
    const Modules::Beginning& beginning = modules.find(name);
    modules.enter(name);
    const Lexer outer = std::exchange(lexer, textOfFile(beginning.place.file));
    const int outerLabels = std::exchange(labels, 0), outerChecks = std::exchange(checks, 0),
              outerInstances = std::exchange(instances, 0);
    const auto outerRounds = std::exchange(rounds, {});
    lexer.moveTo(beginning.offset, beginning.place);
    lexer.expect("(", "after the name of the module");
    std::size_t count = 0;
    std::optional<Variable> before; // of which the next parameter may have the type
    if (!lexer.accept(")")) {
      do {
        const bool missing = builder.insideInstance() && count >= actuals.size();
        parameter(before, builder.insideInstance() && !missing ? &actuals[count] : nullptr);
        ++count;
      } while (lexer.accept(","));
      lexer.expect(")", "after the parameters");
    }
    if (builder.insideInstance() && count != actuals.size())
      throw Error(name.place, fmt::format("{} has {} parameter{} and is given {}", name.text, count,
                                          count == 1 ? "" : "s", actuals.size()));
    KernelStatementPtr body = block();
    while (lexer.accept("satisfies") || lexer.accept("drivenby"))
      skipBlock();
    if (lexer.peek().kind != Token::Kind::End && !lexer.peek().is("module") && !lexer.peek().is("macro") &&
        !lexer.peek().is("import"))
      throw Error(lexer.peek().place,
                  fmt::format("unexpected {} after the module", lexer.peek().described()));
    lexer = outer;
    labels = outerLabels;
    checks = outerChecks;
    instances = outerInstances;
    rounds = outerRounds;
    modules.leave();
    return body;
  }

  /// Specifications and test benches are not looked into.
  void skipBlock() {
    const Place place = lexer.expect("{", "before a specification").place;
    for (int open = 1; open > 0;) {
      const Token token = lexer.next();
      if (token.kind == Token::Kind::End) throw Error(place, "this brace is not closed");
      open += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    }
  }

  /// `name: Module(actual, ...)`, `name[i: 4]: Module(...)` or `Module(...)`: all instances at once.
  KernelStatementPtr instance(const std::optional<Token>& named, const InstanceArray& array) {
    const Token module = lexer.next();
    const Place place = named ? named->place : module.place;
    const std::string name = named ? std::string(named->text) : fmt::format("{}{}", module.text, ++instances);
    builder.nameInstance(name, place);
    known(name);
    modules.find(module);
    const Lexer arguments = lexer;
    std::vector<KernelStatementPtr> parts;
    array.forEach(builder, place, [&](const std::vector<std::int64_t>& at) {
      lexer = arguments;
      lexer.expect("(", "after the name of a module");
      std::vector<Meaning> actuals;
      if (!lexer.accept(")")) {
        do
          actuals.push_back(parseActual(lexer, builder));
        while (lexer.accept(","));
        lexer.expect(")", "after what a module is given");
      }
      builder.enterInstance(name, array.extents, at, {}, place);
      parts.push_back(textOf(module, std::move(actuals)));
      builder.leaveInstance(std::string(module.text), place);
    });
    return ended(parts.size() == 1 ? parts[0] : make(Kind::Parallel, place, std::move(parts)));
  }

  // ---- Declarations

  void parameter(std::optional<Variable>& before, const Meaning* actual) {
    if (lexer.accept("const")) {
      const Token name = lexer.expectName("the name of a constant");
      if (!builder.insideInstance())
        throw Error(name.place,
                    fmt::format("constant `{}` has no value: nothing instantiates this module", name.text));
      std::optional<Value> value;
      if (actual != nullptr && actual->kind == Meaning::Kind::Value && actual->value->type.isInteger())
        value = builder.constant(*actual->value);
      if (actual != nullptr && !value)
        throw Error(actual->place, fmt::format("`{}` is a constant and needs a constant integer", name.text));
      builder.bind(std::string(name.text), value ? value->integer : 0, name.place);
      return;
    }
    const Token mark = lexer.peek();
    if (!before || !(mark.is("?") || mark.is("!") || mark.is("&"))) before = declared();
    Variable variable = *before;
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
    if (actual != nullptr && lexer.peek().kind == Token::Kind::Name)
      builder.give(std::string(lexer.peek().text), *actual);
    name(variable);
    builder.declare(std::move(variable));
  }

  /// The storage and type that stand in front of names. `event` alone is an event of truth values.
  Variable declared() {
    Variable variable;
    const bool event = lexer.accept("event");
    variable.storage = event ? Variable::Storage::Event : Variable::Storage::Memorized;
    if (!event || atType()) variable.type = parseType(lexer, builder);
    return variable;
  }

  void name(Variable& variable) {
    const Token name = lexer.expectName("the name of a variable");
    variable.name = std::string(name.text);
    variable.place = name.place;
  }

  Target newLabel(const std::optional<Token>& named, Place place) {
    Variable label;
    label.role = Variable::Role::Label;
    label.storage = Variable::Storage::Event;
    label.name = named ? std::string(named->text) : fmt::format("__ell{}", labels++);
    label.place = place;
    const std::string name = label.name;
    builder.declare(std::move(label));
    known(name);
    return builder.target(name, {}, place);
  }

  /// Labels and instances are known in the whole module, but in a round of `for` only there.
  void known(const std::string& name) {
    if (!rounds.empty()) rounds.back().push_back(name);
  }

  bool atType() const {
    const Token& token = lexer.peek();
    for (const char* word : {"[", "bool", "int", "nat", "bv", "btv", "real"})
      if (token.is(word)) return true;
    return false;
  }
  bool atDeclaration() const { return lexer.peek().is("event") || atType(); }

  KernelStatementPtr block() {
    Nesting nested(*this);
    const Place place = lexer.expect("{", "before statements").place;
    std::vector<KernelStatementPtr> parts;
    std::vector<int> locals;
    std::vector<std::string> names;
    while (!lexer.accept("}")) {
      if (atDeclaration()) {
        const Variable all = declared();
        do {
          Variable variable = all;
          name(variable);
          names.push_back(variable.name);
          // Incarnations are made of variables of one instance.
          locals.push_back(loops > 0 ? builder.declareOwn(std::move(variable))
                                     : builder.declare(std::move(variable)));
        } while (lexer.accept(","));
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

  KernelStatementPtr pause(Place place, const std::optional<Token>& named = {}) {
    KernelStatementPtr result = make(Kind::Pause, place);
    result->label = newLabel(named, place);
    return result;
  }

  KernelStatementPtr halt(Place place, const std::optional<Token>& named = {}) {
    return endless(pause(place, named), place);
  }
  KernelStatementPtr endless(KernelStatementPtr body, Place place) {
    return make(Kind::DoWhile, place, {std::move(body)}, boolLiteral(true));
  }

  KernelStatementPtr whileLoop(ExprPtr test, KernelStatementPtr body, Place place) {
    KernelStatementPtr loop = make(Kind::DoWhile, place, {std::move(body)}, test);
    return make(Kind::If, place, {loop, make(Kind::Nothing, place)}, test);
  }

  KernelStatementPtr await(ExprPtr test, bool immediate, Place place,
                           const std::optional<Token>& named = {}) {
    if (immediate) return whileLoop(negation(test), pause(place, named), place);
    return make(Kind::DoWhile, place, {pause(place, named)}, negation(test));
  }

  /// `body`, started again whenever `test` holds.
  KernelStatementPtr startedEach(KernelStatementPtr body, ExprPtr test, Place place) {
    return endless(
        make(Kind::Abort, place, {make(Kind::Sequence, place, {std::move(body), halt(place)})}, test), place);
  }

  KernelStatementPtr single() {
    const Token token = lexer.peek();
    const Place place = token.place;
    if (++statements > mostStatements)
      throw Error(place, fmt::format("all instances together have more than {} statements", mostStatements));
    if (token.is("{")) return block();
    if (lexer.accept("nothing")) return ended(make(Kind::Nothing, place));
    if (token.is("emit") || token.is("sustain")) return emission();
    if (lexer.accept("if")) {
      ExprPtr test = condition();
      KernelStatementPtr yes = single();
      KernelStatementPtr no = lexer.accept("else") ? single() : make(Kind::Nothing, place);
      return make(Kind::If, place, {yes, no}, test);
    }
    if (lexer.accept("case")) return cases();
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
    if (lexer.accept("loop")) {
      KernelStatementPtr body = repeated([&] { return single(); });
      if (!lexer.accept("each")) return endless(body, place);
      ExprPtr test = condition();
      return ended(startedEach(body, test, place));
    }
    if (lexer.accept("for")) return forLoop(place);
    if (token.is("choose")) throw Error(place, "`choose` has no single trace, and cannot be compiled");
    if (token.is("weak") || token.is("immediate") || token.is("abort") || token.is("suspend") ||
        token.is("every"))
      return preemption();
    return labelled();
  }

  /// What may have a name: places where control rests, checks and instances; and assignments, which have
  /// none.
  KernelStatementPtr labelled() {
    std::optional<Token> named;
    InstanceArray array;
    const Place place = lexer.peek().place;
    if (startsLabel()) {
      named = lexer.next();
      array = parseInstanceArray(lexer, builder);
      lexer.expect(":", "after a label");
    }
    const Token token = lexer.peek();
    const bool instantiates = token.kind == Token::Kind::Name && lexer.after(token).is("(") &&
                              !token.is("next") && !token.is("await") && !token.is("assert") &&
                              !token.is("assume");
    if (instantiates) return instance(named, array);
    if (!array.indices.empty()) throw Error(token.place, "only a module has an array of instances");
    if (lexer.accept("pause")) return ended(pause(place, named));
    if (lexer.accept("halt")) return ended(halt(place, named));
    const bool immediate = lexer.accept("immediate");
    if (lexer.accept("await")) {
      ExprPtr test = condition();
      return ended(await(test, immediate, place, named));
    }
    if (token.is("assert") || token.is("assume")) return check(named);
    if (named)
      throw Error(
          token.place,
          fmt::format(
              "expected `pause`, `halt`, `await`, `assert`, `assume` or a module after a label, found {}",
              token.described()));
    auto [target, delayed] = parseAssignedTarget(lexer, builder);
    lexer.expect("=", "after the target of an assignment");
    ExprPtr value = parseExpression(lexer, builder);
    return ended(assignment(std::move(target), delayed, value, place));
  }

  /// `name:` or `name[i: ...`
  bool startsLabel() const {
    const Token& token = lexer.peek();
    if (token.kind != Token::Kind::Name) return false;
    const Token second = lexer.after(token);
    if (second.is(":")) return true;
    const Token third = lexer.after(second);
    return second.is("[") && third.kind == Token::Kind::Name && lexer.after(third).is(":");
  }

  KernelStatementPtr emission() {
    const Token word = lexer.next();
    // Parentheses around the event are a matter of taste.
    const bool parenthesis = lexer.accept("(");
    auto [target, delayed] = parseAssignedTarget(lexer, builder);
    if (parenthesis) lexer.expect(")", "after the event");
    KernelStatementPtr once =
        assignment(std::move(target), delayed, boolLiteral(true, word.place), word.place);
    if (word.text == "emit") return ended(once);
    return ended(endless(make(Kind::Sequence, word.place, {once, pause(word.place)}), word.place));
  }

  /// Behind `case`: the first condition that holds chooses.
  KernelStatementPtr cases() {
    Nesting nested(*this);
    const Place place = lexer.peek().place;
    ExprPtr test = condition();
    lexer.expect("do", "after the condition of a case");
    KernelStatementPtr yes = single();
    KernelStatementPtr no = lexer.peek().is("(")      ? cases()
                            : lexer.accept("default") ? single()
                                                      : make(Kind::Nothing, place);
    return make(Kind::If, place, {yes, no}, test);
  }

  KernelStatementPtr preemption() {
    const Place place = lexer.peek().place;
    const bool weak = lexer.accept("weak"), immediate = lexer.accept("immediate");
    if (!weak && lexer.accept("await")) {
      ExprPtr test = condition();
      return ended(await(test, immediate, place));
    }
    if (!weak && lexer.accept("every")) {
      ExprPtr test = condition();
      KernelStatementPtr body = repeated([&] { return single(); });
      return make(Kind::Sequence, place, {await(test, immediate, place), startedEach(body, test, place)});
    }
    if (!lexer.peek().is("abort") && !lexer.peek().is("suspend"))
      throw Error(lexer.peek().place, "expected `abort`, `suspend`, `await` or `every`");
    const Kind kind = lexer.next().text == "abort" ? Kind::Abort : Kind::Suspend;
    KernelStatementPtr body = single();
    lexer.expect("when", "after the body of a preemption");
    KernelStatementPtr result = make(kind, place, {body}, condition());
    result->weak = weak;
    result->immediate = immediate;
    if (kind == Kind::Suspend && immediate) result->label = newLabel({}, place);
    return ended(result);
  }

  /// `assert(c)` and `assume(c)`: what must hold whenever control comes by.
  KernelStatementPtr check(const std::optional<Token>& named) {
    const Token word = lexer.next();
    KernelStatementPtr result = make(Kind::Check, word.place);
    std::string name = named ? std::string(named->text) : fmt::format("{}{}", word.text, ++checks);
    result->check =
        builder.assertion(boolLiteral(true), std::move(name), condition(), word.place, word.text == "assume");
    return ended(result);
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

  KernelStatementPtr forLoop(Place place) {
    lexer.expect("(", "after `for`");
    const Token name = lexer.expectName("the name of the counter");
    lexer.expect("=", "after the counter");
    const std::int64_t first = parseConstant(lexer, builder, "a bound of `for`");
    if (!lexer.accept("..")) lexer.expect("to", "between the bounds of `for`");
    const std::int64_t last = parseConstant(lexer, builder, "a bound of `for`");
    lexer.expect(")", "after the bounds of `for`");
    const bool parallel = lexer.accept("do");
    if (parallel) lexer.expect("||", "after `do`");
    if (last < first) throw Error(place, "the bounds of `for` are the wrong way round");
    std::vector<KernelStatementPtr> parts;
    const Lexer body = lexer;
    for (std::int64_t i = first; i <= last; ++i) {
      if (++roundCount > mostRounds)
        throw Error(place,
                    fmt::format("`for` is unrolled, and all rounds together are more than {}", mostRounds));
      lexer = body;
      builder.bind(std::string(name.text), i, name.place);
      rounds.emplace_back();
      parts.push_back(single());
      for (const std::string& label : rounds.back())
        builder.forget(label);
      rounds.pop_back();
      builder.unbind(std::string(name.text));
    }
    return make(parallel ? Kind::Parallel : Kind::Sequence, place, std::move(parts));
  }

  Sources& sources;
  Lexer lexer;
  SystemBuilder builder;
  Modules modules;
  int labels = 0, checks = 0, instances = 0; ///< without a name so far, in the module that is being read
  int loops = 0, nesting = 0;
  static constexpr std::int64_t mostStatements = 1'000'000;
  std::int64_t statements = 0; ///< so far, of all instances
  static constexpr std::int64_t mostRounds = 65'536;
  std::int64_t roundCount = 0;                  ///< of all `for` so far, unrolled
  std::vector<std::vector<std::string>> rounds; ///< what is declared in each open one, the innermost last
};

} // namespace

Module parseQuartz(Sources& sources) {
  return QuartzParser(sources).module();
}

} // namespace warploom::sync
