#include "driver/Sizes.h"

#include <CLI/CLI.hpp>

namespace warploom {

void addSizes(CLI::App& command, std::vector<std::string>& sizes) {
  auto isDefinition = [](const std::string& text) -> std::string {
    std::size_t sign = text.find('=');
    bool good = sign != std::string::npos && sign > 0 && sign + 1 < text.size() &&
                text.substr(0, sign).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                       "0123456789_") == std::string::npos;
    return good ? "" : "'" + text + "' is not of the form NAME=VALUE";
  };
  command.add_option("--size", sizes, "Compile with -DNAME=VALUE")
      ->type_name("NAME=VALUE")
      ->check(isDefinition)
      ->expected(1)
      ->take_all();
}

std::vector<std::string> withSizes(std::vector<std::string> flags, const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes)
    flags.push_back("-D" + size);
  return flags;
}

} // namespace warploom
