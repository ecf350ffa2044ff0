#include "driver/OutputFiles.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace warploom {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw OutputError(fmt::format("cannot write '{}': {}", path.string(), why));
}

} // namespace

void checkOutput(const fs::path& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return;
  // A device would be replaced by a file, and a folder cannot be.
  if (!fs::is_regular_file(status)) fail(path, "it is not a plain file");
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, error)) fail(path, "it is the input");
}

fs::path temporaryBeside(const fs::path& path) {
  std::string name = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX")).string();
  int descriptor = mkstemp(name.data());
  if (descriptor < 0) fail(path, std::strerror(errno));
  // mkstemp lets only the owner read; the user's mask decides about files of the user's.
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  close(descriptor);
  return name;
}

void moveTo(const fs::path& temporary, const fs::path& path) {
  std::error_code error;
  fs::rename(temporary, path, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  fail(path, error.message());
}

void writeFiles(const std::vector<OutputFile>& files) {
  std::vector<fs::path> temporaries;
  // Beyond a limit on file sizes writing shall fail, not end the process.
  auto* before = std::signal(SIGXFSZ, SIG_IGN);
  try {
    for (const OutputFile& file : files) {
      temporaries.push_back(temporaryBeside(file.path));
      std::ofstream out(temporaries.back(), std::ios::binary);
      out << file.text;
      out.close();
      if (!out) fail(file.path, std::strerror(errno));
    }
    for (std::size_t k = 0; k < files.size(); ++k)
      moveTo(temporaries[k], files[k].path);
  } catch (const OutputError&) {
    std::error_code ignored;
    for (const fs::path& temporary : temporaries)
      fs::remove(temporary, ignored);
    std::signal(SIGXFSZ, before);
    throw;
  }
  std::signal(SIGXFSZ, before);
}

} // namespace warploom
