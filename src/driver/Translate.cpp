#include "driver/Translate.h"

#include "driver/Diagnostics.h"
#include "driver/ForkJoinRoad.h"
#include "driver/Limits.h"
#include "driver/OutputFiles.h"
#include "driver/Pipeline.h"
#include "driver/Recipes.h"
#include "driver/Sizes.h"
#include "driver/Toolchain.h"
#include "support/Budget.h"
#include "support/Identifiers.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace warploom {

namespace {

/// The regions of a file that stay as they were, each reported with the reason: as one remark, or with the
/// source line below it. What a region inside another has in common with it is said once.
class Refusals {
public:
  Refusals(const FileRegions& f, const TranslateOptions& o) : file(f), options(o) {}

  void add(const Region& region, const SourceRange& at, const std::string& why, bool isFault = false) {
    // Of what stands for a fork nothing is said: it has names that the user has not given.
    const std::string text = file.source.substr(region.range.begin, region.range.end - region.range.begin);
    const bool isStandIn = options.frontend.texts.count(file.file) > 0;
    const bool forks =
        isStandIn && (mentionsWord(text, "warploom_fork") || mentionsWord(text, "warploom_for"));
    const std::string reason = forks ? "it forks" : why;
    const SourceRange& place = at.valid() ? at : region.range;
    bool isSaid = std::any_of(all.begin(), all.end(), [&](const Refusal& outer) {
      return outer.region.begin <= region.range.begin && region.range.end <= outer.region.end &&
             outer.place == place.begin && outer.reason == reason;
    });
    if (isSaid) return;
    all.push_back({region.range, place.begin, reason});
    if (options.quiet && !isFault) return;
    if (isStandIn && region.function.starts_with("fork_")) return; // which the user has not written
    const char* severity = isFault ? "warning" : "remark";
    std::string message = fmt::format("the region {} stays as it was: {}", region.name(), reason);
    if (!options.explain) {
      said += fmt::format("{}:{}:{}: {}: {}\n", region.file, place.line, place.column, severity, message);
      return;
    }
    DiagnosticWriter writer(region.file, file.source);
    writer.diagnostic(place, severity, message);
    said += writer.text;
  }
  std::size_t count() const { return all.size(); }
  /// Says how many regions run on the device, and what stands in the way of the others most often.
  void summarise(std::size_t mapped) {
    std::vector<std::string> reasons;
    for (const Refusal& one : all)
      reasons.push_back(one.reason);
    const std::string text = limitsText(reasons, mapped);
    if (!options.quiet && !text.empty()) said += fmt::format("{}: {}\n", file.file, text);
  }

  std::string said; ///< what is to be shown, line by line

private:
  struct Refusal {
    SourceRange region;
    std::size_t place;
    std::string reason;
  };
  const FileRegions& file;
  const TranslateOptions& options;
  std::vector<Refusal> all;
};

/// The file's name without folder and extension as an identifier that is none of `taken`, to which it is
/// added. With `separately` it is one that no file of another folder has, nor the same file with other flags.
std::string unitName(const FileRegions& file, bool separately, std::set<std::string>& taken) {
  std::string wish = std::filesystem::path(file.file).stem().string();
  if (separately)
    wish += fmt::format(
        "_{:x}", std::hash<std::string>()(fmt::format("{} {}", std::filesystem::absolute(file.file).string(),
                                                      fmt::join(file.flags, " "))));
  for (char& c : wish)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  std::string name = wish;
  for (int k = 2; !taken.insert(name).second; ++k)
    name = fmt::format("{}{}", wish, k);
  return name;
}

/// Throws RecipeError when `recipes` speaks of a region of `file` that got no kernel of its own.
void checkRecipes(const FileRegions& file, const std::vector<Region>& regions,
                  const GeneratedProgram& program, const RegionRecipes& recipes,
                  const std::vector<std::size_t>& origins) {
  for (const auto& [region, section] : recipes.sections()) {
    if (region < file.regions.data() || region >= file.regions.data() + file.regions.size()) continue;
    const auto origin =
        std::find(origins.begin(), origins.end(), static_cast<std::size_t>(region - file.regions.data()));
    if (origin == origins.end())
      recipes.refuse(*region, section, "no call of a kernel can be put in its place");
    const Region* copy = regions.data() + (origin - origins.begin());
    const auto made = std::find_if(program.regions.begin(), program.regions.end(),
                                   [&](const GeneratedRegion& one) { return one.region == copy; });
    if (made == program.regions.end())
      recipes.refuse(*region, section, "it lies in a region that becomes a kernel as a whole");
    if (made->refused.empty()) continue;
    const SourceRange& at = made->refusedAt.valid() ? made->refusedAt : region->range;
    recipes.refuse(*region, section, fmt::format("{} ({}:{})", made->refused, file.file, at.line));
  }
}

/// Says which global arrays can stay on the device between regions, and which are copied, and why.
void explainGlobals(const FileRegions& file, const SourceText& source, bool hasLaunchers) {
  for (const GlobalText& global : source.globals(hasLaunchers)) {
    const GlobalArray& array = *global.array;
    const std::string what =
        global.refused.empty()
            ? array.isStatic ? "moves to memory that devices see, too, when a region first runs there"
                             : "moves to memory that devices see, too, when a region first runs there, if "
                               "all objects of the program let it"
            : "is copied in every region that uses it: " + global.refused;
    fmt::print(stderr, "{}:{}: the array {} {}\n", file.file, array.range.line, array.name, what);
  }
}

/// True when kernels of `program` have tiles of two sets of sizes, by how many there are.
bool hasTiles(const GeneratedProgram& program) {
  for (const GeneratedRegion& region : program.regions)
    for (const KernelSizes& kernel : region.kernels)
      if (std::any_of(kernel.names.begin(), kernel.names.end(),
                      [&](const std::string& name) { return region.sizes.isOfTiles(name); }))
        return true;
  return false;
}

TranslatedFile translateFile(const FileRegions& file, const std::string& unit,
                             const TranslateOptions& options, const RegionRecipes* recipes,
                             const std::map<std::size_t, RegionSettings>& settings) {
  TranslatedFile result;
  result.file = file.file;
  result.flags = file.flags;
  result.folder = file.folder;

  SourceText source(file);
  Refusals refusals(file, options);
  std::vector<Region> regions;
  std::vector<std::size_t> origins; // of each, in the file
  PipelineOptions pipeline;
  for (const Region& region : file.regions) {
    RegionText text = source.locate(region);
    if (!options.onlyFunctions.empty() && !options.onlyFunctions.count(region.function))
      refusals.add(region, region.range, "its function is not among those that are asked for");
    else if (text.refused.empty()) {
      regions.push_back(region);
      origins.push_back(static_cast<std::size_t>(&region - file.regions.data()));
      const RecipeSection* section = recipes ? recipes->of(region) : nullptr;
      pipeline.recipes.push_back(section ? std::optional(section->steps) : std::nullopt);
    } else
      refusals.add(region, region.range, text.refused);
  }
  pipeline.plan.strictFloatingPoint = options.strictFloatingPoint;
  pipeline.plan.sharedMemory = !options.noShared;
  pipeline.plan.tileCopies = options.tileCopies;
  pipeline.plan.libraries = options.libraries;
  pipeline.plan.mapping.tellLibraries = options.libraries != LibraryUse::Never;
  pipeline.plan.shrink = options.shrink;
  pipeline.plan.shrinkOnlyAsAsked = options.shrinkOnlyAsAsked;
  auto settingsFor = [&](const Region& region) {
    auto found = settings.find(region.range.begin);
    return found == settings.end() ? RegionSettings{} : found->second;
  };
  pipeline.adjust = [&](const Region& region, PlanOptions& plan) {
    plan.outermostOnly = settingsFor(region).outermostOnly;
    plan.sharedMemory = plan.sharedMemory && !settingsFor(region).noShared;
  };
  pipeline.plan.mapping.tunablesPerKernel =
      options.tunablesPerKernel || std::any_of(settings.begin(), settings.end(),
                                               [](const auto& one) { return !one.second.sizes.empty(); });
  pipeline.plan.mapping.traceSteps = options.steps;
  pipeline.emit.notesRounding = options.mode == HostMode::Verify;
  pipeline.emit.tellsSizes = options.forTuning;
  pipeline.emit.source = file.file;
  pipeline.emit.header = options.header;
  pipeline.emit.unit = unit;
  auto sizesOf = [&](const GeneratedRegion& region) {
    std::map<std::string, int> sizes = options.sizes;
    for (const auto& [name, value] : settingsFor(*region.region).sizes)
      for (const KernelSizes& kernel : region.kernels)
        if (!kernel.prefix.empty()) sizes[kernel.prefix + name] = value;
    return sizes;
  };
  pipeline.emit.sizesOf = sizesOf;
  auto write = [&] {
    Budget budget(Budget::For::File, file.seconds);
    return generate(regions, pipeline);
  };
  GeneratedProgram program = write();
  TunedSizes tuned(options.tuned, file.flags);
  bool isBetter = tuned.knowsBetter(program);
  if (!isBetter && tuned.isOpen() && !options.tunablesPerKernel && hasTiles(program)) {
    // Such kernels have another text where their sizes are their own, and that is the one that was tuned.
    pipeline.plan.mapping.tunablesPerKernel = true;
    isBetter = tuned.knowsBetter(write());
    pipeline.plan.mapping.tunablesPerKernel = false;
  }
  if (isBetter) {
    pipeline.plan.mapping.tunablesPerKernel = true;
    pipeline.emit.sizesOf = [&](const GeneratedRegion& region) {
      std::map<std::string, int> sizes = sizesOf(region), found = tuned.of(region);
      sizes.merge(found);
      return sizes;
    };
    program = write();
    pipeline.plan.mapping.variants = tuned.variants();
    if (!tuned.variants().empty()) program = write();
    fmt::print(stderr, "{}: remark: {}\n", file.file, tuned.remark());
  }
  if (recipes) checkRecipes(file, regions, program, *recipes, origins);
  if (!options.emitRecipe.empty()) result.recipe = recipeText(file.file, regions, program, pipeline);
  for (const GeneratedRegion& region : program.regions) {
    if (region.refused.empty()) {
      result.mapped.push_back(region.region->name());
      result.mappedAt.push_back(region.region->range);
      result.asksHeap = result.asksHeap || region.asksHeap;
    } else {
      refusals.add(*region.region, region.refusedAt, region.refused, region.isFault);
      result.isFaulty = result.isFaulty || region.isFault;
    }
  }
  result.refused = refusals.count();
  refusals.summarise(result.mapped.size());
  // Fork-join programs may be read again.
  if (options.frontend.texts.count(file.file))
    result.remarks = refusals.said;
  else
    fmt::print(stderr, "{}", refusals.said);
  if (options.explain || options.steps) {
    for (const std::string& line : program.explanations)
      fmt::print(stderr, "{}\n", line);
    explainGlobals(file, source, !result.mapped.empty());
  }
  if (options.forTuning) {
    for (const GeneratedRegion& region : program.regions)
      for (TunableKernel& kernel : kernelsOf(region))
        result.kernels.push_back(std::move(kernel));
    result.guarded = hostText(file, program, HostMode::Guarded, options.header);
  }
  result.cuda = program.cuda;
  result.host = hostText(file, program, options.mode, options.header);
  if (!options.header.empty()) result.header = headerText(file.file, program, options.header);
  return result;
}

} // namespace

void addFiles(CLI::App& command, TranslateOptions& options) {
  command.add_option("file", options.frontend.files, "C source files")->required()->type_name("FILE");
  command.add_option("-p", options.frontend.buildPath, "Folder of compile_commands.json")->type_name("DIR");
}

void addEffort(CLI::App& command) {
  // What the environment says comes to every command; that of another one is no word on this one.
  command
      .add_option_function<double>(
          "--effort",
          [&command](double factor) {
            if (command.parsed()) setEffort(factor);
          },
          "Think this many times as long: 1 is 5 s of processor time for a region "
          "and 60 s for a file")
      ->check(CLI::PositiveNumber)
      ->envname("WARPLOOM_EFFORT")
      ->type_name("X");
}

void addTranslateOptions(CLI::App& command, TranslateOptions& options) {
  addEffort(command);
  command.add_flag("--strict-fp", options.strictFloatingPoint,
                   "Keep the order of all floating-point operations");
  addExtents(command, options.frontend.extents);
  command
      .add_option("--recipe", options.recipe,
                  "A Lua file that says how loops are transformed: docs/recipes.md")
      ->type_name("FILE.lua");
  command.add_option("--emit-recipe", options.emitRecipe, "Write a recipe that makes the same kernels again")
      ->type_name("FILE.lua");
  command.add_flag("--no-shared", options.noShared, "Keep all arrays in global memory; stage none in shared");
  command
      .add_option(
          "--tile-copies", options.tileCopies,
          "Copies of each tile of a matrix product in shared memory: with 2, one is filled while the other "
          "is used")
      ->check(CLI::IsMember({1, 2}))
      ->type_name("1|2");
  std::map<std::string, LibraryUse> libraries;
  for (LibraryUse use : {LibraryUse::Auto, LibraryUse::Always, LibraryUse::Never})
    libraries[libraryUseName(use)] = use;
  command
      .add_option("--libraries", options.libraries,
                  "Products of matrices and vectors may be calls of cuBLAS or a CBLAS: where that is faster, "
                  "always, or never: docs/compile.md")
      ->transform(CLI::CheckedTransformer(libraries))
      ->type_name("auto|always|never");
  std::map<std::string, Shrink> shrinks = {{"auto", Shrink::Auto},
                                           {"none", Shrink::None},
                                           {"simple", Shrink::Simple},
                                           {"selective", Shrink::Selective},
                                           {"td", Shrink::TrueDistance},
                                           {"slabs", Shrink::Slabs},
                                           {"ecs", Shrink::Extended},
                                           {"ecs-const", Shrink::ExtendedConstant},
                                           {"ecs-var", Shrink::ExtendedVariable}};
  command
      .add_option("--shrink", options.shrink,
                  "How iterations of a loop that depend on others some way back are put into groups: "
                  "docs/compile.md")
      ->transform(CLI::CheckedTransformer(shrinks))
      ->type_name("auto|none|simple|selective|td|slabs|ecs|ecs-const|ecs-var");
  command.add_flag("--crink", options.shrinkOnlyAsAsked,
                   "As CRINK: where the way of --shrink is not for a loop, warn and write nothing");
  std::map<std::string, bool> tunables = {{"file", false}, {"kernel", true}};
  command
      .add_option("--tunables", options.tunablesPerKernel, "Sizes are those of the file, or of each kernel")
      ->transform(CLI::CheckedTransformer(tunables))
      ->type_name("file|kernel");
  command.add_flag("--explain", options.explain, "Say what was done with every region, and why");
  command.add_flag("--explain-steps", options.steps, "Say it step by step, with the code after each");
}

namespace {

/// The files that are fork-join programs, and the recipe that their device nests make together.
class ForkJoinFiles {
public:
  /// False, with its problems on standard error, where one of the files is no program.
  bool read(const FrontendOptions& frontend) {
    for (const std::string& file : frontend.files) {
      const auto language = forkJoinLanguageOf(file);
      if (!language) continue;
      auto road = ForkJoinRoad::read(file, *language, frontend.compilerFlags);
      if (!road) return false;
      roads.push_back(std::move(*road));
    }
    return true;
  }

  void stand(FrontendOptions& frontend) const {
    for (const ForkJoinRoad& road : roads)
      frontend.texts[road.file()] = road.text();
  }

  /// The file with the recipe of all nests; empty where there is none.
  std::string recipe(const std::vector<FileRegions>& files) {
    std::string text;
    for (ForkJoinRoad& road : roads)
      for (const FileRegions& file : files)
        if (file.file == road.file())
          text += road.recipe(file, static_cast<int>(std::count(text.begin(), text.end(), '\n')));
    if (text.empty()) return "";
    if (!folder) folder.emplace();
    const std::filesystem::path path = folder->path / "nests.lua";
    writeFiles({{path, text}});
    return path.string();
  }

  bool giveUp(const RecipeError& refused) {
    return std::any_of(roads.begin(), roads.end(), [&](ForkJoinRoad& road) { return road.giveUp(refused); });
  }

  /// True where loops have become tasks, and all is to be read again.
  bool putOnThreads(const std::vector<TranslatedFile>& results) {
    bool changed = false;
    for (ForkJoinRoad& road : roads)
      for (const TranslatedFile& result : results)
        if (result.file == road.file()) changed = road.putOnThreads(result.mappedAt) || changed;
    return changed;
  }

  void addSizes(std::map<std::string, int>& sizes) const {
    for (const ForkJoinRoad& road : roads)
      sizes.merge(road.sizes());
  }

  void finish(std::vector<TranslatedFile>& results, bool quiet) const {
    for (const ForkJoinRoad& road : roads) {
      if (!quiet) fmt::print(stderr, "{}", road.remarks());
      for (TranslatedFile& result : results) {
        if (result.file != road.file()) continue;
        result.forks = road.forks();
      }
    }
  }

  bool empty() const { return roads.empty(); }

private:
  std::vector<ForkJoinRoad> roads;
  std::optional<TemporaryFolder> folder;
};

} // namespace

std::optional<std::vector<TranslatedFile>> translate(const TranslateOptions& given) {
  TranslateOptions options = given;
  FrontendOptions& frontend = options.frontend;
  frontend.cudaHeaders = cudaHeaders();
  frontend.nested = true;
  if (!options.emitRecipe.empty()) {
    std::vector<std::string> inputs = frontend.files;
    inputs.push_back(options.recipe);
    checkOutput(options.emitRecipe, inputs);
  }
  ForkJoinFiles forkJoin;
  if (!forkJoin.read(frontend)) return std::nullopt;
  forkJoin.stand(frontend);
  std::vector<FileRegions> files = readFiles(frontend);
  for (const FileRegions& file : files)
    if (!file.compiled) return std::nullopt;
  std::vector<TranslatedFile> results;
  for (bool isDone = false; !isDone;) {
    results.clear();
    std::set<std::string> units;
    const std::string recipe = options.recipe.empty() ? forkJoin.recipe(files) : options.recipe;
    options.tunablesPerKernel = given.tunablesPerKernel || recipe != options.recipe;
    options.sizes = given.sizes;
    forkJoin.addSizes(options.sizes);
    try {
      std::optional<RegionRecipes> recipes;
      if (!recipe.empty()) recipes.emplace(recipe, files, options.strictFloatingPoint);
      for (const FileRegions& file : files) {
        const auto settings = settingsOf(file, options.configOf);
        if (!settings) return std::nullopt;
        results.push_back(translateFile(file, unitName(file, options.separately, units), options,
                                        recipes ? &*recipes : nullptr, *settings));
      }
      isDone = true;
    } catch (const RecipeError& error) {
      if (options.recipe.empty() && forkJoin.giveUp(error)) continue;
      // A tuner tries what may not be possible.
      if (!options.forTuning || !options.quiet) fmt::print(stderr, "{}\n", error.what());
      return std::nullopt;
    }
    if (forkJoin.putOnThreads(results)) {
      isDone = false;
      forkJoin.stand(frontend);
      files = readFiles(frontend);
    }
  }
  for (const TranslatedFile& result : results)
    fmt::print(stderr, "{}", result.remarks);
  forkJoin.finish(results, options.quiet);
  if (options.shrinkOnlyAsAsked &&
      std::any_of(results.begin(), results.end(), [](const TranslatedFile& file) { return file.isFaulty; })) {
    fmt::print(stderr, "nothing is written\n");
    return std::nullopt;
  }
  if (!options.emitRecipe.empty()) {
    std::string text;
    for (const TranslatedFile& file : results)
      text += file.recipe;
    writeFiles({{options.emitRecipe, text}});
  }
  return results;
}

std::string hostExtension(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".mf" ? ".c" : extension;
}

std::string summary(const TranslatedFile& file) {
  std::size_t all = file.mapped.size() + file.refused;
  if (all == 0) return fmt::format("'{}' has no loops to map", file.file);
  return fmt::format("{} of {} regions of '{}' were mapped", file.mapped.size(), all, file.file);
}

SplitFlags splitFlags(const std::vector<std::string>& flags) {
  SplitFlags result;
  for (std::size_t k = 0; k < flags.size(); ++k) {
    const std::string& flag = flags[k];
    bool takesNext = flag == "-Xlinker" || flag == "-L" || flag == "-l";
    bool object =
        !flag.starts_with("-") && (flag.ends_with(".o") || flag.ends_with(".a") || flag.ends_with(".so"));
    bool link = takesNext || object || flag.starts_with("-l") || flag.starts_with("-L") ||
                flag.starts_with("-Wl,") || flag == "-static" || flag == "-rdynamic" || flag == "-no-pie" ||
                flag == "-pie";
    // These mean something to both.
    bool both = flag == "-pthread" || flag.starts_with("-fopenmp") || flag.starts_with("-fsanitize");
    if (link || both) result.link.push_back(flag);
    if (!link || both) result.compile.push_back(flag);
    if (takesNext && k + 1 < flags.size()) result.link.push_back(flags[++k]);
  }
  return result;
}

} // namespace warploom
