// Runs Clang over the user's files, finds the regions of each function, and has them read.
#include "frontend/Frontend.h"

#include "frontend/Aliasing.h"
#include "frontend/Assignments.h"
#include "frontend/BitCopies.h"
#include "frontend/Characters.h"
#include "frontend/ClangText.h"
#include "frontend/Constructs.h"
#include "frontend/CountedLoops.h"
#include "frontend/CudaSource.h"
#include "frontend/Effects.h"
#include "frontend/GlobalArrays.h"
#include "frontend/Includes.h"
#include "frontend/Inline.h"
#include "frontend/Jumps.h"
#include "frontend/Markers.h"
#include "frontend/MemoryCalls.h"
#include "frontend/PointerOffsets.h"
#include "frontend/RegionFinder.h"
#include "frontend/Repetitions.h"
#include "frontend/Searches.h"
#include "frontend/Strides.h"
#include "frontend/Switches.h"
#include "support/Budget.h"
#include "support/Identifiers.h"

#include <algorithm>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Pragma.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <filesystem>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <set>

namespace warploom {

namespace {

/// Collects the directives that the preprocessor meets in the main file.
class DirectiveHandler : public clang::PragmaHandler {
public:
  explicit DirectiveHandler(std::vector<Directive>& directives)
      : clang::PragmaHandler("warploom"), directives(directives) {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token&) override {
    const clang::SourceManager& sources = preprocessor.getSourceManager();
    const clang::SourceLocation at = sources.getExpansionLoc(introducer.Loc);
    std::string words;
    clang::Token token;
    for (preprocessor.LexUnexpandedToken(token); token.isNot(clang::tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      if (token.hasLeadingSpace() && !words.empty()) words += ' ';
      words += preprocessor.getSpelling(token);
    }
    if (sources.isInMainFile(at))
      directives.push_back({sources.getPresumedLineNumber(at), sources.getFileOffset(at), words});
  }

private:
  std::vector<Directive>& directives;
};

/// Notes where macros end that make pragmas: whatever is written behind them has to be what they speak of.
class MacroPragmas : public clang::PPCallbacks {
public:
  MacroPragmas(const clang::SourceManager& sources, std::vector<std::size_t>& ends)
      : sources(sources), ends(ends) {}
  void PragmaDirective(clang::SourceLocation at, clang::PragmaIntroducerKind) override {
    if (!at.isMacroID()) return;
    const clang::SourceLocation last = sources.getExpansionRange(at).getEnd();
    if (!sources.isInMainFile(last)) return;
    const clang::LangOptions options;
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, options);
    ends.push_back(sources.getFileOffset(end));
  }

private:
  const clang::SourceManager& sources;
  std::vector<std::size_t>& ends;
};

/// The first byte of `text` from `at` on that is neither white space nor in a comment.
std::size_t nextCode(const std::string& text, std::size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    else if (text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (text.compare(at, 2, "/*") == 0)
      at = std::min(text.find("*/", at), text.size() - 2) + 2;
    else
      break;
  }
  return at;
}

/// The macros in whose expansion their own name stays: `#define n cfg.n`.
std::set<std::string> macrosOfThemselves(const clang::Preprocessor& preprocessor) {
  std::set<std::string> names;
  for (const auto& [name, state] : preprocessor.macros())
    for (const clang::MacroDirective* one = state.getLatest(); one; one = one->getPrevious()) {
      const clang::MacroInfo* macro = one->getMacroInfo();
      const clang::IdentifierInfo* own = name;
      const bool mentions =
          macro && macro->getNumTokens() > 1 &&
          std::any_of(macro->tokens_begin(), macro->tokens_end(), [own](const clang::Token& token) {
            return !token.isLiteral() && token.getIdentifierInfo() == own;
          });
      if (mentions) names.insert(name->getName().str());
    }
  return names;
}

/// How a file is read, and what comes of it.
struct Reading {
  FileRegions result;
  bool looksInIncludes = false; ///< whether loops stand in files that are included
  /// Its text with those files in their places, as which it has to be read again; nothing where there are
  /// none.
  std::optional<std::string> whole;
};

/// Collects the regions of one translation unit once Clang has parsed it.
class RegionConsumer : public clang::ASTConsumer {
public:
  RegionConsumer(Reading& reading, const FrontendOptions& options, Markers& markers,
                 const clang::Preprocessor& preprocessor, const Includes* includes,
                 const std::vector<std::size_t>& pragmaEnds)
      : reading(reading), result(reading.result), options(options), markers(markers),
        preprocessor(preprocessor), includes(includes), pragmaEnds(pragmaEnds) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    result.source = sources.getBufferData(sources.getMainFileID()).str();
    if (context.getDiagnostics().hasErrorOccurred()) return;
    if (includes && !context.getLangOpts().CPlusPlus)
      reading.whole = textWithIncludes(context, *includes, result.file);
    if (reading.whole) return;
    markers.checkPairs(context.getDiagnostics());
    if (context.getDiagnostics().hasErrorOccurred()) return;
    const TypesOfMemory types(areTypesLoose(context));
    result.globals = globalArrays(context);
    if (!context.getLangOpts().CPlusPlus) result.repetitions = repetitions(context);
    Inlined inlined;
    if (!context.getLangOpts().CPlusPlus)
      for (const clang::FunctionDecl* defined : definedFunctions(context)) {
        auto* function = const_cast<clang::FunctionDecl*>(defined);
        nameLookUps(function, context);
        copyBits(function, context, inlined);
      }
    Aliasing aliasing(context);
    if (!context.getLangOpts().CPlusPlus)
      for (const clang::FunctionDecl* defined : definedFunctions(context)) {
        auto* function = const_cast<clang::FunctionDecl*>(defined);
        openTargetData(function, context);
        splitAssignments(function, context, inlined);
        structureSwitches(function, context, inlined);
        structureJumps(function, context, inlined);
        countLoops(function, context, inlined);
        countMemoryCalls(
            function, context,
            [&](const clang::VarDecl* variable) { return aliasing.isAddressTaken(variable); }, inlined);
      }
    {
      // Of the functions as they are written.
      CallSummaries written;
      for (const clang::FunctionDecl* function : definedFunctions(context)) {
        const std::size_t before = inlined.variables.size() + inlined.parts.size();
        inlineCalls(const_cast<clang::FunctionDecl*>(function), context, written, aliasing, inlined);
        splitOffsets(const_cast<clang::FunctionDecl*>(function), context, written, inlined);
        if (inlined.variables.size() + inlined.parts.size() > before) aliasing.lookAgain(context, function);
      }
    }
    CallSummaries summaries;
    if (!context.getLangOpts().CPlusPlus)
      for (const clang::FunctionDecl* defined : definedFunctions(context)) {
        auto* function = const_cast<clang::FunctionDecl*>(defined);
        turnSearches(function, context, summaries, inlined);
        countStrides(function, context, summaries, inlined);
      }
    for (const auto& [loop, standIn] : inlined.standIns)
      if (!standIn.leaves.then.empty()) result.returns.push_back(standIn.leaves);
    for (const clang::FunctionDecl* function : definedFunctions(context)) {
      if (!options.function.empty() && function->getNameAsString() != options.function) continue;
      RegionFinder finder(context, function, summaries, aliasing, inlined, markers, result.file, options);
      for (Region& region : finder.find())
        result.regions.push_back(std::move(region));
    }
    const std::set<std::string> macros = macrosOfThemselves(preprocessor);
    for (Region& region : result.regions) {
      if (region.fixedText.empty()) region.fixedText = whyExpanded(region, macros);
      if (std::any_of(pragmaEnds.begin(), pragmaEnds.end(),
                      [&](std::size_t end) { return nextCode(result.source, end) == region.range.begin; }))
        region.fixedText = "a macro before it makes a pragma, which speaks of what follows";
    }
    // Of two that nest the outer one comes first.
    std::sort(result.regions.begin(), result.regions.end(), [](const Region& a, const Region& b) {
      return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
  }

private:
  /// Why what is written of `region` in its place would be another thing there; empty when it would not.
  static std::string whyExpanded(const Region& region, const std::set<std::string>& macros) {
    std::vector<std::string> texts;
    for (const Parameter& parameter : region.parameters)
      texts.push_back(parameter.text);
    for (const Array& array : region.arrays)
      texts.push_back(array.base);
    for (const Condition& condition : region.conditions)
      texts.push_back(condition.place);
    for (const std::string& macro : macros)
      for (const std::string& text : texts)
        if (mentionsWord(text, macro))
          return "`" + macro + "` is a macro with its own name in it, which would be expanded twice";
    return {};
  }

  /// True when memory of one type may be used as another by more than C allows.
  bool areTypesLoose(const clang::ASTContext& context) const {
    const auto last = std::find_if(result.flags.rbegin(), result.flags.rend(), [](const std::string& flag) {
      return flag == "-fstrict-aliasing" || flag == "-fno-strict-aliasing";
    });
    if (last != result.flags.rend() && *last == "-fno-strict-aliasing") return true;
    const auto* file = context.getTranslationUnitDecl();
    return std::any_of(file->decls_begin(), file->decls_end(),
                       [](const clang::Decl* one) { return one->hasAttr<clang::MayAliasAttr>(); });
  }

  Reading& reading;
  FileRegions& result;
  const FrontendOptions& options;
  Markers& markers;
  const clang::Preprocessor& preprocessor;
  const Includes* includes; ///< null: loops of other files are left there
  const std::vector<std::size_t>& pragmaEnds;
};

class RegionAction : public clang::ASTFrontendAction {
public:
  RegionAction(Reading& reading, const FrontendOptions& options) : reading(reading), options(options) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    markers.watch(compiler.getPreprocessor());
    clang::Preprocessor& preprocessor = compiler.getPreprocessor(); // which owns what it is given
    preprocessor.AddPragmaHandler(new DirectiveHandler(reading.result.directives));
    Includes* includes = nullptr;
    if (reading.looksInIncludes) {
      auto watcher = std::make_unique<Includes>();
      includes = watcher.get();
      preprocessor.addPPCallbacks(std::move(watcher));
    }
    preprocessor.addPPCallbacks(std::make_unique<MacroPragmas>(compiler.getSourceManager(), pragmaEnds));
    return std::make_unique<RegionConsumer>(reading, options, markers, preprocessor, includes, pragmaEnds);
  }

private:
  Reading& reading;
  const FrontendOptions& options;
  Markers markers;
  std::vector<std::size_t> pragmaEnds;
};

class RegionActionFactory : public clang::tooling::FrontendActionFactory {
public:
  RegionActionFactory(Reading& reading, const FrontendOptions& options)
      : reading(reading), options(options) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<RegionAction>(reading, options);
  }

private:
  Reading& reading;
  const FrontendOptions& options;
};

std::unique_ptr<clang::tooling::CompilationDatabase> databaseFor(const FrontendOptions& options,
                                                                 const std::string& file) {
  std::string error;
  if (!options.buildPath.empty()) {
    if (auto found = clang::tooling::CompilationDatabase::loadFromDirectory(options.buildPath, error))
      return found;
  } else if (options.compilerFlags.empty()) {
    if (auto found = clang::tooling::CompilationDatabase::autoDetectFromSource(file, error)) {
      // A database that does not know the file makes flags up from its neighbours', in C++ perhaps.
      const std::filesystem::path path = std::filesystem::weakly_canonical(file);
      const std::vector<std::string> known = found->getAllFiles();
      if (std::any_of(known.begin(), known.end(),
                      [&](const std::string& one) { return std::filesystem::weakly_canonical(one) == path; }))
        return found;
    }
  }
  return std::make_unique<clang::tooling::FixedCompilationDatabase>(".", options.compilerFlags);
}

/// What the C library defines for gcc alone.
constexpr const char* complexHeader = R"(#include_next <complex.h>
#if !defined(CMPLX) && !defined(__cplusplus)
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#endif
)";

/// What functions of the C library do that give back more than one value, in terms of others. It has no
/// macros: what those might do with names would count for the user's file. A project may have a math.h of its
/// own.
constexpr const char* mathHeader = R"(#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include_next <math.h>
#if defined(_MATH_H) && !defined(__cplusplus) && !defined(__warploom_bodies)
#define __warploom_bodies
extern __inline __attribute__((__gnu_inline__)) double modf(double __value, double* __whole) {
  *__whole = __builtin_trunc(__value);
  return __builtin_copysign(__builtin_isinf(__value) ? (double)0 : __value - *__whole, __value);
}
extern __inline __attribute__((__gnu_inline__)) double frexp(double __value, int* __exponent) {
  *__exponent = __builtin_isfinite(__value) && __value != 0 ? __builtin_ilogb(__value) + 1 : 0;
  return __builtin_scalbn(__value, -*__exponent);
}
#ifdef __USE_ISOC99
extern __inline __attribute__((__gnu_inline__)) float modff(float __value, float* __whole) {
  *__whole = __builtin_truncf(__value);
  return __builtin_copysignf(__builtin_isinf(__value) ? (float)0 : __value - *__whole, __value);
}
extern __inline __attribute__((__gnu_inline__)) float frexpf(float __value, int* __exponent) {
  *__exponent = __builtin_isfinite(__value) && __value != 0 ? __builtin_ilogbf(__value) + 1 : 0;
  return __builtin_scalbnf(__value, -*__exponent);
}
#endif
#ifdef __USE_GNU
extern __inline __attribute__((__gnu_inline__)) void sincos(double __angle, double* __sine, double* __cosine) {
  *__sine = __builtin_sin(__angle);
  *__cosine = __builtin_cos(__angle);
}
extern __inline __attribute__((__gnu_inline__)) void sincosf(float __angle, float* __sine, float* __cosine) {
  *__sine = __builtin_sinf(__angle);
  *__cosine = __builtin_cosf(__angle);
}
#endif
#endif
#pragma clang diagnostic pop
)";

/// Fills in how `database` compiles `file`.
void readFlags(const clang::tooling::CompilationDatabase& database, const std::string& file,
               FileRegions& result) {
  std::vector<clang::tooling::CompileCommand> commands = database.getCompileCommands(file);
  if (commands.empty()) return;
  const std::vector<std::string>& words = commands.front().CommandLine;
  result.folder = commands.front().Directory;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string& word = words[k];
    bool takesNext = word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ";
    bool dropped = takesNext || word == "-c" || word == "--" || word.starts_with("-M") || word == file ||
                   word == commands.front().Filename;
    if (!dropped) result.flags.push_back(word);
    k += takesNext;
  }
}

/// `words` without gcc's own flags, which Clang would call errors.
clang::tooling::CommandLineArguments withoutUnknown(const clang::tooling::CommandLineArguments& words,
                                                    llvm::StringRef) {
  std::vector<const char*> texts;
  for (const std::string& word : words)
    texts.push_back(word.c_str());
  unsigned missing = 0, count = 0; // which Clang speaks of itself
  const llvm::opt::InputArgList known = clang::driver::getDriverOptTable().ParseArgs(
      texts, missing, count, llvm::opt::Visibility(clang::driver::options::ClangOption));
  std::set<std::size_t> dropped;
  for (const llvm::opt::Arg* one : known.filtered(clang::driver::options::OPT_UNKNOWN))
    if (const std::string& word = words[one->getIndex()]; word.starts_with("-f") || word.starts_with("-m"))
      dropped.insert(one->getIndex());
  clang::tooling::CommandLineArguments result;
  for (std::size_t k = 0; k < words.size(); ++k)
    if (!dropped.count(k)) result.push_back(words[k]);
  return result;
}

/// Reads the file of `reading`, or `text` in its place; false when Clang finds errors.
bool readOnce(const FrontendOptions& options, const clang::tooling::CompilationDatabase& database,
              const std::string* text, bool quiet, Reading& reading) {
  const std::string& file = reading.result.file;
  const std::string path = std::filesystem::absolute(file).string(); // the tool keeps a reference
  clang::tooling::ClangTool tool(database, {file});
  tool.setPrintErrorMessage(false);
  clang::DiagnosticConsumer nobody; // counts errors, and says nothing
  if (quiet) tool.setDiagnosticConsumer(&nobody);
  using clang::tooling::ArgumentInsertPosition;
  std::vector<std::string> extra = {std::string("-resource-dir=") + WARPLOOM_CLANG_RESOURCES};
  tool.mapVirtualFile("/warploom/include/complex.h", complexHeader);
  extra.push_back("-isystem/warploom/include");
  tool.mapVirtualFile("/warploom/bodies/math.h", mathHeader); // no system header: those are not looked into
  extra.push_back("-I/warploom/bodies");
  for (const char* flag : {"unknown-warning-option", "ignored-optimization-argument"})
    extra.push_back(std::string("-Wno-") + flag);
  // What gcc accepts with a warning is read with a warning.
  for (const char* warning : {"implicit-function-declaration", "implicit-int", "int-conversion",
                              "incompatible-function-pointer-types", "return-mismatch"})
    extra.push_back(std::string("-Wno-error=") + warning);
  if (text) tool.mapVirtualFile(path, *text);
  if (options.texts.count(file)) extra.push_back("-xc");
  if (isCudaSource(file)) {
    tool.mapVirtualFile(cudaPreludeName, cudaPrelude);
    std::vector<std::string> cuda = cudaFlags(options.cudaHeaders);
    extra.insert(extra.end(), cuda.begin(), cuda.end());
  }
  tool.appendArgumentsAdjuster(
      clang::tooling::getInsertArgumentAdjuster(extra, ArgumentInsertPosition::BEGIN));
  if (!options.buildPath.empty() && !options.compilerFlags.empty())
    tool.appendArgumentsAdjuster(
        clang::tooling::getInsertArgumentAdjuster(options.compilerFlags, ArgumentInsertPosition::END));
  tool.appendArgumentsAdjuster(withoutUnknown);
  RegionActionFactory factory(reading, options);
  return tool.run(&factory) == 0;
}

} // namespace

std::vector<FileRegions> readFiles(const FrontendOptions& options) {
  std::vector<FileRegions> results;
  for (const std::string& file : options.files) {
    FileRegions empty;
    empty.file = file;
    if (!std::filesystem::is_regular_file(file)) {
      llvm::errs() << "warploom: error: cannot read '" << file << "'\n";
      empty.compiled = false;
      results.push_back(std::move(empty));
      continue;
    }
    auto database = databaseFor(options, file);
    readFlags(*database, file, empty);
    if (!options.buildPath.empty())
      empty.flags.insert(empty.flags.end(), options.compilerFlags.begin(), options.compilerFlags.end());
    const auto given = options.texts.find(file);
    const std::string* text = given == options.texts.end() ? nullptr : &given->second;
    Budget budget(Budget::For::File);
    Reading reading{empty, !text && !isCudaSource(file), std::nullopt};
    bool compiles = readOnce(options, *database, text, options.quiet, reading);
    if (const std::optional<std::string> whole = std::move(reading.whole)) {
      // Clang has said already what it has to say. What only seems to be the same is left in its files.
      reading = {empty, false, std::nullopt};
      compiles = readOnce(options, *database, &*whole, true, reading);
      if (!compiles) {
        reading = {empty, false, std::nullopt};
        compiles = readOnce(options, *database, nullptr, options.quiet, reading);
      }
    }
    FileRegions& result = reading.result;
    if (!compiles) {
      result.compiled = false;
      result.regions.clear();
    }
    result.seconds = budget.seconds();
    results.push_back(std::move(result));
  }
  return results;
}

} // namespace warploom
