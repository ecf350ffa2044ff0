// Fits the cost model to measured steps: sync_fit < ROWS, where a row is NAME FITTED INSTANCES CORE GPU FILE
// with microseconds a step. Prints the figures that meet the rows with FITTED = 1 best, as `figure NAME VALUE
// BUILT_IN`, and of every row what is predicted with the built-in figures, `row NAME CORE GPU`.
// test/sync/cost_test.py compares.
#include "sync/command/ReadSystem.h"
#include "sync/fold/CostModel.h"
#include "sync/passes/Passes.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace warploom::sync;

namespace {

struct Row {
  std::string name;
  bool fitted;
  long instances;
  double core, gpu; ///< measured, in microseconds
  Folding folding;
};

using Figure = std::pair<const char*, double CostFigures::*>;
const Figure figures[] = {{"coreLoopOperation", &CostFigures::coreLoopOperation},
                          {"coreDecision", &CostFigures::coreDecision},
                          {"coreOperation", &CostFigures::coreOperation},
                          {"threadOperation", &CostFigures::threadOperation},
                          {"threadInput", &CostFigures::threadInput},
                          {"threadAction", &CostFigures::threadAction},
                          {"instanceOperation", &CostFigures::instanceOperation},
                          {"blockBarrier", &CostFigures::blockBarrier},
                          {"gridBarrier", &CostFigures::gridBarrier}};

/// The sum of the squared logarithms of predicted by measured, over the fitted rows.
double distance(const std::vector<Row>& rows, const CostFigures& with) {
  double sum = 0;
  for (const Row& row : rows) {
    if (!row.fitted) continue;
    const Cost cost = estimate(row.folding, row.instances, with);
    for (double ratio : {cost.coreNanoseconds / 1e3 / row.core, cost.gpuNanoseconds / 1e3 / row.gpu})
      sum += std::log(ratio) * std::log(ratio);
  }
  return sum;
}

/// The least distance, by steps of one figure at a time, which get smaller. Starts from one nanosecond for
/// everything, so that nothing but the rows decides.
CostFigures fit(const std::vector<Row>& rows) {
  CostFigures best;
  for (const Figure& figure : figures)
    best.*figure.second = 1;
  double least = distance(rows, best);
  for (double factor = 4; factor > 1.005;) {
    bool better = false;
    for (const Figure& figure : figures)
      for (double step : {factor, 1 / factor}) {
        CostFigures tried = best;
        tried.*figure.second *= step;
        if (const double found = distance(rows, tried); found < least - 1e-12) {
          least = found;
          best = tried;
          better = true;
        }
      }
    if (!better) factor = std::sqrt(factor);
  }
  return best;
}

} // namespace

int main() {
  std::vector<Row> rows;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    Row row;
    std::string path;
    words >> row.name >> row.fitted >> row.instances >> row.core >> row.gpu >> path;
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    Sources sources;
    sources.files.push_back({path, text.str()});
    row.folding = fold(planStep(normalised(readSystem(sources))));
    rows.push_back(std::move(row));
  }
  const CostFigures found = fit(rows), used;
  for (const Figure& figure : figures)
    fmt::print("figure {} {:.6g} {:.6g}\n", figure.first, found.*figure.second, used.*figure.second);
  for (const Row& row : rows) {
    const Cost cost = estimate(row.folding, row.instances);
    fmt::print("row {} {:.6g} {:.6g}\n", row.name, cost.coreNanoseconds / 1e3, cost.gpuNanoseconds / 1e3);
  }
}
