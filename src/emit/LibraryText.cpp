#include "emit/LibraryText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom {

namespace {

class ProductWriter {
public:
  ProductWriter(LauncherScope& scope, const LibraryCall& call) : scope(scope), call(call) {}

  std::string write() {
    const std::string type = scalarType(scope.region.arrays[call.c.array].element);
    std::string applies = scope.text(call.applies);
    if (applies == "1") applies = "true";
    // Where what is 0 is not written down, BLAS does not read what the program multiplies by it.
    if (!call.beta.isZero && !call.beta.factors.empty())
      applies += fmt::format(" && {} != 0", number(call.beta));
    std::vector<std::string> counts;
    for (const isl::pw_aff& count : call.counts)
      counts.push_back(scope.text(count));
    for (std::size_t k = 0; k < call.folded.size(); ++k)
      applies += fold(k, counts[call.folded[k].role]);
    std::string alpha = number(call.alpha);
    if (!call.further.isOne())
      alpha = call.alpha.isOne() ? number(call.further) : fmt::format("{} * {}", alpha, number(call.further));
    std::string start;
    if (call.start)
      start = fmt::format(", {{true, {}, {}}}", number(*call.start),
                          call.d ? elements(*call.d, LibraryCall::Rows, LibraryCall::Columns) : "{}");
    if (call.triangle) {
      const LibraryCall::Role rows = LibraryCall::Rows;
      return fmt::format("warploom::TriangularSolve<{}>{{{}, {}, {}, {}, {}, {}, {}{}}}", type, applies,
                         counts[rows], counts[LibraryCall::Columns], call.triangle->isUpper,
                         call.triangle->isUnit, elements(call.a, rows, LibraryCall::Terms),
                         elements(call.c, rows, LibraryCall::Columns), start);
    }
    if (call.sparse)
      return fmt::format(
          "warploom::SparseProduct<{}>{{{}, {}, {}, std::min({}, {}), {}, {}, {}, {}, {}, {}, {}{}}}", type,
          applies, counts[LibraryCall::Rows], size(call.sparse->vector), size(call.sparse->columns),
          size(call.sparse->values), alpha, number(call.beta), first(call.a), device(call.sparse->columns),
          device(call.sparse->values), device(call.sparse->vector), first(call.c), start);
    return fmt::format("warploom::LibraryProduct<{}>{{{}, {}, {}, {}, {}, {}, {}{}}}", type, applies,
                       fmt::join(counts, ", "), alpha, number(call.beta),
                       elements(call.a, LibraryCall::Rows, LibraryCall::Terms),
                       call.b ? elements(*call.b, LibraryCall::Terms, LibraryCall::Columns) : "{}",
                       elements(call.c, LibraryCall::Rows, LibraryCall::Columns), start);
  }

private:
  /// What must hold for the loops of a role up to folded[k] to be one, which has `count` iterations without
  /// the last of them; adds it to `count`.
  std::string fold(std::size_t k, std::string& count) {
    const LibraryCall::Folded& folded = call.folded[k];
    std::string holds;
    for (const LibraryOperand* operand :
         {&call.a, call.b ? &*call.b : nullptr, &call.c, call.d ? &*call.d : nullptr}) {
      if (!operand) continue;
      auto along = [&](auto step) {
        return offset(*operand, [&](std::size_t d) { return std::to_string(step(d)); });
      };
      const std::string inner = along([&](std::size_t d) { return operand->steps[d][folded.role]; }),
                        outer = along([&](std::size_t d) { return operand->foldedSteps[d][k]; });
      const std::string all = inner == "0"   ? "0"
                              : inner == "1" ? count
                                             : fmt::format("{} * {}", asFactor(count), asFactor(inner));
      if (all != outer) holds += fmt::format(" && {} == {}", outer, all);
    }
    count = fmt::format("{} * {}", asFactor(scope.text(folded.count)), asFactor(count));
    return holds;
  }

  std::string number(const Coefficient& value) {
    if (value.isZero) return "0";
    std::vector<std::string> factors;
    for (const ExprPtr& factor : value.factors)
      factors.push_back(
          factor->kind == Expr::Kind::Literal
              ? factor->text
              : scope.names.of(
                    scope.region.arrays[AccessRef{value.statement, factor->access}.in(scope.region).array]
                        .name));
    if (factors.empty()) return value.negated ? "-1" : "1";
    return fmt::format("{}{}", value.negated ? "-" : "", fmt::join(factors, " * "));
  }

  /// The sum of `factor` times the elements in one step of subscript d, over all d.
  template <typename Factor> std::string offset(const LibraryOperand& operand, Factor factor) {
    const Array& array = scope.region.arrays[operand.array];
    std::vector<std::string> terms;
    for (std::size_t d = 0; d < operand.steps.size(); ++d) {
      std::string term = factor(d);
      if (term == "0") continue;
      std::vector<std::string> factors;
      if (term != "1") factors.push_back(asFactor(term));
      for (std::size_t inner = d + 1; inner < array.extents.size(); ++inner)
        factors.push_back(asFactor(scope.text(*array.extents[inner])));
      terms.push_back(factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * ")));
    }
    return terms.empty() ? "0" : fmt::format("{}", fmt::join(terms, " + "));
  }

  /// Where `operand` begins, and how far apart its elements are along the loops of two roles, and of a batch.
  std::string elements(const LibraryOperand& operand, LibraryCall::Role outer, LibraryCall::Role inner) {
    auto along = [&](LibraryCall::Role role) {
      return offset(operand, [&](std::size_t d) { return std::to_string(operand.steps[d][role]); });
    };
    return fmt::format("{{{}, {}, {}, {}}}", first(operand), along(outer), along(inner),
                       along(LibraryCall::Batch));
  }

  /// Where the first element of `operand` is.
  std::string first(const LibraryOperand& operand) {
    const std::string by = offset(operand, [&](std::size_t d) { return scope.text(operand.first[d]); });
    return device(operand.array) + (by == "0" ? "" : " + " + by);
  }

  std::string device(int array) { return scope.names.of(scope.region.arrays[array].name + " device"); }
  std::string size(int array) { return scope.names.of(scope.region.arrays[array].name + " size"); }

  LauncherScope& scope;
  const LibraryCall& call;
};

} // namespace

const std::string& firstKernel(const RegionPlan& plan, const HostNode& node) {
  const HostNode* first = &node;
  while (first->kernel < 0)
    first = &first->children.front();
  return plan.kernels[static_cast<std::size_t>(first->kernel)].name;
}

static void collectPlaces(const RegionPlan& plan, const std::vector<HostNode>& nodes,
                          std::vector<LibraryPlace>& places) {
  for (const HostNode& node : nodes) {
    if (node.library) places.push_back({firstKernel(plan, node), &*node.library});
    collectPlaces(plan, node.children, places);
  }
}

std::vector<LibraryPlace> libraryPlaces(const RegionPlan& plan) {
  std::vector<LibraryPlace> places;
  for (const KernelPlan& kernel : plan.kernels)
    if (kernel.library) places.push_back({kernel.name, &*kernel.library});
  collectPlaces(plan, plan.host, places);
  return places;
}

std::string libraryChoice(LauncherScope& scope, const std::string& kernel) {
  return scope.names.of(kernel + " library");
}

std::string libraryChoiceDefinition(LauncherScope& scope, const LibraryPlace& place) {
  return fmt::format("static warploom::LibraryChoice {}(\"{}\", warploom::LibraryUse::{});",
                     libraryChoice(scope, place.kernel), place.kernel,
                     place.call->use == LibraryUse::Always ? "Always" : "Auto");
}

std::string productText(LauncherScope& scope, const LibraryCall& call) {
  return ProductWriter(scope, call).write();
}

} // namespace warploom
