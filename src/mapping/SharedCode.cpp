#include "mapping/SharedCode.h"

#include "analysis/Reductions.h"
#include "mapping/Nests.h"

#include <algorithm>
#include <map>
#include <set>

namespace warploom {

namespace {

const Type wide = {Type::Kind::SignedInt, 64, "long"};

bool isLocal(const Expr& expr, const std::string& name) {
  return expr.kind == Expr::Kind::Local && expr.operands.empty() && expr.text == name;
}

/// How far a loop with these steps goes on each time; 0 when it is no constant forward.
long strideOf(const std::vector<ExprPtr>& steps, const std::string& index) {
  if (steps.size() != 1 || steps[0]->text != "+=" || !isLocal(*steps[0]->operands[0], index)) return 0;
  const Expr& by = *steps[0]->operands[1];
  const bool isNumber = by.kind == Expr::Kind::Literal && !by.text.empty() && by.text.size() < 6 &&
                        by.text.find_first_not_of("0123456789") == std::string::npos;
  return isNumber ? std::stol(by.text) : 0;
}

/// Looks through the body of a loop.
class BodyScan {
public:
  BodyScan(const Statement& statement) : statement(statement) {}

  std::map<int, std::string> accumulators; ///< the operation by array

  /// False when the body does anything but combine values into scalars, by one operation each.
  bool isReduction(const Code& body) {
    return look(body) &&
           std::none_of(read.begin(), read.end(), [&](int array) { return accumulators.count(array) > 0; });
  }
  /// Notes what `expr` reads.
  void readAll(const Expr& expr) {
    if (expr.kind == Expr::Kind::Access) read.insert(statement.accesses[expr.access].array);
    for (const ExprPtr& operand : expr.operands)
      readAll(*operand);
  }
  /// True when the body sets a variable of this name.
  bool declares(const std::string& name) const { return own.count(name) > 0; }

private:
  bool look(const Code& code) {
    switch (code.kind) {
    case Code::Kind::Break:
    case Code::Kind::Return:
      return false;
    case Code::Kind::Declare:
      own.insert(code.name);
      break;
    case Code::Kind::Evaluate:
      return assigns(*code.value);
    default:
      break;
    }
    if (code.value) readAll(*code.value);
    for (const ExprPtr& step : code.steps)
      if (!assigns(*step)) return false;
    return std::all_of(code.children.begin(), code.children.end(),
                       [&](const CodePtr& child) { return look(*child); });
  }

  bool assigns(const Expr& assign) {
    const Expr& target = *assign.operands[0];
    if (target.kind == Expr::Kind::Local) {
      readAll(assign);
      return own.count(target.text) > 0;
    }
    std::optional<Update> update = updateOf(statement, assign);
    if (!update || target.kind != Expr::Kind::Access || !target.operands.empty()) return false;
    readAll(*update->value);
    auto [at, isNew] = accumulators.emplace(statement.accesses[target.access].array, update->op);
    return isNew || at->second == update->op;
  }

  const Statement& statement;
  std::set<std::string> own;
  std::set<int> read;
};

ExprPtr textOf(const std::string& text) {
  return makeExpr(Expr::Kind::Literal, text, wide);
}

} // namespace

std::vector<Reduction> codeReductions(const Region& region, int index, bool exact) {
  const Statement& statement = region.statements[index];
  if (!statement.code || statement.code->kind != Code::Kind::Block || statement.code->children.size() != 2)
    return {};
  const Code &first = *statement.code->children[0], &loop = *statement.code->children[1];
  // The index will be a long: an unsigned one could wrap around where that does not.
  const bool counts = first.kind == Code::Kind::Declare && first.extents.empty() && first.value &&
                      first.type.kind == Type::Kind::SignedInt;
  if (!counts || loop.kind != Code::Kind::Loop || loop.testsLast || !loop.value) return {};
  const Expr& condition = *loop.value;
  if (strideOf(loop.steps, first.name) == 0 || condition.kind != Expr::Kind::Binary ||
      (condition.text != "<" && condition.text != "<=") || !isLocal(*condition.operands[0], first.name))
    return {};
  // Compared as unsigned numbers, a later iteration may run where an earlier one does not.
  const Type& end = condition.operands[1]->type;
  if (end.kind == Type::Kind::UnsignedInt && end.bits >= 32 && end.bits >= first.type.bits) return {};
  BodyScan body(statement);
  body.readAll(*condition.operands[1]);
  if (!body.isReduction(*loop.children[0]) || body.declares(first.name)) return {};
  std::vector<Reduction> result;
  for (const auto& [array, op] : body.accumulators) {
    const Array& accumulator = region.arrays[array];
    const Type& type = accumulator.element;
    // A truth value is cut off at every step.
    if (!accumulator.isScalar() || accumulator.within >= 0 || !isCombined(type) ||
        type.kind == Type::Kind::Bool || (exact && type.isRounded()))
      return {};
    result.push_back({op, array, {index}});
  }
  return result;
}

CodePtr sharedOut(const Code& code, const std::string& number, const std::string& count) {
  const Code &first = *code.children[0], &loop = *code.children[1];
  const long stride = strideOf(loop.steps, first.name);
  auto times = [&](const std::string& text) {
    return stride == 1
               ? textOf(text)
               : makeExpr(Expr::Kind::Binary, "*", wide, {textOf(std::to_string(stride)), textOf(text)});
  };
  auto begin = std::make_shared<Code>(first);
  begin->type = wide;
  begin->value = times(number);
  if (first.value->kind != Expr::Kind::Literal || first.value->text != "0")
    begin->value = makeExpr(Expr::Kind::Binary, "+", wide,
                            {makeExpr(Expr::Kind::Cast, "", wide, {first.value}), begin->value});
  auto shared = std::make_shared<Code>(loop);
  shared->steps = {makeExpr(Expr::Kind::Assign, "+=", wide, {loop.steps[0]->operands[0], times(count)})};
  auto all = std::make_shared<Code>(code);
  all->children = {begin, shared};
  return all;
}

} // namespace warploom
