// What the environment asks for when a program runs: which device, how loops of kernels are launched, and how
// a place is chosen. Included by warploom_region.h.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warploom {

/// What WARPLOOM_DEVICE asks for: nothing, `host`, `gpu`, or a certain one, `gpu:1`.
struct DeviceWish {
  enum Kind { Any, Host, Gpu };
  Kind kind = Any;
  int number = -1; ///< of the device; -1: that which the program has chosen
};

inline DeviceWish deviceWish() {
  static const DeviceWish wish = [] {
    const char* text = std::getenv("WARPLOOM_DEVICE");
#ifdef WARPLOOM_HOST_BY_DEFAULT
    if (!text || !*text) return DeviceWish{DeviceWish::Host};
#else
    if (!text || !*text) return DeviceWish{};
#endif
    if (std::strcmp(text, "host") == 0) return DeviceWish{DeviceWish::Host};
    if (std::strcmp(text, "gpu") == 0) return DeviceWish{DeviceWish::Gpu};
    int number = 0, end = 0;
    if (std::sscanf(text, "gpu:%d%n", &number, &end) == 1 && number >= 0 && text[end] == '\0')
      return DeviceWish{DeviceWish::Gpu, number};
    std::fprintf(stderr, "warploom: WARPLOOM_DEVICE is '%s'; it may be host, gpu or gpu:NUMBER\n", text);
    std::exit(EXIT_FAILURE);
  }();
  return wish;
}

/// What WARPLOOM_LAUNCH asks for, where a loop repeats kernels.
enum class LaunchWish {
  Any,
  Launches,    ///< one launch for each
  Graph,       ///< recorded once, where all iterations are the same
  Cooperative, ///< the whole loop in one launch, where that is possible
  Crink ///< as CRINK did, for comparison: the host waits after each, and a line has a thread for each element
};

inline LaunchWish launchWish() {
  static const LaunchWish wish = [] {
    const char* text = std::getenv("WARPLOOM_LAUNCH");
    if (!text || !*text) return LaunchWish::Any;
    if (std::strcmp(text, "launches") == 0) return LaunchWish::Launches;
    if (std::strcmp(text, "graph") == 0) return LaunchWish::Graph;
    if (std::strcmp(text, "cooperative") == 0) return LaunchWish::Cooperative;
    if (std::strcmp(text, "crink") == 0) return LaunchWish::Crink;
    std::fprintf(
        stderr, "warploom: WARPLOOM_LAUNCH is '%s'; it may be launches, graph, cooperative or crink\n", text);
    std::exit(EXIT_FAILURE);
  }();
  return wish;
}

/// What WARPLOOM_CHOICE asks for: `static`, by the estimate alone, the same in every run; `learn`, by what
/// happens. Without it a GPU learns, and the CPU execution, which is not about speed, always takes part.
enum class ChoiceWish { Any, Static, Learn };

inline ChoiceWish choiceWish() {
  static const ChoiceWish wish = [] {
    const char* text = std::getenv("WARPLOOM_CHOICE");
    if (!text || !*text) return ChoiceWish::Any;
    if (std::strcmp(text, "static") == 0) return ChoiceWish::Static;
    if (std::strcmp(text, "learn") == 0) return ChoiceWish::Learn;
    std::fprintf(stderr, "warploom: WARPLOOM_CHOICE is '%s'; it may be static or learn\n", text);
    std::exit(EXIT_FAILURE);
  }();
  return wish;
}

} // namespace warploom
