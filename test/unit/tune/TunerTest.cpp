// The loop of a search, with candidates that are made here, and the database that remembers it.
#include "tune/Tuner.h"

#include "Folder.h"
#include "tune/Database.h"
#include "tune/Fingerprint.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <sqlite3.h>
#include <sys/resource.h>
#include <thread>

namespace warploom {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Tuner : public ::testing::Test {
protected:
  const Folder own;
  const fs::path folder = own.path;
};

Space strips() {
  return {openSizes("", {"STRIP"}, {"BLOCK"}), ""};
}

/// Candidates whose outcome the test says; the time is the block.
class Made : public Bench {
public:
  std::optional<Result> prepare(const Point& point) override {
    ++now;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --now;
    std::lock_guard<std::mutex> lock(mutex);
    prepared.push_back(point);
    if (auto bad = failures.find(point[0]); bad != failures.end()) return Result{bad->second, 0, 0, "so"};
    return std::nullopt;
  }
  Result time(const Point& point, std::optional<double>) override {
    EXPECT_EQ(now, 0) << "something runs while times are taken";
    EXPECT_FALSE(failures.count(point[0])) << "a candidate that is not right was timed";
    return {Outcome::Timed, double(point[0] + point[1]), 0.01, ""};
  }
  void discard(const Point&) override { ++discarded; }

  std::map<int, Outcome> failures; ///< by the block
  std::vector<Point> prepared;
  int discarded = 0;

private:
  std::atomic<int> now = 0;
  std::mutex mutex;
};

const Search about = {{"k", "s", ""}, "d", "N=8", "t"};

Tally search(Made& bench, Database& database, std::size_t candidates = 0) {
  static const Space space = strips();
  auto searcher = makeSearcher("exhaustive", space, 1);
  return tune({space, *searcher, bench, database, about, {candidates, std::nullopt}, 2, nullptr});
}

// SHOWS: CH-69 CH-71 RT-86
TEST_F(Tuner, NeverTimesWhatIsWrongAndGoesOn) {
  Database database(folder / "db", Database::Access::Write);
  Made bench;
  bench.failures = {{32, Outcome::Wrong},
                    {64, Outcome::Crashed},
                    {128, Outcome::TimedOut},
                    {512, Outcome::FailedToCompile},
                    {1024, Outcome::FailedToLaunch}};
  const Tally tally = search(bench, database);
  EXPECT_EQ(tally.candidates(), 24u);
  for (const auto& [block, outcome] : bench.failures)
    EXPECT_EQ(tally.outcomes.at(outcome), 4u);
  EXPECT_EQ(tally.best, (Point{256, 1}));
  EXPECT_EQ(tally.usual->milliseconds, 260);
  EXPECT_EQ(bench.discarded, 24);
  EXPECT_EQ(database.find(about, "BLOCK=32 VECTOR=1")->outcome, Outcome::Wrong);
  EXPECT_EQ(database.find(about, "BLOCK=64 VECTOR=1")->detail, "so");
}

/// Candidates that take longer than there is time.
class Slow : public Made {
public:
  Result time(const Point& point, std::optional<double> best) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Made::time(point, best);
  }
};

TEST_F(Tuner, BeginsNothingWhenTheTimeIsOver) {
  Database database(folder / "db", Database::Access::Write);
  const Space space = strips();
  database.record(about, space.text(space.usual()), {Outcome::Timed, 1, 0, ""});
  auto searcher = makeSearcher("exhaustive", space, 1);
  Slow bench;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const Tally tally = tune({space, *searcher, bench, database, about, {0, until}, 8, nullptr});
  // Of those that come after the usual one none is known: there is a round of them, and no other.
  EXPECT_LE(tally.candidates(), 9u);
  EXPECT_EQ(bench.discarded, static_cast<int>(bench.prepared.size()));
  EXPECT_EQ(database.entries("s", "d").size(), tally.candidates());
}

/// Candidates that wait for another one beside them, but for the first.
class Paired : public Bench {
public:
  std::optional<Result> prepare(const Point&) override {
    std::unique_lock<std::mutex> lock(mutex);
    if (++begun == 1) return std::nullopt;
    met.notify_all();
    EXPECT_TRUE(met.wait_for(lock, std::chrono::minutes(1), [&] { return begun == 3; }));
    return std::nullopt;
  }
  Result time(const Point&, std::optional<double>) override { return {Outcome::Timed, 1, 0, ""}; }
  void discard(const Point&) override {}

private:
  std::mutex mutex;
  std::condition_variable met;
  int begun = 0;
};

// SHOWS: RT-91
TEST_F(Tuner, PreparesCandidatesSideBySide) {
  Database database(folder / "db", Database::Access::Write);
  const Space space = strips();
  auto searcher = makeSearcher("exhaustive", space, 1);
  Paired bench;
  EXPECT_EQ(tune({space, *searcher, bench, database, about, {3, std::nullopt}, 2, nullptr}).candidates(), 3u);
}

/// Candidates whose times vary by 3 %; the block alone decides, above 128 by less than they vary.
class Noisy : public Bench {
public:
  explicit Noisy(unsigned seed) : random(seed) {}
  std::optional<Result> prepare(const Point&) override { return std::nullopt; }
  Result time(const Point& point, std::optional<double> best) override {
    const double exact = point[0] <= 128 ? 1000.0 / point[0] : 5 - point[0] / 1e5;
    return measured([&] { return Sample{exact * (0.97 + 0.06 * (random() % 1000) / 999.0), std::nullopt}; },
                    {}, best);
  }
  void discard(const Point&) override {}

private:
  std::mt19937 random;
};

// SHOWS: RT-87
TEST_F(Tuner, FindsTheSameInSpiteOfNoise) {
  const Space space = strips();
  const std::string usual = space.text(space.usual());
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Database database(folder / std::to_string(seed), Database::Access::Write);
    auto searcher = makeSearcher("exhaustive", space, 1);
    Noisy bench(seed);
    tune({space, *searcher, bench, database, about, {}, 1, nullptr});
    EXPECT_EQ(chosen(database.entries("s", "d"), about, usual)->point, usual);
  }
}

TEST_F(Tuner, HasNoBestWhereNothingWorks) {
  Database database(folder / "db", Database::Access::Write);
  Made bench;
  for (int block : {32, 64, 128, 256, 512, 1024})
    bench.failures[block] = Outcome::Wrong;
  const Tally tally = search(bench, database);
  EXPECT_FALSE(tally.best);
  EXPECT_EQ(tally.usual->outcome, Outcome::Wrong);
}

// SHOWS: CH-72
TEST_F(Tuner, GoesOnWhereItWasInterrupted) {
  Made first, second, third;
  {
    Database database(folder / "db", Database::Access::Write);
    EXPECT_EQ(search(first, database, 10).candidates(), 10u);
  }
  Database database(folder / "db", Database::Access::Write);
  const Tally whole = search(second, database);
  EXPECT_EQ(first.prepared.size(), 10u);
  EXPECT_EQ(second.prepared.size(), 14u);
  EXPECT_EQ(whole.remembered, 10u);
  EXPECT_EQ(whole.candidates(), 24u);
  EXPECT_EQ(search(third, database).best, (Point{32, 1}));
  EXPECT_TRUE(third.prepared.empty());
}

TEST_F(Tuner, SharesOneDatabaseWithOthers) {
  // Both make the database, and write at the same time.
  std::vector<std::thread> workers;
  std::vector<Made> benches(4);
  for (Made& bench : benches)
    workers.emplace_back([&] {
      Database database(folder / "db", Database::Access::Write);
      EXPECT_EQ(search(bench, database).candidates(), 24u);
    });
  for (std::thread& worker : workers)
    worker.join();
  Database database(folder / "db", Database::Access::Read);
  EXPECT_EQ(database.entries("s", "d").size(), 24u);
}

std::string reasonOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const DatabaseError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Tuner, SaysWhatIsWrongWithADatabase) {
  std::ofstream(folder / "corrupt") << std::string(5000, 'x');
  EXPECT_THAT(reasonOf([&] { Database(folder / "corrupt", Database::Access::Write); }),
              ::testing::HasSubstr("not a database"));
  EXPECT_THAT(reasonOf([&] { Database(folder / "none" / "db", Database::Access::Write); }),
              ::testing::HasSubstr("cannot be opened"));
  EXPECT_THAT(reasonOf([&] { Database(folder / "none", Database::Access::Read); }),
              ::testing::HasSubstr("cannot be opened"));
  {
    Database database(folder / "db", Database::Access::Write);
    database.record(about, "BLOCK=1", {});
  }
  // A torn file: the header says more than there is.
  fs::resize_file(folder / "db", 5000);
  EXPECT_NE(reasonOf([&] {
              Database database(folder / "db", Database::Access::Write);
              database.record(about, "BLOCK=2", {});
              database.entries("s", "d");
            }),
            "");
}

TEST_F(Tuner, WritesNothingWhereItMayOnlyRead) {
  {
    Database database(folder / "db", Database::Access::Write);
  }
  Database database(folder / "db", Database::Access::Read);
  EXPECT_THAT(reasonOf([&] { database.record(about, "BLOCK=1", {}); }), ::testing::HasSubstr("readonly"));
}

TEST_F(Tuner, SaysThatTheDiskIsFullAndKeepsWhatItHas) {
  Database database(folder / "db", Database::Access::Write);
  database.record(about, "BLOCK=1", {});
  auto* before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{}, small{};
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = fs::file_size(folder / "db");
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string reason = reasonOf([&] {
    for (int k = 2; k < 1000; ++k)
      database.record(about, "BLOCK=" + std::to_string(k), {Outcome::Wrong, 0, 0, std::string(500, 'x')});
  });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, before);
  EXPECT_THAT(reason, ::testing::HasSubstr("cannot be written"));
  EXPECT_TRUE(database.find(about, "BLOCK=1"));
  database.record(about, "BLOCK=0", {}); // there is room again
}

TEST_F(Tuner, TakesDatabasesWithoutResources) {
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "old").c_str(), &file), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(
          file,
          "CREATE TABLE results (kernel TEXT NOT NULL, shape TEXT NOT NULL, extents TEXT NOT NULL, "
          "device TEXT NOT NULL, sizes TEXT NOT NULL, toolkit TEXT NOT NULL, point TEXT NOT NULL, "
          "outcome TEXT NOT NULL, milliseconds REAL, spread REAL, detail TEXT, at INTEGER NOT NULL, "
          "PRIMARY KEY (kernel, device, sizes, toolkit, point)); PRAGMA user_version = 1;"
          "INSERT INTO results VALUES ('k', 's', '', 'd', 'N=8', 't', 'BLOCK=1', 'timed', 5, 0.1, '', 9)",
          nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(file);
  EXPECT_EQ(Database(folder / "old", Database::Access::Read).entries("s", "d").at(0).result.milliseconds, 5);
  Database database(folder / "old", Database::Access::Write);
  EXPECT_EQ(database.find(about, "BLOCK=1")->resources.registers, 0);
  database.record(about, "BLOCK=2", {Outcome::Timed, 4, 0, "", {64, 2048, 8, 0.375}, {1e6, 4e6}});
  const Resources use = database.find(about, "BLOCK=2")->resources;
  EXPECT_EQ(use.registers, 64);
  EXPECT_EQ(use.sharedBytes, 2048);
  EXPECT_EQ(use.spilledBytes, 8);
  EXPECT_EQ(use.occupancy, 0.375);
  EXPECT_EQ(database.find(about, "BLOCK=2")->work.bytes, 4e6);
  EXPECT_EQ(Database(folder / "old", Database::Access::Read).entries("s", "d").size(), 2u);
}

Search problem(const std::string& sizes, const std::string& extents = "") {
  return {{"k" + extents, "s", extents}, "d", sizes, "t"};
}

Entry entry(const Search& search, const std::string& point, double time, double spread = 0.01) {
  return {search, point, {Outcome::Timed, time, spread, ""}, 0};
}

TEST(Chosen, IsTheFastestUnlessTheUsualIsAsGood) {
  const Search search = problem("N=8");
  const std::vector<Entry> some = {entry(search, "A=1", 10), entry(search, "A=2", 9.95),
                                   entry(search, "A=4", 12)};
  EXPECT_EQ(chosen(some, search, "A=4")->point, "A=2");
  EXPECT_EQ(chosen(some, search, "A=1")->point, "A=1");
  EXPECT_FALSE(chosen({{search, "A=1", {Outcome::Wrong, 0, 0, ""}, 0}}, search, "A=1"));
  EXPECT_FALSE(chosen({}, search, "A=1"));
}

TEST(Chosen, IsThatOfTheNearestSizes) {
  const std::vector<Entry> some = {entry(problem("N=8"), "A=1", 1), entry(problem("N=1000"), "A=2", 50),
                                   entry(problem("M=1000"), "A=4", 2)};
  EXPECT_EQ(chosen(some, problem("N=900"), "")->point, "A=2");
  Search other = problem("N=9");
  other.toolkit = "other";
  EXPECT_EQ(chosen(some, other, "")->point, "A=1");
  EXPECT_EQ(chosen(some, problem("M=1"), "")->point, "A=4");
}

TEST(Chosen, IsThatOfTheNearestExtents) {
  const std::vector<Entry> some = {entry(problem("", "100 99"), "A=1", 1),
                                   entry(problem("", "4000 3999"), "A=2", 50),
                                   entry(problem("", "4000 3999"), "A=4", 40)};
  EXPECT_EQ(chosen(some, problem("", "120 119"), "")->point, "A=1");
  EXPECT_EQ(chosen(some, problem("", "4000 3999"), "")->point, "A=4");
  EXPECT_EQ(chosen(some, problem("", "9000 8999"), "A=2")->search.kernel.extents, "4000 3999");
}

TEST(Chosen, IsByTheSameToolkitWhereThereIsOne) {
  Search later = problem("N=8");
  later.toolkit = "later";
  const std::vector<Entry> some = {entry(problem("N=8"), "A=1", 3), entry(later, "A=2", 1)};
  EXPECT_EQ(chosen(some, problem("N=8"), "")->point, "A=1");
  later.toolkit = "latest";
  EXPECT_EQ(chosen(some, later, "")->point, "A=2");
}

TEST(Measured, IsTheMedianAfterAWarmUp) {
  int runs = 0;
  const std::vector<double> times = {100, 5, 5, 5, 5, 90};
  const Result result = measured([&] { return Sample{times[runs++], std::nullopt}; }, {5, 15, 3, 1});
  EXPECT_EQ(runs, 6);
  EXPECT_EQ(result.milliseconds, 5);
  EXPECT_EQ(result.spread, 0);
}

TEST(Measured, IsRepeatedWhileItVaries) {
  int runs = 0;
  const Result result = measured([&] { return Sample{double(runs++ % 7), std::nullopt}; }, {3, 9, 3, 0.01});
  EXPECT_EQ(runs, 10);
  EXPECT_GT(result.spread, 0.01);
  runs = 0;
  const Result failed = measured(
      [&] {
        ++runs;
        return runs < 3 ? Sample{1, std::nullopt} : Sample{0, Result{Outcome::Crashed, 0, 0, "signal 11"}};
      },
      {3, 9, 3, 0.01});
  EXPECT_EQ(failed.outcome, Outcome::Crashed);
}

// SHOWS: CH-70
TEST(Measured, IsATimeOfTenRunsAtLeastAndOfMoreWhereTheyVary) {
  int runs = 0;
  measured([&] { return Sample{++runs == 1 ? 900.0 : 5.0, std::nullopt}; }, {});
  EXPECT_EQ(runs, 11) << "the first does not count";
  runs = 0;
  const Result noisy = measured([&] { return Sample{++runs % 2 ? 5.0 : 6.0, std::nullopt}; }, {});
  EXPECT_EQ(runs, 21);
  EXPECT_GT(noisy.spread, 0.05) << "and how much they vary is kept";
}

TEST(Measured, IsNotRepeatedWhereOthersAreFarBetter) {
  int runs = 0;
  const auto run = [&] { return Sample{double(10 + runs++), std::nullopt}; };
  EXPECT_EQ(measured(run, {}, 5).milliseconds, 12);
  EXPECT_EQ(runs, 4);
  runs = 0;
  measured(run, {}, 10); // 11 may be a better one on a bad day
  EXPECT_GE(runs, 11);
}

/// Those of kernel 0.
KernelIdentity identity(const std::string& text) {
  return identities(text, 1, {{"f_9_", {"BLOCK", "STRIP"}}})[0];
}

TEST(KernelIdentity, IsOfTheCodeAlone) {
  const KernelIdentity one = identity("// f, line 7.\nstatic __global__ void f_7(Index n) { x<BLOCK>(n,\n"
                                      "  STRIP); }\nstatic warploom::Site site(\"f:7\");\n");
  EXPECT_EQ(
      one.kernel,
      identity("// f, line 9: two.\nstatic __global__ void f_9(Index n) { x<f_9_BLOCK>(n, f_9_STRIP); }\n"
               "static warploom::Site site(\"g:7\"); more")
          .kernel);
  const KernelIdentity other = identity("static __global__ void f_7(Index n) { x<BLOCK>(n + 1, STRIP); }\n");
  EXPECT_NE(one.kernel, other.kernel);
  EXPECT_NE(one.shape, other.shape);
  EXPECT_NE(identities("f();", 2, {})[0].kernel, identities("f();", 2, {})[1].kernel);
}

TEST(KernelIdentity, HasTheSameShapeAtOtherExtents) {
  const KernelIdentity one = identity("if (i < 4000l) a[i * 3999 + 1] = 0.25f * 100.0 + x33;"),
                       other = identity("if (i < 90l) a[i * 89 + 1] = 0.25f * 100.0 + x33;");
  EXPECT_EQ(one.extents, "4000 3999");
  EXPECT_EQ(other.extents, "90 89");
  EXPECT_EQ(one.shape, other.shape);
  EXPECT_NE(one.kernel, other.kernel);
  EXPECT_NE(one.shape, identity("if (i < 90l) a[i * 89 + 2] = 0.25f * 100.0 + x33;").shape);
  EXPECT_NE(one.shape, identity("if (i < 90l) a[i * 89 + 1] = 0.5f * 100.0 + x33;").shape);
  EXPECT_NE(one.shape, identity("if (i < 90l) a[i * 89 + 1] = 0.25f * 100.0 + x34;").shape);
}

} // namespace
} // namespace warploom
