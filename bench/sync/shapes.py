#!/usr/bin/env python3
"""How long systems of 100,000 actions take to compile, by shape: shapes.py WARPLOOM [--target c] [SHAPE...].

Prints a row of a table per shape: processor time (user and system, so that other work on the machine counts little)
and peak memory."""
import argparse, os, random, subprocess, sys, tempfile

N = 100_000


def system(inputs, locals_, actions, abbreviations=()):
    section = lambda lines: "".join(f"  {line}\n" for line in lines)
    return (f"system Big:\ninterface:\n{section(inputs)}locals:\n{section(locals_)}"
            f"abbreviations:\n{section(abbreviations)}main:\n  data flow:\n{section(actions)}")


def unrelated(name):
    """Random guards and values that read anything written before; `name(k)` is variable k."""
    r = random.Random(7)

    def value(depth, k):
        if depth == 0:
            return r.choice([name(r.randrange(k)) if k else "i", "i", "j", str(r.randrange(50))])
        return f"({value(depth - 1, k)} {r.choice('+-*/%')} {value(r.randrange(depth), k)})"

    def guard(depth, k):
        if depth == 0:
            return f"{value(1, k)} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {value(r.randrange(2), k)}"
        return f"({guard(depth - 1, k)} {r.choice('&|')} {r.choice(['', '!'])}({guard(r.randrange(depth), k)}))"

    return [f"{guard(r.randrange(3), k)} => {r.choice(['{}', 'next({})']).format(name(k))} = {value(r.randrange(4), k)}"
            for k in range(N)]


IJ = ["i: input int{10}", "j: input int{10}"]
V = [f"v: local memorized int{{1000}}[{N}]"]
SHAPES = {
    "unrelated actions on an array": lambda: system(IJ, V, unrelated(lambda k: f"v[{k}]")),
    "unrelated actions on scalars": lambda: system(
        IJ, [f"v{k}: local memorized int{{1000}}" for k in range(N)], unrelated(lambda k: f"v{k}")),
    "a chain": lambda: system(
        IJ, V, ["true => v[0] = i"] + [f"true => v[{k}] = v[{k - 1}] + {k % 5}" for k in range(1, N)]),
    "events with delayed and immediate writers": lambda: system(
        IJ, [f"e: local event int{{1000}}[{N // 2}]"],
        [a for k in range(N // 2) for a in (f"i > {k % 9} => e[{k}] = j",
                                            f"e[{k * 7919 % (N // 2)}] == {k % 3} => next(e[{k}]) = 1")]),
    "all actions write one event": lambda: system(
        [f"i: input nat{{{N}}}"], ["e: local event int{100}"], [f"i == {k} => e = {k % 9}" for k in range(N)]),
    "nested abbreviations": lambda: system(
        IJ, ["o: local memorized int{1000}"], [f"true => o = h{N - 1}"],
        ["h0 = i + 1"] + [f"h{k} = h{k - 1} + h{k // 2}" for k in range(1, N)]),
    "one cycle, closed by exclusive guards": lambda: system(
        [f"i: input nat{{{N}}}"], V, [f"i == {k} => v[{k}] = v[{(k + 1) % N}] + 1" for k in range(N)]),
    "50,000 cycles, guards exclusive by the solver": lambda: system(
        [f"w: input nat{{100}}[{N // 2}]"], V,
        [a for k in range(0, N, 2) for a in (f"w[{k // 2}] > 3 => v[{k}] = v[{k + 1}]",
                                             f"w[{k // 2}] < 2 => v[{k + 1}] = v[{k}]")]),
    "33,333 cycles that are split into cases": lambda: system(
        [f"m: input nat{{3}}[{N // 3}]"], V,
        [f"m[{k}] != {c} => v[{3 * k + c}] = v[{3 * k + (c + 1) % 3}]" for k in range(N // 3) for c in range(3)]),
    "one action reads all, all read one": lambda: system(
        IJ, V + ["s: local memorized int{100}", f"w: local memorized int{{1000}}[{N}]"],
        ["true => s = " + " + ".join(f"v[{k}]" for k in range(N))] + [f"i > {k % 9} => w[{k}] = s" for k in range(N - 1)]),
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("warploom")
    arguments.add_argument("--target", default="c", choices=["c", "cuda"])
    arguments.add_argument("shapes", nargs="*", help="part of the name; all shapes where none is given")
    options = arguments.parse_args()
    for name, text in SHAPES.items():
        if options.shapes and not any(part in name for part in options.shapes):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "big.aif")
            with open(file, "w") as out:
                out.write(text())
            child = subprocess.Popen([options.warploom, "sync", file, "--target", options.target, "-o",
                                      os.path.join(folder, "big.out")], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            if status:
                sys.exit(f"{name}: exit status {os.waitstatus_to_exitcode(status)}")
            print(f"| {name} | {usage.ru_utime + usage.ru_stime:.1f} s | {usage.ru_maxrss / 2**20:.2f} GB |", flush=True)


if __name__ == "__main__":
    main()
