// The kernel language of Quartz, compiled to guarded actions. Every statement has a surface (what it does
// when it is started) and a depth (what it does when control rests inside it); loops start the surface again
// under a guard of its own.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system of a Quartz module. Throws Error, also for what is refused: loops whose body may be
/// instantaneous. A local declaration inside a loop has one incarnation per start of its block: variables of
/// their own for the step in which the block starts.
///
///     module  := 'module' id '(' [ parameter { ',' parameter } ] ')' block
///     parameter := ['event'] type ('?' | '!' | '&') id
///     block   := '{' { statement | ['event'] type id ';' } '}'
///     statement := single { '||' single }
///     single  := 'nothing' ';' | [id ':'] 'pause' ';' | 'emit' target ';' | target '=' expr ';' | block
///              | 'if' '(' expr ')' single ['else' single] | 'do' single 'while' '(' expr ')' ';' | 'while'
///              '(' expr ')' single | 'loop' single | ['immediate'] 'await' '(' expr ')' ';' | ['immediate']
///              'every' '(' expr ')' single | ['weak'] ['immediate'] ('abort' | 'suspend') single 'when' '('
///              expr ')' ';' | 'for' '(' id '=' number 'to' number ')' single
///     target  := cell | 'next' '(' cell ')'
System readQuartz(const std::string& text);

} // namespace warploom::sync
