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
  bool isCached = true;     ///< what `cache` lists is staged
  bool isOne = false;       ///< granularity is 1
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

/// A form of a nest as code whose needs are counted: threads, registers, words.
class NestCode : public Code {
public:
  NestCode(NestForm f, RegisterCounter r) : form(std::move(f)), registers(r(form)), counter(std::move(r)) {}
  Amount amount(std::size_t counter) const override;
  std::shared_ptr<const Code> applied(std::size_t strategy) const override;
  std::string text() const override { return form.text(); }

  const NestForm form;

private:
  const unsigned registers;
  const RegisterCounter counter; ///< for forms that strategies make of it
};

/// The case tree of a nest; `strategies` are names of those that may be taken: granularity, caching. Throws
/// NestRefused and TreeTooLarge.
CaseTree discussNest(const Nest& nest, const Limits& limits, const std::vector<std::string>& strategies,
                     const RegisterCounter& registers);

/// Counted on the text.
unsigned estimatedRegisters(const NestForm& form);

} // namespace warploom::cases
