"""A result of rows and columns can be shared out among blocks and threads in eight ways: four with blocks and threads along one axis, four along
two. Each is a recipe, which is carried out, run and compared, for sizes that do not divide; neighbouring threads are along the columns where
it says so. The generator of strategies leaves out the orders in which they are not, whichever loop the columns are.

  mappings_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: RT-61
import re
import shutil
import subprocess
import sys
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
PROGRAM = """#include <stdio.h>
void add(int u, int v, float a[u][v], float b[u][v], float c[u][v]) {
  for (int i = 0; i < u; i++)
    for (int j = 0; j < v; j++) c[i][j] = a[i][j] + 2 * b[i][j];
}
static float a[130][75], b[130][75], c[130][75];
int main(void) {
  for (int i = 0; i < 130; i++)
    for (int j = 0; j < 75; j++) a[i][j] = i + 0.5f * j, b[i][j] = i - j;
  add(130, 75, a, b, c);
  printf("%g %g\\n", c[3][74], c[129][0]);
  return 0;
}
"""
# By what rows and columns are made of, b for blocks and t for threads, with ' for loops that a thread runs: tiles, the order of the loops, which
# of them are on the grid and on the block, and whether neighbouring threads have neighbouring columns.
MAPPINGS = {
    "(b,t) ; c": ({"i": 32}, "ii i j", "ii", "i", False),
    "r ; (b,t)": ({"j": 32}, "jj j i", "jj", "j", True),
    "(b,t') ; (b',t)": ({"i": 4, "j": 32}, "ii i jj j", "ii", "j", True),
    "(b',t) ; (b,t')": ({"i": 32, "j": 4}, "jj ii i j", "jj", "i", False),
    "(bx,tx) ; (by,ty)": ({"i": 8, "j": 32}, "ii jj i j", "ii jj", "i j", False),
    "(by,ty) ; (bx,tx)": ({"i": 8, "j": 32}, "ii jj i j", "jj ii", "j i", True),
    "(by,tx) ; (bx,ty)": ({"i": 8, "j": 32}, "ii jj i j", "jj ii", "i j", False),
    "(bx,ty) ; (by,tx)": ({"i": 8, "j": 32}, "ii jj i j", "ii jj", "j i", True),
}


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, cwd=folder, check=False)


def words(text):
    return "{" + ", ".join(f'"{word}"' for word in text.split()) + "}"


def recipe(tiles, order, grid, block):
    controls = ", ".join(f'l{number}_control="{loop}{loop}"' for number, loop in enumerate(tiles, 1))
    return f"""init("add.c", "add", 0)
tile_by_index({words(" ".join(tiles))}, {{{", ".join(map(str, tiles.values()))}}}, {{{controls}}}, {words(order)})
map_to_grid({words(grid)})
map_to_block({words(block)})
"""


(folder / "add.c").write_text(PROGRAM)
rows = dict(re.findall(r'\{[12], "([^"]+)", "([^"]+)", (?:true|false)', (root / "src" / "project" / "Resources.cpp").read_text()))
if rows != dict(name.split(" ; ") for name in MAPPINGS):
    sys.exit(f"the catalogue has others: {rows}")
for name, (tiles, order, grid, block, coalesced) in MAPPINGS.items():
    (folder / "recipe.lua").write_text(recipe(tiles, order, grid, block))
    verified = run(tool, "verify", "add.c", "--recipe", "recipe.lua", "--target", "cpu", "--sanitize")
    if verified.returncode or " 0 mismatches" not in verified.stdout:
        sys.exit(f"{name}:\n{verified.stdout}{verified.stderr}")
    made = run(tool, "compile", "add.c", "--recipe", "recipe.lua", "-o", "add.cu")
    kernel = (folder / "add.cu").read_text() if made.returncode == 0 else made.stderr
    loop = re.search(r"for \(Index (\w+) = [^;]*Index\(threadIdx\.x\)", kernel)
    if not loop or (loop[1] == "j") != coalesced:
        sys.exit(f"{name}: threads along x have another loop\n{kernel}")
for columns, text in (("j", PROGRAM), ("i", PROGRAM.replace("i][j]", "j][i]").replace("i < u; i++", "i < v; i++").replace("j < v; j++", "j < u; j++"))):
    (folder / "add.c").write_text(text)
    ranked = run(tool, "strategies", "add.c", "--function", "add", "--out", "strategies")
    if "1 by coalescing, 1 left" not in ranked.stdout:
        sys.exit(f"strategies: {ranked.stdout}{ranked.stderr}")
    best = next((folder / "strategies").rglob("best.lua"))
    made = run(tool, "compile", "add.c", "--recipe", best, "-o", "add.cu")
    kernel = (folder / "add.cu").read_text() if made.returncode == 0 else made.stderr
    if not re.search(rf"Index {columns} = [^;]*threadIdx\.x", kernel):
        sys.exit(f"the first strategy has no neighbouring threads along {columns}\n{kernel}")
print(f"{len(MAPPINGS)} mappings")
