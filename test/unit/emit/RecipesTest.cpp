// Kernels by recipes: the steps that nothing takes by itself yet, as text and as programs that run on the CPU
// under the sanitizer.
#include "emit/Emit.h"
#include "frontend/Reading.h"

#include <cstdio>
#include <fmt/format.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What the only function of `source` becomes by `recipe`.
struct Made {
  Made(const std::string& source, const std::vector<Step>& recipe) : regions(readSource(source).regions) {
    EmitOptions options;
    options.source = "input.c";
    options.mapping.recipe = recipe;
    program = emitProgram(regions, options);
  }

  const GeneratedRegion& region() const { return program.regions.at(0); }

  /// What `body`, of a main function in C++ that calls `launcher`, prints.
  std::string run(const std::string& body) const {
    Folder folder;
    folder.write("kernels.cu", program.cuda);
    folder.write("main.cu", fmt::format("#include <cstdio>\n#include <vector>\nextern \"C\" {};\n"
                                        "#define launcher {}\nint main() {{\n{}\n}}\n",
                                        region().prototype, region().launcher, body));
    std::string compiler = WARPLOOM_CXX,
                flavour = compiler.find("clang") == std::string::npos ? "gcc" : "clang";
    std::string build = fmt::format(
        "cd '{0}' && '{1}' '@{2}/flags/sanitize.{3}' -I '{2}' -x c++ kernels.cu -c -o kernels.o && '{1}' -x "
        "c++ main.cu "
        "-x none kernels.o '{4}' -lboost_context -ldw -lelf -pthread -o program && ./program 2>&1",
        folder.path.string(), compiler, WARPLOOM_RUNTIME_FOLDER, flavour, WARPLOOM_RUNTIME_ARCHIVE);
    std::FILE* pipe = popen(build.c_str(), "r");
    std::string text;
    char buffer[4096];
    while (std::size_t length = std::fread(buffer, 1, sizeof buffer, pipe))
      text.append(buffer, length);
    return pclose(pipe) == 0 ? text : "failed: " + text;
  }

  std::vector<Region> regions;
  GeneratedProgram program;
};

const char* const potential = R"(void f(int atoms, int points, const double x[restrict atoms],
       const double charge[restrict atoms], double v[restrict points]) {
  for (int a = 0; a < atoms; a++)
    for (int p = 0; p < points; p++)
      v[p] += charge[a] / (x[a] * x[a] + p + 1);
})";

// SHOWS: CH-33
TEST(ConstantSlices, AreUploadedBeforeEachLaunch) {
  Made made(potential, {Tile{{"a"}, {100L}, {{"slices"}}}, Permute{{"slices", "p", "a"}}, MapToGrid{{"p"}},
                        StageConstant{"charge", "slices"}, StageConstant{"x", "slices"}});
  ASSERT_EQ(made.region().refused, "");
  EXPECT_THAT(made.region().prototype, HasSubstr("double* v, const double* charge, const double* x)"));
  EXPECT_THAT(made.program.cuda, HasSubstr("static __constant__ double f_4_charge[100];"));
  EXPECT_THAT(made.program.cuda, HasSubstr("for (long slices = 0;"));
  EXPECT_THAT(made.program.cuda, HasSubstr("region.copyToConstant(f_4_charge, charge + 100 * slices, "));
  EXPECT_THAT(made.program.cuda, HasSubstr("f_4_charge[a - 100 * slices] / (f_4_x[a - 100 * slices]"));
  EXPECT_THAT(made.program.cuda, Not(HasSubstr("charge_device")));
  EXPECT_THAT(made.program.cuda, Not(HasSubstr("charge_size")));
  // One slice, part of one, many with a rest; none is larger than the array.
  EXPECT_EQ(made.run(R"(
  for (int atoms : {1, 99, 100, 101, 1234}) {
    const int points = 70;
    std::vector<double> x(atoms), charge(atoms), v(points, 1), expected(points, 1);
    for (int a = 0; a < atoms; a++) x[a] = a % 7, charge[a] = a % 5 - 2;
    for (int a = 0; a < atoms; a++)
      for (int p = 0; p < points; p++) expected[p] += charge[a] / (x[a] * x[a] + p + 1);
    int done = launcher(atoms, points, v.data(), charge.data(), x.data());
    std::printf("%d %d %d\n", atoms, done, v == expected);
  })"),
            "1 1 1\n99 1 1\n100 1 1\n101 1 1\n1234 1 1\n")
      << made.program.cuda;
}

} // namespace
} // namespace warploom
