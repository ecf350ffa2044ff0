#include "cases/LeafText.h"

#include "cases/Subexpressions.h"
#include "support/Identifiers.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

struct Edit {
  std::size_t begin, end;
  std::string text;
};

std::string applied(const std::string& text, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  std::string result = text;
  for (const Edit& edit : edits)
    result.replace(edit.begin, edit.end - edit.begin, edit.text);
  return result;
}

/// The schedule of one nest in the function of this number; null where there are others.
const ForkJoinConstruct* scheduleOf(const ForkJoinSource& source, unsigned function) {
  const ForkJoinConstruct* found = nullptr;
  for (const ForkJoinConstruct& construct : source.constructs) {
    if (construct.kind != ForkJoinKind::Schedule || construct.function != function) continue;
    if (found || construct.nests.size() != 1) return nullptr;
    found = &construct;
  }
  return found;
}

/// The program with names for common subexpressions in the schedule of the function.
std::string named(const std::string& file, const std::string& text, unsigned function, int level) {
  const ForkJoinSource read = readForkJoin(file, text, ForkJoinLanguage::MetaFork, {});
  const ForkJoinConstruct* found = read.compiled ? scheduleOf(read, function) : nullptr;
  return found ? withNames(read, found->nests.front(), level) : text;
}

} // namespace

std::string metaforkText(const ForkJoinSource& source, const ForkJoinConstruct& schedule, const Nest& nest,
                         const NestForm& form) {
  if (schedule.nests.size() != 1)
    throw NestRefused(schedule.keyword, "a schedule of several nests is not written in other forms");
  const std::string& text = source.source;
  std::vector<Edit> edits;
  if (form.nest.cached != nest.cached)
    edits.push_back({schedule.keyword.begin, schedule.keyword.end,
                     form.nest.cached.empty()
                         ? schedule.name + " "
                         : fmt::format("{} cache({}) ", schedule.name, fmt::join(form.nest.cached, ", "))});
  if (form.isOne && nest.granularity) {
    const Granularity& granularity = *nest.granularity;
    const NestLoop &block = *nest.loop(granularity.block), &inner = *nest.loop(granularity.counter);
    const Nest one = nest.withGranularityOne();
    for (std::size_t k = 0; k < nest.values.size(); ++k) {
      const SourceRange& at = nest.values[k].at;
      const std::string was = text.substr(at.begin, at.end - at.begin);
      if (mentionsWord(was, granularity.block) || mentionsWord(was, granularity.counter))
        edits.push_back({at.begin, at.end, one.values[k].value.c()});
    }
    edits.push_back({inner.header.begin, inner.header.end, ""});
    std::string parts = granularity.block + "_parts";
    while (mentionsWord(text, parts))
      parts += "_";
    if (!schedule.inBlock)
      throw NestRefused(schedule.keyword,
                        "the schedule stands where no declaration can be put in front of it");
    edits.push_back({block.boundAt.begin, block.boundAt.end, parts});
    edits.push_back({schedule.statement.begin, schedule.statement.begin,
                     fmt::format("int {} = {} * {}; ", parts,
                                 text.substr(block.boundAt.begin, block.boundAt.end - block.boundAt.begin),
                                 granularity.size.text())});
  }
  std::string result = applied(text, std::move(edits));
  for (int level = 1; level <= form.named; ++level)
    result = named(source.file, result, schedule.function, level);
  return result;
}

std::string leafText(const ForkJoinSource& source, const ForkJoinConstruct& schedule, const Nest& nest,
                     const NestForm& form) {
  std::string text = metaforkText(source, schedule, nest, form);
  if (form.isHalved || form.isRolled || form.isBounded)
    text = fmt::format("/* Of its kernel, which the text does not say: {}. */\n", form.text()) + text;
  return text;
}

std::optional<Nest> namedNest(const ForkJoinSource& source, const ForkJoinConstruct& schedule,
                              const Nest& nest, const NestForm& form, int level) {
  if (schedule.nests.size() != 1) return std::nullopt;
  const std::string before = metaforkText(source, schedule, nest, form),
                    after = named(source.file, before, schedule.function, level);
  if (before == after) return std::nullopt;
  const ForkJoinSource read = readForkJoin(source.file, after, ForkJoinLanguage::MetaFork, {});
  const ForkJoinConstruct* found = scheduleOf(read, schedule.function);
  if (!found) return std::nullopt;
  Nest result = readNest(found->nests.front(), form.nest.cached);
  // Where a strategy has made the granularity 1, what is left of it is no loop over elements.
  if (!form.nest.granularity) result.granularity = std::nullopt;
  return result;
}

} // namespace warploom::cases
