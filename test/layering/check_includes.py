#!/usr/bin/env python3
"""Checks that includes follow the road of docs/architecture.md.

A stage includes only itself and the stages above it; other stages see of the front end only frontend/Frontend.h; only
the front end includes Clang and LLVM; inside a stage with rooms, rooms include as ROOMS says; runtime/ travels with generated programs and includes nothing of src/.
"""

import re
import sys
from pathlib import Path

# What each stage may include, besides itself. A new folder of src/ is entered here, where it joins the road.
MAY_INCLUDE = {
    "support": [],
    "device": [],
    "model": ["support"],
    "frontend": ["support", "model"],
    "analysis": ["support", "model"],
    "transform": ["support", "model", "frontend", "analysis"],
    "recipe": ["support", "model", "analysis", "transform"],
    "strategy": ["support", "device", "model", "analysis", "transform", "mapping"],
    "mapping": ["support", "model", "frontend", "analysis", "transform"],
    "emit": ["support", "model", "frontend", "analysis", "transform", "mapping"],
    "tune": ["support", "device", "model", "frontend", "analysis", "transform", "recipe", "strategy", "mapping", "emit"],
    "sync": ["support", "emit"],
    "project": ["support", "device"],
    "metafork": ["support", "frontend"],
    "cases": ["support", "frontend"],
    "driver": ["support", "device", "model", "frontend", "analysis", "transform", "recipe", "strategy", "mapping", "emit",
               "tune", "sync", "metafork", "cases", "project"],
}
# The rooms of a stage that has folders of its own, and which of them each may include; a file outside all rooms is a fault.
ROOMS = {
    "sync": {
        "model": [],
        "reader": ["model"],
        "quartz": ["model", "reader"],
        "lustre": ["model", "reader"],
        "passes": ["model"],
        "order": ["model", "passes"],
        "group": ["model", "order"],
        "fold": ["model", "order", "group"],
        "emit": ["model", "order", "group", "fold"],
        "run": ["model", "reader"],
        "prove": ["model", "order", "group", "run"],
        "command": ["model", "reader", "quartz", "lustre", "passes", "order", "group", "fold", "emit", "run", "prove"],
    },
}
FRONTEND_DOOR = "frontend/Frontend.h"
FORK_JOIN_DOOR = "frontend/ForkJoin.h"  # the front end's other door, for the fork-join languages alone
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
SOURCES = {".h", ".hpp", ".cuh", ".c", ".cpp", ".cu", ".inc", ".def"}


def includes(path):
    """(line number, included path) of every include in `path`."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES) if folder.is_dir() else []


def stage_fault(stage, included):
    """Why `stage` must not include `included`; None when it may."""
    if included.startswith("../") or "/../" in included:
        return "includes are written from src/, not relative to the file"
    first = included.partition("/")[0]
    if first in ("clang", "clang-c", "llvm", "llvm-c"):
        return None if stage == "frontend" else "only src/frontend may include Clang and LLVM"
    if first not in MAY_INCLUDE or "/" not in included or first == stage:
        return None
    if first not in MAY_INCLUDE[stage]:
        return f"{stage} is not below {first} on the road"
    if first == "frontend" and included != FRONTEND_DOOR and (stage not in ("metafork", "cases", "driver") or included != FORK_JOIN_DOOR):
        return f"other stages include only {FRONTEND_DOOR}"
    return None


def room_fault(stage, room, included):
    """Why a file in `room` of `stage` (None: in no room) must not include `included`; None when it may."""
    rooms = ROOMS[stage]
    parts = included.split("/")
    if parts[0] != stage or len(parts) < 3 or parts[1] == room:
        return None
    if parts[1] not in rooms[room]:
        return f"{stage}/{room} is not below {stage}/{parts[1]}"
    return None


def door_fault(stage, included):
    """Why a file outside must not include `included` of a stage with rooms: only its `command` is a door."""
    parts = included.split("/")
    if parts[0] in ROOMS and parts[0] != stage and len(parts) > 2 and parts[1] != "command":
        return f"other stages include only {parts[0]}/command"
    return None


def faults(root):
    """Every breach of the rules below `root`, as "file:line: text"."""
    found = []
    src, runtime = root / "src", root / "runtime"
    for path in sources(src):
        stage = path.relative_to(src).parts[0]
        if stage not in MAY_INCLUDE:
            found.append(f"{path.relative_to(root)}:1: src/{stage} has no place on the road (see MAY_INCLUDE)")
            continue
        room = path.relative_to(src).parts[1] if stage in ROOMS else None
        if stage in ROOMS and room not in ROOMS[stage]:
            found.append(f"{path.relative_to(root)}:1: src/{stage}/{room} is no room of {stage} (see ROOMS)")
            continue
        for number, included in includes(path):
            fault = stage_fault(stage, included) or door_fault(stage, included)
            if fault := fault or (room and room_fault(stage, room, included)):
                found.append(f"{path.relative_to(root)}:{number}: {included}: {fault}")
    for path in sources(runtime):
        for number, included in includes(path):
            first = included.partition("/")[0]
            beside = (path.parent / included).exists() or (runtime / included).exists()
            leaves = (path.parent / included).resolve().is_relative_to(src.resolve())
            if leaves or "src/" in included or (first in MAY_INCLUDE and "/" in included and not beside):
                found.append(f"{path.relative_to(root)}:{number}: {included}: runtime/ includes nothing of src/")
            elif first in ("clang", "clang-c", "llvm", "llvm-c"):
                found.append(f"{path.relative_to(root)}:{number}: {included}: only src/frontend may include it")
    return found


def main():
    root = Path(sys.argv[1]).resolve()
    checked = len(sources(root / "src"))
    if not checked:
        print(f"no sources under {root}/src: nothing was checked")
        return 1
    found = faults(root)
    print("\n".join(found) if found else f"{checked} files of src/ and {len(sources(root / 'runtime'))} of runtime/")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
