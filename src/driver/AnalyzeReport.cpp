#include "driver/AnalyzeReport.h"

#include "driver/Diagnostics.h"

#include <fmt/format.h>

namespace warploom {

namespace {

std::string verdictSentence(const Loop& loop, const LoopVerdict& facts) {
  std::string name = loop.index.empty() ? "this loop" : "loop '" + loop.index + "'";
  switch (facts.verdict) {
  case Verdict::Parallel:
    return fmt::format("{} is parallel{}{}", name, facts.reason.empty() ? "" : ": ", facts.reason);
  case Verdict::Reduction:
    return fmt::format("{} is a reduction: it {}", name, facts.reason);
  case Verdict::Conditional:
    return fmt::format("{} is {}", name, facts.reason);
  case Verdict::Carried:
    return fmt::format("{} is not parallel, but {} iterations at a time can be: {}", name, facts.minDistance,
                       facts.reason);
  case Verdict::Sequential:
    return fmt::format("{} is not parallel: {}", name, facts.reason);
  case Verdict::Unknown:
    return fmt::format("{} may not be parallel: {}", name, facts.reason);
  }
  return {};
}

void noteEnds(DiagnosticWriter& writer, const Region& region, const Dependence& dependence) {
  const Access &source = dependence.source.in(region), &sink = dependence.sink.in(region);
  const char* does = source.writes() ? "written" : "read";
  const char* later = sink.writes() ? "written" : "read";
  writer.diagnostic(source.range, "note", fmt::format("`{}` is {} here", source.text, does));
  std::string end = dependence.source == dependence.sink
                        ? "and again in a later iteration"
                        : fmt::format("and `{}` is {} here, in a later iteration", sink.text, later);
  writer.diagnostic(sink.range, "note", end);
}

} // namespace

std::string regionReport(const Region& region, const Facts& facts, const std::string& source) {
  DiagnosticWriter writer(region.file, source);
  for (const Remark& remark : region.remarks)
    writer.diagnostic(remark.range, "remark", remark.text);
  for (std::size_t k = 0; k < region.loops.size(); ++k) {
    const LoopVerdict& loop = facts.loops[k];
    writer.diagnostic(region.loops[k].header.valid() ? region.loops[k].header : region.loops[k].range,
                      loop.race ? "warning" : "remark", verdictSentence(region.loops[k], loop));
    std::string privates;
    for (int array : loop.privateArrays)
      if (region.arrays[array].storage != Array::Storage::Predicate && region.arrays[array].declaredIn < 0)
        privates += (privates.empty() ? "`" : ", `") + region.arrays[array].name + "`";
    if (!privates.empty())
      writer.text += fmt::format("{}:{}:{}: note: each iteration needs its own {}\n", region.file,
                                 region.loops[k].range.line, region.loops[k].range.column, privates);
    if (loop.deciding >= 0) noteEnds(writer, region, facts.dependences.all[loop.deciding]);
  }
  return writer.text;
}

std::string answerText(DependenceAnswer answer, DependenceTest test, bool isExact) {
  if (answer == DependenceAnswer::None) return "never meet";
  if (answer == DependenceAnswer::SameIteration) return "meet in the same iteration only";
  return test == DependenceTest::Exact && isExact ? "meet in different iterations" : "may meet";
}

std::string testReport(const Region& region, DependenceTest test, const std::string& source) {
  static const char* const names[] = {"gcd", "banerjee", "exact"};
  DiagnosticWriter writer(region.file, source);
  for (const ReferencePair& pair : testedPairs(region, test)) {
    const Access &first = pair.first.in(region), &second = pair.second.in(region);
    std::string text =
        fmt::format("{}: `{}` and `{}` at line {} {}", names[static_cast<int>(test)], first.text, second.text,
                    second.range.line, answerText(pair.answer, test, first.exact && second.exact));
    for (std::size_t d = 0; d < pair.equations.size() && test != DependenceTest::Exact; ++d)
      text +=
          fmt::format("{}subscript {}: {}", d == 0 ? ": " : "; ", d + 1,
                      pair.equations[d] ? explained(region, *pair.equations[d], test) : "not a known sum");
    writer.diagnostic(first.range, "remark", text);
  }
  return writer.text;
}

} // namespace warploom
