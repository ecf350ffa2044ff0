#!/usr/bin/env python3
"""The results of bench/sync/run.sh as a table: table.py RESULTS.json"""
import json
import sys


def duration(microseconds):
    if microseconds is None:
        return "-"
    return f"{microseconds * 1000:.3g} ns" if microseconds < 1 else f"{microseconds:.3g} us"


def beside(row):
    """What else there is to say about a row."""
    if "us_per_step_thesis_generated" in row:
        return (f"thesis, GTX 280: {row['us_per_step_thesis_generated']} us generated, "
                f"{row['us_per_step_thesis_manual']} us by hand; 23.4 us in C on an Atom")
    if "us_per_step_c_plain_loop" in row:
        return f"plain C loop: {duration(row['us_per_step_c_plain_loop'])}"
    if "instances" in row:
        return (f"{row['instance_steps_per_second']:.3g} instance steps/s; {row['bytes_per_second'] / 1e12:.3g} TB/s, "
                f"{100 * row['share_of_4.2_TB_per_s']:.0f} % of a copy's 4.2 TB/s")
    if "share_of_transfers_and_waiting" in row:
        occupancy = "".join(f"; {kernel} kernel: {row[kernel + '_registers']:.0f} registers, occupancy {row[kernel + '_occupancy']:.2f}"
                            for kernel in ("immediate", "delayed") if kernel + "_registers" in row)
        return f"{100 * row['share_of_transfers_and_waiting']:.0f} % of a step is transfers and waiting{occupancy}"
    return ""


def table(results):
    lines = ["| a step of | GPU, one kernel for all steps | GPU, launches every step | generated C, one core | |", "|---|---|---|---|---|"]
    for row in results["results"]:
        name, gpu = row["measurement"], row.get("us_per_step_persistent")
        c = row.get("us_per_step_c_one_core", row.get("us_per_step_c_generated"))
        if "instances" in row:
            name = f"{row['instances']:.0f} {name}"
            gpu = row["instances"] / row["instance_steps_per_second"] * 1e6
            c = row["instances"] / row["instance_steps_per_second_c_one_core"] * 1e6
        launches = row.get("us_per_step_launches", row.get("us_per_step_with_transfers"))
        lines.append(f"| {name} | {duration(gpu)} | {duration(launches)} | {duration(c)} | {beside(row)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        sys.stdout.write(table(json.load(file)))
