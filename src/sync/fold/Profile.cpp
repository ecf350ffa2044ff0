#include "sync/fold/Profile.h"

#include <fmt/format.h>

namespace warploom::sync {

namespace {

const std::vector<Piece>& piecesOf(const Folding& folding, std::size_t phase) {
  return phase < folding.immediate.size()    ? folding.immediate[phase]
         : phase == folding.immediate.size() ? folding.delayed
                                             : folding.stores;
}

std::int64_t bytesOf(const System& system, bool inputs) {
  std::int64_t bytes = 0;
  for (const Variable& variable : system.variables)
    if (inputs ? variable.isInput() : variable.isOutput())
      bytes += variable.type.cellCount() * (variable.type.scalar.isBool() ? 1
                                            : variable.type.scalar.base == ScalarType::Base::Real
                                                ? 8
                                                : system.wordBits / 8);
  return bytes;
}

} // namespace

Profile::Profile(const Folding& of) : folding(of) {
  for (std::size_t phase = 0; phase <= folding.immediate.size() + 1; ++phase) {
    PhaseProfile one;
    one.name = phase < folding.immediate.size()    ? fmt::format("immediate {}", phase + 1)
               : phase == folding.immediate.size() ? "delayed"
                                                   : "stores";
    if (phase > folding.immediate.size() && folding.stores.empty()) break;
    for (const Piece& piece : piecesOf(folding, phase)) {
      one.units += piece.size();
      one.tiles += (piece.size() + 31) / 32;
    }
    phases.push_back(std::move(one));
  }
  const CellSystem& system = folding.plan->system;
  for (const CellAction& action : system.actions)
    if (action.kind == CellAction::Kind::Immediate &&
        system.cells.variableOf(action.target) >= system.ports) {
      const int variable = system.cells.variableOf(action.target);
      ports.emplace(std::pair(variable, action.target - system.cells.first(variable)), action.value);
    }
}

void Profile::count(const std::function<Value(int variable, std::int64_t offset)>& value) {
  ++steps;
  const StepPlan& plan = *folding.plan;
  const int wordBits = plan.system.system->wordBits;
  const auto lookup = [&](auto&& self, const Expr& read) -> std::optional<Value> {
    // What a store needs is computed in the step, and no variable of the system that runs.
    if (const auto found = ports.find({read.variable, read.value.integer}); found != ports.end())
      return evaluate(*found->second, [&](const Expr& inner) { return self(self, inner); }, wordBits);
    if (read.isCell()) return value(read.variable, read.value.integer);
    const Value at =
        *evaluate(*read.operands[0], [&](const Expr& inner) { return self(self, inner); }, wordBits);
    return value(read.variable, at.integer);
  };
  for (std::size_t phase = 0; phase < phases.size(); ++phase)
    for (const Piece& piece : piecesOf(folding, phase))
      for (std::int64_t first = 0; first < piece.size(); first += 32)
        for (std::size_t position = 0; position < piece.group->units[0].actions.size(); ++position) {
          int on = 0, off = 0;
          bool guarded = false;
          for (std::int64_t lane = first; lane < std::min(first + 32, piece.size()); ++lane) {
            const int action =
                piece.group->units[std::size_t(piece.units[std::size_t(lane)])].actions[position];
            const Expr* guard = action < 0 ? nullptr : plan.system.actions[std::size_t(action)].guard;
            guarded |= guard == nullptr || !guard->isTrue();
            const bool taken = guard != nullptr &&
                               evaluate(
                                   *guard, [&](const Expr& read) { return lookup(lookup, read); }, wordBits)
                                       ->integer != 0;
            ++(taken ? on : off);
          }
          if (!guarded) continue;
          ++phases[phase].branches;
          phases[phase].divergent += on > 0 && off > 0;
        }
}

std::string Profile::text() const {
  std::string result = fmt::format("{} steps\n{:<14}{:>9}{:>8}{:>12}{:>12}{:>11}{:>12}\n", steps, "phase",
                                   "threads", "warps", "lanes used", "branches", "divergent", "of branches");
  auto share = [](std::int64_t part, std::int64_t whole) {
    return fmt::format("{:.1f} %", whole == 0 ? 0.0 : 100.0 * double(part) / double(whole));
  };
  for (const PhaseProfile& one : phases)
    result += fmt::format("{:<14}{:>9}{:>8}{:>12}{:>12}{:>11}{:>12}\n", one.name, one.units, one.tiles,
                          share(one.units, 32 * one.tiles), one.branches, one.divergent,
                          share(one.divergent, one.branches));
  const System& system = *folding.plan->system.system;
  const std::int64_t in = bytesOf(system, true), out = bytesOf(system, false);
  return result +
         fmt::format("transfers a step: {} bytes in, {} bytes out; {} launches a step, or 1 for many steps\n",
                     in, out, phases.size());
}

} // namespace warploom::sync
