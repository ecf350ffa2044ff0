#include "sync/emit/CodeText.h"

#include "support/Identifiers.h"
#include "sync/model/Text.h"

#include <algorithm>
#include <utility>

namespace warploom::sync {

namespace {

/// What a program should call `name`: with a prime, which copies have, in words, and never like a macro.
std::string wish(std::string name) {
  for (std::size_t at = name.find('\''); at != std::string::npos; at = name.find('\''))
    name.replace(at, 1, "_old");
  return mayBeMacro(name) ? "v_" + name : name;
}

std::string systemName(const std::string& name) {
  Identifiers identifiers;
  for (const char* word : {"main", "std", "warploom"})
    identifiers.take(word);
  return identifiers.fresh(wish(name));
}

} // namespace

void Uses::add(Memory memory, bool nextStep) {
  inputs |= memory == Memory::Inputs;
  state |= memory == Memory::State;
  now |= memory == Memory::Registers && !nextStep;
  next |= memory == Memory::Registers && nextStep;
}

Uses& Uses::operator|=(const Uses& other) {
  inputs |= other.inputs;
  state |= other.state;
  now |= other.now;
  next |= other.next;
  reports |= other.reports;
  return *this;
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
    : folding(from), system(*from.plan->system.system), language(in), name(systemName(system.name)) {
  // Members of the structs: what generated code calls its own parts is taken.
  Identifiers identifiers;
  for (const char* word :
       {"bools", "words", "reals", "unused", "Inputs", "Outputs", "State", "Registers", "InstanceState"})
    identifiers.take(word);
  for (const Variable& variable : system.variables)
    members.push_back(identifiers.fresh(wish(variable.name)));
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
  StepPhase stores;
  stores.name = "store";
  for (const Piece& piece : folding.stores)
    stores.pieces.push_back(&piece);
  if (!stores.pieces.empty()) phases.push_back(std::move(stores));
  for (StepPhase& phase : phases)
    for (std::size_t p = 0; p < phase.pieces.size(); ++p)
      phase.units.push_back(unitCode(phase, p));
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

std::string CodeText::functionName(Function function, Element element) const {
  static const char* const names[] = {"quotient", "remainder", "shifted_left", "shifted_right",
                                      "absolute", "smaller",   "larger"};
  return scoped(std::string(names[std::size_t(function)]) + (element == Element::Real ? "_real" : ""));
}

void CodeText::declareHelpers(TextWriter& out, const std::string& qualifiers) const {
  std::set<std::pair<Function, Element>> called;
  for (const StepPhase& phase : phases)
    for (const UnitCode& unit : phase.units)
      called.insert(unit.calls.begin(), unit.calls.end());
  if (called.empty()) return;
  const std::string word = elementType(Element::Word), wide = "unsigned " + word;
  const bool cuda = language == Language::Cuda;
  const auto cast = [&](const std::string& type, const std::string& value) {
    return cuda ? fmt::format("static_cast<{}>({})", type, value) : fmt::format("({})({})", type, value);
  };
  const std::string negated = cast(word, "0 - " + cast(wide, "a"));
  for (const auto& [function, element] : called) {
    const std::string type = elementType(element);
    std::string parameters = fmt::format("{0} a, {0} b", type), comment, value;
    switch (function) {
    case Function::Quotient:
      comment = "Division is total: by zero it gives 0 (and is reported where it matters).";
      value = fmt::format("b == 0 ? 0 : b == -1 ? {} : a / b", negated);
      break;
    case Function::Remainder:
      value = "b == 0 || b == -1 ? 0 : a % b";
      break;
    case Function::ShiftLeft:
    case Function::ShiftRight:
      comment = "Of a vector of so many bits; beyond its width nothing is left.";
      parameters += ", int width";
      value = fmt::format("b < 0 || b >= width ? 0 : {}",
                          cast(word, function == Function::ShiftRight
                                         ? cast(wide, "a") + " >> b"
                                         : fmt::format("{} << b & ({} >> ({} - width))", cast(wide, "a"),
                                                       cast(wide, "-1"), system.wordBits)));
      break;
    case Function::Abs:
      parameters = type + " a";
      value = element == Element::Real ? "a < 0 ? -a : a" : fmt::format("a < 0 ? {} : a", negated);
      break;
    case Function::Min:
      value = "a < b ? a : b";
      break;
    case Function::Max:
      value = "a < b ? b : a";
      break;
    }
    if (!comment.empty()) out.comment(comment);
    out.open("{}{} {}({})", qualifiers, type, functionName(function, element), parameters);
    out.line("return {};", value);
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
        if (!column.hasTable() || !phase.units[p].tables.count(c)) continue;
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

void CodeText::writeIndices(TextWriter& out, const Piece& piece, const UnitCode& unit) const {
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
  if (!line.empty())
    out.line("const int {};", line);
  else if (unit.tables.empty())
    out.line("static_cast<void>(t);");
}

void CodeText::writeLoops(TextWriter& out, const StepPhase& phase, std::size_t number) const {
  const Piece& piece = *phase.pieces[number];
  if (piece.size() == 1) {
    const UnitCode& unit = phase.units[number];
    if (unit.declares) out.open("");
    out.lines(unit.text);
    if (unit.declares) out.close();
    return;
  }
  int open = 1;
  if (!phase.units[number].tables.empty()) {
    out.open("for (int t = 0; t < {}; ++t)", piece.size());
    writeIndices(out, piece, phase.units[number]);
  } else {
    const std::vector<std::string> names = indexNames(piece);
    for (std::size_t d = 0; d < names.size(); ++d)
      out.open("for (int {0} = 0; {0} < {1}; ++{0})", names[d], piece.extents[d]);
    open = int(names.size());
  }
  out.lines(phase.units[number].text);
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

bool CodeText::hasOutputs() const {
  return std::any_of(system.variables.begin(), system.variables.end(),
                     [](const Variable& variable) { return variable.isOutput(); });
}

std::vector<int> CodeText::stateMemories() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (system.variables[i].isMemory && folding.layout.variables[i].memory == Memory::State)
      result.push_back(int(i));
  return result;
}

Uses CodeText::publishUses() const {
  Uses uses;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (system.variables[i].isOutput()) uses.add(folding.layout.variables[i].memory, false);
  return uses;
}

Uses CodeText::stepUses() const {
  Uses uses = publishUses();
  for (const StepPhase& phase : phases)
    for (const UnitCode& unit : phase.units)
      uses |= unit.uses;
  return uses;
}

Uses CodeText::presetUses() const {
  Uses uses;
  for (const Action& action : system.init.dataFlow)
    if (!(action.value->value == Value{}))
      uses.add(folding.layout.variables[action.target.variable].memory, false);
  return uses;
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

std::vector<std::pair<std::int64_t, Value>> CodeText::presetsOf(int variable) const {
  std::vector<std::pair<std::int64_t, Value>> result;
  for (const Action& action : system.init.dataFlow)
    if (action.target.variable == variable && !(action.value->value == Value{}))
      result.emplace_back(action.target.offset, action.value->value);
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return result;
}

void CodeText::declarePresets(TextWriter& out, const std::string& qualifiers) const {
  for (int variable : stateMemories()) {
    const auto presets = presetsOf(variable);
    if (presets.empty()) continue;
    out.comment(
        fmt::format("What {} holds in the beginning: offsets and values.", system.variables[variable].name));
    const auto table = [&](const char* what, const std::string& type, const auto& entry) {
      out.open("{}{} {}[] =", qualifiers, type, scoped(fmt::format("{}_{}", members[variable], what)));
      std::string line;
      for (const auto& preset : presets) {
        const std::string next = entry(preset) + ",";
        if (line.size() + next.size() > 100) out.line(std::exchange(line, ""));
        line += (line.empty() ? "" : " ") + next;
      }
      out.line(line);
      out.close(";");
    };
    table("preset_at", "int", [](const auto& preset) { return fmt::format("{}", preset.first); });
    table("preset", elementType(system.variables[variable]),
          [&](const auto& preset) { return literal(system.variables[variable].type.scalar, preset.second); });
    out.line();
  }
}

void CodeText::writeMemoryPresets(TextWriter& out, int variable, const std::string& target) const {
  const std::size_t count = presetsOf(variable).size();
  if (count == 0) return;
  const std::string table = scoped(members[variable] + "_preset");
  out.line("for (int i = 0; i < {}; ++i) {}[{}_at[i]] = {}[i];", count, target, table, table);
}

void CodeText::writePresets(TextWriter& out, bool memories) const {
  for (const Action& action : system.init.dataFlow) {
    const Variable& variable = system.variables[action.target.variable];
    const Value value = action.value->value;
    if (variable.isMemory || value == Value{}) continue; // memory starts as zeros
    out.line("{} = {};", access(action.target.variable, fmt::format("{}", action.target.offset)),
             literal(variable.type.scalar, value));
  }
  if (!memories) return;
  for (int variable : stateMemories())
    writeMemoryPresets(out, variable, base(Memory::State, false) + members[variable]);
}

} // namespace warploom::sync
