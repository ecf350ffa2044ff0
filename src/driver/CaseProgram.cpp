#include "driver/CaseProgram.h"

#include "driver/Toolchain.h"
#include "driver/Translate.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace warploom {

namespace fs = std::filesystem;

cases::DispatchedNest CaseProgram::nestOf(const CaseNest& nest) const {
  cases::DispatchedNest result;
  result.schedule = nest.schedule;
  result.from = nest.from;
  result.name = nest.name;
  result.limits = nest.limits;
  result.nest = cases::detiled(source, *nest.from, nest.read);
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

std::optional<CaseProgram::Made> CaseProgram::made(const std::vector<cases::DispatchedNest>& nests,
                                                   bool isQuiet) const {
  Made result;
  result.program = cases::dispatched(source, nests);
  TemporaryFolder folder;
  const fs::path c = folder.path / "program.c", recipe = folder.path / "program.lua";
  writeFiles({{c, result.program.c}, {recipe, result.program.recipe}});
  TranslateOptions options;
  options.frontend.files = {c.string()};
  options.frontend.compilerFlags = flags;
  options.frontend.compilerFlags.insert(options.frontend.compilerFlags.end(),
                                        {"-iquote", fs::absolute(source.file).parent_path().string()});
  options.recipe = recipe.string();
  options.tunablesPerKernel = true;
  options.quiet = true;
  if (isQuiet)
    for (const cases::DispatchedNest& nest : nests)
      options.onlyFunctions.insert(source.functions[nest.schedule->function].name);
  auto files = translate(options);
  if (!files || files->empty()) return std::nullopt;
  std::string macros;
  for (const auto& [macro, value] : result.program.macros)
    macros += fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", macro, value);
  result.cuda = files->front().cuda;
  const std::string include = "#include \"warploom.h\"\n";
  if (std::size_t at = result.cuda.find(include); at != std::string::npos)
    result.cuda.insert(at, "// Sizes of the kernels of cases.\n" + macros);
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
  cases::DispatchedNest one = nestOf(nest);
  one.tree = &alone;
  one.sizes.resize(1);
  auto program = made({one}, true);
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
  std::vector<cases::DispatchedNest> all;
  for (const CaseNest& nest : nests) {
    cases::DispatchedNest whole = nestOf(nest);
    whole.tree = &nest.tree;
    for (std::size_t k = 0; k < nest.tree.cases.size(); ++k) {
      cases::DispatchedNest alone = whole;
      alone.sizes.resize(1);
      for (std::size_t other = 0; other < nest.tree.cases.size(); ++other)
        if (other != k) alone.left.insert(other);
      if (made({alone}, true)) continue;
      whole.left.insert(k);
      fmt::print(stderr, "{}:{}: warning: case {} has no kernel: its recipe is refused\n", source.file,
                 nest.from->loop.at.line, k + 1);
    }
    all.push_back(std::move(whole));
  }
  auto program = made(all, false);
  if (!program) throw cases::NestRefused(nests.front().from->loop.at, "no program can be made of its cases");
  std::vector<std::string> macros;
  for (const auto& [macro, value] : program->program.macros)
    macros.push_back(fmt::format("-D{}={}", macro, value));
  auto named = [&](const char* ending) { return fs::path(base.string() + ending); };
  // They speak of the file that is there afterwards.
  auto renamed = [&](std::string text) {
    const std::string name = named(".c").filename().string();
    for (std::size_t at = 0; (at = text.find(program->name, at)) != std::string::npos; at += name.size())
      text.replace(at, program->name.size(), name);
    return text;
  };
  return {{named(".c"), program->program.c},
          {named(".lua"), program->program.recipe},
          {named(".cu"), renamed(program->cuda)},
          {named(".host.c"), renamed(program->host)},
          {named(".flags"), fmt::format("{}\n", fmt::join(macros, " "))}};
}

} // namespace warploom
