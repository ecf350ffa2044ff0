// Normalising passes: source-to-source steps that leave a system with nothing but guarded actions on single
// cells. Each keeps the traces of the interface variables.
#pragma once

#include "sync/model/System.h"

#include <functional>

namespace warploom::sync {

/// cocf: labels become event variables and the control-flow actions join the data flow.
System controlFlowToDataFlow(System system);

/// clin: the init part becomes guarded by a boot event `__init0`, preset to true, false in every later step.
/// A main action that could be enabled in the first step gets the guard `!__init0`; one that certainly is not
/// (because it waits for a label) stays as it is. A constant that init gives to a cell of a memory becomes a
/// preset.
System clearInit(System system);

/// nxte: every event that only delayed actions write becomes memorized, with an action that resets it when
/// none of them is enabled, and a preset.
System delayedEventsToMemorized(System system);

/// evel: every other event becomes memorized too. Immediate writers: `!(g1 | ... | gn) => x = default`.
/// Delayed writers beside them go through a pair (x_pend, x_val).
System eliminateEvents(System system);

/// coar: the remaining absence reactions, those of memorized variables, become actions.
System absenceToActions(System system);

/// suab: abbreviations are substituted, or, where that would multiply the size of the system, become local
/// variables.
System substituteAbbreviations(System system);

/// prcr: dynamic subscripts are split into cases, so that every subscript is a constant, except those of
/// memories, which stay loads and stores. Throws Error when the cases would be more than a million.
System eliminateDynamicSubscripts(System system);

/// Arrays of this many cells or more whose subscripts are data stay arrays; smaller ones become cases, whose
/// cells are ordered and computed one by one.
inline constexpr std::int64_t smallestMemory = 17;

/// Marks as memories the arrays of at least `smallest` cells, inputs or memorized and without absence
/// reactions, that some subscript selects a cell of that only a step can tell. Comes before all passes.
System markMemories(System system, std::int64_t smallest = smallestMemory);

/// A load whose subscripts lie outside its memory is the default value, and such a store does not happen.
/// (What hangs on it is reported, see withChecks.) Comes before prcr.
System guardMemories(System system);

/// Which assertions generated code carries. Subscripts and divisions are checked in any case.
struct Checks {
  bool ranges = false;     ///< every assigned value lies within the declared range of its target
  bool assertions = false; ///< the system's own assertions
  bool conflicts = false;  ///< actions that are enabled together give a cell the same value
};

/// `system` (after coar) with assertions for what could go wrong silently in generated code: subscripts
/// outside their array and divisions by zero of enabled actions, and, where asked for, values outside their
/// ranges. Their names say what and where. The system's own assertions stay only where asked for.
System withChecks(System system, Checks checks);

/// `system`, before any pass, with an assertion for every two actions that may give one cell different values
/// in one step: two immediate ones, two delayed ones, or an immediate one and a delayed one of the step
/// before. Throws Error when those are more than a million.
System withConflictChecks(System system);

/// A pass and the code it is known by.
struct Pass {
  const char* code;
  System (*run)(System);
};

/// All passes, in order.
const std::vector<Pass>& normalisingPasses();

/// All passes applied, with `checks` added on the way. Afterwards: no control flow, labels, events,
/// abbreviations or absence reactions; presets are `true
/// => x = constant`; every subscript of what is no memory is a constant. Memories have at least `smallest`
/// cells.
System normalised(System system, Checks checks = {}, std::int64_t smallest = smallestMemory);

} // namespace warploom::sync
