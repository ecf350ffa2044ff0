// Parameters that a region does not use are taken out of it: launchers would pass them, variables without a
// value among them.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "support/Parameters.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <sstream>

namespace warploom {

void RegionReader::keepUsedParameters() {
  std::set<std::string> used;
  auto look = [&](isl_space* space, auto involves) {
    for (int k = 0; k < static_cast<int>(isl_space_dim(space, isl_dim_param)); ++k)
      if (involves(k)) used.insert(isl_space_get_dim_name(space, isl_dim_param, static_cast<unsigned>(k)));
    isl_space_free(space);
  };
  // That an unsigned variable is not negative is said everywhere, and no use of it.
  auto lookSet = [&](const isl::set& whole) {
    const isl::set set = isl::manage(isl_set_gist_params(whole.copy(), region.context.copy()));
    look(isl_set_get_space(set.get()), [&](int k) {
      return isl_set_involves_dims(set.get(), isl_dim_param, static_cast<unsigned>(k), 1) == isl_bool_true;
    });
  };
  auto lookMap = [&](const isl::map& whole) {
    const isl::map map = isl::manage(isl_map_gist_params(whole.copy(), region.context.copy()));
    look(isl_map_get_space(map.get()), [&](int k) {
      return isl_map_involves_dims(map.get(), isl_dim_param, static_cast<unsigned>(k), 1) == isl_bool_true;
    });
  };
  std::vector<Statement*> all;
  for (Statement& statement : region.statements)
    all.push_back(&statement);
  for (WholeLoop& whole : region.wholes)
    for (Statement& statement : whole.statements)
      all.push_back(&statement);
  for (const Statement* each : all) {
    const Statement& statement = *each;
    lookSet(statement.domain);
    for (const Access& access : statement.accesses)
      lookMap(access.map);
    // The index of a loop around is no parameter, even where the variable has a value before the loop.
    std::set<std::string> indices;
    for (int loop : statement.loops)
      indices.insert(region.loops[static_cast<std::size_t>(loop)].index);
    std::vector<const Expr*> nodes;
    if (statement.body) nodes.push_back(statement.body.get());
    if (statement.code) forEachExpr(*statement.code, [&](const Expr& expr) { nodes.push_back(&expr); });
    for (const ExprPtr& guard : statement.guards)
      nodes.push_back(guard.get());
    while (!nodes.empty()) {
      const Expr* node = nodes.back();
      nodes.pop_back();
      if (node->kind == Expr::Kind::Index && !indices.count(node->text)) used.insert(node->text);
      if (node->kind == Expr::Kind::Affine)
        look(isl_pw_aff_get_space(node->value->get()), [&](int k) {
          return isl_pw_aff_involves_dims(node->value->get(), isl_dim_param, static_cast<unsigned>(k), 1) ==
                 isl_bool_true;
        });
      for (const ExprPtr& operand : node->operands)
        nodes.push_back(operand.get());
    }
  }
  for (const Condition& condition : region.conditions)
    if (condition.holds) lookSet(*condition.holds);
  for (const Array& array : region.arrays)
    for (const auto& extent : array.extents)
      if (extent)
        look(isl_pw_aff_get_domain_space(extent->get()), [&](int k) {
          return isl_pw_aff_involves_dims(extent->get(), isl_dim_param, static_cast<unsigned>(k), 1) ==
                 isl_bool_true;
        });
  // Products of symbolic sizes became symbolic sizes of their own.
  const Type wide{Type::Kind::SignedInt, 64, "long"};
  std::vector<Parameter> products;
  for (const std::string& name : used)
    if (name.find('*') != std::string::npos && !pathParameters.count(name)) {
      auto isNarrow = [&](const std::string& factor) {
        return std::any_of(region.parameters.begin(), region.parameters.end(),
                           [&](const Parameter& one) { return one.name == factor && one.type.bits <= 32; });
      };
      std::istringstream factors(name);
      bool narrow = true;
      for (std::string factor; std::getline(factors, factor, '*');)
        narrow = narrow && isNarrow(factor);
      products.push_back(
          {name, name, narrow ? modelType(input.context, input.context.IntTy) : wide, false, true});
    }
  std::erase_if(region.parameters, [&](const Parameter& parameter) {
    return !used.count(parameter.name) && !used.count(parameter.text);
  });
  region.parameters.insert(region.parameters.end(), products.begin(), products.end());
  auto isUnused = [&](const std::string& name) { return used.count(name) == 0; };
  region.context = withoutParameters(region.context, isUnused);
  for (Statement* statement : all) {
    statement->domain = withoutParameters(statement->domain, isUnused);
    for (Access& access : statement->accesses)
      access.map = withoutParameters(access.map, isUnused);
  }
}

} // namespace warploom
