// The part of a CUDA file that runs many instances of one system at once.
#pragma once

#include "sync/emit/CodeText.h"

namespace warploom::sync {

/// Writes the sequential step, the packed layout and the kernel: one thread per instance, with the whole
/// state of an instance in registers over many steps. Word w of instance k is words[w * n + k], so that the
/// threads of a warp read neighbouring words; truth values are packed 32 to a word.
void emitInstances(const CodeText& code, TextWriter& out);

} // namespace warploom::sync
