#!/usr/bin/env python3
"""Random fork-join programs without races: their translations print what they print serially.

Many programs are functions of one file, so that a file is compiled once. Each function works on its own part of an array; its children
get disjoint pieces, so that there is one result whatever runs first. The serial result is computed here, in Python, by the
language's rules: a copy of local scalars for a forked block, addresses for shared ones.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import corpus

SIZE = 16


class Program:
    """One function `long fN(int *a)` of MetaFork, and what it returns."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.memory = [0] * SIZE  # a[]
        self.names = 0

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def fresh(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def text(self, number):
        scope = {}
        self.line(0, f"static long f{number}(int *a) {{")
        self.line(1, "long result = 0;")
        for _ in range(self.random.randint(1, 3)):
            self.scalar(1, scope)
        self.body(1, scope, list(range(SIZE)), 3)
        self.line(1, "meta_join;")
        for name, value in scope.items():
            self.line(1, f"result = result * 31 % 65521 + {name};")
        self.line(1, f"for (int i = 0; i < {SIZE}; ++i) result = (result * 31 + a[i]) % 65521;")
        self.line(1, "return result;")
        self.line(0, "}")
        return "\n".join(self.lines)

    def result(self, scope):
        result = 0
        for value in scope.values():
            result = result * 31 % 65521 + value
        for value in self.memory:
            result = (result * 31 + value) % 65521
        return result

    def scalar(self, depth, scope):
        name, value = self.fresh("v"), self.random.randint(1, 50)
        self.line(depth, f"int {name} = {value};")
        scope[name] = value

    def expression(self, scope, cells):
        """(text, value) of something that only reads `scope` and `cells`."""
        kind = self.random.randint(0, 3)
        if kind == 0 or not scope and not cells:
            value = self.random.randint(0, 9)
            return str(value), value
        if kind == 1 and scope or not cells:
            name = self.random.choice(sorted(scope))
            return name, scope[name]
        if kind == 2 and scope:
            name, cell = self.random.choice(sorted(scope)), self.random.choice(cells)
            return f"({name} + a[{cell}]) % 97", (scope[name] + self.memory[cell]) % 97
        cell = self.random.choice(cells)
        return f"a[{cell}]", self.memory[cell]

    def statement(self, depth, scope, cells):
        text, value = self.expression(scope, cells)
        if scope and self.random.random() < 0.4:
            name = self.random.choice(sorted(scope))
            self.line(depth, f"{name} = ({name} + {text}) % 97;")
            scope[name] = (scope[name] + value) % 97
        elif cells:
            cell = self.random.choice(cells)
            self.line(depth, f"a[{cell}] = (a[{cell}] + {text}) % 97;")
            self.memory[cell] = (self.memory[cell] + value) % 97

    def body(self, depth, scope, cells, levels):
        """Statements that may touch `cells`, and the variables of `scope`."""
        busy_cells, busy_names = set(), set()  # what children have, until they are joined

        def free():
            return [cell for cell in cells if cell not in busy_cells]

        def visible():
            return {name: value for name, value in scope.items() if name not in busy_names}

        def plain():
            local = visible()
            self.statement(depth, local, free())
            scope.update(local)

        for _ in range(self.random.randint(2, 5)):
            kind = self.random.random()
            plain()
            if kind < 0.25 and levels and len(free()) > 1:
                # A forked block, some of whose variables are shared.
                own = self.random.sample(free(), self.random.randint(1, len(free()) - 1))
                shared = [name for name in visible() if self.random.random() < 0.3]
                clause = f" shared({', '.join(shared)})" if shared else ""
                self.line(depth, f"meta_fork{clause} {{")
                inner = visible()
                if self.random.random() < 0.5:
                    self.scalar(depth + 1, inner)
                self.body(depth + 1, inner, own, levels - 1)
                self.line(depth + 1, "meta_join;")
                self.line(depth, "}")
                for name in shared:
                    scope[name] = inner[name]
                busy_cells.update(own)
                busy_names.update(shared)
            elif kind < 0.45 and free():
                text, value = self.expression(visible(), free())
                cell = self.random.choice(free())
                factor = self.random.randint(1, 9)
                self.line(depth, f"meta_fork put(a + {cell}, {text}, {factor});")
                self.memory[cell] = (value * factor + 1) % 97
                busy_cells.add(cell)
            elif kind < 0.6 and visible():
                text, value = self.expression(visible(), free())
                name = self.random.choice(sorted(visible()))
                self.line(depth, f"{name} = meta_fork get({text});")
                scope[name] = (value * 3 + 2) % 97
                busy_names.add(name)
            elif kind < 0.8 and len(free()) == SIZE:
                # A loop over all cells.
                text, value = self.expression(visible(), [])
                step = self.random.randint(1, 3)
                total = self.random.choice(sorted(visible())) if visible() and self.random.random() < 0.4 else None
                if total and total in text:
                    total = None
                clause = f" reduction(+: {total})" if total else ""
                self.line(depth, f"meta_for{clause} (int i = 0; i < {SIZE}; i += {step}) {{")
                self.line(depth + 1, f"int own = (i * 7 + {text}) % 97;")
                self.line(depth + 1, "a[i] = (a[i] + own) % 97;")
                if total:
                    self.line(depth + 1, f"{total} += own % 5;")
                self.line(depth, "}")
                for i in range(0, SIZE, step):
                    own = (i * 7 + value) % 97
                    self.memory[i] = (self.memory[i] + own) % 97
                    if total:
                        scope[total] += own % 5
            else:
                self.line(depth, "meta_join;")
                busy_cells.clear()
                busy_names.clear()
            plain()
        self.line(depth, "meta_join;")


HEAD = """#include <stdio.h>
static void put(int *to, int value, int factor) { *to = (value * factor + 1) % 97; }
static int get(int value) { return (value * 3 + 2) % 97; }
"""


def build(count, seed):
    """A file of `count` programs, and what it prints."""
    parts, calls, expected = [HEAD], [], []
    for number in range(count):
        program = Program(seed * 100003 + number)
        scope = {}
        parts.append(program_text(program, number, scope))
        calls.append(f'  {{ int a[{SIZE}] = {{0}}; printf("{number} %ld\\n", f{number}(a)); }}')
        expected.append(f"{number} {program.result(scope)}")
    parts.append("int main(void) {\n" + "\n".join(calls) + "\n  return 0;\n}\n")
    return "\n".join(parts), "\n".join(expected) + "\n"


def program_text(program, number, scope):
    """As Program.text, with the scope kept for the result."""
    body = program.body
    kept = {}

    def watch(depth, inner, cells, levels):
        if depth == 1:
            kept["scope"] = inner
        body(depth, inner, cells, levels)

    program.body = watch
    text = program.text(number)
    scope.update(kept["scope"])
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    text, expected = build(options.count, options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        source = folder / "random.mf"
        source.write_text(text)
        runner = corpus.Corpus(options.tool, folder, True)
        faults = 0

        def compare(how, out):
            nonlocal faults
            for one, two in zip(out.splitlines(), expected.splitlines()):
                if one != two:
                    print(f"{how}: program {two.split()[0]} of seed {options.seed} prints {one}, not {two}")
                    faults += 1
            if len(out.splitlines()) != len(expected.splitlines()):
                print(f"{how}: {len(out.splitlines())} lines")
                faults += 1

        try:
            texts = {"metafork": source}
            for to in ["openmp", "cilk", "c"]:
                texts[to] = runner.translate(source, to, folder / f"random.{to}.c")
            texts["metafork of openmp"] = runner.translate(texts["openmp"], "metafork", folder / "of.openmp.mf", "openmp")
            texts["metafork of cilk"] = runner.translate(texts["cilk"], "metafork", folder / "of.cilk.mf", "cilk")
            for name, path in texts.items():
                for how, out in runner.outputs(path, name.split()[0], name):
                    compare(f"{name}, {how}", out)
            status, out, err = corpus.command([options.tool, "run", "--sanitize", source])
            compare("under the race detector", out)
            if status != 0 or "race" in err:
                print(f"under the race detector: status {status}\n{err[:2000]}")
                faults += 1
        except corpus.Wrong as error:
            print(error)
            faults += 1
    print(f"{options.count} random programs of seed {options.seed}: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
