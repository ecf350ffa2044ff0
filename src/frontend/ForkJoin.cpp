// Runs Clang over a fork-join program, after its keywords have been taken out of the text, and has the tree
// read.
#include "frontend/ForkJoin.h"

#include "frontend/ForkJoinReader.h"
#include "frontend/ForkJoinTokens.h"

#include <algorithm>
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <filesystem>

namespace warploom {

namespace {

/// Keeps what Clang has to say, so that it can be shown with the user's own text.
class ProblemCollector : public clang::DiagnosticConsumer {
public:
  explicit ProblemCollector(ForkJoinSource& result) : result(result) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) return;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    ForkJoinProblem problem;
    problem.message = message.str().str();
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const clang::SourceManager& sources = diagnostic.getSourceManager();
      clang::SourceLocation at = sources.getFileLoc(diagnostic.getLocation());
      problem.at.begin = sources.getFileOffset(at);
      problem.at.end = problem.at.begin + 1;
      problem.at.line = problem.at.endLine = sources.getSpellingLineNumber(at);
      problem.at.column = sources.getSpellingColumnNumber(at);
      if (!sources.isInMainFile(at)) problem.file = sources.getFilename(at).str();
    }
    result.problems.push_back(problem);
  }

private:
  ForkJoinSource& result;
};

class ForkJoinConsumer : public clang::ASTConsumer {
public:
  ForkJoinConsumer(ForkJoinTokens& tokens, ForkJoinSource& result) : tokens(tokens), result(result) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    ForkJoinReader(context, tokens, result).read();
  }

private:
  ForkJoinTokens& tokens;
  ForkJoinSource& result;
};

class ForkJoinAction : public clang::ASTFrontendAction {
public:
  ForkJoinAction(ForkJoinTokens& tokens, ForkJoinSource& result) : tokens(tokens), result(result) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<ForkJoinConsumer>(tokens, result);
  }

private:
  ForkJoinTokens& tokens;
  ForkJoinSource& result;
};

/// Line and column of `begin` in `source`.
SourceRange placeIn(const std::string& source, std::size_t begin, std::size_t end) {
  SourceRange at;
  at.begin = begin;
  at.end = end;
  at.line = at.endLine = 1 + unsigned(std::count(source.begin(), source.begin() + long(begin), '\n'));
  std::size_t lineStart = begin == 0 ? std::string::npos : source.rfind('\n', begin - 1);
  at.column = unsigned(begin - (lineStart == std::string::npos ? 0 : lineStart + 1)) + 1;
  at.endColumn = at.column + unsigned(end - begin);
  return at;
}

} // namespace

ForkJoinLanguage forkJoinLanguage(const std::string& source) {
  return readForkJoinTokens(source, std::nullopt).language;
}

ForkJoinSource readForkJoin(const std::string& file, const std::string& source,
                            std::optional<ForkJoinLanguage> language, const std::vector<std::string>& flags) {
  ForkJoinSource result;
  result.file = file;
  result.source = source;
  ForkJoinTokens tokens = readForkJoinTokens(source, language);
  result.language = tokens.language;
  result.languageTexts = tokens.includes;
  for (const ForkJoinTokens::Problem& problem : tokens.problems)
    result.problems.push_back({"", placeIn(source, problem.begin, problem.end), true, problem.message});
  if (result.problems.empty()) {
    // The file may be one of several passes and have any name: Clang reads it as C, beside the user's own.
    const std::string path = std::filesystem::absolute(file).string();
    std::vector<std::string> arguments = {std::string("-resource-dir=") + WARPLOOM_CLANG_RESOURCES, "-xc",
                                          "-w"};
    if (result.language == ForkJoinLanguage::OpenMP) arguments.push_back("-fopenmp");
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    clang::tooling::FixedCompilationDatabase database(".", arguments);
    clang::tooling::ClangTool tool(database, {path});
    tool.setPrintErrorMessage(false);
    ProblemCollector collector(result);
    tool.setDiagnosticConsumer(&collector);
    tool.mapVirtualFile(path, tokens.text);
    class Factory : public clang::tooling::FrontendActionFactory {
    public:
      Factory(ForkJoinTokens& tokens, ForkJoinSource& result) : tokens(tokens), result(result) {}
      std::unique_ptr<clang::FrontendAction> create() override {
        return std::make_unique<ForkJoinAction>(tokens, result);
      }

    private:
      ForkJoinTokens& tokens;
      ForkJoinSource& result;
    } factory(tokens, result);
    if (tool.run(&factory) != 0 && result.problems.empty())
      result.problems.push_back({"", {}, true, "Clang does not compile the file"});
  }
  result.compiled = std::none_of(result.problems.begin(), result.problems.end(),
                                 [](const ForkJoinProblem& problem) { return problem.error; });
  return result;
}

} // namespace warploom
