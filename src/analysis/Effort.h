// How the analysis asks isl: every question under an operation limit.
#pragma once

#include "support/IslC.h"

#include <algorithm>
#include <isl/ctx.h>
#include <string>

namespace warploom {

/// The isl work that one region may cause. Each question that is given up halves what the next of its kind
/// may cost, and after `mostFailures` of them no more are asked: all failures of a kind together cost a few
/// times the first, while a hard question does not spoil the others.
class Effort {
public:
  enum class Kind {
    Values, ///< which write gave a read its value
    Pairs,  ///< which instances of two accesses meet
    Loops   ///< what that means for a loop or an array
  };

  /// The result of `compute()`, or nothing when isl gave up.
  template <typename F> auto ask(Kind kind, F&& compute) -> std::optional<decltype(compute())> {
    Allowance& allowance = allowances[static_cast<int>(kind)];
    if (allowance.failures >= mostFailures) return std::nullopt;
    auto answer = limitedAndBounded(std::forward<F>(compute), allowance.operations);
    if (!answer) {
      ++allowance.failures;
      allowance.operations = std::max(allowance.operations / 2, least);
    }
    return answer;
  }

private:
  /// The same without counting failures. isl reports an error where there is no last iteration, as in a loop
  /// whose bound is not known: that is no answer either.
  template <typename F>
  auto limitedAndBounded(F&& compute, unsigned long operations) -> std::optional<decltype(compute())> {
    try {
      return limited(std::forward<F>(compute), operations);
    } catch (const isl::exception& error) {
      if (std::string(error.what()).find("unbounded optimum") == std::string::npos) throw;
      isl_ctx_reset_error(islContext().get());
      return std::nullopt;
    }
  }

  struct Allowance {
    // isl counts allocations, and those of a hard question take some microseconds each.
    unsigned long operations = 100'000;
    int failures = 0;
  };
  static constexpr unsigned long least = 10'000;
  static constexpr int mostFailures = 20;
  Allowance allowances[3];
};

} // namespace warploom
