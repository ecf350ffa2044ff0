#!/usr/bin/env python3
"""Makes the CUDA texts of docs/gallery.md anew and compares them with what it shows.

A block of CUDA is made by Warploom when the line `<!-- made from FILE, function NAME -->` stands before its fence: it shows the
head of the file, and kernels and launcher of that function, as `warploom compile FILE` writes them. The block of C before it must be
in FILE.

    check_gallery.py WARPLOOM ROOT            compares
    check_gallery.py WARPLOOM ROOT --update   writes today's text into the page
"""
import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(<!-- made from (\S+), function (\w+) -->\n```cuda\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```c\n(.*?)^```\n.*?<!-- made from (\S+),", re.DOTALL | re.MULTILINE)
MADE = re.compile(r"made from")
EXAMPLES = 4  # at least: matrix product, convolution, Jacobi, matrix and vector


def generated(warploom, root, source):
    """The CUDA text of `source`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.cu")
        run = subprocess.run([warploom, "compile", source, "-o", str(out)], cwd=root, capture_output=True, text=True,
                             timeout=60)
        if run.returncode:
            sys.exit(f"warploom compile {source}: {run.stderr}")
        return out.read_text()


def part(text, function):
    """The head of `text`, and what belongs to the regions of `function`, without the functions that `verify` uses."""
    pieces = re.split(r"\n(?=// \w+, line \d+)", text)
    head, rest = pieces[0], "\n".join(pieces[1:])
    rest = re.sub(r'^extern "C" void \w+_outputs\(.*?^}\n', "", rest, flags=re.DOTALL | re.MULTILINE)
    mine = [piece for piece in re.split(r"\n(?=// \w+, line \d+)", rest) if piece.startswith(f"// {function}, line")]
    if not mine:
        sys.exit(f"no kernel of {function}")
    return re.sub(r"\n{3,}", "\n\n", head.rstrip() + "\n\n" + "\n".join(mine)).rstrip() + "\n"


def main():
    warploom, root = sys.argv[1], Path(sys.argv[2]).resolve()
    warploom = str(Path(warploom).resolve())
    page = root / "docs" / "gallery.md"
    text = page.read_text()
    now = BLOCK.sub(lambda match: match[1] + part(generated(warploom, root, match[2]), match[3]) + match[5], text)
    if len(BLOCK.findall(text)) < EXAMPLES or len(BLOCK.findall(text)) != len(MADE.findall(text)):
        sys.exit(f"{page} shows {len(BLOCK.findall(text))} texts, and {len(MADE.findall(text))} marks")
    for loops, source in SHOWN.findall(text):
        stripped = lambda lines: "\n".join(line.strip() for line in lines.splitlines())
        if stripped(loops) not in stripped((root / source).read_text()):
            sys.exit(f"{page} shows loops that are not in {source}:\n{loops}")
    if "--update" in sys.argv:
        page.write_text(now)
    elif now != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), now.splitlines(True), "docs/gallery.md",
                                                   "what Warploom writes"))
        print("test/gallery/check_gallery.py build/warploom . --update writes it into the page")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
