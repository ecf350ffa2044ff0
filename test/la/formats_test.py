#!/usr/bin/env python3
"""bench/sparse/formats.cpp with the CPU's library, on small matrices: it prints JSON, every product in every format is right, and every solver that says
so has converged."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

library, root, archive, openblas = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]

with tempfile.TemporaryDirectory() as folder:
    program = Path(folder) / "formats"
    subprocess.run(["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", library, root / "bench/sparse/formats.cpp", archive,
                    openblas, "-pthread", "-o", program], check=True)
    for arguments, chosen in ((["0", "9"], set()), (["1024", "60"], {"BSR", "CSR", "HYB", "SELL"})):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        result = json.loads(done.stdout)
        assert all(row["right"] for row in result["products"] + result["solvers"]), done.stdout
        assert {row["auto"] for row in result["products"]} >= chosen, done.stdout
        solvers = {row["solver"] for row in result["solvers"] if row["converged"]}
        assert solvers == {"Jacobi", "CG", "CG, diagonal", "CG, ILU(0)", "BiCGSTAB", "GMRES(30)"}, done.stdout
    assert subprocess.run([program, "-1"], capture_output=True, check=False).returncode == 2
