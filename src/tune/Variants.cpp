#include "tune/Variants.h"

#include "tune/Database.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace warploom {

namespace {

/// The sizes in `n=1000 m=7`.
std::vector<std::pair<std::string, long>> sizesIn(const std::string& problem) {
  std::vector<std::pair<std::string, long>> result;
  std::istringstream in(problem);
  for (std::string word; in >> word;)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      result.emplace_back(word.substr(0, sign), std::strtol(word.c_str() + sign + 1, nullptr, 10));
  return result;
}

/// `search` without what is known only when the program runs: the sizes that are its arguments.
Search withoutArguments(Search search) {
  std::istringstream in(search.sizes);
  search.sizes.clear();
  static const std::string argument = "argument";
  for (std::string word; in >> word;) {
    const bool isArgument = word.starts_with(argument) && word.size() > argument.size() &&
                            std::isdigit(static_cast<unsigned char>(word[argument.size()]));
    if (!isArgument) search.sizes += (search.sizes.empty() ? "" : " ") + word;
  }
  return search;
}

double leastTime(const MeasuredProblem& problem) {
  double least = -1;
  for (const auto& [point, result] : problem.points)
    if (least < 0 || result.milliseconds < least) least = result.milliseconds;
  return least;
}

/// A point with its loss at each problem; 0 where it does not serve.
struct Candidate {
  std::string point;
  std::vector<double> losses;

  bool serves(std::size_t problem) const { return losses[problem] > 0; }
  std::size_t served() const {
    return losses.size() - static_cast<std::size_t>(std::count(losses.begin(), losses.end(), 0));
  }
  double loss() const {
    double sum = 0;
    for (const double one : losses)
      sum += one;
    return sum;
  }
  /// Whether `other` serves wherever this one does.
  bool isCoveredBy(const Candidate& other) const {
    for (std::size_t p = 0; p < losses.size(); ++p)
      if (serves(p) && !other.serves(p)) return false;
    return true;
  }
};

/// The points that serve anywhere. Of those that serve at the same problems only the fastest is there, or the
/// usual one; one that serves only where another serves, and not everywhere there, is not.
std::vector<Candidate> candidatesAt(const std::vector<MeasuredProblem>& problems, const std::string& usual) {
  std::set<std::string> points;
  for (const MeasuredProblem& problem : problems)
    for (const auto& [point, result] : problem.points)
      points.insert(point);
  std::vector<Candidate> all;
  for (const std::string& point : points) {
    Candidate candidate{point, std::vector<double>(problems.size(), 0)};
    for (std::size_t p = 0; p < problems.size(); ++p) {
      const auto found = problems[p].points.find(point);
      if (found == problems[p].points.end()) continue;
      const double loss = lossAt(problems[p], point);
      const bool isAsGood = point == usual && std::none_of(problems[p].points.begin(),
                                                           problems[p].points.end(), [&](const auto& other) {
                                                             return isFaster(other.second, found->second);
                                                           });
      if (loss <= nearlyBest || isAsGood) candidate.losses[p] = loss;
    }
    if (candidate.served() > 0) all.push_back(std::move(candidate));
  }
  // The better ones first: what is covered is covered by one before it.
  std::sort(all.begin(), all.end(), [&](const Candidate& one, const Candidate& other) {
    if (one.served() != other.served()) return one.served() > other.served();
    if ((one.point == usual) != (other.point == usual)) return one.point == usual;
    return one.loss() != other.loss() ? one.loss() < other.loss() : one.point < other.point;
  });
  std::vector<Candidate> result;
  for (Candidate& candidate : all)
    if (std::none_of(result.begin(), result.end(),
                     [&](const Candidate& other) { return candidate.isCoveredBy(other); }))
      result.push_back(std::move(candidate));
  return result;
}

/// Looks for the best set of a given number of candidates.
class Cover {
public:
  Cover(const std::vector<Candidate>& candidates, std::size_t problems)
      : candidates(candidates), problems(problems) {}

  /// Some set that serves everywhere: always the candidate that serves at most problems that are left.
  std::vector<std::size_t> greedy() const {
    std::vector<std::size_t> set;
    while (const std::optional<std::size_t> missing = firstUnserved(set)) {
      std::size_t best = 0, most = 0;
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        std::size_t more = 0;
        for (std::size_t p = 0; p < problems; ++p)
          more += candidates[c].serves(p) && !isServed(p, set);
        if (more > most) best = c, most = more;
      }
      set.push_back(best);
    }
    return set;
  }

  /// The fastest set of `size` that serves everywhere; nothing where there is none, or none was found within
  /// the steps that are left.
  std::optional<std::vector<std::size_t>> best(std::size_t size) {
    found.reset();
    std::vector<std::size_t> set;
    extend(set, size);
    return found;
  }
  /// What `set` loses, summed up over the problems.
  double loss(const std::vector<std::size_t>& set) const {
    double sum = 0;
    for (std::size_t p = 0; p < problems; ++p) {
      double least = 0;
      for (const std::size_t c : set)
        if (candidates[c].serves(p) && (least == 0 || candidates[c].losses[p] < least))
          least = candidates[c].losses[p];
      sum += least;
    }
    return sum;
  }

private:
  bool isServed(std::size_t problem, const std::vector<std::size_t>& set) const {
    return std::any_of(set.begin(), set.end(), [&](std::size_t c) { return candidates[c].serves(problem); });
  }
  std::optional<std::size_t> firstUnserved(const std::vector<std::size_t>& set) const {
    for (std::size_t p = 0; p < problems; ++p)
      if (!isServed(p, set)) return p;
    return std::nullopt;
  }
  void extend(std::vector<std::size_t>& set, std::size_t left) {
    if (steps == 0) return;
    --steps;
    const std::optional<std::size_t> missing = firstUnserved(set);
    if (!missing) {
      if (const double lost = loss(set); !found || lost < leastLoss) found = set, leastLoss = lost;
      return;
    }
    if (left == 0) return;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (!candidates[c].serves(*missing)) continue;
      set.push_back(c);
      extend(set, left - 1);
      set.pop_back();
    }
  }

  const std::vector<Candidate>& candidates;
  const std::size_t problems;
  long steps = 200'000; ///< sets that are looked at
  std::optional<std::vector<std::size_t>> found;
  double leastLoss = 0;
};

} // namespace

double lossAt(const MeasuredProblem& problem, const std::string& point) {
  const double least = leastTime(problem), own = problem.points.at(point).milliseconds;
  return least > 0 ? own / least : 1;
}

std::string problemText(const std::vector<std::string>& names, const std::vector<long>& sizes) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += fmt::format("{}{}={}", k > 0 ? " " : "", names[k], sizes[k]);
  return text;
}

MeasuredProblems measuredProblems(const std::vector<Entry>& entries, const Search& wanted,
                                  const std::vector<std::string>& names) {
  const Search beforehand = withoutArguments(wanted);
  std::vector<std::pair<double, const Entry*>> timed;
  for (const Entry& entry : entries)
    if (entry.result.outcome == Outcome::Timed && !entry.result.work.problem.empty())
      timed.emplace_back(distance(withoutArguments(entry.search), beforehand), &entry);
  MeasuredProblems result;
  if (timed.empty()) return result;
  const double nearest = std::min_element(timed.begin(), timed.end())->first;
  std::erase_if(timed, [&](const auto& entry) { return entry.first > nearest; });
  const bool isSame = std::any_of(timed.begin(), timed.end(), [&](const auto& entry) {
    return entry.second->search.toolkit == wanted.toolkit;
  });
  const Entry& latest = *std::find_if(timed.rbegin(), timed.rend(), [&](const auto& entry) {
                           return !isSame || entry.second->search.toolkit == wanted.toolkit;
                         })->second;
  const Search of = withoutArguments(latest.search);
  for (const auto& [name, value] : sizesIn(latest.result.work.problem)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) return result;
    result.names.push_back(name);
  }
  std::map<std::vector<long>, MeasuredProblem> problems;
  for (const auto& [far, entry] : timed) {
    if (entry->search.toolkit != of.toolkit || distance(withoutArguments(entry->search), of) > 0) continue;
    std::vector<std::string> own;
    std::vector<long> sizes;
    for (const auto& [name, value] : sizesIn(entry->result.work.problem)) {
      own.push_back(name);
      sizes.push_back(value);
    }
    if (own != result.names) continue;
    problems[sizes].sizes = sizes;
    problems[sizes].points[entry->point] = entry->result;
  }
  for (auto& [sizes, problem] : problems)
    result.all.push_back(std::move(problem));
  return result;
}

std::vector<ServingPoint> fewestPoints(const std::vector<MeasuredProblem>& problems,
                                       const std::string& usual) {
  const std::vector<Candidate> candidates = candidatesAt(problems, usual);
  Cover cover(candidates, problems.size());
  std::vector<std::size_t> set = cover.greedy();
  for (std::size_t size = 1; size <= set.size(); ++size)
    if (const auto found = cover.best(size)) {
      if (found->size() < set.size() || cover.loss(*found) < cover.loss(set)) set = *found;
      break;
    }
  std::vector<ServingPoint> result;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const Candidate* best = nullptr;
    for (const std::size_t c : set)
      if (candidates[c].serves(p) && (!best || candidates[c].losses[p] < best->losses[p]))
        best = &candidates[c];
    auto own = std::find_if(result.begin(), result.end(),
                            [&](const ServingPoint& one) { return one.point == best->point; });
    if (own == result.end()) own = result.insert(result.end(), {best->point, {}});
    own->problems.push_back(p);
  }
  return result;
}

} // namespace warploom
