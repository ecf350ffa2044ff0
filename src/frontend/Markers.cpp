#include "frontend/Markers.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Pragma.h>

namespace warploom {

class Markers::Pragma : public clang::PragmaHandler {
public:
  Pragma(Markers& markers, bool begins)
      : clang::PragmaHandler(begins ? "scop" : "endscop"), markers(markers), begins(begins) {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token&) override {
    markers.add(introducer.Loc, preprocessor.getSourceManager(), begins);
  }

private:
  Markers& markers;
  bool begins;
};

class Markers::Comment : public clang::CommentHandler {
public:
  explicit Comment(Markers& markers) : markers(markers) {}
  bool HandleComment(clang::Preprocessor& preprocessor, clang::SourceRange range) override {
    const clang::SourceManager& sources = preprocessor.getSourceManager();
    const char* begin = sources.getCharacterData(range.getBegin());
    const char* end = sources.getCharacterData(range.getEnd());
    llvm::StringRef text(begin, static_cast<std::size_t>(end - begin));
    std::size_t at = text.find("PARALLELIZE IN CUDA ");
    if (at == llvm::StringRef::npos) return false;
    llvm::StringRef word = text.substr(at + llvm::StringRef("PARALLELIZE IN CUDA ").size());
    if (word.starts_with("START"))
      markers.add(range.getBegin(), sources, true);
    else if (word.starts_with("END"))
      markers.add(range.getBegin(), sources, false);
    return false;
  }

private:
  Markers& markers;
};

void Markers::watch(clang::Preprocessor& preprocessor) {
  preprocessor.AddPragmaHandler(new Pragma(*this, true)); // owned by the preprocessor
  preprocessor.AddPragmaHandler(new Pragma(*this, false));
  comments = std::make_shared<Comment>(*this);
  preprocessor.addCommentHandler(comments.get());
}

void Markers::add(clang::SourceLocation location, const clang::SourceManager& sources, bool begins) {
  location = sources.getExpansionLoc(location);
  if (sources.isInMainFile(location)) marks.push_back({location, sources.getFileOffset(location), begins});
}

void Markers::checkPairs(clang::DiagnosticsEngine& diagnostics) const {
  auto report = [&](const Mark& mark, const char* text) {
    diagnostics.Report(mark.location,
                       diagnostics.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Error, text));
  };
  const Mark* open = nullptr;
  for (const Mark& mark : marks) {
    if (mark.begins && open)
      report(mark, "a marked region begins inside another one");
    else if (!mark.begins && !open)
      report(mark, "a marked region ends that did not begin");
    open = mark.begins ? &mark : nullptr;
  }
  if (open) report(*open, "a marked region begins that does not end");
}

std::vector<std::pair<unsigned, unsigned>> Markers::pairsIn(unsigned begin, unsigned end) const {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (std::size_t k = 0; k + 1 < marks.size(); ++k)
    if (marks[k].begins && !marks[k + 1].begins && marks[k].offset >= begin && marks[k + 1].offset < end)
      pairs.emplace_back(marks[k].offset, marks[k + 1].offset);
  return pairs;
}

} // namespace warploom
