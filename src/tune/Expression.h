// Expressions of sizes, as rules and generated text have them, worked out for given values.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace warploom {

/// The value of a name; nothing when it has none.
using ValueOf = std::function<std::optional<long>(const std::string&)>;

/// The value of `text`, of integers, names, + - * / % and parentheses as in C; nothing when it is of another
/// form, a name has no value, or the value does not exist.
std::optional<long> valueOf(const std::string& text, const ValueOf& names);

} // namespace warploom
