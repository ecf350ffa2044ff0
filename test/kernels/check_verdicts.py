#!/usr/bin/env python3
"""Compares what `warploom analyze --json` says of every loop of the kernels with the EXPECT comments beside them.

  check_verdicts.py WARPLOOM FOLDER [KERNEL ...]

Every `for` of a kernel function carries `/* EXPECT: verdict */` on its line, and only those do. A kernel passes when the
tool reports each of its loops once, with that verdict, within the time limit.
"""

# GEMM's only carrying loop is k and MRI-Q's only i; MRI-Q's temporaries are private, its samples an array of structs;
# the same holds in float and in double.
# SHOWS: CH-6 CH-7 CH-9 CH-10

import json
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

SECONDS_EACH = 5.0
SECONDS_MEDIAN = 0.3

EXPECT = re.compile(r"/\* EXPECT: (\S+) \*/")
VERDICT = re.compile(r"parallel|sequential|conditional|unknown|carried\([0-9]+\)|reduction\([a-z+*&|^,]+\)")
KERNEL = re.compile(r"^static void (kernel_\w+)\(")
FOR = re.compile(r"\bfor \(")


class Kernel:
    """A kernel's source: `expected`, the verdict by line, and `errors`, what is wrong with its comments."""

    def __init__(self, name, text):
        self.name, self.function, self.expected, self.errors = name, None, {}, []
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            start = KERNEL.match(line)
            if start:
                inside = True
                if self.function:
                    self.errors.append(f"{number}: a second kernel function")
                self.function = start[1]
            loops, expects = len(FOR.findall(line)), EXPECT.findall(line)
            if inside and loops != len(expects) or loops > 1 or (expects and not inside):
                self.errors.append(f"{number}: every loop of the kernel, and nothing else, has one EXPECT on its line")
            elif expects:
                if not VERDICT.fullmatch(expects[0]):
                    self.errors.append(f"{number}: no such verdict: {expects[0]}")
                self.expected[number] = expects[0]
            if line == "}":
                inside = False
        if not self.expected:
            self.errors.append("no loop with an EXPECT")


def verdict(loop):
    """The verdict of a loop of the report, spelled as in EXPECT comments."""
    if loop["verdict"] == "reduction":
        return f"reduction({','.join(sorted({reduction['op'] for reduction in loop['reductions']}))})"
    if loop["verdict"] == "carried":
        return f"carried({loop['min_distance']})"
    return loop["verdict"]


def differences(kernel, report):
    """What of `report`, the tool's JSON, is not as the comments of `kernel` say: one text each."""
    found = [loop for region in report["regions"] if region["function"] == kernel.function for loop in region["loops"]]
    lines = [loop["line"] for loop in found]
    texts = [f"{line}: loop reported {lines.count(line)} times" for line in sorted(set(lines)) if lines.count(line) > 1]
    texts += [f"{line}: loop not reported, expected {kernel.expected[line]}"
              for line in sorted(set(kernel.expected) - set(lines))]
    for loop in found:
        expected = kernel.expected.get(loop["line"], "no loop")
        if verdict(loop) != expected:
            reason = "; ".join([loop.get("reason", ""), *map(str, loop.get("conditions", []))]).strip("; ")
            texts.append(f"{loop['line']}: expected {expected}, got {verdict(loop)}" + (f" ({reason})" if reason else ""))
    return texts


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def analyze(warploom, path, flags=()):
    """The tool's report on `path` and the processor seconds it took, which do not depend on what else the machine does.
    Throws ValueError saying why there is none."""
    command = [warploom, "analyze", path, "--json"] + (["--", *flags] if flags else [])
    start = seconds_of_children()
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_EACH)
    except subprocess.TimeoutExpired:
        raise ValueError(f"not done after {SECONDS_EACH:.0f} s") from None
    seconds = seconds_of_children() - start
    if run.returncode != 0:
        raise ValueError(f"exit status {run.returncode}: {run.stderr.strip()[-500:]}")
    return json.loads(run.stdout), seconds


def loops_by_index(report, function):
    """The loops of `function` by the names of their indices."""
    return {loop["index"]: loop for region in report["regions"] if region["function"] == function
            for loop in region["loops"]}


def carriers(report, function):
    """The lines of the loops of `function` that carry a dependence which privatisation does not remove."""
    lines = set()
    for region in report["regions"]:
        if region["function"] == function:
            private = {name for loop in region["loops"] for name in loop["private"]}
            lines |= {dependence["carried_by_line"] for dependence in region["dependences"]
                      if dependence["array"] not in private}
    return lines - {None, 0}


def named_checks(warploom, folder):
    """The facts that the checklists name, as (text, whether it holds)."""
    gemm, _ = analyze(warploom, folder / "gemm-columns.c")
    loops = loops_by_index(gemm, "kernel_gemm_columns")
    yield "gemm-columns: only k carries a dependence", carriers(gemm, "kernel_gemm_columns") == {loops["k"]["line"]}
    for flags in [], ["-DSINGLE"]:
        mriq, _ = analyze(warploom, folder / "mri-q.c", flags)
        loops = loops_by_index(mriq, "kernel_mri_q")
        how = f"mri-q {' '.join(flags) or '(double)'}"
        yield f"{how}: only i carries a dependence", carriers(mriq, "kernel_mri_q") == {loops["i"]["line"]}
        yield f"{how}: the temporaries are private to an iteration of j", (
            {"angle", "cosine", "sine"} <= set(loops["j"]["private"]) and loops["j"]["verdict"] == "parallel")
        yield f"{how}: i is a reduction into Qr and Qi", (
            {(r["op"], r["target"].split("[")[0]) for r in loops["i"]["reductions"]} == {("+", "Qr"), ("+", "Qi")})


def main(warploom, folder, only):
    passed = failed = 0
    times = []
    for path in sorted(Path(folder).glob("*.c")):
        if only and path.stem not in only:
            continue
        kernel = Kernel(path.stem, path.read_text())
        texts = list(kernel.errors)
        seconds = None
        try:
            report, seconds = analyze(warploom, path)
            times.append(seconds)
            texts += differences(kernel, report)
        except ValueError as error:
            texts.append(str(error))
        print(f"{'FAIL' if texts else 'ok':4} {kernel.name:20} {len(kernel.expected):2} loops"
              + (f" {seconds:6.2f} s" if seconds is not None else ""))
        for text in texts:
            print(f"     {path.name}:{text}")
        passed, failed = (passed, failed + 1) if texts else (passed + 1, failed)

    if not only:
        checks = []
        try:
            checks += named_checks(warploom, Path(folder))
        except (ValueError, KeyError) as error:
            checks.append((f"named checks stopped: {error!r}", False))
        if times:
            checks.append((f"median time {statistics.median(times):.3f} s, largest {max(times):.2f} s",
                           statistics.median(times) <= SECONDS_MEDIAN))
        for text, holds in checks:
            print(f"{'ok' if holds else 'FAIL':4} {text}")
            passed, failed = (passed + 1, failed) if holds else (passed, failed + 1)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
