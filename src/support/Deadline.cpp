#include "support/Deadline.h"

#include "support/Isl.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <isl/ctx.h>

namespace warploom {

namespace {

/// The deadline that began last and has not ended.
Deadline* innermost = nullptr;

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

Deadline::Deadline(double seconds) : seconds(seconds), start(processorSeconds()), outer(innermost) {
  innermost = this;
  if (seconds <= 0) {
    expired = true;
    isl_ctx_abort(islContext().get());
  } else {
    if (!std::isinf(seconds)) watcher = std::thread([this] { watch(); });
  }
}

Deadline::~Deadline() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  wake.notify_all();
  if (watcher.joinable()) watcher.join();
  innermost = outer;
  for (const Deadline* around = outer; around; around = around->outer)
    if (around->expired) return;
  isl_ctx_resume(islContext().get());
  // One around it may have passed in between.
  for (const Deadline* around = outer; around; around = around->outer)
    if (around->expired) isl_ctx_abort(islContext().get());
}

double Deadline::spent() const {
  return processorSeconds() - start;
}

void Deadline::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, std::chrono::milliseconds(10), [this] { return done; })) {
    if (spent() <= seconds) continue;
    expired = true;
    isl_ctx_abort(islContext().get());
    return;
  }
}

} // namespace warploom
