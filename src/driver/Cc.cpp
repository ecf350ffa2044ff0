// `warploom cc`: stands where the C compiler stood, in a Makefile for instance. It takes that compiler's
// arguments and does what it would do; objects get kernels besides. Where anything of ours fails, they are
// what the C compiler makes of them.
#include "driver/Build.h"
#include "driver/Commands.h"
#include "driver/Residents.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace warploom {

namespace fs = std::filesystem;

namespace {

/// What one call of the C compiler is to do.
struct Call {
  std::vector<std::string> words;   ///< its arguments
  std::vector<std::size_t> sources; ///< those that are C files
  std::vector<std::string> flags;   ///< how it compiles them: no files, and nothing about dependences
  std::string output;               ///< what stands after `-o`; empty: nothing
  bool objects = false;             ///< `-c`
  bool shared = false;              ///< `-shared`
  bool isOther = false;             ///< it neither compiles nor links: `-E`, `-M`, `--version`
};

/// The words of `words`, whose meaning is that of GCC and Clang.
Call readCall(const std::vector<std::string>& words) {
  static const std::set<std::string> takeNext = {
      "-I",         "-D",           "-U",       "-include", "-imacros",  "-isystem", "-iquote",
      "-idirafter", "-iwithprefix", "-iprefix", "--param",  "-aux-info", "-B",       "-isysroot"};
  static const std::set<std::string> takeNextElsewhere = {"-L",
                                                          "-l",
                                                          "-T",
                                                          "-u",
                                                          "-z",
                                                          "-e",
                                                          "-MF",
                                                          "-MT",
                                                          "-MQ",
                                                          "-Xlinker",
                                                          "-A",
                                                          "-Xassembler",
                                                          "-Xpreprocessor"};
  static const std::set<std::string> other = {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-x", "-###"};
  Call call;
  call.words = words;
  bool anyInput = false;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    const bool hasNext = k + 1 < words.size();
    call.isOther |= other.count(word) != 0 || word == "-" || word.starts_with("@") || word.starts_with("-x");
    call.objects |= word == "-c";
    call.shared |= word == "-shared";
    if (word.starts_with("-o")) {
      call.output = word.size() > 2 ? word.substr(2) : hasNext ? words[++k] : "";
    } else if (takeNext.count(word) && hasNext) {
      call.flags.insert(call.flags.end(), {word, words[k + 1]});
      ++k;
    } else if (takeNextElsewhere.count(word)) {
      ++k;
    } else if (!word.starts_with("-")) {
      anyInput = true;
      if (word.ends_with(".c")) call.sources.push_back(k);
    } else if (word != "-c" && !word.starts_with("-M") && !word.starts_with("-Wp,-M")) {
      call.flags.push_back(word);
    }
  }
  call.flags = splitFlags(call.flags).compile;
  call.isOther |= !anyInput;
  return call;
}

/// Runs the C compiler, which speaks for itself; its exit status.
ExitStatus runCompiler(const std::vector<std::string>& words) {
  std::vector<std::string> command = {cCompiler()};
  command.insert(command.end(), words.begin(), words.end());
  ProcessEnd end = runProcess(command, Capture::Nothing);
  return static_cast<ExitStatus>(end.signal ? 128 + end.signal : end.status);
}

/// Gives `object`, which the C compiler has made of `source`, the kernels of its loops.
void addKernels(BuildOptions options, const Call& call, const std::string& source, const fs::path& object) {
  options.translate.frontend.files = {source};
  options.translate.frontend.compilerFlags = call.flags;
  options.translate.frontend.compilerFlags.push_back("-w"); // the C compiler has said it
  try {
    std::optional<TranslatedFile> file = buildObject(options, object);
    if (!options.translate.explain) return;
    fmt::print(stderr, "warploom: {}\n",
               file ? summary(*file)
                    : fmt::format("Clang does not compile '{}', which stays as it was", source));
  } catch (const std::exception& error) {
    fmt::print(stderr, "warploom: warning: '{}' stays as it was: {}\n", source, error.what());
  }
}

ExitStatus cc(const BuildOptions& options, const std::vector<std::string>& words) {
  const Call call = readCall(words);
  if (call.isOther) return runCompiler(words);
  if (call.objects) {
    ExitStatus status = runCompiler(words);
    if (status != ExitStatus::Done) return status;
    for (std::size_t k : call.sources) {
      fs::path object = fs::path(words[k]).filename().replace_extension(".o");
      addKernels(options, call, words[k], call.output.empty() ? object : fs::path(call.output));
    }
    return status;
  }
  TemporaryFolder folder;
  std::vector<std::string> linked = words;
  for (std::size_t k : call.sources) {
    linked[k] = (folder.path / fmt::format("{}.o", k)).string();
    std::vector<std::string> one = call.flags;
    one.insert(one.end(), {"-c", words[k], "-o", linked[k]});
    ExitStatus status = runCompiler(one);
    if (status != ExitStatus::Done) return status;
    addKernels(options, call, words[k], linked[k]);
  }
  std::vector<std::string> runtime = linkOfObjects(options, linked, call.shared, folder.path);
  linked.insert(linked.end(), runtime.begin(), runtime.end());
  std::vector<std::string> trial = {cCompiler()};
  trial.insert(trial.end(), linked.begin(), linked.end());
  const std::vector<std::string> residents = residentFlags(trial, linked, "-Wl,");
  linked.insert(linked.end(), residents.begin(), residents.end());
  return runCompiler(linked);
}

} // namespace

void addCc(CLI::App& app, std::optional<ExitStatus>& status) {
  auto options = std::make_shared<BuildOptions>();
  auto launches = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("cc", "Stand where the C compiler stood: make CC=\"warploom cc\"");
  addBuildOptions(*command, *options);
  command->add_flag("--launcher", *launches,
                    "The first word is the C compiler, as build systems call their launchers");
  command->prefix_command();
  command->footer(
      "The first word that is none of these options, and all after it, are those of the C compiler, "
      "which is that of WARPLOOM_CC, else cc, gcc or clang: warploom cc --target cpu -O2 -c f.c");
  command->callback([options, launches, command, &status] {
    // `make CC="warploom cc"` says it to every program that it starts.
    const char* compiler = std::getenv("WARPLOOM_CC");
    if (compiler)
      setenv("CC", compiler, 1);
    else
      unsetenv("CC");
    options->hostByDefault = options->target == Target::Auto;
    options->translate.separately = true;
    options->translate.quiet = !options->translate.explain;
    options->translate.frontend.quiet = true;
    std::vector<std::string> words = command->remaining();
    if (*launches && !words.empty()) {
      setenv("CC", words.front().c_str(), 1);
      words.erase(words.begin());
    }
    status = cc(*options, words);
  });
}

} // namespace warploom
