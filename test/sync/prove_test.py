#!/usr/bin/env python3
"""`warploom sync --prove`: what it says, its exit statuses, and that `warploom run` replays the counterexamples it writes.

Usage: prove_test.py WARPLOOM EXAMPLES
"""
import pathlib
import re
import subprocess
import sys
import tempfile

COUNTER = """system Counter:
interface:
  go: input bool
  i: input int{{9}}[2]
  b: input bv{{3}}
  n: output memorized nat{{100}}
main:
  data flow:
    go & n < 12 => next(n) = n + 1
    go & n >= 12 => next(n) = 0
  assertions:
{}"""


def prove(warploom, file, *flags):
    run = subprocess.run([warploom, "sync", file, "--prove", *flags], capture_output=True, text=True, timeout=300)
    return run.returncode, run.stdout, run.stderr


def replay(output):
    """Runs the commands that the output has, in a shell; (status, error) of each."""
    commands = re.findall(r"^    (warploom run .*)$", output, re.M)
    return [subprocess.run(command.replace("warploom", sys.argv[1], 1), shell=True, capture_output=True, text=True, timeout=300)
            for command in commands]


def main():
    warploom, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / "counter.aif"

        file.write_text(COUNTER.format("    true => small: assert n < 13\n"))
        status, out, err = prove(warploom, file)
        assert status == 0 and "small: proved by k-induction (k=2)" in out and "3 proved, 0 violated, 0 not decided\n" in out, (status, out, err)
        assert list(folder.iterdir()) == [file]

        file.write_text(COUNTER.format("    true => small: assert n < 13\n    i[0] > 3 & b{2} & n > 2 => seven: assert n != 7\n    true => four: assert n != 4\n"))
        status, out, err = prove(warploom, file)
        runs = replay(out)
        assert status == 1 and len(runs) == 1 and "four: violated: step 6: assertion four violated" in out, (status, out, err)
        # Runs end with their first violation, so that n does not get to 7.
        assert "seven: proved" in out and "up to its first violation of another" in out, out
        assert runs[0].returncode == 1 and "step 6: assertion four violated: n != 4" in runs[0].stderr, runs
        assert (folder / "counter.four.jsonl").read_text().count("\n") == 6

        file.write_text(COUNTER.format("    i[0] > 3 & b{2} & n > 2 => seven: assert n != 7\n    true => given: assume i[0] + i[1] == 3\n"))
        status, out, err = prove(warploom, file, "-o", folder / "trace")
        runs = replay(out)
        assert status == 1 and "step 9: assertion seven violated: n != 7" in runs[0].stderr, (out, runs)
        assert (folder / "trace.seven.jsonl").exists()
        status, out, err = prove(warploom, file, "--depth", "8")
        assert status == 4 and "seven: no violation within 8 steps, not proved\n" in out, (status, out)

        file.write_text(COUNTER.format("    true => seven: assert n != 7\n    true => given: assume i[0] > i[1] & i[1] > i[0]\n"))
        status, out, err = prove(warploom, file)
        assert status == 0 and "no run without violations gets beyond step 2" in out, (status, out)

        # Beyond the limits: factors of a product of two primes, which the solver does not find.
        file.write_text("system Factors:\ninterface:\n  i: input nat{2147483647}\n  j: input nat{2147483647}\n  x: output event bool\nmain:\n"
                        "  data flow:\n    i > 1 & j > 1 & i*j == 2305842979148922893 => x = true\n  assertions:\n    true => prime: assert !x\n")
        status, out, err = prove(warploom, file, "--effort", "1")
        assert status == 4 and "prime: no violation within 1 steps, not proved: beyond the solver's limits" in out, (status, out)

        # A range that is left, and a system without inputs.
        file.write_text("system Up:\ninterface:\n  n: output memorized nat{5}\nmain:\n  data flow:\n    true => next(n) = n + 1\n")
        status, out, err = prove(warploom, file)
        runs = replay(out)
        assert status == 1 and len(runs) == 1 and runs[0].returncode == 1, (out, runs)
        assert "is outside the range 0..4 of `n`" in out and "is outside the range 0..4 of `n`" in runs[0].stderr, (out, runs)

        # What cannot be ordered is refused with its place; a file that cannot be written is an error.
        file.write_text("system Cycle:\ninterface:\n  x: output memorized bool\n  y: output memorized bool\nmain:\n  data flow:\n"
                        "    y => x = true\n    x => y = true\n")
        status, out, err = prove(warploom, file)
        assert status == 1 and "cycle.aif" not in err and re.search(r"counter\.aif:\d+:\d+: error", err), (status, out, err)
        file.write_text(COUNTER.format("    true => four: assert n != 4\n"))
        status, out, err = prove(warploom, file, "-o", folder / "no" / "folder")
        assert status == 1 and "cannot write" in err, (status, out, err)
        assert prove(warploom, file, "--depth", "0")[0] == 2

        for example, assertions in (("traffic.aif", 2), ("lift.aif", 1), ("vending.aif", 1), ("sort8.aif", 0), ("ring5.aif", 0)):
            status, out, err = prove(warploom, examples / example)
            assert status == 0 and out.count("proved by k-induction") == assertions, (example, status, out, err)
    print("as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
