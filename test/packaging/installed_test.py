#!/usr/bin/env python3
"""An installed copy, in a folder of its own: the package is made and unpacked, and the conjugate gradients of examples/cg,
copied to another folder, are built with it by `warploom cc`, by CMake with two lines, and by `warploom project`; all results
are equal. Nothing that is installed names the source tree or the build.
"""
# SHOWS: RT-72 RT-106 RT-110

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()

CMAKE = """cmake_minimum_required(VERSION 3.21)
project(cg LANGUAGES C)
find_package(Warploom REQUIRED)
warploom_add_executable(cg cg.c vectors.c)
target_link_libraries(cg PRIVATE Warploom::la m)
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def laplacian(side):
    """The text of the five-point Laplacian, its lower half."""
    entries = []
    for y in range(side):
        for x in range(side):
            i = y * side + x + 1
            entries.append(f"{i} {i} 4")
            entries += [f"{i} {i - 1} -1"] if x else []
            entries += [f"{i} {i - side} -1"] if y else []
    size = side * side
    return f"%%MatrixMarket matrix coordinate real symmetric\n{size} {size} {len(entries)}\n" + "\n".join(entries) + "\n"


def names_the_source(prefix):
    """The installed files that name the source tree or the build folder."""
    found = []
    for path in sorted(prefix.rglob("*")):
        if path.is_file():
            text = path.read_bytes()
            if str(root).encode() + b"/" in text or str(build).encode() in text:
                found.append(str(path.relative_to(prefix)))
    return found


def alike(result, expected):
    """The same words, and numbers that differ by what another order of a sum does to a converged solution."""
    words, others = result.split(), expected.split()
    number = re.compile(r"-?\d+\.\d+,?$")
    return len(words) == len(others) and all(
        abs(float(a.rstrip(",")) - float(b.rstrip(","))) <= 1e-3 * abs(float(b.rstrip(","))) if number.match(a) and number.match(b) else a == b
        for a, b in zip(words, others))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        package = folder / "package"
        run("cpack", "-G", "DEB", "-B", package, "--config", build / "CPackConfig.cmake", cwd=build)
        (deb,) = package.glob("*.deb")
        run("dpkg-deb", "-x", deb, folder / "unpacked")
        prefix = folder / "unpacked" / "usr"
        control = run("dpkg-deb", "-f", deb)
        assert "libopenblas-dev" in control, control
        assert not (bad := names_the_source(prefix)), f"these name the source tree: {bad}"

        environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPLOOM")}
        environment["PATH"] = f"{prefix / 'bin'}:{environment['PATH']}"
        environment["PKG_CONFIG_PATH"] = str(prefix / "share" / "pkgconfig")
        place = folder / "program"
        shutil.copytree(root / "examples" / "cg", place)
        matrix = place / "matrix.mtx"
        matrix.write_text(laplacian(25))

        # The C compiler alone.
        here = {"cwd": place, "env": environment}
        flags = run("pkg-config", "--cflags", "--libs", "warploom-la", **here).split()
        run("cc", "-O2", "cg.c", "vectors.c", *flags, "-o", "plain", **here)
        expected = run(place / "plain", matrix, **here)
        assert expected.startswith("converged: residual small"), expected

        said = subprocess.run(["warploom", "cc", "--target", "cpu", "--explain", "-O2", "cg.c", "vectors.c", *flags, "-o",
                               "by_cc"], text=True, capture_output=True, **here)
        assert said.returncode == 0, said.stderr
        assert "5 of 5 regions of 'vectors.c' were mapped" in said.stderr, said.stderr
        results = {"cc": run(place / "by_cc", matrix, **here)}

        (place / "CMakeLists.txt").write_text(CMAKE)
        run("cmake", "-S", place, "-B", place / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DWARPLOOM_TARGET=cpu",
            "-DCMAKE_BUILD_TYPE=Release", **here)
        run("cmake", "--build", place / "build", **here)
        results["CMake"] = run(place / "build" / "cg", matrix, **here)
        # The program really has kernels: it says which it launches.
        symbols = run("nm", place / "build" / "cg", **here)
        assert "warploom" in symbols and "subtract" in symbols, "CMake's program has no kernels"
        refused = subprocess.run(["cmake", "-S", place, "-B", place / "other", f"-DCMAKE_PREFIX_PATH={prefix}",
                                  "-DWARPLOOM_TARGET=moon"], text=True, capture_output=True, **here)
        assert refused.returncode != 0 and "TARGET is auto, cpu or cuda, not 'moon'" in refused.stderr, refused.stderr

        # A project: its Makefile, and its CMake.
        config = place / "config.txt"
        config.write_text("LOOP_COLLAPSING=0\nKERNEL_NAMES=subtract,copy,scale_add,scale_subtract,scale_add_store\n"
                          "PREFETCHING=0\n2DMATRIX=0\n")
        include = f"-I{prefix / 'include'}"
        run("warploom", "project", "vectors.c", "cg.c", "--config", config, "-o", "project", "--", include, **here)
        assert "subtract" in (place / "project" / "vectors.cu").read_text()
        assert not (place / "project" / "cg.cu").exists()  # main is not among the kernels
        said = run("make", "-n", "-C", "project", **here)  # what would be done for the GPU
        assert re.search(r"nvcc -arch=\S+ .*-lcublas -lcusparse", said), said
        run("make", "-C", "project", "TARGET=cpu", **here)
        results["project by make"] = run(place / "project" / "cg.cpu", matrix, **here)
        run("cmake", "-S", "project", "-B", "project/build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DTARGET=cpu", **here)
        run("cmake", "--build", "project/build", **here)
        results["project by CMake"] = run(place / "project" / "build" / "cg", matrix, **here)

        for how, result in results.items():
            assert alike(result, expected), f"{how}: {result} instead of {expected}"
        print(f"{', '.join(results)}: {expected}", end="")


main()
