// Proofs and counterexamples: what is found of small systems, and that it agrees with the interpreter on
// random ones.
#include "sync/prove/Prove.h"

#include "RandomSystem.h"
#include "Traces.h"
#include "sync/passes/Passes.h"
#include "sync/reader/Aif.h"

#include <cstdlib>
#include <gmock/gmock.h>

namespace warploom::sync {
namespace {

std::vector<Finding> findingsOf(const System& system, const ProofLimits& limits = {}) {
  return prove(system, planStep(normalised(system, {true, true, true})), limits);
}

/// The verdict about one assertion, and its step or k.
std::string verdict(const std::vector<Finding>& findings, const std::string& name) {
  static const char* const words[] = {"proved", "empty", "violated", "open", "limit"};
  for (const Finding& finding : findings)
    if (finding.name == name) return fmt::format("{} {}", words[int(finding.verdict)], finding.steps);
  return "none";
}

std::string aloneVerdict(const std::string& interface, const std::string& actions,
                         const std::string& assertions, const ProofLimits& limits = {}) {
  const std::vector<Finding> findings =
      findingsOf(readAif("system S:\ninterface:\n" + interface + "main:\n  data flow:\n" + actions +
                         "  assertions:\n" + assertions),
                 limits);
  return verdict(findings, "a");
}

TEST(Prove, CountersAreProvedOrRefuted) {
  const std::string interface = "  go: input bool\n  n: output memorized nat{100}\n";
  const std::string actions = "    go & n < 12 => next(n) = n + 1\n    go & n >= 12 => next(n) = 0\n";
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert n < 13\n"), "proved 2");
  // Step 1 is init; n is 7 in step 9 at the earliest.
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert n != 7\n"), "violated 9");
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert n != 7\n", {.depth = 8}), "open 8");
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert n < 13\n", {.questionSteps = 1}),
            "limit 0");
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert n < 13\n", {.terms = 30}), "limit 0");
}

TEST(Prove, AssumptionsRestrictInputs) {
  const std::string interface = "  i: input int{50}\n  x: output memorized int{1000}\n";
  const std::string actions =
      "    i > 0 & x < 900 => next(x) = x + i\n    i < 0 & x > -900 => next(x) = x + i\n";
  const std::string assertion = "    true => a: assert x >= 0\n";
  EXPECT_EQ(aloneVerdict(interface, actions, assertion), "violated 3");
  EXPECT_EQ(aloneVerdict(interface, actions, assertion + "    true => given: assume i >= 0\n"), "proved 2");
  // Nothing is left to be looked at.
  EXPECT_EQ(aloneVerdict(interface, actions, assertion + "    true => given: assume i != i\n"), "empty 2");
}

TEST(Prove, IntegersWrapAroundAsInTheInterpreter) {
  // In 64 bits, for the bound needs them: the square of a large number is negative.
  const std::string wide = "  i: input nat{4000000000000000000}\n  b: output event bool\n";
  EXPECT_EQ(aloneVerdict(wide, "    i*i < 0 => b = true\n", "    true => a: assert !b\n"), "violated 2");
  const std::string narrow = "  i: input int{30000}\n  b: output event bool\n";
  EXPECT_EQ(aloneVerdict(narrow, "    i*i < 0 => b = true\n", "    true => a: assert !b\n"), "proved 1");
  const std::string divided = "  i: input int{16}\n  j: input int{16}\n  b: output event bool\n";
  // Towards zero, and 0 where the divisor is 0.
  EXPECT_EQ(
      aloneVerdict(divided, "    i/j*j + i%j != i & j != 0 => b = true\n", "    true => a: assert !b\n"),
      "proved 1");
  EXPECT_EQ(
      aloneVerdict(divided, "    j == 0 & (i/j != 0 | i%j != 0) => b = true\n", "    true => a: assert !b\n"),
      "proved 1");
  EXPECT_EQ(aloneVerdict(divided, "    i%j < 0 => b = true\n", "    true => a: assert !b\n"), "violated 2");
}

TEST(Prove, RealsAreDoubles) {
  const std::string interface = "  r: input real\n  b: output event bool\n";
  EXPECT_EQ(aloneVerdict(interface, "    r + 1.0 == r & r > 0.0 => b = true\n", "    true => a: assert !b\n"),
            "violated 2");
  EXPECT_EQ(aloneVerdict(interface, "    r < 1.0 & r > 1.0 => b = true\n", "    true => a: assert !b\n"),
            "proved 1");
}

TEST(Prove, MemoriesAreArrays) {
  const std::string interface =
      "  i: input nat{1000}\n  v: input nat{100}\n  read: output memorized nat{100}\n"
      "  m: output memorized nat{100}[1000]\n";
  const std::string actions = "    v < 60 => next(m[i]) = v\n    true => read = m[(i + 3) % 1000]\n";
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert read != 59\n"), "violated 3");
  EXPECT_EQ(aloneVerdict(interface, actions, "    true => a: assert read < 100\n"), "proved 1");
}

TEST(Prove, TwoViolationsOfOneStepAreToldApart) {
  const std::vector<Finding> findings = findingsOf(
      readAif("system S:\ninterface:\n  up: input bool\n  n: output memorized nat{10}\nmain:\n  data flow:\n"
              "    up & n < 9 => next(n) = n + 2\n  assertions:\n    true => small: assert n < 8\n"));
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].message, "step 6: assertion small violated: n < 8");
  EXPECT_EQ(findings[1].message,
            "step 6, where a run ends with another violation: step 6: assertion small violated: n < 8");
}

TEST(Prove, RunTimeChecksAreAssertionsToo) {
  const std::vector<Finding> findings =
      findingsOf(readAif("system S:\ninterface:\n  i: input nat{10}\n  x: output memorized nat{10}\n  y: "
                         "output memorized nat{10}[3]\n"
                         "main:\n  data flow:\n    true => x = i + 1\n    i < 3 => next(y[i]) = 9/(i + 1)\n  "
                         "  i == 5 => next(y[0]) = 3\n"
                         "    i >= 4 & i < 6 => next(y[0]) = i - 2\n"));
  EXPECT_EQ(verdict(findings, "write conflict on y[0] (lines 10 and 11)"), "proved 1");
  EXPECT_EQ(verdict(findings, "range of x (line 8)"), "violated 2");
  for (const Finding& finding : findings)
    EXPECT_FALSE(finding.own) << finding.name;
}

/// Random inputs that keep the assumptions, which must be about inputs alone.
Inputs assumedInputs(const System& system, int steps, unsigned seed) {
  const CellNumbering numbering(system);
  const std::vector<int> cells = inputCells(system);
  Inputs result = randomInputs(system, steps, seed);
  const Inputs others = randomInputs(system, 50, seed + 1);
  for (std::size_t step = 0; step < result.size(); ++step)
    for (const Assertion& assertion : (step == 0 ? system.init : system.main).assertions) {
      const auto holds = [&] {
        const auto lookup = [&](const Expr& read) -> std::optional<Value> {
          return result[step][std::size_t(std::ranges::find(cells, numbering.cell(read)) - cells.begin())];
        };
        return evaluate(*assertion.condition, lookup, system.wordBits)->integer != 0;
      };
      for (std::size_t other = 0; assertion.assumed && !holds() && other < others.size(); ++other)
        result[step] = others[other];
    }
  return result;
}

/// Every finding about the system agrees with a run on random inputs: what is violated there in some step is
/// not proved, and was found to be violated in that step or before, where that many steps were looked at.
void expectAgreement(const System& system, const std::vector<Finding>& findings, unsigned seed) {
  const Inputs inputs = assumedInputs(system, 1000, seed);
  Interpreter interpreter(system, {true, true});
  try {
    for (const std::vector<Value>& step : inputs)
      interpreter.step(step);
  } catch (const RunError& error) {
    const bool assertion = error.kind == RunError::Kind::Assertion;
    bool expected = false;
    for (const Finding& finding : findings) {
      if (finding.own != assertion || (assertion && finding.name != error.actions[0])) continue;
      const bool open =
          finding.verdict == Finding::Verdict::Open || finding.verdict == Finding::Verdict::Limit;
      expected |= finding.verdict == Finding::Verdict::Violated ? finding.steps <= error.step
                                                                : open && finding.steps < error.step;
    }
    EXPECT_TRUE(expected) << "seed " << seed << ": " << error.what();
  }
}

TEST(Prove, FindingsAgreeWithRandomRuns) {
  // More of them on request: WARPLOOM_PROVE_SYSTEMS=5000.
  const char* const more = std::getenv("WARPLOOM_PROVE_SYSTEMS");
  const unsigned count = more ? unsigned(std::atol(more)) : 25;
  int proved = 0, violated = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    RandomOptions options;
    options.reals = seed % 15 == 0;
    options.assertions = 2;
    const std::string text = RandomSystem(seed, options).text("R");
    SCOPED_TRACE(text);
    const System system = readAif(text);
    ProofLimits limits;
    limits.depth = 4;
    limits.questionSteps = 200'000;
    const std::vector<Finding> findings = findingsOf(system, limits); // fails where one does not replay
    for (const Finding& finding : findings) {
      proved += finding.verdict == Finding::Verdict::Proved;
      violated += finding.verdict == Finding::Verdict::Violated;
    }
    for (unsigned run = 0; run < 3; ++run)
      expectAgreement(system, findings, 3 * seed + run);
  }
  EXPECT_GT(proved, int(count));
  EXPECT_GT(violated, int(count));
}

} // namespace
} // namespace warploom::sync
