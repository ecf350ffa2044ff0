#include "sync/reader/Modules.h"

#include "sync/reader/Expressions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace warploom::sync {

void Modules::add(const Token& name, const Token& beginning) {
  if (!beginnings.emplace(name.text, Beginning{beginning.begin, beginning.place}).second)
    throw Error(name.place, fmt::format("there is another module `{}`", name.text));
}

const Modules::Beginning& Modules::find(const Token& name) const {
  const auto found = beginnings.find(name.text);
  if (found == beginnings.end()) throw Error(name.place, fmt::format("there is no module `{}`", name.text));
  const auto open = std::find(reading.begin(), reading.end(), name.text);
  if (open != reading.end()) {
    std::string way;
    for (auto at = open; at != reading.end(); ++at)
      way += *at + " -> ";
    throw Error(name.place, fmt::format("recursive instantiation: {}{}", way, name.text));
  }
  return found->second;
}

std::optional<unsigned> importFile(Sources& sources, const Token& name, unsigned from, const char* ending) {
  const std::filesystem::path path =
      std::filesystem::path(sources.files[from].name).parent_path() / (std::string(name.text) + ending);
  for (const Sources::File& known : sources.files)
    if (std::filesystem::path(known.name) == path) return std::nullopt; // once is enough, in a circle too
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf()))
    throw Error(name.place, fmt::format("cannot read `{}`", path.string()));
  sources.files.push_back({path.string(), text.str()});
  return unsigned(sources.files.size()) - 1;
}

InstanceArray parseInstanceArray(Lexer& lexer, const SystemBuilder& builder) {
  InstanceArray result;
  while (lexer.accept("[")) {
    result.indices.emplace_back(lexer.expectName("the name of an index").text);
    lexer.expect(":", "after the name of an index");
    const Place place = lexer.peek().place;
    result.extents.push_back(parseConstant(lexer, builder, "the number of instances"));
    lexer.expect("]", "after the number of instances");
    if (result.extents.back() < 1 || result.extents.back() > maximalInstances / result.count)
      throw Error(place, fmt::format("an array has between 1 and {} instances", maximalInstances));
    result.count *= result.extents.back();
  }
  return result;
}

void InstanceArray::forEach(SystemBuilder& builder, Place place,
                            const std::function<void(const std::vector<std::int64_t>& at)>& one) const {
  std::vector<std::int64_t> at(extents.size(), 0);
  for (std::int64_t number = 0; number < count; ++number) {
    std::int64_t rest = number;
    for (std::size_t d = extents.size(); d-- > 0;) {
      at[d] = rest % extents[d];
      rest /= extents[d];
    }
    for (std::size_t d = 0; d < at.size(); ++d)
      builder.bind(indices[d], at[d], place);
    one(at);
    for (const std::string& index : indices)
      builder.unbind(index);
  }
}

} // namespace warploom::sync
