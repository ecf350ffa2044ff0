#!/usr/bin/env python3
"""What bench/metafork/run has measured: results are those of the host, and with the best of the sizes of blocks that were tried every
program is at every size at least as fast, within 3 %, as kernels of our own in the form of PPCG's defaults on the same GPU.

PPCG itself was not run: its kernels are ours (bench/metafork/ppcg.cu), in the form that is described of PPCG's defaults. As in the published tables, each program
counts with its best size of blocks; with the median one 16 of 20 rows are as fast, which the results say, too.
"""
# SHOWS: MF-120

import json
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[2] / "bench" / "results" / "metafork-h200.json"
SIZES = {"reversal": 3, "jacobi1d": 3, "jacobi2d": 3, "lu": 2, "transpose": 2, "addition": 2, "matvec": 3, "matmul": 2}


def main():
    if not RESULTS.exists():
        print("nothing was measured yet")
        return 77
    measured = json.loads(RESULTS.read_text())
    assert not measured["summary"]["failures"] and all(row["right"] for row in measured["rows"])
    for name, sizes in SIZES.items():
        ratios = [line["faster_than_ppcg"] for line in measured["table"] if line["program"] == name]
        assert len(ratios) == sizes and min(ratios) >= 0.97, (name, ratios)
    return 0


if __name__ == "__main__":
    sys.exit(main())
