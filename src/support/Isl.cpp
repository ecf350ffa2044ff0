#include "support/Isl.h"

#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/val.h>

namespace warploom {

isl::ctx islContext() {
  // Never freed: objects of static storage duration may still refer to it while the program ends.
  static isl_ctx* context = [] {
    isl_ctx* made = isl_ctx_alloc();
    isl_options_set_on_error(made, ISL_ON_ERROR_CONTINUE);
    return made;
  }();
  return isl::ctx(context);
}

OperationLimit::OperationLimit(unsigned long operations)
    : outermost(isl_ctx_get_max_operations(islContext().get()) == 0) {
  if (!outermost) return;
  isl_ctx_reset_operations(islContext().get());
  isl_ctx_set_max_operations(islContext().get(), operations);
}

OperationLimit::~OperationLimit() {
  if (!outermost) return;
  isl_ctx_set_max_operations(islContext().get(), 0);
  isl_ctx_reset_operations(islContext().get());
  isl_ctx_reset_error(islContext().get());
}

bool OperationLimit::exceeded() const {
  // isl does not tell its count of operations; but every allocation is one, and fails beyond the limit.
  isl_val* probe = isl_val_zero(islContext().get());
  isl_val_free(probe);
  return probe == nullptr;
}

std::string conditionText(const isl::set& parameters) {
  isl::ast_build build = isl::ast_build(parameters.ctx());
  return build.expr_from(parameters.params().coalesce()).to_C_str();
}

} // namespace warploom
