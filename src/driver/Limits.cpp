#include "driver/Limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace warploom {

namespace {

/// What a reason has in it, and its kind. The first that fits is the one.
struct Sign {
  const char* part;
  Limit limit;
};

const std::vector<Sign>& signs() {
  static const Limit calls{"calls", "functions with effects"},
      pointers{"pointers", "pointers that are not followed"}, control{"control-flow", "control flow"},
      bounds{"bounds", "bounds and steps that are not known"},
      effects{"effects-inside-expressions", "effects inside expressions"},
      types{"types", "types that kernels do not have"},
      order{"no-parallel-loop", "nothing to run in parallel"},
      text{"text", "text that nothing can be put around"}, extents{"extents", "sizes that are not known"};
  static const std::vector<Sign> all = {{"no loop of it can run in parallel", order},
                                        {"has no body here", calls},
                                        {"effects are not known", calls},
                                        {"calls", calls},
                                        {"called", calls},
                                        {"reads memory that its call", calls},
                                        {"writes through a pointer", calls},
                                        {"static variable", calls},
                                        {"comma operator", effects},
                                        {"assigns inside", effects},
                                        {"changes a value inside", effects},
                                        {"done on a condition", effects},
                                        {"side effect", effects},
                                        {"points is not known", pointers},
                                        {"pointer", pointers},
                                        {"used as an address", pointers},
                                        {"address of the loop index", pointers},
                                        {"is not a place", pointers},
                                        {"not looked into", control},
                                        {"may end the loop", control},
                                        {"control may leave", control},
                                        {"after its loop is not affine", bounds},
                                        {"not a constant", bounds},
                                        {"steps no variable", bounds},
                                        {"is not affine", bounds},
                                        {"when it ends", bounds},
                                        {"not a type that kernels", types},
                                        {"bit-field", types},
                                        {"union", types},
                                        {"volatile", types},
                                        {"not an arithmetic expression", types},
                                        {"how many elements", extents},
                                        {"extent", extents},
                                        {"macro", text},
                                        {"included file", text},
                                        {"stands", text},
                                        {"it declares", text}};
  return all;
}

} // namespace

const Limit& limitOf(const std::string& reason) {
  static const Limit other{"other-reasons", "other reasons"};
  auto found = std::find_if(signs().begin(), signs().end(),
                            [&](const Sign& sign) { return reason.find(sign.part) != std::string::npos; });
  return found == signs().end() ? other : found->limit;
}

std::string limitsText(const std::vector<std::string>& reasons, std::size_t mapped) {
  if (reasons.size() < 3) return {};
  std::map<std::string, std::pair<std::size_t, const Limit*>> kinds;
  for (const std::string& reason : reasons) {
    const Limit& limit = limitOf(reason);
    auto& [count, kind] = kinds[limit.anchor];
    ++count;
    kind = &limit;
  }
  auto most = std::max_element(kinds.begin(), kinds.end(),
                               [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  return fmt::format(
      "{} of {} regions run on the device; what keeps most of the others ({}): {}; see docs/limits.md#{}",
      mapped, mapped + reasons.size(), most->second.first, most->second.second->words, most->first);
}

} // namespace warploom
