// What Warploom writes for one source file: kernels and launchers, and what the user's text needs to call
// them.
#pragma once

#include "model/Region.h"
#include "transform/Step.h"
#include "transform/Tunables.h"

#include <set>
#include <string>
#include <vector>

namespace warploom {

/// The sizes of blocks and tiles that the text of a kernel leaves open.
struct KernelSizes {
  std::string prefix;          ///< what stands before their names where they are its own; empty: the file's
  std::set<std::string> names; ///< without that
  std::string threads;         ///< of a block, as an expression of the text
  SizeVariants variants;       ///< the sets of sizes that it has; none: one, which the text leaves open
};

/// How one region enters the program.
/// Invariant: `refused` is empty exactly when the region has a launcher.
struct GeneratedRegion {
  const Region* region = nullptr;
  std::string launcher;  ///< the launcher's name, unique in the program
  std::string prototype; ///< its C declaration, without semicolon: `int name(int n, double* A)`
  /// Its arguments as C expressions that are valid where the region stands: `n, A, &sum`. The launcher
  /// returns 1 when it has done the region's work and 0 when the original loops must run.
  std::string arguments;
  std::vector<std::string>
      through; ///< pointers that the arguments are read through: null ones lead to no loop
  /// A variable whose address is among the arguments. Compilers keep it in a register in the original loops
  /// when that is the address of a copy.
  struct Scalar {
    std::string name;
    bool in = false, out = false; ///< its value is needed; it gets a new one
  };
  std::vector<Scalar> scalars;
  std::vector<std::string> problem; ///< the sizes among its parameters, by their names
  std::string kept; ///< a function, `void name(void)`, to be called when those have run; empty: none
  /// A second function, `void <launcher>_outputs(<same parameters>, void (*visit)(void* context, const char*
  /// name, void* data, unsigned long count, unsigned long stride, const char* type), void* context)`, calls
  /// `visit` for every array, scalar or field that the region writes and that is live after it: what `verify`
  /// compares. `type` is a C scalar type, of which there is one every `stride` bytes.
  /// A third function, made only where `notesRounding`, `void <launcher>_rounding(<same parameters>, void
  /// (*note)(void* context, const char* name, double roundings, double size), void* context)`, calls `note`
  /// for floating-point outputs: how many roundings go into an element, of numbers of which size.
  bool notesRounding = false;
  bool tellsSizes = false;          ///< the launcher tells the runtime of which problem a passage is
  bool takesRegister = false;       ///< it is given the address of a variable that is declared `register`
  bool asksHeap = false;            ///< it asks how long blocks of the heap are: runtime/warploom_heap.c
  bool callsLibrary = false;        ///< a library may stand in for one of its kernels
  bool turnsTiles = false;          ///< its tiles may be turned round: rows and columns change places
  std::string text;                 ///< its kernels and its launcher
  std::vector<KernelSizes> kernels; ///< what the text of each leaves open
  SizeTable sizes = knownSizes();   ///< what these sizes mean
  std::vector<Step> steps;          ///< what made its schedule
  std::size_t orderSteps = 0;       ///< how many of them came before loops were mapped
  std::string refused;              ///< why the region stays as it was; else empty
  SourceRange refusedAt;
  bool isFault = false; ///< because of a fault in the program
};

/// The text of the .cu file and how its regions are called.
struct GeneratedProgram {
  std::string cuda; ///< empty when no region could be mapped
  /// In the order of the input, without those that lie inside one that is mapped.
  std::vector<GeneratedRegion> regions;
  std::vector<std::string> explanations; ///< one line per decision, for --explain
};

} // namespace warploom
