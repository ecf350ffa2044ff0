// Complex numbers as C computes with them: `float _Complex` and `double _Complex`, which CUDA's C++ has not.
// In memory they are what C has there, two numbers one after the other, and every operation gives what C's
// gives, infinities and NaNs included. Functions are found by the type of their arguments, so that a kernel
// calls them by C's names.
#pragma once

#include "warploom_reduce.h"

#include <type_traits>

namespace warploom {

template <typename T> struct Complex {
  T re, im;

  Complex() = default;
  __host__ __device__ constexpr Complex(T re, T im = T(0)) : re(re), im(im) {}
  template <typename U>
  __host__ __device__ constexpr explicit Complex(const Complex<U>& z)
      : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}

  /// As a real number it is its real part, and true unless it is zero.
  template <typename U, typename = std::enable_if_t<std::is_arithmetic_v<U>>>
  __host__ __device__ constexpr explicit operator U() const {
    return static_cast<U>(re);
  }
  __host__ __device__ constexpr explicit operator bool() const { return re != T(0) || im != T(0); }

  __host__ __device__ Complex operator+() const { return *this; }
  __host__ __device__ Complex operator-() const { return {-re, -im}; }
  __host__ __device__ Complex operator~() const { return {re, -im}; } // gcc's word for conj

  // A real operand has no imaginary part: nothing is added to one, and nothing multiplied by it.
  friend __host__ __device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend __host__ __device__ Complex operator+(Complex a, T b) { return {a.re + b, a.im}; }
  friend __host__ __device__ Complex operator+(T a, Complex b) { return {a + b.re, b.im}; }
  friend __host__ __device__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend __host__ __device__ Complex operator-(Complex a, T b) { return {a.re - b, a.im}; }
  friend __host__ __device__ Complex operator-(T a, Complex b) { return {a - b.re, -b.im}; }
  friend __host__ __device__ Complex operator*(Complex a, T b) { return {a.re * b, a.im * b}; }
  friend __host__ __device__ Complex operator*(T a, Complex b) { return {a * b.re, a * b.im}; }
  friend __host__ __device__ Complex operator/(Complex a, T b) { return {a.re / b, a.im / b}; }
  friend __host__ __device__ Complex operator/(T a, Complex b) { return Complex(a) / b; }
  friend __host__ __device__ Complex operator*(Complex a, Complex b) {
    const Complex product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return isNan(product.re) && isNan(product.im) ? productOfInfinite(a, b, product) : product;
  }
  friend __host__ __device__ Complex operator/(Complex a, Complex b) {
    const Complex quotient = plainQuotient(a, b);
    return isNan(quotient.re) && isNan(quotient.im) ? quotientOfInfinite(a, b, quotient) : quotient;
  }
  template <typename U> __host__ __device__ Complex& operator+=(U b) { return *this = *this + b; }
  template <typename U> __host__ __device__ Complex& operator-=(U b) { return *this = *this - b; }
  template <typename U> __host__ __device__ Complex& operator*=(U b) { return *this = *this * b; }
  template <typename U> __host__ __device__ Complex& operator/=(U b) { return *this = *this / b; }

  friend __host__ __device__ bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
  friend __host__ __device__ bool operator!=(Complex a, Complex b) { return !(a == b); }

  friend __host__ __device__ T creal(Complex z) { return z.re; }
  friend __host__ __device__ T cimag(Complex z) { return z.im; }
  friend __host__ __device__ Complex conj(Complex z) { return {z.re, -z.im}; }
  friend __host__ __device__ T cabs(Complex z) { return hypot(z.re, z.im); }
  friend __host__ __device__ T carg(Complex z) { return atan2(z.im, z.re); }

  friend __host__ __device__ Complex cexp(Complex z) {
    if (z.im == 0) return {exp(z.re), z.im};
    if (isInfinite(z.re) && !isFinite(z.im))
      return z.re < 0 ? Complex(0, copysign(T(0), z.im)) : Complex(z.re, z.im - z.im);
    return scaled(z.re, cos(z.im), sin(z.im));
  }
  friend __host__ __device__ Complex clog(Complex z) {
    const T larger = fmax(fabs(z.re), fabs(z.im)), smaller = fmin(fabs(z.re), fabs(z.im));
    // Near the unit circle the logarithm of a rounded modulus has few digits.
    if (larger > T(0.5) && larger < 2 && smaller < 2)
      return {log1p((larger - 1) * (larger + 1) + smaller * smaller) / 2, carg(z)};
    return {log(cabs(z)), carg(z)};
  }
  friend __host__ __device__ Complex csqrt(Complex z) {
    if (isInfinite(z.im)) return {Bounds<T>::largest, z.im};
    if (isInfinite(z.re)) {
      const T other = isNan(z.im) ? z.im : T(0);
      return z.re > 0 ? Complex(z.re, isNan(z.im) ? z.im : copysign(T(0), z.im))
                      : Complex(other, copysign(Bounds<T>::largest, z.im));
    }
    if (isNan(z.re)) return {z.re, z.re};
    if (z.im == 0)
      return z.re < 0 ? Complex(0, copysign(sqrt(-z.re), z.im)) : Complex(fabs(sqrt(z.re)), z.im);
    // By a power of four, of which the root is a power of two: nothing in between leaves the range.
    const T size = fmax(fabs(z.re), fabs(z.im));
    const T by = size > Bounds<T>::finite / 8 ? T(0.25)
                 : size < tiny() / epsilon()  ? 4 / (epsilon() * epsilon())
                                              : T(1);
    const T re = z.re * by, im = z.im * by, back = sqrt(by), modulus = hypot(re, im);
    const T root = sqrt((modulus + fabs(re)) / 2), rest = im / root / 2;
    if (re > 0) return {root / back, rest / back};
    return {fabs(rest) / back, copysign(root, im) / back};
  }
  friend __host__ __device__ Complex cpow(Complex z, Complex power) { return cexp(power * clog(z)); }
  friend __host__ __device__ Complex csinh(Complex z) {
    if (z.im == 0) return {sinh(z.re), z.im};
    if (fabs(z.re) > 2 * steep()) {
      const Complex half = scaled(fabs(z.re) - T(0.6931471805599453), cos(z.im), sin(z.im));
      return {copysign(T(1), z.re) * half.re, half.im};
    }
    return {sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im)};
  }
  friend __host__ __device__ Complex ccosh(Complex z) {
    if (z.im == 0) return {cosh(z.re), z.im * copysign(T(1), z.re)};
    if (fabs(z.re) > 2 * steep()) {
      const Complex half = scaled(fabs(z.re) - T(0.6931471805599453), cos(z.im), sin(z.im));
      return {half.re, copysign(T(1), z.re) * half.im};
    }
    return {cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im)};
  }
  friend __host__ __device__ Complex ctanh(Complex z) {
    if (fabs(z.re) > steep())
      return {copysign(T(1), z.re), isFinite(z.im) ? 4 * sin(z.im) * cos(z.im) * exp(-2 * fabs(z.re)) : T(0)};
    const T sinus = sin(z.im), cosine = cos(z.im), hyperbolic = sinh(z.re);
    const T below = hyperbolic * hyperbolic + cosine * cosine;
    return {hyperbolic * cosh(z.re) / below, sinus * cosine / below};
  }
  friend __host__ __device__ Complex csin(Complex z) { return turnedBack(csinh(turned(z))); }
  friend __host__ __device__ Complex ccos(Complex z) { return ccosh(turned(z)); }
  friend __host__ __device__ Complex ctan(Complex z) { return turnedBack(ctanh(turned(z))); }

  // What reductions need, for sums.
  friend __device__ Complex __shfl_sync(unsigned mask, Complex z, int source) {
    return {::__shfl_sync(mask, z.re, source), ::__shfl_sync(mask, z.im, source)};
  }
  friend __device__ Complex __shfl_down_sync(unsigned mask, Complex z, unsigned delta) {
    return {::__shfl_down_sync(mask, z.re, delta), ::__shfl_down_sync(mask, z.im, delta)};
  }
  friend __device__ Complex __shfl_xor_sync(unsigned mask, Complex z, int lanes, int width) {
    return {::__shfl_xor_sync(mask, z.re, lanes, width), ::__shfl_xor_sync(mask, z.im, lanes, width)};
  }
  /// Each part as one step; nobody looks at a sum before it is done.
  friend __device__ void atomicAdd(Complex* sum, Complex z) {
    ::atomicAdd(&sum->re, z.re);
    ::atomicAdd(&sum->im, z.im);
  }

private:
  static __host__ __device__ bool isNan(T x) { return x != x; }
  static __host__ __device__ bool isInfinite(T x) {
    return x == Bounds<T>::largest || x == Bounds<T>::smallest;
  }
  static __host__ __device__ bool isFinite(T x) { return x - x == 0; }
  static __host__ __device__ bool isInfinite(Complex z) { return isInfinite(z.re) || isInfinite(z.im); }
  static __host__ __device__ bool isFinite(Complex z) { return isFinite(z.re) && isFinite(z.im); }
  static __host__ __device__ constexpr T tiny() { return Bounds<T>::tiny; }
  static __host__ __device__ constexpr T epsilon() { return Bounds<T>::epsilon; }
  /// From where on hyperbolic functions are half an exponential, and soon leave the range.
  static __host__ __device__ constexpr T steep() { return sizeof(T) == 4 ? T(44) : T(354); }

  static __host__ __device__ Complex turned(Complex z) { return {-z.im, z.re}; }
  static __host__ __device__ Complex turnedBack(Complex z) { return {z.im, -z.re}; }

  /// exp(by) times a number whose parts are at most 1, where exp(by) alone may leave the range.
  static __host__ __device__ Complex scaled(T by, T re, T im) {
    if (!(fabs(by) > 2 * steep())) return {exp(by) * re, exp(by) * im};
    const T root = exp(by / 2);
    return {root * re * root, root * im * root};
  }

  /// 1 where a part is infinite, else 0, with its sign.
  static __host__ __device__ Complex direction(Complex z) {
    return {copysign(isInfinite(z.re) ? T(1) : T(0), z.re), copysign(isInfinite(z.im) ? T(1) : T(0), z.im)};
  }
  /// Zeros instead of what is no number.
  static __host__ __device__ Complex numbers(Complex z) {
    return {isNan(z.re) ? copysign(T(0), z.re) : z.re, isNan(z.im) ? copysign(T(0), z.im) : z.im};
  }
  /// An infinite factor makes the product infinite, whatever its parts are (C, annex G). `product`: what came
  /// out.
  static __host__ __device__ Complex productOfInfinite(Complex a, Complex b, Complex product) {
    bool infinite = isInfinite(a.re * b.re) || isInfinite(a.im * b.im) || isInfinite(a.re * b.im) ||
                    isInfinite(a.im * b.re);
    if (isInfinite(a) || isInfinite(b)) {
      const bool left = isInfinite(a), right = isInfinite(b);
      if (left) a = direction(a), b = numbers(b);
      if (right) b = direction(b), a = numbers(a);
    } else if (infinite) {
      a = numbers(a), b = numbers(b);
    } else {
      return product;
    }
    return {Bounds<T>::largest * (a.re * b.re - a.im * b.im),
            Bounds<T>::largest * (a.re * b.im + a.im * b.re)};
  }
  /// The same of a quotient: by zero it is infinite, by what is infinite zero.
  static __host__ __device__ Complex quotientOfInfinite(Complex a, Complex b, Complex quotient) {
    T by = Bounds<T>::largest;
    if (b.re == 0 && b.im == 0 && (!isNan(a.re) || !isNan(a.im)))
      return {copysign(by, b.re) * a.re, copysign(by, b.re) * a.im};
    if (isInfinite(a) && isFinite(b)) {
      a = direction(a);
    } else if (isInfinite(b) && isFinite(a)) {
      b = direction(b);
      by = 0;
    } else {
      return quotient;
    }
    return {by * (a.re * b.re + a.im * b.im), by * (a.im * b.re - a.re * b.im)};
  }

  /// a / b; both are left as they were scaled for that. By Smith's method, and in the range of the numbers
  /// wherever the quotient is (Baudin and Smith, "A robust complex division", 2012). A quotient of floats is
  /// one of doubles, which has that range.
  static __host__ __device__ Complex plainQuotient(Complex& a, Complex& b) {
    if constexpr (sizeof(T) == 4) {
      const double re = b.re, im = b.im, below = re * re + im * im;
      return {static_cast<T>((a.re * re + a.im * im) / below),
              static_cast<T>((a.im * re - a.re * im) / below)};
    } else {
      const T half = Bounds<T>::finite / 2, least = tiny(), largest = half * epsilon();
      const T size = fmax(fabs(b.re), fabs(b.im)), above = fmax(fabs(a.re), fabs(a.im));
      T by = 1;
      if (size >= half)
        by = T(0.5);
      else if (size < epsilon() ||
               (fmin(fabs(a.re), fabs(a.im)) < least && above < largest && size < largest))
        by = 1 / epsilon();
      a = a * by;
      b = b * by;
      const bool turn = fabs(b.re) < fabs(b.im);
      const T major = turn ? b.im : b.re, minor = turn ? b.re : b.im;
      const T first = turn ? a.im : a.re, second = turn ? a.re : a.im; // of the parts of `a`
      const T ratio = minor / major, below = minor * ratio + major;
      const bool exact = fabs(ratio) > least; // else it has lost digits
      const T re = exact ? second * ratio + first : minor * (second / major) + first;
      const T im = exact ? first * ratio : minor * (first / major);
      return {re / below, (turn ? im - second : second - im) / below};
    }
  }
};

/// `i`, or a multiple of it.
template <typename T> __host__ __device__ constexpr Complex<T> imaginary(T x) {
  return {T(0), x};
}

} // namespace warploom
