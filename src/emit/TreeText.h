// A part of a kernel's loops as text, by way of isl's code generation.
#pragma once

#include "emit/KernelScope.h"

#include <isl/ast_build.h>

namespace warploom {

/// Writes loops, guards and instances of one subtree.
class TreeText {
public:
  /// `context`: what is known of parameters and fixed loops where the text stands.
  TreeText(KernelScope& scope, const isl::set& context) : scope(scope), context(context) {}
  ~TreeText();

  /// Writes `tree`, of which `instances` run; the loops `fixed` have no loop of their own in the text.
  void write(const LoopTree& tree, const isl::union_set& instances, const std::set<std::string>& fixed,
             TextWriter& to);

private:
  struct Instance {
    int statement;
    isl_ast_expr* call;
  };
  static isl_ast_node* noteInstance(isl_ast_node* node, isl_ast_build* build, void* user);
  void writeNode(isl_ast_node* node, const std::string& loop, TextWriter& to);
  void writeMark(isl_ast_node* node, TextWriter& to);
  void writeFor(isl_ast_node* node, const std::string& loop, TextWriter& to);
  void writeInstance(isl_ast_node* node, TextWriter& to);
  void writeLanes(const std::string& loop, isl_ast_node* body, TextWriter& to);
  struct Part {
    const Reduction* of;
    std::string name;
  };
  std::vector<Part> declareParts(const std::vector<int>& inside, TextWriter& to);
  void combine(const Part& part, TextWriter& to);
  std::string existence(const Reduction& reduction, const std::string& target);
  isl::set runs(const std::vector<int>& statements) const;
  void synchronise(TextWriter& to);
  void noteReads(int statement);
  void awaitReads(int array, TextWriter& to);
  std::string text(isl_ast_expr* expr);

  KernelScope& scope;
  isl::set context;
  const LoopTree* root = nullptr;
  isl::union_set all; ///< what runs
  std::vector<Instance> instances;
  std::set<std::string> partNames; ///< of the parts that lanes have of accumulators
  bool inLanes = false;            ///< inside a loop whose iterations lanes share, as the schedule has it
  bool sharedOut = false;          ///< inside the text of such a loop: lanes have different iterations
  bool unsettled = false;          ///< lanes may not see yet what others wrote
  std::set<int> beingRead;         ///< arrays that lanes may not be done reading when another one goes on
};

} // namespace warploom
