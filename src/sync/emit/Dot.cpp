#include "sync/emit/Dot.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

/// As a string of the language, in double quotes: the words of `text`, cut short, in lines of at most 50
/// characters where words are no longer than that.
std::string quoted(const std::string& text) {
  constexpr std::size_t longest = 200, line = 50;
  std::string result = "\"";
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size() && i < longest; ++i) {
    if (text[i] == ' ' && column + std::min(text.find(' ', i + 1), text.size()) - i > line) {
      result += "\\l";
      column = 0;
      continue;
    }
    if (text[i] == '"' || text[i] == '\\') result += '\\';
    result += text[i];
    ++column;
  }
  return result + (text.size() > longest ? "...\"" : "\"");
}

/// `text` and a line below it.
std::string label(const std::string& text, const std::string& below) {
  std::string result = quoted(text);
  result.insert(result.size() - 1, "\\l" + below + "\\l");
  return result;
}

std::string colour(int group) {
  static constexpr std::array names = {"#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99",
                                       "#cab2d6", "#ffff99", "#8dd3c7", "#d9d9d9"};
  return names[std::size_t(group) % names.size()];
}

class Drawing {
public:
  explicit Drawing(const StepPlan& of) : plan(of), groupOf(of.system.actions.size(), -1) {
    int phase = 0;
    for (const Phase& immediate : plan.immediate)
      add(immediate, fmt::format("immediate, phase {}", ++phase));
    add(plan.delayed, "delayed");
    add(plan.stores, "stores");
  }

  std::string text() {
    const bool byAction = plan.system.actions.size() <= mostDrawnActions;
    if (!byAction && groups.size() > mostNodes)
      throw Error({}, fmt::format("{} groups of actions are too many for a graph; {} are the most",
                                  groups.size(), mostNodes));
    result = fmt::format(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"monospace\"];\n",
        quoted(plan.system.system->name));
    if (byAction)
      drawActions();
    else
      drawGroups();
    const std::vector<int> nodes = byAction ? std::vector<int>{} : groupOf;
    drawEdges(dependences(plan.system, Dependence::True, nodes), "");
    drawEdges(dependences(plan.system, Dependence::Later, nodes), " [color=gray50]");
    drawEdges(dependences(plan.system, Dependence::Anti, nodes), " [style=dashed, constraint=false]");
    return result + "}\n";
  }

private:
  struct Drawn {
    std::string phase;
    const Group* group;
  };

  void add(const Phase& phase, const std::string& name) {
    for (const Group& group : phase.groups) {
      for (const Unit& unit : group.units)
        for (int action : unit.actions)
          if (action >= 0) groupOf[std::size_t(action)] = int(groups.size());
      groups.push_back({name, &group});
    }
  }

  void node(int number, const std::string& name, int group) {
    result += fmt::format("    n{} [label={}, fillcolor=\"{}\"];\n", number, name, colour(group));
  }
  void begin(const std::string& name) {
    result += fmt::format("  subgraph cluster_{} {{\n    label={};\n", clusters++, quoted(name));
  }
  void end() { result += "  }\n"; }

  void drawAction(int action) {
    const int group = groupOf[std::size_t(action)];
    node(action, label(plan.system.text(plan.system.actions[action]), fmt::format("group {}", group + 1)),
         group);
  }

  void drawActions() {
    int number = 0;
    for (const std::vector<int>& component : immediateComponents(plan.system)) {
      begin(fmt::format("component {}", ++number));
      for (int action : component)
        drawAction(action);
      end();
    }
    using Kind = CellAction::Kind;
    for (auto [kind, name] :
         {std::pair(Kind::Delayed, "delayed"), std::pair(Kind::Report, "checks"), {Kind::Store, "stores"}}) {
      bool any = false;
      for (int action = 0; action < int(plan.system.actions.size()); ++action) {
        if (plan.system.actions[action].kind != kind) continue;
        if (!any) begin(name);
        any = true;
        drawAction(action);
      }
      if (any) end();
    }
  }

  void drawGroups() {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (i == 0 || groups[i].phase != groups[i - 1].phase) begin(groups[i].phase);
      const std::vector<Unit>& units = groups[i].group->units;
      const std::string first = units[0].actions.empty()
                                    ? plan.system.cells.name(units[0].cell)
                                    : plan.system.text(plan.system.actions[units[0].actions[0]]);
      node(int(i),
           label(first, fmt::format("group {}: {} units of {} actions", i + 1, units.size(),
                                    units[0].actions.size())),
           int(i));
      if (i + 1 == groups.size() || groups[i].phase != groups[i + 1].phase) end();
    }
  }

  void drawEdges(const std::vector<Edge>& edges, const char* attributes) {
    for (const Edge& edge : edges)
      result += fmt::format("  n{} -> n{}{};\n", edge.from, edge.to, attributes);
  }

  const StepPlan& plan;
  std::vector<int> groupOf; ///< by action
  std::vector<Drawn> groups;
  std::string result;
  int clusters = 0;
};

} // namespace

std::string dependenceGraph(const StepPlan& plan) {
  return Drawing(plan).text();
}

} // namespace warploom::sync
