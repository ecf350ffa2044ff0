"""`warploom tune` against the CPU execution as device, from the search to what `compile` and `build` make of it.

  tune_test.py WARPLOOM ROOT FOLDER

The first search compiles its candidates. For the others a script stands for the C++ compiler: it hands out objects that were made before, good
ones and bad ones, so that a candidate takes no time and can fail in every way. Nothing here depends on which candidate is fastest.
"""
# SHOWS: CH-69 CH-71 CH-72 CH-75 CH-76 MF-119 RT-84 RT-86 RT-90 RT-92
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
source = folder / "program.c"
shutil.copy(root / "test/tune/program.c", source)
LINE = next(number for number, line in enumerate(source.read_text().splitlines(), 1) if "p[i] * s" in line)
faults = []



def check(good, what):
    if not good:
        faults.append(what)
        print(f"FAULT: {what}")


def run(*words, compiler=None, status=0, **environment):
    """Standard output and standard error of `warploom words...`, which must end with `status`."""
    variables = {**os.environ, "WARPLOOM_TUNING": "", "WARPLOOM_THREADS": "1", **environment}
    if compiler:
        variables["CXX"] = str(compiler)
    done = subprocess.run([str(word) for word in (warploom, *words)], cwd=folder, env=variables, capture_output=True, text=True,
                          timeout=600, check=False)
    if done.returncode != status:
        sys.exit(f"warploom {' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def rows(database):
    with sqlite3.connect(database) as connection:
        check(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{database.name} is damaged")
        return {point: outcome for point, outcome in connection.execute("SELECT point, outcome FROM results")}


def script(name, text):
    path = folder / name
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(0o755)
    return path


def tune(database, *words, **more):
    out, _ = run("tune", source, "--target", "cpu", "--function", "scale", "--db", database, "--json", *words, **more)
    kernels = json.loads(out)["kernels"]
    check(len(kernels) == 1, "one function has one kernel")
    return kernels[0]


# A search that compiles its candidates; the script keeps the text and the command.
keep = script("keep", f"""
last="${{@: -1}}"
for word; do case "$word" in *.cu) cp "$word" {folder}/kernels.cu; printf '%s\\n' "$@" >{folder}/command;; esac; done
exec g++ "$@"
""")
first = folder / "first.db"
kernel = tune(first, "--searcher", "exhaustive", "--budget", "3", "--params", "params.h", compiler=keep)
check(dict(re.findall(r"#define (\w+) (\d+)\n", (folder / "params.h").read_text())) == {name: str(value) for name, value in kernel["sizes"].items()}, "the sizes as a header")
with sqlite3.connect(first) as connection:
    check(connection.execute("SELECT DISTINCT instances, bytes FROM results").fetchall() == [(5000, 40000)], "what the loop does: 5000 floats, read and written")
connection.close()
check(kernel["outcomes"] == {"timed": 3}, f"three are timed: {kernel['outcomes']}")
check(kernel["points"] == 24 and kernel["pruned"] == 0 and kernel["known"] == 0, f"points: {kernel}")
check(set(rows(first)) == {"BLOCK=256 VECTOR=4", "BLOCK=32 VECTOR=1", "BLOCK=32 VECTOR=2"}, f"points: {rows(first)}")
check(set(kernel["sizes"]) == {f"WARPLOOM_scale_{LINE}_BLOCK", f"WARPLOOM_scale_{LINE}_VECTOR"}, f"sizes: {kernel['sizes']}")
never = script("never", '[[ "$*" == --version ]] && exec g++ --version\nexit 1\n')
again = tune(first, "--searcher", "exhaustive", "--budget", "3", compiler=never)
check(again["known"] == 3, "what is known is not tried again")

# compile and build take what was found: here something whose time the test invents.
usual = run("compile", source, "-o", "usual.cu", "--target", "cpu")
check("tuned" not in usual[1], "nothing is tuned where no database is named")
text = (folder / "usual.cu").read_text()
with sqlite3.connect(first) as connection:
    connection.execute("UPDATE results SET milliseconds = 9, spread = 0")
    connection.execute("UPDATE results SET milliseconds = 1 WHERE point = 'BLOCK=32 VECTOR=2'")
connection.close()
_, said = run("compile", source, "-o", "tuned.cu", "--target", "cpu", "--db", first, WARPLOOM_TUNING="")
tuned = (folder / "tuned.cu").read_text()
check(said.count("remark: tuned sizes") == 1 and f"scale_{LINE} BLOCK=32 VECTOR=2" in said, f"the remark: {said}")
check(f"#define WARPLOOM_scale_{LINE}_BLOCK 32\n" in tuned and f"#define WARPLOOM_scale_{LINE}_VECTOR 2\n" in tuned, "sizes in the text")
_, said = run("build", source, "-o", "program", "--target", "cpu", WARPLOOM_TUNING=str(first))
check("tuned sizes" in said, f"build says so: {said}")
own = subprocess.run(["gcc", source, "-o", folder / "original"], check=True) and subprocess.run([folder / "original"], capture_output=True, check=False)
made = subprocess.run([folder / "program"], capture_output=True, check=False, env={**os.environ, "WARPLOOM_DEVICE": "gpu"})
check((made.returncode, made.stdout) == (own.returncode, own.stdout), "the tuned program computes the same")
for words, environment in ((["--db", first, "--no-db"], {}), ([], {"WARPLOOM_TUNING": ""}), (["--db", first, "--tuned-for", "another"], {})):
    _, said = run("compile", source, "-o", "other.cu", "--target", "cpu", *words, **environment)
    check("tuned" not in said and (folder / "other.cu").read_text() == text, f"not tuned with {words} {environment}")
_, said = run("compile", source, "-o", "other.cu", "--db", first, "--target", "cpu", "--", "-DWARPLOOM_BLOCK=64")
check("tuned" not in said, "sizes that the user sets stay")
moved = folder / "moved.c"
moved.write_text("/* a line\n more */\n" + source.read_text())
_, said = run("compile", moved, "-o", "moved.cu", "--target", "cpu", "--db", first)
check(f"scale_{LINE + 2} BLOCK=32 VECTOR=2" in said, f"the same kernel on another line: {said}")

# Objects for the script that stands for the compiler.
command = (folder / "command").read_text().splitlines()
good = (folder / "kernels.cu").read_text()
check(good.count("* s + 1") > 0, "the text is as this test knows it")
ends = '\n#include <unistd.h>\n__attribute__((constructor)) static void ends() { %s }\n'
texts = {"good": good, "wrong": good.replace("* s + 1", "* s + 2"), "crash": good + ends % "__builtin_trap();",
         "hang": good + ends % "for (;;) pause();", "host": good.replace("region.useDevice()", "region.useDevice({std::size_t(1) << 40})"),
         "large": good.replace("* s + 1", "* s + (n > 100 ? 2 : 1)"),
         "launch": good.replace("region.useDevice()", '(warploom::fail(warploom::Place::here(), "the launch", "too much of it"), true)')}
flags = [word for word in command[:command.index("-c")] if not word.startswith("-DWARPLOOM_")]
jobs = []
for name, changed in texts.items():
    check(name == "good" or changed != good, f"the text has what makes it {name}")
    (folder / f"{name}.cu").write_text(changed)
    jobs.append(subprocess.Popen(["g++", *flags, "-c", folder / f"{name}.cu", "-o", folder / f"{name}.o"]))
    if len(jobs) % 2 == 0:
        jobs[-1].wait()
if any(job.wait() for job in jobs):
    sys.exit("the objects cannot be made")
PART = f"""
to="${{@: -1}}"; while (($# > 0)); do words+=("$1"); [[ "$1" == -o ]] && to="$2"; shift; done
case " ${{words[*]}} " in
  *" -c "*) ;;
  *) exec g++ "${{words[@]}}";;
esac
all=" ${{words[*]}} "
object() {{ cp "{folder}/$1.o" "$to"; exit; }}
"""

# A candidate may fail in every way; the search goes on.
bad = script("bad", PART + f"""
case "$all" in
  *BLOCK=32*VECTOR=1\\ *) echo "kernels.cu:1: error: so it is" >&2; exit 1;;
  *BLOCK=32*VECTOR=2\\ *) object crash;;
  *BLOCK=32*VECTOR=4\\ *) exec sleep 1000;;
  *BLOCK=32*VECTOR=8\\ *) object hang;;
  *BLOCK=64*VECTOR=1\\ *) object wrong;;
  *BLOCK=64*VECTOR=2\\ *) object host;;
  *BLOCK=64*VECTOR=4\\ *) object launch;;
esac
object good
""")
kernel = tune(folder / "bad.db", "--searcher", "exhaustive", "--budget", "9", "--limit", "15", compiler=bad)
check(kernel["outcomes"] == {"timed": 2, "wrong": 1, "failed to compile": 1, "failed to launch": 2, "crashed": 1, "timed out": 2},
      f"every outcome: {kernel['outcomes']}")
found = rows(folder / "bad.db")
with sqlite3.connect(folder / "bad.db") as connection:
    said, = connection.execute("SELECT detail FROM results WHERE point = 'BLOCK=64 VECTOR=4'").fetchone()
check("the launch failed: too much of it" in said, f"what the device did not do: {said}")
check(found["BLOCK=64 VECTOR=1"] == "wrong" and found["BLOCK=32 VECTOR=8"] == "timed out" and found["BLOCK=64 VECTOR=2"] == "failed to launch",
      f"who failed how: {found}")

# Compared at a smaller problem, nothing is wrong; the winner is compared at the one that is timed.
for name, outcomes in (("large", {"wrong": 2}), ("good", {"timed": 2})):
    kernel = tune(folder / f"{name}.db", "--searcher", "exhaustive", "--budget", "2", "--arg", "1000", "--check-arg", "90",
                  compiler=script(name, PART + f"object {name}\n"))
    found = {outcome: count for outcome, count in kernel["outcomes"].items() if count}
    check(found == outcomes and set(rows(folder / f"{name}.db").values()) == set(outcomes), f"{name} is found out: {kernel}")

# kill -9 in the middle, and again: what was done is not done twice.
stop = script("stop", PART + f"""
case "$all" in *BLOCK=128*VECTOR=1\\ *) echo $$ >{folder}/stopped.new; mv {folder}/stopped.new {folder}/stopped; exec sleep 1000;; esac
object good
""")
words = [warploom, "tune", source, "--target", "cpu", "--function", "scale", "--budget", "24", "--searcher"]
variables = {**os.environ, "WARPLOOM_TUNING": "", "WARPLOOM_THREADS": "1", "CXX": str(stop)}
tuner = subprocess.Popen([str(word) for word in (*words, "exhaustive", "--db", folder / "killed.db")], cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
until = time.monotonic() + 300
while not (folder / "stopped").exists() and tuner.poll() is None and time.monotonic() < until:
    time.sleep(0.05)
check((folder / "stopped").exists(), "the search came to where it is killed")
tuner.send_signal(signal.SIGKILL)
tuner.wait()
before = rows(folder / "killed.db")
check(0 < len(before) < 24, f"some were done: {len(before)}")
child = int((folder / "stopped").read_text())
while Path(f"/proc/{child}").exists() and time.monotonic() < until:
    time.sleep(0.05)
check(not Path(f"/proc/{child}").exists(), "what the tuner had started ends with it")
plain = script("plain", PART + "object good\n")
kernel = tune(folder / "killed.db", "--searcher", "exhaustive", "--budget", "24", compiler=plain)
check(kernel["known"] == len(before) and kernel["tried"] == 24, f"it goes on where it was: {kernel}")
check(len(rows(folder / "killed.db")) == 24, "all are there")

# Two tuners, one database.
both = [subprocess.Popen([str(word) for word in (*words, searcher, "--seed", seed, "--db", folder / "both.db")], cwd=folder,
                         env={**variables, "CXX": str(plain)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for searcher, seed in (("random", "1"), ("guided", "2"))]
for one in both:
    error = one.communicate(timeout=600)[1]
    check(one.returncode == 0, f"a second tuner: {error}")
check(set(rows(folder / "both.db").values()) == {"timed"} and len(rows(folder / "both.db")) == 24, "two tuners have tried all")

# Databases that cannot be used.
(folder / "corrupt.db").write_bytes(b"this is no database" * 500)
_, said = run("tune", source, "--target", "cpu", "--db", "corrupt.db", status=1)
check("corrupt.db" in said and "not a database" in said, f"a corrupt database: {said}")
_, said = run("compile", source, "-o", "other.cu", "--target", "cpu", "--db", "corrupt.db")
check("warning" in said and "not a database" in said and (folder / "other.cu").read_text() == text, f"and for compile: {said}")
_, said = run("tune", source, "--target", "cpu", "--db", "/proc/none/tuning.db", status=1)
check("/proc/none" in said, f"a database that cannot be made: {said}")

# Several kernels, one of which the program does not get to; plain lines and a table.
out, said = run("tune", source, "--target", "cpu", "--budget", "1", "--db", "all.db", "--arg", "word", "--size", "N=4000")
check(re.search(rf"scale_{LINE} +[\d.]+ +[\d.]+ +1.00 +1 +0 +0 +0  the usual ones", out), f"the table: {out}")
check(re.search(r"unused_\d+ +the program does not get to the region", out), f"the table: {out}")
check(re.search(rf"tune: scale_{LINE} BLOCK=256 VECTOR=4: [\d.]+ ms, spread \d+ %", said), f"lines: {said}")
with sqlite3.connect(folder / "all.db") as connection:
    check({sizes for (sizes,) in connection.execute("SELECT sizes FROM results")} == {"N=4000 argument1=word"}, "the problem's sizes are kept")

check(re.search(r"the search took \d+\.\d s", out), f"what it cost: {out}")

# Every kernel has its own sizes, for each size of the problem; another one has those of the nearest. The times are the test's.
out, _ = run("tune", source, "--target", "cpu", "--budget", "1", "--db", "sizes.db", "--json", "--size", "N=4000")
prints = {kernel["kernel"].split("_")[0]: kernel["fingerprint"] for kernel in json.loads(out)["kernels"]}
found = {"N=100": {"scale": "BLOCK=128 VECTOR=8", "mix": "BLOCK=64 VECTOR=1"}, "N=9000": {"scale": "BLOCK=512 VECTOR=2", "mix": "BLOCK=1024 VECTOR=8"}}
with sqlite3.connect(folder / "sizes.db") as connection:
    for sizes, points in found.items():
        for name, point in points.items():
            connection.execute("INSERT INTO results SELECT kernel, shape, extents, device, ?, toolkit, ?, outcome, 1e-6, 0, '', at, 0, 0, 0, 0, 0, 0, problem FROM results "
                               "WHERE kernel = ? AND sizes = 'N=4000' AND outcome = 'timed'", (sizes, point, prints[name]))
connection.close()
for wanted, nearest in ((90, "N=100"), (100, "N=100"), (20000, "N=9000"), (4000, None)):
    _, said = run("compile", source, "-o", "sizes.cu", "--target", "cpu", "--db", "sizes.db", "--", f"-DN={wanted}")
    made = dict(re.findall(r"#define WARPLOOM_(\w+_(?:BLOCK|VECTOR)) (\d+)\n", (folder / "sizes.cu").read_text()))
    for name, point in found.get(nearest, {}).items():
        check(f"{point} (found at {nearest})" in said, f"the remark for N={wanted}: {said}")
        for word in point.split():
            size, value = word.split("=")
            check([v for key, v in made.items() if key.startswith(name) and key.endswith(size)] == [value], f"{name} at N={wanted}: {made}")
    if not nearest:
        check("tuned" not in said, f"the usual sizes were best at N={wanted}: {said}")
# Without the device, for it.
with sqlite3.connect(folder / "sizes.db") as connection:
    connection.execute("UPDATE results SET device = 'NVIDIA B300'")
connection.close()
for words, is_tuned in (([], False), (["--tuned-for", "NVIDIA B300"], True)):
    _, said = run("compile", source, "-o", "sizes.cu", "--db", "sizes.db", *words, "--", "-DN=100")
    check(("tuned sizes for NVIDIA B300" in said) == is_tuned, f"with {words}: {said}")

# What the winner takes without what its steps do; a page with all that was tried.
texts = folder / "texts"
texts.mkdir()
every = script("every", f"""
for word; do [[ "$word" == *.cu ]] && cp "$word" "{texts}/$(cksum <"$word" | cut -d' ' -f1)"; done
exec g++ "$@"
""")
out, _ = run("tune", root / "examples/matmul.c", "--target", "cpu", "--function", "matmul", "--arg", "60", "--budget", "1", "--db", "matmul.db", "--json", "--ablate",
             "--html", "matmul.html", "--", "-lm", compiler=every)
ablation = json.loads(out)["kernels"][0]["ablation"]
check([(one["without"], one["outcome"]) for one in ablation] == [(what, "timed") for what in ("", "shared memory", "pipelines", "registers", "tensor cores")], f"ablation: {ablation}")
sort = sorted(("warploom::shared" in text, "in registers" in text) for text in (path.read_text() for path in texts.iterdir()))
check(sort == [(False, True), (True, False)] + 3 * [(True, True)], f"each is left out once: {sort}")
page = (folder / "matmul.html").read_text()
check(page.startswith("<!doctype html>") and "1 timed" in page and page.count("<svg ") == 6, "the page")

# A recipe's other steps, and the table.
(folder / "window.c").write_text("""#include <stdio.h>
float in[5009], mask[9], out[5000];
void window(void) {
  for (int i = 0; i < 5000; i++)
    for (int k = 0; k < 9; k++)
      out[i] += in[i + k] * mask[k];
}
int main(void) {
  for (int i = 0; i < 5009; i++) in[i] = i % 7 + printf("");
  for (int k = 0; k < 9; k++) mask[k] = k % 4 + printf("");
  window();
  printf("%g\\n", out[77]);
  return 0;
}
""")
(folder / "window.lua").write_text("""region("window:4")
copy_to_constant("mask")
tile_by_index({"i"}, {"BLOCK"}, {l1_control="ii"}, {"ii", "i", "k"})
map_to_grid({"ii"})
map_to_block({"i"})
copy_to_shared("ii", "in", 1)
copy_to_texture("in")
unroll("k", 4)
""")
for path in texts.iterdir():
    path.unlink()
out, _ = run("tune", "window.c", "--target", "cpu", "--function", "window", "--recipe", "window.lua", "--budget", "1", "--db", "window.db", "--ablate", compiler=every)
table = re.findall(r"^window_4 +(all of it|without [a-z -]+?) +\d+\.\d{3} ms +(\d+\.\d\d)$", out, re.MULTILINE)
check([what for what, _ in table] == ["all of it"] + [f"without {what}" for what in ("shared memory", "constant memory", "read-only path", "unrolling")] and table[0][1] == "1.00",
      f"the table: {out}")
of = sorted(tuple(word in text for word in ("warploom::shared", "__constant__", "__ldg(", "#pragma unroll 4")) for text in (path.read_text() for path in texts.iterdir()))
check(of == [(False, True, True, True), (True, False, True, True), (True, True, False, True), (True, True, True, False), (True, True, True, True)], f"each is left out once: {of}")

# In a terminal there is a bar.
terminal, stderr = os.openpty()
subprocess.run([str(word) for word in (warploom, "tune", source, "--target", "cpu", "--function", "scale", "--searcher", "exhaustive", "--budget", "3", "--db", first)], cwd=folder, env={**variables, "CXX": str(never)}, stdout=subprocess.DEVNULL, stderr=stderr, check=True, timeout=600)
os.close(stderr)
shown = b""
while True:
    try:
        some = os.read(terminal, 4096)
    except OSError:
        break
    if not some:
        break
    shown += some
check(re.search(rb"\r\x1b\[Kscale_\d+ \[#+\] 3 of at most 3, best 1\.000 ms, [\d.]+ s each, 0 s left", shown), f"the bar: {shown}")

print(f"{len(faults)} faults")
sys.exit(bool(faults))
