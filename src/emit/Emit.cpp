#include "emit/Emit.h"

#include "emit/KernelText.h"
#include "emit/Launcher.h"
#include "emit/Refused.h"
#include "support/Attempt.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace warploom {

namespace {

/// Elementary isl operations that the text of one region may take.
constexpr unsigned long emissionLimit = 40'000'000;

/// `ofFile`: its sizes have no prefix of a kernel.
void writeRule(const SizeRule& rule, bool ofFile, TextWriter& out) {
  out.line("static_assert({} {}, \"{}\");", ofFile ? renamed(rule.expression, constantName) : rule.expression,
           rule.isZero ? "== 0" : fmt::format("<= {}", rule.most), rule.why);
}

/// True when `rule` is one of sizes of tiles.
bool concernsTiles(const SizeRule& rule, const SizeTable& table) {
  bool found = false;
  renamed(rule.expression, [&](const std::string& name) {
    found = found || table.isOfTiles(name);
    return name;
  });
  return found;
}

/// A set of sizes that tiles have.
struct TileSet {
  const char *name, *comment;
  bool few = false, turned = false;
};

/// The one of the sizes `open` whose value `size` has in tiles that are turned round.
std::string turned(const Tunable& size, const OpenSizes& open) {
  return std::any_of(open.tunables.begin(), open.tunables.end(),
                     [&](const Tunable& other) { return other.name == size.turned; })
             ? size.turned
             : size.name;
}

/// Writes the sets of sizes that tiles have.
void writeTiles(const OpenSizes& open, const SizeTable& table, bool turns, TextWriter& out) {
  std::vector<TileSet> sets = {
      {"Many", "Of tiles that give all multiprocessors work."},
      {"Few", "Of tiles so few that larger ones would leave multiprocessors without work.", true}};
  if (turns)
    sets.push_back({"Turned",
                    "Of results so narrow that tiles fit better when rows and columns change places.", false,
                    true});
  for (const bool few : {false, true}) {
    const std::string prefix = few ? "FEW_" : "";
    for (const Tunable& tunable : open.tunables) {
      if (tunable.few == 0) continue;
      out.line("#ifndef WARPLOOM_{}{}", prefix, tunable.name);
      out.line("#define WARPLOOM_{}{} {}", prefix, tunable.name, few ? tunable.few : tunable.usual);
      out.line("#endif");
    }
  }
  for (const TileSet& set : sets) {
    out.comment(set.comment);
    out.open("struct {}Tiles", set.name);
    for (const Tunable& tunable : open.tunables)
      if (tunable.few > 0)
        out.line("static constexpr int {} = WARPLOOM_{}{};", tunable.name, set.few ? "FEW_" : "",
                 set.turned ? turned(tunable, open) : tunable.name);
    for (const DerivedSize& size : open.derived)
      if (table.isOfTiles(size.name)) out.line("static constexpr int {} = {};", size.name, size.expression);
    for (const SizeRule& rule : open.rules)
      if (concernsTiles(rule, table)) writeRule(rule, true, out);
    out.close(";");
  }
}

/// Writes the sets of sizes that a kernel has, each a struct with where it was found.
void writeVariants(const KernelSizes& kernel, const SizeTable& table, TextWriter& out) {
  if (kernel.variants.variants.empty()) return;
  out.comment(fmt::format(
      "Sizes of {}: its launcher takes those that were found nearest to the problem, by {}.",
      kernel.prefix.substr(0, kernel.prefix.size() - 1), fmt::join(kernel.variants.problem, ", ")));
  const OpenSizes open = openSizes("", kernel.names, {kernel.threads}, table);
  for (std::size_t k = 0; k < kernel.variants.variants.size(); ++k) {
    const SizeVariants::Variant& variant = kernel.variants.variants[k];
    out.open("struct {}", variantName(kernel.prefix, k));
    for (const Tunable& tunable : open.tunables)
      out.line("static constexpr int {} = {};", constantName(tunable.name), variant.sizes.at(tunable.name));
    for (const DerivedSize& size : open.derived)
      out.line("static constexpr int {} = {};", size.name, size.expression);
    for (const SizeRule& rule : open.rules)
      writeRule(rule, true, out);
    std::vector<std::string> problems;
    for (const std::vector<long>& problem : variant.at)
      problems.push_back(fmt::format("{{{}}}", fmt::join(problem, ", ")));
    out.line("static constexpr long at[][{}] = {{{}}};", kernel.variants.problem.size(),
             fmt::join(problems, ", "));
    out.close(";");
  }
}

/// Writes the definitions of the sizes that kernels leave open, and what must hold between them. Those of a
/// kernel are those of the file where nothing else is said.
void writeSizes(const GeneratedProgram& program, const EmitOptions& options, const SizeTable& table,
                TextWriter& out) {
  std::map<std::string, std::set<std::string>> names, threads; // by prefix
  std::set<std::string> ofFile, ofKernels;                     // all, and of kernels that have their own
  std::map<std::string, int> given;
  bool hasLanes = false;
  for (const GeneratedRegion& region : program.regions) {
    if (options.sizesOf) given.merge(options.sizesOf(region));
    for (const KernelSizes& kernel : region.kernels) {
      if (!kernel.variants.variants.empty()) {
        hasLanes = hasLanes || kernel.names.count(sizeName::lanes);
        continue;
      }
      names[kernel.prefix].insert(kernel.names.begin(), kernel.names.end());
      threads[kernel.prefix].insert(kernel.threads);
      ofFile.insert(kernel.names.begin(), kernel.names.end());
      if (!kernel.prefix.empty()) ofKernels.merge(namesOf(openSizes("", kernel.names, {}, table)));
    }
  }
  auto define = [&](const std::string& name, const std::string& constant, const std::string& value,
                    const char* kind = "") {
    out.line("#ifndef WARPLOOM_{}", name);
    out.line("#define WARPLOOM_{} {}", name, value);
    out.line("#endif");
    out.line("{}constexpr int {} = WARPLOOM_{};", kind, constant, name);
  };
  // Where kernels have their own, the file's are what these are as long as nothing else is said.
  const char* const kind = names.count("") ? "" : "[[maybe_unused]] ";
  if (hasLanes || ofFile.count(sizeName::lanes))
    out.line("constexpr int {} = 32; // of a warp", sizeName::lanes);
  const bool hasTiles =
      names.count("") && std::any_of(names[""].begin(), names[""].end(),
                                     [&](const std::string& name) { return table.isOfTiles(name); });
  for (const Tunable& tunable : openSizes("", ofFile, {}, table).tunables)
    if (!hasTiles || tunable.few == 0 || ofKernels.count(tunable.name))
      define(tunable.name, constantName(tunable.name), std::to_string(tunable.usual), kind);
  const bool turns = std::any_of(program.regions.begin(), program.regions.end(),
                                 [](const GeneratedRegion& region) { return region.turnsTiles; });
  if (hasTiles) writeTiles(openSizes("", names[""], threads[""], table), table, turns, out);
  for (const auto& [prefix, own] : names) {
    const OpenSizes open = openSizes(prefix, own, threads[prefix], table);
    if (!prefix.empty())
      for (const Tunable& tunable : open.tunables)
        define(tunable.name, tunable.name,
               given.count(tunable.name) ? std::to_string(given.at(tunable.name))
                                         : constantName(tunable.name.substr(prefix.size())));
    for (const DerivedSize& size : open.derived)
      if (!prefix.empty() || !table.isOfTiles(size.name))
        out.line("constexpr int {} = {};", size.name, size.expression);
    for (const SizeRule& rule : open.rules)
      if (!prefix.empty() || !concernsTiles(rule, table)) writeRule(rule, prefix.empty(), out);
  }
}

/// The head of the file: what it is, and the tunables that its regions use.
std::string headFor(const GeneratedProgram& program, const EmitOptions& options,
                    const SizeTable& sizesOfFile) {
  TextWriter out;
  out.comment(
      fmt::format("Made by Warploom from {}: kernels, and for each region of the source a launcher that "
                  "returns 1 when it has done the region's work and 0 when the original loops must run.",
                  options.source));
  if (!options.header.empty()) out.line("#include \"{}\"", options.header);
  out.line("#include \"warploom.h\"");
  if (options.notesRounding) out.line("#include \"warploom_rounding.h\"");
  if (std::any_of(program.regions.begin(), program.regions.end(),
                  [](const GeneratedRegion& region) { return region.callsLibrary; }))
    out.line("#include \"warploom_library.h\"");
  out.line();
  TextWriter sizes, sets;
  writeSizes(program, options, sizesOfFile, sizes);
  for (const GeneratedRegion& region : program.regions)
    for (const KernelSizes& kernel : region.kernels)
      writeVariants(kernel, sizesOfFile, sets);
  if (sets.text().empty() || !sizes.text().empty())
    out.comment("Sizes of blocks and tiles. May be set when compiling, e.g. -DWARPLOOM_BLOCK_X=64.");
  out.lines(sizes.text());
  out.lines(sets.text());
  out.line();
  return out.text();
}

} // namespace

ProgramWriter::ProgramWriter(const EmitOptions& options) : options(options) {}

bool ProgramWriter::covers(const Region& source) const {
  return std::any_of(program.regions.begin(), program.regions.end(), [&](const GeneratedRegion& other) {
    return other.refused.empty() && other.region->range.begin <= source.range.begin &&
           source.range.end <= other.region->range.end;
  });
}

std::string ProgramWriter::launcherOf(const Region& region) {
  const bool named = options.unit.empty() || options.unit == region.function;
  const std::string wish =
      fmt::format("warploom_{}{}_{}", named ? "" : options.unit + "_", region.function, region.range.line);
  std::string launcher = wish;
  for (int k = 2; !taken.insert(launcher).second; ++k)
    launcher = fmt::format("{}_{}", wish, k);
  return launcher;
}

void ProgramWriter::add(const Region& source, const Region& region, const Facts& facts,
                        const RegionPlan& plan) {
  GeneratedRegion generated;
  generated.region = &source;
  generated.notesRounding = options.notesRounding;
  generated.tellsSizes = options.tellsSizes;
  generated.refused = plan.refused;
  generated.refusedAt = plan.refusedAt;
  generated.isFault = plan.isFault;
  if (plan.refused.empty()) write(region, facts, plan, generated);
  if (!generated.refused.empty() && !generated.refusedAt.valid()) generated.refusedAt = region.range;
  program.regions.push_back(std::move(generated));
}

std::optional<std::string> ProgramWriter::addSizes(const SizeTable& ofRegion,
                                                   const std::vector<KernelSizes>& kernels) {
  std::set<std::string> names;
  for (const KernelSizes& kernel : kernels)
    names.insert(kernel.names.begin(), kernel.names.end());
  for (const std::string& name : names)
    if (sizes.declarationOf(name) && !ofRegion.declarationOf(name)) return name;
  SizeTable together = sizes;
  for (const SizeDeclaration& size : ofRegion.declared) {
    const SizeDeclaration* known = sizes.declarationOf(size.name);
    if (known && *known == size) continue;
    if (known || usedSizes.count(size.name) || together.declare(size)) return size.name;
  }
  sizes = std::move(together);
  usedSizes.merge(names);
  return std::nullopt;
}

void ProgramWriter::write(const Region& region, const Facts& facts, const RegionPlan& plan,
                          GeneratedRegion& generated) {
  const std::string launcher = launcherOf(region);
  TextWriter text;
  Definitions further = definitions;
  auto written = attempt([&] {
    try {
      auto writing = [&] {
        writeRegion(region, facts, plan, launcher, further, text, generated);
        return true;
      };
      if (!limited(writing, emissionLimit)) {
        const std::string spent = Budget::reason();
        generated.refused =
            spent.empty() ? "writing its kernels took more isl operations than allowed" : spent;
      }
    } catch (const EmissionRefused& refusal) {
      generated.refused = refusal.what();
      generated.refusedAt = refusal.at;
    }
    return true;
  });
  if (!written.value) generated.refused = written.reason;
  if (generated.refused.empty())
    if (auto size = addSizes(plan.sizes, generated.kernels))
      generated.refused = fmt::format("the size `{}` means something else in another region", *size);
  if (!generated.refused.empty()) {
    generated.launcher.clear();
    generated.kernels.clear();
    return;
  }
  out.lines(text.text());
  generated.text = text.text();
  generated.sizes = plan.sizes;
  generated.steps = plan.steps;
  generated.orderSteps = plan.orderSteps;
  definitions = std::move(further);
  for (const KernelPlan& kernel : plan.kernels)
    taken.insert(kernel.name);
  program.explanations.insert(program.explanations.end(), plan.explanations.begin(), plan.explanations.end());
}

GeneratedProgram ProgramWriter::finish() {
  if (!out.text().empty()) program.cuda = headFor(program, options, sizes) + definitions.text() + out.text();
  return std::move(program);
}

} // namespace warploom
