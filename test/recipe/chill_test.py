"""The commands of CHiLL that change loops, in chill.lua: the kernels of chill.c that it makes do what the loops do, under the sanitizer, and their
text is what the commands say.

  chill_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-15 CH-35 CH-36 CH-37 CH-38 CH-82
import re
import shutil
import subprocess
import sys
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
here = root / "test" / "recipe"


def run(*words):
    done = subprocess.run([str(tool), *(str(word) for word in words)], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in words)}\n{done.stdout}{done.stderr}")
    return done.stdout


run("compile", here / "chill.c", "-o", "chill.cu", "--recipe", here / "chill.lua")
text = (folder / "chill.cu").read_text()
EXPECTED = {
    "strided": r"kk = 0; kk <= 60; kk \+= 16",
    "counted": r"16 \* ii \+ i",
    "normalised": r"for \(Index i = 0; i <= .*-16 \* ii \+ 60",
    "unrolled by a number that does not divide 61 iterations": r"#pragma unroll 3\n *for \(Index k ",
    "wholly unrolled": r"__global__[^{]* whole_\d+\([^}]*#pragma unroll\n *for \(Index k = 0; k <= 60; \+\+k\)",
    "reversed, scaled and skewed": r"const Index j = -j\d / 2 \+ i;",
    "shifted": r"const Index k = k\d - 5;",
    "split": r"for \(Index k\d = 5; k\d <= 19; \+\+k\d\) \{[^}]*\}[ \n]*\}[ \n]*for \(Index k_rest = 20; k_rest <= 65; \+\+k_rest\)",
    "the first iteration peeled": r"const Index i = 0;\n *const Index j = -j_2 / 2;",
    "and the others": r"for \(Index i = 1 \+ blockIdx\.x",
    "two loops of one": r"__global__[^{]* parts_\d+\((?:(?!^\}).)*p\[i\] = q\[i\] \* 2;(?:(?!z\[i\]).)*^\}.*__global__[^{]* parts_\d+_2\(",
    "one loop of two": r"__global__[^{]* joined_\d+\((?:(?!^\}).)*s\[i\] = 2 \* p\[i\];\s*s\[i\] \+= p\[61 - 1 - i\];",
    "the launcher checks": r"m >= 100|m > 99|100 <= m",
    "named": r"__global__[^\n]* scatter\(",
}
faults = [f"{name}: no {pattern}" for name, pattern in EXPECTED.items() if not re.search(pattern, text, re.DOTALL | re.MULTILINE if "two" in name else 0)]
done = run("verify", here / "chill.c", "--recipe", here / "chill.lua", "--target", "cpu", "--sanitize")
for region in ("tiled", "moved", "parts", "apart", "scattered", "joined", "whole"):
    if not re.search(rf"region {region}:\d+ ", done):
        faults.append(f"{region} was not compared\n{done}")
if "MISMATCH" in done:
    faults.append(done)
print("\n".join(faults + [text]) if faults else "all commands hold")
sys.exit(1 if faults else 0)
