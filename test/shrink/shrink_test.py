#!/usr/bin/env python3
"""The groups of cycle shrinking, by hand (`--shrink`) and automatically: groups.c is built for the CPU execution under the sanitizer, gives what the C compiler's
program gives, and each loop makes as many launches as there should be groups.

    shrink_test.py WARPLOOM SOURCE FOLDER [COUNT]      beside them COUNT random nests: 6 unless told, and only in the finest groups and automatically
"""
# SHOWS: CR-25 CR-26 CR-27 CR-28 CR-29 CR-30 CR-31 CR-33 CR-35 CR-36 CR-38 CR-39 CR-40 CR-42 CR-66
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HOST = 0  # the loop stays on the host
# How many launches: boxes, the outermost loop, true distances, shells; and the most that may be made where nobody says how. Where
# distances vary, all ways by hand come to shells from peak to peak.
EXPECTED = {
    "two_arrays":         {"simple": 168, "selective": 14, "td": 13, "ecs": 12, "auto": 12},
    "counted":            {"simple": 168, "selective": 14, "td": 13, "ecs": 12, "auto": 12},
    "three_distances":    {"simple": 56, "selective": 7, "td": 7, "ecs": 7, "auto": 7},
    "larger":             {"simple": 3128, "selective": 46, "td": 46, "ecs": 46, "auto": 46},
    "three_deep":         {"simple": 360, "selective": 4, "td": 4, "ecs": 4, "auto": 4},
    "to_the_left":        {"simple": 70, "selective": 10, "td": 11, "ecs": 7, "auto": 7},
    "both_ways":          {"simple": 70, "selective": 10, "td": 11, "ecs": 10, "auto": 10},
    "chains":             {"simple": 3, "selective": 3, "td": 3, "ecs": 3, "auto": 1},
    "four_and_six":       {"simple": 25, "selective": 25, "td": 25, "ecs": 25, "auto": HOST},
    "growing":            {"simple": 6, "selective": 6, "td": 6, "ecs": 6, "auto": HOST},
    "growing_to_400":     {"simple": 6, "selective": 6, "td": 6, "ecs": 6, "auto": HOST},
    "growing_rows":       {"simple": 6, "selective": 6, "td": 6, "ecs": 6, "auto": 6},
    "growing_square":     {"simple": 4, "selective": 4, "td": 4, "ecs": 4, "auto": 4},
    "crossing":           {"simple": 2, "selective": 2, "td": 2, "ecs": 2, "auto": 2},
    "coupled":            {"simple": 15, "selective": 15, "td": 15, "ecs": 15, "auto": 15},
    "apart":              {"simple": 1, "selective": 1, "td": 1, "ecs": 1, "auto": 1},
    "one_by_one":         {"simple": HOST, "selective": HOST, "td": HOST, "ecs": HOST, "auto": HOST},
    "one_by_one_in_rows": {"simple": HOST, "selective": HOST, "td": HOST, "ecs": HOST, "auto": HOST},
}
FEW = 6
RANDOM = int(sys.argv[4]) if len(sys.argv) > 4 else FEW  # random nests
SCHEMES = ("simple", "selective", "td", "ecs", "auto")
LINE = re.compile(r"warploom: region (\w+):\d+ .* launches (\d+) path gpu")


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)


def random_nests():
    """A program of RANDOM nests of two or three loops with random distances between their iterations, always the same; how often each iteration runs is counted."""
    rest = random.Random(16)
    text = "#include <stdio.h>\nenum { wide = 20 };\nstatic int A[wide][wide][wide], B[wide][wide][wide], often[wide][wide][wide];\n"
    for number in range(RANDOM):
        depth, far = rest.choice([2, 3]), rest.choice([3, 4])
        names = ["i", "j", "k"][:depth]

        def element(array, distance):
            subscripts = [f"{name} - {d}" if d > 0 else f"{name} + {-d}" if d < 0 else name for name, d in zip(names, distance)]
            return array + "".join(f"[{one}]" for one in (subscripts if depth == 3 else [str(number)] + subscripts))

        body = []
        for target in rest.choice(["A", "B", "AB"]):
            reads = [element(rest.choice("AB"), [rest.randint(1 if rest.random() < 0.6 else -far, far)] + [rest.randint(-far, far) for _ in names[1:]])
                     for _ in range(rest.choice([1, 1, 2]))]
            body.append(f"{element(target, [0] * depth)} = " + " + ".join(f"{one} % 1000" for one in reads) + f" + {names[-1]};")
        body.append(f"{element('often', [0] * depth)}++;")
        loops = "".join(f"  for (int {name} = {far}; {name} < {wide}; {name}++)\n" for name, wide in zip(names, [rest.randint(11, 16) for _ in names]))
        text += f"static void random_{number}(void) {{\n{loops}  {{ {' '.join(body)} }}\n}}\n"
    text += """static unsigned sum(void) {
  unsigned s = 0;
  for (int i = 0; i < wide; i++)
    for (int j = 0; j < wide; j++)
      for (int k = 0; k < wide; k++) s = s * 31u + (unsigned)A[i][j][k] * 7u + (unsigned)B[i][j][k] + (unsigned)often[i][j][k] * 3u;
  return s;
}
int main(void) {
  for (int i = 0; i < wide; i++)
    for (int j = 0; j < wide; j++)
      for (int k = 0; k < wide; k++) A[i][j][k] = (i * 31 + j * 7 + k) % 97, B[i][j][k] = (i * 11 + j * 3 + k) % 89;
"""
    return text + "".join(f'  random_{number}(), printf("random_{number} %u\\n", sum());\n' for number in range(RANDOM)) + "  return 0;\n}\n"


def check(warploom, source, folder, scheme, expected, wanted_launches):
    """What is wrong with the program in groups of this scheme: a list of lines."""
    made = folder / f"{source.stem}_{scheme}"
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--shrink", scheme, "--", "-w"])
    if built.returncode:
        return [f"{scheme}: {built.stderr}"]
    got = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_LAUNCH="launches", WARPLOOM_THREADS="2"))
    if got.returncode or got.stdout != expected:
        return [f"{scheme}: status {got.returncode}\nwanted:\n{expected}got:\n{got.stdout}{got.stderr}"]
    as_crink = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_LAUNCH="crink", WARPLOOM_THREADS="2"))
    if as_crink.returncode or as_crink.stdout != expected or LINE.findall(as_crink.stderr) != LINE.findall(got.stderr):
        return [f"{scheme}: as CRINK launches: status {as_crink.returncode}\n{as_crink.stdout}{as_crink.stderr}"]
    launches = {name: int(count) for name, count in LINE.findall(got.stderr)}
    wrong = []
    for name, wanted in wanted_launches.items():
        found, most = launches.get(name, HOST), wanted[scheme]
        good = (found > 0) == (most > 0) and found <= most if scheme == "auto" else found == most
        if not good:
            wrong.append(f"{scheme}: {name} makes {found} launches instead of {most}")
    return wrong


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    nests = folder / "nests.c"
    nests.write_text(random_nests())
    work = []
    for program, launches, lines in ((source, EXPECTED, len(EXPECTED)), (nests, {}, RANDOM)):
        plain = folder / f"{program.stem}_plain"
        compiled = run([os.environ.get("CC", "cc"), "-O1", "-w", program, "-o", plain])
        expected = run([plain]).stdout
        if compiled.returncode or len(expected.splitlines()) != lines:
            print(compiled.stderr, expected)
            return 1
        schemes = SCHEMES if launches or RANDOM > FEW else ("ecs", "auto")
        work += [(program, scheme, expected, launches) for scheme in schemes]
    with ThreadPoolExecutor(2) as pool:
        wrong = sum(pool.map(lambda one: check(warploom, one[0], folder, one[1], one[2], one[3]), work), [])
    print("\n".join(wrong) if wrong else f"{len(EXPECTED)} loops and {RANDOM} random nests are right in each way")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
