// Builds systems whose invariants hold, declaration by declaration and action by action: names are looked up
// and types checked here, whatever the syntax is.
#pragma once

#include "sync/model/System.h"

#include <optional>
#include <set>
#include <unordered_map>

namespace warploom::sync {

/// Builds a System whose invariants hold, name by name and action by action; every error is located.
class SystemBuilder {
public:
  System system;

  /// Adds a declaration. Throws Error when the name is taken or the type is not one that can be synthesised.
  /// A name that was forgotten may be declared again; the variable then gets a number behind its name.
  int declare(Variable variable);
  void forget(const std::string& name) { variables.erase(name); }
  /// The same for a variable that no text refers to: its name is free to be declared.
  int declareUnnamed(Variable variable);
  void abbreviate(std::string name, ExprPtr value, Place place);

  /// The value of `name[subscripts]`: a variable, an array cell or an abbreviation.
  ExprPtr named(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const;
  Target target(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const;
  Action action(ExprPtr guard, Target target, bool delayed, ExprPtr value, Place place) const;
  Assertion assertion(ExprPtr guard, std::string name, ExprPtr condition, Place place) const;
  void react(Target target, ExprPtr value, Place place);

  /// While bound, `name` is the constant `value`, and subscripts without variables are folded.
  void bind(const std::string& name, std::int64_t value, Place place);
  void unbind(const std::string& name) { constants.erase(name); }

  /// The finished system, with its word width.
  System finish();

private:
  /// The value of an expression that reads no variable.
  std::optional<Value> constant(const Expr& expr) const;
  void checkSubscripts(const Variable& variable, ExprList subscripts, Place place) const;
  void checkAssignable(const Variable& variable, const Expr& value) const;

  void fold(std::vector<ExprPtr>& subscripts) const;

  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <typename T> using NameMap = std::unordered_map<std::string, T, NameHash, std::equal_to<>>;

  NameMap<int> variables, abbreviations;
  NameMap<std::int64_t> constants;
  std::vector<std::optional<Value>> constantAbbreviations; ///< the values of those that are constant
  std::set<std::pair<int, std::int64_t>> reacting;         ///< cells that have an absence reaction
  std::set<std::string> used;                              ///< names of all variables, forgotten ones too
  std::int64_t cells = 0;
};

/// More cells than this in one system are refused.
inline constexpr std::int64_t maximalCells = std::int64_t(1) << 26;

} // namespace warploom::sync
