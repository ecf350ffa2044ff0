#include "sync/Quartz.h"

#include "sync/Parser.h"

#include <charconv>
#include <fmt/format.h>
#include <map>

namespace warploom::sync {

namespace {

struct Statement;
using StatementPtr = std::shared_ptr<Statement>;

/// A kernel statement; everything else is written in terms of these while parsing.
struct Statement {
  enum class Kind { Nothing, Pause, Assign, Sequence, If, Parallel, DoWhile, Abort, Suspend, Scope };
  Kind kind = Kind::Nothing;
  Place place;
  std::vector<StatementPtr> parts; ///< Sequence, Parallel: any number; If: then and else; others: the body
  ExprPtr condition = nullptr;
  bool weak = false, immediate = false;
  int label = -1; ///< Pause; immediate Suspend: where it waits to be started
  Target target;
  bool delayed = false;
  ExprPtr value = nullptr;
  std::vector<int> locals; ///< Scope: variables of which every start of the body makes new ones
};

StatementPtr make(Statement::Kind kind, Place place, std::vector<StatementPtr> parts = {},
                  ExprPtr condition = nullptr) {
  auto statement = std::make_shared<Statement>();
  statement->kind = kind;
  statement->place = place;
  statement->parts = std::move(parts);
  statement->condition = std::move(condition);
  return statement;
}

class QuartzParser {
public:
  explicit QuartzParser(const std::string& text) : lexer(text) {}

  StatementPtr module() {
    lexer.expect("module", "at the beginning");
    builder.system.name = std::string(lexer.expectName("the name of the module").text);
    lexer.expect("(", "after the name of the module");
    if (!lexer.accept(")")) {
      do
        parameter();
      while (lexer.accept(","));
      lexer.expect(")", "after the parameters");
    }
    StatementPtr body = block();
    if (lexer.peek().kind != Token::Kind::End)
      throw Error(lexer.peek().place,
                  fmt::format("unexpected {} after the module", lexer.peek().described()));
    return body;
  }

  SystemBuilder builder;

private:
  using Kind = Statement::Kind;

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
    variable.type = parseType(lexer);
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

  StatementPtr block() {
    Nesting nested(*this);
    const Place place = lexer.expect("{", "before statements").place;
    std::vector<StatementPtr> parts;
    std::vector<int> locals;
    std::vector<std::string> names;
    while (!lexer.accept("}")) {
      if (atDeclaration()) {
        Variable variable;
        variable.storage = lexer.accept("event") ? Variable::Storage::Event : Variable::Storage::Memorized;
        variable.type = parseType(lexer);
        names.emplace_back(lexer.peek().text);
        locals.push_back(declare(std::move(variable)));
        lexer.expect(";", "after a declaration");
      } else {
        parts.push_back(statement());
      }
    }
    for (const std::string& name : names)
      builder.forget(name);
    StatementPtr body = make(Kind::Sequence, place, std::move(parts));
    if (loops == 0 || locals.empty()) return body; // started once: no more than one incarnation
    StatementPtr scope = make(Kind::Scope, place, {body});
    scope->locals = std::move(locals);
    return scope;
  }

  StatementPtr statement() {
    Nesting nested(*this);
    const Place place = lexer.peek().place;
    std::vector<StatementPtr> parts{single()};
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

  StatementPtr pause(Place place, const Token* named = nullptr) {
    StatementPtr result = make(Kind::Pause, place);
    result->label = newLabel(named, place);
    return result;
  }

  StatementPtr halt(Place place) { return make(Kind::DoWhile, place, {pause(place)}, boolLiteral(true)); }

  StatementPtr whileLoop(ExprPtr test, StatementPtr body, Place place) {
    StatementPtr loop = make(Kind::DoWhile, place, {std::move(body)}, test);
    return make(Kind::If, place, {loop, make(Kind::Nothing, place)}, test);
  }

  StatementPtr await(ExprPtr test, bool immediate, Place place) {
    if (immediate) return whileLoop(negation(test), pause(place), place);
    return make(Kind::DoWhile, place, {pause(place)}, negation(test));
  }

  StatementPtr single() {
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
      StatementPtr yes = single();
      StatementPtr no = lexer.accept("else") ? single() : make(Kind::Nothing, place);
      return make(Kind::If, place, {yes, no}, test);
    }
    if (lexer.accept("do")) {
      StatementPtr body = repeated([&] { return single(); });
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
      StatementPtr body = repeated([&] { return single(); });
      StatementPtr round = make(Kind::Abort, place, {make(Kind::Sequence, place, {body, halt(place)})}, test);
      return make(Kind::Sequence, place,
                  {await(test, immediate, place), make(Kind::DoWhile, place, {round}, boolLiteral(true))});
    }
    if (lexer.peek().is("abort") || lexer.peek().is("suspend")) {
      const Kind kind = lexer.next().text == "abort" ? Kind::Abort : Kind::Suspend;
      StatementPtr body = single();
      lexer.expect("when", "after the body of a preemption");
      StatementPtr result = make(kind, place, {body}, condition());
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
    return ended(assignment(std::move(target), delayed, std::move(value), place));
  }

  StatementPtr ended(StatementPtr statement) {
    lexer.expect(";", "after a statement");
    return statement;
  }

  StatementPtr assignment(Target target, bool delayed, ExprPtr value, Place place) {
    // Checked here once; the guard is added with every use.
    const Action action =
        builder.action(boolLiteral(true), std::move(target), delayed, std::move(value), place);
    StatementPtr result = make(Kind::Assign, place);
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

  StatementPtr forLoop(Place place) {
    lexer.expect("(", "after `for`");
    const Token name = lexer.expectName("the name of the counter");
    lexer.expect("=", "after the counter");
    const std::int64_t first = number();
    lexer.expect("to", "between the bounds of `for`");
    const std::int64_t last = number();
    lexer.expect(")", "after the bounds of `for`");
    if (last < first) throw Error(place, "the bounds of `for` are the wrong way round");
    if (last - first >= 4096) throw Error(place, "`for` is unrolled, and this one is too long");
    std::vector<StatementPtr> parts;
    const Lexer body = lexer;
    for (std::int64_t i = first; i <= last; ++i) {
      lexer = body;
      builder.bind(std::string(name.text), i, name.place);
      parts.push_back(single());
      builder.unbind(std::string(name.text));
    }
    return make(Kind::Sequence, place, std::move(parts));
  }

  Lexer lexer;
  int labels = 0, loops = 0, nesting = 0;
};

/// Turns statements into actions.
class QuartzCompiler {
public:
  explicit QuartzCompiler(SystemBuilder& with) : builder(with) {}
  Part init, main;

  void compile(const Statement& body) {
    into = &init;
    surface(body, yes, yes);
    into = &main;
    depth(body, {yes, no, yes});
  }

private:
  using Kind = Statement::Kind;

  /// How a statement inside which control rests may go on in this step.
  struct Context {
    ExprPtr moves = nullptr; ///< control moves on: nothing around aborts or suspends
    ExprPtr holds = nullptr; ///< control stays where it is: suspended, and not aborted from farther out
    ExprPtr acts = nullptr;  ///< data actions run: no strong preemption. Implied by `moves`
  };

  /// One incarnation of a Scope's locals while its surface or depth is compiled. In the step in which the
  /// body starts they are fresh variables of that start, since an older incarnation may still be acting; from
  /// the next step on they are the declared ones, which take over what the fresh ones held.
  struct Incarnation {
    const Statement* scope = nullptr;
    std::map<int, int> fresh;      ///< by declared variable; empty in the depth
    std::vector<ExprPtr> stays;    ///< guards under which control is inside in the next step
    std::vector<Action> toDeliver; ///< delayed assignments to the locals: lost when the incarnation ends
  };

  Incarnation* ownerOf(int variable) const {
    for (auto at = incarnations.rbegin(); at != incarnations.rend(); ++at)
      for (int local : (*at)->scope->locals)
        if (local == variable) return *at;
    return nullptr;
  }
  int current(int variable) const {
    const Incarnation* owner = ownerOf(variable);
    return owner == nullptr || owner->fresh.empty() ? variable : owner->fresh.at(variable);
  }
  /// `expr` on the current incarnations.
  ExprPtr now(ExprPtr expr) const {
    if (incarnations.empty()) return expr;
    return rewrite(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op != Expr::Op::Read || current(node.variable) == node.variable) return nullptr;
      return readFrom(current(node.variable), node);
    });
  }

  /// Opens an incarnation of `s`, lets `body` compile it, and closes it.
  template <typename Body> ExprPtr incarnation(const Statement& s, bool fresh, const Body& body) {
    Incarnation one;
    one.scope = &s;
    for (int local : s.locals) {
      if (!fresh) break;
      Variable copy = builder.system.variables[local];
      copy.name += "_start";
      copy.storage = Variable::Storage::Event; // nothing is remembered from before
      one.fresh.emplace(local, builder.declareUnnamed(std::move(copy)));
    }
    incarnations.push_back(&one);
    const ExprPtr result = body();
    incarnations.pop_back();
    const ExprPtr stays = disjunction(one.stays);
    if (stays->isFalse()) return result;
    for (Action& action : one.toDeliver) {
      action.guard = conjunction({action.guard, stays});
      into->dataFlow.push_back(std::move(action));
    }
    for (int local : s.locals)
      if (builder.system.variables[local].storage == Variable::Storage::Memorized)
        keep(local, fresh ? one.fresh.at(local) : local, stays, s.place);
    return result;
  }

  /// `local` is in the next step what `held` is in this one, where `stays` holds and nothing assigns it.
  void keep(int local, int held, ExprPtr stays, Place place) {
    const Type type = builder.system.variables[local].type;
    auto [entry, isNew] = keepers.try_emplace(local);
    if (isNew) {
      Variable keeper = builder.system.variables[local];
      keeper.name += "_kept";
      entry->second = builder.declareUnnamed(std::move(keeper));
    }
    for (std::int64_t cell = 0; cell < type.cellCount(); ++cell) {
      if (isNew) builder.react({local, cell, {}}, readCell(entry->second, type.scalar, cell), place);
      into->dataFlow.push_back(
          {stays, {entry->second, cell, {}}, readCell(held, type.scalar, cell), true, place});
    }
  }

  ExprPtr label(int variable) const { return readCell(variable, {}); }

  /// Control rests inside `s`.
  ExprPtr inside(const Statement& s) const {
    std::vector<ExprPtr> labels;
    collectLabels(s, labels);
    return disjunction(std::move(labels));
  }
  void collectLabels(const Statement& s, std::vector<ExprPtr>& labels) const {
    if (s.label >= 0) labels.push_back(label(s.label));
    for (const StatementPtr& part : s.parts)
      collectLabels(*part, labels);
  }

  /// `s`, started now, ends now; on the declared variables, so good only to see whether it never does.
  ExprPtr instantaneous(const Statement& s) const {
    switch (s.kind) {
    case Kind::Nothing:
    case Kind::Assign:
      return yes;
    case Kind::Pause:
      return no;
    case Kind::Sequence:
    case Kind::Parallel: {
      std::vector<ExprPtr> all;
      for (const StatementPtr& part : s.parts)
        all.push_back(instantaneous(*part));
      return conjunction(std::move(all));
    }
    case Kind::If: {
      // The same on both sides whatever the condition is.
      const ExprPtr a = instantaneous(*s.parts[0]), b = instantaneous(*s.parts[1]);
      if (same(*a, *b)) return a;
      return disjunction({conjunction({s.condition, a}), conjunction({negation(s.condition), b})});
    }
    case Kind::DoWhile: {
      const ExprPtr body = instantaneous(*s.parts[0]);
      if (!body->isFalse())
        throw Error(s.place, "the body of this loop may take no time, so that a step might never end");
      return no;
    }
    case Kind::Scope:
      return instantaneous(*s.parts[0]);
    case Kind::Abort: {
      const ExprPtr body = instantaneous(*s.parts[0]);
      return s.immediate ? disjunction({s.condition, body}) : body;
    }
    default: {
      const ExprPtr body = instantaneous(*s.parts[0]);
      return s.immediate ? conjunction({negation(s.condition), body}) : body;
    }
    }
  }

  /// A guard that asks for a condition and its negation: a way through the program that cannot be taken.
  static bool impossible(const Expr& guard) {
    if (guard.isFalse()) return true;
    if (guard.op != Expr::Op::And) return false;
    for (ExprPtr a : guard.operands)
      for (ExprPtr b : guard.operands)
        if (a->op == Expr::Op::Not && same(*a->operands[0], *b)) return true;
    return false;
  }

  void act(ExprPtr guard, const Statement& s) {
    if (impossible(*guard)) return;
    Action action{guard, s.target, now(s.value), s.delayed, s.place};
    for (ExprPtr& subscript : action.target.subscripts)
      subscript = now(subscript);
    Incarnation* owner = ownerOf(s.target.variable);
    if (owner != nullptr && s.delayed) {
      owner->toDeliver.push_back(std::move(action));
      return;
    }
    action.target.variable = current(s.target.variable);
    into->dataFlow.push_back(std::move(action));
  }
  void enter(ExprPtr guard, int variable, Place place) {
    if (impossible(*guard)) return;
    for (Incarnation* one : incarnations)
      one->stays.push_back(guard);
    into->controlFlow.push_back({guard, {variable, 0, {}}, boolLiteral(true), true, place});
  }

  /// What `s` does when it is started: data actions under `start`, and control enters under `start & enters`.
  /// The result holds in steps in which it ends at once, if it is started.
  ExprPtr surface(const Statement& s, ExprPtr start, ExprPtr enters) {
    switch (s.kind) {
    case Kind::Nothing:
      return yes;
    case Kind::Assign:
      act(start, s);
      return yes;
    case Kind::Pause:
      enter(conjunction({start, enters}), s.label, s.place);
      return no;
    case Kind::Sequence: {
      ExprPtr passed = yes;
      for (const StatementPtr& part : s.parts) {
        const ExprPtr reached = conjunction({start, passed});
        if (reached->isFalse()) return no;
        passed = conjunction({passed, surface(*part, reached, enters)});
      }
      return passed;
    }
    case Kind::If: {
      const ExprPtr condition = now(s.condition);
      const ExprPtr a = surface(*s.parts[0], conjunction({start, condition}), enters);
      const ExprPtr b = surface(*s.parts[1], conjunction({start, negation(condition)}), enters);
      if (same(*a, *b)) return a;
      return disjunction({conjunction({condition, a}), conjunction({negation(condition), b})});
    }
    case Kind::Parallel: {
      std::vector<ExprPtr> all;
      for (const StatementPtr& part : s.parts)
        all.push_back(surface(*part, start, enters));
      return conjunction(std::move(all));
    }
    case Kind::DoWhile:
      instantaneous(s); // refuses a body that takes no time
      surface(*s.parts[0], start, enters);
      return no;
    case Kind::Scope:
      return incarnation(s, true, [&] { return surface(*s.parts[0], start, enters); });
    case Kind::Abort:
    case Kind::Suspend: {
      if (!s.immediate) return surface(*s.parts[0], start, enters);
      const ExprPtr condition = now(s.condition), free = negation(condition);
      // Suspended before it began, it waits at a place of its own and is started from there.
      if (s.kind == Kind::Suspend) enter(conjunction({start, enters, condition}), s.label, s.place);
      const ExprPtr ends =
          surface(*s.parts[0], s.weak ? start : conjunction({start, free}), conjunction({enters, free}));
      return s.kind == Kind::Abort ? disjunction({condition, ends}) : conjunction({free, ends});
    }
    }
    return no;
  }

  /// What `s` does when control rests inside it. The result holds in steps in which it ends, as far as data
  /// is concerned: control leaves where `moves` holds too.
  ExprPtr depth(const Statement& s, const Context& context) {
    switch (s.kind) {
    case Kind::Nothing:
    case Kind::Assign:
      return no;
    case Kind::Pause:
      enter(conjunction({label(s.label), context.holds}), s.label, s.place);
      return conjunction({label(s.label), context.acts});
    case Kind::Sequence: {
      // The end of a part starts the next one, and what is instantaneous is passed through.
      ExprPtr ends = no;
      for (const StatementPtr& part : s.parts) {
        const ExprPtr passed =
            ends->isFalse() ? no : conjunction({ends, surface(*part, ends, context.moves)});
        ends = disjunction({passed, depth(*part, context)});
      }
      return ends;
    }
    case Kind::If:
      return disjunction({depth(*s.parts[0], context), depth(*s.parts[1], context)});
    case Kind::Parallel: {
      std::vector<ExprPtr> conditions{inside(s)};
      for (const StatementPtr& part : s.parts)
        conditions.push_back(disjunction({negation(inside(*part)), depth(*part, context)}));
      return conjunction(std::move(conditions));
    }
    case Kind::DoWhile: {
      const ExprPtr ends = depth(*s.parts[0], context);
      surface(*s.parts[0], conjunction({ends, s.condition}), context.moves);
      return conjunction({ends, negation(s.condition)});
    }
    case Kind::Scope:
      return incarnation(s, false, [&] { return depth(*s.parts[0], context); });
    case Kind::Abort: {
      const ExprPtr free = negation(s.condition);
      const ExprPtr ends = depth(*s.parts[0], {conjunction({context.moves, free}), context.holds,
                                               s.weak ? context.acts : conjunction({context.acts, free})});
      return disjunction({ends, conjunction({inside(*s.parts[0]), s.condition, context.acts})});
    }
    default: {
      const ExprPtr free = negation(s.condition);
      const Context inner{conjunction({context.moves, free}),
                          disjunction({context.holds, conjunction({context.moves, s.condition})}),
                          s.weak ? context.acts : conjunction({context.acts, free})};
      std::vector<ExprPtr> ends;
      if (s.immediate) {
        // From the waiting place: held as everything inside, or started.
        enter(conjunction({label(s.label), inner.holds}), s.label, s.place);
        const ExprPtr start = conjunction({label(s.label), inner.acts});
        ends.push_back(conjunction({start, surface(*s.parts[0], start, inner.moves)}));
      }
      ends.push_back(depth(*s.parts[0], inner));
      return conjunction({disjunction(std::move(ends)), free});
    }
    }
  }

  const ExprPtr yes = boolLiteral(true), no = boolLiteral(false);
  SystemBuilder& builder;
  Part* into = nullptr;
  std::vector<Incarnation*> incarnations; ///< open ones, outermost first
  std::map<int, int> keepers;             ///< by local: what remembers its value
};

} // namespace

System readQuartz(const std::string& text) {
  QuartzParser parser(text);
  const StatementPtr body = parser.module();
  QuartzCompiler compiler(parser.builder);
  compiler.compile(*body);
  parser.builder.system.init = std::move(compiler.init);
  parser.builder.system.main = std::move(compiler.main);
  return parser.builder.finish();
}

} // namespace warploom::sync
