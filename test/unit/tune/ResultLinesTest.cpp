// Results as lines of a file: what is written is read, whatever else stands in the file.
#include "tune/ResultLines.h"

#include "Folder.h"
#include "tune/Space.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace warploom {
namespace {

namespace fs = std::filesystem;

const Search about = {{"k/0", "s/0", "40 39"}, "NVIDIA \"X\"", "N=8 argument1=a\\b", "nvcc\t13"};

class Lines : public ::testing::Test {
protected:
  std::size_t count() const {
    std::ifstream in(folder / "r");
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);)
      lines += entryOf(line).has_value();
    return lines;
  }
  const Folder own;
  const fs::path folder = own.path;
};

TEST_F(Lines, AreReadAsTheyWereWritten) {
  const Entry entry = {about,
                       "A=1 B=2",
                       {Outcome::Crashed,
                        0,
                        0,
                        "signal\n 11 \xe2\x80\x98x\xe2\x80\x99 \"\\\x01\x7f",
                        {64, 2048, 8, 0.375},
                        {1e6, 4e6}},
                       77};
  const std::string line = lineOf(entry);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const std::optional<Entry> read = entryOf(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->search.kernel.kernel, "k/0");
  EXPECT_EQ(read->search.kernel.shape, "s/0");
  EXPECT_EQ(read->search.kernel.extents, "40 39");
  EXPECT_EQ(read->search.device, about.device);
  EXPECT_EQ(read->search.sizes, about.sizes);
  EXPECT_EQ(read->search.toolkit, about.toolkit);
  EXPECT_EQ(read->point, "A=1 B=2");
  EXPECT_EQ(read->result.outcome, Outcome::Crashed);
  EXPECT_EQ(read->result.detail, entry.result.detail);
  EXPECT_EQ(read->at, 77);
  EXPECT_EQ(read->result.resources.registers, 64);
  EXPECT_EQ(read->result.resources.sharedBytes, 2048);
  EXPECT_EQ(read->result.resources.spilledBytes, 8);
  EXPECT_EQ(read->result.resources.occupancy, 0.375);
  EXPECT_EQ(read->result.work.instances, 1e6);
  EXPECT_EQ(read->result.work.bytes, 4e6);
  // Lines of earlier versions do not tell.
  std::string old = line;
  old.erase(old.find(", \"registers\""), old.find(", \"at\"") - old.find(", \"registers\""));
  ASSERT_TRUE(entryOf(old));
  EXPECT_EQ(entryOf(old)->result.resources.registers, 0);
}

TEST_F(Lines, ThatAreTornAreNoResults) {
  const std::string line = lineOf({about, "A=1", {Outcome::Timed, 1.25, 0.5, "x"}, 77});
  ASSERT_EQ(entryOf(line)->result.milliseconds, 1.25);
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(entryOf(line.substr(0, length))) << length;
  for (const char* text : {"{}", "null", "{\"kernel\": 1}", "{\"a\": \"\\u00", "{\"a\": \"\\q\"}", "{,}"})
    EXPECT_FALSE(entryOf(text)) << text;
  std::string other = line;
  other.replace(other.find("timed"), 5, "tamed");
  EXPECT_FALSE(entryOf(other));
}

TEST_F(Lines, AreFoundAgainBesideTornOnes) {
  {
    ResultLines lines(folder / "r");
    EXPECT_FALSE(lines.find(about, "A=1"));
    lines.record(about, "A=1", {Outcome::Timed, 2, 0.1, ""});
  }
  std::ofstream(folder / "r", std::ios::app) << "{\"kernel\": \"k/0\", \"poi"; // someone was killed
  ResultLines one(folder / "r"), other(folder / "r");
  EXPECT_EQ(one.find(about, "A=1")->milliseconds, 2);
  one.record(about, "A=2", {Outcome::Timed, 3, 0.1, ""});
  EXPECT_EQ(other.find(about, "A=2")->milliseconds, 3); // what others write is seen
  Search elsewhere = about;
  elsewhere.device = "another";
  EXPECT_FALSE(other.find(elsewhere, "A=2"));
  EXPECT_EQ(count(), 2u);
}

TEST_F(Lines, OfSeveralWritersAreWhole) {
  std::vector<std::thread> writers;
  for (int k = 0; k < 4; ++k)
    writers.emplace_back([this, k] {
      ResultLines lines(folder / "r");
      for (int point = 0; point < 25; ++point)
        lines.record(about, "A=" + std::to_string(100 * k + point),
                     {Outcome::Wrong, 0, 0, std::string(300, 'x')});
    });
  for (std::thread& writer : writers)
    writer.join();
  EXPECT_EQ(count(), 100u);
}

TEST_F(Lines, ThatCannotBeWrittenAreAnError) {
  ResultLines lines(folder / "none" / "r");
  EXPECT_THROW(lines.record(about, "A=1", {}), std::system_error);
}

TEST(Workers, HaveEveryPointOnce) {
  const OpenSizes open = openSizes("", {"TILE_X", "TILE_Y", "TILE_K", "ITEMS_X", "ITEMS_Y"}, {});
  const Space whole(open, "");
  for (unsigned workers : {1u, 2u, 5u}) {
    std::set<Point> all;
    std::size_t least = whole.count(), sum = 0, possible = 0;
    for (unsigned worker = 0; worker < workers; ++worker) {
      Space part(open, "");
      part.share(worker, workers);
      std::size_t own = 0;
      for (std::uint64_t k = 0; k < whole.count(); ++k)
        if (!part.refused(whole.at(k))) {
          ++own;
          all.insert(whole.at(k));
        }
      sum += own;
      least = std::min(least, own);
    }
    for (std::uint64_t k = 0; k < whole.count(); ++k)
      possible += !whole.refused(whole.at(k));
    EXPECT_EQ(all.size(), possible);
    EXPECT_EQ(sum, possible);
    EXPECT_GT(least * workers * 2, possible) << "the parts are about the same";
  }
}

} // namespace
} // namespace warploom
