#include "metafork/ToTasks.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

void ToTasks::prepare() {
  insert(0, "void *warploom_task(unsigned long bytes); void warploom_fork(void (*)(void *), void *); void "
            "warploom_join(void);"
            " void warploom_for(void (*)(void *, long long, long long), void *, long long, long long);"
            " long long warploom_count(long long, long long, long long, int);"
            " void warploom_combine(void (*)(void *, void *), void *, void *);\n" +
                line(1));
}

/// What says that the next line is line `number` of the user's file.
std::string ToTasks::line(unsigned number) const {
  std::string name;
  for (char c : file.file) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return fmt::format("#line {} \"{}\"\n", number, name);
}

std::string ToTasks::construct(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  std::string text;
  switch (one.kind) {
  case ForkJoinKind::Join:
    return "warploom_join()" + render(one.keyword.end, one.statement.end);
  case ForkJoinKind::ForkCall:
    text = call(one);
    break;
  case ForkJoinKind::ForkBlock:
    text = block(one);
    break;
  case ForkJoinKind::Loop:
    text = loop(one);
    break;
  default:
    return render(one.body);
  }
  return text + "\n" + line(one.statement.endLine);
}

/// The struct that carries `variables`, how it is filled by the parent, and what the child unpacks it into.
ToTasks::Packed ToTasks::pack(const std::vector<Passed>& variables) {
  Packed result;
  result.type = freshName("fork_struct");
  for (const Passed& one : variables) {
    const LocalVariable& of = variable(one.variable);
    for (const auto& [name, value] : one.extents) {
      result.fields += fmt::format("unsigned long {}; ", name);
      result.fill += fmt::format("fork_data->{} = {}; ", name, value);
      result.unpack += fmt::format("const unsigned long {0} = fork_data->{0}; ", name);
    }
    const bool opaque = one.pointer || !one.extents.empty() || of.isArray;
    result.fields += (opaque ? "void *" + of.name : one.formal) + "; ";
    result.fill += fmt::format("fork_data->{} = {}{}; ", of.name, opaque ? "(void *)" : "",
                               opaque ? "(" + one.argument + ")" : one.argument);
    result.unpack += fmt::format("{} = fork_data->{}; ", one.formal, of.name);
    result.inside[one.variable] = one.inside;
  }
  return result;
}

std::string ToTasks::call(const ForkJoinConstruct& one) {
  const CallText& call = *one.call;
  if (call.unusable) throw Refusal(one.keyword, *call.unusable);
  const std::string type = freshName("fork_struct"), function = freshName("fork_call");
  std::string declared, fields, fill, statement;
  if (call.declares) {
    declared = declare(call.targetType, original(call.target)) + "; ";
    fill += fmt::format("fork_data->result = &{}; ", original(call.target));
  } else if (call.target.end) {
    fill += fmt::format("fork_data->result = &({}); ", render(call.target));
  }
  if (call.target.end) {
    fields += declare(call.targetType, "*result") + "; ";
    statement = "*fork_data->result = ";
  }
  if (call.direct) {
    statement += original(call.callee);
  } else {
    fields += declare(call.calleeType, "callee") + "; ";
    fill += fmt::format("fork_data->callee = {}; ", render(call.callee));
    statement += "fork_data->callee";
  }
  statement += "(";
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    fields += declare(call.arguments[k].type, fmt::format("argument{}", k)) + "; ";
    fill += fmt::format("fork_data->argument{} = {}; ", k, render(call.arguments[k].range));
    statement += fmt::format("{}fork_data->argument{}", k ? ", " : "", k);
  }
  beforeFunction(one.function,
                 fmt::format("struct {0} {{ {1}char unused; }}; static void {2}(void *fork_pointer);", type,
                             fields, function));
  afterFunction(one.function, fmt::format("\n{}static void {}(void *fork_pointer) {{ struct {} *fork_data = "
                                          "fork_pointer; (void)fork_data; {}); }}\n",
                                          line(one.statement.line), function, type, statement));
  return fmt::format(
      "{0}{{ struct {1} *fork_data = warploom_task(sizeof *fork_data); {2}warploom_fork({3}, fork_data); }}",
      declared, type, fill, function);
}

std::string ToTasks::block(const ForkJoinConstruct& one) {
  Packed packed = pack(passed(one.body, [&](unsigned index) {
    return (isListed(one.shared, index) || variable(index).isStatic) && !variable(index).isConst;
  }));
  const std::string function = freshName("fork_block");
  beforeFunction(one.function,
                 fmt::format("struct {} {{ {}char unused; }}; static void {}(void *fork_pointer);",
                             packed.type, packed.fields, function));
  std::string body = renderOutlined(one.body, packed.inside);
  afterFunction(one.function, fmt::format("\nstatic void {}(void *fork_pointer) {{ struct {} *fork_data = "
                                          "fork_pointer; (void)fork_data; {}\n{}{{ {} }} }}\n",
                                          function, packed.type, packed.unpack, line(one.body.line), body));
  return fmt::format(
      "{{ struct {} *fork_data = warploom_task(sizeof *fork_data); {}warploom_fork({}, fork_data); }}",
      packed.type, packed.fill, function);
}

std::string ToTasks::loop(const ForkJoinConstruct& one) {
  const LoopText& loop = *one.loop;
  auto reduces = [&](unsigned index) {
    return std::any_of(one.reductions.begin(), one.reductions.end(),
                       [&](const ReductionText& one) { return one.variable == index; });
  };
  std::vector<Passed> variables = passed(one.body, [&](unsigned index) {
    return reduces(index) ||
           ((changedIn(index, one.body) || variable(index).isStatic) && !variable(index).isConst);
  });
  std::erase_if(variables, [&](const Passed& one) {
    return loop.counterVariable == one.variable || reduces(one.variable);
  });
  Packed packed = pack(variables);
  if (loop.counterVariable) packed.inside[*loop.counterVariable] = loop.counter;
  const std::string function = freshName("fork_loop");
  std::string combine, end;
  for (std::size_t k = 0; k < one.reductions.size(); ++k) {
    const ReductionText& reduction = one.reductions[k];
    const std::string field = fmt::format("reduced{}", k);
    packed.fields += fmt::format("void *{}; ", field);
    packed.fill += fmt::format("fork_data->{} = (void *)({}); ", field,
                               reduction.variable ? addressOf(*reduction.variable) : "&" + reduction.name);
    std::string name = reduction.combine;
    const std::string type = declare(reduction.type, "");
    if (name.empty()) {
      name = freshName("fork_combine");
      beforeFunction(one.function, fmt::format("__attribute__((no_sanitize_thread)) static void {}(void "
                                               "*left, void *right) {{ *({}*)left = {}; }}",
                                               name, type,
                                               combined(reduction.operation, "*(" + type + "*)left",
                                                        "*(" + type + "*)right")));
      packed.unpack += fmt::format("{} = {}; ", declare(reduction.type, reduction.name),
                                   identityOf(reduction.operation, reduction.type));
    } else {
      packed.unpack += fmt::format("{}; {}(&{}); ", declare(reduction.type, reduction.name),
                                   reduction.identity, reduction.name);
    }
    end += fmt::format(" warploom_combine({}, fork_data->{}, &{});", name, field, reduction.name);
    if (reduction.variable) packed.inside[*reduction.variable] = reduction.name;
  }
  packed.fields += fmt::format("long long fork_step; {}; ", declare(loop.counterType, "fork_first"));
  beforeFunction(one.function, fmt::format("struct {} {{ {}char unused; }}; static void {}(void "
                                           "*fork_pointer, long long fork_from, long long fork_to);",
                                           packed.type, packed.fields, function));
  std::string body = renderOutlined(one.body, packed.inside);
  afterFunction(
      one.function,
      fmt::format("\nstatic void {}(void *fork_pointer, long long fork_from, long long fork_to) {{ struct {} "
                  "*fork_data = fork_pointer; {}"
                  "for (long long fork_k = fork_from; fork_k < fork_to; ++fork_k) {{ {} = "
                  "fork_data->fork_first + fork_k * fork_data->fork_step; (void){};\n{}{} }}{} }}\n",
                  function, packed.type, packed.unpack, declare(loop.counterType, loop.counter), loop.counter,
                  line(one.body.line), body, end));
  const std::string by = loop.by.end ? "(" + render(loop.by) + ")" : "1";
  const char comparison = loop.comparison == "!=" ? '!' : loop.comparison[0];
  return fmt::format(
      "{{ struct {0} fork_value, *fork_data = &fork_value; fork_data->fork_first = {1}; fork_data->fork_step "
      "= {2}{3}; {4}"
      "warploom_for({5}, fork_data, warploom_count({6}, {7}, fork_data->fork_step, {8}), {9}); }}",
      packed.type, render(loop.start), loop.increases ? "" : "-", by, packed.fill, function,
      loop.counterIsPointer ? "0" : "(long long)fork_data->fork_first",
      loop.counterIsPointer ? fmt::format("({}) - fork_data->fork_first", render(loop.bound))
                            : fmt::format("(long long)({})", render(loop.bound)),
      fmt::format("'{}' + {}", comparison, loop.comparison.size() == 2 && comparison != '!' ? "256" : "0"),
      one.grainsize.end ? "(" + render(one.grainsize) + ")" : "0");
}

} // namespace warploom::metafork
