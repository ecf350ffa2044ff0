// What a piece of source may do, found by looking at all of it: which variables it changes, how control
// leaves it, what it calls. Used to decide what the model can hold before anything is modelled.
#pragma once

#include "model/Code.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// How a called function touches memory that is not its own.
enum class CallEffect {
  Pure,   ///< neither reads nor writes anything but its arguments' values
  Reads,  ///< may read what its pointer arguments and globals reach; writes nothing
  Unknown ///< may do anything: write, print, not return
};

/// The effects of the functions of one translation unit, each found once. Recursion counts as Unknown.
class CallSummaries {
public:
  /// The effect of calling `function`, and for Unknown the reason as a predicate: "has no body here".
  CallEffect of(const clang::FunctionDecl* function, std::string* reason = nullptr);

  /// The pure functions that were read, by their canonical declarations.
  std::map<const clang::FunctionDecl*, std::shared_ptr<const Function>> functions;

private:
  struct Summary {
    CallEffect effect;
    std::string reason;
  };
  Summary compute(const clang::FunctionDecl* function);
  std::map<const clang::FunctionDecl*, Summary> known;
  std::set<const clang::FunctionDecl*> active;
};

/// All that a statement contains, except inside nested functions.
struct Contents {
  std::set<const clang::VarDecl*> written;      ///< assigned, incremented, or their address escapes
  std::set<const clang::VarDecl*> addressTaken; ///< `&v`, or an array decaying where it is not subscripted
  std::set<const clang::VarDecl*> declared;
  std::set<const clang::Type*> writtenTypes; ///< canonical types of what is written, but for variables that
                                             ///< are no structs
  std::vector<const clang::Expr*> writtenPlaces; ///< what is written of these types
  bool writesBytes =
      false; ///< characters are written through another pointer: they may be part of any object
  std::set<const clang::VarDecl*> referenced;
  std::map<const clang::RecordDecl*, std::set<const clang::FieldDecl*>> sharing; ///< used ones, by their type
  std::vector<const clang::CallExpr*> unknownCalls; ///< calls whose effect is Unknown
  std::vector<const clang::ForStmt*> forLoops;
  const clang::Stmt* breaks = nullptr;    ///< a `break` that leaves the statement itself
  const clang::Stmt* continues = nullptr; ///< a `continue` that leaves the statement itself
  const clang::Stmt* leaves = nullptr;    ///< a `return`, `goto`, label, inline assembly, or clean-up
  /// Must stay and happen in its turn, although it is no assignment and no call: volatile, atomic, ...
  const clang::Expr* ordered = nullptr;
  const char* whyOrdered = ""; ///< as a predicate of it

  /// True when something of `writtenTypes` may be an object of `type` or a struct with one inside.
  bool mayWrite(clang::QualType type) const;
};

/// The definition of `function` in the program; null for those of libraries, among them <math.h>'s.
const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function);
/// True when `field` has no memory of its own: the members of a union are in the same place, and bit-fields
/// in the same words.
bool sharesStorage(const clang::FieldDecl* field);
/// True when `variable` is a function's own and never changes: `static const int days[12] = {...}`. Every
/// call may have its own.
bool isTable(const clang::VarDecl* variable);
/// While one lives that is `loose`, types tell no memory apart: `-fno-strict-aliasing`, or a type that may
/// alias others.
class TypesOfMemory {
public:
  explicit TypesOfMemory(bool loose) : before(areLoose) { areLoose = loose; }
  ~TypesOfMemory() { areLoose = before; }
  TypesOfMemory(const TypesOfMemory&) = delete;
  TypesOfMemory& operator=(const TypesOfMemory&) = delete;

  static bool loose() { return areLoose; }

private:
  static inline bool areLoose = false;
  bool before;
};

/// True when C lets an object of one type be written as the other: they are the same but for sign and names.
/// All pointers count as one type. Characters, as which everything can be written, are not looked at.
bool shareMemory(clang::QualType a, clang::QualType b);
/// True when an object of type `whole` may be one of type `part`, or have one inside.
bool mayHold(clang::QualType whole, clang::QualType part);

/// The variable whose own storage the lvalue `expr` lies in: `s` for `s.x` and `a` for `a[i]` when `a` is an
/// array. Null for what lies behind a pointer.
const clang::VarDecl* storageOf(const clang::Expr* expr);

/// The `restrict` pointer that the lvalue `place` lies behind: what is read in another way is not there.
/// Null: none.
const clang::VarDecl* restrictOf(const clang::Expr* place);

/// S when `statement` is `do S while (0)` and neither breaks off nor continues: the way to write a macro of
/// several statements, and no loop. Null otherwise.
const clang::Stmt* onceIn(const clang::Stmt* statement);

/// True for what the C library calls when an assertion fails.
bool failsAssertion(const clang::FunctionDecl* function);
/// What `statement` asserts, when it is a use of `assert`; null otherwise.
const clang::Expr* assertedBy(const clang::Stmt* statement);

/// What Contents::leaves means for a loop around it, for the user.
std::string leavingReason(const clang::Stmt* leaves);

/// The contents of `statement`. `break` and `continue` of loops inside it are not counted.
Contents contentsOf(const clang::Stmt* statement, CallSummaries& summaries);

} // namespace warploom
