#!/usr/bin/env python3
"""Loops of the host in blocks of iterations: the functions of factorisations.c, for float and for double, are built for the CPU execution
under the sanitizer; what is in blocks is what the marks say; at sizes around one, two and three blocks, and at 0 and 1, each gives what the
C compiler's program gives, in a few launches for each block; and the recipe that `--emit-recipe` writes makes the same text again.

    blocking_test.py WARPLOOM SOURCE FOLDER
"""
import os
import re
import subprocess
import sys
from pathlib import Path

SIZES = [0, 1, 2, 31, 32, 33, 67, 100]
EFFORT = ["--effort", "8"]  # whatever the machine is busy with
BLOCK = 32
MOST_LAUNCHES = 8  # for a block of iterations; where a mark says `and rows`, a launch more for each of these
MARKED = re.compile(r"// in blocks: (\w+)(, and rows)?\nvoid (\w+)\(")
SAID = re.compile(r"region (\w+):\d+ runs in .*")
TIMED = re.compile(r"warploom: region (\w+):\d+ .* launches (\d+) path gpu")

MAIN = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
{functions}
static REAL *filled(long count, unsigned seed) {{
  REAL *values = malloc(sizeof(REAL) * (count + 1));
  for (long i = 0; i < count; i++) {{
    seed = seed * 1103515245u + 12345u;
    values[i] = (REAL)((seed >> 16) % 1000) / 1000;
  }}
  return values;
}}
int main(int argc, char **argv) {{
  for (int at = 1; at < argc; at++) {{
    const int n = atoi(argv[at]);
    for (int which = 0; which < {count}; which++) {{
      REAL *a = filled((long)n * n, 1), *b = filled(n, 2);
      for (int i = 0; i < n; i++) {{
        a[(long)i * n + i] += n;
        for (int j = 0; j < i; j++)
          a[(long)j * n + i] = a[(long)i * n + j];
      }}
      switch (which) {{
{calls}
      }}
      for (long i = 0; i < (long)n * n; i++)
        printf("%d %d %.9g\\n", n, which, (double)a[i]);
      for (int i = 0; i < n; i++)
        printf("%d %d %.9g\\n", n, which, (double)b[i]);
      free(a), free(b);
    }}
  }}
}}
"""


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=580, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-4000:]}")
    return done


def far(one, other, tolerance):
    """The first line in which results are not the same but for rounding."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} lines"
    for wanted, got in zip(one, other):
        (*place, a), (*where, b) = wanted.split(), got.split()
        if place != where or abs(float(a) - float(b)) > tolerance * max(1, abs(float(a))) or a == "nan":
            return f"wanted {wanted}, got {got}"
    return None


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    marks = {function: loop for loop, _, function in MARKED.findall(source.read_text())}
    rows = {function for _, more, function in MARKED.findall(source.read_text()) if more}
    calls = "\n".join(f"      case {k}: {name}(n, (REAL(*)[n])a, b); break;" for k, name in enumerate(marks))
    text = MAIN.format(functions=source.read_text(), calls=calls, count=len(marks))
    wrong, launches = [], {}
    for real, root, tolerance in (("double", "sqrt", 1e-9), ("float", "sqrtf", 1e-3)):
        program = folder / f"{real}.c"
        program.write_text(f"#define REAL {real}\n#define SQRT {root}\n{text}")
        run(["cc", "-O1", "-w", program, "-o", folder / f"{real}.plain", "-lm"])
        recipe = folder / f"{real}.lua"
        run([warploom, "compile", program, "-o", folder / f"{real}.cu", "--emit-recipe", recipe, *EFFORT, "--", "-w"])
        run([warploom, "compile", program, "-o", folder / f"{real}.again.cu", "--recipe", recipe, "--", "-w"])
        first, again = (((folder / f"{real}{part}.cu").read_text()).replace(".again", "") for part in ("", ".again"))
        if first != again:
            wrong.append(f"{real}: the recipe makes another text")
        built = run([warploom, "build", program, "-o", folder / real, "--target", "cpu", "--sanitize", "--explain", *EFFORT, "--", "-w", "-lm"])
        for match in SAID.finditer(built.stderr):
            blocked = re.search(r"in blocks of \d+ iterations of '(\w+)'", match[0])
            if match[1] in marks and (blocked[1] if blocked else "none") != marks[match[1]]:
                wrong.append(f"{real} {match[1]}: {match[0]}")
        for size in SIZES:
            wanted = run([folder / f"{real}.plain", size]).stdout.splitlines()
            got = run([folder / real, size], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1"))
            if different := far(wanted, got.stdout.splitlines(), tolerance):
                wrong.append(f"{real} at {size}: {different}")
            for function, count in TIMED.findall(got.stderr):
                launches[function, size] = int(count)
    for (function, size), count in launches.items():
        most = MOST_LAUNCHES * -(-size // BLOCK) + (size if function in rows else 0)
        if marks.get(function, "none") != "none" and count > most:
            wrong.append(f"{function} at {size}: {count} launches")
    if not launches:
        wrong.append("nothing was launched")
    print("\n".join(wrong) if wrong else f"{len(marks)} functions, float and double, at {len(SIZES)} sizes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
