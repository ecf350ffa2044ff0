#include "cases/CaseTree.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

std::string Amount::text() const {
  return under == Polynomial(1) ? over.text() : fmt::format("({}) / ({})", over.text(), under.text());
}

namespace {

/// What the algorithm calls a quintuple.
struct Quintuple {
  std::shared_ptr<const Code> code;
  std::vector<bool> taken;         ///< strategies
  std::vector<std::size_t> counts; ///< counters still to evaluate; the next one is last
  System condition;
  std::vector<std::string> log;
  std::size_t height = 0;
};

class Search {
public:
  explicit Search(const Discussion& d) : questions(d.facts) { tree.discussion = d; }

  CaseTree run(std::shared_ptr<const Code> code) {
    Quintuple root{std::move(code), std::vector<bool>(discussion().strategies.size()), {}, {}, {}};
    pushCounters(root, 0, discussion().counters.size());
    if (auto node = visit(std::move(root))) tree.root = std::move(*node);
    collect();
    tree.open = questions.open();
    return std::move(tree);
  }

private:
  const Discussion& discussion() const { return tree.discussion; }

  static void pushCounters(Quintuple& to, std::size_t first, std::size_t end) {
    for (std::size_t k = end; k-- > first;)
      if (std::find(to.counts.begin(), to.counts.end(), k) == to.counts.end()) to.counts.push_back(k);
  }

  void count(const Quintuple& at) {
    tree.height = std::max(tree.height, at.height);
    if (++tree.nodes > discussion().mostNodes)
      throw TreeTooLarge(fmt::format("the tree of cases has more than {} nodes", discussion().mostNodes));
  }

  /// The tree below a quintuple, its leaves noted; nothing when nothing satisfies its conditions.
  std::optional<Node> visit(Quintuple at) {
    count(at);
    if (at.counts.empty()) return leaf(std::move(at));
    const std::size_t number = at.counts.back();
    at.counts.pop_back();
    const Counter& counter = discussion().counters[number];
    const Amount amount = at.code->amount(number);
    const Polynomial bound = counter.limit * amount.under;
    const Constraint accepts =
        counter.isPerformance ? atMost(bound, amount.over) : atMost(amount.over, bound);

    Node node;
    node.question = fmt::format("{}: {}", counter.name, amount.text());
    const bool isFree = !counter.isPerformance && amount.over.isZero();
    Quintuple accepted = at, refused = std::move(at);
    accepted.height = refused.height = accepted.height + 1;
    if (!isFree) {
      accepted.condition = accepted.condition.with(accepts);
      if (!counter.acceptCode.empty() &&
          std::find(accepted.log.begin(), accepted.log.end(), counter.acceptCode) == accepted.log.end())
        accepted.log.push_back(counter.acceptCode);
    }
    if (isFree || questions.isConsistent(accepted.condition) != false)
      add(node, visit(std::move(accepted)), accepts, true, "");
    refused.condition = refused.condition.with(accepts.negated());
    if (!isFree && questions.isConsistent(refused.condition) != false)
      refuse(node, std::move(refused), number, accepts.negated());
    // Both may have been dropped where only facts contradict each other.
    if (node.children.empty()) return std::nullopt;
    return node;
  }

  /// Below a refusal: the first strategy that has something to do, or no code.
  void refuse(Node& node, Quintuple refused, std::size_t number, const Constraint& because) {
    for (std::size_t strategy : discussion().counters[number].strategies) {
      if (refused.taken[strategy]) continue;
      auto next = refused.code->applied(strategy);
      if (!next) continue;
      refused.code = std::move(next);
      refused.taken[strategy] = true;
      refused.log.push_back(discussion().strategies[strategy].code);
      // A strategy may cost of what was counted before; after one for a measure, of every resource.
      std::size_t resources = 0;
      while (resources < discussion().counters.size() && !discussion().counters[resources].isPerformance)
        ++resources;
      if (number >= resources) {
        refused.counts.push_back(number);
        pushCounters(refused, 0, resources);
      } else {
        std::erase_if(refused.counts, [&](std::size_t k) { return k <= number; });
        pushCounters(refused, 0, number + 1);
      }
      add(node, visit(std::move(refused)), because, false, discussion().strategies[strategy].name);
      return;
    }
    if (discussion().counters[number].isWish) {
      add(node, visit(std::move(refused)), because, false, "");
      return;
    }
    count(refused);
    Node none;
    none.leaf = tree.leaves.size();
    tree.leaves.push_back({nullptr, refused.condition, refused.log});
    add(node, std::move(none), because, false, "");
  }

  static void add(Node& to, std::optional<Node> child, const Constraint& condition, bool isAccepted,
                  const std::string& strategy) {
    if (!child) return;
    child->condition = condition.text();
    child->isAccepted = isAccepted;
    child->strategy = strategy;
    to.children.push_back(std::move(*child));
  }

  Node leaf(Quintuple at) {
    const auto& log = at.log;
    if (!discussion().keptCode.empty() &&
        std::find(log.begin(), log.end(), discussion().whenLogged) != log.end())
      at.log.push_back(discussion().keptCode);
    for (std::size_t k = 0; k < discussion().strategies.size(); ++k) {
      const Strategy& strategy = discussion().strategies[k];
      if (!strategy.isFree || at.taken[k]) continue;
      auto next = at.code->applied(k);
      if (!next || !isNoWorse(*next, *at.code)) continue;
      at.code = std::move(next);
      at.log.push_back(strategy.code);
    }
    Node result;
    result.leaf = tree.leaves.size();
    tree.leaves.push_back({at.code, at.condition, at.log});
    return result;
  }

  /// `form` needs no more of any resource than `other`.
  bool isNoWorse(const Code& form, const Code& other) {
    for (std::size_t k = 0; k < discussion().counters.size(); ++k) {
      if (discussion().counters[k].isPerformance) continue;
      const Amount a = form.amount(k), b = other.amount(k);
      const Polynomial gain = b.over * a.under - a.over * b.under;
      if (!gain.hasNoMinus() && !questions.implies({}, atMost(0, gain))) return false;
    }
    return true;
  }

  /// Leaves with the same code are one case.
  void collect() {
    for (Leaf& leaf : tree.leaves) {
      if (!leaf.code) {
        tree.none.push_back(leaf.condition);
        continue;
      }
      auto same = std::find_if(tree.cases.begin(), tree.cases.end(),
                               [&](const Case& one) { return one.code->text() == leaf.code->text(); });
      leaf.theCase = static_cast<std::size_t>(same - tree.cases.begin());
      if (same == tree.cases.end()) same = tree.cases.insert(same, {leaf.code, {}, {}});
      same->conditions.push_back(leaf.condition);
      same->logs.push_back(leaf.log);
    }
    for (Case& one : tree.cases)
      one.conditions = merged(questions, one.conditions);
    tree.none = merged(questions, tree.none);
  }

  Questions questions;
  CaseTree tree;
};

} // namespace

CaseTree discuss(const Discussion& discussion, std::shared_ptr<const Code> code) {
  return Search(discussion).run(std::move(code));
}

} // namespace warploom::cases
