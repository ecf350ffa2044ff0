#include "frontend/Includes.h"

#include "frontend/ClangText.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <set>

namespace warploom {

namespace {

namespace fs = std::filesystem;

/// The files in which loops stand.
struct LoopFiles : clang::RecursiveASTVisitor<LoopFiles> {
  const clang::SourceManager& sources;
  std::set<clang::FileID> files;
  explicit LoopFiles(const clang::SourceManager& sources) : sources(sources) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->isThisDeclarationADefinition() || !function->hasBody() || !isCompiled(function) ||
        sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation())))
      return true;
    struct Loops : clang::RecursiveASTVisitor<Loops> {
      LoopFiles& all;
      explicit Loops(LoopFiles& all) : all(all) {}
      bool VisitStmt(clang::Stmt* one) {
        if (llvm::isa<clang::ForStmt>(one) || llvm::isa<clang::WhileStmt>(one) ||
            llvm::isa<clang::DoStmt>(one))
          all.files.insert(all.sources.getFileID(all.sources.getExpansionLoc(one->getBeginLoc())));
        return true;
      }
    };
    Loops(*this).TraverseStmt(function->getBody());
    return true;
  }
};

/// A directive, by bytes of the file that it stands in, and the file that it includes.
struct IncludeLine {
  std::size_t begin = 0, end = 0; ///< whole lines
  clang::FileID file;
};

const std::regex& once() {
  static const std::regex pragma(R"(^[ \t]*#[ \t]*pragma[ \t]+once\b)");
  return pragma;
}

/// Calls `visit` with each line of `text`, with its end, and whether it begins as a directive does.
template <typename Visit> void forEachLine(const std::string& text, const Visit& visit) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1,
                      first = text.find_first_not_of(" \t", from);
    visit(text.substr(from, end - from), first < end && text[first] == '#');
    from = end;
  }
}

class Paste {
public:
  Paste(const clang::SourceManager& sources, const Includes& includes, const std::string& name)
      : sources(sources), includes(includes), name(name), folder(fs::path(name).parent_path()) {}

  std::optional<std::string> text(const std::set<clang::FileID>& files) {
    for (clang::FileID file : files)
      want(file);
    return wanted.empty() ? std::nullopt : std::optional(textOf(sources.getMainFileID()));
  }

private:
  /// Notes `file`, and those through which the main one includes it; false when its text cannot stand there.
  bool want(clang::FileID file) {
    if (file == sources.getMainFileID()) return true;
    const clang::SourceLocation at = sources.getIncludeLoc(file);
    if (at.isInvalid() || sources.isInSystemHeader(sources.getLocForStartOfFile(file))) return false;
    const clang::FileID includer = sources.getFileID(at);
    if (std::any_of(wanted[includer].begin(), wanted[includer].end(),
                    [&](const IncludeLine& one) { return one.file == file; }))
      return true;
    const std::optional<IncludeLine> directive = directiveAt(at, file);
    if (!directive || !canBeHere(file) || !want(includer)) {
      if (wanted[includer].empty()) wanted.erase(includer);
      return false;
    }
    wanted[includer].push_back(*directive);
    return true;
  }

  std::optional<IncludeLine> directiveAt(clang::SourceLocation at, clang::FileID file) const {
    const llvm::StringRef text = sources.getBufferData(sources.getFileID(at));
    const std::size_t offset = sources.getFileOffset(at);
    const std::size_t before = text.rfind('\n', offset), after = text.find('\n', offset);
    IncludeLine result{before == text.npos ? 0 : before + 1, after == text.npos ? text.size() : after + 1,
                       file};
    const std::string line = text.slice(result.begin, result.end).str();
    static const std::regex plain(
        R"(^\s*#\s*include\s*("[^"\\\n]*"|<[^>\\\n]*>|\w+)\s*(//[^\\\n]*|/\*[^\\\n]*\*/)?\s*$)");
    constexpr std::size_t longest = 4096;
    return line.size() <= longest && std::regex_match(line, plain) ? std::optional(result) : std::nullopt;
  }

  /// True when reading the text of `file` where it is included is the same as including it.
  bool canBeHere(clang::FileID file) const {
    const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    const llvm::StringRef text = sources.getBufferData(file);
    constexpr std::size_t most = 4'000'000;
    if (!entry || text.size() > most || text.contains("include_next") || text.contains("__INCLUDE_LEVEL__"))
      return false;
    // What says that it is read once does so of a file, not of a text.
    bool saysOnce = false;
    forEachLine(text.str(), [&](const std::string& line, bool isDirective) {
      saysOnce = saysOnce || (isDirective && std::regex_search(line, once()));
    });
    return !saysOnce || includes.timesNamed(entry->getUID()) == 1;
  }

  std::string textOf(clang::FileID file) {
    const std::string whole = sources.getBufferData(file).str();
    std::vector<IncludeLine> directives = wanted[file];
    std::sort(directives.begin(), directives.end(),
              [](const IncludeLine& a, const IncludeLine& b) { return a.begin < b.begin; });
    const bool isMain = file == sources.getMainFileID();
    std::string result;
    std::size_t from = 0;
    auto add = [&](std::size_t to) {
      const std::string part = whole.substr(from, to - from);
      result += isMain ? part : fromElsewhere(part, file);
    };
    for (const IncludeLine& one : directives) {
      add(one.begin);
      std::string line = whole.substr(one.begin, one.end - one.begin);
      line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
      const clang::SourceLocation there = sources.getLocForStartOfFile(file).getLocWithOffset(
          static_cast<clang::SourceLocation::IntTy>(one.begin));
      const clang::PresumedLoc place = sources.getPresumedLoc(there);
      if (line.find("*/") == line.npos) result += fmt::format("/* {} */\n", line);
      result += fmt::format("#line 1 {}\n{}", quoted(nameOf(one.file)), textOf(one.file));
      if (!result.ends_with('\n')) result += '\n';
      result += fmt::format("#line {} {}\n", place.getLine() + 1,
                            quoted(isFromElsewhere(sources, there) ? place.getFilename()
                                   : isMain                        ? name
                                                                   : nameOf(file)));
      from = one.end;
    }
    add(whole.size());
    return result;
  }

  /// The name of `file` as the main one's is: from the working folder on.
  std::string nameOf(clang::FileID file) const {
    const fs::path path = sources.getPresumedLoc(sources.getLocForStartOfFile(file)).getFilename();
    if (path.is_relative() || fs::path(name).is_absolute()) return path.string();
    const fs::path inFolder =
        path.lexically_relative(fs::absolute(folder.empty() ? "." : folder).lexically_normal());
    return inFolder.empty() || *inFolder.begin() == ".." ? path.string() : (folder / inFolder).string();
  }

  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }

  /// `text` of `file` as it is to be read in the folder of the main one.
  std::string fromElsewhere(const std::string& text, clang::FileID file) const {
    const fs::path own = fs::path(nameOf(file)).parent_path();
    std::error_code problem;
    const bool isNear = fs::equivalent(own.empty() ? "." : own, folder.empty() ? "." : folder, problem);
    static const std::regex include(R"re(^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"([^]*))re");
    std::string result;
    forEachLine(text, [&](const std::string& line, bool isDirective) {
      std::smatch match;
      if (isDirective && std::regex_search(line, once())) {
        result += '\n';
      } else if (isDirective && !isNear && std::regex_match(line, match, include)) {
        const fs::path named = match[2].str(), there = own / named;
        const bool isThere = named.is_relative() && fs::is_regular_file(there, problem);
        const fs::path moved = isThere ? fs::relative(there, folder.empty() ? "." : folder, problem) : "";
        result += moved.empty() ? line : match[1].str() + quoted(moved.string()) + match[3].str();
      } else {
        result += line;
      }
    });
    return result;
  }

  const clang::SourceManager& sources;
  const Includes& includes;
  const std::string name;
  const fs::path folder;
  std::map<clang::FileID, std::vector<IncludeLine>> wanted; ///< by the file that the directives stand in
};

} // namespace

std::optional<std::string> textWithIncludes(const clang::ASTContext& context, const Includes& includes,
                                            const std::string& name) {
  const clang::SourceManager& sources = context.getSourceManager();
  LoopFiles loops(sources);
  loops.TraverseDecl(context.getTranslationUnitDecl());
  return Paste(sources, includes, name).text(loops.files);
}

} // namespace warploom
