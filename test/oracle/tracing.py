"""Compiles a C file with every access traced, runs it, and returns the dependences that happened, by source line."""
import json
import os
import subprocess
from dataclasses import dataclass

from instrument import CLANG, instrument

HERE = os.path.dirname(os.path.abspath(__file__))
COVERAGE = "-fsanitize-coverage=trace-loads,trace-stores,trace-pc-guard"


class TraceError(Exception):
    pass


@dataclass
class Dependence:
    """A dependence that happened. `carrier` is the line of the loop that carried it, 0 for none; `distances` maps
    (iterations of the carrier, lines of the common loops, difference of index values in each) to the runs where."""
    kind: str
    object: str
    source: int
    sink: int
    carrier: int
    covered: bool
    distances: dict
    loose: int  # reads that no write of the same element follows in the same iteration

    def __str__(self):
        first = min(self.distances)
        where = f"carried by line {self.carrier}, {first[0]} iterations" if self.carrier else "not carried"
        return f"{self.kind} on {self.object}, line {self.source} -> {self.sink}, {where}, index difference {first[2]}"


@dataclass
class Trace:
    source: object
    loops: dict  # line -> record of trace_runtime.cpp
    dependences: list
    runs: list
    pointers: list  # (run, function, pointer, object)
    values: list    # (run, function, parameter, value)


def command(arguments, timeout=120, **options):
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, **options)
    if result.returncode:
        raise TraceError(f"{' '.join(arguments)}\nexit status {result.returncode}\n{result.stderr[-3000:]}")
    return result.stdout


def build_runtime(folder):
    """The object file of the run-time half, in `folder`."""
    path = os.path.join(folder, "trace_runtime.o")
    source = os.path.join(HERE, "trace_runtime.cpp")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
        partial = f"{path}.{os.getpid()}"
        command(["clang++-19", "-std=c++20", "-O2", "-fno-omit-frame-pointer", "-c", source, "-o", partial])
        os.replace(partial, path)
    return path


def lines_of(program, addresses):
    """address -> source line."""
    text = "\n".join(hex(address) for address in addresses) + "\n"
    out = command(["llvm-symbolizer-19", "--obj=" + program, "--output-style=JSON", "--functions=none", "--no-inlines"],
                  input=text)
    result = {}
    for line in out.splitlines():
        entry = json.loads(line)
        symbols = entry.get("Symbol") or [{}]
        result[int(entry["Address"], 16)] = symbols[0].get("Line", 0)
    return result


def trace(path, folder, flags=()):
    """The Trace of the program made of the C file `path` and its driver; files are written to `folder`."""
    source = instrument(path, flags)
    stem = os.path.join(folder, os.path.splitext(os.path.basename(path))[0])
    with open(stem + ".traced.c", "w", encoding="utf-8") as file:
        file.write(source.text)
    program, output = stem + ".traced", stem + ".trace.json"
    command([CLANG, "-std=gnu11", "-w", "-O0", "-g", "-fno-omit-frame-pointer", "-I", os.path.dirname(os.path.abspath(path)),
             "-include", os.path.join(HERE, "trace.h"), COVERAGE, *flags, "-c", stem + ".traced.c", "-o", stem + ".o"])
    command(["clang++-19", "-no-pie", stem + ".o", build_runtime(folder), "-lm", "-o", program])
    command([program], env={**os.environ, "WL_TRACE_OUTPUT": output})
    with open(output, encoding="utf-8") as file:
        raw = json.load(file)
    addresses = {d[end] for d in raw["dependences"] for end in ("source", "sink")}
    lines = lines_of(program, sorted(addresses)) if addresses else {}
    merged, loose = {}, {}
    for d in raw["dependences"]:
        key = (d["kind"], d["object"], lines[d["source"]], lines[d["sink"]], d["carrier"], d["covered"])
        distances = merged.setdefault(key, {})
        loose[key] = loose.get(key, 0) + d["loose"]
        for iterations, loop_lines, differences, runs in d["distances"]:
            distances.setdefault((iterations, tuple(loop_lines), tuple(differences)), set()).update(runs)
    dependences = [Dependence(*key, distances, loose[key]) for key, distances in merged.items()]
    loops = {int(line): record for line, record in raw["loops"].items()}
    return Trace(source, loops, dependences, raw["runs"], raw["pointers"], raw["values"])
