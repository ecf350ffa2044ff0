#include "driver/AnalyzeJson.h"

#include "analysis/Order.h"

#include <algorithm>

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// A number where the text is one, else the text.
Json numberOrText(const std::string& text) {
  bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && text.size() < 18 ? Json(std::stol(text)) : Json(text);
}

Json distanceJson(const Distance& distance) {
  return distance.isConstant() ? Json(*distance.least) : Json(distance.text());
}

bool internal(const Array& array) {
  return array.storage == Array::Storage::Predicate;
}

/// Lines of loops; a loop without a position has line 0.
Json loopLines(const Region& region, const std::vector<int>& loops) {
  Json lines = Json::array();
  for (int loop : loops)
    lines.push_back(region.loops[loop].range.line);
  return lines;
}

Json loopJson(const Region& region, const Loop& loop, const LoopVerdict& facts) {
  Json privates = Json::array(), reductions = Json::array();
  for (int array : facts.privateArrays)
    if (!internal(region.arrays[array])) privates.push_back(region.arrays[array].name);
  for (const Reduction& reduction : facts.reductions)
    reductions.push_back({{"op", reduction.op}, {"target", region.arrays[reduction.array].name}});
  return {{"line", loop.range.line},
          {"column", loop.range.column},
          {"depth", loop.depth},
          {"index", loop.index},
          {"verdict", verdictName(facts.verdict)},
          {"min_distance", facts.minDistance.empty() ? Json(nullptr) : numberOrText(facts.minDistance)},
          {"private", privates},
          {"reductions", reductions},
          {"conditions", facts.conditions},
          {"reason", facts.reason}};
}

const char* kindName(Dependence::Kind kind) {
  switch (kind) {
  case Dependence::Kind::Flow:
    return "flow";
  case Dependence::Kind::Anti:
    return "anti";
  case Dependence::Kind::Output:
    return "output";
  }
  return "";
}

Json dependenceJson(const Region& region, const Dependence& dependence) {
  Json distance = Json::array();
  for (const Distance& along : dependence.distance)
    distance.push_back(distanceJson(along));
  const Access &source = dependence.source.in(region), &sink = dependence.sink.in(region);
  Json carrier = nullptr;
  if (dependence.carrier >= 0) carrier = region.loops[dependence.carrier].range.line;
  return {{"kind", kindName(dependence.kind)},
          {"array", region.arrays[dependence.array].name},
          {"source_line", source.range.line},
          {"source_column", source.range.column},
          {"source", source.text},
          {"sink_line", sink.range.line},
          {"sink_column", sink.range.column},
          {"sink", sink.text},
          {"distance", distance},
          {"carried_by_line", carrier},
          {"exact", dependence.exact()}};
}

Json accessJson(const Region& region, const AccessFacts& facts) {
  const Access& access = facts.access.in(region);
  Json strides = Json::array();
  for (const Stride& stride : facts.strides)
    strides.push_back(stride.kind == Stride::Kind::Constant ? Json(stride.value) : Json(stride.print()));
  return {{"line", access.range.line},
          {"column", access.range.column},
          {"text", access.text},
          {"kind", access.reads() ? "read" : "write"},
          {"exact", access.exact},
          {"stride", strides},
          {"temporal_reuse_lines", loopLines(region, facts.temporalReuse)},
          {"spatial_reuse_lines", loopLines(region, facts.spatialReuse)}};
}

Json arrayJson(const Region& region, const Array& array, const ArrayFacts& facts) {
  Json accesses = Json::array(), fastest = Json::array(), extents = Json::array();
  for (const AccessFacts& access : facts.accesses)
    accesses.push_back(accessJson(region, access));
  for (int loop : facts.fastestIndices)
    if (std::find(fastest.begin(), fastest.end(), region.loops[loop].index) == fastest.end())
      fastest.push_back(region.loops[loop].index);
  for (const std::string& extent : array.extentTexts)
    extents.push_back(extent.empty() ? Json(nullptr) : numberOrText(extent));
  return {{"name", array.name},
          {"rank", array.rank},
          {"extents", extents},
          {"read", facts.read},
          {"written", facts.written},
          {"live_in", facts.liveIn},
          {"live_out", facts.liveOut},
          {"footprint", facts.footprint ? Json(printed(*facts.footprint)) : Json(nullptr)},
          {"fastest_indices", fastest},
          {"accesses", accesses}};
}

} // namespace

nlohmann::ordered_json regionJson(const Region& region, const Facts& facts) {
  Json loops = Json::array(), dependences = Json::array(), arrays = Json::array(), remarks = Json::array();
  for (std::size_t k = 0; k < region.loops.size(); ++k)
    loops.push_back(loopJson(region, region.loops[k], facts.loops[k]));
  for (const auto* list : {&facts.dependences.all, &facts.dependences.withinInstance})
    for (const Dependence& dependence : *list)
      if (!internal(region.arrays[dependence.array]))
        dependences.push_back(dependenceJson(region, dependence));
  for (std::size_t k = 0; k < region.arrays.size(); ++k)
    if (!internal(region.arrays[k])) arrays.push_back(arrayJson(region, region.arrays[k], facts.arrays[k]));
  Json statements = Json::array();
  for (const Statement& statement : region.statements)
    if (statement.kind != Statement::Kind::Kill)
      statements.push_back(
          {{"line", statement.range.line},
           {"end_line", statement.range.endLine},
           {"host_only", statement.hostOnly.empty() ? Json(nullptr) : Json(statement.hostOnly)}});
  for (const Remark& remark : region.remarks)
    remarks.push_back({{"line", remark.range.line}, {"column", remark.range.column}, {"text", remark.text}});
  return {{"function", region.function},
          {"file", region.file},
          {"line", region.range.line},
          {"loops", loops},
          {"dependences", dependences},
          {"arrays", arrays},
          {"remarks", remarks},
          {"statements", statements},
          {"closed_forms", region.closedForms}};
}

nlohmann::ordered_json pairsJson(const Region& region, DependenceTest test) {
  static const char* const answers[] = {"none", "same_iteration", "carried"};
  Json pairs = Json::array();
  for (const ReferencePair& pair : testedPairs(region, test)) {
    const Access &first = pair.first.in(region), &second = pair.second.in(region);
    Json subscripts = Json::array();
    for (const auto& equation : pair.equations)
      subscripts.push_back(equation ? Json(explained(region, *equation, test)) : Json(nullptr));
    pairs.push_back({{"array", region.arrays[first.array].name},
                     {"first", first.text},
                     {"first_line", first.range.line},
                     {"second", second.text},
                     {"second_line", second.range.line},
                     {"second_writes", second.writes()},
                     {"answer", answers[static_cast<int>(pair.answer)]},
                     {"subscripts", subscripts}});
  }
  return pairs;
}

} // namespace warploom
