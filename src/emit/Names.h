// Identifiers of generated text: the user's names wherever they are free, and never two meanings for one
// name.
#pragma once

#include "model/Code.h"
#include "support/Identifiers.h"

#include <map>
#include <string>

namespace warploom {

class Names {
public:
  Names();
  /// An identifier for `what`, a name of the source or of the model (`n`, `grid->nx`, `m*n`, `if#0`). The
  /// same one for the same `what`; never one that something else has, nor a keyword.
  std::string of(const std::string& what);
  /// The same for a parameter, which is another thing than the array or scalar that may bear its name: the
  /// value that a variable has on entry, where the region changes it.
  std::string ofParameter(const std::string& name) { return of("parameter " + name); }
  /// An identifier that nothing else has, like `wish`.
  std::string fresh(const std::string& wish) { return identifiers.fresh(wish); }

private:
  std::map<std::string, std::string> given;
  Identifiers identifiers;
};

/// `name`, a field or function of the source, or something like it where C++ has that word for itself.
std::string plainName(const std::string& name);

/// `type` in words that CUDA C++ understands without the user's typedefs; empty for what has no such name.
std::string scalarType(const Type& type);

/// The same, and the name by which Definitions defines a struct.
std::string typeName(const Type& type);

/// The name by which Definitions defines `function`.
std::string functionName(const Function& function);

} // namespace warploom
