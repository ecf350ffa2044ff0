// config.txt: every key, its default, what contradicts itself, and text that is none.
#include "project/Config.h"

#include <gmock/gmock.h>
#include <random>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  ProjectConfig config;
  std::vector<std::string> messages; ///< "E3 text"
};

Read read(const std::string& text) {
  Read result;
  std::vector<ConfigMessage> messages;
  result.config = readConfig(text, messages);
  for (const ConfigMessage& message : messages)
    result.messages.push_back((message.severity == ConfigMessage::Error ? "E" : "W") +
                              std::to_string(message.line) + " " + message.text);
  return result;
}

// SHOWS: RT-14 RT-16
TEST(Config, AllFifteenKeysAndTheirDefaults) {
  const ProjectConfig none = read("").config;
  EXPECT_TRUE(none.loopCollapsing);
  EXPECT_FALSE(none.blockSkew || none.prefetching || none.matrix2d);
  EXPECT_EQ(none.dataType, "float");
  EXPECT_EQ(none.rowDimension, "N");
  EXPECT_EQ(none.maxBlockSize + none.maxMergeLevel + none.maxSkewLevel, 0);
  EXPECT_EQ(none.minBlockSize, 32);
  EXPECT_EQ(none.minMergeLevel * none.minSkewLevel, 1);
  const Read all =
      read("LOOP_COLLAPSING=1\nBLOCK_SKEW=1\nPREFETCHING=1\nPREFETCHED_ARRAYS=A,C\nNON_PREFETCHED_ARRAYS=B\n"
           "DATA_TYPE=double\nKERNEL_NAMES=f,g , h\n2DMATRIX=1\nROW_DIM=lda\nMAX_BLOCKSIZE=512\n"
           "MAX_MERGE_LEVEL=16\nMAX_SKEW_LEVEL=8\nMIN_BLOCKSIZE=64\nMIN_MERGE_LEVEL=2\r\n\n# "
           "note\nMIN_SKEW_LEVEL=4");
  EXPECT_THAT(all.messages, ElementsAre());
  EXPECT_TRUE(all.config.loopCollapsing && all.config.blockSkew && all.config.prefetching &&
              all.config.matrix2d);
  EXPECT_THAT(all.config.prefetchedArrays, ElementsAre("A", "C"));
  EXPECT_THAT(all.config.nonPrefetchedArrays, ElementsAre("B"));
  EXPECT_THAT(all.config.kernelNames, ElementsAre("f", "g", "h"));
  EXPECT_EQ(all.config.dataType, "double");
  EXPECT_EQ(all.config.rowDimension, "lda");
  EXPECT_EQ(all.config.maxBlockSize, 512);
  EXPECT_EQ(all.config.maxMergeLevel, 16);
  EXPECT_EQ(all.config.maxSkewLevel, 8);
  EXPECT_EQ(all.config.minBlockSize, 64);
  EXPECT_EQ(all.config.minMergeLevel, 2);
  EXPECT_EQ(all.config.minSkewLevel, 4);
  EXPECT_EQ(all.config.lineOf("MIN_SKEW_LEVEL"), 17);
}

TEST(Config, SectionsHaveTheirOwnKeysAndTheRestOfAll) {
  std::vector<ConfigMessage> messages;
  const ProjectSettings all =
      readSettings("PREFETCHING=1\nMAX_BLOCKSIZE=128\n[f]\nMAX_BLOCKSIZE=64\n [ g ] \n"
                   "PREFETCHING=0\nLOOP_COLLAPSING=0\n",
                   messages);
  EXPECT_TRUE(messages.empty());
  ASSERT_EQ(all.sections.size(), 2u);
  EXPECT_EQ(all.lines.at("g"), 5);
  EXPECT_EQ(all.common.maxBlockSize, 128);
  EXPECT_EQ(all.sections.at("f").maxBlockSize, 64);
  EXPECT_EQ(all.sections.at("f").lineOf("MAX_BLOCKSIZE"), 4);
  EXPECT_TRUE(all.sections.at("f").prefetching && all.sections.at("f").loopCollapsing);
  EXPECT_EQ(all.sections.at("g").maxBlockSize, 128);
  EXPECT_FALSE(all.sections.at("g").prefetching || all.sections.at("g").loopCollapsing);
  // What is repaired for all is told once.
  static_cast<void>(readSettings("LOOP_COLLAPSING=0\n2DMATRIX=1\n[f]\nMAX_BLOCKSIZE=64\n", messages));
  EXPECT_EQ(messages.size(), 1u);
}

TEST(Config, DirectivesAreKeysOfOneLine) {
  std::vector<ConfigMessage> messages;
  ProjectConfig base;
  base.maxBlockSize = 128;
  const ProjectConfig one = readDirective(base, " PREFETCHING=1  LOOP_COLLAPSING=0 ", 7, messages);
  EXPECT_TRUE(messages.empty());
  EXPECT_TRUE(one.prefetching && !one.loopCollapsing && one.maxBlockSize == 128);
  EXPECT_EQ(one.lineOf("PREFETCHING"), 7);
  static_cast<void>(readDirective(base, "PREFETCHING nothing=1 PREFETCHING=1 PREFETCHING=0", 8, messages));
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_THAT(messages[0].text, HasSubstr("'PREFETCHING' is no KEY=value"));
  EXPECT_THAT(messages[1].text, HasSubstr("no key 'nothing'"));
  EXPECT_THAT(messages[2].text, HasSubstr("given twice"));
}

// SHOWS: RT-18
TEST(Config, WhatContradictsItselfIsRepaired) {
  const Read flat = read("LOOP_COLLAPSING=0\n2DMATRIX=1\n");
  EXPECT_THAT(flat.messages, ElementsAre("W2 2DMATRIX=1 needs LOOP_COLLAPSING=1; it is taken as 0"));
  EXPECT_FALSE(flat.config.matrix2d);
  const Read skew = read("2DMATRIX=0\nBLOCK_SKEW=1\nMIN_SKEW_LEVEL=2\n");
  EXPECT_EQ(skew.messages.size(), 2u);
  EXPECT_FALSE(skew.config.blockSkew);
  EXPECT_EQ(skew.config.minSkewLevel, 1);
  const Read lists = read("PREFETCHED_ARRAYS=A\nNON_PREFETCHED_ARRAYS=B\n");
  EXPECT_THAT(lists.messages, ElementsAre(HasSubstr("W1"), HasSubstr("W2")));
  EXPECT_TRUE(lists.config.prefetchedArrays.empty());
}

TEST(Config, WhatCannotBeIsRefusedWithItsLine) {
  auto one = [](const std::string& text) {
    const Read result = read(text);
    EXPECT_EQ(result.messages.size(), 1u) << text;
    return result.messages.empty() ? "" : result.messages[0];
  };
  EXPECT_THAT(one("\nLOOP_COLAPSING=1\n"),
              HasSubstr("E2 there is no key 'LOOP_COLAPSING'; the keys are LOOP_COLLAPSING, "));
  EXPECT_EQ(one("PREFETCHING\n"), "E1 'PREFETCHING' is no KEY=value");
  EXPECT_EQ(one("PREFETCHING=yes"), "E1 PREFETCHING is 0 or 1, not 'yes'");
  EXPECT_EQ(one("PREFETCHING=1\nPREFETCHING=1"), "E2 PREFETCHING is given twice, first in line 1");
  EXPECT_EQ(one("DATA_TYPE=half"), "E1 DATA_TYPE is float, double or int, not 'half'");
  EXPECT_EQ(one("ROW_DIM=2*N"), "E1 ROW_DIM is the name of a size, not '2*N'");
  EXPECT_EQ(one("KERNEL_NAMES=f,,g"), "E1 KERNEL_NAMES is names with commas between them, and '' is no name");
  EXPECT_EQ(one("MIN_BLOCKSIZE=0"), "E1 MIN_BLOCKSIZE is a whole number of at least 1, not '0'");
  EXPECT_EQ(one("MAX_SKEW_LEVEL=99999999999"),
            "E1 MAX_SKEW_LEVEL is a whole number of at least 0, not '99999999999'");
  EXPECT_EQ(one("MIN_BLOCKSIZE=128\nMAX_BLOCKSIZE=64"), "E1 MIN_BLOCKSIZE is more than MAX_BLOCKSIZE");
  EXPECT_THAT(one("MAX_MERGE_LEVEL=64\nMAX_BLOCKSIZE=32"),
              HasSubstr("E1 MAX_MERGE_LEVEL is more than the 32 threads"));
  EXPECT_THAT(read("MAX_BLOCKSIZE=1048").messages,
              testing::Contains(HasSubstr("a block has at most 1024 threads")));
  EXPECT_THAT(one("PREFETCHING=1\nPREFETCHED_ARRAYS=A\nNON_PREFETCHED_ARRAYS=A"), HasSubstr("E3 'A' is in"));
}

TEST(Config, RandomBytesAreRefused) {
  std::mt19937 random(5);
  for (int k = 0; k < 300; ++k) {
    std::string text;
    for (unsigned n = random() % 200; n > 0; --n)
      text += static_cast<char>(random() % 256);
    text += "x";
    EXPECT_FALSE(read(text).messages.empty());
  }
}

// SHOWS: RT-17
TEST(Config, SizesAreInTheBoundsAndFitTogether) {
  std::vector<ConfigMessage> messages;
  ProjectConfig config;
  EXPECT_EQ(firstSizes(config, messages).block, 256);
  EXPECT_EQ(firstSizes(config, messages).skew, 1);
  config.maxBlockSize = 96;
  EXPECT_EQ(firstSizes(config, messages).block, 64);
  config.minBlockSize = 65;
  EXPECT_TRUE(messages.empty());
  firstSizes(config, messages);
  EXPECT_EQ(messages.size(), 1u); // no power of two from 65 to 96
  for (int block = 1; block <= 1024; block *= 2)
    for (int merge = 1; merge <= 64; merge *= 4)
      for (int skew = 1; skew <= 64; skew *= 2) {
        std::map<std::string, int> size;
        for (const auto& [name, value] : tunablesFor({block, merge, skew}, 1024))
          size[name] = value;
        EXPECT_EQ(size["TILE_X"] % size["ITEMS_X"], 0);
        EXPECT_EQ(size["TILE_Y"] % size["ITEMS_Y"], 0);
        EXPECT_EQ(size["SWEEP_Y"] % size["BLOCK_Y"], 0);
        EXPECT_EQ(size["BLOCK"] % size["GROUP"], 0);
        EXPECT_LE(size["TILE_X"] / size["ITEMS_X"] * (size["TILE_Y"] / size["ITEMS_Y"]), 1024);
        EXPECT_LE(size["BLOCK_X"] * size["BLOCK_Y"], 1024);
      }
}

} // namespace
} // namespace warploom
