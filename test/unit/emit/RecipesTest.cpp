// The text of kernels by recipes: steps that nothing takes by itself yet. test/compile runs some of them.
#include "driver/Pipeline.h"
#include "frontend/Reading.h"

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What the only function of `source` becomes by `recipe`.
struct Made {
  Made(const std::string& source, const std::vector<Step>& recipe) : regions(readSource(source).regions) {
    PipelineOptions options;
    options.emit.source = "input.c";
    options.plan.recipe = recipe;
    program = generate(regions, options);
  }

  const GeneratedRegion& region() const { return program.regions.at(0); }

  std::vector<Region> regions;
  GeneratedProgram program;
};

const char* const potential = R"(void f(int atoms, int points, const double x[restrict atoms],
       const double charge[restrict atoms], double v[restrict points]) {
  for (int a = 0; a < atoms; a++)
    for (int p = 0; p < points; p++)
      v[p] += charge[a] / (x[a] * x[a] + p + 1);
})";

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
}

} // namespace
} // namespace warploom
