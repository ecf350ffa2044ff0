# How lit runs the tests in this folder: a test is a file with RUN lines, its input beside or below them.
import os
import shutil

import lit.formats

config.name = "warploom"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = os.path.join(config.warploom_source, "test", "lit")

scripts = os.path.join(config.test_source_root, "tools")
config.substitutions += [
    # `%exits N command...` passes when the command ends by itself with status exactly N.
    ("%exits", f"{config.python} {scripts}/exits.py"),
    # `%generate shape size` writes a large C input to standard output.
    ("%generate", f"{config.python} {scripts}/generate.py"),
    # `... --json | %verdicts` prints one line per loop, or with --summary the counts.
    ("%verdicts", f"{config.python} {scripts}/verdicts.py"),
    ("%python", config.python),
    ("%source", config.warploom_source),
    # No run may hang: after five minutes it fails with a status that no test expects.
    ("%warploom", "timeout 300 " + os.path.join(config.warploom_build, "warploom")),
]
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment["PATH"]])
# What these print is part of the tests' input; colours and the user's own settings are not.
config.environment["LC_ALL"] = "C"
# Nor are sizes that the user has tuned.
config.environment["WARPLOOM_TUNING"] = ""
# What fits into a region's time must not depend on how fast the machine is.
config.environment["WARPLOOM_EFFORT"] = "4"
# How kernels are compiled for the sanitizer, see test/CMakeLists.txt.
config.environment["WARPLOOM_SANITIZE_FLAGS"] = os.environ.get("WARPLOOM_SANITIZE_FLAGS", "")
# Tests of files that are CUDA themselves, and of what its compiler makes of kernels, need its headers and compiler.
nvcc = shutil.which("nvcc") or os.path.join(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin", "nvcc")
if not os.access("/dev/nvidiactl", os.R_OK | os.W_OK):
    config.available_features.add("no-gpu")
if os.path.exists(nvcc):
    config.available_features.add("cuda")
    config.substitutions.append(("%nvcc", nvcc))
