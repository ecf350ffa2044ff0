// Modules of a text and of the files it imports: where each begins, which of them are being read, and the
// arrays of instances that are made of them.
#pragma once

#include "sync/reader/Lexer.h"
#include "sync/reader/SystemBuilder.h"

#include <functional>

namespace warploom::sync {

class Modules {
public:
  /// Where the text of a module begins, behind its name.
  struct Beginning {
    std::size_t offset = 0;
    Place place;
  };

  /// Notes the module `name`, whose text begins at `beginning`. Throws Error when there is another one.
  void add(const Token& name, const Token& beginning);
  /// The module that is called `name`. Throws Error when there is none, or when it is being read: modules do
  /// not instantiate themselves.
  const Beginning& find(const Token& name) const;
  bool empty() const { return beginnings.empty(); }

  void enter(const Token& name) { reading.emplace_back(name.text); }
  void leave() { reading.pop_back(); }
  bool insideModule() const { return !reading.empty(); }

private:
  std::map<std::string, Beginning, std::less<>> beginnings;
  std::vector<std::string> reading; ///< the innermost last
};

/// Adds the file `name` and `ending`, which lies beside the file `from`, to the sources; its index, or
/// nothing when it is there already. Throws Error.
std::optional<unsigned> importFile(Sources& sources, const Token& name, unsigned from, const char* ending);

/// `[i: 4][j: 2]` behind the name of an instance, or nothing: one instance.
struct InstanceArray {
  std::vector<std::string> indices;
  std::vector<std::int64_t> extents;
  std::int64_t count = 1;

  /// Calls `one` for every instance with its indices, which are bound as constants meanwhile.
  void forEach(SystemBuilder& builder, Place place,
               const std::function<void(const std::vector<std::int64_t>& at)>& one) const;
};
InstanceArray parseInstanceArray(Lexer& lexer, const SystemBuilder& builder);

} // namespace warploom::sync
