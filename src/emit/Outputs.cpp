#include "emit/Outputs.h"

#include "emit/Names.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace warploom {

namespace {

class VisitWriter {
public:
  VisitWriter(const Region& region, int array, const std::string& data, const std::string& count,
              TextWriter& out)
      : region(region), array(array), data(data), count(count), out(out) {
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses) {
        const Array& object = region.arrays[static_cast<std::size_t>(access.array)];
        if (!access.writes() || memoryOf(region, access.array) != array) continue;
        std::string path;
        for (const Member& member : object.members)
          path += "." + member.field;
        written.insert(object.within < 0 ? "" : path);
      }
  }

  void write() {
    const Array& object = region.arrays[static_cast<std::size_t>(array)];
    bool isPlain = data.find(' ') == std::string::npos;
    size = isPlain ? "sizeof *" + data : "sizeof *(" + data + ")";
    if (object.element.kind == Type::Kind::Struct)
      fields("", isPlain ? data + "[0]" : "(" + data + ")[0]", *object.element.record);
    else
      visit("", data, typeInC(object.element));
  }

private:
  /// The type as those who compare know it.
  static std::string typeInC(const Type& type) {
    if (type.kind != Type::Kind::Complex) return scalarType(type);
    return type.bits == 64 ? "float _Complex" : type.bits == 128 ? "double _Complex" : "";
  }

  void visit(const std::string& path, const std::string& address, const std::string& type) {
    out.line("visit(context, \"{}{}\", {}, {}, {}, \"{}\");",
             region.arrays[static_cast<std::size_t>(array)].name, path, address, count, size, type);
  }

  /// The fields of the struct `element`, an lvalue, which is reached by `path`.
  void fields(const std::string& path, const std::string& element, const Record& record) {
    for (const Field& field : record.fields) {
      std::string inner = path + "." + field.name, text = element + "." + plainName(field.name);
      std::string type = field.type.kind == Type::Kind::Pointer ? "unsigned long long" : typeInC(field.type);
      bool isStruct = field.type.record && field.type.record->problem.empty();
      if (!isWritten(inner, isStruct) || (type.empty() && !isStruct)) continue;
      for (long extent : field.extents) {
        std::string index = fmt::format("k{}", loops++);
        out.open("for (long {0} = 0; {0} < {1}; ++{0})", index, extent);
        text += "[" + index + "]";
      }
      if (isStruct)
        fields(inner, text, *field.type.record);
      else
        visit(inner, "&" + text, type);
      for (std::size_t k = 0; k < field.extents.size(); ++k) {
        out.close();
        --loops;
      }
    }
  }

  /// True when the region writes the field, a struct around it or, with `inside`, a part of it.
  bool isWritten(const std::string& path, bool inside) const {
    auto begins = [](const std::string& text, const std::string& with) {
      return text.rfind(with, 0) == 0 && (text.size() == with.size() || text[with.size()] == '.');
    };
    return std::any_of(written.begin(), written.end(), [&](const std::string& one) {
      return one.empty() || begins(path, one) || (inside && begins(one, path));
    });
  }

  const Region& region;
  const int array;
  const std::string &data, &count;
  TextWriter& out;
  std::set<std::string> written; ///< paths of fields; empty for whole structs
  std::string size;              ///< of an element
  int loops = 0;
};

} // namespace

void writeVisits(const Region& region, int array, const std::string& data, const std::string& count,
                 TextWriter& out) {
  VisitWriter(region, array, data, count, out).write();
}

} // namespace warploom
