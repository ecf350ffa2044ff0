#include "tune/Expression.h"

#include <cctype>
#include <charconv>

namespace warploom {

namespace {

/// Reads an expression from left to right. Once `failed`, values mean nothing.
class Reader {
public:
  Reader(const std::string& text, const ValueOf& names) : text(text), names(names) {}

  std::optional<long> read() {
    const long value = sum();
    skip();
    return failed || at != text.size() ? std::nullopt : std::optional(value);
  }

private:
  void skip() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  char sign(const char* wanted) {
    skip();
    if (at == text.size() || std::string(wanted).find(text[at]) == std::string::npos) return 0;
    return text[at++];
  }
  long combine(char how, long a, long b) {
    long result = 0;
    if (how == '+')
      failed |= __builtin_add_overflow(a, b, &result);
    else if (how == '-')
      failed |= __builtin_sub_overflow(a, b, &result);
    else if (how == '*')
      failed |= __builtin_mul_overflow(a, b, &result);
    else if (b == 0 || b == -1) // a remainder by -1 may overflow, and no size is negative
      failed = true;
    else
      result = how == '/' ? a / b : a % b;
    return result;
  }
  long sum() {
    long value = product();
    while (char how = sign("+-"))
      value = combine(how, value, product());
    return value;
  }
  long product() {
    long value = factor();
    while (char how = sign("*/%"))
      value = combine(how, value, factor());
    return value;
  }
  long factor() {
    if (failed) return 0;
    if (sign("(")) {
      if (++depth > 100) failed = true;
      const long value = sum();
      --depth;
      if (!sign(")")) failed = true;
      return value;
    }
    skip();
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    const std::string word = text.substr(at, end - at);
    at = end;
    if (word.empty()) {
      failed = true;
    } else if (std::isdigit(static_cast<unsigned char>(word[0]))) {
      long value = 0;
      const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      failed |= error != std::errc() || last != word.data() + word.size();
      return value;
    } else if (const std::optional<long> value = names(word)) {
      return *value;
    } else {
      failed = true;
    }
    return 0;
  }

  const std::string& text;
  const ValueOf& names;
  std::size_t at = 0;
  int depth = 0;
  bool failed = false;
};

} // namespace

std::optional<long> valueOf(const std::string& text, const ValueOf& names) {
  return Reader(text, names).read();
}

} // namespace warploom
