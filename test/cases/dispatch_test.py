#!/usr/bin/env python3
"""Programs of `warploom cases --sizes`: on described devices, on the CPU execution, they take the case whose conditions hold, and
compute what the original computes of random data.

SHOWS: MF-60 MF-61 MF-91 MF-98 MF-99 MF-105 MF-106 MF-107
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"
# Sizes of kernels, and of problems: even, ragged and with blocks that there are no kernels for.
RUNS = {
    "reversal": (["B=8,s=2", "B=4,s=3"], [[64, 8, 2], [61, 4, 3], [40, 5, 2]]),
    "matvec": (["B=8,s=2"], [[64, 8, 2], [45, 8, 2], [20, 4, 2]]),
    "jacobi": (["B=8,s=2"], [[66, 8, 2], [40, 8, 2]]),
    "transpose": (["B0=4,B1=8,s=2"], [[40, 4, 8, 2], [37, 4, 8, 2]]),
    "matmul": (["B0=4,B1=8,s=2"], [[32, 4, 8, 2], [37, 4, 8, 2]]),
    # With more that may be done: sums in registers, half tiles.
    "matvec local,tiles,granularity,caching": (["B=8,s=2"], [[64, 8, 2], [45, 8, 2]]),
    # The two programs that the discussion is introduced with, with the registers published for them.
    "two_sums granularity": (["B0=4,B1=8"], [[64, 4, 8], [37, 4, 8]]),
    "two_turned granularity": (["B=8"], [[64, 8], [45, 8]]),
    # Two nests each, in a loop of the host, of which the cases are chosen together.
    "jacobi2d": (["B0=4,B1=8,s=1"], [[42, 4, 8, 1], [37, 4, 8, 1], [20, 4, 4, 2]]),
    "lu": (["B=8,q=4", "B=16,q=4"], [[24, 8, 4], [37, 16, 4], [20, 4, 4]]),
}
REGISTERS = {"two_sums": "14,10", "two_turned": "8,6"}
# Registers a thread, bytes of shared memory and threads a block: small ones, so that every case is met, then Fermi, Pascal's 48
# KiB, and the devices of today.
DEVICES = [
    (255, 2200, 1024), (255, 400, 1024), (255, 100, 1024), (255, 50, 1024), (255, 160, 1024), (255, 240, 1024), (255, 560, 1024), (255, 10, 1024), (20, 49152, 1024), (12, 49152, 1024), (255, 49152, 4),
    (63, 49152, 1024), (255, 49152, 1024), (255, 101376, 1024), (255, 166912, 1024), (255, 232448, 1024),
]


def output(words, **environment):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout, done.stderr


def holds(constraint, values):
    return eval(constraint.replace("^", "**"), {}, values)


def expected_case(cases, values):
    """The number of the case whose conditions hold; 0: none. More than one is a fault."""
    found = [
        number
        for number, case in enumerate(cases, 1)
        if any(all(holds(one, values) for one in system) for system in case["conditions"])
    ]
    assert len(found) <= 1, found
    return found[0] if found else 0


def words_of(cuda, kernel, macros):
    """Words of 4 bytes of the kernel's struct of tiles."""
    struct = re.search(r"struct " + kernel + r"_shared \{(.*?)\};", cuda, re.S)
    total = 0
    for type_, extents in re.findall(r"(int|double) \w+((?:\[[^]]*\])+);", struct[1]) if struct else []:
        product = 2 if type_ == "double" else 1
        for extent in re.findall(r"\[([^]]*)\]", extents):
            product *= eval(re.sub(r"[A-Za-z_]\w*", lambda m: macros["WARPLOOM_" + m[0]], extent))
        total += product
    return total


def program(tool, name, work):
    sizes, runs = RUNS[name]
    name, _, strategies = name.partition(" ")
    file = PROGRAMS / f"{name}.mf"
    output([tool, "cases", file, "-o", work, *(["--strategies", strategies] if strategies else []),
            *(["--registers", REGISTERS[name]] if name in REGISTERS else []), *[word for size in sizes for word in ("--sizes", size)]])
    together = [json.loads(path.read_text())["cases"] for path in work.glob("*_together.json")]
    trees = {path.stem: json.loads(path.read_text()) for path in work.glob("*.json") if not path.stem.endswith("_together")}
    trees = dict(sorted(trees.items(), key=lambda one: int(one[0].rsplit("_", 1)[1])))
    function = next(iter(trees.values()))["function"]
    # By number: the cases of the nests that are taken together, and when.
    cases = together[0] if together else [{"of": [k], **case} for k, case in enumerate(next(iter(trees.values()))["cases"], 1)]
    base = work / f"{name}_cases"
    text, cuda = base.with_suffix(".c").read_text(), base.with_suffix(".cu").read_text()
    flags = base.with_suffix(".flags").read_text().split()
    macros = dict(flag[2:].split("=") for flag in flags)
    lines, seen = {}, set()  # of the loops of each case
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(r"  case (\d+): /\* (\w+) ", line):
            variant = int(match[1])
            lines[variant] = next(n for n, other in enumerate(text.split("\n"), 1) if n > number and "for (" in other)
            # What is counted is what the kernels have.
            of = dict(part.split("=") for part in sizes[(variant - 1) // len(cases)].split(","))
            values = {key: int(value) for key, value in of.items()}
            if name == "matmul":
                values["B"] = min(values["B0"], values["B1"])
            for (nest, tree), case in zip(trees.items(), cases[(variant - 1) % len(cases)]["of"]):
                need = tree["cases"][case - 1]["needs"]["words"].replace("^", "**")
                assert words_of(cuda, f"{nest}_kernel{variant}", macros) == eval(need, {}, values), (line, nest)
    # Of the array that is read and written under a condition there is no tile.
    assert len(lines) == len(sizes) * (1 if name == "jacobi" else len(cases)), lines
    output([tool, "build", base.with_suffix(".c"), "--recipe", base.with_suffix(".lua"), "--tunables", "kernel", "--target", "cpu",
            "--sanitize", "-o", base.with_suffix(".prog"), "--", *flags])
    output([tool, "translate", file, "--to", "c", "-o", work / "serial.c"])
    output(["cc", "-O1", work / "serial.c", "-o", work / "serial"])
    names = [part.split("=")[0] for part in sizes[0].split(",")]
    chance = random.Random(name)
    for number, run in enumerate(runs):
        seed = str(chance.randrange(1 << 30))  # of the data
        right, _ = output([work / "serial", *run], SEED=seed)
        values = dict(zip(names, run[1:]))
        compiled = [size for size in sizes if {**dict(p.split("=") for p in size.split(","))} == {k: str(v) for k, v in values.items()}]
        for registers, bytes_, threads in DEVICES if number < len(sizes) or compiled else DEVICES[:3]:
            point = {**values, "R": registers, "Z": bytes_ // 4, "T": threads, "T_max": threads}
            if name == "matmul":
                point["B"] = min(point["B0"], point["B1"])
            case = expected_case(cases, point)
            taken = sizes.index(compiled[0]) * len(cases) + case if compiled and case else 0
            got, said = output([base.with_suffix(".prog"), *run], WARPLOOM_LIMITS=f"{registers},{bytes_},{threads}",
                               WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", SEED=seed)
            assert got == right, (name, run, seed, registers, bytes_, threads, got, right)
            ran = {int(line) for line in re.findall(r"region " + function + r":(\d+) .* path gpu", said)}
            if taken in lines:
                assert ran == {lines[taken]}, (name, run, registers, bytes_, threads, taken, ran, lines)
                seen.add(taken)
            else:
                assert not ran & set(lines.values()), (name, run, registers, bytes_, threads, ran)
    if "local" in strategies:
        assert [k for k in seen if "copy_to_registers" in base.with_suffix(".lua").read_text().split(f"_kernel{k}\"")[1].split("region(")[0]], seen
        assert re.search(r"_kernel\d+_TILE_K=4 ", base.with_suffix(".flags").read_text()), flags
    # Every kernel has run that some device takes.
    possible = set()
    for number, size in enumerate(sizes):
        values = {key: int(value) for key, value in (part.split("=") for part in size.split(","))}
        if name == "matmul":
            values["B"] = min(values["B0"], values["B1"])
        for words in range(700):
            for registers in (255, 20, 12):
                found = expected_case(cases, {**values, "R": registers, "Z": words, "T": 1024, "T_max": 1024})
                possible.add(number * len(cases) + found if found else 0)
    assert seen == set(lines) & possible and len(seen) >= len(lines) // 2, (name, seen, lines, possible)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        for name in RUNS:
            if options.only in (None, name):
                program(options.tool, name, Path(work) / name)
        if options.only:
            return 0
        # Without a size, and with other constructs, there is no such program.
        done = subprocess.run([options.tool, "cases", PROGRAMS / "matvec.mf", "--sizes", "B=8", "-o", work], capture_output=True, text=True)
        assert done.returncode == 1 and "--sizes does not say what 's' is" in done.stderr, done
        done = subprocess.run([options.tool, "cases", PROGRAMS / "matvec.mf", "--sizes", "B"], capture_output=True, text=True)
        assert done.returncode == 2, done
    return 0


if __name__ == "__main__":
    sys.exit(main())
