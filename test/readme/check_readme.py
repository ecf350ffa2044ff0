#!/usr/bin/env python3
"""Runs the commands that documents show and compares what they print with what the documents say they print.

A block is tested when the line `<!-- tested -->` stands before its fence. In it, a line `$ command` is run from the
source folder, and the lines up to the next command are its output (standard output and standard error together).

    check_readme.py SOURCE FILE...            compares
    check_readme.py SOURCE --update FILE...   writes the real output into the documents
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(<!-- tested -->\n```\w*\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def replayed(text, source):
    """The text of a block with the output its commands have today."""
    lines = []
    for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
        run = subprocess.run(["bash", "-c", command], cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, text=True, timeout=120, check=False)
        lines.append(f"$ {command}\n{run.stdout}")
        if run.stdout and not run.stdout.endswith("\n"):
            lines.append("\n")
    return "".join(lines)


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    source, *documents = [Path(argument) for argument in arguments if argument != "--update"]
    status = 0
    for document in documents:
        text = document.read_text()
        blocks = len(BLOCK.findall(text))
        if not blocks or blocks != text.count("<!-- tested -->"):
            print(f"{document}: {blocks} tested blocks, {text.count('<!-- tested -->')} marks")
            return 1
        now = BLOCK.sub(lambda match: match[1] + replayed(match[2], source) + match[3], text)
        if update:
            document.write_text(now)
        elif now != text:
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), now.splitlines(True), str(document),
                                                       "what the commands print"))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
