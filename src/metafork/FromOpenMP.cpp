#include "metafork/FromOpenMP.h"

#include "metafork/FromCilk.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

namespace {

bool isLoop(const std::string& name) {
  return name == "omp for" || name == "omp parallel for" || name == "omp taskloop" ||
         name == "omp parallel for simd" || name == "omp for simd";
}
bool isRegion(const std::string& name) {
  return name == "omp parallel" || name == "omp parallel for" || name == "omp parallel sections" ||
         name == "omp parallel for simd" || name == "omp parallel master" || name == "omp parallel masked";
}
bool isJoin(const std::string& name) {
  return name == "omp taskwait" || name == "omp barrier";
}

template <typename Range, typename Value> bool has(const Range& range, const Value& value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

} // namespace

const ClauseText* FromOpenMP::clause(const ForkJoinConstruct& one, const char* kind) const {
  for (const ClauseText& clause : one.clauses)
    if (clause.kind == kind) return &clause;
  return nullptr;
}

/// Refuses a clause that is not among `clauses`, or of a form that has no translation.
void FromOpenMP::accept(const ForkJoinConstruct& one, const std::set<std::string>& clauses) const {
  for (const ClauseText& clause : one.clauses) {
    if (!clause.range.end) continue;
    if (!clauses.count(clause.kind))
      throw Refusal(clause.range, fmt::format("{} of '{}' has no translation", clause.kind, one.name));
    if (clause.unusable)
      throw Refusal(clause.range, fmt::format("{} with {} of '{}' has no translation", clause.kind,
                                              *clause.unusable, one.name));
  }
}

std::vector<std::pair<std::string, unsigned>> FromOpenMP::listed(const ForkJoinConstruct& one,
                                                                 const char* kind) const {
  std::vector<std::pair<std::string, unsigned>> result;
  for (const ClauseText& clause : one.clauses)
    if (clause.kind == kind && clause.range.end)
      for (std::size_t k = 0; k < clause.names.size(); ++k) {
        if (!clause.variables[k])
          throw Refusal(clause.range,
                        fmt::format("{} of '{}', which is no local variable, has no translation", kind,
                                    clause.names[k]));
        result.emplace_back(clause.names[k], *clause.variables[k]);
      }
  return result;
}

/// A declaration of the variable's name, with its type, for each iteration or child to have one of its own.
std::string FromOpenMP::redeclare(unsigned index) const {
  const LocalVariable& one = variable(index);
  std::string name = one.name;
  for (const std::string& extent : one.extents) {
    if (extent.empty())
      throw Refusal(file.functions[one.function].nameRange,
                    fmt::format("a private '{}' of variable length has no translation", one.name));
    name += "[" + extent + "]";
  }
  if (one.isPointer && !one.extents.empty()) name = "(*" + one.name + ")" + name.substr(one.name.size());
  return declare(one.element, name) + ";";
}

/// What every thread of the region around `one` has for itself: its private variables and those declared in
/// it.
std::vector<unsigned> FromOpenMP::threadsOwn(const ForkJoinConstruct& one) const {
  std::vector<unsigned> result;
  for (auto at = one.parent; at; at = file.constructs[*at].parent) {
    const ForkJoinConstruct& around = file.constructs[*at];
    if (around.name != "omp parallel") continue;
    for (const char* kind : {"private", "firstprivate"})
      for (const auto& [name, index] : listed(around, kind))
        result.push_back(index);
    for (unsigned index = 0; index < file.variables.size(); ++index)
      if (variable(index).declared >= around.body.begin && variable(index).declared < one.statement.begin &&
          !variable(index).isStatic)
        result.push_back(index);
  }
  return result;
}

void FromOpenMP::prepare() {
  for (const LanguageText& text : file.languageTexts)
    insert(text.range.begin, "", text.range.end);
  // A region's end waits for all tasks, also those of tasks: every function that makes some waits for its
  // own.
  std::vector<bool> forks, joins;
  for (const ForkJoinConstruct& one : file.constructs) {
    bool inRegion = false;
    for (auto at = one.parent; at; at = file.constructs[*at].parent)
      inRegion = inRegion || isRegion(file.constructs[*at].name) || file.constructs[*at].name == "omp task";
    forks.push_back(one.name == "omp task" && !inRegion);
    joins.push_back(isJoin(one.name) && !inRegion);
  }
  for (const ImpliedJoin& join : impliedJoins(file, forks, joins))
    insert(join.at, join.text);
}

std::string FromOpenMP::construct(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  if (isJoin(one.name)) {
    accept(one, {});
    return "meta_join;";
  }
  if (isLoop(one.name)) return loop(index);
  if (one.name == "omp sections" || one.name == "omp parallel sections") return sections(index);
  if (one.name == "omp task") return task(index);
  if (one.name == "omp single" || one.name == "omp master" || one.name == "omp masked" ||
      one.name == "omp parallel" || one.name == "omp parallel master" || one.name == "omp parallel masked")
    return inLine(index);
  throw Refusal(one.keyword, fmt::format("'{}' has no translation", one.name));
}

/// `single`, `master` and `parallel`: what is in them, once.
std::string FromOpenMP::inLine(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  const bool region = isRegion(one.name);
  if (region) {
    accept(one, {"private", "firstprivate", "shared", "default", "num_threads", "proc_bind", "if"});
    if (one.name == "omp parallel" && one.replicated.valid())
      throw Refusal(one.replicated,
                    fmt::format("'{}', line {}: every thread runs this statement, which has no translation",
                                one.name, one.keyword.line));
  } else {
    accept(one, {"private", "firstprivate", "nowait"});
  }
  std::string text;
  if (!region) // loops inside a region redeclare its private variables for themselves
    for (const auto& [name, variable] : listed(one, "private"))
      text += redeclare(variable) + " ";
  if (!listed(one, "firstprivate").empty() && !region)
    throw Refusal(one.keyword, fmt::format("firstprivate of '{}' has no translation", one.name));
  bool waits = false; // something may still run when the region ends
  if (region)
    for (const ForkJoinConstruct& inner : file.constructs)
      if (inner.statement.begin > one.statement.begin && inner.statement.end <= one.statement.end)
        waits =
            waits || inner.name == "omp task" || (inner.name == "omp sections" && clause(inner, "nowait"));
  std::string body = render(one.body);
  if (text.empty() && !waits) return body;
  return "{ " + text + body + (waits ? " meta_join;" : "") + " }";
}

std::string FromOpenMP::header(const LoopText& loop) const {
  std::string step = original(loop.step);
  if (!loop.plainStep)
    step = fmt::format("{} {}= {}", loop.counter, loop.increases ? "+" : "-", original(loop.by));
  std::string start = loop.declaresCounter
                          ? file.source.substr(loop.header.begin, loop.start.end - loop.header.begin)
                          : declare(loop.counterType, loop.counter) + " = " + original(loop.start);
  return fmt::format("({}; {}; {})", start, original(loop.condition), step);
}

std::string FromOpenMP::loop(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  accept(one,
         {"private", "firstprivate", "lastprivate", "reduction", "schedule", "collapse", "nowait", "shared",
          "default", "num_threads", "proc_bind", "grainsize", "untied", "if", "simdlen", "safelen"});
  if (!one.loop || !one.loop->unusable.empty())
    throw Refusal(one.keyword, fmt::format("'{}': the loop is not understood", one.name));
  const std::string indent = indentation(one.statement.begin);
  std::string before, head, inside, tail;
  std::vector<unsigned> own; // redeclared in the body
  for (const auto& [name, variable] : listed(one, "private"))
    own.push_back(variable);
  std::vector<unsigned> counters;
  if (one.loop->counterVariable) counters.push_back(*one.loop->counterVariable);
  for (const LoopText& inner : one.collapsed)
    if (inner.counterVariable) counters.push_back(*inner.counterVariable);
  const auto first = listed(one, "firstprivate");
  const auto last = listed(one, "lastprivate");
  auto isFirst = [&](unsigned variable) {
    return std::any_of(first.begin(), first.end(), [&](const auto& pair) { return pair.second == variable; });
  };
  auto isLast = [&](unsigned variable) {
    return std::any_of(last.begin(), last.end(), [&](const auto& pair) { return pair.second == variable; });
  };
  std::vector<std::string> reduced;
  for (const ClauseText& clause : one.clauses) {
    if (clause.kind != "reduction") continue;
    static const std::set<std::string> operations = {"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"};
    const bool byFunctions = !clause.identity.empty() && !clause.combine.empty();
    if (!byFunctions && !operations.count(clause.operation))
      throw Refusal(clause.range,
                    fmt::format("reduction by '{}' of '{}' has no translation", clause.operation, one.name));
    for (const std::string& name : clause.names)
      reduced.push_back(name);
    const std::string operation = byFunctions               ? clause.identity + ", " + clause.combine
                                  : clause.operation == "-" ? "+"
                                                            : clause.operation;
    head += fmt::format(" reduction({}: {})", operation, fmt::join(clause.names, ", "));
  }
  for (unsigned variable : threadsOwn(one)) {
    bool used = has(captured(one.loop->body), variable) && changedIn(variable, one.loop->body);
    if (used && !has(own, variable) && !has(counters, variable) && !isFirst(variable) && !isLast(variable) &&
        !has(reduced, this->variable(variable).name))
      own.push_back(variable);
  }
  std::vector<unsigned> copied;
  for (const auto& [name, variable] : first)
    copied.push_back(variable);
  // What a taskloop copies without being told to, as far as it matters.
  if (one.name == "omp taskloop")
    for (const ClauseText& clause : one.clauses)
      if (clause.kind == "firstprivate" && !clause.range.end)
        for (const auto& variable : clause.variables)
          if (variable && changedIn(*variable, one.loop->body) && !has(counters, *variable))
            copied.push_back(*variable);
  for (unsigned index : own)
    if (!has(counters, index)) inside += redeclare(index) + " ";
  for (unsigned index : copied) {
    const LocalVariable& one = variable(index);
    if (one.isArray) {
      const std::string from = freshName(one.name + "_first");
      std::string all = redeclare(index);
      before += fmt::format(
          "{} __builtin_memcpy(&{}, &{}, sizeof {}); ",
          declare(one.element, from + all.substr(all.find('['), all.rfind(']') + 1 - all.find('['))) + ";",
          from, one.name, one.name);
      inside += fmt::format("{} __builtin_memcpy(&{}, &{}, sizeof {}); ", all, one.name, from, one.name);
    } else {
      const std::string from = freshName(one.name + "_first");
      before += fmt::format("{} = {}; ", declare(one.element, from), one.name);
      inside += fmt::format("{} = {}; ", declare(one.element, one.name), from);
    }
  }
  if (!last.empty()) {
    if (!one.collapsed.empty())
      throw Refusal(one.keyword,
                    fmt::format("lastprivate with collapse of '{}' has no translation", one.name));
    if (one.loop->continues)
      throw Refusal(
          one.keyword,
          fmt::format("lastprivate of '{}' whose body has `continue` has no translation", one.name));
    const LoopText& loop = *one.loop;
    std::string copies;
    for (const auto& [name, index] : last) {
      const LocalVariable& kept = variable(index);
      if (kept.isArray)
        throw Refusal(one.keyword,
                      fmt::format("lastprivate of the array '{}' has no translation", kept.name));
      if (has(counters, index))
        throw Refusal(one.keyword,
                      fmt::format("lastprivate of the counter '{}' has no translation", kept.name));
      const std::string to = freshName(kept.name + "_last");
      before += fmt::format("{} = &{}; ", declare(kept.element, "*" + to), kept.name);
      if (!isFirst(index)) inside += redeclare(index) + " ";
      copies += fmt::format("*{} = {}; ", to, kept.name);
    }
    tail = fmt::format(" if (!({} {} ({}) {} ({}))) {{ {}}}", loop.counter, loop.increases ? "+" : "-",
                       loop.by.end ? original(loop.by) : "1", loop.comparison, original(loop.bound), copies);
  }
  for (const ClauseText& clause : one.clauses)
    if ((clause.kind == "schedule" || clause.kind == "grainsize") && clause.expression.end)
      before += (before.empty() && startsLine(one.statement.begin) ? "" : eol) +
                fmt::format("#pragma meta grainsize = {}{}{}", original(clause.expression), eol, indent);
  const bool wrapped = before.find(';') != std::string::npos;
  std::string text = (wrapped ? "{ " + before : before) + "meta_for" + head + " " + header(*one.loop) + " ";
  const bool nested = reduced.empty() && copied.empty();
  const LoopText* innermost = &*one.loop;
  for (const LoopText& inner : one.collapsed) {
    text += (nested ? "meta_for " : "for ") + header(inner) + " ";
    innermost = &inner;
  }
  std::string body = render(innermost->body);
  if (!inside.empty() || !tail.empty())
    body = innermost->bodyIsBlock && tail.empty() ? "{ " + inside + body.substr(1)
                                                  : "{ " + inside + body + tail + " }";
  text += body;
  if (wrapped) text += " }";
  return text;
}

std::string FromOpenMP::sections(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  accept(one, {"private", "firstprivate", "lastprivate", "reduction", "nowait", "shared", "default",
               "num_threads", "proc_bind"});
  std::string before, after;
  std::vector<unsigned> own, kept;
  for (const auto& [name, variable] : listed(one, "private"))
    own.push_back(variable);
  for (unsigned variable : threadsOwn(one))
    own.push_back(variable);
  std::vector<unsigned> first;
  for (const auto& [name, variable] : listed(one, "firstprivate")) {
    if (this->variable(variable).isArray)
      throw Refusal(one.keyword,
                    fmt::format("firstprivate of an array, of '{}', has no translation", one.name));
    first.push_back(variable);
  }
  for (const auto& [name, variable] : listed(one, "lastprivate"))
    kept.push_back(variable);
  // The sections; the first may come without its directive.
  std::vector<SourceRange> bodies;
  std::size_t from = one.body.begin + 1;
  for (const ForkJoinConstruct& inner : file.constructs) {
    if (inner.name != "omp section" || inner.statement.begin < one.body.begin ||
        inner.statement.end > one.body.end)
      continue;
    bool direct = inner.parent && *inner.parent == index;
    if (!direct) continue;
    SourceRange gap;
    gap.begin = from;
    gap.end = inner.statement.begin;
    if (bodies.empty() && original(gap).find_first_not_of(" \t\r\n") != std::string::npos)
      bodies.push_back(gap);
    bodies.push_back(inner.body);
    from = inner.statement.end;
  }
  if (bodies.empty()) {
    SourceRange all = one.body;
    all.begin += 1;
    all.end -= 1;
    bodies.push_back(all);
  }
  const std::string indent = indentation(one.statement.begin) + "  ";
  std::string text;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    Names inside;
    std::vector<std::string> shared;
    std::string declarations;
    for (const ClauseText& clause : one.clauses) {
      if (clause.kind != "reduction") continue;
      for (std::size_t n = 0; n < clause.names.size(); ++n) {
        if (!clause.variables[n])
          throw Refusal(clause.range,
                        fmt::format("reduction of '{}', which is no local variable, has no translation",
                                    clause.names[n]));
        const std::string part = freshName(clause.names[n] + "_part");
        const std::string operation = clause.operation == "-" ? "+" : clause.operation;
        before +=
            fmt::format("{} = {}; ", declare(clause.types[n], part), identityOf(operation, clause.types[n]));
        after += fmt::format("{}{} = {};", eol + indent, clause.names[n],
                             combined(operation, clause.names[n], part));
        inside[*clause.variables[n]] = part;
        shared.push_back(part);
      }
    }
    for (unsigned used : captured(bodies[k])) {
      const LocalVariable& variable = this->variable(used);
      if (has(own, used)) {
        declarations += redeclare(used) + " ";
        continue;
      }
      bool copy = has(first, used) || (has(kept, used) && k + 1 < bodies.size());
      if (inside.count(used) || copy || variable.isArray || variable.isStatic) continue;
      shared.push_back(variable.name);
    }
    std::string body = renderInside(bodies[k], inside);
    bool block = !body.empty() && body.front() == '{' && body.back() == '}';
    if (!block || !declarations.empty()) body = "{ " + declarations + body + " }";
    text += eol + indent + "meta_fork " +
            (shared.empty() ? "" : fmt::format("shared({}) ", fmt::join(shared, ", "))) + body;
  }
  bool waits = !clause(one, "nowait") || !after.empty();
  return "{ " + before + text + (waits ? eol + indent + "meta_join;" : "") + after + eol +
         indentation(one.statement.begin) + "}";
}

std::string FromOpenMP::task(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  accept(one, {"shared", "private", "firstprivate", "if", "untied", "default", "mergeable", "priority"});
  std::vector<unsigned> copied; // by OpenMP's rules, which Clang has applied
  for (const ClauseText& clause : one.clauses)
    if (clause.kind == "firstprivate")
      for (const auto& variable : clause.variables)
        if (variable) copied.push_back(*variable);
  std::vector<unsigned> own;
  for (const auto& [name, variable] : listed(one, "private"))
    own.push_back(variable);
  std::string before, inside;
  Names renamed;
  std::vector<std::string> shared;
  for (unsigned used : captured(one.body)) {
    const LocalVariable& variable = this->variable(used);
    if (has(own, used)) {
      inside += redeclare(used) + " ";
    } else if (has(copied, used) && variable.isArray) {
      // An array is shared by MetaFork's forks: its copy travels in a struct, which is a value.
      const std::string name = freshName("temp_" + variable.name);
      std::string all = redeclare(used);
      std::string extents = all.substr(all.find('['), all.rfind(']') + 1 - all.find('['));
      if (variable.localType)
        throw Refusal(one.keyword,
                      fmt::format("'{}' has a type that is declared inside the function", variable.name));
      beforeFunction(one.function,
                     fmt::format("struct {} {{ {}; }};", name, declare(variable.element, "copy" + extents)));
      before += fmt::format("struct {0} {0}; __builtin_memcpy({0}.copy, {1}, sizeof {0}.copy); ", name,
                            written(used));
      renamed[used] = name + ".copy";
    } else if (!has(copied, used) && !variable.isArray && !variable.isStatic) {
      shared.push_back(variable.name);
    }
  }
  // A task that makes tasks waits for them: MetaFork's joins know direct children only.
  bool makes = false, waits = false;
  for (std::size_t k = index + 1;
       k < file.constructs.size() && file.constructs[k].statement.begin < one.statement.end; ++k)
    if (file.constructs[k].parent == index) {
      makes = makes || file.constructs[k].name == "omp task";
      waits = isJoin(file.constructs[k].name);
    }
  std::string text;
  const CallText* call = one.call ? &*one.call : nullptr;
  const bool plain = call && renamed.empty() && own.empty() && call->direct &&
                     std::all_of(call->arguments.begin(), call->arguments.end(),
                                 [](const CallArgument& argument) { return argument.local; });
  auto sharedInCall = [&] {
    // Arguments that the child reads when it runs, and not when it is made, stay inside a block.
    for (const CallArgument& argument : call->arguments)
      for (unsigned used : captured(argument.range))
        if (!variable(used).isArray && isListed(shared, used)) return true;
    return false;
  };
  if (plain && call->target.end == 0 && !sharedInCall()) {
    text = "meta_fork " + renderInside(call->call, renamed) + ";";
  } else if (plain && call->target.end && !sharedInCall() &&
             (call->targetGlobal || (call->targetVariable && (variable(*call->targetVariable).isStatic ||
                                                              isListed(shared, *call->targetVariable))))) {
    text = render(call->target) + " = meta_fork " + render(call->call) + ";";
  } else {
    std::string body = renderInside(one.body, renamed);
    if (!inside.empty() || (makes && !waits) || !one.bodyIsBlock)
      body = "{ " + inside + body + (makes && !waits ? " meta_join;" : "") + " }";
    text = "meta_fork " + (shared.empty() ? "" : fmt::format("shared({}) ", fmt::join(shared, ", "))) + body;
  }
  if (const ClauseText* condition = clause(one, "if"); condition && condition->expression.end)
    // A task that may not be deferred is done before its parent goes on.
    text =
        fmt::format("if ({}) {{ {} }} else {{ {} meta_join; }}", original(condition->expression), text, text);
  if (!before.empty()) return "{ " + before + text + " }";
  return text;
}

} // namespace warploom::metafork
