#include "sync/model/System.h"

namespace warploom::sync {

int System::find(const std::string& variable) const {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == variable) return int(i);
  return -1;
}

Target makeTarget(int variable, const Type& type, std::vector<ExprPtr> subscripts) {
  if (const auto offset = constantOffset(type, subscripts)) return {variable, *offset, {}};
  return {variable, 0, std::move(subscripts)};
}

bool fits(const ScalarType& type, const Value& value) {
  if (type.base == ScalarType::Base::Bits)
    return type.bound >= 64 || (std::uint64_t(value.integer) >> type.bound) == 0;
  return !type.isInteger() || (type.smallest() <= value.integer && value.integer <= type.largest());
}

} // namespace warploom::sync
