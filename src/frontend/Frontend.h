// The door of the front end: C source in, regions out. The only header of this stage that others include.
#pragma once

#include "model/Region.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// How many elements the memory has that a pointer points to, as the user states it: a sum of products of
/// numbers and variables of the source.
struct GivenExtent {
  struct Term {
    long factor = 1;
    std::vector<std::string> variables;
  };
  std::string function; ///< in which it holds; empty: in all
  std::string array;
  std::vector<Term> sum;
};

/// What `text`, `[function:]array=2*n*m+1`, states; nothing when it is of another form.
std::optional<GivenExtent> parseExtent(const std::string& text);

/// What to read and how to compile it.
struct FrontendOptions {
  std::vector<std::string> files;
  std::vector<std::string> compilerFlags; ///< what stands after `--`
  std::string buildPath; ///< `-p`: where compile_commands.json is; empty: looked for beside the file
  std::string function;  ///< only this function; empty: all
  std::vector<GivenExtent> extents; ///< where the source does not tell them
  std::string cudaHeaders; ///< the folder of CUDA's headers, for files that are CUDA; empty: not known
  bool quiet = false;      ///< nothing is said of what Clang finds
  std::map<std::string, std::string> texts; ///< C that stands for what is in these files
  /// Also the regions inside those that have something in them which no device can run.
  bool nested = false;
  /// Also the loops that no region holds, each as a region of its own that says why.
  bool everyLoop = false;
};

/// An array with static storage, declared outside functions. Where nothing is `refused`, no pointer ever
/// points into it: it can be elsewhere if those who name it know where.
struct GlobalArray {
  static constexpr long least = 65536; ///< bytes; shorter ones are not looked at

  std::string name;
  long bytes = 0;
  bool isStatic = false;          ///< no other file knows it
  bool isDefined = false;         ///< here; else another file of the program does
  std::size_t declared = 0;       ///< a byte of its last declaration in the file; 0: others declare it
  std::size_t used = SIZE_MAX;    ///< where it is used first
  std::set<std::size_t> mentions; ///< the bytes where the file names it, but for declarations
  SourceRange range;
  std::string refused; ///< why it has to be where it is; else empty
};

/// A loop that repeats calls and nests.
struct Repetition {
  SourceRange range;            ///< of its text, which begins and ends in the main file
  std::string count;            ///< how often, a C expression that may be computed before the loop
  bool mayEndSooner = false;    ///< something else may end it, too
  std::set<std::string> calls;  ///< the functions of the file that run in it, called by others or not
  bool callsOtherFiles = false; ///< it is in `main` and calls functions of the program's that are not here
};

/// A loop that looks for something and leaves the function with `return` where it has found it.
struct SearchReturn {
  SourceRange range;    ///< of its text
  std::string declares; ///< C text that comes before a region of it, in the same block
  std::string then; ///< C text of the statement that leaves, if something was found, where the region has run
};

/// What one file held.
/// `#pragma warploom WORDS` in the file itself.
struct Directive {
  unsigned line = 0;
  std::size_t begin = 0; ///< its first byte in the text
  std::string words;
};

struct FileRegions {
  std::string file;
  std::string source; ///< the text the regions' byte offsets point into
  /// How the file is compiled, without the names of compiler, input and output; and the folder that relative
  /// names in it start from.
  std::vector<std::string> flags;
  std::string folder;
  bool compiled = true;        ///< false: Clang reported errors and there are no regions
  std::vector<Region> regions; ///< in textual order
  std::vector<GlobalArray> globals;
  std::vector<Repetition> repetitions; ///< in textual order
  std::vector<SearchReturn> returns;
  std::vector<Directive> directives; ///< in textual order
  double seconds = 0;                ///< of processor time that reading the file took
};

/// The regions of every file, in order. Clang's own diagnostics go to standard error, unless it is to be
/// quiet.
std::vector<FileRegions> readFiles(const FrontendOptions& options);

} // namespace warploom
