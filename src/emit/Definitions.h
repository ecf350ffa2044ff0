// What kernels take over from the user's program: structs, laid out as there, and pure functions. Also where
// it is decided whether a region has nothing in it that a kernel cannot say.
#pragma once

#include "mapping/Plan.h"
#include "support/TextWriter.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// The structs and functions of one generated file.
class Definitions {
public:
  /// Takes up what the kernels of `plan` need. Throws EmissionRefused when they need what has no device form.
  void add(const Region& region, const RegionPlan& plan);

  /// The definitions as text; empty when there are none.
  std::string text() const;

private:
  void add(const Region& region, int array, const SourceRange& at);
  void add(const Expr& expr);
  void add(const Code& code);
  void add(const Type& type, const SourceRange& at);
  void add(const Function& function, const SourceRange& at);
  /// Keeps `text` as the definition of `name`.
  void define(const std::string& name, const std::string& text, const SourceRange& at);

  std::map<std::string, std::string> texts; ///< by name
  std::vector<std::string> order;           ///< of the names: what is used comes first
};

} // namespace warploom
