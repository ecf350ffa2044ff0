#!/bin/sh
# Searches the sizes of blocks and tiles with which the kernels of this folder are fastest on this machine. Needs a C++ compiler, and nvcc
# where they are for the GPU.
#   ./tune [--budget N|TIME] [--searcher NAME] [--seed N] [--jobs N] [--limit SECONDS] [--worker I/N] [--arch ARCH]
# A candidate is compared with the original loops before it is timed. Results are added to results.jsonl, a line each, and what is there
# is not done again: the same command goes on after an interruption. Several machines may share the folder: with --worker I/N each
# of the N takes its part. `warploom tune --collect` takes the results home.
set -e
here=$(cd "$(dirname "$0")" && pwd)
: "${CC:=cc}" "${CXX:=g++}" "${ARCH:=native}"
last=
for word; do
  if [ "$last" = --arch ]; then ARCH=$word; elif [ "$word" != --arch ]; then set -- "$@" "$word"; fi
  shift
  last=$word
done
if [ "$(sh "$here/candidate" target)" = cuda ]; then
  NVCC=${NVCC:-$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")}
  CUDA_HEADERS=$(dirname "$(dirname "$(readlink -f "$NVCC")")")/include
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/warploom-tune-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export here work CC CXX NVCC CUDA_HEADERS ARCH
jobs=
for source in "$here"/search/device/*.cpp "$here"/search/tune/*.cpp "$here/kernels.cpp"; do
  "$CXX" -std=c++2a -O1 -I "$here/search" -c "$source" -o "$work/$(basename "$source").o" &
  jobs="$jobs $!"
done
for form in checked timed; do
  sh "$here/candidate" $form rest &
  jobs="$jobs $!"
done
for job in $jobs; do wait "$job"; done
"$CXX" "$work"/*.cpp.o -pthread -o "$work/search"
"$work/search" "$here" "$work" "$@"
