// Small additions to isl's C++ interface: limited computations and the C functions it does not wrap.
#pragma once

#include <isl/cpp.h>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace warploom {

/// The process-wide isl context. isl reports errors by exception; operation counts are limited only inside
/// `limited`.
isl::ctx islContext();

/// How many elementary isl operations one question may cost before it is answered "unknown": about a second.
inline constexpr unsigned long defaultOperationLimit = 4'000'000;

/// Limits isl operations while alive. Nested limits are one limit: the outermost wins.
class OperationLimit {
public:
  explicit OperationLimit(unsigned long operations);
  ~OperationLimit();
  OperationLimit(const OperationLimit&) = delete;
  OperationLimit& operator=(const OperationLimit&) = delete;

  /// True when isl will do no more until the limit is lifted.
  bool exceeded() const;

private:
  bool outermost;
};

/// The result of `compute()`, or nothing when it needed more than `operations` isl operations. Every isl
/// computation whose cost depends on the input goes through here; the caller decides, and reports, what
/// "nothing" means.
template <typename F>
auto limited(F&& compute, unsigned long operations = defaultOperationLimit)
    -> std::optional<decltype(compute())> {
  OperationLimit limit(operations);
  try {
    return std::forward<F>(compute)();
  } catch (const isl::exception&) {
    // Not only exception_quota: isl::manage calls the null that a C function returns at the limit invalid,
    // and isl's parser calls it a syntax error.
    if (limit.exceeded()) return std::nullopt;
    throw;
  }
}

/// `object` in isl's notation.
template <typename T> std::string printed(const T& object) {
  std::ostringstream text;
  text << object;
  return text.str();
}

/// `parameters` as a C condition such as `m >= n || k <= 0`; "1" for everything, "0" for nothing.
std::string conditionText(const isl::set& parameters);

} // namespace warploom
