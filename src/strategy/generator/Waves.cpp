#include "strategy/generator/Waves.h"

#include <algorithm>
#include <cmath>

namespace warploom::strategies {

double waveEfficiency(double blocks, int multiprocessors, int resident) {
  const double wave = static_cast<double>(multiprocessors) * resident;
  return blocks / (std::ceil(blocks / wave) * wave);
}

std::vector<int> blockTiles(long problem, int multiprocessors, int resident, int most) {
  const long wave = static_cast<long>(multiprocessors) * resident;
  std::vector<int> kept, best;
  double busiest = 0;
  for (int tile = 32; tile <= most; tile += 32) {
    const long blocks = (problem + tile - 1) / tile, last = blocks % wave;
    if (last == 0 || 2 * last > wave) kept.push_back(tile);
    const double busy = waveEfficiency(static_cast<double>(blocks), multiprocessors, resident);
    if (busy > busiest) best.clear();
    if (busy >= busiest) best.push_back(tile);
    busiest = std::max(busiest, busy);
  }
  return kept.empty() ? best : kept;
}

} // namespace warploom::strategies
