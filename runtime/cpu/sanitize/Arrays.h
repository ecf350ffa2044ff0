// The memory that kernels may touch, by name: device arrays, shared arrays, static variables.
#pragma once

#include "../Block.h"
#include "DebugInfo.h"
#include "Shadow.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warploom::cpu::sanitize {

struct KnownArray {
  enum class Space {
    Global,  ///< device memory, or a static variable of the device
    Shared,  ///< of the block that runs on the OS thread it belongs to
    RedZone, ///< between shared arrays: nobody's
    Ignored  ///< the runtime's own, and what nobody writes
  };
  Space space = Space::Ignored;
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::size_t elementBytes = 1, atomBytes = 1;
  std::vector<std::size_t> extents; ///< outermost first
  std::string declaredAt;           ///< `file:line` of its declaration or allocation
  std::unique_ptr<Shadow> shadow;   ///< one cell per atom; made when first touched

  bool contains(std::uintptr_t address) const { return address - begin < bytes; }
  /// The name with the subscripts of the element at `address`, which may lie outside: `tile[3][17]`.
  std::string element(std::uintptr_t address) const;
  /// The name with its extents: `tile[16][17]`.
  std::string declaration() const;
  Cell& cell(std::size_t atom);
};

/// The arrays of one OS thread's view: its own shared arrays, and everything global.
class Arrays {
public:
  /// Device memory, for all OS threads.
  static void add(void* memory, std::size_t bytes, const ArrayName& name, Place place);
  static void remove(void* memory);

  /// The block's kernel is known: its module's static and shared variables become known too. Cheap when
  /// nothing changed.
  void prepare(const Block& block);

  /// The dynamic shared memory of the kernel is used as elements of this size and `spelled` type. The arrays
  /// of a struct go by their own names. What a kernel says first counts.
  void describeDynamic(std::size_t elementBytes, const char* type);
  /// The arrays of the struct that the kernel uses it as; none for other types.
  const std::vector<StaticVariable>& dynamicMembers() const { return members; }

  /// The array that holds `address`; null when none does.
  KnownArray* find(std::uintptr_t address);
  /// The array of global or shared memory whose end or beginning is nearest to `address`; null when there is
  /// none.
  const KnownArray* nearest(std::uintptr_t address) const;

private:
  using ByAddress = std::map<std::uintptr_t, KnownArray>;
  // Threads of the host allocate and free while another one's kernel runs.
  static std::mutex globalMutex; ///< held by whoever looks into `global`
  static ByAddress global;
  static std::atomic<unsigned long> globalVersion;
  static KnownArray* findIn(ByAddress& arrays, std::uintptr_t address);

  void addVariable(const StaticVariable& variable, std::uintptr_t begin, KnownArray::Space space);
  void addStatics(const void* kernel);

  ByAddress local;
  std::vector<std::uintptr_t> preparedModules;
  KnownArray* latest = nullptr; ///< a guess for the next search
  unsigned long latestVersion = 0;
  // The dynamic shared memory, and what is known of it.
  std::uintptr_t dynamicBegin = 0;
  std::size_t dynamicBytes = 0;
  const void* dynamicKernel = nullptr;
  bool isDescribed = false;
  std::vector<StaticVariable> members;
};

} // namespace warploom::cpu::sanitize
