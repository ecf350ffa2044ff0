// RT-CUDA's config.txt: fifteen keys, one KEY=value a line, and what they mean for Warploom.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// What was found wrong with a configuration, at a line of it.
struct ConfigMessage {
  enum Severity { Warning, Error } severity;
  int line; ///< 0: of no line
  std::string text;
};

/// The keys by their meaning, with the defaults of RT-CUDA.
struct ProjectConfig {
  bool loopCollapsing = true; ///< two nested loops are shared out
  bool blockSkew = false;     ///< a thread does neighbouring columns
  bool prefetching = false;   ///< arrays are staged in shared memory
  std::vector<std::string> prefetchedArrays, nonPrefetchedArrays, kernelNames;
  std::string dataType = "float";
  bool matrix2d = false;
  std::string rowDimension = "N";
  int maxBlockSize = 0, maxMergeLevel = 0, maxSkewLevel = 0; ///< 0: as large as may be
  int minBlockSize = 32, minMergeLevel = 1, minSkewLevel = 1;

  std::map<std::string, int> given; ///< the keys that the file has, and their lines
  bool has(const std::string& key) const { return given.count(key) != 0; }
  int lineOf(const std::string& key) const { return has(key) ? given.at(key) : 0; }
};

/// A whole configuration: what holds for all kernels, and what holds for those of one function, where a line
/// `[function]` begins a section with keys of its own; the others are as for all.
struct ProjectSettings {
  ProjectConfig common;
  std::map<std::string, ProjectConfig> sections; ///< by function
  std::map<std::string, int> lines;              ///< where they begin
};

/// The configuration of `text`. Lines that are empty or begin with '#' say nothing. Unknown keys, keys given
/// twice and bad values are errors; settings that contradict each other are repaired with a warning, or
/// errors where no repair is plain.
ProjectSettings readSettings(std::string_view text, std::vector<ConfigMessage>& messages);
/// What of it holds for all kernels.
ProjectConfig readConfig(std::string_view text, std::vector<ConfigMessage>& messages);

/// `base` with the keys of a directive, `KEY=value KEY=value`, which stands at `line` of a source.
ProjectConfig readDirective(const ProjectConfig& base, std::string_view words, int line,
                            std::vector<ConfigMessage>& messages);

/// The three sizes RT-CUDA leaves to tuning, as a first choice inside the configuration's bounds.
struct ProjectSizes {
  int block = 256, merge = 1, skew = 1;
};
/// Powers of two; adds an error where the bounds have none.
ProjectSizes firstSizes(const ProjectConfig& config, std::vector<ConfigMessage>& messages);

/// Warploom's tunables (docs/compile.md) for the sizes: `BLOCK` and so on with their values. Blocks have no
/// more than `maxThreads` threads, and all sizes that must divide others do.
std::vector<std::pair<std::string, int>> tunablesFor(const ProjectSizes& sizes, int maxThreads);

} // namespace warploom
