#include "frontend/GlobalArrays.h"

#include "frontend/ClangText.h"
#include "frontend/PointerUses.h"

#include <algorithm>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/CharInfo.h>
#include <clang/Basic/SourceManager.h>
#include <map>
#include <optional>
#include <utility>

namespace warploom {

namespace {

/// Where the variables of a translation unit are mentioned, and the texts that may name their symbols.
class MentionScan : public clang::RecursiveASTVisitor<MentionScan> {
public:
  explicit MentionScan(const clang::ASTContext& context) : sources(context.getSourceManager()) {}

  struct Mention {
    clang::SourceLocation place;
    bool constant = false; ///< in the initial value of something static
  };
  std::map<const clang::VarDecl*, std::vector<Mention>> mentions;
  std::vector<std::string> symbols; ///< assembly, and what aliases are of
  std::vector<std::string> texts;   ///< that macros have made of their arguments
  std::vector<std::string> pasted;  ///< names that they have made

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      mentions[variable->getCanonicalDecl()].push_back({reference->getLocation(), constant});
    if (isMade(reference->getLocation())) pasted.push_back(reference->getDecl()->getNameAsString());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (isMade(member->getMemberLoc())) pasted.push_back(member->getMemberDecl()->getNameAsString());
    return true;
  }
  bool VisitStringLiteral(clang::StringLiteral* text) {
    for (unsigned k = 0; k < text->getNumConcatenated(); ++k)
      if (isMade(text->getStrTokenLoc(k))) {
        texts.push_back(text->getBytes().str());
        break;
      }
    return true;
  }
  bool VisitFileScopeAsmDecl(clang::FileScopeAsmDecl* assembly) {
    symbols.push_back(assembly->getAsmString()->getBytes().str());
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) {
    symbols.push_back(assembly->getAsmString()->getBytes().str());
    return true;
  }
  bool VisitNamedDecl(clang::NamedDecl* declaration) {
    if (const auto* alias = declaration->getAttr<clang::AliasAttr>())
      symbols.push_back(alias->getAliasee().str());
    if (const auto* reference = declaration->getAttr<clang::WeakRefAttr>())
      symbols.push_back(reference->getAliasee().str());
    if (const auto* label = declaration->getAttr<clang::AsmLabelAttr>())
      symbols.push_back(label->getLabel().str());
    return true;
  }
  bool TraverseVarDecl(clang::VarDecl* variable) {
    const bool outer = std::exchange(constant, constant || variable->hasGlobalStorage());
    const bool goesOn = RecursiveASTVisitor::TraverseVarDecl(variable);
    constant = outer;
    return goesOn;
  }

private:
  bool isMade(clang::SourceLocation place) const {
    return place.isMacroID() && sources.isWrittenInScratchSpace(sources.getSpellingLoc(place));
  }

  const clang::SourceManager& sources;
  bool constant = false;
};

/// Whether one of `texts` has the word `name` in it.
bool isIn(const std::vector<std::string>& texts, const std::string& name) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !clang::isAsciiIdentifierContinue(text[at - 1])) &&
          (end == text.size() || !clang::isAsciiIdentifierContinue(text[end])))
        return true;
    }
    return false;
  });
}

/// Why the declaration of `variable` cannot be moved; empty when it can.
std::string whyFixed(const clang::VarDecl* variable) {
  for (const clang::VarDecl* declaration : variable->redecls()) {
    const clang::QualType element = declaration->getASTContext().getBaseElementType(declaration->getType());
    if (element.isVolatileQualified() || element->isAtomicType()) return "others may change it at any time";
    if (element.isConstQualified()) return "it is constant";
    if (declaration->getTLSKind() != clang::VarDecl::TLS_None) return "every thread has its own";
    if (!declaration->isFileVarDecl() || !declaration->getDeclContext()->isTranslationUnit())
      return "a function declares it again";
    if (!declaration->getLexicalDeclContext()->isTranslationUnit()) return "a function declares it again";
    for (const clang::Attr* attribute : declaration->attrs())
      if (!llvm::isa<clang::AlignedAttr>(attribute)) return "an attribute says where it is";
    constexpr unsigned mostAligned = 256 * 8;
    if (declaration->getMaxAlignment() > mostAligned) return "it is aligned for more than 256 bytes";
  }
  return "";
}

} // namespace

std::vector<GlobalArray> globalArrays(const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  std::vector<GlobalArray> result;
  if (context.getLangOpts().CPlusPlus) return result;
  std::optional<MentionScan> scan;
  std::optional<PointerUses> uses;
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || !variable->isCanonicalDecl() || !variable->getIdentifier()) continue;
    // A later declaration may be the one that tells how long it is.
    const clang::VarDecl* latest = variable->getMostRecentDecl();
    const auto* type = context.getAsConstantArrayType(latest->getType());
    if (!type || latest->getType()->isIncompleteType()) continue;
    const auto bytes = context.getTypeSizeInChars(latest->getType()).getQuantity();
    if (bytes < GlobalArray::least) continue;
    if (!scan) {
      scan.emplace(context).TraverseDecl(context.getTranslationUnitDecl());
      uses.emplace(context);
    }
    const auto& mentions = scan->mentions[variable];
    GlobalArray array;
    array.name = variable->getName().str();
    array.bytes = bytes;
    array.isStatic = variable->getFormalLinkage() == clang::Linkage::Internal;
    array.isDefined = variable->hasDefinition() != clang::VarDecl::DeclarationOnly;
    // Who defines it says that it may move, even if only others use it.
    if (mentions.empty() && (array.isStatic || !array.isDefined)) continue;
    array.refused = whyFixed(variable);
    for (const clang::VarDecl* one : variable->redecls()) {
      const clang::SourceLocation place = sources.getExpansionLoc(one->getEndLoc());
      if (!sources.isInMainFile(place)) continue;
      if (one->getBeginLoc().isMacroID() || one->getEndLoc().isMacroID())
        array.refused = array.refused.empty() ? "a macro declares it" : array.refused;
      array.declared = std::max<std::size_t>(array.declared, sources.getFileOffset(place));
    }
    if (isIn(scan->symbols, array.name) && array.refused.empty())
      array.refused = "assembly or another name of a symbol may mean it";
    const bool isPasted = std::any_of(scan->pasted.begin(), scan->pasted.end(), [&](const std::string& made) {
      return made.find(array.name) != std::string::npos;
    });
    if ((isPasted || isIn(scan->texts, array.name)) && array.refused.empty())
      array.refused = "a macro makes text of its name";
    if (uses->addressTaken.count(variable) && array.refused.empty())
      array.refused = "a pointer may point to it";
    for (const MentionScan::Mention& mention : mentions) {
      const clang::SourceLocation expanded = sources.getExpansionLoc(mention.place);
      if (mention.constant && array.refused.empty())
        array.refused = "the initial value of a variable names it";
      if (!sources.isInMainFile(expanded)) {
        if (array.refused.empty()) array.refused = "an included file uses it";
        continue;
      }
      array.used = std::min<std::size_t>(array.used, sources.getFileOffset(expanded));
      const clang::SourceLocation spelled = sources.getSpellingLoc(mention.place);
      if (sources.isInMainFile(spelled)) array.mentions.insert(sources.getFileOffset(spelled));
    }
    array.range = sourceRange(context, latest->getSourceRange());
    result.push_back(std::move(array));
  }
  return result;
}

} // namespace warploom
