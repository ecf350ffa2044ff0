#include "support/Identifiers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warploom {

namespace {

/// Sorted.
constexpr std::array words = std::to_array<std::string_view>({"BUFSIZ",
                                                              "CSIGNAL",
                                                              "CUDARTAPI",
                                                              "EOF",
                                                              "EXIT_FAILURE",
                                                              "EXIT_SUCCESS",
                                                              "FILENAME_MAX",
                                                              "FOPEN_MAX",
                                                              "HUGE_VAL",
                                                              "INFINITY",
                                                              "MAXFLOAT",
                                                              "MAXNAMLEN",
                                                              "MINSIGSTKSZ",
                                                              "NAN",
                                                              "NFDBITS",
                                                              "NGREG",
                                                              "NSIG",
                                                              "NULL",
                                                              "NZERO",
                                                              "RAND_MAX",
                                                              "SEEK_CUR",
                                                              "SEEK_END",
                                                              "SEEK_SET",
                                                              "SELFMAG",
                                                              "TMP_MAX",
                                                              "WCONTINUED",
                                                              "WEOF",
                                                              "WEXITED",
                                                              "WNOHANG",
                                                              "WNOWAIT",
                                                              "WSTOPPED",
                                                              "WUNTRACED",
                                                              "alignas",
                                                              "alignof",
                                                              "and",
                                                              "and_eq",
                                                              "asm",
                                                              "assert",
                                                              "auto",
                                                              "bitand",
                                                              "bitor",
                                                              "bool",
                                                              "break",
                                                              "case",
                                                              "catch",
                                                              "char",
                                                              "char16_t",
                                                              "char32_t",
                                                              "char8_t",
                                                              "class",
                                                              "co_await",
                                                              "co_return",
                                                              "co_yield",
                                                              "compl",
                                                              "concept",
                                                              "const",
                                                              "const_cast",
                                                              "consteval",
                                                              "constexpr",
                                                              "constinit",
                                                              "continue",
                                                              "d_fileno",
                                                              "decltype",
                                                              "default",
                                                              "delete",
                                                              "do",
                                                              "double",
                                                              "dynamic_cast",
                                                              "else",
                                                              "enum",
                                                              "errno",
                                                              "explicit",
                                                              "export",
                                                              "extern",
                                                              "false",
                                                              "float",
                                                              "for",
                                                              "friend",
                                                              "goto",
                                                              "if",
                                                              "inline",
                                                              "int",
                                                              "linux",
                                                              "long",
                                                              "math_errhandling",
                                                              "mutable",
                                                              "namespace",
                                                              "new",
                                                              "noexcept",
                                                              "not",
                                                              "not_eq",
                                                              "nullptr",
                                                              "offsetof",
                                                              "operator",
                                                              "or",
                                                              "or_eq",
                                                              "private",
                                                              "protected",
                                                              "public",
                                                              "register",
                                                              "reinterpret_cast",
                                                              "requires",
                                                              "restrict",
                                                              "return",
                                                              "sched_priority",
                                                              "setjmp",
                                                              "short",
                                                              "sigcontext_struct",
                                                              "signed",
                                                              "sizeof",
                                                              "static",
                                                              "static_assert",
                                                              "static_cast",
                                                              "stderr",
                                                              "stdin",
                                                              "stdout",
                                                              "struct",
                                                              "switch",
                                                              "template",
                                                              "this",
                                                              "thread_local",
                                                              "throw",
                                                              "true",
                                                              "try",
                                                              "typedef",
                                                              "typeid",
                                                              "typename",
                                                              "typeof",
                                                              "typeof_unqual",
                                                              "union",
                                                              "unix",
                                                              "unsigned",
                                                              "using",
                                                              "va_arg",
                                                              "va_copy",
                                                              "va_end",
                                                              "va_start",
                                                              "virtual",
                                                              "void",
                                                              "volatile",
                                                              "wchar_t",
                                                              "while",
                                                              "xor",
                                                              "xor_eq"});
static_assert(std::ranges::is_sorted(words));

} // namespace

bool isReserved(std::string_view word) {
  // Macros of compilers and headers: `_Bool`, `__LINE__`, `__global__`; and our own.
  if (word.size() > 1 && word[0] == '_' && std::isupper(static_cast<unsigned char>(word[1]))) return true;
  if (word.size() > 4 && word.starts_with("__") && word.ends_with("__")) return true;
  return word.starts_with("WARPLOOM_") || std::ranges::binary_search(words, word);
}

bool mayBeMacro(std::string_view word) {
  if (word.starts_with("__")) {
    // Names that synchronous compilers, ours too, give to variables.
    const auto ours = {"__ell", "__init", "__tmp", "__came_", "__brought_", "__at_", "__undefined_"};
    return std::ranges::none_of(ours, [&](const char* prefix) { return word.starts_with(prefix); });
  }
  auto capital = [](char c) {
    return std::isupper(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c));
  };
  const std::size_t capitals = std::size_t(std::ranges::find_if_not(word, capital) - word.begin());
  if (word.empty() || !std::isupper(static_cast<unsigned char>(word[0]))) {
    for (std::string_view family : {"si_", "sa_", "sigev_"})
      if (word.starts_with(family)) return true;
    return word.size() > 4 && word.starts_with("cuda") && capital(word[4]);
  }
  if (capitals < word.size()) return word[capitals] == '_';
  return word.size() > 1 && (word[0] == 'E' || word.starts_with("SIG") || word.starts_with("SNAN"));
}

bool mentionsWord(std::string_view text, std::string_view word) {
  auto isWord = [&](std::size_t k) {
    return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (!isWord(at + word.size()) && !(at > 0 && isWord(at - 1))) return true;
  return false;
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
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || isReserved(name + "2"))
    name = "v" + name; // no number makes `_Bool` ours
  std::string candidate = name;
  for (int k = 2; taken.count(candidate) || isReserved(candidate); ++k)
    candidate = name + std::to_string(k);
  taken.insert(candidate);
  return candidate;
}

} // namespace warploom
