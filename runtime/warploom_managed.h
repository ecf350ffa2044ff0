// The part of warploom_heap.c that gets blocks from CUDA: memory that has one address for the host and all
// devices, and moves to whoever touches it.
//
// There is none of it, and no context of CUDA is made, as long as the program has allocated little, where
// there is no device or none that shares memory with a running host, and with WARPLOOM_DEVICE=host or
// WARPLOOM_MEMORY=plain. All such blocks together stay below what the device has.
//
// A child made by `fork` cannot use such memory: it gets copies at the same addresses.
#include <cuda_runtime_api.h>

// A block is managed from this size on, once the program has asked for one of `ALONE` bytes, or for `FROM`
// bytes in all: to make a context takes a quarter of a second.
#ifndef WARPLOOM_MANAGED_LEAST
#define WARPLOOM_MANAGED_LEAST 65536
#endif
#ifndef WARPLOOM_MANAGED_FROM
#define WARPLOOM_MANAGED_FROM (32 << 20)
#endif
#ifndef WARPLOOM_MANAGED_ALONE
#define WARPLOOM_MANAGED_ALONE (8 << 20)
#endif

enum { mostManaged = 16384, classes = 512, keptOfClass = 32, mostChunks = 256, leastChunk = 21 };

// The blocks that are in use, by address. A block is in chunks of 2 MiB, in which CUDA moves memory, or
// longer ones where it would have too many.
typedef struct {
  uintptr_t begin;
  size_t capacity;
  void* copy;                         // for a child that is being made
  int shift;                          // a chunk has 2^shift bytes
  int fresh;                          // nobody is known to have used it: it has no pages yet
  int chunksThere;                    // how many were used on the device last, as far as regions tell,
  uint64_t onDevice[mostChunks / 64]; // and which
} Managed;

static Managed managed[mostManaged];
static int managedCount, managedOnDevice;
static size_t asked, managedBytes, mostBytes, keptBytes;
// Blocks that were given back, by the class of their size: to get one from CUDA takes longer than many a
// loop.
static void* kept[classes][keptOfClass];
static int keptCount[classes];
// How many calls of CUDA are on their way: its own calls of malloc are not for CUDA.
static __thread int insideCuda;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Whether no other thread of the program's is running; of programs with launchers (warploom_globals.h).
int warploom_runsAlone(void) __attribute__((weak));

// CUDA is called until `leaveCuda`. Threads that it makes on the way have this thread's name at first, which
// then is one of ours, so that they are known (warploom_globals.h). Where others run, these might take this
// thread for one of CUDA's.
static __thread int isNamed;
static __thread char ownName[16];
static void enterCuda(void) {
  if (insideCuda++ > 0) return;
  isNamed = warploom_runsAlone && warploom_runsAlone() &&
            pthread_getname_np(pthread_self(), ownName, sizeof ownName) == 0 &&
            pthread_setname_np(pthread_self(), "warploom-thread") == 0;
}
static void leaveCuda(void) {
  if (insideCuda == 1 && isNamed) (void)pthread_setname_np(pthread_self(), ownName);
  --insideCuda;
}

// Whether CUDA is to be asked at all, and for how much at most.
static void findDevice(void) {
  const char* device = getenv("WARPLOOM_DEVICE");
  const char* memory = getenv("WARPLOOM_MEMORY");
  if ((device && strcmp(device, "host") == 0) || (memory && strcmp(memory, "plain") == 0)) return;
  int count = 0, number = 0, shared = 0;
  size_t available = 0, all = 0;
  enterCuda();
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) {
    if (device && strncmp(device, "gpu:", 4) == 0) (void)cudaSetDevice(atoi(device + 4));
    if (cudaGetDevice(&number) == cudaSuccess &&
        cudaDeviceGetAttribute(&shared, cudaDevAttrConcurrentManagedAccess, number) == cudaSuccess &&
        shared && cudaMemGetInfo(&available, &all) == cudaSuccess)
      mostBytes = available / 10 * 9;
  }
  (void)cudaGetLastError();
  leaveCuda();
}

// The class of blocks of `bytes` bytes, eight for every doubling, and how many a block of that class has.
static int classOf(size_t bytes, size_t* roomy) {
  const int high = 63 - __builtin_clzl(bytes | 8), step = high - 3;
  const size_t rounded = ((bytes + ((size_t)1 << step) - 1) >> step) << step;
  const int top = 63 - __builtin_clzl(rounded);
  *roomy = rounded;
  return top * 8 + (int)((rounded >> (top - 3)) & 7);
}

// The place of the first managed block that begins behind `address`.
static int placeBehind(uintptr_t address) {
  return countUpTo(address, managed, sizeof *managed, managedCount);
}

// The managed block with `memory` in it, or null.
static Managed* managedAround(const void* memory) {
  const int place = placeBehind((uintptr_t)memory) - 1;
  if (place < 0 || (uintptr_t)memory - managed[place].begin >= managed[place].capacity) return NULL;
  return &managed[place];
}

// Memory that devices see too; null where there is none.
static void* allocateFromCuda(size_t bytes) {
  if (bytes > SIZE_MAX / 4 || insideCuda) return NULL;
  pthread_once(&once, findDevice);
  if (mostBytes == 0) return NULL;
  size_t roomy = 0;
  const int class = classOf(bytes, &roomy);
  void* memory = NULL;
  lock();
  int fits = managedCount < mostManaged && !lost;
  const int fresh = keptCount[class] == 0;
  if (fits && keptCount[class] > 0) {
    memory = kept[class][--keptCount[class]];
    keptBytes -= roomy;
  } else {
    fits = fits && managedBytes + keptBytes + roomy <= mostBytes;
  }
  if (fits) managedBytes += roomy;
  unlock();
  // Not while we hold the lock: CUDA gives memory back, too.
  if (fits && !memory) {
    enterCuda();
    if (cudaMallocManaged(&memory, roomy, cudaMemAttachGlobal) != cudaSuccess) {
      (void)cudaGetLastError();
      memory = NULL;
    }
    leaveCuda();
  }
  lock();
  if (fits && memory && managedCount < mostManaged) {
    const int place = placeBehind((uintptr_t)memory);
    __real_memmove(&managed[place + 1], &managed[place], (size_t)(managedCount - place) * sizeof(Managed));
    Managed* block = &managed[place];
    *block = (Managed){.begin = (uintptr_t)memory, .capacity = roomy, .fresh = fresh, .shift = leastChunk};
    while (((roomy - 1) >> block->shift) >= mostChunks)
      ++block->shift;
    ++managedCount;
    unlock();
  } else {
    if (fits) managedBytes -= roomy;
    unlock();
    if (memory) {
      enterCuda();
      (void)cudaFree(memory);
      leaveCuda();
    }
    memory = NULL;
  }
  return memory;
}

// The same for a block of the program's; null, too, where it is small.
static void* allocateManaged(size_t bytes) {
  if (bytes < WARPLOOM_MANAGED_LEAST || insideCuda) return NULL;
  const size_t weight = bytes >= WARPLOOM_MANAGED_ALONE ? WARPLOOM_MANAGED_FROM : bytes;
  if (__atomic_add_fetch(&asked, weight, __ATOMIC_RELAXED) < WARPLOOM_MANAGED_FROM) return NULL;
  return allocateFromCuda(bytes);
}

// A block for a global array, which nobody gives back.
void* warploom_sharedBlock(size_t bytes) {
  return remember(allocateFromCuda(bytes), bytes, fromCuda);
}

static void freeManaged(void* memory) {
  lock();
  Managed* block = managedAround(memory);
  const size_t roomy = block->capacity;
  size_t same = 0;
  const int class = classOf(roomy, &same), place = (int)(block - managed);
  managedOnDevice -= block->chunksThere > 0;
  managedBytes -= roomy;
  --managedCount;
  __real_memmove(&managed[place], &managed[place + 1], (size_t)(managedCount - place) * sizeof(Managed));
  const int keep = keptCount[class] < keptOfClass && keptBytes + roomy <= mostBytes / 4;
  if (keep) {
    kept[class][keptCount[class]++] = memory;
    keptBytes += roomy;
  }
  unlock();
  if (keep) return;
  enterCuda();
  (void)cudaFree(memory);
  leaveCuda();
}

// How many of these bytes, which begin in `block`, are in chunks that were used on the device last. With
// `place` 0 or 1 the chunks count as used on the host or on the device from now on.
static size_t bytesThere(Managed* block, const void* memory, size_t bytes, int place) {
  const size_t first = (uintptr_t)memory - block->begin, behind = block->capacity - first;
  const size_t end = first + (bytes < behind ? bytes : behind);
  const int before = block->chunksThere > 0;
  size_t there = 0;
  if (place >= 0) block->fresh = 0;
  for (size_t at = first; at < end;) {
    const size_t chunk = at >> block->shift, next = (chunk + 1) << block->shift,
                 stop = next < end ? next : end;
    uint64_t* word = &block->onDevice[chunk / 64];
    const int isThere = (int)(*word >> (chunk % 64) & 1);
    if (isThere) there += stop - at;
    if (place >= 0 && place != isThere) {
      *word ^= (uint64_t)1 << (chunk % 64);
      block->chunksThere += place - isThere;
    }
    at = stop;
  }
  const int change = (block->chunksThere > 0) - before;
  if (change) __atomic_store_n(&managedOnDevice, managedOnDevice + change, __ATOMIC_RELAXED);
  return there;
}

// How many of these bytes were used on the device last, as far as regions tell; -1 when they are in no
// managed block. With `place` 0 or 1 it is noted that they are used on the host or on the device.
long warploom_residence(const void* memory, size_t bytes, int place) {
  lock();
  Managed* block = managedAround(memory);
  const long there = block ? (long)bytesThere(block, memory, bytes, place) : -1;
  unlock();
  return there;
}

// How many of these bytes have no pages yet, as far as is known: whoever writes first gets them.
long warploom_freshBytes(const void* memory, size_t bytes) {
  lock();
  const Managed* block = managedAround(memory);
  const long fresh = block && block->fresh ? (long)bytes : 0;
  unlock();
  return fresh;
}

// How many managed blocks have memory that was used on the device last.
int warploom_residentBlocks(void) {
  return __atomic_load_n(&managedOnDevice, __ATOMIC_RELAXED);
}

// Whether all of that memory is in a block, and most of it was used on the device last. Asked from wherever
// memory is set and copied, signal handlers among them: where the list is in use the answer is no.
static int isThere(const void* memory, size_t bytes) {
  if (pthread_mutex_trylock(&mutex) != 0) return 0;
  Managed* block = managedAround(memory);
  const int there = block && block->capacity - ((uintptr_t)memory - block->begin) >= bytes &&
                    bytesThere(block, memory, bytes, -1) > bytes / 2;
  unlock();
  return there;
}

// Whether the device may do what is asked for so much memory: it is in use, and there is enough of it.
static int paysThere(size_t bytes) {
  return bytes >= WARPLOOM_MANAGED_LEAST && !insideCuda && warploom_residentBlocks() > 0;
}

// The device has done `status`, and all of it; then true.
static int isDone(cudaError_t status) {
  const int done = status == cudaSuccess && cudaStreamSynchronize(0) == cudaSuccess;
  if (!done) (void)cudaGetLastError();
  leaveCuda();
  return done;
}

// Sets memory that is on the device there; false when it is not, or that failed: nothing was done, or a part
// of what the host will do.
static int setThere(void* to, int value, size_t bytes) {
  if (!paysThere(bytes) || !isThere(to, bytes)) return 0;
  enterCuda();
  if (!isDone(cudaMemset(to, value, bytes))) return 0;
  (void)warploom_residence(to, bytes, 1);
  return 1;
}

// Clears a block that CUDA has just given, on the device: a host that uses it next fetches its pages as fast
// as it would get new ones. False as above.
static int clearThere(void* block, size_t bytes) {
  enum { least = 4 << 20 }; // of less, a call costs more than the pages
  if (bytes < least) return 0;
  enterCuda();
  if (!isDone(cudaMemset(block, 0, bytes))) return 0;
  (void)warploom_residence(block, bytes, 1);
  return 1;
}

// The same for a copy from or to such memory. What overlaps is the host's.
static int copyThere(void* to, const void* from, size_t bytes) {
  if (!paysThere(bytes)) return 0;
  const uintptr_t first = (uintptr_t)to, second = (uintptr_t)from;
  if (first < second + bytes && second < first + bytes) return 0;
  if (!isThere(to, bytes) && !isThere(from, bytes)) return 0;
  enterCuda();
  return isDone(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

// The child's copies are made while nobody changes the list; pages that the child does not touch are shared
// with the parent's copy, which goes at once.
static void prepareFork(void) {
  lock();
  for (int k = 0; k < managedCount; ++k) {
    void* copy = mapPages(managed[k].capacity);
    if (copy) __real_memcpy(copy, (const void*)managed[k].begin, managed[k].capacity);
    managed[k].copy = copy;
  }
}

static void afterForkInParent(void) {
  for (int k = 0; k < managedCount; ++k)
    if (managed[k].copy) unmapPages(managed[k].copy, managed[k].capacity);
  unlock();
}

// CUDA does not work here any more; where there was no memory for a copy, touching the block ends the child.
static void afterForkInChild(void) {
  for (int k = 0; k < managedCount; ++k) {
    Managed* block = &managed[k];
    Block* known = find(block->begin);
    if (block->copy && known->begin &&
        syscall(SYS_mremap, block->copy, block->capacity, block->capacity, MREMAP_MAYMOVE | MREMAP_FIXED,
                (void*)block->begin) != -1)
      known->origin = fromMap;
  }
  managedCount = managedOnDevice = 0;
  mostBytes = 0;
  __real_memset(keptCount, 0, sizeof keptCount);
  unlock();
}
