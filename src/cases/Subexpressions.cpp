#include "cases/Subexpressions.h"

#include "cases/Polynomial.h"
#include "support/Identifiers.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

struct Edit {
  std::size_t begin, end;
  std::string text;
};

/// An expression in the text.
struct Occurrence {
  Polynomial value; ///< of the names in it
  unsigned operations = 0;
  std::size_t begin = 0, end = 0;
  std::size_t statement = 0; ///< of the run
  bool isNaming = false;     ///< all that a declaration gives its name to
};

class Namer {
public:
  Namer(const ForkJoinSource& s, const DeviceNest& n, int l) : source(s), level(l) {
    count(n.loop);
    lists(n.loop);
  }

  std::string text() {
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
      return a.begin != b.begin ? a.begin > b.begin : a.end > b.end;
    });
    std::string result = source.source;
    for (const Edit& edit : edits)
      result.replace(edit.begin, edit.end - edit.begin, edit.text);
    return result;
  }

private:
  void count(const NestStatement& one) {
    if (one.kind == NestStatement::Kind::Assign && one.target.op == NestExpr::Op::Variable)
      assigned[one.target.name] += one.declares ? 1 : 2;
    for (const auto* part : {&one.body, &one.otherwise})
      for (const NestStatement& child : *part)
        count(child);
  }

  /// Takes every run of assignments in the nest.
  void lists(const NestStatement& one) {
    for (const auto* part : {&one.body, &one.otherwise}) {
      std::vector<const NestStatement*> run;
      for (const NestStatement& child : *part) {
        if (child.kind == NestStatement::Kind::Assign) {
          run.push_back(&child);
          continue;
        }
        take(run);
        run.clear();
        lists(child);
      }
      take(run);
    }
  }

  /// The value, where it is a polynomial of names that keep theirs.
  std::optional<Polynomial> value(const NestExpr& expr, unsigned& operations) const {
    if (!expr.isInteger) return std::nullopt;
    switch (expr.op) {
    case NestExpr::Op::Number:
      return Polynomial(expr.value);
    case NestExpr::Op::Variable: {
      auto found = assigned.find(expr.name);
      if (found != assigned.end() && found->second > 1) return std::nullopt;
      return Polynomial::symbol(expr.name);
    }
    case NestExpr::Op::Negate:
    case NestExpr::Op::Add:
    case NestExpr::Op::Subtract:
    case NestExpr::Op::Multiply: {
      ++operations;
      std::vector<Polynomial> of;
      for (const NestExpr& operand : expr.operands)
        if (auto one = value(operand, operations)) of.push_back(*one);
      if (of.size() != expr.operands.size()) return std::nullopt;
      return expr.op == NestExpr::Op::Negate     ? -of[0]
             : expr.op == NestExpr::Op::Add      ? of[0] + of[1]
             : expr.op == NestExpr::Op::Subtract ? of[0] - of[1]
                                                 : of[0] * of[1];
    }
    default:
      return std::nullopt;
    }
  }

  void note(const NestExpr& expr, std::size_t statement, bool isNaming = false) {
    unsigned operations = 0;
    if (auto is = value(expr, operations); is && operations > 0 && expr.at.end)
      found.push_back({*is, operations, expr.at.begin, expr.at.end, statement, isNaming});
    for (const NestExpr& operand : expr.operands)
      note(operand, statement);
  }

  /// What is named, by the statement from which on it has its value.
  struct Named {
    std::string name;
    Polynomial value;
    std::size_t statement;
  };

  void take(const std::vector<const NestStatement*>& run) {
    found.clear();
    std::vector<Named> named;
    for (std::size_t k = 0; k < run.size(); ++k) {
      if (run[k]->target.op == NestExpr::Op::Access)
        for (const NestExpr& subscript : run[k]->target.operands)
          note(subscript, k);
      unsigned operations = 0;
      const bool isName = run[k]->declares && run[k]->target.isInteger && run[k]->operation.empty();
      const auto is = isName ? value(run[k]->value, operations) : std::nullopt;
      // Of two names for one value, the second is a name for the first.
      const bool isNew =
          is && operations > 0 &&
          std::none_of(named.begin(), named.end(), [&](const Named& one) { return one.value == *is; });
      if (isNew) named.push_back({run[k]->target.name, *is, k});
      note(run[k]->value, k, isNew);
    }
    if (level > 1) rebuild(named);
    while (repeated(run, named)) {
    }
  }

  bool overlaps(const Occurrence& one) const {
    return std::any_of(done.begin(), done.end(),
                       [&](const auto& piece) { return one.begin < piece.second && piece.first < one.end; });
  }
  void replace(const Occurrence& one, const std::string& text) {
    edits.push_back({one.begin, one.end, text});
    done.emplace_back(one.begin, one.end);
  }

  /// A declaration can be put in front of the statement of `one`: it stands in a block, and does not itself
  /// declare what the expression uses.
  bool hasRoom(const std::vector<const NestStatement*>& run, const Occurrence& one) const {
    const std::size_t at = run[one.statement]->at.begin;
    for (const NestStatement* other : run)
      if (other->declares && other->at.begin == at && one.value.degree(other->target.name) > 0) return false;
    const std::size_t before =
        at == 0 ? std::string::npos : source.source.find_last_not_of(" \t\r\n", at - 1);
    return before != std::string::npos && std::string("{};").find(source.source[before]) != std::string::npos;
  }

  /// Names the largest expression that comes twice or more; false: there is none.
  bool repeated(const std::vector<const NestStatement*>& run, std::vector<Named>& named) {
    std::vector<const Occurrence*> best;
    const Named* known = nullptr;
    for (const Occurrence& one : found) {
      std::vector<const Occurrence*> same;
      for (const Occurrence& other : found)
        if (other.value == one.value && !other.isNaming && !overlaps(other)) same.push_back(&other);
      const Named* name = nullptr;
      for (const Named& other : named)
        if (!same.empty() && other.value == one.value && other.statement <= same.front()->statement)
          name = &other;
      if (same.size() < (name ? 1 : 2) || (!best.empty() && one.operations <= best.front()->operations))
        continue;
      best = same;
      known = name;
    }
    if (best.empty()) return false;
    const Occurrence& first = *best.front();
    std::string name;
    if (known) {
      name = known->name;
    } else {
      if (!hasRoom(run, first)) {
        for (const Occurrence* one : best)
          done.emplace_back(one->begin, one->end);
        return true;
      }
      do
        name = fmt::format("common{}", ++names);
      while (mentionsWord(source.source, name));
      const std::size_t at = run[first.statement]->at.begin;
      edits.push_back(
          {at, at,
           fmt::format("int {} = {}; ", name, source.source.substr(first.begin, first.end - first.begin))});
      named.push_back({name, first.value, first.statement});
    }
    for (const Occurrence* one : best)
      replace(*one, name);
    return true;
  }

  /// Expressions of two operations or more as a name and one more term.
  void rebuild(const std::vector<Named>& named) {
    for (const Occurrence& one : found) {
      if (one.operations < 2 || one.isNaming || overlaps(one)) continue;
      for (const Named& of : named) {
        if (of.statement >= one.statement) continue;
        const Polynomial rest = one.value - of.value;
        const auto number = rest.asConstant();
        if (rest.isZero() || (!rest.asSymbol() && !number)) continue;
        const std::string text = number && *number < 0 ? fmt::format("{} - {}", of.name, (-rest).text())
                                                       : fmt::format("{} + {}", of.name, rest.text());
        replace(one, standsAlone(one) ? text : "(" + text + ")");
        break;
      }
    }
  }

  /// It is all of a subscript, an argument or a value.
  bool standsAlone(const Occurrence& one) const {
    const std::string& text = source.source;
    const std::size_t before = one.begin == 0 ? std::string::npos
                                              : text.find_last_not_of(" \t\r\n", one.begin - 1),
                      after = text.find_first_not_of(" \t\r\n", one.end);
    return before != std::string::npos && after != std::string::npos &&
           std::string("[(=,").find(text[before]) != std::string::npos &&
           std::string("]),;").find(text[after]) != std::string::npos;
  }

  const ForkJoinSource& source;
  const int level;
  std::map<std::string, int> assigned; ///< how often; 1: where it is declared
  std::vector<Occurrence> found;       ///< in the run, outer ones before those inside
  std::vector<std::pair<std::size_t, std::size_t>> done;
  std::vector<Edit> edits;
  unsigned names = 0;
};

} // namespace

std::string withNames(const ForkJoinSource& source, const DeviceNest& nest, int level) {
  if (!nest.unusable.empty()) return source.source;
  return Namer(source, nest, level).text();
}

} // namespace warploom::cases
