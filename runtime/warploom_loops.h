// How often the loops of the host around a region repeat it, as the program's text tells before they begin:
// what is known of the future. Included by warploom_region.h.
#pragma once

#include <cmath>

namespace warploom {

/// How often regions that are entered now will be, by the loops around them.
struct Repeats {
  double times = 1;       ///< what is to be expected; loops that something else may end count for a tenth
  double most = HUGE_VAL; ///< at most, where there are loops around
  unsigned loop = 0;      ///< which is the outermost, by a number of its own
};

/// The loops that run in this thread. One that was left by a jump or a `return` is known by its function's
/// frame, which is not on the stack any more; that may err, and is about speed alone.
class HostLoops {
public:
  void begin(double times, bool most, const void* frame) {
    while (count > 0 && loops[count - 1].frame < frame)
      --count;
    if (count == mostLoops) return;
    loops[count++] = {times > 1 ? times : 1, most, frame, ++begun};
  }
  void end(const void* frame) {
    while (count > 0 && loops[count - 1].frame < frame)
      --count;
    if (count > 0) --count;
  }
  /// What those around `frame` tell.
  Repeats around(const void* frame) {
    while (count > 0 && loops[count - 1].frame < frame)
      --count;
    Repeats result;
    if (count == 0) return result;
    result.most = 1;
    result.loop = loops[0].number;
    for (int k = 0; k < count; ++k) {
      const double times = loops[k].most ? loops[k].times / 10 : loops[k].times;
      result.times *= times > 1 ? times : 1;
      result.most *= loops[k].times;
    }
    return result;
  }

private:
  static constexpr int mostLoops = 16;
  struct Loop {
    double times;
    bool most;
    const void* frame; ///< of a function called where the loop stands: the stack grows down
    unsigned number;
  };
  Loop loops[mostLoops];
  int count = 0;
  unsigned begun = 0;
};
inline thread_local HostLoops hostLoops;

} // namespace warploom

/// The program tells that a loop begins, which runs `times` times, or at `most` so often.
extern "C" __attribute__((weak, used)) void warploom_loopBegins(double times, int most) {
  warploom::hostLoops.begin(times, most != 0, __builtin_frame_address(0));
}
/// The loop that began last has ended.
extern "C" __attribute__((weak, used)) void warploom_loopEnds() {
  warploom::hostLoops.end(__builtin_frame_address(0));
}
