#!/usr/bin/env python3
"""`warploom cases` on MetaFork programs: words and cases, programs that compute the same, and what is refused.

SHOWS: MF-72 MF-91 MF-100 MF-101 MF-102 MF-108 MF-110 MF-114
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "cases.md"
# Words with s elements a thread, with one, and how many sizes the program takes.
WORDS = {
    "reversal": ("2*s*B", "2*B", 1),
    "matvec": ("s*B^2 + s*B + B", "B^2 + 2*B", 1),
    "jacobi": ("2*s*B + 2", "2*B + 2", 1),
    "addition": ("3*s*B0*B1", "3*B0*B1", 2),
    "transpose": ("2*s*B0*B1", "2*B0*B1", 2),
    "matmul": ("s*B*B1 + s*B0*B1 + B*B0", "B*B0 + B*B1 + B0*B1", 2),
}

REFUSED = {
    "no schedule": ("int main(void) { return 0; }", "has no meta_schedule"),
    "a subscript that is data": (
        """void f(int n, int B, int a[n], int b[n]) { int d = n / B;
           meta_schedule cache(a) { meta_for (int v = 0; v < d; v++) meta_for (int u = 0; u < B; u++)
             b[v * B + u] = a[b[u]]; } }""",
        "a subscript of 'a' is no polynomial",
    ),
    "a loop that counts down": (
        """void f(int n, int B, int a[n]) { int d = n / B;
           meta_schedule cache(a) { meta_for (int v = 0; v < d; v++) meta_for (int u = 0; u < B; u++)
             for (int j = 3; j > 0; j--) a[v * B + u] += j; } }""",
        "does not count from 0 in steps of 1",
    ),
    "a call": (
        """void g(int *); void f(int n, int B, int a[n]) { int d = n / B;
           meta_schedule cache(a) { meta_for (int v = 0; v < d; v++) meta_for (int u = 0; u < B; u++)
             g(&a[v * B + u]); } }""",
        "neither a loop, an assignment nor a condition",
    ),
    "no C": ("void f( {", "error"),
}


def run(words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **more)


def output(words, **environment):
    done = run(words, env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def built(tool, file, work):
    """The serial program of a MetaFork file."""
    c = work / (file.stem + ".c")
    output([tool, "translate", file, "--to", "c", "-o", c])
    output(["cc", "-O1", c, "-o", c.with_suffix("")])
    return c.with_suffix("")


def program(tool, name, folder, chance):
    words, one, count = WORDS[name]
    file = PROGRAMS / f"{name}.mf"
    output([tool, "cases", file, "-o", folder])
    (tree,) = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    needs = [case["needs"]["words"] for case in tree["cases"]]
    assert needs == [words, one, "0"], (name, needs)
    assert tree["open"] == 0, name
    forms = sorted(folder.glob("*_case*.mf"))
    assert len(forms) == 3, name
    assert forms[0].read_text() == file.read_text(), name  # the first case is the program itself
    assert "cache(" not in forms[2].read_text(), name
    # The loop over s elements is gone, nothing else of the text outside the nest has changed.
    assert forms[1].read_text().split("int main")[1] == file.read_text().split("int main")[1], name
    assert "k < s" not in forms[1].read_text(), name
    whole = built(tool, file, folder)
    forms = [built(tool, form, folder) for form in forms[1:]]
    for sizes in [[64, 8, 2], [60, 4, 3], [37, 5, 2], [1, 1, 1], [50, 7, 9]] + [
        [chance.randrange(1, 70), chance.randrange(1, 9), chance.randrange(1, 5)] for _ in range(10)
    ]:
        arguments = [sizes[0]] + ([sizes[1]] if count == 1 else [sizes[1], chance.randrange(1, 9)]) + [sizes[2]]
        if name == "jacobi":
            arguments[0] += 2
        seed = str(chance.randrange(1 << 30))  # of the data
        expected = output([whole, *arguments], SEED=seed)
        for form in forms:
            assert output([form, *arguments], SEED=seed) == expected, (form, arguments, seed)


def documented(tool):
    """What docs/cases.md prints is what the tool says of the program it shows."""
    text = DOCS.read_text()
    shown = text.split("```c\n")[1].split("```")[0]
    assert shown in (PROGRAMS / "matvec.mf").read_text()
    said = output([tool, "cases", PROGRAMS / "matvec.mf", "--registers", "9,7"])
    assert said.endswith(text.split("says of it\n\n```\n")[1].split("```")[0]), said
    said = output([tool, "model", PROGRAMS / "matvec.mf", "--device", "9.0", "--sizes", "B=32,s=2", "--registers", "40"])
    assert said == text.split("--registers 40` says\n\n```\n")[1].split("```")[0], said


def models(tool, work):
    """Occupancy by each limit, a schedule of several nests, and what has no model."""
    def occupancy(name, device, sizes, registers):
        return output([tool, "model", PROGRAMS / f"{name}.mf", "--device", device, "--sizes", sizes, "--registers", registers])

    # Fermi: 8 blocks, 48 warps, 32768 registers in units of 128 for a warp, 48 KiB.
    assert "on 2.0: 16% (8 blocks of 1 warp; at most 48 by warps" in occupancy("reversal", "2.0", "B=32,s=2", 20)
    assert "on 2.0: 100% (6 blocks of 8 warps;" in occupancy("reversal", "2.0", "B=256,s=1", 20)
    assert "on 2.0: 33% (2 blocks of 8 warps;" in occupancy("reversal", "2.0", "B=256,s=1", 60)
    assert "on 2.0: 2% (1 blocks of 1 warp;" in occupancy("matvec", "2.0", "B=32,s=11", 20)
    assert "on 2.0: none, a block needs 128 threads and 66560 bytes" in occupancy("reversal", "2.0", "B=128,s=65", 20)
    text = output([tool, "model", PROGRAMS / "jacobi.mf"])
    assert "L = T - 1\n" in text and "a block pays (2*s*B*U + 2*U)/B\n" in text, text
    text = output([tool, "model", PROGRAMS.parents[1] / "metafork" / "programs" / "schedule.mf"])
    assert "all nests\n  W = 21120\n  S = 15\n" in text and "C = max(2*U + 3, 2*U + 2, 11/8*U + 5)" in text, text
    file = work / "u.mf"
    file.write_text("""void f(int n, int U, int a[n]) { int d = n / U; meta_schedule {
        meta_for (int v = 0; v < d; v++) meta_for (int u = 0; u < U; u++) a[v * U + u] = 1; } }""")
    done = run([tool, "model", file])
    assert done.returncode == 1 and "a parameter 'U'" in done.stderr, done


SEVERAL = """
#include <stdio.h>
void smooth(int N, int B, int s, int T, int a[N], int b[N]) {
  int dim = (N - 2) / (s * B), all = (N - 2) / B;
  meta_schedule cache(a) {
    for (int t = 0; t < T; t++) {
      meta_for (int v = 0; v < dim; v++)
        meta_for (int u = 0; u < B; u++)
          for (int k = 0; k < s; k++) {
            int p = (v * s + k) * B + u;
            b[p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
          }
      meta_for (int v = 0; v < all; v++)
        meta_for (int u = 0; u < B; u++) {
          int p = v * B + u;
          a[p + 1] = b[p + 1];
        }
    }
  }
}
void shift(int N, int B, int a[N]) {
  int dim = N / B;
  meta_schedule {
    meta_for (int v = 0; v < dim; v++)
      meta_for (int u = 0; u < B; u++) a[v * B + u] = a[v * B + u + 1];
  }
}
"""


def more(tool, work):
    """Names for what is repeated, measures, nests together, and threads that meet."""
    folder = work / "names"
    # Codes are logged as published: (2) for each level that has something to do, and the program computes the same.
    output([tool, "cases", PROGRAMS / "jacobi.mf", "--registers", "9,9", "--strategies", "granularity,caching,names", "-o", folder])
    text = (folder / "smooth_9.txt").read_text()
    assert "by (1)(4a)(3a)(2)" in text and "names for what is repeated" in text, text
    form = folder / "smooth_9_case1.mf"
    assert "np1 = np + 1, np2 = np + 2;" in form.read_text(), form.read_text()
    whole, named = built(tool, PROGRAMS / "jacobi.mf", folder), built(tool, form, folder)
    for sizes in [[66, 8, 2], [40, 5, 3], [3, 1, 1]]:
        assert output([whole, *sizes]) == output([named, *sizes]), sizes
    assert "whatever the sizes are" in text, text
    text = output([tool, "cases", PROGRAMS / "reversal.mf", "--device", "9.0", "--measures", "occupancy=50,coalescing=100,intensity=2", "--registers", "40,20"])
    assert "160 % of the threads by registers" in text and "100 % of the words moved together" in text and "7/2 operations a word" in text, text
    done = run([tool, "cases", PROGRAMS / "reversal.mf", "--measures", "speed=1"])
    assert done.returncode == 2, done
    file = work / "several.mf"
    file.write_text(SEVERAL)
    done = run([tool, "cases", file, "-o", work / "several"])
    assert done.returncode == 0, done
    assert f"several.mf:25:" in done.stderr and "two threads use an element of 'a' that one of them writes" in done.stderr, done.stderr
    together = json.loads((work / "several" / "smooth_5_together.json").read_text())
    assert together["combinations"] == 6 and [case["of"] for case in together["cases"]] == [[1, 1], [2, 1], [3, 1], [3, 2]], together


def tiled(tool, work):
    """Nests of C in tiles whose sizes only the running program knows."""
    file, made = PROGRAMS / "product.c", work / "product.mf"
    done = run([tool, "cases", file, "--map", "p=i+j,t=n-j", "--tiled", made, "--", "-DTILED"])
    assert done.returncode == 0 and "0 <= p_block <= 2*n/B" in done.stderr, done
    output([tool, "translate", made, "--to", "c", "-o", work / "tiled.c", "--", "-DTILED"])
    output(["cc", "-w", "-O1", "-DTILED", work / "tiled.c", "-o", work / "tiled"])
    output(["cc", "-w", "-O1", file, "-o", work / "product"])
    said = output([work / "tiled"])
    assert said == output([work / "product"]) and said.count("\n") == 48, said
    # Its own loops are its coordinates where none are given; the cases are those of the tiles.
    c = work / "multiply.c"
    c.write_text("""void multiply(int n, int a[n][n], int b[n][n], int c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
""")
    text = output([tool, "cases", c])
    assert "a, b, c in shared memory" in text and "needs B0*B1 threads" in text and "n*B0 + n*B1 + B0*B1 words" in text, text
    # Along t something would run before what it needs, or nothing is parallel.
    for map_, reason in [("t=i+j,p=i,k=k", "something would run before what it depends on"), ("p=i*j,t=j,k=k", "is not linear")]:
        done = run([tool, "cases", c, "--map", map_])
        assert done.returncode == 1, (map_, done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    tool = parser.parse_args().tool
    chance = random.Random(19)
    with tempfile.TemporaryDirectory() as work:
        for name in WORDS:
            program(tool, name, Path(work) / name, chance)
        for name, (text, reason) in REFUSED.items():
            file = Path(work) / "refused.mf"
            file.write_text(text)
            done = run([tool, "cases", file, "-o", Path(work) / "nothing"])
            assert done.returncode == 1 and reason in done.stderr, (name, done)
            assert not (Path(work) / "nothing").exists(), name
        done = run([tool, "cases", PROGRAMS / "matvec.mf", "--device", "9.9"])
        assert done.returncode != 0 and "no device '9.9' is known" in done.stderr, done
        # A device leaves conditions on sizes alone, and 227 KiB are 58112 words.
        text = output([tool, "cases", PROGRAMS / "matvec.mf", "--device", "sm_90"])
        assert "if s*B^2 + s*B + B <= 58112\n" in text and "if B <= 1024, 58112 < B^2 + 2*B\n" in text, text
        documented(tool)
        models(tool, Path(work))
        more(tool, Path(work))
        tiled(tool, Path(work))
        text = output([tool, "cases", PROGRAMS / "matvec.mf", "--registers", "9,7", "--strategies", "granularity"])
        assert "case 3" not in text and "if B <= T, Z < B^2 + 2*B, 7 <= R\n  or" in text, text
    return 0


if __name__ == "__main__":
    sys.exit(main())
