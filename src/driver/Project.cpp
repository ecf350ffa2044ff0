// `warploom project`: of a file of kernels, a file with `main` and a configuration, a folder with a whole
// CUDA project.
#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/ProjectFiles.h"
#include "driver/Toolchain.h"
#include "support/Identifiers.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <regex>
#include <set>

namespace warploom {

namespace fs = std::filesystem;

namespace {

struct ProjectOptions {
  TranslateOptions translate;
  std::string config, output;
  std::vector<std::string> linkFlags;
};

std::string contentsOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) throw OutputError(fmt::format("cannot read '{}'", path.string()));
  return text;
}

/// The files that `text`, of the folder `within` of `root`, includes in quotes and that lie in `root`, and
/// those that these include: their names from `root` on.
void includesOf(const std::string& text, const fs::path& root, const fs::path& within,
                std::set<std::string>& found) {
  static const std::regex include(R"(^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)\")");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.size() > 4096 || !std::regex_search(line, match, include)) continue;
    const fs::path name = (within / match[1].str()).lexically_normal();
    std::error_code ignored;
    if (name.is_absolute() || name.string().starts_with("..") || !fs::is_regular_file(root / name, ignored))
      continue;
    if (found.insert(name.string()).second)
      includesOf(contentsOf(root / name), root, name.parent_path(), found);
  }
}

class ProjectWriter {
public:
  explicit ProjectWriter(ProjectOptions& o) : options(o) {}

  ExitStatus write() {
    readConfiguration();
    if (failed) return ExitStatus::InputAtFault;
    checkNames();
    const fs::path folder = options.output;
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
      throw OutputError(fmt::format("cannot write '{}': it is no folder", folder.string()));
    if (failed) return ExitStatus::InputAtFault;
    auto files = translate(options.translate);
    if (!files) return ExitStatus::InputAtFault;
    checkResult(*files);
    if (failed) return ExitStatus::InputAtFault;
    writeFolder(folder, *files);
    for (const TranslatedFile& file : *files)
      fmt::print("{}\n", summary(file));
    fmt::print("wrote the project '{0}': make -C {0}, or make -C {0} TARGET=cpu\n", folder.string());
    return ExitStatus::Done;
  }

private:
  const std::vector<std::string>& inputs() const { return options.translate.frontend.files; }

  void say(const ConfigMessage& message) {
    const bool isError = message.severity == ConfigMessage::Error;
    failed = failed || isError;
    std::string where = message.line ? fmt::format("{}:{}", options.config, message.line) : options.config;
    fmt::print(stderr, "{}: {}: {}\n", where, isError ? "error" : "warning", message.text);
  }
  void warn(const std::string& key, std::string text) {
    say({ConfigMessage::Warning, config.lineOf(key), std::move(text)});
  }
  void refuse(const std::string& key, std::string text) {
    say({ConfigMessage::Error, config.lineOf(key), std::move(text)});
  }

  void readConfiguration() {
    std::vector<ConfigMessage> messages;
    if (options.config.empty()) {
      // Without a configuration every switch is Warploom's to set: all loops, all memories, sizes as usual.
      config.prefetching = config.blockSkew = true;
    } else {
      std::error_code error;
      if (!fs::is_regular_file(options.config, error))
        throw OutputError(fmt::format("cannot read '{}'", options.config));
      all = readSettings(contentsOf(options.config), messages);
      config = all.common;
      options.translate.configOf = [this](const std::string& function) {
        auto section = all.sections.find(function);
        return section == all.sections.end() ? FunctionConfig{config, false}
                                             : FunctionConfig{section->second, true};
      };
    }
    sizes = firstSizes(config, messages);
    for (const ConfigMessage& message : messages)
      say(message);
    options.translate.onlyFunctions = {config.kernelNames.begin(), config.kernelNames.end()};
  }

  /// Whether the names of the configuration are those of the sources.
  void checkNames() {
    std::string text;
    for (const std::string& file : inputs())
      text += contentsOf(file) + "\n";
    auto known = [&](const std::string& name, const char* key) {
      if (!mentionsWord(text, name))
        refuse(key, fmt::format("{}: there is no '{}' in the sources", key, name));
    };
    for (const std::string& name : config.kernelNames)
      known(name, "KERNEL_NAMES");
    for (const auto& [name, line] : all.lines)
      if (!mentionsWord(text, name))
        say({ConfigMessage::Error, line, fmt::format("there is no '{}' in the sources", name)});
    for (const std::string& name : config.prefetchedArrays)
      known(name, "PREFETCHED_ARRAYS");
    for (const std::string& name : config.nonPrefetchedArrays)
      known(name, "NON_PREFETCHED_ARRAYS");
    if (config.has("ROW_DIM") && !mentionsWord(text, config.rowDimension))
      warn("ROW_DIM",
           fmt::format("there is no '{}' in the sources; leading dimensions are those of the subscripts",
                       config.rowDimension));
    if (config.has("DATA_TYPE") && !mentionsWord(text, config.dataType))
      warn("DATA_TYPE", fmt::format("no '{}' is in the sources; every array keeps the type it has there",
                                    config.dataType));
  }

  /// Whether the kernels are what the configuration asked for; what cannot be had is refused.
  void checkResult(const std::vector<TranslatedFile>& files) {
    std::string kernels;
    std::set<std::string> functions;
    for (const TranslatedFile& file : files) {
      kernels += file.cuda;
      for (const std::string& region : file.mapped)
        functions.insert(region.substr(0, region.rfind(':')));
    }
    for (const std::string& name : config.kernelNames)
      if (!functions.count(name))
        warn("KERNEL_NAMES",
             fmt::format("'{}' has no loops that could be mapped; it stays on the host", name));
    const bool twoLoops = kernels.find("blockIdx.y") != std::string::npos;
    if (config.matrix2d && !twoLoops) warn("2DMATRIX", "no kernel has two loops to share out");
    for (const std::string& name : config.prefetchedArrays)
      if (!isStaged(kernels, name))
        warn("PREFETCHED_ARRAYS",
             fmt::format("'{}' is not staged in shared memory: threads of a block share nothing of it "
                         "that registers and caches do not give them",
                         name));
    for (const std::string& name : config.nonPrefetchedArrays)
      if (isStaged(kernels, name))
        warn("NON_PREFETCHED_ARRAYS",
             fmt::format("'{}' is staged in shared memory too: all arrays that threads share are", name));
    if (config.minMergeLevel > 1 && !mergesRows(kernels))
      refuse("MIN_MERGE_LEVEL",
             "no kernel is tiled, and only tiled kernels compute several rows in a thread; set it to 1");
    if (config.minSkewLevel > 1 && !skewsColumns(kernels))
      refuse("MIN_SKEW_LEVEL", "no kernel computes several columns in a thread; set it to 1");
  }

  /// Whether threads of some kernel compute several rows, or several columns.
  static bool mergesRows(const std::string& kernels) { return mentionsWord(kernels, "ITEMS_Y"); }
  static bool skewsColumns(const std::string& kernels) {
    return mentionsWord(kernels, "ITEMS_X") || mentionsWord(kernels, "VECTOR");
  }
  static bool isStaged(const std::string& kernels, const std::string& array) {
    return mentionsWord(kernels, array + "_tile");
  }

  void writeFolder(const fs::path& folder, const std::vector<TranslatedFile>& files) {
    ProjectPlan plan;
    plan.program = fs::path(inputs().back()).stem().string();
    plan.linkFlags = options.linkFlags;
    plan.compileFlags = options.translate.frontend.compilerFlags;
    plan.strictFloatingPoint = options.translate.strictFloatingPoint;
    std::vector<OutputFile> outputs;
    std::string kernels;
    std::set<std::string> taken = {"params"}, copied;
    for (const TranslatedFile& file : files) {
      const fs::path source(file.file);
      std::string name = source.stem().string();
      for (int k = 2; !taken.insert(name).second; ++k)
        name = fmt::format("{}{}", source.stem().string(), k);
      plan.files.push_back({name, !file.cuda.empty()});
      plan.asksHeap = plan.asksHeap || file.asksHeap;
      outputs.push_back({folder / (name + ".c"), file.host});
      std::string cuda = file.cuda;
      const std::string include = "#include \"warploom.h\"\n";
      if (std::size_t at = cuda.find(include); at != std::string::npos)
        cuda.insert(at, "#include \"params.h\"\n");
      if (!file.cuda.empty()) outputs.push_back({folder / (name + ".cu"), cuda});
      kernels += cuda;
      const std::string text = contentsOf(source);
      plan.linearAlgebra = plan.linearAlgebra || text.find("warploom_la.h") != std::string::npos;
      std::set<std::string> headers;
      includesOf(text, source.parent_path(), {}, headers);
      for (const std::string& header : headers)
        if (copied.insert(header).second)
          outputs.push_back({folder / header, contentsOf(source.parent_path() / header)});
    }
    outputs.push_back(
        {folder / "params.h", paramsText(sizes, config.maxBlockSize ? config.maxBlockSize : 1024)});
    outputs.push_back({folder / "Makefile", projectMakefile(plan)});
    outputs.push_back({folder / "CMakeLists.txt", projectCMake(plan)});
    outputs.push_back(
        {folder / "tune", tuneScript(plan, config, mergesRows(kernels), skewsColumns(kernels))});
    outputs.push_back({folder / "profile", profileScript(plan)});
    const fs::path runtime = runtimeFolder();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(runtime))
      if (entry.is_regular_file() && entry.path().filename() != "CMakeLists.txt")
        outputs.push_back(
            {folder / "runtime" / fs::relative(entry.path(), runtime), contentsOf(entry.path())});
    for (const OutputFile& output : outputs) {
      std::error_code error;
      fs::create_directories(output.path.parent_path(), error);
      if (error)
        throw OutputError(
            fmt::format("cannot make '{}': {}", output.path.parent_path().string(), error.message()));
      checkOutput(output.path, inputs());
    }
    writeFiles(outputs);
    for (const char* script : {"tune", "profile"})
      fs::permissions(folder / script, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
  }

  ProjectOptions& options;
  ProjectSettings all;
  ProjectConfig config; ///< what holds for all kernels
  ProjectSizes sizes;
  bool failed = false;
};

} // namespace

void addProject(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status) {
  auto options = std::make_shared<ProjectOptions>();
  CLI::App* command = app.add_subcommand(
      "project", "Write a whole CUDA project of C files: kernels, host program, build files");
  addFiles(*command, options->translate);
  addTranslateOptions(*command, options->translate);
  command->add_option("--config", options->config, "RT-CUDA's settings, KEY=value a line")
      ->type_name("config.txt");
  command->add_option("-o", options->output, "The folder of the project; it is called after the last file")
      ->required()
      ->type_name("DIR");
  command->footer("What stands after `--` is given to the C compiler: warploom project kernels.c main.c -o "
                  "DIR -- -DN=100");
  command->callback([options, &compilerFlags, &status] {
    SplitFlags flags = splitFlags(compilerFlags);
    options->translate.frontend.compilerFlags = flags.compile;
    options->linkFlags = flags.link;
    status = ProjectWriter(*options).write();
  });
}

} // namespace warploom
