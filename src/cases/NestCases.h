// The case discussion of a device nest: its forms as code, the counters of what a block needs, and the
// strategies that make it need less.
#pragma once

#include "cases/CaseTree.h"
#include "cases/Nest.h"

#include <functional>

namespace warploom::cases {

/// What a form of a nest is, besides the nest.
struct NestForm {
  Nest nest;
  bool isCached = true;                ///< what `cache` lists is staged
  bool isOne = false;                  ///< granularity is 1
  std::vector<std::string> local = {}; ///< arrays of which a thread keeps its elements in registers
  bool isHalved = false;               ///< of what blocks run through in parts, half as much at a time
  bool isRolled = false;               ///< the innermost loop is not written out but for 4 iterations
  bool isBounded = false;   ///< the compiler is to leave registers for two blocks on a multiprocessor
  int named = 0;            ///< common subexpressions have names, by level
  std::string text() const; ///< `a, b and c in shared memory, s elements a thread`
};

/// Registers of a thread of a form.
using RegisterCounter = std::function<unsigned(const NestForm&)>;

/// The limits of a device; a number or a symbol for each.
struct Limits {
  Polynomial registers = Polynomial::symbol("R"); ///< a thread
  Polynomial words = Polynomial::symbol("Z");     ///< of shared memory, a block; words are 4 bytes
  Polynomial threads = Polynomial::symbol("T");   ///< a block
};

/// The nest of a form with names for common subexpressions of this level; nothing where there are none.
using ExpressionNamer = std::function<std::optional<Nest>(const NestForm&, int level)>;

/// Measures that code should reach, as far as something is left that can be done: percents of the words that
/// are moved by neighbouring threads together, operations for each word that is moved, and percents of the
/// threads that a multiprocessor can hold, by registers, words and blocks, before anything is rounded. Those
/// without a target are not asked for.
struct Targets {
  std::optional<Polynomial> occupancy, coalescing, intensity;
  /// What a multiprocessor has.
  Polynomial registers = Polynomial::symbol("R_sm"), words = Polynomial::symbol("Z_sm"),
             threads = Polynomial::symbol("T_sm"), blocks = Polynomial::symbol("B_sm");
  bool any() const { return occupancy || coalescing || intensity; }
};

/// What forms of a nest are counted with.
struct NestCounters {
  RegisterCounter registers;
  ExpressionNamer names; ///< may be empty
  Targets targets;
  const DeviceNest* from = nullptr; ///< where there are targets
};

/// A form of a nest as code whose needs are counted: threads, registers, words, then measures.
class NestCode : public Code {
public:
  NestCode(NestForm f, RegisterCounter r) : NestCode(std::move(f), NestCounters{std::move(r), {}, {}}) {}
  NestCode(NestForm f, NestCounters c)
      : form(std::move(f)), registers(c.registers(form)), counters(std::move(c)) {}
  Amount amount(std::size_t counter) const override;
  std::shared_ptr<const Code> applied(std::size_t strategy) const override;
  std::string text() const override { return form.text(); }

  const NestForm form;

private:
  Amount measure(std::size_t number) const;

  const unsigned registers;
  const NestCounters counters; ///< for forms that strategies make of it
};

/// The case tree of a nest; `strategies` are names of those that may be taken: granularity, caching, names,
/// staging, local, tiles, unroll, bounds. Throws NestRefused and TreeTooLarge.
CaseTree discussNest(const Nest& nest, const Limits& limits, const std::vector<std::string>& strategies,
                     const NestCounters& counters);

/// Counted on the text.
unsigned estimatedRegisters(const NestForm& form);

} // namespace warploom::cases
