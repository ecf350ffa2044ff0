// Arrays whose rows lie behind pointers, in launchers: a matrix stands for them.
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

namespace warploom {

/// The launcher's parameter for the outermost table of pointers that leads to `array`.
std::string tableName(LauncherScope& scope, int array);
/// The variable that knows the rows, a warploom::Rows.
std::string rowsName(LauncherScope& scope, int array);

/// Declares the variable that knows the rows of `array`, where parameters are in `known`. True when the heap
/// must tell how long they are. `mayBeShorter`:
/// only data tell whether all that loops could use of them is used.
bool writeRows(LauncherScope& scope, int array, const isl::set& known, bool mayBeShorter, TextWriter& to);
/// Leaves the launcher where no matrix can stand for the rows of `array`; else declares the extents that are
/// parameters of the region and, `byName`, the matrix.
void writeMatrix(LauncherScope& scope, int array, bool byName, TextWriter& to);

} // namespace warploom
