#!/usr/bin/env python3
"""Mutates C functions of the corpus and the kernels and gives them to `warploom analyze`.

Whatever comes of the source, the tool must end by itself within the time limit, with status 0 or 1, without speaking of
an internal error; with status 0 its JSON must be whole. Every mutant has a seed: `--seed S --count 1` makes it again.

    mutants.py --tool build/warploom [--count N] [--seed S] [--limit SECONDS] [--keep FOLDER]
"""

import argparse
import concurrent.futures
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])*'|[A-Za-z_]\w*|\d[\w.]*|"
                   r"<<=|>>=|\+\+|--|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|->|\s+|.", re.S)
OPERATORS = [["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"], ["<", "<=", ">", ">=", "==", "!="], ["&&", "||"],
             ["=", "+=", "-=", "*=", "/=", "|="], ["++", "--"]]
NUMBERS = ["0", "1", "2", "-1", "3", "7", "64", "1000003", "2147483647", "4294967295u", "9223372036854775807",
           "0x8000000000000000", "(-9223372036854775807 - 1)"]
KEYWORDS = [["int", "long", "unsigned", "short", "unsigned char", "long long", "float", "double", "_Bool"],
            ["break", "continue", "return"], ["if", "while"]]
STATEMENTS = ["break;", "continue;", "return;", "if (1) {", "}", "{", "goto out;", "out:;", "for (int q = 0; q < 3; q++)",
              "static int s; s++;", "volatile int v; v = 1;", "do", "switch (1) { default:;", "__asm__(\"\");"]
FUNCTION = re.compile(r"^[A-Za-z_][^;#{}()]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.M)


def functions(text):
    """The functions of `text`: (name, begin, end) of each body, braces included."""
    for head in FUNCTION.finditer(text):
        depth = 0
        for at in range(head.end() - 1, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                yield head[1], head.end() - 1, at + 1
                break


def sources():
    """Every function with a loop: (file, text, name, begin, end)."""
    found = []
    for folder in ("test/corpus", "bench/kernels", "examples"):
        for path in sorted((ROOT / folder).rglob("*.c")):
            text = path.read_text(errors="replace")
            found += [(path, text, *f) for f in functions(text) if "for" in text[f[1]:f[2]]]
    return found


def mutate_token(tokens, dice):
    """Replaces one operator, number, name or keyword by another; now and then removes, doubles or moves any token."""
    places = [k for k, token in enumerate(tokens) if not token.isspace() and not token.startswith("/")]
    groups = {k: group for k in places for group in OPERATORS + KEYWORDS if tokens[k] in group}
    names = [k for k in places if re.fullmatch(r"[A-Za-z_]\w*", tokens[k]) and k not in groups]
    numbers = [k for k in places if tokens[k][0].isdigit()]
    kind = dice.random()
    if kind < 0.4 and groups:
        at = dice.choice(sorted(groups))
        tokens[at] = dice.choice(groups[at])
    elif kind < 0.65 and numbers:
        tokens[dice.choice(numbers)] = dice.choice(NUMBERS)
    elif kind < 0.9 and names:
        variables = [tokens[k] for k in names if tokens[k] not in ("for", "else", "do", "switch", "case")]
        at = dice.choice(names)
        short = [name for name in variables if len(name) == len(tokens[at])]
        tokens[at] = dice.choice((short or variables) + ([dice.choice(NUMBERS)] if dice.random() < 0.2 else []))
    elif places:
        at, other = dice.choice(places), dice.choice(places)
        kind = dice.randrange(3)
        if kind == 0:
            tokens[at] = ""
        elif kind == 1:
            tokens[at] += " " + tokens[at]
        else:
            tokens[at], tokens[other] = tokens[other], tokens[at]


def mutate_line(text, dice):
    """Removes, doubles, moves or inserts one line, usually a whole statement."""
    lines = text.split("\n")
    whole = [k for k, line in enumerate(lines) if line.rstrip().endswith(";") and line.count("{") == line.count("}")]
    some = whole if whole and dice.random() < 0.8 else range(len(lines))
    at, other = dice.choice(some), dice.choice(some)
    kind = dice.randrange(5)
    if kind == 0:
        lines[at] = ";" if some is whole else ""
    elif kind == 1:
        lines.insert(at, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines.insert(other, lines[at])
    else:
        lines.insert(at, dice.choice(STATEMENTS))
    return "\n".join(lines)


def mutant(seed, pool):
    """The file a seed stands for: (origin, text, function)."""
    dice = random.Random(seed)
    path, text, name, begin, end = dice.choice(pool)
    body = text[begin + 1:end - 1]
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        if dice.random() < 0.7:
            tokens = TOKEN.findall(body)
            mutate_token(tokens, dice)
            body = "".join(tokens)
        else:
            body = mutate_line(body, dice)
    return path, text[:begin + 1] + body + text[end - 1:], name


def flaw(tool, path, function, include, limit):
    """What is wrong with the tool's answer, or None; and whether the mutant compiled."""
    command = [tool, "analyze", "--json", "--function", function, path, "--", f"-I{include}", "-w", "-ferror-limit=1"]
    try:
        run = subprocess.run(command, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {limit} s", False
    said = (run.stdout + run.stderr).decode(errors="replace")
    if run.returncode < 0:
        return f"killed by signal {-run.returncode}", False
    if run.returncode not in (0, 1):
        return f"status {run.returncode}", False
    if "internal error" in said:
        return next(line.strip() for line in said.splitlines() if "internal error" in line), False
    if run.returncode == 1 and "error:" not in said:
        return "status 1 without an error", False
    if run.returncode == 0:
        try:
            json.loads(run.stdout)
        except ValueError as problem:
            return f"bad JSON: {problem}", False
    return None, run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one mutant")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing more is begun with after so long")
    parser.add_argument("--keep", type=Path, help="folder for mutants that fail")
    options = parser.parse_args()

    pool, begun = sources(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:

        def one(seed):
            if time.monotonic() - begun >= options.seconds:
                return None
            origin, text, function = mutant(seed, pool)
            path = Path(folder) / f"mutant{seed}.c"
            path.write_text(text)
            problem, compiled = flaw(options.tool, path, function, origin.parent, options.limit)
            if problem and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / path.name).write_text(text)
            path.unlink()
            return seed, origin, function, problem, compiled

        seeds = range(options.seed, options.seed + options.count)
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            results = [result for result in workers.map(one, seeds) if result]
    bad = [result for result in results if result[3]]
    for seed, origin, function, problem, _ in bad:
        print(f"seed {seed}, {function} of {origin.relative_to(ROOT)}: {problem}")
    compiled = sum(result[4] for result in results)
    print(f"{len(results)} of {options.count} mutants of {len(pool)} functions, seeds {seeds[0]} to {seeds[-1]}: {compiled} compiled, "
          f"{len(bad)} answered wrongly")
    # A fuzzer whose mutants Clang turns away tests Clang.
    if options.count >= 50 and compiled < max(len(results), 4) // 4:
        print("too few mutants compile")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
