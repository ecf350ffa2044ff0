"""Mutants of good recipes' texts (those of nine/nine.lua and of the lessons in docs/recipes.md), down to letters: a recipe is carried out, or refused with the line
at fault and nothing written; never a crash, an internal error, or a wait. What is carried out is in mutants_test.py compared with the loops.

  fuzz_test.py WARPLOOM ROOT FOLDER [SEED COUNT SECONDS]
"""
import random
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
seed, count, seconds = (int(word) for word in sys.argv[4:7]) if len(sys.argv) > 4 else (1, 500, 60)
LONGEST = 60      # seconds for one
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
nine = (root / "test" / "recipe" / "nine" / "nine.c").read_text()
HEAD = nine[:nine.index("void gemm(")]
FUNCTIONS = dict(re.findall(r"^void (\w+)\(void\) (\{\n.*?^\})\n", nine, re.DOTALL | re.MULTILINE))
for name, body in FUNCTIONS.items():
    (folder / f"{name}.c").write_text(f"{HEAD}void {name}(void) {body}\n")
lua = (root / "test" / "recipe" / "nine" / "nine.lua").read_text()
GOOD = [(name, f'init("{name}.c", "{name}", 0)\n{body}') for name, body in
        re.findall(r'^init\("nine.c", "(\w+)", 0\)\n(.*?)(?=^init|\Z)', lua, re.DOTALL | re.MULTILINE)]
GOOD += [("gemm", 'init("gemm.c", "gemm", 0)\n' + body) for body in
         re.findall(r'```lua\ninit\("product.c", "product", 0\)\n(tile_by_index.*?)```', (root / "docs" / "recipes.md").read_text(), re.DOTALL)]
TOKEN = re.compile(r'"\w*"|[A-Za-z_]\w*|-?\d+|[{}(),=]')
VALUES = ["0", "-1", "1", "2", "3", "7", "64", "99999999999", "1e300", "0/0", "1.5", "nil", "true", '""', '"i"', '"kk"', '"c"', '"\\0"', "{}", "{{}}", '{"i"}', "{1, 2}",
          "print", "{a=1}", "function() end", "strided", '"' + "x" * 300 + '"']
LINES = ["while true do end", "error()", "error({})", "init = nil", "local function f() return f() end f()", 'x = "y" for k = 1, 40 do x = x .. x end', "original()",
         "reverse(cur_indices(0)[1])", "print_code() print_dep() print_space()", 'pcall(permute, {"k", "j"})', "nonsingular({{1, 1}, {0, 1}})", "shift_to(0, 1, 3)", 'pragma(0, 1, "unroll 3")',
         "unroll(0, 1, 3)", "unroll_to_depth(9)", 'known("n > 0")', "return", "goto nowhere", 'dofile("/dev/zero")', 'setmetatable(_G, {__index = function() return 7 end})']


def mutant(rng, text):
    if rng.random() < 0.3:  # as somebody would who tries sizes
        numbers = list(re.finditer(r"(?<=[{ ,(])-?\d+(?=[,})])", text))
        at = rng.choice(numbers)
        return text[:at.start()] + rng.choice(("1", "2", "3", "5", "8", "16", "31", "64", "-16")) + text[at.end():]
    for _ in range(rng.randint(1, 3)):
        tokens = list(TOKEN.finditer(text))
        lines = text.split("\n")
        kind = rng.randrange(8)
        if kind < 3 and tokens:  # another value, or one that stands somewhere else
            at = rng.choice(tokens)
            text = text[:at.start()] + (rng.choice(VALUES) if kind else rng.choice(tokens)[0]) + text[at.end():]
        elif kind == 3:
            at = rng.randrange(len(text))
            text = text[:at] + text[at + rng.randint(1, 3):]
        elif kind == 4:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice('(){}[]"\',;=-0a\x00\xff\n') + text[at:]
        elif kind == 5:
            lines.insert(rng.randrange(len(lines)), rng.choice(LINES))
            text = "\n".join(lines)
        elif kind == 6:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        else:
            rng.shuffle(lines)
            text = "\n".join(lines)
    return text


began = time.time()


def fault(number):
    """What is wrong with what the tool does with a mutant; "" when it is carried out, else why not."""
    if time.time() - began > seconds:
        return "left out"
    rng = random.Random(seed * 1_000_003 + number)
    name, text = rng.choice(GOOD)
    text = mutant(rng, text)
    recipe, out = folder / f"{number}.lua", folder / f"{number}.cu"
    recipe.write_text(text, encoding="latin-1")
    try:
        done = subprocess.run([tool, "compile", f"{name}.c", "-o", out.name, "--recipe", recipe.name], cwd=folder, capture_output=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"{number}: more than {LONGEST} s\n{text}"
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode == 0 and out.exists():
        return ""
    if done.returncode == 1 and not out.exists() and re.search(r"^\S+\.lua:\d+: error: ", said, re.MULTILINE):
        return "refused"
    return f"{number}: status {done.returncode}{', and something is written' if out.exists() else ''}\n{said[-1500:]}\n{text}"


with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(fault, range(count)))
faults = [result for result in results if result not in ("", "refused", "left out")]
print("\n".join(faults) or f"{count - results.count('left out')} of {count} mutants: {results.count('')} carried out, {results.count('refused')} refused")
if results.count("") < 0.15 * (count - results.count("left out")):
    faults.append("")
    print("too few of them are carried out: the test shows little")
sys.exit(1 if faults else 0)
