#!/usr/bin/env python3
"""The bench of the eight parametric programs, with kernels on the CPU execution, of one of them: one text is built for every size of blocks and elements of a thread, each is compared
with the host's results, and the table has a row for each. A kernel that computes something else is found.

SHOWS: MF-115
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench" / "metafork"
BLOCKS = [(4, 32, 1), (8, 16, 1), (8, 32, 1), (16, 16, 1), (16, 32, 1), (8, 32, 4)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    tool = parser.parse_args().tool
    with tempfile.TemporaryDirectory() as work:
        folder, results = Path(work) / "bench", Path(work) / "results.json"
        subprocess.run([BENCH / "run", tool, "--prepare", folder], check=True, capture_output=True, timeout=300)
        # What Warploom makes of the plain C is made wrong.
        wrong = folder / "plain" / "addition.cu"
        text, count = re.subn(r"(\bc(?:_own)?\[.*\] = .*?) \+ (b(?:_own)?\[)", r"\1 - \2", wrong.read_text())
        assert count, text
        wrong.write_text(text)
        done = subprocess.run([sys.executable, folder / "measure.py", folder, results, "--cpu", "--only", "addition"], capture_output=True, text=True, timeout=900)
        measured = json.loads(results.read_text())
        assert done.returncode == 1 and measured["summary"]["failures"] == [f"addition.plain.1x1x1 at {n} differs from the host" for n in (61, 130)], (done.stderr, measured["summary"])
        rows = [(row["n"], *row["block"]) for row in measured["rows"] if row["kind"] == "metafork" and row["right"] and row["ms"] > 0 and row["launches"]]
        assert sorted(rows) == sorted((n, *block) for n in (61, 130) for block in BLOCKS), measured["rows"]
        table = re.findall(r"^  (\d+) \* (\d+), (\d+) +(\d+\.\d{3}) +(\d+\.\d{3})$", done.stdout, re.MULTILINE)
        assert [tuple(map(int, line[:3])) for line in table] == BLOCKS and re.search(r"^addition +61 +130$", done.stdout, re.MULTILINE), done.stdout
        # How much faster, of the times that were measured.
        host = {line["n"]: line["host_ms"] for line in measured["table"]}
        for line in table:
            for n, ratio in ((61, line[3]), (130, line[4])):
                (ms,) = [row["ms"] for row in measured["rows"] if row["n"] == n and row.get("block") == list(map(int, line[:3]))]
                assert abs(host[n] / ms - float(ratio)) < 0.001, (line, n, host[n], ms)
    return 0


if __name__ == "__main__":
    sys.exit(main())
