#!/usr/bin/env python3
"""Makes the CUDA texts of docs/gallery.md, docs/compile.md and README.md anew and compares them with what the pages show.

A block of CUDA is made by Warploom when the line `<!-- made from FILE, function NAME -->` stands before its fence: it shows the
head of the file, and kernels and launcher of that function, as `warploom compile FILE` writes them. With `kernels made from` it
shows the kernels alone, with `definitions made from FILE` the structs and functions of the source. The block of C before it, if there is one, must be in FILE.

    check_gallery.py WARPLOOM ROOT            compares
    check_gallery.py WARPLOOM ROOT --update   writes today's text into the pages
"""
# SHOWS: RT-107
import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(<!-- (kernels |definitions )?made from (\S+?)(?:, function (\w+))? -->\n```cuda\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```c\n(.*?)^```\n.*?<!-- (?:kernels |definitions )?made from (\S+?)(?:,| )", re.DOTALL | re.MULTILINE)
MADE = re.compile(r"<!--.*made from")
# How many texts a page has at least. Gallery: matrix product, convolution, Jacobi, matrix and vector; compile: one per shape.
PAGES = {"gallery.md": 4, "compile.md": 6, "../README.md": 1}


def generated(warploom, root, source):
    """The CUDA text of `source`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.cu")
        run = subprocess.run([warploom, "compile", source, "-o", str(out)], cwd=root, capture_output=True, text=True,
                             timeout=60)
        if run.returncode:
            sys.exit(f"warploom compile {source}: {run.stderr}")
        return out.read_text()


def part(text, function, only):
    """The head of `text`, and what belongs to the regions of `function`, without the functions that `verify` uses; or `only` the
    kernels or the definitions."""
    if only == "definitions ":
        return re.search(r"^// Structs and functions.*?^} // namespace\n", text, re.DOTALL | re.MULTILINE)[0]
    pieces = re.split(r"\n(?=// \w+, line \d+)", text)
    head, rest = pieces[0], "\n".join(pieces[1:])
    rest = re.sub(r'^extern "C" void \w+_outputs\(.*?^}\n', "", rest, flags=re.DOTALL | re.MULTILINE)
    mine = [piece for piece in re.split(r"\n(?=// \w+, line \d+)", rest) if piece.startswith(f"// {function}, line")]
    if not mine:
        sys.exit(f"no kernel of {function}")
    if only:
        return re.sub(r'^(static warploom::Site .*?\n)?extern "C" (int|void) .*?^}\n\n?', "", "\n".join(mine), flags=re.DOTALL | re.MULTILINE).rstrip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", head.rstrip() + "\n\n" + "\n".join(mine)).rstrip() + "\n"


def check(warploom, root, page, least, update):
    """Whether `page` shows what Warploom writes; after an update it does."""
    text = page.read_text()
    texts = {source: generated(warploom, root, source) for _, _, source, _, _, _ in BLOCK.findall(text)}
    now = BLOCK.sub(lambda match: match[1] + part(texts[match[3]], match[4], match[2]) + match[6], text)
    if len(BLOCK.findall(text)) < least or len(BLOCK.findall(text)) != len(MADE.findall(text)):
        sys.exit(f"{page} shows {len(BLOCK.findall(text))} texts, and {len(MADE.findall(text))} marks")
    for loops, source in SHOWN.findall(text):
        stripped = lambda lines: "\n".join(line.strip() for line in lines.splitlines())
        if stripped(loops) not in stripped((root / source).read_text()):
            sys.exit(f"{page} shows loops that are not in {source}:\n{loops}")
    if update:
        page.write_text(now)
    elif now != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), now.splitlines(True), f"docs/{page.name}",
                                                   "what Warploom writes"))
        print("python3 test/gallery/check_gallery.py build/warploom . --update writes it into the page")
        return False
    return True


def main():
    warploom, root = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    good = [check(warploom, root, root / "docs" / name, least, "--update" in sys.argv) for name, least in PAGES.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
