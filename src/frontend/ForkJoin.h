// The door of the front end for fork-join programs: C with MetaFork's keywords, Cilk's keywords or OpenMP's
// directives in, plain values with source ranges out. Rewriting is src/metafork's.
#pragma once

#include "frontend/DeviceNest.h"
#include "support/Source.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

enum class ForkJoinLanguage { C, MetaFork, Cilk, OpenMP };

/// What is wrong with the user's text.
struct ForkJoinProblem {
  std::string file; ///< empty: the main file
  SourceRange at;
  bool error = true;
  std::string message;
};

/// The text of a C declaration, with '@' where the declared name stands: `int @`, `void (*@)(int)`.
using DeclarationText = std::string;

/// A variable that a function declares.
struct LocalVariable {
  std::string name;
  std::size_t declared = 0; ///< offset of its name
  std::size_t end = 0;      ///< where its declaration ends
  unsigned function = 0;    ///< in ForkJoinSource::functions
  bool isStatic = false, isConst = false, isPointer = false, isParameter = false;
  bool isArray = false;         ///< and the parameters that are declared as arrays are pointers
  bool localType = false;       ///< its type has no name at file scope
  std::size_t typeDeclared = 0; ///< then: where it is declared
  bool hasInitialiser = false;  ///< and is no parameter
  DeclarationText element; ///< of an array's elements, or of what a pointer to arrays points to; else its own
  std::vector<std::string> extents; ///< of an array, or of the array a pointer points to; empty: at run time
  /// Cilk's reducers: the functions that make the identity and combine two views; empty: it is none.
  std::string identity, combine;
};

/// One mention of a local variable.
struct VariableUse {
  std::size_t begin = 0;
  unsigned variable = 0; ///< in ForkJoinSource::variables
  bool written = false, addressed = false;
  bool inMacro = false; ///< its name stands in the definition of a macro; begin is where that is used
};

/// One mention of a constant that a function declares.
struct ConstantUse {
  std::size_t begin = 0, length = 0;
  std::string text; ///< its value
};

struct ReturnText {
  SourceRange range;   ///< with its semicolon
  bool inBlock = true; ///< false: it is the whole body of an if or a loop
  bool inLoop = false;
};

/// A function with a body in the main file.
struct FunctionText {
  std::string name;
  SourceRange range, body;
  bool returnsVoid = false, hasLabels = false;
  bool takesNothing = false; ///< no parameters
  std::vector<ReturnText> returns;
  SourceRange nameRange;
};

/// An operand of a forked call.
struct CallArgument {
  SourceRange range;
  DeclarationText type; ///< of the parameter
  bool local = false;   ///< without side effects, and of nothing but constants, local values and local arrays
};

/// `[target =] f(arguments)`, forked, or as the one statement of a task.
struct CallText {
  SourceRange target; ///< empty: no result is kept
  DeclarationText targetType;
  std::optional<unsigned> targetVariable; ///< the target is this local variable
  bool declares = false;                  ///< the target is declared here
  SourceRange declaration;                ///< then: the declaration up to the initialiser's `=`
  bool targetLocal = false;               ///< its place hangs on nothing but local values
  bool targetGlobal = false;              ///< a variable at file scope
  SourceRange call, callee;
  DeclarationText calleeType; ///< of a pointer to the function
  bool direct = true;         ///< the callee is a function's name
  std::vector<CallArgument> arguments;
  bool structured = false;             ///< an argument is an array inside of a local struct
  std::optional<std::string> unusable; ///< why it cannot be forked as a call
};

/// A loop whose iterations may run at once.
struct LoopText {
  SourceRange header;                            ///< in its parentheses, without them
  SourceRange start, condition, bound, step, by; ///< by: empty when it is 1
  std::string counter;
  DeclarationText counterType;
  std::optional<unsigned> counterVariable;
  bool declaresCounter = false, increases = true;
  bool counterFirst = true; ///< `i < n`, not `n > i`
  std::string comparison;   ///< as if the counter came first
  bool plainStep = true;    ///< not of the form i = i + e
  bool counterIsPointer = false;
  SourceRange body;
  bool bodyIsBlock = false;
  bool continues = false; ///< a `continue` of its own is in the body
  std::string unusable;   ///< why it is no such loop; empty: it is one
};

/// `reduction(operation: name)`, or with functions of the user's `reduction(identity, combine: name)`.
struct ReductionText {
  std::string operation, identity, combine;
  std::string name;
  DeclarationText type;
  bool scalar = true; ///< of an arithmetic type
  std::optional<unsigned> variable;
};

/// A clause of a directive of OpenMP's.
struct ClauseText {
  std::string kind;
  SourceRange range; ///< empty: Clang has added it
  std::vector<std::string> names;
  std::vector<std::optional<unsigned>> variables; ///< per name, where it is a local one
  std::vector<DeclarationText> types;
  std::string operation;         ///< of a reduction; the kind of a schedule or a default
  std::string identity, combine; ///< of a reduction by functions
  SourceRange expression;
  std::optional<std::string> unusable;
};

enum class ForkJoinKind { ForkCall, ForkBlock, Join, Loop, Schedule, Scope, Directive };

/// A parallel construct. Ranges are those of the main file.
struct ForkJoinConstruct {
  ForkJoinKind kind = ForkJoinKind::Join;
  std::string name;      ///< as the user wrote it: `meta_fork`, `omp parallel for`
  SourceRange keyword;   ///< the keyword with its clauses, or the directive's line
  SourceRange statement; ///< all of it, from the keyword, or from the target of a forked call
  SourceRange body;      ///< the statement it is about; empty for a join
  bool bodyIsBlock = false;
  bool inBlock = true; ///< a statement of a block, rather than the body of an if or a loop
  unsigned function = 0;
  std::optional<unsigned> parent; ///< the construct around it, in ForkJoinSource::constructs
  std::optional<CallText> call;
  std::optional<LoopText> loop;
  std::vector<LoopText> collapsed; ///< the loops of `collapse` inside of it
  std::vector<std::string> shared, cached;
  std::vector<DeviceNest> nests; ///< of a schedule
  std::vector<ReductionText> reductions;
  SourceRange grainsize, grainLine; ///< the expression, and the line of the pragma
  std::vector<ClauseText> clauses;  ///< of a directive
  /// Of a directive: every statement directly in its block is a directive, a declaration or empty; and else
  /// the first one that is not.
  SourceRange replicated;
};

/// A piece of text that belongs to the language and not to C: an include, `cilk_reducer(...)`.
struct LanguageText {
  SourceRange range;
  bool include = false;
};

/// What one file holds.
struct ForkJoinSource {
  std::string file, source;
  ForkJoinLanguage language = ForkJoinLanguage::C;
  bool compiled = true; ///< false: something is wrong with it, and problems has an error
  std::vector<ForkJoinProblem> problems;
  std::vector<FunctionText> functions;
  std::vector<LocalVariable> variables;
  std::vector<VariableUse> uses;             ///< in textual order
  std::vector<ConstantUse> constants;        ///< in textual order
  std::vector<ForkJoinConstruct> constructs; ///< in textual order, the outer before the inner
  std::vector<LanguageText> languageTexts;
};

/// The language whose constructs the text has; C where it has none, or some of several.
ForkJoinLanguage forkJoinLanguage(const std::string& source);

/// Reads the file named `file`, of which `source` is the text, as a program in `language`; nothing: the
/// language whose constructs it has. Relative includes start from the folder of `file`, `flags` are Clang's.
ForkJoinSource readForkJoin(const std::string& file, const std::string& source,
                            std::optional<ForkJoinLanguage> language, const std::vector<std::string>& flags);

} // namespace warploom
