// Serial loops and statements of a kernel as text, by way of isl's code generation.
#pragma once

#include "emit/KernelScope.h"

#include <isl/ast_build.h>

namespace warploom {

/// Writes loops, guards and instances of one CodeNode.
class CodeText {
public:
  CodeText(KernelScope& scope, const CodeNode& code);
  ~CodeText();
  CodeText(const CodeText&) = delete;
  CodeText& operator=(const CodeText&) = delete;

  void write(TextWriter& to);

private:
  struct Instance {
    int statement;
    isl_ast_expr* call;
  };
  static isl_ast_node* noteInstance(isl_ast_node* node, isl_ast_build* build, void* user);
  void writeNode(isl_ast_node* node, const std::string& loop, TextWriter& to);
  void writeFor(isl_ast_node* node, const std::string& loop, TextWriter& to);
  void writeInstance(isl_ast_node* node, TextWriter& to);
  std::string text(isl_ast_expr* expr);

  KernelScope& scope;
  const CodeNode& code;
  std::string onlyFirst; ///< the condition for what writes to what threads share; empty: none
  std::vector<Instance> instances;
};

/// The condition that a thread is the first of its block along each of `axes`; empty for none.
std::string firstAlong(const std::set<int>& axes);

} // namespace warploom
