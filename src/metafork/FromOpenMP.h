// OpenMP to MetaFork: tasks and sections are forks, work-sharing loops are parallel loops. A directive that
// has no counterpart is refused by its name.
#pragma once

#include "metafork/Rewriter.h"

#include <set>

namespace warploom::metafork {

class FromOpenMP : public Rewriter {
public:
  using Rewriter::Rewriter;

protected:
  void prepare() override;
  std::string construct(unsigned index) override;

private:
  std::string loop(unsigned index);
  std::string sections(unsigned index);
  std::string task(unsigned index);
  std::string inLine(unsigned index);
  void accept(const ForkJoinConstruct& one, const std::set<std::string>& clauses) const;
  const ClauseText* clause(const ForkJoinConstruct& one, const char* kind) const;
  /// The variables of all clauses of `kind`; of `private` also those that each thread has its own of in the
  /// region around.
  std::vector<std::pair<std::string, unsigned>> listed(const ForkJoinConstruct& one, const char* kind) const;
  std::string redeclare(unsigned variable) const;
  std::vector<unsigned> threadsOwn(const ForkJoinConstruct& one) const;
  std::string header(const LoopText& loop) const;
};

} // namespace warploom::metafork
