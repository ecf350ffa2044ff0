#include "transform/Tunables.h"

#include "support/Identifiers.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace warploom {

namespace {

/// The names in `expression`.
std::set<std::string> namesIn(const std::string& expression) {
  std::set<std::string> result;
  renamed(expression, [&](const std::string& name) {
    result.insert(name);
    return name;
  });
  return result;
}

constexpr const char* even = "threads take equal parts of a tile";
constexpr const char* fragments = "a tile has whole fragments of 16 rows, 8 columns and 8 terms";

} // namespace

std::vector<int> powersOfTwo(int least, int most) {
  std::vector<int> result;
  for (int value = least; value <= most; value *= 2)
    result.push_back(value);
  return result;
}

const SizeTable& knownSizes() {
  static const char* const exchanged = "the items of a scan are exchanged in shared memory";
  static const SizeTable all = {
      {{sizeName::block, 256, powersOfTwo(32, 1024), "threads of a block in a line"},
       {sizeName::blockX, 32, powersOfTwo(8, 256), "threads of a block along x"},
       {sizeName::blockY, 8, powersOfTwo(1, 32), "threads of a block along y"},
       {sizeName::blockZ, 4, powersOfTwo(1, 16), "threads of a block along z"},
       {sizeName::rows, 8, powersOfTwo(1, 32), "warps of a block"},
       {sweepY, 32, powersOfTwo(8, 64), "rows of a tile of a sweep"},
       {tileX, 128, powersOfTwo(16, 128), "columns of a tile of a product", 32, tileY},
       {tileY, 64, powersOfTwo(16, 128), "rows of a tile of a product", 32, tileX},
       {tileK, 32, powersOfTwo(8, 64), "terms of a tile of a product", 32},
       {"ITEMS_X", 8, powersOfTwo(1, 8), "points of a thread along x", 4, "ITEMS_Y"},
       {"ITEMS_Y", 8, powersOfTwo(1, 8), "points of a thread along y", 4, "ITEMS_X"},
       {tensorX, 64, powersOfTwo(16, 128), "columns of a tile of a product on tensor cores", 32},
       {tensorY, 128, powersOfTwo(16, 128), "rows of a tile of a product on tensor cores", 32},
       {tensorK, 32, powersOfTwo(8, 64), "terms of a tile of a product on tensor cores", 32},
       {"WARPS_X", 2, powersOfTwo(1, 8), "warps of a block along x", 2},
       {"WARPS_Y", 4, powersOfTwo(1, 8), "warps of a block along y", 2},
       {"VECTOR", 4, powersOfTwo(1, 8), "neighbouring points of a thread"},
       {"STACK", 8, powersOfTwo(1, 16), "points of a thread below each other", 1},
       {"LINE", 256, powersOfTwo(32, 1024), "points of a tile of a line", 64},
       {sizeName::group, 4, powersOfTwo(1, 32), "threads of a group"},
       {sizeName::scanBlock, 512, powersOfTwo(32, 1024), "threads of a block in a scan"},
       {sizeName::scanItems, 15, {1, 3, 7, 11, 15, 23}, "iterations of a thread in a tile of a scan"}},
      {{sizeName::groups, "BLOCK / GROUP"},
       {stripOfLine, "BLOCK * VECTOR"},
       {stripX, "BLOCK_X * VECTOR"},
       {"STACK_Y", "BLOCK_Y * STACK"},
       {"THREADS_X", "TILE_X / ITEMS_X"},
       {"THREADS_Y", "TILE_Y / ITEMS_Y"},
       {"SUMS_X", "TENSOR_X / WARPS_X / 4"},
       {"SUMS_Y", "TENSOR_Y / WARPS_Y / 8"}},
      {{"SWEEP_Y % BLOCK_Y", 0, true, even},
       {"BLOCK % GROUP", 0, true, "groups fill a block"},
       {"TILE_X % ITEMS_X", 0, true, even},
       {"TILE_Y % ITEMS_Y", 0, true, even},
       {"TENSOR_X % (8 * WARPS_X)", 0, true, fragments},
       {"TENSOR_Y % (16 * WARPS_Y)", 0, true, fragments},
       {"TENSOR_K % 8", 0, true, fragments},
       {"SCAN_BLOCK * SCAN_ITEMS", 8192, false, exchanged},
       {"ROWS * SCAN_ITEMS", 256, false, exchanged}},
      {{tileX, {"THREADS_X", "ITEMS_X"}},
       {tileY, {"THREADS_Y", "ITEMS_Y"}},
       {sweepY, {"BLOCK_Y", "SWEEP_Y / BLOCK_Y", Points::Adjacent}},
       {tensorX, {"LANES * WARPS_X", "SUMS_X", Points::Columns}},
       {tensorY, {"WARPS_Y", "SUMS_Y", Points::Rows}},
       {stripX, {"BLOCK_X", "VECTOR", Points::Adjacent}},
       {stripOfLine, {"BLOCK", "VECTOR", Points::Adjacent}},
       {"STACK_Y", {"BLOCK_Y", "STACK", Points::Adjacent}}},
      {}};
  return all;
}

Tunable SizeTable::tunable(const std::string& name) const {
  for (const Tunable& one : tunables)
    if (one.name == name) return one;
  return {name, 16, powersOfTwo(4, 64), "a size of the recipe's"};
}

bool SizeTable::has(const std::string& name) const {
  auto isCalled = [&](const auto& size) { return size.name == name; };
  return name == sizeName::lanes || std::any_of(tunables.begin(), tunables.end(), isCalled) ||
         std::any_of(derived.begin(), derived.end(), isCalled);
}

TileShare SizeTable::shareOf(const std::string& size) const {
  auto found = shares.find(size);
  return found == shares.end() ? TileShare{size, "1"} : found->second;
}

bool SizeTable::isOfTiles(const std::string& name) const {
  for (const DerivedSize& size : derived)
    if (size.name == name) {
      const std::set<std::string> from = namesIn(size.expression);
      return std::any_of(from.begin(), from.end(), [this](const std::string& one) { return isOfTiles(one); });
    }
  return tunable(name).few > 0;
}

std::optional<std::string> SizeTable::declare(const SizeDeclaration& size) {
  auto isFree = [this](const std::string& name) {
    return std::any_of(tunables.begin(), tunables.end(),
                       [&](const Tunable& one) { return one.name == name; });
  };
  const bool hasThreads = !size.threads.empty(), hasItems = !size.items.empty();
  for (const std::string& name : {size.name, size.threads})
    if (!name.empty() && (constantName(name) != name || name.starts_with("FEW_")))
      return "`" + name + "` is no name for a size: capitals, digits and `_`";
  if (size.name == size.threads || size.name == size.items || size.name == size.turned)
    return "`" + size.name + "` is said of itself";
  if (has(size.name)) return "there is a size `" + size.name + "` already";
  if (hasItems && !isFree(size.items)) return "there is no size `" + size.items + "` for points of a thread";
  const bool isColumns = size.points == Points::Columns,
             isFragments = isColumns || size.points == Points::Rows;
  TileShare share{size.threads, size.items, size.points};
  if (isFragments && (size.usual == 0 || hasItems || !hasThreads))
    return "tiles of `" + size.name +
           "` for tensor cores have `threads`, the warps along them, and no `items`";
  if (size.usual == 0) {
    if (size.least != 0 || size.most != 0 || size.few != 0 || !size.turned.empty())
      return "`" + size.name + "` follows from others: it has no values of its own";
    if (!hasItems || !isFree(size.threads))
      return "`" + size.name + "` needs a usual value, or threads and items that are sizes";
    derived.push_back({size.name, size.threads + " * " + size.items});
  } else {
    const std::vector<int> values = size.least > 0 ? powersOfTwo(size.least, size.most) : std::vector<int>();
    auto isValue = [&](int one) { return std::count(values.begin(), values.end(), one) > 0; };
    if (!isValue(size.usual) || !isValue(size.most) || (size.few != 0 && !isValue(size.few)))
      return "the values of `" + size.name +
             "` do not double from the first to the last, or the usual one is "
             "none of them";
    if (hasItems && has(size.threads)) return "there is a size `" + size.threads + "` already";
    if (hasThreads && !hasItems && !isFree(size.threads))
      return "there is no size `" + size.threads + "` for threads";
    for (Tunable& other : tunables)
      if (other.name == size.turned) {
        const SizeDeclaration* known = declarationOf(size.turned);
        if (!known || !other.turned.empty() || other.few == 0 || size.few == 0)
          return "tiles of `" + size.name + "` and `" + size.turned + "` are not turned round together";
        other.turned = size.name;
      }
    if (!size.turned.empty() && !isFree(size.turned)) return "there is no size `" + size.turned + "`";
    const std::string& divisor = hasItems ? size.items : size.threads;
    if (!divisor.empty()) {
      const Tunable by = tunable(divisor);
      const int part = isFragments ? (isColumns ? 8 : 16) : 1, few = by.few > 0 ? by.few : by.usual;
      if (size.usual % (part * by.usual) != 0 || (size.few > 0 ? size.few : size.usual) % (part * few) != 0)
        return fmt::format("the usual values of `{}` and `{}` do not share a tile evenly", size.name,
                           divisor);
    }
    tunables.push_back({size.name, size.usual, values, "a size of the recipe's", size.few, size.turned});
    if (hasItems && hasThreads) derived.push_back({size.threads, size.name + " / " + size.items});
    if (hasItems && !hasThreads) share.threads = size.name + " / " + size.items;
    if (!hasItems && hasThreads) share.items = size.name + " / " + size.threads;
    if (isFragments) {
      share.items += isColumns ? " / 4" : " / 8";
      if (isColumns) share.threads = std::string(sizeName::lanes) + " * " + size.threads;
      rules.push_back(
          {size.name + (isColumns ? " % (8 * " : " % (16 * ") + divisor + ")", 0, true, fragments});
    } else if (!divisor.empty())
      rules.push_back({size.name + " % " + divisor, 0, true, even});
  }
  if (hasItems || hasThreads) shares[size.name] = share;
  declared.push_back(size);
  return std::nullopt;
}

const SizeDeclaration* SizeTable::declarationOf(const std::string& name) const {
  for (const SizeDeclaration& one : declared)
    if (one.name == name || (one.usual > 0 && !one.items.empty() && one.threads == name)) return &one;
  return nullptr;
}

std::string constantName(const std::string& name) {
  if (knownSizes().has(name)) return name;
  auto isCapital = [](unsigned char c) { return std::isupper(c) || std::isdigit(c) || c == '_'; };
  // Functions and types are in small letters, macros in capitals.
  const bool isMacro = isReserved(name) || name.starts_with("M_") || name.ends_with("_MAX") ||
                       name.ends_with("_MIN") || (name.find('_') == std::string::npos && mayBeMacro(name));
  return std::all_of(name.begin(), name.end(), isCapital) && !isMacro ? name : "size_" + name;
}

std::string renamed(const std::string& expression,
                    const std::function<std::string(const std::string&)>& rename) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  for (std::size_t k = 0; k < expression.size();) {
    std::size_t end = k;
    while (end < expression.size() && isPart(expression[end]))
      ++end;
    const std::string word = expression.substr(k, std::max(end, k + 1) - k);
    const bool isName = end > k && !std::isdigit(static_cast<unsigned char>(word[0]));
    result += isName ? rename(word) : word;
    k += word.size();
  }
  return result;
}

OpenSizes openSizes(const std::string& prefix, const std::set<std::string>& names,
                    const std::set<std::string>& threads, const SizeTable& table) {
  auto own = [&](const std::string& name) { return name == sizeName::lanes ? name : prefix + name; };
  OpenSizes result;
  std::set<std::string> open = names;
  for (const DerivedSize& size : table.derived)
    if (names.count(size.name)) {
      open.merge(namesIn(size.expression));
      result.derived.push_back({own(size.name), renamed(size.expression, own)});
    }
  auto add = [&](Tunable tunable) {
    tunable.name = own(tunable.name);
    result.tunables.push_back(std::move(tunable));
  };
  for (const Tunable& tunable : table.tunables)
    if (open.count(tunable.name)) add(tunable);
  for (const std::string& name : open)
    if (!table.has(name)) add(table.tunable(name));
  for (SizeRule rule : table.rules) {
    const std::set<std::string> needed = namesIn(rule.expression);
    if (!std::includes(open.begin(), open.end(), needed.begin(), needed.end())) continue;
    rule.expression = renamed(rule.expression, own);
    result.rules.push_back(std::move(rule));
  }
  for (const std::string& expression : threads)
    if (!namesIn(expression).empty())
      result.rules.push_back({expression, mostThreads, false, "a block has at most 1024 threads"});
  return result;
}

std::string variantName(const std::string& prefix, std::size_t number) {
  return prefix + "Sizes" + std::to_string(number + 1);
}

std::set<std::string> namesOf(const OpenSizes& sizes) {
  std::set<std::string> result;
  for (const Tunable& tunable : sizes.tunables)
    result.insert(tunable.name);
  for (const DerivedSize& size : sizes.derived)
    result.insert(size.name);
  return result;
}

} // namespace warploom
