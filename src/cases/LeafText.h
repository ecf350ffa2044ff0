// A form of a nest as the user's own MetaFork program: what a strategy changes is changed in the text, all
// else stays as it was.
#pragma once

#include "cases/NestCases.h"

namespace warploom::cases {

/// The program with the one nest of `schedule` in the given form; `nest` is the nest as it was read. Throws
/// NestRefused.
std::string metaforkText(const ForkJoinSource& source, const ForkJoinConstruct& schedule, const Nest& nest,
                         const NestForm& form);

/// The same, with a comment in front where the kernel has what MetaFork cannot say.
std::string leafText(const ForkJoinSource& source, const ForkJoinConstruct& schedule, const Nest& nest,
                     const NestForm& form);

/// The nest of that form with names for common subexpressions of this level; nothing where it has none, or is
/// not alone in its function.
std::optional<Nest> namedNest(const ForkJoinSource& source, const ForkJoinConstruct& schedule,
                              const Nest& nest, const NestForm& form, int level);

} // namespace warploom::cases
