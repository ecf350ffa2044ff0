#!/usr/bin/env python3
"""Generated kernels, launched in ways the generated host code does not: through the environment's macros, in two-dimensional
grids of too many threads, and under the sanitizer, which reports races and accesses outside.

Usage: kernels_test.py --warploom W --compiler C --runtime R --library L --checked L --work DIR FILE.aif...
"""
# SHOWS: GA-44 GA-45 GA-48 GA-49 GA-50 GA-58 GA-59
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from source_test import inputs

STEPS = 25

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
    warploom::launch({{dim3(k % 3 == 0 ? 1 : 3, {0}Tiles + 1), dim3(k % 2 == 0 ? 32 : 96), 0, stream}}, {0}Kernel, x);
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


def main():
    parser = argparse.ArgumentParser()
    for option in ("warploom", "compiler", "runtime", "library", "checked", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("systems", nargs="+")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = pathlib.Path(name)
        program, choices, given, expected = "#include <string>\n", "", {}, {}
        for file in options.systems:
            text = pathlib.Path(file).read_text()
            system = re.search(r"^system (\w+):", text, re.M)[1]
            target = folder / f"{system}.cu"
            subprocess.run([options.warploom, "sync", file, "--target", "cuda", "--steps", str(STEPS), "-o", target], check=True,
                           stdout=subprocess.DEVNULL)
            kernels = re.findall(r"^__global__ void (\w+)Kernel\(Step x\)", target.read_text(), re.M)
            tiled = target.read_text()
            program += SYSTEM.format(system, "".join(LAUNCH.format(kernel) for kernel in kernels if f"{kernel}Tiles =" in tiled))
            choices += CHOICE.format(system, STEPS)
            steps = inputs(text, STEPS, 7)
            given[system] = "".join(" ".join(f"{number:g}" for number in flat(json.loads(line))) + "\n" for line in steps.splitlines())
            run = subprocess.run([options.warploom, "run", file], input=steps, capture_output=True, text=True, check=True)
            expected[system] = [flat(json.loads(line)) for line in run.stdout.splitlines()]
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
