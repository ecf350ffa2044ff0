// Large copies in pieces and page-locked memory of the program, over a link of our own whose streams work
// through what they are given later, in order, as a device does.
#include "warploom_locked.h"
#include "warploom_staging.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>

namespace {

using warploom::LockedMemory;
using warploom::Staging;

/// A stream: one thread that does what it is given, in order, and takes its time before it begins.
class LateStream {
public:
  LateStream() : thread([this] { run(); }) {}
  ~LateStream() {
    give(nullptr);
    thread.join();
  }
  void give(std::function<void()> work) {
    std::lock_guard<std::mutex> lock(mutex);
    works.push_back(std::move(work));
    changed.notify_all();
  }
  void drain() {
    std::atomic<bool> done = false;
    give([&] { done = true; });
    while (!done)
      std::this_thread::yield();
  }

private:
  void run() {
    for (int number = 0;; ++number) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return !works.empty(); });
      auto work = std::move(works.front());
      works.pop_front();
      lock.unlock();
      if (!work) return;
      if (number % 16 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      work();
    }
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> works;
  std::thread thread;
};

struct LateLink {
  using Stream = LateStream*;
  using Event = std::shared_ptr<std::atomic<bool>>;
  std::shared_ptr<std::vector<char>> locked = std::make_shared<std::vector<char>>();
  bool hasMemory = true;
  std::shared_ptr<std::vector<void*>> pages = std::make_shared<std::vector<void*>>();

  void enter() const {}
  void* allocatePageLocked(std::size_t bytes) const {
    locked->resize(bytes);
    return hasMemory ? locked->data() : nullptr;
  }
  Event makeEvent() const { return std::make_shared<std::atomic<bool>>(true); }
  void record(const Event& event, Stream stream) const {
    *event = false;
    stream->give([event] { *event = true; });
  }
  void await(const Event& event) const {
    while (!*event)
      std::this_thread::yield();
  }
  void toDevice(void* to, const void* from, std::size_t bytes, Stream stream) const {
    stream->give([=] { std::memcpy(to, from, bytes); });
  }
  void toHost(void* to, const void* from, std::size_t bytes, Stream stream) const {
    stream->give([=] { std::memcpy(to, from, bytes); });
  }
  bool lock(void* memory, std::size_t) const {
    if (hasMemory) pages->push_back(memory);
    return hasMemory;
  }
  void unlock(void* memory) const { ASSERT_EQ(std::erase(*pages, memory), 1u); }

  /// The blocks of the heap, and whether somebody is to be told before they go.
  std::shared_ptr<std::map<const void*, std::pair<std::size_t, bool>>> blocks =
      std::make_shared<std::map<const void*, std::pair<std::size_t, bool>>>();
  using Part = LockedMemory<LateLink>::Part;
  Part block(const void* memory, std::size_t bytes) const {
    const auto next = blocks->upper_bound(memory);
    if (next == blocks->begin()) return {};
    const auto& [begin, block] = *std::prev(next);
    char* const first = const_cast<char*>(static_cast<const char*>(begin));
    return static_cast<const char*>(memory) + bytes <= first + block.first ? Part{first, block.first}
                                                                           : Part();
  }
  Part watch(const void* memory, std::size_t bytes) const {
    const Part found = block(memory, bytes);
    if (found.bytes > 0) blocks->at(found.begin).second = true;
    return found;
  }
};

constexpr std::size_t large = (64 << 20) + 12345;

std::vector<char> numbers(std::size_t bytes, unsigned from) {
  std::vector<char> result(bytes);
  for (char& one : result)
    one = static_cast<char>((from = from * 1664525 + 1013904223) >> 24);
  return result;
}

TEST(Staging, WhatTheHostHeldWhenItReturnedGetsToTheDevice) {
  const LateLink link;
  LateStream stream;
  Staging<LateLink> staging(8);
  std::vector<char> device(large);
  for (unsigned round : {1u, 2u}) {
    const std::vector<char> given = numbers(large, round);
    std::vector<char> host = given;
    ASSERT_TRUE(staging.toDevice(device.data(), host.data(), large, &stream, link));
    std::fill(host.begin(), host.end(), 0); // the program goes on
    stream.drain();
    EXPECT_TRUE(device == given);
  }
}

TEST(Staging, WhatTheStreamWritesBeforeGetsToTheHost) {
  const LateLink link;
  LateStream stream;
  Staging<LateLink> staging(8);
  const std::vector<char> result = numbers(large, 3);
  std::vector<char> device(large), host(large);
  // Page-locked memory is still being read by a copy in the other direction.
  ASSERT_TRUE(staging.toDevice(device.data(), host.data(), large, &stream, link));
  stream.give([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    device = result;
  });
  ASSERT_TRUE(staging.toHost(host.data(), device.data(), large, &stream, link));
  EXPECT_TRUE(host == result);
  EXPECT_TRUE(device == result);
}

TEST(Staging, PlainCopiesAreLeftAlone) {
  const LateLink link;
  LateStream stream;
  std::vector<char> device(large), host(large);
  Staging<LateLink> small(8), narrow(2), poor(8);
  EXPECT_FALSE(small.toDevice(device.data(), host.data(), Staging<LateLink>::firstLeast - 1, &stream, link));
  ASSERT_TRUE(small.toDevice(device.data(), host.data(), large, &stream, link));
  EXPECT_TRUE(small.toHost(host.data(), device.data(), Staging<LateLink>::least, &stream, link));
  EXPECT_FALSE(small.toHost(host.data(), device.data(), Staging<LateLink>::least - 1, &stream, link));
  EXPECT_FALSE(narrow.toDevice(device.data(), host.data(), large, &stream, link));
  LateLink without;
  without.hasMemory = false;
  EXPECT_FALSE(poor.toDevice(device.data(), host.data(), large, &stream, without));
  stream.drain();
}

TEST(Staging, ServesOneThreadOfTheProgramAtATime) {
  const LateLink link;
  LateStream first, second;
  Staging<LateLink> staging(4);
  std::vector<char> here = numbers(large, 4), there = numbers(large, 5), toHere(large), toThere(large);
  ASSERT_TRUE(staging.toDevice(toHere.data(), here.data(), large, &first, link));
  auto copy = [&](std::vector<char>& to, const std::vector<char>& from, LateStream& stream) {
    if (staging.toDevice(to.data(), from.data(), large, &stream, link)) return;
    link.toDevice(to.data(), from.data(), large, &stream);
  };
  std::thread beside([&] { copy(toThere, there, second); });
  copy(toHere, here, first);
  beside.join();
  first.drain();
  second.drain();
  EXPECT_TRUE(toHere == here);
  EXPECT_TRUE(toThere == there);
}

char field[(20 << 20) + 100], other[20 << 20];

TEST(LockedMemory, StaticMemoryIsLockedWhenItMovesAgain) {
  LateLink link;
  LockedMemory<LateLink> memory;
  EXPECT_EQ(memory.of(field, sizeof field, link).bytes, 0u);
  const auto part = memory.of(field, sizeof field, link);
  ASSERT_GT(part.bytes, sizeof field - 2 * 65536);
  EXPECT_GE(part.begin, field);
  EXPECT_LE(part.begin + part.bytes, field + sizeof field);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.begin) % 4096, 0u);
  EXPECT_EQ(link.pages->size(), 1u);
  // A piece of it is locked, too, and nothing is locked twice.
  EXPECT_GT(memory.of(field + 100, 17 << 20, link).bytes, 0u);
  EXPECT_EQ(memory.of(other, sizeof other, link).bytes, 0u);
  EXPECT_GT(memory.of(other, sizeof other, link).bytes, 0u);
  EXPECT_EQ(link.pages->size(), 2u);
  memory.unlockAll(link);
  EXPECT_TRUE(link.pages->empty());
  EXPECT_EQ(memory.of(field, sizeof field, link).bytes, 0u);
  EXPECT_GT(memory.of(field, sizeof field, link).bytes, 0u);
}

using State = LockedMemory<LateLink>::State;

TEST(LockedMemory, BlocksOfTheHeapAreLockedUntilTheyGo) {
  LateLink link;
  LockedMemory<LateLink> memory;
  std::vector<char> heap(1 << 20);
  EXPECT_EQ(memory.stateOf(heap.data(), heap.size(), link), State::Plain);
  (*link.blocks)[heap.data()] = {heap.size(), false};
  for (int life = 0; life < 2; ++life) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(memory.stateOf(heap.data(), heap.size(), link), State::Lockable);
      EXPECT_EQ(memory.of(heap.data(), heap.size(), link).bytes, 0u);
    }
    EXPECT_GT(memory.of(heap.data(), heap.size(), link).bytes, heap.size() - 2 * 65536);
    EXPECT_EQ(memory.stateOf(heap.data(), heap.size(), link), State::Locked);
    EXPECT_EQ(link.pages->size(), 1u);
    ASSERT_TRUE(link.blocks->at(heap.data()).second); // it will be told
    memory.forget(heap.data(), heap.size(), link);
    EXPECT_TRUE(link.pages->empty());
  }
  // What is longer than the block is none.
  EXPECT_EQ(memory.stateOf(heap.data(), heap.size() + 1, link), State::Plain);
  // A part of it is in the same pages, and a short copy is told what of it is locked.
  for (int k = 0; k < 4; ++k)
    memory.of(heap.data() + 4096, heap.size() / 2, link);
  EXPECT_EQ(link.pages->size(), 1u);
  EXPECT_EQ(memory.of(heap.data() + 100, 1000, link).bytes, 1000u);
  EXPECT_EQ(memory.lockedIn(heap.data() + heap.size() - 10, 500).bytes, 10u);
  memory.forget(heap.data(), heap.size(), link);
  EXPECT_EQ(memory.of(heap.data() + 100, 1000, link).bytes, 0u);
  // Where pages cannot be locked nobody hopes for it.
  link.hasMemory = false;
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(memory.of(heap.data(), heap.size(), link).bytes, 0u);
  EXPECT_EQ(memory.stateOf(heap.data(), heap.size(), link), State::Plain);
}

TEST(LockedMemory, WhatOverlapsSeveralRangesIsAskedAnew) {
  LateLink link;
  LockedMemory<LateLink> memory;
  alignas(65536) static char halves[40 << 20];
  for (int k = 0; k < 2; ++k) {
    memory.of(halves, 16 << 20, link);
    memory.of(halves + (20 << 20), 16 << 20, link);
  }
  EXPECT_EQ(link.pages->size(), 2u);
  // The copy between them is of locked pages at its beginning and its end.
  const auto part = memory.of(halves + (15 << 20), 1 << 17, link);
  EXPECT_EQ(part.bytes, std::size_t(1) << 17);
  EXPECT_EQ(memory.lockedIn(halves + (17 << 20), 4 << 20).begin, halves + (20 << 20));
  EXPECT_EQ(memory.of(halves, 40 << 20, link).bytes, 0u); // neither is left
  EXPECT_TRUE(link.pages->empty());
  EXPECT_GT(memory.of(halves, 40 << 20, link).bytes, 0u);
  EXPECT_EQ(link.pages->size(), 1u);
}

TEST(LockedMemory, NoMoreIsLockedThanMayBe) {
  LateLink link;
  LockedMemory<LateLink> memory(sizeof other);
  for (int k = 0; k < 2; ++k)
    memory.of(other, 16 << 20, link);
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(memory.of(field, 17 << 20, link).bytes, 0u);
  EXPECT_GT(memory.of(other, 16 << 20, link).bytes, 0u);
  memory.forget(other, 16 << 20, link);
  memory.of(field + 100, 18 << 20, link); // more of it: that is asked anew
  EXPECT_GT(memory.of(field + 100, 18 << 20, link).bytes, 0u);
  EXPECT_EQ(link.pages->size(), 1u);
}

TEST(LockedMemory, MemoryThatMayGoAwayIsNot) {
  LateLink link;
  LockedMemory<LateLink> memory;
  std::vector<char> heap(20 << 20);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(memory.of(heap.data(), heap.size(), link).bytes, 0u);
    EXPECT_EQ(memory.of(field, 128 << 10, link).bytes, 0u); // too small to be worth it
  }
  EXPECT_TRUE(link.pages->empty());
}

TEST(LockedMemory, PagesBelongToOneRange) {
  LateLink link;
  LockedMemory<LateLink> memory;
  memory.of(field, 17 << 20, link);
  EXPECT_GT(memory.of(field, 17 << 20, link).bytes, 0u);
  EXPECT_EQ(memory.of(field, 20 << 20, link).bytes, 0u); // more of it
  EXPECT_TRUE(link.pages->empty());
  EXPECT_GT(memory.of(field, 20 << 20, link).bytes, 0u);
  EXPECT_EQ(link.pages->size(), 1u);
  LateLink refusing;
  refusing.hasMemory = false;
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(memory.of(other, sizeof other, refusing).bytes, 0u);
}

} // namespace
