#!/usr/bin/env python3
"""Random loops over structs with bit-fields, unions and pointers to rows through `warploom build --sanitize`: one program prints what it
prints when the C compiler makes it.

  bits.py --tool build/warploom --count 40 --seed 1 [--keep FOLDER]
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LENGTH, WIDTH = 70, 6  # of the arrays of structs, and of rows
KINDS = [("unsigned", 32), ("int", 32), ("unsigned short", 16), ("unsigned char", 8), ("signed char", 8), ("unsigned long", 64),
         ("long", 64), ("_Bool", 1)]


class Shape:
    """A struct of random fields, and a function with a loop over an array of such structs."""

    def __init__(self, number, chance):
        self.k, self.chance = number, chance
        self.fields, self.numbers, self.places = [], [], []
        for f in range(chance.randint(3, 8)):
            self.field(f"f{f}")
        self.rows = chance.random() < 0.5
        if self.rows:
            self.fields.append("double *v;")

    def pick(self, *options):
        return self.chance.choice(options)

    def field(self, name):
        which = self.chance.random()
        if which < 0.65:
            kind, most = self.pick(*KINDS)
            bits = self.chance.randint(1, min(most, 33))
            self.fields.append(f"{kind} {name} : {bits};")
        elif which < 0.75:
            self.fields.append(self.pick("int : 0;", "unsigned : 3;", "char : 0;"))
            return
        elif which < 0.9:
            self.fields.append(f"{self.pick('char', 'short', 'int', 'long', 'unsigned char')} {name};")
        else:
            self.fields.append("union { unsigned word; float real; unsigned char byte[4]; struct { unsigned low : 5, high : 27; } part; } "
                               + name + ";")
            self.places += [f"{name}.word", f"{name}.byte[{self.chance.randrange(4)}]", f"{name}.part.low", f"{name}.part.high"]
            return
        self.places.append(name)

    def value(self):
        """An integer, or a place in the struct of this iteration or of another one that only is read."""
        return self.pick("i", "x[i]", f"(i * {self.chance.randint(2, 99)})", f"(int)(a[i].{self.place()})", f"(long)b[i].{self.place()}",
                         str(self.chance.randint(0, 70000)), f"(x[i] >> {self.chance.randint(1, 20)})")

    def place(self):
        return self.pick(*self.places) if self.places else "last"

    def statement(self):
        target = f"a[i].{self.place()}"
        op = self.pick("=", "=", "=", "+=", "^=", "|=", "++")
        if op == "++":
            return f"a[i].{self.place()} ^= 1;"
        text = f"{target} {op} {self.value()};"
        if self.chance.random() < 0.25:
            text = f"if ({self.value()} & {self.pick(1, 2, 4)}) {text}"
        return text

    def text(self):
        k = self.k
        lines = [f"struct s{k} {{ {' '.join(self.fields)} int last; }};",
                 f"static void f{k}(int n, int m, struct s{k} *a, const struct s{k} *b, const unsigned *x) {{",
                 "  for (int i = 0; i < n; i++) {"]
        lines += ["    " + self.statement() for _ in range(self.chance.randint(1, 4))]
        if self.chance.random() < 0.3:
            lines += ["    union { float f; unsigned u; unsigned char b[4]; } w;", "    w.f = (float)i;", f"    w.u ^= {self.pick('x[i]', '1u << 30', 'i * 77u')};",
                      f"    w.b[{self.chance.randrange(4)}] = i;", "    a[i].last = (int)(w.u % 10007);"]
        if self.rows:
            lines += ["    for (int j = 0; j < m; j++)", f"      a[i].v[j] {self.pick('+=', '=', '*=')} {self.pick('j', 'i - j', 'b[i].v[j]', f'(int)(a[i].last % 9)')};"]
        lines += ["  }", "}", f"static void run{k}(void) {{",
                  f"  struct s{k} *a = calloc({LENGTH}, sizeof *a), *b = calloc({LENGTH}, sizeof *b);", "  unsigned long sum = 0;",
                  f"  for (int i = 0; i < {LENGTH}; i++) {{"]
        lines += [f"    b[i].{place} = i * {self.chance.randint(1, 999)};" for place in self.places]
        if self.rows:
            lines += [f"    a[i].v = calloc({WIDTH}, sizeof(double)), b[i].v = malloc({WIDTH} * sizeof(double));",
                      f"    for (int j = 0; j < {WIDTH}; j++) b[i].v[j] = i + j;"]
        lines += ["  }"]
        if self.rows and self.chance.random() < 0.4:
            lines += [f"  a[{self.chance.randrange(LENGTH)}].v = a[{self.chance.randrange(LENGTH)}].v;"]
        other = self.pick("b", "b", "a")
        lines += [f"  f{k}({LENGTH}, {WIDTH}, a, {other}, x);", f"  f{k}({LENGTH // 2}, {WIDTH - 1}, a, {other}, x);",
                  f"  for (int i = 0; i < {LENGTH}; i++) {{", "    sum = sum * 31 + (unsigned)a[i].last;"]
        lines += [f"    sum = sum * 31 + (unsigned long)a[i].{place};" for place in self.places]
        if self.rows:
            lines += [f"    for (int j = 0; j < {WIDTH}; j++) sum = sum * 31 + (unsigned long)(long)fmod(a[i].v[j], 100003);"]
        lines += ["  }", f'  printf("{k} %lu\\n", sum);', "}", ""]
        return "\n".join(lines)


def program(count, seed):
    shapes = [Shape(k, random.Random(seed * 100003 + k)) for k in range(count)]
    return ("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned x[%d];\n" % LENGTH
            + "\n".join(shape.text() for shape in shapes)
            + "int main(void) {\n  for (int i = 0; i < %d; i++) x[i] = i * 2654435761u;\n" % LENGTH
            + "".join(f"  run{k}();\n" for k in range(count)) + "  return 0;\n}\n")


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **more)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "bits.c"
        source.write_text(program(options.count, options.seed))
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"bits-{options.seed}.c").write_text(source.read_text())
        plain = run(["cc", "-O1", "-w", "-fwrapv", source, "-o", folder / "plain", "-lm"])
        made = run([options.tool, "build", source, "-o", folder / "made", "--target", "cpu", "--sanitize", "--explain", "--", "-w", "-fwrapv"])
        if plain.returncode or made.returncode:
            print(plain.stderr + "\n".join((made.stdout + made.stderr).splitlines()[-40:]))
            return 1
        around = dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1")
        expected, got = run([folder / "plain"]), run([folder / "made"], env=around)
        reached = sum(1 for line in got.stderr.splitlines() if line.startswith("warploom: region f") and line.endswith("path gpu"))
        wrong = [f"{a} is wanted, {b} found" for a, b in zip(expected.stdout.splitlines(), got.stdout.splitlines()) if a != b]
        if got.returncode or wrong or len(expected.stdout) != len(got.stdout):
            print("\n".join(wrong[:10]), f"status {got.returncode}", got.stderr[-600:], sep="\n")
            return 1
        print(f"seed {options.seed}: {options.count} loops, {reached} of them on the device")
        return 0 if reached * 4 >= options.count else 1


if __name__ == "__main__":
    sys.exit(main())
