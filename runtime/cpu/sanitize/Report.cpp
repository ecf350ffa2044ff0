#include "Sanitizer.h"

#include <cstdio>
#include <set>
#include <unistd.h>

namespace warploom::cpu::sanitize {

namespace {

constexpr std::size_t maxReports = 20;

std::set<std::string>& reported() {
  static auto* keys = new std::set<std::string>; // read when the program has ended
  return *keys;
}

/// After everything else: a program with findings does not end well, whatever it returns itself.
__attribute__((destructor)) void endWithFindings() {
  if (reported().empty()) return;
  std::fprintf(stderr, "warploom: sanitize: %zu finding(s)\n", reported().size());
  std::fflush(nullptr);
  _exit(66);
}

} // namespace

void report(const std::string& key, const std::string& what, const std::string& details) {
  if (!reported().insert(key).second || reported().size() > maxReports) return;
  std::fflush(stdout);
  std::fprintf(stderr, "warploom: sanitize: %s\n%s", what.c_str(), details.c_str());
}

} // namespace warploom::cpu::sanitize
