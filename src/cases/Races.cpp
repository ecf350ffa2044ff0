#include "cases/Races.h"

#include "cases/Questions.h"

namespace warploom::cases {

namespace {

std::string second(const std::string& name) {
  return name + "'";
}

class Finder {
public:
  Finder(const Nest& n, const Detiled* l) : nest(n), loops(l), questions(factsOf(n)) {}

  Meeting find() {
    Meeting worst;
    for (std::size_t a = 0; a < nest.accesses.size(); ++a)
      for (std::size_t b = a; b < nest.accesses.size(); ++b) {
        const NestAccess &one = nest.accesses[a], &other = nest.accesses[b];
        if (one.array != other.array || !(one.isWritten || other.isWritten) || contradict(one, other))
          continue;
        Meeting met = pair(one, other);
        if (rank(met.answer) <= rank(worst.answer)) continue;
        met.array = one.array;
        met.first = one.at;
        met.second = other.at;
        worst = met;
      }
    return worst;
  }

private:
  static Facts factsOf(const Nest& nest) {
    Facts all = nest.facts;
    all.insert(all.end(), nest.quotients.begin(), nest.quotients.end());
    return all;
  }

  static int rank(Meeting::Answer answer) {
    switch (answer) {
    case Meeting::Answer::Never:
      return 0;
    case Meeting::Answer::Unknown:
      return 1;
    case Meeting::Answer::Perhaps:
      return 2;
    default:
      return 3;
    }
  }

  /// No launch runs both.
  static bool contradict(const NestAccess& a, const NestAccess& b) {
    for (const auto& [number, holds] : a.path)
      for (const auto& [other, is] : b.path)
        if (number == other && holds != is) return true;
    return false;
  }

  Meeting pair(const NestAccess& a, const NestAccess& b) {
    if (a.subscripts.empty() || b.subscripts.empty() || a.subscripts.size() != b.subscripts.size())
      return {Meeting::Answer::Unknown, "", {}, {}, {}};
    if (loops && !meetInCoordinates(a, b).value_or(true)) return {};
    return meetAsWritten(a, b);
  }

  static void equal(std::vector<Clause>& system, const Polynomial& left, const Polynomial& right) {
    system.push_back({atMost(left, right)});
    system.push_back({atMost(right, left)});
  }
  static void inside(std::vector<Clause>& system, const std::string& name, const Polynomial& end) {
    system.push_back({atMost(0, Polynomial::symbol(name))});
    system.push_back({below(Polynomial::symbol(name), end)});
  }
  static void apart(Clause& some, const std::string& name) {
    some.push_back(below(Polynomial::symbol(name), Polynomial::symbol(second(name))));
    some.push_back(below(Polynomial::symbol(second(name)), Polynomial::symbol(name)));
  }

  /// Points that differ in a parallel coordinate have an element in common.
  std::optional<bool> meetInCoordinates(const NestAccess& a, const NestAccess& b) {
    std::vector<Clause> system;
    Clause some;
    std::vector<std::string> names;
    for (const auto* axes : {&loops->parallel, &loops->serial})
      for (const Axis& axis : *axes) {
        inside(system, axis.name, axis.end);
        inside(system, second(axis.name), axis.end);
        if (axes == &loops->parallel) apart(some, axis.name);
        names.push_back(axis.name);
      }
    system.push_back(some);
    for (std::size_t d = 0; d < a.subscripts.size(); ++d) {
      Polynomial left = loops->inCoordinates(a.subscripts[d]), right = loops->inCoordinates(b.subscripts[d]);
      for (const std::string& name : names)
        right = right.substitute(name, Polynomial::symbol(second(name)));
      equal(system, left, right);
    }
    return questions.isSatisfiable(system);
  }

  /// The same with blocks and threads as they are written.
  Meeting meetAsWritten(const NestAccess& a, const NestAccess& b) {
    System all;
    std::vector<Clause> system;
    auto add = [&](std::vector<Clause> more) {
      for (Clause& one : more) {
        all.all.push_back(one.front());
        system.push_back(std::move(one));
      }
    };
    auto primed = [&](Polynomial p) {
      for (const NestLoop& loop : nest.loops)
        p = p.substitute(loop.counter, Polynomial::symbol(second(loop.counter)));
      return p;
    };
    Clause others, threads; // other blocks; other threads of the same block
    std::vector<std::string> blocks, between;
    for (const NestLoop& loop : nest.loops) {
      std::vector<Clause> range;
      inside(range, loop.counter, loop.bound);
      inside(range, second(loop.counter), primed(loop.bound));
      add(range);
      if (loop.role == NestLoop::Role::Block) blocks.push_back(loop.counter);
      if (loop.role == NestLoop::Role::Between) between.push_back(loop.counter);
      if (loop.role == NestLoop::Role::Block) apart(others, loop.counter);
      if (loop.role == NestLoop::Role::Thread) apart(threads, loop.counter);
    }
    for (std::size_t d = 0; d < a.subscripts.size(); ++d) {
      std::vector<Clause> same;
      equal(same, a.subscripts[d], primed(b.subscripts[d]));
      add(same);
    }
    bool isOpen = false;
    for (bool sameBlock : {true, false})
      for (const Constraint& differ : sameBlock ? threads : others) {
        std::vector<Clause> question = system;
        System whole = all;
        auto more = [&](const Constraint& one) {
          question.push_back({one});
          whole.all.push_back(one);
        };
        more(differ);
        if (sameBlock)
          for (const auto* names : {&blocks, &between})
            for (const std::string& name : *names) {
              more(atMost(Polynomial::symbol(name), Polynomial::symbol(second(name))));
              more(atMost(Polynomial::symbol(second(name)), Polynomial::symbol(name)));
            }
        const auto answer = questions.isSatisfiable(question);
        if (answer == false) continue;
        if (const auto values = answer ? questions.solution(whole) : std::nullopt)
          return {a.isConditional || b.isConditional ? Meeting::Answer::Perhaps : Meeting::Answer::Found,
                  "",
                  {},
                  {},
                  *values};
        isOpen = true;
      }
    return {isOpen ? Meeting::Answer::Unknown : Meeting::Answer::Never, "", {}, {}, {}};
  }

  const Nest& nest;
  const Detiled* const loops;
  Questions questions;
};

} // namespace

Meeting meeting(const Nest& nest, const Detiled* loops) {
  return Finder(nest, loops).find();
}

} // namespace warploom::cases
