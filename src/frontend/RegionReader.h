// Reads one run of statements of a function into a Region. Private to the front end.
//
// Reading goes in two stages. While the source is walked (ReadControl, ReadValues, ReadAccesses), integers
// are polynomials, loop indices are isl parameters named `$0`, `$1`, ... after their loops, and accesses are
// raw: an object and a polynomial per subscript. When all of it has been seen, FinishRegion recovers
// dimensions from linearised subscripts, decides what may overlap, and makes the sets and maps of the model.
#pragma once

#include "frontend/Aliasing.h"
#include "frontend/Effects.h"
#include "frontend/GivenExtents.h"
#include "frontend/Inline.h"
#include "frontend/Mentions.h"
#include "frontend/OpenMp.h"
#include "frontend/Polynomial.h"
#include "model/Region.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// What is read and what is known about everything around it.
struct ReadInput {
  const clang::ASTContext& context;
  const clang::FunctionDecl* function;
  CallSummaries& summaries;
  Aliasing& aliasing;
  const GivenExtents& extents;
  std::string file;
  bool marked = false;
  const Mentions& mentions; ///< of the function that the region is in
  /// True for a variable whose value may be used outside the region, before or after it.
  std::function<bool(const clang::VarDecl*)> usedOutside;
  const Inlined& inlined;
  /// The siblings right before the region, in textual order, as far back as they are straight-line code.
  std::vector<const clang::Stmt*> before;
  /// Conditions around the region that hold, or, false, do not, when it begins.
  std::vector<std::pair<const clang::Expr*, bool>> given;
  /// What OpenMP says of the region's outermost loops.
  std::map<const clang::Stmt*, OpenMpLoop> directives;
};

/// A field on the way to an object: its name, the subscripts that follow it, and the type they lead to.
struct FieldStep {
  std::string field; ///< as in Field::name
  std::string text;  ///< in C, `.x`; empty for an anonymous struct
  int rank = 0;
  clang::QualType element;
  long offset = 0;       ///< of the field in its struct, in bytes
  bool isNumber = false; ///< a number that bit-fields, or the members of a union, are bits of
};

/// Bits of a number: a bit-field, or a member of a union.
struct Unit {
  clang::QualType number; ///< the type of that number
  clang::QualType type;   ///< of the bits
  long offset = 0;        ///< from its first bit
  long bits = 0;          ///< how many, of a bit-field; 0: as many as `type` has
  bool isUnknown = false; ///< an element of an array in a union, which only data choose
};

/// An object that accesses name: a variable, what a pointer points to, or a field of either.
struct Object {
  const clang::VarDecl* variable = nullptr; ///< the root variable; null for Predicate objects
  std::string path;                         ///< how it is reached from there: `.x`, `->data`, `[].v`
  std::string name;                         ///< unique in the region
  Array::Storage storage = Array::Storage::Local;
  clang::QualType element;
  std::string base;             ///< C expression for the memory in which it lies, at the region's entry
  std::vector<FieldStep> steps; ///< from an element of that memory to it
  std::size_t outerRank = 0;    ///< the subscripts before the first step
  clang::QualType outer;        ///< the struct that they lead to; null when there are no steps
  int within = -1;              ///< the object that is the whole of that memory, where it is needed
  int rank = 0;
  std::vector<std::optional<Polynomial>> extents; ///< of the declared dimensions
  std::vector<std::string> extentTexts;
  bool rowsArePointers = false; ///< reached through an array of pointers, as `double **`
  std::string table; ///< C expression for where the outermost of such arrays begins; empty: not known
  std::vector<TableStep> tables;    ///< what the subscripts up to the last pointer do
  bool bytesMayChangeTable = false; ///< for all that types tell
  bool pointee = false;
  bool isNumber = false;  ///< a number that members of other types are bits of
  bool recovered = false; ///< dimensions recovered from linearised subscripts
  bool isRestrict = false, isConst = false;
  int declaredIn = -1;
  bool isHidden = false;
  bool isRegister = false;
  bool liveAfter = true;
};

/// How the source writes a subscript.
struct WrittenSubscript {
  const clang::Expr* index = nullptr; ///< in one piece; null where it does not
  /// Where it is no polynomial, and in no piece: the sum of `rest` and of `others`; nothing: not known.
  std::optional<Polynomial> rest;
  std::vector<const clang::Expr*> others;
};

/// How far an expression leads into memory: from a variable along fields and pointers, with the subscripts on
/// the way. For the value of a pointer, the last subscript is where in its array it points.
struct Reach {
  const clang::VarDecl* root = nullptr; ///< null: not known
  std::string path;                     ///< `.x`, `->data`, `[]` for what an array of pointers points to
  bool pointee = false;                 ///< beyond a pointer: not in the storage of `root` itself
  bool rowsArePointers = false;
  std::string table;             ///< of Object
  std::vector<TableStep> tables; ///< of Object
  bool bytesMayChangeTable = false;
  std::string base;                 ///< C expression for what the last pointer points to, or for `root`
  std::vector<std::string> through; ///< the pointers that `base` is read through
  std::vector<FieldStep> steps;     ///< fields since then
  std::size_t outerRank = 0;        ///< subscripts before the first of them
  clang::QualType outer;            ///< the struct of the first of them
  std::vector<std::optional<Polynomial>> subscripts; ///< nothing: not a polynomial
  std::vector<WrittenSubscript> indices;             ///< the same as text
  std::vector<std::optional<Polynomial>> extents;
  std::vector<std::string> extentTexts;
  bool isStart = false;        ///< the address of an element, written as one: an offset may leave its row
  std::set<std::size_t> loose; ///< subscripts that come from a pointer into a row: they might leave it
  std::size_t unknown = 0;     ///< so many first subscripts are not where it leads: it leaves its row
  bool partial = false;        ///< a part of what the path and the subscripts say, not known which
  std::optional<Unit> unit;    ///< it leads to these bits of what the path and the subscripts say
  std::string why;             ///< why `root` or a subscript is not known, or it is partial

  /// What leads to no place that is known.
  static Reach nowhere(const std::string& why) {
    Reach reach;
    reach.why = why;
    return reach;
  }
  /// The first element of the array, or of what the pointer points to, that this is; arrays have `extent`
  /// elements.
  Reach first(std::optional<Polynomial> extent = std::nullopt, const std::string& extentText = "") const;
};

/// A place in memory: an object and a subscript per dimension.
struct MemoryPlace {
  int object = -1; ///< -1: not known which
  std::vector<std::optional<Polynomial>> subscripts;
  bool partial = false;      ///< a part of the element, not known which
  std::string inexactReason; ///< why the object or a subscript is not known, or it is partial
};

struct RawAccess {
  Access::Kind kind = Access::Kind::Read;
  MemoryPlace place;
  isl::set when; ///< the affine conditions inside the expression under which it happens, over parameters
  SourceRange range;
  std::string text;
};

struct RawStatement {
  Statement model; ///< without domain and accesses
  isl::set domain; ///< over parameters, loop indices among them
  std::vector<RawAccess> accesses;
  bool mayNotRun = false; ///< guarded, after a `break`, or in a loop whose bounds are not exact
};

using Subscript = std::optional<Polynomial>;

/// One linearised (or plain) last subscript of an object, while its dimensions are recovered.
struct Use {
  RawStatement* statement = nullptr;
  RawAccess* access = nullptr;
  Subscript subscript;
  bool linearised = false;       ///< it is not affine as it stands
  std::vector<Polynomial> along; ///< the subscripts along the strides, once known
};

/// The strides of a linearised array: products of symbolic sizes with a constant factor, largest first, 1
/// last.
struct Strides {
  std::vector<Polynomial::Monomial> sizes;
  std::vector<long> factors;
  Polynomial atoms;                ///< knows the atoms of `sizes`
  std::vector<Polynomial> extents; ///< of the dimensions after the first
  int unproven = 0;                ///< subscripts that may leave their row for all that is known
  /// The sizes for which these are not the strides: a row was taken for a product, `C` for `heads*size`.
  std::optional<isl::set> wrong;
};

/// What the walk knows about a variable's value at the current point.
struct Known {
  std::optional<Polynomial> integer;
  std::optional<Reach> pointer;
};

/// A place in memory that only a write which is not known to be elsewhere could change.
struct Fixed {
  bool hasAddress = false; ///< that can be taken before the region
  clang::QualType type;
  const clang::VarDecl* root = nullptr; ///< where the way to it begins; null: not known
  int pointers = 0;                     ///< on the way
};

class RegionReader {
public:
  explicit RegionReader(const ReadInput& input) : input(input) {}

  /// The region of `statements`, which are adjacent siblings.
  Region read(const std::vector<const clang::Stmt*>& statements);

  /// Why the model cannot hold `loop` as a loop, whatever its body becomes; empty when it can.
  static std::string whyNotHeld(const clang::ForStmt* loop, const ReadInput& input);

  /// The statements that `read` did not look into, where further regions may be, and why.
  std::vector<std::pair<const clang::Stmt*, std::string>> opaqueParts;
  /// Where the loops of the region come from, in their order.
  std::vector<const clang::ForStmt*> sourceLoops;

private:
  /// An integer, or why it is not known as a polynomial.
  struct Value {
    std::optional<Polynomial> polynomial;
    std::string why;
  };
  using Environment = std::map<const clang::VarDecl*, Known>;

  // ReadControl.cpp: statements and control flow.
  void seedFromBefore(const std::vector<const clang::ForStmt*>& forLoops);
  /// Has the context say what conditions around the region say.
  void takeGiven();
  void readStatement(const clang::Stmt* statement);
  void readList(const std::vector<const clang::Stmt*>& list, std::size_t from);
  void readIf(const clang::Stmt* at, const clang::Expr* condition,
              const std::vector<const clang::Stmt*>& thenPart,
              const std::vector<const clang::Stmt*>& elsePart);
  void readOpaque(const clang::Stmt* statement, const std::string& reason);
  /// `assert(condition)`: what does not hold for all iterations is left to the original loops.
  void readAssertion(const clang::Stmt* at, const clang::Expr* condition);
  /// Why what `inside` has of `ordered` must stay where it is, for the user.
  std::string orderedReason(const Contents& inside) const;
  /// Makes a Predicate statement that evaluates `condition`; the name of the object it writes.
  std::string readPredicate(const clang::Expr* condition, const std::string& purpose);
  void killOverwritten(const std::vector<const clang::Stmt*>& thenPart,
                       const std::vector<const clang::Stmt*>& elsePart, const clang::Expr* condition);
  void forgetWritten(const Contents& contents);
  void mustStaySequential(const clang::Stmt* because, const std::string& reason);

  // ReadAssignments.cpp: what changes a variable or memory.
  void readDeclaration(const clang::DeclStmt* declaration);
  /// All elements of an array that the region declares.
  MemoryPlace allOf(const clang::VarDecl* variable);
  /// Reads the initialiser of the array `variable` as one assignment to each element; false where it is none
  /// of numbers, or has very many.
  bool readElements(const clang::DeclStmt* at, const clang::VarDecl* variable);
  void readExpression(const clang::Expr* expr);
  /// `target op value`, or the initialisation of `declared` when there is no target. No value: by one.
  void readAssignment(const clang::Stmt* at, const clang::VarDecl* declared, const clang::Expr* target,
                      const clang::Expr* value, const std::string& op);
  /// Reads `s = (struct t){x, y}` for a variable s as one assignment to each field; false where it cannot.
  bool readFields(const clang::Stmt* at, const clang::Expr* target, const clang::Expr* value);
  static std::string assignmentOperator(const clang::BinaryOperator* op);
  void flushIncrements();
  void readIncrement(const clang::UnaryOperator* op);
  std::vector<const clang::UnaryOperator*> incrementsIn(const clang::Stmt* part) const;
  /// An increment in `part` that is done on a condition, in a branch of `?:` or after `&&` or `||`; null when
  /// there is none.
  const clang::UnaryOperator* conditionalIncrement(const clang::Stmt* part) const;
  void assignKnown(const clang::VarDecl* variable, const std::optional<Known>& value);

  // ReadLoop.cpp: `for`.
  void readFor(const clang::ForStmt* loop);
  /// The shape of a `for`, before anything is known about values.
  struct Header {
    const clang::VarDecl* index = nullptr;
    const clang::Expr* first = nullptr;         ///< null: the index keeps the value it has
    std::vector<const clang::Expr*> conditions; ///< all must hold for another iteration
    long step = 0;                              ///< 0: not a constant
    bool ascending = true;
    bool countsInCondition = false; ///< `for (i = n; i-- > 0;)`: the body sees the index after the step
    bool isPointer = false;         ///< the index is where in its array it points
    std::vector<const clang::Stmt*> before; ///< further initialisations
    std::vector<const clang::Expr*> after;  ///< further steps, at the end of every iteration
    std::string problem;                    ///< why the loop has no index that the model can hold; else empty
  };
  Header headerOf(const clang::ForStmt* loop) const;
  /// Where the index of a loop points that steps a pointer, when the loop begins.
  Reach startOf(const Header& header);
  /// How many elements `left` is behind `right`; nothing when they are not known to be in one array.
  std::optional<Polynomial> distanceOf(const clang::Expr* left, const clang::Expr* right);
  /// The same for two of the function's own pointers, by where they point when the region begins.
  std::optional<Polynomial> distanceAtEntry(const Reach& one, const Reach& other);
  /// `name`, told apart from what is a parameter or an index already, as the name of a parameter.
  std::string freshParameter(std::string name);
  /// What a loop over `index` calls it: its name, told apart from those of loops around and of parameters.
  std::string nameForIndex(const clang::VarDecl* index) const;
  /// What the loop's iterations are, as far as known.
  struct Bounds {
    std::optional<Polynomial> first;
    isl::set inside;                           ///< the current domain with the index in bounds
    std::optional<isl::pw_aff> trips;          ///< how many iterations there are
    std::string inexact;                       ///< why `inside` is only a superset; else empty
    std::string uncountable;                   ///< why the end is only known when it is reached; else empty
    std::vector<const clang::Expr*> evaluated; ///< bounds that read memory or variables the region changes
  };
  Bounds boundsOf(const Header& header, const Contents& body, Value first, const std::string& indexName);
  /// True when `condition` compares the index with a value that the loop does not change.
  bool endsByIndex(const clang::Expr* condition, const Header& header, const Contents& body);
  /// True when the value of `expr` depends on memory or on variables that the region changes.
  bool readsState(const clang::Expr* expr) const;
  void readBody(const clang::ForStmt* loop, const Header& header);
  /// Notes for loop `id` what a directive before `loop`, or before one around it, says.
  void readWord(const clang::ForStmt* loop, int id);

  // ClosedForms.cpp
  /// The values of variables that a loop changes: at the start of iteration `indexName`, and after the loop.
  struct Closed {
    std::optional<Known> start, exit;
  };
  std::map<const clang::VarDecl*, Closed> closedForms(const clang::ForStmt* loop, const Header& header,
                                                      const Bounds& bounds, const Contents& body,
                                                      const std::string& indexName);

  // ReadValues.cpp: integers and conditions.
  Value valueOf(const clang::Expr* expr);
  Value valueOfAny(const clang::Expr* expr); ///< the same, where the value may be lost
  Value valueOfBinary(const clang::BinaryOperator* op);
  Value valueOfVariable(const clang::VarDecl* variable);
  Value valueOfCall(const clang::CallExpr* call);
  /// `value`, the mathematical value of `expr`, if it is also its C value: an unsigned expression does not
  /// wrap around. Needed only where the value is used: sums and products of wrapped values are right modulo
  /// 2^bits.
  Value unwrapped(const clang::Expr* expr, const Value& value);
  /// `value` if it fits type `to`.
  Value fitting(const clang::Expr* expr, const Value& value, clang::QualType to);
  /// The parameter values, loop indices among them, for which `expr` is true; nothing when not affine.
  std::optional<isl::set> conditionOf(const clang::Expr* expr);
  /// A test whether a pointer that the region does not change is null.
  struct PointerTest {
    std::string parameter; ///< 1 when it points somewhere, else 0; empty: it certainly points somewhere
    bool whenNull = false; ///< the test is true when it is null
  };
  std::optional<PointerTest> pointerTest(const clang::Expr* expr);
  Value parameterOf(const clang::VarDecl* variable, clang::QualType type);
  Value parameterPath(const clang::Expr* expr);
  /// The variable from which `expr` is reached by a path that is the same in the whole region; null: none.
  const clang::VarDecl* invariantRoot(const clang::Expr* expr) const;
  /// Notes the pointers that `place` is read through for `read`, a text of the region.
  void noteThrough(const std::string& read, const clang::Expr* place);
  /// True when `index` has one value in the whole region, and its text that value where the region begins.
  /// Only where the walk is at what runs whenever the loops around it do: elsewhere it may choose what is not
  /// there.
  bool isFixedIndex(const clang::Expr* index) const;
  std::string fixedIndexText(const clang::Expr* index) const;
  /// How `inside`, a part of the region, may change what is read from the lvalue `place`: `Elsewhere` when
  /// only by what it writes to other places, which may be the same one, and to characters.
  enum class Change { No, Elsewhere, Yes };
  Change changeOf(const clang::Expr* place, const Contents& inside) const;
  /// The same for a write to `target`, of a type that may be that of `place`.
  Change changeBy(const clang::Expr* target, const clang::Expr* place) const;
  /// The same where the region takes for granted that nothing is changed by what is written elsewhere.
  bool changes(const clang::Expr* place, const Contents& inside);
  /// Notes that `place`, and pointers that lead to it, are taken to have one value in the whole region.
  void takeAsFixed(const clang::Expr* place);
  /// The objects, of those that are `written`, whose writes might change `fixed`.
  std::vector<int> writersOf(const Fixed& fixed, const std::vector<bool>& written);
  /// Takes for granted that no iteration lies in `violated`, recording the condition unless it always holds.
  /// False when it never holds.
  bool assume(Condition::Kind kind, const isl::set& violated, const SourceRange& at, int object = -1);
  isl::set withoutLoopIndices(isl::set set) const;

  // ReadAccesses.cpp: places.
  Reach reachLvalue(const clang::Expr* expr);
  /// Moves the pointer `reach` on by `offset`.
  void addOffset(Reach& reach, const clang::Expr* offset);
  /// True when a subscript that is no polynomial is made of variables to which the region assigns nothing
  /// beyond their first value: whoever uses it later finds the same.
  bool isSteady(const WrittenSubscript& written) const;
  Reach reachPointer(const clang::Expr* expr);
  /// The same, with subscripts that stay in their rows as far as that is known.
  Reach reachInRows(const clang::Expr* lvalue);
  MemoryPlace placeOf(const clang::Expr* lvalue);
  MemoryPlace placeOf(const Reach& reach, const clang::Expr* lvalue); ///< `reach` stays in its rows
  /// Makes subscripts of all dimensions of one that goes on into the rows after its own, or takes for granted
  /// that it stays in its row; where it never does, all that is known is the array.
  void keepInRows(Reach& reach, const clang::Expr* at);
  /// Moves what the subscript of `dimension` has beyond its row to the dimensions before it; false where that
  /// cannot be told.
  bool spreadOverRows(Reach& reach, std::size_t dimension, const clang::Expr* at);
  /// Where the subscript of `dimension` is not in its row; nothing: not known.
  std::optional<isl::set> leavesRow(const Reach& reach, std::size_t dimension) const;
  /// How long arrays of `type` are, and what the source says of it.
  std::pair<std::optional<Polynomial>, std::string> extentOf(clang::QualType type);
  /// What the user states of the memory that `variable` points to.
  std::optional<Polynomial> givenExtent(const clang::VarDecl* variable);
  int objectOf(const Reach& reach, clang::QualType element);
  int objectOfVariable(const clang::VarDecl* variable);
  int predicateObject(const std::string& purpose, const clang::Stmt* at);
  /// The one object that stands for all places of which it is not known where they are.
  int unknownMemory();
  void addAccess(Access::Kind kind, const MemoryPlace& place, const clang::Stmt* at, RawStatement& statement);
  void collectAccesses(const clang::Stmt* part, RawStatement& into);

  // ReadTables.cpp: pointers that are kept in memory.
  /// What `pointer`, which is kept in memory where the lvalue `place` says, points to.
  Reach reachKept(const clang::Expr* pointer, const clang::Expr* place);
  /// True where the walk is in so many loops with bounds that only data tell that each iteration around them
  /// has work for a device: layers, of which each has a matrix of its own size.
  bool isAloneLarge() const;
  /// Adds to the tables of `reach` the one in which it is a `pointer`: what its subscripts since the last
  /// pointer do. False where that is not known as numbers.
  static bool followTable(Reach& reach, clang::QualType pointer, const clang::ASTContext& context);

  // ReadUnits.cpp: bits of numbers.
  using Unit = warploom::Unit;
  /// Has `reach`, which leads to a struct or union, lead on to `field`, as bits of a number; false where it
  /// is not such bits.
  bool enterUnit(Reach& reach, const clang::FieldDecl* field);
  /// The bits that `lvalue` is; nothing where it has memory of its own.
  std::optional<Unit> unitOf(const clang::Expr* lvalue);
  /// The value of `unit`, bits of `number`.
  ExprPtr partOfUnit(const Unit& unit, const ExprPtr& number) const;
  /// `number` with `value` as these bits.
  ExprPtr withPart(const Unit& unit, const ExprPtr& number, ExprPtr value) const;
  ExprPtr bitNumber(long value, const SourceRange& at) const;
  Type wholeType(long bits, bool isSigned) const; ///< of integers
  /// What `target op value` makes of the number that `target` is bits of.
  ExprPtr assignedToUnit(const clang::Expr* at, const clang::Expr* target, const Unit& unit,
                         const std::string& op, ExprPtr value, RawStatement& statement);

  // ReadCode.cpp: what one thread runs as it stands. Null or false, and `unsupported` set, for what cannot
  // be.
  /// The function `callee`, whose calls are pure.
  std::shared_ptr<const Function> functionOf(const clang::FunctionDecl* callee);
  Function readFunction(const clang::FunctionDecl* definition);
  /// `statement` as code, all its accesses recorded in `into` as may-accesses.
  CodePtr codeOf(const clang::Stmt* statement, RawStatement& into);
  using CodeList = std::vector<CodePtr>;
  bool addCode(const clang::Stmt* statement, CodeList& to, RawStatement& into);
  bool addPart(const clang::Stmt* part, Code& of, RawStatement& into);
  bool addDeclaration(const clang::DeclStmt* declaration, CodeList& to, RawStatement& into);
  bool addExpression(const clang::Expr* expr, CodeList& to, RawStatement& into);
  bool addFor(const clang::ForStmt* loop, CodeList& to, RawStatement& into);
  bool evaluate(const clang::Expr* expr, std::vector<ExprPtr>& assigns, RawStatement& into);
  ExprPtr assignment(const clang::Expr* at, const clang::Expr* target, const std::string& op,
                     const ExprPtr& value, RawStatement& into);
  ExprPtr initialiserOf(const clang::Expr* init, RawStatement& into);
  /// `expr` without side effects.
  ExprPtr quietBodyOf(const clang::Expr* expr, RawStatement& into);
  /// The place `lvalue` in a variable of the code being read; null when it is somewhere else.
  ExprPtr localPlace(const clang::Expr* lvalue, RawStatement& into);
  ExprPtr numberOf(const clang::Expr* place);
  std::string declareLocal(const clang::VarDecl* variable);
  bool noCode(const std::string& why); ///< false
  void readWhole(const clang::ForStmt* loop, const Header& header, int id);

  // ReadBodies.cpp: expression trees. Null, and `unsupported` set, for what the model cannot hold.
  ExprPtr bodyOf(const clang::Expr* expr, RawStatement& statement);
  /// `expr` where only its truth matters.
  ExprPtr truthOf(const clang::Expr* expr, RawStatement& statement);
  ExprPtr loadOf(const clang::Expr* place, RawStatement& statement); ///< the value that is stored there
  ExprPtr bodyOfCall(const clang::CallExpr* call, RawStatement& statement);
  /// `expr`, which is `__real__` or `__imag__` of the complex number `whole`.
  ExprPtr partOf(const clang::Expr* expr, const clang::Expr* whole, RawStatement& statement);
  /// True when `at` is `x op= z` of a complex operation in another type than x has.
  bool isComputedApart(const clang::Stmt* at) const;
  /// What such an assignment gives x, which was `old`.
  ExprPtr computedApart(const clang::Stmt* at, ExprPtr old, const ExprPtr& value);
  ExprPtr bodyOfConditional(const clang::Expr* at, const clang::Expr* condition, const clang::Expr* yes,
                            const clang::Expr* no, RawStatement& statement);
  /// A subscript that is no polynomial, and in no piece, as an expression.
  ExprPtr sumOf(const clang::Expr* at, const WrittenSubscript& written, RawStatement& statement);
  /// The value of `lvalue`, or it as what is written; of bits the number that they are of where they are
  /// written, or `asNumber`.
  ExprPtr accessOf(const clang::Expr* lvalue, Access::Kind kind, RawStatement& statement,
                   bool asNumber = false);
  ExprPtr affineExpr(const clang::Expr* at, const isl::pw_aff& value) const;
  /// `value` as a tree: one Affine node, or for products sums of products of indices and sizes. A lost value
  /// is only text.
  ExprPtr closedExpr(const clang::Expr* at, const Polynomial& value) const;
  /// The index of a loop inside code, a variable of that code, which closed forms call `name`; null: it is
  /// none.
  ExprPtr localIndex(const clang::Expr* at, const std::string& name) const;
  ExprPtr leaf(Expr::Kind kind, const clang::Expr* at, const std::string& text) const;

  RawStatement newStatement(Statement::Kind kind, const clang::Stmt* at) const;
  void append(RawStatement statement);
  /// `statement` with the guards that hold where the walk is, in front of its own.
  RawStatement guarded(RawStatement statement) const;

  // RecoverDimensions.cpp
  void recoverDimensions();
  /// The strides of `uses`, with each use's subscripts along them; nothing when there are none.
  std::optional<Strides> alongStrides(std::vector<Use>& uses);
  /// The same where a row consists of shorter ones whose length does not divide its own for all that is
  /// known, `x[t*C + h*size + i]`: with `C` taken for `heads*size`, by which every subscript stays in its
  /// row.
  std::optional<Strides> alongSplitRows(std::vector<Use>& uses);
  void adoptDimensions(int object, const Strides& strides, std::vector<Use>& uses);

  // FinishRegion.cpp
  Region finish(const std::vector<const clang::Stmt*>& statements);
  /// Makes parameters of the extents of rows behind pointers, and of the tables that lead there.
  void laterExtents(int index, const Object& object);
  std::vector<RawStatement*> rawStatements(); ///< also those of loops in another form
  void spreadStructAccesses();
  void groupFields();
  Statement modelOf(const RawStatement& raw, const std::string& name, const std::vector<int>& arrayOf) const;
  void spreadUnknownPlaces();
  void addOverlapConditions(const std::vector<bool>& used, const std::vector<bool>& written);

  // UsedParameters.cpp
  void keepUsedParameters();

  SourceRange rangeOf(const clang::Stmt* statement) const;
  std::string textOf(const clang::Stmt* statement) const;
  /// `place`, a variable or what is reached from one by fields, pointers and constant subscripts, in C.
  std::string pathText(const clang::Expr* place) const;
  void remark(const clang::Stmt* at, const std::string& text);
  static std::string loopName(int loop) { return "$" + std::to_string(loop); }

  const ReadInput& input;
  Contents contents; ///< of the whole region

  // The point the walk has reached.
  Environment environment;
  isl::set domain = isl::set::universe(isl::space::unit(islContext()).params());
  std::vector<int> loops;
  std::vector<int> position{0};
  std::vector<ExprPtr> guards;
  ExprPtr inlineGuard; ///< the condition of `if (c) x = e;`, which becomes part of the assignment
  std::vector<RawAccess> inlineAccesses;
  int mayNotRun = 0; ///< > 0: what is read now may be skipped for reasons the domain does not show
  int dry = 0;       ///< > 0: only values are of interest; nothing is recorded

  isl::set when = domain; ///< inside an expression: the affine conditions of `?:`, `&&`, `||` around it
  int maybe = 0;          ///< > 0: inside an expression, under a condition that is not affine
  int branches = 0;       ///< > 0: in a branch of an `if` or of an expression
  std::string unsupported;
  std::vector<const clang::UnaryOperator*> pendingIncrements; ///< `k++` inside the expression being read

  // Inside code: its variables, by their names there.
  std::map<const clang::VarDecl*, std::string> locals;
  bool inFunction = false;
  std::vector<const clang::ForStmt*> codeLoops; ///< around what is read there

  // What has been found.
  Region region;
  std::vector<RawStatement> statements;
  std::map<int, std::vector<RawStatement>> wholes; ///< by loop
  std::vector<Object> objects;
  std::map<std::pair<const clang::VarDecl*, std::string>, int> objectIndex;
  std::map<const clang::VarDecl*, int> loopOfIndex; ///< index variables of the loops being read
  std::map<const clang::VarDecl*, int> declaredIn;
  std::map<const clang::Stmt*, OpenMpLoop> directives;
  std::map<int, OpenMpLoop> words;           ///< of loops; `depth` counts from the loop on
  std::set<int> updated;                     ///< objects that are updated atomically
  std::set<const clang::VarDecl*> inHeaders; ///< declared by outermost loops, beside their indices
  std::map<std::string, const clang::VarDecl*> parameterVariables;
  /// What the parameter that `variable` is, is called.
  std::string parameterName(const clang::VarDecl* variable) const;
  std::set<std::string> pathParameters; ///< parameters such as `grid->nx`, by text
  std::map<std::string, std::string>
      pointerTests; ///< parameters that tell of pointers, by the pointer or difference
  std::map<std::string, Fixed> takenAsFixed;                                         ///< by its text
  isl::set typeRanges = isl::set::universe(isl::space::unit(islContext()).params()); ///< of the parameters
  std::set<std::string> closedVariables; ///< variables whose uses were replaced by closed forms
  int predicates = 0;
  int memoryObject = -1; ///< -1: every place is known so far
  int entrySymbols = 0;
  int dryLoops = 1'000'000; ///< names for loops met in dry runs, apart from those of the model
};

} // namespace warploom
