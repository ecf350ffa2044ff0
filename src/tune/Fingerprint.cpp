#include "tune/Fingerprint.h"

#include "transform/Tunables.h"

#include <cctype>
#include <cstdint>
#include <fmt/format.h>
#include <regex>

namespace warploom {

namespace {

/// FNV-1a, whose results are the same for ever.
std::uint64_t hashOf(const std::string& text, std::uint64_t begin) {
  std::uint64_t hash = begin;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string printOf(const std::string& text) {
  return fmt::format("{:016x}{:016x}", hashOf(text, 0xcbf29ce484222325), hashOf(text, 0x84222325cbf29ce4));
}

/// Moves the extents out of `code`, into `extents`; what is left.
std::string withoutExtents(const std::string& code, std::string& extents) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::string rest;
  for (std::size_t k = 0; k < code.size();) {
    std::size_t end = k;
    while (end < code.size() && isPart(code[end]))
      ++end;
    const std::string word = code.substr(k, std::max(end, k + 1) - k);
    k += word.size();
    const std::size_t digits = word.find_first_not_of("0123456789");
    const std::string number = word.substr(0, digits),
                      suffix = digits == std::string::npos ? "" : word.substr(digits);
    const bool isInteger = isDigit(word[0]) && suffix.find_first_not_of("uUlL") == std::string::npos;
    if (isInteger && (number.size() > 2 || std::stoi(number) > 16)) {
      extents += (extents.empty() ? "" : " ") + number;
      rest += '#' + suffix;
    } else {
      rest += word;
    }
  }
  return rest;
}

} // namespace

std::vector<KernelIdentity> identities(const std::string& text, std::size_t kernels,
                                       const std::map<std::string, std::set<std::string>>& ownNames) {
  static const std::regex comment("//[^\n]*"), line("_[0-9]+(?=_|$)"), space("[ \n]+");
  // Where lines break follows from how long names are.
  const std::string code = std::regex_replace(
      std::regex_replace(text.substr(0, text.find("static warploom::Site")), comment, ""), space, " ");
  const std::string same = renamed(code, [&](const std::string& name) {
    for (const auto& [prefix, sizes] : ownNames)
      if (name.starts_with(prefix) && sizes.count(name.substr(prefix.size())))
        return name.substr(prefix.size());
    return std::regex_replace(name, line, "_");
  });
  KernelIdentity all;
  all.kernel = printOf(same);
  all.shape = printOf(withoutExtents(same, all.extents));
  std::vector<KernelIdentity> result;
  for (std::size_t k = 0; k < kernels; ++k) {
    const std::string which = fmt::format("/{}", k);
    result.push_back({all.kernel + which, all.shape + which, all.extents});
  }
  return result;
}

} // namespace warploom
