#!/usr/bin/env python3
"""The generated CUDA compiles with nvcc, for two architectures unless told otherwise, without a warning, all modes included.

The warnings are nvcc's own. Those of the compiler behind it are off: with -Wall, gcc 12 takes more than ten minutes for the host's part
of the systems with the longest expressions. sync.traces compiles the same text with -Wall -Wextra -Werror by Clang.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    for option in ("cases", "runtime", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--bench", nargs=2, metavar=("FOLDER", "WARPLOOM"), help="the benchmark, of which a program is compiled too")
    parser.add_argument("--architectures", default="sm_80,sm_90")
    parser.add_argument("systems", nargs="+")
    options = parser.parse_args()
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("no nvcc here")
        return 77
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = pathlib.Path(name)
        subprocess.run([options.cases, "checked", *options.systems, folder], check=True)
        shutil.copy(folder / "cases.cpp", folder / "cases.cu")
        # One call for all of them: the host's part is the same.
        numbers = [architecture.removeprefix("sm_") for architecture in options.architectures.split(",")]
        compiled = [(folder / "cases.cu", *(word for n in numbers for word in ("-gencode", f"arch=compute_{n},code=sm_{n}")))]
        if options.bench:
            bench, warploom = options.bench
            sys.path.insert(0, bench)
            import run
            names = ("matmul9",)
            subprocess.run([sys.executable, pathlib.Path(bench) / "generate.py", warploom, folder, *names], check=True)
            compiled += [(pathlib.Path(bench) / "measure.cu", "-arch=sm_90", "-I", folder, *run.definitions(one, 1))
                         for one in run.SYSTEMS if one.name in names]
        for source, *flags in compiled:
            result = subprocess.run([nvcc, "-std=c++17", "-Xcompiler", "-w", "-I", options.runtime, *flags, "-c", source,
                                     "-o", folder / "out.o"], capture_output=True, text=True)
            print(result.stdout, result.stderr)
            if result.returncode != 0 or "warning" in result.stdout + result.stderr:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
