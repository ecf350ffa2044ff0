#include "metafork/Translate.h"

#include "metafork/FromCilk.h"
#include "metafork/FromOpenMP.h"
#include "metafork/ToOpenMP.h"
#include "metafork/ToSerial.h"
#include "metafork/ToTasks.h"

namespace warploom::metafork {

namespace {

/// The text that `rewriter` makes; a construct without a translation is a problem.
bool rewrite(Rewriter&& rewriter, Translation& result) {
  try {
    result.text = rewriter.rewrite();
    return true;
  } catch (const Refusal& refusal) {
    result.problems.push_back({"", refusal.at, true, refusal.what()});
    return false;
  }
}

bool rewriteTo(const ForkJoinSource& source, Target to, Translation& result) {
  switch (to) {
  case Target::OpenMP:
    return rewrite(ToOpenMP(source), result);
  case Target::Cilk:
    return rewrite(ToSerial(source, true), result);
  case Target::C:
    return rewrite(ToSerial(source, false), result);
  case Target::Tasks:
    return rewrite(ToTasks(source), result);
  default:
    return true;
  }
}

} // namespace

std::string withoutHeaders(const ForkJoinSource& source) {
  std::string text = source.source;
  for (auto piece = source.languageTexts.rbegin(); piece != source.languageTexts.rend(); ++piece)
    if (piece->include) text.replace(piece->range.begin, piece->range.end - piece->range.begin, "\n");
  return text;
}

Translation translate(const std::string& file, const std::string& source,
                      std::optional<ForkJoinLanguage> from, Target to,
                      const std::vector<std::string>& flags) {
  Translation result;
  ForkJoinSource read = readForkJoin(file, source, from, flags);
  result.from = read.language;
  result.problems = read.problems;
  result.problemText = result.text = source;
  if (!read.compiled) return result;
  if (read.language == ForkJoinLanguage::OpenMP && !rewrite(FromOpenMP(read), result)) return result;
  if (read.language == ForkJoinLanguage::Cilk && !rewrite(FromCilk(read), result)) return result;
  if (to != Target::MetaFork && read.language != ForkJoinLanguage::C) {
    ForkJoinSource pivot = read.language == ForkJoinLanguage::MetaFork
                               ? std::move(read)
                               : readForkJoin(file, result.text, ForkJoinLanguage::MetaFork, flags);
    result.intermediate = result.from != ForkJoinLanguage::MetaFork;
    result.problemText = pivot.source;
    if (!pivot.compiled) {
      result.problems = pivot.problems;
      return result;
    }
    if (!rewriteTo(pivot, to, result)) return result;
  }
  result.done = true;
  return result;
}

} // namespace warploom::metafork
