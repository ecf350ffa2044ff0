#include "emit/HostArrays.h"

#include "analysis/Effort.h"
#include "emit/BodyText.h"
#include "emit/InspectionText.h"
#include "emit/Outputs.h"
#include "emit/RowsText.h"
#include "support/Parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

HostArrays::HostArrays(LauncherScope& scope, const std::set<int>& onDevice, const std::set<int>& others,
                       const std::set<int>& valuePlaces)
    : scope(scope), onDevice(onDevice), others(others), valuePlaces(valuePlaces) {}

std::string HostArrays::element(int array) const {
  return typeName(of(array).element);
}

/// How many of the subscripts of `array` choose an element of the memory it lies in.
static std::size_t outerRank(const Array& array) {
  return array.within < 0 ? array.extents.size() : static_cast<std::size_t>(array.outerRank);
}

std::vector<int> HostArrays::partsOf(int array) const {
  if (of(array).element.kind != Type::Kind::Struct) return {array};
  std::set<int> parts;
  for (const Statement& statement : scope.region.statements)
    for (const Access& access : statement.accesses)
      if (access.kind != Access::Kind::Kill && memoryOf(scope.region, access.array) == array)
        parts.insert(access.array);
  return {parts.begin(), parts.end()};
}

bool HostArrays::moves(int array) const {
  std::vector<int> parts = partsOf(array);
  return std::any_of(parts.begin(), parts.end(),
                     [&](int part) { return transferOf(part).in || transferOf(part).out; });
}

/// How many elements of its memory share their first `from` subscripts; empty for 1.
std::string HostArrays::widthText(int array, std::size_t from) {
  std::string width;
  for (std::size_t k = from; k < outerRank(of(array)); ++k)
    width += (width.empty() ? "" : " * ") + asFactor(scope.text(*of(array).extents[k]));
  return width;
}

/// Where the first of the elements begins that have these leading subscripts, or, `end`, where the last of
/// them ends.
std::string HostArrays::positionText(int array, const std::vector<isl::pw_aff>& leading, bool end) {
  std::string text;
  const std::size_t rank = std::min(leading.size(), outerRank(of(array)));
  for (std::size_t d = 0; d < rank; ++d) {
    bool isLast = d + 1 == rank;
    std::string at = scope.text(end && isLast ? leading[d].add_constant(1) : leading[d]);
    if (d == 0 || text == "0")
      text = at;
    else
      text = asFactor(text) + " * " + asFactor(scope.text(*of(array).extents[d])) +
             (at == "0" ? "" : " + " + at);
  }
  std::string width = widthText(array, rank);
  return width.empty() || text == "0" ? text : asFactor(text) + " * " + width;
}

HostArrays::Range HostArrays::rangeOf(int array, const Span& span) {
  if (of(array).isScalar()) return {"0", "1"};
  return {positionText(array, span.first, false), positionText(array, span.last, true)};
}

bool HostArrays::isUnbounded(int array) const {
  std::vector<int> parts = partsOf(array);
  return !of(array).isScalar() && std::any_of(parts.begin(), parts.end(), [&](int part) {
    return transferOf(part).touched && transferOf(part).touched->isAll();
  });
}

bool HostArrays::asksHeap() const {
  return rowsAskHeap || std::any_of(texts.begin(), texts.end(), [&](const auto& one) {
           return isUnbounded(one.first) || (looksAhead(one.first) && isWritten(one.first));
         });
}

/// All that is touched of `array`; of structs, what is touched of any field.
HostArrays::Range HostArrays::touchedText(int array) {
  if (isUnbounded(array)) {
    if (!of(array).tables.empty()) return {"0", rowsName(scope, array) + ".elements()"};
    const Transfer& transfer = transferOf(array);
    if (transfer.inspected) {
      const isl::set known = scope.region.context.intersect(transfer.touched->exists);
      const std::string end = inspectionText(*transfer.inspected, known, scope) + ".end()",
                        steps = inspectionSteps(*transfer.inspected, scope);
      if (steps.empty()) return {"0", end};
      return {"0", fmt::format("warploom::elementsAt({}, {}, [&] {{ return {}; }})",
                               scope.names.of(of(array).name), steps, end)};
    }
    return {"0", fmt::format("warploom::elementsAt({})", scope.names.of(of(array).name))};
  }
  Range all;
  for (int part : partsOf(array)) {
    Range one = rangeOf(part, *transferOf(part).touched);
    if (all.end.empty()) all = one;
    if (one.first != all.first) all.first = fmt::format("warploom::smaller({}, {})", all.first, one.first);
    if (one.end != all.end) all.end = fmt::format("warploom::larger({}, {})", all.end, one.end);
  }
  return all;
}

/// `span` by the names of variables, for all but what is short.
HostArrays::Range HostArrays::nameRange(int array, const std::string& what, const Span& span,
                                        TextWriter& to) {
  if (of(array).isScalar()) return {"0", "1"};
  if (span.isAll()) return touched.at(array);
  Range range = rangeOf(array, span), whole = texts.at(array);
  if (range.first == whole.first && range.end == whole.end) return touched.at(array);
  for (std::string* text : {&range.first, &range.end}) {
    const bool isFirst = text == &range.first;
    if (*text == (isFirst ? whole.first : whole.end)) {
      *text = isFirst ? touched.at(array).first : touched.at(array).end;
    } else if (!isPlain(*text)) {
      std::string name =
          scope.names.of(fmt::format("{} {} {}", of(array).name, what, isFirst ? "first" : "end"));
      to.line("const long {} = {};", name, *text);
      *text = name;
    }
  }
  return range;
}

/// True when a search reads `array`, of which it may not have come to the end.
bool HostArrays::looksAhead(int array) const {
  const Region& region = scope.region;
  return !isUnbounded(array) &&
         std::any_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
           return std::any_of(
                      statement.loops.begin(), statement.loops.end(),
                      [&](int loop) { return region.loops[static_cast<std::size_t>(loop)].endsEarly; }) &&
                  std::any_of(
                      statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
                        return access.kind != Access::Kind::Kill && memoryOf(region, access.array) == array;
                      });
         });
}

/// True when only data tell whether `array` has all elements that loops could use.
bool HostArrays::maybeShorter(int array) const {
  const std::vector<int> parts = partsOf(array);
  return of(array).tables.empty() && isOnHost(of(array)) && !isUnbounded(array) && !looksAhead(array) &&
         std::any_of(parts.begin(), parts.end(), [&](int part) { return transferOf(part).maybeShorter; });
}

/// True when something of `array` goes back.
bool HostArrays::isWritten(int array) const {
  const std::vector<int> parts = partsOf(array);
  return std::any_of(parts.begin(), parts.end(), [&](int part) { return transferOf(part).out.has_value(); });
}

/// The condition under which `array`, which may be shorter, has `size` elements, or the memory of as many.
std::string HostArrays::reachesText(int array, const std::string& size) {
  if (of(array).storage != Array::Storage::Pointee && of(array).extents[0])
    return fmt::format("({} >= {})", lengthText(array), size);
  return fmt::format("warploom::reaches({}, {})", scope.names.of(of(array).name), size);
}

/// How many elements `array` is known to have; less than 0 when it runs where that is not known.
std::string HostArrays::lengthText(int array) {
  const auto& extents = of(array).extents;
  if (std::any_of(extents.begin(), extents.end(), [](const auto& one) { return !one; }))
    return fmt::format("warploom::elementsAt({})", scope.names.of(of(array).name));
  std::string all;
  for (std::size_t k = 0; k < outerRank(of(array)); ++k)
    all += (all.empty() ? "" : " * ") + asFactor(scope.text(*extents[k]));
  return all;
}

void HostArrays::writeRowsOf(int index, const isl::set& known, TextWriter& to) {
  const std::vector<int> parts = partsOf(index);
  const bool mayBeShorter = looksAhead(index) || std::any_of(parts.begin(), parts.end(), [&](int part) {
                              return transferOf(part).maybeShorter;
                            });
  rowsAskHeap |= writeRows(scope, index, known, mayBeShorter, to);
}

void HostArrays::writeSizes(TextWriter& to) {
  std::set<int> sized = onDevice;
  sized.insert(others.begin(), others.end());
  for (int index : sized)
    for (int part : partsOf(index))
      if (!transferOf(part).touched && (!of(part).isScalar() || onDevice.count(index)))
        throw EmissionRefused(of(index).declaration,
                              "how much of `" + of(part).name + "` is used is not known");
  for (int index : sized)
    if (!of(index).tables.empty() && isOnHost(of(index))) {
      // Where it is a matter of pointers which may be null, others are still worked on.
      const isl::set needed = scope.region.context.intersect(withoutTests(whereTouched(index)));
      leaveUnless(needed, to);
      writeRowsOf(index, needed, to);
      writeMatrix(scope, index, onDevice.count(index) > 0, to);
    }
  for (int index : sized) {
    const Array& array = of(index);
    if (scope.plan.expansionOf(index)) {
      writeExpandedSize(index, to);
      continue;
    }
    touched[index] = {"0", "1"};
    if (!array.isScalar()) {
      texts[index] = touchedText(index);
      const std::string given = checkExists(index, to);
      std::string size = scope.names.of(array.name + " size"), from = scope.names.of(array.name + " first");
      if (given.empty())
        to.line("const long {} = {};", size, texts[index].end);
      else
        to.line("const long {} = {} ? {} : 0;", size, given, texts[index].end);
      touched[index] = {"0", size};
      if (looksAhead(index) && array.tables.empty())
        to.line("if (!{}) return region.stayOnHost(\"{} may end where the search does\");",
                isWritten(index) ? fmt::format("({} >= {})", lengthText(index), size)
                                 : reachesText(index, size),
                array.name);
      if (maybeShorter(index))
        to.line("if (!{}) return region.stayOnHost(\"{} may be shorter than its loop\");",
                reachesText(index, size), array.name);
      if (isUnbounded(index))
        to.line("if ({} < 0) return region.stayOnHost(\"how much of {} is used is not known\");", size,
                array.name);
      if (texts[index].first != "0") {
        touched[index].first = from;
        const std::string first =
            given.empty() ? texts[index].first : fmt::format("{} ? {} : 0", given, texts[index].first);
        to.line("const long {} = {};", from, first);
        to.line("if ({} < 0) return region.stayOnHost(\"{} is used below its start\");", from, array.name);
      }
    }
    if (onDevice.count(index) && isOnHost(array)) nameCopies(index, to);
  }
}

/// Finds out what is copied of `array`, and declares the variables for it.
void HostArrays::nameCopies(int index, TextWriter& to) {
  const Array& array = of(index);
  if (array.element.kind == Type::Kind::Struct) {
    // Structs go as a whole, and back with the fields that nobody has written.
    std::vector<int> parts = partsOf(index);
    bool back =
        std::any_of(parts.begin(), parts.end(), [&](int part) { return transferOf(part).out.has_value(); });
    if (moves(index)) in[index] = touched.at(index);
    if (back) out[index] = touched.at(index);
    return;
  }
  const Transfer& transfer = transferOf(index);
  if (transfer.in) in[index] = nameRange(index, "in", *transfer.in, to);
  // A scalar that is not written for all sizes goes back as it came.
  bool always = scope.region.context.is_subset(transfer.touched->exists);
  if (array.isScalar() && transfer.out && !always) in[index] = touched[index];
  if (transfer.out) out[index] = nameRange(index, "out", *transfer.out, to);
}

/// `all` without what it says of pointers that may be null: of the parameters that tell whether they are.
isl::set HostArrays::withoutTests(const isl::set& all) const {
  isl::set rest = all;
  for (const Parameter& parameter : scope.region.parameters)
    if (parameter.testsPointer) rest = withoutParameter(rest, parameter.name);
  return rest;
}

/// True when all that is touched of `array` moves, if anything does, and begins where the array does.
bool HostArrays::movesWhole(int index) {
  const Range& whole = texts.at(index);
  if (whole.first != "0" || isUnbounded(index)) return false;
  if (of(index).element.kind == Type::Kind::Struct) return true;
  const Transfer& transfer = transferOf(index);
  for (const std::optional<Span>* span : {&transfer.in, &transfer.out}) {
    if (!*span || (*span)->isAll()) continue;
    const Range range = rangeOf(index, **span);
    if (range.first != whole.first || range.end != whole.end) return false;
  }
  return true;
}

/// True when `index` is memory on the device alone: an array of a renamed region that the program does not
/// have, or copies of one for the iterations of some loops.
bool HostArrays::isScratch(int index) const {
  return scope.plan.expansionOf(index) || (scope.plan.renamed && !isOnHost(of(index)));
}

/// The parameters for which something of `array` is touched.
isl::set HostArrays::whereTouched(int array) const {
  isl::set where = scope.region.context;
  for (int part : partsOf(array))
    where = where.intersect(transferOf(part).touched->exists);
  return where;
}

/// Leaves the launcher where the parameters are not in `needed`, once.
void HostArrays::leaveUnless(const isl::set& needed, TextWriter& to) {
  const isl::set& context = scope.region.context;
  const std::string text = scope.text(needed.gist(context).coalesce());
  if (!context.is_subset(needed) && checked.insert(text).second)
    to.line("if (!({})) return region.stayOnHost(\"there is nothing to do\");", text);
}

/// Leaves the launcher where nothing of the array is touched: there the expressions mean nothing. Where that
/// is a matter of pointers which may be null, or the array is a copy, others are still worked on: then the
/// result is the condition under which this one is touched.
std::string HostArrays::checkExists(int index, TextWriter& to) {
  const isl::set& context = scope.region.context;
  const isl::set where = whereTouched(index);
  if (context.is_subset(where)) return "";
  exists[index] = scope.text(where.gist(context).coalesce());
  std::string given;
  isl::set needed = where;
  if (scope.plan.expansionOf(index)) {
    // All of its copies are there, or the loops do nothing.
  } else if (isScratch(index)) {
    needed = context;
    given = scope.text(where.gist(context).coalesce());
  } else if (movesWhole(index)) {
    needed = context.intersect(withoutTests(where));
    if (!needed.is_subset(where)) given = scope.text(where.gist(needed).coalesce());
  }
  leaveUnless(needed, to);
  return given.find("||") == given.npos ? given : "(" + given + ")";
}

/// An array with a copy per iteration of some loops is all there; what is needed after is one copy of it.
void HostArrays::writeExpandedSize(int index, TextWriter& to) {
  const Array& array = of(index);
  checkExists(index, to);
  std::vector<std::string> factors;
  for (int loop : scope.plan.expansionOf(index)->loops)
    factors.push_back(asFactor(scope.text(sourceRange(scope.region, loop).second)));
  for (const auto& extent : array.extents)
    if (!extent)
      throw EmissionRefused(array.declaration,
                            "the size of a dimension of `" + array.name + "` is not known");
  std::string copy = scope.names.of(array.name + " copy"), size = scope.names.of(array.name + " size");
  texts[index] = {"0", array.isScalar() ? "1" : widthText(index, 0)};
  touched[index] = {"0", copy};
  to.line("const long {} = {};", copy, texts[index].end);
  to.line("const long {} = {} * {};", size, fmt::join(factors, " * "), copy);
  if (!isOnHost(array)) return;
  if (transferOf(index).in) in[index] = touched[index];
  if (transferOf(index).out) out[index] = touched[index];
}

/// Where the copy of an expanded array begins that is there after the region, in elements.
std::string HostArrays::lastCopy(int index) {
  const Array& array = of(index);
  std::string text;
  for (int loop : scope.plan.expansionOf(index)->loops) {
    std::optional<isl::set> lasts;
    for (const Instances& final : scope.facts.dependences.final) {
      const Statement& statement = scope.region.statements[final.access.statement];
      if (final.access.in(scope.region).array != index) continue;
      auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
      if (at == statement.loops.end())
        throw EmissionRefused(array.declaration,
                              "what `" + array.name + "` holds after the loops is not known");
      unsigned level = static_cast<unsigned>(at - statement.loops.begin());
      isl_set* one = isl_set_project_out(final.set.copy(), isl_dim_set, level + 1,
                                         static_cast<unsigned>(statement.loops.size()) - level - 1);
      one = isl_set_reset_tuple_id(isl_set_project_out(one, isl_dim_set, 0, level));
      lasts = lasts ? lasts->unite(own(one)) : own(one);
    }
    if (!lasts || !own(isl_map_from_range(lasts->copy())).is_single_valued())
      throw EmissionRefused(array.declaration,
                            "what `" + array.name + "` holds after the loops is not known");
    auto [first, count] = sourceRange(scope.region, loop);
    isl::pw_aff last = own(isl_set_dim_max(lasts->copy(), 0)).gist_params(scope.region.context).coalesce();
    std::string at = asFactor(scope.text(last.sub(first).coalesce()));
    text = text.empty() ? at : fmt::format("({} * {} + {})", text, asFactor(scope.text(count)), at);
  }
  return text + " * " + scope.names.of(array.name + " copy");
}

std::string HostArrays::start(int array, const Range& range) const {
  return scope.names.of(of(array).name) + (range.first == "0" ? "" : " + " + range.first);
}

std::string HostArrays::bytes(int array, const Range& range) const {
  std::string count =
      range.first == "0" ? asFactor(range.end) : fmt::format("({} - {})", range.end, range.first);
  return count == "1" ? fmt::format("sizeof({})", element(array))
                      : fmt::format("{} * sizeof({})", count, element(array));
}

void HostArrays::writeAllocations(TextWriter& to) {
  auto countOf = [&](int index) {
    return of(index).isScalar() && !scope.plan.expansionOf(index)
               ? "1"
               : fmt::format("static_cast<std::size_t>({})", scope.names.of(of(index).name + " size"));
  };
  for (int index : onDevice) {
    if (!isScratch(index)) continue;
    const std::string device = scope.names.of(of(index).name + " device");
    to.line("auto {} = region.scratch<{}>(\"{}\", {{{}}});", device, element(index), of(index).name,
            countOf(index));
    to.line("if (!{}) return region.stayOnHost(\"no room for {}\");", device, of(index).name);
  }
  for (int index : onDevice) {
    if (isScratch(index)) continue;
    const Array& array = of(index);
    const std::string count = countOf(index);
    // An array of which nothing moves is another one on the device.
    bool same = in.count(index) + out.count(index) > 0;
    to.line("auto {} = region.array<{}>(\"{}\", {{{}}}{});", scope.names.of(array.name + " device"),
            element(index), array.name, count, same ? ", " + scope.names.of(array.name) : "");
  }
}

/// A copy by `verb`: from the host, "copyIn", or to it, "copyOut".
std::string HostArrays::copyOf(int array, const char* verb, const Range& range) {
  std::string device = scope.names.of(of(array).name + " device"), host = start(array, range), size;
  bool expanded = scope.plan.expansionOf(array) != nullptr;
  const Range& all = touched.at(array);
  bool whole = !expanded && range.first == "0" && range.end == all.end;
  if (expanded)
    device += " + " + lastCopy(array);
  else if (range.first != "0")
    device += " + " + range.first;
  if (!whole) size = ", " + bytes(array, range);
  bool isIn = std::string(verb).starts_with("copyIn");
  return fmt::format("region.{}({}, {}{});", verb, isIn ? device : host, isIn ? host : device, size);
}

/// True when memory behind `array` may be among what comes back: only what has changed goes there.
bool HostArrays::goesBackChanged(int array) const {
  return out.count(array) && maybeShorter(array) && of(array).storage == Array::Storage::Pointee &&
         !scope.plan.expansionOf(array);
}

void HostArrays::writeCopiesIn(TextWriter& to) {
  for (const auto& [array, range] : in)
    if (!of(array).tables.empty()) to.line("{}.gather();", rowsName(scope, array));
  for (const auto& [array, range] : in)
    to.line(copyOf(array, goesBackChanged(array) ? "copyInKept" : "copyIn", range));
}

void HostArrays::writeCopiesOut(TextWriter& to) {
  for (const auto& [array, range] : out)
    to.line(copyOf(array, goesBackChanged(array) ? "copyOutChanged" : "copyOut", range));
  for (const auto& [array, range] : out)
    if (!of(array).tables.empty()) to.line("{}.scatter(region);", rowsName(scope, array));
}

std::vector<std::string> HostArrays::moves() {
  std::vector<std::string> values;
  for (int array : onDevice) {
    if (of(array).isScalar() || in.count(array) + out.count(array) == 0) continue;
    auto size = [&](const std::map<int, Range>& copies) {
      auto copy = copies.find(array);
      return copy == copies.end() ? "0" : fmt::format("double({})", bytes(array, copy->second));
    };
    const Range& from = in.count(array) ? in.at(array) : out.at(array);
    values.push_back(fmt::format("{{{}, {}, {}}}", start(array, from), size(in), size(out)));
  }
  return values;
}

std::string HostArrays::memoryText(int array) const {
  auto copied = in.find(array);
  if (copied == in.end())
    throw EmissionRefused(of(array).declaration, "`" + of(array).name + "` is not the program's");
  const Range& range = copied->second;
  return fmt::format("{{{}{}, {}}}", scope.names.of(of(array).name + " device"),
                     range.first == "0" ? "" : " + " + range.first, bytes(array, range));
}

std::vector<std::string> HostArrays::sizeNames() {
  std::vector<std::string> names;
  for (int array : onDevice)
    if (texts.count(array)) names.push_back(scope.names.of(of(array).name + " size"));
  return names;
}

std::optional<std::pair<std::string, std::string>> HostArrays::entryOf(int array) {
  const int memory = memoryOf(scope.region, array);
  if (!in.count(memory) || scope.plan.expansionOf(memory) || !of(memory).tables.empty()) return std::nullopt;
  std::string data = scope.names.of(of(memory).name), path;
  for (const Member& member : of(array).members) {
    if (member.rank > 0) return std::nullopt;
    path += "." + plainName(member.field);
  }
  const bool isScalar = of(memory).isScalar();
  const Range range = isScalar ? Range{"0", "1"} : texts.at(memory);
  std::string count = range.first == "0" ? range.end : fmt::format("({}) - ({})", range.end, range.first);
  std::string where = exists.count(memory) ? fmt::format("({}) && ", exists.at(memory)) : "";
  std::string first = range.first == "0" ? data : fmt::format("({} + ({}))", data, range.first);
  if (memory != array) first = fmt::format("&{}->{}, {}, sizeof *{}", first, path.substr(1), count, data);
  return std::pair{fmt::format("{}({}) > 0", where, count),
                   memory != array ? first : fmt::format("{}, {}", first, count)};
}

void HostArrays::writeOutputs(TextWriter& to) {
  for (const auto& [array, copied] : out) {
    const Array& object = of(array);
    std::string count = "1", data = scope.names.of(object.name);
    to.open("");
    if (!object.tables.empty()) {
      writeRowsOf(array, scope.region.context, to);
      const std::string row = scope.names.of("own row");
      to.open("for (const auto& {} : {})", row, rowsName(scope, array));
      writeVisits(scope.region, array, row + ".data",
                  fmt::format("static_cast<unsigned long>({}.count)", row), to);
      to.close();
      to.close();
      continue;
    }
    if (!object.isScalar()) {
      const Range& range = texts.at(array);
      const std::string size = scope.names.of(object.name + " size"),
                        first = scope.names.of(object.name + " first");
      to.line("const long {} = {};", size, range.end);
      bool fromStart = range.first == "0";
      if (!fromStart) to.line("const long {} = {};", first, range.first);
      to.open("if ({}{} > 0{})", exists.count(array) ? "(" + exists[array] + ") && " : "", size,
              maybeShorter(array) ? " && " + reachesText(array, size) : "");
      data += fromStart ? "" : " + " + first;
      count = fmt::format("static_cast<unsigned long>({}{})", size, fromStart ? "" : " - " + first);
    }
    writeVisits(scope.region, array, data, count, to);
    if (!object.isScalar()) to.close();
    to.close();
  }
}

} // namespace warploom
