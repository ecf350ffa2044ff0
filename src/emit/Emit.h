// The door of emission: planned regions in, the text of a CUDA program out.
#pragma once

#include "analysis/Facts.h"
#include "emit/Definitions.h"
#include "emit/Program.h"
#include "mapping/Plan.h"
#include "support/TextWriter.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace warploom {

struct EmitOptions {
  std::string source; ///< the name of the user's file, for the head comment
  /// An identifier that tells the launchers of this file from those of the program's other files.
  std::string unit;
  bool notesRounding = false; ///< GeneratedRegion::notesRounding of each region
  bool tellsSizes = false;    ///< GeneratedRegion::tellsSizes of each region
  /// What kernels' own sizes are where nothing is said, by their names in the text, of those that are not as
  /// for the file; empty: none.
  std::function<std::map<std::string, int>(const GeneratedRegion&)> sizesOf;
  std::string header; ///< a header with the launchers' prototypes that the text includes; empty: none
};

/// Writes the kernels and launchers of one file, region by region.
class ProgramWriter {
public:
  explicit ProgramWriter(const EmitOptions& options);

  /// True when `source` lies inside a region that has a launcher: what is mapped goes to the device with all
  /// that is in it, and what stays on the host may have regions in it.
  bool covers(const Region& source) const;
  /// Names that launchers and kernels have already.
  const std::set<std::string>& names() const { return taken; }
  /// Adds what `plan` says of `region`, which `source` is for planning; a region whose plan or text is
  /// refused is there with the reason. The program refers to `source`.
  void add(const Region& source, const Region& region, const Facts& facts, const RegionPlan& plan);
  /// The program of all that was added.
  GeneratedProgram finish();

private:
  std::string launcherOf(const Region& region);
  /// Adds the sizes that a region's kernels use, or says which means something else in another region.
  std::optional<std::string> addSizes(const SizeTable& ofRegion, const std::vector<KernelSizes>& kernels);
  void write(const Region& region, const Facts& facts, const RegionPlan& plan, GeneratedRegion& generated);

  const EmitOptions options;
  GeneratedProgram program;
  Definitions definitions;
  TextWriter out; ///< the kernels and launchers
  std::set<std::string> taken;
  SizeTable sizes = knownSizes();  ///< with what regions have declared
  std::set<std::string> usedSizes; ///< by the kernels of all regions
};

} // namespace warploom
