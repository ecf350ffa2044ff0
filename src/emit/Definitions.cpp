#include "emit/Definitions.h"

#include "emit/ExprText.h"
#include "emit/Names.h"
#include "emit/Refused.h"
#include "model/CharacterFunctions.h"
#include "model/MathFunctions.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// What to do instead of computing with `type`, where there is something.
std::string insteadOf(const Type& type) {
  const bool isLong = (type.kind == Type::Kind::Float && type.bits > 64) ||
                      (type.kind == Type::Kind::Complex && type.bits > 128);
  if (isLong) return "; a device has no numbers of more digits than `double`";
  return type.kind == Type::Kind::Float ? "; `float` has the room for its values" : "";
}

/// A field with the size, alignment and, where kernels have a word for it, the type that it has in the
/// source.
std::string fieldText(const Field& field) {
  std::string name = plainName(field.name), type = typeName(field.type);
  if (field.type.kind == Type::Kind::Pointer) type = "void*";
  if (type.empty() || (field.type.record && !field.type.record->problem.empty()))
    return fmt::format("alignas({}) unsigned char {}[{}];", field.alignment, name, field.size);
  std::string text = type + " " + name;
  for (long extent : field.extents)
    text += fmt::format("[{}]", extent);
  return text + ";";
}

std::string structText(const Record& record) {
  TextWriter out;
  std::string name = plainName(record.name);
  long alignment = 1; // which bit-fields give a struct goes beyond that of the numbers they are in
  for (const Field& field : record.fields)
    alignment = std::max(alignment, field.alignment);
  out.open("struct {}{}", alignment < record.alignment ? fmt::format("alignas({}) ", record.alignment) : "",
           name);
  for (const Field& field : record.fields)
    out.line(fieldText(field));
  out.close(";");
  out.line("static_assert(sizeof({}) == {}, \"{} is laid out as in the source\");", name, record.size, name);
  for (const Field& field : record.fields)
    if (field.offset > 0)
      out.line("static_assert(offsetof({}, {}) == {}, \"{} is where it is in the source\");", name,
               plainName(field.name), field.offset, field.name);
  return out.text();
}

std::string functionText(const Function& function) {
  TextWriter out;
  Names names;
  std::string parameters;
  for (const Function::Parameter& parameter : function.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", typeName(parameter.type),
                              names.of(parameter.name));
  auto nameOf = [&](const std::string& local) { return names.of(local); };
  LeafText leaf = [&](const Expr& node) {
    return ExprText{names.of(node.text) + subscriptsText(node, 0, leaf), ExprText::primary};
  };
  out.open("__device__ {} {}({})", typeName(function.result), plainName(function.name), parameters);
  if (function.body->kind == Code::Kind::Block)
    for (const CodePtr& part : function.body->children)
      writeCode(*part, leaf, nameOf, out);
  else
    writeCode(*function.body, leaf, nameOf, out);
  out.close();
  return out.text();
}

} // namespace

void Definitions::define(const std::string& name, const std::string& text, const SourceRange& at) {
  auto [found, isNew] = texts.emplace(name, text);
  if (isNew)
    order.push_back(name);
  else if (found->second != text)
    throw EmissionRefused(at, "`" + name + "` has two meanings in this file");
}

void Definitions::add(const Type& type, const SourceRange& at) {
  if (type.kind != Type::Kind::Struct) {
    if (scalarType(type).empty() && type.kind != Type::Kind::Void && !type.spelling.empty())
      throw EmissionRefused(at, "`" + type.spelling + "` is not a type that kernels compute with" +
                                    insteadOf(type));
    return;
  }
  if (!type.record) throw EmissionRefused(at, "how `" + type.spelling + "` is laid out is not known");
  const Record& record = *type.record;
  if (!record.problem.empty()) throw EmissionRefused(at, "`" + type.spelling + "` " + record.problem);
  for (const Field& field : record.fields)
    if (field.type.record && field.type.record->problem.empty()) add(field.type, at);
  define(plainName(record.name), structText(record), at);
}

void Definitions::add(const Function& function, const SourceRange& at) {
  if (!function.body)
    throw EmissionRefused(at, "it calls `" + function.name + "`, which " + function.problem);
  add(function.result, at);
  for (const Function::Parameter& parameter : function.parameters)
    add(parameter.type, at);
  try {
    add(*function.body);
  } catch (const EmissionRefused& refused) {
    throw EmissionRefused(at, fmt::format("it calls `{}`, where {}", function.name, refused.what()));
  }
  define(plainName(function.name), functionText(function), at);
}

void Definitions::add(const Code& code) {
  if (code.kind == Code::Kind::Declare) add(code.type, code.range);
  if (code.value) add(*code.value);
  for (const ExprPtr& step : code.steps)
    add(*step);
  for (const CodePtr& child : code.children)
    add(*child);
}

void Definitions::add(const Expr& expr) {
  if (expr.kind == Expr::Kind::Opaque)
    throw EmissionRefused(expr.range, "`" + exprText(expr) + "` has no device version");
  if (expr.kind == Expr::Kind::Call) {
    if (expr.function)
      add(*expr.function, expr.range);
    else if (!isMathFunction(expr.text) && characterFunction(expr.text).empty())
      throw EmissionRefused(expr.range, "it calls `" + expr.text + "`, which has no device version");
  }
  if (expr.kind == Expr::Kind::Member) {
    const std::shared_ptr<const Record>& record = expr.operands[0]->type.record;
    const Field* field = record ? fieldOf(*record, expr.text) : nullptr;
    if (!field) throw EmissionRefused(expr.range, "`" + exprText(expr) + "` has no device version");
    add(field->type, expr.range);
  }
  // The parts of a struct are converted to its fields.
  bool isPart = expr.kind == Expr::Kind::Aggregate && expr.type.kind != Type::Kind::Struct;
  if (!isPart) add(expr.type, expr.range);
  for (const ExprPtr& operand : expr.operands)
    add(*operand);
}

void Definitions::add(const Region& region, int index, const SourceRange& at) {
  const Array& array = region.arrays[static_cast<std::size_t>(index)];
  const std::string name = "`" + array.name + "`";
  if (array.field.find("<union>") != std::string::npos)
    throw EmissionRefused(at, name + " is a member of a union");
  if (array.storage != Array::Storage::Predicate && array.base.empty())
    throw EmissionRefused(at, name + " is reached through several pointers");
  if (scalarType(array.element).empty() && array.element.kind != Type::Kind::Struct)
    throw EmissionRefused(at, fmt::format("{} has elements of type `{}`, which kernels do not handle{}", name,
                                          array.element.spelling, insteadOf(array.element)));
  add(array.element, at);
  for (std::size_t k = 1; k < array.extents.size(); ++k)
    if (!array.extents[k]) throw EmissionRefused(at, "the size of a dimension of " + name + " is not known");
  if (array.within < 0) return;
  add(region, array.within, at);
  const Record* record = region.arrays[static_cast<std::size_t>(array.within)].element.record.get();
  for (const Member& member : array.members) {
    const Field* field = record ? fieldOf(*record, member.field) : nullptr;
    if (!field) throw EmissionRefused(at, name + " is not a plain field of a struct");
    add(field->type, at);
    record = field->type.record.get();
  }
}

void Definitions::add(const Region& region, const RegionPlan& plan) {
  for (const KernelPlan& kernel : plan.kernels)
    for (int s : kernel.statements) {
      const Statement& statement = region.statements[static_cast<std::size_t>(s)];
      if (!statement.body && !statement.code) throw EmissionRefused(statement.range, "it is not looked into");
      if (statement.body) add(*statement.body);
      if (statement.code) add(*statement.code);
      for (const ExprPtr& guard : statement.guards)
        add(*guard);
      for (const Access& access : statement.accesses)
        add(region, access.array, access.range);
    }
}

std::string Definitions::text() const {
  if (order.empty()) return {};
  TextWriter out;
  out.comment("Structs and functions of the source.");
  out.line("namespace {");
  out.line("namespace source {");
  for (const std::string& name : order) {
    out.line();
    out.lines(texts.at(name));
  }
  out.line();
  out.line("} // namespace source");
  out.line("} // namespace");
  out.line();
  return out.text();
}

} // namespace warploom
