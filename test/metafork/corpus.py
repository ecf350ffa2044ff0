#!/usr/bin/env python3
"""Programs in MetaFork, Cilk and OpenMP: every translation compiles and prints what its source prints, and so do round trips.

SHOWS: MF-14 MF-15 MF-16 MF-17 MF-25 MF-26 MF-27 MF-28 MF-29 MF-30 MF-31 MF-32 MF-33 MF-34 MF-36 MF-37 MF-38 MF-39 MF-40

OpenMP is built by gcc and, where it is there, by clang; Cilk by the elision of its keywords; MetaFork runs on threads.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
LANGUAGES = {".mf": "metafork", ".omp.c": "openmp", ".cilk.c": "cilk"}


class Wrong(Exception):
    pass


def command(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **more)
    return done.returncode, done.stdout, done.stderr


def checked(words, what):
    status, out, err = command(words)
    if status != 0:
        raise Wrong(f"{what}: status {status}\n{err[:3000]}")
    return out


class Corpus:
    def __init__(self, warploom, work, threads):
        self.warploom, self.work, self.threads = warploom, Path(work), threads
        self.clang = shutil.which("clang-19") if Path("/usr/lib/llvm-19/lib/libomp.so").exists() else None

    def compile(self, source, language, compiler="gcc"):
        """The output of `source`, a program in `language`, as `compiler` builds it."""
        program = str(source) + "." + compiler.replace("/", "_") + ".exe"
        flags = {"openmp": ["-fopenmp"], "cilk": [f"-I{HERE}/elision"], "c": []}[language]
        checked([compiler, "-O0", "-w", "-x", "c", source, "-o", program, "-lm", *flags], f"{compiler} {source}")
        environment = dict(os.environ, OMP_NUM_THREADS="4")
        status, out, err = command([program], env=environment)
        if status != 0:
            raise Wrong(f"{source} built by {compiler}: status {status}\n{err}")
        return out

    def translate(self, source, to, out, origin=None):
        words = [self.warploom, "translate", source, "--to", to, "-o", out] + (["--from", origin] if origin else [])
        checked(words, f"{source.name} to {to}")
        return out

    def outputs(self, source, language, name):
        """(how, output) of every way to run `source`."""
        if language == "metafork":
            renamed = source.with_suffix(".run.mf")
            shutil.copyfile(source, renamed)
            ways = ["--serial"] + ([None] if self.threads else [])
            for way in ways:
                # Compiling takes most of the time; -O2 is what language_test.py runs.
                words = [self.warploom, "run", renamed, "--flag=-O0"] + ([way] if way else [])
                yield f"run {way or 'on threads'}", checked(words, f"{name}: run {way or 'on threads'}")
        elif language == "openmp":
            yield "gcc -fopenmp", self.compile(source, "openmp")
            # LLVM's OpenMP runtime (19.1.7) hangs now and then where an untied task waits for its children.
            if self.clang and "untied" not in source.read_text():
                yield "clang -fopenmp", self.compile(source, "openmp", self.clang)
        else:
            yield language, self.compile(source, language)

    def program(self, path, language):
        """Every check of one program; how many outputs were compared."""
        folder = self.work / path.name
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / path.name
        shutil.copyfile(path, source)
        prints = re.findall(r"^// PRINTS: (.*)$", path.read_text(), re.M)
        expected = "".join(line + "\n" for line in prints) if prints else None
        compared = 0

        def compare(text, spoken, name):
            nonlocal expected, compared
            for how, out in self.outputs(text, spoken, name):
                if expected is None:
                    expected = out
                if out != expected:
                    raise Wrong(f"{name}, {how}: prints\n{out}instead of\n{expected}")
                compared += 1

        compare(source, language, path.name)
        texts = {language: source}
        for to in ["metafork", "openmp", "cilk", "c"]:
            if to != language:
                texts[to] = self.translate(source, to, folder / f"to.{to}.c")
                compare(texts[to], to, f"{path.name} to {to}")
        # Round trips, and from each result into the others.
        for middle in ["metafork", "openmp", "cilk"]:
            if middle == language:
                continue
            back = self.translate(texts[middle], language, folder / f"back.{middle}.c", middle)
            compare(back, language, f"{path.name} to {middle} and back")
        return compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--threads", action="store_true", help="also run MetaFork on threads")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="keep what is made in this folder")
    options = parser.parse_args()
    failed, compared, programs = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(options.tool, options.keep or folder, options.threads)
        work = []
        for path in sorted((HERE / "programs").iterdir()):
            for ending, language in LANGUAGES.items():
                if path.name.endswith(ending) and options.only in path.name:
                    work.append((path, language))

        def attempt(item):
            try:
                return item[0].name, corpus.program(*item), None
            except (Wrong, subprocess.TimeoutExpired) as error:
                return item[0].name, 0, str(error)

        with ThreadPoolExecutor(2) as pool:
            for name, count, error in pool.map(attempt, work):
                programs += 1
                compared += count
                if error:
                    failed.append(name)
                    print(f"--- {name}\n{error}")
    print(f"{programs} programs, {compared} outputs compared, {len(failed)} programs wrong {' '.join(failed)}")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
