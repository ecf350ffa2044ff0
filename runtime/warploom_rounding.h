// How far rounding can move a result: the arithmetic of magnitudes that programs of `warploom verify` do
// before a region runs. Every array has one Size, a bound on what stands in it; a statement of the region is
// one operation on Sizes.
#pragma once

#include <cmath>
#include <cstddef>

namespace warploom {

/// What is known of a value: most >= |v|, and of a nonzero one |v| >= least. If it is computed in two orders,
/// or with functions of two libraries, the two results differ by at most about epsilon * roundings * most.
/// `most` 0: nothing is known.
struct Size {
  double most = 0, least = 0, roundings = 0;

  static Size exact(double value) { return {std::fabs(value), std::fabs(value), 0}; }
  static Size upTo(double value) { return {std::fabs(value), 0, 0}; }

  /// Of `count` numbers, one every `stride` bytes. What is not finite is passed over.
  template <typename T> static Size among(const T* first, long count, std::size_t stride = sizeof(T)) {
    Size size;
    const char* at = reinterpret_cast<const char*>(first);
    for (long k = 0; k < count; ++k, at += stride) {
      const double value = std::fabs(static_cast<double>(*reinterpret_cast<const T*>(at)));
      if (!std::isfinite(value) || value == 0) continue;
      if (value > size.most) size.most = value;
      if (size.least == 0 || value < size.least) size.least = value;
    }
    return size;
  }

  /// An element is given `value`.
  void assign(const Size& value) {
    if (most == 0) least = value.least;
    if (value.least < least) least = value.least;
    if (value.most > most) most = value.most;
    if (value.roundings > roundings) roundings = value.roundings;
  }

  /// `value` is added to an element `times` times.
  void accumulate(double times, const Size& value) {
    if (!(times > 0)) return;
    const double before = roundings;
    most += times * value.most;
    least = 0;
    roundings = times + (before > value.roundings ? before : value.roundings);
  }
};

inline double largerOf(double a, double b) {
  return a > b ? a : b;
}

/// A sum or difference: what cancels leaves the roundings of both.
inline Size operator+(const Size& a, const Size& b) {
  return {a.most + b.most, 0, largerOf(a.roundings, b.roundings) + 1};
}
inline Size operator-(const Size& a, const Size& b) {
  return a + b;
}
inline Size operator*(const Size& a, const Size& b) {
  return {a.most * b.most, a.least * b.least, a.roundings + b.roundings + 1};
}
/// Nothing is known of a quotient whose divisor may be as small as it likes.
inline Size operator/(const Size& a, const Size& b) {
  if (b.least == 0) return {};
  return {a.most / b.least, a.least / b.most, a.roundings + b.roundings + 1};
}
inline Size either(const Size& a, const Size& b) {
  return {largerOf(a.most, b.most), a.least < b.least ? a.least : b.least,
          largerOf(a.roundings, b.roundings)};
}
inline Size rootOf(const Size& a) {
  return {std::sqrt(a.most), std::sqrt(a.least), a.roundings + 1};
}
/// Of a function with values from -1 to 1 and slopes no steeper, such as the sine. Libraries differ in the
/// last bits: four roundings.
inline Size gentle(const Size& a) {
  return {1 + (a.roundings > 0 ? a.most : 0), 0, a.roundings + 4};
}

} // namespace warploom
