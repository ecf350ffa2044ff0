#!/bin/sh
# Compiles the benchmark with nvcc for this machine's GPU, runs it and prints its results as JSON, as they are kept in
# bench/results; `table.py FILE` makes a table of them. Usage: run.sh [FOLDER FOR THE PROGRAM]. Needs only nvcc: the generated
# programs are in the repository (generate.sh makes them anew).
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)}
nvcc=${NVCC:-nvcc}
"$nvcc" -std=c++17 -O3 -arch=native -I "$here/../../runtime" "$here/bench.cu" -o "$folder/sync_bench"
"$folder/sync_bench"
