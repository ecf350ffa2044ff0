#include "analysis/AccessFacts.h"

#include "analysis/Order.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace warploom {

std::string Stride::print() const {
  switch (kind) {
  case Kind::Constant:
    return std::to_string(value);
  case Kind::Symbolic:
    return text;
  case Kind::Unknown:
    return "unknown";
  }
  return "unknown";
}

namespace {

constexpr long sectorBytes = 32;

/// How many elements dimension `dimension` of `array` moves by when its subscript grows by one: a number and,
/// where extents are symbolic, a factor in C text. Nothing when an extent is not known.
struct Pitch {
  long number = 1;
  std::string factor;
};
std::optional<Pitch> pitch(const Array& array, int dimension) {
  Pitch result;
  for (int inner = dimension + 1; inner < array.rank; ++inner) {
    if (!array.extents[inner]) return std::nullopt;
    isl::val least = array.extents[inner]->min_val(), greatest = array.extents[inner]->max_val();
    if (least.is_int() && least.eq(greatest))
      result.number *= least.num_si();
    else
      result.factor +=
          (result.factor.empty() ? "" : "*") + (array.extentTexts[inner].find(' ') == std::string::npos
                                                    ? array.extentTexts[inner]
                                                    : "(" + array.extentTexts[inner] + ")");
  }
  return result;
}

/// The change of each subscript when the loop at `level` advances by one iteration; nothing where it is not a
/// constant.
std::vector<std::optional<long>> subscriptSteps(const Region& region, const Statement& statement,
                                                const Access& access, std::size_t level) {
  std::vector<std::optional<long>> steps(unsigned(access.map.range_tuple_dim()));
  isl::multi_aff next = statement.domain.space().identity_multi_aff_on_domain();
  next = next.set_at(static_cast<int>(level),
                     next.at(static_cast<int>(level))
                         .add_constant(isl::val(islContext(), region.loops[statement.loops[level]].step)));
  if (!access.map.is_single_valued()) return steps;
  isl::pw_multi_aff subscripts = access.map.as_pw_multi_aff().gist(statement.domain);
  isl::pw_multi_aff change = subscripts.pullback(next).sub(subscripts);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    isl::pw_aff along = change.at(static_cast<int>(k));
    if (along.n_piece() != 1) continue;
    along.foreach_piece([&](const isl::set&, const isl::multi_aff& value) {
      isl::aff subscript = value.at(0);
      isl::val constant = subscript.constant_val();
      if (subscript.is_cst() && constant.is_int()) steps[k] = constant.num_si();
    });
  }
  return steps;
}

Stride strideOf(const Array& array, const std::vector<std::optional<long>>& steps) {
  Stride stride{Stride::Kind::Constant, 0, ""};
  for (int k = 0; k < array.rank; ++k) {
    if (!steps[k]) return {};
    if (*steps[k] == 0) continue;
    std::optional<Pitch> by = pitch(array, k);
    if (!by) return {};
    long number = *steps[k] * by->number;
    if (by->factor.empty()) {
      stride.value += number;
      continue;
    }
    stride.kind = Stride::Kind::Symbolic;
    std::string term =
        std::labs(number) == 1 ? by->factor : fmt::format("{}*{}", std::labs(number), by->factor);
    stride.text += stride.text.empty() ? (number < 0 ? "-" : "") + term : (number < 0 ? " - " : " + ") + term;
  }
  if (stride.kind == Stride::Kind::Symbolic && stride.value != 0)
    stride.text += fmt::format(" {} {}", stride.value < 0 ? '-' : '+', std::labs(stride.value));
  return stride;
}

AccessFacts factsOf(const Region& region, AccessRef ref, std::vector<int>& fastest, Effort& effort) {
  const Access& access = ref.in(region);
  const Statement& statement = ref.statementIn(region);
  const Array& array = region.arrays[access.array];
  AccessFacts facts;
  facts.access = ref;
  facts.footprint = effort.ask(
      Effort::Kind::Loops, [&] { return access.map.intersect_params(region.context).range().coalesce(); });
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    int loop = statement.loops[level];
    std::optional<std::vector<std::optional<long>>> steps;
    if (access.exact)
      steps =
          effort.ask(Effort::Kind::Loops, [&] { return subscriptSteps(region, statement, access, level); });
    Stride stride = steps ? strideOf(array, *steps) : Stride{};
    if (stride.kind == Stride::Kind::Constant) {
      if (stride.value == 0)
        facts.temporalReuse.push_back(loop);
      else if (std::labs(stride.value) * (array.element.bits / 8) < sectorBytes)
        facts.spatialReuse.push_back(loop);
    }
    bool movesFastest = array.rank > 0 && steps && steps->back() != 0;
    if (movesFastest && std::find(fastest.begin(), fastest.end(), loop) == fastest.end())
      fastest.push_back(loop);
    facts.strides.push_back(stride);
  }
  return facts;
}

} // namespace

std::vector<ArrayFacts> arrayFacts(const Region& region, const Dependences& dependences, Effort& effort) {
  std::vector<ArrayFacts> result(region.arrays.size());
  for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
    for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
      const Access& access = region.statements[s].accesses[a];
      if (access.kind == Access::Kind::Kill) continue;
      ArrayFacts& of = result[access.array];
      (access.reads() ? of.read : of.written) = true;
      of.accesses.push_back(factsOf(region, {s, a}, of.fastestIndices, effort));
    }
  for (ArrayFacts& of : result) {
    of.footprint = effort.ask(Effort::Kind::Loops, [&]() -> isl::set {
      std::optional<isl::set> all;
      for (const AccessFacts& access : of.accesses) {
        if (!access.footprint) continue;
        all = all ? all->unite(*access.footprint) : *access.footprint;
      }
      return all ? all->coalesce() : isl::set(islContext(), "{ : false }");
    });
    if (std::any_of(of.accesses.begin(), of.accesses.end(),
                    [](const AccessFacts& f) { return !f.footprint; }))
      of.footprint.reset();
  }
  for (const Instances& exposed : dependences.exposed)
    result[exposed.access.in(region).array].liveIn = true;
  for (const Instances& last : dependences.final)
    result[last.access.in(region).array].liveOut = true;
  return result;
}

} // namespace warploom
