#include "cases/CaseText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warploom::cases {

namespace {

std::string needs(const CaseTree& tree, const Code& code) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < tree.discussion.counters.size(); ++k)
    parts.push_back(fmt::format("{} {}", code.amount(k).text(), tree.discussion.counters[k].name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string either(const std::vector<System>& systems, const char* before, const char* between) {
  std::string result;
  for (const System& system : systems)
    result += fmt::format("{}{}\n", result.empty() ? before : between, system.text());
  return result;
}

std::string factText(const Clause& clause) {
  std::vector<std::string> parts;
  for (const Constraint& one : clause)
    parts.push_back(one.text());
  return fmt::format("{}", fmt::join(parts, " or "));
}

nlohmann::ordered_json json(const std::vector<System>& systems) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const System& system : systems) {
    nlohmann::ordered_json one = nlohmann::ordered_json::array();
    for (const Constraint& constraint : system.all)
      one.push_back(constraint.text());
    result.push_back(one);
  }
  return result;
}

nlohmann::ordered_json json(const CaseTree& tree, const Node& node) {
  nlohmann::ordered_json result;
  if (!node.condition.empty()) {
    result["answer"] = node.isAccepted ? "accepted" : "refused";
    result["condition"] = node.condition;
  }
  if (!node.strategy.empty()) result["strategy"] = node.strategy;
  if (node.leaf) {
    const Leaf& leaf = tree.leaves[*node.leaf];
    if (leaf.code)
      result["case"] = leaf.theCase + 1;
    else
      result["case"] = nullptr;
    result["log"] = leaf.log;
    return result;
  }
  result["question"] = node.question;
  for (const Node& child : node.children)
    result["children"].push_back(json(tree, child));
  return result;
}

std::string smt(const std::vector<System>& systems) {
  if (systems.empty()) return "false";
  if (systems.size() == 1) return systems[0].smt();
  std::string result = "(or";
  for (const System& system : systems)
    result += " " + system.smt();
  return result + ")";
}

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// Draws nodes from left to right; each leaf has a row of its own.
class Picture {
public:
  explicit Picture(const CaseTree& t) : tree(t), root(withoutFormalities(t.root)) {}

  std::string draw() {
    widths(root, 0);
    double left = 10;
    for (double wide : width) {
      lefts.push_back(left);
      left += wide + gap;
    }
    node(root, 0);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n{2}</svg>\n",
        left - gap + 10, rows * row + 10, drawn);
  }

private:
  /// The tree without questions that have one answer, because it was given before.
  static Node withoutFormalities(const Node& at) {
    const Node* shown = &at;
    while (shown->children.size() == 1 && shown->children[0].isAccepted)
      shown = &shown->children[0];
    Node result = *shown;
    result.condition = at.condition;
    result.strategy = at.strategy;
    result.isAccepted = at.isAccepted;
    for (Node& child : result.children)
      child = withoutFormalities(child);
    return result;
  }

  static constexpr double row = 54, box = 26, letter = 7.2;
  double gap = 60;

  std::string label(const Node& node) const {
    if (!node.leaf) return node.question;
    const Leaf& leaf = tree.leaves[*node.leaf];
    return leaf.code ? fmt::format("case {}", leaf.theCase + 1) : "no code";
  }
  static double length(const std::string& text) { return letter * static_cast<double>(text.size()); }

  void widths(const Node& node, std::size_t depth) {
    if (width.size() <= depth) width.push_back(0);
    width[depth] = std::max(width[depth], length(label(node)) + 16);
    gap = std::max(gap, std::max(length(node.condition), length(node.strategy)) + 24);
    for (const Node& child : node.children)
      widths(child, depth + 1);
  }

  /// Draws the node and all below it; the height of its middle.
  double node(const Node& at, std::size_t depth) {
    std::vector<double> middles;
    for (const Node& child : at.children)
      middles.push_back(node(child, depth + 1));
    const double y = middles.empty() ? 10 + row * static_cast<double>(rows++) + box / 2
                                     : (middles.front() + middles.back()) / 2;
    const std::string text = label(at);
    const double x = lefts[depth], wide = length(text) + 16;
    for (std::size_t k = 0; k < middles.size(); ++k) {
      const Node& child = at.children[k];
      const double to = lefts[depth + 1], middle = middles[k];
      drawn += fmt::format("<path d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f} L{:.1f} "
                           "{:.1f}\" fill=\"none\" "
                           "stroke=\"{}\"{}/>\n",
                           x + wide, y, x + wide + 20, y, x + wide, middle, x + wide + 20, middle, to, middle,
                           child.isAccepted ? "#2a7d4f" : "#b3432b",
                           child.isAccepted ? "" : " stroke-dasharray=\"5 3\"");
      drawn += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#333\">{}</text>\n",
                           to - 6, middle - 5, escaped(child.condition));
      if (!child.strategy.empty())
        drawn += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#b3432b\" "
                             "font-style=\"italic\">{}</text>\n",
                             to - 6, middle + 15, escaped(child.strategy));
    }
    const bool isNone = at.leaf && !tree.leaves[*at.leaf].code;
    drawn +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"5\" fill=\"{}\" "
                    "stroke=\"#555\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                    x, y - box / 2, wide, box,
                    isNone    ? "#e7e2df"
                    : at.leaf ? "#d7efe0"
                              : "#ffffff",
                    x + 8, y + 4.5, escaped(text));
    return y;
  }

  const CaseTree& tree;
  const Node root;
  std::vector<double> width, lefts;
  unsigned rows = 0;
  std::string drawn;
};

} // namespace

std::string text(const Title& title, const CaseTree& tree) {
  std::string result = fmt::format("{}: {}: {} {}\n", title.place, title.function, tree.cases.size(),
                                   tree.cases.size() == 1 ? "case" : "cases");
  for (const auto& [symbol, meaning] : title.parameters)
    result += fmt::format("  {}: {}\n", symbol, meaning);
  for (const Clause& fact : tree.discussion.facts)
    result += fmt::format("  known: {}\n", factText(fact));
  result += fmt::format("  registers: {}\n", title.registers);
  if (!title.races.empty()) result += fmt::format("  threads: {}\n", title.races);
  if (tree.open)
    result +=
        fmt::format("  {} questions were left open; where they are, a case may be impossible\n", tree.open);
  for (std::size_t k = 0; k < tree.cases.size(); ++k) {
    const Case& one = tree.cases[k];
    result += fmt::format("\ncase {}: {}\n  needs {}\n{}", k + 1, one.code->text(), needs(tree, *one.code),
                          either(one.conditions, "  if ", "  or "));
    for (const auto& log : one.logs)
      result += fmt::format("  by {}\n", fmt::join(log, ""));
  }
  if (!tree.none.empty()) result += "\nno code\n" + either(tree.none, "  if ", "  or ");
  return result;
}

nlohmann::ordered_json json(const Title& title, const CaseTree& tree) {
  nlohmann::ordered_json result;
  result["place"] = title.place;
  result["function"] = title.function;
  for (const auto& [symbol, meaning] : title.parameters)
    result["parameters"][symbol] = meaning;
  result["registers"] = title.registers;
  if (!title.races.empty()) result["threads"] = title.races;
  result["facts"] = nlohmann::ordered_json::array();
  for (const Clause& fact : tree.discussion.facts)
    result["facts"].push_back(factText(fact));
  result["open"] = tree.open;
  result["cases"] = nlohmann::ordered_json::array();
  for (const Case& one : tree.cases) {
    nlohmann::ordered_json theCase;
    theCase["form"] = one.code->text();
    for (std::size_t k = 0; k < tree.discussion.counters.size(); ++k)
      theCase["needs"][tree.discussion.counters[k].name] = one.code->amount(k).text();
    theCase["conditions"] = json(one.conditions);
    theCase["logs"] = one.logs;
    result["cases"].push_back(theCase);
  }
  result["none"] = json(tree.none);
  result["tree"] = json(tree, tree.root);
  return result;
}

std::string text(const std::string& place, const std::vector<std::string>& nests, const Joint& joint) {
  std::string result = fmt::format("{}: the nests of lines {} together: {} of {} combinations\n", place,
                                   fmt::join(nests, ", "), joint.cases.size(), joint.combinations);
  if (joint.open)
    result += fmt::format("  {} questions were left open; where they are, a combination may be impossible\n",
                          joint.open);
  for (const JointCase& one : joint.cases) {
    std::vector<std::string> of;
    for (std::size_t k = 0; k < one.of.size(); ++k)
      of.push_back(fmt::format("case {} of line {}", one.of[k] + 1, nests[k]));
    result += fmt::format("\n{}\n{}", fmt::join(of, ", "), either(one.conditions, "  if ", "  or "));
  }
  if (!joint.none.empty()) result += "\nno code for one of them\n" + either(joint.none, "  if ", "  or ");
  return result;
}

nlohmann::ordered_json json(const std::vector<std::string>& nests, const Joint& joint) {
  nlohmann::ordered_json result;
  result["lines"] = nests;
  result["combinations"] = joint.combinations;
  result["open"] = joint.open;
  result["cases"] = nlohmann::ordered_json::array();
  for (const JointCase& one : joint.cases) {
    nlohmann::ordered_json theCase;
    for (std::size_t k : one.of)
      theCase["of"].push_back(k + 1);
    theCase["conditions"] = json(one.conditions);
    result["cases"].push_back(theCase);
  }
  result["none"] = json(joint.none);
  return result;
}

std::string smt(const Title& title, const CaseTree& tree) {
  std::set<std::string> symbols;
  for (const Clause& fact : tree.discussion.facts)
    for (const Constraint& one : fact)
      symbols.merge(one.symbols());
  for (const Leaf& leaf : tree.leaves)
    symbols.merge(leaf.condition.symbols());
  std::string result =
      fmt::format("; The cases of {} in {}. Each check-sat says what its answer is.\n(set-logic QF_NIA)\n",
                  title.function, title.place);
  for (const std::string& symbol : symbols)
    result += fmt::format("(declare-const {0} Int)\n(assert (<= 0 {0}))\n", symbol);
  for (const Clause& fact : tree.discussion.facts)
    result += fmt::format("(assert {})\n", smt(fact));
  std::vector<std::string> names;
  for (std::size_t k = 0; k < tree.cases.size(); ++k) {
    names.push_back(fmt::format("case-{}", k + 1)); // no name in C
    result += fmt::format("; {}\n(define-fun {} () Bool {})\n", tree.cases[k].code->text(), names.back(),
                          smt(tree.cases[k].conditions));
  }
  if (!tree.none.empty()) {
    names.push_back("no-code");
    result += fmt::format("(define-fun no-code () Bool {})\n", smt(tree.none));
  }
  auto ask = [&](const std::string& what, const std::string& answer) {
    result += fmt::format("(push)\n(assert {})\n(check-sat) ; {}\n(pop)\n", what, answer);
  };
  for (const std::string& name : names)
    ask(name, "sat");
  ask(fmt::format("(not (or {}))", fmt::join(names, " ")), "unsat");
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b)
      ask(fmt::format("(and {} {})", names[a], names[b]), "unsat");
  return result;
}

std::string svg(const CaseTree& tree) {
  return Picture(tree).draw();
}

std::string html(const Title& title, const CaseTree& tree) {
  std::string rows;
  for (std::size_t k = 0; k < tree.cases.size(); ++k) {
    const Case& one = tree.cases[k];
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>", k + 1, escaped(one.code->text()),
                        escaped(needs(tree, *one.code)));
    for (const System& system : one.conditions)
      rows += fmt::format("<div>{}</div>", escaped(system.text()));
    rows += "</td></tr>\n";
  }
  if (!tree.none.empty()) {
    rows += "<tr><td></td><td>no code</td><td></td><td>";
    for (const System& system : tree.none)
      rows += fmt::format("<div>{}</div>", escaped(system.text()));
    rows += "</td></tr>\n";
  }
  std::string symbols;
  for (const auto& [symbol, meaning] : title.parameters)
    symbols += fmt::format("<li><b>{}</b>: {}</li>\n", escaped(symbol), escaped(meaning));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Cases of "
      "{0}</title>\n<style>\n"
      "body {{ font-family: sans-serif; margin: 24px; color: #222 }}\n"
      "table {{ border-collapse: collapse }} td, th {{ border: 1px solid #bbb; padding: 4px 10px; "
      "text-align: left; vertical-align: top }}\n.tree {{ overflow-x: auto }}\n</style></head><body>\n"
      "<h1>Cases of {0}</h1>\n<p>{1}; registers: {2}</p>\n<ul>\n{3}</ul>\n"
      "<table>\n<tr><th>case</th><th>form</th><th>needs</th><th>taken if, in any of the lines,"
      "</th></tr>\n{4}</table>\n<h2>Tree</h2>\n<p>Solid: accepted. Dashed: refused, and what is done "
      "then.</p>\n<div class=\"tree\">{5}</div>\n</body></html>\n",
      escaped(title.function), escaped(title.place), escaped(title.registers), symbols, rows, svg(tree));
}

} // namespace warploom::cases
