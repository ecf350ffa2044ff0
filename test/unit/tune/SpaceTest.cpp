// Sizes as data: what may be chosen, and what is dropped before anything is compiled.
#include "tune/Space.h"

#include "tune/Expression.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

Space product() {
  return {openSizes("mm_8_", {"TILE_X", "TILE_Y", "TILE_K", "ITEMS_X", "ITEMS_Y", "THREADS_X", "THREADS_Y"},
                    {"mm_8_THREADS_X * mm_8_THREADS_Y"}),
          "mm_8_"};
}

std::optional<long> value(const std::string& text) {
  return valueOf(text, [](const std::string& name) -> std::optional<long> {
    return name == "A" ? std::optional(12) : name == "B" ? std::optional(5) : std::nullopt;
  });
}

TEST(Expression, IsWorkedOutAsInC) {
  EXPECT_EQ(value("A + B * 2"), 22);
  EXPECT_EQ(value("(A + B) * 2 - 1"), 33);
  EXPECT_EQ(value("A / B % 2"), 0);
  EXPECT_EQ(value(" A %B"), 2);
}

TEST(Expression, HasNoValueWhereNothingIsKnown) {
  for (const char* text :
       {"", "A +", "A B", "(A", "A)", "C", "A / 0", "A % (B - 5)", "9223372036854775807 * A",
        "99999999999999999999", "12x", "warploom::coprime(A, 16)"})
    EXPECT_EQ(value(text), std::nullopt) << text;
  EXPECT_EQ(value(std::string(100000, '(')), std::nullopt);
}

TEST(Tunables, AreConsistent) {
  for (const Tunable& size : knownSizes().tunables) {
    EXPECT_TRUE(std::find(size.values.begin(), size.values.end(), size.usual) != size.values.end())
        << size.name;
    EXPECT_TRUE(std::is_sorted(size.values.begin(), size.values.end())) << size.name;
    EXPECT_FALSE(size.meaning.empty());
    EXPECT_TRUE(knownSizes().has(size.name));
  }
  EXPECT_EQ(knownSizes().tunable("MINE").usual, 16);
  EXPECT_FALSE(knownSizes().has("MINE"));
}

TEST(Tunables, OfAKernelAreThoseItUsesAndThoseTheseFollowFrom) {
  const OpenSizes open = openSizes("s_", {"STRIP", "MINE", "LANES"}, {"s_BLOCK", "32"});
  std::vector<std::string> names;
  for (const Tunable& size : open.tunables)
    names.push_back(size.name);
  EXPECT_EQ(names, (std::vector<std::string>{"s_BLOCK", "s_VECTOR", "s_MINE"}));
  ASSERT_EQ(open.derived.size(), 1u);
  EXPECT_EQ(open.derived[0].expression, "s_BLOCK * s_VECTOR");
  ASSERT_EQ(open.rules.size(), 1u); // what has no sizes in it is no choice
  EXPECT_EQ(open.rules[0].expression, "s_BLOCK");
}

TEST(Space, HasEveryPointOnce) {
  const Space space(openSizes("", {"STRIP"}, {"BLOCK"}), "");
  std::set<Point> all;
  for (std::uint64_t k = 0; k < space.count(); ++k)
    all.insert(space.at(k));
  EXPECT_EQ(all.size(), space.count());
  EXPECT_EQ(space.count(), 24u); // six blocks, four vectors
  EXPECT_TRUE(all.count(space.usual()));
}

// SHOWS: RT-88
TEST(Space, DropsWhatCannotRunBeforeItIsCompiled) {
  const Space space = product();
  ASSERT_EQ(space.sizes().size(), 5u); // what the kernel does not use is not searched
  EXPECT_EQ(space.refused(space.usual()), std::nullopt);
  EXPECT_EQ(space.refused({128, 128, 8, 1, 1}), "a block has at most 1024 threads");
  Point odd = {24, 32, 32, 16, 4};
  EXPECT_EQ(space.refused(odd), "threads take equal parts of a tile");
}

TEST(Space, WritesAndReadsPoints) {
  const Space space = product();
  const Point point = {64, 32, 8, 4, 8};
  EXPECT_EQ(space.text(point), "TILE_X=64 TILE_Y=32 TILE_K=8 ITEMS_X=4 ITEMS_Y=8");
  EXPECT_EQ(space.parse(space.text(point)), point);
  EXPECT_EQ(space.flags(point)[0], "-DWARPLOOM_mm_8_TILE_X=64");
  for (const char* text : {"", "TILE_X=64", "TILE_X=64 TILE_Y=32 TILE_K=8 ITEMS_X=4 ITEMS_Y=x",
                           "TILE_X=65 TILE_Y=32 TILE_K=8 ITEMS_X=4 ITEMS_Y=8",
                           "TILE_X=128 TILE_Y=128 TILE_K=8 ITEMS_X=1 ITEMS_Y=1"})
    EXPECT_EQ(space.parse(text), std::nullopt) << text;
}

} // namespace
} // namespace warploom
