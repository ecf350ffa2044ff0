"""Jacobi's method with every way in which blocks can wait for each other, bench/jacobi: synchronous and relaxed sweeps give what sweeps in order
give, but for rounding; asynchronous ones come near; and where blocks cannot all be resident, launches are made instead.

    jacobi_test.py ROOT FOLDER ARCHIVE
"""
# SHOWS: RT-77 RT-78 RT-106
import json
import os
import sys

from build import call, must, start

root, folder = start()
runtime = os.path.join(root, "runtime")
made = os.path.join(folder, "jacobi")
must(["g++", "@" + os.path.join(runtime, "flags", "cpu"), "-Wall", "-Wextra", "-I", runtime, "-x", "c++", "-c",
      os.path.join(root, "bench", "jacobi", "jacobi.cu"), "-o", made + ".o"])
must(["g++", made + ".o", sys.argv[3], "-lboost_context", "-pthread", "-o", made])
wrong = []
for unknowns, blocks, fits in ((35, 4, True), (2, 5, True), (34, 17, False)):
    done = call([made, str(unknowns), "25", str(blocks), "1"])
    rows = json.loads(done.stdout) if done.returncode == 0 else []
    if len(rows) != 14:
        wrong.append(f"{unknowns} unknowns, {blocks} blocks: status {done.returncode}\n{done.stdout}{done.stderr}")
    for row in rows:
        rounding = 1e-5 if row["type"] == "float" else 1e-13
        waits = "launch" not in row["variant"] and not row["variant"].startswith("AJ")
        near = 1e-3 if row["variant"].startswith("AJ") else rounding
        if row["difference"] > near or (waits and row["resident"] != fits):
            wrong.append(str(row))
    kinds = {row["variant"][:2] for row in rows}
    if kinds != {"SJ", "RJ", "AJ"}:
        wrong.append(str(kinds))
print("\n".join(wrong))
sys.exit(bool(wrong))
