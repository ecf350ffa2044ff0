#!/usr/bin/env python3
"""The results of bench/sync/run.py as a table, and what they say in words: table.py RESULTS.json"""
import json
import sys


def duration(microseconds):
    if microseconds is None:
        return "-"
    for unit, size in (("s", 1e6), ("ms", 1e3), ("us", 1)):
        if microseconds >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds * 1000:.3g} ns"


def title(row):
    return f"{row['instances']:.0f} x {row['measurement']}" if "instances" in row else row["measurement"]


def table(results):
    keys = ("c_one_core", "persistent", "persistent_with_transfers", "launches", "launches_with_transfers")
    lines = ["| a step of | C, one core | one kernel, alone | with transfers | launches, alone | with transfers |", "|---|---|---|---|---|---|"]
    for row in results["results"]:
        lines.append(f"| {title(row)} | " + " | ".join(duration(row.get(f"us_per_step_{key}")) for key in keys) + " |")
    return "\n".join(lines) + "\n"


def sentences(results):
    """What docs/sync.md says of the results, in lines of its own."""
    rows = {row["program"]: row for row in results["results"]}
    product = {key[12:]: value for key, value in rows["matmul9"].items() if key.startswith("us_per_step_")}
    yield (f"- The 9 x 9 product, kernels alone: {duration(product['launches'])} in launches, {duration(product['persistent'])} in one kernel, "
           f"{product['launches'] / product['persistent']:.1f} times less.")
    yield (f"- The same from host memory to host memory: {duration(product['launches_with_transfers'])} in launches, "
           f"{duration(product['persistent_with_transfers'])} in one kernel, "
           f"{product['launches_with_transfers'] / product['persistent_with_transfers']:.1f} times less.")
    tiny = rows["stopwatch"]
    yield (f"- A tiny system, the stopwatch: kernels alone {tiny['us_per_step_launches'] / tiny['us_per_step_persistent']:.1f} times less, with transfers "
           f"{tiny['us_per_step_launches_with_transfers'] / tiny['us_per_step_persistent_with_transfers']:.1f} times.")
    sizes = {n: rows[f"matmul{n}"] for n in (9, 16, 32, 64)}
    wins = [n for n, row in sizes.items() if row["us_per_step_persistent"] < row["us_per_step_c_one_core"]]
    carried = [n for n, row in sizes.items() if row["us_per_step_persistent_with_transfers"] < row["us_per_step_c_one_core"]]
    yield (f"- Products of 9, 16, 32 and 64 in one step: the kernel alone beats C on one core from {f'{wins[0]} x {wins[0]} on' if wins else 'none of them on'}, "
           + (f"with transfers from {carried[0]} x {carried[0]} on." if carried else "with transfers at none of these sizes."))
    for name in ("traffic_many", "processor64_many", "processor16384_many"):
        row = rows[name]
        core = row["us_per_step_c_one_core"]
        yield (f"- {title(row)}, the kernel alone: {row['instance_steps_per_second']:.3g} steps of an instance a second, "
               f"{core / row['us_per_step_persistent']:.0f} times what one core does; with transfers {core / row['us_per_step_persistent_with_transfers']:.0f} times.")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        record = json.load(file)
    sys.stdout.write(table(record) + "\n" + "\n".join(sentences(record)) + "\n")
