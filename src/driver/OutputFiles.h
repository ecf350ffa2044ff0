// Files that Warploom writes for the user: all of them or none, and never over the input.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace warploom {

/// A file cannot be written; what() is the message for the user.
class OutputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct OutputFile {
  std::filesystem::path path;
  std::string text;
};

/// Throws OutputError when `path` cannot be replaced by a new file: it is one of `inputs`, or no plain file.
void checkOutput(const std::filesystem::path& path, const std::vector<std::string>& inputs);

/// The name of a new, empty file beside `path`, to be filled and renamed to it. Throws OutputError.
std::filesystem::path temporaryBeside(const std::filesystem::path& path);

/// Gives `temporary` the name `path`. Throws OutputError, and removes `temporary`, when that fails.
void moveTo(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Writes every file, each under another name first: a failure leaves what was there before. Throws
/// OutputError.
void writeFiles(const std::vector<OutputFile>& files);

} // namespace warploom
