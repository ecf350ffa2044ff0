// What the threads of a kernel do, as text: one function for each kind of node.
#pragma once

#include "emit/CombineText.h"
#include "emit/KernelScope.h"
#include "emit/KernelText.h"
#include "emit/RegisterText.h"
#include "emit/SharedText.h"

namespace warploom {

class TreeText {
public:
  /// `call` is told how the kernel is launched.
  TreeText(KernelScope& scope, KernelCall& call);

  /// Writes the body of the kernel, and before it `definitions`.
  void write(TextWriter& definitions, TextWriter& to);

  /// Of a kernel that runs by levels: writes the body of a function of the number of an iteration and
  /// `visit`, which it tells the elements that the iteration uses.
  void writeUses(UsesCall& uses, TextWriter& to); // LevelText.cpp

private:
  void write(const MappedNodes& nodes, TextWriter& to);
  void write(const LoopNode& loop, TextWriter& to);
  void write(const CodeNode& code, TextWriter& to);
  void write(const CopyNode& copy, TextWriter& to) { shared.write(copy, to); }
  void write(const RegistersNode& moves, TextWriter& to) { registers.write(moves, to); }
  void write(const BarrierNode& barrier, TextWriter& to);
  void write(const TensorNode& tensor, TextWriter& to); // TensorText.cpp
  void write(const PartsNode& parts, TextWriter& to) { combined.declare(parts, to); }
  void write(const CombineNode& combine, TextWriter& to) { combined.combine(combine, to); }
  void write(const ChoiceNode& choice, TextWriter& to);
  void write(const GuardNode& guard, TextWriter& to);
  void write(const PrivateNode& own, TextWriter& to);
  void write(const BinsNode& bins, TextWriter& to);

  // Loops, by who takes their iterations.
  void write(const LoopNode& loop, const Serial& share, TextWriter& to);
  void write(const LoopNode& loop, const OnGrid& share, TextWriter& to);
  void write(const LoopNode& loop, const OnTile& share, TextWriter& to);
  void write(const LoopNode& loop, const OnBlock& share, TextWriter& to);
  void write(const LoopNode& loop, const OnLanes& share, TextWriter& to);
  void write(const LoopNode& loop, const OnScan& share, TextWriter& to); // ScanText.cpp
  void writeOnce(const LoopNode& loop, const std::string& condition, TextWriter& to);
  void writePrefetched(const LoopNode& loop, TextWriter& to);

  const LoopTree& treeOf(const LoopNode& loop) const;
  std::string redirected(AccessRef access);
  /// Gives the value of `loop`, or the origin of its tile, a variable.
  std::string openVariable(const LoopNode& loop);
  void closeVariable(const LoopNode& loop);
  /// How many blocks take the iterations of a loop, as the launcher writes it.
  std::string blocksFor(const OnGrid& share, const IndexRange& range, const std::string& size);
  void noteLaunch(const LoopNode& loop, const OnGrid& share);
  /// The range of all loops of `bounds` together; of collapsed loops it counts from 0, and `indices` declare
  /// theirs.
  IndexRange rangeOf(const LoopNode& loop, const std::vector<LoopBounds>& bounds,
                     std::vector<std::string>& indices);

  KernelScope& scope;
  const KernelPlan& kernel;
  KernelCall& call;
  RegisterText registers;
  SharedText shared;
  CombineText combined;
  std::map<int, std::string>
      stateParts;            ///< what stands for states of a scan while it is told how they change
  bool inMemory = false;     ///< what registers would hold is used where it lies
  std::size_t tileLoops = 0; ///< how many OnTile loops are open
};

} // namespace warploom
