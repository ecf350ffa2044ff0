// Lua 5.4 for recipes: without files, processes and modules, with limits on work and memory. It knows nothing
// of loops.
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

struct lua_State;
struct lua_Debug;

namespace warploom {

/// A recipe is at fault. what() is `FILE:LINE: error: MESSAGE`, for the user.
class RecipeError : public std::runtime_error {
public:
  RecipeError(const std::string& file, int line, const std::string& message);

  const std::string file;
  const int line; ///< 0 where it is not known
  const std::string message;
};

/// What a recipe may use up.
struct RecipeLimits {
  long instructions = 50'000'000;          ///< of Lua's machine, and what its functions do for as many
  std::size_t commands = 100'000;          ///< that are called, refused ones too
  std::size_t memory = 64 * 1024 * 1024;   ///< bytes that its values take
  std::size_t fileSize = 16 * 1024 * 1024; ///< of a file that is read
  std::size_t steps = 20'000;              ///< that are taken in all
};

/// A Lua state in which only what cannot harm is there: tables, strings without patterns, mathematics,
/// `pcall`, and a `dofile` that reads texts from the folder of the recipe and those in it. There is no way to
/// run compiled code, to set a metatable, or to make a coroutine, so that every loop passes the count of
/// instructions, of which functions of Lua's own take as many as they have elements and letters to look at.
class Sandbox {
public:
  Sandbox(const std::filesystem::path& file, const RecipeLimits& limits);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  lua_State* state() { return lua; }
  /// Runs the recipe. Throws RecipeError, or what a function bound into it threw that was no fault of the
  /// recipe.
  void run();
  /// Adds to what the recipe has printed; false, and nothing is added, where that is too much.
  [[nodiscard]] bool print(const std::string& text);
  /// Counts a command; false when it is one too many, or there is no time for it, and the recipe ends.
  [[nodiscard]] bool countCommand();
  /// Ends the recipe, whatever catches the error, where its time is spent: false, and `stopped` says why.
  [[nodiscard]] bool hasTime();
  /// Why the recipe ends; empty while it does not.
  const std::string& whyStopped() const { return stopped; }
  const std::string& printed() const { return output; }

  /// `FILE:LINE: `, where the Lua function is that called the running C function.
  std::string where() const;
  /// The line of that.
  int line() const;
  /// Ends the recipe with `failure`, which is no fault of it.
  void fail(std::exception_ptr failure) { failed = std::move(failure); }

  /// The sandbox that `lua` belongs to.
  static Sandbox& of(lua_State* lua);

  /// While alive, memory is given without a limit, so that no error of Lua's crosses C++ code.
  class Grace {
  public:
    explicit Grace(Sandbox& s) : sandbox(s) { ++sandbox.graces; }
    ~Grace() { --sandbox.graces; }
    Grace(const Grace&) = delete;
    Grace& operator=(const Grace&) = delete;

  private:
    Sandbox& sandbox;
  };

private:
  static void* allocate(void* self, void* block, std::size_t oldSize, std::size_t newSize);
  static void count(lua_State* lua, lua_Debug* place);
  /// Counts as many instructions. Ends the recipe, with an error of Lua's, where these are too many.
  static void charge(lua_State* lua, long instructions);
  /// Has the recipe end with `why`: what catches the error gets it again at the next instruction.
  void stop(const std::string& why);
  /// Calls the function in the first upvalue, and charges its work.
  static int measured(lua_State* lua);
  /// Has the function of that name in the table on top of the stack charge its work.
  void measure(const char* function);
  /// Called where an error happens, with its message, which it leaves as it is.
  static int noteLine(lua_State* lua);
  static int printValues(lua_State* lua);
  static int doFile(lua_State* lua);
  static int repeat(lua_State* lua);
  void openLibraries();
  /// Pushes the function that the text of `path` is. Throws RecipeError.
  void load(const std::filesystem::path& path);
  /// Pushes the function that the text of the file `name` in the folder is, or says why not.
  std::string loadBeside(const std::string& name);
  /// The RecipeError for the message on top of the stack.
  RecipeError errorOnTop(int status) const;

  const std::filesystem::path main;
  const std::filesystem::path folder;
  const RecipeLimits limits;
  std::size_t used = 0;
  long counted = 0;
  long bytesRead = 0; ///< of the last file
  int graces = 0;
  int lineWhenFull = 0; ///< the line that asked for more memory than there is
  int lineOfError = 0;  ///< where the last error happened
  std::size_t commands = 0;
  std::string stopped;
  std::string output;
  std::exception_ptr failed;
  lua_State* lua = nullptr;
};

} // namespace warploom
