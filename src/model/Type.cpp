#include "model/Type.h"

namespace warploom {

const Field* fieldOf(const Record& record, const std::string& name) {
  for (const Field& field : record.fields)
    if (field.name == name) return &field;
  return nullptr;
}

} // namespace warploom
