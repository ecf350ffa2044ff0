// The system a file describes, in whichever language it is written.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system in `text`, the contents of `file`: Quartz when its name ends in `.qrz`, else AIF as XML or as
/// text. Throws Error.
System readSystem(const std::string& file, const std::string& text);

} // namespace warploom::sync
