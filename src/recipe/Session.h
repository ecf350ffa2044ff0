// A recipe at work: which region it speaks of, and what became of each.
#pragma once

#include "recipe/Recipe.h"

#include <map>
#include <optional>

namespace warploom {

/// What a command has against its arguments or the schedule; the recipe ends with it, or catches it.
class CommandError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Invariant: `current`, where there is one, has an entry in `open`.
class Session {
public:
  Session(const std::vector<RecipeTarget>& targets, const RecipeLimits& limits)
      : targets(targets), limits(limits) {}

  /// Goes on with the region called `name`, of the C file called `file` if that is not empty.
  void select(const std::string& name, const std::string& file, int line);
  /// The same for the region that has the outermost loops number `first` to `last`, from 0, of a function.
  void select(const std::string& file, const std::string& function, long first, long last, int line);
  /// The file and the function that selectNamed is about; refuses what no region is of.
  void nameFile(const std::string& named);
  void nameFunction(const std::string& named);
  void selectNamed(long first, long last, int line);

  /// The state of the region that is spoken of: the one that was selected last or, before that, the only
  /// one.
  ScheduleState& state(int line);
  /// Takes all of `steps`, or none of them and throws CommandError with the reason.
  void take(const std::vector<Step>& steps, int line);
  /// Begins anew with the order of the program.
  void startOver(int line);
  /// `cudaize` was called for the region: copies that follow name the loop that they are placed before.
  bool isCudaized(int line) { return entry(line).cudaized; }
  void setCudaized(int line) { entry(line).cudaized = true; }

  std::vector<RecipeSection> sections() const;

private:
  struct Entry {
    ScheduleState original;
    ScheduleState now;
    int line = 0;
    bool cudaized = false;
    bool startedOver = false;
    bool isChill = false; ///< selected as CHiLL's scripts do
  };
  Entry& entry(int line);
  void open(std::size_t target, int line);
  std::string namesOfAll() const;
  /// Gives each scalar that iterations of a loop write before they read it a copy for each of them, as
  /// CHiLL's scripts expect.
  static void privatiseScalars(ScheduleState& state);

  const std::vector<RecipeTarget>& targets;
  const RecipeLimits limits;
  std::map<std::size_t, Entry> entries;
  std::optional<std::size_t> current;
  std::string file, function; ///< as named; empty: not yet
  std::size_t taken = 0;      ///< steps in all
};

} // namespace warploom
