// The model of a piece of program that Warploom may replace. Made by the front end, read by everything below
// it.
//
// Everything here is a plain value. Sets and maps are isl's, in the notation of its documentation.
#pragma once

#include "model/Code.h"
#include "support/Isl.h"
#include "support/Source.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A step from a struct to a part of it: a field, and how many subscripts follow it.
struct Member {
  std::string field;
  int rank = 0;
};

/// What one subscript does on the way to rows behind pointers: it leads from an address to `address + at +
/// subscript * apart`, in bytes, and, `follows`, on to where the pointer there points.
struct TableStep {
  long apart = 0;
  long at = 0;
  bool follows = true;
  long count = 0; ///< so many values the subscript has by declaration; 0: not known
};

/// An object in memory that statements access: an array of any rank, a scalar (rank 0), or one field of an
/// array of structs, which is an array of its own because no other field overlaps it.
struct Array {
  /// Where the object lives, which decides what may overlap it and who sees it after the region.
  enum class Storage {
    Global,   ///< a variable with static storage duration
    Local,    ///< a variable of the function
    Pointee,  ///< what a pointer (usually a parameter) points to: may overlap other pointees
    Predicate ///< made by the front end: the value of a data-dependent condition, or of a data-dependent loop
              ///< bound
  };
  std::string name;     ///< unique in the region, and its isl tuple name; fields are named `base.field`
  std::string variable; ///< the C variable it is reached through
  std::string field;    ///< `.x`, `.pos.x`; empty when it is not a field
  /// C expression, where the region begins, for where it lies: a pointer to its first element, the array, or
  /// the scalar itself. Empty when there is none: what several pointers point to, members of a union.
  std::string base;
  /// The array of structs, an index into Region::arrays, whose elements it is a part of; -1: it lies in
  /// memory on its own. A field of a struct that is only ever used by fields is on its own.
  int within = -1;
  /// From an element of `within` to it; the subscripts of the members are its last dimensions, those that
  /// choose the struct its first `outerRank`.
  std::vector<Member> members;
  int outerRank = 0; ///< rank, when `within` is -1
  /// Its first subscripts, as many as these, lead through pointers (`double **`, and `rows[i].data`: one) to
  /// rows; `base` is where the first of them begins. A row has one subscript, or more where `recovered`.
  /// Where the rows lie is known when the region runs: the extents of the dimensions from the second to the
  /// first of a row are parameters. Empty: an array like others.
  std::vector<TableStep> tables;
  Type element;
  Storage storage = Storage::Local;
  int rank = 0;
  /// Extent per dimension over the parameters, where known; the first one of a pointee usually is not. size()
  /// == rank.
  std::vector<std::optional<isl::pw_aff>> extents;
  /// The same, as C text; empty where not known.
  std::vector<std::string> extentTexts;
  bool isConst = false;
  bool isRestrict = false;
  /// The source subscripts a pointer with one linearised expression; the dimensions were recovered.
  bool recovered = false;
  /// The loop in whose body the object is declared, so that every iteration has a fresh one; -1: outside all
  /// loops.
  int declaredIn = -1;
  /// Declared in the header of an outermost loop: nothing but the region sees it.
  bool isHidden = false;
  bool isRegister = false; ///< declared `register`: C gives no address of it
  /// Its value may be read after the region.
  bool liveAfter = true;
  SourceRange declaration;

  bool isScalar() const { return rank == 0; }
};

/// What one statement instance does to memory.
struct Access {
  enum class Kind {
    Read,
    Write,    ///< certainly writes exactly the elements of `map`
    MayRead,  ///< reads some of the elements of `map`
    MayWrite, ///< writes some of the elements of `map`, or writes them only sometimes
    Kill      ///< the elements' values are dead from here on: no later read sees an earlier write
  };
  Kind kind = Kind::Read;
  int array = -1; ///< index into Region::arrays
  /// { S[i] -> A[a] }, on the statement's domain. When not exact, a superset of the true relation.
  isl::map map;
  bool exact = true;
  std::string inexactReason; ///< why not, for the user; empty when exact
  SourceRange range;
  std::string text; ///< as written, e.g. `a[idx[i]]`

  bool reads() const { return kind == Kind::Read || kind == Kind::MayRead; }
  bool writes() const { return kind == Kind::Write || kind == Kind::MayWrite; }
};

/// What the programmer says of the iterations of a loop: that they may run at the same time.
struct Word {
  std::string text; ///< the directive, `#pragma omp parallel for`
  int line = 0;
  /// Said of the lanes of a vector: an iteration may still need what stands before it in an earlier one.
  bool ofLanes = false;
  std::vector<int> combined; ///< arrays, indices into Region::arrays, of which it is not said
};

/// One `for` loop. Its index takes the values first, first + step, ... of the C program.
struct Loop {
  int parent = -1; ///< index into Region::loops of the loop around it; -1: none. parent < own index
  int depth = 1;   ///< 1 for an outermost loop
  std::string index;
  Type indexType;
  long step = 1;      ///< never 0; negative for a descending loop
  SourceRange range;  ///< the whole statement, from `for`
  SourceRange header; ///< `for (...)`
  /// Why the iterations must stay in order whatever the data is (`break`, `return`, input and output); else
  /// empty.
  std::string mustStaySequential;
  /// Why the set of iterations is only bounded by the statements' domains, not given by it; else empty.
  std::string inexactBounds;
  /// A search: the program leaves it where it has found something, and looks at nothing behind that.
  bool endsEarly = false;
  bool rarely = false; ///< what it looks for is an error, with which the program ends
  std::optional<Word> word;
};

/// A statement, with one instance per point of its domain.
/// Invariants: domain has loops.size() dimensions, dimension k holding the value of loops[k]'s index;
/// position has loops.size() + 1 entries; accesses' domains are subsets of `domain`; the reads of an instance
/// come before its write.
struct Statement {
  enum class Kind {
    Assign,    ///< body is an Assign node
    Predicate, ///< evaluates `body` into a Predicate scalar, its only write
    Kill,      ///< does nothing; its Kill accesses say which values are dead
    Opaque     ///< not taken apart: accesses say all that is known; one thread can run `code` where there is
               ///< any, else it must run on the host
  };
  std::string name; ///< unique in the region, and the tuple name of `domain`
  Kind kind = Kind::Assign;
  SourceRange range;
  std::string text;          ///< source text, one line
  std::vector<int> loops;    ///< indices into Region::loops, outermost first
  std::vector<int> position; ///< textual position among its siblings, at each level from the outside in
  isl::set domain;
  std::vector<ExprPtr>
      guards;   ///< data-dependent conditions that must all hold; evaluated first. Writes are then may
  ExprPtr body; ///< null for Kill and Opaque
  CodePtr code; ///< of an Opaque statement; its accesses are then all that it makes
  std::vector<Access> accesses;
  std::string hostOnly; ///< why it cannot run on a device; empty when it can
  /// It only gives the index of this loop, right before it, the value it has after the loop; else -1.
  int afterLoop = -1;

  /// True when it may read or write `array`.
  bool touches(int array) const;
  /// True when it may write `array`.
  bool writes(int array) const;
};

/// A loop whose iterations cannot be told apart beforehand (`break`, bounds that depend on data) in another
/// form: statements outside the loop that together do the same, and give its index its last value too.
/// Invariant: their loops are those around `loop`.
struct WholeLoop {
  int loop = -1; ///< index into Region::loops
  std::vector<Statement> statements;
};

/// Something the model takes for granted and that only a running program can check.
struct Condition {
  enum class Kind {
    NoOverlap, ///< two pointees share no element that the region touches
    InBounds,  ///< a recovered subscript stays inside its dimension, or what is asserted holds
    Unchanged, ///< writes of characters do not change a size or a pointer that is read from memory
    NoWrap,    ///< an unsigned or narrowed value used in a subscript or bound does not wrap around
    Characters ///< isalpha and its like tell what they tell in the locale "C"
  };
  Kind kind = Kind::NoOverlap;
  std::string text;        ///< C-like, for the user: "`a` and `b` do not overlap", "0 <= j + k && j + k < n"
  std::vector<int> arrays; ///< the arrays it concerns; NoOverlap: exactly two
  std::vector<int>
      loops; ///< the loops whose analysis takes it for granted; empty: every loop that touches `arrays`
  /// The parameter values for which it holds; nothing where that is not a statement about parameters.
  std::optional<isl::set> holds;
  SourceRange range;
  /// Unchanged: C expression, where the region begins, for what is not changed; empty where there is none.
  std::string place = "";
};

/// A symbolic size: an integer the region reads and never writes, by the value it has on entry.
struct Parameter {
  std::string name; ///< isl parameter name
  std::string text; ///< C expression for it at region entry; usually the name
  Type type;
  bool testsPointer = false; ///< 1 or 0: a pointer is not null
  bool isProduct = false;    ///< of sizes of `type`, multiplied as a `long`
  bool isFound = false;      ///< an extent of rows behind pointers, found when the region runs; has no text
};

/// What the user should know about how the region was read: what became opaque, and why.
struct Remark {
  SourceRange range;
  std::string text;
};

/// A variable that a region declares outside its loops, so that braces around the region would end its life.
struct RegionVariable {
  std::string name;
  bool usedLater = false; ///< mentioned after the region
};

/// A piece of one function that Warploom may replace.
struct Region {
  std::string function;
  std::string file; ///< as the user named it
  SourceRange range;
  double readingSeconds = 0; ///< of processor time that reading it took
  bool marked = false;       ///< between `#pragma scop` and `#pragma endscop`
  /// Why nothing may be written around the region's text: it is not a piece of the file's own text, or
  /// declares what cannot be jumped over; else empty.
  std::string fixedText;
  std::vector<RegionVariable> variables; ///< in textual order
  std::vector<Parameter> parameters;
  /// Of texts of parameters, bases of arrays and places of conditions: the pointers that each is read
  /// through, outer ones first. Where one is null, the program does not come to the loops that read them.
  std::map<std::string, std::vector<std::string>> through;
  std::vector<Array> arrays;
  std::vector<Loop> loops;
  std::vector<Statement> statements; ///< in textual order
  std::vector<WholeLoop> wholes;     ///< in the order of the loops
  isl::set context;                  ///< what is known of the parameters
  std::vector<Condition> conditions;
  std::vector<Remark> remarks;
  /// Integer and pointer variables that the region changes and whose uses were replaced by closed forms over
  /// loop indices and sizes: their own dependences are gone from the model.
  std::vector<std::string> closedForms;

  /// "function:line", the name of the region in messages.
  std::string name() const;
  /// True when no loop's index and no parameter has more than 32 bits in the source.
  bool hasNarrowIndices() const;
};

/// The order of the C program: { S[i, j] -> [p0, i, p1, j, p2, 0, ...] }, all statements mapped to one space,
/// with descending loops negated. `padded` dimensions: 2 * (deepest nest) + 1.
isl::union_map originalOrder(const Region& region);

/// The same order as a schedule tree: one band of one member per loop, sequences between them.
isl::schedule originalSchedule(const Region& region);

/// The union of the statements' domains.
isl::union_set domains(const Region& region);

/// The array that has the memory of `region.arrays[array]`: itself, or the structs it is a field of.
inline int memoryOf(const Region& region, int array) {
  int within = region.arrays[static_cast<std::size_t>(array)].within;
  return within < 0 ? array : within;
}

/// True when some statement may write to the memory of `array`.
bool isWritten(const Region& region, int array);

/// Throws Failure when `region` breaks an invariant stated above.
void validate(const Region& region);

} // namespace warploom
