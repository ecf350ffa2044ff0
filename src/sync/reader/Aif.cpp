#include "sync/reader/Aif.h"

#include "sync/model/Text.h"
#include "sync/reader/Expressions.h"
#include "sync/reader/Modules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace warploom::sync {

namespace {

/// The headings, in the order in which they must appear.
enum Section {
  Interface,
  Locals,
  Abbreviations,
  Instances,
  Init,
  Main,
  Absence,
  Invariant,
  Specifications,
  SectionCount
};

constexpr std::array<const char*, SectionCount> headings = {"interface", "locals", "abbreviations",
                                                            "instances", "init",   "main",
                                                            "absence",   "invar",  "specifications"};

/// Reads the system of a text, and for every instance in it the text of a module again, in a scope of its
/// own.
class AifReader {
public:
  explicit AifReader(Sources& in) : sources(in), lexer(in.files.at(0).text) {}

  System read() {
    modulesOf(0);
    if (lexer.peek().kind == Token::Kind::End && !modules.empty())
      throw Error(lexer.peek().place, "there is no `system` here, only modules");
    header();
    sections();
    return builder.finish();
  }

private:
  // ---- Modules and files

  /// Notes the modules that stand in front of the system in `file`, and reads the files it imports. The lexer
  /// is at the beginning of the file, and afterwards at what is no module.
  void modulesOf(unsigned file) {
    while (true) {
      if (lexer.accept("import")) {
        import(lexer.expectName("the name of a file"), file);
      } else if (lexer.accept("module")) {
        const Token name = lexer.expectName("the name of the module");
        modules.add(name, lexer.peek());
        while (lexer.peek().kind != Token::Kind::End && !atUnit())
          lexer.next();
      } else {
        return;
      }
    }
  }

  void import(const Token& name, unsigned from) {
    const std::optional<unsigned> added = importFile(sources, name, from, ".aif");
    if (!added) return;
    const unsigned file = *added;
    const Lexer outer = std::exchange(lexer, Lexer(sources.files[file].text, {1, 1, file}));
    modulesOf(file);
    if (lexer.peek().kind != Token::Kind::End && !atUnit())
      throw Error(lexer.peek().place, fmt::format("expected a module, found {}", lexer.peek().described()));
    lexer = outer;
  }

  /// A line that begins a module or the system.
  bool atUnit() const {
    const Token& token = lexer.peek();
    if (!token.firstOnLine || token.kind != Token::Kind::Name) return false;
    if (token.is("version") || token.is("timestamp")) return lexer.after(token).is(":");
    if (!token.is("module") && !token.is("system") && !token.is("import")) return false;
    return lexer.after(token).kind == Token::Kind::Name;
  }

  /// `name[i: 4][j: 2]: Module(3, i) { formal = actual, ... }`
  void instances() {
    const Token name = lexer.expectName("the name of an instance");
    builder.nameInstance(std::string(name.text), name.place);
    const InstanceArray array = parseInstanceArray(lexer, builder);
    lexer.expect(":", "after the name of an instance");
    const Token module = lexer.expectName("the name of a module");
    const Modules::Beginning& beginning = modules.find(module);
    const Lexer arguments = lexer;
    array.forEach(builder, name.place, [&](const std::vector<std::int64_t>& at) {
      lexer = arguments;
      instance(name, module, beginning, array.extents, at);
    });
  }

  /// One instance; the lexer is behind the name of the module.
  void instance(const Token& name, const Token& moduleName, const Modules::Beginning& module,
                const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& at) {
    std::vector<std::int64_t> parameters;
    if (lexer.accept("(")) {
      do
        parameters.push_back(parseConstant(lexer, builder, "a parameter of a module"));
      while (lexer.accept(","));
      lexer.expect(")", "after the parameters of a module");
    }
    Actuals actuals;
    lexer.expect("{", "before the connections of an instance");
    while (!lexer.accept("}")) {
      const Token formal = lexer.expectName("a name of the module's interface");
      lexer.expect("=", "after a name of the module's interface");
      Meaning actual = parseActual(lexer, builder);
      actual.place = formal.place;
      if (!actuals.emplace(formal.text, std::move(actual)).second)
        throw Error(formal.place, fmt::format("`{}` is given twice", formal.text));
      if (!lexer.peek().is("}")) lexer.expect(",", "between the connections of an instance");
    }
    builder.enterInstance(std::string(name.text), extents, at, std::move(actuals), name.place);
    modules.enter(moduleName);
    const Lexer outer =
        std::exchange(lexer, Lexer(sources.files[module.place.file].text, {1, 1, module.place.file}));
    lexer.moveTo(module.offset, module.place);
    formalParameters(moduleName, parameters);
    lexer.expect(":", "after the name of the module");
    sections();
    lexer = outer;
    modules.leave();
    builder.leaveInstance(std::string(moduleName.text), name.place);
  }

  void formalParameters(const Token& module, const std::vector<std::int64_t>& given) {
    std::size_t count = 0;
    if (lexer.accept("(")) {
      do {
        const Token parameter = lexer.expectName("the name of a parameter");
        if (count < given.size()) builder.bind(std::string(parameter.text), given[count], parameter.place);
        ++count;
      } while (lexer.accept(","));
      lexer.expect(")", "after the parameters");
    }
    if (count != given.size())
      throw Error(module.place, fmt::format("{} has {} parameter{} and is given {}", module.text, count,
                                            count == 1 ? "" : "s", given.size()));
  }

  // ---- Sections

  /// Those of the system or of one module.
  void sections() {
    int last = -1;
    while (lexer.peek().kind != Token::Kind::End && !atUnit()) {
      const Token heading = lexer.peek();
      const int section = sectionAt(heading);
      if (section < 0)
        throw Error(heading.place,
                    fmt::format("expected a section such as `main:`, found {}", heading.described()));
      if (section <= last)
        throw Error(heading.place, section == last ? fmt::format("second section `{}`", heading.text)
                                                   : fmt::format("section `{}` must come before section `{}`",
                                                                 heading.text, headings[last]));
      last = section;
      lexer.next();
      if (section == Absence) lexer.expect("reactions", "after `absence`");
      lexer.expect(":", "after the name of a section");
      if (heading.text == "preset") {
        if (builder.insideInstance()) throw Error(heading.place, "a module has `init`, not `preset`");
        builder.system.presets = true;
      }
      read(Section(section));
    }
  }

  /// Which section the heading at `token` starts, or -1. `preset` heads the init part of a system after
  /// `clin`.
  int sectionAt(const Token& token) const {
    if (token.kind != Token::Kind::Name) return -1;
    for (int section = 0; section < SectionCount; ++section) {
      if (token.text != headings[section] && !(section == Init && token.text == "preset")) continue;
      Token after = lexer.after(token);
      if (section == Absence) return after.is("reactions") && lexer.after(after).is(":") ? section : -1;
      if (after.is(":")) return section;
    }
    return -1;
  }

  bool atHeading(const char* first, const char* second) const {
    const Token& token = lexer.peek();
    if (!token.is(first)) return false;
    Token after = lexer.after(token);
    if (second != nullptr) {
      if (!after.is(second)) return false;
      after = lexer.after(after);
    }
    return after.is(":");
  }

  bool atAnyHeading() const {
    return lexer.peek().kind == Token::Kind::End || atUnit() || sectionAt(lexer.peek()) >= 0 ||
           atHeading("control", "flow") || atHeading("data", "flow") || atHeading("assertions", nullptr);
  }

  void header() {
    System& system = builder.system;
    if (lexer.accept("version")) {
      lexer.expect(":", "after `version`");
      system.version = std::string(lexer.expectName("the version").text);
    }
    if (lexer.peek().is("timestamp")) {
      // What follows the colon is free text and must not be looked at as tokens.
      const Token colon = lexer.after(lexer.peek());
      if (!colon.is(":")) throw Error(colon.place, "expected `:` after `timestamp`");
      const std::string_view source = lexer.source();
      const std::size_t end = std::min(source.find('\n', colon.end), source.size());
      system.timestamp = trimmed(source.substr(colon.end, end - colon.end));
      lexer.moveTo(end);
    }
    lexer.expect("system", "before the name of the system");
    system.name = std::string(lexer.expectName("the name of the system").text);
    lexer.expect(":", "after the name of the system");
  }

  void read(Section section) {
    switch (section) {
    case Interface:
      while (!atAnyHeading())
        interfaceVariable();
      break;
    case Locals:
      while (!atAnyHeading())
        localVariable();
      break;
    case Abbreviations:
      while (!atAnyHeading()) {
        const Token name = lexer.expectName("the name of an abbreviation");
        lexer.expect("=", "after the name of an abbreviation");
        builder.abbreviate(std::string(name.text), parseExpression(lexer, builder), name.place);
      }
      break;
    case Instances:
      while (!atAnyHeading())
        instances();
      break;
    case Init:
      part(builder.system.init);
      break;
    case Main:
      part(builder.system.main);
      break;
    case Absence:
      while (!atAnyHeading()) {
        const Place place = lexer.peek().place;
        Target target = parseTarget(lexer, builder);
        lexer.expect("=", "after the target of an absence reaction");
        builder.react(std::move(target), parseExpression(lexer, builder), place);
      }
      break;
    case Invariant:
      keepText(builder.system.invariant, freeText("specifications"));
      break;
    default:
      keepText(builder.system.specifications, freeText(nullptr));
      break;
    }
  }

  /// Free text of modules is read and dropped.
  void keepText(std::string& to, std::string text) const {
    if (!builder.insideInstance()) to = std::move(text);
  }

  /// The text up to a line that starts with `heading` and a colon, or to the end; of a module, up to the next
  /// one.
  std::string freeText(const char* heading) {
    const std::string_view source = lexer.source();
    const std::size_t begin = lexer.previousEnd();
    std::size_t end = source.size();
    const auto starts = [&](std::size_t at, std::string_view word) {
      return source.substr(at).starts_with(word);
    };
    for (std::size_t line = begin; line < source.size();) {
      std::size_t at = source.find_first_not_of(" \t\r\n", line);
      if (at == std::string_view::npos) break;
      if ((heading != nullptr && starts(at, heading)) ||
          (modules.insideModule() &&
           (starts(at, "module ") || starts(at, "system ") || starts(at, "version:")))) {
        end = at;
        break;
      }
      line = std::min(source.find('\n', at), source.size());
    }
    lexer.moveTo(end);
    return trimmed(source.substr(begin, end - begin));
  }

  Variable::Storage storage() {
    const Token token = lexer.peek();
    if (lexer.accept("event")) return Variable::Storage::Event;
    if (lexer.accept("memorized")) return Variable::Storage::Memorized;
    throw Error(token.place, fmt::format("expected `event` or `memorized`, found {}", token.described()));
  }

  void interfaceVariable() {
    const Token name = lexer.expectName("the name of a variable");
    lexer.expect(":", "after the name of a variable");
    Variable variable;
    variable.name = std::string(name.text);
    variable.place = name.place;
    const Token direction = lexer.expectName("`input`, `output` or `inout`");
    if (direction.text == "input") {
      variable.role = Variable::Role::Input;
      variable.storage = Variable::Storage::None;
      if (lexer.peek().is("event") || lexer.peek().is("memorized"))
        throw Error(lexer.peek().place, "an input has no storage class");
    } else if (direction.text == "output" || direction.text == "inout") {
      variable.role = direction.text == "output" ? Variable::Role::Output : Variable::Role::InOut;
      variable.storage = storage();
    } else {
      throw Error(direction.place,
                  fmt::format("expected `input`, `output` or `inout`, found {}", direction.described()));
    }
    variable.type = parseType(lexer, builder);
    builder.declare(std::move(variable));
  }

  void localVariable() {
    const Token name = lexer.expectName("the name of a variable");
    lexer.expect(":", "after the name of a variable");
    Variable variable;
    variable.name = std::string(name.text);
    variable.place = name.place;
    const Token kind = lexer.expectName("`local` or `label`");
    if (kind.text == "label") {
      variable.role = Variable::Role::Label;
      variable.storage = Variable::Storage::Event;
    } else if (kind.text == "local") {
      variable.storage = storage();
    } else {
      throw Error(kind.place, fmt::format("expected `local` or `label`, found {}", kind.described()));
    }
    variable.type = parseType(lexer, builder);
    builder.declare(std::move(variable));
  }

  void part(Part& into) {
    if (atHeading("control", "flow")) {
      skipHeading(3);
      actions(into.controlFlow);
    }
    if (atHeading("data", "flow")) {
      skipHeading(3);
      actions(into.dataFlow);
    }
    if (atHeading("assertions", nullptr)) {
      skipHeading(2);
      while (!atAnyHeading())
        assertion(into);
    }
  }

  void skipHeading(int tokens) {
    while (tokens-- > 0)
      lexer.next();
  }

  void actions(std::vector<Action>& into) {
    while (!atAnyHeading()) {
      const Place place = lexer.peek().place;
      ExprPtr guard = parseExpression(lexer, builder);
      lexer.expect("=>", "after a guard");
      auto [target, delayed] = parseAssignedTarget(lexer, builder);
      lexer.expect("=", "after the target of an action");
      ExprPtr value = parseExpression(lexer, builder);
      into.push_back(builder.action(guard, std::move(target), delayed, value, place));
    }
  }

  void assertion(Part& into) {
    const Place place = lexer.peek().place;
    ExprPtr guard = parseExpression(lexer, builder);
    lexer.expect("=>", "after a guard");
    const Token name = lexer.expectName("the name of an assertion");
    lexer.expect(":", "after the name of an assertion");
    const bool assumed = lexer.accept("assume");
    if (!assumed) lexer.expect("assert", "after the name of an assertion");
    into.assertions.push_back(
        builder.assertion(guard, std::string(name.text), parseExpression(lexer, builder), place, assumed));
  }

  Sources& sources;
  Lexer lexer;
  SystemBuilder builder;
  Modules modules;
};

void writePart(const System& system, const Part& part, std::string& out) {
  out += "  control flow:\n";
  for (const Action& action : part.controlFlow)
    out += "    " + text(system, action) + "\n";
  out += "  data flow:\n";
  for (const Action& action : part.dataFlow)
    out += "    " + text(system, action) + "\n";
  out += "  assertions:\n";
  for (const Assertion& assertion : part.assertions)
    out += fmt::format("    {} => {} : {} {}\n", text(system, *assertion.guard), assertion.name,
                       assertion.assumed ? "assume" : "assert", text(system, *assertion.condition));
}

} // namespace

System readAif(const std::string& text) {
  Sources sources;
  sources.files.push_back({"", text});
  return readAif(sources);
}

System readAif(Sources& sources) {
  return AifReader(sources).read();
}

std::string writeAif(const System& system) {
  std::string out;
  if (!system.version.empty()) out += "version: " + system.version + "\n";
  if (!system.timestamp.empty()) out += "timestamp: " + system.timestamp + "\n";
  out += fmt::format("system {}:\ninterface:\n", system.name);
  auto storage = [](const Variable& variable) {
    return variable.storage == Variable::Storage::Event ? "event" : "memorized";
  };
  for (const Variable& variable : system.variables) {
    if (variable.isInput())
      out += fmt::format("  {}: input {}\n", variable.name, text(variable.type));
    else if (variable.isOutput())
      out += fmt::format("  {}: {} {} {}\n", variable.name,
                         variable.role == Variable::Role::Output ? "output" : "inout", storage(variable),
                         text(variable.type));
  }
  out += "locals:\n";
  for (const Variable& variable : system.variables) {
    if (variable.role == Variable::Role::Label)
      out += fmt::format("  {}: label bool\n", variable.name);
    else if (variable.role == Variable::Role::Local)
      out += fmt::format("  {}: local {} {}\n", variable.name, storage(variable), text(variable.type));
  }
  out += "abbreviations:\n";
  for (const Abbreviation& entry : system.abbreviations)
    out += fmt::format("  {} = {}\n", entry.name, text(system, *entry.value));
  out += system.presets ? "preset:\n" : "init:\n";
  writePart(system, system.init, out);
  out += "main:\n";
  writePart(system, system.main, out);
  out += "absence reactions:\n";
  for (const Reaction& reaction : system.reactions)
    out += fmt::format("  {} = {}\n", text(system, reaction.target), text(system, *reaction.value));
  out += "invar: " + system.invariant + "\n";
  out += "specifications: " + system.specifications + "\n";
  return out;
}

System readSystem(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '<' ? readAifXml(text) : readAif(text);
}

} // namespace warploom::sync
