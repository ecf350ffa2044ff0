#include "tune/Report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <sstream>

namespace warploom {

namespace {

/// `text` where HTML has text or a quoted value.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  return result;
}

constexpr const char* head = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>warploom tune</title>
<style>
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #8888; --dot: #3572b0; --best: #c2410c; --bad: #999; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #181818; --dot: #6fa8dc; --best: #fb923c; --bad: #777; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 1rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin-bottom: 0.2rem; }
svg { width: 100%; height: auto; max-width: 40rem; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .axis { stroke: var(--soft); } svg .line { stroke: var(--best); fill: none; stroke-width: 2; }
svg .dot { fill: var(--dot); fill-opacity: 0.7; } svg .best { fill: var(--best); } svg .bad { stroke: var(--bad); stroke-width: 1.5; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 0.5rem; }
.scroll { overflow-x: auto; } .scroll svg { min-width: 30rem; } table { border-collapse: collapse; font-size: 0.9rem; }
td, th { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--soft); }
td.number { text-align: right; font-variant-numeric: tabular-nums; } tr.chosen { font-weight: bold; } td.detail { white-space: normal; min-width: 12rem; }
</style></head><body>
)html";

/// The range of times, in which a picture's height is logarithmic.
class Scale {
public:
  Scale(const std::vector<double>& times, double top, double bottom) : top(top), bottom(bottom) {
    if (times.empty()) return;
    least = std::max(*std::min_element(times.begin(), times.end()), 1e-6);
    most = std::max(*std::max_element(times.begin(), times.end()), least * 1.1);
  }
  double y(double time) const {
    return bottom - (bottom - top) * std::log(std::max(time, least) / least) / std::log(most / least);
  }
  /// Two or three lines with their times.
  std::string axis(double left, double right) const {
    std::string text;
    for (const double time : {least, std::sqrt(least * most), most})
      text += fmt::format(
          "<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text x=\"{3}\" "
          "y=\"{4:.1f}\" text-anchor=\"end\">{5:.3g}</text>\n",
          left, right, y(time), left - 4, y(time) + 4, time);
    return text;
  }

private:
  double top, bottom, least = 1, most = 10;
};

bool isTimed(const ReportedKernel::Candidate& candidate) {
  return candidate.result.outcome == Outcome::Timed;
}

std::vector<double> timesOf(const ReportedKernel& kernel) {
  std::vector<double> times;
  for (const auto& candidate : kernel.candidates)
    if (isTimed(candidate)) times.push_back(candidate.result.milliseconds);
  return times;
}

std::string dot(double x, double y, const ReportedKernel& kernel,
                const ReportedKernel::Candidate& candidate) {
  return fmt::format(
      "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}: {:.4g} ms</title></circle>\n",
      candidate.point == kernel.chosen ? "best" : "dot", x, y, candidate.point == kernel.chosen ? 5 : 3,
      escaped(candidate.point), candidate.result.milliseconds);
}

/// The time of each candidate and the best so far, over their number; those that do not work stand above.
std::string overTime(const ReportedKernel& kernel) {
  const double left = 50, right = 590, top = 30, bottom = 220;
  const Scale scale(timesOf(kernel), top, bottom);
  const double step =
      (right - left) / static_cast<double>(std::max<std::size_t>(kernel.candidates.size(), 1));
  std::string text = "<svg viewBox=\"0 0 600 250\" role=\"img\" aria-label=\"best over time\">\n" +
                     scale.axis(left, right),
              line, marks;
  std::optional<double> best;
  for (std::size_t k = 0; k < kernel.candidates.size(); ++k) {
    const auto& candidate = kernel.candidates[k];
    const double x = left + step * (static_cast<double>(k) + 0.5);
    if (!isTimed(candidate)) {
      marks +=
          fmt::format("<path class=\"bad\" d=\"M{0:.1f} 8l6 6m0 -6l-6 6\"><title>{1}: {2}</title></path>\n",
                      x - 3, escaped(candidate.point), escaped(outcomeText(candidate.result.outcome)));
      continue;
    }
    marks += dot(x, scale.y(candidate.result.milliseconds), kernel, candidate);
    const double now = std::min(best.value_or(candidate.result.milliseconds), candidate.result.milliseconds);
    line += fmt::format("{}{:.1f} V{:.1f} ", best ? "H" : "M", x, scale.y(now));
    if (!best) line = fmt::format("M{:.1f} {:.1f} ", x, scale.y(now));
    best = now;
  }
  if (best) text += fmt::format("<path class=\"line\" d=\"{}H{:.1f}\"/>\n", line, right);
  text += marks;
  return text +
         fmt::format(
             "<text x=\"{}\" y=\"240\" text-anchor=\"middle\">candidates, in their order; ms</text></svg>\n",
             (left + right) / 2);
}

/// The values of a point by their names.
std::map<std::string, long> valuesOf(const std::string& point) {
  std::map<std::string, long> values;
  std::istringstream in(point);
  for (std::string word; in >> word;)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      values[word.substr(0, sign)] = std::strtol(word.c_str() + sign + 1, nullptr, 10);
  return values;
}

/// The times over the values of one size, and a line through the least ones.
std::string againstSize(const ReportedKernel& kernel, const std::string& name) {
  const double left = 50, right = 310, top = 15, bottom = 150;
  const Scale scale(timesOf(kernel), top, bottom);
  std::map<long, double> least;
  for (const auto& candidate : kernel.candidates)
    if (isTimed(candidate)) {
      const double time = candidate.result.milliseconds;
      const auto [at, isNew] = least.emplace(valuesOf(candidate.point)[name], time);
      if (!isNew) at->second = std::min(at->second, time);
    }
  std::map<long, double> places;
  for (const auto& [value, time] : least)
    places[value] = left + (right - left) * (static_cast<double>(places.size()) + 0.5) /
                               static_cast<double>(least.size());
  std::string text =
                  fmt::format("<svg viewBox=\"0 0 320 195\" role=\"img\" aria-label=\"time against {0}\">\n",
                              escaped(name)) +
                  scale.axis(left, right),
              line;
  for (const auto& [value, time] : least) {
    line += fmt::format("{}{:.1f} {:.1f} ", line.empty() ? "M" : "L", places[value], scale.y(time));
    text +=
        fmt::format("<text x=\"{:.1f}\" y=\"168\" text-anchor=\"middle\">{}</text>\n", places[value], value);
  }
  text += fmt::format("<path class=\"line\" d=\"{}\"/>\n", line);
  for (const auto& candidate : kernel.candidates)
    if (isTimed(candidate))
      text += dot(places[valuesOf(candidate.point)[name]], scale.y(candidate.result.milliseconds), kernel,
                  candidate);
  return text + fmt::format("<text x=\"{}\" y=\"186\" text-anchor=\"middle\">{}; ms</text></svg>\n",
                            (left + right) / 2, escaped(name));
}

/// The candidates under the roofs of `card`: how many instances of statements in a second, over how many for
/// each byte of the arrays; the roofs are its memory, and one instruction of floats or doubles for each
/// instance.
std::string roofline(const ReportedKernel& kernel, const DeviceLimits& card) {
  const double left = 60, right = 590, top = 15, bottom = 225;
  const DeviceLimits::Rates& rates = card.rates;
  const double singles = rates.multiprocessors * rates.clock * rates.singles,
               doubles = rates.multiprocessors * rates.clock * rates.doubles, ridge = singles / rates.memory;
  struct Place {
    double x, y;
    const ReportedKernel::Candidate* of;
  };
  std::vector<Place> places;
  for (const auto& candidate : kernel.candidates)
    if (const Work& work = candidate.result.work;
        isTimed(candidate) && work.instances > 0 && work.bytes > 0 && candidate.result.milliseconds > 0)
      places.push_back(
          {work.instances / work.bytes, work.instances / (1e-3 * candidate.result.milliseconds), &candidate});
  if (places.empty() || !(singles > 0) || !(rates.memory > 0)) return "";
  double least = ridge, most = ridge, low = doubles > 0 ? doubles : singles;
  for (const Place& place : places) {
    least = std::min(least, place.x);
    most = std::max(most, place.x);
    low = std::min(low, place.y);
  }
  least /= 8, most *= 8, low /= 2;
  const double high = 2 * singles;
  const auto x = [&](double value) {
    return left + (right - left) * std::log(value / least) / std::log(most / least);
  };
  const auto y = [&](double value) {
    return std::min(bottom, bottom - (bottom - top) * std::log(value / low) / std::log(high / low));
  };
  const double begin = std::max(least, low / rates.memory); // where the slope enters the picture
  std::string text =
      fmt::format("<svg viewBox=\"0 0 600 262\" role=\"img\" aria-label=\"roofline\">\n"
                  "<path class=\"line\" d=\"M{:.1f} {:.1f} L{:.1f} {:.1f} H{}\"/>\n"
                  "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">floats, one instruction each</text>\n",
                  x(begin), y(begin * rates.memory), x(ridge), y(singles), right, right, y(singles) - 4);
  if (doubles > 0 && doubles < singles)
    text += fmt::format(
        "<line class=\"axis\" x1=\"{:.1f}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text x=\"{}\" "
        "y=\"{:.1f}\" text-anchor=\"end\">doubles</text>\n",
        x(doubles / rates.memory), right, y(doubles), y(doubles), right, y(doubles) + 14);
  text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">memory, {:.0f} GB/s</text>\n", x(begin) + 16,
                      y(begin * rates.memory) + 4, rates.memory / 1e9);
  for (const double value : {low, std::sqrt(low * high), high})
    text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.2g}</text>\n", left - 4,
                        y(value) + 4, value);
  for (const double value : {least, std::sqrt(least * most), most})
    text += fmt::format("<text x=\"{:.1f}\" y=\"241\" text-anchor=\"middle\">{:.2g}</text>\n",
                        std::min(x(value), right - 12), value);
  for (const Place& place : places)
    text += dot(x(place.x), y(place.y), kernel, *place.of);
  return "<h3>Under the roofs of the device</h3>\n<div class=\"scroll\">" + text +
         fmt::format(
             "<text x=\"{}\" y=\"258\" text-anchor=\"middle\">instances of statements for each byte of the "
             "arrays; in a second</text></svg></div>\n",
             (left + right) / 2);
}

/// All candidates, the fastest first, then those that do not work.
std::string tableOf(const ReportedKernel& kernel) {
  std::vector<const ReportedKernel::Candidate*> rows;
  for (const auto& candidate : kernel.candidates)
    rows.push_back(&candidate);
  std::sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    const double first = isTimed(*a) ? a->result.milliseconds : INFINITY,
                 second = isTimed(*b) ? b->result.milliseconds : INFINITY;
    return first != second ? first < second : a < b; // else in their order
  });
  const bool hasResources = std::any_of(rows.begin(), rows.end(), [](const auto* row) {
    return row->result.resources.registers > 0 || row->result.resources.sharedBytes > 0;
  });
  std::string text = fmt::format(
      "<details><summary>All candidates</summary><div class=\"scroll\"><table><tr><th>sizes</th><th>ms</th>"
      "<th>spread</th>{}<th>outcome</th><th></th></tr>\n",
      hasResources ? "<th>registers</th><th>shared bytes</th><th>warps</th>" : "");
  for (const auto* row : rows) {
    const Resources& use = row->result.resources;
    const auto cell = [](bool isKnown, const std::string& value) {
      return fmt::format("<td class=\"number\">{}</td>", isKnown ? value : "");
    };
    const std::string resources =
        !hasResources
            ? ""
            : cell(use.registers > 0, use.spilledBytes > 0 ? fmt::format("{}, spilled", use.registers)
                                                           : std::to_string(use.registers)) +
                  cell(use.sharedBytes > 0, std::to_string(use.sharedBytes)) +
                  cell(use.occupancy > 0, fmt::format("{:.0f} %", 100 * use.occupancy));
    text += fmt::format("<tr{}><td>{}</td>{}{}{}<td>{}</td><td class=\"detail\">{}</td></tr>\n",
                        row->point == kernel.chosen ? " class=\"chosen\"" : "", escaped(row->point),
                        cell(isTimed(*row), fmt::format("{:.4g}", row->result.milliseconds)),
                        cell(isTimed(*row), fmt::format("{:.0f} %", 100 * row->result.spread)), resources,
                        escaped(outcomeText(row->result.outcome)), escaped(row->result.detail));
  }
  return text + "</table></div></details>\n";
}

std::string sectionOf(const ReportedKernel& kernel, const std::optional<DeviceLimits>& card) {
  auto timeOf = [&](const std::string& point) -> std::optional<double> {
    for (const auto& candidate : kernel.candidates)
      if (candidate.point == point && isTimed(candidate)) return candidate.result.milliseconds;
    return std::nullopt;
  };
  std::string text = fmt::format("<h2>{}</h2>\n", escaped(kernel.name));
  const std::optional<double> chosen = timeOf(kernel.chosen), usual = timeOf(kernel.usual);
  std::map<Outcome, std::size_t> outcomes;
  for (const auto& candidate : kernel.candidates)
    ++outcomes[candidate.result.outcome];
  std::string counts;
  for (const auto& [outcome, count] : outcomes)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, escaped(outcomeText(outcome)));
  if (chosen)
    text += fmt::format("<p><b>{}</b>: {:.4g} ms{}. Candidates: {}.</p>\n", escaped(kernel.chosen), *chosen,
                        usual ? fmt::format("; the usual sizes, {}: {:.4g} ms, {:.2f} times as long",
                                            escaped(kernel.usual), *usual, *usual / std::max(*chosen, 1e-6))
                              : "",
                        counts);
  else
    text += fmt::format("<p>None of the candidates works: {}.</p>\n", counts);
  if (timesOf(kernel).empty()) return text + tableOf(kernel);
  text += "<h3>The best over time</h3>\n<div class=\"scroll\">" + overTime(kernel) + "</div>\n" +
          "<h3>Time against each size</h3>\n<div class=\"charts\">\n";
  for (const auto& [name, value] : valuesOf(kernel.candidates.front().point))
    text += againstSize(kernel, name);
  return text + "</div>\n" + (card ? roofline(kernel, *card) : "") + tableOf(kernel);
}

} // namespace

std::string tuneReport(const Search& about, const std::vector<ReportedKernel>& kernels,
                       const std::optional<DeviceLimits>& card) {
  std::string text = head;
  text += fmt::format("<h1>Sizes that were tried</h1>\n<p>On {}, with {}{}{}.</p>\n", escaped(about.device),
                      escaped(about.toolkit), about.sizes.empty() ? "" : ", for ", escaped(about.sizes));
  for (const ReportedKernel& kernel : kernels)
    if (!kernel.candidates.empty()) text += sectionOf(kernel, card);
  return text + "</body></html>\n";
}

} // namespace warploom
