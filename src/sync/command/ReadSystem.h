// The system a file describes, in whichever language it is written.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system in the first of `sources`: Quartz when its name ends in `.qrz`, Lustre when in `.lus`,
/// else AIF as XML or as text.
/// Files that it imports are added to the sources. Throws Error.
System readSystem(Sources& sources);

} // namespace warploom::sync
