#!/usr/bin/env python3
"""Writes the programs that run.py measures, of the systems of the list or those that are named, and prints what the cost model says of each:
generate.py WARPLOOM [FOLDER [NAMES...]], into bench/sync/generated if nothing else is said.

Beside the programs, NAME.h has the function that draws the inputs of a step from their types.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from systems import SYSTEMS

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "sync"


def text(source):
    """The system's text."""
    if " " in source:
        return subprocess.run([sys.executable, EXAMPLES / "make.py", *source.split()], check=True, capture_output=True, text=True).stdout
    return (EXAMPLES / f"{source}.aif").read_text()


def filler(system, program):
    """The text of NAME.h, given those of the system and of its CUDA program."""
    top = system[re.search(r"^system ", system, re.M).start():]
    ranges = {name: (0 if kind == "nat" else -int(size), int(size) - 1)
              for name, kind, size in re.findall(r"(\w+): input (int|nat)\{(\d+)\}", top)}
    name = re.search(r"^namespace (\w+) \{", program, re.M)[1]
    lines = []
    for type_, field, array in re.findall(r"^  (bool|int|long long|double) (\w+)(\[\d+\])?;", re.search(r"^struct Inputs \{.*?^\}", program, re.M | re.S)[0], re.M):
        value = {"bool": "draw.truth()", "double": "draw.real()"}.get(type_) or f"draw.integer({ranges[field][0]}, {ranges[field][1]})"
        lines.append(f"  for (auto& cell : in.{field}) cell = {value};" if array else f"  in.{field} = {value};")
    return ("// Inputs of a step, drawn from their types. Written by generate.py.\n"
            f"#define SYSTEM {name}\n#define C_NAME(suffix) {name}##suffix\n"
            f"template <typename Draw> void fill({name}::Inputs& in, Draw& draw) {{\n" + "\n".join(lines) + "\n}\n")


def main():
    warploom, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "generated")
    folder.mkdir(exist_ok=True)
    names = sys.argv[3:]
    with tempfile.TemporaryDirectory() as work:
        for one in [one for one in SYSTEMS if not names or one.name in names]:
            file = pathlib.Path(work) / f"{one.source.replace(' ', '')}.aif"
            file.write_text(text(one.source))
            many = ["--instances", str(one.instances)] if one.instances > 1 else []
            for target, flags in (("c", []), ("cu", many)):
                report = subprocess.run([warploom, "sync", file, "--target", "cuda" if target == "cu" else "c", *flags, "-o", folder / f"{one.name}.{target}"],
                                        check=True, capture_output=True, text=True).stdout
            (folder / f"{one.name}.h").write_text(filler(file.read_text(), (folder / f"{one.name}.cu").read_text()))
            print(f"{one.name}:", re.search(r"target cuda as asked for; (.*)", report)[1], flush=True)


if __name__ == "__main__":
    main()
