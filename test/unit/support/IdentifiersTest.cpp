#include "support/Identifiers.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

TEST(Identifiers, NeverReservedAndNeverTwice) {
  Identifiers identifiers;
  EXPECT_EQ(identifiers.fresh("x"), "x");
  EXPECT_EQ(identifiers.fresh("x"), "x2");
  EXPECT_EQ(identifiers.fresh("x.y"), "x_y");
  EXPECT_EQ(identifiers.fresh("thread_local"), "thread_local2");
  EXPECT_EQ(identifiers.fresh("9"), "v9");
  // No number makes these ours.
  EXPECT_EQ(identifiers.fresh("_Bool"), "v_Bool");
  EXPECT_EQ(identifiers.fresh("_Bool"), "v_Bool2");
  EXPECT_EQ(identifiers.fresh("WARPLOOM_CHECK"), "vWARPLOOM_CHECK");
}

TEST(Identifiers, FamiliesOfMacros) {
  for (const char* word : {"INT_MAX", "M_PI", "SYS_read", "EIO", "E2BIG", "SIGINT", "cudaHostAllocMapped",
                           "si_pid", "__linux", "__x86_64", "DT_NULL"})
    EXPECT_TRUE(mayBeMacro(word)) << word;
  for (const char* word :
       {"", "x", "A", "E", "ABRO", "Network", "cuda", "cudabc", "size", "__ell0", "__init0", "Exit", "x_MAX"})
    EXPECT_FALSE(mayBeMacro(word)) << word;
}

} // namespace
} // namespace warploom
