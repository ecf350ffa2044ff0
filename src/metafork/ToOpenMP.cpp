#include "metafork/ToOpenMP.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

namespace {

/// ` kind(a, b)`; nothing for an empty list.
std::string clause(const char* kind, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format(" {}({})", kind, fmt::join(names, ", "));
}

} // namespace

/// A task runs beside others only in a parallel region: `main` is made a function that is called from within
/// one.
void ToOpenMP::prepare() {
  auto main = std::find_if(file.functions.begin(), file.functions.end(),
                           [](const FunctionText& one) { return one.name == "main"; });
  bool forks = std::any_of(file.constructs.begin(), file.constructs.end(), [](const ForkJoinConstruct& one) {
    return one.kind == ForkJoinKind::ForkCall || one.kind == ForkJoinKind::ForkBlock;
  });
  if (!forks || main == file.functions.end()) return;
  unsigned index = unsigned(main - file.functions.begin());
  std::vector<const LocalVariable*> parameters;
  for (const LocalVariable& one : file.variables)
    if (one.function == index && one.isParameter) parameters.push_back(&one);
  if (parameters.size() > 2) return;
  tasks = true;
  const std::string name = freshName("metafork_main");
  insert(main->nameRange.begin, name, main->nameRange.end);
  std::string formals, arguments;
  for (const LocalVariable* one : parameters) {
    formals += (formals.empty() ? "" : ", ") + declare(one->element, one->name);
    arguments += (arguments.empty() ? "" : ", ") + one->name;
  }
  afterFunction(
      index,
      fmt::format(
          "int main({1}){0}{{{0}  int metafork_status = 0;{0}#pragma omp parallel{0}#pragma omp single{0}"
          "  metafork_status = {2}({3});{0}  return metafork_status;{0}}}",
          eol, formals.empty() ? "void" : formals, name, arguments));
}

/// The directive `text` on a line of its own, and what follows it indented as what stands at `at`.
std::string ToOpenMP::directive(const ForkJoinConstruct& one, const std::string& text, std::size_t at) const {
  return (startsLine(one.statement.begin) ? "" : eol) + "#pragma omp " + text + eol + indentation(at);
}

std::string ToOpenMP::construct(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  switch (one.kind) {
  case ForkJoinKind::Join: {
    std::string text = directive(one, "taskwait", one.statement.begin);
    return one.inBlock ? text : "{" + (startsLine(one.statement.begin) ? eol : "") + text + "}";
  }
  case ForkJoinKind::ForkCall:
    return call(one);
  case ForkJoinKind::ForkBlock:
    return block(one);
  case ForkJoinKind::Loop:
    return loop(one);
  default:
    return render(one.body);
  }
}

/// A forked call. Arguments that the child could not evaluate as the parent does are evaluated before.
std::string ToOpenMP::call(const ForkJoinConstruct& one) {
  const CallText& call = *one.call;
  if (call.unusable) throw Refusal(one.keyword, *call.unusable);
  std::string before, statement, declared;
  std::vector<std::string> shared, copied;
  auto mention = [&](const SourceRange& range) {
    for (unsigned index : captured(range)) {
      const LocalVariable& one = variable(index);
      std::vector<std::string>& list = one.isArray ? shared : copied;
      if (!one.isStatic && std::find(list.begin(), list.end(), written(index)) == list.end())
        list.push_back(written(index));
    }
  };
  if (call.declares) {
    const std::string name = original(call.target);
    declared = declare(call.targetType, name) + ";" + eol + indentation(one.statement.begin);
    shared.push_back(name);
    statement = name + " = ";
  } else if (call.target.end && call.targetVariable && !variable(*call.targetVariable).isStatic) {
    shared.push_back(written(*call.targetVariable));
    statement = render(call.target) + " = ";
  } else if (call.target.end && call.targetLocal) {
    mention(call.target);
    statement = render(call.target) + " = ";
  } else if (call.target.end) {
    const std::string name = freshName("fork_result");
    before += fmt::format("{} = &({}); ", declare(call.targetType, "*" + name), render(call.target));
    statement = "*" + name + " = ";
    if (one.parent) copied.push_back(name);
  }
  if (call.direct) {
    statement += render(call.callee);
  } else {
    const std::string name = freshName("fork_callee");
    before += fmt::format("{} = {}; ", declare(call.calleeType, name), render(call.callee));
    statement += name;
  }
  statement += "(";
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const CallArgument& argument = call.arguments[k];
    if (k) statement += ", ";
    if (argument.local) {
      mention(argument.range);
      statement += render(argument.range);
    } else {
      const std::string name = freshName("fork_argument");
      before += fmt::format("{} = {}; ", declare(argument.type, name), render(argument.range));
      statement += name;
      if (one.parent) copied.push_back(name);
    }
  }
  statement += ");";
  std::erase_if(copied, [&](const std::string& name) {
    return std::find(shared.begin(), shared.end(), name) != shared.end();
  });
  std::string head = "task" + clause("shared", shared) + (one.parent ? clause("firstprivate", copied) : "");
  const std::string indent = indentation(one.statement.begin);
  const std::string line = fmt::format("#pragma omp {}{}{}", head, eol, indent);
  const bool fresh = startsLine(one.statement.begin);
  if (before.empty() && declared.empty()) return (fresh ? "" : eol) + line + statement;
  if (before.empty()) return declared + eol + line + statement;
  return declared + "{ " + before + eol + line + statement + " }";
}

std::string ToOpenMP::block(const ForkJoinConstruct& one) {
  std::vector<std::string> shared, copied;
  std::string declarations;
  Names inside;
  for (unsigned index : captured(one.body)) {
    const LocalVariable& used = variable(index);
    if (used.isStatic) continue;
    if (used.isArray || isListed(one.shared, index)) {
      shared.push_back(written(index));
      continue;
    }
    copied.push_back(written(index));
    if (used.extents.empty() && sharedWithin(one, index)) {
      const std::string own = freshName(used.name + "_own");
      declarations += fmt::format("{} = {}; ", declare(used.element, own), written(index));
      inside[index] = own;
    }
  }
  // Those at file scope are shared anyway, and may be named.
  for (const std::string& name : one.shared) {
    bool local = std::any_of(file.variables.begin(), file.variables.end(),
                             [&](const LocalVariable& variable) { return variable.name == name; });
    if (!local) shared.push_back(name);
  }
  std::string body = renderInside(one.body, inside);
  if (!declarations.empty()) body = "{ " + declarations + body + " }";
  return directive(one,
                   "task" + clause("shared", shared) + (one.parent ? clause("firstprivate", copied) : ""),
                   one.statement.begin) +
         body;
}

/// A construct inside of `one` shares the variable, of which `one` has a copy. GCC 12 may then take the
/// original for it (seen with a variable that other tasks share), so that the copy is given a name of its
/// own.
bool ToOpenMP::sharedWithin(const ForkJoinConstruct& one, unsigned index) const {
  return std::any_of(file.constructs.begin(), file.constructs.end(), [&](const ForkJoinConstruct& inner) {
    if (inner.statement.begin < one.body.begin || inner.statement.end > one.body.end || &inner == &one)
      return false;
    bool result = inner.call && inner.call->targetVariable == index;
    bool loop = inner.kind == ForkJoinKind::Loop;
    return result || loop || isListed(inner.shared, index);
  });
}

std::string ToOpenMP::loop(const ForkJoinConstruct& one) {
  const LoopText& loop = *one.loop;
  std::string head = tasks ? "taskloop" : "parallel for";
  std::vector<std::string> reduced;
  for (const ReductionText& reduction : one.reductions) {
    std::string operation = reduction.operation;
    if (!reduction.combine.empty()) {
      operation = freshName(reduction.combine + "_");
      beforeFunction(
          one.function,
          fmt::format(
              "#pragma omp declare reduction({} : {} : {}(&omp_out, &omp_in)) initializer({}(&omp_priv))",
              operation, declare(reduction.type, ""), reduction.combine, reduction.identity));
    }
    reduced.push_back(reduction.variable ? written(*reduction.variable) : reduction.name);
    head += fmt::format(" reduction({}: {})", operation, reduced.back());
  }
  if (one.grainsize.end)
    head += (tasks ? " grainsize(" : " schedule(dynamic, ") + render(one.grainsize) + ")";
  if (tasks) {
    std::vector<std::string> shared;
    for (unsigned index : captured(one.body)) {
      const LocalVariable& used = variable(index);
      bool counter = loop.counterVariable == index;
      bool known = std::find(shared.begin(), shared.end(), written(index)) != shared.end() ||
                   std::find(reduced.begin(), reduced.end(), written(index)) != reduced.end();
      if (!used.isStatic && !counter && !known) shared.push_back(written(index));
    }
    head += clause("shared", shared);
  }
  SourceRange rest;
  rest.begin = loop.header.end;
  rest.end = one.statement.end;
  // OpenMP knows `!=` with steps by one only; a loop that reaches its bound stays below or above it until
  // then.
  std::string header = render(loop.header);
  if (loop.comparison == "!=" && loop.by.end)
    header = fmt::format("{} = {}; {} {} {}; {}",
                         loop.declaresCounter ? declare(loop.counterType, loop.counter) : loop.counter,
                         render(loop.start), loop.counter, loop.increases ? "<" : ">", render(loop.bound),
                         render(loop.step));
  return directive(one, head, one.keyword.begin) + "for" + render(one.keyword.end, loop.header.begin) +
         header + render(rest);
}

} // namespace warploom::metafork
