// Closed forms for the integers and pointers that a loop changes: induction variables and wrap-around
// variables.
#include "frontend/RegionReader.h"

#include <algorithm>
#include <cstdlib>

namespace warploom {

namespace {

/// Closed forms are looked for this many loops deep inside one another; deeper, changed variables are not
/// known.
constexpr int maximumDryDepth = 4;
/// Rounds of looking for closed forms: a wrap-around variable of a wrap-around variable needs a second one.
constexpr int closedFormRounds = 3;

} // namespace

std::map<const clang::VarDecl*, RegionReader::Closed>
RegionReader::closedForms(const clang::ForStmt* loop, const Header& header, const Bounds& bounds,
                          const Contents& body, const std::string& indexName) {
  std::map<const clang::VarDecl*, Closed> closed;
  std::vector<const clang::VarDecl*> candidates;
  std::set<const clang::VarDecl*> changed = body.written;
  for (const clang::Expr* step : header.after) {
    Contents more = contentsOf(step, input.summaries);
    changed.insert(more.written.begin(), more.written.end());
  }
  for (const clang::VarDecl* variable : changed) {
    if (body.declared.count(variable) || variable == header.index) continue;
    bool tracked = variable->getType()->isIntegralOrEnumerationType() || variable->getType()->isPointerType();
    closed[variable] = {};
    if (tracked && environment.count(variable)) candidates.push_back(variable);
  }
  bool steady = bounds.first && bounds.first->asAffine() && header.step != 0 && !body.breaks && !body.leaves;
  if (candidates.empty() || !steady || dry >= maximumDryDepth) return closed;

  Environment entry = environment;
  Polynomial index = Polynomial::parameter(indexName, false);
  // How many iterations came before this one.
  Polynomial sinceFirst = header.step > 0 ? index - *bounds.first : *bounds.first - index;
  if (std::abs(header.step) > 1) {
    isl::pw_aff count = sinceFirst.asAffine()->div(constant(std::abs(header.step))).floor();
    sinceFirst = Polynomial::of(count);
  }
  std::optional<Polynomial> trips;
  if (bounds.trips) trips = Polynomial::linear(*bounds.trips);

  for (int round = 0; round < closedFormRounds; ++round) {
    // One iteration with a symbol for what each variable still without a closed form holds at its start.
    std::map<const clang::VarDecl*, std::string> symbols;
    for (const clang::VarDecl* variable : candidates) {
      if (closed[variable].start) {
        environment[variable] = *closed[variable].start;
        continue;
      }
      std::string symbol = "@" + std::to_string(entrySymbols++);
      symbols[variable] = symbol;
      Known known = entry.at(variable);
      if (known.integer)
        known.integer = Polynomial::parameter(symbol, false);
      else
        known.pointer->subscripts.back() = Polynomial::parameter(symbol, false);
      environment[variable] = known;
    }
    for (const auto& [variable, form] : closed)
      if (!symbols.count(variable) && !form.start) environment.erase(variable);
    if (symbols.empty()) break;
    ++dry;
    isl::set outside = domain;
    domain = bounds.inside;
    readBody(loop, header);
    domain = outside;
    --dry;
    bool progress = false;
    for (const auto& [variable, symbol] : symbols) {
      auto after = environment.find(variable);
      if (after == environment.end()) continue;
      const Known& start = entry.at(variable);
      const Known& end = after->second;
      bool pointer = start.pointer.has_value();
      if (pointer && (!end.pointer || end.pointer->root != start.pointer->root ||
                      end.pointer->path != start.pointer->path || !start.pointer->subscripts.back() ||
                      !end.pointer->subscripts.back()))
        continue;
      if (!pointer && !end.integer) continue;
      Polynomial first = pointer ? *start.pointer->subscripts.back() : *start.integer;
      Polynomial last = pointer ? *end.pointer->subscripts.back() : *end.integer;
      auto known = [&](const Polynomial& value) {
        Known result = start;
        (pointer ? result.pointer->subscripts.back() : result.integer) = value;
        return result;
      };
      Polynomial growth = last - Polynomial::parameter(symbol, false);
      auto free = [&](const Polynomial& value) {
        return std::none_of(symbols.begin(), symbols.end(),
                            [&](const auto& other) { return value.involves(other.second); });
      };
      if (free(growth) && !growth.involves(indexName)) {
        // An induction variable: it grows by the same amount in every iteration.
        closed[variable].start = known(first + growth * sinceFirst);
        if (trips) closed[variable].exit = known(first + growth * *trips);
        progress = true;
      } else if (free(last) && !pointer) {
        // A wrap-around variable: what the previous iteration left, and before the first one what was there.
        auto previous = last.substitute(indexName, index - Polynomial::constant(header.step));
        auto before = first.asAffine(), left = previous ? previous->asAffine() : std::nullopt;
        if (!before || !left) continue;
        isl::set isFirst = parameter(indexName).eq_set(*bounds.first->asAffine());
        isl::pw_aff value =
            before->intersect_params(isFirst).union_add(left->intersect_params(isFirst.complement()));
        closed[variable].start = known(Polynomial::of(value.coalesce()));
        progress = true;
      }
    }
    if (!progress) break;
  }
  environment = entry;
  return closed;
}

} // namespace warploom
