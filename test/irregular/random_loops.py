#!/usr/bin/env python3
"""Random loops through index arrays, in one program: built for the CPU execution under the sanitizer it gives, bit by bit, what the C compiler's program
gives; and enough of them run by levels.

    random_loops.py WARPLOOM FOLDER [--count N] [--seed S]
"""
import argparse
import os
import random
import re
import subprocess
import sys
from pathlib import Path

SIZES = [0, 1, 5, 67, 400]
SIZE = 2 * max(SIZES) + 8
DATA, INDEX = ["x", "y", "z"], ["p", "q", "r"]


class Loops:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def index(self, deep=True):
        """A number that chooses an element: affine, from an index array, or through two of them."""
        pick = self.random.random()
        if pick < 0.25:
            return self.random.choice(["i", "i", "i + 1", "n - i", "2 * i"]) if self.plain else self.random.choice(["i", "i + j", "j"])
        one = f"{self.random.choice(INDEX)}[{'i' if self.plain else self.random.choice(['i', 'i + j'])}]"
        if pick < 0.4 and deep:
            return f"{self.random.choice(INDEX)}[{one}]"
        if pick < 0.5:
            return one + " + 1"
        return "at" if pick < 0.6 and self.has_scalar else one

    def element(self):
        return f"{self.random.choice(DATA)}[{self.index()}]"

    def value(self):
        terms = [self.random.choice([f"{self.element()} * 0.5", f"{self.element()} * 0.25", "i", "1", f"w[{self.random.choice(INDEX)}[i]]"])
                 for _ in range(self.random.randint(1, 3))]
        return " + ".join(terms)

    def statement(self):
        pick = self.random.random()
        line = f"{self.random.choice(DATA)}[{self.index()}] {self.random.choice(['=', '=', '=', '+=', '-='])} {self.value()};"
        if pick < 0.2:
            return f"if ({self.random.choice(INDEX)}[i] % {self.random.randint(2, 4)} == 0) {line}"
        if pick < 0.35:
            guarded = f"{self.random.choice(DATA)}[{self.random.choice(INDEX)}[i]] = {self.value()};"
            return f"if ({self.random.choice(DATA)}[{self.index(False)}] > {self.random.choice(['0', '2', 'w[i]'])}) {guarded}"
        return line

    def function(self, name):
        self.plain, self.has_scalar = self.random.random() < 0.8, False
        body = []
        if self.random.random() < 0.3:
            body.append(f"int at = {self.index()};")
            self.has_scalar = True
            if self.random.random() < 0.5:
                body.append(f"if (p[i] % 2) at = {self.random.choice(INDEX)}[i];")
        body += [self.statement() for _ in range(self.random.choice([1, 1, 2, 3]))]
        loop = self.random.choice(["for (int i = 0; i < n; i++)", "for (int i = n - 1; i >= 0; i--)", "for (int i = 0; i < n; i += 3)"])
        if not self.plain:
            loop = "for (int i = 0; i < n / 4; i++)\n    " + self.random.choice(["for (int j = 0; j < 4; j++)", "for (int j = 3; j >= 0; j--)"])
        elif self.random.random() < 0.15:
            loop = "for (int k = 0; k < 2; k++)\n    " + loop
        lines = "\n      ".join(body)
        return f"void {name}(int n) {{\n  {loop} {{\n      {lines}\n    }}\n}}\n"


def program(count, seed):
    loops = Loops(seed)
    names = [f"loop_{k}" for k in range(count)]
    text = "#include <stdio.h>\n"
    text += "".join(f"double {name}[{SIZE}];\n" for name in DATA + ["w"]) + "".join(f"int {name}[{SIZE}];\n" for name in INDEX)
    text += "".join(loops.function(name) for name in names)
    text += "static volatile int k_; /* the driver is the host's */\nstatic volatile unsigned state_ = 1;\n"
    text += "static int next_(int n) { state_ = state_ * 1664525u + 1013904223u; return (int)((state_ >> 9) % (unsigned)(n > 0 ? n : 1)); }\n"
    text += "static void fill_(int n) {\n"
    text += "".join(f"  for (k_ = 0; k_ < {SIZE}; k_++) {name}[k_] = (k_ * 7 + {seed}) % 11 - 2;\n" for name in DATA + ["w"])
    text += "".join(f"  for (k_ = 0; k_ < {SIZE}; k_++) {name}[k_] = next_(n);\n" for name in INDEX) + "}\n"
    text += "static void show_(const char *name, int n) {\n  volatile double sum = 0;\n"
    text += "".join(f"  for (k_ = 0; k_ < {SIZE}; k_++) sum = sum + {name}[k_] * (k_ % 17 + 1);\n" for name in DATA)
    text += '  printf("%s %d %.17g\\n", name, n, sum);\n}\n'
    text += f"int main(void) {{\n  const int sizes[] = {{{', '.join(map(str, SIZES))}}};\n  for (volatile int s = 0; s < {len(SIZES)}; s++) {{\n    const int n = sizes[s];\n"
    text += "".join(f'    fill_(n), {name}(n), show_("{name}", n);\n' for name in names)
    return text + "  }\n  return 0;\n}\n"


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=580, **more)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warploom", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warploom, folder = options.warploom.resolve(), options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, plain, made = folder / f"random_{options.seed}.c", folder / "plain", folder / "made"
    source.write_text(program(options.count, options.seed))
    flags = ["-w", "-ffp-contract=off"]
    compiled = run([os.environ.get("CC", "cc"), "-O1", *flags, source, "-o", plain])
    # Sums through data must not be taken in another order: results are compared bit by bit.
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--strict-fp", "--", *flags])
    if compiled.returncode or built.returncode:
        print(compiled.stderr + built.stderr)
        return 1
    expected = run([plain]).stdout
    got = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_THREADS="2"))
    wrong = [f"seed {options.seed}: {a}, but {b}" for a, b in zip(expected.splitlines(), got.stdout.splitlines()) if a != b]
    if got.returncode or len(got.stdout.splitlines()) != len(expected.splitlines()):
        wrong.append(f"seed {options.seed}: status {got.returncode}\n{got.stderr[-2000:]}")
    by_levels = len(set(re.findall(r"levels of region (loop_\d+):\d+: \d+ for \d+ iterations, (?:found|as before)", got.stderr)))
    if by_levels < options.count // 3:
        wrong.append(f"seed {options.seed}: only {by_levels} of {options.count} loops run by levels")
    print("\n".join(wrong) if wrong else f"{options.count} loops are right, {by_levels} of them by levels")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
