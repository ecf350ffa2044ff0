// What must lie apart in memory: a launcher leaves its region to the host where it does not.
#include "emit/HostArrays.h"
#include "emit/Names.h"
#include "emit/RowsText.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

/// The memory of `array`, as arguments of warploom::overlap and Rows::overlap.
std::string HostArrays::memoryOfRows(int array) {
  if (!of(array).tables.empty()) return rowsName(scope, array);
  if (valuePlaces.count(array))
    return fmt::format("{}, sizeof({})", valuePlaceName(scope, of(array)), typeName(of(array).element));
  return fmt::format("{}, {}", start(array, touched.at(array)), bytes(array, touched.at(array)));
}

/// Where `a` is `b`, it is about the rows of one array.
void HostArrays::writeOverlapCheck(int a, int b, TextWriter& to) {
  if (a == b) {
    to.line("if ({}.overlap()) return region.stayOnHost(\"rows of {} overlap\");", rowsName(scope, a),
            of(a).name);
    return;
  }
  if (of(a).tables.empty() && !of(b).tables.empty()) std::swap(a, b);
  if (!of(a).tables.empty()) {
    to.line("if ({}.overlap({})) return region.stayOnHost(\"{} and {} overlap\");", rowsName(scope, a),
            memoryOfRows(b), of(a).name, of(b).name);
    return;
  }
  to.line("if (warploom::overlap({}, {})) return region.stayOnHost(\"{} and {} overlap\");", memoryOfRows(a),
          memoryOfRows(b), of(a).name, of(b).name);
}

void HostArrays::writeOverlapChecks(TextWriter& to) {
  std::set<std::pair<int, int>> pairs;
  for (const Condition& condition : scope.region.conditions) {
    if (condition.kind != Condition::Kind::NoOverlap) continue;
    int a = memoryOf(scope.region, condition.arrays[0]), b = memoryOf(scope.region, condition.arrays[1]);
    // What the region itself declares lies apart.
    if (of(a).declaredIn >= 0 || of(b).declaredIn >= 0) continue;
    for (int side : {a, b})
      if (!touched.count(side) && !valuePlaces.count(side))
        throw EmissionRefused(of(a + b - side).declaration,
                              "`" + of(a + b - side).name + "` may overlap a scalar that the region reads");
    if ((a != b || !of(a).tables.empty()) && pairs.insert(std::minmax(a, b)).second)
      writeOverlapCheck(a, b, to);
  }
  for (const Condition& condition : scope.region.conditions)
    if (checks(condition)) writeChangeChecks(condition, to);
  // Two arrays that are known to share no element, by `restrict` or by their types, may still lie in one
  // another's gaps, as the columns of a matrix do. What one brings back into its gaps must not undo what the
  // other has written there.
  for (const auto& [a, rangeA] : out)
    for (const auto& [b, rangeB] : out) {
      auto isStruct = [&](int array) { return of(array).element.kind == Type::Kind::Struct; };
      int pointees = (of(a).storage == Array::Storage::Pointee) + (of(b).storage == Array::Storage::Pointee);
      bool pointers = pointees == 2 || (pointees == 1 && (isStruct(a) || isStruct(b)));
      bool byElement = of(a).isRestrict || of(b).isRestrict || element(a) != element(b);
      bool gaps = transferOf(a).gaps || transferOf(b).gaps || isStruct(a) || isStruct(b);
      if (a < b && pointers && byElement && gaps && pairs.insert({a, b}).second) writeOverlapCheck(a, b, to);
    }
}

bool HostArrays::checks(const Condition& condition) const {
  return condition.kind == Condition::Kind::Unchanged &&
         (!condition.place.empty() ||
          (condition.arrays.size() == 1 && !of(condition.arrays[0]).tables.empty()));
}

/// Leaves the launcher where what the region writes is what must not change.
void HostArrays::writeChangeChecks(const Condition& condition, TextWriter& to) {
  if (!condition.place.empty()) return writePlaceChecks(condition, to);
  for (const auto& [array, range] : out) {
    const Type& element = of(array).element;
    if (of(array).isScalar() || (element.kind != Type::Kind::Struct && element.bits != 8)) continue;
    const int rows = memoryOf(scope.region, condition.arrays[0]);
    to.line("if ({}.tablesOverlap({})) return region.stayOnHost(\"{} and pointers to rows of {} overlap\");",
            rowsName(scope, rows), memoryOfRows(array), of(array).name, of(rows).name);
  }
}

/// The same for a place with an address, of which the condition says what might be written there.
void HostArrays::writePlaceChecks(const Condition& condition, TextWriter& to) {
  const std::string place = placeName(scope, condition);
  to.line("(void){0}, (void){0}_bytes;", place);
  std::set<int> asked;
  for (int one : condition.arrays) {
    const int array = memoryOf(scope.region, one);
    // What the region itself declares is not there when it begins.
    if (!asked.insert(array).second || !isOnHost(of(array))) continue;
    if (!touched.count(array))
      throw EmissionRefused(condition.range, "it cannot be checked that " + condition.text);
    const std::string isChanged =
        !of(array).tables.empty()
            ? fmt::format("{0}.overlap({1}, {1}_bytes)", rowsName(scope, array), place)
            : fmt::format("warploom::overlap({0}, {1}, {1}_bytes)", memoryOfRows(array), place);
    to.line("if ({}) return region.stayOnHost(\"{} and {} overlap\");", isChanged, of(array).name,
            condition.place);
  }
}

} // namespace warploom
