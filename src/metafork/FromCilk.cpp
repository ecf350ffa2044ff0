#include "metafork/FromCilk.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

namespace {

/// The byte at `at` is in `range`.
bool encloses(const SourceRange& range, std::size_t at) {
  return range.begin <= at && at < range.end;
}

} // namespace

std::vector<ImpliedJoin> impliedJoins(const ForkJoinSource& file, const std::vector<bool>& forks,
                                      const std::vector<bool>& joins) {
  std::vector<ImpliedJoin> result;
  for (unsigned f = 0; f < file.functions.size(); ++f) {
    const FunctionText& function = file.functions[f];
    std::size_t first = std::string::npos;
    for (std::size_t k = 0; k < file.constructs.size(); ++k)
      if (file.constructs[k].function == f && forks[k])
        first = std::min(first, file.constructs[k].statement.begin);
    if (first == std::string::npos) continue;
    // A join that stands in the function's own block, after which nothing is forked, is enough.
    auto settled = [&](std::size_t at) {
      bool done = false;
      for (std::size_t k = 0; k < file.constructs.size(); ++k) {
        const ForkJoinConstruct& one = file.constructs[k];
        if (one.function != f || one.statement.begin >= at) continue;
        if (forks[k]) done = false;
        if (!joins[k]) continue;
        // Directly in the body: as many braces are open as in the function's own block.
        int depth = 0;
        for (std::size_t p = function.body.begin; p < one.statement.begin; ++p)
          depth += (file.source[p] == '{') - (file.source[p] == '}');
        if (depth == 1 && one.inBlock) done = true;
      }
      return done;
    };
    for (const ReturnText& exit : function.returns) {
      bool early = exit.range.begin < first && !exit.inLoop && !function.hasLabels;
      if (early || settled(exit.range.begin)) continue;
      if (exit.inBlock) {
        result.push_back({exit.range.begin, "meta_join; "});
      } else {
        result.push_back({exit.range.begin, "{ meta_join; "});
        result.push_back({exit.range.end, " }"});
      }
    }
    bool ends =
        !function.returns.empty() && function.returns.back().inBlock &&
        file.source.find_first_not_of(" \t\r\n", function.returns.back().range.end) == function.body.end - 1;
    if (!ends && !settled(function.body.end)) result.push_back({function.body.end - 1, "meta_join; "});
  }
  return result;
}

void FromCilk::prepare() {
  std::vector<bool> forks, joins;
  for (const ForkJoinConstruct& one : file.constructs) {
    forks.push_back(one.kind == ForkJoinKind::ForkCall || one.kind == ForkJoinKind::ForkBlock);
    joins.push_back(one.kind == ForkJoinKind::Join);
  }
  for (const ImpliedJoin& join : impliedJoins(file, forks, joins))
    insert(join.at, join.text);
  for (const LanguageText& text : file.languageTexts)
    insert(text.range.begin, "", text.range.end);
  checkReducers();
}

/// A reducer is translated where MetaFork can say the same: its views are those of loops.
void FromCilk::checkReducers() const {
  for (unsigned index = 0; index < file.variables.size(); ++index) {
    if (variable(index).combine.empty()) continue;
    for (const VariableUse& use : file.uses) {
      if (use.variable != index) continue;
      bool inLoop = false;
      for (const ForkJoinConstruct& one : file.constructs) {
        if (!encloses(one.statement, use.begin)) continue;
        if (one.kind == ForkJoinKind::Loop) inLoop = true;
        if ((one.kind == ForkJoinKind::ForkCall || one.kind == ForkJoinKind::ForkBlock) && !inLoop)
          throw Refusal(one.keyword, fmt::format("the reducer '{}' in a spawned call has no translation",
                                                 variable(index).name));
      }
    }
  }
}

std::string FromCilk::construct(unsigned index) {
  const ForkJoinConstruct& one = file.constructs[index];
  switch (one.kind) {
  case ForkJoinKind::Join:
    return "meta_join" + render(one.keyword.end, one.statement.end);
  case ForkJoinKind::ForkCall:
    return render(one.statement.begin, one.keyword.begin) + "meta_fork " +
           render(one.call->call.begin, one.statement.end);
  case ForkJoinKind::ForkBlock: {
    // A spawned statement sees its parent's own variables.
    std::vector<std::string> shared;
    for (unsigned used : captured(one.body))
      if (!variable(used).isArray && !variable(used).isStatic &&
          changedIn(used, file.functions[one.function].body))
        shared.push_back(variable(used).name);
    return "meta_fork " + (shared.empty() ? "" : fmt::format("shared({}) ", fmt::join(shared, ", "))) +
           render(one.body);
  }
  case ForkJoinKind::Loop: {
    std::string head = one.grainLine.end
                           ? fmt::format("#pragma meta grainsize = {}{}{}", render(one.grainsize), eol,
                                         indentation(one.keyword.begin))
                           : "";
    head += "meta_for";
    for (unsigned used : captured(one.body)) {
      const LocalVariable& reducer = variable(used);
      if (reducer.combine.empty()) continue;
      head += fmt::format(" reduction({}, {}: {})", reducer.identity, reducer.combine, reducer.name);
    }
    return head + render(one.keyword.end, one.statement.end);
  }
  case ForkJoinKind::Scope:
    return render(one.body.begin, one.body.end - 1) + "meta_join; }";
  default:
    return render(one.statement);
  }
}

} // namespace warploom::metafork
