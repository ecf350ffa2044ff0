// Which loops are scans, and which only look like it.
#include "analysis/Recurrences.h"

#include "RegionBuilder.h"
#include "analysis/Facts.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

/// "+ s", "affine s, last k", with "; a counted" behind; else "none".
std::string describe(const Region& region) {
  const Facts facts = analyse(region);
  const auto scan = scanOf(region, facts.dependences, 0, facts.loops[0].privateArrays);
  if (!scan) return "none";
  std::string text;
  for (const Recurrence& state : scan->states) {
    const std::string kind = state.kind == Recurrence::Kind::Affine   ? "affine"
                             : state.kind == Recurrence::Kind::Last   ? "last"
                             : state.kind == Recurrence::Kind::Chosen ? "best " + state.op
                             : state.kind == Recurrence::Kind::Rider  ? "with"
                                                                      : state.op;
    text += (text.empty() ? "" : ", ") + kind + " " + region.arrays[state.array].name;
  }
  for (int counted : scan->counted)
    text += "; " + region.arrays[counted].name + " counted";
  return text;
}

/// A statement and the condition under which it runs.
struct Line {
  const char* text;
  const char* guard = "";
};

/// The scan of a loop over `i` with scalars s, t (double), j, k (int), h (short) and arrays a, b (double),
/// c (int).
std::string loopOf(const std::vector<Line>& body) {
  RegionBuilder r("n");
  for (const char* name : {"s", "t"})
    r.array(name, 0).liveAfter = true;
  for (const char* name : {"j", "k"})
    r.array(name, 0, "int").liveAfter = true;
  Array& narrow = r.array("h", 0, "int");
  narrow.element.bits = 16;
  narrow.liveAfter = true;
  r.array("a", 1);
  r.array("b", 1);
  r.array("c", 1, "int");
  r.loop("i", "0 <= i < n");
  for (const Line& line : body)
    r.statement(line.text,
                {"", *line.guard ? std::vector<std::string>{line.guard} : std::vector<std::string>{}});
  return describe(r.region());
}

TEST(Recurrences, EveryKindOfFunction) {
  EXPECT_EQ(loopOf({{"s += a[i]"}, {"b[i] = s"}}), "+ s");
  EXPECT_EQ(loopOf({{"b[i] = s"}, {"s -= a[i]"}}), "+ s");
  EXPECT_EQ(loopOf({{"s = a[i]", "a[i] > s"}, {"b[i] = s"}}), "max s");
  EXPECT_EQ(loopOf({{"k ^= c[i]"}, {"c[i] = k"}}), "^ k");
  EXPECT_EQ(loopOf({{"s = a[i] * s + b[i]"}, {"b[i] = s"}}), "affine s");
  EXPECT_EQ(loopOf({{"s = b[i] - s / a[i]"}, {"b[i] = s"}}), "affine s");
  EXPECT_EQ(loopOf({{"s *= a[i]"}, {"b[i] = s"}}), "affine s");
  EXPECT_EQ(loopOf({{"k = k * 3 + c[i]"}, {"c[i] = k"}}), "affine k");
  EXPECT_EQ(loopOf({{"s = 0", "a[i] < 0"}, {"s += a[i]"}, {"b[i] = s"}}), "affine s");
  EXPECT_EQ(loopOf({{"k = c[i]", "a[i] > 0"}, {"c[i] = k"}}), "last k");
  EXPECT_EQ(loopOf({{"s += a[i]"}, {"k += c[i]"}, {"b[i] = s + k"}}), "+ s, + k");
}

TEST(Recurrences, OnesThatOnlyLookLikeIt) {
  EXPECT_EQ(loopOf({{"s = s * s + a[i]"}, {"b[i] = s"}}), "none");
  EXPECT_EQ(loopOf({{"s = a[i] / s"}, {"b[i] = s"}}), "none");
  EXPECT_EQ(loopOf({{"k = k / 2 + c[i]"}, {"c[i] = k"}}), "none");
  EXPECT_EQ(loopOf({{"s += a[i]", "s < 10"}, {"b[i] = s"}}), "none");
  EXPECT_EQ(loopOf({{"s += t"}, {"t += s"}, {"b[i] = t"}}), "none");
  // Cut off in every iteration.
  EXPECT_EQ(loopOf({{"h += c[i]"}, {"c[i] = h"}}), "none");
  // What is added is only known when the iteration has begun.
  EXPECT_EQ(loopOf({{"b[i] = a[i] * 2"}, {"s += b[i]"}, {"a[i] = s"}}), "none");
}

TEST(Recurrences, TheBestAndWhatIsSetWithIt) {
  EXPECT_EQ(loopOf({{"k = i", "a[i] > s"}, {"s = a[i]", "a[i] > s"}}), "best > s, with k");
  EXPECT_EQ(loopOf({{"k = i", "s >= a[i]"}, {"j = 2", "s >= a[i]"}, {"s = a[i]", "s >= a[i]"}}),
            "best <= s, with j, with k");
  // Once it is set, it does not compare any more.
  EXPECT_EQ(loopOf({{"s = a[i]", "a[i] > s"}, {"k = i", "a[i] > s"}}), "none");
  EXPECT_EQ(loopOf({{"k = i", "a[i] > s"}, {"s = b[i]", "a[i] > s"}}), "none");
  EXPECT_EQ(loopOf({{"k += 1", "a[i] > s"}, {"s = a[i]", "a[i] > s"}}), "none");
  // An element may only be there where it is asked for.
  EXPECT_EQ(loopOf({{"k = c[i]", "a[i] > s"}, {"s = a[i]", "a[i] > s"}}), "none");
}

TEST(Recurrences, PlacesThatAreCounted) {
  EXPECT_EQ(loopOf({{"a[j] = b[i]", "b[i] > 0"}, {"j += 1", "b[i] > 0"}}), "+ j; a counted");
  EXPECT_EQ(loopOf({{"j = j + 2", "b[i] > 0"}, {"a[j] = b[i]", "b[i] > 0"}}), "+ j; a counted");
  EXPECT_EQ(loopOf({{"a[j] = b[i]", "b[i] > 0"}, {"j += 1"}}), "+ j; a counted");
  // Several iterations may write one element.
  EXPECT_EQ(loopOf({{"a[j] = b[i]"}, {"j += 1", "b[i] > 0"}}), "+ j");
  EXPECT_EQ(loopOf({{"a[j] = b[i]", "b[i] > 0"}, {"j += c[i]", "b[i] > 0"}}), "+ j");
  EXPECT_EQ(loopOf({{"a[j] = b[i]", "b[i] > 0"}, {"j += 1", "b[i] > 0"}, {"b[i] = a[j]"}}), "+ j");
  // The condition may have changed in between.
  EXPECT_EQ(loopOf({{"a[j] = 1", "b[i] > 0"}, {"b[i] = s"}, {"j += 1", "b[i] > 0"}}), "none");
}

} // namespace
} // namespace warploom
