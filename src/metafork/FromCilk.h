// Cilk to MetaFork: other keywords, and the joins that Cilk implies made visible.
#pragma once

#include "metafork/Rewriter.h"

namespace warploom::metafork {

class FromCilk : public Rewriter {
public:
  using Rewriter::Rewriter;

protected:
  void prepare() override;
  std::string construct(unsigned index) override;

private:
  void checkReducers() const;
};

/// Inserts, by `insert(at, text)`, a join before every exit of the functions that fork where there may be
/// children left. `isFork`, `isJoin`: of a construct's number.
struct ImpliedJoin {
  std::size_t at;
  std::string text;
};
std::vector<ImpliedJoin> impliedJoins(const ForkJoinSource& file, const std::vector<bool>& forks,
                                      const std::vector<bool>& joins);

} // namespace warploom::metafork
