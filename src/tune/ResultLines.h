// Results as lines of a file, an object of JSON each: what a search writes that has no database.
#pragma once

#include "tune/Search.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace warploom {

/// `entry` as a line, without its end.
std::string lineOf(const Entry& entry);
/// What lineOf() has made a line of; nothing for other lines, those that were torn among them.
std::optional<Entry> entryOf(const std::string& line);

/// A file of such lines, which is only added to; of several lines for a point the last one counts. Throws
/// std::system_error.
class ResultLines : public ResultStore {
public:
  explicit ResultLines(std::filesystem::path path) : path(std::move(path)) {}

  std::optional<Result> find(const Search& search, const std::string& point) override;
  void record(const Search& search, const std::string& point, const Result& result) override;

private:
  void readOn();

  const std::filesystem::path path;
  std::map<std::string, Result> known; ///< by all that find() asks for
  std::streamoff read = 0;             ///< so much of the file is known
};

} // namespace warploom
