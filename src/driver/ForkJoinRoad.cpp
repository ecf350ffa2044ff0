#include "driver/ForkJoinRoad.h"

#include "driver/Diagnostics.h"
#include "metafork/Rewriter.h"
#include "metafork/Translate.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace warploom {

namespace {

struct Edit {
  std::size_t begin, end;
  std::string text;
};

long linesIn(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

std::string textOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void show(const std::string& file, const std::string& text, const std::vector<ForkJoinProblem>& problems) {
  for (const ForkJoinProblem& problem : problems) {
    const std::string none;
    DiagnosticWriter writer(problem.file.empty() ? file : problem.file, problem.file.empty() ? text : none);
    writer.diagnostic(problem.at, problem.error ? "error" : "warning", problem.message);
    fmt::print(stderr, "{}", writer.text);
  }
}

/// What an expression of constants is.
std::optional<mpz_class> constant(const NestExpr& expr, const std::map<std::string, NestExpr>& definitions) {
  auto operand = [&](std::size_t k) { return constant(expr.operands[k], definitions); };
  switch (expr.op) {
  case NestExpr::Op::Number:
    return mpz_class(expr.value);
  case NestExpr::Op::Variable: {
    auto found = definitions.find(expr.name);
    return found == definitions.end() ? std::nullopt : constant(found->second, definitions);
  }
  case NestExpr::Op::Negate:
    if (auto a = operand(0)) return mpz_class(-*a);
    return std::nullopt;
  case NestExpr::Op::Add:
  case NestExpr::Op::Subtract:
  case NestExpr::Op::Multiply:
  case NestExpr::Op::Smaller: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    if (expr.op == NestExpr::Op::Smaller) return std::min(*a, *b);
    return expr.op == NestExpr::Op::Add        ? mpz_class(*a + *b)
           : expr.op == NestExpr::Op::Subtract ? mpz_class(*a - *b)
                                               : mpz_class(*a * *b);
  }
  default:
    if (expr.name == "/" && expr.isInteger && expr.operands.size() == 2) {
      const auto a = operand(0), b = operand(1);
      if (a && b && *b != 0) return mpz_class(*a / *b);
    }
    return std::nullopt;
  }
}

/// Sizes for what only the running program knows: what calls in the file say; else 128 threads, or 32 along
/// rows, and fewer where tiles would else take more than 32 KiB.
cases::Values usualSizes(const DeviceNest& from, const cases::Nest& nest, const cases::Values& likely) {
  std::vector<const cases::NestLoop*> threads;
  for (const cases::NestLoop& loop : nest.loops)
    if (loop.role == cases::NestLoop::Role::Thread) threads.push_back(&loop);
  static const std::vector<std::vector<long>> usual = {{128}, {8, 32}, {4, 4, 32}};
  cases::Values values;
  for (long part = 1; part <= 32; part *= 2) {
    values.clear();
    for (std::size_t k = 0; k < threads.size(); ++k)
      if (auto name = threads[k]->bound.asSymbol())
        values[*name] = std::max(1l, usual.at(threads.size() - 1)[k] / part);
    if (nest.granularity)
      if (auto name = nest.granularity->size.asSymbol()) values[*name] = 1;
    for (const auto& [name, value] : likely)
      values[name] = value;
    for (const cases::NestLoop& loop : nest.loops)
      for (const std::string& name : loop.bound.symbols()) {
        auto definition = from.definitions.find(name);
        if (definition == from.definitions.end() || definition->second.op != NestExpr::Op::Smaller) continue;
        const auto& of = definition->second.operands;
        if (values.count(of[0].name) && values.count(of[1].name))
          values.emplace(name, std::min(values[of[0].name], values[of[1].name]));
      }
    for (const cases::NestLoop& loop : nest.loops)
      if (loop.role == cases::NestLoop::Role::Inner)
        if (auto name = loop.bound.asSymbol()) values.emplace(*name, 16);
    try {
      if (nest.words().evaluate(values) <= 8192) break;
    } catch (const cases::NestRefused&) {
      break;
    }
  }
  return values;
}

} // namespace

std::optional<ForkJoinLanguage> forkJoinLanguageOf(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  if (extension == ".mf") return ForkJoinLanguage::MetaFork;
  if (extension != ".c") return std::nullopt;
  const std::string text = textOf(file);
  if (text.find("cilk_") == std::string::npos && text.find("meta_") == std::string::npos) return std::nullopt;
  const ForkJoinLanguage found = forkJoinLanguage(text);
  if (found == ForkJoinLanguage::MetaFork || found == ForkJoinLanguage::Cilk) return found;
  return std::nullopt;
}

std::optional<ForkJoinRoad> ForkJoinRoad::read(const std::string& file, ForkJoinLanguage language,
                                               const std::vector<std::string>& flags) {
  std::string text = textOf(file);
  if (language == ForkJoinLanguage::Cilk) {
    text = metafork::withoutHeaders(readForkJoin(file, text, language, flags));
    metafork::Translation made = metafork::translate(file, text, language, metafork::Target::MetaFork, flags);
    show(file, made.problemText, made.problems);
    if (!made.done) return std::nullopt;
    text = made.text;
  }
  ForkJoinSource source = readForkJoin(file, text, ForkJoinLanguage::MetaFork, flags);
  show(file, text, source.problems);
  if (!source.compiled) return std::nullopt;
  ForkJoinRoad road(std::move(source), flags);
  road.readNests();
  if (!road.write()) return std::nullopt;
  return road;
}

void ForkJoinRoad::readNests() {
  for (const ForkJoinConstruct& construct : source.constructs)
    for (const DeviceNest& from : construct.nests) {
      Nest nest;
      nest.from = &from;
      try {
        cases::Values known;
        const cases::Nest read = cases::readNest(from, construct.cached);
        for (const std::string& name : from.scalars)
          if (auto value = constant({NestExpr::Op::Variable, name, 0, {}, true, {}}, from.definitions))
            known[name] = *value;
        nest.form.nest = read.with(known);
        nest.loops = cases::detiled(source, from, nest.form.nest,
                                    nests.empty() ? "" : fmt::format("{}", nests.size() + 1));
        nest.first = nest.loops.parallel.front().name;
        for (const std::string& array : nest.loops.sums)
          if (std::find(construct.cached.begin(), construct.cached.end(), array) == construct.cached.end())
            nest.form.local.push_back(array);
        nest.kernel = fmt::format("{}_{}", source.functions[construct.function].name, from.loop.at.line);
        for (const Nest& other : nests)
          if (other.kernel == nest.kernel) nest.kernel += fmt::format("_{}", nests.size() + 1);
        cases::Values likely;
        for (const auto& [name, value] : from.likely)
          if (value > 0 && value <= 1 << 20) likely[name] = static_cast<long>(value);
        nest.sizes = usualSizes(from, nest.form.nest, likely);
        cases::Polynomial threads(1), product(1);
        for (const cases::Axis& axis : nest.loops.parallel) {
          threads = threads * *axis.tile.dividedBy(axis.items);
          product = product * axis.tile;
        }
        for (const cases::Axis& axis : nest.loops.serial)
          product = product * axis.tile;
        auto setOthers = [&] {
          for (const std::string& name : product.symbols()) {
            if (!likely.count(name)) nest.chosen.insert(name);
            nest.sizes.emplace(name, 16);
          }
        };
        setOthers();
        if (!likely.empty() && threads.evaluate(nest.sizes) > 1024) {
          likely.clear();
          nest.sizes = usualSizes(from, nest.form.nest, likely);
          setOthers();
        }
        if (threads.evaluate(nest.sizes) > 1024)
          nest.refused = fmt::format("{} threads are more than a block has on any device",
                                     threads.evaluate(nest.sizes).get_str());
        else if (threads.evaluate(nest.sizes) < 1)
          nest.refused = "its blocks have no threads";
      } catch (const cases::NestRefused& refused) {
        nest.refused = refused.what();
      }
      nests.push_back(std::move(nest));
    }
}

const ForkJoinRoad::Nest* ForkJoinRoad::nestOf(const DeviceNest& from) const {
  for (const Nest& nest : nests)
    if (nest.from == &from) return &nest;
  return nullptr;
}

/// The construct is written as a plain loop: nothing in it or around it but such loops.
bool ForkJoinRoad::isLoop(unsigned index) const {
  auto plain = [&](unsigned one) {
    const ForkJoinConstruct& construct = source.constructs[one];
    return construct.kind == ForkJoinKind::Loop && !onThreads.count(one) &&
           std::all_of(construct.reductions.begin(), construct.reductions.end(),
                       [](const ReductionText& reduction) { return reduction.combine.empty(); });
  };
  for (std::optional<unsigned> at = index; at; at = source.constructs[*at].parent)
    if (source.constructs[*at].kind != ForkJoinKind::Schedule && !plain(*at)) return false;
  const SourceRange& of = source.constructs[index].statement;
  for (unsigned k = 0; k < source.constructs.size(); ++k) {
    const SourceRange& inside = source.constructs[k].statement;
    if (of.begin <= inside.begin && inside.end <= of.end && !plain(k)) return false;
  }
  return true;
}

bool ForkJoinRoad::write() {
  std::vector<Edit> edits;
  auto original = [&](std::size_t begin, std::size_t end) {
    return source.source.substr(begin, end - begin);
  };
  auto replace = [&](std::size_t begin, std::size_t end, const std::string& text) {
    // Lines stay the user's.
    const long more = linesIn(original(begin, end)) - linesIn(text);
    edits.push_back({begin, end, text + std::string(static_cast<std::size_t>(std::max(0l, more)), '\n')});
  };
  std::vector<std::pair<std::size_t, std::size_t>> replaced;
  bool others = false;
  for (unsigned k = 0; k < source.constructs.size(); ++k) {
    const ForkJoinConstruct& construct = source.constructs[k];
    if (construct.kind == ForkJoinKind::Schedule) {
      std::string ends;
      for (const DeviceNest& from : construct.nests) {
        const Nest& nest = *nestOf(from);
        if (nest.loops.body.empty()) continue;
        std::string here, loops;
        for (const auto* axes : {&nest.loops.parallel, &nest.loops.serial})
          for (const cases::Axis& axis : *axes) {
            bool isInside = false; // a loop of the schedule around it counts
            for (const std::string& name : axis.end.symbols())
              isInside =
                  isInside || std::find(from.outer.begin(), from.outer.end(), name) != from.outer.end();
            (isInside ? here : ends) += fmt::format(" const int {}_end = {};", axis.name, axis.end.c());
            loops += fmt::format("for (int {0} = 0; {0} < {0}_end; {0}++) ", axis.name);
          }
        const long more = linesIn(original(from.loop.at.begin, from.loop.at.end)) - linesIn(nest.loops.body);
        replace(from.loop.at.begin, from.loop.at.end,
                fmt::format("{}{}{}{}{}", here.empty() ? "" : "{" + here + " ", loops,
                            std::string(static_cast<std::size_t>(std::max(0l, more)), '\n'), nest.loops.body,
                            here.empty() ? "" : " }"));
        replaced.emplace_back(from.loop.at.begin, from.loop.at.end);
      }
      replace(construct.keyword.begin, construct.keyword.end, "{" + ends + " ");
      edits.push_back({construct.statement.end, construct.statement.end, " }"});
    }
    if (construct.kind != ForkJoinKind::Loop) {
      others = others || construct.kind != ForkJoinKind::Schedule;
      continue;
    }
    const bool isReplaced = std::any_of(replaced.begin(), replaced.end(), [&](const auto& one) {
      return one.first <= construct.statement.begin && construct.statement.end <= one.second;
    });
    if (isReplaced) continue;
    if (!isLoop(k)) {
      others = true;
      continue;
    }
    const LoopText& loop = *construct.loop;
    replace(construct.keyword.begin, construct.keyword.end, "for");
    if (!loop.declaresCounter)
      replace(loop.header.begin, loop.header.end,
              fmt::format("{} = {}; {}; {}", metafork::declare(loop.counterType, loop.counter),
                          original(loop.start.begin, loop.start.end),
                          original(loop.condition.begin, loop.condition.end),
                          original(loop.step.begin, loop.step.end)));
    if (construct.grainLine.end) replace(construct.grainLine.begin, construct.grainLine.end, "");
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  c = source.source;
  for (const Edit& edit : edits)
    c.replace(edit.begin, edit.end - edit.begin, edit.text);
  hasTasks = others;
  if (!others) return true;
  metafork::Translation made =
      metafork::translate(source.file, c, ForkJoinLanguage::MetaFork, metafork::Target::Tasks, flags);
  show(source.file, made.problemText, made.problems);
  c = made.text;
  return made.done;
}

std::string ForkJoinRoad::recipe(const FileRegions& regions, int before) {
  std::map<const Region*, std::vector<Nest*>> sections;
  for (Nest& nest : nests) {
    nest.sectionLine = nest.firstLine = nest.lastLine = 0;
    if (!isAsked(nest)) continue;
    std::vector<const Region*> around; // no other loop has a counter of that name
    for (const Region& region : regions.regions)
      if (std::any_of(region.loops.begin(), region.loops.end(),
                      [&](const Loop& loop) { return loop.index == nest.first; }))
        around.push_back(&region);
    if (nest.depth >= around.size() && !nest.form.nest.cached.empty() && !nest.reason.empty()) {
      // With its arrays where they are, it is tried once more.
      nest.unstaged = "nothing of it is staged: " + nest.reason;
      nest.form = {nest.form.nest.uncached(), false, nest.form.isOne, {}};
      nest.depth = 0;
    }
    if (nest.depth >= around.size()) {
      nest.refused = nest.reason.empty() ? "no region holds it" : nest.reason;
      continue;
    }
    sections[around[nest.depth]].push_back(&nest);
  }
  std::string text;
  int line = before;
  auto add = [&](const std::string& more) {
    text += more;
    line += static_cast<int>(linesIn(more));
  };
  for (const auto& [region, of] : sections) {
    const int begins = line + 1;
    add(fmt::format("region(\"{}\", \"{}\")\n", region->name(),
                    std::filesystem::path(regions.file).filename().string()));
    for (Nest* nest : of) {
      nest->sectionLine = begins;
      nest->firstLine = line + 1;
      add(cases::recipe(nest->loops, nest->form, nest->kernel, true));
      nest->lastLine = line;
    }
  }
  return text;
}

bool ForkJoinRoad::giveUp(const RecipeError& refused) {
  bool isTheirs = false;
  for (Nest& nest : nests)
    if (nest.sectionLine && (refused.line == nest.sectionLine ||
                             (nest.firstLine <= refused.line && refused.line <= nest.lastLine))) {
      isTheirs = true;
      nest.reason = refused.message;
      // The lines that stage arrays are the last ones, and of these those for registers.
      auto& staged = nest.form.nest.cached;
      auto& local = nest.form.local;
      const int line = refused.line - (nest.lastLine - static_cast<int>(staged.size() + local.size())) - 1;
      if (line < 0 || refused.line == nest.sectionLine) {
        ++nest.depth;
        continue;
      }
      if (line >= static_cast<int>(staged.size())) {
        local.erase(local.begin() + (line - static_cast<int>(staged.size())));
        continue;
      }
      nest.unstaged += fmt::format("{}`{}` is not staged: {}", nest.unstaged.empty() ? "" : "; ",
                                   staged[static_cast<std::size_t>(line)], refused.message);
      staged.erase(staged.begin() + line);
    }
  return isTheirs;
}

bool ForkJoinRoad::putOnThreads(const std::vector<SourceRange>& kernels) {
  bool changed = false;
  for (unsigned k = 0; k < source.constructs.size(); ++k) {
    const ForkJoinConstruct& construct = source.constructs[k];
    if (construct.kind != ForkJoinKind::Loop || construct.parent || !isLoop(k)) continue;
    const bool isThere = std::any_of(kernels.begin(), kernels.end(), [&](const SourceRange& one) {
      return one.line <= construct.statement.line && construct.statement.line <= one.endLine;
    });
    if (!isThere) changed = onThreads.insert(k).second || changed;
  }
  return changed && write();
}

std::map<std::string, int> ForkJoinRoad::sizes() const {
  std::map<std::string, int> result;
  for (const Nest& nest : nests)
    if (isAsked(nest))
      for (const auto& [name, size] : cases::sizes(nest.loops, nest.form, nest.kernel))
        result[name] = static_cast<int>(mpz_class(size.evaluate(nest.sizes)).get_si());
  return result;
}

std::string ForkJoinRoad::remarks() const {
  std::string text;
  for (const Nest& nest : nests) {
    auto remark = [&](const std::string& what) {
      text += fmt::format("{}:{}: remark: {}\n", source.file, nest.from->loop.at.line, what);
    };
    if (!isAsked(nest)) {
      remark("the nest is mapped like any other: " + nest.refused);
      continue;
    }
    if (!nest.unstaged.empty()) remark(nest.unstaged);
    if (nest.chosen.empty()) continue;
    std::vector<std::string> sizes;
    for (const auto& [name, size] : cases::sizes(nest.loops, nest.form, nest.kernel))
      sizes.push_back(fmt::format("-DWARPLOOM_{}={}", name, size.evaluate(nest.sizes).get_str()));
    remark(fmt::format("{} known only when the program runs; the kernel {} has {}",
                       fmt::join(nest.chosen, ", "), nest.kernel, fmt::join(sizes, " ")));
  }
  return text;
}

} // namespace warploom
