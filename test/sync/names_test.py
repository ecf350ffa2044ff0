#!/usr/bin/env python3
"""A system whose variables bear the names of all macros and keywords that there are, in the headers that generated programs include, compiles to
C and CUDA that compilers take.

Usage: names_test.py WARPLOOM COMPILER RUNTIME WORK. nvcc and its headers are tried where they are.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEYWORDS = """_Foo _ __ _x WARPLOOM_x alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr const_cast continue decltype default
delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
nullptr operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct
switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq unix linux
threadIdx blockIdx dim3 now next in out s x t i k n lane tile thread threads warploom std main printf size_t Step Machine Instances""".split()
OUR_WORDS = {"true", "false", "next", "xor"}  # of the language of systems


def macros(command, folder):
    """Names of macros that stand for something without parentheses behind them."""
    listed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    return set(re.findall(r"^#define ([A-Za-z_]\w*) ", listed, re.M))


def some(names):
    """One of every family of names: nvcc takes minutes for structs of thousands."""
    kept, count = [], {}
    for name in names:
        family = re.match(r"_*[A-Z]*[a-z]*", name)[0][:6]
        count[family] = count.get(family, 0) + 1
        if count[family] == 1:
            kept.append(name)
    return kept


def system(names):
    return ("system EIO:\ninterface:\n  given: input int{9}\n" + "".join(f"  {name}: output memorized int{{9}}\n" for name in names)
            + "main:\n  data flow:\n"
            + "".join(f"    given > {k % 5} => {'next(' if k % 2 else ''}{name}{')' if k % 2 else ''} = given\n" for k, name in enumerate(names)))


def main():
    warploom, compiler, runtime, work = sys.argv[1:]
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = pathlib.Path(name)
        (folder / "headers.cu").write_text('#include "warploom_sync.h"\n#include <stdio.h>\n')
        found = macros([compiler, "-x", "c++", "-std=c++17", "-I", runtime, "-dM", "-E", "headers.cu"], folder)
        if nvcc:
            found |= macros([nvcc, "-std=c++17", "-I", runtime, "-Xcompiler", "-dM", "-E", "headers.cu"], folder)
        names = sorted(found | set(KEYWORDS) - OUR_WORDS)
        print(f"{len(names)} names, nvcc: {nvcc}")
        if len(names) < 500:
            print("those cannot be all")
            return 1
        for attempt in range(50):  # without the words of our own language
            (folder / "names.aif").write_text(system(names))
            ran = subprocess.run([warploom, "sync", "names.aif", "--target", "c", "--steps", "3", "-o", "names.c"], cwd=folder, capture_output=True, text=True, timeout=120)
            refused = re.match(r"names\.aif:(\d+):", ran.stderr)
            if not refused:
                break
            names.remove((folder / "names.aif").read_text().splitlines()[int(refused[1]) - 1].split(":")[0].strip())
        print(ran.stdout, ran.stderr, f"{attempt} are words of our language; nvcc sees {len(some(names))}")
        (folder / "some.aif").write_text(system(some(names)))
        commands = [["cc", "-Wall", "-Werror", "-c", "names.c"], [compiler, "-x", "c++", "-std=c++17", "-I", runtime, "-fsyntax-only", "names.cu"]]
        if nvcc:
            commands.append([nvcc, "-std=c++17", "-arch=sm_90", "-O0", "-I", runtime, "-c", "some.cu"])
        for name in ("names", "some"):
            subprocess.run([warploom, "sync", f"{name}.aif", "--target", "cuda", "--steps", "3", "--instances", "9", "-o", f"{name}.cu"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
        for command in commands:
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if ran.returncode:
                print(*command, ran.stderr[:3000], sep="\n")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
