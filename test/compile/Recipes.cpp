// Writes small programs whose kernels come from recipes, FOLDER/NAME.c and FOLDER/NAME.cu for each: what
// recipes_test.py runs against the loops themselves.
//
//   recipes FOLDER
#include "driver/Pipeline.h"
#include "frontend/Frontend.h"

#include <cstdio>
#include <fstream>

using namespace warploom;

namespace {

struct Case {
  std::string name;
  std::string loops; ///< over n and m; they read a and c, and write b
  std::vector<Step> recipe;
  std::string contains; ///< words of the text that the recipe is about
  std::string arrays = "const double* restrict a, double* restrict b";
};

/// Tiles of i and j, with the points of one on the threads of a block; then `more`.
std::vector<Step> tiled(std::vector<Step> more) {
  std::vector<Step> steps = {Tile{{"i", "j"}, {"TILE_Y", "TILE_X"}, {{"ii"}, {"jj"}}},
                             MapToGrid{{"jj", "ii"}}, MapToBlock{{"j", "i"}}};
  steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}

/// A product whose tiles arrive while the ones before them are worked on.
std::vector<Step> overlapped() {
  return {Tile{{"i", "j", "k"},
               {"TILE_Y", "TILE_X", "TILE_K"},
               {{"ii"}, {"jj"}, {"kk"}},
               {"ii", "jj", "kk", "k", "i", "j"}},
          MapToGrid{{"jj", "ii"}},
          MapToBlock{{"j", "i"}},
          StageShared{"kk", "a", -16, 2},
          StageShared{"kk", "c", 1, 2},
          StageRegisters{"jj", "b"}};
}

/// The same with tiles of numbers, the loop over those of k counted or by their first values, and two tiles
/// under way.
std::vector<Step> pipelined(Tile::Method method) {
  return {Tile{{"i", "j"}, {8L, 32L}, {{"ii"}, {"jj"}}, {"ii", "jj", "i", "j"}},
          Tile{{"k"}, {5L}, {{"kk"}}, {"kk", "i", "j", "k"}, method},
          MapToGrid{{"jj", "ii"}},
          MapToBlock{{"j", "i"}},
          StageShared{"kk", "a", -16},
          StageShared{"kk", "c"},
          StageRegisters{"jj", "b"},
          Pipeline{"kk", 3},
          LaunchBounds{"jj", 2}};
}

std::vector<Case> cases() {
  const std::string nest = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ";
  return {
      {"interchanged", nest + "b[j * n + i] = 2 * a[i * m + j];", tiled({StageShared{"jj", "b", -16}}),
       "b[j * n + i] = b_tile["},
      {"turned", nest + "b[n - 1 - i][m - 1 - j] = a[i][j] + 1;", tiled({StageShared{"jj", "b"}}),
       "b[row * m + column] = b_tile[", "const double a[restrict n][m], double b[restrict n][m]"},
      {"rotated", nest + "b[j][n - 1 - i] += a[i][j];", tiled({StageShared{"jj", "b", -16}}),
       "b[j * n + column] = b_tile[", "const double a[restrict n][m], double b[restrict m][n]"},
      {"reversed",
       "for (int i = 0; i < n; i++) b[n - 1 - i] = a[i];",
       {Strip{"i", "BLOCK", "ii"}, MapToGrid{{"ii"}}, MapToBlock{{"i"}}, StageShared{"ii", "b"},
        StageShared{"ii", "a"}},
       "b[column] = b_tile["},
      {"updated", nest + "b[j * n + i] += a[i * m + j];", tiled({StageShared{"jj", "b", -16}}),
       "] = b_tile["},
      {"rewritten",
       nest + "{ b[j * n + i] = a[i * m + j]; b[j * n + i] = b[j * n + i] * b[j * n + i] + c[j]; }",
       tiled({StageShared{"jj", "b", -16}}), "] = b_tile["},
      {"accumulated", nest + "for (int k = 0; k < 3; k++) b[j * n + i] += a[i * m + j] * c[k];",
       tiled({StageShared{"jj", "b", -16}, StageShared{"jj", "c"}}), "] = b_tile["},
      {"strided", nest + "b[i * 2 * m + 2 * j] = a[i * m + j];", tiled({StageShared{"jj", "b"}}),
       "] = b_tile["},
      {"sliced",
       nest + "b[j] += a[i] * c[i * 3 + j % 3];",
       {Tile{{"i"}, {5L}, {{"slices"}}}, Permute{{"slices", "j", "i"}}, MapToGrid{{"j"}},
        StageConstant{"a", "slices"}},
       "region.copyToConstant(sliced_"},
      {"product", nest + "for (int k = 0; k < n; k++) b[i * m + j] += a[i * n + k] * c[k * m + j];",
       overlapped(), "warploom::copyTile<"},
      {"shifted", nest + "for (int k = 2; k < n - 1; k++) b[i * m + j] += a[i * n + k - 1] * c[k * m + j];",
       overlapped(), "warploom::copyTile<"},
      {"deeper", nest + "for (int k = 0; k < n; k++) b[i * m + j] += a[i * n + k] * c[k * m + j];",
       [] {
         std::vector<Step> steps = overlapped();
         steps.push_back(Pipeline{"kk", 4});
         return steps;
       }(),
       "warploom::waitForCopies<2>();"},
      {"numbered", nest + "for (int k = 0; k < n; k++) b[i * m + j] += a[i * n + k] * c[k * m + j];",
       pipelined(Tile::Method::Strided), "__launch_bounds__(32 * 8, 2)"},
      {"counted", nest + "for (int k = 2; k < n - 1; k++) b[i * m + j] += a[i * n + k - 1] * c[k * m + j];",
       pipelined(Tile::Method::Counted), "warploom::waitForCopies<1>();"},
  };
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string folder = arguments[1];
  int failures = 0;
  for (const Case& each : cases()) {
    const std::string path = folder + "/" + each.name;
    std::ofstream(path + ".c") << "void " << each.name << "(int n, int m, " << each.arrays
                               << ", const double* restrict c) {\n  " << each.loops << "\n}\n";
    FrontendOptions options;
    options.files = {path + ".c"};
    options.compilerFlags = {"-std=gnu11"};
    std::vector<FileRegions> files = readFiles(options);
    PipelineOptions pipeline;
    pipeline.plan.recipe = each.recipe;
    pipeline.emit.source = each.name + ".c";
    GeneratedProgram program = generate(files.front().regions, pipeline);
    if (program.regions.size() != 1 || !program.regions.front().refused.empty() ||
        program.cuda.find(each.contains) == std::string::npos) {
      std::printf("%s: %s\n%s\n", each.name.c_str(),
                  program.regions.empty() ? "no region" : program.regions.front().refused.c_str(),
                  program.cuda.c_str());
      ++failures;
    }
    std::ofstream(path + ".cu") << program.cuda;
  }
  return failures > 0;
}
