"""`warploom tune --strategies`: strategies first, then sizes of the fastest; or both together.

  strategies_test.py WARPLOOM ROOT FOLDER

The CPU execution is the device. A script stands for the C++ compiler: it compiles the text of each strategy once, whatever the sizes are. Then the test says what each
candidate took, so that it knows which one must win.
"""
# SHOWS: CH-63 CH-64 CH-65 CH-68
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
shutil.copy(root / "test/tune/gemm.c", folder / "gemm.c")
faults = []


def check(good, what):
    if not good:
        faults.append(what)
        print(f"FAULT: {what}")


compiler = folder / "compiler"
compiler.write_text(f"""#!/bin/bash
for word; do [[ "$last" == -o ]] && to="$word"; [[ "$word" == *.cu ]] && source="$word"; last="$word"; done
[[ " $* " == *" -c "* && $source ]] || exec g++ "$@"
kept={folder}/$(cksum <"$source" | cut -d' ' -f1).o
[[ -e "$kept" ]] || {{ g++ "$@" -O0 && cp "$to" "$kept"; exit; }}
cp "$kept" "$to"
""")
compiler.chmod(0o755)


def run(*words, status=0, **environment):
    done = subprocess.run([str(word) for word in words], cwd=folder, env={**os.environ, "WARPLOOM_TUNING": "", "WARPLOOM_THREADS": "1", **environment}, capture_output=True, text=True,
                          timeout=600, check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def tune(*words):
    out, _ = run(warploom, "tune", "gemm.c", "--function", "gemm", "--target", "cpu", "--strategies", "2", "--searcher", "exhaustive", "--budget", "2", "--db", "tuned.db",
                 "--json", *words, CXX=str(compiler))
    region, = json.loads(out)["regions"]
    return region


def times(column, least):
    """Says what every candidate took: `least` by the strategy's first point, a tenth less at its other one. By the extent, since the kernels are the same."""
    with sqlite3.connect(folder / "tuned.db") as connection:
        kernels = connection.execute("SELECT kernel FROM results GROUP BY kernel ORDER BY min(rowid)").fetchall()
        for kind, (kernel,) in zip(("own", "other"), kernels, strict=True):
            points = [point for (point,) in connection.execute("SELECT point FROM results WHERE kernel = ? AND sizes = ? ORDER BY rowid", (kernel, column))]
            for number, point in enumerate(points):
                connection.execute("UPDATE results SET outcome = 'timed', spread = 0, milliseconds = ? WHERE kernel = ? AND sizes = ? AND point = ?",
                                   (least[kind] * (0.9 if number else 1), kernel, column, point))
    connection.close()


# Everything once: three strategies, two points of each. Two of them differ in what is unrolled, which sizes that are names hide: they have one kernel.
both = tune("--joint", "--arg", "40")
check(both["candidates"] == 6 and all(one["tried"] == 2 and one["outcome"] == "timed" for one in both["strategies"]), f"together: {both}")
check([one["name"] for one in both["strategies"]][0] == "own" and both["product"] == sum(one["points"] for one in both["strategies"]) > 100, f"together: {both}")
with sqlite3.connect(folder / "tuned.db") as connection:
    connection.execute("INSERT INTO results SELECT kernel, shape, extents, device, 'argument1=80', toolkit, point, outcome, milliseconds, spread, detail, at, 0, 0, 0, 0, 0, 0, problem FROM results")
connection.close()

# The fastest strategy has its sizes searched, and no other. At another size of the problem it is another.
for size, least, wanted in ((40, {"own": 9, "other": 3}, "other"), (80, {"own": 4, "other": 8}, "own")):
    times(f"argument1={size}", least)
    levels = tune("--arg", size, "--emit-recipe", f"best{size}.lua")
    check((levels["best"] == "own") == (wanted == "own"), f"the best at {size}: {levels}")
    check([one["tried"] for one in levels["strategies"]] == [2 if one["name"] == levels["best"] else 1 for one in levels["strategies"]], f"only its sizes are tried: {levels}")
    check(levels["candidates"] == 4 and abs(levels["pruned"] - (100 - 400 / levels["product"])) < 1e-6, f"a sum, not a product: {levels}")
    best, = (one for one in levels["strategies"] if one["name"] == levels["best"])
    check(abs(best["milliseconds"] - 0.9 * least[wanted]) < 1e-9, f"at its best sizes: {best}")
    check(wanted == "own" or best["name"] in (folder / f"best{size}.lua").read_text(), "the recipe")
    # All together agree.
    both = tune("--joint", "--arg", size)
    check(both["best"] == levels["best"] and both["candidates"] == 6, f"together at {size}: {both}")

# What the model has not been asked for stays; the sizes are what `build` takes.
_, said = run(warploom, "build", "gemm.c", "-o", "tuned", "--target", "cpu", "--db", "tuned.db", CXX=str(compiler))
check("tuned sizes" in said and "TILE_X=16" in said, f"sizes of a kernel: {said}")
_, said = run(warploom, "compile", "gemm.c", "-o", "own.cu", "--target", "cpu", "--db", "tuned.db")
check("tuned sizes" in said and "TILE_X=16" in said, f"products have tuned sizes without a recipe, too: {said}")
run("cc", "gemm.c", "-o", "plain")
made = subprocess.run([folder / "tuned", "61"], env={**os.environ, "WARPLOOM_DEVICE": "gpu"}, capture_output=True, text=True, check=True).stdout
check(made == run(folder / "plain", "61")[0], f"the tuned program computes the same: {made}")
times("argument1=40", {"own": 1, "other": 3})
check(tune("--arg", "40", "--emit-recipe", "none.lua")["best"] == "own" and (folder / "none.lua").read_text() == "", "what is compiled anyway needs no recipe")
run(warploom, "tune", "gemm.c", "--joint", status=2)

print(f"{len(faults)} faults")
sys.exit(bool(faults))
