// Copies a text byte for byte, but for its parallel constructs and the variables that are called otherwise
// inside outlined functions. What becomes of a construct is for each target to say.
#pragma once

#include "frontend/ForkJoin.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace warploom::metafork {

/// A construct has no translation.
class Refusal : public std::runtime_error {
public:
  Refusal(const SourceRange& at, const std::string& message) : std::runtime_error(message), at(at) {}
  SourceRange at;
};

/// `type` as the declaration of `name`.
std::string declare(const DeclarationText& type, const std::string& name);

class Rewriter {
public:
  explicit Rewriter(const ForkJoinSource& source);
  virtual ~Rewriter() = default;

  /// The whole text, translated. Throws Refusal.
  std::string rewrite();

protected:
  /// What becomes of the construct's statement.
  virtual std::string construct(unsigned index) = 0;
  /// What stands between text of the tool's own and the line `number` of the user's.
  virtual std::string resume(unsigned) { return ""; }
  /// Called before anything is written.
  virtual void prepare() {}

  /// The text of [begin, end), its constructs translated.
  std::string render(std::size_t begin, std::size_t end);
  std::string render(const SourceRange& range) { return render(range.begin, range.end); }
  /// The text as the user wrote it.
  std::string original(const SourceRange& range) const {
    return file.source.substr(range.begin, range.end - range.begin);
  }

  /// Puts `text` before what stands at `at`, or instead of [at, end).
  void insert(std::size_t at, const std::string& text, std::size_t end = 0);
  /// Puts `text` on lines of their own before, or behind, the function.
  void beforeFunction(unsigned function, const std::string& text);
  void afterFunction(unsigned function, const std::string& text);

  /// The variables that [range] mentions and does not declare, in the order of their first mention.
  std::vector<unsigned> captured(const SourceRange& range) const;
  /// Some mention in `range` writes the variable, or takes its address.
  bool changedIn(unsigned variable, const SourceRange& range) const;
  bool addressedIn(unsigned variable, const SourceRange& range) const;
  const LocalVariable& variable(unsigned index) const { return file.variables[index]; }
  /// How the variable is written where text is being rendered.
  std::string written(unsigned index) const;
  std::string addressOf(unsigned index) const;
  bool isListed(const std::vector<std::string>& names, unsigned index) const;
  /// Blanks that the line of `at` begins with.
  std::string indentation(std::size_t at) const;
  /// Only blanks stand before `at` on its line.
  bool startsLine(std::size_t at) const;
  /// A name that does not occur in the text: prefix and a number.
  std::string freshName(const std::string& prefix);

  /// One variable handed to an outlined function.
  struct Passed {
    unsigned variable;
    std::string formal;   ///< its declaration inside
    std::string argument; ///< what is given for it
    std::string inside;   ///< how it is written inside
    bool pointer;         ///< formal is a pointer, and not the value itself
    std::vector<std::pair<std::string, std::string>>
        extents; ///< names and values of lengths that come before it
  };
  /// How the variables of `range` are handed over; those that `byPointer` is true of by their addresses.
  template <typename ByPointer> std::vector<Passed> passed(const SourceRange& range, ByPointer byPointer) {
    std::vector<Passed> result;
    for (unsigned index : captured(range))
      result.push_back(pass(index, byPointer(index), range));
    return result;
  }
  Passed pass(unsigned index, bool byPointer, const SourceRange& range) const;

  /// Renders with the variables called as in `names`.
  using Names = std::map<unsigned, std::string>;
  std::string renderInside(const SourceRange& range, const Names& names);
  /// The same for the body of a new function, where what the function around declares is not seen.
  std::string renderOutlined(const SourceRange& range, const Names& names);

  const ForkJoinSource& file;
  const std::string eol;
  Names names; ///< variables that are not written as they are called
  bool outlined = false;

private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::multimap<std::size_t, Edit> edits;
  std::map<unsigned, std::string> before, after;
  std::map<std::string, unsigned> fresh;
  std::vector<unsigned> active; ///< constructs whose translation is being made
};

/// The value that combines with any other to that one: the identity of `operation` on `type`.
std::string identityOf(const std::string& operation, const DeclarationText& type);
/// `left operation right` as an expression.
std::string combined(const std::string& operation, const std::string& left, const std::string& right);

} // namespace warploom::metafork
