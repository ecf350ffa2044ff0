// The heap of a generated program, watched: which blocks the program has allocated, and how long they are.
// Where loops do not tell how much of an array they use (x[col[k]]), a launcher asks warploom_heapBytes.
//
// The program is linked with -Wl,--wrap=malloc and so on, so that its own calls of malloc and the like come
// here as __wrap_malloc. Blocks may be given back from anywhere, also from inside libraries; so `free` and
// `realloc` are the whole process's. They do what those of the next library do.
//
// With WARPLOOM_MANAGED larger blocks are memory that the host and all CUDA devices see: nothing of them is
// copied when a region begins or ends, and what a device has used stays there until the host wants it
// (warploom_managed.h). memset, memcpy and memmove of such memory are done where it is: page after page would
// come to the host for them, and go back.
//
// Files that are mapped to be read are noted, too (warploom_files.h), so that a device copies them once.
//
// Blocks shorter than WARPLOOM_LEAST bytes are not noted: programs whose launchers ask for no lengths are
// compiled with that of managed blocks, so that small ones cost what they cost without us.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef WARPLOOM_LEAST
#define WARPLOOM_LEAST 0
#endif

long warploom_heapBytes(const void* begin);
size_t warploom_watchBlock(const void* memory, size_t bytes, void (*before)(void* begin, size_t bytes),
                           void** begin);
long warploom_residence(const void* memory, size_t bytes, int place);
long warploom_freshBytes(const void* memory, size_t bytes);
int warploom_residentBlocks(void);
void* warploom_sharedBlock(size_t bytes);
long warploom_fileMissing(const void* memory, size_t bytes);
void* warploom_fileCopy(const void* memory, size_t bytes, int device, void* (*allocate)(size_t));
void warploom_fileDone(const void* device);
long warploom_fileCopyIn(const void* device, size_t bytes,
                         void (*copy)(void* context, void* to, const void* from, size_t bytes), void* context);
void* warploom_fileGarbage(void);
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __real_memalign(size_t alignment, size_t bytes);
int __real_posix_memalign(void** memory, size_t alignment, size_t bytes);
void* __real_memset(void* to, int value, size_t bytes);
void* __real_memcpy(void* to, const void* from, size_t bytes);
void* __real_memmove(void* to, const void* from, size_t bytes);

// Where the memory of a block comes from.
typedef enum { fromLibrary, fromCuda, fromMap } Origin;

// The blocks, by address: a hash table with linear probing. At most half of it is in use.
typedef struct {
  uintptr_t begin; // 0: free
  size_t bytes;
  Origin origin;
} Block;

static Block* blocks;
static size_t capacity; // a power of 2, or 0
static size_t used;
static int lost; // there was no memory for the table: nothing is known
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
  pthread_mutex_lock(&mutex);
}
static void unlock(void) {
  pthread_mutex_unlock(&mutex);
}

#include "warploom_files.h"

static size_t slotOf(uintptr_t begin) {
  return (size_t)(((begin >> 4) * 0x9E3779B97F4A7C15u) >> 32) & (capacity - 1);
}

// Where `begin` is in the table, or the free slot where it would be.
static Block* find(uintptr_t begin) {
  size_t slot = slotOf(begin);
  while (blocks[slot].begin != 0 && blocks[slot].begin != begin)
    slot = (slot + 1) & (capacity - 1);
  return &blocks[slot];
}

static void grow(void) {
  Block* old = blocks;
  const size_t oldCapacity = capacity, wanted = capacity ? 2 * capacity : 4096;
  // Not from the heap: it calls us.
  void* memory = mapPages(wanted * sizeof(Block));
  if (!memory) {
    lost = 1;
    return;
  }
  blocks = memory;
  capacity = wanted;
  for (size_t k = 0; k < oldCapacity; ++k)
    if (old[k].begin) *find(old[k].begin) = old[k];
  if (old) unmapPages(old, oldCapacity * sizeof(Block));
}

// The least and the greatest address that the table ever had, so that `free` of other memory needs no lock.
static uintptr_t lowest = UINTPTR_MAX, highest;

static int mayBeKnown(const void* memory) {
  const uintptr_t begin = (uintptr_t)memory;
  return begin >= __atomic_load_n(&lowest, __ATOMIC_RELAXED) &&
         begin <= __atomic_load_n(&highest, __ATOMIC_RELAXED);
}

// How many of the `count` entries of a table, which is sorted by the addresses that its entries of `stride`
// bytes begin with, begin at or before `address`.
static int countUpTo(uintptr_t address, const void* table, size_t stride, int count) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (*(const uintptr_t*)((const char*)table + (size_t)middle * stride) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#include "warploom_large.h"

// Returns `memory`, a new block unless it is null.
static void* remember(void* memory, size_t bytes, Origin origin) {
  const size_t least = WARPLOOM_LEAST;
  if (!memory || (bytes < least && origin == fromLibrary)) return memory;
  lock();
  if (2 * used >= capacity && !lost) grow();
  if (!lost) {
    const uintptr_t begin = (uintptr_t)memory;
    *find(begin) = (Block){begin, bytes, origin};
    if (origin == fromLibrary) rememberLarge(begin, bytes);
    ++used;
    if (begin < lowest) __atomic_store_n(&lowest, begin, __ATOMIC_RELAXED);
    if (begin > highest) __atomic_store_n(&highest, begin, __ATOMIC_RELAXED);
  }
  const int unknown = lost && origin != fromLibrary; // nobody could give it back
  unlock();
  return unknown ? NULL : memory;
}

// Takes the block that begins at `memory` out of the table, before it is given back or moved; the result tells
// what it was, if it was there.
static Block forget(void* memory) {
  Block was = {0, 0, fromLibrary};
  BeforeGone before = NULL;
  if (!memory || !mayBeKnown(memory)) return was;
  lock();
  Block* block = capacity ? find((uintptr_t)memory) : NULL;
  if (block && block->begin) {
    was = *block;
    --used;
    if (was.origin == fromLibrary) before = forgetLarge(was.begin);
    // What comes behind without a gap may have been put there because this slot was taken.
    size_t hole = (size_t)(block - blocks);
    for (size_t k = (hole + 1) & (capacity - 1); blocks[k].begin; k = (k + 1) & (capacity - 1)) {
      const size_t home = slotOf(blocks[k].begin);
      if (((k - home) & (capacity - 1)) >= ((k - hole) & (capacity - 1))) {
        blocks[hole] = blocks[k];
        hole = k;
      }
    }
    blocks[hole].begin = 0;
  }
  unlock();
  if (before) before(memory, was.bytes);
  return was;
}

#ifdef WARPLOOM_MANAGED
#include "warploom_managed.h"
#else
static void* allocateManaged(size_t bytes) {
  (void)bytes;
  return NULL;
}
static void freeManaged(void* memory) {
  (void)memory;
}
static int setThere(void* to, int value, size_t bytes) {
  (void)to, (void)value, (void)bytes;
  return 0;
}
static int clearThere(void* block, size_t bytes) {
  (void)block, (void)bytes;
  return 0;
}
static int copyThere(void* to, const void* from, size_t bytes) {
  (void)to, (void)from, (void)bytes;
  return 0;
}
static void prepareFork(void) {
  lock();
}
static void afterForkInParent(void) {
  unlock();
}
static void afterForkInChild(void) {
  unlock();
}
// Where the device would look for `memory`: nowhere.
long warploom_residence(const void* memory, size_t bytes, int place) {
  (void)memory, (void)bytes, (void)place;
  return -1;
}
long warploom_freshBytes(const void* memory, size_t bytes) {
  (void)memory, (void)bytes;
  return 0;
}
int warploom_residentBlocks(void) {
  return 0;
}
void* warploom_sharedBlock(size_t bytes) {
  (void)bytes;
  return NULL;
}
#endif

__attribute__((constructor)) static void surviveFork(void) {
  pthread_atfork(prepareFork, afterForkInParent, afterForkInChild);
  pthread_atfork(NULL, NULL, forgetFilesInChild);
}

// What has a table entry is given back here; true when `was` needs nothing more.
static int giveBack(void* memory, Block was) {
  if (was.origin == fromCuda) freeManaged(memory);
  if (was.origin == fromMap) unmapPages(memory, was.bytes);
  return was.origin != fromLibrary;
}

void* __wrap_malloc(size_t bytes) {
  void* managed = allocateManaged(bytes);
  return managed ? remember(managed, bytes, fromCuda) : remember(__real_malloc(bytes), bytes, fromLibrary);
}

void* __wrap_calloc(size_t count, size_t bytes) {
  void* managed = bytes && count > SIZE_MAX / bytes ? NULL : allocateManaged(count * bytes);
  if (managed && !clearThere(managed, count * bytes)) __real_memset(managed, 0, count * bytes);
  if (managed) return remember(managed, count * bytes, fromCuda);
  return remember(__real_calloc(count, bytes), count * bytes, fromLibrary);
}

// Blocks that are aligned for more than numbers may be for devices of other kinds, such as disks that are
// read past the system's cache, and those do not know managed memory.
enum { mostAligned = 256 };

static void* allocateAligned(size_t alignment, size_t bytes) {
  return alignment <= mostAligned ? allocateManaged(bytes) : NULL;
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  void* managed = allocateAligned(alignment, bytes);
  if (managed) return remember(managed, bytes, fromCuda);
  return remember(__real_aligned_alloc(alignment, bytes), bytes, fromLibrary);
}

void* __wrap_memalign(size_t alignment, size_t bytes) {
  void* managed = allocateAligned(alignment, bytes);
  if (managed) return remember(managed, bytes, fromCuda);
  return remember(__real_memalign(alignment, bytes), bytes, fromLibrary);
}

int __wrap_posix_memalign(void** memory, size_t alignment, size_t bytes) {
  void* managed = alignment % sizeof(void*) == 0 ? allocateAligned(alignment, bytes) : NULL;
  if (managed) {
    *memory = remember(managed, bytes, fromCuda);
    return 0;
  }
  const int error = __real_posix_memalign(memory, alignment, bytes);
  if (!error) remember(*memory, bytes, fromLibrary);
  return error;
}

void* __wrap_memset(void* to, int value, size_t bytes) {
  return setThere(to, value, bytes) ? to : __real_memset(to, value, bytes);
}

void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  return copyThere(to, from, bytes) ? to : __real_memcpy(to, from, bytes);
}

void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  return copyThere(to, from, bytes) ? to : __real_memmove(to, from, bytes);
}

// The bytes of the block that begins at `begin`; -1 when none is known to.
static long bytesAt(const void* begin) {
  if (!mayBeKnown(begin)) return -1;
  lock();
  const Block* block = capacity && !lost ? find((uintptr_t)begin) : NULL;
  const long bytes = block && block->begin ? (long)block->bytes : -1;
  unlock();
  return bytes;
}

void* __wrap_realloc(void* memory, size_t bytes) {
  if (!memory) return __wrap_malloc(bytes);
  void* moved = realloc(memory, bytes);
  // A managed block that has moved to another is in the table already.
  return moved && bytesAt(moved) < 0 ? remember(moved, bytes, fromLibrary) : moved;
}

void* __wrap_reallocarray(void* memory, size_t count, size_t bytes) {
  if (bytes && count > SIZE_MAX / bytes) {
    errno = ENOMEM;
    return NULL;
  }
  return __wrap_realloc(memory, count * bytes);
}

static void freeBlock(void* memory) {
  static void (*next)(void*);
  if (!memory) return;
  const int saved = errno;
  if (giveBack(memory, forget(memory))) {
    errno = saved;
    return;
  }
  if (!next) {
    // dlsym itself may free the text of an error before: those few bytes are left alone.
    static _Thread_local volatile int asks; // dlsym is said to call nothing back
    if (asks) return;
    asks = 1;
    next = (void (*)(void*))(uintptr_t)dlsym(RTLD_NEXT, "free");
    asks = 0;
  }
  next(memory);
}

static void* reallocateBlock(void* memory, size_t bytes) {
  static void* (*next)(void*, size_t);
  const Block was = forget(memory);
  if (was.origin != fromLibrary) {
    void* moved = bytes ? __wrap_malloc(bytes) : NULL;
    if (moved) memcpy(moved, memory, bytes < was.bytes ? bytes : was.bytes);
    if (moved || !bytes)
      giveBack(memory, was);
    else
      remember(memory, was.bytes, was.origin);
    return moved;
  }
  if (!next) next = (void* (*)(void*, size_t))(uintptr_t)dlsym(RTLD_NEXT, "realloc");
  void* moved = next(memory, bytes);
  if (!moved && bytes) remember(was.begin ? memory : NULL, was.bytes, was.origin);
  return moved;
}

static size_t usableBytes(void* memory) {
  static size_t (*next)(void*);
  const long bytes = memory ? bytesAt(memory) : 0;
  if (bytes >= 0) return (size_t)bytes;
  if (!next) next = (size_t(*)(void*))(uintptr_t)dlsym(RTLD_NEXT, "malloc_usable_size");
  return next(memory);
}

// Weak: a program may have a heap of its own, and then nothing is known of it.
void free(void* memory) __attribute__((weak, alias("freeBlock")));
void* realloc(void* memory, size_t bytes) __attribute__((weak, alias("reallocateBlock")));
size_t malloc_usable_size(void* memory) __attribute__((weak, alias("usableBytes")));

long warploom_heapBytes(const void* begin) {
  void (*volatile used_)(void*) = free;
  return !begin || used_ != freeBlock ? -1 : bytesAt(begin);
}

size_t warploom_watchBlock(const void* memory, size_t bytes, void (*before)(void* begin, size_t bytes),
                           void** begin) {
  void (*volatile used_)(void*) = free;
  static size_t (*usable)(void*);
  if (used_ != freeBlock) return 0; // nobody would tell
  if (!usable) usable = (size_t(*)(void*))(uintptr_t)dlsym(RTLD_NEXT, "malloc_usable_size");
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), head = 2 * sizeof(size_t);
  size_t length = 0;
  lock();
  Large* block = lost || !usable ? NULL : largeAround(memory);
  if (block && block->bytes - ((uintptr_t)memory - block->begin) >= bytes && 2 * bytes >= block->bytes) {
    // A block that was mapped for itself has pages of its own, with what the library notes at their beginning.
    const uintptr_t first = block->begin % page == head ? block->begin - head : block->begin;
    const uintptr_t end = block->begin + usable((void*)block->begin);
    if (first % page == 0 && end % page == 0) {
      length = end - first;
      *begin = (void*)first;
      if (before) block->before = before;
    }
  }
  unlock();
  return length;
}
