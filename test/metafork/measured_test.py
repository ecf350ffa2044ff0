#!/usr/bin/env python3
"""What bench/metafork/run has measured: results are those of the host, and with the best of the sizes of blocks that were tried every
program is at every size at least as fast, within 3 %, as kernels of our own in the form of PPCG's defaults on the same GPU. The sizes of blocks and the elements of a thread that were tried are all there.

PPCG itself was not run: its kernels are ours (bench/metafork/ppcg.cu), in the form that is described of PPCG's defaults. As in the published tables, each program
counts with its best size of blocks; with the median one 16 of 20 rows are as fast, which the results say, too.
"""

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
        # Blocks and elements of a thread were swept: at each size of the problem all of them ran, with the host's results, and the table has the best.
        swept = {}
        for row in measured["rows"]:
            if row["program"] == name and row["kind"] == "metafork":
                swept.setdefault(row["n"], {})[tuple(row["block"])] = row["ms"]
        assert len(swept) == sizes and len({frozenset(times) for times in swept.values()}) == 1, (name, swept)
        for line in (line for line in measured["table"] if line["program"] == name):
            times = swept[line["n"]]
            assert len(times) == line["sizes_of_blocks"] >= 4 and times[tuple(line["block"])] == min(times.values()) == line["metafork_ms"], (name, line)
            assert line["host_ms"] > 0 and line["ppcg_ms"] > 0, (name, line)
        assert name in ("lu", "matvec") or any(items > 1 for times in swept.values() for _, _, items in times), name
    return 0


if __name__ == "__main__":
    sys.exit(main())
