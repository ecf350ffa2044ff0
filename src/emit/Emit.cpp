#include "emit/Emit.h"

#include "analysis/Facts.h"
#include "emit/KernelText.h"
#include "emit/Launcher.h"
#include "support/Attempt.h"
#include "support/TextWriter.h"

#include <fmt/format.h>
#include <regex>
#include <set>

namespace warploom {

namespace {

/// Elementary isl operations that the text of one region may take.
constexpr unsigned long emissionLimit = 40'000'000;

/// The head of the file: what it is, and the tunables that `text` uses.
std::string headFor(const std::string& text, const EmitOptions& options) {
  TextWriter out;
  out.comment(
      fmt::format("Made by Warploom from {}: kernels, and for each region of the source a launcher that "
                  "returns 1 when it has done the region's work and 0 when the original loops must run.",
                  options.source));
  out.line("#include \"warploom.h\"");
  out.line();
  out.comment("Sizes of blocks and tiles. May be set when compiling, e.g. -DWARPLOOM_BLOCK_X=64.");
  auto uses = [&](const std::string& name) {
    return std::regex_search(text, std::regex("\\b" + name + "\\b"));
  };
  auto tunable = [&](const std::string& name, int size) {
    bool needed = uses(name) || (name.rfind("ITEMS", 0) == 0 && uses("THREADS_X"));
    if (!needed) return;
    out.line("#ifndef WARPLOOM_{}", name);
    out.line("#define WARPLOOM_{} {}", name, size);
    out.line("#endif");
    out.line("constexpr int {0} = WARPLOOM_{0};", name);
  };
  tunable("BLOCK", 256);
  tunable("BLOCK_X", 32);
  tunable("BLOCK_Y", 8);
  tunable("ROWS", 8);
  if (uses("LANES")) out.line("constexpr int LANES = 32; // of a warp");
  tunable("SWEEP_Y", 32);
  if (uses("SWEEP_Y"))
    out.line("static_assert(SWEEP_Y % BLOCK_Y == 0, \"threads take equal parts of a tile\");");
  tunable("TILE_X", 32);
  tunable("TILE_Y", 32);
  tunable("TILE_K", 32);
  tunable("ITEMS_X", 4);
  tunable("ITEMS_Y", 4);
  if (uses("THREADS_X")) {
    out.line("constexpr int THREADS_X = TILE_X / ITEMS_X, THREADS_Y = TILE_Y / ITEMS_Y;");
    out.line("static_assert(TILE_X % ITEMS_X == 0 && TILE_Y % ITEMS_Y == 0, \"threads take equal parts of a "
             "tile\");");
  }
  out.line();
  return out.text();
}

} // namespace

GeneratedProgram emitProgram(const std::vector<Region>& regions, const EmitOptions& options) {
  GeneratedProgram program;
  TextWriter out;
  std::set<std::string> taken; // by the launchers and kernels of the file
  bool any = false;
  for (const Region& region : regions) {
    GeneratedRegion generated;
    generated.region = &region;
    Facts facts = analyse(region);
    RegionPlan plan;
    plan.refused = facts.gaveUp;
    if (facts.gaveUp.empty()) {
      auto planned = attempt([&] { return planRegion(region, facts, options.mapping, taken); });
      if (planned.value)
        plan = std::move(*planned.value);
      else
        plan.refused = planned.reason;
    }
    generated.refused = plan.refused;
    generated.refusedAt = plan.refusedAt;
    if (plan.refused.empty()) {
      bool named = options.unit.empty() || options.unit == region.function;
      std::string wish = fmt::format("warploom_{}{}_{}", named ? "" : options.unit + "_", region.function,
                                     region.range.line);
      std::string launcher = wish;
      for (int k = 2; !taken.insert(launcher).second; ++k)
        launcher = fmt::format("{}_{}", wish, k);
      TextWriter text;
      auto written = attempt([&] {
        try {
          auto writing = [&] {
            writeRegion(region, facts, plan, launcher, text, generated);
            return true;
          };
          if (!limited(writing, emissionLimit))
            generated.refused = "writing its kernels took more isl operations than allowed";
        } catch (const EmissionRefused& refusal) {
          generated.refused = refusal.what();
          generated.refusedAt = refusal.at;
        }
        return true;
      });
      if (!written.value) generated.refused = written.reason;
      if (generated.refused.empty()) {
        out.lines(text.text());
        any = true;
        for (const KernelPlan& kernel : plan.kernels)
          taken.insert(kernel.name);
        program.explanations.insert(program.explanations.end(), plan.explanations.begin(),
                                    plan.explanations.end());
      } else {
        generated.launcher.clear();
      }
    }
    if (!generated.refused.empty() && !generated.refusedAt.valid()) generated.refusedAt = region.range;
    program.regions.push_back(std::move(generated));
  }
  if (any) program.cuda = headFor(out.text(), options) + out.text();
  return program;
}

} // namespace warploom
