// What was ever measured, in an SQLite file that several tuners may use at once. Every result is a
// transaction of its own: a tuner that is killed loses only what it was at.
#pragma once

#include "tune/Search.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct sqlite3;

namespace warploom {

/// The database cannot be used; what() is the message for the user.
class DatabaseError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Database : public ResultStore {
public:
  enum class Access { Write, Read };

  /// Opens `path`; for writing it is made where there is none. Throws DatabaseError, as all members do.
  Database(const std::filesystem::path& path, Access access);
  ~Database() override;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::optional<Result> find(const Search& search, const std::string& point) override;
  void record(const Search& search, const std::string& point, const Result& result) override;
  /// All results of kernels of a shape on a device, in the order in which they were measured.
  std::vector<Entry> entries(const std::string& shape, const std::string& device);

private:
  [[noreturn]] void fail(const std::string& what) const;
  void execute(const char* statement);
  long long formOfFile() const;
  /// Those of a result, in the order in which it is read.
  std::string columnsOfResult() const;

  const std::string path;
  sqlite3* connection = nullptr;
  long long form = 0; ///< of the file: what it has columns for
};

/// How far two problems are apart whose kernels have the same shape: the sum of the logarithms of the ratios
/// of their sizes and the mean of those of the kernels' extents. Sizes that only one of them has count as
/// far. 0: they are the same.
double distance(const Search& one, const Search& other);

/// The result in `entries`, which are of kernels of its shape on its device, that is to be used for `wanted`:
/// the fastest of those of the nearest problem, by the same toolkit where there is one, else by that of the
/// latest result. That of the point `usual` unless the other is better by more than their spreads. Nothing
/// when none of them is timed.
std::optional<Entry> chosen(const std::vector<Entry>& entries, const Search& wanted,
                            const std::string& usual);

} // namespace warploom
