// What the program's own symbols and debug information say: lines, names, and the static arrays of kernels.
// Read with libdw from the running executable; nothing is asked of the generated text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warploom::cpu::sanitize {

/// A variable with static or thread-local storage, as far as it is known.
struct StaticVariable {
  std::string name;      ///< as in the source
  std::uintptr_t offset; ///< thread-local: in the module's thread-local block; else the address
  std::size_t bytes = 0;
  std::size_t elementBytes = 1;
  std::size_t atomBytes = 1; ///< the smallest part that is accessed alone
  std::vector<std::size_t> extents;
  std::string declaredAt; ///< `file:line`; empty when there is no debug information
  std::string function;   ///< that declares it; empty outside functions or when not known
  bool isLocal = false;   ///< declared in a function
  bool isWritable = true;
};

/// The variables of the program or library that holds a kernel.
struct StaticVariables {
  std::vector<StaticVariable> threadLocal, others;
  std::uintptr_t loadAddress = 0; ///< where the module lies, to find its thread-local block
};

/// `file:line` of the instruction before the return address `pc`. Inside the runtime's own headers it is the
/// line of the kernel that uses them. "an unknown line" without debug information.
const std::string& lineOf(const void* pc);

/// Whether both return addresses are of the same line, as far as lines are known.
bool sameLine(const void* a, const void* b);

/// The name of the function at `address`, without its parameters.
std::string functionAt(const void* address);

/// The variables of the module that holds `address`; read once.
const StaticVariables& variablesOf(const void* address);

/// The members of the struct called `name`, with its namespaces, in the module that holds `address`; their
/// offsets are from its beginning. None when there is no such struct.
std::vector<StaticVariable> membersOf(const void* address, const std::string& name);

/// Where the calling OS thread's copy of the module's thread-local variables begins; 0 if it has none.
std::uintptr_t threadLocalBlock(const StaticVariables& variables);

} // namespace warploom::cpu::sanitize
