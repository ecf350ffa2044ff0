"""Mutants of good recipes (those of nine/nine.lua and of the lessons in docs/recipes.md): whatever of them is taken computes what the loops do. Each command of a
mutant is called for itself, so that one that is refused leaves the others; each mutant has a copy of its function, and all of them run in one program under
the sanitizer, at extents that divide evenly and that do not.

  mutants_test.py WARPLOOM ROOT FOLDER [SEED COUNT]
"""
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
seed, count = (int(word) for word in sys.argv[4:6]) if len(sys.argv) > 4 else (1, 24)
LEAST = 0.4  # of the mutants must be carried out, or the test shows little
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
rng = random.Random(seed)
nine = (root / "test" / "recipe" / "nine" / "nine.c").read_text().replace("#define N 61", "#define N 45").replace("#define M 37", "#define M 29")
HEAD, MAIN = nine[:nine.index("void gemm(")], nine.split("int main(void) {")[1]
FUNCTIONS = dict(re.findall(r"^void (\w+)\(void\) (\{\n.*?^\})\n", nine, re.DOTALL | re.MULTILINE))
EXTRA = ['unroll("{0}", 3)', 'unroll_to_depth(2)', 'pipeline("{0}", 2)', 'normalize_index("{0}")', 'permute({{"{0}", "{1}"}})', 'peel("{0}", 1)', 'split("{0}", "7")',
         'strip("{0}", 4, "{0}_strip")', 'reverse("{0}")', 'skew("{0}", "{1}", 1)', 'scale("{0}", 2)', 'copy_to_registers("{0}", "{2}")', 'copy_to_shared("{0}", "{2}", -16)',
         'copy_to_shared("{0}", "{2}", 1, 2)', 'copy_to_texture("{2}")', 'copy_to_constant("{2}")', 'launch_bounds("{0}", 2)', 'reduce("{2}", "{0}")', 'distribute("{0}")',
         'map_to_block({{"{0}"}})', 'tile(0, 2, 5, 1, strided)', 'privatise("{2}", "{0}")', 'rename("{2}", "{0}")']


def sections():
    """The good recipes: of which function each is, and its commands."""
    lua = (root / "test" / "recipe" / "nine" / "nine.lua").read_text()
    for name, body in re.findall(r'^init\("nine.c", "(\w+)", 0\)\n(.*?)(?=^init|\Z)', lua, re.DOTALL | re.MULTILINE):
        yield name, [line for line in body.splitlines() if line and not line.startswith("--")]
    for body in re.findall(r'```lua\ninit\("product.c", "product", 0\)\n(tile_by_index.*?)```', (root / "docs" / "recipes.md").read_text(), re.DOTALL):
        # Its product has other names.
        body = body.replace("},\n              {", "}, {")
        yield "gemm", body.splitlines()


def mutant(commands):
    """`commands` with some changes."""
    lines = list(commands)
    words = sorted(set(re.findall(r'"([A-Za-z_]+)"', "\n".join(lines))))
    for _ in range(rng.randint(1, 3)):
        k = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0 and len(lines) > 2:
            del lines[k]
        elif kind == 1:
            other = rng.randrange(len(lines))
            lines[k], lines[other] = lines[other], lines[k]
        elif kind == 2 and (numbers := list(re.finditer(r"(?<=[{ ,])-?\d+(?=[,})])", lines[k]))):
            at = rng.choice(numbers)
            lines[k] = lines[k][:at.start()] + str(rng.choice((1, 2, 3, 5, 7, 8, 12, 16, 31, 64, -16))) + lines[k][at.end():]
        elif kind == 3 and (names := list(re.finditer(r'"[A-Za-z_]+"', lines[k]))):
            at = rng.choice(names)
            lines[k] = f'{lines[k][:at.start()]}"{rng.choice(words)}"{lines[k][at.end():]}'
        elif kind == 4 and (lists := list(re.finditer(r'\{("\w+"(?:, "\w+")+)\}', lines[k]))):
            at = rng.choice(lists)
            parts = at[1].split(", ")
            rng.shuffle(parts)
            lines[k] = f"{lines[k][:at.start()]}{{{', '.join(parts)}}}{lines[k][at.end():]}"
        elif kind == 5 and "tile_by_index" in lines[k]:
            lines[k] = lines[k].replace(", strided)", ")") if ", strided)" in lines[k] else lines[k][:-1] + ", strided)"
        else:
            lines.insert(k, rng.choice(EXTRA).format(rng.choice(words), rng.choice(words), rng.choice(words)))
    return lines


def lua(file, function, commands):
    """A recipe of them; kernels have names of their own, since all are in one program."""
    number = function.rpartition("_")[2]
    commands = [re.sub(r'^(cudaize\((?:\d+, )?"\w+)"', rf'\1_{number}"', line) for line in commands]
    calls = "\n".join(f"pcall(function() {line} end)" for line in commands)
    return f'init("{file}", "{function}", 0)\n{calls}\n'


def carried_out(number):
    """What is wrong with the recipe of a mutant; nothing when a kernel is made by it; refused when it says so."""
    name, commands = mutants[number]
    source = folder / f"{number}.c"
    source.write_text(f"{HEAD}void {name}_{number}(void) {FUNCTIONS[name]}\n")
    (folder / f"{number}.lua").write_text(lua(source.name, f"{name}_{number}", commands))
    done = subprocess.run([tool, "compile", source, "-o", folder / f"{number}.cu", "--recipe", folder / f"{number}.lua"], capture_output=True, text=True, timeout=300)
    if done.returncode == 0 and "1 of 1 regions" in done.stdout + done.stderr:
        return ""
    if done.returncode == 1 and re.search(r"^\S+\.lua:\d+: error: ", done.stderr, re.MULTILINE):
        return "refused"
    return f"status {done.returncode}\n{done.stdout}{done.stderr}"


good = list(sections())
mutants = []
for _ in range(count):
    name, commands = rng.choice(good)
    mutants.append((name, mutant(commands)))
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(carried_out, range(count)))
faults = [f"{number}: {result}\n" + "\n".join(mutants[number][1]) for number, result in enumerate(results) if result not in ("", "refused")]
taken = [number for number, result in enumerate(results) if not result]
if len(taken) < LEAST * count:
    faults.append(f"only {len(taken)} of {count} mutants are carried out")
functions = "\n".join(f"void {name}_{number}(void) {FUNCTIONS[name]}" for number, (name, _) in enumerate(mutants) if number in taken)
calls = "".join(f"  {mutants[number][0]}_{number}();\n" for number in taken)
(folder / "all.c").write_text(f"{HEAD}{functions}\nint main(void) {{{MAIN[:MAIN.index('  gemm();')]}{calls}  return 0;\n}}\n")
(folder / "all.lua").write_text("".join(lua("all.c", f"{mutants[number][0]}_{number}", mutants[number][1]) for number in taken))
for extents in ([], ["-DN=32", "-DM=16"]):
    verified = subprocess.run([tool, "verify", "all.c", "--recipe", "all.lua", "--target", "cpu", "--sanitize", "--effort", "20", "--", *extents], cwd=folder,
                              capture_output=True, text=True, timeout=900)
    entered = set(re.findall(r"region \w+_(\d+):\d+ ", verified.stdout))
    if verified.returncode or "MISMATCH" in verified.stdout or len(entered) < len(taken):
        faults.append(f"{extents}: status {verified.returncode}, {len(entered)} of {len(taken)}\n{verified.stdout[-2000:]}{verified.stderr[-3000:]}")
print("\n".join(faults) or f"{len(taken)} of {count} mutants of {len(good)} recipes hold, and {results.count('refused')} are refused")
sys.exit(1 if faults else 0)
