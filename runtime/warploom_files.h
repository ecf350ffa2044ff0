// The part of warploom_heap.c that knows which files the program has mapped privately to read them. Nothing
// can be written there, and whether changes of the file are seen is left open by POSIX: what a device has
// copied of such memory stays right until the mapping goes, or may be written.
//
// The functions that change mappings are the whole process's, as `free` is. None of this calls CUDA: those
// who use a copy bring what makes, fills and frees it.
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { mostFiles = 64, leastMapped = 65536 };

// A mapping, and its copy on a device.
typedef struct {
  uintptr_t begin; // 0: free
  size_t bytes;    // whole pages, in each of which is something of the file
  char* copy;      // null: there is none
  int device;      // that has it
  int users;       // of the copy, or about to be
  int isGone;      // the memory may be something else by now; it is here as long as there is a copy
  int isRefused;   // there was no room for a copy
  uint64_t* there; // which pages the copy has
} File;

static File files[mostFiles];
static int fileCopies, filesGone; // how many have a copy, and how many of those are gone
// The least address of all that were ever noted, and the first behind the greatest.
static uintptr_t filesBegin = UINTPTR_MAX, filesEnd;
// Held while a copy is made or filled: who finds a page there comes after it. The table's lock is not held
// then, since CUDA is called, which maps and allocates.
static pthread_mutex_t filling = PTHREAD_MUTEX_INITIALIZER;

// `bytes` fresh bytes from the system, all 0, or null.
static void* mapPages(size_t bytes) {
  const int readAndWrite = PROT_READ | PROT_WRITE, fresh = MAP_PRIVATE | MAP_ANONYMOUS;
  const long memory = syscall(SYS_mmap, NULL, bytes, readAndWrite, fresh, -1, 0L);
  return memory == -1 ? NULL : (void*)memory;
}
static void unmapPages(void* memory, size_t bytes) {
  (void)syscall(SYS_munmap, memory, bytes);
}

static size_t pageBytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}
static size_t bitmapBytes(const File* file) {
  return (file->bytes / pageBytes() + 63) / 64 * sizeof(uint64_t);
}

static int mayBeInFile(const void* memory, size_t bytes) {
  const uintptr_t begin = (uintptr_t)memory, first = __atomic_load_n(&filesBegin, __ATOMIC_RELAXED);
  return begin < __atomic_load_n(&filesEnd, __ATOMIC_RELAXED) && (begin >= first || first - begin < bytes);
}

// The mapping that has all of this memory and is not gone, or null.
static File* fileAround(const void* memory, size_t bytes) {
  const uintptr_t begin = (uintptr_t)memory;
  for (File* file = files; file < files + mostFiles; ++file)
    if (file->begin && !file->isGone && begin >= file->begin && begin - file->begin < file->bytes &&
        bytes <= file->bytes - (begin - file->begin))
      return file;
  return NULL;
}

// The mapping of whose copy `device` is a part, or null.
static File* fileOfCopy(const void* device) {
  for (File* file = files; file < files + mostFiles; ++file)
    if (file->copy && (uintptr_t)device - (uintptr_t)file->copy < file->bytes) return file;
  return NULL;
}

// The first page from `page` on, and before `end`, that the copy has if `isThere`, or else has not; `end`
// when there is none.
static size_t nextPage(const File* file, size_t page, size_t end, int isThere) {
  while (page < end) {
    const uint64_t word = file->there[page / 64], left = (isThere ? word : ~word) >> (page % 64);
    if (left) {
      page += (size_t)__builtin_ctzl(left);
      return page < end ? page : end;
    }
    page = (page / 64 + 1) * 64;
  }
  return end;
}

// How many of these bytes, all of one mapping, the copy has not, in whole pages.
static size_t missingIn(const File* file, const void* memory, size_t bytes) {
  if (!file->copy || bytes == 0) return bytes;
  const size_t page = pageBytes(), first = (uintptr_t)memory - file->begin,
               end = (first + bytes - 1) / page + 1;
  size_t missing = 0;
  for (size_t from = nextPage(file, first / page, end, 0); from < end;) {
    const size_t to = nextPage(file, from, end, 1);
    missing += to - from;
    from = nextPage(file, to, end, 0);
  }
  return missing * page;
}

// Counters are read without the lock, where there is nothing to be done.
static void count(int* number, int more) {
  __atomic_add_fetch(number, more, __ATOMIC_RELAXED);
}

// How many of these bytes would have to be copied if a device used them now; -1 when they are in no file of
// which a copy could stay there.
long warploom_fileMissing(const void* memory, size_t bytes) {
  if (!mayBeInFile(memory, 1)) return -1;
  lock();
  const File* file = fileAround(memory, bytes);
  const long missing = file && !file->isRefused ? (long)missingIn(file, memory, bytes) : -1;
  unlock();
  return missing;
}

// Where `device` has its copy of these bytes, or null: as yet nothing need be there. Until warploom_fileDone
// it stays. `allocate` makes device memory for the copy where there is none, or says by null that there is no
// room.
void* warploom_fileCopy(const void* memory, size_t bytes, int device, void* (*allocate)(size_t)) {
  if (!mayBeInFile(memory, 1)) return NULL;
  char* result = NULL;
  pthread_mutex_lock(&filling);
  lock();
  File* file = fileAround(memory, bytes);
  if (file) ++file->users;
  const size_t offset = file ? (uintptr_t)memory - file->begin : 0;
  unlock();
  if (file && !file->copy && !file->isRefused) {
    uint64_t* there = mapPages(bitmapBytes(file));
    char* copy = there ? allocate(file->bytes) : NULL;
    if (there && !copy) unmapPages(there, bitmapBytes(file));
    lock();
    file->isRefused = !copy;
    file->copy = copy;
    file->there = there;
    file->device = device;
    count(&fileCopies, copy != NULL);
    count(&filesGone, copy && file->isGone);
    unlock();
  }
  if (file) {
    lock();
    if (file->copy && file->device == device)
      result = file->copy + offset;
    else
      --file->users;
    if (file->isGone && !file->copy && file->users == 0) file->begin = 0;
    unlock();
  }
  pthread_mutex_unlock(&filling);
  return result;
}

// One who has got `device` from warploom_fileCopy does not use it any more.
void warploom_fileDone(const void* device) {
  lock();
  --fileOfCopy(device)->users;
  unlock();
}

// Has `copy` copy what is missing of these bytes of a copy that the caller uses; how many bytes that were. -1
// when `device` is no part of a copy.
long warploom_fileCopyIn(const void* device, size_t bytes,
                         void (*copy)(void* context, void* to, const void* from, size_t bytes),
                         void* context) {
  if (__atomic_load_n(&fileCopies, __ATOMIC_RELAXED) == 0) return -1;
  pthread_mutex_lock(&filling);
  lock();
  File* file = fileOfCopy(device);
  unlock();
  size_t moved = 0;
  if (file && bytes > 0) {
    const size_t page = pageBytes(), first = (size_t)((const char*)device - file->copy);
    const size_t end = (first + bytes - 1) / page + 1;
    for (size_t from = nextPage(file, first / page, end, 0); from < end;
         from = nextPage(file, from, end, 0)) {
      const size_t to = nextPage(file, from, end, 1);
      copy(context, file->copy + from * page, (const char*)file->begin + from * page, (to - from) * page);
      lock();
      for (size_t k = from; k < to; ++k)
        file->there[k / 64] |= (uint64_t)1 << (k % 64);
      unlock();
      moved += (to - from) * page;
    }
  }
  pthread_mutex_unlock(&filling);
  return file ? (long)moved : -1;
}

// A copy that nobody uses or will, since its mapping is gone, for the caller to free; null when there is
// none.
void* warploom_fileGarbage(void) {
  if (__atomic_load_n(&filesGone, __ATOMIC_RELAXED) == 0) return NULL;
  void* garbage = NULL;
  lock();
  for (File* file = files; file < files + mostFiles && !garbage; ++file) {
    if (!file->copy || !file->isGone || file->users > 0) continue;
    garbage = file->copy;
    unmapPages(file->there, bitmapBytes(file));
    *file = (File){0};
    count(&filesGone, -1);
    count(&fileCopies, -1);
  }
  unlock();
  return garbage;
}

// The mappings of which a part is in this memory are gone.
static void forgetFiles(const void* memory, size_t bytes) {
  if (!mayBeInFile(memory, bytes)) return;
  const uintptr_t begin = (uintptr_t)memory;
  lock();
  for (File* file = files; file < files + mostFiles; ++file) {
    if (!file->begin || file->isGone || begin >= file->begin + file->bytes) continue;
    if (begin < file->begin && file->begin - begin >= bytes) continue;
    file->isGone = 1;
    count(&filesGone, file->copy != NULL);
    if (!file->copy && file->users == 0) file->begin = 0;
  }
  unlock();
}

// A child has its own mappings, and no device.
static void forgetFilesInChild(void) {
  __real_memset(files, 0, sizeof files);
  fileCopies = filesGone = 0;
  filesEnd = 0;
  filesBegin = UINTPTR_MAX;
}

static void* mapMemory(void* address, size_t bytes, int protection, int flags, int file, off_t offset);
static int unmapMemory(void* memory, size_t bytes);
static int protectMemory(void* memory, size_t bytes, int protection);
static int protectWithKey(void* memory, size_t bytes, int protection, int key);
static void* remapMemory(void* memory, size_t bytes, size_t newBytes, int flags, ...);

// Weak: a program may have functions of its own, and then nothing is known of its mappings.
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset)
    __attribute__((weak, alias("mapMemory")));
void* mmap64(void* address, size_t bytes, int protection, int flags, int file, off64_t offset)
    __attribute__((weak, alias("mapMemory")));
int munmap(void* memory, size_t bytes) __attribute__((weak, alias("unmapMemory")));
int mprotect(void* memory, size_t bytes, int protection) __attribute__((weak, alias("protectMemory")));
int pkey_mprotect(void* memory, size_t bytes, int protection, int key)
    __attribute__((weak, alias("protectWithKey")));
void* mremap(void* memory, size_t bytes, size_t newBytes, int flags, ...)
    __attribute__((weak, alias("remapMemory")));

static int seesAllMappings(void) {
  void* (*volatile maps)(void*, size_t, int, int, int, off_t) = mmap;
  void* (*volatile maps64)(void*, size_t, int, int, int, off64_t) = mmap64;
  int (*volatile unmaps)(void*, size_t) = munmap;
  int (*volatile protects)(void*, size_t, int) = mprotect;
  int (*volatile protectsWithKey)(void*, size_t, int, int) = pkey_mprotect;
  void* (*volatile remaps)(void*, size_t, size_t, int, ...) = mremap;
  const char* memory = getenv("WARPLOOM_MEMORY");
  return maps == mapMemory && maps64 == mapMemory && unmaps == unmapMemory && protects == protectMemory &&
         protectsWithKey == protectWithKey && remaps == remapMemory &&
         !(memory && strcmp(memory, "plain") == 0);
}

// Notes a mapping of a file, if it is worth it. Behind the file's end there is nothing to be read.
static void noteFile(const void* memory, size_t bytes, int descriptor, off_t offset) {
  struct stat about;
  if (bytes < leastMapped || !seesAllMappings() || fstat(descriptor, &about) != 0 ||
      !S_ISREG(about.st_mode) || about.st_size <= offset)
    return;
  const size_t left = (size_t)(about.st_size - offset), page = pageBytes();
  const uintptr_t begin = (uintptr_t)memory;
  const size_t whole = ((bytes < left ? bytes : left) + page - 1) / page * page;
  lock();
  for (File* file = files; file < files + mostFiles; ++file) {
    if (file->begin) continue;
    *file = (File){.begin = begin, .bytes = whole};
    if (begin < filesBegin) __atomic_store_n(&filesBegin, begin, __ATOMIC_RELAXED);
    if (begin + whole > filesEnd) __atomic_store_n(&filesEnd, begin + whole, __ATOMIC_RELAXED);
    break;
  }
  unlock();
}

static void* mapMemory(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (flags & MAP_FIXED) forgetFiles(address, bytes);
  const long result = syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
  if (result == -1) return MAP_FAILED;
  void* memory = (void*)result;
  forgetFiles(memory, bytes); // should somebody have asked the system to unmap them, past the C library
  const int kind = flags & (MAP_TYPE | MAP_ANONYMOUS | MAP_GROWSDOWN);
  if (protection == PROT_READ && kind == MAP_PRIVATE) noteFile(memory, bytes, file, offset);
  return memory;
}

static int unmapMemory(void* memory, size_t bytes) {
  forgetFiles(memory, bytes);
  return (int)syscall(SYS_munmap, memory, bytes);
}

static int protectMemory(void* memory, size_t bytes, int protection) {
  forgetFiles(memory, bytes);
  return (int)syscall(SYS_mprotect, memory, bytes, protection);
}

static int protectWithKey(void* memory, size_t bytes, int protection, int key) {
  forgetFiles(memory, bytes);
  return (int)syscall(SYS_pkey_mprotect, memory, bytes, protection, key);
}

static void* remapMemory(void* memory, size_t bytes, size_t newBytes, int flags, ...) {
  void* place = NULL;
  if (flags & MREMAP_FIXED) {
    va_list more;
    va_start(more, flags);
    place = va_arg(more, void*);
    va_end(more);
    forgetFiles(place, newBytes);
  }
  forgetFiles(memory, bytes > newBytes ? bytes : newBytes);
  const long result = syscall(SYS_mremap, memory, bytes, newBytes, flags, place);
  return result == -1 ? MAP_FAILED : (void*)result;
}
