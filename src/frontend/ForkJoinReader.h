// Walks Clang's tree of a fork-join program and writes down its constructs as plain values.
#pragma once

#include "frontend/ForkJoin.h"
#include "frontend/ForkJoinTokens.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtOpenMP.h>
#include <map>

namespace warploom {

class ForkJoinReader {
public:
  ForkJoinReader(const clang::ASTContext& context, ForkJoinTokens& tokens, ForkJoinSource& result);

  /// Fills in what the main file's functions hold.
  void read();

private:
  friend class NestReader;

  /// What the statements that are walked stand in.
  struct Frame {
    enum Kind { Loop, Switch, ParallelLoop, Fork } kind;
    int construct = -1;
  };
  struct Jump {
    const clang::LabelDecl* target;
    SourceRange at;
    int construct;
  };

  // Positions (ForkJoinReader.cpp)
  std::size_t offset(clang::SourceLocation location) const;
  std::size_t endOffset(clang::SourceLocation location) const;
  SourceRange range(std::size_t begin, std::size_t end) const;
  SourceRange range(clang::SourceRange range) const;
  SourceRange statementRange(const clang::Stmt* statement) const;
  std::size_t statementEnd(const clang::Stmt* statement) const;
  std::size_t behindSemicolon(std::size_t end) const;
  bool inMainFile(clang::SourceLocation location) const;
  void error(const SourceRange& at, const std::string& message);
  std::string text(const SourceRange& at) const;

  // Statements (ForkJoinReader.cpp)
  void function(const clang::FunctionDecl* declaration);
  void reductionLine(const clang::Decl* declaration);
  void walk(const clang::Stmt* statement, bool inBlock);
  void walkInside(const clang::Stmt* statement, Frame frame);
  void declare(const clang::VarDecl* variable);
  void use(const clang::DeclRefExpr* mention, bool written, bool addressed);
  void uses(const clang::Stmt* expression, bool written, bool addressed);
  void fork(ForkJoinKeyword& keyword, const clang::Stmt* statement, bool inBlock);
  void assignedFork(ForkJoinKeyword& keyword, const clang::Stmt* statement, bool inBlock);
  void parallelLoop(ForkJoinKeyword& keyword, const clang::ForStmt* loop, bool inBlock);
  void jump(const clang::Stmt* statement);
  unsigned begin(ForkJoinConstruct construct, bool inBlock);
  std::vector<ReductionText> reductionsOf(const ForkJoinKeyword& keyword);
  void checkNames(const ForkJoinConstruct& construct, const std::vector<ForkJoinKeyword::Name>& names,
                  bool arrays);
  const clang::VarDecl* lookUp(const std::string& name, std::size_t at) const;
  void finishFunction();

  // Parts of constructs (ForkJoinParts.cpp)
  std::optional<CallText> callOf(const clang::Stmt* statement) const;
  bool isLocalValue(const clang::Expr* expression, bool& structured) const;
  LoopText loopOf(const clang::ForStmt* loop) const;
  void directive(const clang::OMPExecutableDirective* directive, bool inBlock);
  ClauseText clauseOf(const clang::OMPClause* clause) const;
  SourceRange replicatedIn(const clang::Stmt* body) const;
  void checkSchedule(const ForkJoinConstruct& construct, const clang::Stmt* body);
  void readNests(); ///< when all uses are known (ForkJoinNests.cpp)
  DeclarationText declaration(clang::QualType type) const;
  bool isLocalType(clang::QualType type) const;
  std::optional<unsigned> indexOf(const clang::ValueDecl* variable) const;

  const clang::ASTContext& context;
  const clang::SourceManager& sources;
  ForkJoinTokens& tokens;
  ForkJoinSource& result;
  std::map<std::size_t, ForkJoinKeyword*> statements, assigned; ///< keywords by where their statement begins
  std::map<std::size_t, ForkJoinKeyword*> joins;
  std::map<const clang::VarDecl*, unsigned> variables;
  std::vector<const clang::VarDecl*> declarations; ///< by index
  std::vector<Frame> frames;
  std::vector<unsigned> open; ///< constructs around the statement
  std::vector<Jump> jumps;
  std::map<const clang::LabelDecl*, int> labels;
  std::vector<std::pair<unsigned, const clang::Stmt*>> schedules; ///< device statements
};

} // namespace warploom
