#!/usr/bin/env python3
"""Counts the checklist items that passing tests show, and sums up a test run.

A test carries the labels of the items it shows, e.g. `SHOWS: CR-15 CR-18`, in a comment or a line of its own
  - directly above TEST(Suite, Name) in a GoogleTest source,
  - anywhere in a lit test,
  - anywhere in a script or other file that a ctest command names, or the test's REQUIRED_FILES property lists.
ctest's own LABELS property counts too. An item is shown when some test that bears its label passed; a failed, skipped
or disabled test shows nothing. Labels that no checklist has, and SHOWS comments that belong to no test, are errors.

test/labels.md is the record of what somebody has found who read the tests that bear a label: a section for each system that was gone through, and in its table a
row for each label, with the tests that bear it. That it does not name the same labels and tests as the tests do is an error, too.
"""

import argparse
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

# Items per checklist, numbered from 1 without gaps.
CHECKLISTS = {
    "CH": 95,  # CUDA-CHiLL and its strategy generator: CH-1 .. CH-95
    "RT": 112,  # RT-CUDA: RT-1 .. RT-112
    "MF": 120,  # MetaFork: MF-1 .. MF-120
    "CR": 68,  # CRINK: CR-1 .. CR-68
    "GA": 70,  # guarded actions: GA-1 .. GA-70
}

# Folders with tests, and what a file that may bear labels is called.
TEST_FOLDERS = ["test", "examples", "bench", "runtime"]
SUFFIXES = {".c", ".h", ".cpp", ".cu", ".test", ".py", ".sh", ".aif", ".lua"}

SHOWS = re.compile(r"^\s*(?:(?://|#|--|/?\*)\s*)?SHOWS:\s*(.*?)\s*(?:\*/)?\s*$")
HIDDEN = re.compile(r"^\s*(?://|#|--|/?\*).*\S.*\bSHOWS:\s*[A-Z]{2}-\d")  # behind other words, where nobody reads it
COMMENT = re.compile(r"^\s*//")
TEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_[FP])?\s*\(\s*(\w+)\s*,\s*(\w+)")
LABEL = re.compile(r"([A-Z]{2})-0*([1-9][0-9]*)")
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
ROW = re.compile(r"^\| ([A-Z]{2}-[0-9]+) \| (.*?) \| (.*?) \| (.*?) ?\|$", re.MULTILINE)


class Labels:
    """Labels by test: `gtest` by "Suite.Name", `files` by path. `errors` says what is wrong with them."""

    def __init__(self):
        self.gtest = defaultdict(set)
        self.files = defaultdict(set)
        self.errors = []


def parse(text, where, errors):
    """The items `text`, the rest of a SHOWS comment, names: a set of ("CR", 15)."""
    items = set()
    for word in text.replace(",", " ").split():
        match = LABEL.fullmatch(word)
        if match and int(match[2]) <= CHECKLISTS.get(match[1], 0):
            items.add((match[1], int(match[2])))
        else:
            errors.append(f"{where}: no checklist has an item {word}")
    if not text.split():
        errors.append(f"{where}: SHOWS without a label")
    return items


def read_gtest(path, lines, labels):
    """Files labels of a GoogleTest source under the TEST whose comment they stand in."""
    pending = []
    for number, line in enumerate(lines, 1):
        shows, test = SHOWS.match(line), TEST.match(line)
        if shows:
            pending.append((f"{path}:{number}", shows[1]))
        elif test:
            for where, text in pending:
                labels.gtest[f"{test[1]}.{test[2]}"] |= parse(text, where, labels.errors)
            pending = []
        elif pending and not COMMENT.match(line):
            labels.errors += [f"{where}: SHOWS is not directly above a TEST" for where, _ in pending]
            pending = []
    labels.errors += [f"{where}: SHOWS is not directly above a TEST" for where, _ in pending]


def read_sources(root):
    """The labels of every test source below `root`."""
    labels = Labels()
    for folder in TEST_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            lines = path.read_text(errors="replace").splitlines()
            labels.errors += [f"{path.relative_to(root)}:{number}: SHOWS is not at the beginning of its line"
                              for number, line in enumerate(lines, 1) if HIDDEN.match(line) and not SHOWS.match(line)]
            if any(TEST.match(line) for line in lines) and path.suffix == ".cpp":
                read_gtest(path.relative_to(root), lines, labels)
                continue
            for number, line in enumerate(lines, 1):
                shows = SHOWS.match(line)
                if shows:
                    where = f"{path.relative_to(root)}:{number}"
                    labels.files[path.resolve()] |= parse(shows[1], where, labels.errors)
    return labels


def bearers(labels, root):
    """By item the tests that bear its label: Suite.Name, or a file's path."""
    result = defaultdict(set)
    for key, items in labels.gtest.items():
        for item in items:
            result[item].add(key)
    for path, items in labels.files.items():
        for item in items:
            result[item].add(str(path.relative_to(root.resolve())))
    return result


def check_record(text, found):
    """What is not true in the record `text`, given the tests that bear each label: one message each."""
    parts = SECTION.split(text)[1:]
    for system, section in zip(parts[::2], parts[1::2]):
        rows = ROW.findall(section)
        counts = dict.fromkeys(("shown", "mended", "taken away"), 0)
        for label, tests, verdict, done in rows:
            match = LABEL.fullmatch(label)
            item = (match[1], int(match[2])) if match else None
            kind = "shown" if verdict == "shown" and not done else done.partition(": ")[0] if verdict in ("partly", "not") else ""
            if match is None or item[0] != system or item[1] > CHECKLISTS[system] or kind not in counts:
                yield f"no row of {system}: {label}, {verdict}, {done}"
                continue
            counts[kind] += 1
            bear = found.get(item, set())
            if (set(tests.split(", ")) if tests else set()) != bear or (kind == "taken away") != (not bear):
                yield f"{label} is borne by {', '.join(sorted(bear)) or 'no test'}"
        named = [label for label, _, _, _ in rows]
        for label in sorted(f"{item[0]}-{item[1]}" for item in found if item[0] == system):
            if named.count(label) != 1:
                yield f"{label} has {named.count(label)} rows"
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        if said not in section:
            yield f"of {system} there are {said}"


def read_junit(path):
    """Outcome by test name of ctest's or lit's report: "passed", "failed" or "skipped"."""
    outcomes = {}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            outcome = "failed"
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            outcome = "skipped"
        else:
            outcome = "passed"
        outcomes[(case.get("classname"), case.get("name"))] = outcome
    return outcomes


def gtest_keys(name):
    """What "Suite.Name" the ctest entry `stage.Prefix/Suite.Name/0` or `stage.Suite/0.Name` may stand for."""
    suite, _, test = name.partition(".")[2].rpartition(".")
    return {f"{part}.{test.partition('/')[0]}" for part in suite.split("/") if part}


def shown_items(root, labels, ctest, lit, listing):
    """Items shown, each with the tests that show it; and a message for each label that no test of the run bears.

    `ctest`: outcome by ctest name; `lit`: outcome by (folder, file); `listing`: ctest --show-only=json-v1.
    """
    shown = defaultdict(set)
    unused = []
    claimed = set()

    # A GoogleTest with parameters is several ctest entries: its labels count when all of them passed.
    by_key = defaultdict(list)
    for name, outcome in ctest.items():
        for key in gtest_keys(name):
            by_key[key].append(outcome)
    for key, items in labels.gtest.items():
        if key not in by_key:
            unused.append(f"TEST {key} bears labels but ctest does not run it")
        elif all(outcome == "passed" for outcome in by_key[key]):
            for item in items:
                shown[item].add(key)

    # A file may serve several tests (a script with modes): its labels count when all of them passed.
    users = defaultdict(set)
    for test in listing.get("tests", []):
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        for word in test.get("command", []) + properties.get("REQUIRED_FILES", []):
            path = Path(word)
            if path.is_absolute() and path.resolve() in labels.files:
                users[path.resolve()].add(test["name"])
        own = " ".join(word for word in properties.get("LABELS", []) if LABEL.fullmatch(word))
        if own and ctest.get(test["name"]) == "passed":
            for item in parse(own, f"LABELS of {test['name']}", labels.errors):
                shown[item].add(test["name"])
    for path, names in users.items():
        claimed.add(path)
        if all(ctest.get(name) == "passed" for name in names):
            for item in labels.files[path]:
                shown[item] |= names

    for (folder, name), outcome in lit.items():
        # lit's class name is "suite.folder/below/it" and its name the file's; "suite.suite" is the top folder.
        below = folder.partition(".")[2]
        candidates = [root / "test/lit" / below / name, root / "test/lit" / name]
        path = next((path.resolve() for path in candidates if path.is_file()), None)
        if path in labels.files:
            claimed.add(path)
            if outcome == "passed":
                for item in labels.files[path]:
                    shown[item].add(f"lit/{path.relative_to((root / 'test/lit').resolve())}")

    for path in sorted(set(labels.files) - claimed):
        unused.append(f"{path.relative_to(root.resolve())}: SHOWS, but no test of this run uses the file")
    return shown, unused


def report(shown, outcomes, errors, listed, out):
    """Prints the counts to `out`, last line `N passed, M failed`. `outcomes`: (name, outcome) of every test."""
    if listed:
        for system in CHECKLISTS:
            for item in sorted(item for item in shown if item[0] == system):
                print(f"{item[0]}-{item[1]}: {', '.join(sorted(shown[item]))}", file=out)
    for error in errors:
        print(f"label error: {error}", file=out)
    for name in sorted(name for name, outcome in outcomes if outcome == "skipped"):
        print(f"skipped: {name}", file=out)
    for system, total in CHECKLISTS.items():
        print(f"{system} {sum(item[0] == system for item in shown)} of {total} items shown", file=out)
    count = {kind: sum(outcome == kind for _, outcome in outcomes) for kind in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed"
          + (f", {count['skipped']} skipped" if count["skipped"] else ""), file=out)


def main(arguments=None, out=sys.stdout):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="the source tree")
    parser.add_argument("--ctest", type=Path, required=True, help="report of ctest --output-junit")
    parser.add_argument("--lit", type=Path, help="report of lit --xunit-xml-output, if lit ran")
    parser.add_argument("--listing", type=Path, help="output of ctest --show-only=json-v1")
    parser.add_argument("--partial", action="store_true", help="only some tests ran: labels of others are no errors")
    parser.add_argument("--list", action="store_true", help="also print which tests show each item")
    options = parser.parse_args(arguments)

    ctest = {name: outcome for (_, name), outcome in read_junit(options.ctest).items()}
    lit = read_junit(options.lit) if options.lit and options.lit.is_file() else {}
    listing = json.loads(options.listing.read_text()) if options.listing else {}
    labels = read_sources(options.root)
    shown, unused = shown_items(options.root, labels, ctest, lit, listing)
    errors = labels.errors + ([] if options.partial else unused)
    record = options.root / "test" / "labels.md"
    if record.is_file():
        errors += [f"test/labels.md: {error}" for error in check_record(record.read_text(), bearers(labels, options.root))]
    # The one ctest entry `lit` stands for lit's tests, which are counted themselves.
    outcomes = [(name, outcome) for name, outcome in ctest.items() if not (lit and name == "lit")]
    outcomes += [(f"lit/{name}", outcome) for (_, name), outcome in lit.items()]
    failed = any(outcome == "failed" for _, outcome in outcomes)
    if ctest.get("lit") == "failed" and lit and not failed:
        outcomes.append(("lit", "failed"))  # every test passed, but lit itself did not
        failed = True
    report(shown, outcomes, errors, options.list, out)
    return 1 if errors or failed else 0


if __name__ == "__main__":
    sys.exit(main())
