// isl's syntax trees as C++ text.
#pragma once

#include "support/Isl.h"

#include <functional>
#include <isl/ast.h>
#include <optional>
#include <string>

namespace warploom {

/// What an identifier of isl's (a parameter or an iterator) is called in the text.
using Rename = std::function<std::string(const std::string&)>;

/// `expr` as C++ text over `long`, with only the parentheses it needs.
std::string astText(__isl_keep isl_ast_expr* expr, const Rename& rename);

/// `value`, over parameters only, as C++ text; 0 where it is a value of nothing, such as the least index of a
/// loop that never runs.
std::string valueText(const isl::pw_aff& value, const Rename& rename);

/// True for an identifier or a number.
bool isPlain(const std::string& text);

/// `text`, a sum or less, as a factor of a product.
std::string asFactor(const std::string& text);

/// The condition that the parameters are in `set`, as C++ text.
std::string conditionText(const isl::set& set, const Rename& rename);

} // namespace warploom
