#include "emit/Emit.h"

#include "emit/KernelText.h"
#include "emit/Launcher.h"
#include "emit/Refused.h"
#include "mapping/Tunables.h"
#include "support/Attempt.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom {

namespace {

/// Elementary isl operations that the text of one region may take.
constexpr unsigned long emissionLimit = 40'000'000;

/// Writes the definitions of the sizes that kernels leave open. Those of a kernel are those of the file where
/// nothing else is said.
class TunablesText {
public:
  /// `used`: as GeneratedRegion has it, of all regions.
  TunablesText(const std::map<std::string, std::set<std::string>>& used, TextWriter& out)
      : used(used), out(out), all(tunables) {
    std::set<std::string> symbols;
    for (const auto& [prefix, sizes] : used)
      for (const std::string& size : sizes)
        if (!isKnownSize(size)) symbols.insert(size);
    for (const std::string& symbol : symbols)
      all.push_back({symbol, usualTile, "a size of the recipe's"});
  }

  void write() {
    for (const auto& [name, size, meaning] : all)
      if (std::any_of(used.begin(), used.end(),
                      [&, wanted = name](const auto& of) { return isUsed(of.first, wanted); }))
        define(name, std::to_string(size));
    if (std::any_of(used.begin(), used.end(), [&](const auto& of) { return uses(of.first, lanes); }))
      out.line("constexpr int {} = 32; // of a warp", lanes);
    for (const auto& [prefix, sizes] : used) {
      if (!prefix.empty())
        for (const auto& [name, size, meaning] : all)
          if (isUsed(prefix, name)) define(prefix + name, name);
      defineThreads(prefix);
    }
  }

private:
  bool uses(const std::string& prefix, const std::string& name) const {
    auto sizes = used.find(prefix);
    return sizes != used.end() && sizes->second.count(name) > 0;
  }
  bool isUsed(const std::string& prefix, const std::string& name) const {
    return uses(prefix, name) ||
           std::any_of(derivedSizes.begin(), derivedSizes.end(), [&](const DerivedSize& size) {
             return (size.of == name || size.by == name) && uses(prefix, size.name);
           });
  }
  void define(const std::string& name, const std::string& value) {
    out.line("#ifndef WARPLOOM_{}", name);
    out.line("#define WARPLOOM_{} {}", name, value);
    out.line("#endif");
    out.line("constexpr int {0} = WARPLOOM_{0};", name);
  }
  void defineThreads(const std::string& prefix) {
    if (uses(prefix, "SWEEP_Y"))
      out.line("static_assert({0}SWEEP_Y % {0}BLOCK_Y == 0, \"threads take equal parts of a tile\");",
               prefix);
    for (const auto& [name, of, by, how] : derivedSizes) {
      if (!uses(prefix, name)) continue;
      out.line("constexpr int {0}{1} = {0}{2} {4} {0}{3};", prefix, name, of, by, how);
      if (how == '/')
        out.line("static_assert({0}{1} % {0}{2} == 0, \"threads take equal parts of a tile\");", prefix, of,
                 by);
    }
  }

  const std::map<std::string, std::set<std::string>>& used;
  TextWriter& out;
  std::vector<Tunable> all;
};

/// The head of the file: what it is, and the tunables that its regions use.
std::string headFor(const GeneratedProgram& program, const EmitOptions& options) {
  std::map<std::string, std::set<std::string>> sizes;
  for (const GeneratedRegion& region : program.regions)
    for (const auto& [prefix, some] : region.sizes)
      sizes[prefix].insert(some.begin(), some.end());
  TextWriter out;
  out.comment(
      fmt::format("Made by Warploom from {}: kernels, and for each region of the source a launcher that "
                  "returns 1 when it has done the region's work and 0 when the original loops must run.",
                  options.source));
  if (!options.header.empty()) out.line("#include \"{}\"", options.header);
  out.line("#include \"warploom.h\"");
  if (options.notesRounding) out.line("#include \"warploom_rounding.h\"");
  out.line();
  out.comment("Sizes of blocks and tiles. May be set when compiling, e.g. -DWARPLOOM_BLOCK_X=64.");
  TunablesText(sizes, out).write();
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
  generated.refused = plan.refused;
  generated.refusedAt = plan.refusedAt;
  generated.isFault = plan.isFault;
  if (plan.refused.empty()) write(region, facts, plan, generated);
  if (!generated.refused.empty() && !generated.refusedAt.valid()) generated.refusedAt = region.range;
  program.regions.push_back(std::move(generated));
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
  if (!generated.refused.empty()) {
    generated.launcher.clear();
    generated.sizes.clear();
    return;
  }
  out.lines(text.text());
  generated.text = text.text();
  generated.steps = plan.steps;
  generated.orderSteps = plan.orderSteps;
  definitions = std::move(further);
  for (const KernelPlan& kernel : plan.kernels)
    taken.insert(kernel.name);
  program.explanations.insert(program.explanations.end(), plan.explanations.begin(), plan.explanations.end());
}

GeneratedProgram ProgramWriter::finish() {
  if (!out.text().empty()) program.cuda = headFor(program, options) + definitions.text() + out.text();
  return std::move(program);
}

} // namespace warploom
