#include "cases/Detile.h"

#include "support/Identifiers.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

class Maker {
public:
  Maker(const ForkJoinSource& s, const DeviceNest& f, const Nest& n, const std::string& x)
      : source(s), from(f), nest(n), suffix(x) {}

  Detiled make() {
    for (const NestLoop& thread : nest.loops)
      if (thread.role == NestLoop::Role::Thread) parallel(thread);
    for (const NestLoop& inner : nest.loops) {
      if (inner.role != NestLoop::Role::Inner || dropped.count(inner.counter)) continue;
      serial(inner);
    }
    for (const NestLoop& loop : nest.loops)
      if (!dropped.count(loop.counter))
        refuse("the loop over '" + loop.counter + "' is part of no coordinate");
    for (const NestValue& value : nest.values)
      check(value);
    for (const NestAccess& access : nest.accesses) {
      if (isOnLast(access.array))
        result.everyTile.insert(access.array);
      else if (access.isWritten)
        result.sums.insert(access.array);
      bool isAcross = false, isAlong = false;
      for (std::size_t k = 0; k < access.subscripts.size(); ++k)
        (k + 1 == access.subscripts.size() ? isAlong : isAcross) |=
            inCoordinates(access.subscripts[k]).degree(result.parallel.back().name) > 0;
      if (isAcross && !isAlong) result.acrossRows.insert(access.array);
    }
    text(from.loop);
    return result;
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw NestRefused(nest.at, "it has no form without tiles: " + why);
  }

  /// u + bound*(k + g*v) is a coordinate, where values say so.
  void parallel(const NestLoop& thread) {
    for (const NestLoop& block : nest.loops) {
      if (block.role != NestLoop::Role::Block || dropped.count(block.counter)) continue;
      const bool isCoarse = nest.granularity && nest.granularity->block == block.counter;
      const Polynomial size = isCoarse ? nest.granularity->size : Polynomial(1);
      std::map<std::string, Polynomial> steps = {{block.counter, size * thread.bound}};
      if (isCoarse) steps[nest.granularity->counter] = thread.bound;
      if (!fits(thread.counter, steps)) continue;
      result.parallel.push_back(
          {freshName(thread.counter), block.bound * size * thread.bound, thread.bound * size, size});
      drop(thread.counter, steps, result.parallel.back().name);
      return;
    }
    refuse(fmt::format("blocks do not count '{}' in order", thread.counter));
  }

  void serial(const NestLoop& inner) {
    for (const NestLoop& outer : nest.loops) {
      if (outer.role != NestLoop::Role::Between || dropped.count(outer.counter)) continue;
      std::map<std::string, Polynomial> steps = {{outer.counter, inner.bound}};
      if (!fits(inner.counter, steps)) continue;
      result.serial.push_back(
          {freshName(inner.counter), outer.bound * inner.bound, inner.bound, Polynomial(1)});
      drop(inner.counter, steps, result.serial.back().name);
      return;
    }
    if (!fits(inner.counter, {})) refuse(fmt::format("'{}' is not used linearly", inner.counter));
    result.serial.push_back({freshName(inner.counter), inner.bound, inner.bound, Polynomial(1)});
    drop(inner.counter, {}, result.serial.back().name);
  }

  /// In every value, the counters of `steps` come as multiples of `counter`'s factor.
  bool fits(const std::string& counter, const std::map<std::string, Polynomial>& steps) const {
    bool isUsed = false;
    for (const NestValue& value : nest.values) {
      const Polynomial& p = value.value;
      const Polynomial factor = p.coefficient(counter, 1);
      isUsed = isUsed || !factor.isZero();
      if (p.degree(counter) > 1) return false;
      for (const auto& [other, step] : steps)
        if (p.degree(other) > 1 || !(p.coefficient(other, 1) == factor * step)) return false;
    }
    return isUsed;
  }

  void drop(const std::string& counter, const std::map<std::string, Polynomial>& steps,
            const std::string& name) {
    dropped[counter] = Polynomial::symbol(name);
    for (const auto& [other, step] : steps)
      dropped[other] = Polynomial();
  }

  Polynomial inCoordinates(const Polynomial& p) const { return result.inCoordinates(p); }

  /// What was a value for each iteration must be one for each point.
  void check(const NestValue& value) const {
    for (const std::string& name : inCoordinates(value.value).symbols())
      if (nest.loop(name)) refuse(fmt::format("'{}' is used by itself", name));
  }

  std::string freshName(const std::string& counter) const {
    std::string name = counter + "_all" + suffix;
    while (mentionsWord(source.source, name))
      name += "_";
    return name;
  }

  bool isOnLast(const std::string& array) const {
    if (result.serial.empty()) return true;
    for (const NestAccess& access : nest.accesses)
      for (const Polynomial& subscript : access.subscripts)
        if (access.array == array && inCoordinates(subscript).degree(result.serial.back().name) > 0)
          return true;
    return false;
  }

  /// Adds the text of what the loop runs, in order; all but the innermost loop may only name values.
  void text(const NestStatement& loop) {
    const NestStatement* inside = nullptr;
    for (const NestStatement& child : loop.body)
      if (child.kind == NestStatement::Kind::Loop) inside = &child;
    if (!inside) {
      result.body += edited(loop.header.end, loop.at.end);
      if (isOpen) result.body += " }";
      return;
    }
    std::size_t last = 0;
    for (const NestStatement& child : loop.body) {
      if (&child == inside) continue;
      const bool isName = child.kind == NestStatement::Kind::Assign && child.declares &&
                          child.target.isInteger && child.at.begin < inside->at.begin;
      if (!isName) refuse("there are statements beside a loop");
      if (!isOpen) result.body += "{ ";
      isOpen = true;
      if (child.at.begin != last) result.body += edited(child.at.begin, child.at.end) + " ";
      last = child.at.begin;
    }
    text(*inside);
  }

  std::string edited(std::size_t begin, std::size_t end) const {
    std::string text = source.source.substr(begin, end - begin);
    for (auto value = nest.values.rbegin(); value != nest.values.rend(); ++value) {
      if (value->at.begin < begin || value->at.end > end) continue;
      const std::string was = source.source.substr(value->at.begin, value->at.end - value->at.begin);
      const bool isConcerned = std::any_of(dropped.begin(), dropped.end(),
                                           [&](const auto& one) { return mentionsWord(was, one.first); });
      if (isConcerned) text.replace(value->at.begin - begin, was.size(), inCoordinates(value->value).c());
    }
    return text;
  }

  const ForkJoinSource& source;
  const DeviceNest& from;
  const Nest& nest;
  const std::string suffix; ///< of its names
  Detiled result;
  std::map<std::string, Polynomial>& dropped = result.coordinates;
  bool isOpen = false;
};

std::string tileName(const Detiled& nest, std::size_t axis) {
  static const char* names[] = {"X", "Y", "Z"};
  return names[nest.parallel.size() - 1 - axis];
}

bool tilesSerial(const Detiled& nest, const NestForm& form) {
  return !form.nest.cached.empty() && !nest.serial.empty();
}

} // namespace

Detiled detiled(const ForkJoinSource& source, const DeviceNest& from, const Nest& nest,
                const std::string& suffix) {
  return Maker(source, from, nest, suffix).make();
}

Polynomial Detiled::inCoordinates(Polynomial p) const {
  for (const auto& [counter, value] : coordinates)
    p = p.substitute(counter, value);
  return p;
}

std::string Detiled::loops(const std::string& indent) const {
  std::string result, in = indent;
  for (const auto* axes : {&parallel, &serial})
    for (const Axis& axis : *axes) {
      result += fmt::format("{0}for (int {1} = 0; {1} < {1}_end; {1}++)\n", in, axis.name);
      in += "  ";
    }
  return result + in + body + "\n";
}

std::string recipe(const Detiled& nest, const NestForm& form, const std::string& kernel, bool pads) {
  std::vector<std::string> names, tiles, controls, order, threads, blocks;
  for (std::size_t k = 0; k < nest.parallel.size(); ++k) {
    names.push_back(nest.parallel[k].name);
    tiles.push_back("TILE_" + tileName(nest, k));
    threads.insert(threads.begin(), names.back());
    blocks.insert(blocks.begin(), names.back() + "_tile");
  }
  const bool isStaged = tilesSerial(nest, form);
  if (isStaged) {
    names.push_back(nest.serial.back().name);
    tiles.push_back("TILE_K");
  }
  for (const std::string& name : names)
    order.push_back(name + "_tile");
  order.insert(order.end(), names.begin(), names.end());
  for (std::size_t k = 0; k < names.size(); ++k)
    controls.push_back(fmt::format("l{}_control=\"{}_tile\"", k + 1, names[k]));
  auto list = [](const std::vector<std::string>& of) {
    return fmt::format("{{\"{}\"}}", fmt::join(of, "\", \""));
  };
  std::string text = fmt::format(
      "tile_by_index({}, {}, {{{}}}, {})\ncudaize(\"{}\", {{}}, {{block={}, thread={}}})\n", list(names),
      list(tiles), fmt::join(controls, ", "), list(order), kernel, list(blocks), list(threads));
  for (const std::string& array : form.nest.cached) {
    const bool isOnce = isStaged && !nest.everyTile.count(array);
    text += fmt::format("copy_to_shared(\"{}\", \"{}\", {})\n", isOnce ? names.back() + "_tile" : names[0],
                        array, pads && nest.acrossRows.count(array) ? -16 : 1);
  }
  if (form.isRolled && !nest.serial.empty())
    text += fmt::format("unroll(\"{}\", 4)\n", nest.serial.back().name);
  if (form.isBounded) text += fmt::format("launch_bounds(\"{}\", 2)\n", blocks.front());
  for (const std::string& array : form.local)
    text += fmt::format("copy_to_registers(\"{}\", \"{}\")\n",
                        isStaged ? names.back() + "_tile" : nest.serial.back().name, array);
  return text;
}

std::vector<std::pair<std::string, Polynomial>> sizes(const Detiled& nest, const NestForm& form,
                                                      const std::string& kernel) {
  std::vector<std::pair<std::string, Polynomial>> result;
  for (std::size_t k = 0; k < nest.parallel.size(); ++k) {
    const Axis& axis = nest.parallel[k];
    const Polynomial one = form.isOne ? *axis.tile.dividedBy(axis.items) : axis.tile;
    result.emplace_back(fmt::format("{}_TILE_{}", kernel, tileName(nest, k)), one);
    result.emplace_back(fmt::format("{}_ITEMS_{}", kernel, tileName(nest, k)),
                        form.isOne ? Polynomial(1) : axis.items);
  }
  if (tilesSerial(nest, form))
    result.emplace_back(fmt::format("{}_TILE_K", kernel),
                        form.isHalved ? nest.serial.back().tile * Polynomial(mpq_class(1, 2))
                                      : nest.serial.back().tile);
  return result;
}

} // namespace warploom::cases
