"""`warploom tune --bundle`: a folder that searches without Warploom, and `--collect`, which takes its results.

  bundle_test.py WARPLOOM ROOT FOLDER

The CPU execution stands for the GPU. A script stands for the C++ compiler: it compiles what does not change once, and hands out one object for
all candidates but one, which is wrong.
"""
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
faults = []


def check(good, what):
    if not good:
        faults.append(what)
        print(f"FAULT: {what}")


def run(*words, status=0, cwd=folder, **environment):
    """Standard output and standard error of a command, which must end with `status`."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, "WARPLOOM_TUNING": "", "WARPLOOM_THREADS": "1", **environment},
                          capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


# A program with headers of its own, in a folder that is gone when the bundle runs.
home = folder / "home with spaces"
(home / "source" / "near").mkdir(parents=True)
(home / "include").mkdir()
text = (root / "test/tune/program.c").read_text()
(home / "source" / "program.c").write_text('#include "near/by.h"\n#include <far.h>\n' + text.replace("s + 1", "s + ONE").replace("3;", "THREE;"))
(home / "source" / "near" / "by.h").write_text('#include "../top.h"\n')
(home / "source" / "top.h").write_text("#define ONE 1\n")
(home / "include" / "far.h").write_text("#ifdef WANTED\n#define THREE 3\n#endif\n")
flags = ("--", "-I../include", "-DWANTED=\"a $b\"")
bundle = folder / "a bundle"
out, _ = run(warploom, "tune", "program.c", "--function", "scale", "--target", "cpu", "--size", "N=3000", "--arg", "a 'word' $x", "--budget", "4",
             "--bundle", bundle, *flags, cwd=home / "source")
check("--collect" in out, f"what to do next: {out}")
_, said = run(warploom, "tune", "program.c", "--target", "cpu", "--bundle", bundle, *flags, cwd=home / "source", status=1)
check("not empty" in said, f"a bundle is not overwritten: {said}")
if shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").exists():
    run(warploom, "tune", "program.c", "--function", "scale", "--target", "cuda", "--bundle", folder / "cuda", *flags, cwd=home / "source")
run("cc", "program.c", "-o", folder / "plain", *flags[1:], cwd=home / "source")
plain, _ = run(folder / "plain", status=3)
home.rename(folder / "gone")

# What does not change is compiled once; kernels are copies, good ones and a wrong one; one candidate can be made to wait.
compiler = folder / "compiler"
compiler.write_text(f"""#!/bin/bash
for word; do [[ "$last" == -o ]] && to="$word"; [[ "$word" == *.c?(pp|u) ]] && source="$word"; last="$word"; done
[[ " $* " == *" -c "* ]] || exec g++ "$@"
name=$(basename "$source"); part=
if [[ "$name" == 0.cu ]]; then
  echo "$*" | grep -o 'WARPLOOM_.*' >>{folder}/compiled
  [[ -e {folder}/wait && "$*" == *BLOCK=128* ]] && {{ touch {folder}/waits; sleep 1000; }}
  [[ "$*" == *BLOCK=32*VECTOR=2* ]] && part=wrong
fi
kept={folder}/kept/$name.$part
if [[ ! -e "$kept" ]]; then
  mkdir -p {folder}/kept
  if [[ $part ]]; then sed 's/\\* s + 1/* s + 2/' "$source" >{folder}/wrong.cu; set -- "${{@/$source/{folder}/wrong.cu}}"; fi
  g++ "$@" || exit 1
  cp "$to" "$kept.$$" && mv "$kept.$$" "$kept"
else
  cp "$kept" "$to"
fi
""".replace("#!/bin/bash\n", "#!/bin/bash\nshopt -s extglob\n"))
compiler.chmod(0o755)
results = bundle / "results.jsonl"


def tune(*words, status=0):
    return run(bundle / "tune", *words, status=status, CXX=str(compiler), cwd="/")


def rows():
    return [json.loads(line) for line in results.read_text().splitlines() if line.endswith("}")]


def compiled():
    return len((folder / "compiled").read_text().splitlines())


out, said = tune("--searcher", "exhaustive", "--jobs", "1")
check([row["point"] for row in rows()] == ["BLOCK=256 VECTOR=4", "BLOCK=32 VECTOR=1", "BLOCK=32 VECTOR=2", "BLOCK=32 VECTOR=4"], f"points: {rows()}")
check([row["outcome"] for row in rows()] == ["timed", "timed", "wrong", "timed"], f"outcomes: {rows()}")
check({row["sizes"] for row in rows()} == {"N=3000 argument1=a 'word' $x"}, f"the problem: {rows()[0]}")
check(re.search(r"scale_\d+ +[\d.]+ +[\d.]+ +[\d.]+ +4 +0 +1 +0  ", out), f"the table: {out}")
check(len(said.splitlines()) == 4, f"a line for each: {said}")

# It goes on where it was, beside a line that was torn.
with results.open("a") as file:
    file.write('{"kernel": "')
before = compiled()
tune("--searcher", "exhaustive", "--budget", "6")
check(compiled() == before + 2 and len(rows()) == 6, f"only two are new: {compiled() - before}, {len(rows())}")

# kill -9, and again.
(folder / "wait").touch()
group = subprocess.Popen([str(bundle / "tune"), "--searcher", "exhaustive", "--budget", "24", "--jobs", "1"], cwd="/", start_new_session=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env={**os.environ, "WARPLOOM_THREADS": "1", "CXX": str(compiler)})
until = time.monotonic() + 300
while not (folder / "waits").exists() and group.poll() is None and time.monotonic() < until:
    time.sleep(0.05)
os.killpg(group.pid, signal.SIGKILL)
group.wait()
(folder / "wait").unlink()
done = len(rows())
check(6 < done < 24, f"some were done: {done}")

# Two workers do the rest, each candidate once.
workers = [subprocess.Popen([str(bundle / "tune"), "--searcher", "random", "--budget", "24", "--worker", f"{k}/2"], cwd="/", stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, "WARPLOOM_THREADS": "1", "CXX": str(compiler)}) for k in range(2)]
for worker in workers:
    error = worker.communicate(timeout=600)[1]
    check(worker.returncode == 0, f"a worker: {error}")
points = [row["point"] for row in rows()]
check(len(points) == 24 and len(set(points)) == 24, f"every candidate once: {sorted(points)}")
for words in (["--worker", "2/2"], ["--budget", "none"], ["--searcher", "none"], ["--what", "1"], ["--seed"]):
    check("the options are" in tune(*words, status=2)[1], f"usage: {words}")

# The results come home: their times are the test's.
table = rows()
for row in table:
    row["milliseconds"] = 1 if row["point"] == "BLOCK=512 VECTOR=2" else 9
results.write_text("".join(json.dumps(row) + "\n" for row in table) + '{"kernel": "')
out, said = run(warploom, "tune", "--collect", bundle, "--db", "collected.db", "--html", "collected.html")
page = (folder / "collected.html").read_text()
check("<b>BLOCK=512 VECTOR=2</b>: 1 ms" in page and "23 timed, 1 wrong" in page, "the page of what was collected")
check("24 results of 1 kernels" in out and "1 lines" in said, f"collected: {out}{said}")
with sqlite3.connect(folder / "collected.db") as connection:
    check(connection.execute("SELECT count(*) FROM results WHERE outcome = 'wrong'").fetchone() == (1,), "what is wrong stays wrong")
_, said = run(warploom, "compile", "program.c", "-o", folder / "tuned.cu", "--target", "cpu", "--db", folder / "collected.db", *flags, "-DN=3000",
              cwd=folder / "gone" / "source")
check("BLOCK=512 VECTOR=2" in said, f"what was found elsewhere is used: {said}")
_, said = run(warploom, "tune", "--collect", folder, "--db", "collected.db", status=1)
check("results.jsonl" in said, f"no results: {said}")
run(warploom, "tune", "--db", "collected.db", status=1)

# For the GPU: what nvcc and the linker are told is right. Without a GPU there is no search.
if (folder / "cuda").exists():
    (folder / "work").mkdir()
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    names = {"here": folder / "cuda", "work": folder / "work", "CC": "cc", "CXX": "g++", "NVCC": nvcc, "ARCH": "sm_90",
             "CUDA_HEADERS": Path(nvcc).resolve().parent.parent / "include"}
    names = {name: str(value) for name, value in names.items()}
    script, made = folder / "cuda" / "candidate", folder / "work" / "kernels.o"
    run("sh", script, "timed", "rest", **names)
    run("sh", script, "timed", "kernels", "0", made, "-DWARPLOOM_BLOCK=64", **names)
    run("sh", script, "timed", "link", "0", made, folder / "work" / "program", **names)
    check(run(folder / "work" / "program", WARPLOOM_DEVICE="host", status=3)[0] == plain, "the program for the GPU, without one")
    # The script for a cluster: each task of the array is one of the workers.
    (folder / "cluster").mkdir()
    shutil.copy(folder / "cuda" / "slurm.sh", folder / "cluster" / "slurm.sh")
    (folder / "cluster" / "tune").write_text("#!/bin/sh\necho \"$@\"\n")
    (folder / "cluster" / "tune").chmod(0o755)
    for task in range(3):
        out, _ = run(folder / "cluster" / "slurm.sh", SLURM_SUBMIT_DIR=str(folder / "cluster"), SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="3", cwd="/")
        check(out == f"--worker {task}/3\n", f"a task of a cluster: {out}")
    check(re.search(r"^#SBATCH --array=0-7$", (folder / "cuda" / "slurm.sh").read_text(), re.M), "an array of tasks")

print(f"{len(faults)} faults")
sys.exit(bool(faults))
