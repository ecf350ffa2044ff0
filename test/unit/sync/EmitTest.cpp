// What generated text must and must not contain. That it computes the right thing is shown by test/sync.
#include "sync/emit/Emit.h"

#include "Folder.h"
#include "RandomSystem.h"
#include "Systems.h"
#include "Traces.h"
#include "sync/command/Command.h"
#include "sync/emit/CodeText.h"
#include "sync/fold/CostModel.h"
#include "sync/fold/Profile.h"
#include "sync/passes/Passes.h"

#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

namespace warploom::sync {
namespace {

Folding folded(const System& system, PlanOptions options = {}) {
  return fold(planStep(normalised(system), options));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int lines(const std::string& text) {
  return int(std::count(text.begin(), text.end(), '\n'));
}

/// Game of life on an n x n torus, one delayed action per cell.
System torus(int n) {
  std::string actions;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      std::string around;
      for (int d = 0; d < 9; ++d)
        if (d != 4)
          around += fmt::format("{}x[{}][{}]", around.empty() ? "" : " + ", (r + n - 1 + d / 3) % n,
                                (c + n - 1 + d % 3) % n);
      actions += fmt::format("    {} == 3 => next(x[{}][{}]) = 1\n", around, r, c);
    }
  return readAif(fmt::format(
      "system Torus:\ninterface:\n  x: output event nat{{2}}[{0}][{0}]\npreset:\nmain:\n  data flow:\n{1}", n,
      actions));
}

/// Element `column` of unit `t` of a piece, as the emitted index arithmetic computes it.
std::int64_t valueAt(const Piece& piece, const Column& column, std::int64_t t) {
  if (!column.table.empty()) return column.table[std::size_t(t)];
  std::vector<std::int64_t> indices(piece.extents.size());
  for (std::size_t d = piece.extents.size(); d-- > 0; t /= piece.extents[d])
    indices[d] = t % piece.extents[d];
  auto value = [&](const Affine& affine) {
    return std::inner_product(indices.begin(), indices.end(), affine.strides.begin(), affine.base);
  };
  std::int64_t result = value(column.index.plain);
  for (const Index::Wrapped& term : column.index.wrapped)
    result += term.weight * (value(term.inner) % term.modulus);
  return result;
}

/// Every cell and constant of every unit is what the columns say.
void expectFaithful(const Folding& folding) {
  auto check = [&](const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      ASSERT_EQ(
          std::accumulate(piece.extents.begin(), piece.extents.end(), std::int64_t(1), std::multiplies<>()),
          piece.size());
      for (std::int64_t t = 0; t < piece.size(); ++t) {
        const std::vector<Leaf> leaves =
            leavesOf(*folding.plan, *piece.group, piece.group->units[piece.units[std::size_t(t)]]);
        ASSERT_EQ(leaves.size(), piece.columns.size());
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          const Column& column = piece.columns[i];
          if (leaves[i].cell < 0) {
            if (column.type.base != ScalarType::Base::Real)
              ASSERT_EQ(valueAt(piece, column, t), leaves[i].value.integer);
            continue;
          }
          const int variable = folding.plan->system.cells.variableOf(leaves[i].cell);
          const Placement& place = folding.layout.variables[variable];
          const std::int64_t offset = leaves[i].cell - folding.plan->system.cells.first(variable);
          ASSERT_EQ(column.memory, place.memory);
          if (column.variable >= 0) ASSERT_EQ(column.variable, variable);
          ASSERT_EQ(valueAt(piece, column, t), column.variable >= 0 ? offset : place.offset + offset);
        }
      }
    }
  };
  for (const std::vector<Piece>& phase : folding.immediate)
    check(phase);
  check(folding.delayed);
}

// SHOWS: GA-41
TEST(Fold, EveryAccessAddressesItsCell) {
  expectFaithful(folded(matrixProduct(3)));
  expectFaithful(folded(myModule()));
  expectFaithful(folded(torus(5)));
  for (unsigned seed = 0; seed < 60; ++seed)
    expectFaithful(folded(readAif(RandomSystem(seed).text("R"))));
}

// SHOWS: GA-41
TEST(Fold, NoTwoVariablesShareAPlace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Folding folding = folded(readAif(RandomSystem(seed).text("R")));
    const System& system = *folding.plan->system.system;
    std::set<std::tuple<int, int, std::int64_t>> used;
    for (std::size_t i = 0; i < system.variables.size(); ++i) {
      const Placement& place = folding.layout.variables[i];
      for (std::int64_t k = 0; place.pooled && k < system.variables[i].type.cellCount(); ++k)
        EXPECT_TRUE(used.emplace(int(place.memory), int(place.element), place.offset + k).second);
    }
  }
}

TEST(Fold, TheMatrixProductNeedsNoTable) {
  for (int n : {2, 9, 32}) {
    const Folding folding = folded(matrixProduct(n));
    EXPECT_EQ(folding.tables(), 0);
    ASSERT_EQ(folding.immediate.size(), 1u);
    ASSERT_EQ(folding.immediate[0].size(), 1u);
    const Piece& piece = folding.immediate[0][0];
    EXPECT_EQ(piece.size(), 2 * n * n);
    // Neighbouring threads write neighbouring cells.
    EXPECT_EQ(piece.columns[1].index.plain.strides.back(), 1);
    const std::string text = emitCuda(folding);
    EXPECT_FALSE(contains(text, "_column"));
    EXPECT_TRUE(contains(text, "in.a[")); // inputs are read where they are
  }
}

TEST(Fold, WrapAroundIsIndexArithmetic) {
  const std::string small = emitCuda(folded(torus(8))), large = emitCuda(folded(torus(40)));
  EXPECT_TRUE(contains(large, "(i + 39) % 40"));
  EXPECT_FALSE(contains(large, "_column"));
  EXPECT_EQ(lines(small), lines(large));
  EXPECT_EQ(lines(emitC(folded(torus(8)))), lines(emitC(folded(torus(40)))));
}

/// A chain of n cells, each defined from the one before, with an alternating rule.
System chain(int n) {
  std::string actions = "    true => x[0] = i\n";
  for (int k = 1; k < n; ++k)
    actions += fmt::format("    g => x[{0}] = x[{1}] + {0}\n    !g => x[{0}] = x[{1}] - i\n", k, k - 1);
  return readAif(
      fmt::format("system Chain:\ninterface:\n  i: input int{{9}}\n  g: input bool\n  x: output memorized "
                  "int{{99999}}[{}]\npreset:\nmain:\n  data flow:\n{}",
                  n, actions));
}

TEST(Fold, AChainWithinOneUnitIsALoop) {
  const std::string text = emitC(folded(chain(50)));
  EXPECT_TRUE(contains(text, "for (int i = 0; i < 49; ++i) {"));
  EXPECT_EQ(lines(text), lines(emitC(folded(chain(100)))));
}

TEST(Fold, TablesHoldOneRowPerPositionIndexedByThread) {
  std::string actions;
  for (int k = 0; k < 40; ++k)
    actions += fmt::format("    true => next(y[{}]) = x[{}]\n", k, k * k * 7 % 40);
  const Folding folding =
      folded(readAif("system S:\ninterface:\n  x: input int{9}[40]\n  y: output memorized int{9}[40]\n"
                     "preset:\nmain:\n  data flow:\n" +
                     actions));
  EXPECT_EQ(folding.tables(), 1);
  ASSERT_EQ(folding.delayed.size(), 1u);
  const Piece& piece = folding.delayed[0];
  for (const Column& column : piece.columns)
    if (column.hasTable()) {
      ASSERT_EQ(column.table.size(), 40u);
      for (int k = 0; k < 40; ++k)
        EXPECT_EQ(column.table[std::size_t(k)], k * k * 7 % 40);
    }
  EXPECT_TRUE(contains(emitCuda(folding), "next.y[i] = in.x[next0_column2[t]];"));
}

TEST(Emit, NoSharedMemoryLimitsTheSize) {
  for (int n : {10, 32})
    EXPECT_FALSE(contains(emitCuda(folded(matrixProduct(n))), "__shared__"));
}

TEST(Emit, InputsOutputsAndStateAreSeparate) {
  const std::string text = emitCuda(folded(matrixProduct(2)));
  EXPECT_TRUE(contains(text, "struct Inputs {\n  int a[4];"));
  EXPECT_TRUE(contains(text, "struct Outputs {\n  int out[4];"));
  EXPECT_TRUE(contains(text, "struct State {"));
}

TEST(Emit, NoPointerBecomesANumber) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    EmitOptions options;
    options.instances = true;
    const std::string text = emitCuda(folded(readAif(RandomSystem(seed).text("R"))), options);
    EXPECT_FALSE(contains(text, "intptr"));
    EXPECT_FALSE(contains(text, "int*>"));
  }
}

TEST(Emit, TilesSelectTheCode) {
  const std::string text = emitCuda(folded(matrixProduct(9)));
  EXPECT_TRUE(contains(text, "constexpr int nowTiles = 6;"));
  EXPECT_TRUE(contains(text, "if (t < 162) now0("));
  EXPECT_TRUE(contains(text, "__global__ void nowKernel(Step x)"));
  EXPECT_TRUE(contains(text, "__global__ void nextKernel(Step x)"));
}

TEST(Emit, LargeGroupsTakeManyTiles) {
  for (auto [n, tiles] : {std::pair(4, 1), std::pair(5, 2), std::pair(32, 64)})
    EXPECT_TRUE(
        contains(emitCuda(folded(matrixProduct(n))), fmt::format("constexpr int nowTiles = {};", tiles)))
        << n;
}

TEST(Emit, LargeBlocksBoundTheirRegisters) {
  // 256 threads have 255 registers each; of 1024 threads none may have more than 64.
  EXPECT_FALSE(contains(emitCuda(folded(matrixProduct(9))), "__launch_bounds__"));
  for (auto [n, threads] : {std::pair(16, 512), std::pair(32, 1024)}) {
    const std::string text = emitCuda(folded(matrixProduct(n)));
    EXPECT_TRUE(contains(text, fmt::format("void __launch_bounds__({}, 1) stepsKernel(", threads))) << n;
    EXPECT_TRUE(contains(text, fmt::format("const int blocks = 1, threads = {};", threads))) << n;
  }
}

TEST(Emit, GridsMayHaveTwoDimensions) {
  EXPECT_TRUE(contains(emitCuda(folded(myModule())),
                       "(blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x"));
}

TEST(Emit, HooksCanBeMacros) {
  const std::string text = emitCuda(folded(matrixProduct(2)));
  EXPECT_TRUE(contains(text, "READ_inputs(&in);"));
  EXPECT_TRUE(contains(text, "WRITE_outputs(&out);"));
}

TEST(Emit, SystemsWithOneKindOfAction) {
  const std::string io = "system S:\ninterface:\n  i: input int{9}\n  o: output memorized "
                         "int{9}\npreset:\nmain:\n  data flow:\n";
  const std::string immediate = emitCuda(folded(readAif(io + "    true => o = i\n")));
  EXPECT_TRUE(contains(immediate, "nowKernel"));
  const std::string delayed = emitCuda(folded(readAif(io + "    true => next(o) = i\n")));
  EXPECT_FALSE(contains(delayed, "nowKernel"));
}

// SHOWS: GA-70
TEST(Emit, TheSameInputGivesTheSameText) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string source = RandomSystem(seed).text("R");
    EXPECT_EQ(emitCuda(folded(readAif(source))), emitCuda(folded(readAif(source))));
    EXPECT_EQ(emitC(folded(readAif(source))), emitC(folded(readAif(source))));
  }
}

// SHOWS: GA-69
TEST(CostModel, SmallSystemsStayOnTheCpu) {
  EXPECT_FALSE(estimate(folded(myModule()), 1).gpu);
  EXPECT_FALSE(estimate(folded(matrixProduct(2)), 1).gpu);
  EXPECT_TRUE(estimate(folded(matrixProduct(32)), 1).gpu);
  EXPECT_TRUE(estimate(folded(torus(100)), 1).gpu);
  EXPECT_TRUE(estimate(folded(myModule()), 1000000).gpu);
  EXPECT_TRUE(contains(estimate(folded(myModule()), 1).reason, "on one core"));
}

// SHOWS: GA-67
TEST(Profile, CountsLanesBranchesAndDivergence) {
  const Folding folding = folded(matrixProduct(9));
  const System& system = *folding.plan->system.system;
  Interpreter interpreter(system);
  Profile profile(folding);
  for (const std::vector<Value>& step : randomInputs(system, 10, 1)) {
    interpreter.step(step);
    profile.count([&](int variable, std::int64_t offset) { return interpreter.value(variable, offset); });
  }
  // Six warps, 162 lanes; the third one holds the last actions of __ell0 and the first of __init0, of which
  // one is true in each step.
  ASSERT_EQ(profile.phases.size(), 2u);
  EXPECT_EQ(profile.phases[0].units, 162);
  EXPECT_EQ(profile.phases[0].tiles, 6);
  EXPECT_EQ(profile.phases[0].branches, 60);
  EXPECT_EQ(profile.phases[0].divergent, 10);
  EXPECT_EQ(profile.phases[1].divergent, 0);
  EXPECT_TRUE(contains(profile.text(), "transfers a step: 648 bytes in, 324 bytes out; 2 launches a step"));
}

/// Compiles a file with this text to `program`; what is printed, errors after a bar.
std::string compiled(const std::string& text, SyncOptions options, std::string* program = nullptr) {
  Folder folder;
  options.file = folder.write("system.aif", text);
  options.output = folder.path / "system.out";
  std::ostringstream out, err;
  compile(options, out, err);
  if (program) *program = (std::ostringstream() << std::ifstream(options.output).rdbuf()).str();
  return out.str() + "|" + err.str();
}

// SHOWS: GA-69
TEST(Command, TheCostModelSpeaksAndCanBeOverruled) {
  const std::string small = writeAif(myModule());
  EXPECT_TRUE(contains(compiled(small, {}), "kept on the CPU: a step of this system is about"));
  SyncOptions many;
  many.instances = 1000000;
  EXPECT_TRUE(contains(compiled(small, many), "chosen for the GPU"));
  SyncOptions asked;
  asked.target = "cuda";
  std::string program;
  EXPECT_TRUE(contains(compiled(small, asked, &program), "target cuda as asked for"));
  EXPECT_TRUE(contains(program, "__global__"));
}

TEST(Command, TheNormalisedSystemAsTextAndAsXml) {
  SyncOptions options;
  options.normalise = true;
  const std::string source = writeAif(myModule());
  Folder folder;
  options.file = folder.write("normalised.aif", source);
  std::ostringstream printed, err, again;
  EXPECT_EQ(compile(options, printed, err), Outcome::Done);
  options.output = folder.path / "normalised.xml";
  EXPECT_EQ(compile(options, again, err), Outcome::Done);
  EXPECT_EQ(again.str(), "");
  // A normalised system is its own normal form.
  options.file = options.output;
  options.output.clear();
  EXPECT_EQ(compile(options, again, err), Outcome::Done);
  EXPECT_EQ(again.str(), printed.str());
  EXPECT_EQ(err.str(), "");
}

std::string ran(const std::string& system, const std::string& input, RunOptions options = {}) {
  Folder folder;
  options.file = folder.write("run.aif", system);
  std::istringstream in(input);
  std::ostringstream out, err;
  run(options, in, out, err);
  std::string errors = err.str();
  if (const std::size_t at = errors.find(options.file); at != std::string::npos)
    errors.replace(at, options.file.size(), "FILE");
  return out.str() + "|" + errors;
}

const char* const adder =
    "system Adder:\ninterface:\n  a: input int{9}[2]\n  b: input bool\n  v: input bv{3}\n  r: input real\n"
    "  s: output memorized int{10}\n  c: output memorized bv{3}\n  q: output memorized real\ninit:\n"
    "  data flow:\n    b => s = a[0] + a[1]\n    true => c = !v\n    true => q = r/2.0\n"
    "main:\n  data flow:\n    b => s = a[0] + a[1]\n    true => c = !v\n";

TEST(Command, RunReadsAndWritesJson) {
  EXPECT_EQ(ran(adder, "{\"a\":[1,2],\"b\":true,\"v\":\"0b101\",\"r\":3}\n\n{\"a\":[1,-2],\"b\":false,\"v\":"
                       "7,\"r\":0.5}\n"),
            "{\"s\":3,\"c\":\"0b010\",\"q\":1.5}\n{\"s\":3,\"c\":\"0b000\",\"q\":1.5}\n|");
  RunOptions one;
  one.steps = 1;
  EXPECT_EQ(ran(adder, "{\"a\":[1,2],\"b\":true,\"v\":1,\"r\":3}\nnot read\n", one),
            "{\"s\":3,\"c\":\"0b110\",\"q\":1.5}\n|");
}

TEST(Command, RunReadsAndWritesCsv) {
  RunOptions csv;
  csv.csv = true;
  EXPECT_EQ(ran(adder, "b,a[1],a[0],r,v\n1,2,1,3.0,0b101\ntrue,4,4,1,0\n", csv),
            "s,c,q\n3,0b010,1.5\n8,0b111,1.5\n|");
  EXPECT_EQ(ran(adder, "b,a[1],a[0],r\n", csv),
            "s,c,q\n|<stdin>:1: error: the header names 4 of 5 input cells\n");
}

TEST(Command, WrongInputsAreLocated) {
  const std::string good = "{\"a\":[1,2],\"b\":true,\"v\":1,\"r\":3}\n";
  auto error = [&](const std::string& line) {
    const std::string all = ran(adder, good + line + "\n");
    return all.substr(all.find('|') + 1);
  };
  EXPECT_EQ(error("{"), "<stdin>:2: error: expected a JSON object with the inputs of one step\n");
  EXPECT_EQ(error("{\"a\":[1,2]}"), "<stdin>:2: error: input `b` is missing\n");
  EXPECT_EQ(error("{\"a\":[1],\"b\":true,\"v\":1,\"r\":3}"),
            "<stdin>:2: error: `a` needs an array of 2 elements, not one of 1\n");
  EXPECT_EQ(error("{\"a\":[1,9],\"b\":true,\"v\":1,\"r\":3}"),
            "<stdin>:2: error: 9 is outside the range -9..8 of `a`\n");
  EXPECT_EQ(error("{\"a\":[1,2],\"b\":1,\"v\":1,\"r\":3}"),
            "<stdin>:2: error: `b` needs true or false, not 1\n");
  EXPECT_EQ(error("{\"a\":[1,2],\"b\":true,\"v\":8,\"r\":3}"),
            "<stdin>:2: error: `8` of `v` is not a vector of 3 bits such as 0b01\n");
  EXPECT_EQ(error("{\"a\":[1,2],\"b\":true,\"v\":1,\"r\":3,\"z\":0}"),
            "<stdin>:2: error: `z` is not an input of Adder\n");
}

// SHOWS: GA-04
TEST(Command, RunChecksRangesOnRequest) {
  const std::string input = "{\"a\":[8,8],\"b\":true,\"v\":1,\"r\":3}\n";
  RunOptions check;
  check.check = true;
  EXPECT_EQ(ran(adder, input), "{\"s\":16,\"c\":\"0b110\",\"q\":1.5}\n|");
  EXPECT_EQ(
      ran(adder, input, check),
      "|FILE: error: step 1: 16 is outside the range -10..9 of `s`: `b => s = a[0] + a[1]` (line 12)\n");
}

/// Takes out, doubles or swaps a word or two of a text.
std::string damaged(const std::string& text, std::mt19937& random) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size() - 1) + 1;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  for (unsigned n = random() % 2; n < 2; ++n) {
    const std::size_t at = random() % words.size();
    switch (random() % 3) {
    case 0:
      words[at].clear();
      break;
    case 1:
      words[at] += words[at];
      break;
    default:
      std::swap(words[at], words[random() % words.size()]);
    }
  }
  std::string result;
  for (const std::string& word : words)
    result += word;
  return result;
}

TEST(Command, DamagedSystemsAreCompiledOrRefusedWithAPlace) {
  std::mt19937 random(11);
  int compiled = 0, refused = 0;
  for (unsigned n = 0; n < 400; ++n) {
    const std::string text = damaged(RandomSystem(n % 40).text("R"), random);
    try {
      const Folding folding = fold(planStep(normalised(readAif(text), {true, true})));
      emitC(folding);
      emitCuda(folding);
      ++compiled;
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(compiled, 5);
  EXPECT_GT(refused, 100);
}

} // namespace
} // namespace warploom::sync
