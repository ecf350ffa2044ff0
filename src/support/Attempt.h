// Work on one region that may fail without taking the others with it.
#pragma once

#include "support/Budget.h"
#include "support/Failure.h"
#include "support/Isl.h"

#include <exception>
#include <isl/ctx.h>
#include <optional>
#include <string>

namespace warploom {

/// What came of an attempt: a value, or why there is none.
template <typename T> struct Attempt {
  std::optional<T> value;
  std::string reason; ///< empty exactly when there is a value
};

/// The result of `compute()`. A violated invariant, or an error that isl reports, is a bug of ours or of
/// isl's; it becomes the reason, for the caller to report of the one region that it concerns; but where time
/// is up, that is the reason.
template <typename F> auto attempt(F&& compute) -> Attempt<decltype(compute())> {
  try {
    return {compute(), ""};
  } catch (const std::exception& error) {
    isl_ctx_reset_error(islContext().get());
    if (std::string spent = Budget::reason(); !spent.empty()) return {std::nullopt, spent};
    std::string what = error.what();
    return {std::nullopt, isInternal(what) ? what : "internal error: " + what};
  }
}

} // namespace warploom
