#include "sync/prove/Prove.h"

#include "support/Failure.h"
#include "sync/prove/SymbolicStep.h"
#include "sync/run/Interpreter.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom::sync {

namespace {

/// Names of the variables of `system` that hold values of their ranges when the first step of `plan` begins.
/// As long as no check of ranges is violated they always do.
std::vector<std::string> keptRanges(const System& system, const StepPlan& plan) {
  std::set<std::string> outside;
  const System& normal = *plan.system.system;
  for (const Action& preset : normal.init.dataFlow) {
    const Variable& variable = normal.variables[preset.target.variable];
    if (!fits(variable.type.scalar, preset.value->value)) outside.insert(variable.name);
  }
  std::vector<std::string> result;
  for (const Variable& variable : system.variables)
    if (!outside.count(variable.name)) result.push_back(variable.name);
  return result;
}

/// Steps in a row, in a solver of their own.
class Unrolling {
public:
  Unrolling(const System& system, const StepPlan& plan, const ProofLimits& limits)
      : symbols(context, plan, keptRanges(system, plan), limits.terms), questionSteps(limits.questionSteps),
        totalSteps(std::uint64_t(limits.questionSteps) * limits.questions) {
    for (const Assertion& assertion : plan.system.system->main.assertions)
      assumed.push_back(assertion.assumed);
  }

  void beginAnywhere() {
    std::vector<z3::expr> known;
    states.push_back(symbols.anything(known));
    for (const z3::expr& fact : known)
      facts.push_back(fact);
  }
  void beginAtReset() { states.push_back(symbols.initial()); }

  /// One step more, in which the assumptions hold.
  void extend() {
    steps.push_back(symbols.step(states.back(), fmt::format("t{}", steps.size())));
    states.push_back(steps.back().after);
    for (const z3::expr& fact : steps.back().known)
      facts.push_back(fact);
    for (std::size_t i = 0; i < assumed.size(); ++i)
      if (assumed[i]) facts.push_back(!steps.back().violated[i]);
  }

  /// Nothing is violated in the last step.
  void requireNoViolation() {
    for (const z3::expr& violated : steps.back().violated)
      facts.push_back(!violated);
  }

  /// The last step does not begin in a state in which an earlier one did. A shortest run to a violation comes
  /// to no state twice.
  void requireNewState() {
    constexpr std::size_t mostCells = 200;
    if (symbols.hasMemories() || symbols.stateCells() > mostCells) return;
    const SymbolicState& last = states[states.size() - 2];
    for (std::size_t i = 0; i + 2 < states.size(); ++i)
      facts.push_back(symbols.differ(states[i], last));
  }

  /// Whether some of `reports` can be violated in the last step.
  z3::check_result canViolate(const std::vector<int>& reports) {
    z3::expr_vector any(context);
    for (int report : reports)
      any.push_back(steps.back().violated[std::size_t(report)]);
    return ask(z3::mk_or(any));
  }
  z3::check_result canGoOn() { return ask(context.bool_val(true)); }

  /// Those of `reports` that are violated in the run found last.
  std::vector<int> found(const std::vector<int>& reports) {
    std::vector<int> result;
    for (int report : reports)
      if (model->eval(steps.back().violated[std::size_t(report)], true).is_true()) result.push_back(report);
    return result;
  }
  std::vector<std::vector<Value>> inputs() {
    std::vector<std::vector<Value>> result;
    for (const SymbolicStep& step : steps)
      result.push_back(symbols.inputsOf(*model, step));
    return result;
  }

private:
  /// Whether `question` can be true. Each question has a solver of its own: asked one after the other, Z3 4.8
  /// is slower, and some of its models are wrong.
  z3::check_result ask(const z3::expr& question) {
    const bool plain = !symbols.hasMemories() && !symbols.hasReals();
    z3::solver solver = plain ? z3::solver(context, "QF_BV") : z3::solver(context);
    z3::params parameters(context);
    parameters.set("rlimit", questionSteps);
    solver.set(parameters);
    for (const z3::expr& fact : facts)
      solver.add(fact);
    solver.add(question);
    model.reset();
    if (spentSteps >= totalSteps) return z3::unknown;
    const z3::check_result answer = solver.check();
    const z3::stats statistics = solver.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i) // of all questions in this context
      if (statistics.key(i) == "rlimit count")
        spentSteps = std::max<std::uint64_t>(spentSteps, statistics.uint_value(i));
    if (answer == z3::sat) model.emplace(solver.get_model());
    return answer;
  }

  z3::context context;
  SymbolicSystem symbols;
  const unsigned questionSteps;
  const std::uint64_t totalSteps;
  std::uint64_t spentSteps = 0;
  std::vector<z3::expr> facts;
  std::vector<bool> assumed; ///< by report
  std::vector<SymbolicState> states;
  std::vector<SymbolicStep> steps;
  std::optional<z3::model> model;
};

class Proof {
public:
  Proof(const System& of, const StepPlan& with, const ProofLimits& within)
      : system(of), plan(with), limits(within), run(of, with, within), window(of, with, within) {
    for (std::size_t i = 0; i < assertions().size(); ++i) {
      Finding finding;
      finding.name = assertions()[i].name;
      finding.own = finding.name.find(' ') == std::string::npos; // no name in a system has one
      findings.push_back(std::move(finding));
      if (!assertions()[i].assumed) open.push_back(int(i));
    }
  }

  std::vector<Finding> make() {
    int done = 0; // steps of a run that were looked at
    try {
      run.beginAtReset();
      window.beginAnywhere();
      window.extend();
      // A step ahead where there are assumptions: if nothing keeps them, that is to be told.
      const int ahead = std::ranges::any_of(assertions(), &Assertion::assumed) ? 1 : 0;
      for (int k = 1; k <= limits.depth && !open.empty(); ++k) {
        if (!search(k)) break;
        done = k;
        if (!open.empty() && induction && k > ahead) induct(k - ahead);
      }
    } catch (const TooManyTerms&) {
      limited = true;
    } catch (const z3::exception&) { // out of memory, or something it does not decide
      limited = true;
    }
    limited |= done < limits.depth;
    for (int report : open) {
      findings[std::size_t(report)].verdict =
          limited || !induction ? Finding::Verdict::Limit : Finding::Verdict::Open;
      findings[std::size_t(report)].steps = done;
    }
    std::vector<Finding> result;
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (!assertions()[i].assumed) result.push_back(std::move(findings[i]));
    return result;
  }

private:
  const std::vector<Assertion>& assertions() const { return plan.system.system->main.assertions; }

  /// Looks for violations in step `k`; false where the solver's limit was reached.
  bool search(int k) {
    run.extend();
    while (!open.empty()) {
      const z3::check_result answer = run.canViolate(open);
      if (answer == z3::unknown) return false;
      if (answer == z3::unsat) break;
      violated(k, run.found(open), run.inputs());
    }
    run.requireNoViolation();
    if (!open.empty() && run.canGoOn() == z3::unsat) settle(open, Finding::Verdict::Empty, k);
    return true;
  }

  /// Runs the counterexample, and takes the assertion that the interpreter names, if it names one of them,
  /// else the first.
  void violated(int k, const std::vector<int>& found, std::vector<std::vector<Value>> inputs) {
    Interpreter interpreter(system, {true, true});
    try {
      for (const std::vector<Value>& step : inputs)
        interpreter.step(step);
    } catch (const RunError& error) {
      if (error.step != k || found.empty()) fail(error.what());
      int named = -1;
      for (int report : found) {
        const Finding& candidate = findings[std::size_t(report)];
        const bool assertion = error.kind == RunError::Kind::Assertion;
        if (candidate.own == assertion && (!assertion || candidate.name == error.actions[0])) {
          named = report;
          break;
        }
      }
      const bool another = named < 0; // of the same step, which the interpreter comes upon first
      if (another) named = found.front();
      Finding& finding = findings[std::size_t(named)];
      finding.inputs = std::move(inputs);
      finding.message =
          another ? fmt::format("step {}, where a run ends with another violation: {}", k, error.what())
                  : error.what();
      settle({named}, Finding::Verdict::Violated, k);
      return;
    }
    fail("the interpreter finds nothing wrong");
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Failure(system.name, "a counterexample does not replay: " + what);
  }

  /// What cannot be violated after `k` steps without violation, from whatever state they begin in, holds.
  void induct(int k) {
    window.requireNoViolation();
    window.extend();
    window.requireNewState();
    std::vector<int> candidates = open;
    while (!candidates.empty()) {
      const z3::check_result answer = window.canViolate(candidates);
      if (answer == z3::unknown) {
        induction = false;
        return;
      }
      if (answer == z3::unsat) break;
      const std::vector<int> failed = window.found(candidates);
      if (failed.empty()) fail("the model violates nothing");
      std::erase_if(candidates, [&](int report) { return std::ranges::count(failed, report) != 0; });
    }
    settle(candidates, Finding::Verdict::Proved, k);
  }

  void settle(const std::vector<int>& reports, Finding::Verdict verdict, int k) {
    const std::vector<int> settled = reports;
    for (int report : settled) {
      findings[std::size_t(report)].verdict = verdict;
      findings[std::size_t(report)].steps = k;
    }
    std::erase_if(open, [&](int report) { return std::ranges::count(settled, report) != 0; });
  }

  const System& system;
  const StepPlan& plan;
  const ProofLimits limits;
  Unrolling run;                 ///< from the first step on
  Unrolling window;              ///< from anywhere
  std::vector<Finding> findings; ///< by report
  std::vector<int> open;         ///< reports that are not settled
  bool induction = true;         ///< its questions are within the limits
  bool limited = false;
};

} // namespace

std::vector<Finding> prove(const System& system, const StepPlan& plan, const ProofLimits& limits) {
  return Proof(system, plan, limits).make();
}

} // namespace warploom::sync
