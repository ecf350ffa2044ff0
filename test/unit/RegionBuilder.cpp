#include "RegionBuilder.h"

#include <cctype>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace warploom {

/// Reads the C-like text of one statement into an expression tree and the accesses it makes.
class BodyParser {
public:
  BodyParser(const Region& r, Statement& s, unsigned l) : region(r), statement(s), line(l) {}

  ExprPtr condition(const std::string& source) {
    begin(source);
    return expression();
  }

  ExprPtr assignment(const std::string& source) {
    begin(source);
    std::shared_ptr<Expr> target = lvalue();
    skip();
    std::string op;
    while (at < text.size() && std::string("+-*/&|^=").find(text[at]) != std::string::npos)
      op += text[at++];
    // The left side was parsed as a read: it is the write, after all reads of the statement.
    Access write = statement.accesses.at(target->access);
    if (op == "=") statement.accesses.erase(statement.accesses.begin() + target->access);
    ExprPtr value = expression();
    bool certain = write.exact && statement.guards.empty();
    write.kind = certain ? Access::Kind::Write : Access::Kind::MayWrite;
    target->access = static_cast<int>(statement.accesses.size());
    statement.accesses.push_back(write);
    return node(Expr::Kind::Assign, op, {target, value}, target->type);
  }

private:
  void begin(const std::string& source) {
    text = source;
    at = 0;
  }
  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool take(const std::string& token) {
    skip();
    if (text.compare(at, token.size(), token) != 0) return false;
    at += token.size();
    return true;
  }

  static std::shared_ptr<Expr> node(Expr::Kind kind, const std::string& spelling,
                                    std::vector<ExprPtr> operands, const Type& type) {
    return makeExpr(kind, spelling, type, std::move(operands));
  }

  ExprPtr expression() {
    ExprPtr condition = binary(0);
    if (!take("?")) return condition;
    ExprPtr yes = expression();
    if (!take(":")) throw std::runtime_error("':' expected in " + text);
    ExprPtr no = expression();
    return node(Expr::Kind::Conditional, "?:", {condition, yes, no}, yes->type);
  }

  /// Binary operators from `level` on, loosest first.
  ExprPtr binary(std::size_t level) {
    static const std::vector<std::vector<std::string>> levels = {
        {"||"},     {"&&"},         {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
        {"+", "-"}, {"*", "/", "%"}};
    if (level == levels.size()) return primary();
    ExprPtr left = binary(level + 1);
    for (std::string op = operatorAt(levels[level]); !op.empty(); op = operatorAt(levels[level])) {
      ExprPtr right = binary(level + 1);
      left = node(Expr::Kind::Binary, op, {left, right}, left->type.isFloating() ? left->type : right->type);
    }
    return left;
  }

  /// Takes the operator among `candidates` that stands here; empty when none does. `|` is not the start of
  /// `||`.
  std::string operatorAt(const std::vector<std::string>& candidates) {
    skip();
    for (const std::string& op : candidates) {
      bool doubled = op.size() == 1 && text.compare(at, 2, op + op) == 0 && (op == "|" || op == "&");
      if (text.compare(at, op.size(), op) != 0 || doubled) continue;
      at += op.size();
      return op;
    }
    return "";
  }

  std::string word() {
    skip();
    std::size_t start = at;
    auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    while (at < text.size() && belongs(text[at]))
      ++at;
    return text.substr(start, at - start);
  }

  int arrayNamed(const std::string& name) const {
    for (std::size_t k = 0; k < region.arrays.size(); ++k)
      if (region.arrays[k].name == name) return static_cast<int>(k);
    return -1;
  }

  std::shared_ptr<Expr> lvalue() {
    skip();
    std::size_t start = at;
    int array = arrayNamed(word());
    if (array < 0) throw std::runtime_error("an array or scalar expected in " + text);
    return access(array, start);
  }

  ExprPtr primary() {
    skip();
    Type integer{Type::Kind::SignedInt, 32, "int"}, floating{Type::Kind::Float, 64, "double"};
    if (take("(")) {
      ExprPtr inner = expression();
      if (!take(")")) throw std::runtime_error("')' expected in " + text);
      return inner;
    }
    for (const char* op : {"-", "!"})
      if (take(op)) {
        ExprPtr operand = primary();
        return node(Expr::Kind::Unary, op, {operand}, operand->type);
      }
    std::size_t start = at;
    std::string name = word();
    if (name.empty()) throw std::runtime_error("operand expected in " + text);
    if (std::isdigit(static_cast<unsigned char>(name[0])))
      return node(Expr::Kind::Literal, name, {}, name.find('.') == std::string::npos ? integer : floating);
    if (at < text.size() && text[at] == '(') {
      ++at;
      std::vector<ExprPtr> arguments;
      while (!take(")")) {
        arguments.push_back(expression());
        take(",");
      }
      return node(Expr::Kind::Call, name, arguments, floating);
    }
    if (int array = arrayNamed(name); array >= 0) return access(array, start);
    return node(Expr::Kind::Index, name, {}, integer);
  }

  std::shared_ptr<Expr> access(int array, std::size_t start) {
    std::vector<ExprPtr> subscripts;
    std::string elements, where;
    bool exact = true;
    for (int k = 0; k < region.arrays[array].rank; ++k) {
      if (!take("[")) throw std::runtime_error("'[' expected in " + text);
      std::size_t before = statement.accesses.size(), from = at;
      subscripts.push_back(expression());
      std::string subscript = text.substr(from, at - from);
      if (!take("]")) throw std::runtime_error("']' expected in " + text);
      bool affine = statement.accesses.size() == before;
      exact &= affine;
      elements += (k ? ", e" : "e") + std::to_string(k);
      if (affine) where += (where.empty() ? "" : " and ") + fmt::format("e{} = {}", k, subscript);
    }
    Access made;
    made.kind = exact ? Access::Kind::Read : Access::Kind::MayRead;
    made.array = array;
    made.exact = exact;
    if (!exact) made.inexactReason = "its subscript is not affine";
    made.text = text.substr(start, at - start);
    made.range = {line, static_cast<unsigned>(start + 1), line, static_cast<unsigned>(at + 1), 0, 0};
    isl::map map(islContext(),
                 fmt::format("[{}] -> {{ {}[{}] -> {}[{}]{} }}", parameters(), statement.name, indices(),
                             region.arrays[array].name, elements, where.empty() ? "" : " : " + where));
    made.map = map.intersect_domain(statement.domain);
    statement.accesses.push_back(made);
    auto expr = node(Expr::Kind::Access, region.arrays[array].name, subscripts, region.arrays[array].element);
    expr->access = static_cast<int>(statement.accesses.size()) - 1;
    return expr;
  }

  std::string parameters() const {
    std::string names;
    for (const Parameter& parameter : region.parameters)
      names += (names.empty() ? "" : ", ") + parameter.name;
    return names;
  }
  std::string indices() const {
    std::string names;
    for (int loop : statement.loops)
      names += (names.empty() ? "" : ", ") + region.loops[loop].index;
    return names;
  }

  const Region& region;
  Statement& statement;
  unsigned line;
  std::string text;
  std::size_t at = 0;
};

RegionBuilder::RegionBuilder(const std::string& names, const std::string& context) : parameters(names) {
  made.function = "f";
  made.file = "test.c";
  made.range.line = 1;
  std::string name;
  for (char c : names + ",") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      name += c;
    else if (!name.empty())
      made.parameters.push_back({std::exchange(name, ""), "", {}});
  }
  for (Parameter& parameter : made.parameters)
    parameter.text = parameter.name;
  made.context =
      isl::set(islContext(), fmt::format("[{}] -> {{ : {} }}", names, context.empty() ? "true" : context));
}

Array& RegionBuilder::array(const std::string& name, int rank, const std::string& type) {
  Array array;
  array.name = array.variable = array.base = name;
  array.rank = rank;
  array.element = type == "int" ? Type{Type::Kind::SignedInt, 32, "int"} : Type{Type::Kind::Float, 64, type};
  array.storage = rank ? Array::Storage::Global : Array::Storage::Local;
  array.liveAfter = rank > 0;
  array.extents.resize(rank);
  array.extentTexts.resize(rank);
  made.arrays.push_back(array);
  return made.arrays.back();
}

Loop& RegionBuilder::loop(const std::string& index, const std::string& constraint, long step) {
  Loop loop;
  loop.parent = open.empty() ? -1 : open.back();
  loop.depth = static_cast<int>(open.size()) + 1;
  loop.index = index;
  loop.step = step;
  loop.range.line = ++line;
  loop.range.column = 1;
  open.push_back(static_cast<int>(made.loops.size()));
  constraints.push_back(constraint);
  made.loops.push_back(loop);
  counters.push_back(0);
  return made.loops.back();
}

void RegionBuilder::end() {
  open.pop_back();
  constraints.pop_back();
  counters.pop_back();
  ++counters.back();
}

Statement& RegionBuilder::place(const std::string& affine) {
  Statement& statement = made.statements.emplace_back();
  statement.name = fmt::format("S{}", made.statements.size() - 1);
  statement.loops = open;
  statement.position = counters;
  ++counters.back();
  statement.range.line = ++line;
  std::string indices, where = affine;
  for (int loop : open)
    indices += (indices.empty() ? "" : ", ") + made.loops[loop].index;
  for (const std::string& constraint : constraints)
    where += (where.empty() ? "" : " and ") + constraint;
  statement.domain = isl::set(islContext(), fmt::format("[{}] -> {{ {}[{}]{} }}", parameters, statement.name,
                                                        indices, where.empty() ? "" : " : " + where));
  return statement;
}

Statement& RegionBuilder::statement(const std::string& text, const When& when) {
  Statement& statement = place(when.affine);
  statement.text = text;
  BodyParser parser(made, statement, line);
  for (const std::string& guard : when.guards)
    statement.guards.push_back(parser.condition(guard));
  statement.body = parser.assignment(text);
  return statement;
}

Statement& RegionBuilder::predicate(const std::string& name, const std::string& condition) {
  Array& scalar = array(name, 0, "int");
  scalar.storage = Array::Storage::Predicate;
  Statement& statement = place("");
  statement.kind = Statement::Kind::Predicate;
  statement.text = condition;
  BodyParser parser(made, statement, line);
  statement.body = parser.condition(condition);
  parser.condition(name);
  statement.accesses.back().kind = Access::Kind::Write;
  return statement;
}

Statement& RegionBuilder::kill(const std::string& name) {
  Statement& statement = place("");
  statement.kind = Statement::Kind::Kill;
  for (std::size_t k = 0; k < made.arrays.size(); ++k) {
    if (made.arrays[k].name != name) continue;
    Access access;
    access.kind = Access::Kind::Kill;
    access.array = static_cast<int>(k);
    std::string dimensions;
    for (int d = 0; d < made.arrays[k].rank; ++d)
      dimensions += (d ? ", e" : "e") + std::to_string(d);
    isl::set elements(islContext(), fmt::format("{{ {}[{}] }}", name, dimensions));
    access.map = isl::manage(isl_map_from_domain_and_range(statement.domain.copy(), elements.release()));
    access.text = name;
    access.range.line = line;
    statement.accesses.push_back(access);
  }
  return statement;
}

Region RegionBuilder::region() {
  validate(made);
  return made;
}

int loopNamed(const Region& region, const std::string& index) {
  for (std::size_t k = 0; k < region.loops.size(); ++k)
    if (region.loops[k].index == index) return static_cast<int>(k);
  throw std::runtime_error("no loop over " + index);
}

} // namespace warploom
