#include "sync/quartz/Quartz.h"

#include "sync/quartz/Kernel.h"

#include <fmt/format.h>
#include <map>

namespace warploom::sync {

namespace {

/// Turns statements into actions.
class QuartzCompiler {
public:
  explicit QuartzCompiler(SystemBuilder& with) : builder(with) {}
  Part init, main;

  void compile(const KernelStatement& body) {
    try {
      into = &init;
      surface(body, yes, yes);
      into = &main;
      depth(body, {yes, no, yes});
    } catch (const Error& error) {
      if (error.place.line > 0) throw;
      throw Error(body.place, fmt::format("{}: too many ways lead through this body", error.what()));
    }
  }

private:
  using Kind = KernelStatement::Kind;

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
    const KernelStatement* scope = nullptr;
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
  template <typename Body> ExprPtr incarnation(const KernelStatement& s, bool fresh, const Body& body) {
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

  static ExprPtr label(const Target& cell) { return readCell(cell.variable, {}, cell.offset); }

  /// Control rests inside `s`.
  ExprPtr inside(const KernelStatement& s) const {
    std::vector<ExprPtr> labels;
    collectLabels(s, labels);
    return disjunction(labels);
  }
  void collectLabels(const KernelStatement& s, std::vector<ExprPtr>& labels) const {
    if (s.label.variable >= 0) labels.push_back(label(s.label));
    for (const KernelStatementPtr& part : s.parts)
      collectLabels(*part, labels);
  }

  /// `s`, started now, ends now; on the declared variables, so good only to see whether it never does.
  ExprPtr instantaneous(const KernelStatement& s) const {
    switch (s.kind) {
    case Kind::Nothing:
    case Kind::Assign:
    case Kind::Check:
      return yes;
    case Kind::Pause:
      return no;
    case Kind::Sequence:
    case Kind::Parallel: {
      std::vector<ExprPtr> all;
      for (const KernelStatementPtr& part : s.parts)
        all.push_back(instantaneous(*part));
      return conjunction(all);
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

  /// A guard that asks for a condition and its negation: a way through the program that cannot be taken. Not
  /// looked for in a guard of very many conditions, where it would only spare an action.
  static bool impossible(const Expr& guard) {
    if (guard.isFalse()) return true;
    if (guard.op != Expr::Op::And || guard.operands.size() > 100) return false;
    for (ExprPtr a : guard.operands)
      for (ExprPtr b : guard.operands)
        if (a->op == Expr::Op::Not && same(*a->operands[0], *b)) return true;
    return false;
  }

  void act(ExprPtr guard, const KernelStatement& s) {
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
  void enter(ExprPtr guard, const Target& cell, Place place) {
    if (impossible(*guard)) return;
    for (Incarnation* one : incarnations)
      one->stays.push_back(guard);
    into->controlFlow.push_back({guard, cell, boolLiteral(true), true, place});
  }

  /// What `s` does when it is started: data actions under `start`, and control enters under `start & enters`.
  /// The result holds in steps in which it ends at once, if it is started.
  ExprPtr surface(const KernelStatement& s, ExprPtr start, ExprPtr enters) {
    switch (s.kind) {
    case Kind::Nothing:
      return yes;
    case Kind::Assign:
      act(start, s);
      return yes;
    case Kind::Check:
      if (!impossible(*start)) {
        Assertion check = s.check;
        check.guard = start;
        check.condition = now(check.condition);
        into->assertions.push_back(std::move(check));
      }
      return yes;
    case Kind::Pause:
      enter(conjunction({start, enters}), s.label, s.place);
      return no;
    case Kind::Sequence: {
      ExprPtr passed = yes;
      for (const KernelStatementPtr& part : s.parts) {
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
      for (const KernelStatementPtr& part : s.parts)
        all.push_back(surface(*part, start, enters));
      return conjunction(all);
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
  ExprPtr depth(const KernelStatement& s, const Context& context) {
    switch (s.kind) {
    case Kind::Nothing:
    case Kind::Assign:
    case Kind::Check:
      return no;
    case Kind::Pause:
      enter(conjunction({label(s.label), context.holds}), s.label, s.place);
      return conjunction({label(s.label), context.acts});
    case Kind::Sequence: {
      // The end of a part starts the next one, and what is instantaneous is passed through.
      ExprPtr ends = no;
      for (const KernelStatementPtr& part : s.parts) {
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
      for (const KernelStatementPtr& part : s.parts)
        conditions.push_back(disjunction({negation(inside(*part)), depth(*part, context)}));
      return conjunction(conditions);
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
      return conjunction({disjunction(ends), free});
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
  Sources sources;
  sources.files.push_back({"", text});
  return readQuartz(sources);
}

System readQuartz(Sources& sources) {
  Module module = parseQuartz(sources);
  QuartzCompiler compiler(module.builder);
  compiler.compile(*module.body);
  module.builder.system.init = std::move(compiler.init);
  module.builder.system.main = std::move(compiler.main);
  return module.builder.finish();
}

} // namespace warploom::sync
