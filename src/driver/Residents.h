// Which global arrays of a program may move: those that every object of it reaches by the pointer that
// emit/GlobalText.h makes. Only the link shows all objects.
#pragma once

#include <string>
#include <vector>

namespace warploom {

/// What stands before the array's name in the pointer's.
inline constexpr const char* globalPrefix = "warploom_place_";

/// What the linker is told besides so that the global arrays move that may. `link` is a whole command whose
/// inputs are `inputs`, without what it makes; words for the linker are `prefix` and a word (`-Wl,`), or two
/// words where it does not end in a comma (`-Xlinker`).
std::vector<std::string> residentFlags(const std::vector<std::string>& link,
                                       const std::vector<std::string>& inputs, const std::string& prefix);

/// The files that a linker says it found `symbol` in, by `text`, what it has printed; empty when there is a
/// line about the symbol that says something else.
std::vector<std::string> filesWith(const std::string& symbol, const std::string& text);

} // namespace warploom
