#include "metafork/ToSerial.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

void ToSerial::prepare() {
  if (cilk) insert(0, "#include <cilk/cilk.h>" + eol);
}

std::string ToSerial::construct(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  switch (one.kind) {
  case ForkJoinKind::Join:
    return (cilk ? "cilk_sync" : "") + render(one.keyword.end, one.statement.end);
  case ForkJoinKind::ForkCall:
    return render(one.statement.begin, one.keyword.begin) + (cilk ? "cilk_spawn " : "") +
           render(one.call->call.begin, one.statement.end);
  case ForkJoinKind::ForkBlock:
    return block(one);
  case ForkJoinKind::Loop:
    return loop(one);
  default:
    return render(one.body);
  }
}

/// A forked block: a call where the block is no more than that, else a function of its own and its call.
std::string ToSerial::block(const ForkJoinConstruct& one) {
  const std::string spawn = cilk ? "cilk_spawn " : "";
  if (one.call && !one.call->structured && one.call->direct) {
    const CallText& call = *one.call;
    bool local = std::all_of(call.arguments.begin(), call.arguments.end(),
                             [](const CallArgument& argument) { return argument.local; });
    if (local && call.target.end == 0) return spawn + render(call.call) + ";";
    bool shared = call.targetGlobal || (call.targetLocal && !call.targetVariable) ||
                  (call.targetVariable &&
                   (variable(*call.targetVariable).isStatic || isListed(one.shared, *call.targetVariable)));
    if (local && shared && call.targetLocal)
      return render(call.target) + " = " + spawn + render(call.call) + ";";
  }
  std::vector<Passed> variables = passed(one.body, [&](unsigned index) {
    return (isListed(one.shared, index) || variable(index).isStatic) && !variable(index).isConst;
  });
  std::string formals, arguments;
  Names inside;
  for (const Passed& passed : variables) {
    for (const auto& [name, value] : passed.extents) {
      formals += fmt::format("{}unsigned long {}", formals.empty() ? "" : ", ", name);
      arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", value);
    }
    formals += (formals.empty() ? "" : ", ") + passed.formal;
    arguments += (arguments.empty() ? "" : ", ") + passed.argument;
    inside[passed.variable] = passed.inside;
  }
  const std::string name = freshName("fork_func");
  const std::string head = fmt::format("static void {}({})", name, formals.empty() ? "void" : formals);
  beforeFunction(one.function, head + ";");
  std::string body = renderOutlined(one.body, inside);
  if (!one.bodyIsBlock) body = "{ " + body + " }";
  afterFunction(one.function, head + " " + body);
  return fmt::format("{}{}({});", spawn, name, arguments);
}

std::string ToSerial::loop(const ForkJoinConstruct& one) {
  const LoopText& loop = *one.loop;
  Names inside;
  if (loop.counterVariable) inside[*loop.counterVariable] = loop.counter;
  std::string head, tail;
  const std::string indent = indentation(one.keyword.begin);
  if (cilk) {
    for (const ReductionText& reduction : one.reductions) {
      const std::string outer = reduction.variable ? addressOf(*reduction.variable) : "&" + reduction.name;
      const std::string view = freshName(reduction.name + "_view");
      std::string identity = reduction.identity, combine = reduction.combine;
      const std::string type = declare(reduction.type, "");
      if (combine.empty()) {
        identity = freshName("reduce_identity");
        combine = freshName("reduce_combine");
        beforeFunction(one.function,
                       fmt::format("static void {}(void *view) {{ *({}*)view = {}; }}", identity, type,
                                   identityOf(reduction.operation, reduction.type)));
        beforeFunction(
            one.function,
            fmt::format("static void {}(void *left, void *right) {{ *({}*)left = {}; }}", combine, type,
                        combined(reduction.operation, "*(" + type + "*)left", "*(" + type + "*)right")));
      }
      head += fmt::format("{{ {} = {}; ", declare(reduction.type, "*" + view), outer);
      head += fmt::format(
          "{}; {}(&{});{}{}",
          declare(reduction.type, "cilk_reducer(" + identity + ", " + combine + ") " + reduction.name),
          identity, reduction.name, eol, indent);
      tail = fmt::format("{}{}{}({}, &{}); }}", eol, indent, combine, view, reduction.name) + tail;
      if (reduction.variable) inside[*reduction.variable] = reduction.name;
    }
    if (one.grainsize.end)
      head += (head.empty() && startsLine(one.statement.begin) ? "" : eol) +
              fmt::format("#pragma cilk grainsize {}{}{}", render(one.grainsize), eol, indent);
  }
  std::string text = head + (cilk ? "cilk_for" : "for") +
                     renderInside(
                         [&] {
                           SourceRange between;
                           between.begin = one.keyword.end;
                           between.end = loop.header.begin;
                           return between;
                         }(),
                         inside);
  if (loop.declaresCounter)
    text += renderInside(loop.header, inside);
  else
    // The counter is each iteration's own: what follows the loop does not see it.
    text += fmt::format("{} = {}; {}; {}", declare(loop.counterType, loop.counter), render(loop.start),
                        renderInside(loop.condition, inside), renderInside(loop.step, inside));
  SourceRange rest;
  rest.begin = loop.header.end;
  rest.end = one.statement.end;
  return text + renderInside(rest, inside) + tail;
}

} // namespace warploom::metafork
