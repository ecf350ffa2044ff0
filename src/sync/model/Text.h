// Systems and their parts as text, in the syntax of AIF.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// Text in the syntax of AIF.
std::string text(const System& system, const Expr& expr);
std::string text(const System& system, const Target& target);
std::string text(const System& system, const Action& action);
std::string text(const Type& type);
/// The value of a cell of that type as it is written in AIF.
std::string text(const ScalarType& type, const Value& value);

} // namespace warploom::sync
