#!/usr/bin/env python3
"""Graphs of the dependences: graphviz reads them, and that of the thesis's module E2 has exactly its edges, components and groups.

Usage: dot_test.py WARPLOOM EXAMPLES MEMBERS...
"""
# SHOWS: GA-23
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

IMMEDIATE = {
    "a0": "__init0 => a = true", "a": "__ell1 => a = true", "c0": "__init0 & a => c = 5", "c0'": "__init0 & !a => c = 3",
    "c": "__ell1 & a => c = 5", "c'": "__ell1 & !a => c = 3", "e": "__ell0 => e = c", "b": "__ell0 => b = trigger & a",
}
DELAYED = {
    "0off": "!(__init0 | __ell1) => next(__ell0) = false", "1off": "!__ell0 => next(__ell1) = false", "init": "true => next(__init0) = false",
    "0on": "__init0 => next(__ell0) = true", "0again": "__ell1 => next(__ell0) = true", "1on": "__ell0 => next(__ell1) = true",
}
TRUE = {(w, r) for w in ("a0", "a") for r in ("c0", "c0'", "c", "c'", "b")} | {(w, "e") for w in ("c0", "c0'", "c", "c'")}
ANTI = {("0off", "1off"), ("0off", "init"), ("0off", "1on"), ("1off", "0off"), ("1off", "0on"), ("1off", "0again"), ("0on", "init"),
        ("0again", "1off"), ("0again", "1on"), ("1on", "0off"), ("1on", "0on"), ("1on", "0again")}


def graph(warploom, file, folder, *flags):
    """The clusters as {label: {node: (text, group)}}, and the edges as {attributes: {(from, to)}}."""
    written = folder / "graph.dot"
    subprocess.run([warploom, "sync", file, "--dot", written, *flags], check=True, timeout=300)
    text = written.read_text()
    if shutil.which("dot"):
        drawn = subprocess.run(["dot", "-Tplain" if len(text) < 6000 else "-Tcanon", written], capture_output=True, text=True, timeout=300)
        assert drawn.returncode == 0 and drawn.stderr == "", drawn.stderr
        if len(text) < 6000:
            assert len(re.findall(r"^node ", drawn.stdout, re.M)) == len(re.findall(r"^    n\d+ ", text, re.M)), "nodes are missing"
    clusters, edges = {}, {}
    for label, body in re.findall(r'subgraph cluster_\d+ \{\n    label="(.*?)";\n(.*?)\n  \}', text, re.S):
        clusters[label] = {node: (name.replace("\\l", " "), group)
                           for node, name, group in re.findall(r'^    (n\d+) \[label="(.*)\\l(group \d+.*)\\l"', body, re.M)}
    for one, other, attributes in re.findall(r"^  (n\d+) -> (n\d+)(.*);$", text, re.M):
        assert (one, other) not in edges.setdefault(attributes, set()), "an edge is there twice"
        edges[attributes].add((one, other))
    return clusters, edges


def main():
    warploom, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clusters, edges = graph(warploom, examples / "mymodule.aif", folder, "--baseline")
        names = {text: key for key, text in (IMMEDIATE | DELAYED).items()}
        of = {node: names.get(text, text) for actions in clusters.values() for node, (text, _) in actions.items()}
        found = {kind: {(of[a], of[b]) for a, b in pairs} for kind, pairs in edges.items()}
        assert found == {"": TRUE, " [style=dashed, constraint=false]": ANTI} and len(TRUE) == 14 and len(ANTI) == 12, found
        assert sorted(len(actions) for label, actions in clusters.items() if label.startswith("component")) == [1, 1, 1, 1, 8], clusters
        assert set(clusters) == {*(f"component {i}" for i in range(1, 6)), "delayed"}, clusters
        groups = [{group for _, group in clusters[f"component {i}"].values()} for i in range(1, 6)]
        assert all(len(group) == 1 for group in groups) and len(set.union(*groups)) == 3, groups
        # Many actions are drawn as groups, and what is read at the end of a step has an arrow of its own.
        clusters, edges = graph(warploom, examples / "network.aif", folder)
        nodes = [node for actions in clusters.values() for node in actions.values()]
        assert any(group.endswith("10000 units of 2 actions") for _, group in nodes) and len(nodes) < 10, nodes
        for file in sys.argv[3:]:
            clusters, edges = graph(warploom, pathlib.Path(file), folder)
            assert clusters, file
        # What is read at the end of a step has an arrow of its own; checks and stores have boxes.
        small = folder / "small.aif"
        small.write_text("system Small:\ninterface:\n  i: input nat{50}\n  x: output memorized nat{60}\n  y: output memorized nat{60}\n"
                         "  m: output memorized nat{60}[64]\nmain:\n  data flow:\n    true => x = i + 1\n    true => next(y) = x\n"
                         "    true => next(m[i]) = m[x]\n  assertions:\n    true => below: assert x < 50\n")
        clusters, edges = graph(warploom, small, folder, "--check")
        of = {node: text for actions in clusters.values() for node, (text, _) in actions.items()}
        later = {(of[a], of[b]) for a, b in edges[" [color=gray50]"]}
        assert {"delayed", "checks", "stores"} < set(clusters), clusters
        assert any(a.endswith("=> x = 1 + i") and b.endswith("=> next(y) = x") for a, b in later), later
        assert any(a.endswith("=> x = 1 + i") and b in {text for text, _ in clusters["checks"].values()} for a, b in later), later
        many = folder / "many.aif"
        many.write_text("system Many:\ninterface:\n  i: input int{9}\n  x: output memorized int{9}[2100]\nmain:\n  data flow:\n"
                        + "".join(f"    i > {k} => x[{k}] = i\n" for k in range(2100)))
        run = subprocess.run([warploom, "sync", many, "--baseline", "--dot", folder / "graph.dot"], capture_output=True, text=True, timeout=300)
        assert run.returncode == 1 and "are too many for a graph" in run.stderr, run
        run = subprocess.run([warploom, "sync", examples / "fifo.aif", "--dot", folder / "no" / "folder"], capture_output=True, text=True)
        assert run.returncode == 1 and "cannot write" in run.stderr, run
    print("with graphviz" if shutil.which("dot") else "without graphviz, which is not here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
