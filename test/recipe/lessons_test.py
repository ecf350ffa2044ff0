"""The lessons of docs/recipes.md: every recipe there makes kernels that do what the loops do, checked by `verify --sanitize` at sizes that
no tile divides, or is refused where the page says so, with the words it says, and then nothing is written. The pieces of kernels that the page shows are theirs, and
its figures those of bench/results.

  lessons_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-12 CH-37
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
page = (root / "docs" / "recipes.md").read_text()
(folder / "product.c").write_text(re.search(r"```c\n(.*?)```", page, re.DOTALL)[1])
faults, lessons = [], 0
for number, (name, recipe, after) in enumerate(re.findall(r"^### (Lesson [^\n]*)\n.*?```lua\n(.*?)```\n(.*?)(?=^##|\Z)", page, re.DOTALL | re.MULTILINE)):
    lessons += 1
    (folder / f"{number}.lua").write_text(recipe)
    said = [block for block in re.findall(r"```\n(.*?)```", after, re.DOTALL)]
    refused = [block.strip() for block in said if "error:" in block]
    command = [tool, "verify", "product.c", "--recipe", f"{number}.lua", "--target", "cpu", "--sanitize", "--size", "N=61"]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    if refused:
        compiled = subprocess.run([tool, "compile", "product.c", "-o", f"{number}.cu", "--recipe", f"{number}.lua"], cwd=folder,
                                  capture_output=True, text=True, timeout=100)
        message = compiled.stderr.strip().replace(f"{number}.lua", "recipe.lua")
        if compiled.returncode != 1 or message != refused[0] or (folder / f"{number}.cu").exists():
            faults.append(f"{name}: status {compiled.returncode}\n{message}")
        continue
    if done.returncode or "MISMATCH" in done.stdout or "product:7" not in done.stdout:
        faults.append(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
    for block in said:
        if "error:" not in block and block not in done.stdout:
            faults.append(f"{name} prints\n{done.stdout}not\n{block}")
    words = re.findall(r"[Ii]ts text has `([^`]*)`|[Ww]hat its text has as `([^`]*)`", after)
    words = [one or other for one, other in words] + re.findall(r"```cuda\n(.*?)```", after, re.DOTALL)
    if words:
        subprocess.run([tool, "compile", "product.c", "-o", f"{number}.cu", "--recipe", f"{number}.lua", "--", "-DN=4096"], cwd=folder, check=True,
                       capture_output=True, timeout=100)
        text = (folder / f"{number}.cu").read_text()
        faults += [f"{name}: the text has no `{word}`\n{text}" for word in words if word not in text]
# The last kernel of the climb is what is decided without a recipe.
climb = [part for part in page.split("### ") if "% of cuBLAS." in part][-1]
(folder / "last.lua").write_text(re.search(r"```lua\n(.*?)```", climb, re.DOTALL)[1].replace("my_product", "product_7"))
for name, recipe in (("decided", []), ("last", ["--recipe", "last.lua"])):
    subprocess.run([tool, "compile", "product.c", "-o", f"{name}.cu", *recipe], cwd=folder, check=True, capture_output=True, timeout=100)
if (folder / "decided.cu").read_text() != (folder / "last.cu").read_text().replace("last", "decided"):
    faults.append(f"{climb.splitlines()[0]}: `compile` makes another kernel")
# What was measured.
results = root / "bench" / "results" / "strategies-h200.json"
measured = json.loads(results.read_text())["lessons"]["rows"]
for row in measured:
    said = f"On the H200: {row['tflops']:.1f} TFLOPS, {row['percent']:.0f} % of cuBLAS."
    if said not in re.search(rf"^### Lesson {row['lesson']}:.*?(?=^##|\Z)", page, re.DOTALL | re.MULTILINE)[0]:
        faults.append(f"Lesson {row['lesson']} does not say: {said}")
print("\n".join(faults) or f"{lessons} lessons hold")
sys.exit(1 if faults or lessons < 6 else 0)
