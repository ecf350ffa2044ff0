#include "driver/Sizes.h"

#include <CLI/CLI.hpp>
#include <functional>

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

void addExtents(CLI::App& command, std::vector<GivenExtent>& extents) {
  std::function<void(const std::vector<std::string>&)> add =
      [&extents](const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
          extents.push_back(*parseExtent(text));
      };
  auto isExtent = [](const std::string& text) -> std::string {
    return parseExtent(text) ? "" : "'" + text + "' is not of the form [FUNCTION:]ARRAY=SIZE, as x=2*n+1";
  };
  command
      .add_option_function("--extent", add,
                           "How many elements a pointer points to, where the loops do not tell: x=n*m+1")
      ->type_name("[FUNCTION:]ARRAY=SIZE")
      ->check(isExtent)
      ->expected(1)
      ->take_all();
}

std::vector<std::string> withSizes(std::vector<std::string> flags, const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes)
    flags.push_back("-D" + size);
  return flags;
}

} // namespace warploom
