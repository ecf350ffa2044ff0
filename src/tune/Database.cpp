#include "tune/Database.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sstream>

namespace warploom {

namespace {

/// What `user_version` is in files of this form; 1: without resources; 2: without work; 3: without its
/// problem.
constexpr int formNumber = 4;

/// One use of an SQL statement.
class Statement {
public:
  Statement(sqlite3* connection, const std::string& text) {
    status = sqlite3_prepare_v2(connection, text.c_str(), -1, &statement, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  bool isGood() const { return status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE; }
  Statement& bind(const std::string& value) {
    if (isGood())
      status = sqlite3_bind_text(statement, ++bound, value.c_str(), static_cast<int>(value.size()),
                                 SQLITE_TRANSIENT);
    return *this;
  }
  Statement& bind(double value) {
    if (isGood()) status = sqlite3_bind_double(statement, ++bound, value);
    return *this;
  }
  Statement& bind(long long value) {
    if (isGood()) status = sqlite3_bind_int64(statement, ++bound, value);
    return *this;
  }
  /// Goes on to the next row; false when there is none, or on a failure.
  bool step() {
    if (isGood()) status = sqlite3_step(statement);
    return status == SQLITE_ROW;
  }
  std::string text(int column) {
    const unsigned char* value = sqlite3_column_text(statement, column);
    return value ? reinterpret_cast<const char*>(value) : "";
  }
  double number(int column) { return sqlite3_column_double(statement, column); }
  long long integer(int column) { return sqlite3_column_int64(statement, column); }

private:
  sqlite3_stmt* statement = nullptr;
  int status = SQLITE_OK, bound = 0;
};

Result resultOf(Statement& row, int first) {
  Result result;
  // An outcome that only a later version knows is not one to be trusted.
  result.outcome = outcomeCalled(row.text(first)).value_or(Outcome::Wrong);
  result.milliseconds = row.number(first + 1);
  result.spread = row.number(first + 2);
  result.detail = row.text(first + 3);
  result.resources = {static_cast<int>(row.integer(first + 4)), static_cast<long>(row.integer(first + 5)),
                      static_cast<long>(row.integer(first + 6)), row.number(first + 7)};
  result.work = {row.number(first + 8), row.number(first + 9), row.text(first + 10)};
  return result;
}

/// The numbers in `N=64 M=7`, by name.
std::map<std::string, double> numbersOf(const std::string& sizes) {
  std::map<std::string, double> result;
  std::istringstream in(sizes);
  for (std::string word; in >> word;)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      result[word.substr(0, sign)] = std::strtod(word.c_str() + sign + 1, nullptr);
  return result;
}

/// The logarithm of the ratio of two sizes; far when they have none.
double apart(double one, double other) {
  return one > 0 && other > 0 ? std::abs(std::log(one / other)) : 100;
}

} // namespace

Database::Database(const std::filesystem::path& file, Access access) : path(file.string()) {
  const int flags =
      access == Access::Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(path.c_str(), &connection, flags, nullptr) != SQLITE_OK) {
    const std::string reason = connection ? sqlite3_errmsg(connection) : "out of memory";
    sqlite3_close(connection);
    throw DatabaseError(fmt::format("the tuning database '{}' cannot be opened: {}", path, reason));
  }
  try {
    sqlite3_busy_timeout(connection, 30000); // of other tuners' transactions, which are short
    form = formOfFile();
    if (form > formNumber)
      throw DatabaseError(
          fmt::format("the tuning database '{}' was made by a later version of Warploom", path));
    if (access == Access::Read || form == formNumber) return;
  } catch (const DatabaseError&) {
    sqlite3_close(connection);
    throw;
  }
  try {
    // Another tuner may do the same at this moment.
    execute("BEGIN IMMEDIATE");
    execute("CREATE TABLE IF NOT EXISTS results (kernel TEXT NOT NULL, shape TEXT NOT NULL, extents TEXT NOT "
            "NULL, device TEXT NOT NULL, sizes TEXT NOT NULL, toolkit TEXT NOT NULL, point TEXT NOT NULL, "
            "outcome TEXT NOT NULL, milliseconds REAL, spread REAL, detail TEXT, at INTEGER NOT NULL, "
            "PRIMARY KEY (kernel, device, sizes, toolkit, point))");
    execute("CREATE INDEX IF NOT EXISTS shapes ON results (shape, device)");
    if (formOfFile() < 2)
      execute(
          "ALTER TABLE results ADD COLUMN registers INTEGER; ALTER TABLE results ADD COLUMN shared INTEGER; "
          "ALTER TABLE results ADD COLUMN spilled INTEGER; ALTER TABLE results ADD COLUMN occupancy REAL");
    if (formOfFile() < 3)
      execute("ALTER TABLE results ADD COLUMN instances REAL; ALTER TABLE results ADD COLUMN bytes REAL");
    if (formOfFile() < 4) execute("ALTER TABLE results ADD COLUMN problem TEXT");
    execute("PRAGMA user_version = 4");
    execute("COMMIT");
    form = formNumber;
  } catch (const DatabaseError&) {
    sqlite3_close(connection);
    throw;
  }
}

Database::~Database() {
  sqlite3_close(connection);
}

void Database::fail(const std::string& what) const {
  throw DatabaseError(fmt::format("the tuning database '{}' {}: {}", path, what, sqlite3_errmsg(connection)));
}

void Database::execute(const char* statement) {
  if (sqlite3_exec(connection, statement, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be written");
}

long long Database::formOfFile() const {
  Statement version(connection, "PRAGMA user_version");
  if (!version.step()) fail("cannot be read");
  return version.integer(0);
}

std::string Database::columnsOfResult() const {
  return std::string("outcome, milliseconds, spread, detail, ") +
         (form < 2 ? "0, 0, 0, 0" : "registers, shared, spilled, occupancy") +
         (form < 3 ? ", 0, 0" : ", instances, bytes") + (form < 4 ? ", ''" : ", problem");
}

std::optional<Result> Database::find(const Search& search, const std::string& point) {
  Statement row(connection, "SELECT " + columnsOfResult() +
                                " FROM results WHERE kernel = ? AND device = ? AND "
                                "sizes = ? AND toolkit = ? AND point = ?");
  row.bind(search.kernel.kernel).bind(search.device).bind(search.sizes).bind(search.toolkit).bind(point);
  const bool found = row.step();
  if (!row.isGood()) fail("cannot be read");
  return found ? std::optional(resultOf(row, 0)) : std::nullopt;
}

void Database::record(const Search& search, const std::string& point, const Result& result) {
  Statement row(
      connection,
      "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(search.kernel.kernel).bind(search.kernel.shape).bind(search.kernel.extents);
  row.bind(search.device).bind(search.sizes).bind(search.toolkit).bind(point);
  row.bind(outcomeText(result.outcome)).bind(result.milliseconds).bind(result.spread).bind(result.detail);
  row.bind(static_cast<long long>(std::time(nullptr)));
  row.bind(static_cast<long long>(result.resources.registers));
  row.bind(static_cast<long long>(result.resources.sharedBytes));
  row.bind(static_cast<long long>(result.resources.spilledBytes)).bind(result.resources.occupancy);
  row.bind(result.work.instances).bind(result.work.bytes).bind(result.work.problem);
  row.step();
  if (!row.isGood()) fail("cannot be written");
}

std::vector<Entry> Database::entries(const std::string& shape, const std::string& device) {
  Statement row(connection, "SELECT kernel, extents, sizes, toolkit, point, at, " + columnsOfResult() +
                                " FROM results WHERE shape = ? AND device = ? ORDER BY at, rowid");
  row.bind(shape).bind(device);
  std::vector<Entry> result;
  while (row.step())
    result.push_back({{{row.text(0), shape, row.text(1)}, device, row.text(2), row.text(3)},
                      row.text(4),
                      resultOf(row, 6),
                      row.integer(5)});
  if (!row.isGood()) fail("cannot be read");
  return result;
}

double distance(const Search& one, const Search& other) {
  if (one.sizes == other.sizes && one.kernel.extents == other.kernel.extents) return 0;
  double sum = 1e-3; // not the same, whatever the numbers say
  std::map<std::string, double> a = numbersOf(one.sizes), b = numbersOf(other.sizes);
  for (const auto& [name, value] : a)
    sum += apart(value, b[name]);
  for (const auto& [name, value] : b)
    if (!a.count(name)) sum += apart(value, 0);
  std::istringstream first(one.kernel.extents), second(other.kernel.extents);
  double all = 0, count = 0;
  for (double x = 0, y = 0; first >> x && second >> y; ++count)
    all += apart(x, y);
  return count > 0 ? sum + all / count : sum;
}

std::optional<Entry> chosen(const std::vector<Entry>& entries, const Search& wanted,
                            const std::string& usual) {
  std::vector<std::pair<double, const Entry*>> timed;
  for (const Entry& entry : entries)
    if (entry.result.outcome == Outcome::Timed) timed.emplace_back(distance(entry.search, wanted), &entry);
  if (timed.empty()) return std::nullopt;
  const double nearest = std::min_element(timed.begin(), timed.end())->first;
  std::erase_if(timed, [&](const auto& entry) { return entry.first > nearest; });
  const bool isSame = std::any_of(timed.begin(), timed.end(), [&](const auto& entry) {
    return entry.second->search.toolkit == wanted.toolkit;
  });
  // Times of different problems are not compared: of two that are equally near it is the later one.
  const Search of = std::find_if(timed.rbegin(), timed.rend(), [&](const auto& entry) {
                      return !isSame || entry.second->search.toolkit == wanted.toolkit;
                    })->second->search;
  const Entry *best = nullptr, *usually = nullptr;
  for (const auto& [far, entry] : timed) {
    if (entry->search.toolkit != of.toolkit || distance(entry->search, of) > 0) continue;
    if (!best || entry->result.milliseconds < best->result.milliseconds) best = entry;
    if (entry->point == usual) usually = entry;
  }
  return usually && !isFaster(best->result, usually->result) ? *usually : *best;
}

} // namespace warploom
