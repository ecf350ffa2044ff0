#include "emit/HostText.h"

#include "support/Failure.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <regex>

namespace warploom {

SourceText::SourceText(const FileRegions& file)
    : file(file), source(file.source), tokens(cTokens(file.source)) {}

std::vector<GlobalText> SourceText::globals(bool hasLaunchers) const {
  // Behind the line, a comment at its end included.
  std::size_t head = endOfHead();
  head = head == 0 ? 0 : std::min(source.find('\n', head), source.size() - 1) + 1;
  return globalTexts(file, tokens, head, hasLaunchers);
}

std::string_view SourceText::textOf(const CToken& token) const {
  return std::string_view(source).substr(token.begin, token.end - token.begin);
}

bool SourceText::isSign(const CToken& token, char sign) const {
  return token.kind == CToken::Kind::Sign && source[token.begin] == sign;
}

/// What stands after `word` and blanks in `text`, when that is how it begins; else nothing.
static std::optional<std::string_view> after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::optional<std::string_view> SourceText::pragma(const CToken& token) const {
  if (token.kind != CToken::Kind::Directive) return std::nullopt;
  return after(*after(textOf(token), "#"), "pragma");
}

/// That its text cannot be wrapped, and why.
static RegionText refuse(const std::string& reason) {
  RegionText refused;
  refused.refused = reason;
  return refused;
}

RegionText SourceText::locate(const Region& region) const {
  if (!region.fixedText.empty()) return refuse(region.fixedText);
  RegionText result = locate(region.range);
  if (result.refused.empty() && !result.inList && !region.variables.empty())
    return refuse("it declares `" + region.variables.front().name + "` where only one statement may stand");
  return result;
}

RegionText SourceText::locate(const Repetition& loop) const {
  for (const CToken& token : tokens)
    if (token.begin >= loop.range.begin && token.end <= loop.range.end &&
        token.kind == CToken::Kind::Directive && !pragma(token))
      return refuse("preprocessor lines choose a part of it");
  return locate(loop.range);
}

RegionText SourceText::locate(const SourceRange& range) const {
  auto byBegin = [](const CToken& token, std::size_t offset) { return token.begin < offset; };
  auto first = std::lower_bound(tokens.begin(), tokens.end(), range.begin, byBegin);
  auto next = std::lower_bound(first, tokens.end(), range.end, byBegin);
  if (first == next || first->begin != range.begin || (next - 1)->end != range.end)
    return refuse("its text is not made of whole tokens of the file");

  RegionText result;
  result.begin = range.begin;
  result.end = range.end;
  // Clang's statements end before their semicolon.
  if (next != tokens.end() && isSign(*next, ';')) result.end = (next++)->end;

  // Pragmas that speak of its first loop must stay right before that loop.
  auto previous = first;
  bool conditional = false, marked = false;
  while (previous != tokens.begin() && (previous - 1)->kind == CToken::Kind::Directive) {
    --previous;
    std::optional<std::string_view> words = pragma(*previous);
    marked = marked || (words && (words->starts_with("scop") || words->starts_with("endscop")));
    conditional = conditional || !words;
    if (!words || marked) continue;
    if (conditional) return refuse("a preprocessor line stands between the loop and its `#pragma`");
    result.begin = previous->begin;
    result.ownLine = true;
  }
  if (previous == tokens.begin()) return refuse("nothing stands before it");
  --previous;
  if (isSign(*previous, ']')) return refuse("an attribute stands right before it");
  if (isSign(*previous, ')') && previous - tokens.begin() >= 3 && textOf(*(previous - 3)) == "_Pragma")
    return refuse("a `_Pragma` stands right before it");

  // Inside an inactive branch of a conditional anything may stand, so such neighbours prove nothing.
  bool afterStatement = isSign(*previous, ';') || isSign(*previous, '{') || isSign(*previous, '}');
  while (next != tokens.end() && next->kind == CToken::Kind::Directive)
    ++next;
  bool beforeElse = next != tokens.end() && textOf(*next) == "else";
  result.inList = afterStatement && !conditional && !beforeElse;
  return result;
}

std::size_t SourceText::endOfHead() const {
  std::size_t end = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  int depth = 0;
  for (const CToken& token : tokens) {
    if (token.kind != CToken::Kind::Directive) break;
    std::string_view text = *after(textOf(token), "#");
    if (text.starts_with("if")) ++depth;
    if (text.starts_with("endif")) --depth;
    if (depth <= 0) end = token.end;
  }
  return end;
}

namespace {

/// `text` as a C string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

bool mentions(const std::string& text, const std::string& word) {
  std::vector<CToken> tokens = cTokens(text);
  return std::any_of(tokens.begin(), tokens.end(), [&](const CToken& token) {
    return text.compare(token.begin, token.end - token.begin, word) == 0;
  });
}

class HostWriter {
public:
  HostWriter(const FileRegions& file, const GeneratedProgram& program, HostMode mode, std::string header)
      : file(file), program(program), mode(mode), header(std::move(header)), source(file),
        newline(file.source.find("\r\n") == std::string::npos ? "\n" : "\r\n") {}

  std::string write() {
    std::vector<const GeneratedRegion*> mapped;
    for (const GeneratedRegion& region : program.regions)
      if (region.refused.empty()) mapped.push_back(&region);
    const auto globals =
        mode == HostMode::Guarded ? source.globals(!mapped.empty()) : std::vector<GlobalText>();
    const std::vector<const Repetition*> repeated =
        mode == HostMode::Guarded ? repetitionsAround(mapped) : std::vector<const Repetition*>();
    if (mapped.empty() && globals.empty() && repeated.empty()) return file.source;

    std::vector<Wrapped> wrapped;
    // A loop that returns cannot run a second time to be compared.
    if (mode == HostMode::Verify)
      std::erase_if(mapped, [&](const GeneratedRegion* region) { return returnOf(*region) != nullptr; });
    for (const GeneratedRegion* region : mapped) {
      RegionText text = source.locate(*region->region);
      if (!text.refused.empty())
        throw Failure(region->region->name(), "its text cannot be wrapped: " + text.refused);
      wrapped.push_back({text, wrap(*region, text.inList)});
    }
    const std::string guard = mapped.empty() ? "if (warploom_loopBegins) " : ""; // nobody may define it
    for (const Repetition* loop : repeated)
      wrapped.push_back(
          {source.locate(*loop),
           {fmt::format("{{ {}warploom_loopBegins({}, {});", guard, loop->count, loop->mayEndSooner ? 1 : 0),
            fmt::format("{}warploom_loopEnds(); }}", guard)}});
    // They nest or are disjoint. Of two that begin at the same place the longer is the outer one.
    std::sort(wrapped.begin(), wrapped.end(), [](const Wrapped& a, const Wrapped& b) {
      return a.text.begin < b.text.begin || (a.text.begin == b.text.begin && a.text.end > b.text.end);
    });
    std::vector<std::pair<std::size_t, std::string>> openings, closings;
    for (auto& [text, around] : wrapped) {
      openings.emplace_back(text.begin,
                            around.open + (text.ownLine ? newline + lineDirective(text.begin) : " "));
      // A statement behind a loop's body looks as if it belonged to it, and compilers warn.
      const bool braces = around.close.starts_with('}');
      closings.emplace_back(text.end, braces ? ' ' + around.close
                                             : newline + around.close + newline + lineDirective(text.end));
    }
    // A multimap keeps the order of what comes to one place: what is inside closes first, then the next one
    // opens.
    insertions.insert(closings.rbegin(), closings.rend());
    if (!mapped.empty() || !repeated.empty()) insertHead(mapped, !repeated.empty());
    // Behind the prototypes, whose parameters have the arrays' names. Both forms of a region have to find the
    // arrays where they were, so `verify` leaves them there.
    for (const GlobalText& global : globals)
      if (global.refused.empty())
        insertions.emplace(global.offset, global.text + lineDirective(global.offset));
    insertions.insert(openings.begin(), openings.end());
    std::string result;
    std::size_t done = 0;
    for (const auto& [offset, text] : insertions) {
      result.append(file.source, done, offset - done);
      result += text;
      done = offset;
    }
    return result.append(file.source, done);
  }

private:
  struct Around {
    std::string open, close;
  };
  struct Wrapped {
    RegionText text;
    Around around;
  };

  /// The loops that repeat regions, as far as this file tells.
  std::vector<const Repetition*> repetitionsAround(const std::vector<const GeneratedRegion*>& mapped) const {
    std::vector<const Repetition*> result;
    for (const Repetition& loop : file.repetitions) {
      bool repeats = loop.callsOtherFiles, isInside = false;
      for (const GeneratedRegion* region : mapped) {
        const SourceRange& range = region->region->range;
        isInside = isInside || (range.begin <= loop.range.begin && loop.range.end <= range.end);
        repeats = repeats || (loop.range.begin <= range.begin && range.end <= loop.range.end) ||
                  loop.calls.count(region->region->function) > 0;
      }
      if (repeats && !isInside && source.locate(loop).refused.empty()) result.push_back(&loop);
    }
    return result;
  }

  bool isCplusplus() const {
    const std::string extension = std::filesystem::path(file.file).extension().string();
    return extension != ".c" && extension != ".mf";
  }

  /// True when the file is compiled for the threads of OpenMP.
  bool usesOpenMp() const {
    return std::any_of(file.flags.begin(), file.flags.end(), [](const std::string& flag) {
      return flag == "-fopenmp" || flag.starts_with("-fopenmp=");
    });
  }

  /// The line that says that the text from `offset` on is the user's, or what it says itself that it is.
  std::string lineDirective(std::size_t offset) const {
    long line = 1;
    std::string name = quoted(file.file);
    std::size_t counted = 0;
    for (std::size_t at = offset; at > 0;) {
      at = file.source.rfind('\n', at - 1);
      const std::size_t begin = at == std::string::npos ? 0 : at + 1;
      static const std::regex directive(R"(^#[ \t]*line[ \t]+(\d{1,9})(?:[ \t]+(".*"))?)");
      const std::size_t end = file.source.find('\n', begin);
      std::smatch match;
      const std::string text = file.source.substr(begin, 2) == "#l" || file.source.substr(begin, 2) == "# "
                                   ? file.source.substr(begin, end - begin)
                                   : std::string();
      if (end < offset && std::regex_search(text, match, directive)) {
        line = std::stol(match[1]);
        if (match[2].matched) name = match[2];
        counted = end + 1;
        break;
      }
      if (at == std::string::npos) break;
    }
    const char* const text = file.source.data();
    return fmt::format("#line {} {}{}", line + std::count(text + counted, text + offset, '\n'), name,
                       newline);
  }

  /// Prototypes after the leading preprocessor lines, so that they see what those include.
  void insertHead(const std::vector<const GeneratedRegion*>& mapped, bool countsLoops) {
    std::size_t start = file.source.starts_with("\xEF\xBB\xBF") ? 3 : 0, head = source.endOfHead();
    if (head > start) {
      insertions.emplace(start, lineDirective(start));
      std::size_t end = file.source.find('\n', head);
      head = end == std::string::npos ? file.source.size() : end + 1;
    }
    std::string text;
    // C gives no address of what is declared so, and nothing else is meant by the word.
    if (std::any_of(mapped.begin(), mapped.end(), [](const auto* region) { return region->takesRegister; }))
      text += "#define register" + newline;
    if (mode == HostMode::Verify) text += "#include \"warploom_verify.h\"" + newline;
    if (!header.empty()) text += fmt::format("#include \"{}\"{}", header, newline);
    const char* linkage = isCplusplus() ? "extern \"C\" " : "";
    if (usesOpenMp())
      text += (isCplusplus() ? "#include <omp.h>" : "int omp_in_parallel(void), omp_get_num_devices(void);") +
              newline;
    if (countsLoops) {
      const char* known = mapped.empty() ? " __attribute__((weak))" : "";
      text += fmt::format("void warploom_loopBegins(double times, int most){0};{1}void "
                          "warploom_loopEnds(void){0};{1}",
                          known, newline);
    }
    for (const GeneratedRegion* region : mapped) {
      if (header.empty()) text += fmt::format("{}{};{}", linkage, region->prototype, newline);
      if (header.empty() && mode == HostMode::Guarded && !region->kept.empty())
        text += fmt::format("{}void {}(void);{}", linkage, region->kept, newline);
      if (mode == HostMode::Guarded && !region->kept.empty() && returnOf(*region))
        text += fmt::format("static void {}_left(char* unused) {{ (void)unused; {}(); }}{}", region->launcher,
                            region->kept, newline);
      if (mode == HostMode::Verify)
        text += fmt::format("{}void {}_outputs({}warploom_verify_visitor* visit, void* context);{}", linkage,
                            region->launcher, parametersOf(*region), newline);
      if (mode == HostMode::Verify && region->notesRounding)
        text += fmt::format("{}void {}_rounding({}warploom_verify_listener* note, void* context);{}", linkage,
                            region->launcher, parametersOf(*region), newline);
    }
    insertions.emplace(head, text + lineDirective(head));
  }

  /// The parameters of a launcher, each followed by a comma.
  static std::string parametersOf(const GeneratedRegion& region) {
    std::size_t open = region.prototype.find('(', region.prototype.find(region.launcher));
    std::size_t close = region.prototype.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
      throw Failure(region.region->name(), "its prototype has no parameters");
    std::string inside = region.prototype.substr(open + 1, close - open - 1);
    return inside.empty() || inside == "void" ? "" : inside + ", ";
  }

  /// The call of a launcher. It is given copies of variables, so that nobody has their own addresses.
  static std::string withCopies(const GeneratedRegion& region) {
    std::string arguments = region.arguments, before, after;
    for (const GeneratedRegion::Scalar& scalar : region.scalars) {
      const std::string address = ")&" + scalar.name, copy = "warploom_" + scalar.name;
      for (std::size_t at = 0; (at = arguments.find(address, at)) != std::string::npos;) {
        const std::size_t end = at + address.size();
        if (end == arguments.size() || arguments[end] == ',') {
          arguments.replace(at, address.size(), ")&" + copy);
          break;
        }
        at = end;
      }
      before +=
          fmt::format("__typeof__({0}) {1}{2}; ", scalar.name, copy, scalar.in ? " = " + scalar.name : "");
      if (scalar.out) after += fmt::format("{0} = {1}; ", scalar.name, copy);
    }
    const std::string call = region.launcher + "(" + arguments + ")";
    if (before.empty()) return call;
    // A name that no copy has.
    return fmt::format("__extension__ ({{ {}int warploomDone = {}; {}warploomDone; }})", before, call,
                       after.empty() ? "" : "if (warploomDone) { " + after + "} ");
  }

  /// What goes before and after the region's text. `inList`: several statements may stand there.
  /// How the loop of `region` leaves the function; null where it does not.
  const SearchReturn* returnOf(const GeneratedRegion& region) const {
    const SourceRange& range = region.region->range;
    const auto found = std::find_if(file.returns.begin(), file.returns.end(), [&](const SearchReturn& one) {
      return one.range.begin == range.begin && one.range.end == range.end;
    });
    return found == file.returns.end() ? nullptr : &*found;
  }

  Around wrap(const GeneratedRegion& region, bool inList) const {
    const std::string& launcher = region.launcher;
    std::string call = launcher + "(" + region.arguments + ")";
    const std::string arguments = region.arguments + (region.arguments.empty() ? "" : ", ");
    if (mode == HostMode::Guarded && !isCplusplus()) call = withCopies(region);
    // One of several threads leaves the others their work.
    std::vector<std::string> conditions = region.through;
    if (usesOpenMp()) conditions.push_back("!omp_in_parallel()");
    // What `target` works on may be on a device that the program has of its own.
    const std::vector<Loop>& loops = region.region->loops;
    if (std::any_of(loops.begin(), loops.end(), [](const Loop& loop) {
          return loop.word && loop.word->text.starts_with("#pragma omp target");
        }))
      conditions.push_back("omp_get_num_devices() == 0");
    const std::string may = fmt::format("{}", fmt::join(conditions, " && "));
    if (!may.empty()) call = "(" + may + " && " + call + ")";
    std::string enter = fmt::format(
        "{0}_frame = warploom_verify_enter({1}); {0}_outputs({2}warploom_verify_save, {0}_frame); ", launcher,
        quoted(region.region->name()), arguments);
    if (region.notesRounding)
      enter += fmt::format("{0}_rounding({1}warploom_verify_rounding, {0}_frame); ", launcher, arguments);
    enter += fmt::format("warploom_verify_ran({}_frame, {});", launcher, call);
    std::string leave = fmt::format("warploom_verify_leave({}_frame);", launcher);
    if (!may.empty()) {
      enter = fmt::format("{}_frame = 0; if ({}) {{ {} }}", launcher, may, enter);
      leave = fmt::format("if ({}_frame) {}", launcher, leave);
    }

    // A variable of the region that is needed outside its braces: the text stays in the list, and the call
    // comes after it, where the variable is known. C lets one jump over a declaration.
    const auto& variables = region.region->variables;
    bool outlives = std::any_of(variables.begin(), variables.end(), [&](const RegionVariable& variable) {
      return variable.usedLater || mentions(region.arguments, variable.name);
    });
    if (outlives && !inList)
      throw Failure(region.region->name(), "it declares variables where no list of statements is");
    const std::string ended = region.kept.empty() ? "" : region.kept + "(); ";
    if (outlives && mode == HostMode::Guarded)
      return {fmt::format("goto {0}_call; {0}_kept:;", launcher),
              fmt::format("{2}if (0) {{ {0}_call: if (!{1}) goto {0}_kept; }}", launcher, call, ended)};
    if (outlives)
      return {fmt::format("void* {0}_frame; goto {0}_call; {0}_kept:;", launcher),
              fmt::format("if (0) {{ {0}_call: {1} goto {0}_kept; }} {2}", launcher, enter, leave)};
    if (mode == HostMode::Verify) return {"{ void* " + enter, leave + " }"};
    if (const SearchReturn* search = returnOf(region)) {
      // Nothing behind the loop is reached by `return`.
      const std::string leaving =
          region.kept.empty()
              ? ""
              : fmt::format(" char {0}_leaves __attribute__((cleanup({0}_left))); (void){0}_leaves;",
                            launcher);
      return {fmt::format("{{ {} if (!{}) {{{}", search->declares, call, leaving),
              fmt::format("}} else {} }}", search->then)};
    }
    if (inList) return {"if (!" + call + ") {", ended + "}"};
    return {"{ if (!" + call + ") {", ended + "} }"};
  }

  const FileRegions& file;
  const GeneratedProgram& program;
  const HostMode mode;
  const std::string header;
  const SourceText source;
  const std::string newline;
  std::multimap<std::size_t, std::string> insertions; ///< texts to be put before a byte of the source
};

} // namespace

std::string hostText(const FileRegions& file, const GeneratedProgram& program, HostMode mode,
                     const std::string& header) {
  return HostWriter(file, program, mode, header).write();
}

std::string headerText(const std::string& source, const GeneratedProgram& program,
                       const std::string& header) {
  std::string guard;
  for (char c : header)
    guard += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(c)) : '_';
  if (guard.empty() || !std::isalpha(static_cast<unsigned char>(guard[0]))) guard = "H_" + guard;
  std::string text =
      fmt::format("// Made by Warploom from {0}: what launches its regions. Each returns 1 when it has "
                  "done the region's work and 0\n// when the original loops must run.\n"
                  "#ifndef {1}\n#define {1}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
                  source, guard);
  for (const GeneratedRegion& region : program.regions)
    if (region.refused.empty()) {
      text += region.prototype + ";\n";
      if (!region.kept.empty()) text += "void " + region.kept + "(void);\n";
    }
  return text + "#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

} // namespace warploom
