#include "sync/emit/CodeText.h"

#include "sync/model/Text.h"

#include <algorithm>
#include <cctype>

namespace warploom::sync {

std::string identifier(const std::string& name) {
  static const std::set<std::string> reserved = {
      "auto",      "bool",      "break",    "case",    "catch",    "char",     "class",    "const",
      "continue",  "default",   "delete",   "do",      "double",   "else",     "enum",     "extern",
      "float",     "for",       "friend",   "goto",    "if",       "inline",   "int",      "long",
      "namespace", "new",       "operator", "private", "public",   "register", "return",   "short",
      "signed",    "sizeof",    "static",   "struct",  "switch",   "template", "this",     "throw",
      "true",      "false",     "try",      "typedef", "typename", "union",    "unsigned", "using",
      "virtual",   "void",      "volatile", "while",   "bools",    "words",    "reals",    "unused",
      "and",       "or",        "not",      "xor",     "restrict", "asm",      "export",   "explicit",
      "mutable",   "protected", "typeid",   "nullptr", "linux",    "unix"};
  std::string result;
  for (char c : name) {
    if (c == '\'')
      result += "_old";
    else
      result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "_" + result;
  return reserved.count(result) ? result + "_" : result;
}

std::string affineText(const Affine& affine, const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t d = 0; d < affine.strides.size(); ++d) {
    const std::int64_t stride = affine.strides[d];
    if (stride == 0) continue;
    const std::int64_t size = stride < 0 ? -stride : stride;
    const std::string term = size == 1 ? names[d] : fmt::format("{} * {}", size, names[d]);
    if (result.empty())
      result = stride < 0 ? "-" + term : term;
    else
      result += (stride < 0 ? " - " : " + ") + term;
  }
  if (result.empty()) return fmt::format_int(affine.base).str();
  if (affine.base > 0) result += fmt::format(" + {}", affine.base);
  if (affine.base < 0) result += fmt::format(" - {}", -affine.base);
  return result;
}

std::string indexText(const Index& index, const std::vector<std::string>& names) {
  if (index.wrapped.empty()) return affineText(index.plain, names);
  // Rows before columns: what moves in large steps comes first.
  std::string result;
  auto add = [&](const std::string& term) { result += (result.empty() ? "" : " + ") + term; };
  auto wrapped = [&](const Index::Wrapped& term) {
    return fmt::format("({}) % {}", affineText(term.inner, names), term.modulus);
  };
  for (const Index::Wrapped& term : index.wrapped)
    if (term.weight != 1) add(fmt::format("{} * ({})", term.weight, wrapped(term)));
  if (const std::string plain = affineText(index.plain, names); plain != "0") add(plain);
  for (const Index::Wrapped& term : index.wrapped)
    if (term.weight == 1) add(wrapped(term));
  return result.empty() ? "0" : result;
}

CodeText::CodeText(const Folding& from, Language in)
    : folding(from), system(*from.plan->system.system), language(in), name(identifier(system.name)) {
  std::set<std::string> taken;
  for (const Variable& variable : system.variables) {
    std::string member = identifier(variable.name);
    while (!taken.insert(member).second)
      member += "_";
    members.push_back(member);
  }
  hasRegisters = std::find(folding.plan->registered.begin(), folding.plan->registered.end(), true) !=
                 folding.plan->registered.end();
  hasReports = !folding.plan->system.reports.empty();
  for (std::size_t p = 0; p < folding.immediate.size(); ++p) {
    StepPhase phase;
    phase.name = folding.immediate.size() == 1 ? "now" : fmt::format("now{}", p);
    for (const Piece& piece : folding.immediate[p])
      phase.pieces.push_back(&piece);
    phases.push_back(std::move(phase));
  }
  // Outputs are published with the values of this step. In place, that has to be over before delayed actions
  // write.
  StepPhase publishing, delayed;
  publishing.name = "publish";
  publishing.publishes = true;
  delayed.name = "next";
  delayed.publishes = folding.plan->options.twoPhase;
  for (const Piece& piece : folding.delayed) {
    const int action = piece.group->units[0].actions.empty() ? -1 : piece.group->units[0].actions[0];
    const bool report = action >= 0 && folding.plan->system.actions[action].kind == CellAction::Kind::Report;
    (report && !delayed.publishes ? publishing : delayed).pieces.push_back(&piece);
  }
  if (!delayed.publishes) phases.push_back(std::move(publishing));
  if (delayed.publishes || !delayed.pieces.empty()) phases.push_back(std::move(delayed));
  for (StepPhase& phase : phases)
    for (std::size_t p = 0; p < phase.pieces.size(); ++p)
      phase.units.push_back(unitText(phase, p));
}

std::string CodeText::scoped(const std::string& type) const {
  return language == Language::C ? name + "_" + type : type;
}

std::string CodeText::elementType(Element element) const {
  switch (element) {
  case Element::Bool:
    return "bool";
  case Element::Real:
    return "double";
  default:
    return system.wordBits == 32 ? "int" : "long long";
  }
}

std::string CodeText::elementType(const Variable& variable) const {
  return elementType(elementOf(variable.type.scalar));
}

std::string CodeText::poolName(Element element) const {
  return element == Element::Bool ? "bools" : element == Element::Word ? "words" : "reals";
}

std::string CodeText::base(Memory memory, bool next) const {
  const std::string pointer = language == Language::C ? "->" : ".";
  switch (memory) {
  case Memory::Inputs:
    return "in" + pointer;
  case Memory::State:
    return "s" + pointer;
  default:
    return (next ? "next" : "now") + pointer;
  }
}

void CodeText::declareStruct(TextWriter& out, const std::string& type, const std::string& comment,
                             Memory memory) const {
  out.comment(comment);
  out.open(language == Language::C ? "typedef struct" : "struct " + type);
  bool empty = true;
  for (Element element : {Element::Bool, Element::Word, Element::Real}) {
    const std::int64_t pool = folding.layout.pools[std::size_t(memory)][std::size_t(element)];
    if (pool == 0) continue;
    empty = false;
    std::string offsets;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Placement& place = folding.layout.variables[i];
      if (place.memory == memory && place.pooled && place.element == element)
        offsets += fmt::format("{}{} = {}", offsets.empty() ? "" : ", ", members[i], place.offset);
    }
    // Only C++ scopes enumerators; in C the offsets stand in a comment.
    if (language == Language::Cuda)
      out.lines("enum { " + offsets + " };");
    else
      out.comment(offsets);
    out.line("{} {}[{}];", elementType(element), poolName(element), pool);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Placement& place = folding.layout.variables[i];
    if (place.memory != memory || place.pooled) continue;
    empty = false;
    const Variable& variable = system.variables[i];
    const std::string extent =
        variable.type.extents.empty() ? "" : fmt::format("[{}]", variable.type.cellCount());
    const std::string shape =
        variable.type.extents.size() < 2 ? "" : fmt::format(" // {}", text(variable.type));
    out.line("{} {}{};{}", elementType(variable), members[i], extent, shape);
  }
  if (empty) out.line("bool unused;");
  out.close(language == Language::C ? fmt::format(" {};", scoped(type)) : ";");
  out.line();
}

void CodeText::declareStructs(TextWriter& out) const {
  declareStruct(out, "Inputs", "What the environment gives in a step.", Memory::Inputs);
  out.comment("What the environment gets from a step.");
  out.open(language == Language::C ? "typedef struct" : "struct Outputs");
  bool empty = true;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Variable& variable = system.variables[i];
    if (!variable.isOutput()) continue;
    empty = false;
    const std::string extent =
        variable.type.extents.empty() ? "" : fmt::format("[{}]", variable.type.cellCount());
    out.line("{} {}{};", elementType(variable), members[i], extent);
  }
  if (empty) out.line("bool unused;");
  out.close(language == Language::C ? fmt::format(" {};", scoped("Outputs")) : ";");
  out.line();
  declareStruct(out, "State", "Variables that are only assigned within a step.", Memory::State);
  declareStruct(out, "Registers",
                "Variables with delayed assignments: one copy for this step, one for the next.",
                Memory::Registers);
}

void CodeText::declareHelpers(TextWriter& out, const std::string& qualifiers) const {
  const auto called = [&](const char* function) {
    for (const StepPhase& phase : phases)
      for (const std::string& unit : phase.units)
        if (mentions(unit, scoped(function))) return true;
    return false;
  };
  const bool divides = called("quotient"), takesRest = called("remainder");
  if (!divides && !takesRest) return;
  const std::string word = elementType(Element::Word), wide = "unsigned " + word;
  const bool cuda = language == Language::Cuda;
  const std::string negated = cuda ? fmt::format("static_cast<{}>(0 - static_cast<{}>(a))", word, wide)
                                   : fmt::format("({})(0 - ({})a)", word, wide);
  out.comment("Division is total: by zero it gives 0 (and is reported where it matters).");
  if (divides) {
    out.open("{}{} {}({} a, {} b)", qualifiers, word, scoped("quotient"), word, word);
    out.line("return b == 0 ? 0 : b == -1 ? {} : a / b;", negated);
    out.close();
  }
  if (takesRest) {
    out.open("{}{} {}({} a, {} b)", qualifiers, word, scoped("remainder"), word, word);
    out.line("return b == 0 || b == -1 ? 0 : a % b;");
    out.close();
  }
  out.line();
}

std::string CodeText::tableName(const StepPhase& phase, std::size_t piece, std::size_t column) const {
  return scoped(fmt::format("{}{}_column{}", phase.name, piece, column));
}

void CodeText::declareTables(TextWriter& out, const std::string& qualifiers) const {
  for (const StepPhase& phase : phases)
    for (std::size_t p = 0; p < phase.pieces.size(); ++p) {
      for (std::size_t c = 0; c < phase.pieces[p]->columns.size(); ++c) {
        const Column& column = phase.pieces[p]->columns[c];
        // The target of an action in a two-phase unit is the unit's own cell, and not written out again.
        if (!column.hasTable() || !mentions(phase.units[p], tableName(phase, p, c))) continue;
        std::string line;
        std::vector<std::string> lines;
        auto add = [&](const std::string& entry) {
          if (line.size() + entry.size() > 100) {
            lines.push_back(line);
            line.clear();
          }
          line += (line.empty() ? "" : " ") + entry + ",";
        };
        for (std::int64_t entry : column.table)
          add(column.isCell ? fmt::format("{}", entry) : integer(entry));
        for (double entry : column.realTable)
          add(text({ScalarType::Base::Real, 0}, {0, entry}));
        lines.push_back(line);
        const std::string type = !column.realTable.empty() ? "double"
                                 : column.isCell           ? "int"
                                                           : elementType(Element::Word);
        out.open("{}{} {}[] =", qualifiers, type, tableName(phase, p, c));
        for (const std::string& entries : lines)
          out.line(entries);
        out.close(";");
      }
    }
}

std::string CodeText::integer(std::int64_t value) const {
  if (system.wordBits == 32) return value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value);
  return value == INT64_MIN ? "(-9223372036854775807LL - 1)" : fmt::format("{}LL", value);
}

std::string CodeText::literal(const ScalarType& type, const Value& value) const {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return value.integer != 0 ? "true" : "false";
  case ScalarType::Base::Real:
    return text(type, value);
  default:
    return integer(value.integer);
  }
}

std::string CodeText::access(int variable, const std::string& index) const {
  const Placement& place = folding.layout.variables[variable];
  const std::string prefix = base(place.memory, false);
  if (!place.pooled)
    return prefix + members[variable] +
           (system.variables[variable].type.extents.empty() ? "" : "[" + index + "]");
  const std::string offset =
      index == "0" ? fmt::format("{}", place.offset) : fmt::format("{} + {}", place.offset, index);
  return fmt::format("{}{}[{}]", prefix, poolName(place.element), offset);
}

std::vector<std::string> CodeText::indexNames(const Piece& piece) const {
  static const char* const letters[] = {"i", "j", "k", "l", "m", "n"};
  std::vector<std::string> result;
  for (std::size_t d = 0; d < piece.extents.size(); ++d)
    result.push_back(piece.extents.size() <= 6 ? letters[d] : fmt::format("i{}", d));
  return result;
}

namespace {
std::vector<bool> usedIndices(const Piece& piece) {
  std::vector<bool> used(piece.extents.size(), false);
  auto add = [&](const Affine& affine) {
    for (std::size_t d = 0; d < affine.strides.size(); ++d)
      if (affine.strides[d] != 0) used[d] = true;
  };
  for (const Column& column : piece.columns) {
    add(column.index.plain);
    for (const Index::Wrapped& term : column.index.wrapped)
      add(term.inner);
  }
  return used;
}
} // namespace

bool CodeText::usesTables(const Piece& piece) const {
  return std::any_of(piece.columns.begin(), piece.columns.end(),
                     [](const Column& column) { return column.hasTable(); });
}

void CodeText::writeIndices(TextWriter& out, const Piece& piece) const {
  const std::vector<std::string> names = indexNames(piece);
  const std::vector<bool> used = usedIndices(piece);
  std::int64_t span = 1;
  std::string line;
  for (std::size_t d = piece.extents.size(); d-- > 0;) {
    std::string value = span == 1 ? "t" : fmt::format("t / {}", span);
    if (d != 0) value += fmt::format(" % {}", piece.extents[d]);
    if (used[d]) line = fmt::format("{} = {}{}{}", names[d], value, line.empty() ? "" : ", ", line);
    span *= piece.extents[d];
  }
  if (!line.empty()) out.line("const int {};", line);
}

void CodeText::writeLoops(TextWriter& out, const StepPhase& phase, std::size_t number) const {
  const Piece& piece = *phase.pieces[number];
  if (piece.size() == 1) {
    const std::string& unit = phase.units[number];
    // What declares a variable gets a scope of its own.
    const bool declares = unit.starts_with("const ") || mentions(unit, "value");
    if (declares) out.open("");
    out.lines(unit);
    if (declares) out.close();
    return;
  }
  int open = 1;
  if (usesTables(piece)) {
    out.open("for (int t = 0; t < {}; ++t)", piece.size());
    writeIndices(out, piece);
  } else {
    const std::vector<std::string> names = indexNames(piece);
    for (std::size_t d = 0; d < names.size(); ++d)
      out.open("for (int {0} = 0; {0} < {1}; ++{0})", names[d], piece.extents[d]);
    open = int(names.size());
  }
  out.lines(phase.units[number]);
  while (open-- > 0)
    out.close();
}

std::string CodeText::described(const Piece& piece) const {
  const Unit& unit = piece.group->units[piece.units[0]];
  std::string first;
  for (int action : unit.actions)
    if (action >= 0 && first.empty()) first = folding.plan->system.text(folding.plan->system.actions[action]);
  if (first.empty()) first = folding.plan->system.cells.name(unit.cell) + " keeps its value";
  if (first.size() > 160) first = first.substr(0, 157) + "...";
  if (piece.size() == 1 && unit.actions.size() <= 1) return first;
  if (piece.size() == 1) return fmt::format("{} actions, the first: {}", unit.actions.size(), first);
  if (unit.actions.size() <= 1) return fmt::format("{} units, the first: {}", piece.size(), first);
  return fmt::format("{} units of {} actions, the first: {}", piece.size(), unit.actions.size(), first);
}

bool mentions(const std::string& text, const std::string& name) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool member = at > 0 && (text[at - 1] == '.' || text[at - 1] == '>' || text[at - 1] == ':');
    const bool whole = end == text.size() || !isPart(text[end]) || !isPart(name.back());
    if (whole && (at == 0 || (!isPart(text[at - 1]) && !member))) return true;
  }
  return false;
}

CodeText::Uses CodeText::uses(const std::string& unitText) const {
  return {mentions(unitText, "in"), mentions(unitText, "s"), mentions(unitText, "now"),
          mentions(unitText, "next"), mentions(unitText, "status")};
}

void CodeText::writePublish(TextWriter& out, const std::string& loopHead) const {
  const std::string target = language == Language::C ? "out->" : "out.";
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Variable& variable = system.variables[i];
    if (!variable.isOutput()) continue;
    if (variable.type.extents.empty()) {
      out.line("{}{}{} = {};", loopHead.empty() ? "" : "if (thread == 0) ", target, members[i],
               access(int(i), "0"));
      continue;
    }
    const std::string head = loopHead.empty() ? "int i = 0; i < {0}; ++i" : loopHead;
    out.line("for ({}) {}{}[i] = {};", fmt::format(fmt::runtime(head), variable.type.cellCount()), target,
             members[i], access(int(i), "i"));
  }
}

void CodeText::writePresets(TextWriter& out) const {
  for (const Action& action : system.init.dataFlow) {
    const Variable& variable = system.variables[action.target.variable];
    const Value value = action.value->value;
    if (value == Value{}) continue; // memory starts as zeros
    out.line("{} = {};", access(action.target.variable, fmt::format("{}", action.target.offset)),
             literal(variable.type.scalar, value));
  }
}

} // namespace warploom::sync
