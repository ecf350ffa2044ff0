// Throws random steps at small nests and writes what they make of them, FOLDER/NAME.c and FOLDER/NAME.cu:
// what recipes_test.py runs against the loops themselves. Steps that are refused are left out; a nest whose
// steps map nothing, or whose mapping is refused, is passed over. Says how many of each there were.
//
//   random_recipes FOLDER SEED COUNT
#include "analysis/Facts.h"
#include "driver/Pipeline.h"
#include "frontend/Frontend.h"
#include "transform/Schedule.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <regex>

using namespace warploom;

namespace {

/// Nests over n and m that read a and c, and write b.
const std::vector<std::string> nests = {
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 2 * a[i][j] + c[j][0];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[j][i] = a[i][j];",
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] + "
    "a[i][j - 1] + a[i][j + 1];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) b[i][j] += a[i][k] "
    "* c[k][j];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][0] += a[i][j] * c[0][j];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[0][j] += a[i][j] * c[i][0];",
    "double s = b[0][0]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; b[0][0] = s;",
    "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) b[i][j] = a[j][i] + c[i][j];",
    "for (int i = 0; i < n; i++) { b[i][0] = 1; for (int j = 0; j < m; j++) b[i][0] += a[i][j]; }",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { double t = a[i][j] * a[i][j]; b[i][j] = t + "
    "c[j][i]; }",
    "for (int t = 0; t < 3; t++) for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = b[i - "
    "1][j] + a[t][j];",
    "for (int i = n - 1; i >= 0; i--) for (int j = 0; j < m; j += 2) b[n - 1 - i][j] = a[i][j] - c[j][i];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < m; k++) b[i][k] += a[j][k] "
    "* c[i][j];",
    "for (int i = 1; i < n; i++) for (int j = 0; j < m - 1; j++) b[i][j] = b[i - 1][j + 1] + a[i][j];",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 2 * a[i][j]; for (int i = 0; i < n; "
    "i++) "
    "for (int j = 0; j < m; j++) b[i][j] += c[i][j];",
    "for (int i = 1; i < n; i++) b[i][0] = b[i - 1][0] + a[i][0]; for (int i = 0; i < n; i++) for (int j = "
    "1; j "
    "< m; j++) b[i][j] = b[i][0] - c[j][i];",
    "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m; j++) { s += a[i][j]; b[i][j] = s; } "
    "}",
    "for (int i = 0; i < n - 1; i++) for (int j = 0; j < m; j++) b[i][j] = b[i + 1][j] + a[i][j];",
    "double t; for (int i = 0; i < n; i++) { t = a[i][0] + c[i][0]; for (int j = 0; j < m; j++) b[i][j] = t "
    "* "
    "a[j][i]; }",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[(int)(a[i][0] + 4)][j] += c[i][j];",
    "for (int i = 0; i < n; i++) { b[i][0] = 1; for (int j = 2; j < m; j += 2) { b[i][j] = c[i][j] / (2 + "
    "b[i][j - 2]); b[i][j "
    "+ 1] = a[i][j] - b[i][j - 2]; } for (int j = m - 3; j > 0; j -= 2) b[i][j] = b[i][j + 2] / 3 + b[i][j]; "
    "}"};

class Dice {
public:
  explicit Dice(unsigned seed) : engine(seed) {}

  long number(long least, long greatest) {
    return least + static_cast<long>(engine() % static_cast<unsigned long>(greatest - least + 1));
  }
  template <typename T> T one(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(number(0, static_cast<long>(of.size()) - 1))];
  }

  Step step(const ScheduleState& state, int turn) {
    std::vector<std::string> loops = loopNames(state.tree());
    auto loop = [&] { return one(loops); };
    auto source = [&] {
      return state.sourceName(
          static_cast<int>(number(0, static_cast<long>(state.region().loops.size()) - 1)));
    };
    auto array = [&] { return one(state.region().arrays).name; };
    auto some = [&](long most) {
      std::vector<std::string> names;
      for (long k = number(1, most); k > 0; --k)
        names.push_back(loop());
      return names;
    };
    const std::string fresh = "x" + std::to_string(turn);
    const std::vector<Size> sizes{2L, 3L, 4L, 5L, 8L, 16L, 2L, "T", "U"};
    auto statement = [&] { return one(state.region().statements).name; };
    // What comes before all other steps, and before tiles have the size.
    if (turn < 3 && number(0, 3) == 0) return CarryScalar{"b", source()};
    if (turn < 4 && number(0, 2) == 0) return DeclareSize{size()};
    switch (number(0, 25)) {
    case 0:
    case 1:
      return Strip{loop(), one(sizes), fresh};
    case 2:
    case 3:
      return Tile{{loop(), loop()}, {one(sizes), one(sizes)}, {{fresh}, {fresh + "b"}}};
    case 4:
    case 5:
      return Permute{some(4)};
    case 6:
      return Reduce{array(), source()};
    case 7:
      return Expand{array(), source()};
    case 8:
      return Split{loop(), one<std::string>({"1", "3", "n - 1"}), fresh};
    case 9:
      if (number(0, 2) == 0) return Reorder{loop(), {loop(), number(0, 1) ? loop() : statement()}};
      return Distribute{loop()};
    case 10:
      return CollapseToGrid{some(2)};
    case 11:
    case 12:
      return MapToGrid{some(3)};
    case 13:
    case 14:
    case 15:
      return MapToBlock{some(3)};
    case 16:
      return MapToLanes{some(1)};
    case 17:
      return StageShared{loop(), array(), one<int>({1, -16, 4}), one<int>({1, 1, 2}), 1, number(0, 3) == 0};
    case 18:
      if (number(0, 3) == 0) return MapToTensor{loop()};
      return number(0, 1) ? Step(StageRegisters{loop(), array()}) : Step(StageReadOnly{array()});
    case 19:
      switch (number(0, 6)) {
      case 6:
        return Nonsingular{some(2), {{1, one<long>({0, 1, -1})}, {one<long>({0, 1}), one<long>({1, 2, -1})}}};
      case 0:
        return Fuse{loop(), loop()};
      case 1:
        return Skew{loop(), loop(), one<long>({1, 2, -1})};
      case 2:
        return Shift{{statement()}, loop(), one<std::string>({"1", "n", "-m"})};
      case 3:
        return Scale{loop(), 2};
      case 4:
        return Reverse{loop()};
      default:
        return Peel{loop(), one<long>({1, 2, -1}), fresh};
      }
    case 20:
      switch (number(0, 5)) {
      case 0:
        return Strip{loop(), 4L, fresh, {2, 7, 20}};
      case 1:
        return Shells{some(2), fresh};
      case 2:
        return Normalise{loop()};
      case 3:
        return RenameLoop{loop(), fresh};
      case 4:
        return Tile{{loop()}, {one(sizes)}, {{fresh}}, {}, Tile::Method::Strided};
      default:
        return Reschedule{one<Reschedule::Fusion>(
            {Reschedule::Fusion::Most, Reschedule::Fusion::Least, Reschedule::Fusion::Earliest})};
      }
    case 21:
      switch (number(0, 3)) {
      case 0:
        return ScanLoop{source()};
      case 1:
        return LevelLoop{source()};
      case 2:
        return RenameArray{array(), source()};
      default:
        return CarryScalar{"b", source()};
      }
    case 22:
      return Privatise{array(), source()};
    case 23:
      switch (number(0, 3)) {
      case 0:
        return StageConstant{array(), number(0, 1) ? loop() : ""};
      case 1:
        return Pipeline{loop(), one<int>({2, 3, 4})};
      case 2:
        return NameKernel{loop(), fresh};
      default:
        return LaunchBounds{loop(), 2};
      }
    default:
      return number(0, 1) ? Step(Unroll{loop(), one<int>({0, 2, 4})}) : Step(UnrollToDepth{2});
    }
  }

private:
  /// What a tile's size, a thread's points or a block's threads may be said to be.
  SizeDeclaration size() {
    SizeDeclaration result;
    result.name = one<std::string>({"T", "U", "P", "Q"});
    result.least = one<int>({1, 2, 4});
    result.most = result.least * one<int>({4, 8, 16});
    result.usual = result.least * one<int>({1, 2, 4});
    if (number(0, 1)) result.items = one<std::string>({"P", "Q", "VECTOR"});
    if (number(0, 2) == 0) result.threads = one<std::string>({"Q", "TT", "BLOCK_X"});
    if (number(0, 2) == 0) result.usual = result.least = result.most = 0;
    if (number(0, 3) == 0) result.few = result.least;
    if (number(0, 5) == 0) result.turned = one<std::string>({"T", "U"});
    result.points =
        one<Points>({Points::Apart, Points::Apart, Points::Adjacent, Points::Columns, Points::Rows});
    return result;
  }

  std::mt19937 engine;
};

bool isMapping(const Step& step) {
  return std::holds_alternative<MapToGrid>(step) || std::holds_alternative<MapToBlock>(step) ||
         std::holds_alternative<CollapseToGrid>(step);
}

} // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::string folder = arguments[1];
  const unsigned seed = static_cast<unsigned>(std::stoul(arguments[2]));
  const unsigned wanted = static_cast<unsigned>(std::stoul(arguments[3]));
  std::vector<std::vector<FileRegions>> read;
  for (std::size_t k = 0; k < nests.size(); ++k) {
    const std::string name = "nest" + std::to_string(k), path = folder + "/" + name + ".c";
    std::ofstream(path)
        << "void " << name
        << "(int n, int m, const double a[restrict 80][80], double b[restrict 80][80], const double "
           "c[restrict 80][80]) {\n  "
        << nests[k] << "\n}\n";
    FrontendOptions options;
    options.files = {path};
    options.compilerFlags = {"-std=gnu11"};
    read.push_back(readFiles(options));
  }
  std::map<std::string, int> refusals;
  int steps = 0, refusedSteps = 0, internal = 0;
  for (unsigned k = 0; k < wanted; ++k) {
    Dice dice(seed + k);
    const std::size_t which = static_cast<std::size_t>(dice.number(0, static_cast<long>(nests.size()) - 1));
    const std::vector<Region>& regions = read[which].front().regions;
    const Facts facts = analyse(regions.front());
    ScheduleState state(regions.front(), facts);
    bool maps = false;
    for (int turn = 0; turn < 40 && state.history().size() < 9; ++turn) {
      const Step step = dice.step(state, turn);
      ++steps;
      if (state.take(step))
        ++refusedSteps;
      else
        maps |= isMapping(step);
    }
    // Nests of which nothing is mapped show nothing.
    for (const std::string& loop : loopNames(state.tree()))
      if (!maps && !state.take(MapToGrid{{loop}})) maps = true;
    if (!maps) {
      ++refusals["the steps map nothing"];
      continue;
    }
    PipelineOptions pipeline;
    pipeline.plan.recipe = state.history();
    pipeline.emit.source = "nest.c";
    const std::vector<Region> first = {regions.front()};
    GeneratedProgram program = generate(first, pipeline);
    const std::string& refused = program.regions.front().refused;
    std::string recipe;
    for (const Step& step : state.history())
      recipe += "// " + print(step) + "\n";
    if (!refused.empty()) {
      ++refusals[std::regex_replace(refused, std::regex("`[^`]*`|\"[^\"]*\"|\\d+|\\b[TU]\\b"), "_")];
      if (refused.find("internal error") != std::string::npos) {
        std::printf("seed %u: %s\n%s", seed + k, refused.c_str(), recipe.c_str());
        ++internal;
      }
      continue;
    }
    std::ofstream(folder + "/nest" + std::to_string(which) + "." + std::to_string(seed + k) + ".cu")
        << recipe << program.cuda;
  }
  for (const auto& [reason, times] : refusals)
    std::printf("%4d refused: %s\n", times, reason.c_str());
  std::printf("%d steps, %d refused\n", steps, refusedSteps);
  return internal > 0;
}
