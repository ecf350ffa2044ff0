#!/usr/bin/env python3
"""Runs the trace oracle: `oracle.py corpus --tool build/warploom [FILE...]`, or `oracle.py selftest [FILE...]`, which
shows that wrong claims are caught.

A corpus file is C whose loops stand one to a line, most with `/* EXPECT: verdict */`; its driver, seen only under
WL_TRACE, calls every function through RUN at several sizes with fresh data. `// NONAFFINE` above a function takes it
out of the precision that is asked for (all affine loops). FAIL lines are unsound claims, missing dependences and
verdicts other than the expected one; `missed` and `never seen` lines are about precision and fail nothing.
"""
# SHOWS: CR-15 CR-16 CR-17 CR-18 CR-19
import argparse
import glob
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from compare import ClaimError, Comparison, Report, claims_of
from tracing import HERE, build_runtime, trace

CORPUS = os.path.join(HERE, "..", "corpus")


def corpus_files(names):
    return [os.path.abspath(name) for name in names] or sorted(os.path.abspath(p) for p in glob.glob(os.path.join(CORPUS, "*.c")))


def check_file(path, tool, folder):
    label = os.path.basename(path)
    report = Report()
    traced = trace(path, folder)
    for line, loop in traced.source.loops.items():
        if line not in traced.loops:
            report.failures.append(f"{label}:{line}: {loop.function}: the driver never runs this loop")
    try:
        report.add(Comparison(traced, claims_of(tool, path), label).run())
    except ClaimError as error:
        report.checks += 1
        report.failures.append(str(error))
    return report, len(traced.source.loops), len(traced.source.functions)


def run_corpus(files, tool):
    total, loops, functions = Report(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        build_runtime(folder)
        with ThreadPoolExecutor(2) as pool:
            for report, in_file, functions_in_file in pool.map(lambda path: check_file(path, tool, folder), files):
                total.add(report)
                loops += in_file
                functions += functions_in_file
    for text in total.failures:
        print("FAIL " + text)
    for text in total.missed:
        print("missed: " + text)
    for text in total.never_seen:
        print("never seen: " + text)
    print(f"flow dependences claimed exact: {total.exact_claims}, of which no run shows {len(total.never_seen)}")
    print(f"{len(files)} files, {functions} functions, {loops} loops")
    for name, (called, of) in sorted(total.precision.items()):
        print(f"precision, {name}: {called} of {of} loops that the trace shows parallel")
    print(f"{total.checks - len(total.failures)} passed, {len(total.failures)} failed")
    return 1 if total.failures else 0


def fabricated(traced, verdict, **extra):
    """A claim that gives every loop of the file the same verdict, and no dependence."""
    regions = [{"function": loop.function, "file": traced.source.path, "line": line, "dependences": [],
                "loops": [{"line": line, "verdict": verdict, "private": [], "reductions": [], "conditions": [], **extra}]}
               for line, loop in traced.source.loops.items()]
    return {"regions": regions}


def truthful(traced, leave_out=lambda dependence: False):
    """A claim that lists the dependences of the trace, less some, and calls no loop parallel."""
    source = traced.source
    regions = {}
    for line, loop in source.loops.items():
        region = regions.setdefault(loop.function, {"function": loop.function, "loops": [], "dependences": []})
        region["loops"].append({"line": line, "verdict": "sequential"})
    functions = {line: name for name, (first, last) in source.functions.items() for line in range(first, last + 1)}
    for d in traced.dependences:
        region = regions.get(functions.get(d.source))
        if leave_out(d) or region is None or functions.get(d.sink) != region["function"]:
            continue
        own = {loop["line"] for loop in region["loops"]}
        for iterations, lines, differences in d.distances:
            steps = [(traced.loops[line]["steps"] or [1])[0] for line in lines]
            distance = [x // step for line, x, step in zip(lines, differences, steps) if line in own]
            region["dependences"].append({"kind": d.kind, "array": d.object, "source_line": d.source, "sink_line": d.sink,
                                          "distance": distance, "carried_by_line": d.carrier or None})
    return {"regions": list(regions.values())}


class Tally:
    def __init__(self):
        self.passed, self.failures = 0, []

    def expect(self, condition, text):
        if condition:
            self.passed += 1
        else:
            self.failures.append(text)


def annotations_hold(traced, label, tally):
    """Every loop annotated as not parallel is caught when called parallel; every annotated distance is the smallest in
    the trace; no loop annotated parallel has a dependence that privatisation cannot remove."""
    runs = set(range(len(traced.runs)))
    caught = Comparison(traced, fabricated(traced, "parallel"), label)
    text = "\n".join(caught.run(expectations=False).failures)
    for line, loop in traced.source.loops.items():
        here = f"{label}:{line}: {loop.function}: "
        tally.expect(line in traced.loops, here + "the driver never runs this loop")
        if loop.expect.startswith(("sequential", "carried(", "reduction(")) and " or " not in loop.expect:
            tally.expect(here + "called parallel" in text, here + f"annotated {loop.expect}, but `parallel` was not caught")
        if loop.expect.startswith("carried(") or loop.expect == "sequential":
            distance = 1 if loop.expect == "sequential" else int(loop.expect[8:-1])
            for claimed, right in ((distance, True), (distance + 1, False)):
                check = Comparison(traced, fabricated(traced, "carried", min_distance=claimed), label)
                check.check_verdict(line, check.claimed[line][1])
                tally.expect(bool(check.report.failures) != right, here + f"annotated {loop.expect}, distance {claimed} "
                             f"was {'refused' if right else 'accepted'}: {check.report.failures}")
        if loop.expect == "parallel":
            against = [d for d in caught.obstacles(line, caught.claimed[line][1], runs)
                       if d.kind == "flow" or (d.kind == "anti" and not d.covered)]
            tally.expect(not against, here + f"annotated parallel, but the trace has {[str(d) for d in against]}")


def omissions_are_caught(traced, label, tally):
    """A list of all dependences is accepted; with any one left out it is not."""
    whole = Comparison(traced, truthful(traced), label)
    whole.check_dependences()
    tally.expect(not whole.report.failures, f"{label}: the true list was refused: {whole.report.failures[:1]}")
    aliased = set().union(*(whole.aliased_runs(function) for function in traced.source.functions))
    due = [d for d in whole.listable() if d.object in traced.source.objects and
           not all(runs <= aliased for runs in d.distances.values())]
    for d in due[::7]:
        check = Comparison(traced, truthful(traced, lambda other: whole.same_claim(other, d)), label)
        check.check_dependences()
        tally.expect(check.report.failures, f"{label}: leaving out {d} was not caught")


def false_explanations_are_caught(traced, label, tally):
    """Claims of `private` and `reductions` that do not explain what the trace has."""
    loops = {loop.function: line for line, loop in traced.source.loops.items()}

    def verdict_fails(function, **claim):
        claims = fabricated(traced, "parallel")
        for region in claims["regions"]:
            if region["line"] == loops[function]:
                region["loops"][0].update(claim)
        check = Comparison(traced, claims, label)
        check.check_verdict(loops[function], check.claimed[loops[function]][1])
        return bool(check.report.failures)

    plus = {"verdict": "reduction", "reductions": [{"op": "+", "target": "s"}]}
    cases = [("sum", plus, False), ("prefix_is_no_reduction", plus, True), ("guarded_by_itself", plus, True),
             ("several_at_once", plus, True), ("prefix_sum", {"verdict": "reduction", "reductions": [{"op": "+", "target": "a"}]}, True),
             ("into_global_element", {"verdict": "reduction", "reductions": [{"op": "+", "target": "c"}]}, False), ("sum", {"private": ["s"]}, True),
             ("minimum_if", {"verdict": "reduction", "reductions": [{"op": "min", "target": "m"}]}, False),
             ("temporary_maybe_stale", {"private": ["t"]}, True), ("temporary_in_branch", {"private": ["t"]}, False),
             ("temporary_in_branch", {"private": []}, True), ("index_changed_in_body", {"private": ["i"]}, True),
             ("pointers_may_overlap", {"verdict": "conditional", "conditions": ["`p` and `q` do not overlap"]}, False),
             ("pointers_may_overlap", {"verdict": "parallel"}, True),
             ("symbolic_offset_read", {"verdict": "conditional", "conditions": ["m >= n"]}, False),
             ("symbolic_offset_read", {"verdict": "conditional", "conditions": ["m >= 2"]}, True)]
    for function, claim, wrong in cases:
        if function in loops:
            tally.expect(verdict_fails(function, **claim) == wrong, f"{label}: {function}: the claim {claim} was "
                         f"{'accepted' if wrong else 'refused'}")


def selftest(files):
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        build_runtime(folder)
        with ThreadPoolExecutor(2) as pool:
            traces = list(pool.map(lambda path: trace(path, folder), files))
    for path, traced in zip(files, traces):
        label = os.path.basename(path)
        annotations_hold(traced, label, tally)
        omissions_are_caught(traced, label, tally)
        false_explanations_are_caught(traced, label, tally)
    for text in tally.failures:
        print("FAIL " + text)
    print(f"{tally.passed} passed, {len(tally.failures)} failed")
    return 1 if tally.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("corpus", "selftest"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--tool", default="build/warploom")
    options = parser.parse_intermixed_args()
    files = corpus_files(options.files)
    if options.mode == "selftest":
        return selftest(files)
    return run_corpus(files, options.tool)


if __name__ == "__main__":
    sys.exit(main())
