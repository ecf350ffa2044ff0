#include "driver/CaseProgram.h"

#include "driver/Toolchain.h"
#include "driver/Translate.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace warploom {

namespace fs = std::filesystem;

cases::DispatchedNest CaseProgram::nestOf(const CaseNest& nest, const std::string& suffix) const {
  cases::DispatchedNest result;
  result.from = nest.from;
  result.name = nest.name;
  result.limits = nest.limits;
  result.tree = &nest.tree;
  result.nest = cases::detiled(source, *nest.from, nest.read, suffix);
  std::set<std::string> needed;
  for (const auto* axes : {&result.nest.parallel, &result.nest.serial})
    for (const cases::Axis& axis : *axes) {
      needed.merge(axis.tile.symbols());
      needed.merge(axis.items.symbols());
    }
  for (const cases::Values& given : sizes) {
    cases::Values values;
    for (const std::string& name : needed) {
      if (auto found = given.find(name); found != given.end()) {
        values[name] = found->second;
        continue;
      }
      // The smaller one of two sizes that are given.
      auto definition = nest.from->definitions.find(name);
      if (definition != nest.from->definitions.end() && definition->second.op == NestExpr::Op::Smaller) {
        std::vector<mpz_class> of;
        for (const NestExpr& operand : definition->second.operands)
          if (auto found = given.find(operand.name); found != given.end()) of.push_back(found->second);
        if (of.size() == 2) {
          values[name] = std::min(of[0], of[1]);
          continue;
        }
      }
      throw cases::NestRefused(nest.from->loop.at, fmt::format("--sizes does not say what '{}' is", name));
    }
    result.sizes.push_back(values);
  }
  return result;
}

std::vector<cases::DispatchedSchedule> CaseProgram::schedulesOf(const std::vector<CaseNest>& nests) const {
  std::vector<cases::DispatchedSchedule> result;
  for (const CaseNest& nest : nests) {
    if (result.empty() || result.back().schedule != nest.schedule)
      result.push_back({nest.schedule, {}, {}, nest.name});
    auto& of = result.back().nests;
    of.push_back(nestOf(nest, of.empty() ? "" : fmt::format("{}", of.size() + 1)));
  }
  for (cases::DispatchedSchedule& schedule : result) {
    std::vector<const cases::CaseTree*> trees;
    for (const cases::DispatchedNest& nest : schedule.nests)
      trees.push_back(nest.tree);
    if (trees.size() > 1) {
      schedule.cases = cases::joint(trees).cases;
      continue;
    }
    for (std::size_t k = 0; k < trees.front()->cases.size(); ++k)
      schedule.cases.push_back({{k}, trees.front()->cases[k].conditions});
  }
  return result;
}

std::optional<CaseProgram::Made> CaseProgram::made(const std::vector<cases::DispatchedSchedule>& schedules,
                                                   bool isQuiet) const {
  Made result;
  result.program = cases::dispatched(source, schedules);
  TemporaryFolder folder;
  const fs::path c = folder.path / "program.c", recipe = folder.path / "program.lua";
  writeFiles({{c, result.program.c}});
  TranslateOptions options;
  options.frontend.files = {c.string()};
  options.frontend.compilerFlags = flags;
  options.frontend.compilerFlags.insert(options.frontend.compilerFlags.end(),
                                        {"-iquote", fs::absolute(source.file).parent_path().string()});
  options.frontend.quiet = isQuiet;
  const std::vector<FileRegions> read = readFiles(options.frontend);
  if (read.empty() || !read.front().compiled) return std::nullopt;
  // The kernels of one region are in one section.
  std::map<const Region*, std::string> sections;
  for (const cases::DispatchedKernel& kernel : result.program.kernels) {
    auto isIts = [&](const Region& region) {
      return kernel.firstLine <= long(region.range.line) && long(region.range.line) < kernel.endLine &&
             std::any_of(
                 region.loops.begin(), region.loops.end(),
                 [&](const Loop& loop) { return loop.index == kernel.loop; });
    };
    const auto& regions = read.front().regions;
    const auto region = std::find_if(regions.begin(), regions.end(), isIts);
    if (region == regions.end()) return std::nullopt;
    std::string& section = sections[&*region];
    if (section.empty()) section = fmt::format("-- {}\nregion(\"{}\")\n", kernel.text, region->name());
    section += kernel.commands;
  }
  for (const auto& [region, section] : sections)
    result.recipe += section + "\n";
  writeFiles({{recipe, result.recipe}});
  options.recipe = recipe.string();
  options.tunablesPerKernel = true;
  options.sizes = result.program.sizes;
  options.quiet = true;
  if (isQuiet)
    for (const cases::DispatchedSchedule& one : schedules)
      options.onlyFunctions.insert(source.functions[one.schedule->function].name);
  auto files = translate(options);
  if (!files || files->empty()) return std::nullopt;
  result.cuda = files->front().cuda;
  result.host = files->front().host;
  result.name = c.string();
  return result;
}

unsigned CaseProgram::registers(const CaseNest& nest, const cases::NestForm& form) const {
  auto nvcc = findNvcc();
  if (!nvcc) throw ToolchainError("--registers ptxas needs nvcc");
  cases::CaseTree alone;
  alone.discussion.counters = {};
  alone.cases.push_back(
      {std::make_shared<cases::NestCode>(form, cases::estimatedRegisters), {cases::System()}, {}});
  cases::DispatchedSchedule one{nest.schedule, {nestOf(nest)}, {{{0}, {cases::System()}}}, nest.name};
  one.nests.front().tree = &alone;
  one.nests.front().sizes.resize(1);
  // All other nests are loops.
  std::vector<cases::DispatchedSchedule> all;
  for (const ForkJoinConstruct& construct : source.constructs) {
    if (construct.kind != ForkJoinKind::Schedule) continue;
    cases::DispatchedSchedule other{&construct, {}, {}, fmt::format("plain_{}", construct.keyword.line)};
    cases::DispatchedSchedule& to = &construct == nest.schedule ? one : other;
    for (const DeviceNest& from : construct.nests) {
      if (&from == nest.from) continue;
      const std::string suffix = fmt::format("{}", to.nests.size() + 1);
      to.nests.push_back({&from,
                          cases::detiled(source, from, cases::readNest(from, {}), suffix),
                          &alone,
                          nest.name,
                          {{}},
                          nest.limits,
                          {0}});
      if (&to == &one) one.cases.front().of.push_back(0);
    }
    all.push_back(to);
  }
  auto program = made(all, true);
  if (!program)
    throw cases::NestRefused(nest.from->loop.at,
                             "there is no kernel whose registers could be counted: " + form.text());
  TemporaryFolder folder;
  const fs::path cuda = folder.path / "kernels.cu", cubin = folder.path / "kernels.cubin";
  writeFiles({{cuda, program->cuda}});
  const ProcessEnd end = runProcess({*nvcc, "-std=c++17", "-arch=sm_80", "-Xptxas", "-v", "-cubin", "-I",
                                     runtimeFolder().string(), cuda.string(), "-o", cubin.string()},
                                    Capture::Output);
  if (!end.ok()) throw ToolchainError("nvcc does not compile the kernels of a case:\n" + end.output);
  // "Compiling entry function '_Z...product_8_kernel1...'", then "Used 32 registers".
  static const std::regex used(R"(Used (\d+) registers)");
  unsigned most = 0;
  bool isIts = false;
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("Compiling entry function") != std::string::npos)
      isIts = line.find(nest.name + "_kernel1") != std::string::npos;
    std::smatch match;
    if (isIts && std::regex_search(line, match, used))
      most = std::max(most, static_cast<unsigned>(std::stoul(match[1])));
  }
  if (!most) throw ToolchainError("ptxas does not say how many registers a kernel has");
  return most;
}

std::vector<OutputFile> CaseProgram::files(const std::vector<CaseNest>& nests, const fs::path& base) const {
  std::vector<cases::DispatchedSchedule> all = schedulesOf(nests);
  for (cases::DispatchedSchedule& schedule : all)
    for (std::size_t n = 0; n < schedule.nests.size(); ++n)
      for (std::size_t k = 0; k < schedule.nests[n].tree->cases.size(); ++k) {
        // Alone, with one of the sizes, beside nests without kernels of their own.
        std::vector<cases::DispatchedSchedule> trial = all;
        for (cases::DispatchedSchedule& other : trial)
          other.cases.clear();
        cases::DispatchedSchedule& alone = trial[static_cast<std::size_t>(&schedule - all.data())];
        alone.cases = {{std::vector<std::size_t>(schedule.nests.size(), 0), {cases::System()}}};
        alone.cases.front().of[n] = k;
        for (std::size_t other = 0; other < alone.nests.size(); ++other) {
          alone.nests[other].sizes.resize(1);
          alone.nests[other].left.clear();
          if (other != n) alone.nests[other].left.insert(0);
        }
        if (made(trial, true)) continue;
        schedule.nests[n].left.insert(k);
        fmt::print(stderr, "{}:{}: warning: case {} has no kernel: its recipe is refused\n", source.file,
                   schedule.nests[n].from->loop.at.line, k + 1);
      }
  auto program = made(all, false);
  if (!program) throw cases::NestRefused(nests.front().from->loop.at, "no program can be made of its cases");
  std::vector<std::string> macros;
  for (const auto& [name, value] : program->program.sizes)
    macros.push_back(fmt::format("-DWARPLOOM_{}={}", name, value));
  auto named = [&](const char* ending) { return fs::path(base.string() + ending); };
  // They speak of the file that is there afterwards.
  auto renamed = [&](std::string text) {
    const std::string name = named(".c").filename().string();
    for (std::size_t at = 0; (at = text.find(program->name, at)) != std::string::npos; at += name.size())
      text.replace(at, program->name.size(), name);
    return text;
  };
  return {{named(".c"), program->program.c},
          {named(".lua"), program->recipe},
          {named(".cu"), renamed(program->cuda)},
          {named(".host.c"), renamed(program->host)},
          {named(".flags"), fmt::format("{}\n", fmt::join(macros, " "))}};
}

} // namespace warploom
