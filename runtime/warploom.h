// What a generated program includes: the kernels' language, launches, device memory and regions. Under nvcc
// this is CUDA and a thin layer on its runtime; under any other compiler it is the CPU execution, and the
// same text runs on the cores of the host. Nothing here depends on the rest of Warploom.
#pragma once

#ifdef __CUDACC__
#include "warploom_cuda.h"
#else
#include "warploom_cpu.h"
#endif

#include "warploom_bins.h"
#include "warploom_bits.h"
#include "warploom_characters.h"
#include "warploom_complex.h"
#include "warploom_index.h"
#include "warploom_levels.h"
#include "warploom_limits.h"
#include "warploom_reduce.h"
#include "warploom_region.h"
#include "warploom_rows.h"
#include "warploom_scan.h"
#include "warploom_sizes.h"
#include "warploom_tiles.h"
