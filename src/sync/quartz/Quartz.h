// The kernel language of Quartz, compiled to guarded actions. Every statement has a surface (what it does
// when it is started) and a depth (what it does when control rests inside it); loops start the surface again
// under a guard of its own.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system of the last module of a text; the others are there to be instantiated. Throws Error, also for
/// what is refused: loops whose body may be instantaneous. A local declaration inside a loop has one
/// incarnation per start of its block: variables of their own for the step in which the block starts.
///
///     file    := { 'macro' id ['(' id { ',' id } ')'] '=' expr ';' | 'import' id ';' | module }
///     module  := 'module' id '(' [ parameter { ',' parameter } ] ')' block { ('satisfies' | 'drivenby')
///                '{' text '}' }
///     parameter := 'const' id | ['event'] [type] ('?' | '!' | '&') id         // the type of the one before
///     block   := '{' { statement | declaration ';' } '}'
///     declaration := ('event' [type] | type) id { ',' id }
///     statement := single { '||' single }
///     single  := 'nothing' ';' | [id ':'] ('pause' | 'halt') ';' | target '=' expr ';' | block
///              | ('emit' | 'sustain') (target | '(' target ')') ';'
///              | 'if' '(' expr ')' single ['else' single]
///              | 'case' '(' expr ')' 'do' single { '(' expr ')' 'do' single } ['default' single]
///              | 'do' single 'while' '(' expr ')' ';' | 'while' '(' expr ')' single
///              | 'loop' single ['each' '(' expr ')' ';']
///              | [id ':'] ['immediate'] 'await' '(' expr ')' ';' | ['immediate'] 'every' '(' expr ')' single
///              | ['weak'] ['immediate'] ('abort' | 'suspend') single 'when' '(' expr ')' ';'
///              | 'for' '(' id '=' expr ('to' | '..') expr ')' ['do' '||'] single
///              | [id ':'] ('assert' | 'assume') '(' expr ')' ';'
///              | [id { '[' id ':' expr ']' } ':'] module-id '(' [ actual { ',' actual } ] ')' ';'
///     target  := cell | 'next' '(' cell ')'
System readQuartz(const std::string& text);
/// The same for the first of `sources`; the files it imports are added to them.
System readQuartz(Sources& sources);

} // namespace warploom::sync
