// The commands of recipes: one table binds them, documents them, and tells what each is made of.
#pragma once

#include "recipe/Call.h"

#include <vector>

namespace warploom {

struct Command {
  enum class Group { Select, Loops, Index, Cuda, Copies, Storage, Show, Query };
  const char* name;
  const char* signature; ///< how it is called: `permute({"j", "i"})` or ways to call it, separated by ` | `
  const char* documentation;
  Group group;
  void (*run)(Call& call);
};

/// All commands, by groups.
std::vector<Command> commands();

/// Its parts: one list for each file that defines some.
std::vector<Command> nestCommands();
std::vector<Command> indexCommands();
std::vector<Command> mappingCommands();
std::vector<Command> otherCommands();

} // namespace warploom
