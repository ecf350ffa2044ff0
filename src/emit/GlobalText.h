// How a file reaches those of its global arrays that may move to memory that devices see, too: by a pointer
// that the runtime sets (runtime/warploom_globals.h), and a macro with the array's name.
#pragma once

#include "emit/CTokens.h"
#include "frontend/Frontend.h"

#include <string>
#include <vector>

namespace warploom {

/// What is to be done about one of FileRegions::globals.
/// Invariant: `refused` is empty exactly when `text` is not; `text` goes, as lines of its own, before byte
/// `offset` of the source, outside functions.
struct GlobalText {
  const GlobalArray* array = nullptr;
  std::size_t offset = 0;
  std::string text;
  std::string refused;
};

/// What is to be done about the global arrays of `file`, whose tokens are `tokens` and whose leading
/// preprocessor lines end at `head`. Static ones are left alone where the file has no launchers.
std::vector<GlobalText> globalTexts(const FileRegions& file, const std::vector<CToken>& tokens,
                                    std::size_t head, bool hasLaunchers);

} // namespace warploom
