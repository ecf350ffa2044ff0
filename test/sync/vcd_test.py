#!/usr/bin/env python3
"""Value change dumps of runs, read back by GTKWave's own tools, hold exactly the inputs and outputs of the trace.

Usage: vcd_test.py WARPLOOM SYSTEM...
"""
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

STEPS = 50
VARIABLE = re.compile(r"^\s*(\w+): (input|output|inout)(?: event| memorized)? (\w+)(?:\{(\d+)\})?((?:\[\d+\])*)\s*$", re.M)


def width(base, bound):
    """How many bits a value of the type needs."""
    return {"bool": 1, "real": 64, "bv": bound, "nat": max(1, (bound - 1).bit_length()), "int": (bound - 1).bit_length() + 1}[base]


def value(base, bound, extents, dice):
    if extents:
        return [value(base, bound, extents[1:], dice) for _ in range(extents[0])]
    if base == "bool":
        return dice.random() < 0.5
    if base == "real":
        return dice.randrange(-1000, 1000) / 7
    if base == "bv":
        return f"0b{dice.getrandbits(bound):0{bound}b}"
    return dice.randrange(-bound if base == "int" else 0, bound)


def cells(name, of):
    """(name with subscripts, value) of every cell."""
    if isinstance(of, list):
        return [cell for i, part in enumerate(of) for cell in cells(f"{name}[{i}]", part)]
    return [(name, of)]


def digits(of, base, bound):
    """A value as a dump has it: digits of full width, or a float."""
    if base == "real":
        return float(of)
    if isinstance(of, str):
        return of[2:]
    return f"{int(of) % 2 ** width(base, bound):0{width(base, bound)}b}"


def same(one, other, rounded):
    """GTKWave's tools write reals with 16 digits."""
    return math.isclose(one, other, rel_tol=1e-15) if rounded and isinstance(other, float) else one == other


def read(text):
    """The (path, width) of every code of a dump, and per time the values of all codes."""
    head, _, body = text.partition("$enddefinitions $end")
    scope, variables, values, times = [], {}, {}, {}
    for match in re.finditer(r"\$scope module (\S+) \$end|(\$upscope) \$end|\$var (\S+) (\d+) (\S+) (\S+)(?: \[(\d+):0\])? \$end", head):
        if match[1]:
            scope.append(match[1])
        elif match[2]:
            scope.pop()
        else:
            assert match[7] is None or int(match[7]) == int(match[4]) - 1, match[0]
            assert match[5] not in variables, f"{match[5]} stands for two variables"
            variables[match[5]] = (".".join([*scope, match[6].lstrip("\\")]), int(match[4]))
    assert scope == []
    time = None
    for line in body.split("\n"):
        if line.startswith("#"):
            if time is not None:
                times[time] = dict(values)
            time = int(line[1:])
        elif line.startswith("b"):
            number, code = line[1:].split()
            values[code] = number.rjust(variables[code][1], number[0] if number[0] in "xz" else "0")
        elif line.startswith("r"):
            number, code = line[1:].split()
            values[code] = float(number)
        elif line and line[0] in "01xz":
            values[line[1:]] = line[0]
    return variables, times, time


def check(warploom, file, folder):
    text = file.read_text()
    name = re.search(r"^system (\w+):", text, re.M)[1]
    interface = text[text.index(f"system {name}:"):]
    types = {variable: (role, base, int(bound or 0), [int(n) for n in re.findall(r"\d+", extents)])
             for variable, role, base, bound, extents in VARIABLE.findall(interface)}
    dice = random.Random(3)
    given = [{v: value(base, bound, extents, dice) for v, (role, base, bound, extents) in types.items() if role == "input"}
             for _ in range(STEPS)]
    dumps = {}
    for flags in ([], ["--vcd-locals"]):
        dump = folder / "run.vcd"
        run = subprocess.run([warploom, "run", file, "--steps", str(STEPS), "--vcd", dump, *flags], capture_output=True, text=True, check=True,
                             input="".join(json.dumps(step) + "\n" for step in given), timeout=300)
        subprocess.run(["vcd2fst", dump, folder / "run.fst"], check=True, timeout=300)
        back = subprocess.run(["fst2vcd", folder / "run.fst"], check=True, capture_output=True, text=True, timeout=300).stdout
        trace = [{**ins, **json.loads(outs)} for ins, outs in zip(given, run.stdout.splitlines())]
        assert len(trace) == STEPS
        for source in (dump.read_text(), back):
            variables, times, end = read(source)
            assert end == STEPS, f"{file.name}: the dump ends at {end}"
            widths = {path.partition(".")[2]: width for path, width in variables.values()}
            now = {}
            for step, expected in enumerate(trace):
                now = times.get(step, now)
                found = {variables[code][0]: number for code, number in now.items()}
                for variable, (_, base, bound, _) in types.items():
                    for cell, number in cells(variable, expected[variable]):
                        assert widths[cell] == width(base, bound), f"{file.name}: {cell} has {widths[cell]} bits"
                        assert same(found[f"{name}.{cell}"], digits(number, base, bound), source is back), \
                            f"{file.name}, step {step + 1}: {cell} is {found[f'{name}.{cell}']}, not {number}"
            dumps[bool(flags)] = {path for path, _ in variables.values()}
    interface_cells = sum(len(cells(v, trace[0][v])) for v in types)
    assert len(dumps[False]) == interface_cells, f"{file.name}: {len(dumps[False])} variables for {interface_cells} cells"
    return dumps[True]


def main():
    warploom, files = sys.argv[1], [pathlib.Path(file) for file in sys.argv[2:]]
    if not shutil.which("vcd2fst") or not shutil.which("fst2vcd"):
        print("GTKWave's vcd2fst and fst2vcd are not here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        for file in files:
            paths = check(warploom, file, pathlib.Path(name))
            if file.stem == "alltypes":  # instances are modules, and each cell of theirs is there
                inside = {"left.n", "left.seen", *(f"right.{v}[{i}]" for v in ("n", "seen") for i in range(3))}
                assert {path for path in paths if path.count(".") == 2} == {f"AllTypes.{path}" for path in inside}, paths
        # What is out of its range is unknown; and the step that violates an assertion is in the dump.
        file = pathlib.Path(name) / "beyond.aif"
        file.write_text("system Beyond:\ninterface:\n  i: input nat{8}\n  x: output memorized nat{8}\nmain:\n  data flow:\n"
                        "    true => x = i + i\n  assertions:\n    true => small: assert i < 5\n")
        given = "".join(f'{{"i": {i}}}\n' for i in (0, 3, 4, 5, 1))
        for flags, status, expected in ([], 0, ["000", "110", "xxx", "xxx", "010"]), (["--check"], 1, ["000", "110"]):
            dump = pathlib.Path(name) / "beyond.vcd"
            run = subprocess.run([warploom, "run", file, "--vcd", dump, *flags], input=given, capture_output=True, text=True, timeout=300)
            variables, times, end = read(dump.read_text())
            code = next(code for code, (path, _) in variables.items() if path == "Beyond.x")
            assert run.returncode == status and [times[t][code] for t in range(end)] == expected, (run, times)
        given = "".join(f'{{"i": {i}}}\n' for i in (0, 3, 1, 7))
        file.write_text(file.read_text().replace("x: output memorized nat{8}", "x: output memorized nat{16}"))
        run = subprocess.run([warploom, "run", file, "--check", "--vcd", dump], input=given, capture_output=True, text=True, timeout=300)
        variables, times, end = read(dump.read_text())
        assert run.returncode == 1 and "assertion small violated" in run.stderr and end == 4, run
        assert [times[3][code] for code, (path, _) in variables.items() if path == "Beyond.x"] == ["1110"], times
        run = subprocess.run([warploom, "run", file, "--vcd", pathlib.Path(name) / "no" / "folder"], input="", capture_output=True, text=True)
        assert run.returncode == 1 and "cannot write" in run.stderr, run
    print(f"{len(files)} systems")
    return 0


if __name__ == "__main__":
    sys.exit(main())
