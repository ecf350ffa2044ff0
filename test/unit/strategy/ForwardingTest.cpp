// Loads that stand between loops: where each use loads by itself, and where that would be wrong or no gain.
#include "strategy/Forwarding.h"

#include "mapping/Planning.h"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

namespace warploom {
namespace {

/// The text of each statement that is not as it was in the only region of `source`.
std::vector<std::string> changed(const std::string& source) {
  Region region = regionOf(source);
  std::optional<Region> forwarded = withForwardedLoads(region, analyse(region));
  std::vector<std::string> texts;
  for (std::size_t s = 0; forwarded && s < region.statements.size(); ++s)
    if (forwarded->statements[s].body != region.statements[s].body)
      texts.push_back(exprText(*forwarded->statements[s].body));
  return texts;
}

/// A product whose inner loop uses what is loaded between the loops.
std::string product(const std::string& definition, const std::string& after = "") {
  return "void f(int n, int m, int r, const float w[restrict r][m], float v[restrict n][r],\n"
         "       float out[restrict n][m]) {\n"
         "  for (int i = 0; i < n; i++)\n    for (int k = 0; k < r; k++) {\n      " +
         definition + "\n      for (int j = 0; j < m; j++)\n        out[i][j] += w[k][j] * d;\n" + after +
         "    }\n}\n";
}

TEST(Forwarding, BringsLoadsToTheirUses) {
  EXPECT_THAT(changed(product("float d = v[i][k];")), ElementsAre("out[i][j] += w[k][j] * v[i][k]"));
  EXPECT_THAT(changed(product("const float d = 2 * v[i][k] + 1;")),
              ElementsAre("out[i][j] += w[k][j] * (2 * v[i][k] + 1)"));
  // Of another type, it is converted as the definition did.
  EXPECT_THAT(changed(product("int d = v[i][k];")), ElementsAre("out[i][j] += w[k][j] * (int)v[i][k]"));
}

TEST(Forwarding, MakesAProductOfIt) {
  const Region region = regionOf(product("float d = v[i][k];"));
  const Region forwarded = withForwardedLoads(region, analyse(region)).value();
  RegionPlan plan = planRegion(forwarded, analyse(forwarded), {});
  ASSERT_EQ(plan.refused, "");
  ASSERT_EQ(plan.kernels.size(), 1U);
  std::vector<std::string> shared;
  for (const SharedTile& tile : plan.kernels[0].body.shared)
    shared.push_back(forwarded.arrays[static_cast<std::size_t>(tile.array)].name);
  EXPECT_THAT(shared, UnorderedElementsAre("v", "w"));
}

TEST(Forwarding, LeavesWhatMayChange) {
  // What is loaded is written in between.
  EXPECT_THAT(changed(product("float d = v[i][k];", "      v[i][k] = 0;\n")), ElementsAre());
  // The scalar has several definitions, or one that is not always there.
  EXPECT_THAT(changed(product("float d = v[i][k]; d += 1;")), ElementsAre());
  EXPECT_THAT(changed(product("float d = v[i][k]; if (d < 0) d = 0;")), ElementsAre());
  // It is needed after the loops.
  EXPECT_THAT(changed("float f(int n, int m, const float w[restrict n][m], const float v[restrict n],\n"
                      "        float out[restrict m]) {\n  float d = 0;\n"
                      "  for (int k = 0; k < n; k++) {\n    d = v[k];\n"
                      "    for (int j = 0; j < m; j++) out[j] += w[k][j] * d;\n  }\n  return d;\n}\n"),
              ElementsAre());
}

TEST(Forwarding, LeavesWhatIsNotInTheWay) {
  // The loop around the definition is parallel: it needs no other order.
  EXPECT_THAT(
      changed("void f(int n, const double x[restrict n], double a[restrict n]) {\n"
              "  for (int i = 0; i < n; i++) {\n    double xi = x[i], sum = 0;\n"
              "    for (int j = 0; j < n; j++) sum += 1 / (xi - x[j] + 2);\n    a[i] = sum;\n  }\n}\n"),
      ElementsAre());
}

} // namespace
} // namespace warploom
