#!/usr/bin/env python3
"""Builds and times the eight programs that `run` has left in FOLDER, and compares all results with the host's.

    measure.py FOLDER RESULTS.json [--only matmul,lu] [--small] [--cpu] [--arch sm_90]

Kernel time without transfers, the median of the passes after the first, at the sizes that were published. `metafork`: one CUDA text for each program,
built for several sizes of blocks. `plain`: the C nests as Warploom maps them by itself. `ppcg`: kernels that we wrote in the form that PPCG 0.04
is described to give them by default (ppcg.cu), on this GPU: PPCG itself is not run. Of `metafork` the table has the best of all sizes of blocks by this very run, as the published one
has, beside one fixed form of `ppcg`; the summary has the median and the worst size, too.
`host`: gcc -O3 on one core, while others build. Published times are of a Tesla M2050 of 2010; of them only the ratio of the best MetaFork kernel to PPCG's is
set beside ours. --small: small sizes for a look at whether all is right, also without a GPU if the programs can do without.
--cpu: the same with kernels on the CPU execution, and without `ppcg`. Needs nvcc, gcc and a GPU, with --cpu gcc alone; about two minutes.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIME = re.compile(r"warploom: region (\w+):\d+ kernels (\S+) transfers (\S+) launches (\d+) path (\S+)")
PASSES = 6
# Rows and columns of a block (one number: threads), elements a thread. Of LU: threads of the first kernel, and rows and columns of the second.
LINE = [(1, 16, 1), (1, 32, 1), (1, 64, 1), (1, 128, 1), (1, 256, 1), (1, 512, 1), (1, 256, 4)]
BLOCKS = {
    "reversal": LINE,
    "jacobi1d": LINE,
    "jacobi2d": [(4, 32, 1), (8, 16, 1), (8, 32, 1), (16, 16, 1), (16, 32, 1), (8, 32, 4)],
    "lu": [(32, 8, 1), (128, 8, 1), (32, 16, 1), (128, 16, 1), (256, 16, 1), (128, 32, 1)],
    "transpose": [(16, 8, 1), (16, 16, 1), (32, 8, 1), (32, 16, 1), (32, 32, 1), (32, 8, 4), (64, 8, 4)],
    "addition": [(4, 32, 1), (8, 16, 1), (8, 32, 1), (16, 16, 1), (16, 32, 1), (8, 32, 4)],
    "matvec": [(1, 16, 1), (1, 32, 1), (1, 64, 1), (1, 128, 1)],
    "matmul": [(16, 16, 1), (8, 32, 1), (16, 32, 1), (8, 32, 4), (8, 16, 4), (16, 16, 4), (32, 16, 4), (16, 16, 8), (32, 32, 4)],
}


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done


def sizes_of(text, program, block):
    """The macros of the kernels of the text with these blocks."""
    rows, columns, items = block
    flags = []
    for macro in sorted(set(re.findall(r"#ifndef (WARPLOOM_%s_\d+_(?:TILE|ITEMS)_[XYK])" % program, text))):
        kernel, what = re.fullmatch(r"WARPLOOM_(\w+_\d+)_(\w+)", macro).groups()
        plane = f"WARPLOOM_{kernel}_TILE_Y" in text
        grains = 1 if program == "lu" or (program == "jacobi1d" and kernel != first_kernel(text, program)) else items
        values = {"ITEMS_X": grains, "ITEMS_Y": 1, "TILE_X": columns * grains, "TILE_Y": columns if program == "lu" else rows,
                  "TILE_K": min(rows, columns) if plane else columns}
        if program == "lu" and not plane:
            values["TILE_X"] = rows
        flags.append(f"-D{macro}={values[what]}")
    return flags


def first_kernel(text, program):
    return min(set(re.findall(r"WARPLOOM_(%s_\d+)_TILE_X" % program, text)), key=lambda name: int(name.rsplit("_", 1)[1]))


def passes_of(done):
    """By size: times of the passes but the first, launches; and the sums that were printed."""
    times = {}
    for part in re.split(r"(?<=done)\n", done.stderr):
        match = re.search(r"pass (\d+) of (\d+) done", part)
        if not match:
            continue
        lines = TIME.findall(part)
        if int(match[1]) or "host" in {line[4] for line in lines}:
            times.setdefault(int(match[2]), []).append((sum(float(line[1]) for line in lines), sum(int(line[3]) for line in lines)))
    sums = {(int(n), int(k)): float(value) for n, k, value in re.findall(r"^(\d+) (\d) (\S+)$", done.stdout, re.M)}
    return {n: (statistics.median(one[0] for one in of), of[-1][1]) for n, of in times.items()}, sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--build-only", action="store_true", help="see whether everything compiles")
    options = parser.parse_args()
    folder, results, begun = options.folder.resolve(), options.results.resolve(), time.time()
    os.chdir(folder)
    published = json.loads(Path("published.json").read_text())
    programs = options.only.split(",") if options.only else list(BLOCKS)
    sizes = {name: [61, 130] if options.small or options.cpu else published["programs"][name]["sizes"] for name in programs}
    compiler = ["nvcc", "-std=c++17", "-O3", f"-arch={options.arch}", "-Werror", "all-warnings", "-Iruntime", "-c"]
    linker, libraries = ["nvcc", f"-arch={options.arch}"], ["marks.o", "-Xcompiler", "-fopenmp"]
    if options.cpu:
        compiler, linker = ["g++", "@runtime/flags/cpu", "-Iruntime", "-c", "-x", "c++"], ["g++"]
        libraries = ["marks.o", "executor.o", "-fopenmp", "-lboost_context", "-pthread"]
    failures = []

    def attempt(what, work):
        try:
            return work()
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failures.append(f"{what}: {error}")
            print(f"{what}: {error}", file=sys.stderr, flush=True)
            return None

    def host(name):
        run(["gcc", "-O3", "-march=native", "-fopenmp", "-w", "-DON_HOST", f"-DPROGRAM_{name}", "main.c", "-c", "-o", f"{name}.host.main.o"])
        run(["gcc", "-O3", "-march=native", "-w", "-c", f"{name}.c", "-o", f"{name}.host.o"])
        run(["gcc", "-fopenmp", f"{name}.host.main.o", f"{name}.host.o", "-o", f"{name}.host"])
        return passes_of(run([f"./{name}.host", 1, 1, 1, 1, *sizes[name]])) if not options.build_only else ({}, {})

    def common():
        run([*compiler, "marks.cu", "-o", "marks.o"])
        if options.cpu:
            Path("executor.cpp").write_text("".join(f'#include "{path}"\n' for path in sorted(Path("runtime/cpu").glob("*.cpp"))))
            run([*compiler, "executor.cpp", "-o", "executor.o"])
        else:
            run([*compiler, "ppcg.cu", "-o", "ppcg.o"])

    def program_object(name):
        run(["gcc", "-O3", "-fopenmp", "-w", f"-DPROGRAM_{name}", "-c", "main.c", "-o", f"{name}.main.o"])
        for kind in ("metafork", "plain"):
            run(["gcc", "-O3", "-w", "-c", f"{kind}/{name}.host.c", "-o", f"{kind}/{name}.host.o"])

    def variant(job):
        name, kind, block = job
        out = f"{name}.{kind}.{'x'.join(map(str, block))}"
        if kind == "ppcg":
            objects = ["ppcg.o"]
        else:
            text = Path(kind, f"{name}.cu").read_text()
            flags = sizes_of(text, name, block) if kind == "metafork" else []
            run([*compiler, *flags, f"{kind}/{name}.cu", "-o", f"{out}.o"])
            objects = [f"{out}.o", f"{kind}/{name}.host.o"]
        run([*linker, f"{name}.main.o", *objects, *libraries, "-o", out])
        return out

    jobs = [(name, kind, block) for name in programs
            for kind, blocks in (("metafork", BLOCKS[name]), ("plain", [(1, 1, 1)]), ("ppcg", [] if options.cpu else [(1, 1, 1)])) for block in blocks]
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        hosts = {name: pool.submit(attempt, f"{name} on the host", lambda name=name: host(name)) for name in programs}
        first = [pool.submit(attempt, "common", common)] + [pool.submit(attempt, name, lambda name=name: program_object(name)) for name in programs]
        for one in first:
            one.result()
        built = list(pool.map(lambda job: attempt(f"{job}", lambda: variant(job)), jobs))
        right = {name: one.result() for name, one in hosts.items()}
    print(f"built after {time.time() - begun:.0f} s", flush=True)
    if options.build_only:
        return 1 if failures else 0

    rows = []
    for (name, kind, block), program in zip(jobs, built):
        if not program or not right[name]:
            continue
        rows_, columns, items = block
        environment = dict(os.environ, WARPLOOM_TIMING="1", **({"WARPLOOM_DEVICE": "gpu"} if options.cpu or not options.small or os.path.exists("/dev/nvidiactl") else {}))
        done = attempt(f"{program}", lambda: run([f"./{program}", PASSES, rows_, columns, items, *sizes[name]], env=environment))
        if not done:
            continue
        times, sums = passes_of(done)
        for n in sizes[name]:
            if n not in times:
                failures.append(f"{program}: no time for {n}")
                continue
            good = all(abs(value - sums.get((n, k), float("nan"))) <= 1e-9 * max(1, abs(value)) for (m, k), value in right[name][1].items() if m == n)
            if not good:
                failures.append(f"{program} at {n} differs from the host")
            rows.append({"program": name, "n": n, "kind": kind, **({"block": list(block)} if kind == "metafork" else {}), "ms": times[n][0],
                         "launches": times[n][1], "right": good})

    table, ratios, middle, least = [], [], [], []
    for name in programs:
        for k, n in enumerate(sizes[name]):
            of = [row for row in rows if row["program"] == name and row["n"] == n]
            best = min((row for row in of if row["kind"] == "metafork" and row["right"]), key=lambda row: row["ms"], default=None)
            ppcg, plain = (next((row for row in of if row["kind"] == kind), None) for kind in ("ppcg", "plain"))
            line = {"program": name, "n": n, "host_ms": right[name][0].get(n, (None,))[0] if right[name] else None, "ppcg_ms": ppcg and ppcg["ms"],
                    "plain_ms": plain and plain["ms"], "metafork_ms": best and best["ms"], "block": best and best["block"]}
            if best and ppcg:
                line["faster_than_ppcg"] = ppcg["ms"] / best["ms"]
                ratios.append(line["faster_than_ppcg"])
                times = [row["ms"] for row in of if row["kind"] == "metafork" and row["right"]]
                line["sizes_of_blocks"] = len(times)
                middle.append(ppcg["ms"] / statistics.median(times))
                least.append(ppcg["ms"] / max(times))
            if not options.small and not options.cpu:
                line["published_faster_than_ppcg"] = round(published["programs"][name]["metafork"][k] / published["programs"][name]["ppcg"][k], 3)
            table.append(line)
    mean = statistics.geometric_mean(ratios) if ratios else None
    of_sizes = lambda all: {"not_slower": sum(ratio >= 0.97 for ratio in all), "mean_faster": statistics.geometric_mean(all) if all else None}
    summary = {"rows": len(table), "ppcg": "our own kernels in the form described for PPCG 0.04's defaults; PPCG was not run", "best_size_of_blocks": of_sizes(ratios),
               "median_size_of_blocks": of_sizes(middle), "worst_size_of_blocks": of_sizes(least),
               "not_slower_than_ppcg": sum(ratio >= 0.97 for ratio in ratios), "mean_faster_than_ppcg": mean,
               "seconds": round(time.time() - begun), "failures": failures}
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip() if not options.small and not options.cpu else ""
    results.write_text(json.dumps({"command": "bench/metafork/run build/warploom FILE", "gpu": gpu, "published": published["source"], "summary": summary,
                                   "table": table, "rows": rows}, indent=1) + "\n")
    show = lambda value, form: format(value, form) if value is not None else "-"
    print(f"{'program':10} {'n':>9} {'host ms':>10} {'as PPCG':>9} {'plain ms':>9} {'MetaFork':>9}  {'block, items':14} {'faster':>7} {'(M2050)':>7}")
    for line in table:
        print(f"{line['program']:10} {line['n']:9} {show(line['host_ms'], '10.2f'):>10} {show(line['ppcg_ms'], '9.4f'):>9} {show(line['plain_ms'], '9.4f'):>9} "
              f"{show(line['metafork_ms'], '9.4f'):>9}  {str(line['block']):14} {show(line.get('faster_than_ppcg'), '7.2f'):>7} "
              f"{show(line.get('published_faster_than_ppcg'), '7.2f'):>7}")
    print("\nTimes faster than one core of the host, by rows and columns of a block and elements a thread")
    for name in programs:
        hosts_ms = right[name][0] if right[name] else {}
        print(f"{name:20} " + " ".join(f"{n:>10}" for n in sizes[name]))
        for block in BLOCKS[name]:
            of = {row["n"]: row for row in rows if row["program"] == name and row.get("block") == list(block) and row["right"]}
            ratios_ = [show(hosts_ms[n][0] / max(of[n]["ms"], 1e-6) if n in of and n in hosts_ms else None, "10.3f") for n in sizes[name]]
            print(f"{'  %d * %d, %d' % block:20} " + " ".join(f"{one:>10}" for one in ratios_))
    print()
    for which in ("best", "median", "worst") if ratios else ():
        one = summary[which + "_size_of_blocks"]
        print(f"{which} size of blocks: {one['not_slower']} of {len(ratios)} at least as fast (within 3 %) as our kernels in the form of PPCG's defaults, {one['mean_faster'] or 0:.2f} times in geometric mean")
    print(f"{summary['seconds']} s; {results}")
    print("\n".join(failures) if failures else "all results are those of the host")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
