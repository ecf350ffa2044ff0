#include "tune/ResultLines.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace warploom {

namespace {

/// `text` as JSON has it, every byte that is no ASCII as if it were a character of Latin-1.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned{static_cast<unsigned char>(c)});
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Reads one flat object of strings and numbers. Once `failed`, values mean nothing.
class ObjectReader {
public:
  explicit ObjectReader(const std::string& text) : text(text) {}

  std::optional<std::map<std::string, std::string>> read() {
    std::map<std::string, std::string> result;
    expect('{');
    for (bool first = true; !failed && !accept('}'); first = false) {
      if (!first) expect(',');
      const std::string name = string();
      expect(':');
      result[name] = next() == '"' ? string() : word();
    }
    skip();
    return failed || at != text.size() ? std::nullopt : std::optional(result);
  }

private:
  void skip() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  char next() {
    skip();
    return at < text.size() ? text[at] : '\0';
  }
  bool accept(char wanted) {
    if (next() != wanted || wanted == '\0') return false;
    ++at;
    return true;
  }
  void expect(char wanted) { failed |= !accept(wanted); }
  std::string word() {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ' ')
      ++at;
    failed |= at == begin;
    return text.substr(begin, at - begin);
  }
  std::string string() {
    std::string result;
    expect('"');
    while (!failed && at < text.size() && text[at] != '"') {
      if (text[at] != '\\') {
        result += text[at++];
        continue;
      }
      const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
      at += 2;
      static const std::string plain = "\"\\/", from = "bfnrt", to = "\b\f\n\r\t";
      if (plain.find(kind) != std::string::npos) {
        result += kind;
      } else if (const std::size_t k = from.find(kind); k != std::string::npos) {
        result += to[k];
      } else if (kind == 'u' && at + 4 <= text.size()) {
        const long code = std::strtol(text.substr(at, 4).c_str(), nullptr, 16);
        failed |= code <= 0 || code > 0xff; // only such are written
        result += static_cast<char>(code);
        at += 4;
      } else {
        failed = true;
      }
    }
    expect('"');
    return result;
  }

  const std::string& text;
  std::size_t at = 0;
  bool failed = false;
};

/// A number that JSON has; nothing for other texts.
std::optional<double> numberIn(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end ? std::nullopt : std::optional(value);
}

std::string keyOf(const Search& search, const std::string& point) {
  return search.kernel.kernel + '\n' + search.device + '\n' + search.sizes + '\n' + search.toolkit + '\n' +
         point;
}

/// An open file, with a lock that others wait for.
class LockedFile {
public:
  explicit LockedFile(const std::filesystem::path& path)
      : descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0) fail(path);
  }
  ~LockedFile() { close(descriptor); }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  /// Adds `line`, after the end of one that was torn.
  void add(const std::string& line, const std::filesystem::path& path) {
    char last = '\n';
    const off_t end = lseek(descriptor, 0, SEEK_END);
    if (end > 0 && pread(descriptor, &last, 1, end - 1) != 1) fail(path);
    const std::string text = (last == '\n' ? "" : "\n") + line + "\n";
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t some = write(descriptor, text.data() + done, text.size() - done);
      if (some < 0 && errno != EINTR) fail(path);
      done += some > 0 ? static_cast<std::size_t>(some) : 0;
    }
    if (fsync(descriptor) != 0 && errno != EINVAL) fail(path);
  }

private:
  [[noreturn]] static void fail(const std::filesystem::path& path) {
    throw std::system_error(errno, std::generic_category(), "'" + path.string() + "' cannot be written");
  }
  const int descriptor;
};

} // namespace

std::string lineOf(const Entry& entry) {
  const Search& search = entry.search;
  const std::vector<std::pair<const char*, std::string>> fields = {
      {"kernel", quoted(search.kernel.kernel)},
      {"shape", quoted(search.kernel.shape)},
      {"extents", quoted(search.kernel.extents)},
      {"device", quoted(search.device)},
      {"sizes", quoted(search.sizes)},
      {"toolkit", quoted(search.toolkit)},
      {"point", quoted(entry.point)},
      {"outcome", quoted(outcomeText(entry.result.outcome))},
      {"milliseconds", number(entry.result.milliseconds)},
      {"spread", number(entry.result.spread)},
      {"detail", quoted(entry.result.detail)},
      {"registers", std::to_string(entry.result.resources.registers)},
      {"shared", std::to_string(entry.result.resources.sharedBytes)},
      {"spilled", std::to_string(entry.result.resources.spilledBytes)},
      {"occupancy", number(entry.result.resources.occupancy)},
      {"instances", number(entry.result.work.instances)},
      {"bytes", number(entry.result.work.bytes)},
      {"problem", quoted(entry.result.work.problem)},
      {"at", std::to_string(entry.at)}};
  std::string line;
  for (const auto& [name, value] : fields)
    line += (line.empty() ? "{" : ", ") + quoted(name) + ": " + value;
  return line + "}";
}

std::optional<Entry> entryOf(const std::string& line) {
  std::optional<std::map<std::string, std::string>> fields = ObjectReader(line).read();
  if (!fields) return std::nullopt;
  for (const char* name :
       {"kernel", "shape", "extents", "device", "sizes", "toolkit", "point", "outcome", "detail"})
    if (!fields->count(name)) return std::nullopt;
  auto& field = *fields;
  const std::optional<Outcome> outcome = outcomeCalled(field["outcome"]);
  const std::optional<double> time = numberIn(field["milliseconds"]), spread = numberIn(field["spread"]),
                              at = numberIn(field["at"]);
  if (!outcome || !time || !spread || !at || !(*time >= 0) || !(*spread >= 0)) return std::nullopt;
  // Lines that were written before these were known have none.
  const auto known = [&](const char* name) { return numberIn(field[name]).value_or(0); };
  const Resources resources = {static_cast<int>(known("registers")), static_cast<long>(known("shared")),
                               static_cast<long>(known("spilled")), known("occupancy")};
  return Entry{{{field["kernel"], field["shape"], field["extents"]},
                field["device"],
                field["sizes"],
                field["toolkit"]},
               field["point"],
               {*outcome,
                *time,
                *spread,
                field["detail"],
                resources,
                {known("instances"), known("bytes"), field["problem"]}},
               static_cast<long long>(*at)};
}

void ResultLines::readOn() {
  std::ifstream in(path, std::ios::binary);
  if (!in) return; // no one has written it yet
  in.seekg(read);
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break; // someone may be writing it
    if (const std::optional<Entry> entry = entryOf(line))
      known[keyOf(entry->search, entry->point)] = entry->result;
    read = in.tellg();
  }
}

std::optional<Result> ResultLines::find(const Search& search, const std::string& point) {
  readOn();
  const auto found = known.find(keyOf(search, point));
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

void ResultLines::record(const Search& search, const std::string& point, const Result& result) {
  LockedFile(path).add(lineOf({search, point, result, static_cast<long long>(std::time(nullptr))}), path);
}

} // namespace warploom
