#include "sync/model/Cells.h"

#include "sync/model/Text.h"

namespace warploom::sync {

CellNumbering::CellNumbering(const System& of, bool whole) : system(&of), wholeMemories(whole) {
  for (const Variable& variable : of.variables) {
    firsts.push_back(count());
    const std::int64_t cells = wholeMemories && variable.isMemory ? 1 : variable.type.cellCount();
    owners.insert(owners.end(), std::size_t(cells), int(firsts.size()) - 1);
  }
}

std::string CellNumbering::name(int cell) const {
  const int variable = owners[cell];
  if (wholeMemories && system->variables[variable].isMemory) return system->variables[variable].name;
  return text(*system, Target{variable, cell - firsts[variable], {}});
}

std::optional<std::int64_t> offsetOf(const Type& type, const std::vector<std::int64_t>& subscripts) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    if (subscripts[i] < 0 || subscripts[i] >= type.extents[i]) return std::nullopt;
    offset = offset * type.extents[i] + subscripts[i];
  }
  return offset;
}

namespace {
std::vector<int> cellsOf(const System& system, bool (Variable::*chosen)() const) {
  std::vector<int> result;
  int cell = 0;
  for (const Variable& variable : system.variables) {
    const int end = cell + int(variable.type.cellCount());
    for (; cell < end; ++cell)
      if ((variable.*chosen)()) result.push_back(cell);
  }
  return result;
}
} // namespace

std::vector<int> inputCells(const System& system) {
  return cellsOf(system, &Variable::isInput);
}
std::vector<int> outputCells(const System& system) {
  return cellsOf(system, &Variable::isOutput);
}

std::vector<std::int64_t> subscriptsOf(const Type& type, std::int64_t offset) {
  std::vector<std::int64_t> result(type.extents.size());
  for (std::size_t i = type.extents.size(); i-- > 0;) {
    result[i] = offset % type.extents[i];
    offset /= type.extents[i];
  }
  return result;
}

std::vector<ExprPtr> subscriptsOf(const Type& type, const Target& target) {
  if (!target.isCell()) return target.subscripts;
  std::vector<ExprPtr> result;
  for (std::int64_t subscript : subscriptsOf(type, target.offset))
    result.push_back(integerLiteral(subscript));
  return result;
}

} // namespace warploom::sync
