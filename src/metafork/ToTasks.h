// MetaFork to C that calls the run-time of runtime/fork: every child and every loop body is a function of its
// own, with what it uses in a struct. Lines are those of the user's file.
#pragma once

#include "metafork/Rewriter.h"

namespace warploom::metafork {

class ToTasks : public Rewriter {
public:
  using Rewriter::Rewriter;

protected:
  void prepare() override;
  std::string construct(unsigned index) override;

private:
  std::string call(const ForkJoinConstruct& one);
  std::string block(const ForkJoinConstruct& one);
  std::string loop(const ForkJoinConstruct& one);
  std::string line(unsigned number) const;
  std::string resume(unsigned number) override { return "\n" + line(number); }
  struct Packed {
    std::string type, fields, fill, unpack;
    Names inside;
  };
  Packed pack(const std::vector<Passed>& variables);
};

} // namespace warploom::metafork
