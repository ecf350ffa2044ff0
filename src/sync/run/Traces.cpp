#include "sync/run/Traces.h"

#include "sync/model/Cells.h"
#include "sync/model/Text.h"
#include "sync/reader/Lexer.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace warploom::sync {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(unsigned line, const std::string& message) {
  throw Error({line, 1}, message);
}

/// A vector of bits as it is written: 0b0101, or a number.
Value parseBits(const std::string& text, const ScalarType& type, const std::string& name, unsigned line) {
  const bool binary = text.rfind("0b", 0) == 0;
  std::uint64_t bits = 0;
  const char *first = text.data() + (binary ? 2 : 0), *last = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(first, last, bits, binary ? 2 : 10);
  Value value{std::int64_t(bits), 0};
  if (parsed.ec != std::errc() || parsed.ptr != last || !fits(type, value))
    refuse(line, fmt::format("`{}` of `{}` is not a vector of {} bits such as 0b01", text, name, type.bound));
  return value;
}

void checkRange(const ScalarType& type, const Value& value, const std::string& name, unsigned line) {
  if (!fits(type, value))
    refuse(line, fmt::format("{} is outside the range {}..{} of `{}`", value.integer, type.smallest(),
                             type.largest(), name));
}

Value scalarFrom(const Json& json, const ScalarType& type, const std::string& name, unsigned line) {
  Value value;
  switch (type.base) {
  case ScalarType::Base::Bool:
    if (!json.is_boolean()) refuse(line, fmt::format("`{}` needs true or false, not {}", name, json.dump()));
    value.integer = json.get<bool>();
    return value;
  case ScalarType::Base::Real:
    if (!json.is_number()) refuse(line, fmt::format("`{}` needs a number, not {}", name, json.dump()));
    value.real = json.get<double>();
    return value;
  case ScalarType::Base::Bits:
    if (!json.is_string() && !json.is_number_unsigned())
      refuse(line, fmt::format("`{}` needs bits such as \"0b01\", not {}", name, json.dump()));
    return parseBits(json.is_string() ? json.get<std::string>() : json.dump(), type, name, line);
  default:
    if (!json.is_number_integer())
      refuse(line, fmt::format("`{}` needs an integer, not {}", name, json.dump()));
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t(INT64_MAX))
      refuse(line, fmt::format("{} is outside the range {}..{} of `{}`", json.dump(), type.smallest(),
                               type.largest(), name));
    value.integer = json.get<std::int64_t>();
    checkRange(type, value, name, line);
    return value;
  }
}

void cellsFrom(const Json& json, const Type& type, std::size_t dimension, const std::string& name,
               unsigned line, std::vector<Value>& into) {
  if (dimension == type.extents.size()) {
    into.push_back(scalarFrom(json, type.scalar, name, line));
    return;
  }
  if (!json.is_array() || std::int64_t(json.size()) != type.extents[dimension])
    refuse(line, fmt::format("`{}` needs an array of {} elements, not {}", name, type.extents[dimension],
                             json.is_array() ? fmt::format("one of {}", json.size()) : json.dump()));
  for (const Json& element : json)
    cellsFrom(element, type, dimension + 1, name, line, into);
}

Json scalarJson(const ScalarType& type, const Value& value) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return value.integer != 0;
  case ScalarType::Base::Real:
    return value.real;
  case ScalarType::Base::Bits:
    return text(type, value);
  default:
    return value.integer;
  }
}

Json cellsJson(const Type& type, std::size_t dimension, const Value*& cell) {
  if (dimension == type.extents.size()) return scalarJson(type.scalar, *cell++);
  Json result = Json::array();
  for (std::int64_t i = 0; i < type.extents[dimension]; ++i)
    result.push_back(cellsJson(type, dimension + 1, cell));
  return result;
}

/// The variables that `isMeant`, whose cells have these values, as one object.
std::string jsonLine(const System& system, const std::vector<Value>& values,
                     bool (Variable::*isMeant)() const) {
  const Value* cell = values.data();
  Json json = Json::object();
  for (const Variable& variable : system.variables)
    if ((variable.*isMeant)()) json[variable.name] = cellsJson(variable.type, 0, cell);
  return json.dump();
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::size_t at = 0;
  while (true) {
    const std::size_t comma = line.find(',', at);
    result.push_back(
        trimmed(std::string_view(line).substr(at, comma == std::string::npos ? comma : comma - at)));
    if (comma == std::string::npos) return result;
    at = comma + 1;
  }
}

} // namespace

InputReader::InputReader(const System& of, std::istream& stream, bool isCsv)
    : system(of), from(stream), csv(isCsv) {}

std::optional<std::vector<Value>> InputReader::next() {
  std::string text;
  while (std::getline(from, text)) {
    ++line;
    if (trimmed(text).empty()) continue;
    if (!csv) return fromJson(text);
    if (columns.empty() && !inputCells(system).empty()) {
      readHeader(text);
      continue;
    }
    return fromCsv(text);
  }
  return std::nullopt;
}

std::vector<Value> InputReader::fromJson(const std::string& text) const {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    refuse(line, "expected a JSON object with the inputs of one step");
  std::vector<Value> result;
  std::size_t used = 0;
  for (const Variable& variable : system.variables) {
    if (!variable.isInput()) continue;
    auto found = json.find(variable.name);
    if (found == json.end()) refuse(line, fmt::format("input `{}` is missing", variable.name));
    ++used;
    cellsFrom(*found, variable.type, 0, variable.name, line, result);
  }
  if (used != json.size())
    for (const auto& [name, value] : json.items()) {
      const int variable = system.find(name);
      if (variable < 0 || !system.variables[variable].isInput())
        refuse(line, fmt::format("`{}` is not an input of {}", name, system.name));
    }
  return result;
}

void InputReader::readHeader(const std::string& text) {
  const CellNumbering numbering(system);
  const std::vector<int> cells = inputCells(system);
  for (const std::string& field : fields(text)) {
    auto found =
        std::find_if(cells.begin(), cells.end(), [&](int cell) { return numbering.name(cell) == field; });
    if (found == cells.end())
      refuse(line, fmt::format("`{}` is not an input cell of {}", field, system.name));
    const int column = int(found - cells.begin());
    if (std::find(columns.begin(), columns.end(), column) != columns.end())
      refuse(line, fmt::format("column `{}` appears twice", field));
    columns.push_back(column);
  }
  if (columns.size() != cells.size())
    refuse(line, fmt::format("the header names {} of {} input cells", columns.size(), cells.size()));
}

std::vector<Value> InputReader::fromCsv(const std::string& text) const {
  const CellNumbering numbering(system);
  const std::vector<int> cells = inputCells(system);
  const std::vector<std::string> values = fields(text);
  if (values.size() != columns.size() && !columns.empty())
    refuse(line, fmt::format("expected {} fields, found {}", columns.size(), values.size()));
  std::vector<Value> result(cells.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = numbering.name(cells[columns[i]]);
    const ScalarType& type = system.variables[numbering.variableOf(cells[columns[i]])].type.scalar;
    if (type.base == ScalarType::Base::Bits) {
      result[columns[i]] = parseBits(values[i], type, name, line);
      continue;
    }
    const std::string& field = values[i];
    const std::string json =
        type.isBool() && (field == "0" || field == "1") ? (field == "1" ? "true" : "false") : field;
    Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded()) refuse(line, fmt::format("`{}` is no value for `{}`", field, name));
    result[columns[i]] = scalarFrom(parsed, type, name, line);
  }
  return result;
}

std::string inputLine(const System& system, const std::vector<Value>& inputs) {
  return jsonLine(system, inputs, &Variable::isInput);
}

OutputWriter::OutputWriter(const System& of, std::ostream& stream, bool isCsv)
    : system(of), to(stream), csv(isCsv) {
  if (!csv) return;
  const CellNumbering numbering(system);
  std::string header;
  for (int cell : outputCells(system))
    header += (header.empty() ? "" : ",") + numbering.name(cell);
  to << header << '\n';
}

void OutputWriter::write(const std::vector<Value>& outputs) {
  if (csv) {
    const Value* cell = outputs.data();
    std::string line;
    for (const Variable& variable : system.variables)
      if (variable.isOutput())
        for (std::int64_t i = 0; i < variable.type.cellCount(); ++i, ++cell)
          line += (line.empty() ? "" : ",") + text(variable.type.scalar, *cell);
    to << line << std::endl; // the environment may wait for the outputs before it gives the next inputs
    return;
  }
  to << jsonLine(system, outputs, &Variable::isOutput) << std::endl;
}

} // namespace warploom::sync
