#include "emit/CostText.h"

#include "analysis/AccessFacts.h"
#include "analysis/Effort.h"
#include "emit/BodyText.h"
#include "model/MathFunctions.h"
#include "support/IslC.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// `terms` with equal ones put together.
std::string summed(const std::vector<std::string>& terms) {
  std::vector<std::string> order, parts;
  std::map<std::string, int> count;
  for (const std::string& term : terms)
    if (count[term]++ == 0) order.push_back(term);
  for (const std::string& term : order)
    parts.push_back(count[term] == 1 ? term
                    : term == "1"    ? std::to_string(count[term])
                                     : fmt::format("{} * {}", count[term], term));
  return fmt::format("{}", fmt::join(parts, " + "));
}

/// What a loop that is not taken apart counts for.
constexpr int iterationsUnknown = 16;

/// The host, which ends a search where it finds something, is taken to go through this part of it.
constexpr int searchedOnly = 16;

/// How deep the loops of `code` nest.
int loopDepth(const Code& code) {
  int deepest = 0;
  for (const CodePtr& child : code.children)
    deepest = std::max(deepest, loopDepth(*child));
  return deepest + (code.kind == Code::Kind::Loop);
}

/// What a call of a costly function counts for.
constexpr int instancesOfCall = 16;

/// A statement that uses so many elements, beside the one that it writes, counts for one more.
constexpr int elementsOfInstance = 4;

/// What an array counts for in which every iteration of the innermost loop goes to another line of the host's
/// cache.
constexpr int instancesOfLine = 4;
constexpr long lineBytes = 64;

/// Whether it is known that an access goes to another line with every iteration of the innermost loop.
bool goesFar(const Array& array, const AccessFacts& access) {
  if (array.isScalar() || access.strides.empty()) return false;
  const Stride& stride = access.strides.back();
  return stride.kind == Stride::Kind::Symbolic ||
         (stride.kind == Stride::Kind::Constant &&
          std::labs(stride.value) * array.element.bits / 8 >= lineBytes);
}

/// How many plain statements an instance of statement `s` counts for on the host.
int weightOf(const LauncherScope& scope, int s) {
  const Statement& statement = scope.region.statements[s];
  int elements = 0, weight = 1;
  for (std::size_t a = 0; a < scope.region.arrays.size(); ++a) {
    const std::vector<AccessFacts>& accesses = scope.facts.arrays[a].accesses;
    if (!scope.region.arrays[a].isScalar())
      elements +=
          static_cast<int>(std::count_if(accesses.begin(), accesses.end(),
                                         [&](const AccessFacts& one) { return one.access.statement == s; }));
    if (std::any_of(accesses.begin(), accesses.end(), [&](const AccessFacts& one) {
          return one.access.statement == s && goesFar(scope.region.arrays[a], one);
        }))
      weight += instancesOfLine;
  }
  weight += std::max(0, elements - 1) / elementsOfInstance;
  std::function<void(const Expr&)> visit = [&](const Expr& expr) {
    if (expr.kind == Expr::Kind::Call && isCostly(expr.text)) weight += instancesOfCall;
    for (const ExprPtr& operand : expr.operands)
      visit(*operand);
  };
  if (statement.body) visit(*statement.body);
  if (statement.code) forEachExpr(*statement.code, visit);
  return weight;
}

/// How many values the index of `level` has, at most, in one iteration of the loops around it, where that is
/// a number; as in tiles.
std::optional<long> mostInside(const Statement& statement, std::size_t level) {
  const auto depth = static_cast<unsigned>(statement.loops.size()), at = static_cast<unsigned>(level);
  isl_set* domain = isl_set_project_out(statement.domain.copy(), isl_dim_set, at + 1, depth - at - 1);
  domain = isl_set_reset_tuple_id(isl_set_remove_divs(domain));
  isl_map* pairs = isl_map_from_domain_and_range(isl_set_copy(domain), domain);
  for (int k = 0; k < static_cast<int>(level); ++k)
    pairs = isl_map_equate(pairs, isl_dim_in, k, isl_dim_out, k);
  const isl::val most = own(isl_map_deltas(pairs)).dim_max_val(static_cast<int>(level));
  return most.is_int() ? std::optional(most.num_si() + 1) : std::nullopt;
}

/// How many instances a statement has, at most; empty outside all loops.
std::string instancesOf(LauncherScope& scope, const Statement& statement) {
  std::vector<std::string> factors;
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    const int loop = statement.loops[level];
    const isl::pw_aff all = sourceRange(scope.region, loop).second.coalesce();
    const bool isNumber = own(isl_pw_aff_is_cst(all.get()));
    const auto most = level > 0 && !isNumber ? mostInside(statement, level) : std::nullopt;
    factors.push_back(most ? std::to_string(*most) : fmt::format("double({})", scope.text(all)));
    const Loop& found = scope.region.loops[static_cast<std::size_t>(loop)];
    if (found.endsEarly && !found.rarely) factors.back() += fmt::format(" / {}", searchedOnly);
  }
  for (int depth = statement.code ? loopDepth(*statement.code) : 0; depth > 0; --depth)
    factors.push_back(std::to_string(iterationsUnknown));
  return fmt::format("{}", fmt::join(factors, " * "));
}

/// The values between the least and the greatest of a set of one dimension, as a number.
std::string extentText(LauncherScope& scope, const isl::set& range) {
  isl::set whole = own(isl_set_remove_divs(range.copy())).coalesce();
  isl::pw_aff low = own(isl_set_dim_min(whole.copy(), 0)), high = own(isl_set_dim_max(whole.copy(), 0));
  isl::pw_aff count = high.sub(low).add_constant(1).gist_params(scope.region.context).coalesce();
  return fmt::format("double({})", scope.text(count));
}

std::string launchesOf(LauncherScope& scope, const KernelPlan& kernel) {
  std::vector<std::string> factors;
  for (std::size_t k = 0; k < kernel.hostLoops.size(); ++k)
    factors.push_back(extentText(scope, valuesIn(kernel.hostLoops[k], kernel.hostRuns[k])));
  return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
}

} // namespace

void writeWork(LauncherScope& scope, const std::string& site, TextWriter& out) {
  std::vector<std::string> work;
  bool known = true;
  for (const KernelPlan& kernel : scope.plan.kernels)
    for (int s : kernel.statements) {
      const Statement& statement = scope.region.statements[s];
      known = known && (!statement.code || loopDepth(*statement.code) == 0);
      if (std::string instances = instancesOf(scope, statement); !instances.empty())
        work.insert(work.end(), weightOf(scope, s), instances);
    }
  out.line("const double instances = {};", work.empty() ? "1" : summed(work));
  out.line("if ({}{}.staysOnHost(instances)) return 0;", known ? "warploom::isTiny(instances) || " : "",
           site);
}

void writeCosts(LauncherScope& scope, const std::vector<std::string>& moves, TextWriter& out) {
  std::vector<std::string> launches;
  for (const KernelPlan& kernel : scope.plan.kernels) {
    launches.push_back(launchesOf(scope, kernel));
    if (!kernel.isSingle()) continue;
    for (int s : kernel.statements)
      if (std::string instances = instancesOf(scope, scope.region.statements[s]); !instances.empty())
        launches.push_back(fmt::format("warploom::byOneThread({})", instances));
  }
  out.line("const double launches = {};", summed(launches));
  out.line(
      "if (!region.worthwhile(instances, launches, {{{}}})) return region.stayOnHost(\"too little work\");",
      fmt::join(moves, ", "));
}

} // namespace warploom
