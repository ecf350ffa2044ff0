#include "driver/BuildFile.h"

#include "driver/Build.h"
#include "driver/Toolchain.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace fs = std::filesystem;

namespace {

/// `word` as make hands it to the shell as one word.
std::string shellWord(const std::string& word) {
  auto isPlain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string("_-+=./,:@%").find(c) != std::string::npos;
  };
  std::string text;
  for (char c : word)
    text += c == '$' ? "$$" : c == '#' ? "\\#" : c == '\'' ? "'\\''" : std::string(1, c);
  return !word.empty() && std::all_of(word.begin(), word.end(), isPlain) ? text : "'" + text + "'";
}

std::string shellWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += " " + shellWord(word);
  return text;
}

/// {0} source, {1} program, {2} kernels, {3} host, {4} runtime, {5} flags for C, {6} link flags, {7} where C
/// is compiled, {8} the folder of the source, {9} and {10} what strict floating point asks of nvcc and of
/// others, {11} tunables, {12} the object that watches the heap, {13} and {14} what it asks of the two
/// linkers, {15} its rule; all four empty where no launcher asks the heap.
constexpr const char* text =
    R"(# Made by Warploom from {0}: builds {1} of {2}, kernels and launchers, and {3}, the program.
#   make                the program
#   make TARGET=cpu     {1}.cpu: the same kernels on the CPU, without CUDA
#   make -B DEBUG=1     for debuggers: nothing is optimised, kernels have line numbers
#   make resources      registers, shared memory and spills of every kernel
#   make TUNABLES=-DWARPLOOM_BLOCK=128      with other sizes of blocks and tiles
TARGET ?= cuda
ARCH ?= sm_90
NVCC ?= nvcc
RUNTIME ?= {4}
CFLAGS ?={5}
LDLIBS ?={6} -lm
TUNABLES ?={11}

ifdef DEBUG
override CFLAGS += -g -O0
NVCCFLAGS ?= -g -G
CPUFLAGS ?= -g -O0
else
NVCCFLAGS ?= -O3
endif
override NVCCFLAGS += -std=c++17 -arch=$(ARCH){9} $(TUNABLES) -I '$(RUNTIME)'
override CPUFLAGS += {10}$(TUNABLES) -I '$(RUNTIME)'

ifeq ($(TARGET),cpu)
{1}.cpu: {1}.kernels.cpu.o {1}.host.o{12}
	$(CXX) -std=c++17 -O2 -I '$(RUNTIME)' $^ '$(RUNTIME)'/cpu/*.cpp{13} -lboost_context -pthread $(LDLIBS) -o $@
else
{1}: {1}.kernels.o {1}.host.o{12}
	$(NVCC) -arch=$(ARCH) $^{14} $(LDLIBS) -o $@
endif

{1}.kernels.o: {2}
	$(NVCC) $(NVCCFLAGS) -c $< -o $@

{1}.kernels.cpu.o: {2}
	$(CXX) '@$(RUNTIME)/flags/cpu' $(CPUFLAGS) -x c++ -c $< -o $@

{1}.host.o: {3}
	cd {7} && $(CC) $(CFLAGS) -iquote {8} -c '$(CURDIR)/$<' -o '$(CURDIR)/$@'
{15}
resources: {2}
	$(NVCC) $(NVCCFLAGS) -Xptxas -v -cubin $< -o /dev/null

clean:
	$(RM) {1} {1}.cpu {1}.kernels.o {1}.kernels.cpu.o {1}.host.o{12}

.PHONY: resources clean
.SUFFIXES:
)";

} // namespace

std::string buildFile(const TranslatedFile& file, const fs::path& makefile, const fs::path& kernels,
                      const fs::path& host, const std::vector<std::string>& linkFlags,
                      bool strictFloatingPoint) {
  fs::path here = fs::absolute(makefile).parent_path(), source = fs::absolute(file.file);
  auto near = [&](const fs::path& path) { return fs::proximate(fs::absolute(path), here); };
  std::vector<std::string> flags = splitFlags(file.flags).compile, tunables;
  auto optimises = [](const std::string& flag) { return flag.starts_with("-O"); };
  if (std::none_of(flags.begin(), flags.end(), optimises)) flags.insert(flags.begin(), "-O2");
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(tunables), isTunable);
  if (strictFloatingPoint) flags.push_back("-ffp-contract=off");
  const std::string program = near(kernels).replace_extension().string(),
                    heap = file.asksHeap ? program + ".heap.o" : "";
  auto ifWatched = [&](const std::string& words) { return heap.empty() ? "" : words; };
  fs::path folder = fs::absolute(file.folder.empty() ? fs::current_path() : fs::path(file.folder));
  return fmt::format(
      text, file.file, program, near(kernels).string(), near(host).string(), runtimeFolder().string(),
      shellWords(flags), shellWords(linkFlags), shellWord(folder.lexically_normal().string()),
      shellWord(source.parent_path().string()), strictFloatingPoint ? " --fmad=false" : "",
      strictFloatingPoint ? "-ffp-contract=off " : "", shellWords(tunables), ifWatched(" " + heap),
      ifWatched(fmt::format(" -Wl,{}", heapSymbols)), ifWatched(fmt::format(" -Xlinker {}", heapSymbols)),
      ifWatched(fmt::format("\n{}: $(RUNTIME)/warploom_heap.c\n\t$(CC) -O2 -fno-builtin -c "
                            "'$<' -o $@\n",
                            heap)));
}

} // namespace warploom
