// What the executor tells the sanitizer. Without WARPLOOM_SANITIZE these are empty and cost nothing.
#pragma once

#include "Block.h"

namespace warploom::cpu {

#ifdef WARPLOOM_SANITIZE
/// Around every allocation of device memory lies this much memory that is nobody's, so that what runs over an
/// edge meets nothing else.
inline constexpr std::size_t allocationMargin = 1024 * 1024;
#else
inline constexpr std::size_t allocationMargin = 0;
#endif

namespace hooks {

#ifdef WARPLOOM_SANITIZE
#define WARPLOOM_HOOK(...) __VA_ARGS__;
#else
#define WARPLOOM_HOOK(...)                                                                                   \
  inline __VA_ARGS__ {}
#endif

WARPLOOM_HOOK(void launchBegins([[maybe_unused]] const Grid& grid))
WARPLOOM_HOOK(void launchEnds([[maybe_unused]] const Grid& grid))
WARPLOOM_HOOK(void blockBegins([[maybe_unused]] Block& block))
WARPLOOM_HOOK(void blockEnds([[maybe_unused]] Block& block))
WARPLOOM_HOOK(void threadBegins([[maybe_unused]] Block& block))
WARPLOOM_HOOK(void threadEnds([[maybe_unused]] Block& block))
/// The running thread comes to a block barrier.
WARPLOOM_HOOK(void barrierReached([[maybe_unused]] Block& block, [[maybe_unused]] Place place))
WARPLOOM_HOOK(void barrierPassed([[maybe_unused]] Block& block))
/// All threads of the block that have not ended are at a grid barrier; and they have passed it.
WARPLOOM_HOOK(void gridBarrierReached([[maybe_unused]] Block& block))
WARPLOOM_HOOK(void gridBarrierPassed([[maybe_unused]] Block& block))
/// The running thread comes to a warp operation of the lanes in `mask`.
WARPLOOM_HOOK(void warpOperation([[maybe_unused]] Block& block, [[maybe_unused]] unsigned mask,
                                 [[maybe_unused]] const void* pc))
/// The lanes in `lanes` of `warp` have passed a `__syncwarp`.
WARPLOOM_HOOK(void warpBarrierPassed([[maybe_unused]] Block& block, [[maybe_unused]] int warp,
                                     [[maybe_unused]] unsigned lanes))
/// The block's dynamic shared memory is used as elements of this size and `spelled` type.
WARPLOOM_HOOK(void dynamicSharedUsed([[maybe_unused]] std::size_t elementBytes,
                                     [[maybe_unused]] const char* type))
WARPLOOM_HOOK(void fence([[maybe_unused]] Block& block))
WARPLOOM_HOOK(void deadlock([[maybe_unused]] const Block& block))
/// Device memory came into being, or is about to go.
WARPLOOM_HOOK(void allocated([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes,
                             [[maybe_unused]] const ArrayName& name, [[maybe_unused]] Place place))
WARPLOOM_HOOK(void released([[maybe_unused]] void* memory))

#undef WARPLOOM_HOOK

} // namespace hooks
} // namespace warploom::cpu
