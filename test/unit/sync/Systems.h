// Systems that several tests share: the worked examples of the specification, written as AIF.
#pragma once

#include "sync/reader/Aif.h"

#include <fmt/format.h>

namespace warploom::sync {

/// E1: the n x n matrix product, assigned in every step.
inline System matrixProduct(int n) {
  std::string init, main, assertions;
  int number = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      std::string sum;
      for (int k = 0; k < n; ++k)
        sum += fmt::format("{}a[{}][{}]*b[{}][{}]", k ? " + " : "", r, k, k, c);
      init += fmt::format("    true => out[{}][{}] = {}\n", r, c, sum);
      main += fmt::format("    __ell0 => out[{}][{}] = {}\n", r, c, sum);
      assertions += fmt::format("    __ell0 => __rte{} : assert {} < 32 & -32 <= {}\n", number++, sum, sum);
    }
  return readAif(fmt::format(
      "version: v2_0_alpha\ntimestamp: Mon May 31 12:00:00 2010\nsystem MatrixMul:\ninterface:\n"
      "  a: input int{{32}}[{0}][{0}]\n  b: input int{{32}}[{0}][{0}]\n"
      "  out: output memorized int{{32}}[{0}][{0}]\nlocals:\n  __ell0: label bool\n"
      "abbreviations:\ninit:\n  control flow:\n    true => next(__ell0) = true\n  data flow:\n{1}"
      "  assertions:\nmain:\n  control flow:\n    __ell0 => next(__ell0) = true\n  data flow:\n{2}"
      "  assertions:\n{3}absence reactions:\ninvar: true\nspecifications:\n",
      n, init, main, assertions));
}

/// E2: MyModule. The locals are made outputs where `observable`, so that traces show them.
inline System myModule(bool observable = false) {
  const std::string locals = observable ? ""
                                        : "  a: local memorized bool\n  b: local memorized bool\n"
                                          "  c: local memorized int{32}\n  d: local memorized int{32}\n"
                                          "  e: local memorized int{32}\n  f: local memorized int{32}\n";
  const std::string outputs = observable ? "  a: output memorized bool\n  b: output memorized bool\n"
                                           "  c: output memorized int{32}\n  d: output memorized int{32}\n"
                                           "  e: output memorized int{32}\n  f: output memorized int{32}\n"
                                         : "";
  return readAif("system MyModule:\ninterface:\n  trigger: input bool\n" + outputs +
                 "locals:\n  __ell0: label bool\n  __ell1: label bool\n" + locals +
                 R"(abbreviations:
init:
  control flow:
    true => next(__ell0) = true
  data flow:
    a => c = 5
    !a => c = 3
    trigger => d = 2
    !trigger => d = 4
    true => a = true
  assertions:
main:
  control flow:
    __ell1 => next(__ell0) = true
    __ell0 => next(__ell1) = true
  data flow:
    __ell1 & a => c = 5
    __ell1 & !a => c = 3
    __ell1 & trigger => d = 2
    __ell1 & !trigger => d = 4
    __ell1 => a = true
    __ell0 => e = c
    __ell0 => b = trigger & a
  assertions:
absence reactions:
invar:
specifications:
)");
}

/// E3: five threads of which the first and the last are alike.
inline System comparison() {
  std::string inputs;
  for (const char* name : {"a", "b", "g", "w", "u", "i", "j"})
    inputs += fmt::format("  {}: input bool\n", name);
  for (const char* name : {"c", "d", "o", "k"})
    inputs += fmt::format("  {}: input int{{32}}\n", name);
  for (const char* name : {"e", "f", "h", "z", "r", "l", "m"})
    inputs += fmt::format("  {}: output memorized int{{256}}\n", name);
  // T2 defines h and T3 reads it; in the listing they are compared as threads of their own, so T3 reads h0
  // here.
  inputs += "  h0: input int{32}\n  p: output memorized int{256}\n";
  return readAif("system Comparison:\ninterface:\n" + inputs + R"(locals:
init:
main:
  data flow:
    a & !b => e = c + 5 - d
    b => f = e + 5
    g & !w => h = c + 5 - o
    u => p = h0 + 5 - d
    p == 1 => z = c + 6 - o
    g & !w => r = c - o + 5
    i & !j => l = k + 5 - d
    g => m = l + 5
)");
}

} // namespace warploom::sync
