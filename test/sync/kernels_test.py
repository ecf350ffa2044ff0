#!/usr/bin/env python3
"""Generated kernels, launched in ways the generated host code does not: through the environment's macros, in two-dimensional
grids of too many threads, and under the sanitizer, which reports races and accesses outside. What the text of some systems has and has not is looked at, too:
those in `shapes` are the smallest that show how units share code.

Usage: kernels_test.py --warploom W --compiler C --runtime R --library L --checked L --work DIR FILE.aif...
"""
# SHOWS: GA-10 GA-34 GA-35 GA-36 GA-38 GA-40 GA-42 GA-43 GA-44 GA-45 GA-46 GA-47 GA-48 GA-49 GA-50 GA-58 GA-59 GA-60 GA-68
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from source_test import inputs

STEPS = 25
# By system: what is in its text, and what is not.
TEXT = {
    # 162 units are six tiles of 32; inputs are read where they are, cells by index arithmetic, and there is no shared memory to run out of.
    "MatrixMul9": (["constexpr int nowTiles = 6;", "if (t < 162) now0(", "__global__ void nowKernel(Step x)", "__global__ void nextKernel(Step x)",
                    "struct Inputs {\n  int a[81];", "struct Outputs {\n  int out[81];", "struct State {\n  int out[81];", "in.a[", "in.b["], ["_column"]),
    # A row of the table for each place of the action, indexed by the thread.
    "Tables": (["const int next0_column2[] = {\n  0, 7, 28, 23,", "next.y[i] = in.x[next0_column2[t]];", "if (t < 40) next0("], []),
    "Torus8": (["(i + 7) % 8"], ["_column"]),
    "Torus20": (["(i + 19) % 20"], ["_column"]),
    # Units that differ in a constant, in the order of operands, in one action that one of them lacks.
    "Constants": (["if (t < 5) now0(", "now0_column3[t] + in.words"], ["now1("]),
    "Commutative": (["if (t < 2) now0("], ["now1("]),
    "Padding": (["if (t < 2) now0("], ["now1("]),
    "Now": (["now0("], ["next0("]),
    "Next": (["next0("], ["now0(", "nowKernel"]),
}
EVERY = (["(blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x"], ["__shared__", "intptr", "int*>"])

SYSTEM = """
#undef READ_inputs
#undef WRITE_outputs
#define READ_inputs(buffer) read_{0}(buffer)
#define WRITE_outputs(buffer) write_{0}(buffer)
static void read_{0}(void* buffer);
static void write_{0}(const void* buffer);
#define main main_{0}
#include "{0}.cu"
#undef main
// The buffer is scribbled over first: what a kernel still reads must be elsewhere.
static void read_{0}(void* buffer) {{
  std::memset(buffer, 0x55, sizeof({0}::Inputs));
  {0}_scan(stdin, *static_cast<{0}::Inputs*>(buffer));
}}
static void write_{0}(const void* buffer) {{ {0}_print(stdout, *static_cast<const {0}::Outputs*>(buffer)); }}
static void grid_{0}() {{
  using namespace {0};
  Machine machine;
  Device<Inputs> in;
  Device<Outputs> out;
  Inputs given;
  std::memset(static_cast<void*>(&given), 0, sizeof given);
  const warploom::Stream stream = warploom::streamNumber(0);
  for (unsigned k = 0; {0}_scan(stdin, given); ++k, ++machine.done) {{
    warploom::copyToDevice(in.get(), &given, sizeof given, stream);
    const Step x = machine.next(in.get(), out.get());
{1}    Outputs taken;
    warploom::copyToHost(&taken, out.get(), sizeof taken, stream);
    warploom::synchronize(stream);
    {0}_print(stdout, taken);
  }}
}}
"""
LAUNCH = """    // Of one row, of one column, and of both; always some threads too many.
    warploom::launch({{dim3(k % 3 == 0 ? 1 : 3, {1} + 1), dim3(k % 2 == 0 ? 32 : 96), 0, stream}}, {0}Kernel, x);
"""
MAIN = """
int main(int, char** arguments) {{
  const std::string name = arguments[1], way = arguments[2];
{}  return 2;
}}
"""
CHOICE = """  if (name == "{0}") {{
    if (way == "hooks") run_{0}({1});
    else if (way == "grid") grid_{0}();
    else return {0}_drive(stdin, stdout, way == "batch", {1}, 1);
    return 0;
  }}
"""


def flat(value):
    """The numbers of a JSON value, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for part in value for number in flat(part)]
    return [float(int(value, 2) if isinstance(value, str) else value)]


def faults(texts):
    """What is wrong with the texts of the systems."""
    wrong = [f"no system {name}" for name in TEXT.keys() - texts.keys()]
    for name, text in texts.items():
        for there, parts in ((True, EVERY[0] + TEXT.get(name, ([], []))[0]), (False, EVERY[1] + TEXT.get(name, ([], []))[1])):
            wrong += [f"{name}: `{part}` is {'not ' if there else ''}in the text" for part in parts if (part in text) != there]
    # A larger system of the same shapes has a text of the same length.
    if texts["Torus8"].count("\n") != texts["Torus20"].count("\n"):
        wrong.append("the text of a larger torus is longer")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for option in ("warploom", "compiler", "runtime", "library", "checked", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("systems", nargs="+")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = pathlib.Path(name)
        program, choices, given, expected, texts = "#include <string>\n", "", {}, {}, {}
        for file in options.systems:
            text = pathlib.Path(file).read_text()
            system = re.search(r"^system (\w+):", text, re.M)[1]
            target = folder / f"{system}.cu"
            subprocess.run([options.warploom, "sync", file, "--target", "cuda", "--steps", str(STEPS), "-o", target], check=True,
                           stdout=subprocess.DEVNULL)
            made = texts[system] = target.read_text()
            kernels = re.findall(r"^__global__ void (\w+)Kernel\(Step x\)", made, re.M)
            program += SYSTEM.format(system, "".join(LAUNCH.format(kernel, f"{kernel}Tiles" if f"{kernel}Tiles =" in made else 1) for kernel in kernels))
            choices += CHOICE.format(system, STEPS)
            steps = inputs(text, STEPS, 7)
            given[system] = "".join(" ".join(f"{number:g}" for number in flat(json.loads(line))) + "\n" for line in steps.splitlines())
            run = subprocess.run([options.warploom, "run", file], input=steps, capture_output=True, text=True, check=True)
            expected[system] = [flat(json.loads(line)) for line in run.stdout.splitlines()]
        for wrong in faults(texts):
            failures += 1
            print(wrong)
        (folder / "main.cpp").write_text(program + MAIN.format(choices))
        runtime = pathlib.Path(options.runtime)
        for flags, library, ways in ((["-std=c++17", "-O0"], [options.library], ("hooks", "grid")),
                                     ([f"@{runtime}/flags/sanitize.clang"], [options.checked, "-ldw", "-lelf", "-ldl", "-rdynamic"], ("steps", "batch", "grid"))):
            subprocess.run([options.compiler, *flags, "-I", runtime, "-c", folder / "main.cpp", "-o", folder / "main.o"], check=True)
            subprocess.run([options.compiler, folder / "main.o", *library, "-lboost_context", "-lpthread", "-o", folder / "main"], check=True)
            for system in given:
                for way in ways:
                    run = subprocess.run([folder / "main", system, way], input=given[system], capture_output=True, text=True, timeout=120)
                    found = [[float(field) for field in line.split()] for line in run.stdout.splitlines()]
                    if run.returncode or found != expected[system]:
                        failures += 1
                        at = next((i for i, (a, b) in enumerate(zip(found, expected[system])) if a != b), len(found))
                        print(f"{system}, {way}: status {run.returncode}, {len(found)} steps, first difference in step {at + 1}: "
                              f"{found[at:at + 1]} instead of {expected[system][at:at + 1]}\n{run.stderr[:2000]}")
    print(f"{len(options.systems)} systems, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
