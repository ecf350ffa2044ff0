// C types as far as a compiler of loops needs them: what a value is, and how a struct is laid out.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warploom {

struct Record;

/// The C type of a value.
struct Type {
  enum class Kind {
    Void,
    Bool,
    SignedInt,
    UnsignedInt,
    Float,
    Complex, ///< two floating-point numbers of half its bits
    Pointer,
    Struct,
    Other
  };
  Kind kind = Kind::Other;
  unsigned bits = 0;                         ///< size in bits; 0 for void and incomplete types
  std::string spelling;                      ///< as the user wrote it, e.g. `DATA_TYPE` or `struct point`
  std::shared_ptr<const Record> record = {}; ///< Kind::Struct: its layout; null where that is not known

  bool isInteger() const {
    return kind == Kind::Bool || kind == Kind::SignedInt || kind == Kind::UnsignedInt;
  }
  bool isFloating() const { return kind == Kind::Float; }
  /// True when sums of such values depend on their order.
  bool isRounded() const { return kind == Kind::Float || kind == Kind::Complex; }
};

/// A field of a struct: `type name[extents[0]]...`.
struct Field {
  std::string name;
  Type type; ///< of an element
  std::vector<long> extents;
  long offset = 0; ///< in bytes
  long size = 0;   ///< of the whole field, in bytes
  long alignment = 1;
};

/// The layout of a struct, complete enough to define the same one again.
struct Record {
  std::string name; ///< an identifier: its tag, the name that a typedef gives it, or one that was made up
  long size = 0, alignment = 1; ///< in bytes
  std::vector<Field> fields;    ///< in order of offset
  std::string problem;          ///< why it cannot be defined again by its fields, as a predicate; else empty
};

/// The field of `record` called `name`; null when there is none.
const Field* fieldOf(const Record& record, const std::string& name);

} // namespace warploom
