#include "sync/command/ReadSystem.h"

#include "sync/quartz/Quartz.h"
#include "sync/reader/Aif.h"

namespace warploom::sync {

System readSystem(const std::string& file, const std::string& text) {
  return file.ends_with(".qrz") ? readQuartz(text) : readSystem(text);
}

} // namespace warploom::sync
