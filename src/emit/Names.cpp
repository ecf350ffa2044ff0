#include "emit/Names.h"

#include <cctype>

namespace warploom {

namespace {

const std::set<std::string> reserved = {
    "auto",      "bool",     "break",     "case",      "catch",     "char",      "class",    "const",
    "constexpr", "continue", "default",   "delete",    "do",        "double",    "else",     "enum",
    "explicit",  "export",   "extern",    "false",     "float",     "for",       "friend",   "goto",
    "if",        "inline",   "int",       "long",      "mutable",   "namespace", "new",      "operator",
    "or",        "and",      "not",       "private",   "protected", "public",    "register", "return",
    "short",     "signed",   "sizeof",    "static",    "struct",    "switch",    "template", "this",
    "throw",     "true",     "try",       "typedef",   "typename",  "union",     "unsigned", "using",
    "virtual",   "void",     "volatile",  "while",     "xor",       "region",    "warploom", "threadIdx",
    "blockIdx",  "blockDim", "gridDim",   "warpSize",  "main",      "BLOCK",     "BLOCK_X",  "BLOCK_Y",
    "Index",     "kernels",  "index",     "ROWS",      "LANES",     "TILE_X",    "TILE_Y",   "TILE_K",
    "ITEMS_X",   "ITEMS_Y",  "THREADS_X", "THREADS_Y", "SWEEP_Y"};

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
  for (int k = 2; taken.count(candidate) || reserved.count(candidate); ++k)
    candidate = name + std::to_string(k);
  taken.insert(candidate);
  return candidate;
}

std::string Names::of(const std::string& what) {
  auto found = given.find(what);
  if (found != given.end()) return found->second;
  // An index or a kernel is called after the source's loop or function.
  std::string wish = what;
  for (const std::string kind : {"index ", "loop ", "tile ", "kernel ", "parameter ", "own "})
    if (wish.rfind(kind, 0) == 0) wish.erase(0, kind.size());
  std::string name = fresh(wish);
  given.emplace(what, name);
  return name;
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
