// What both run-times of forked programs have in common.
#include "warploom_fork.h"

long long warploom_count(long long first, long long bound, long long step, int comparison) {
  const int relation = comparison % 256;
  if (relation == '!') return step == 0 ? 0 : (bound - first) / step;
  if (relation == '>') {
    first = -first;
    bound = -bound;
    step = -step;
  }
  if (comparison >= 256) ++bound;
  return step <= 0 || first >= bound ? 0 : (bound - first + step - 1) / step;
}
