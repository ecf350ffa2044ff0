"""Every detector finds its seeded fault, naming kernel, array, subscript and lines, and is silent on the right version."""
import os
import re
import sys

from build import build, call, compilers, start

# What the report must say, as a pattern, beside the lines marked in faults.cu.
EXPECTED = {
    "shared-race": r"race on tile\[\d+\]\[\d+\] in shared memory, kernel .*sharedRace",
    "global-race": r"race on a\[\d+\]\[\d+\] in global memory, kernel .*globalRace",
    "block-race": r"race on a\[\d+\]\[\d+\] in global memory, kernel .*blockRace",
    "atomic-race": r"race on count\[0\] in global memory, kernel .*atomicRace",
    "warp-race": r"race on s\[\d+\] in shared memory, kernel .*warpRace",
    "warp-too-far": r"race on s\[\d+\] in shared memory, kernel .*warpTooFar",
    "byte-race": r"race on bytes\[0\] in global memory, kernel .*byteRace",
    "grid-race": r"race on b\[\d+\]\[\d+\] in global memory, kernel .*gridRace",
    "last-block": r"race on b\[0\]\[\d\] in global memory, kernel .*lastBlock",
    "divergence": r"barrier divergence in kernel .*divergence",
    "early-exit": r"barrier divergence in kernel .*earlyExit",
    "uninitialised": r"uninitialised shared memory: sums\[2\], kernel .*uninitialised",
    "stale": r"uninitialised shared memory: kept\[\d+\], kernel .*stale",
    "accumulate": r"uninitialised shared memory: sums\[0\], kernel .*accumulate",
    "beyond-global": r"out of bounds: row\[250\], kernel .*beyondGlobal",
    "before-global": r"out of bounds: small\[-1\], kernel .*beforeGlobal",
    "beyond-row": r"out of bounds: tile\[\.\.\]\[17\], kernel .*beyondRow",
    "beyond-pointer": r"out of bounds: tile\[256\], kernel .*beyondPointer",
    "beyond-dynamic": r"out of bounds: dynamic shared memory\[256\], kernel .*beyondDynamic",
    "member-race": r"race on left\[\d+\] in shared memory, kernel .*memberRace",
    "member-uninitialised": r"uninitialised shared memory: right\[2\], kernel .*memberUninitialised",
    "beyond-member": r"out of bounds: rows\[\.\.\]\[17\], kernel .*beyondMember",
    "host-memory": r"out of bounds: memory that is no device array, kernel .*hostMemory",
    "host-threads": r"race on own\[\d+\] in global memory, kernel .*hostThreads",
    "mask": r"barrier divergence in kernel .*mask",
}


def marked(source, word, name):
    """The line of `source` that has the comment."""
    with open(source) as text:
        for number, line in enumerate(text, 1):
            if re.search(r"%s: %s\b(?!-)" % (word, name), line):
                return number
    return None


root, folder = start()
source = os.path.join(root, "test", "runtime", "faults.cu")
failures = 0
for compiler in compilers():
    program = build(root, folder, compiler, source, sanitize=True)
    for name, pattern in EXPECTED.items():
        wrong, right = call([program, "wrong", name]), call([program, "right", name])
        problems = []
        if wrong.returncode != 66:
            problems.append("status %d instead of 66" % wrong.returncode)
        # The first report that matches, up to the next one.
        reports = [r for r in wrong.stderr.split("warploom: sanitize: ") if re.match(pattern, r)]
        if not reports:
            problems.append("no report like: " + pattern)
        for word in ("fault", "other"):
            line = marked(source, word, name)
            if reports and line and not any("faults.cu:%d" % line in r for r in reports):
                problems.append("line %d (%s) is not named" % (line, word))
        if right.returncode != 0 or right.stderr or right.stdout != "ran\n":
            problems.append("the right version: status %d\n%s" % (right.returncode, right.stderr))
        if problems:
            failures += 1
            print("%s, %s:\n  %s\n%s" % (compiler, name, "\n  ".join(problems), wrong.stderr))
    print("%s: %d faults" % (compiler, len(EXPECTED)))
sys.exit(failures != 0)
