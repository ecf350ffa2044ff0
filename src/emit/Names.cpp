#include "emit/Names.h"

#include "mapping/Tunables.h"

#include <cctype>

namespace warploom {

namespace {

const std::set<std::string> keywords = {
    "alignas",      "alignof",  "and",      "and_eq",    "asm",          "auto",      "bitand",
    "bitor",        "bool",     "break",    "case",      "catch",        "char",      "char16_t",
    "char32_t",     "class",    "compl",    "const",     "const_cast",   "constexpr", "continue",
    "decltype",     "default",  "delete",   "do",        "double",       "else",      "enum",
    "dynamic_cast", "explicit", "export",   "extern",    "false",        "float",     "for",
    "friend",       "goto",     "if",       "inline",    "int",          "long",      "mutable",
    "namespace",    "new",      "noexcept", "not",       "not_eq",       "nullptr",   "operator",
    "or",           "or_eq",    "private",  "protected", "public",       "register",  "reinterpret_cast",
    "return",       "short",    "signed",   "sizeof",    "static",       "struct",    "static_assert",
    "static_cast",  "switch",   "template", "this",      "thread_local", "throw",     "true",
    "try",          "typedef",  "typeid",   "typename",  "union",        "unsigned",  "using",
    "virtual",      "void",     "volatile", "wchar_t",   "while",        "xor",       "xor_eq"};

/// Words that generated kernels and launchers use themselves.
const std::set<std::string> ours = [] {
  std::set<std::string> words = {"region",        "warploom",   "threadIdx", "blockIdx",
                                 "blockDim",      "gridDim",    "main",      "warpSize",
                                 "Index",         "kernels",    "index",     "LANES",
                                 "dim3",          "source",     "std",       "atomicAdd",
                                 "__syncthreads", "__syncwarp", "__ldg",     "cooperative_groups"};
  for (const auto& [name, value, meaning] : tunables)
    words.insert(name);
  for (const DerivedSize& size : derivedSizes)
    words.insert(size.name);
  return words;
}();

} // namespace

std::string Names::fresh(const std::string& wish) {
  std::string name;
  for (char c : wish) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
  std::string candidate = name;
  for (int k = 2; taken.count(candidate) || keywords.count(candidate) || ours.count(candidate); ++k)
    candidate = name + std::to_string(k);
  taken.insert(candidate);
  return candidate;
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
  return keywords.count(name) ? name + "_" : name;
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
