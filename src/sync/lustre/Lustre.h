// A subset of Lustre, compiled to guarded actions: every variable is an action under the guard of its clock,
// every `pre` a delayed one, and every call of a node an instance of it.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system of a Lustre program: of the node marked by `--%MAIN`, else of the last one. Every node is
/// checked, whether it is called or not. Throws Error: for malformed texts, types, clocks, variables without
/// or with two equations, and nodes that call themselves. Flows that depend on themselves within a step are
/// found later, as in every system.
///
///     program := { 'const' id [':' type] '=' expr ';' | node }
///     node    := ('node' | 'function') id '(' declarations ')' 'returns' '(' declarations ')' [';']
///                ['var' { declaration ';' }] 'let' { equation } 'tel' [';' | '.']
///     declaration := id { ',' id } ':' ('bool' | 'int' | 'real') ['when' clock]
///     clock   := ['not'] id
///     equation := id { ',' id } '=' expr ';' | 'assert' expr ';' | '--%PROPERTY' expr ';' | '--%MAIN' ';'
///
/// Operators, loosest first: `if then else`; `->` and `fby`; `=>`; `or` and `xor`; `and`; `= <> < <= > >=`;
/// `not`;
/// `+ -`; `* / div mod`; `when clock`; `pre`, `current`, `real` (of an int) and `-`.
System readLustre(const std::string& text);

} // namespace warploom::sync
