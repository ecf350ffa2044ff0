"""Reads the JSON of `warploom analyze --json` and prints one line per loop: `function line index verdict reason`.

Fails when the report lacks a field that docs promise, or when a verdict is none of the six. With --summary, only
`N regions, M loops` and the count of each verdict.
"""

import json
import sys
from collections import Counter

VERDICTS = ["parallel", "reduction", "conditional", "carried", "sequential", "unknown"]
LOOP = ["line", "column", "depth", "index", "verdict", "min_distance", "private", "reductions", "conditions", "reason"]
DEPENDENCE = ["kind", "array", "source_line", "sink_line", "distance", "carried_by_line"]


def require(entry, fields, what):
    missing = [field for field in fields if field not in entry]
    if missing:
        sys.exit(f"verdicts.py: a {what} without {', '.join(missing)}: {entry}")


report = json.load(sys.stdin)
require(report, ["regions"], "report")
loops = []
for region in report["regions"]:
    require(region, ["function", "file", "line", "loops", "dependences"], "region")
    for dependence in region["dependences"]:
        require(dependence, DEPENDENCE, "dependence")
    for loop in region["loops"]:
        require(loop, LOOP, "loop")
        if loop["verdict"] not in VERDICTS:
            sys.exit(f"verdicts.py: {loop['verdict']} is not a verdict")
        if loop["verdict"] in ("unknown", "sequential") and not loop["reason"]:
            sys.exit(f"verdicts.py: {loop['verdict']} without a reason: {loop}")
        loops.append((region["function"], loop))

if "--summary" in sys.argv:
    print(f"{len(report['regions'])} regions, {len(loops)} loops")
    counts = Counter(loop["verdict"] for _, loop in loops)
    for verdict in VERDICTS:
        print(f"{verdict}: {counts[verdict]}")
else:
    for function, loop in loops:
        print(function, loop["line"], loop["index"], loop["verdict"], loop["reason"] or "")
