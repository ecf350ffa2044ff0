#include "tune/Space.h"

#include "tune/Expression.h"

#include <algorithm>
#include <sstream>

namespace warploom {

namespace {

/// The values of names in `values`, which must outlive it.
ValueOf namesIn(const std::map<std::string, long>& values) {
  return [&values](const std::string& name) -> std::optional<long> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

} // namespace

Space::Space(OpenSizes sizes, std::string before, KernelNeeds needs)
    : open(std::move(sizes)), prefix(std::move(before)), needed(std::move(needs)) {}

Point Space::usual() const {
  Point point;
  for (const Tunable& size : open.tunables)
    point.push_back(size.usual);
  return point;
}

std::uint64_t Space::count() const {
  std::uint64_t result = 1;
  for (const Tunable& size : open.tunables)
    if (__builtin_mul_overflow(result, size.values.size(), &result)) return UINT64_MAX;
  return result;
}

Point Space::at(std::uint64_t number) const {
  Point point(open.tunables.size());
  for (std::size_t k = point.size(); k-- > 0;) {
    const std::vector<int>& values = open.tunables[k].values;
    point[k] = values[number % values.size()];
    number /= values.size();
  }
  return point;
}

std::map<std::string, long> Space::valuesAt(const Point& point) const {
  std::map<std::string, long> values = {{sizeName::lanes, 32}};
  for (std::size_t k = 0; k < point.size(); ++k)
    values[open.tunables[k].name] = point[k];
  for (const DerivedSize& size : open.derived)
    if (std::optional<long> value = valueOf(size.expression, namesIn(values))) values[size.name] = *value;
  return values;
}

std::optional<long> Space::value(const std::string& expression, const Point& point) const {
  const std::map<std::string, long> values = valuesAt(point);
  return valueOf(expression, namesIn(values));
}

std::optional<std::string> Space::refused(const Point& point) const {
  if (workers > 1) {
    std::uint64_t mixed = 0xcbf29ce484222325; // FNV-1a: neighbours go to different workers
    for (const int value : point)
      mixed = (mixed ^ static_cast<std::uint64_t>(value)) * 0x100000001b3;
    if ((mixed >> 32) % workers != worker) return "another worker has it";
  }
  const std::map<std::string, long> values = valuesAt(point);
  for (const SizeRule& rule : open.rules) {
    const std::optional<long> value = valueOf(rule.expression, namesIn(values));
    // What cannot be worked out here the compiler decides.
    if (value && (rule.isZero ? *value != 0 : *value > rule.most)) return rule.why;
  }
  return std::nullopt;
}

std::string Space::text(const Point& point) const {
  std::string words;
  for (std::size_t k = 0; k < point.size(); ++k)
    words += (k ? " " : "") + open.tunables[k].name.substr(prefix.size()) + "=" + std::to_string(point[k]);
  return words;
}

std::optional<Point> Space::parse(const std::string& text) const {
  Point point = usual();
  std::istringstream in(text);
  std::size_t known = 0;
  for (std::string word; in >> word;) {
    const std::size_t sign = word.find('=');
    for (std::size_t k = 0; k < point.size(); ++k) {
      const Tunable& size = open.tunables[k];
      if (sign == std::string::npos || word.substr(0, sign) != size.name.substr(prefix.size())) continue;
      const std::string value = word.substr(sign + 1);
      const auto found = std::find_if(size.values.begin(), size.values.end(),
                                      [&](int v) { return std::to_string(v) == value; });
      if (found == size.values.end()) return std::nullopt;
      point[k] = *found;
      ++known;
    }
  }
  return known == point.size() && !refused(point) ? std::optional(point) : std::nullopt;
}

std::vector<std::string> Space::flags(const Point& point) const {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < point.size(); ++k)
    result.push_back("-DWARPLOOM_" + open.tunables[k].name + "=" + std::to_string(point[k]));
  return result;
}

} // namespace warploom
