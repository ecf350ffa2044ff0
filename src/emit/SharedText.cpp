#include "emit/SharedText.h"

#include "support/IslC.h"
#include "support/Parameters.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <utility>

namespace warploom {

namespace {

/// `text` as a factor or divisor.
std::string grouped(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

} // namespace

SharedText::SharedText(KernelScope& scope) : scope(scope), tree(scope.kernel.body) {
  for (const SharedTile& tile : tree.shared)
    names.push_back(scope.names.fresh(scope.region.arrays[tile.array].name + "_tile"));
}

/// The threads of a block.
std::string SharedText::threadCount() const {
  std::vector<std::string> factors;
  for (const std::string& threads : tree.threads)
    if (threads != "1") factors.push_back(scope.used.size(threads));
  if (factors.empty()) factors.push_back("1");
  return fmt::format("{}", fmt::join(factors, " * "));
}

std::string SharedText::define(TextWriter& to) {
  if (tree.shared.empty()) return "";
  // Whether it depends on the tiles is known when its extents are.
  const std::string before = std::exchange(scope.used.chosenSet, "");
  TextWriter members;
  for (std::size_t k = 0; k < tree.shared.size(); ++k) {
    const SharedTile& tile = tree.shared[k];
    std::vector<std::string> extents;
    for (std::size_t d : tile.sides())
      extents.push_back(scope.text(tile.box.extent(d)));
    if (extents.empty()) extents.push_back("1");
    if (tile.padding < 0)
      extents.back() = fmt::format("warploom::coprime({}, {})", extents.back(), -tile.padding);
    if (tile.padding > 1)
      extents.back() = fmt::format("warploom::multiple({}, {})", extents.back(), tile.padding);
    if (tile.together > 1)
      extents.back() = fmt::format("warploom::oddMultiple({}, {})", extents.back(), tile.together);
    if (tile.copies > 1) extents.insert(extents.begin(), std::to_string(tile.copies));
    members.line("{} {}[{}];", scalarType(scope.region.arrays[tile.array].element), names[k],
                 fmt::join(extents, "]["));
  }
  set = scope.used.chosenSet;
  if (set.empty()) scope.used.chosenSet = before;
  if (!set.empty()) to.line("template <typename {}>", set);
  to.open("struct {}", structName());
  to.lines(members.text());
  to.close(";");
  return structName();
}

std::string SharedText::structName() const {
  return scope.names.of(scope.kernel.name + " shared");
}

std::string SharedText::structType() const {
  return structName() + (set.empty() ? "" : "<" + set + ">");
}

void SharedText::declare(TextWriter& to) {
  if (tree.shared.empty()) return;
  for (const std::string& name : names)
    to.line("auto& {0} = warploom::shared<&{1}::{0}>();", name, structType());
  // Copies are made by all threads in their order.
  if (std::all_of(tree.shared.begin(), tree.shared.end(), [](const SharedTile& tile) { return tile.own; }))
    return;
  std::string thread, width;
  for (std::size_t axis = 0; axis < tree.threads.size(); ++axis)
    if (const std::string threads = scope.used.size(tree.threads[axis]); threads != "1") {
      std::string own = fmt::format("threadIdx.{}", axisName(static_cast<int>(axis)));
      thread = thread.empty() ? own : fmt::format("{} * {} + {}", own, grouped(width), thread);
      width = width.empty() ? threads : fmt::format("{} * {}", width, threads);
    }
  to.line("const int {} = {};", scope.local("thread"), thread.empty() ? "0" : thread);
}

/// Every thread copies some elements of the tile, neighbouring threads neighbouring ones.
void SharedText::write(const CopyNode& copy, TextWriter& to) {
  const SharedTile& tile = tree.shared[copy.tile];
  const Box& box = tile.box;
  std::size_t rank = box.low.size();
  if (writeAsync(copy, to)) return;
  std::vector<std::string> extents;
  for (std::size_t d = 0; d < rank; ++d)
    extents.push_back(grouped(scope.text(box.extent(d))));
  std::vector<std::size_t> wide = tile.sides(); // in the order of memory
  if (tile.transposed) std::reverse(wide.begin(), wide.end());
  std::vector<std::string> factors;
  for (std::size_t d : wide)
    factors.push_back(extents[d]);
  if (factors.empty()) factors.push_back("1");
  std::string elements = fmt::format("{}", fmt::join(factors, " * ")), threads = threadCount();
  // Addresses of all copies of a thread at once would fill its registers.
  to.line(tile.copies > 1 && copy.direction == CopyNode::Direction::In ? "#pragma unroll 4"
                                                                       : "#pragma unroll");
  std::string first = scope.local("first"), t = scope.local("t");
  to.open("for (int {0} = 0; {0} < {1}; {0} += {2})", first, elements, threads);
  to.line("const int {} = {} + {};", t, first, scope.local("thread"));
  to.open("if ({0} % {1} == 0 || {2} < {0})", elements, grouped(threads), t);

  isl::set given = copy.context;
  const isl::set inside = bySubscripts(box, copy.elements, given);
  std::vector<std::string> coordinates(rank);
  std::string element = names[copy.tile];
  if (tile.copies > 1) element += fmt::format("[{}]", buffer(tile.copies));
  std::vector<std::string> places;
  for (std::size_t d = 0; d < rank; ++d) {
    std::string name = subscriptName(d), low = scope.text(box.low[d]);
    auto place = std::find(wide.begin(), wide.end(), d);
    if (place == wide.end()) {
      coordinates[d] = scope.texts[name] = grouped(low);
      continue;
    }
    std::string part = t;
    for (auto later = place + 1; later != wide.end(); ++later)
      part += " / " + extents[*later];
    if (place != wide.begin()) part += " % " + extents[d];
    places.push_back("[" + part + "]");
    // A tile of a loop is walked by its variable.
    std::string variable;
    for (const auto& [control, called] : scope.tiles)
      if (called.origin == low) variable = called.variable;
    static const char* const sides[] = {"column", "row", "plane", "cube"};
    if (variable.empty()) variable = scope.local(sides[std::min<std::size_t>(rank - 1 - d, 3)]);
    if (box.stride[d] > 1) part = fmt::format("{} * ({})", box.stride[d], part);
    to.line("const Index {} = {} + {};", variable, low, part);
    coordinates[d] = scope.texts[name] = variable;
  }
  if (places.empty()) places.push_back("[0]");
  if (tile.transposed) std::reverse(places.begin(), places.end());
  element += fmt::format("{}", fmt::join(places, ""));
  std::string guard = scope.condition(inside, given);
  for (std::size_t d = 0; d < rank; ++d)
    scope.texts.erase(subscriptName(d));
  std::string source = scope.bodies.elementAt(tile.array, coordinates);
  if (copy.direction == CopyNode::Direction::Out) {
    std::string move = fmt::format("{} = {};", source, element);
    to.line(guard.empty() ? move : fmt::format("if ({}) {}", guard, move));
  } else if (tile.copies > 1 && (guard.empty() || scope.region.arrays[tile.array].within < 0)) {
    to.line("warploom::copyAsync(&{}, &{}{});", element, source, guard.empty() ? "" : ", " + guard);
  } else {
    // Members of structs have no elements beyond their own, and so no addresses to copy from.
    // A choice, not a branch: so the loads of several elements are under way at the same time.
    source = scope.bodies.loaded(tile.array, source);
    to.line(guard.empty() ? fmt::format("{} = {};", element, source)
                          : fmt::format("{} = {} ? {} : 0;", element, guard, source));
  }
  to.close();
  to.close();
}

/// Writes the copy of a tile of the next iterations in one line, where its sides are two of an array in plain
/// memory, the last of which its neighbours lie along, and what is there of it is a box; false where not.
bool SharedText::writeAsync(const CopyNode& copy, TextWriter& to) {
  const SharedTile& tile = tree.shared[copy.tile];
  const Array& array = scope.region.arrays[tile.array];
  std::vector<std::size_t> sides = tile.sides();
  if (tile.transposed) std::reverse(sides.begin(), sides.end());
  const auto last = static_cast<std::size_t>(array.rank) - 1;
  if (copy.direction != CopyNode::Direction::In || tile.copies < 2 || sides.size() != 2 ||
      sides.back() != last || tile.box.stride[last] != 1 || array.within >= 0 || array.isScalar() ||
      scope.plan.expansionOf(tile.array) || scope.kernel.placement[tile.array] != Placement::Device ||
      (array.element.bits != 32 && array.element.bits != 64) || array.element.kind == Type::Kind::Struct ||
      array.element.kind == Type::Kind::Complex)
    return false;
  const std::optional<std::vector<std::string>> there = partThere(copy, sides);
  if (!there) return false;
  std::vector<std::string> lows;
  for (const isl::pw_aff& low : tile.box.low)
    lows.push_back(grouped(scope.text(low)));
  std::string pitch = tile.box.stride[sides[0]] > 1 ? std::to_string(tile.box.stride[sides[0]]) : "";
  for (std::size_t d = sides[0] + 1; d <= last; ++d)
    pitch += (pitch.empty() ? "" : " * ") + asFactor(scope.text(*array.extents[d]));
  const std::size_t across = tile.transposed ? sides[0] : last;
  to.line("warploom::{}<{}, {}>({}, {}[{}], &{}, {}{});", tile.transposed ? "copyTransposed" : "copyTile",
          scope.text(tile.box.extent(across)), threadCount(), scope.local("thread"), names[copy.tile],
          buffer(tile.copies), scope.bodies.elementAt(tile.array, lows), pitch,
          there->empty() ? "" : fmt::format(", {}", fmt::join(*there, ", ")));
  return true;
}

/// How many elements of each of `sides` of a tile are there, from its first on, and then, where some at the
/// beginning are not, behind how many that is; nothing at all where it is whole, and no result where what is
/// there is no box.
std::optional<std::vector<std::string>> SharedText::partThere(const CopyNode& copy,
                                                              const std::vector<std::size_t>& sides) {
  const Box& box = tree.shared[copy.tile].box;
  isl::set given = copy.context;
  const isl::set inside = bySubscripts(box, copy.elements, given);
  const isl::set asked = inside.gist_params(given).coalesce();
  if (given.is_subset(asked)) return std::vector<std::string>();
  isl::set part = given;
  std::vector<std::string> there, before;
  for (std::size_t d : sides) {
    isl::set bounded = asked;
    for (std::size_t other : sides)
      if (other != d) bounded = withoutParameter(bounded, subscriptName(other));
    const int at = isl_set_find_dim_by_name(bounded.get(), isl_dim_param, subscriptName(d).c_str());
    if (at >= 0)
      bounded = own(isl_set_move_dims(isl_set_from_params(bounded.copy()), isl_dim_set, 0, isl_dim_param,
                                      static_cast<unsigned>(at), 1));
    // How many places of the side lie before `end`, a subscript.
    const isl::pw_aff stride = constant(box.stride[d]);
    auto places = [&](const isl::pw_aff& end) {
      const isl::pw_aff up = end.sub(box.low[d]).add_constant(static_cast<int>(box.stride[d]) - 1);
      return scope.text(up.div(stride).floor().gist_params(copy.context).coalesce());
    };
    const bool isBelow = at >= 0 && own(isl_set_dim_has_upper_bound(bounded.get(), isl_dim_set, 0));
    const bool isAbove = at >= 0 && own(isl_set_dim_has_lower_bound(bounded.get(), isl_dim_set, 0));
    if (isBelow) {
      const isl::pw_aff most = own(isl_set_dim_max(bounded.copy(), 0)).gist_params(copy.context).coalesce();
      if (isl_pw_aff_n_piece(most.get()) > 2) return std::nullopt;
      part = part.intersect(parameter(subscriptName(d)).le_set(most));
      there.push_back(places(most.add_constant(1)));
    } else {
      there.push_back(scope.text(box.extent(d)));
    }
    if (isAbove) {
      const isl::pw_aff least = own(isl_set_dim_min(bounded.copy(), 0)).gist_params(copy.context).coalesce();
      if (isl_pw_aff_n_piece(least.get()) > 2) return std::nullopt;
      part = part.intersect(parameter(subscriptName(d)).ge_set(least));
      before.push_back(places(least));
    } else {
      before.push_back("0");
    }
  }
  if (!part.is_equal(inside.intersect(given))) return std::nullopt;
  if (before != std::vector<std::string>(sides.size(), "0"))
    there.insert(there.end(), before.begin(), before.end());
  return there;
}

std::string SharedText::buffer(int copies) const {
  return copies == 2 ? buffer() + " ^ 1" : fmt::format("({} + {}) % {}", buffer(), copies - 1, copies);
}

std::string SharedText::element(AccessRef access) {
  for (std::size_t k = 0; k < tree.shared.size(); ++k) {
    const Box& box = tree.shared[k].box;
    const std::vector<std::string> places = placesIn(scope, box, access);
    if (places.empty()) continue;
    std::string element = names[k], at;
    if (tree.shared[k].copies > 1) element += "[" + buffer() + "]";
    for (std::size_t d : tree.shared[k].sides())
      at += "[" + places[d] + "]";
    return element + (at.empty() ? "[0]" : at);
  }
  return "";
}

std::string subscriptName(std::size_t d) {
  return fixedName(fmt::format("subscript {}", d));
}

isl::set bySubscripts(const Box& box, const isl::set& elements, isl::set& given) {
  isl_set* inside = elements.copy();
  for (std::size_t d = box.low.size(); d-- > 0;) {
    const std::string name = subscriptName(d);
    const auto position = static_cast<unsigned>(isl_set_dim(inside, isl_dim_param));
    inside = isl_set_move_dims(inside, isl_dim_param, position, isl_dim_set, static_cast<unsigned>(d), 1);
    inside = isl_set_set_dim_name(inside, isl_dim_param, position, name.c_str());
    given =
        given.intersect(parameter(name).ge_set(box.low[d])).intersect(parameter(name).le_set(box.high[d]));
    if (box.stride[d] > 1) {
      const isl::pw_aff apart = parameter(name).sub(box.low[d]);
      const isl::val stride = own(isl_val_int_from_si(islContext().get(), box.stride[d]));
      given = given.intersect(own(isl_pw_aff_mod_val(apart.copy(), stride.copy())).eq_set(constant(0)));
    }
  }
  return own(isl_set_params(inside));
}

std::vector<std::string> placesIn(KernelScope& scope, const Box& box, AccessRef access) {
  const auto found = std::find(box.accesses.begin(), box.accesses.end(), access);
  if (found == box.accesses.end()) return {};
  std::vector<isl::pw_aff> indices;
  for (int loop : access.statementIn(scope.region).loops)
    indices.push_back(parameter("index " + scope.region.loops[loop].index));
  const isl::multi_aff subscripts =
      affineSubscripts(box.reached[static_cast<std::size_t>(found - box.accesses.begin())]).value();
  std::vector<std::string> places;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    places.push_back(scope.text(box.place(d, atIndices(subscripts.at(static_cast<int>(d)), indices))));
  return places;
}

} // namespace warploom
