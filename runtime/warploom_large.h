// Larger blocks of the C library's, by address: memory in the middle of one is found, and who has asked for
// it hears of a block before it goes. The lock of the heap is held. Included by warploom_heap.c.

enum { mostLarge = 4096 }; // of more, some are not known
static const size_t leastLarge = 256 << 10;

// What is to be done before a block goes.
typedef void (*BeforeGone)(void* begin, size_t bytes);

typedef struct {
  uintptr_t begin;
  size_t bytes;
  BeforeGone before; // null: nothing
} Large;

static Large large[mostLarge];
static int largeCount;

// The one with `memory` in it, or null.
static Large* largeAround(const void* memory) {
  const int place = countUpTo((uintptr_t)memory, large, sizeof *large, largeCount) - 1;
  return place >= 0 && (uintptr_t)memory - large[place].begin < large[place].bytes ? &large[place] : NULL;
}

static void rememberLarge(uintptr_t begin, size_t bytes) {
  if (bytes < leastLarge || largeCount == mostLarge) return;
  Large* at = &large[countUpTo(begin, large, sizeof *large, largeCount)];
  __real_memmove(at + 1, at, (size_t)(&large[largeCount] - at) * sizeof *at);
  *at = (Large){begin, bytes, NULL};
  ++largeCount;
}

// What is to be done before that block goes, which is not known any more.
static BeforeGone forgetLarge(uintptr_t begin) {
  Large* at = largeAround((const void*)begin);
  if (!at || at->begin != begin) return NULL;
  const BeforeGone before = at->before;
  __real_memmove(at, at + 1, (size_t)(&large[--largeCount] - at) * sizeof *at);
  return before;
}
