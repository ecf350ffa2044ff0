// Candidates as programs, which are scripts here: what they say and how they end decides what became of them.
#include "tune/ProgramBench.h"

#include "Folder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <system_error>

namespace warploom {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Programs : public ::testing::Test {
protected:
  Programs() { runs.repeats = {2, 2, 2, 1, 2}; }

  /// A form whose program does what `script` says.
  CandidateCommands form(const std::string& name, const std::string& script) const {
    std::ofstream(folder / name) << "#!/bin/sh\n" << script << "\n";
    return {[](const std::vector<std::string>&, const fs::path& object) {
              return std::vector<std::string>{"touch", object.string()};
            },
            [from = folder / name](const fs::path&, const fs::path& program) {
              return std::vector<std::string>{"install", "-m", "755", from.string(), program.string()};
            }};
  }

  /// What becomes of the usual point.
  Result resultOf(const std::string& checked, const std::string& timed = fine) {
    return resultOf(CandidateForms{form("c", checked), form("t", timed), false});
  }
  Result resultOf(const CandidateForms& forms) {
    ProgramBench bench(forms, kernel, space, runs, folder / "made");
    const std::optional<Result> failure = bench.prepare(space.usual());
    const Result result = failure ? *failure : bench.time(space.usual(), std::nullopt);
    bench.discard(space.usual());
    EXPECT_TRUE(fs::is_empty(folder / "made"));
    return result;
  }

  static inline const std::string right =
      "echo 'verify: region f:3 array a max abs 0 max rel 0 ok' >$WARPLOOM_VERIFY_REPORT\n";
  static inline const std::string fine =
      "echo 'warploom: region f:3 kernels 1.500 transfers 9 launches 1 path gpu' >&2\n"
      "echo 'warploom: region f:3 kernels 7 transfers 9 launches 1 path host' >&2\n"
      "echo 'warploom: region f:3 work 1e+06 instances 4e+06 bytes' >&2\n"
      "echo 'warploom: region g:9 kernels 70 transfers 9 launches 1 path gpu' >&2\n";
  const Space space{openSizes("", {"STRIP"}, {"BLOCK"}), ""};
  BenchedKernel kernel{"f:3", "f_3"};
  CandidateRuns runs;
  const Folder own;
  const fs::path folder = own.path;
};

TEST_F(Programs, AreTimedWhenTheyAreRight) {
  const Result result = resultOf(right, fine);
  EXPECT_EQ(result.outcome, Outcome::Timed);
  EXPECT_EQ(result.milliseconds, 1.5);
  EXPECT_EQ(result.work.instances, 1e6);
  EXPECT_EQ(result.work.bytes, 4e6);
  EXPECT_EQ(resultOf(right + "exit 3", fine + "exit 3").outcome, Outcome::Timed) << "a status of their own";
}

TEST_F(Programs, AreNotTimedWhenTheyAreWrong) {
  const Result result = resultOf("echo 'verify: region f:3 array b ok\nverify: region g:9 array a max abs 3 "
                                 "MISMATCH' >$WARPLOOM_VERIFY_REPORT; exit 1",
                                 "touch " + (folder / "was-timed").string());
  EXPECT_EQ(result.outcome, Outcome::Wrong);
  EXPECT_EQ(result.detail, "verify: region g:9 array a max abs 3");
  EXPECT_FALSE(fs::exists(folder / "was-timed"));
}

TEST_F(Programs, ThatTheDeviceEndsAreNotFast) {
  const std::string ended = "echo 'warploom: region f:3: k.cu:9: the launch failed: too much' >&2; exit 1";
  for (const Result& result : {resultOf(right + ended), resultOf(right, fine + ended)}) {
    EXPECT_EQ(result.outcome, Outcome::FailedToLaunch);
    EXPECT_THAT(result.detail, HasSubstr("too much"));
  }
}

TEST_F(Programs, MayCrashAndStayOnTheHost) {
  EXPECT_EQ(resultOf("kill -SEGV $$").outcome, Outcome::Crashed);
  EXPECT_EQ(resultOf(right, "kill -SEGV $$").detail, "signal 11");
  EXPECT_EQ(resultOf("echo 'verify: region f:3 was not compared: each' >$WARPLOOM_VERIFY_REPORT").detail,
            "the region stays on the host");
  EXPECT_EQ(resultOf("echo 'verify: region g:9 array a ok' >$WARPLOOM_VERIFY_REPORT").detail,
            ProgramBench::notEntered);
  EXPECT_EQ(resultOf("echo no device >&2; exit 1").detail, "no device");
  EXPECT_EQ(resultOf(right, "true").outcome, Outcome::FailedToLaunch);
}

TEST_F(Programs, MayHang) {
  runs.seconds = 0.3;
  EXPECT_EQ(resultOf("sleep 1000").outcome, Outcome::TimedOut);
  EXPECT_EQ(resultOf("sleep 1000 & sleep 1000").outcome, Outcome::TimedOut);
}

// SHOWS: CH-90 MF-117 RT-81 RT-82
TEST_F(Programs, AreKeptWithWhatTheirKernelsNeedAndNotRunWhereThereIsNoRoom) {
  kernel = {"f:3", "f_3", {"BLOCK", "BLOCK * 8"}, deviceLimits("9.0")};
  CandidateForms forms{form("c", right), form("t", fine), false, true};
  const auto says = [](const std::string& registers) {
    return [=](const std::vector<std::string>& flags, const fs::path& object) {
      EXPECT_EQ(flags.back(), "-v") << "ptxas is asked";
      return std::vector<std::string>{
          "sh", "-c",
          "echo \"ptxas info    : Compiling entry function '_Z3f_3IiEvT_' for 'sm_90'\n"
          "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
          "ptxas info    : Used " +
              registers + " registers, used 1 barriers\" >&2; touch " + object.string()};
    };
  };
  forms.checked.compile = says("32");
  forms.timed.compile = says("80");
  const Result result = resultOf(forms);
  EXPECT_EQ(result.outcome, Outcome::Timed);
  EXPECT_EQ(result.resources.registers, 80) << "those of the program that is timed";
  EXPECT_EQ(result.resources.sharedBytes, 8 * 256);
  EXPECT_EQ(result.resources.spilledBytes, 4);
  EXPECT_EQ(result.resources.occupancy, 0.375) << "3 blocks of 8 warps of 64";
  // Registers are compared with what a multiprocessor has before anything runs.
  forms.checked = form("c", "touch " + (folder / "was-run").string() + "\n" + right);
  forms.checked.compile = says("255");
  kernel.needs.threads = "BLOCK * 4";
  const Result none = resultOf(forms);
  EXPECT_EQ(none.outcome, Outcome::FailedToLaunch);
  EXPECT_THAT(none.detail, HasSubstr("holds no block of 1024 threads with 255 registers"));
  EXPECT_FALSE(fs::exists(folder / "was-run"));
}

TEST_F(Programs, AreComparedAtTheProblemThatIsSaid) {
  runs.arguments = {"large"};
  runs.checkArguments = {"small"};
  const std::string onlySmall = "[ $1 = small ] && word=ok || word=MISMATCH\n"
                                "echo \"verify: region f:3 array a $word\" >$WARPLOOM_VERIFY_REPORT";
  const CandidateForms forms{form("c", onlySmall), form("t", "[ $1 = large ] || exit\n" + fine), false};
  EXPECT_EQ(resultOf(forms).outcome, Outcome::Timed);
  ProgramBench bench(forms, kernel, space, runs, folder / "made");
  ASSERT_TRUE(bench.confirm(space.usual()));
  EXPECT_EQ(bench.confirm(space.usual())->outcome, Outcome::Wrong);
}

TEST_F(Programs, DoNotFailBecauseTheDiskIsFull) {
  CandidateForms forms{form("c", right), form("t", fine), false};
  const auto says = [](const std::string& text) {
    return [text](const std::vector<std::string>&, const fs::path&) {
      return std::vector<std::string>{"sh", "-c", "echo '" + text + "' >&2; exit 1"};
    };
  };
  forms.checked.compile = says("k.cu:3: error: so it is");
  EXPECT_EQ(resultOf(forms).detail, "k.cu:3: error: so it is");
  forms.checked.compile = says("fatal error: writing a.o: No space left on device");
  EXPECT_THROW(resultOf(forms), std::system_error);
}

} // namespace
} // namespace warploom
