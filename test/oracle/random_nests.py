#!/usr/bin/env python3
"""Random loop nests held against their trace: `random_nests.py --tool build/warploom --count 2000 --seed 1`.

A nest depends on its own seed alone, which every failure names; `--nest SEED` runs that one again. All subscripts are
in bounds by construction: the generator keeps the interval of every index and shifts subscripts into the arrays.
"""
import argparse
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

from compare import ClaimError, Comparison, Report, claims_of
from tracing import build_runtime, trace

SMALL, LARGE = 4, 7  # the sizes n at which nests run
PER_FILE = 50
NIGHTLY = 50000

# name -> extents; integer arrays hold values in [0, 16) and serve as subscripts
ARRAYS = {"A": [64], "B": [64], "C": [64], "M": [26, 26], "R": [26, 26], "D3": [14, 14, 14],
          "T": [24], "P.x": [40], "P.y": [40]}
INDEX_ARRAYS = ["X", "Y"]
DECLARATIONS = """struct pair {
  double x, y;
};
struct pair P[40];
static double half(double v) { return v * 0.5; }
double A[64], B[64], C[64], M[26][26], R[26][26], D3[14][14][14], G[256], H[256];
int X[64], Y[64];
double out;
"""


class Range:
    """An integer expression as text, with an interval that holds its value."""

    def __init__(self, text, low, high):
        self.text, self.low, self.high = text, low, high


class Nest:
    def __init__(self, seed, name):
        self.seed = seed
        self.random = random.Random(seed)
        self.name = name
        self.lines = []
        self.indices = []     # Range of each open loop's index, outermost first
        self.names = (f"{letter}{suffix}" for suffix in ("", "1", "2") for letter in "ijlmcdef")
        self.arrays = self.random.sample(list(ARRAYS), self.random.choice([2, 2, 3]))
        self.bases = {}       # (array, dimension) -> an expression used there, so that subscripts meet
        self.scalars = []     # double scalars declared and certainly assigned
        self.induction = None
        self.nonaffine = False
        self.statements = 0
        self.loops = 0
        self.budget = self.random.randint(1, 6)
        self.max_depth = self.random.choice([1, 1, 2, 2, 2, 3, 3, 4])
        self.pointers = self.random.random() < 0.25
        self.restrict = self.random.random() < 0.6
        self.trip = 1         # bound on the number of times the current position is reached
        self.counter = 0

    def chance(self, p):
        return self.random.random() < p

    def emit(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    # Expressions

    def affine(self):
        """A random affine expression of the open indices and n, not yet shifted into any array."""
        terms, low, high = [], 0, 0
        count = self.random.choice([1, 1, 1, 2, 2]) if self.indices else 0
        for index in self.random.sample(self.indices, min(count, len(self.indices))):
            factor = self.random.choice([1, 1, 1, 1, 1, 2, -1, 3])
            ends = sorted((factor * index.low, factor * index.high))
            low, high = low + ends[0], high + ends[1]
            text = index.text if abs(factor) == 1 else f"{abs(factor)} * {index.text}"
            terms.append(("-" if factor < 0 else "+", text))
        if self.chance(0.08):
            terms.append(("+", "n"))
            low, high = low + SMALL, high + LARGE
        if self.induction and self.chance(0.5):
            terms.append(("+", self.induction.text))
            low, high = low + self.induction.low, high + self.induction.high
        text = ""
        for sign, term in sorted(terms, key=lambda item: item[0] == "-"):
            text += (f" {sign} " if text else ("" if sign == "+" else "-")) + term
        return Range(text or "0", low, high)

    def shifted(self, expression, extent):
        """`expression` moved into [0, extent) by a constant, or None where it is too wide."""
        if expression.high - expression.low >= extent:
            return None
        least = -expression.low
        most = extent - 1 - expression.high
        # Small and equal shifts make subscripts that meet.
        shift = min(max(self.random.choice([0, 0, 1, 1, 2, 3, 4]), least), most)
        if self.chance(0.1):
            shift = self.random.randint(least, min(most, least + 12))
        text = expression.text
        if shift:
            text = f"{text} {'+' if shift > 0 else '-'} {abs(shift)}"
        return Range(text, expression.low + shift, expression.high + shift)

    def subscript(self, extent, place):
        for _ in range(8):
            kind = self.random.random()
            base = self.affine()
            known, used = self.bases.get(place, (None, ()))
            if known and all(index in self.indices for index in used) and self.chance(0.65):
                base = known
            else:
                self.bases[place] = (base, [index for index in self.indices])
            if kind < 0.04:
                inner = self.shifted(self.affine(), 64)
                if inner and extent >= 16:
                    self.nonaffine = True
                    return f"{self.random.choice(INDEX_ARRAYS)}[{inner.text}]"
                continue
            if kind < 0.10:
                inner = self.shifted(base, 1000)
                divisor = self.random.choice([2, 3, 4])
                if inner and self.chance(0.5):
                    return f"({inner.text}) % {divisor}"
                if inner and inner.high // divisor < extent:
                    return f"({inner.text}) / {divisor}"
                continue
            found = self.shifted(base, extent)
            if found:
                return found.text
        return "0"

    def element(self):
        if self.pointers and self.chance(0.6):
            pointer = self.random.choice(["p", "q"])
            if len(self.indices) >= 2 and self.chance(0.7):
                i, j = self.random.sample(self.indices, 2)
                if i.low >= 0 and j.low >= 0 and i.high * LARGE + j.high < 200:
                    if j.high >= SMALL:
                        self.nonaffine = True  # whether it stays in its row is a run-time matter
                    return f"{pointer}[{i.text} * n + {j.text}]"
            return f"{pointer}[{self.subscript(128, pointer)}]"
        name = self.random.choice(self.arrays)
        base, _, member = name.partition(".")
        subscripts = "".join(f"[{self.subscript(extent, (base, k))}]" for k, extent in enumerate(ARRAYS[name]))
        return base + subscripts + (f".{member}" if member else "")

    def operand(self):
        kind = self.random.random()
        if kind < 0.15 and self.scalars:
            return self.random.choice(self.scalars)
        if kind < 0.22:
            return f"{self.random.randint(1, 9)}.5"
        if kind < 0.28 and self.indices:
            return self.random.choice(self.indices).text
        if kind < 0.31:
            return f"half({self.element()})"
        return self.element()

    def expression(self):
        text = self.operand()
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            text += f" {self.random.choice('+-*')} {self.operand()}"
        return text

    # Statements

    def statement(self, depth):
        self.statements += 1
        kind = self.random.random()
        if kind < 0.66:
            self.emit(depth, f"{self.element()} = {self.expression()};")
        elif kind < 0.76:
            self.emit(depth, f"{self.element()} {self.random.choice(['+=', '+=', '*=', '-='])} {self.expression()};")
        elif kind < 0.81:
            self.emit(depth, f"s += {self.expression()};")
        elif kind < 0.84:
            element = self.element()
            self.emit(depth, f"t = {element} > t ? {element} : t;")
        elif kind < 0.89:
            self.emit(depth, f"u = {self.expression()};")
            self.emit(depth, f"{self.element()} = u + {self.operand()};")
        elif kind < 0.96:
            self.counter += 1
            name = f"v{self.counter}"
            self.emit(depth, f"double {name} = {self.expression()};")
            self.emit(depth, f"{self.element()} = {name} * {self.operand()};")
        elif kind < 0.98:
            element = self.element()
            self.emit(depth, f"if ({element} < w)")
            self.emit(depth + 1, f"w = {element};")
        else:
            self.emit(depth, f"u = u + {self.expression()};" if self.chance(0.3) else f"{self.element()} = u;")

    def condition(self):
        if self.chance(0.6) and self.indices:
            index = self.random.choice(self.indices)
            other = self.affine() if self.chance(0.3) else None
            form = self.random.random()
            if form < 0.25 and index.low >= 0:
                return f"{index.text} % {self.random.choice([2, 3])} == {self.random.randint(0, 1)}"
            if other and other.text != index.text:
                return f"{index.text} {self.random.choice(['<', '<=', '>', '==', '!='])} {other.text}"
            return f"{index.text} {self.random.choice(['<', '>', '==', '!=', '>='])} {self.random.choice(['1', '2', '3', 'n - 2', 'n / 2'])}"
        return f"{self.element()} > {self.random.choice(['0', '1', '-1'])}"

    def guard(self, depth):
        self.emit(depth, f"if ({self.condition()}) {{")
        self.body(depth + 1, self.random.choice([1, 1, 2]), may_loop=False)
        if self.chance(0.4):
            self.emit(depth, "} else {")
            self.body(depth + 1, 1, may_loop=False)
        self.emit(depth, "}")

    def loop(self, depth):
        """One `for` with its body; the index's interval is known inside."""
        self.loops += 1
        name = next(self.names)
        outer = self.random.choice(self.indices) if self.indices and self.chance(0.3) else None
        low = Range(str(self.random.choice([0, 0, 0, 1, 1, 2])), 0, 0)
        low.low = low.high = int(low.text)
        size = self.random.random()
        deep = len(self.indices) >= 2
        if size < 0.6 and not deep:
            cut = self.random.choice([0, 0, 0, 1, 2])
            high = Range("n" if not cut else f"n - {cut}", SMALL - cut, LARGE - cut)
        else:
            constant = self.random.randint(3, 4 if deep else 9)
            high = Range(str(constant), constant, constant)
        if outer:
            shape = self.random.random()
            offset = self.random.choice([0, 0, 1, 2, -1])
            moved = Range(f"{outer.text} {'+' if offset >= 0 else '-'} {abs(offset)}" if offset else outer.text,
                          outer.low + offset, outer.high + offset)
            if shape < 0.45:
                low = moved
            elif shape < 0.85:
                high = moved
            else:
                high = Range(f"({high.text} < {moved.text} + 3 ? {high.text} : {moved.text} + 3)",
                             min(high.low, moved.low + 3), min(high.high, moved.high + 3))
        step = self.random.choice([1, 1, 1, 1, 1, 1, 2, 3])
        declared = self.random.choice(["int "] * 8 + ["long "]) if self.chance(0.85) else ""
        if not declared:
            self.outside.append(name)
        if self.chance(0.18):
            test = f"{name} >= {low.text}" if self.chance(0.7) else f"{name} > {low.text} - 1"
            move = f"{name}--" if step == 1 else f"{name} -= {step}"
            header = f"for ({declared}{name} = {high.text} - 1; {test}; {move})"
        else:
            test = f"{name} < {high.text}" if self.chance(0.8) else f"{name} <= {high.text} - 1"
            move = self.random.choice([f"{name}++", f"++{name}"]) if step == 1 else f"{name} += {step}"
            header = f"for ({declared}{name} = {low.text}; {test}; {move})"
        index = Range(name, low.low, max(low.low, high.high - 1))
        before = self.trip
        self.trip *= max(1, (index.high - index.low) // step + 1)
        self.indices.append(index)
        self.emit(depth, header + " {")
        advance = self.induction is None and self.wants_induction and self.trip <= 40
        if advance:
            step = self.random.choice([1, 2, 2, 3, -1])
            start = -step * self.trip if step < 0 else 0
            self.induction_start = start
            self.induction = Range("k", min(start, start + step * self.trip), max(start, start + step * self.trip))
            if self.chance(0.5):
                self.emit(depth + 1, f"k += {step};" if step > 0 else f"k -= {-step};")
                self.body(depth + 1, self.random.choice([1, 2]), may_loop=False)
            else:
                self.body(depth + 1, self.random.choice([1, 2]), may_loop=False)
                self.emit(depth + 1, f"k += {step};" if step > 0 else f"k -= {-step};")
        else:
            self.body(depth + 1, self.random.choice([1, 1, 2, 3]), may_loop=True)
            if self.chance(0.015):
                self.nonaffine = True
                self.emit(depth + 1, f"if ({self.element()} > 3.5)")
                self.emit(depth + 2, self.random.choice(["break;", "continue;"]))
                self.statement(depth + 1)
        self.emit(depth, "}")
        self.indices.pop()
        self.trip = before

    def body(self, depth, items, may_loop):
        for k in range(items):
            room = len(self.indices) < self.max_depth and may_loop and self.loops < 6
            if room and (k == items - 1 or self.chance(0.5)):
                self.loop(depth)
            elif self.chance(0.15):
                self.guard(depth)
            else:
                self.statement(depth)

    def text(self):
        self.outside = []
        self.wants_induction = self.chance(0.12)
        self.induction_start = None
        for _ in range(self.random.choice([1, 1, 1, 2])):
            self.loop(0)
        qualifier = "restrict " if self.restrict else ""
        parameters = f", double *{qualifier}p, double *{qualifier}q" if self.pointers else ""
        head = [f"// nest seed {self.seed}"]
        if self.nonaffine:
            head.append("// NONAFFINE")
        head.append(f"void {self.name}(int n{parameters}) {{")
        head.append("  double s = 0, t = 0, u = 0, w = 9;")
        if "T" in self.arrays:
            head.append("  double T[24] = {0};")
        if self.outside:
            head.append("  int " + ", ".join(self.outside) + ";")
        if self.induction_start is not None:
            head.append(f"  int k = {self.induction_start};")
        return "\n".join(head + self.lines + ["  out = s + t + u + w;", "}", ""])

    def runs(self):
        if not self.pointers:
            return [f"{self.name}(n)"]
        result = [f"{self.name}(n, G, H)"]
        if not self.restrict:
            result.append(f"{self.name}(n, G + 1, G)")
        return result


def nest_text(seed, name):
    nest = Nest(seed, name)
    return nest.text(), nest.runs()


def file_text(seeds):
    parts, runs = [DECLARATIONS], []
    for number, seed in enumerate(seeds):
        text, calls = nest_text(seed, f"nest{number}")
        parts.append(text)
        runs += calls
    driver = "\n".join(f"  RUN({call});" for call in runs)
    parts.append(f"#ifdef WL_TRACE\nint main(void) {{\n{driver}\n}}\n#endif\n")
    return "\n".join(parts)


def check(seeds, tool, folder, number):
    """The report on one file of nests, and the texts of the failing ones by seed."""
    os.environ["WL_TRACE_SIZES"] = f"{SMALL},{LARGE}"
    path = os.path.join(folder, f"nests{number}.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(file_text(seeds))
    traced = trace(path, folder)
    begun = time.time()
    try:
        claims = claims_of(tool, path)
    except ClaimError as error:
        # Find the nests that the tool stumbles over, then check the others.
        bad = narrow(seeds, tool, folder, number)
        rest = [seed for seed in seeds if seed not in bad]
        report, failed, seconds = Report(), set(), 0
        if bad and rest:
            report, failed, seconds = check(rest, tool, folder, number)
        report.checks += 1
        report.failures.append(str(error))
        return report, failed | (bad or set(seeds)), seconds + time.time() - begun
    seconds = time.time() - begun
    report = Comparison(traced, claims, f"nests{number}.c").run(expectations=False)
    failed = set()
    for failure in report.failures + report.missed:
        if failure in report.failures:
            name = failure.split(": ")[1]
            if name.startswith("nest"):
                failed.add(seeds[int(name[4:])])
    for stem in (path, path[:-2] + ".traced", path[:-2] + ".traced.c", path[:-2] + ".o", path[:-2] + ".trace.json"):
        os.remove(stem)
    return report, failed, seconds


def check_in_time(until, *arguments):
    """What `check` finds; None where it is too late to begin."""
    return check(*arguments) if time.time() < until else None


def narrow(seeds, tool, folder, number):
    """The nests on which the tool itself fails, found by halving."""
    path = os.path.join(folder, f"some{number}.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(file_text(seeds))
    try:
        claims_of(tool, path)
        return set()
    except ClaimError:
        if len(seeds) == 1:
            return set(seeds)
    half = len(seeds) // 2
    return narrow(seeds[:half], tool, folder, number) | narrow(seeds[half:], tool, folder, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/warploom")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nightly", action="store_true", help=f"{NIGHTLY} nests, from a seed made of the date")
    parser.add_argument("--nest", type=int, help="run the one nest with this seed")
    parser.add_argument("--keep", default=".", help="where failing nests are written")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing more is begun with after so long")
    parser.add_argument("--print", action="store_true", help="print the nests and stop")
    parser.add_argument("--missed", action="store_true", help="print what is sound but not exact")
    options = parser.parse_args()
    if options.nightly:
        options.count = NIGHTLY
        options.seed = int(time.strftime("%Y%m%d"))
    seeds = [options.nest] if options.nest is not None else [options.seed * 1000003 + k for k in range(options.count)]
    if options.print:
        print(file_text(seeds))
        return 0
    print(f"seed {options.seed}, {len(seeds)} nests")
    total, failed, tool_seconds, done, until = Report(), set(), 0, 0, time.time() + options.seconds
    groups = [seeds[k:k + PER_FILE] for k in range(0, len(seeds), PER_FILE)]
    with tempfile.TemporaryDirectory() as folder:
        build_runtime(folder)
        with ProcessPoolExecutor(2) as pool:
            futures = [pool.submit(check_in_time, until, group, options.tool, folder, number) for number, group in enumerate(groups)]
            for group, future in zip(groups, futures):
                if not future.result():
                    continue
                report, bad, seconds = future.result()
                done += len(group)
                total.add(report)
                failed |= bad
                tool_seconds += seconds
                for text in report.failures:
                    print("FAIL " + text)
                if options.missed:
                    for text in report.missed:
                        print("missed: " + text)
                    for text in report.never_seen:
                        print("never seen: " + text)
    for seed in sorted(failed):
        path = os.path.join(options.keep, f"nest_{seed}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(file_text([seed]))
        print(f"nest seed {seed}, kept in {path}:\n{nest_text(seed, 'nest0')[0]}")
    for name, (called, of) in sorted(total.precision.items()):
        print(f"precision, {name}: {called} of {of} loops that the trace shows parallel")
    print(f"flow dependences claimed exact: {total.exact_claims}, of which no run shows {len(total.never_seen)}")
    print(f"{tool_seconds:.1f} s in the tool, {total.checks} checks")
    bad = max(len(failed), 1 if total.failures else 0)
    print(f"{done - bad} passed, {bad} failed, {len(seeds) - done} not begun with")
    return 1 if bad or not done else 0


if __name__ == "__main__":
    sys.exit(main())
