// How much of an array a region will use where data choose the place: intervals of subscripts, and going
// through what chooses. Included by warploom_region.h.
#pragma once

#include <initializer_list>

namespace warploom {

/// The whole numbers from a first to a last one, or none; or not known, when a number became too large.
class Interval {
public:
  Interval() = default; ///< none
  Interval(long only) : first(only), last(only) {}
  Interval(long first, long last) : first(first), last(last) {}

  bool isEmpty() const { return first > last; }
  /// How many elements an array needs that is used there; -1 when that is not known, or below its start.
  long end() const { return !known || (!isEmpty() && first < 0) ? -1 : isEmpty() ? 0 : last + 1; }

  friend Interval operator+(const Interval& a, const Interval& b) {
    Interval sum = a.combined(b);
    if (sum.isEmpty()) return sum;
    sum.known = !__builtin_add_overflow(a.first, b.first, &sum.first) &&
                !__builtin_add_overflow(a.last, b.last, &sum.last) && sum.known;
    return sum;
  }
  friend Interval operator*(const Interval& a, const Interval& b) {
    Interval product = a.combined(b);
    if (product.isEmpty()) return product;
    bool begun = false;
    for (const long one : {a.first, a.last})
      for (const long other : {b.first, b.last}) {
        long value = 0;
        if (__builtin_mul_overflow(one, other, &value)) product.known = false;
        product.first = begun && product.first < value ? product.first : value;
        product.last = begun && product.last > value ? product.last : value;
        begun = true;
      }
    return product;
  }
  friend Interval operator-(const Interval& a, const Interval& b) { return a + b * Interval(-1); }

  /// The least interval with both in it.
  Interval with(const Interval& other) const {
    Interval both = isEmpty() ? other : *this;
    both.known = known && other.known;
    if (isEmpty() || other.isEmpty()) return both;
    both.first = first < other.first ? first : other.first;
    both.last = last > other.last ? last : other.last;
    return both;
  }

  long front() const { return first; }
  long back() const { return last; }

private:
  /// Something that is known where both are, and empty where one is.
  Interval combined(const Interval& other) const {
    Interval result;
    result.known = known && other.known;
    if (!isEmpty() && !other.isEmpty()) result.last = result.first;
    return result;
  }

  long first = 1, last = 0;
  bool known = true;
};

/// What `of` gives for each number of `indices`, in one interval.
template <typename Of> Interval forEach(const Interval& indices, Of of) {
  Interval all;
  for (long index = indices.front(); index <= indices.back(); ++index)
    all = all.with(of(index));
  return all;
}

} // namespace warploom
