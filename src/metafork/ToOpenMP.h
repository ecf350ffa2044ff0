// MetaFork to OpenMP: forks are tasks, joins are taskwaits, loops are parallel loops.
#pragma once

#include "metafork/Rewriter.h"

namespace warploom::metafork {

class ToOpenMP : public Rewriter {
public:
  using Rewriter::Rewriter;

protected:
  void prepare() override;
  std::string construct(unsigned index) override;

private:
  std::string call(const ForkJoinConstruct& one);
  std::string block(const ForkJoinConstruct& one);
  std::string loop(const ForkJoinConstruct& one);
  bool sharedWithin(const ForkJoinConstruct& one, unsigned index) const;
  std::string directive(const ForkJoinConstruct& one, const std::string& text, std::size_t at) const;
  bool tasks = false; ///< the program runs inside one parallel region, and all its parallelism is tasks
};

} // namespace warploom::metafork
