#include "mapping/Transfers.h"

#include "analysis/Effort.h"
#include "analysis/ValueFlow.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// True when `access`, an index into those of a statement, is in `expr`.
bool isIn(const Expr& expr, int access) {
  return (expr.kind == Expr::Kind::Access && expr.access == access) ||
         std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ExprPtr& operand) { return operand && isIn(*operand, access); });
}

/// True when the access happens for all instances of its statement, whatever the data is.
bool surelyHappens(const Region& region, AccessRef ref) {
  const Access& access = ref.in(region);
  const Statement& statement = ref.statementIn(region);
  const bool isCertain = access.kind == Access::Kind::Read || access.kind == Access::Kind::Write;
  // The first condition is always asked.
  const bool isReached = statement.guards.empty() || isIn(*statement.guards.front(), ref.access);
  return isCertain && access.exact && isReached && statement.kind != Statement::Kind::Opaque &&
         std::all_of(statement.loops.begin(), statement.loops.end(), [&](int loop) {
           const Loop& around = region.loops[static_cast<std::size_t>(loop)];
           return around.inexactBounds.empty() && around.mustStaySequential.empty() && !around.endsEarly;
         });
}

/// What isl may do to find out that everything is written.
constexpr unsigned long coverOperations = 400'000;
/// The text of a bound that has more pieces is longer than the copy is worth.
constexpr int mostPieces = 2;

class ArrayTransfer {
public:
  ArrayTransfer(const Region& region, const Facts& facts, int index, const isl::set& context)
      : region(region), facts(facts), index(index), array(region.arrays[index]),
        context(context.intersect(region.context)) {}

  Transfer find() {
    Transfer result;
    if (!isAccessed()) return result;
    result.touched = touchedSpan();
    if (!result.touched) return unbounded();
    const Span& touched = *result.touched;
    here = context.intersect(touched.exists);
    result.maybeShorter =
        !array.isScalar() && !(array.tables.empty() ? isSurelyThere(touched) : isSurelyUsed());
    isl::set needed = exposedElements(), written = elements([](const Access& one) { return one.writes(); });
    if (array.liveAfter && !written.is_empty()) {
      std::optional<Span> smaller = narrowed(written);
      if (smaller && !isInside(*smaller, touched)) smaller.reset();
      result.out = smaller ? smaller : touched;
      result.gaps = !isWritten(*result.out);
      if (result.gaps)
        needed = smaller ? needed.unite(written) : elements([](const Access&) { return true; });
    }
    if (!needed.intersect_params(here).is_empty()) {
      result.in = narrowed(needed);
      // A row more or less is not worth a line of the launcher's.
      bool fits =
          result.in && isInside(*result.in, touched) && (!result.gaps || isInside(*result.out, *result.in));
      if (!fits || isClose(*result.in, touched)) {
        result.in = touched;
        if (result.out && isClose(*result.out, touched)) result.out = touched;
      }
    }
    return result;
  }

  bool lastWritesAll() {
    for (const auto& extent : array.extents)
      if (!extent) return false;
    std::optional<Span> touched = touchedSpan();
    if (!touched) return false;
    here = context.intersect(touched->exists);
    return covers(all(), [&](AccessRef write) {
      isl::map none = isl::map::empty(write.in(region).map.space());
      for (const Instances& final : facts.dependences.final)
        if (final.access == write) none = none.unite(write.in(region).map.intersect_domain(final.set));
      return none;
    });
  }

private:
  /// What moves when loops and declarations do not tell how much is touched: all of the memory.
  Transfer unbounded() const {
    Transfer result;
    if (array.storage != Array::Storage::Pointee || array.isScalar()) return result;
    const Span all{{}, {}, isl::set(islContext(), "{ : }")};
    result.touched = all;
    if (array.tables.empty()) result.inspected = inspectedUses(region, index);
    result.gaps = array.liveAfter && !elements([](const Access& one) { return one.writes(); }).is_empty();
    if (result.gaps) result.out = all;
    if (result.gaps || !exposedElements().is_empty()) result.in = all;
    return result;
  }

  /// False for a struct, of which the fields are looked at, and for what only a dead statement reads.
  bool isAccessed() const {
    bool found = false;
    forEachAccess([&](AccessRef) { found = true; });
    return found;
  }

  /// Calls `visit` for every access to the array that may run.
  template <typename Visit> void forEachAccess(Visit visit) const {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      const Statement& statement = region.statements[s];
      if (statement.kind == Statement::Kind::Kill) continue;
      for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a)
        if (statement.accesses[a].array == index && statement.accesses[a].kind != Access::Kind::Kill)
          visit(AccessRef{s, a});
    }
  }

  isl::space space() const {
    isl::space found = isl::space::unit(islContext());
    forEachAccess([&](AccessRef access) { found = access.in(region).map.space().range(); });
    return own(isl_space_drop_all_params(found.release()));
  }

  template <typename Accept> isl::set elements(Accept accept) const {
    isl::set result = isl::set::empty(space());
    forEachAccess([&](AccessRef access) {
      if (accept(access.in(region))) result = result.unite(access.in(region).map.range());
    });
    return result.coalesce();
  }

  /// The elements of which the region may read the value from before it.
  isl::set exposedElements() const {
    isl::set result = isl::set::empty(space());
    for (const Instances& exposed : facts.dependences.exposed)
      if (exposed.access.in(region).array == index &&
          exposed.access.statementIn(region).kind != Statement::Kind::Kill)
        result = result.unite(exposed.set.apply(exposed.access.in(region).map));
    return result.coalesce();
  }

  std::optional<Span> touchedSpan() {
    isl::set used = elements([](const Access&) { return true; });
    // Of what is declared with its extents all rows are there; of a linearised array maybe not all of the
    // last.
    endsAtElements = array.recovered && array.rank > 1;
    std::optional<Span> span = spanAround(used);
    if (!span && endsAtElements) {
      endsAtElements = false;
      span = spanAround(used);
    }
    bool wholeIsSimpler = span && array.storage != Array::Storage::Pointee && !array.isScalar() &&
                          (isLong(span->first[0]) || isLong(span->last[0]));
    if ((!span || wholeIsSimpler) && !array.isScalar() && array.extents[0])
      return Span{{isl::pw_aff(islContext(), "{ [(0)] }")},
                  {array.extents[0]->add_constant(-1)},
                  isl::set(islContext(), "{ : }")};
    return span;
  }

  /// The least span around `used`; nothing when there is none.
  std::optional<Span> spanAround(const isl::set& used) const {
    Span span;
    span.exists = used.params();
    if (array.isScalar()) return span;
    if (endsAtElements) return addExactly(used, span) ? std::optional(wholeRows(span)) : std::nullopt;
    unsigned depth = array.recovered ? static_cast<unsigned>(array.rank) : 1;
    for (unsigned d = 0; d < depth; ++d) {
      isl_set* rest =
          isl_set_project_out(used.copy(), isl_dim_set, d + 1, static_cast<unsigned>(array.rank) - d - 1);
      rest = isl_set_reset_tuple_id(isl_set_project_out(rest, isl_dim_set, 0, d));
      isl::set values = own(rest).coalesce();
      if (!isBounded(values, 0)) {
        if (d == 0) return std::nullopt;
        break;
      }
      isl::pw_aff first = own(isl_set_dim_min(values.copy(), 0)),
                  last = own(isl_set_dim_max(values.copy(), 0));
      if (d == 0) span.exists = last.domain();
      span.first.push_back(simple(first));
      span.last.push_back(simple(last));
    }
    return wholeRows(span);
  }

  isl::pw_aff simple(const isl::pw_aff& value) const { return value.gist_params(context).coalesce(); }

  static bool isBounded(const isl::set& values, unsigned at) {
    // A bound by a number that only exists is none.
    isl::set plain = own(isl_set_remove_divs(values.copy()));
    return own(isl_set_dim_has_lower_bound(plain.get(), isl_dim_set, at)) &&
           own(isl_set_dim_has_upper_bound(plain.get(), isl_dim_set, at));
  }

  /// Makes `span` reach from the first of `used` in memory to the last; false, and it is as it was, when that
  /// takes long texts.
  bool addExactly(const isl::set& used, Span& span) const {
    isl::set values = used.coalesce();
    for (unsigned d = 0; d < static_cast<unsigned>(array.rank); ++d)
      if (!isBounded(values, d)) return false;
    isl::pw_multi_aff least = values.lexmin_pw_multi_aff(), most = values.lexmax_pw_multi_aff();
    Span exact;
    exact.exists = most.domain();
    for (int d = 0; d < array.rank; ++d) {
      exact.first.push_back(simple(least.at(d)));
      exact.last.push_back(simple(most.at(d)));
      if (isLong(exact.first.back()) || isLong(exact.last.back())) return false;
    }
    span = exact;
    return true;
  }

  static bool isLong(const isl::pw_aff& bound) { return isl_pw_aff_n_piece(bound.get()) > mostPieces; }

  /// `span` without the subscripts that say that rows are whole.
  Span wholeRows(Span span) const {
    isl::set known = context.intersect(span.exists);
    while (span.first.size() > 1) {
      const auto& extent = array.extents[span.first.size() - 1];
      if (!extent) break;
      isl::pw_aff zero(islContext(), "{ [(0)] }");
      bool whole = known.is_subset(span.first.back().eq_set(zero)) &&
                   known.is_subset(span.last.back().add_constant(1).eq_set(*extent));
      if (!whole) break;
      span.first.pop_back();
      span.last.pop_back();
    }
    return span;
  }

  /// The span around `used`, a part of what is touched; nothing where it does not exist for all parameters or
  /// its bounds are long.
  std::optional<Span> narrowed(const isl::set& used) const {
    std::optional<Span> span = spanAround(used);
    if (!span || !here.is_subset(span->exists)) return std::nullopt;
    for (const auto* bounds : {&span->first, &span->last})
      if (std::any_of(bounds->begin(), bounds->end(), isLong)) return std::nullopt;
    return span;
  }

  /// True when the bounds of the two spans differ by constants alone.
  bool isClose(const Span& one, const Span& other) const {
    if (one.first.size() != other.first.size()) return false;
    auto close = [&](const isl::pw_aff& a, const isl::pw_aff& b) {
      isl::pw_aff apart = a.sub(b).gist_params(here).coalesce();
      return apart.isa_aff() && own(isl_aff_is_cst(apart.as_aff().get()));
    };
    for (std::size_t d = 0; d < one.first.size(); ++d)
      if (!close(one.first[d], other.first[d]) || !close(one.last[d], other.last[d])) return false;
    return true;
  }

  /// The subscript at `position` of an element, and `value`, over parameters, as functions of elements.
  isl::pw_aff subscript(unsigned position) const {
    isl_local_space* domain = isl_local_space_from_space(space().release());
    return own(isl_pw_aff_from_aff(isl_aff_var_on_domain(domain, isl_dim_set, position)));
  }
  isl::pw_aff anywhere(const isl::pw_aff& value) const {
    isl_space* domain = isl_space_align_params(space().release(), isl_pw_aff_get_domain_space(value.get()));
    return own(isl_pw_aff_insert_domain(value.copy(), domain));
  }

  /// All elements that have all their subscripts inside their dimensions, the first of which is not bounded.
  isl::set all() const {
    isl::set result = isl::set::universe(space());
    for (unsigned d = 0; d < array.extents.size(); ++d) {
      if (d == 0 && !array.extents[0]) continue;
      isl::pw_aff at = subscript(d), zero = anywhere(isl::pw_aff(islContext(), "{ [(0)] }"));
      result = result.intersect(at.ge_set(zero));
      if (array.extents[d]) result = result.intersect(at.lt_set(anywhere(*array.extents[d])));
    }
    return result;
  }

  /// The elements of `span`. `real`: only those that there are; bounds are loose where a set has gaps, and
  /// may then lie before the array or behind it.
  isl::set elementsOf(const Span& span, bool real = true) const {
    // From the last of the leading subscripts outwards: lexicographic order.
    isl::set after = isl::set::universe(space()), before = after;
    for (unsigned d = static_cast<unsigned>(span.first.size()); d-- > 0;) {
      isl::pw_aff at = subscript(d), first = anywhere(span.first[d]), last = anywhere(span.last[d]);
      after = at.gt_set(first).unite(at.eq_set(first).intersect(after));
      before = at.lt_set(last).unite(at.eq_set(last).intersect(before));
    }
    isl::set inDimensions = array.storage == Array::Storage::Pointee || !real ? withoutFirst(all()) : all();
    return after.intersect(before).intersect(inDimensions).coalesce();
  }

  /// True when `one` surely is a part of `other`: the bounds of a part of a set may be looser than its own.
  bool isInside(const Span& one, const Span& other) const {
    auto answer =
        limited([&] { return elementsOf(one, false).intersect_params(here).is_subset(elementsOf(other)); },
                coverOperations);
    return answer.value_or(false);
  }

  /// What a pointer points to may have more rows than its declaration says.
  isl::set withoutFirst(const isl::set& bounded) const {
    if (array.isScalar()) return bounded;
    return own(isl_set_drop_constraints_involving_dims(bounded.copy(), isl_dim_set, 0, 1));
  }

  /// True when the first and the last of `span` are elements of the array: by its declaration, or because
  /// some access to each of them happens whatever the data is.
  bool isSurelyThere(const Span& span) const {
    const bool isDeclared = array.storage != Array::Storage::Pointee && array.extents[0];
    auto answer = limited(
        [&] {
          if (isDeclared && here.is_subset(span.last[0].lt_set(*array.extents[0]))) return true;
          isl::set used = isl::set::empty(space());
          forEachAccess([&](AccessRef access) {
            if (surelyHappens(region, access)) used = used.unite(access.in(region).map.range());
          });
          const std::optional<Span> certain = spanAround(used.coalesce());
          return certain && here.is_subset(certain->exists) &&
                 elementsOf(span, false).intersect_params(here).is_subset(elementsOf(*certain, false));
        },
        coverOperations);
    return answer.value_or(false);
  }

  /// True when all accesses happen whatever the data is.
  bool isSurelyUsed() const {
    bool result = true;
    forEachAccess([&](AccessRef access) { result = result && surelyHappens(region, access); });
    return result;
  }

  bool isWritten(const Span& span) const {
    return covers(elementsOf(span), [&](AccessRef write) { return write.in(region).map; });
  }

  /// True when the writes that always happen, as far as `part` gives them, write every one of `wanted`.
  template <typename Part> bool covers(const isl::set& wanted, Part part) const {
    auto answer = limited(
        [&] {
          isl::set written = isl::set::empty(space());
          forEachAccess([&](AccessRef access) {
            if (access.in(region).writes() && alwaysHappens(region, access))
              written = written.unite(part(access).range());
          });
          return wanted.intersect_params(here).is_subset(written.coalesce());
        },
        coverOperations);
    return answer.value_or(false);
  }

  const Region& region;
  const Facts& facts;
  const int index;
  const Array& array;
  const isl::set context;
  isl::set here = context; ///< where the array is touched
  /// Spans begin and end at the first and the last element that is meant, not at those of the smallest box
  /// around all. One or the other for all spans, so that smaller sets mostly have smaller spans.
  bool endsAtElements = false;
};

} // namespace

bool isOnHost(const Array& array) {
  return array.storage != Array::Storage::Predicate && array.declaredIn < 0 && !array.isHidden;
}

Transfer transferOf(const Region& region, const Facts& facts, int array, const isl::set& context) {
  return ArrayTransfer(region, facts, array, context).find();
}

bool lastWritesAll(const Region& region, const Facts& facts, int array, const isl::set& context) {
  return ArrayTransfer(region, facts, array, context).lastWritesAll();
}

} // namespace warploom
