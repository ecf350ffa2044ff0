#include "MatrixMarket.h"

#include "Error.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace warploom::la {

namespace {

/// The words of a line.
std::vector<std::string_view> wordsOf(std::string_view line) {
  constexpr std::string_view blank = " \t\r\v\f";
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blank, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blank, end);
  }
  return words;
}

std::string contentsOf(const std::string& name) {
  struct stat about{};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (!file || fstat(fileno(file.get()), &about) != 0)
    throw Error(RT_BAD_FILE, "cannot read '" + name + "': " + std::strerror(errno));
  if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
    throw Error(RT_BAD_FILE, "'" + name + "' is no file");
  checkMemory(static_cast<double>(about.st_size));
  std::string text;
  char part[1 << 16];
  while (std::size_t length = std::fread(part, 1, sizeof part, file.get())) {
    checkMemory(static_cast<double>(text.size() + length));
    text.append(part, length);
  }
  if (std::ferror(file.get()))
    throw Error(RT_BAD_FILE, "cannot read '" + name + "': " + std::strerror(errno));
  return text;
}

/// Reads one file, line by line.
template <class T> class Reader {
public:
  explicit Reader(const std::string& file) : name(file), text(contentsOf(file)) {}

  Coordinates<T> read() {
    readHeader();
    std::vector<std::string_view> sizes = nextLine();
    if (sizes.size() != (array ? 2 : 3))
      fail(array ? "the line of sizes has two numbers" : "the line of sizes has three numbers");
    result.m = size(sizes[0], "rows");
    result.n = size(sizes[1], "columns");
    if (symmetry != General && result.m != result.n) fail("a symmetric matrix has as many rows as columns");
    if (array)
      readArray();
    else
      readCoordinates(integer(sizes[2], 0, INT_MAX, "the number of entries"));
    if (!nextLine().empty()) fail("there are more entries than the header says");
    try {
      sortCoordinates(result);
    } catch (const Error& error) {
      throw Error(error.status == RT_INVALID_VALUE ? RT_BAD_FILE : error.status,
                  "'" + name + "': " + error.what());
    }
    return std::move(result);
  }

private:
  enum Field { Real, Integer, Pattern };
  enum Symmetry { General, Symmetric, Skew };

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(RT_BAD_FILE, "'" + name + "', line " + std::to_string(line) + ": " + what);
  }

  std::string_view rawLine() {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view taken(text.data() + at, end - at);
    at = std::min(end + 1, text.size());
    ++line;
    return taken;
  }

  /// The words of the next line that has any and is no comment; none at the end of the file.
  std::vector<std::string_view> nextLine() {
    while (at < text.size()) {
      std::vector<std::string_view> words = wordsOf(rawLine());
      if (!words.empty() && !words[0].starts_with('%')) return words;
    }
    return {};
  }

  void readHeader() {
    std::string first(rawLine());
    std::transform(first.begin(), first.end(), first.begin(),
                   [](unsigned char c) { return c < 128 ? static_cast<char>(std::tolower(c)) : '?'; });
    std::vector<std::string_view> words = wordsOf(first);
    if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
      fail("no Matrix Market file: it begins with '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    if (words[2] != "coordinate" && words[2] != "array") fail("the format is coordinate or array");
    array = words[2] == "array";
    if (words[3] == "complex" || words[4] == "hermitian") fail("complex matrices are not supported");
    if (words[3] == "real" || words[3] == "double")
      field = Real;
    else if (words[3] == "integer")
      field = Integer;
    else if (words[3] == "pattern" && !array)
      field = Pattern;
    else
      fail("the field is real, integer or, for coordinates, pattern");
    if (words[4] == "general")
      symmetry = General;
    else if (words[4] == "symmetric")
      symmetry = Symmetric;
    else if (words[4] == "skew-symmetric" && field != Pattern)
      symmetry = Skew;
    else
      fail("the symmetry is general, symmetric or, where there are values, skew-symmetric");
  }

  int integer(std::string_view word, int low, int high, const std::string& what) const {
    if (word.starts_with('+')) word.remove_prefix(1);
    int value = 0;
    const char* end = word.data() + word.size();
    auto [stopped, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc::result_out_of_range) fail(what + " is too large");
    if (error != std::errc() || stopped != end) fail(what + " is no whole number");
    if (value < low || value > high)
      fail(what + " is not between " + std::to_string(low) + " and " + std::to_string(high));
    return value;
  }

  int size(std::string_view word, const char* what) const {
    return integer(word, 1, INT_MAX, std::string("the number of ") + what);
  }

  T value(std::string_view word) const {
    if (field == Integer && word.find_first_not_of("+-0123456789") != std::string_view::npos)
      fail("the value is no whole number");
    if (word.starts_with('+')) word.remove_prefix(1);
    T number = 0;
    const char* end = word.data() + word.size();
    auto [stopped, error] = std::from_chars(word.data(), end, number);
    if (error == std::errc::result_out_of_range && stopped == end) {
      const std::size_t exponent = word.find_first_of("eE");
      if (exponent != std::string_view::npos && word.substr(exponent + 1).starts_with('-')) return 0;
      fail("the value is too large");
    }
    if (error != std::errc() || stopped != end || !std::isfinite(number)) fail("the value is no number");
    return number;
  }

  void add(int row, int column, T value) {
    result.rows.push_back(row);
    result.columns.push_back(column);
    result.values.push_back(value);
    if (symmetry == General || row == column) return;
    result.rows.push_back(column);
    result.columns.push_back(row);
    result.values.push_back(symmetry == Skew ? -value : value);
  }

  void readCoordinates(int count) {
    // The shortest entry is "1 1" and the end of its line.
    if (static_cast<std::size_t>(count) > (text.size() - at + 1) / 4)
      fail("the file is too short for " + std::to_string(count) + " entries");
    for (int k = 0; k < count; ++k) {
      std::vector<std::string_view> words = nextLine();
      if (words.empty())
        fail("the file ends after " + std::to_string(k) + " of " + std::to_string(count) + " entries");
      if (words.size() != (field == Pattern ? 2 : 3))
        fail(field == Pattern ? "an entry is a row and a column" : "an entry is a row, a column and a value");
      const int row = integer(words[0], 1, result.m, "the row") - 1,
                column = integer(words[1], 1, result.n, "the column") - 1;
      if (symmetry != General && row < column) fail("a symmetric matrix is given by its lower half");
      if (symmetry == Skew && row == column) fail("a skew-symmetric matrix has no diagonal");
      add(row, column, field == Pattern ? T(1) : value(words[2]));
    }
  }

  /// Column by column; zeros are no entries.
  void readArray() {
    const double half = static_cast<double>(result.m) * (symmetry == General ? result.n : result.m / 2);
    if (half > static_cast<double>(text.size())) fail("the file is too short for that many values");
    for (int column = 0; column < result.n; ++column)
      for (int row = symmetry == General     ? 0
                     : symmetry == Symmetric ? column
                                             : column + 1;
           row < result.m; ++row) {
        std::vector<std::string_view> words = nextLine();
        if (words.empty()) fail("the file ends before all values are there");
        if (words.size() != 1) fail("a line of an array has one value");
        if (const T element = value(words[0]); element != 0) add(row, column, element);
      }
  }

  const std::string name;
  const std::string text;
  std::size_t at = 0, line = 0;
  bool array = false;
  Field field = Real;
  Symmetry symmetry = General;
  Coordinates<T> result;
};

} // namespace

template <class T> Coordinates<T> readMatrixMarket(const std::string& file) {
  return Reader<T>(file).read();
}

template <class T> void writeMatrixMarket(const std::string& file, const Coordinates<T>& matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(matrix.m) + " " +
                     std::to_string(matrix.n) + " " + std::to_string(matrix.count()) + "\n";
  for (std::size_t p = 0; p < matrix.count(); ++p) {
    char number[64];
    auto end = std::to_chars(number, number + sizeof number, matrix.values[p]).ptr;
    text += std::to_string(matrix.rows[p] + 1) + " " + std::to_string(matrix.columns[p] + 1) + " ";
    text.append(number, end);
    text += '\n';
  }
  std::string temporary = file + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  std::FILE* out = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
  bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  written = out && std::fclose(out) == 0 && written;
  if (written && chmod(temporary.c_str(), 0644) == 0 && std::rename(temporary.c_str(), file.c_str()) == 0)
    return;
  const std::string cause = std::strerror(errno);
  if (descriptor >= 0) unlink(temporary.c_str());
  throw Error(RT_BAD_FILE, "cannot write '" + file + "': " + cause);
}

template Coordinates<float> readMatrixMarket(const std::string&);
template Coordinates<double> readMatrixMarket(const std::string&);
template void writeMatrixMarket(const std::string&, const Coordinates<float>&);
template void writeMatrixMarket(const std::string&, const Coordinates<double>&);

} // namespace warploom::la
