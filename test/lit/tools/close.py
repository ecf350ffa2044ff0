"""close.py A B TOLERANCE: passes when both files have the same words, and numbers that differ by no more than TOLERANCE."""
import sys


def words(path):
    with open(path, encoding="utf-8") as text:
        return text.read().split()


first, second = words(sys.argv[1]), words(sys.argv[2])
assert len(first) == len(second) > 0, f"{len(first)} and {len(second)} words"
for a, b in zip(first, second):
    if a != b:
        assert abs(float(a) - float(b)) <= float(sys.argv[3]), f"{a} and {b}"
