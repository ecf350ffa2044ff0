#include "support/Identifiers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warploom {

namespace {

/// Sorted.
constexpr std::array words = std::to_array<std::string_view>({"BUFSIZ",        "EOF",
                                                              "EXIT_FAILURE",  "EXIT_SUCCESS",
                                                              "FILENAME_MAX",  "FOPEN_MAX",
                                                              "HUGE_VAL",      "INFINITY",
                                                              "NAN",           "NULL",
                                                              "RAND_MAX",      "SEEK_CUR",
                                                              "SEEK_END",      "SEEK_SET",
                                                              "TMP_MAX",       "alignas",
                                                              "alignof",       "and",
                                                              "and_eq",        "asm",
                                                              "assert",        "auto",
                                                              "bitand",        "bitor",
                                                              "bool",          "break",
                                                              "case",          "catch",
                                                              "char",          "char16_t",
                                                              "char32_t",      "char8_t",
                                                              "class",         "co_await",
                                                              "co_return",     "co_yield",
                                                              "compl",         "concept",
                                                              "const",         "const_cast",
                                                              "consteval",     "constexpr",
                                                              "constinit",     "continue",
                                                              "decltype",      "default",
                                                              "delete",        "do",
                                                              "double",        "dynamic_cast",
                                                              "else",          "enum",
                                                              "errno",         "explicit",
                                                              "export",        "extern",
                                                              "false",         "float",
                                                              "for",           "friend",
                                                              "goto",          "if",
                                                              "inline",        "int",
                                                              "linux",         "long",
                                                              "mutable",       "namespace",
                                                              "new",           "noexcept",
                                                              "not",           "not_eq",
                                                              "nullptr",       "offsetof",
                                                              "operator",      "or",
                                                              "or_eq",         "private",
                                                              "protected",     "public",
                                                              "register",      "reinterpret_cast",
                                                              "requires",      "restrict",
                                                              "return",        "setjmp",
                                                              "short",         "signed",
                                                              "sizeof",        "static",
                                                              "static_assert", "static_cast",
                                                              "stderr",        "stdin",
                                                              "stdout",        "struct",
                                                              "switch",        "template",
                                                              "this",          "thread_local",
                                                              "throw",         "true",
                                                              "try",           "typedef",
                                                              "typeid",        "typename",
                                                              "typeof",        "typeof_unqual",
                                                              "union",         "unix",
                                                              "unsigned",      "using",
                                                              "va_arg",        "va_copy",
                                                              "va_end",        "va_start",
                                                              "virtual",       "void",
                                                              "volatile",      "wchar_t",
                                                              "while",         "xor",
                                                              "xor_eq"});
static_assert(std::ranges::is_sorted(words));

} // namespace

bool isReserved(std::string_view word) {
  // Macros of compilers and headers: `_Bool`, `__LINE__`, `__global__`; and our own.
  if (word.size() > 1 && word[0] == '_' && std::isupper(static_cast<unsigned char>(word[1]))) return true;
  if (word.size() > 4 && word.starts_with("__") && word.ends_with("__")) return true;
  return word.starts_with("WARPLOOM_") || std::ranges::binary_search(words, word);
}

std::string Identifiers::fresh(const std::string& wish) {
  std::string name;
  for (char c : wish) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
  std::string candidate = name;
  for (int k = 2; taken.count(candidate) || isReserved(candidate); ++k)
    candidate = name + std::to_string(k);
  taken.insert(candidate);
  return candidate;
}

} // namespace warploom
