// Generated text: lines with indentation that follows the braces.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace warploom {

/// True when the identifier `name` stands in `text`, not as a part of a longer one.
bool mentions(std::string_view text, std::string_view name);

/// Collects the lines of a generated file. A level of indentation is two blanks.
class TextWriter {
public:
  /// `wrap`: long lines of code are broken. Text that goes into another writer is broken there.
  explicit TextWriter(bool wrap = true) : wraps(wrap) {}

  /// One line; an empty one stays empty. Code beyond 110 columns is continued on further lines, broken at
  /// blanks.
  void line(const std::string& text = "");
  template <typename... A> void line(fmt::format_string<A...> format, A&&... arguments) {
    line(fmt::format(format, std::forward<A>(arguments)...));
  }
  /// `// text`, broken into lines of at most `width` characters at blanks.
  void comment(const std::string& text, std::size_t width = 110);
  /// Several lines as they are, each indented.
  void lines(const std::string& text);

  /// A line that ends in an opening brace, and the one that closes it.
  void open(const std::string& text) {
    line(text.empty() ? "{" : text + " {");
    ++depth;
  }
  template <typename... A> void open(fmt::format_string<A...> format, A&&... arguments) {
    open(fmt::format(format, std::forward<A>(arguments)...));
  }
  void close(const std::string& after = "") {
    --depth;
    line("}" + after);
  }
  /// `} text {`
  void reopen(const std::string& text) {
    --depth;
    line("} " + text + " {");
    ++depth;
  }
  void indent() { ++depth; }
  void unindent() { --depth; }

  const std::string& text() const { return out; }

private:
  const bool wraps;
  std::string out;
  int depth = 0;
};

} // namespace warploom
