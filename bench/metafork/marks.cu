// Prints the times of the regions that have run since it was last called.
#include "warploom.h"

extern "C" void mark(double) { warploom::RegionTimes::instance().print(); }
