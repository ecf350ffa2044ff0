#include "Arrays.h"

#include "../Hooks.h"

#include <algorithm>
#include <cstring>

namespace warploom::cpu::sanitize {

// Constructors of the user's may run kernels.
__attribute__((init_priority(101))) Arrays::ByAddress Arrays::global;
std::mutex Arrays::globalMutex;
std::atomic<unsigned long> Arrays::globalVersion{1};

std::string KnownArray::element(std::uintptr_t address) const {
  if (extents.empty() && elementBytes == bytes && contains(address)) return name;
  // Rounded towards minus infinity: one byte before the array is element -1.
  auto distance = static_cast<std::ptrdiff_t>(address - begin);
  auto size = static_cast<std::ptrdiff_t>(elementBytes);
  std::ptrdiff_t index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
  std::string subscripts;
  for (std::size_t d = extents.size(); d-- > 1;) {
    auto extent = static_cast<std::ptrdiff_t>(extents[d]);
    if (extent == 0) break;
    std::ptrdiff_t inner = ((index % extent) + extent) % extent;
    subscripts.insert(0, "[" + std::to_string(inner) + "]");
    index = (index - inner) / extent;
  }
  return name + "[" + std::to_string(index) + "]" + subscripts;
}

std::string KnownArray::declaration() const {
  std::string text = name;
  for (std::size_t extent : extents)
    text += "[" + std::to_string(extent) + "]";
  if (extents.empty() && elementBytes != bytes) text += "[" + std::to_string(bytes / elementBytes) + "]";
  return text;
}

Cell& KnownArray::cell(std::size_t atom) {
  if (!shadow) shadow = std::make_unique<Shadow>(bytes / atomBytes + 1);
  return (*shadow)[atom];
}

void Arrays::add(void* memory, std::size_t bytes, const ArrayName& name, Place place) {
  KnownArray array;
  array.space = KnownArray::Space::Global;
  array.name = name.name ? name.name : "an unnamed array";
  array.begin = reinterpret_cast<std::uintptr_t>(memory);
  array.bytes = bytes;
  array.elementBytes = name.elementBytes;
  array.atomBytes = name.atomBytes;
  array.extents.assign(name.extents, name.extents + name.rank);
  std::string file = place.file;
  array.declaredAt = file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line);
  std::lock_guard<std::mutex> guard(globalMutex);
  ++globalVersion;
  global[array.begin] = std::move(array);
}

void Arrays::remove(void* memory) {
  std::lock_guard<std::mutex> guard(globalMutex);
  ++globalVersion;
  global.erase(reinterpret_cast<std::uintptr_t>(memory));
}

KnownArray* Arrays::findIn(ByAddress& arrays, std::uintptr_t address) {
  auto after = arrays.upper_bound(address);
  if (after == arrays.begin()) return nullptr;
  KnownArray& candidate = std::prev(after)->second;
  return candidate.contains(address) ? &candidate : nullptr;
}

KnownArray* Arrays::find(std::uintptr_t address) {
  if (latest && latestVersion == globalVersion && latest->contains(address)) return latest;
  KnownArray* found = findIn(local, address);
  std::lock_guard<std::mutex> guard(globalMutex);
  if (!found) found = findIn(global, address);
  latest = found;
  latestVersion = globalVersion;
  return found;
}

const KnownArray* Arrays::nearest(std::uintptr_t address) const {
  std::lock_guard<std::mutex> guard(globalMutex);
  const KnownArray* best = nullptr;
  // Farther off than this, the address has nothing to do with the array.
  std::uintptr_t bestDistance = allocationMargin;
  for (const ByAddress* arrays : {&local, static_cast<const ByAddress*>(&global)})
    for (const auto& [begin, array] : *arrays) {
      if (array.space != KnownArray::Space::Global && array.space != KnownArray::Space::Shared) continue;
      std::uintptr_t distance = address < begin ? begin - address : address - (begin + array.bytes) + 1;
      // Running over the end is the usual mistake: of two neighbours the lower one is meant.
      if (distance < bestDistance || (distance == bestDistance && begin < address)) {
        best = &array;
        bestDistance = distance;
      }
    }
  return best;
}

void Arrays::addVariable(const StaticVariable& variable, std::uintptr_t begin, KnownArray::Space space) {
  KnownArray array;
  array.space = space;
  array.name = variable.name;
  array.begin = begin;
  array.bytes = variable.bytes;
  array.elementBytes = variable.elementBytes;
  array.atomBytes = variable.atomBytes;
  array.extents = variable.extents;
  array.declaredAt = variable.declaredAt;
  local[begin] = std::move(array);
}

void Arrays::addStatics(const void* kernel) {
  const StaticVariables& variables = variablesOf(kernel);
  if (std::find(preparedModules.begin(), preparedModules.end(), variables.loadAddress) !=
      preparedModules.end())
    return;
  preparedModules.push_back(variables.loadAddress);
  std::uintptr_t block = threadLocalBlock(variables);
  for (const StaticVariable& variable : variables.threadLocal) {
    bool isRedZone = variable.name.rfind("warploomRedZone", 0) == 0;
    addVariable(variable, block + variable.offset,
                isRedZone          ? KnownArray::Space::RedZone
                : variable.isLocal ? KnownArray::Space::Shared
                                   : KnownArray::Space::Ignored);
  }
  for (const StaticVariable& variable : variables.others)
    addVariable(variable, variable.offset,
                variable.isWritable ? KnownArray::Space::Global : KnownArray::Space::Ignored);
}

void Arrays::describeDynamic(std::size_t elementBytes, const char* type) {
  if (isDescribed || dynamicBytes == 0) return;
  isDescribed = true;
  std::string name = std::strstr(type, "T = ") + 4;
  name = name.substr(0, name.find_first_of("];"));
  members = membersOf(dynamicKernel, name);
  KnownArray& whole = local.at(dynamicBegin);
  whole.elementBytes = elementBytes;
  if (members.empty()) return;
  latest = nullptr;
  local.erase(dynamicBegin);
  for (const StaticVariable& member : members)
    if (member.offset + member.bytes <= dynamicBytes)
      addVariable(member, dynamicBegin + member.offset, KnownArray::Space::Shared);
}

void Arrays::prepare(const Block& block) {
  const Grid& grid = block.currentGrid();
  addStatics(grid.kernel);
  auto begin = reinterpret_cast<std::uintptr_t>(const_cast<Block&>(block).dynamicShared());
  if (begin == dynamicBegin && grid.sharedBytes == dynamicBytes && grid.kernel == dynamicKernel) return;
  latest = nullptr;
  local.erase(local.lower_bound(dynamicBegin), local.lower_bound(dynamicBegin + dynamicBytes));
  members.clear();
  isDescribed = false;
  dynamicKernel = grid.kernel;
  dynamicBegin = begin;
  dynamicBytes = grid.sharedBytes;
  if (dynamicBytes == 0) return;
  // Kernels carve several arrays of any type out of it, so every byte is watched on its own.
  KnownArray array;
  array.space = KnownArray::Space::Shared;
  array.name = "dynamic shared memory";
  array.begin = begin;
  array.bytes = dynamicBytes;
  array.declaredAt = std::string(grid.place.file).substr(std::string(grid.place.file).rfind('/') + 1) + ":" +
                     std::to_string(grid.place.line);
  local[begin] = std::move(array);
}

} // namespace warploom::cpu::sanitize
