#!/usr/bin/env python3
"""The programs kept for the benchmark are what the compiler makes today, byte by byte.
"""
# SHOWS: GA-70
import filecmp
import pathlib
import subprocess
import sys
import tempfile


def main():
    warploom, bench = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(["sh", bench / "generate.sh", warploom, name], check=True)
        kept = sorted(path.name for path in (bench / "generated").iterdir())
        made = sorted(path.name for path in pathlib.Path(name).iterdir())
        if kept != made:
            print(f"kept {kept}, made {made}")
            return 1
        _, different, missing = filecmp.cmpfiles(bench / "generated", name, kept, shallow=False)
        print("different:", different, "missing:", missing)
        return 1 if different or missing else 0


if __name__ == "__main__":
    sys.exit(main())
