"""Programs that travel: generated where Warploom is, built with nvcc and gcc alone where the GPU is."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WRAPPED = ["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "memset", "memcpy", "memmove"]


def call(command, **options):
    """What the command prints; ends this program where it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def generate(sources, folder, warploom, flags=()):
    """Copies a program's folder to `folder`, with the text that Warploom makes of its sources beside them."""
    shutil.copytree(sources, folder)
    for source in sorted(Path(sources).glob("*.c")):
        call([warploom, "compile", source.name, "-o", folder / (source.stem + ".cu"), "--", *flags], cwd=sources)


def movable(texts):
    """What the linker is told so that global arrays stay on the device: those that all texts with their names let move."""
    names = {name for text in texts for name in re.findall(r"\bwarploom_resident_(\w+)\b", text)}
    names = {name for name in names if all(f"warploom_place_{name}" in text for text in texts if re.search(rf"\b{name}\b", text))}
    return [word for name in sorted(names) for word in ("-Xlinker", f"--defsym=warploom_resident_{name}=1")]


def link(here, runtime, sources, output, flags=("-O3", "-march=native"), libraries=("-lm",)):
    """Builds `output` of the generated text of `sources` in the folder `here`, as `warploom build` does."""
    objects, texts, kernels = [], [], []
    for source in sources:
        generated = (here / f"{source}.cu").exists()
        host = f"{source}.host.c" if generated else f"{source}.c"
        call(["gcc", "-falign-functions=64", "-falign-loops=64", *flags, "-w", "-c", host, "-o", f"{source}.o"], cwd=here)
        objects.append(f"{source}.o")
        texts.append((here / host).read_text())
        if generated:
            call(["nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-I", runtime, "-c", f"{source}.cu", "-o", f"{source}.kernels.o"], cwd=here)
            objects.append(f"{source}.kernels.o")
            kernels.append((here / f"{source}.cu").read_text())
    toolkit = Path(shutil.which("nvcc")).resolve().parents[1]
    # Programs whose launchers ask for no lengths have small blocks left alone.
    lengths = any("elementsAt" in text for text in kernels)
    heap = f"{output}.heap.o"
    call(["gcc", "-std=gnu11", "-O2", "-fno-builtin", "-DWARPLOOM_MANAGED", *([] if lengths else ["-DWARPLOOM_LEAST=65536"]),
          "-I", toolkit / "include", "-c", runtime / "warploom_heap.c", "-o", heap], cwd=here)
    wrap = ",".join("--wrap=" + name for name in WRAPPED)
    call(["nvcc", "-arch=sm_90", *objects, heap, "-Xlinker", wrap, *movable(texts), *libraries, "-o", output], cwd=here)
