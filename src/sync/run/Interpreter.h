// The reference interpreter: what a system means, step by step, by constructive semantics. Everything
// generated is compared with it.
#pragma once

#include "sync/model/Cells.h"
#include "sync/model/System.h"

#include <deque>

namespace warploom::sync {

/// A run that cannot go on. what() says what happened in which step and names the actions.
class RunError : public std::runtime_error {
public:
  enum class Kind {
    Causality, ///< actions wait for each other's values
    Conflict,  ///< two enabled actions give one cell different values
    Range,     ///< a value outside its declared range
    Assertion, ///< a violated assertion
    Subscript, ///< an enabled action uses a subscript outside its array
    Division   ///< an enabled action divides by zero
  };
  RunError(Kind what, long inStep, const std::string& message, std::vector<std::string> named = {})
      : std::runtime_error(message), kind(what), step(inStep), actions(std::move(named)) {}
  const Kind kind;
  const long step;                        ///< the first step is 1
  const std::vector<std::string> actions; ///< their text, as in what()
};

/// What is checked besides causality, conflicts, subscripts and division, which always are.
struct RunChecks {
  bool ranges = false;
  bool assertions = false;
};

/// Executes macro steps of one system. In a step every cell starts unknown, except inputs and cells with a
/// delayed value from the step before; actions whose guard and value are known define cells; a cell that no
/// action can define any more takes its absence reaction.
class Interpreter {
public:
  explicit Interpreter(const System& system, RunChecks checks = {});

  /// One macro step. `inputs` holds the cells of inputCells(). Throws RunError; the state is then undefined.
  void step(const std::vector<Value>& inputs);

  /// The value a cell had in the last step.
  Value value(int cell) const { return cells[cell].value; }
  Value value(int variable, std::int64_t offset) const {
    return cells[numbering.first(variable) + int(offset)].value;
  }
  /// The cells of outputCells().
  std::vector<Value> outputs() const;

private:
  enum class State { Open, Enabled, Done };

  /// An action of one part, or an abbreviation (cell = value), or an absence reaction (tried when nothing
  /// else is left).
  struct Rule {
    const Expr* guard = nullptr; ///< null: true
    const Expr* value = nullptr;
    const Action* action = nullptr;
    int variable = -1;
    int cell = -1;               ///< the cell written, or -1 when a subscript has to be evaluated
    bool mayBeUndefined = false; ///< the value may hang on a division by zero or on a cell outside an array
  };
  /// A part, ready to run.
  struct Program {
    const Part* part = nullptr;
    std::vector<Rule> rules;                      ///< abbreviations, then immediate actions
    std::vector<std::vector<int>> readers;        ///< per cell: the rules that read it by constant subscripts
    std::vector<std::vector<int>> dynamicReaders; ///< per variable: the rules that read some cell of it
    std::vector<int> writers;                     ///< per cell: how many rules may define it
    std::vector<const Action*> delayed;
    /// Per variable: memorized, and no rule or reaction defines it. Its cells are known throughout, and no
    /// step looks at all of them: a memory of a million words costs what is read and written.
    std::vector<char> quiet;
    std::vector<int> busy; ///< the cells of the others, and the abbreviations
  };
  struct Cell {
    Value value; ///< of this step when known, else of the step before
    bool known = false;
    int open = 0;                 ///< rules that may still define it
    std::optional<Value> pending; ///< for the next step
    const Action* definer = nullptr;
    const Action* pendingDefiner = nullptr;
  };

  Program prepare(const Part& part) const;
  void run(const Program& program);
  void addReads(Program& program, const Expr& expr, int rule) const;
  std::optional<Value> lookup(const Expr& expr) const;
  std::optional<Value> valueOf(const Expr& expr) const { return evaluate(expr, reader, system.wordBits); }

  void tryRule(int rule);
  void release(const Rule& rule, int except);
  void lower(int cell);
  void define(int cell, Value value, const Action* by);
  void absent(int cell);
  void runDelayed();
  void checkAssertions() const;
  void checkDefined(const Action& action) const;
  void checkRange(int cell, const Value& value, const Action* by) const;
  Value stored(int cell, const Expr& value, Value computed) const;
  std::int64_t targetOffset(const Action& action) const;
  [[noreturn]] void reportCausality() const;
  std::string described(const Action& action) const;

  struct Reader {
    const Interpreter* interpreter;
    std::optional<Value> operator()(const Expr& expr) const { return interpreter->lookup(expr); }
  };

  const System& system;
  const RunChecks checks;
  CellNumbering numbering;
  std::vector<int> inputs_, outputs_;
  std::vector<const Expr*> reactionOf;      ///< per cell: its absence reaction, or null
  std::vector<bool> undefinedAbbreviations; ///< as Rule::mayBeUndefined
  Program init, main;
  const Program* running = nullptr;
  std::vector<Cell> cells; ///< variables' cells, then one per abbreviation
  std::vector<State> states;
  std::vector<int> waitingReactions;
  std::vector<int> arriving; ///< cells with a delayed value for the next step
  std::deque<int> queue;
  long steps = 0;
  Reader reader{this};
};

} // namespace warploom::sync
