#include "recipe/Call.h"

#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <lua.hpp>

namespace warploom {

namespace {

/// No list of a recipe is longer.
constexpr std::size_t longestList = 1000;

/// The statements that do something, as indices into Region::statements.
std::vector<int> counted(const Region& region) {
  std::vector<int> result;
  for (std::size_t s = 0; s < region.statements.size(); ++s)
    if (region.statements[s].kind != Statement::Kind::Kill) result.push_back(static_cast<int>(s));
  return result;
}

/// The loops from `tree` to the first leaf that runs `statement`, appended to `path`; false when none does.
bool findStatement(const Region& region, const LoopTree& tree, int statement,
                   std::vector<std::string>& path) {
  if (tree.kind == LoopTree::Kind::Leaf) {
    std::vector<int> here = statementsOf(region, tree);
    return std::count(here.begin(), here.end(), statement) > 0;
  }
  if (tree.kind == LoopTree::Kind::Loop) path.push_back(tree.name);
  for (const LoopTree& child : tree.children)
    if (findStatement(region, child, statement, path)) return true;
  if (tree.kind == LoopTree::Kind::Loop) path.pop_back();
  return false;
}

/// A whole number, also one that came out of a division.
std::optional<long> wholeNumber(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TNUMBER) return std::nullopt;
  int isWhole = 0;
  lua_Integer value = lua_tointegerx(lua, at, &isWhole);
  return isWhole ? std::optional<long>(value) : std::nullopt;
}

/// A text without a zero in it.
std::optional<std::string> plainText(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TSTRING) return std::nullopt;
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, at, &length);
  std::string result(text, length);
  return result.find('\0') == result.npos ? std::optional(result) : std::nullopt;
}

std::optional<Size> numberOrText(lua_State* lua, int at) {
  if (auto number = wholeNumber(lua, at)) return Size(*number);
  if (auto text = plainText(lua, at)) return Size(*text);
  return std::nullopt;
}

/// The elements of the list at `at`, each read by `read`; nothing when it is no list of such.
template <typename Value, typename Read>
std::optional<std::vector<Value>> listOf(lua_State* lua, int at, Read read) {
  if (lua_type(lua, at) != LUA_TTABLE || lua_rawlen(lua, at) > longestList) return std::nullopt;
  at = lua_absindex(lua, at);
  std::vector<Value> result;
  const auto length = static_cast<lua_Integer>(lua_rawlen(lua, at));
  for (lua_Integer k = 1; k <= length; ++k) {
    lua_rawgeti(lua, at, k);
    std::optional<Value> value = read(lua, -1);
    lua_pop(lua, 1);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

} // namespace

Call::Call(Sandbox& s, Session& of, const char* called, const char* arguments)
    : sandbox(s), session(of), line(s.line()), name(called), signature(arguments),
      given(lua_gettop(s.state())) {
  lua_checkstack(s.state(), 20);
}

void Call::fail(const std::string& message) const {
  throw CommandError(fmt::format("{}: {}", name, message));
}

void Call::wants(int k, const std::string& what) const {
  const char* found = k > given ? "nothing" : luaL_typename(sandbox.state(), k);
  throw CommandError(
      fmt::format("{}: argument {} must be {}, not {}; it is called as {}", name, k, what, found, signature));
}

bool Call::has(int k) const {
  return k <= given && lua_type(sandbox.state(), k) != LUA_TNIL;
}
bool Call::isText(int k) const {
  return k <= given && lua_type(sandbox.state(), k) == LUA_TSTRING;
}
bool Call::isNumber(int k) const {
  return k <= given && lua_type(sandbox.state(), k) == LUA_TNUMBER;
}
bool Call::isTable(int k) const {
  return k <= given && lua_type(sandbox.state(), k) == LUA_TTABLE;
}

void Call::expect(int least, int most) const {
  if (given < least || given > most)
    throw CommandError(fmt::format("{}: {} arguments; it is called as {}", name, given, signature));
}

std::string Call::text(int k) const {
  auto value = k <= given ? plainText(sandbox.state(), k) : std::nullopt;
  if (!value) wants(k, "a text");
  return *value;
}

long Call::number(int k) const {
  auto value = k <= given ? wholeNumber(sandbox.state(), k) : std::nullopt;
  if (!value) wants(k, "a whole number");
  return *value;
}

Size Call::size(int k) const {
  auto value = k <= given ? numberOrText(sandbox.state(), k) : std::nullopt;
  if (!value) wants(k, "a whole number or a name");
  return *value;
}

std::vector<std::string> Call::texts(int k) const {
  auto value = k <= given ? listOf<std::string>(sandbox.state(), k, plainText) : std::nullopt;
  if (!value) wants(k, "a list of texts");
  return *value;
}

std::vector<long> Call::numbers(int k) const {
  auto value = k <= given ? listOf<long>(sandbox.state(), k, wholeNumber) : std::nullopt;
  if (!value) wants(k, "a list of whole numbers");
  return *value;
}

std::vector<Size> Call::sizes(int k) const {
  auto value = k <= given ? listOf<Size>(sandbox.state(), k, numberOrText) : std::nullopt;
  if (!value) wants(k, "a list of whole numbers or names");
  return *value;
}

std::vector<std::vector<long>> Call::rows(int k) const {
  auto row = [](lua_State* lua, int at) { return listOf<long>(lua, at, wholeNumber); };
  auto value = k <= given ? listOf<std::vector<long>>(sandbox.state(), k, row) : std::nullopt;
  if (!value) wants(k, "a list of lists of whole numbers");
  return *value;
}

std::string Call::field(int k, const std::string& key) const {
  if (!isTable(k)) wants(k, "a table");
  lua_State* lua = sandbox.state();
  lua_pushlstring(lua, key.data(), key.size());
  lua_rawget(lua, k);
  auto value = plainText(lua, -1);
  const bool isNil = lua_isnil(lua, -1);
  lua_pop(lua, 1);
  if (!value && !isNil) wants(k, fmt::format("a table in which `{}` is a text", key));
  return value.value_or("");
}

std::vector<std::string> Call::fieldTexts(int k, const std::string& key) const {
  if (!isTable(k)) wants(k, "a table");
  lua_State* lua = sandbox.state();
  lua_pushlstring(lua, key.data(), key.size());
  lua_rawget(lua, k);
  auto value = listOf<std::string>(lua, lua_gettop(lua), plainText);
  const bool isNil = lua_isnil(lua, -1);
  lua_pop(lua, 1);
  if (!value && !isNil) wants(k, fmt::format("a table in which `{}` is a list of texts", key));
  return value.value_or(std::vector<std::string>{});
}

std::vector<std::pair<std::string, Size>> Call::fields(int k) const {
  if (!isTable(k)) wants(k, "a table");
  lua_State* lua = sandbox.state();
  std::vector<std::pair<std::string, Size>> result;
  lua_pushnil(lua);
  while (lua_next(lua, k)) {
    auto key = plainText(lua, -2);
    auto value = numberOrText(lua, -1);
    lua_pop(lua, 1);
    if (!key || !value || result.size() > longestList) {
      lua_pop(lua, 1);
      wants(k, "a table of names with numbers or texts");
    }
    result.emplace_back(*key, *value);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> Call::fieldNames(int k) const {
  if (!isTable(k)) wants(k, "a table");
  lua_State* lua = sandbox.state();
  std::vector<std::string> result;
  lua_pushnil(lua);
  while (lua_next(lua, k)) {
    auto key = plainText(lua, -2);
    lua_pop(lua, 1);
    if (!key || result.size() > longestList) {
      lua_pop(lua, 1);
      wants(k, "a table with names");
    }
    result.push_back(*key);
  }
  std::sort(result.begin(), result.end());
  return result;
}

long Call::statements() const {
  return static_cast<long>(counted(state().region()).size());
}

std::string Call::statement(long wanted) const {
  const Region& region = state().region();
  std::vector<int> all = counted(region);
  if (wanted < 0 || wanted >= static_cast<long>(all.size()))
    fail(fmt::format("there is no statement {}: there are {}, counted from 0", wanted, all.size()));
  return region.statements[static_cast<std::size_t>(all[static_cast<std::size_t>(wanted)])].name;
}

std::vector<std::string> Call::loopsAround(long wanted, const ScheduleState& in) const {
  const std::string called = statement(wanted);
  const Region& region = in.region();
  std::vector<std::string> path;
  for (std::size_t s = 0; s < region.statements.size(); ++s)
    if (region.statements[s].name == called) findStatement(region, in.tree(), static_cast<int>(s), path);
  return path;
}

std::string Call::loopAt(long wanted, long level) const {
  std::vector<std::string> around = loopsAround(wanted);
  if (level < 1 || level > static_cast<long>(around.size()))
    fail(fmt::format("statement {} has {} loops around it, and no loop at level {}", wanted, around.size(),
                     level));
  return around[static_cast<std::size_t>(level - 1)];
}

std::string Call::loop(int k) const {
  return text(k);
}

void Call::give(const std::string& value) {
  lua_pushlstring(sandbox.state(), value.data(), value.size());
  ++made;
}
void Call::give(long value) {
  lua_pushinteger(sandbox.state(), value);
  ++made;
}
void Call::give(bool value) {
  lua_pushboolean(sandbox.state(), value);
  ++made;
}
void Call::give(const std::vector<std::string>& values) {
  lua_createtable(sandbox.state(), static_cast<int>(values.size()), 0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    lua_pushlstring(sandbox.state(), values[k].data(), values[k].size());
    lua_rawseti(sandbox.state(), -2, static_cast<lua_Integer>(k + 1));
  }
  ++made;
}

} // namespace warploom
