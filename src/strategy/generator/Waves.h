// Waves of blocks: how full the last one is, and which tiles fill it.
#pragma once

#include <vector>

namespace warploom::strategies {

/// The part of a device that is busy on average while `blocks` run in waves of `resident` on each of its
/// multiprocessors: blocks / (waves * multiprocessors * resident). 1 where the last wave is full.
double waveEfficiency(double blocks, int multiprocessors, int resident);

/// Of the multiples of 32 up to `most` those whose tiles of a problem keep more than half of the device busy
/// in the last wave, a full one included; where there is none, those that keep it busiest over all waves.
std::vector<int> blockTiles(long problem, int multiprocessors, int resident, int most);

} // namespace warploom::strategies
