#include "analysis/Irregular.h"

#include "analysis/Order.h"
#include "model/Definitions.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>

namespace warploom {

namespace {

/// Calls `visit` with every node of `expr`, and whether it is always evaluated.
template <typename Visit> void forEachNode(const Expr& expr, bool always, const Visit& visit) {
  visit(expr, always);
  const bool chooses = expr.kind == Expr::Kind::Conditional || isLogical(expr.text);
  for (std::size_t k = 0; k < expr.operands.size(); ++k)
    forEachNode(*expr.operands[k], always && (!chooses || k == 0), visit);
}

class Finder {
public:
  Finder(const Region& region, const Dependences& dependences, int loop, const std::vector<int>& owned)
      : region(region), dependences(dependences), loop(loop), owned(owned) {}

  std::optional<Irregular> find() {
    for (const Dependence& one : dependences.all) {
      if (one.carrier != loop || isOwn(one.array)) continue;
      const Array& array = region.arrays[one.array];
      if (array.isScalar() || array.within >= 0 || array.element.kind == Type::Kind::Struct)
        return std::nullopt;
      found.arrays.insert(one.array);
    }
    if (found.arrays.empty()) return std::nullopt;
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      if (inside(region.statements[s], loop) && uses(region.statements[s]) && !addUser(s))
        return std::nullopt;
    if (!isChosen) return std::nullopt;
    found.slice.assign(slice.begin(), slice.end());
    return found;
  }

private:
  bool isOwn(int array) const {
    const int declaredIn = region.arrays[array].declaredIn;
    return std::count(owned.begin(), owned.end(), array) > 0 ||
           (declaredIn >= 0 && encloses(region, loop, declaredIn));
  }

  bool uses(const Statement& statement) const {
    return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
      return access.kind != Access::Kind::Kill && found.arrays.count(access.array) > 0;
    });
  }

  bool addUser(int s) {
    const Statement& statement = region.statements[s];
    if (!statement.body || statement.code) return false;
    Irregular::User user{s, isTold(statement, statement.guards)};
    const std::vector<UsedElement> elements = usedElements(statement, found.arrays);
    for (const UsedElement& element : elements) {
      if (!isTold(statement, element.node->operands)) return false;
      const auto& subscripts = element.node->operands;
      isChosen = isChosen || !std::all_of(subscripts.begin(), subscripts.end(),
                                          [](const ExprPtr& one) { return isSum(*one); });
      // What may not be evaluated must be there all the same for its place to be found.
      if ((!user.told || !element.isAlways) && !areThere(statement, element.node->operands)) return false;
    }
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const Access& access = statement.accesses[a];
      if (access.kind == Access::Kind::Kill || found.arrays.count(access.array) == 0) continue;
      if (std::none_of(elements.begin(), elements.end(), [&](const UsedElement& element) {
            // `a[k] += x` has an access of each kind, and one node.
            const Access& seen = statement.accesses[element.node->access];
            return element.node->access == a || (element.isWritten && statement.body->text != "=" &&
                                                 seen.array == access.array && seen.map.is_equal(access.map));
          }))
        return false;
    }
    found.users.push_back(user);
    return true;
  }

  /// True when `expr` is a sum of multiples of indices and sizes: which elements those are is no matter of
  /// data.
  static bool isSum(const Expr& expr) {
    const auto& parts = expr.operands;
    const bool isNumber = std::any_of(parts.begin(), parts.end(),
                                      [](const ExprPtr& one) { return one->kind == Expr::Kind::Literal; });
    const bool isOperation = expr.kind == Expr::Kind::Cast || expr.kind == Expr::Kind::Unary ||
                             (expr.kind == Expr::Kind::Binary &&
                              (expr.text == "+" || expr.text == "-" || (expr.text == "*" && isNumber)));
    return expr.kind == Expr::Kind::Literal || expr.kind == Expr::Kind::Index ||
           expr.kind == Expr::Kind::Affine ||
           (isOperation &&
            std::all_of(parts.begin(), parts.end(), [](const ExprPtr& one) { return isSum(*one); }));
  }

  /// True when the values of `all`, which stand in `statement`, are known before iterations run; then what
  /// makes them is in the slice.
  bool isTold(const Statement& statement, const std::vector<ExprPtr>& all) {
    const auto before = std::pair(slice, found.reads);
    const bool told =
        std::all_of(all.begin(), all.end(), [&](const ExprPtr& one) { return isTold(statement, *one); });
    if (!told) std::tie(slice, found.reads) = before;
    return told;
  }

  bool isTold(const Statement& statement, const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::Literal:
    case Expr::Kind::Index:
    case Expr::Kind::Affine:
      return true;
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Conditional:
    case Expr::Kind::Cast:
      return (expr.type.isInteger() || expr.type.isFloating()) && isTold(statement, expr.operands);
    case Expr::Kind::Access: {
      const int index = statement.accesses[expr.access].array;
      const Array& array = region.arrays[index];
      if (array.within >= 0 || (!array.element.isInteger() && !array.element.isFloating()) ||
          !isTold(statement, expr.operands))
        return false;
      if (isNeverWritten(region, index)) {
        if (!array.isScalar()) found.reads.insert(index);
        return true;
      }
      return array.isScalar() && isOwn(index) && isDefinedBefore(index);
    }
    default:
      return false;
    }
  }

  /// True when all that writes the scalar `array`, which is private to an iteration, is told; then it is in
  /// the slice.
  bool isDefinedBefore(int array) {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      const Statement& statement = region.statements[s];
      if (!statement.writes(array) || !slice.insert(s).second) continue;
      const bool isAssignment = statement.kind == Statement::Kind::Assign && statement.body &&
                                statement.body->kind == Expr::Kind::Assign;
      const bool isPredicate = statement.kind == Statement::Kind::Predicate && statement.body;
      if (!inside(statement, loop) || statement.code || (!isAssignment && !isPredicate) ||
          !isTold(statement, statement.guards))
        return false;
      if (isPredicate ? !isTold(statement, *statement.body) : !isTold(statement, statement.body->operands))
        return false;
    }
    return true;
  }

  /// True when no place in memory that `all` reads depends on data: it is there wherever the statement is in
  /// its domain, whether it runs or not.
  static bool areThere(const Statement& statement, const std::vector<ExprPtr>& all) {
    bool there = true;
    for (const ExprPtr& one : all)
      forEachNode(*one, true, [&](const Expr& node, bool) {
        there = there && (node.kind != Expr::Kind::Access || statement.accesses[node.access].exact);
        const bool divides = node.kind == Expr::Kind::Binary && (node.text == "/" || node.text == "%");
        there = there && !divides;
      });
    return there;
  }

  const Region& region;
  const Dependences& dependences;
  int loop;
  const std::vector<int>& owned;
  Irregular found;
  std::set<int> slice;
  bool isChosen = false; ///< some elements are no sums of indices
};

bool mentions(const Region& region, const Statement& statement, const Expr& expr, int loop) {
  bool found = false;
  auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
  if (at == statement.loops.end()) return false;
  const auto level = static_cast<unsigned>(at - statement.loops.begin());
  forEachNode(expr, true, [&](const Expr& node, bool) {
    found = found || (node.kind == Expr::Kind::Index && node.text == region.loops[loop].index) ||
            (node.kind == Expr::Kind::Affine && node.value &&
             own(isl_pw_aff_involves_dims(node.value->get(), isl_dim_in, level, 1)));
  });
  return found;
}

} // namespace

std::vector<UsedElement> usedElements(const Statement& user, const std::set<int>& arrays) {
  std::vector<UsedElement> elements;
  const Expr* target = user.body->kind == Expr::Kind::Assign ? user.body->operands.front().get() : nullptr;
  auto add = [&](const Expr& node, bool isAlways) {
    if (node.kind == Expr::Kind::Access && arrays.count(user.accesses[node.access].array) > 0)
      elements.push_back({&node, &node == target, isAlways});
  };
  for (std::size_t k = 0; k < user.guards.size(); ++k)
    forEachNode(*user.guards[k], k == 0, add);
  forEachNode(*user.body, true, add);
  return elements;
}

std::optional<Irregular> irregularOf(const Region& region, const Dependences& dependences, int loop,
                                     const std::vector<int>& privateArrays) {
  return Finder(region, dependences, loop, privateArrays).find();
}

std::vector<int> Irregular::telling() const {
  std::vector<int> all = slice;
  for (const User& user : users)
    all.push_back(user.statement);
  return all;
}

bool isChosenBy(const Region& region, const Irregular& of, int loop) {
  auto anyMentions = [&](int s, const std::vector<ExprPtr>& all) {
    return std::any_of(all.begin(), all.end(), [&](const ExprPtr& one) {
      return mentions(region, region.statements[s], *one, loop);
    });
  };
  for (int s : of.slice)
    if (anyMentions(s, region.statements[s].guards) || anyMentions(s, {region.statements[s].body}))
      return true;
  for (const Irregular::User& user : of.users) {
    const Statement& statement = region.statements[user.statement];
    if (user.told && anyMentions(user.statement, statement.guards)) return true;
    for (const UsedElement& element : usedElements(statement, of.arrays))
      if (anyMentions(user.statement, element.node->operands)) return true;
  }
  return false;
}

} // namespace warploom
