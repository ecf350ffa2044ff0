// Builds systems whose invariants hold, declaration by declaration and action by action: names are looked up
// and types checked here, whatever the syntax is.
#pragma once

#include "sync/model/System.h"
#include "sync/reader/Lexer.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace warploom::sync {

/// What a name stands for in a scope.
struct Meaning {
  enum class Kind { Variable, Abbreviation, Value, Instance };
  Kind kind = Kind::Variable;
  int index = -1;               ///< of a variable or an abbreviation
  std::vector<std::int64_t> at; ///< Variable: its first subscripts, which the name stands for already
  ExprPtr value = nullptr;      ///< Value: a constant, or what an input of a module is given
  Place place;
};

/// An expression with a name: its text, which is read anew wherever it is used, and its parameters, which
/// then stand for values.
struct Macro {
  std::vector<std::string> parameters;
  Lexer body; ///< at the first token of the expression
};

/// What an instance of a module gives for the names of its interface.
using Actuals = std::map<std::string, Meaning, std::less<>>;

/// Builds a System, name by name and action by action; every error is located. Names belong to scopes: an
/// instance of a module has one of its own, and sees nothing of the text that instantiates it but what it is
/// given.
class SystemBuilder {
public:
  SystemBuilder() { scopes.emplace_back(); }
  System system;

  // ---- Scopes

  /// Begins the scope of an instance `name` at `place`, one of an array of such `extents`, `at` these
  /// indices; its interface means `actuals`. Variables of one declaration in all instances of an array are
  /// one array.
  void enterInstance(const std::string& name, std::vector<std::int64_t> extents, std::vector<std::int64_t> at,
                     Actuals actuals, Place place);
  /// Ends it. Throws Error when something was given that is no interface variable of `module`, or an input
  /// was not.
  void leaveInstance(const std::string& module, Place place);
  /// From now on `name` is an instance: nothing else may be called so.
  void nameInstance(const std::string& name, Place place);
  bool insideInstance() const { return scopes.size() > 1; }
  /// What the instance being read is given for `name`, an interface variable that is declared next.
  void give(const std::string& name, Meaning actual) { scope().actuals.emplace(name, std::move(actual)); }

  // ---- Declarations

  /// Adds a declaration. Throws Error when the name is taken or the type is not one that can be synthesised.
  /// A name that was forgotten may be declared again; the variable then gets a number behind its name.
  int declare(Variable variable) { return declare(std::move(variable), false); }
  /// The same for a local of which every instance of an array has one of its own: no array over all.
  int declareOwn(Variable variable) { return declare(std::move(variable), true); }
  void forget(const std::string& name) { scope().names.erase(name); }
  /// The same for a variable that no text refers to: its name is free to be declared.
  int declareUnnamed(Variable variable);
  void abbreviate(const std::string& name, ExprPtr value, Place place);
  /// While bound, `name` is the constant `value`, and subscripts without variables are folded.
  void bind(const std::string& name, std::int64_t value, Place place);
  void unbind(const std::string& name);
  /// From now on `name` is a macro in all scopes.
  void define(const std::string& name, Macro macro, Place place);
  const Macro* macro(std::string_view name) const;
  bool isDeclared(std::string_view name) const { return find(name) != nullptr || macro(name) != nullptr; }

  // ---- Uses

  /// The value of `name[subscripts]`: a variable, an array cell, an abbreviation or a constant.
  ExprPtr named(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const;
  Target target(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const;
  /// What `name` with some constant subscripts stands for, to be given to an instance: a cell or an array.
  Meaning part(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const;
  Action action(ExprPtr guard, Target target, bool delayed, ExprPtr value, Place place) const;
  Assertion assertion(ExprPtr guard, std::string name, ExprPtr condition, Place place,
                      bool assumed = false) const;
  void react(Target target, ExprPtr value, Place place);
  /// The value of an expression that reads no variable.
  std::optional<Value> constant(const Expr& expr) const;
  /// `name` as variables of this scope are called in the system.
  std::string fullName(const std::string& name) const { return scope().prefix + name; }

  /// The finished system, with its word width.
  System finish();

private:
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <typename T> using NameMap = std::unordered_map<std::string, T, NameHash, std::equal_to<>>;

  struct Scope {
    std::string prefix; ///< of the names of its variables
    std::string path;   ///< of the names of its abbreviations and assertions: with the indices
    std::vector<std::int64_t> extents, at;
    NameMap<Meaning> names;
    Actuals actuals;                 ///< not met yet
    std::vector<std::string> inputs; ///< that nothing was given for
    int constants = 0;               ///< bound names
  };

  /// A variable of an array of instances, and the number of the last instance that declared it.
  struct Shared {
    int variable;
    std::int64_t last;
  };

  int declare(Variable variable, bool own);
  Scope& scope() { return scopes.back(); }
  const Scope& scope() const { return scopes.back(); }
  const Meaning* find(std::string_view name) const;
  void add(const std::string& name, Meaning meaning, Place place);
  /// `variable` of an interface stands for what the instance gives for it.
  int alias(const Variable& variable, Meaning actual);
  std::vector<ExprPtr> checkedSubscripts(const Meaning& meaning, std::vector<ExprPtr> subscripts,
                                         Place place) const;
  void checkAssignable(const Variable& variable, const Expr& value) const;
  void fold(std::vector<ExprPtr>& subscripts) const;

  std::vector<Scope> scopes; ///< the innermost last
  NameMap<Macro> macros;
  NameMap<std::vector<Shared>> shared;                     ///< by full name
  std::vector<std::optional<Value>> constantAbbreviations; ///< the values of those that are constant
  std::set<std::pair<int, std::int64_t>> reacting;         ///< cells that have an absence reaction
  std::set<std::string> used;                              ///< names of all variables, forgotten ones too
  std::int64_t cells = 0, instances = 0;
};

/// More instances than this in one system, and more cells, are refused.
inline constexpr std::int64_t maximalInstances = 10'000'000;
inline constexpr std::int64_t maximalCells = std::int64_t(1) << 26;

} // namespace warploom::sync
