#include "recipe/Recipe.h"

#include "recipe/Commands.h"
#include "support/Budget.h"
#include "support/Isl.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/ctx.h>
#include <lua.hpp>
#include <map>

namespace warploom {

std::vector<Command> commands() {
  std::multimap<Command::Group, Command> byGroup;
  for (const std::vector<Command>& some :
       {nestCommands(), indexCommands(), mappingCommands(), otherCommands()})
    for (const Command& command : some)
      byGroup.emplace(command.group, command);
  std::vector<Command> all;
  for (const auto& [group, command] : byGroup)
    all.push_back(command);
  return all;
}

namespace {

/// What a bound function finds in its upvalues.
struct Binding {
  Command command;
  Session* session;
};

/// Calls the command of a binding. Nothing with a destructor is alive where Lua leaves the function.
int invoke(lua_State* lua) {
  const Binding& binding = *static_cast<const Binding*>(lua_touserdata(lua, lua_upvalueindex(1)));
  int results = -1;
  {
    Sandbox& sandbox = Sandbox::of(lua);
    Sandbox::Grace grace(sandbox);
    std::string message;
    try {
      if (sandbox.countCommand()) {
        Call call(sandbox, *binding.session, binding.command.name, binding.command.signature);
        binding.command.run(call);
        results = call.results();
      }
    } catch (const CommandError& error) {
      message = sandbox.where() + error.what();
    } catch (const std::exception& failure) {
      // Once the time is spent isl gives up, which is no failure.
      isl_ctx_reset_error(islContext().get());
      message = failure.what();
      if (sandbox.hasTime()) sandbox.fail(std::current_exception());
    }
    if (!sandbox.hasTime()) {
      // What became of the command is no answer.
      results = -1;
      message = sandbox.where() + sandbox.whyStopped();
    }
    if (results < 0) lua_pushlstring(lua, message.data(), message.size());
  }
  return results < 0 ? lua_error(lua) : results;
}

const char* titleOf(Command::Group group) {
  switch (group) {
  case Command::Group::Select:
    return "Which region";
  case Command::Group::Loops:
    return "The shape of nests";
  case Command::Group::Index:
    return "What loops run over";
  case Command::Group::Cuda:
    return "Kernels";
  case Command::Group::Copies:
    return "Where data is kept";
  case Command::Group::Storage:
    return "What is known and decided";
  case Command::Group::Show:
    return "Showing";
  case Command::Group::Query:
    return "Asking";
  }
  return "";
}

} // namespace

RecipeResult runRecipe(const std::filesystem::path& file, const std::vector<RecipeTarget>& targets,
                       const std::function<void(const std::string&)>& show, const RecipeLimits& limits) {
  const Budget budget(Budget::For::Recipe);
  Session session(targets, limits);
  std::vector<Binding> bindings;
  for (const Command& command : commands())
    bindings.push_back({command, &session});
  Sandbox sandbox(file, limits);
  {
    Sandbox::Grace grace(sandbox);
    lua_State* lua = sandbox.state();
    for (Binding& binding : bindings) {
      lua_pushlightuserdata(lua, &binding);
      lua_pushcclosure(lua, invoke, 1);
      lua_setglobal(lua, binding.command.name);
    }
    for (const char* method : {"counted", "strided"}) {
      lua_pushstring(lua, method);
      lua_setglobal(lua, method);
    }
  }
  try {
    sandbox.run();
  } catch (const RecipeError&) {
    show(sandbox.printed());
    throw;
  }
  show(sandbox.printed());
  return {session.sections()};
}

std::string commandReference() {
  std::string text;
  std::optional<Command::Group> group;
  for (const Command& command : commands()) {
    if (command.group != group)
      text += fmt::format("{}### {}\n\n| command | what it does |\n|---|---|\n", group ? "\n" : "",
                          titleOf(command.group));
    group = command.group;
    std::string ways;
    for (std::string_view rest = command.signature; !rest.empty();) {
      const std::size_t end = std::min(rest.find(" | " + std::string(command.name)), rest.size());
      ways += fmt::format("{}`{}`", ways.empty() ? "" : "<br>", rest.substr(0, end));
      rest.remove_prefix(std::min(end + (end < rest.size() ? 3 : 0), rest.size()));
    }
    // A bar inside a cell must be escaped.
    for (std::size_t at = 0; (at = ways.find('|', at)) != ways.npos; at += 2)
      ways.insert(at, "\\");
    text += fmt::format("| {} | {} |\n", ways, command.documentation);
  }
  return text;
}

} // namespace warploom
