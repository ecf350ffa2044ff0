#!/usr/bin/env python3
"""Random whole programs through `warploom build`, against gcc: several regions, host statements between them, functions, loops,
early exits, two files; global, static, heap and stack arrays.

  whole_programs.py --tool build/warploom --count 200 --seed 1 [--sanitize] [--keep FOLDER]
  whole_programs.py --tool build/warploom --program SEED

All values are small whole numbers, so every line must be equal. Many programs share two files; where they fail, the programs at
fault are found and kept.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

PER_FILE = 25
LENGTH = 9000  # of global arrays: long enough to move
TOTAL = re.compile(r"warploom: total regions (\d+) on device (\d+) bytes in (\d+) out (\d+)")


class Program:
    """One random program: declarations, functions for the first and the second file, and `void programK(void)`."""

    def __init__(self, number, seed):
        self.random = random.Random(seed)
        self.k = number
        self.type = self.random.choice(["long", "int", "double"])
        self.shared = [f"p{number}_g{i}" for i in range(self.random.randint(1, 2))]  # of both files
        self.own = [f"p{number}_s{i}" for i in range(self.random.randint(1, 2))]     # static, in the second file
        self.heap = [f"h{i}" for i in range(self.random.randint(1, 2))]
        self.stack = [f"t{i}" for i in range(self.random.randint(0, 1))]
        self.functions = [[], []]
        self.prototypes = []
        self.count = 0

    def pick(self, *options):
        return self.random.choice(options)

    def value(self, expression):
        """`expression`, kept small."""
        return f"({expression}) % 1009" if self.type != "double" else f"(double)((long)({expression}) % 1009)"

    def region(self, arrays, n):
        """The loops of a region over `arrays`, which have n elements each, and may be the same."""
        a, b = self.random.choice(arrays), self.random.choice(arrays)
        c = self.random.choice(arrays)
        m = self.random.randint(2, 9)
        shape = self.random.randrange(7)
        if shape == 0:
            return f"  for (int i = 0; i < {n}; i++) {a}[i] = {self.value(f'{a}[i] + {m} * {b}[i] + i')};\n"
        if shape == 1 and a != b:
            return (f"  for (int i = 1; i < {n} - 1; i++) {a}[i] = {self.value(f'{b}[i - 1] + {m} * {b}[i] + {b}[i + 1]')};\n"
                    f"  {a}[0] = {b}[{n} - 1];\n")
        if shape == 2:
            return (f"  for (int i = 0; i < {n}; i++) sum += {self.value(f'{a}[i] * {m} + {b}[i]')};\n"
                    f"  for (int i = 0; i < {n}; i++) {c}[i] = {self.value(f'{c}[i] + (long)sum % 7')};\n")
        if shape == 3:
            return f"  for (int i = 0; i < {n} / 2; i++) {a}[2 * i] = {self.value(f'{b}[{n} - 1 - i] + {m}')};\n" if a != b else (
                f"  for (int i = 0; i < {n} / 2; i++) {a}[2 * i] = {self.value(f'{a}[2 * i] * {m}')};\n")
        if shape == 4:
            return (f"  for (int t = 0; t < 3; t++) {{\n    for (int i = 0; i < {n}; i++) {a}[i] = {self.value(f'{a}[i] + {m} + t')};\n"
                    f"    for (int i = 0; i < {n}; i++) {b}[i] = {self.value(f'{b}[i] + {a}[i]')};\n  }}\n")
        if shape == 5:
            return (f"  for (int i = 0; i < {n}; i++)\n    if ((long){b}[i] % {m} == 0) {a}[i] = {self.value(f'{c}[i] + {m}')};\n"
                    if a not in (b, c) else
                    f"  for (int i = 0; i < {n}; i++) if (i % {m}) {a}[i] = {self.value(f'{a}[i] * 3 + 1')};\n")
        return f"  for (int i = {m}; i < {n}; i++) {a}[i] = {self.value(f'{a}[i] + {b}[i / 2]')};\n" if a != b else (
            f"  for (int i = 0; i < {n}; i++) {a}[i] = {self.value(f'{m} * {a}[i]')};\n")

    def function(self):
        """A call of a new function, with regions in it, as the text of an expression of type long."""
        name = f"p{self.k}_f{self.count}"
        self.count += 1
        second = self.random.random() < 0.6
        visible = self.shared + (self.own if second else [])
        locals_ = self.heap + self.stack
        given = self.random.sample(locals_, self.random.randint(0, len(locals_)))
        restrict = self.pick("", "restrict ")
        parameters = ", ".join(["int n", *[f"{self.type}* {restrict}x{i}" for i in range(len(given))]])
        arrays = [f"x{i}" for i in range(len(given))] + self.random.sample(visible, self.random.randint(0 if given else 1, len(visible)))
        body = "  long sum = 0;\n"
        for _ in range(self.random.randint(1, 2)):
            body += self.region(arrays, "n")
            one = self.random.choice(arrays)
            # What the host does between them.
            body += self.pick("", "", f"  {one}[n / 3] = {self.value(f'{one}[n / 2] + sum')};\n",
                              f"  if ((long){one}[1] % 5 == 0) return sum;\n",
                              f"  for (int i = 1; i < n; i++) {one}[i] = {self.value(f'{one}[i] + {one}[i - 1]')};\n")
        body += f"  return sum + (long){self.random.choice(arrays)}[n - 1];\n"
        self.prototypes.append(f"long {name}({parameters});")
        self.functions[second].append(f"long {name}({parameters}) {{\n{body}}}\n")
        return f"{name}({', '.join(['n', *given])})"

    def host(self, arrays):
        """Something that the host does with arrays."""
        a, b = self.random.choice(arrays), self.random.choice(arrays)
        bytes_ = f"n * sizeof({self.type})"
        choices = [f"total += (long){a}[n / 2];", f"{a}[n / 4] = {self.value(f'{b}[n - 1] + total')};",
                   f"for (int i = 2; i < n; i++) {a}[i] = {self.value(f'{a}[i - 2] + {a}[i]')};",
                   f"memset({a}, 0, {bytes_});", f"if ((long){a}[n - 1] % 3 == 1) break;", f"total += (long){a}[3] + (long){b}[n - 2];"]
        if a != b:
            choices.append(f"memcpy({a}, {b}, {bytes_});")
        if len(self.heap) > 1:
            choices.append(f"{{ {self.type}* swap = {self.heap[0]}; {self.heap[0]} = {self.heap[1]}; {self.heap[1]} = swap; }}")
        if self.random.random() < 0.15:
            choices.append(f"{{ {self.type}* kept = {a}; kept[n / 5] = {self.value('kept[n / 6] + 1')}; }}")
        return self.random.choice(choices)

    def texts(self):
        """The declarations for both files, and the two files' parts."""
        n = self.random.choice([self.random.randint(10, 300), self.random.randint(2000, LENGTH)])
        arrays = self.shared + self.own + self.heap + self.stack
        steps = []
        for _ in range(self.random.randint(3, 6)):
            if self.random.random() < 0.55:
                steps.append(f"total += {self.function()};")
            else:
                steps.append(self.host(arrays))
        main = f"void program{self.k}(void) {{\n  int n = {n};\n  long total = 0, sum = 0;\n"
        for name in self.heap:
            main += f"  {self.type}* {name} = malloc({LENGTH} * sizeof *{name});\n"
        for name in self.stack:
            main += f"  {self.type} {name}[{LENGTH}];\n"
        main += f"  for (int i = 0; i < {LENGTH}; i++) {{\n"
        main += "".join(f"    {name}[i] = (i * {index + 3} + {self.k}) % 100;\n" for index, name in enumerate(arrays)) + "  }\n"
        main += f"  for (int step = 0; step < {self.random.randint(1, 4)}; step++) {{\n"
        main += "".join(f"    {step}\n" for step in steps)
        main += "  }\n" + self.region(arrays, "n")
        main += f"  printf(\"program{self.k} %ld %ld\", total, sum);\n"
        for name in arrays:
            main += (f"  {{ unsigned long hash = 0; for (int i = 0; i < {LENGTH}; i++) hash = hash * 31 + (unsigned long){name}[i]; "
                     f"printf(\" {name} %lu\", hash); }}\n")
        main += "  printf(\"\\n\");\n" + "".join(f"  free({name});\n" for name in self.heap) + "}\n"
        declared = "".join(f"extern {self.type} {name}[{LENGTH}];\n" for name in self.shared) + "\n".join(self.prototypes) + "\n"
        first = "".join(f"{self.type} {name}[{LENGTH}];\n" for name in self.shared)
        second = "".join(f"static {self.type} {name}[{LENGTH}];\n" for name in self.own)
        return declared, (first, "".join(self.functions[0])), (second, "".join(self.functions[1]) + main)


def write(seeds, folder):
    """The two files of the programs with these seeds."""
    parts = [Program(k, seed).texts() for k, seed in enumerate(seeds)]
    head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + "".join(part[0] for part in parts)
    paths = []
    for which in (1, 2):
        text = head + "".join(part[which][0] for part in parts) + "".join(part[which][1] for part in parts)
        if which == 2:
            text += "int main(void) {\n" + "".join(f"  program{k}();\n  fflush(stdout);\n" for k in range(len(parts))) + "  return 0;\n}\n"
        paths.append(os.path.join(folder, f"part{which}.c"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return paths


def run(words, limit, **environment):
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=limit, check=False,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None, f"not done after {limit} s"
    return (done if done.returncode == 0 else None), done.stdout[-500:] + done.stderr[-3000:]


def check(seeds, options):
    """What is wrong with the programs, as a text that is empty when nothing is, and numbers of regions."""
    with tempfile.TemporaryDirectory() as folder:
        sources = write(seeds, folder)
        original, made = os.path.join(folder, "original"), os.path.join(folder, "made")
        compiled, text = run(["gcc", "-O1", "-w", *sources, "-o", original], 100)
        if not compiled:
            return "gcc: " + text, (0, 0, 0)
        expected, text = run([original], 60)
        if not expected:
            return "the original: " + text, (0, 0, 0)
        built, text = run([options.tool, "build", *sources, "-o", made, "--target", "cpu", "--explain",
                           *(["--sanitize"] if options.sanitize else []), "--", "-w"], 400)
        if not built or "internal error" in text:
            return "warploom: " + text, (0, 0, 0)
        moving = len(re.findall(r"the array \w+ moves to", built.stderr))
        for choice in ("", "learn"):
            got, text = run([made], 200, WARPLOOM_TIMING="1", **({"WARPLOOM_CHOICE": choice} if choice else {}))
            if not got:
                return f"run {choice}: {text}", (0, 0, moving)
            if got.stdout != expected.stdout:
                pairs = zip(expected.stdout.splitlines(), got.stdout.splitlines())
                return f"run {choice}: " + "\n".join(f"{a}\n{b}" for a, b in pairs if a != b)[:2000], (0, 0, moving)
            if not choice:
                total = TOTAL.search(got.stderr)
                counts = (int(total[1]), int(total[2]), moving) if total else (0, 0, moving)
        return "", counts


def examine(seeds, options):
    """Faults by seed, and counts."""
    text, counts = check(seeds, options)
    if not text:
        return {}, counts
    if len(seeds) == 1:
        return {seeds[0]: text}, counts
    half = len(seeds) // 2
    faults = examine(seeds[:half], options)[0] | examine(seeds[half:], options)[0]
    return faults or {seeds[0]: f"only together with {seeds[1:]}: {text}"}, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/warploom")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=int, action="append")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing more is begun with after so long")
    parser.add_argument("--keep")
    options = parser.parse_args()
    seeds = options.program or [options.seed * 1000003 + k for k in range(options.count)]
    begun = time.monotonic()
    files = [seeds[k:k + PER_FILE] for k in range(0, len(seeds), PER_FILE)]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(
            lambda some: (*examine(some, options), len(some)) if time.monotonic() - begun < options.seconds else ({}, (0, 0, 0), 0), files))
    done = sum(count for _, _, count in results)
    regions, device, moving = (sum(counts[k] for _, counts, _ in results) for k in range(3))
    print(f"{done} of {len(seeds)} programs, {regions} passages through regions, {device} on the device, {moving} arrays that move")
    faults = {seed: text for found, _, _ in results for seed, text in found.items()}
    for seed, text in faults.items():
        print(f"program {seed}: {text}")
        if options.keep:
            folder = os.path.join(options.keep, f"program_{seed}")
            os.makedirs(folder, exist_ok=True)
            write([seed], folder)
    # A generator whose programs all stay on the host, or keep all arrays in place, finds nothing.
    if not options.program and (device < max(done, 1) or moving < done // 2):
        print("too little of it is on the device")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
