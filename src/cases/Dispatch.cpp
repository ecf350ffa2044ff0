#include "cases/Dispatch.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom::cases {

namespace {

/// The text of a schedule that chooses.
class Choice {
public:
  Choice(const ForkJoinSource& s, const DispatchedSchedule& of) : source(s), schedule(of) {
    std::set<std::string> names;
    for (const JointCase& one : of.cases)
      for (const System& system : one.conditions)
        names.merge(system.symbols());
    for (const DispatchedNest& nest : of.nests)
      for (const Values& values : nest.sizes)
        for (const auto& [name, value] : values)
          names.insert(name);
    for (const DispatchedNest& nest : of.nests) {
      for (const std::string& limit : nest.limits)
        names.erase(limit);
      for (const std::string& name : nest.from->outer)
        if (names.count(name))
          throw NestRefused(nest.from->loop.at,
                            fmt::format("its case depends on '{}', which a loop around it counts", name));
    }
    parameters.assign(names.begin(), names.end());
  }

  /// How many variants there may be; some have no kernels.
  std::size_t count() const { return schedule.cases.size() * schedule.nests.front().sizes.size(); }

  /// Case of a nest in the variant, if it has a kernel of its own there.
  std::optional<std::size_t> caseOf(std::size_t variant, std::size_t nest) const {
    const std::size_t found = schedule.cases[variant % schedule.cases.size()].of[nest];
    if (schedule.nests[nest].left.count(found)) return std::nullopt;
    return found;
  }

  const Values& sizesOf(std::size_t variant, std::size_t nest) const {
    return schedule.nests[nest].sizes[variant / schedule.cases.size()];
  }

  bool hasKernels(std::size_t variant) const {
    for (std::size_t k = 0; k < schedule.nests.size(); ++k)
      if (caseOf(variant, k)) return true;
    return false;
  }

  /// `product_8 1: a in shared memory; B = 8`.
  std::string title(std::size_t variant) const {
    std::vector<std::string> forms, sizes;
    for (std::size_t k = 0; k < schedule.nests.size(); ++k) {
      auto found = caseOf(variant, k);
      forms.push_back(found ? schedule.nests[k].tree->cases[*found].code->text() : "as Warploom maps it");
    }
    for (const auto& [name, value] : allSizes(variant / schedule.cases.size()))
      sizes.push_back(fmt::format("{} = {}", name, value.get_str()));
    return fmt::format("{} {}: {}; {}", schedule.name, variant + 1, fmt::join(forms, "; then "),
                       fmt::join(sizes, ", "));
  }

  /// The function that says which variant is taken.
  std::string chooser() const {
    const std::vector<std::string>& limits = schedule.nests.front().limits;
    std::vector<std::string> formals;
    for (const std::string& name : parameters)
      formals.push_back("long long " + name);
    std::string text = fmt::format(
        "/* The case that line {} takes with these sizes on this device; 0: there is no kernel for it. */\n"
        "extern void warploom_device_limits(long long *, long long *, long long *) __attribute__((weak));\n"
        "static int {}_case({}) {{\n  long long {};\n"
        "  if (!warploom_device_limits) return 0;\n  warploom_device_limits(&{});\n",
        schedule.schedule->keyword.line, schedule.name, fmt::join(formals, ", "), fmt::join(limits, ", "),
        fmt::join(limits, ", &"));
    const std::size_t cases = schedule.cases.size();
    for (std::size_t instance = 0; instance * cases < count(); ++instance) {
      std::vector<std::string> same;
      for (const auto& [name, value] : allSizes(instance))
        same.push_back(fmt::format("{} == {}", name, value.get_str()));
      text += fmt::format("  if ({}) {{\n", same.empty() ? "1" : fmt::format("{}", fmt::join(same, " && ")));
      for (std::size_t k = 0; k < cases; ++k) {
        if (!hasKernels(instance * cases + k)) continue;
        std::vector<std::string> any;
        for (const System& system : schedule.cases[k].conditions)
          any.push_back("(" + system.c() + ")");
        text += fmt::format("    if ({}) return {};\n", fmt::join(any, " || "), instance * cases + k + 1);
      }
      text += "  }\n";
    }
    return text + "  return 0;\n}\n\n";
  }

  /// What stands in place of the schedule; `lines` gets, by variant, the first of its lines and the one after
  /// its last, counted from the first of this text as 0.
  std::string text(std::map<std::size_t, std::pair<long, long>>& lines) const {
    std::string text = "{\n";
    for (const DispatchedNest& nest : schedule.nests)
      for (const auto* axes : {&nest.nest.parallel, &nest.nest.serial})
        for (const Axis& axis : *axes)
          if (!isInside(nest, axis))
            text += fmt::format("  const int {}_end = {};\n", axis.name, axis.end.c());
    text += fmt::format("  switch ({}_case({})) {{\n", schedule.name, fmt::join(parameters, ", "));
    for (std::size_t k = 0; k < count(); ++k) {
      if (!hasKernels(k)) continue;
      text += fmt::format("  case {}: /* {} */\n", k + 1, title(k));
      const long first = std::count(text.begin(), text.end(), '\n');
      text += "    " + body() + "\n";
      lines[k] = {first, std::count(text.begin(), text.end(), '\n')};
      text += "    break;\n";
    }
    return text + "  default:\n    " + body() + "\n  }\n}";
  }

private:
  /// A loop of the schedule around the nest counts in it.
  static bool isInside(const DispatchedNest& nest, const Axis& axis) {
    for (const std::string& name : axis.end.symbols())
      if (std::find(nest.from->outer.begin(), nest.from->outer.end(), name) != nest.from->outer.end())
        return true;
    return false;
  }

  Values allSizes(std::size_t instance) const {
    Values all;
    for (const DispatchedNest& nest : schedule.nests)
      all.insert(nest.sizes[instance].begin(), nest.sizes[instance].end());
    return all;
  }

  /// The block of the schedule, its nests as loops over their coordinates.
  std::string body() const {
    const std::size_t begin = schedule.schedule->keyword.end;
    std::string text = source.source.substr(begin, schedule.schedule->statement.end - begin);
    std::vector<const DispatchedNest*> last;
    for (const DispatchedNest& nest : schedule.nests)
      last.push_back(&nest);
    std::sort(last.begin(), last.end(), [](const DispatchedNest* a, const DispatchedNest* b) {
      return a->from->loop.at.begin > b->from->loop.at.begin;
    });
    for (const DispatchedNest* nest : last) {
      std::string ends;
      for (const auto* axes : {&nest->nest.parallel, &nest->nest.serial})
        for (const Axis& axis : *axes)
          if (isInside(*nest, axis)) ends += fmt::format(" const int {}_end = {};", axis.name, axis.end.c());
      const SourceRange& at = nest->from->loop.at;
      std::string loops = nest->nest.loops("    ");
      loops.pop_back();
      text.replace(at.begin - begin, at.end - at.begin,
                   ends.empty() ? loops.substr(loops.find('f')) : fmt::format("{{{}\n{} }}", ends, loops));
    }
    text.erase(0, text.find_first_not_of(" \t\r\n"));
    return text;
  }

  const ForkJoinSource& source;
  const DispatchedSchedule& schedule;
  std::vector<std::string> parameters; ///< that conditions speak of
};

} // namespace

DispatchedProgram dispatched(const ForkJoinSource& source, const std::vector<DispatchedSchedule>& schedules) {
  for (const ForkJoinConstruct& construct : source.constructs) {
    const ForkJoinConstruct* outermost = &construct;
    while (outermost->parent)
      outermost = &source.constructs[*outermost->parent];
    if (outermost->kind != ForkJoinKind::Schedule)
      throw NestRefused(construct.keyword, "the program has other parallel constructs than meta_schedule");
  }
  std::vector<const DispatchedSchedule*> inOrder;
  for (const DispatchedSchedule& one : schedules)
    inOrder.push_back(&one);
  std::sort(inOrder.begin(), inOrder.end(), [](const DispatchedSchedule* a, const DispatchedSchedule* b) {
    return a->schedule->statement.begin < b->schedule->statement.begin;
  });
  DispatchedProgram result;
  std::size_t done = 0; // of the source
  std::size_t function = source.functions.size();
  for (std::size_t n = 0; n < inOrder.size(); ++n) {
    const ForkJoinConstruct& schedule = *inOrder[n]->schedule;
    const Choice choice(source, *inOrder[n]);
    // In front of a function are the choosers of all its schedules.
    if (schedule.function != function) {
      function = schedule.function;
      const std::size_t at = source.functions[function].range.begin;
      result.c += source.source.substr(done, at - done);
      done = at;
      for (std::size_t m = n; m < inOrder.size() && inOrder[m]->schedule->function == function; ++m)
        result.c += Choice(source, *inOrder[m]).chooser();
    }
    result.c += source.source.substr(done, schedule.keyword.begin - done);
    done = schedule.statement.end;
    const long before = std::count(result.c.begin(), result.c.end(), '\n') + 1;
    std::map<std::size_t, std::pair<long, long>> lines;
    result.c += choice.text(lines);
    for (const auto& [variant, at] : lines)
      for (std::size_t k = 0; k < inOrder[n]->nests.size(); ++k) {
        const DispatchedNest& nest = inOrder[n]->nests[k];
        const auto found = choice.caseOf(variant, k);
        if (!found) continue;
        const NestForm& form = static_cast<const NestCode&>(*nest.tree->cases[*found].code).form;
        const std::string kernel = fmt::format("{}_kernel{}", nest.name, variant + 1);
        result.kernels.push_back({choice.title(variant), nest.nest.parallel.front().name, before + at.first,
                                  before + at.second, recipe(nest.nest, form, kernel)});
        for (const auto& [name, size] : sizes(nest.nest, form, kernel)) {
          const mpq_class value = size.evaluate(choice.sizesOf(variant, k));
          if (value <= 0 || value.get_den() != 1 || value > 1 << 20)
            throw NestRefused(nest.from->loop.at,
                              fmt::format("'{}' is no size of a tile with these sizes", size.text()));
          result.sizes[name] = static_cast<int>(value.get_num().get_si());
        }
      }
  }
  result.c += source.source.substr(done);
  return result;
}

} // namespace warploom::cases
