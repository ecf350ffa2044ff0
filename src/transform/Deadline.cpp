#include "transform/Deadline.h"

#include <ctime>
#include <isl/ctx.h>

namespace warploom {

Deadline::Deadline(double seconds) : watcher([this, seconds] { watch(seconds); }) {}

Deadline::~Deadline() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  wake.notify_all();
  watcher.join();
  isl_ctx_resume(islContext().get());
}

bool Deadline::passed() const {
  return isl_ctx_aborted(islContext().get()) != 0;
}

void Deadline::watch(double seconds) {
  const std::clock_t start = std::clock();
  const auto latest = std::chrono::steady_clock::now() + std::chrono::duration<double>(8 * seconds);
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, std::chrono::milliseconds(10), [this] { return done; })) {
    bool spent = static_cast<double>(std::clock() - start) > seconds * CLOCKS_PER_SEC;
    if (!spent && std::chrono::steady_clock::now() < latest) continue;
    isl_ctx_abort(islContext().get());
    return;
  }
}

} // namespace warploom
