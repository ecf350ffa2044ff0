// Jumps out of parallel constructs and into them.
#include "frontend/ForkJoinReader.h"

namespace warploom {

/// Reports a jump out of, or into, a parallel construct of keywords. (Those of directives are Clang's to
/// report.)
void ForkJoinReader::jump(const clang::Stmt* statement) {
  using namespace clang;
  const bool keywords =
      result.language == ForkJoinLanguage::MetaFork || result.language == ForkJoinLanguage::Cilk;
  const SourceRange at = range(statement->getSourceRange());
  const int here = open.empty() ? -1 : int(open.back());
  if (auto* go = dyn_cast<GotoStmt>(statement)) {
    jumps.push_back({go->getLabel(), at, here});
    return;
  }
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->kind == Frame::ParallelLoop && isa<ContinueStmt>(statement)) {
      if (frame->construct >= 0 && result.constructs[std::size_t(frame->construct)].loop)
        result.constructs[std::size_t(frame->construct)].loop->continues = true;
      return;
    }
    if (frame->kind == Frame::ParallelLoop || frame->kind == Frame::Fork) {
      if (!keywords) return;
      const std::string& name = result.constructs[std::size_t(frame->construct)].name;
      if (name == "cilk_scope" || name == "_Cilk_scope") {
        if (isa<ReturnStmt, SwitchCase>(statement)) continue;
      }
      return error(at, isa<SwitchCase>(statement) ? "a jump into the body of " + name
                                                  : "a jump out of the body of " + name);
    }
    if (isa<BreakStmt>(statement)) return;
    if (isa<ContinueStmt>(statement) && frame->kind == Frame::Loop) return;
    if (isa<SwitchCase>(statement) && frame->kind == Frame::Switch) return;
  }
}

void ForkJoinReader::finishFunction() {
  const bool keywords =
      result.language == ForkJoinLanguage::MetaFork || result.language == ForkJoinLanguage::Cilk;
  for (const Jump& jump : jumps) {
    auto label = labels.find(jump.target);
    if (!keywords || label == labels.end() || label->second == jump.construct) continue;
    bool out = jump.construct >= 0;
    const std::string& name = result.constructs[std::size_t(out ? jump.construct : label->second)].name;
    error(jump.at, out ? "a jump out of the body of " + name : "a jump into the body of " + name);
  }
}

} // namespace warploom
