// `warploom build`, and the compilers it calls.
#include "driver/Build.h"

#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/Residents.h"
#include "tune/Machine.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Command = std::vector<std::string>;

void append(Command& command, const Command& more) {
  command.insert(command.end(), more.begin(), more.end());
}

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw ToolchainError(fmt::format("cannot write '{}'", path.string()));
}

/// Runs a compiler; what it says is shown only when it fails. `what` says what it was to do.
void compileWith(const Command& command, const std::string& what, const fs::path& folder = {}) {
  ProcessEnd end = runProcess(command, Capture::Output, {}, folder);
  if (end.ok()) return;
  std::string how = end.signal ? fmt::format("was ended by signal {}", end.signal)
                               : fmt::format("ended with status {}", end.status);
  throw ToolchainError(fmt::format("{} {} while it was to {}\n{}  the command was: {}", command.front(), how,
                                   what, end.output, fmt::join(command, " ")));
}

bool isClang(const std::string& compiler) {
  return fs::path(compiler).filename().string().find("clang") != std::string::npos;
}

/// True when a program that is linked with `flags` has a heap that is not to be touched: a sanitizer's.
bool hasOwnHeap(const Command& flags) {
  return std::any_of(flags.begin(), flags.end(),
                     [](const std::string& flag) { return flag.starts_with("-fsanitize"); });
}

/// The executable is made here, step by step; or, with a script, what makes it elsewhere.
class Builder {
public:
  Builder(const BuildOptions& options, const std::vector<TranslatedFile>& files,
          BuildScript* script = nullptr)
      : options(options), files(files), script(script), place(script ? script->work : folder.path.string()) {
    bool anyKernel =
        std::any_of(files.begin(), files.end(), [](const auto& file) { return !file.cuda.empty(); });
    if (anyKernel) chooseCompiler();
  }

  void build(const fs::path& program) {
    compileFiles();
    compileRuntime();
    link(program);
  }

  /// Compiles all but the kernels.
  void compileRest() {
    for (std::size_t k = 0; k < files.size(); ++k)
      compileHost(files[k], std::to_string(k));
    compileRuntime();
    if (kernels && !cuda) runtime = executor(place);
  }
  /// The kernels of file `k` as an object.
  std::string usualKernels(std::size_t k) {
    compileKernels(files[k], std::to_string(k));
    const std::string made = objects.back();
    objects.pop_back();
    return made;
  }
  /// The text of the kernels of file `k`, as a file.
  std::string kernelsText(std::size_t k) { return written(std::to_string(k) + ".cu", files[k].cuda); }
  /// What compiles the kernels of file `k`, whose text lies in `text`.
  Command kernelsCommand(std::size_t k, const std::string& text, const Command& flags,
                         const std::string& to) const {
    Command command = kernelsCommand(files[k], text, to);
    append(command, flags);
    return command;
  }
  /// What links all that compileRest() has made, and `others`. `residents`: residentFlags() of such a link,
  /// which are asked for where there are none yet.
  Command linkCommand(const Command& others, std::optional<Command>& residents,
                      const std::string& program) const {
    Command all = objects;
    append(all, others);
    return linkCommand(all, runtime, residents, program);
  }

  /// All the files' objects as one, in place of `object`.
  void combine(const fs::path& object) {
    compileFiles();
    const fs::path whole = folder.path / "whole.o";
    Command command = {cCompiler(), "-r", "-nostdlib"};
    append(command, objects);
    append(command, {"-o", whole.string()});
    compileWith(command, "join the objects of '" + object.string() + "'");
    const fs::path temporary = temporaryBeside(object);
    fs::copy_file(whole, temporary, fs::copy_options::overwrite_existing);
    moveTo(temporary, object);
  }

  /// The runtime's heap as an object in `place`. `lengths`: launchers ask how long blocks are.
  std::string compileHeap(const std::string& in, bool lengths) const {
    const std::string heap = in + "/heap.o";
    Command command = {cc(), "-std=gnu11", "-O2", "-fno-builtin", "-c", headers() + "/warploom_heap.c",
                       "-o", heap};
    if (sharesHeap())
      append(command, {"-DWARPLOOM_MANAGED", "-I", script ? script->cudaHeaders : cudaHeaders()});
    if (!lengths) command.push_back("-DWARPLOOM_LEAST=65536");
    run(command, "compile the runtime's heap");
    return heap;
  }

  /// Whether large blocks of the heap are memory that the device sees.
  bool sharesHeap() const { return options.managed && cuda; }

  /// Whether kernels are compiled for the GPU.
  bool isForCuda() const { return cuda; }

  /// What the C compiler links objects of combine() with.
  Command runtimeForC(const fs::path& in) {
    chooseCompiler();
    Command result = {"-Wl,--push-state,--as-needed"};
    if (cuda) {
      const fs::path toolkit = fs::path(compiler).parent_path().parent_path();
      append(result, {"-L" + (toolkit / "lib64").string(), "-lcudart_static", "-lrt", "-ldl"});
    } else {
      append(result, cpuRuntime(in.string()));
    }
    append(result, {"-lstdc++", "-lm", "-pthread", "-Wl,--pop-state"});
    return result;
  }

private:
  void compileFiles() {
    for (std::size_t k = 0; k < files.size(); ++k) {
      compileHost(files[k], std::to_string(k));
      if (!files[k].cuda.empty()) compileKernels(files[k], std::to_string(k));
    }
  }

  /// What of the runtime is compiled with every program.
  void compileRuntime() {
    if (kernels && options.translate.mode == HostMode::Verify)
      compileC({"-std=c11", "-O2", "-c", headers() + "/warploom_verify.c"}, "verify.o",
               "compile the runtime's comparison");
    if (watchesHeap()) objects.push_back(compileHeap(place, asksHeap()));
  }

  void chooseCompiler() {
    kernels = true;
    cuda = script ? options.target != Target::Cpu : warploom::isForCuda(options);
    if (script)
      compiler = cuda ? script->nvcc : script->cxx;
    else
      compiler = cuda ? *findNvcc() : cxxCompiler(options.sanitize);
  }

  std::string headers() const { return script ? script->runtime : runtimeFolder().string(); }
  std::string cc() const { return script ? script->c : cCompiler(); }

  /// Runs a compiler, or writes down that it is to run.
  void run(const Command& command, const std::string& what, const fs::path& from = {}) const {
    if (script)
      script->commands.push_back(command);
    else
      compileWith(command, what, from);
  }

  /// A file called `name` with `text`, as commands call it.
  std::string written(const std::string& name, const std::string& text) const {
    writeText((script ? script->texts : folder.path) / name, text);
    return (script ? script->textsAre : folder.path.string()) + "/" + name;
  }

  /// The folder of the user's file.
  std::string folderOf(const TranslatedFile& file) const {
    if (script) return script->foldersOf.at(file.file);
    return fs::absolute(file.file).parent_path().string();
  }

  /// Whether allocations go through the runtime.
  bool watchesHeap() const {
    return kernels && (sharesHeap() || asksHeap()) && !hasOwnHeap(options.linkFlags);
  }
  bool asksHeap() const {
    return std::any_of(files.begin(), files.end(), [](const auto& file) { return file.asksHeap; });
  }

  std::string object(const std::string& name) {
    objects.push_back(place + "/" + name);
    return objects.back();
  }

  void compileC(const Command& arguments, const std::string& name, const std::string& what,
                const fs::path& from = {}) {
    Command command = {cc()};
    append(command, arguments);
    append(command, {"-o", object(name)});
    run(command, what, from);
  }

  void compileHost(const TranslatedFile& file, const std::string& number) {
    const std::string extension = hostExtension(file.file),
                      text = written(number + ".host" + extension, file.host);
    if (extension == ".cu") return compileCudaHost(file, text, number);
    Command arguments;
    auto optimises = [](const std::string& flag) { return flag.starts_with("-O"); };
    if (std::none_of(file.flags.begin(), file.flags.end(), optimises)) arguments.push_back("-O2");
    // Calls of launchers move the user's loops, and a short loop may be a fifth slower where it begins in the
    // middle of a cache line.
    auto isShort = [](const std::string& flag) { return flag == "-Os" || flag == "-Oz"; };
    if (std::none_of(file.flags.begin(), file.flags.end(), isShort))
      append(arguments, {"-falign-functions=64", "-falign-loops=64"});
    append(arguments, splitFlags(file.flags).compile);
    if (options.isUncontracted()) arguments.push_back("-ffp-contract=off");
    if (options.translate.mode == HostMode::Verify) append(arguments, {"-I", headers()});
    // A launcher is given the value of a variable that the loops may not use.
    auto isFatal = [](const std::string& flag) { return flag.starts_with("-Werror"); };
    if (std::any_of(file.flags.begin(), file.flags.end(), isFatal))
      append(arguments, {"-Wno-error=uninitialized", isClang(cc()) ? "-Wno-error=sometimes-uninitialized"
                                                                   : "-Wno-error=maybe-uninitialized"});
    append(arguments, {"-iquote", folderOf(file), "-c", text});
    compileC(arguments, number + ".host.o", "compile '" + file.file + "'", file.folder);
  }

  /// The user's text where it is CUDA itself.
  void compileCudaHost(const TranslatedFile& file, const std::string& text, const std::string& number) {
    const auto nvcc = script ? std::optional(script->nvcc) : findNvcc();
    if (!nvcc || (kernels && !cuda))
      throw ToolchainError(fmt::format("'{}' is CUDA, which only nvcc compiles, for the GPU", file.file));
    Command command = {*nvcc, "-O2"};
    append(command, architectureFlags());
    append(command, splitFlags(file.flags).compile);
    if (options.isUncontracted()) append(command, {"--fmad=false", "-Xcompiler", "-ffp-contract=off"});
    if (options.translate.mode == HostMode::Verify) append(command, {"-I", headers()});
    append(command, {"-I", folderOf(file), "-c", text, "-o", object(number + ".host.o")});
    run(command, "compile '" + file.file + "'", file.folder);
  }

  void compileKernels(const TranslatedFile& file, const std::string& number) {
    const std::string text = written(number + ".cu", file.cuda);
    run(kernelsCommand(file, text, object(number + ".kernels.o")),
        "compile the kernels of '" + file.file + "'");
  }

  Command kernelsCommand(const TranslatedFile& file, const std::string& text, const std::string& to) const {
    Command command = {compiler};
    if (cuda) {
      append(command, {"-std=c++17", "-O3"});
      append(command, architectureFlags());
      if (options.isUncontracted()) command.push_back("--fmad=false");
    } else {
      const char* flags = !options.sanitize ? "cpu" : isClang(compiler) ? "sanitize.clang" : "sanitize.gcc";
      append(command, {"@" + headers() + "/flags/" + flags, "-x", "c++"});
      if (options.sanitize) append(command, sanitizeFlags());
      if (options.hostByDefault) command.push_back("-DWARPLOOM_HOST_BY_DEFAULT");
    }
    std::copy_if(file.flags.begin(), file.flags.end(), std::back_inserter(command), isTunable);
    for (const std::string& flag : file.flags)
      if (flag == "-fPIC" || flag == "-fpic")
        append(command, cuda ? Command{"-Xcompiler", flag} : Command{flag});
    append(command, {"-I", headers(), "-c", text, "-o", to});
    return command;
  }

  Command architectureFlags() const {
    if (!options.architecture.empty()) return {"-arch=" + options.architecture};
    if (script) return {"-arch=" + script->architecture};
    if (hasGpu()) return {"-arch=native"};
    return {"-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"};
  }

  void link(const fs::path& program) {
    fs::path temporary = temporaryBeside(program);
    // The linker gives what it makes the rights of a program only when it makes the file itself.
    fs::remove(temporary);
    std::optional<Command> residents;
    Command command =
        linkCommand(objects, kernels && !cuda ? executor(place) : Command{}, residents, temporary.string());
    try {
      compileWith(command, "link '" + program.string() + "'");
    } catch (const ToolchainError& error) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      std::string text = error.what();
      if (text.find("undefined reference to `main'") != std::string::npos ||
          text.find("undefined symbol: main") != std::string::npos)
        throw ToolchainError("none of the files has a `main`, so there is no program to build");
      throw;
    }
    moveTo(temporary, program);
  }

  Command linkCommand(const Command& parts, const Command& execution, std::optional<Command>& residents,
                      const std::string& program) const {
    Command command = {kernels ? compiler : cc()};
    append(command, parts);
    if (kernels && !cuda) append(command, withLibraries(execution));
    Command flags = options.linkFlags;
    if (watchesHeap()) flags.push_back(std::string("-Wl,") + heapSymbols);
    // The threads are those that the C compiler has called.
    if (isClang(command.front()) && !isClang(cc()))
      std::replace(flags.begin(), flags.end(), std::string("-fopenmp"), std::string("-fopenmp=libgomp"));
    append(command, cuda ? forNvcc(flags) : flags);
    command.push_back("-lm");
    // Elsewhere no one asks the linker: arrays stay where they are.
    if (kernels && !residents)
      residents = script ? Command{} : residentFlags(command, parts, cuda ? "-Xlinker" : "-Wl,");
    if (kernels) append(command, *residents);
    append(command, {"-o", program});
    return command;
  }

  /// The CPU execution and what it needs, as words for the linker. Objects are made in `place`.
  Command cpuRuntime(const std::string& in) const { return withLibraries(executor(in)); }
  Command withLibraries(Command execution) const {
    append(execution, {"-lboost_context", "-pthread"});
    if (options.sanitize) append(execution, {"-ldw", "-lelf"});
    return execution;
  }

  /// The CPU execution as something to link: the archive that was built with Warploom, else made from its
  /// sources in the folder `in`.
  Command executor(const std::string& in) const {
    if (auto archive = runtimeArchive(options.sanitize); archive && !script) return {archive->string()};
    Command made;
    Command folders = {"/cpu"};
    if (options.sanitize) folders.push_back("/cpu/sanitize");
    for (const std::string& from : folders)
      for (const fs::directory_entry& entry : fs::directory_iterator(runtimeFolder().string() + from)) {
        if (entry.path().extension() != ".cpp") continue;
        made.push_back(in + "/" + entry.path().stem().string() + ".runtime.o");
        Command command = {compiler, "-std=c++17", "-O2", "-fPIC", "-I", headers()};
        append(command, {"-c", headers() + from + "/" + entry.path().filename().string()});
        if (options.sanitize) command.push_back("-DWARPLOOM_SANITIZE");
        append(command, {"-o", made.back()});
        run(command, "compile the runtime");
      }
    return made;
  }

  /// nvcc knows -l and -L; the rest it hands on.
  static Command forNvcc(const Command& flags) {
    Command result;
    for (const std::string& flag : flags) {
      if (flag.starts_with("-Wl,"))
        append(result, {"-Xlinker", flag.substr(4)});
      else if (flag.starts_with("-f") || flag == "-pthread" || flag == "-rdynamic")
        append(result, {"-Xcompiler", flag});
      else
        result.push_back(flag);
    }
    return result;
  }

  const BuildOptions& options;
  const std::vector<TranslatedFile>& files;
  BuildScript* const script;
  TemporaryFolder folder;
  const std::string place; ///< where objects are made
  Command objects;
  Command runtime;      ///< the CPU execution, where compileRest() has made it
  bool kernels = false; ///< there are kernels, and `compiler` is for them
  bool cuda = false;
  std::string compiler;
};

ExitStatus build(const BuildOptions& options, const std::string& output) {
  auto files = buildProgram(options, output);
  if (!files) return ExitStatus::InputAtFault;
  for (const TranslatedFile& file : *files)
    fmt::print("{}\n", summary(file));
  return ExitStatus::Done;
}

} // namespace

void addBuildOptions(CLI::App& command, BuildOptions& options) {
  addTranslateOptions(command, options.translate);
  std::map<std::string, Target> targets = {
      {"auto", Target::Auto}, {"cuda", Target::Cuda}, {"cpu", Target::Cpu}};
  command.add_option("--target", options.target, "Where kernels run: auto, cuda or cpu")
      ->transform(CLI::CheckedTransformer(targets))
      ->type_name("TARGET");
  command.add_option("--arch", options.architecture, "The GPU to compile for, such as sm_90")
      ->type_name("ARCH");
  command.add_flag("--sanitize", options.sanitize,
                   "Check kernels for races, bounds and barriers, on the CPU");
  command.add_flag("--managed,!--no-managed", options.managed,
                   "Large heap blocks are memory that the device sees too (default), or --no-managed");
}

bool isForCuda(const BuildOptions& options) {
  if (options.sanitize && options.target == Target::Cuda)
    throw ToolchainError("--sanitize checks kernels on the CPU; on the GPU use compute-sanitizer");
  const bool hasNvcc = findNvcc().has_value();
  if (options.target == Target::Cuda && !hasNvcc)
    throw ToolchainError(
        "there is no nvcc in PATH or in CUDA_HOME (default /usr/local/cuda); --target cpu needs none");
  return options.target == Target::Cuda ||
         (options.target == Target::Auto && !options.sanitize && hasNvcc && hasGpu());
}

void setFlags(BuildOptions& options, const std::vector<std::string>& flags) {
  SplitFlags split = splitFlags(flags);
  options.translate.frontend.compilerFlags = split.compile;
  options.linkFlags = split.link;
}

std::optional<std::vector<TranslatedFile>> buildProgram(const BuildOptions& options,
                                                        const fs::path& program) {
  checkOutput(program, options.translate.frontend.files);
  auto files = translate(options.translate);
  if (!files) return files;
  BuildOptions linked = options;
  if (std::any_of(files->begin(), files->end(), [](const TranslatedFile& file) { return file.forks; })) {
    auto archive = ownArchive("libwarploom_fork.a");
    if (!archive) throw ToolchainError("'libwarploom_fork.a' is not where Warploom's libraries are");
    append(linked.linkFlags, {archive->string(), "-ltbb", "-lstdc++", "-lpthread"});
  }
  Builder(linked, *files).build(program);
  return files;
}

namespace {

/// True when `path` is a file and the text `word` is in it.
bool contains(const std::string& path, const std::string& word) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text.find(word) != std::string::npos;
}

} // namespace

std::optional<TranslatedFile> buildObject(const BuildOptions& options, const fs::path& object) {
  checkOutput(object, options.translate.frontend.files);
  auto files = translate(options.translate);
  if (!files) return std::nullopt;
  const TranslatedFile& file = files->front();
  const bool changed = file.host.find(globalPrefix) != std::string::npos ||
                       file.host.find("warploom_loopBegins") != std::string::npos;
  if (!file.cuda.empty() || changed) Builder(options, *files).combine(object);
  return std::move(files->front());
}

std::vector<std::string> linkOfObjects(const BuildOptions& options, const std::vector<std::string>& inputs,
                                       bool shared, const fs::path& folder) {
  std::vector<TranslatedFile> none;
  Builder builder(options, none);
  Command result = builder.runtimeForC(folder);
  auto anyHas = [&](const char* word) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const std::string& input) { return contains(input, word); });
  };
  const bool lengths = anyHas("warploom_heapBytes"), regions = anyHas("warploom_residence");
  // A library leaves the heap to the program.
  if (!shared && !hasOwnHeap(inputs) && (lengths || (regions && builder.sharesHeap())))
    result.insert(result.begin(),
                  {builder.compileHeap(folder.string(), lengths), // before CUDA, which it asks
                   std::string("-Wl,") + heapSymbols});
  return result;
}

// The parts that stay, and the kernels of each file at their usual sizes as far as they were needed. Which
// global arrays may move does not depend on sizes.
struct ProgramParts::State {
  State(const BuildOptions& given, std::vector<TranslatedFile> some, BuildScript* script)
      : options(given), files(std::move(some)), builder(options, files, script) {}

  const BuildOptions options;
  std::vector<TranslatedFile> files;
  Builder builder;
  std::map<std::size_t, std::string> texts, usual;
  std::mutex linking;
  std::optional<Command> residents;
};

ProgramParts::ProgramParts(const BuildOptions& options, std::vector<TranslatedFile> files,
                           BuildScript* script)
    : state(std::make_unique<State>(options, std::move(files), script)) {
  state->builder.compileRest();
  for (std::size_t k = 0; k < state->files.size(); ++k)
    if (!state->files[k].cuda.empty()) state->texts[k] = state->builder.kernelsText(k);
}

ProgramParts::~ProgramParts() = default;

bool ProgramParts::isForCuda() const {
  return state->builder.isForCuda();
}

void ProgramParts::compileOthers(std::size_t file) {
  for (std::size_t k = 0; k < state->files.size(); ++k)
    if (k != file && !state->files[k].cuda.empty() && !state->usual.count(k))
      state->usual[k] = state->builder.usualKernels(k);
}

std::vector<std::string> ProgramParts::kernelsCommand(std::size_t file, const std::vector<std::string>& flags,
                                                      const fs::path& object) const {
  return state->builder.kernelsCommand(file, state->texts.at(file), flags, object.string());
}

std::vector<std::string> ProgramParts::linkCommand(std::size_t file, const fs::path& object,
                                                   const fs::path& program) const {
  Command others = {object.string()};
  for (const auto& [k, made] : state->usual)
    if (k != file) others.push_back(made);
  std::lock_guard<std::mutex> lock(state->linking);
  return state->builder.linkCommand(others, state->residents, program.string());
}

void addBuild(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status) {
  auto options = std::make_shared<BuildOptions>();
  auto output = std::make_shared<std::string>();
  auto tuned = std::make_shared<TunedRequest>();
  CLI::App* command =
      app.add_subcommand("build", "Build a program whose loops run on a device where that pays");
  addFiles(*command, options->translate);
  addBuildOptions(*command, *options);
  addTunedOptions(*command, *tuned);
  command->add_option("-o", *output, "The program")->required()->type_name("PROG");
  command->footer(
      "What stands after `--` goes to the C compiler and the linker: warploom build f.c g.c -o f -- -O3 -lm");
  command->callback([options, output, tuned, &compilerFlags, &status] {
    setFlags(*options, compilerFlags);
    options->translate.tuned = tunedOptions(*tuned, [&] { return isForCuda(*options); }, compilerFlags);
    status = build(*options, *output);
  });
}

} // namespace warploom
