#include "cases/LeafText.h"

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

} // namespace

std::string metaforkText(const ForkJoinSource& source, const ForkJoinConstruct& schedule, const Nest& nest,
                         const NestForm& form) {
  if (schedule.nests.size() != 1)
    throw NestRefused(schedule.keyword, "a schedule of several nests is not written in other forms");
  const std::string& text = source.source;
  std::vector<Edit> edits;
  if (!form.isCached) edits.push_back({schedule.keyword.begin, schedule.keyword.end, schedule.name + " "});
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
                                 granularity.size)});
  }
  return applied(text, std::move(edits));
}

} // namespace warploom::cases
