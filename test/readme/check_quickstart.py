#!/usr/bin/env python3
"""`./quickstart file.c -- flags` verifies and runs the program, and ends as it does; a file that cannot be read is said so.

    check_quickstart.py SOURCE
"""
import re
import subprocess
import sys

source = sys.argv[1]


def quickstart(*arguments):
    return subprocess.run(["./quickstart", *arguments], cwd=source, capture_output=True, text=True, timeout=600)


done = quickstart("examples/heat.c", "--", "-DN=40", "-DSTEPS=20", "-lm")
assert done.returncode == 0, done.stdout + done.stderr
verified, separator, ran = done.stdout.partition("$ build/warploom run examples/heat.c --flag=-DN=40 --flag=-DSTEPS=20 --flag=-lm\n")
assert separator, done.stdout
assert "$ build/warploom verify examples/heat.c -- -DN=40 -DSTEPS=20 -lm\n" in verified, verified
assert " 0 mismatches\n" in verified and re.search(r"[1-9]\d* regions compared", verified), verified
assert ran.endswith(": right\n") and "verify:" not in ran, ran

missing = quickstart("examples/absent.c")
assert missing.returncode == 1 and "cannot read 'examples/absent.c'" in missing.stderr, missing.stderr
