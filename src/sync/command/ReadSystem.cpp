#include "sync/command/ReadSystem.h"

#include "sync/lustre/Lustre.h"
#include "sync/quartz/Quartz.h"
#include "sync/reader/Aif.h"

namespace warploom::sync {

System readSystem(Sources& sources) {
  const auto& [name, text] = sources.files.at(0);
  if (name.ends_with(".qrz")) return readQuartz(sources);
  if (name.ends_with(".lus")) return readLustre(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '<' ? readAifXml(text) : readAif(sources);
}

} // namespace warploom::sync
