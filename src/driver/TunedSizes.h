// Sizes that `warploom tune` has found, for those who compile: where the database is, what devices and
// toolkits are called in it, and which kernels it knows.
#pragma once

#include "emit/Program.h"
#include "tune/Campaign.h"
#include "tune/Database.h"
#include "tune/Variants.h"

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The kernels of a region as tuning sees them, of file 0.
std::vector<TunableKernel> kernelsOf(const GeneratedRegion& region);

/// Where tuned sizes are looked for; not at all while `device` is empty.
struct TunedOptions {
  std::filesystem::path database;
  std::string device;  ///< as deviceName() calls it
  std::string toolkit; ///< as toolkitName() calls it
  std::string sizes;   ///< of the problem, as Search has them
};

/// The database that is used where none is named: what WARPLOOM_TUNING says, which is none where that is set
/// and empty; else warploom/tuning.db in the user's cache folder.
std::optional<std::filesystem::path> usualDatabase();
/// What this machine's device is called; empty when it has no GPU and that is asked for.
std::string deviceName(bool cuda);
/// What compiles kernels: its version.
std::string toolkitName(bool cuda);
/// The definitions among `flags` of names with numbers as Search has sizes: `N=64 M=7`, in the order of their
/// names.
std::string problemSizes(const std::vector<std::string>& flags);

/// What the command line says of tuned sizes.
struct TunedRequest {
  std::string database, device; ///< empty: the usual ones
  bool none = false;
};
/// Adds `--db`, `--no-db` and `--tuned-for` to `command`.
void addTunedOptions(CLI::App& command, TunedRequest& request);
/// Where to look for a program that is compiled with `flags`, for this machine's GPU where `isForCuda` says
/// so, which is asked only where there is a database.
TunedOptions tunedOptions(const TunedRequest& request, const std::function<bool()>& isForCuda,
                          const std::vector<std::string>& flags);

/// What the database knows of the kernels of one file.
class TunedSizes {
public:
  /// `flags`: what the file is compiled with. Sizes that are set there are not chosen here. A database that
  /// cannot be read is one that knows nothing, which is said.
  TunedSizes(const TunedOptions& options, const std::vector<std::string>& flags);

  /// Whether there is a database.
  bool isOpen() const { return database.has_value(); }
  /// Whether it has other sizes than the usual ones for a kernel of `program`.
  bool knowsBetter(const GeneratedProgram& program);
  /// The sizes of those kernels of `region` that have their own, by their names in the text: what it knew
  /// when it was first asked for this region.
  const std::map<std::string, int>& of(const GeneratedRegion& region);
  /// Of the kernels of those regions, the ones that need several sets of sizes, by their names.
  const std::map<std::string, SizeVariants>& variants() const { return several; }
  /// Which kernels got which sizes.
  std::string remark() const;

private:
  /// What a kernel is to have: one point, or several, each for problems of its own.
  struct Choice {
    std::optional<Entry> one; ///< where problems do not differ, or one point serves at all of them
    MeasuredProblems problems;
    std::vector<ServingPoint> points;
  };
  std::optional<Choice> find(const TunableKernel& kernel, const GeneratedRegion& region);
  void note(const TunableKernel& kernel, const Choice& choice, std::map<std::string, int>& sizes);

  const TunedOptions& options;
  std::optional<Database> database;
  std::map<std::string, std::map<std::string, int>> known; ///< by launcher
  std::map<std::string, SizeVariants> several;
  std::map<std::string, std::string> said; ///< by kernel
};

} // namespace warploom
