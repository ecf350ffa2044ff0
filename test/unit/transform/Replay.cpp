#include "Replay.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <set>
#include <stdexcept>

namespace warploom {

namespace {

isl::set fixed(const Sizes& sizes) {
  std::vector<std::string> names, values;
  for (const auto& [name, value] : sizes) {
    names.push_back(name);
    values.push_back(fmt::format("{} = {}", name, value));
  }
  return isl::set(islContext(),
                  fmt::format("[{}] -> {{ : {} }}", fmt::join(names, ", "), fmt::join(values, " and ")));
}

std::string text(const isl::set& set) {
  isl::point point = set.sample_point();
  std::vector<long> at;
  for (unsigned k = 0; k < unsigned(set.tuple_dim()); ++k)
    at.push_back(
        isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(k))).num_si());
  return fmt::format("{}[{}]", isl_set_get_tuple_name(set.get()), fmt::join(at, ", "));
}

std::vector<isl::set> points(const isl::union_set& set, const isl::set& context) {
  std::vector<isl::set> all;
  set.intersect_params(context).foreach_point(
      [&](const isl::point& point) { all.push_back(isl::manage(isl_set_from_point(point.copy()))); });
  return all;
}

long valueAt(const isl::union_pw_aff& value, const isl::set& point, const isl::set& context) {
  isl::union_map map = isl::manage(isl_union_map_from_union_pw_aff(value.copy()));
  isl::union_set image = isl::union_set(point).apply(map.intersect_params(context));
  return isl::manage(isl_set_from_union_set(image.release())).dim_max_val(0).num_si();
}

long floorDivide(long a, long b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// When an instance runs, component by component from the outside in.
void timeOf(const LoopTree& tree, const isl::set& point, const isl::set& context, const Sizes& sizes,
            std::map<std::string, long> starts, std::vector<long>& time) {
  switch (tree.kind) {
  case LoopTree::Kind::Leaf:
    return;
  case LoopTree::Kind::Sequence:
    for (std::size_t k = 0; k < tree.children.size(); ++k) {
      if (instances(tree.children[k]).intersect_params(context).is_disjoint(point)) continue;
      time.push_back(static_cast<long>(k));
      return timeOf(tree.children[k], point, context, sizes, starts, time);
    }
    throw std::runtime_error("an instance in no part of a sequence");
  case LoopTree::Kind::Loop:
    break;
  }
  long value = valueAt(tree.value, point, context);
  if (tree.tile) {
    long base = tree.tile->within.empty() ? 0 : starts.at(tree.tile->within);
    long size = sizes.at(tree.tile->size);
    value = base + size * floorDivide(value - base, size);
    starts[tree.tile->origin] = value;
  }
  time.push_back(value);
  timeOf(tree.children.front(), point, context, sizes, starts, time);
}

} // namespace

std::vector<std::string> replay(const LoopTree& tree, const Sizes& sizes) {
  isl::set context = fixed(sizes);
  std::vector<std::pair<std::vector<long>, std::string>> timed;
  for (const isl::set& point : points(instances(tree), context)) {
    std::vector<long> time;
    timeOf(tree, point, context, sizes, {}, time);
    timed.emplace_back(time, text(point));
  }
  std::sort(timed.begin(), timed.end());
  std::vector<std::string> order;
  for (std::size_t k = 0; k < timed.size(); ++k) {
    if (k > 0 && timed[k].first == timed[k - 1].first)
      throw std::runtime_error(timed[k].second + " and " + timed[k - 1].second + " run at the same time");
    order.push_back(timed[k].second);
  }
  return order;
}

std::vector<std::string> outOfOrder(const std::vector<Constraint>& constraints,
                                    const std::vector<std::string>& order, const Sizes& sizes) {
  std::map<std::string, std::size_t> at;
  for (std::size_t k = 0; k < order.size(); ++k)
    at[order[k]] = k;
  isl::set context = fixed(sizes);
  std::vector<std::string> wrong;
  for (const Constraint& constraint : constraints)
    for (const isl::set& source : points(isl::union_set(constraint.relation.domain()), context))
      for (const isl::set& sink :
           points(isl::union_set(source.apply(constraint.relation.intersect_params(context))), context)) {
        std::string from = text(source), to = text(sink);
        if (!at.count(from) || !at.count(to) || at[from] >= at[to]) wrong.push_back(from + " -> " + to);
      }
  return wrong;
}

} // namespace warploom
