// From what was read to the model: sets and maps, and which objects may overlap.
#include "frontend/Characters.h"
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "support/Parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>
#include <numeric>
#include <tuple>

namespace warploom {

namespace {

/// Turns objects over parameters, loop indices among them, into objects over a statement's instances.
class InstanceSpace {
public:
  InstanceSpace(const Region& region, const Statement& statement) : region(region), statement(statement) {}

  /// { S[i, j] : (i, j) as parameters are in `set` }
  isl::set domain(const isl::set& set) const {
    isl_set* result = isl_set_from_params(set.copy());
    for (std::size_t k = 0; k < statement.loops.size(); ++k) {
      int at = parameter(isl_set_get_space(result), k);
      result = at < 0 ? isl_set_add_dims(result, isl_dim_set, 1)
                      : isl_set_move_dims(result, isl_dim_set, static_cast<unsigned>(k), isl_dim_param,
                                          static_cast<unsigned>(at), 1);
      if (distinctName(k))
        result = isl_set_set_dim_name(result, isl_dim_set, static_cast<unsigned>(k), indexName(k).c_str());
    }
    return isl::manage(isl_set_set_tuple_name(result, statement.name.c_str()));
  }

  /// { S[i, j] -> range : ... } for a set over the same parameters
  isl::map map(const isl::set& range) const {
    isl_map* result = isl_map_from_range(range.copy());
    for (std::size_t k = 0; k < statement.loops.size(); ++k) {
      int at = parameter(isl_map_get_space(result), k);
      result = at < 0 ? isl_map_add_dims(result, isl_dim_in, 1)
                      : isl_map_move_dims(result, isl_dim_in, static_cast<unsigned>(k), isl_dim_param,
                                          static_cast<unsigned>(at), 1);
      if (distinctName(k))
        result = isl_map_set_dim_name(result, isl_dim_in, static_cast<unsigned>(k), indexName(k).c_str());
    }
    return isl::manage(isl_map_set_tuple_name(result, isl_dim_in, statement.name.c_str()));
  }

  isl::pw_aff value(const isl::pw_aff& overParameters) const {
    isl_set* graph = isl_set_from_pw_aff(overParameters.copy());
    isl_pw_multi_aff* function = isl_pw_multi_aff_from_map(map(isl::manage(graph)).release());
    isl_pw_aff* result = isl_pw_multi_aff_get_pw_aff(function, 0);
    isl_pw_multi_aff_free(function);
    return isl::manage(result);
  }

  /// `overParameters` as C text with the source's names for the loop indices.
  std::string text(const isl::pw_aff& overParameters) const {
    isl_pw_aff* named = overParameters.copy();
    for (std::size_t k = 0; k < statement.loops.size(); ++k) {
      int at = parameter(isl_pw_aff_get_domain_space(named), k);
      if (at >= 0) {
        isl_id* id = isl_id_alloc(isl_pw_aff_get_ctx(named), indexName(k).c_str(), nullptr);
        named = isl_pw_aff_set_dim_id(named, isl_dim_param, static_cast<unsigned>(at), id);
      }
    }
    return affineText(isl::manage(named));
  }

private:
  int parameter(isl_space* space, std::size_t level) const {
    std::string name = "$" + std::to_string(statement.loops[level]);
    int at = isl_space_find_dim_by_name(space, isl_dim_param, name.c_str());
    isl_space_free(space);
    return at;
  }
  const std::string& indexName(std::size_t level) const { return region.loops[statement.loops[level]].index; }
  bool distinctName(std::size_t level) const {
    for (std::size_t k = 0; k < level; ++k)
      if (indexName(k) == indexName(level)) return false;
    return true;
  }
  const Region& region;
  const Statement& statement;
};

/// `node` with affine values moved from parameters to the statement's instances.
ExprPtr onInstances(const ExprPtr& node, const InstanceSpace& space) {
  if (!node) return nullptr;
  auto copy = std::make_shared<Expr>(*node);
  for (ExprPtr& operand : copy->operands)
    operand = onInstances(operand, space);
  if (copy->kind == Expr::Kind::Affine) {
    copy->text = space.text(*copy->value);
    copy->value = space.value(*copy->value);
  }
  return copy;
}

} // namespace

namespace {

/// True when `part` is a piece of the struct `whole`, and not beyond a pointer in it.
bool isPartOf(const Object& part, const Object& whole) {
  if (part.variable != whole.variable || part.pointee != whole.pointee) return false;
  if (!whole.element->isRecordType() || !part.path.starts_with(whole.path + ".")) return false;
  std::string rest = part.path.substr(whole.path.size());
  return rest.find("->") == std::string::npos && rest.find("[]") == std::string::npos &&
         part.rank >= whole.rank;
}

} // namespace

std::vector<RawStatement*> RegionReader::rawStatements() {
  std::vector<RawStatement*> all;
  for (RawStatement& statement : statements)
    all.push_back(&statement);
  for (auto& [loop, parts] : wholes)
    for (RawStatement& statement : parts)
      all.push_back(&statement);
  return all;
}

void RegionReader::spreadStructAccesses() {
  for (RawStatement* each : rawStatements()) {
    RawStatement& statement = *each;
    std::vector<RawAccess> more;
    for (const RawAccess& access : statement.accesses) {
      if (access.place.object < 0) continue;
      const Object& whole = objects[access.place.object];
      if (!whole.variable) continue;
      for (std::size_t o = 0; o < objects.size(); ++o) {
        const Object& field = objects[o];
        if (!isPartOf(field, whole)) continue;
        RawAccess part = access;
        part.place.object = static_cast<int>(o);
        bool exact = field.rank == whole.rank;
        part.place.subscripts.resize(static_cast<std::size_t>(field.rank));
        if (!exact && part.kind != Access::Kind::Kill) {
          part.place.inexactReason = "`" + access.text + "` is a whole struct";
          if (part.kind == Access::Kind::Write) part.kind = Access::Kind::MayWrite;
          if (part.kind == Access::Kind::Read) part.kind = Access::Kind::MayRead;
        }
        more.push_back(part);
      }
    }
    statement.accesses.insert(statement.accesses.end(), more.begin(), more.end());
  }
}

void RegionReader::groupFields() {
  std::vector<bool> isUsed(objects.size());
  for (const RawStatement* statement : rawStatements())
    for (const RawAccess& access : statement->accesses)
      if (access.kind != Access::Kind::Kill) isUsed[access.place.object] = true;
  // The path of the memory that a field lies in.
  auto outerPath = [](const Object& field) {
    std::size_t length = field.path.size();
    for (const FieldStep& step : field.steps)
      length -= 1 + step.field.size();
    return field.path.substr(0, length);
  };
  // Structs that are used as a whole somewhere.
  using Memory = std::tuple<const clang::VarDecl*, bool, std::string>;
  std::set<Memory> whole;
  std::vector<std::size_t> fields;
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (objects[o].steps.empty() || !isUsed[o]) continue;
    fields.push_back(o);
    for (std::size_t other = 0; other < objects.size(); ++other)
      if (isPartOf(objects[o], objects[other]) && isUsed[other])
        whole.insert({objects[o].variable, objects[o].pointee, outerPath(objects[o])});
  }
  for (std::size_t o : fields) {
    Object field = objects[o];
    std::string path = outerPath(field);
    const bool hasNumber = std::any_of(field.steps.begin(), field.steps.end(),
                                       [](const FieldStep& step) { return step.isNumber; });
    bool together =
        hasNumber || field.pointee || field.outerRank > 0 || whole.count({field.variable, false, path}) > 0;
    while (!together && !field.steps.empty()) {
      // `s.v`, `s.p.x` are objects of their own when nobody speaks of `s`.
      const FieldStep step = field.steps.front();
      field.steps.erase(field.steps.begin());
      field.base += step.text;
      path += "." + step.field;
      field.outer = step.element;
      field.outerRank = static_cast<std::size_t>(step.rank);
      together = step.rank > 0;
    }
    if (!field.steps.empty()) {
      std::pair key{field.variable, (field.pointee ? "*" : "") + path};
      auto [found, isNew] = objectIndex.emplace(key, static_cast<int>(objects.size()));
      if (isNew) {
        Object structs = field;
        structs.path = path;
        structs.name = field.variable->getNameAsString() + path;
        while (std::any_of(objects.begin(), objects.end(),
                           [&](const Object& other) { return other.name == structs.name; }))
          structs.name += "'";
        structs.element = field.outer;
        structs.steps.clear();
        structs.rank = static_cast<int>(field.outerRank);
        structs.extents.resize(field.outerRank);
        structs.extentTexts.resize(field.outerRank);
        objects.push_back(structs);
      }
      field.within = found->second;
    }
    objects[o] = field;
  }
}

void RegionReader::spreadUnknownPlaces() {
  // An access through a pointer that cannot be followed may be to any object that a pointer can reach.
  for (RawStatement* each : rawStatements()) {
    RawStatement& statement = *each;
    std::vector<RawAccess> kept, more;
    for (const RawAccess& access : statement.accesses) {
      if (access.place.object >= 0) {
        kept.push_back(access);
        continue;
      }
      for (std::size_t o = 0; o < objects.size(); ++o) {
        const Object& object = objects[o];
        if (object.storage == Array::Storage::Predicate) continue;
        bool reachable = object.pointee || !object.variable->hasLocalStorage() || object.rank > 0 ||
                         input.aliasing.isAddressTaken(object.variable);
        if (!reachable) continue;
        RawAccess part = access;
        part.place.object = static_cast<int>(o);
        part.place.subscripts.assign(static_cast<std::size_t>(object.rank), std::nullopt);
        more.push_back(part);
      }
    }
    bool lost = kept.size() != statement.accesses.size();
    if (lost) {
      // The body refers to accesses by number; with places unknown it is only text.
      statement.model.kind = Statement::Kind::Opaque;
      statement.model.body = nullptr;
      statement.model.code = nullptr;
      statement.model.guards.clear();
      if (statement.model.hostOnly.empty())
        statement.model.hostOnly = "it uses a pointer that cannot be followed";
    }
    statement.accesses = kept;
    statement.accesses.insert(statement.accesses.end(), more.begin(), more.end());
  }
}

void RegionReader::addOverlapConditions(const std::vector<bool>& used, const std::vector<bool>& written) {
  auto compatible = [&](clang::QualType a, clang::QualType b) {
    if (TypesOfMemory::loose()) return true;
    // A complex number is two numbers.
    auto plain = [](clang::QualType type) {
      const auto* complex = type->getAs<clang::ComplexType>();
      return (complex ? complex->getElementType() : type).getCanonicalType().getUnqualifiedType();
    };
    a = plain(a);
    b = plain(b);
    if (a == b || a->isCharType() || b->isCharType() || a->isRecordType() || b->isRecordType()) return true;
    bool integers = a->isIntegerType() && b->isIntegerType() && !a->isBooleanType() && !b->isBooleanType();
    return integers && input.context.getTypeSize(a) == input.context.getTypeSize(b);
  };
  auto lastPointer = [](const std::string& path) {
    std::size_t arrow = path.rfind("->"), rows = path.rfind("[]");
    std::size_t at = std::string::npos;
    if (arrow != std::string::npos) at = arrow;
    if (rows != std::string::npos && (at == std::string::npos || rows > at)) at = rows;
    return at == std::string::npos ? std::string() : path.substr(0, at + 2);
  };
  auto add = [&](int a, int b, const std::string& text, std::vector<int> where) {
    Condition condition;
    condition.kind = Condition::Kind::NoOverlap;
    condition.text = text;
    condition.arrays = {a, b};
    condition.loops = std::move(where);
    region.conditions.push_back(condition);
  };
  // Variables that are only sizes become objects on the way: those are not asked about, and `first` is a
  // copy.
  for (std::size_t a = 0; a < used.size(); ++a) {
    const Object first = objects[a];
    if (!used[a] || first.storage == Array::Storage::Predicate) continue;
    if (first.rowsArePointers && written[a])
      add(static_cast<int>(a), static_cast<int>(a), "the rows of `" + first.name + "` do not overlap", {});
    for (std::size_t b = a + 1; b < used.size(); ++b) {
      const Object& second = objects[b];
      if (!used[b] || second.storage == Array::Storage::Predicate || (!written[a] && !written[b])) continue;
      if (!first.pointee && !second.pointee) continue;
      bool followed = lastPointer(first.path).empty() && lastPointer(second.path).empty();
      // Types tell two pointers apart, unless the source shows that one was cast from the other.
      bool isCast = followed && first.variable != second.variable &&
                    input.aliasing.haveOneOrigin(first.variable, second.variable);
      const bool hasOneType = !first.isNumber && !second.isNumber;
      if (!isCast && hasOneType && !compatible(first.element, second.element)) continue;
      // `restrict` is believed unless a call in this very file breaks it.
      bool promised = first.isRestrict || second.isRestrict;
      if (promised && !input.aliasing.passedTogether(first.variable, second.variable)) continue;
      if (first.variable == second.variable && first.pointee && second.pointee &&
          lastPointer(first.path) == lastPointer(second.path))
        continue; // fields of one struct
      auto private_ = [&](const Object& o) {
        return !o.pointee && o.variable->hasLocalStorage() && o.rank == 0 &&
               !input.aliasing.isAddressTaken(o.variable);
      };
      if (private_(first) || private_(second)) continue;
      if (followed && !input.aliasing.mayOverlap(first.variable, second.variable)) continue;
      add(static_cast<int>(a), static_cast<int>(b),
          fmt::format("`{}` and `{}` do not overlap", first.name, second.name), {});
    }
    // A symbolic size that lives in memory which the region writes through a pointer.
    if (!first.pointee || !written[a] || first.isRestrict || !first.element->isIntegerType()) continue;
    for (const auto& [name, variable] : std::map(parameterVariables)) {
      if (!variable) continue; // whether a pointer is null, which no integer changes
      bool inMemory = !variable->hasLocalStorage() || input.aliasing.isAddressTaken(variable);
      const bool mayBe = first.isNumber || compatible(variable->getType(), first.element);
      if (!inMemory || contents.written.count(variable) || !mayBe) continue;
      if (lastPointer(first.path).empty() && !input.aliasing.mayOverlap(variable, first.variable)) continue;
      std::vector<int> everywhere(region.loops.size());
      std::iota(everywhere.begin(), everywhere.end(), 0);
      add(static_cast<int>(a), objectOfVariable(variable),
          fmt::format("`{}` does not point to `{}`", first.name, name), everywhere);
    }
  }
}

std::vector<int> RegionReader::writersOf(const Fixed& fixed, const std::vector<bool>& written) {
  std::vector<int> writers;
  for (std::size_t o = 0; o < written.size(); ++o) {
    const Object& object = objects[o];
    if (!written[o] || object.storage == Array::Storage::Predicate || object.isRestrict) continue;
    const bool isBytes = object.isNumber || (object.pointee && object.element->isCharType());
    if (!isBytes && !mayHold(object.element, fixed.type)) continue;
    if (!object.pointee && object.variable->hasLocalStorage() &&
        !input.aliasing.isAddressTaken(object.variable))
      continue;
    // A variable is only itself, and some pointers are known to point elsewhere.
    if (!object.pointee && fixed.pointers == 0 && fixed.root != object.variable) continue;
    const bool isFollowed =
        object.path.find("->") == std::string::npos && object.path.find("[]") == std::string::npos;
    const bool isNear = fixed.root && fixed.pointers <= (fixed.root->getType()->isPointerType() ? 1 : 0);
    if (isNear && isFollowed && !input.aliasing.mayOverlap(fixed.root, object.variable)) continue;
    writers.push_back(static_cast<int>(o));
  }
  return writers;
}

/// `set` without the indices of loops that are not around `statement`: those inside its code, if `any`.
static isl::set withoutInnerIndices(const isl::set& set, const Statement& statement, bool& any) {
  return withoutParameters(set, [&](const std::string& name) {
    const bool isAround = std::any_of(statement.loops.begin(), statement.loops.end(),
                                      [&](int loop) { return name == "$" + std::to_string(loop); });
    const bool isInner = name.starts_with("$") && !isAround;
    any |= isInner;
    return isInner;
  });
}

Statement RegionReader::modelOf(const RawStatement& raw, const std::string& name,
                                const std::vector<int>& arrayOf) const {
  Statement statement = raw.model;
  statement.name = name;
  InstanceSpace space(region, statement);
  statement.domain = space.domain(raw.domain.intersect(region.context)).coalesce();
  auto moved = [&](const ExprPtr& expr) { return onInstances(expr, space); };
  statement.body = moved(statement.body);
  if (statement.code) statement.code = withExprs(*statement.code, moved);
  for (ExprPtr& guard : statement.guards)
    guard = moved(guard);
  for (const RawAccess& from : raw.accesses) {
    Access access;
    access.kind = from.kind;
    access.array = arrayOf[from.place.object];
    isl::set image = isl::manage(isl_set_universe(isl_space_set_alloc(islContext().get(), 0, 0)));
    bool exact = from.place.inexactReason.empty();
    std::string reason = from.place.inexactReason;
    for (const Subscript& subscript : from.place.subscripts) {
      auto affine = subscript ? subscript->asAffine() : std::nullopt;
      isl_set* one = affine ? isl_set_from_pw_aff(affine->copy())
                            : isl_set_universe(isl_space_set_alloc(islContext().get(), 0, 1));
      if (!affine && from.kind != Access::Kind::Kill) {
        exact = false;
        if (reason.empty()) reason = "`" + from.text + "` has a subscript that is not affine";
      }
      image = isl::manage(isl_set_flat_product(image.release(), one));
    }
    image = isl::manage(isl_set_set_tuple_name(image.release(), region.arrays[access.array].name.c_str()));
    image = image.intersect_params(raw.domain.intersect(from.when).intersect(region.context));
    if (statement.code) {
      bool inner = false;
      image = withoutInnerIndices(image, statement, inner);
      if (exact && inner) reason = "`" + from.text + "` is in a loop that is not taken apart";
      exact = exact && !inner;
    }
    access.map = space.map(image).coalesce();
    access.exact = exact;
    access.inexactReason = exact ? "" : reason;
    if (!exact && access.kind == Access::Kind::Write) access.kind = Access::Kind::MayWrite;
    if (!exact && access.kind == Access::Kind::Read) access.kind = Access::Kind::MayRead;
    access.range = from.range;
    access.text = from.text;
    statement.accesses.push_back(access);
  }
  return statement;
}

void RegionReader::laterExtents(int index, const Object& object) {
  Array& array = region.arrays[static_cast<std::size_t>(index)];
  const std::size_t tables = object.tables.size();
  array.base = object.table;
  array.tables = object.tables;
  for (std::size_t d = 1; d <= tables; ++d) {
    std::string name = fmt::format("{} extent", array.name) + (d < tables ? std::to_string(d) : "");
    const auto isTaken = [&](const Parameter& one) { return one.name == name; };
    while (std::any_of(region.parameters.begin(), region.parameters.end(), isTaken))
      name += "'";
    region.parameters.push_back(
        {name, "", modelType(input.context, input.context.IntTy), false, false, true});
    array.extents[d] = parameter(name);
  }
  for (Array& part : region.arrays)
    if (part.within == index) {
      std::copy(array.extents.begin() + 1, array.extents.begin() + array.rank, part.extents.begin() + 1);
      part.tables = array.tables;
      part.base = array.base;
    }
}

Region RegionReader::finish(const std::vector<const clang::Stmt*>& list) {
  domain = isl::set::universe(isl::space::unit(islContext()).params());
  spreadStructAccesses();
  spreadUnknownPlaces();
  groupFields();
  recoverDimensions();

  std::vector<bool> used(objects.size()), written(objects.size());
  for (const RawStatement* statement : rawStatements())
    for (const RawAccess& access : statement->accesses) {
      used[access.place.object] = true;
      if (access.kind == Access::Kind::Write || access.kind == Access::Kind::MayWrite)
        written[access.place.object] = true;
    }
  addOverlapConditions(used, written);
  for (const auto& [place, fixed] : takenAsFixed) {
    std::vector<int> writers = writersOf(fixed, written);
    if (writers.empty()) continue;
    if (!fixed.hasAddress) writers.clear();
    region.conditions.push_back({Condition::Kind::Unchanged,
                                 "no write changes `" + place + "`",
                                 writers,
                                 {},
                                 {},
                                 {},
                                 fixed.hasAddress ? place : ""});
  }
  for (std::size_t o = 0; o < used.size(); ++o)
    if (used[o] && objects[o].bytesMayChangeTable)
      region.conditions.push_back({Condition::Kind::Unchanged,
                                   "no write changes the pointers to the rows of `" + objects[o].name + "`",
                                   {static_cast<int>(o)},
                                   {},
                                   {},
                                   {}});
  for (const Condition& condition : region.conditions)
    for (int object : condition.arrays)
      if (object < static_cast<int>(used.size())) used[object] = true;
  used.resize(objects.size(), true);
  for (std::size_t o = 0; o < objects.size(); ++o)
    if (used[o] && objects[o].within >= 0) used[objects[o].within] = true;

  // Arrays, without objects that were only met while looking for values.
  std::vector<int> arrayOf(objects.size(), -1);
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (!used[o]) continue;
    const Object& object = objects[o];
    arrayOf[o] = static_cast<int>(region.arrays.size());
    Array array;
    array.name = object.name;
    array.variable = object.variable ? object.variable->getNameAsString() : object.name;
    array.field = object.path;
    array.base = object.base;
    int subscripts = 0;
    for (const FieldStep& step : object.steps) {
      array.members.push_back({step.field, step.rank});
      subscripts += step.rank;
    }
    // Dimensions are recovered from the last subscript.
    array.outerRank = subscripts > 0 ? static_cast<int>(object.outerRank) : object.rank;
    array.element = modelType(input.context, object.element);
    array.storage = object.storage;
    array.rank = object.rank;
    for (const auto& extent : object.extents)
      array.extents.push_back(extent ? extent->asAffine() : std::nullopt);
    array.extentTexts = object.extentTexts;
    array.isConst = object.isConst;
    array.isRestrict = object.isRestrict;
    array.recovered = object.recovered;
    array.declaredIn = object.declaredIn;
    array.isHidden = object.isHidden;
    array.isRegister = object.isRegister;
    array.liveAfter = object.liveAfter;
    if (object.variable) array.declaration = sourceRange(input.context, object.variable->getSourceRange());
    region.arrays.push_back(array);
  }
  for (std::size_t o = 0; o < objects.size(); ++o)
    if (used[o] && objects[o].within >= 0) region.arrays[arrayOf[o]].within = arrayOf[objects[o].within];
  for (std::size_t o = 0; o < objects.size(); ++o)
    if (used[o] && objects[o].within < 0 && !objects[o].table.empty() &&
        objects[o].rank > static_cast<int>(objects[o].tables.size()))
      laterExtents(arrayOf[o], objects[o]);
  for (const auto& [loop, said] : words) {
    Word word{"#pragma omp " + said.directive, said.line, said.ofLanes, {}};
    for (std::size_t o = 0; o < objects.size(); ++o)
      if (used[o] && (said.own.count(objects[o].variable) || updated.count(static_cast<int>(o))))
        word.combined.push_back(arrayOf[o]);
    region.loops[loop].word = std::move(word);
  }
  for (Condition& condition : region.conditions) {
    for (int& object : condition.arrays)
      object = arrayOf[object];
    // Recorded with its outermost loop; all loops of that nest rely on it.
    if (condition.kind == Condition::Kind::NoOverlap) continue;
    int root = condition.loops.empty() ? -1 : condition.loops.front();
    condition.loops.clear();
    for (int k = 0; k < static_cast<int>(region.loops.size()); ++k) {
      int top = k;
      while (region.loops[top].parent >= 0)
        top = region.loops[top].parent;
      if (top == root || root < 0) condition.loops.push_back(k);
    }
  }

  std::set<std::string> names;
  for (const Array& array : region.arrays)
    names.insert(array.name);
  auto nameFor = [&](const std::string& kind, std::size_t number) {
    std::string name = kind + std::to_string(number);
    while (names.count(name))
      name += "'";
    return name;
  };
  for (const RawStatement& raw : statements)
    region.statements.push_back(modelOf(raw, nameFor("S", region.statements.size()), arrayOf));
  std::size_t parts = 0;
  for (const auto& [loop, forms] : wholes) {
    bool hostOnly = std::any_of(forms.begin(), forms.end(),
                                [](const RawStatement& raw) { return !raw.model.hostOnly.empty(); });
    if (hostOnly) continue;
    region.wholes.push_back({loop, {}});
    for (const RawStatement& raw : forms)
      region.wholes.back().statements.push_back(modelOf(raw, nameFor("W", parts++), arrayOf));
  }

  const auto asks = [](const std::vector<Statement>& all) {
    return std::any_of(all.begin(), all.end(), asksCharacters);
  };
  if (asks(region.statements) || std::any_of(region.wholes.begin(), region.wholes.end(),
                                             [&](const WholeLoop& whole) { return asks(whole.statements); }))
    region.conditions.push_back({Condition::Kind::Characters,
                                 "the locale has the characters of \"C\"",
                                 {},
                                 {},
                                 {},
                                 rangeOf(list.front())});

  region.range = rangeOf(list.front());
  SourceRange end = rangeOf(list.back());
  region.range.endLine = end.endLine;
  region.range.endColumn = end.endColumn;
  region.range.end = end.end;
  region.closedForms.assign(closedVariables.begin(), closedVariables.end());
  keepUsedParameters();
  validate(region);
  return region;
}

} // namespace warploom
