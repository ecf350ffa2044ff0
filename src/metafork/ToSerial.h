// MetaFork to serial C, and to Cilk, which differ in their keywords alone: forked blocks become functions.
#pragma once

#include "metafork/Rewriter.h"

namespace warploom::metafork {

class ToSerial : public Rewriter {
public:
  ToSerial(const ForkJoinSource& source, bool cilk) : Rewriter(source), cilk(cilk) {}

protected:
  void prepare() override;
  std::string construct(unsigned index) override;

private:
  std::string block(const ForkJoinConstruct& one);
  std::string loop(const ForkJoinConstruct& one);
  const bool cilk;
};

} // namespace warploom::metafork
