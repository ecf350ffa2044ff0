// The XML form of a system: one element per section, declaration and action; expressions in attributes, in
// text syntax.
#include "sync/model/Text.h"
#include "sync/reader/Aif.h"
#include "sync/reader/Expressions.h"
#include "sync/reader/SystemBuilder.h"

#include <algorithm>
#include <fmt/format.h>
#include <pugixml.hpp>
#include <set>
#include <sstream>

namespace warploom::sync {

namespace {

class XmlReader {
public:
  explicit XmlReader(const std::string& from) : text(from) {
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') lines.push_back(at + 1);
  }

  System read() {
    pugi::xml_document document;
    const pugi::xml_parse_result loaded = document.load_buffer(text.data(), text.size());
    if (!loaded)
      throw Error(placeAt(std::size_t(loaded.offset)), fmt::format("XML: {}", loaded.description()));
    const std::vector<pugi::xml_node> roots = children(document, "system");
    if (roots.size() != 1)
      throw Error(roots.empty() ? Place{1, 1} : placeOf(roots[1]), "expected one <system>");
    const pugi::xml_node root = roots[0];
    checkSections(root);
    System& system = builder.system;
    system.name = name(root, "the name of the system");
    if (root.attribute("version")) system.version = name(root, "the version", "version");
    system.timestamp = trimmed(root.attribute("timestamp").value());
    if (system.timestamp.find_first_of("\r\n") != std::string::npos)
      throw Error(placeOf(root), "attribute `timestamp`: more than one line");
    for (pugi::xml_node variable : children(root.child("interface"), "variable"))
      declare(variable, true);
    for (pugi::xml_node variable : children(root.child("locals"), "variable"))
      declare(variable, false);
    for (pugi::xml_node let : children(root.child("abbreviations"), "let"))
      builder.abbreviate(name(let, "the name of an abbreviation"), expression(let, "value"), placeOf(let));
    system.presets = bool(root.child("preset"));
    part(root.child(system.presets ? "preset" : "init"), system.init);
    part(root.child("main"), system.main);
    for (pugi::xml_node reaction : children(root.child("absence"), "reaction")) {
      Target target = parsedTarget(reaction).first;
      builder.react(std::move(target), expression(reaction, "value"), placeOf(reaction));
    }
    system.invariant = trimmed(root.child("invariant").child_value());
    system.specifications = trimmed(root.child("specifications").child_value());
    return builder.finish();
  }

private:
  /// Every section of a system is known, and there once.
  void checkSections(pugi::xml_node root) const {
    const std::set<std::string_view> known{"interface", "locals",  "abbreviations", "init",
                                           "main",      "absence", "invariant",     "specifications"};
    std::set<std::string_view> seen;
    for (pugi::xml_node child : elements(root)) {
      const std::string_view section = std::string_view(child.name()) == "preset" ? "init" : child.name();
      if (!known.count(section))
        throw Error(placeOf(child), fmt::format("unknown element <{}>", child.name()));
      if (!seen.insert(section).second) throw Error(placeOf(child), fmt::format("second <{}>", child.name()));
    }
  }

  Place placeAt(std::size_t offset) const {
    const auto line = std::upper_bound(lines.begin(), lines.end(), offset) - 1;
    return {unsigned(line - lines.begin()) + 1, unsigned(offset - *line) + 1};
  }
  Place placeOf(pugi::xml_node node) const {
    const std::ptrdiff_t offset = node.offset_debug();
    return offset < 0 ? Place{1, 1} : placeAt(std::size_t(offset));
  }

  /// The children of a node, which must all be elements.
  std::vector<pugi::xml_node> elements(pugi::xml_node node) const {
    std::vector<pugi::xml_node> result;
    for (pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element)
        throw Error(placeOf(child), fmt::format("unexpected text in <{}>", node.name()));
      result.push_back(child);
    }
    return result;
  }
  /// The same, and their name is `name`.
  std::vector<pugi::xml_node> children(pugi::xml_node node, const char* name) const {
    std::vector<pugi::xml_node> result = elements(node);
    for (pugi::xml_node child : result)
      if (std::string_view(child.name()) != name)
        throw Error(placeOf(child),
                    fmt::format("expected <{}>{}, found <{}>", name,
                                node.parent() ? fmt::format(" in <{}>", node.name()) : "", child.name()));
    return result;
  }

  std::string attribute(pugi::xml_node node, const char* name) const {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) throw Error(placeOf(node), fmt::format("<{}> needs the attribute `{}`", node.name(), name));
    return found.value();
  }

  /// What `parse` makes of the whole attribute; its errors are located at the element.
  template <typename Parse> auto parsed(pugi::xml_node node, const char* name, const Parse& parse) const {
    const std::string value = attribute(node, name);
    try {
      Lexer lexer(value);
      auto result = parse(lexer);
      if (lexer.peek().kind != Token::Kind::End)
        throw Error({}, fmt::format("unexpected {}", lexer.peek().described()));
      return result;
    } catch (const Error& error) {
      throw Error(placeOf(node), fmt::format("attribute `{}`: {}", name, error.what()));
    }
  }

  std::string name(pugi::xml_node node, const char* what, const char* attributeName = "name") const {
    return parsed(node, attributeName,
                  [&](Lexer& lexer) { return std::string(lexer.expectName(what).text); });
  }
  ExprPtr expression(pugi::xml_node node, const char* attributeName) const {
    return parsed(node, attributeName, [&](Lexer& lexer) { return parseExpression(lexer, builder); });
  }
  std::pair<Target, bool> parsedTarget(pugi::xml_node node) const {
    return parsed(node, "target", [&](Lexer& lexer) { return parseAssignedTarget(lexer, builder); });
  }

  void declare(pugi::xml_node node, bool isInterface) {
    Variable variable;
    variable.name = name(node, "the name of a variable");
    variable.place = placeOf(node);
    variable.type = parsed(node, "type", [&](Lexer& lexer) { return parseType(lexer, builder); });
    const std::string role = attribute(node, "role"), storage = node.attribute("storage").value();
    if (isInterface && role == "input")
      variable.role = Variable::Role::Input;
    else if (isInterface && role == "output")
      variable.role = Variable::Role::Output;
    else if (isInterface && role == "inout")
      variable.role = Variable::Role::InOut;
    else if (!isInterface && role == "local")
      variable.role = Variable::Role::Local;
    else if (!isInterface && role == "label")
      variable.role = Variable::Role::Label;
    else
      throw Error(placeOf(node), fmt::format("role `{}` does not belong here", role));
    const bool stored = variable.isOutput() || variable.role == Variable::Role::Local;
    if (stored && storage == "event")
      variable.storage = Variable::Storage::Event;
    else if (stored && storage == "memorized")
      variable.storage = Variable::Storage::Memorized;
    else if (stored)
      throw Error(placeOf(node), "storage must be `event` or `memorized`");
    else if (!storage.empty())
      throw Error(placeOf(node), fmt::format("{} has no storage class", role));
    else
      variable.storage = variable.isInput() ? Variable::Storage::None : Variable::Storage::Event;
    builder.declare(std::move(variable));
  }

  void part(pugi::xml_node node, Part& into) {
    for (pugi::xml_node list : elements(node)) {
      const std::string_view kind = list.name();
      if (kind == "control" || kind == "data") {
        for (pugi::xml_node action : children(list, "action")) {
          ExprPtr guard = expression(action, "guard");
          auto [target, delayed] = parsedTarget(action);
          ExprPtr value = expression(action, "value");
          try {
            (kind == "control" ? into.controlFlow : into.dataFlow)
                .push_back(builder.action(guard, std::move(target), delayed, value, placeOf(action)));
          } catch (const Error& error) {
            throw Error(placeOf(action), error.what());
          }
        }
      } else if (kind == "assertions") {
        for (pugi::xml_node assertion : elements(list)) {
          const bool assumed = std::string_view(assertion.name()) == "assume";
          if (!assumed && std::string_view(assertion.name()) != "assert")
            throw Error(placeOf(assertion),
                        fmt::format("expected <assert> in <{}>, found <{}>", list.name(), assertion.name()));
          into.assertions.push_back(
              builder.assertion(expression(assertion, "guard"), name(assertion, "the name of an assertion"),
                                expression(assertion, "condition"), placeOf(assertion), assumed));
        }
      } else {
        throw Error(placeOf(list), fmt::format("unknown element <{}>", kind));
      }
    }
  }

  const std::string& text;
  std::vector<std::size_t> lines{0}; ///< where each begins
  SystemBuilder builder;
};

void appendPart(const System& system, const Part& part, pugi::xml_node node) {
  auto list = [&](const char* name, const std::vector<Action>& actions) {
    pugi::xml_node into = node.append_child(name);
    for (const Action& action : actions) {
      pugi::xml_node element = into.append_child("action");
      element.append_attribute("guard") = text(system, *action.guard).c_str();
      const std::string target = text(system, action.target);
      element.append_attribute("target") = (action.delayed ? "next(" + target + ")" : target).c_str();
      element.append_attribute("value") = text(system, *action.value).c_str();
    }
  };
  list("control", part.controlFlow);
  list("data", part.dataFlow);
  pugi::xml_node assertions = node.append_child("assertions");
  for (const Assertion& assertion : part.assertions) {
    pugi::xml_node element = assertions.append_child(assertion.assumed ? "assume" : "assert");
    element.append_attribute("guard") = text(system, *assertion.guard).c_str();
    element.append_attribute("name") = assertion.name.c_str();
    element.append_attribute("condition") = text(system, *assertion.condition).c_str();
  }
}

const char* roleWord(Variable::Role role) {
  switch (role) {
  case Variable::Role::Input:
    return "input";
  case Variable::Role::Output:
    return "output";
  case Variable::Role::InOut:
    return "inout";
  case Variable::Role::Local:
    return "local";
  default:
    return "label";
  }
}

} // namespace

System readAifXml(const std::string& text) {
  return XmlReader(text).read();
}

std::string writeAifXml(const System& system) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("system");
  root.append_attribute("name") = system.name.c_str();
  if (!system.version.empty()) root.append_attribute("version") = system.version.c_str();
  if (!system.timestamp.empty()) root.append_attribute("timestamp") = system.timestamp.c_str();
  pugi::xml_node interface = root.append_child("interface"), locals = root.append_child("locals");
  for (const Variable& variable : system.variables) {
    const bool outside = variable.isInput() || variable.isOutput();
    pugi::xml_node element = (outside ? interface : locals).append_child("variable");
    element.append_attribute("name") = variable.name.c_str();
    element.append_attribute("role") = roleWord(variable.role);
    if (variable.isOutput() || variable.role == Variable::Role::Local)
      element.append_attribute("storage") =
          variable.storage == Variable::Storage::Event ? "event" : "memorized";
    element.append_attribute("type") = text(variable.type).c_str();
  }
  pugi::xml_node abbreviations = root.append_child("abbreviations");
  for (const Abbreviation& entry : system.abbreviations) {
    pugi::xml_node element = abbreviations.append_child("let");
    element.append_attribute("name") = entry.name.c_str();
    element.append_attribute("value") = text(system, *entry.value).c_str();
  }
  appendPart(system, system.init, root.append_child(system.presets ? "preset" : "init"));
  appendPart(system, system.main, root.append_child("main"));
  pugi::xml_node absence = root.append_child("absence");
  for (const Reaction& reaction : system.reactions) {
    pugi::xml_node element = absence.append_child("reaction");
    element.append_attribute("target") = text(system, reaction.target).c_str();
    element.append_attribute("value") = text(system, *reaction.value).c_str();
  }
  if (!system.invariant.empty()) root.append_child("invariant").text() = system.invariant.c_str();
  if (!system.specifications.empty())
    root.append_child("specifications").text() = system.specifications.c_str();
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

} // namespace warploom::sync
