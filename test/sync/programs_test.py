#!/usr/bin/env python3
"""Programs in Quartz and Lustre against traces that were worked out by hand. Usage: programs_test.py WARPLOOM DOCS FOLDER...

DOCS shows divider.qrz and sampling.lus as they are.
NAME.trace beside a program has the names of inputs and outputs in its first line, `|` between them, and a step in each other line: `x` is true,
`.` is false. Steps behind `!`, if there are any, are those in which a check is violated: the report that must come is in that line.
"""
import json
import pathlib
import subprocess
import sys


def value(word):
    return {"x": True, ".": False}.get(word) if word in "x." else json.loads(word)


def wrong(warploom, program, trace):
    """What is wrong with a run of `program`, or None."""
    header, *lines = [line for line in trace.read_text().splitlines() if line.strip()]
    inputs, outputs = (side.split() for side in header.split("|"))
    given, expected, report = "", [], None
    for line in lines:
        before, after = line.split("|")
        given += json.dumps(dict(zip(inputs, map(value, before.split()), strict=True))) + "\n"
        if after.strip().startswith("!"):
            report = f"step {len(expected) + 1}: " + after.strip()[1:].strip()
            break
        expected.append(dict(zip(outputs, map(value, after.split()), strict=True)))
    command = [warploom, "run", program, "--check"] + ([] if inputs else ["--steps", str(len(lines))])
    run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)
    found = [{name: int(it, 2) if isinstance(it, str) else it for name, it in json.loads(line).items()} for line in run.stdout.splitlines()]
    for step, (one, other) in enumerate(zip(expected, found), 1):
        if one != other:
            return f"step {step}: expected {one}, found {other}"
    if report is not None:
        return None if report in run.stderr else f"expected the report {report!r}, found {run.stderr!r}"
    return None if run.returncode == 0 and len(found) == len(expected) else f"status {run.returncode}: {run.stderr}"


def main():
    warploom, docs, *folders = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    failures = 0
    for folder in folders:
        traces = sorted(folder.glob("*.trace"))
        programs = {path.stem: path for path in folder.iterdir() if path.suffix in (".qrz", ".lus")}
        for trace in traces:
            problem = wrong(warploom, programs[trace.stem], trace)
            if problem:
                failures += 1
                print(f"{programs[trace.stem].name}: {problem}")
        for name in {"divider", "sampling"} & set(programs):
            shown = "".join("    " + line for line in programs[name].read_text().splitlines(keepends=True))
            if shown not in docs.read_text():
                failures += 1
                print(f"{docs} does not show {programs[name].name}")
        print(f"{folder.name}: {len(programs)} programs, {len(traces)} of them with a trace")
        failures += len(traces) < 5
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
