"""Compiles generated-style programs as docs/runtime.md says, for the script tests."""
import os
import shutil
import subprocess
import sys


def start():
    """The project's root and a fresh folder to work in, from the command line."""
    root, folder = sys.argv[1:3]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return os.path.abspath(root), os.path.abspath(folder)


def compilers():
    """The host compilers that are there."""
    return [c for c in ("g++", "clang++-19") if shutil.which(c)]


def call(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def must(command):
    done = call(command)
    if done.returncode != 0 or done.stderr:
        sys.exit("%s\n%s%s" % (" ".join(command), done.stdout, done.stderr))


def build(root, folder, compiler, source, sanitize=False):
    """The path of the program made from `source`."""
    runtime = os.path.join(root, "runtime")
    name = os.path.join(folder, os.path.basename(source).split(".")[0] + "." + compiler + ("-sanitize" if sanitize else ""))
    family = "clang" if "clang" in compiler else "gcc"
    flags = os.path.join(runtime, "flags", "sanitize." + family if sanitize else "cpu")
    must([compiler, "@" + flags, "-Wall", "-Wextra", "-I", runtime, "-x", "c++", "-c", source, "-o", name + ".o"])
    objects = [name + ".o"] + executor(runtime, folder, compiler, sanitize)
    libraries = ["-lboost_context", "-pthread"] + (["-ldw", "-lelf"] if sanitize else [])
    must([compiler] + objects + libraries + ["-o", name])
    return name


def executor(runtime, folder, compiler, sanitize):
    """The object files of the CPU execution, compiled once per test."""
    cpu = os.path.join(runtime, "cpu")
    sources = [os.path.join(cpu, f) for f in sorted(os.listdir(cpu)) if f.endswith(".cpp")]
    if sanitize:
        more = os.path.join(cpu, "sanitize")
        sources += [os.path.join(more, f) for f in sorted(os.listdir(more)) if f.endswith(".cpp")]
    objects = []
    for source in sources:
        name = "%s.%s%s.o" % (os.path.basename(source), compiler, "-sanitize" if sanitize else "")
        objects.append(os.path.join(folder, name))
        if not os.path.exists(objects[-1]):
            define = ["-DWARPLOOM_SANITIZE"] if sanitize else []
            must([compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-I", runtime, "-c", source, "-o", objects[-1]] + define)
    return objects
