#include "recipe/Sandbox.h"

#include "support/Budget.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <lua.hpp>
#include <sstream>
#include <string_view>

namespace warploom {

namespace {

constexpr int instructionsAtOnce = 100;

/// What a recipe sees of Lua's own libraries.
constexpr std::array baseFunctions = {"assert",   "error",  "ipairs",   "next",   "pairs",  "pcall",
                                      "rawequal", "rawget", "rawlen",   "rawset", "select", "tonumber",
                                      "tostring", "type",   "_VERSION", "xpcall"};
constexpr std::array stringFunctions = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper"};
constexpr std::array tableFunctions = {"concat", "insert", "pack", "remove", "sort", "unpack"};

/// Keeps of the table on top of the stack what `names` says.
template <std::size_t N> void keepOnly(lua_State* lua, const std::array<const char*, N>& names) {
  lua_newtable(lua);
  for (const char* name : names) {
    lua_getfield(lua, -2, name);
    lua_setfield(lua, -2, name);
  }
  lua_remove(lua, -2);
}

std::string errorText(const std::string& file, int line, const std::string& message) {
  if (line <= 0) return fmt::format("{}: error: {}", file, message);
  return fmt::format("{}:{}: error: {}", file, line, message);
}

/// `path` as Lua is told, which shortens what is longer.
std::string chunkName(const std::filesystem::path& path) {
  constexpr std::size_t most = LUA_IDSIZE - 2;
  std::string text = path.string();
  return text.size() > most ? path.filename().string() : text;
}

} // namespace

RecipeError::RecipeError(const std::string& inFile, int atLine, const std::string& text)
    : std::runtime_error(errorText(inFile, atLine, text)), file(inFile), line(atLine), message(text) {}

Sandbox::Sandbox(const std::filesystem::path& file, const RecipeLimits& most)
    : main(file), folder(std::filesystem::weakly_canonical(std::filesystem::absolute(file)).parent_path()),
      limits(most) {
  lua = lua_newstate(allocate, this);
  if (!lua) throw std::bad_alloc();
  *static_cast<Sandbox**>(lua_getextraspace(lua)) = this;
  Grace grace(*this);
  openLibraries();
  lua_sethook(lua, count, LUA_MASKCOUNT, instructionsAtOnce);
}

Sandbox::~Sandbox() {
  lua_sethook(lua, nullptr, 0, 0);
  lua_close(lua);
}

Sandbox& Sandbox::of(lua_State* lua) {
  return **static_cast<Sandbox**>(lua_getextraspace(lua));
}

void* Sandbox::allocate(void* self, void* block, std::size_t oldSize, std::size_t newSize) {
  Sandbox& sandbox = *static_cast<Sandbox*>(self);
  const std::size_t before = block ? oldSize : 0; // of a new block, the size is a kind
  if (newSize == 0) {
    std::free(block);
    sandbox.used -= before;
    return nullptr;
  }
  const std::size_t after = sandbox.used - before + newSize;
  if (newSize > before && after > sandbox.limits.memory && sandbox.graces == 0) {
    if (sandbox.lua) sandbox.lineWhenFull = sandbox.line();
    return nullptr;
  }
  void* result = std::realloc(block, newSize);
  if (result) sandbox.used = after;
  return result;
}

void Sandbox::stop(const std::string& why) {
  if (stopped.empty()) stopped = why;
  // From now on at every instruction: what catches the error gets it again.
  lua_sethook(lua, count, LUA_MASKCOUNT, 1);
}

bool Sandbox::hasTime() {
  if (!stopped.empty()) return false;
  const std::string spent = Budget::reason();
  if (!spent.empty()) stop("the recipe runs too long: " + spent);
  return spent.empty();
}

bool Sandbox::countCommand() {
  if (++commands > limits.commands)
    stop(fmt::format("the recipe runs too long: more than {} commands", limits.commands));
  return hasTime();
}

void Sandbox::charge(lua_State* lua, long instructions) {
  bool ends = false;
  {
    Sandbox& sandbox = of(lua);
    Grace grace(sandbox);
    sandbox.counted += std::min(instructions, sandbox.limits.instructions);
    if (sandbox.counted > sandbox.limits.instructions)
      sandbox.stop(fmt::format("the recipe runs too long: more than {} million instructions",
                               sandbox.limits.instructions / 1'000'000));
    ends = !sandbox.hasTime();
    if (ends) lua_pushstring(lua, (sandbox.where() + sandbox.stopped).c_str());
  }
  if (ends) lua_error(lua);
}

void Sandbox::count(lua_State* lua, lua_Debug*) {
  charge(lua, instructionsAtOnce);
}

int Sandbox::line() const {
  lua_Debug place;
  for (int level = 0; lua_getstack(lua, level, &place); ++level) {
    lua_getinfo(lua, "l", &place);
    if (place.currentline > 0) return place.currentline;
  }
  return 0;
}

std::string Sandbox::where() const {
  lua_Debug place;
  for (int level = 0; lua_getstack(lua, level, &place); ++level) {
    lua_getinfo(lua, "Sl", &place);
    if (place.currentline > 0) return fmt::format("{}:{}: ", place.short_src, place.currentline);
  }
  return "";
}

int Sandbox::noteLine(lua_State* lua) {
  of(lua).lineOfError = of(lua).line();
  return 1;
}

bool Sandbox::print(const std::string& text) {
  if (output.size() + text.size() > limits.memory) return false;
  output += text;
  return true;
}

int Sandbox::printValues(lua_State* lua) {
  Sandbox& sandbox = of(lua);
  const int values = lua_gettop(lua);
  {
    Grace grace(sandbox);
    std::string text;
    for (int k = 1; k <= values; ++k) {
      std::size_t length = 0;
      const char* one = luaL_tolstring(lua, k, &length); // there are no metatables that could fail
      text += (k > 1 ? "\t" : "") + std::string(one, length);
      lua_pop(lua, 1);
    }
    if (sandbox.print(text + "\n")) return 0;
    lua_pushstring(lua, (sandbox.where() + "the recipe prints too much").c_str());
  }
  return lua_error(lua);
}

int Sandbox::repeat(lua_State* lua) {
  constexpr lua_Integer most = 1'000'000;
  std::size_t length = 0, between = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  const lua_Integer times = luaL_checkinteger(lua, 2);
  const char* separator = luaL_optlstring(lua, 3, "", &between);
  if (times > most) return luaL_error(lua, "string.rep of more than a million copies");
  if (times > 0) charge(lua, times * static_cast<lua_Integer>(1 + (length + between) / 64));
  luaL_Buffer buffer;
  luaL_buffinit(lua, &buffer);
  for (lua_Integer k = 0; k < times; ++k) {
    if (k) luaL_addlstring(&buffer, separator, between);
    luaL_addlstring(&buffer, text, length);
  }
  luaL_pushresult(&buffer);
  return 1;
}

namespace {

/// About as many of Lua's instructions as reading the values from `first` to the top takes: the elements of
/// tables, and letters, which many at once take no longer than an instruction.
long sizeOf(lua_State* lua, int first) {
  constexpr long lettersAtOnce = 8;
  long size = 0;
  for (int k = first; k <= lua_gettop(lua); ++k) {
    if (lua_type(lua, k) == LUA_TTABLE) size += static_cast<long>(lua_rawlen(lua, k));
    if (lua_type(lua, k) == LUA_TSTRING) size += static_cast<long>(lua_rawlen(lua, k)) / lettersAtOnce;
  }
  return size + lua_gettop(lua) - first + 1;
}

} // namespace

int Sandbox::measured(lua_State* lua) {
  // Sorting looks at elements as often as there are bits in their number, and some.
  const bool sorts = lua_toboolean(lua, lua_upvalueindex(2));
  const long size = sizeOf(lua, 1);
  charge(lua, sorts ? size * 4 * std::bit_width(static_cast<unsigned long>(size)) : size);
  const int results = lua_tocfunction(lua, lua_upvalueindex(1))(lua);
  charge(lua, sizeOf(lua, lua_gettop(lua) - results + 1));
  return results;
}

void Sandbox::measure(const char* function) {
  lua_getfield(lua, -1, function);
  lua_pushboolean(lua, std::string_view(function) == "sort");
  lua_pushcclosure(lua, measured, 2);
  lua_setfield(lua, -2, function);
}

void Sandbox::openLibraries() {
  luaL_requiref(lua, LUA_GNAME, luaopen_base, 0);
  keepOnly(lua, baseFunctions);
  luaL_requiref(lua, LUA_MATHLIBNAME, luaopen_math, 0);
  lua_setfield(lua, -2, "math");
  luaL_requiref(lua, LUA_TABLIBNAME, luaopen_table, 0);
  keepOnly(lua, tableFunctions);
  for (const char* function : tableFunctions)
    measure(function);
  lua_setfield(lua, -2, "table");
  luaL_requiref(lua, LUA_STRLIBNAME, luaopen_string, 0);
  keepOnly(lua, stringFunctions);
  lua_pushcfunction(lua, repeat);
  lua_setfield(lua, -2, "rep");
  for (const char* function : stringFunctions)
    measure(function);
  // ("x"):rep(3) finds the same functions.
  lua_pushliteral(lua, "");
  if (lua_getmetatable(lua, -1)) {
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  lua_setfield(lua, -2, "string");
  lua_pushcfunction(lua, printValues);
  lua_setfield(lua, -2, "print");
  lua_pushcfunction(lua, doFile);
  lua_setfield(lua, -2, "dofile");
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -2, "_G");
  // It is what chunks that are loaded from now on have for their globals.
  lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_settop(lua, 0);
}

void Sandbox::load(const std::filesystem::path& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  if (problem || !std::filesystem::is_regular_file(path))
    throw RecipeError(path.string(), 0, "there is no such recipe");
  bytesRead = static_cast<long>(size);
  if (size > limits.fileSize)
    throw RecipeError(path.string(), 0, fmt::format("a recipe of {} bytes is too long", size));
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw RecipeError(path.string(), 0, "the recipe cannot be read");
  const std::string read = text.str(), name = "@" + chunkName(path);
  if (luaL_loadbufferx(lua, read.data(), read.size(), name.c_str(), "t") != LUA_OK)
    throw errorOnTop(LUA_ERRSYNTAX);
}

std::string Sandbox::loadBeside(const std::string& name) {
  std::error_code problem;
  const std::filesystem::path wanted = std::filesystem::weakly_canonical(folder / name, problem);
  const auto relative = problem ? std::filesystem::path() : wanted.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..")
    return fmt::format("dofile reads only what is in the folder of the recipe, not '{}'", name);
  try {
    load(main.parent_path() / relative);
  } catch (const RecipeError& error) {
    return error.line > 0 ? fmt::format("{}:{}: {}", error.file, error.line, error.message)
                          : fmt::format("{}: {}", error.file, error.message);
  }
  return "";
}

int Sandbox::doFile(lua_State* lua) {
  bool isLoaded = false;
  {
    Sandbox& sandbox = of(lua);
    Grace grace(sandbox);
    sandbox.bytesRead = 0;
    const bool isName = lua_type(lua, 1) == LUA_TSTRING;
    const std::string message =
        isName ? sandbox.loadBeside(lua_tostring(lua, 1)) : "dofile wants the name of a file";
    isLoaded = message.empty();
    if (!isLoaded) lua_pushstring(lua, (sandbox.where() + message).c_str());
  }
  charge(lua, of(lua).bytesRead);
  if (!isLoaded) return lua_error(lua);
  const int below = lua_gettop(lua) - 1;
  lua_call(lua, 0, LUA_MULTRET);
  return lua_gettop(lua) - below;
}

RecipeError Sandbox::errorOnTop(int status) const {
  const std::string file = chunkName(main);
  if (status == LUA_ERRMEM)
    return {file, lineWhenFull,
            fmt::format("the recipe needs more than {} MiB of memory", limits.memory / (1024 * 1024))};
  if (lua_type(lua, -1) != LUA_TSTRING)
    return {file, lineOfError,
            fmt::format("the recipe ended with an error that is a {}", luaL_typename(lua, -1))};
  const std::string text = lua_tostring(lua, -1);
  // FILE:LINE: MESSAGE, as Lua writes it.
  std::size_t at = text.find(": ");
  std::size_t colon = at == text.npos ? at : text.rfind(':', at - 1);
  if (colon != text.npos && colon + 1 < at && text.find_first_not_of("0123456789", colon + 1) == at &&
      at - colon < 10)
    return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1), text.substr(at + 2)};
  if (text == "C stack overflow") return {file, lineOfError, "the recipe is nested too deeply"};
  return {file, lineOfError, text};
}

void Sandbox::run() {
  {
    Grace grace(*this);
    load(main);
  }
  lua_pushcfunction(lua, noteLine);
  lua_insert(lua, 1);
  const int status = lua_pcall(lua, 0, 0, 1);
  Grace grace(*this);
  if (failed) std::rethrow_exception(failed);
  if (status != LUA_OK) throw errorOnTop(status);
  if (!stopped.empty()) throw RecipeError(chunkName(main), lineOfError, stopped);
}

} // namespace warploom
