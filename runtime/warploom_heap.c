// The heap of a generated program, watched: which blocks the program has allocated, and how long they are.
// Where loops do not tell how much of an array they use (x[col[k]]), a launcher asks warploom_heapBytes.
//
// The program is linked with -Wl,--wrap=malloc and so on, so that its own calls of malloc and the like come
// here as __wrap_malloc. Blocks may be given back from anywhere, also from inside libraries; so `free` and
// `realloc` are the whole process's. They do what those of the next library do.
//
// With WARPLOOM_MANAGED larger blocks are memory that the host and all CUDA devices see: nothing of them is
// copied when a region begins or ends, and what a device has used stays there until the host wants it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef WARPLOOM_MANAGED
#include <cuda_runtime_api.h>
#endif

long warploom_heapBytes(const void* begin);
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __real_memalign(size_t alignment, size_t bytes);
int __real_posix_memalign(void** memory, size_t alignment, size_t bytes);

// The blocks, by address: a hash table with linear probing. At most half of it is in use.
typedef struct {
  uintptr_t begin; // 0: free
  size_t bytes;
  int managed;
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
__attribute__((constructor)) static void surviveFork(void) {
  pthread_atfork(lock, unlock, unlock);
}

static size_t slotOf(uintptr_t begin) {
  return (size_t)((begin >> 4) * 0x9E3779B97F4A7C15u) & (capacity - 1);
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
  void* memory =
      mmap(NULL, wanted * sizeof(Block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    lost = 1;
    return;
  }
  blocks = memory;
  capacity = wanted;
  for (size_t k = 0; k < oldCapacity; ++k)
    if (old[k].begin) *find(old[k].begin) = old[k];
  if (old) munmap(old, oldCapacity * sizeof(Block));
}

// Returns `memory`, a new block unless it is null.
static void* remember(void* memory, size_t bytes, int managed) {
  if (!memory) return NULL;
  lock();
  if (2 * used >= capacity && !lost) grow();
  if (!lost) {
    *find((uintptr_t)memory) = (Block){(uintptr_t)memory, bytes, managed};
    ++used;
  }
  unlock();
  return memory;
}

// Takes the block that begins at `memory` out of the table; the result tells what it was, if it was there.
static Block forget(void* memory) {
  Block was = {0, 0, 0};
  if (!memory) return was;
  lock();
  Block* block = capacity ? find((uintptr_t)memory) : NULL;
  if (block && block->begin) {
    was = *block;
    --used;
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
  return was;
}

// Memory that devices see too; null where the block is small or there is none.
static void* allocateManaged(size_t bytes) {
#ifdef WARPLOOM_MANAGED
  enum { least = 65536 };
  void* memory = NULL;
  if (bytes < least || cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != cudaSuccess) {
    if (bytes >= least) (void)cudaGetLastError();
    return NULL;
  }
  return memory;
#else
  (void)bytes;
  return NULL;
#endif
}

static void freeManaged(void* memory) {
#ifdef WARPLOOM_MANAGED
  (void)cudaFree(memory);
#else
  (void)memory;
#endif
}

void* __wrap_malloc(size_t bytes) {
  void* managed = allocateManaged(bytes);
  return managed ? remember(managed, bytes, 1) : remember(__real_malloc(bytes), bytes, 0);
}

void* __wrap_calloc(size_t count, size_t bytes) {
  void* managed = bytes && count > SIZE_MAX / bytes ? NULL : allocateManaged(count * bytes);
  if (managed) return remember(memset(managed, 0, count * bytes), count * bytes, 1);
  return remember(__real_calloc(count, bytes), count * bytes, 0);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return remember(__real_aligned_alloc(alignment, bytes), bytes, 0);
}

void* __wrap_memalign(size_t alignment, size_t bytes) {
  return remember(__real_memalign(alignment, bytes), bytes, 0);
}

int __wrap_posix_memalign(void** memory, size_t alignment, size_t bytes) {
  const int error = __real_posix_memalign(memory, alignment, bytes);
  if (!error) remember(*memory, bytes, 0);
  return error;
}

void* __wrap_realloc(void* memory, size_t bytes) {
  void* moved = realloc(memory, bytes);
  // A managed block that has moved to another is in the table already.
  return moved && warploom_heapBytes(moved) < 0 ? remember(moved, bytes, 0) : moved;
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
  const int saved = errno;
  const Block was = forget(memory);
  if (was.managed) {
    freeManaged(memory);
    errno = saved;
    return;
  }
  if (!next) next = (void (*)(void*))(uintptr_t)dlsym(RTLD_NEXT, "free");
  next(memory);
}

static void* reallocateBlock(void* memory, size_t bytes) {
  static void* (*next)(void*, size_t);
  const Block was = forget(memory);
  if (was.managed) {
    void* moved = bytes ? __wrap_malloc(bytes) : NULL;
    if (moved) memcpy(moved, memory, bytes < was.bytes ? bytes : was.bytes);
    if (moved || !bytes)
      freeManaged(memory);
    else
      remember(memory, was.bytes, 1);
    return moved;
  }
  if (!next) next = (void* (*)(void*, size_t))(uintptr_t)dlsym(RTLD_NEXT, "realloc");
  return next(memory, bytes);
}

// Weak: a program may have a heap of its own, and then nothing is known of it.
void free(void* memory) __attribute__((weak, alias("freeBlock")));
void* realloc(void* memory, size_t bytes) __attribute__((weak, alias("reallocateBlock")));

// The bytes of the block that begins at `begin`; -1 when none is known to.
long warploom_heapBytes(const void* begin) {
  void (*volatile used_)(void*) = free;
  if (!begin || used_ != freeBlock) return -1;
  lock();
  const Block* block = capacity && !lost ? find((uintptr_t)begin) : NULL;
  const long bytes = block && block->begin ? (long)block->bytes : -1;
  unlock();
  return bytes;
}
