// The parts of the text syntax that stand in every language here: expressions, targets and types.
#pragma once

#include "sync/reader/Lexer.h"
#include "sync/reader/SystemBuilder.h"

namespace warploom::sync {

ExprPtr parseExpression(Lexer& lexer, const SystemBuilder& builder);
Target parseTarget(Lexer& lexer, const SystemBuilder& builder);
/// `x` or `next(x)`; the second member says which.
std::pair<Target, bool> parseAssignedTarget(Lexer& lexer, const SystemBuilder& builder);
Type parseType(Lexer& lexer, const SystemBuilder& builder);
/// An integer that is known while reading; `what` is its name in messages.
std::int64_t parseConstant(Lexer& lexer, const SystemBuilder& builder, const char* what);
/// What an instance is given for a name of its interface: a cell or an array, or a value.
Meaning parseActual(Lexer& lexer, const SystemBuilder& builder);

} // namespace warploom::sync
