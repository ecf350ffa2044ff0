#!/usr/bin/env python3
"""Damaged systems, AIF, Quartz and Lustre: each is compiled or refused, in time, with a place, never with a crash.

What is compiled must be valid C. Usage: fuzz_test.py WARPLOOM COMPILER COUNT FILE...
"""
# SHOWS: GA-01
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r"\s+|[A-Za-z_0-9.]+|=>|[<>=!]=|\|\||.", re.S)
# What a system rarely has, and a compiler must survive.
STRANGE = ["0", "-1", "9223372036854775807", "99999999999999999999", "int", "nat", "real", "int{0}", "bv{65}", "[0]", "[1000000000]",
           "true", "next", "/ 0", "% 0", "\x00", "\u20ac", "(" * 50, "!" * 50, "1e999", "{", "}", "system", "loop", "abort", "pause;", "when", "pre", "current",
           "->", "fby", "tel", "node", "macro", "module", "0xffffffffffffffffff"]
SECONDS = 20


def damaged(text, dice):
    """`text` with one to three tokens or lines taken out, doubled, exchanged or replaced; sometimes cut off."""
    tokens = TOKEN.findall(text)
    words = [i for i, token in enumerate(tokens) if not token.isspace()]
    for _ in range(dice.randint(1, 3)):
        at, other = dice.choice(words), dice.choice(words)
        kind = dice.randrange(7)
        if kind == 0:
            tokens[at] = ""
        elif kind == 1:
            tokens[at] += " " + tokens[at]
        elif kind == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens[at] = tokens[other]
        elif kind == 4:
            tokens[at] = dice.choice(STRANGE)
        elif kind == 5:
            tokens[at] = re.sub(r"\d+", lambda m: str(int(m[0]) + dice.choice((-1, 1, 1000))), tokens[at])
        elif dice.random() < 0.2:
            tokens = tokens[:max(at, 20)]
            words = [i for i in words if i < len(tokens)]
    text = "".join(tokens)
    if dice.random() < 0.3:
        lines = text.splitlines(keepends=True)
        at = dice.randrange(len(lines))
        lines[at:at + 1] = dice.choice(([], [lines[at]] * 2, [lines[dice.randrange(len(lines))]]))
        text = "".join(lines)
    return text


def problem(warploom, compiler, file, dice):
    """(what is wrong with how this file is treated, or None; whether it was compiled)"""
    result = file.with_suffix(".out.c")
    flags = dice.choice(([], ["--check"], ["--in-place"], ["--baseline"], ["--instances", "100"]))
    target = dice.choice(("c", "cuda"))
    try:
        run = subprocess.run([warploom, "sync", file, "--target", target, "-o", result, *flags], capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"still compiling after {SECONDS} s with {flags}", False
    said = run.stderr.decode(errors="replace")
    if run.returncode == 1:
        located = re.match(re.escape(str(file)) + r":\d+:\d+: error: .", said)
        return (None if located and "internal" not in said else f"no place in: {said!r}"), False
    if run.returncode != 0 or said:
        return f"exit status {run.returncode} with {flags}: {said!r}", False
    if target == "c":
        compiled = subprocess.run([compiler, "-fsyntax-only", "-x", "c", "-std=c11", result], capture_output=True, text=True)
        if compiled.returncode != 0:
            return f"the C with {flags} is not valid: {compiled.stderr}", True
    return None, True


def main():
    warploom, compiler, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    sources = [pathlib.Path(name) for name in sys.argv[4:]]
    compiled = failures = 0
    with tempfile.TemporaryDirectory() as name:
        for number in range(count):
            dice = random.Random(number)
            source = sources[number % len(sources)]
            file = pathlib.Path(name) / f"m{number}{source.suffix}"
            file.write_text(damaged(source.read_text(), dice))
            wrong, accepted = problem(warploom, compiler, file, dice)
            compiled += accepted
            if wrong:
                failures += 1
                print(f"mutant {number} of {source.name}: {wrong}\n{file.read_text()}\n")
    print(f"{count} mutants, {compiled} compiled, {failures} treated wrongly")
    # Mutants that are all refused, or all accepted, would show little.
    return 1 if failures or not count / 20 < compiled < count * 19 / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
