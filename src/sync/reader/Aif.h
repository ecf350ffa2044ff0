// AIF as text and as XML: readers with located errors, and writers whose output the readers turn back into
// the same system.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// The system a text describes. Throws Error.
System readAif(const std::string& text);
/// The same for the first of `sources`; the files it imports are added to them.
System readAif(Sources& sources);
std::string writeAif(const System& system);

/// The same for the XML form (docs/sync.md). Errors are located at the element they concern.
System readAifXml(const std::string& text);
std::string writeAifXml(const System& system);

/// Reads either form: XML when the first character that is not blank is `<`.
System readSystem(const std::string& text);

} // namespace warploom::sync
