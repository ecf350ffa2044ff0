#include "cases/Dispatch.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

struct Edit {
  std::size_t begin, end;
  std::string text;
};

/// The parameters that conditions speak of.
std::vector<std::string> parametersOf(const CaseTree& tree, const DispatchedNest& nest) {
  std::set<std::string> names;
  for (const Case& one : tree.cases)
    for (const System& system : one.conditions)
      names.merge(system.symbols());
  for (const Values& values : nest.sizes)
    for (const auto& [name, value] : values)
      names.insert(name);
  for (const std::string& limit : nest.limits)
    names.erase(limit);
  return {names.begin(), names.end()};
}

std::string marker(const DispatchedNest& nest, std::size_t number) {
  const std::size_t cases = nest.tree->cases.size();
  std::vector<std::string> sizes;
  for (const auto& [name, value] : nest.sizes[number / cases])
    sizes.push_back(fmt::format("{} = {}", name, value.get_str()));
  return fmt::format("/* {} {}: {}; {} */", nest.name, number + 1,
                     nest.tree->cases[number % cases].code->text(), fmt::join(sizes, ", "));
}

/// The function that says which case is taken.
std::string chooser(const DispatchedNest& nest) {
  const std::vector<std::string> parameters = parametersOf(*nest.tree, nest);
  std::vector<std::string> formals;
  for (const std::string& name : parameters)
    formals.push_back("long long " + name);
  std::string text = fmt::format(
      "/* The case that the nest of line {} takes with these sizes on this device; 0: there is no kernel for "
      "it. */\n"
      "extern void warploom_device_limits(long long *, long long *, long long *) __attribute__((weak));\n"
      "static int {}_case({}) {{\n  long long {};\n"
      "  if (!warploom_device_limits) return 0;\n  warploom_device_limits(&{});\n",
      nest.from->loop.at.line, nest.name, fmt::join(formals, ", "), fmt::join(nest.limits, ", "),
      fmt::join(nest.limits, ", &"));
  const std::size_t cases = nest.tree->cases.size();
  for (std::size_t instance = 0; instance < nest.sizes.size(); ++instance) {
    std::vector<std::string> same;
    for (const auto& [name, value] : nest.sizes[instance])
      same.push_back(fmt::format("{} == {}", name, value.get_str()));
    text += fmt::format("  if ({}) {{\n", fmt::join(same, " && "));
    for (std::size_t k = 0; k < cases; ++k) {
      if (nest.left.count(k)) continue;
      std::vector<std::string> any;
      for (const System& system : nest.tree->cases[k].conditions)
        any.push_back("(" + system.c() + ")");
      text += fmt::format("    if ({}) return {};\n", fmt::join(any, " || "), instance * cases + k + 1);
    }
    text += "  }\n";
  }
  return text + "  return 0;\n}\n\n";
}

/// What stands in place of the nest.
std::string choice(const DispatchedNest& nest) {
  std::vector<std::string> ends;
  for (const auto* axes : {&nest.nest.parallel, &nest.nest.serial})
    for (const Axis& axis : *axes)
      ends.push_back(fmt::format("{}_end = {}", axis.name, axis.end.c()));
  std::string text = fmt::format("{{\n  const int {};\n  switch ({}_case({})) {{\n", fmt::join(ends, ", "),
                                 nest.name, fmt::join(parametersOf(*nest.tree, nest), ", "));
  const std::size_t cases = nest.tree->cases.size();
  for (std::size_t k = 0; k < cases * nest.sizes.size(); ++k)
    if (!nest.left.count(k % cases))
      text += fmt::format("  case {}: {}\n{}    break;\n", k + 1, marker(nest, k), nest.nest.loops("    "));
  return text + "  default:\n" + nest.nest.loops("    ") + "  }\n}";
}

} // namespace

DispatchedProgram dispatched(const ForkJoinSource& source, const std::vector<DispatchedNest>& nests) {
  for (const ForkJoinConstruct& construct : source.constructs) {
    const ForkJoinConstruct* outermost = &construct;
    while (outermost->parent)
      outermost = &source.constructs[*outermost->parent];
    if (outermost->kind != ForkJoinKind::Schedule)
      throw NestRefused(construct.keyword, "the program has other parallel constructs than meta_schedule");
  }
  std::vector<Edit> edits;
  for (const DispatchedNest& nest : nests) {
    edits.push_back({nest.from->loop.at.begin, nest.from->loop.at.end, choice(nest)});
    const std::size_t function = source.functions[nest.schedule->function].range.begin;
    edits.push_back({function, function, chooser(nest)});
    const SourceRange& keyword = nest.schedule->keyword;
    const bool isKnown = std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
      return edit.begin == keyword.begin && edit.end == keyword.end;
    });
    if (!isKnown) edits.push_back({keyword.begin, keyword.end, ""});
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  DispatchedProgram result;
  result.c = source.source;
  for (const Edit& edit : edits)
    result.c.replace(edit.begin, edit.end - edit.begin, edit.text);

  for (const DispatchedNest& nest : nests) {
    const std::size_t cases = nest.tree->cases.size();
    for (std::size_t k = 0; k < cases * nest.sizes.size(); ++k) {
      if (nest.left.count(k % cases)) continue;
      const NestForm& form = static_cast<const NestCode&>(*nest.tree->cases[k % cases].code).form;
      const std::string text = marker(nest, k), kernel = fmt::format("{}_kernel{}", nest.name, k + 1);
      const std::size_t at = result.c.find(text);
      result.recipe += fmt::format(
          "-- {}\nregion(\"{}:{}\")\n{}\n", text.substr(3, text.size() - 6),
          source.functions[nest.schedule->function].name,
          std::count(result.c.begin(), result.c.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 2,
          recipe(nest.nest, form, kernel));
      for (const auto& [macro, size] : sizes(nest.nest, form, kernel)) {
        const mpq_class value = size.evaluate(nest.sizes[k / cases]);
        if (value <= 0 || value.get_den() != 1 || value > 1 << 20)
          throw NestRefused(nest.from->loop.at,
                            fmt::format("'{}' is no size of a tile with these sizes", size.text()));
        result.macros.emplace_back(macro, value.get_str());
      }
    }
  }
  return result;
}

} // namespace warploom::cases
