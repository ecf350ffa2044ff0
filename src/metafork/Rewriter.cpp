#include "metafork/Rewriter.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::metafork {

std::string declare(const DeclarationText& type, const std::string& name) {
  std::string text = type;
  std::size_t at = text.find('@');
  return at == std::string::npos ? text + " " + name : text.replace(at, 1, name);
}

std::string identityOf(const std::string& operation, const DeclarationText& type) {
  const std::string plain = declare(type, "");
  const bool real = plain.find("float") != std::string::npos || plain.find("double") != std::string::npos;
  const std::string largest =
      fmt::format("(({0})-1 > 0 ? ({0})-1 : ({0})((1ULL << (8 * sizeof({0}) - 1)) - 1))", plain);
  if (operation == "*" || operation == "&&") return "1";
  if (operation == "&") return "~0";
  if (operation == "min") return real ? "__builtin_inf()" : largest;
  if (operation == "max")
    return real ? "-__builtin_inf()"
                : fmt::format("(({0})-1 > 0 ? ({0})0 : ({0})(-{1} - 1))", plain, largest);
  return "0";
}

std::string combined(const std::string& operation, const std::string& left, const std::string& right) {
  if (operation == "min") return fmt::format("({0} < {1} ? {0} : {1})", right, left);
  if (operation == "max") return fmt::format("({0} > {1} ? {0} : {1})", right, left);
  return fmt::format("{} {} {}", left, operation, right);
}

Rewriter::Rewriter(const ForkJoinSource& source)
    : file(source), eol(source.source.find("\r\n") != std::string::npos ? "\r\n" : "\n") {}

std::string Rewriter::rewrite() {
  prepare();
  // Functions are rendered first: what is outlined from them stands around them.
  std::string result;
  std::size_t at = 0;
  for (unsigned k = 0; k < file.functions.size(); ++k) {
    const SourceRange& range = file.functions[k].range;
    if (range.begin < at) continue;
    result += render(at, range.begin);
    std::string text = render(range);
    if (!before[k].empty()) result += (startsLine(range.begin) ? "" : eol) + before[k] + resume(range.line);
    result += text;
    if (!after[k].empty()) result += after[k] + resume(range.endLine);
    at = range.end;
  }
  return result + render(at, file.source.size() + 1);
}

void Rewriter::insert(std::size_t at, const std::string& text, std::size_t end) {
  edits.emplace(at, Edit{at, std::max(at, end), text});
}

void Rewriter::beforeFunction(unsigned function, const std::string& text) {
  before[function] += text + eol;
}
void Rewriter::afterFunction(unsigned function, const std::string& text) {
  after[function] += eol + eol + text;
}

std::string Rewriter::render(std::size_t begin, std::size_t end) {
  std::string result;
  auto construct =
      std::lower_bound(file.constructs.begin(), file.constructs.end(), begin,
                       [](const ForkJoinConstruct& one, std::size_t at) { return one.statement.begin < at; });
  auto use = std::lower_bound(file.uses.begin(), file.uses.end(), begin,
                              [](const VariableUse& one, std::size_t at) { return one.begin < at; });
  auto constant = std::lower_bound(file.constants.begin(), file.constants.end(), begin,
                                   [](const ConstantUse& one, std::size_t at) { return one.begin < at; });
  auto isActive = [&](unsigned index) {
    return std::find(active.begin(), active.end(), index) != active.end();
  };
  auto edit = edits.lower_bound(begin);
  const std::size_t last = std::min(end, file.source.size());
  for (std::size_t at = begin; at < end;) {
    while (construct != file.constructs.end() &&
           (construct->statement.begin < at || isActive(unsigned(construct - file.constructs.begin()))))
      ++construct;
    while (constant != file.constants.end() && (constant->begin < at || !outlined))
      ++constant;
    while (use != file.uses.end() && use->begin < at)
      ++use;
    while (edit != edits.end() && edit->first < at)
      ++edit;
    std::size_t next = end;
    if (construct != file.constructs.end()) next = std::min(next, construct->statement.begin);
    if (edit != edits.end()) next = std::min(next, edit->first);
    if (use != file.uses.end()) next = std::min(next, use->begin);
    if (constant != file.constants.end()) next = std::min(next, constant->begin);
    result += file.source.substr(at, std::min(next, last) - std::min(at, last));
    at = next;
    if (at >= end) break;
    if (edit != edits.end() && edit->first == at) {
      result += edit->second.text;
      std::size_t behind = edit->second.end;
      ++edit;
      if (behind > at) {
        at = behind;
        continue;
      }
      if (edit != edits.end() && edit->first == at) continue;
    }
    if (construct != file.constructs.end() && construct->statement.begin == at) {
      // Those that begin here are inside of the first one.
      std::size_t behind = construct->statement.end;
      active.push_back(unsigned(construct - file.constructs.begin()));
      result += this->construct(active.back());
      active.pop_back();
      at = behind;
    } else if (constant != file.constants.end() && constant->begin == at) {
      result += constant->text;
      at += constant->length;
    } else if (use != file.uses.end() && use->begin == at) {
      auto name = names.find(use->variable);
      const std::string& own = variable(use->variable).name;
      if (name != names.end() && name->second != own) {
        if (use->inMacro) {
          SourceRange place;
          place.begin = at;
          place.line = 1 + unsigned(std::count(file.source.begin(), file.source.begin() + long(at), '\n'));
          throw Refusal(
              place,
              fmt::format("'{}' is shared here, and mentioned by a macro: its mentions cannot be rewritten",
                          own));
        }
        result += name->second;
        at += own.size();
      } else {
        ++use;
        if (at < last) result += file.source[at];
        ++at;
      }
    } else if (at < last) {
      result += file.source[at++];
    } else {
      ++at;
    }
  }
  return result;
}

std::string Rewriter::renderInside(const SourceRange& range, const Names& inside) {
  Names outer = names;
  for (const auto& [index, name] : inside)
    names[index] = name;
  std::string text = render(range);
  names = std::move(outer);
  return text;
}

std::string Rewriter::renderOutlined(const SourceRange& range, const Names& inside) {
  for (const LocalVariable& one : file.variables)
    if (one.localType && one.declared >= range.begin && one.declared < range.end &&
        !(one.typeDeclared >= range.begin && one.typeDeclared < range.end))
      throw Refusal(
          range,
          fmt::format(
              "'{}' has a type that is declared inside the function but outside this block, which cannot be "
              "made a function of its own",
              one.name));
  bool before = outlined;
  outlined = true;
  std::string text = renderInside(range, inside);
  outlined = before;
  return text;
}

std::vector<unsigned> Rewriter::captured(const SourceRange& range) const {
  std::vector<unsigned> result;
  auto use = std::lower_bound(file.uses.begin(), file.uses.end(), range.begin,
                              [](const VariableUse& one, std::size_t at) { return one.begin < at; });
  for (; use != file.uses.end() && use->begin < range.end; ++use) {
    std::size_t declared = variable(use->variable).declared;
    if (declared >= range.begin && declared < range.end) continue;
    if (std::find(result.begin(), result.end(), use->variable) == result.end())
      result.push_back(use->variable);
  }
  return result;
}

bool Rewriter::changedIn(unsigned index, const SourceRange& range) const {
  return std::any_of(file.uses.begin(), file.uses.end(), [&](const VariableUse& use) {
    return use.variable == index && use.begin >= range.begin && use.begin < range.end &&
           (use.written || use.addressed);
  });
}

bool Rewriter::addressedIn(unsigned index, const SourceRange& range) const {
  return std::any_of(file.uses.begin(), file.uses.end(), [&](const VariableUse& use) {
    return use.variable == index && use.begin >= range.begin && use.begin < range.end && use.addressed;
  });
}

std::string Rewriter::written(unsigned index) const {
  auto name = names.find(index);
  return name == names.end() ? variable(index).name : name->second;
}

std::string Rewriter::addressOf(unsigned index) const {
  std::string text = written(index);
  if (text.starts_with("(*") && text.ends_with(")")) return text.substr(2, text.size() - 3);
  return "&" + text;
}

bool Rewriter::isListed(const std::vector<std::string>& list, unsigned index) const {
  return std::find(list.begin(), list.end(), variable(index).name) != list.end();
}

std::string Rewriter::indentation(std::size_t at) const {
  std::size_t start = at == 0 ? 0 : file.source.rfind('\n', at - 1);
  start = start == std::string::npos ? 0 : at == 0 ? 0 : start + 1;
  std::size_t end = start;
  while (end < file.source.size() && (file.source[end] == ' ' || file.source[end] == '\t'))
    ++end;
  return file.source.substr(start, end - start);
}

bool Rewriter::startsLine(std::size_t at) const {
  while (at > 0 && (file.source[at - 1] == ' ' || file.source[at - 1] == '\t'))
    --at;
  return at == 0 || file.source[at - 1] == '\n';
}

std::string Rewriter::freshName(const std::string& prefix) {
  for (;;) {
    std::string name = fmt::format("{}{}", prefix, fresh[prefix]++);
    if (file.source.find(name) == std::string::npos) return name;
  }
}

Rewriter::Passed Rewriter::pass(unsigned index, bool byPointer, const SourceRange& range) const {
  const LocalVariable& one = variable(index);
  Passed result{index, "", "", one.name, false, {}};
  if (one.localType) {
    SourceRange at = range;
    throw Refusal(
        at, fmt::format(
                "'{}' has a type that is declared inside the function; the block that uses it cannot be made "
                "a function of its own",
                one.name));
  }
  // Lengths that only the running program knows come along as numbers.
  std::string dimensions, element = written(index) + "[0]";
  const bool wholeArray = one.isArray && addressedIn(index, range);
  const std::size_t first = one.isArray && !wholeArray ? 1 : 0;
  if (wholeArray) element = written(index);
  for (std::size_t k = first; k < one.extents.size(); ++k) {
    std::string extent = one.extents[k];
    if (extent.empty()) {
      extent = fmt::format("{}_extent{}", one.name, k);
      result.extents.emplace_back(extent, fmt::format("sizeof({0}) / sizeof({0}[0])", element));
    }
    element += "[0]";
    dimensions += "[" + extent + "]";
  }
  if (one.isArray) {
    result.pointer = true;
    result.formal =
        declare(one.element, dimensions.empty() ? "*" + one.name : "(*" + one.name + ")" + dimensions);
    result.argument = wholeArray ? addressOf(index) : written(index);
    if (wholeArray) result.inside = "(*" + one.name + ")";
  } else if (byPointer) {
    result.pointer = true;
    result.formal = dimensions.empty() ? declare(one.element, "*" + one.name)
                                       : declare(one.element, "(**" + one.name + ")" + dimensions);
    result.argument = addressOf(index);
    result.inside = "(*" + one.name + ")";
  } else {
    result.formal = dimensions.empty() ? declare(one.element, one.name)
                                       : declare(one.element, "(*" + one.name + ")" + dimensions);
    result.argument = written(index);
  }
  return result;
}

} // namespace warploom::metafork
