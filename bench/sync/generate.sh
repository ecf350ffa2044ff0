#!/bin/sh
# Writes bench/sync/generated from the example systems, and prints what the cost model says of each. Usage: generate.sh WARPLOOM [FOLDER]
set -e
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples/sync
folder=${2:-$here/generated}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { # NAME WARPLOOM FLAGS...: both targets
  name=$1
  shift
  "$1" sync "$work/$name.aif" --target c -o "$folder/$name.c" >"$work/log"
  program=$1
  shift
  "$program" sync "$work/$name.aif" --target cuda "$@" -o "$folder/$name.cu" >"$work/log"
  sed -n "s/^  note: target cuda as asked for; /$name: /p" "$work/log"
}
for n in 9 16 32 64; do
  python3 "$examples/make.py" matmul $n >"$work/matmul$n.aif"
  compile matmul$n "$1"
done
for n in 128 256; do
  python3 "$examples/make.py" outer $n >"$work/outer$n.aif"
  compile outer$n "$1"
done
python3 "$examples/make.py" torus 256 >"$work/torus256.aif"
compile torus256 "$1"
cp "$examples/traffic.aif" "$work/traffic.aif"
compile traffic "$1" --instances 1000000
