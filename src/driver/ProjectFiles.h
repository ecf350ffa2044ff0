// The texts of a project that `warploom project` writes beside the translated files.
#pragma once

#include "driver/Translate.h"
#include "project/Config.h"

#include <string>
#include <vector>

namespace warploom {

/// A translated file of the project: `name.cu`, where it has kernels, and `name.c`.
struct ProjectFile {
  std::string name;
  bool kernels;
};

/// What the build files need to know.
struct ProjectPlan {
  std::string program;
  std::vector<ProjectFile> files;
  std::vector<std::string> compileFlags, linkFlags; ///< the user's
  bool asksHeap = false, strictFloatingPoint = false;
  bool linearAlgebra = false; ///< a file includes warploom_la.h
};

/// params.h: RT-CUDA's three sizes, and Warploom's tunables that follow from them.
std::string paramsText(const ProjectSizes& sizes, int maxThreads);
std::string projectMakefile(const ProjectPlan& plan);
std::string projectCMake(const ProjectPlan& plan);

/// The scripts `tune`, which searches inside the bounds of the configuration for sizes that kernels have
/// (rows and columns of a thread only where some do), and `profile`.
std::string tuneScript(const ProjectPlan& plan, const ProjectConfig& config, bool merges, bool skews);
std::string profileScript(const ProjectPlan& plan);

} // namespace warploom
