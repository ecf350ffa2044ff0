#include "driver/Bundle.h"

#include "tune/ResultLines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Command = std::vector<std::string>;

/// Stands for the `$` of the script's variables, which the user's words have none of.
constexpr char dollar = '\x01';

std::string variable(const std::string& name) {
  return dollar + name;
}

/// `word` as the shell reads it as one word, variables of the script replaced.
std::string shellWord(const std::string& word) {
  std::string text = "\"";
  for (const char c : word)
    if (c == dollar)
      text += '$';
    else
      text += std::string("$\"`\\").find(c) == std::string::npos ? std::string(1, c) : std::string("\\") + c;
  return text + "\"";
}

std::string shellLine(const Command& command) {
  std::string text;
  for (const std::string& word : command)
    text += (text.empty() ? "" : " ") + shellWord(word);
  return text;
}

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw ToolchainError(fmt::format("cannot write '{}'", path.string()));
}

/// The user's headers, taken along: they lie as they lay, below the folder that all of them are in.
class Headers {
public:
  Headers(const std::vector<TranslatedFile>& files, const fs::path& to) {
    for (const TranslatedFile& file : files)
      look(file);
    if (folders.empty()) return;
    fs::path common = *folders.begin();
    auto isBelow = [&](const fs::path& path) {
      return std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first == common.end();
    };
    while (!std::all_of(folders.begin(), folders.end(), isBelow))
      common = common.parent_path();
    root = common;
    for (const fs::path& path : paths) {
      const fs::path copy = to / path.lexically_relative(root);
      fs::create_directories(copy.parent_path());
      fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
    }
    for (const fs::path& folder : folders)
      fs::create_directories(to / folder.lexically_relative(root));
  }

  /// What the script calls a folder of the user's.
  std::string place(const fs::path& folder) const {
    const std::string below = folder.lexically_relative(root).string();
    return variable("here") + "/files" + (below == "." ? "" : "/" + below);
  }

  /// The flags of `file` with folders as they are then.
  Command flagsOf(const TranslatedFile& file) const {
    Command result;
    for (const Flag& flag : taken(file))
      if (flag.path.empty())
        result.push_back(flag.text);
      else
        for (const std::string& word : {flag.text, place(flag.path)})
          result.push_back(word);
    return result;
  }

private:
  /// A flag, or the name of one and the absolute path that follows it.
  struct Flag {
    std::string text;
    fs::path path;
  };

  static fs::path absolute(const TranslatedFile& file, const fs::path& path) {
    const fs::path from = file.folder.empty() ? fs::current_path() : fs::absolute(file.folder);
    return fs::weakly_canonical(from / path);
  }

  static std::vector<Flag> taken(const TranslatedFile& file) {
    std::vector<Flag> result;
    const Command flags = splitFlags(file.flags).compile;
    for (std::size_t k = 0; k < flags.size(); ++k) {
      const std::string& flag = flags[k];
      if (flag.starts_with("@"))
        throw ToolchainError(fmt::format("a bundle does not take flags from a file, as {} does", flag));
      bool isPath = false;
      for (const std::string name : {"-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-I"}) {
        if (!flag.starts_with(name)) continue;
        const bool isNext = flag == name;
        if (isNext && k + 1 == flags.size()) break;
        result.push_back({name, absolute(file, isNext ? flags[++k] : flag.substr(name.size()))});
        isPath = true;
        break;
      }
      if (!isPath) result.push_back({flag, {}});
    }
    return result;
  }

  /// Finds what `file` includes that is not the system's.
  void look(const TranslatedFile& file) {
    const fs::path source = absolute(file, fs::absolute(file.file));
    folders.insert(source.parent_path());
    for (const Flag& flag : taken(file))
      if (!flag.path.empty())
        folders.insert(fs::is_directory(flag.path) ? flag.path : flag.path.parent_path());
    Command command = {cCompiler()};
    const Command flags = splitFlags(file.flags).compile;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-MM", "-MT", "x", source.string()});
    if (source.extension() == ".cu")
      command = {cCompiler(), "-x", "c++", "-MM", "-MG", "-MT", "x", source.string()};
    const ProcessEnd end = runProcess(command, Capture::Output, {}, file.folder);
    if (!end.ok())
      throw ToolchainError(fmt::format("the headers of '{}' cannot be found\n{}", file.file, end.output));
    for (const std::string& name : dependencies(end.output)) {
      const fs::path path = absolute(file, name);
      if (path == source || !fs::is_regular_file(path)) continue;
      paths.insert(path);
      folders.insert(path.parent_path());
    }
  }

  /// The names in a rule of make, but for its target.
  static Command dependencies(const std::string& rule) {
    Command names = {""};
    for (std::size_t k = rule.find(':') + 1; k < rule.size(); ++k) {
      if (rule[k] == '\\' && k + 1 < rule.size() && rule[k + 1] != '\n')
        names.back() += rule[++k]; // a space or so
      else if (rule[k] == '$' && k + 1 < rule.size() && rule[k + 1] == '$')
        names.back() += rule[++k];
      else if (rule[k] == '\\' || rule[k] == ' ' || rule[k] == '\n')
        names.emplace_back();
      else
        names.back() += rule[k];
    }
    std::erase(names, "");
    return names;
  }

  fs::path root;
  std::set<fs::path> folders, paths;
};

/// `text` as C++ has it.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f || c == '?')
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      result += c;
  return result + "\"";
}

/// `values` in braces, each as `write` writes it.
template <typename Values, typename Write> std::string list(const Values& values, const Write& write) {
  std::string text = "{";
  for (const auto& value : values)
    text += (text.size() == 1 ? "" : ", ") + write(value);
  return text + "}";
}

/// kernels.cpp: defines what BundledKernels.h declares.
std::string kernelsText(const Bundle& what) {
  const auto number = [](int value) { return std::to_string(value); };
  std::string text = fmt::format(
      "// What this bundle searches; written by Warploom.\n#include \"tune/BundledKernels.h\"\n\nnamespace "
      "warploom {{\nconst Bundle bundle = {{\n  {}, {}, {}, {}, {},\n  {}, {}, {{\n",
      quoted(what.budget), quoted(what.sizes), quoted(what.toolkitSuffix), what.strict, what.cuda,
      list(what.arguments, quoted),
      what.checkArguments ? "std::vector<std::string>" + list(*what.checkArguments, quoted) : "std::nullopt");
  for (const TunableKernel& kernel : what.kernels) {
    const auto tunable = [&](const Tunable& size) {
      return fmt::format("\n        {{{}, {}, {}, {}}}", quoted(size.name), size.usual,
                         list(size.values, number), quoted(size.meaning));
    };
    const auto derived = [&](const DerivedSize& size) {
      return fmt::format("{{{}, {}}}", quoted(size.name), quoted(size.expression));
    };
    const auto rule = [&](const SizeRule& one) {
      return fmt::format("\n        {{{}, {}, {}, {}}}", quoted(one.expression), one.most, one.isZero,
                         quoted(one.why));
    };
    text += fmt::format(
        "    {{{}, {}, {{{}, {}, {}}}, {}, {}, {{{},\n       {},\n       {}}},\n     {{{}, {}}}}},\n",
        quoted(kernel.region), quoted(kernel.name), quoted(kernel.identity.kernel),
        quoted(kernel.identity.shape), quoted(kernel.identity.extents), quoted(kernel.prefix), kernel.file,
        list(kernel.sizes.tunables, tunable), list(kernel.sizes.derived, derived),
        list(kernel.sizes.rules, rule), quoted(kernel.needs.threads), quoted(kernel.needs.sharedBytes));
  }
  return text + "  }};\n} // namespace warploom\n";
}

/// What the script `candidate` does for one form, as alternatives of its `case`.
std::string formText(const std::string& name, const fs::path& folder, const BuildOptions& options,
                     const std::vector<TranslatedFile>& files, const Headers& headers) {
  BuildScript script;
  script.c = variable("CC"), script.cxx = variable("CXX"), script.nvcc = variable("NVCC");
  script.architecture = variable("ARCH");
  script.runtime = variable("here") + "/runtime";
  script.cudaHeaders = variable("CUDA_HEADERS");
  script.work = variable("work") + "/" + name;
  script.texts = folder / "program" / name;
  script.textsAre = variable("here") + "/program/" + name;
  for (const TranslatedFile& file : files)
    script.foldersOf[file.file] = headers.place(fs::weakly_canonical(fs::absolute(file.file)).parent_path());
  fs::create_directories(script.texts);
  ProgramParts parts(options, files, &script);
  std::string compiles, links;
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (files[k].cuda.empty()) continue;
    parts.compileOthers(k);
    Command command = parts.kernelsCommand(k, {}, variable("object"));
    compiles += fmt::format("{}.kernels.{}) exec {} \"$@\" ;;\n", name, k, shellLine(command));
    command = parts.linkCommand(k, variable("object"), variable("program"));
    links += fmt::format("{}.link.{}) exec {} ;;\n", name, k, shellLine(command));
  }
  std::string rest = fmt::format("{}.rest.)\n  mkdir -p \"$work/{}\"\n", name, name);
  for (const Command& command : script.commands)
    rest += fmt::format("  {}\n", shellLine(command));
  return rest + "  ;;\n" + compiles + links;
}

constexpr const char* candidateHead = R"sh(#!/bin/sh
# Compiles and links, for `tune`, which says where all is:
#   candidate target                              prints cuda or cpu
#   candidate FORM rest                           what all candidates of a form share
#   candidate FORM kernels FILE OBJECT FLAGS...   the kernels of a file
#   candidate FORM link FILE OBJECT PROGRAM       a program of both
set -e
form=$1 what=$2 file=$3 object=$4 program=$5
if [ "$what" = kernels ]; then shift 4; fi
case $form.$what.$file in
)sh";

} // namespace

void writeBundle(const fs::path& folder, const BuildOptions& options,
                 const std::vector<TranslatedFile>& given, const Bundle& what) {
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw ToolchainError(fmt::format("'{}' is there already, and not empty", folder.string()));
  fs::create_directories(folder);
  const Headers headers(given, folder / "files");
  std::vector<TranslatedFile> files = given;
  for (TranslatedFile& file : files)
    file.flags = headers.flagsOf(file);
  fs::copy(runtimeFolder(), folder / "runtime", fs::copy_options::recursive);
  fs::copy(searchFolder(), folder / "search", fs::copy_options::recursive);
  writeText(folder / "kernels.cpp", kernelsText(what));
  std::string candidate = candidateHead;
  for (const HostMode mode : {HostMode::Verify, HostMode::Guarded}) {
    BuildOptions form = options;
    form.translate.mode = mode;
    std::vector<TranslatedFile> texts = files;
    if (mode == HostMode::Guarded)
      for (TranslatedFile& file : texts)
        file.host = file.guarded;
    candidate += formText(mode == HostMode::Verify ? "checked" : "timed", folder, form, texts, headers);
  }
  candidate += fmt::format("target..) echo {} ;;\n", what.cuda ? "cuda" : "cpu");
  candidate += "*) echo \"candidate: what is '$form $what $file'?\" >&2; exit 2 ;;\nesac\n";
  writeText(folder / "candidate", candidate);
  const fs::path scripts = searchFolder() / "tune" / "bundle";
  fs::copy_file(scripts / "tune.sh", folder / "tune");
  if (what.cuda) fs::copy_file(scripts / "slurm.sh", folder / "slurm.sh");
  for (const char* program : {"tune", "candidate", "slurm.sh"})
    if (fs::exists(folder / program))
      fs::permissions(folder / program,
                      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
}

Collected resultsIn(const fs::path& folder) {
  const fs::path path = folder / "results.jsonl";
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ToolchainError(fmt::format("there is no '{}'", path.string()));
  Collected result;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    if (std::optional<Entry> entry = entryOf(line))
      result.entries.push_back(std::move(*entry));
    else
      ++result.others;
  }
  return result;
}

} // namespace warploom
