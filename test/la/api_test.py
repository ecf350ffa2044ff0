#!/usr/bin/env python3
"""The header from C: test/la/api.c compiled as C11 without warnings, linked with the library, and run."""

import subprocess
import sys
import tempfile
from pathlib import Path

header, library, openblas = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
source = Path(__file__).with_name("api.c")

with tempfile.TemporaryDirectory() as folder:
    matrix = Path(folder) / "matrix.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 2.5\n1 1 1\n2 2 7\n")
    for standard in ["c99", "c11"]:
        program = Path(folder) / standard
        subprocess.run(["cc", f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", header, source, library,
                        openblas, "-lstdc++", "-lm", "-pthread", "-o", program], check=True)
        subprocess.run([program, matrix], check=True)
