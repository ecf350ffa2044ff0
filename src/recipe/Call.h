// One call of a command from a recipe: its arguments, read without trust, and its results.
#pragma once

#include "recipe/Session.h"

#include <string>
#include <vector>

namespace warploom {

/// Every reader throws CommandError where the argument, counted from 1, is something else.
class Call {
public:
  Call(Sandbox& sandbox, Session& session, const char* name, const char* signature);

  int count() const { return given; }
  /// True when there is an argument `k` that is not nil.
  bool has(int k) const;
  bool isText(int k) const;
  bool isNumber(int k) const;
  bool isTable(int k) const;
  /// Refuses more than `most` arguments, or fewer than `least`.
  void expect(int least, int most) const;

  std::string text(int k) const;
  long number(int k) const;
  Size size(int k) const;
  std::vector<std::string> texts(int k) const;
  std::vector<long> numbers(int k) const;
  std::vector<Size> sizes(int k) const;
  /// A list of lists of numbers.
  std::vector<std::vector<long>> rows(int k) const;
  /// The text of the field `name` of the table `k`; empty when it has none.
  std::string field(int k, const std::string& name) const;
  /// The list of texts in that field; empty when it has none.
  std::vector<std::string> fieldTexts(int k, const std::string& name) const;
  /// The fields of the table `k`, whose keys are texts; their values are numbers or texts.
  std::vector<std::pair<std::string, Size>> fields(int k) const;
  /// The names of the fields of the table `k`.
  std::vector<std::string> fieldNames(int k) const;

  /// The loop that the argument names.
  std::string loop(int k) const;
  /// The loop at `level`, counted from 1 at the outside, around the statement that is the argument `k`.
  std::string loopAt(long statement, long level) const;
  /// The loops around a statement, outermost first.
  std::vector<std::string> loopsAround(long statement) const { return loopsAround(statement, state()); }
  /// The same in a state that some of a command's steps have made.
  std::vector<std::string> loopsAround(long statement, const ScheduleState& in) const;
  /// The name that the model has for the statement of that number, counted from 0 in the order of the text.
  std::string statement(long number) const;
  /// How many statements there are.
  long statements() const;

  ScheduleState& state() const { return session.state(line); }
  void take(std::vector<Step> steps) const { session.take(steps, line); }

  /// Results.
  void give(const std::string& text);
  void give(long number);
  void give(bool truth);
  void give(const std::vector<std::string>& texts);
  int results() const { return made; }
  void print(const std::string& text) const {
    if (!sandbox.print(text)) fail("the recipe prints too much");
  }

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void wants(int k, const std::string& what) const;

  Sandbox& sandbox;
  Session& session;
  const int line; ///< of the recipe

private:
  const char* name;
  const char* signature;
  const int given;
  int made = 0;
};

} // namespace warploom
