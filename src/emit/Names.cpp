#include "emit/Names.h"

#include "transform/Tunables.h"

namespace warploom {

namespace {

/// Words that generated kernels and launchers use themselves.
const std::set<std::string> ours = [] {
  std::set<std::string> words = {"region",        "visit",
                                 "context",       "warploom",
                                 "threadIdx",     "blockIdx",
                                 "blockDim",      "gridDim",
                                 "main",          "warpSize",
                                 "Index",         "kernels",
                                 "index",         "LANES",
                                 "dim3",          "source",
                                 "std",           "atomicAdd",
                                 "__syncthreads", "__syncwarp",
                                 "__ldg",         "cooperative_groups",
                                 "Tiles",         "ManyTiles",
                                 "FewTiles",      "TurnedTiles",
                                 "tiles",         "Sizes",
                                 "sizes"};
  for (const Tunable& tunable : knownSizes().tunables)
    words.insert(tunable.name);
  for (const DerivedSize& size : knownSizes().derived)
    words.insert(size.name);
  return words;
}();

} // namespace

Names::Names() {
  for (const std::string& word : ours)
    identifiers.take(word);
}

std::string Names::of(const std::string& what) {
  auto found = given.find(what);
  if (found != given.end()) return found->second;
  // An index or a kernel is called after the source's loop or function.
  std::string wish = what;
  for (const std::string kind : {"index ", "loop ", "tile ", "kernel ", "parameter ", "own ", "local "})
    if (wish.rfind(kind, 0) == 0) wish.erase(0, kind.size());
  std::string name = fresh(wish);
  given.emplace(what, name);
  return name;
}

std::string plainName(const std::string& name) {
  return isReserved(name) ? name + "_" : name;
}

std::string typeName(const Type& type) {
  return type.record ? "source::" + plainName(type.record->name) : scalarType(type);
}

std::string functionName(const Function& function) {
  return "source::" + plainName(function.name);
}

std::string scalarType(const Type& type) {
  switch (type.kind) {
  case Type::Kind::Bool:
    return "bool";
  case Type::Kind::Float:
    return type.bits == 32 ? "float" : type.bits == 64 ? "double" : "";
  case Type::Kind::Complex:
    return type.bits == 64 ? "warploom::Complex<float>" : type.bits == 128 ? "warploom::Complex<double>" : "";
  case Type::Kind::SignedInt:
    return type.bits == 8    ? "signed char"
           : type.bits == 16 ? "short"
           : type.bits == 32 ? "int"
           : type.bits == 64 ? "long long"
                             : "";
  case Type::Kind::UnsignedInt:
    return type.bits == 8    ? "unsigned char"
           : type.bits == 16 ? "unsigned short"
           : type.bits == 32 ? "unsigned"
           : type.bits == 64 ? "unsigned long long"
                             : "";
  default:
    return "";
  }
}

} // namespace warploom
