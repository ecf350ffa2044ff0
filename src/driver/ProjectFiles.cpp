#include "driver/ProjectFiles.h"

#include "driver/Build.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace warploom {

namespace {

/// `word` as make hands it to the shell as one word.
std::string makeWord(const std::string& word) {
  std::string text;
  for (char c : word)
    text += c == '$' ? "$$" : c == '#' ? "\\#" : c == '\'' ? "'\\''" : std::string(1, c);
  auto isPlain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string("_-+=./,:@%").find(c) != std::string::npos;
  };
  return !word.empty() && std::all_of(word.begin(), word.end(), isPlain) ? text : "'" + text + "'";
}

/// `word` as an argument of a CMake command.
std::string cmakeWord(const std::string& word) {
  std::string text;
  for (char c : word)
    text += c == '"' || c == '\\' || c == '$' || c == ';' ? std::string("\\") + c : std::string(1, c);
  return "\"" + text + "\"";
}

template <class Quote> std::string joined(const std::vector<std::string>& words, Quote quote) {
  std::string text;
  for (const std::string& word : words)
    text += " " + quote(word);
  return text;
}

std::vector<std::string> withOptimisation(std::vector<std::string> flags) {
  auto optimises = [](const std::string& flag) { return flag.starts_with("-O"); };
  if (std::none_of(flags.begin(), flags.end(), optimises)) flags.insert(flags.begin(), "-O2");
  return flags;
}

/// The files of the project with the given ending, those with kernels or all.
std::string names(const ProjectPlan& plan, bool kernels, const std::string& ending) {
  std::string text;
  for (const ProjectFile& file : plan.files)
    if (!kernels || file.kernels) text += " " + file.name + ending;
  return text;
}

} // namespace

std::string paramsText(const ProjectSizes& sizes, int maxThreads) {
  std::string text =
      fmt::format("/* Sizes of the kernels. They are right for any size of the problem; change them, and "
                  "build again. */\n"
                  "#ifndef PARAMS_H\n#define PARAMS_H\n\n"
                  "#define BLOCKSIZE {}   /* threads of a block */\n"
                  "#define MERGE_LEVEL {} /* rows that a thread computes, where kernels are tiled */\n"
                  "#define SKEW_LEVEL {}  /* neighbouring columns that a thread computes */\n\n"
                  "/* What follows from them; docs/compile.md has their meaning. */\n",
                  sizes.block, sizes.merge, sizes.skew);
  for (const auto& [name, value] : tunablesFor(sizes, maxThreads)) {
    static const std::map<std::string, std::string> formulas = {
        {"BLOCK", "BLOCKSIZE"},
        {"BLOCK_X", "(BLOCKSIZE < 32 ? BLOCKSIZE : 32)"},
        {"BLOCK_Y", "(BLOCKSIZE < 32 ? 1 : BLOCKSIZE / 32)"},
        {"ROWS", "(BLOCKSIZE < 32 ? 1 : BLOCKSIZE / 32)"},
        {"GROUP", "(BLOCKSIZE < 4 ? BLOCKSIZE : 4)"},
        {"ITEMS_X", "SKEW_LEVEL"},
        {"ITEMS_Y", "MERGE_LEVEL"},
        {"VECTOR", "SKEW_LEVEL"}};
    auto formula = formulas.find(name);
    const std::string shown = formula == formulas.end() ? std::to_string(value) : formula->second;
    text += fmt::format("#ifndef WARPLOOM_{0}\n#define WARPLOOM_{0} {1}\n#endif\n", name, shown);
  }
  text += "/* Products with few tiles have the same sizes as others. */\n";
  for (const char* name : {"TILE_X", "TILE_Y", "ITEMS_X", "ITEMS_Y"})
    text += fmt::format("#ifndef WARPLOOM_FEW_{0}\n#define WARPLOOM_FEW_{0} WARPLOOM_{0}\n#endif\n", name);
  return text + "\n#endif\n";
}

std::string projectMakefile(const ProjectPlan& plan) {
  const std::string strict = plan.strictFloatingPoint ? "-ffp-contract=off " : "";
  const std::string heap = plan.asksHeap ? " warploom_heap" : "";
  auto heapObject = [&](const char* ending) { return heap.empty() ? "" : heap + ending; };
  const std::string la =
      plan.linearAlgebra
          ? "# The linear algebra of warploom_la.h, as Warploom is installed.\n"
            "LA_FLAGS ?= $(shell pkg-config --cflags warploom-la)\n"
            "LA_FOLDER ?= $(shell pkg-config --variable=libdir warploom-la)\n"
            "ifeq ($(TARGET),cpu)\nLA_LIBS ?= -L$(LA_FOLDER) -lwarploom_la -lopenblas -lstdc++\n"
            "else\nLA_LIBS ?= -L$(LA_FOLDER) -lwarploom_la_cuda -lcublas -lcusparse -lstdc++\nendif\n"
          : "";
  const std::string laLibs = plan.linearAlgebra ? "$(LA_LIBS) " : "",
                    laFlags = plan.linearAlgebra ? "$(LA_FLAGS) " : "";
  std::string text = fmt::format(
      R"(# Made by Warploom.
#   make                the program on the GPU
#   make TARGET=cpu     {0}.cpu: the same kernels on the CPU, without CUDA
#   make -B DEBUG=1     for debuggers
#   make resources      registers, shared memory and spills of every kernel
# ./tune looks for the best sizes of params.h, ./profile says where the time goes.
TARGET ?= cuda
ARCH ?= sm_90
NVCC ?= nvcc
CFLAGS ?={1}
LDLIBS ?={2} -lm
{3}
ifdef DEBUG
override CFLAGS += -g -O0
NVCCFLAGS ?= -g -G
CPUFLAGS ?= -g -O0
else
NVCCFLAGS ?= -O3
endif
override NVCCFLAGS += -std=c++17 -arch=$(ARCH){4} -I runtime
override CPUFLAGS += {5}-I runtime

ifeq ($(TARGET),cpu)
{0}.cpu:{6}{7}{8} $(patsubst %.cpp,%.o,$(wildcard runtime/cpu/*.cpp))
	$(CXX) $^{9} {14}-lboost_context -pthread $(LDLIBS) -o $@
else
{0}:{10}{7}{8}
	$(NVCC) -arch=$(ARCH) $^{11} {14}$(LDLIBS) -o $@
endif

%.kernels.o: %.cu params.h
	$(NVCC) $(NVCCFLAGS) -c $< -o $@

%.kernels.cpu.o: %.cu params.h
	$(CXX) @runtime/flags/cpu $(CPUFLAGS) -x c++ -c $< -o $@

runtime/cpu/%.o: runtime/cpu/%.cpp
	$(CXX) -std=c++17 -O2 -pthread -I runtime -c $< -o $@

%.host.o: %.c
	$(CC) $(CFLAGS) {15}{5}-c $< -o $@

warploom_heap.o: runtime/warploom_heap.c
	$(CC) -O2 -fno-builtin -c $< -o $@

resources:{12}
	for file in $^; do $(NVCC) $(NVCCFLAGS) -Xptxas -v -cubin $$file -o /dev/null; done

clean:
	$(RM) {0} {0}.cpu{10}{6}{7}{13} runtime/cpu/*.o

.PHONY: resources clean
.SUFFIXES:
)",
      plan.program, joined(withOptimisation(plan.compileFlags), makeWord), joined(plan.linkFlags, makeWord),
      la, plan.strictFloatingPoint ? " --fmad=false" : "", strict, names(plan, true, ".kernels.cpu.o"),
      names(plan, false, ".host.o"), heapObject(".o"),
      heap.empty() ? "" : fmt::format(" -Wl,{}", heapSymbols), names(plan, true, ".kernels.o"),
      heap.empty() ? "" : fmt::format(" -Xlinker {}", heapSymbols), names(plan, true, ".cu"),
      heapObject(".o"), laLibs, laFlags);
  return text;
}

std::string projectCMake(const ProjectPlan& plan) {
  std::string text = fmt::format(
      R"(# Made by Warploom. For the GPU: cmake -B build; the same kernels on the CPU: cmake -B build -DTARGET=cpu
cmake_minimum_required(VERSION 3.21)
project({0} LANGUAGES C CXX)
set(TARGET cuda CACHE STRING "Where kernels run: cuda or cpu")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(kernels{1})
add_executable({0} ${{kernels}}{2})
target_include_directories({0} PRIVATE runtime .)
target_compile_options({0} PRIVATE "$<$<COMPILE_LANGUAGE:C>:SHELL:{3}>")
target_link_libraries({0} PRIVATE{4} m)
if("${{TARGET}}" STREQUAL "cpu")
  find_package(Threads REQUIRED)
  file(GLOB executor ${{CMAKE_CURRENT_SOURCE_DIR}}/runtime/cpu/*.cpp)
  target_sources({0} PRIVATE ${{executor}})
  set_source_files_properties(${{kernels}} PROPERTIES LANGUAGE CXX
                              COMPILE_OPTIONS "@${{CMAKE_CURRENT_SOURCE_DIR}}/runtime/flags/cpu;-x;c++{5}")
  set_target_properties({0} PROPERTIES CXX_STANDARD 17)
  target_link_libraries({0} PRIVATE boost_context Threads::Threads)
else()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  set_target_properties({0} PROPERTIES CUDA_STANDARD 17){6}
endif()
)",
      plan.program, names(plan, true, ".cu"), names(plan, false, ".c"),
      joined(plan.compileFlags, [](const std::string& word) { return makeWord(word); }) +
          (plan.strictFloatingPoint ? " -ffp-contract=off" : ""),
      joined(plan.linkFlags, cmakeWord), plan.strictFloatingPoint ? ";-ffp-contract=off" : "",
      plan.strictFloatingPoint
          ? fmt::format("\n  target_compile_options({} PRIVATE \"$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>\")",
                        plan.program)
          : "");
  if (plan.asksHeap)
    text += fmt::format(
        "target_sources({0} PRIVATE runtime/warploom_heap.c)\n"
        "set_source_files_properties(runtime/warploom_heap.c PROPERTIES COMPILE_OPTIONS -fno-builtin)\n"
        "target_link_options({0} PRIVATE \"LINKER:{1}\")\n",
        plan.program, heapSymbols);
  if (plan.linearAlgebra)
    text += fmt::format(
        "find_package(Warploom REQUIRED)\n"
        "if(\"${{TARGET}}\" STREQUAL \"cpu\")\n  target_link_libraries({0} PRIVATE Warploom::la)\n"
        "else()\n  target_link_libraries({0} PRIVATE Warploom::la_cuda)\nendif()\n",
        plan.program);
  return text;
}

} // namespace warploom
