#include "frontend/Reading.h"

#include <gtest/gtest.h>
#include <regex>
#include <stdexcept>

namespace warploom {

FileRegions readSource(const std::string& source, const std::vector<std::string>& flags,
                       const std::string& name) {
  Folder folder;
  FrontendOptions options;
  options.files = {folder.write(name, source)};
  options.compilerFlags = flags;
  return readFiles(options).front();
}

Region regionOf(const std::string& source, const std::vector<std::string>& flags) {
  FileRegions file = readSource(source, flags);
  EXPECT_TRUE(file.compiled);
  if (file.regions.size() != 1) throw std::runtime_error(std::to_string(file.regions.size()) + " regions");
  return file.regions.front();
}

const Statement& statementWith(const Region& region, const std::string& text) {
  for (const Statement& statement : region.statements)
    if (statement.kind != Statement::Kind::Kill && statement.text.find(text) != std::string::npos)
      return statement;
  throw std::runtime_error("no statement with " + text);
}

const Access& accessWith(const Statement& statement, const std::string& text) {
  for (auto access = statement.accesses.rbegin(); access != statement.accesses.rend(); ++access)
    if (access->text == text) return *access;
  throw std::runtime_error("no access " + text);
}

const Array& arrayNamed(const Region& region, const std::string& name) {
  for (const Array& array : region.arrays)
    if (array.name == name) return array;
  throw std::runtime_error("no array " + name);
}

namespace {

std::string named(const Statement& statement, const std::string& text) {
  return std::regex_replace(text, std::regex("\\bS\\["), statement.name + "[");
}

} // namespace

testing::AssertionResult hasDomain(const Statement& statement, const std::string& expected) {
  if (statement.domain.is_equal(isl::set(islContext(), named(statement, expected))))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << printed(statement.domain);
}

testing::AssertionResult touches(const Statement& statement, const Access& access,
                                 const std::string& expected) {
  isl::map map(islContext(), named(statement, expected));
  if (access.map.is_equal(map.intersect_domain(statement.domain))) return testing::AssertionSuccess();
  return testing::AssertionFailure() << printed(access.map);
}

std::vector<std::string> conditions(const Region& region) {
  std::vector<std::string> texts;
  for (const Condition& condition : region.conditions)
    texts.push_back(condition.text);
  return texts;
}

} // namespace warploom
