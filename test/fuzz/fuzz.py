#!/usr/bin/env python3
"""Random loop nests through `warploom build --sanitize`, run on the CPU, against the same file compiled by the C compiler.

  fuzz.py --tool build/warploom --count 500 --seed 1
  fuzz.py --tool build/warploom --nest SEED [--nest SEED ...] [--strict-fp]

Every nest runs at each size of nests.py on fresh data, and every object of the program must be equal afterwards: exactly, since
all values are small whole numbers. One file of nests in four is compiled with --strict-fp and runs on fractions, whose bits must be
equal. Many nests share one file; where a file fails, the nests at fault are found, run alone, and kept.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from nests import harness_text, nests_text

PER_FILE = 25
STRICT_EVERY = 4
PATH = re.compile(r"warploom: region nest(\d+)(?:_\w+)?:\d+ .* path (gpu|host:.*)")
SUMMARY = re.compile(r"(\d+) of (\d+) regions of")
NAMED = re.compile(r"\bnest(\d+)(?:_\w+)?\b")


class Fault(Exception):
    """Something went wrong with a file of nests; `nests` are the numbers of those known to be at fault."""

    def __init__(self, text, nests=()):
        super().__init__(text)
        self.nests = set(nests)
        self.printed = ""


class Statistics:
    """How much of the input became kernels: a fuzzer whose nests all stay on the host finds nothing."""

    def __init__(self):
        self.regions = self.mapped = 0
        self.nests_on_device = 0
        self.reasons = {}  # why regions stay as they were -> how often

    def add(self, other):
        self.regions += other.regions
        self.mapped += other.mapped
        self.nests_on_device += other.nests_on_device
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count


def command(words, what, timeout=240, environment=None):
    """What the command printed; throws Fault when it fails or hangs, with the nests that its messages name."""
    try:
        run = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=timeout, env=environment)
    except subprocess.TimeoutExpired as expired:
        fault = Fault(f"{what}: not done after {timeout} s")
        fault.printed = (expired.stdout or b"").decode(errors="replace")
        raise fault from None
    if run.returncode:
        fault = Fault(f"{what}: exit status {run.returncode}\n{(run.stderr + run.stdout[-2000:])[:4000]}",
                      {int(number) for number in NAMED.findall(run.stderr)})
        fault.printed = run.stdout
        raise fault
    return run


def unfinished(expected, printed):
    """The number of the nest whose line is the first that was not printed."""
    lines = expected.splitlines()
    done = printed.count("\n")
    return {int(NAMED.match(lines[done])[1])} if done < len(lines) else set()


def differences(expected, got):
    """The numbers of the nests whose lines differ, and a text on the first of them."""
    def words(line, first):
        return line[line.index(")") + 1:].split()[first::2]

    nests, texts = set(), []
    expected, got = expected.splitlines(), got.splitlines()
    for one, other in zip(expected, got):
        if one == other:
            continue
        nests.add(int(NAMED.match(one)[1]))
        objects = [name for name, a, b in zip(*(words(one, k) for k in (0, 1)), words(other, 1)) if a != b]
        texts.append(f"{one[:one.index(')') + 1]}: {', '.join(objects)} differ")
    if len(expected) != len(got):
        texts.append(f"{len(got)} lines instead of {len(expected)}")
    return nests, "\n".join(texts[:8])


def check(seeds, options, strict, folder):
    """The Statistics of one file of nests; throws Fault."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        nests, harness = os.path.join(place, "nests.c"), os.path.join(place, "harness.c")
        text, calls = nests_text(seeds)
        with open(nests, "w", encoding="utf-8") as file:
            file.write(text)
        with open(harness, "w", encoding="utf-8") as file:
            file.write(harness_text(calls))
        c = ["gcc", "-O1", "-w", "-ffp-contract=off"]
        objects = os.path.join(place, "harness.o")
        command([*c, *(["-DSCALE=0.3"] if strict else []), "-c", harness, "-o", objects], "the C compiler")
        original, generated = os.path.join(place, "original"), os.path.join(place, "generated")
        command([*c, nests, objects, "-lm", "-o", original], "the C compiler")
        build = command([options.tool, "build", nests, "-o", generated, "--target", "cpu", "--sanitize",
                         *(["--strict-fp"] if strict else []), "--", "-w", *options.define, objects], "warploom")
        wrong = [line for line in build.stderr.splitlines() if "internal error" in line]
        if wrong:
            raise Fault("\n".join(wrong), {int(number) for line in wrong for number in NAMED.findall(line)})
        statistics = Statistics()
        summary = SUMMARY.search(build.stdout)
        if summary:
            statistics.mapped, statistics.regions = map(int, summary.groups())
        for reason in re.findall(r"stays as it was: (.*)", build.stderr):
            reason = re.sub(r"`[^`]*`", "`..`", reason)
            statistics.reasons[reason] = statistics.reasons.get(reason, 0) + 1
        expected = command([original], "the original").stdout
        environment = {**os.environ, "WARPLOOM_DEVICE": "gpu", "WARPLOOM_TIMING": "1"}
        try:
            run = command([generated], "run", timeout=40, environment=environment)
        except Fault as fault:
            fault.nests |= unfinished(expected, fault.printed)
            raise
        bad, text = differences(expected, run.stdout)
        if text:
            raise Fault(text, bad)
        statistics.nests_on_device = len({number for number, path in PATH.findall(run.stderr) if path == "gpu"})
        return statistics


def culprits(seeds, options, strict, folder, fault):
    """The seeds at fault with their texts: those that the fault names and that fail alone, else by halving."""
    if len(seeds) == 1:
        return {seeds[0]: str(fault)}
    found = refused(seeds, options, strict, folder) if str(fault).startswith("warploom") else {}
    if found:
        return found
    for number in sorted(fault.nests):
        if number < len(seeds):
            found |= failing([seeds[number]], options, strict, folder)
    if found:
        return found
    half = len(seeds) // 2
    return (failing(seeds[:half], options, strict, folder) | failing(seeds[half:], options, strict, folder)
            or {seeds[0]: f"only together with {seeds[1:]}: {fault}"})


def refused(seeds, options, strict, folder):
    """The seeds on which the tool itself fails, with texts."""
    found = {}
    for seed in seeds:
        path = os.path.join(folder, f"alone_{seed}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(nests_text([seed])[0])
        try:
            command([options.tool, "compile", path, "-o", path + ".cu", *(["--strict-fp"] if strict else [])], "warploom")
        except Fault as fault:
            found[seed] = str(fault)
    return found


def failing(seeds, options, strict, folder):
    """The seeds among `seeds` that fail, with texts."""
    try:
        check(seeds, options, strict, folder)
        return {}
    except Fault as fault:
        return culprits(seeds, options, strict, folder, fault)


def examine(seeds, options, strict, folder):
    """Statistics and faults of one file of nests. Where some fail the others are checked without them."""
    try:
        return check(seeds, options, strict, folder), {}
    except Fault as fault:
        bad = culprits(seeds, options, strict, folder, fault)
    rest = [seed for seed in seeds if seed not in bad]
    if not rest or len(bad) > len(seeds) // 2:
        return Statistics(), bad
    statistics, more = examine(rest, options, strict, folder)
    return statistics, bad | more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/warploom")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nest", type=int, action="append", help="run the nest with this seed")
    parser.add_argument("--strict-fp", action="store_true", help="every file with --strict-fp")
    parser.add_argument("--define", action="append", default=[], metavar="-DWARPLOOM_X=N", help="a tunable of the kernels")
    parser.add_argument("--keep", default=".", help="where failing nests are written")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing more is begun with after so long")
    parser.add_argument("--print", action="store_true", help="print the nests and stop")
    options = parser.parse_args()
    seeds = options.nest if options.nest else [options.seed * 1000003 + k for k in range(options.count)]
    if options.print:
        print(nests_text(seeds)[0])
        return 0
    print(f"seed {options.seed}, {len(seeds)} nests", flush=True)
    begun = time.time()
    groups = [seeds[k:k + PER_FILE] for k in range(0, len(seeds), PER_FILE)]
    strict = [options.strict_fp or (k % STRICT_EVERY == STRICT_EVERY - 1) for k in range(len(groups))]
    total, bad, done = Statistics(), {}, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        def one(group, how):
            return examine(group, options, how, folder) if time.time() - begun < options.seconds else None

        for group, how, result in zip(groups, strict, pool.map(one, groups, strict)):
            if not result:
                continue
            done += len(group)
            statistics, faults = result
            total.add(statistics)
            bad |= {seed: (how, text) for seed, text in faults.items()}
            for seed, text in faults.items():
                print(f"FAIL nest seed {seed}{' (--strict-fp)' if how else ''}\n  " + text.strip().replace("\n", "\n  "),
                      flush=True)
    for seed, (how, text) in sorted(bad.items()):
        path = os.path.join(options.keep, f"fuzz_{seed}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(nests_text([seed])[0])
        print(f"kept {path}; again: {sys.argv[0]} --tool {options.tool} --nest {seed}{' --strict-fp' if how else ''}")
    for reason, count in sorted(total.reasons.items(), key=lambda item: -item[1])[:12]:
        print(f"stays as it was, {count} times: {reason}")
    print(f"{total.mapped} of {total.regions} regions mapped; kernels ran in {total.nests_on_device} of {done} nests; "
          f"{time.time() - begun:.0f} s")
    few = not options.nest and not bad and total.nests_on_device < max(done, 1) / 4
    if few:
        print("FAIL fewer than a quarter of the nests ran kernels: nothing is shown")
    print(f"{done - len(bad)} passed, {len(bad) + few} failed, {len(seeds) - done} not begun with")
    return 1 if bad or few else 0


if __name__ == "__main__":
    sys.exit(main())
