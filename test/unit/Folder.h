// A folder for the files of one test. ctest runs tests side by side, so that no two may share a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace warploom {

/// A folder that nobody else has, removed with the object.
class Folder {
public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "warploom-test-XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Where the new file `name` with this text is.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }

  std::filesystem::path path;
};

} // namespace warploom
