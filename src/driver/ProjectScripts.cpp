// The two programs of a project that measure it: `tune`, which looks for its sizes, and `profile`, which says
// where its time goes. Both are for a POSIX shell, and need nothing of Warploom.
#include "driver/ProjectFiles.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// What both begin with: where they are, the target, and the compiler that it needs. {0} the script, {1} the
/// program.
constexpr const char* head = R"sh(
set -u
cd "$(dirname "$0")" || exit 1
fail() {{ echo "{0}: $*" >&2; exit 1; }}
command -v make > /dev/null || fail "there is no make"
export TARGET="${{TARGET:-cuda}}"
case $TARGET in
cuda)
  program=./{1}
  command -v "${{NVCC:-nvcc}}" > /dev/null ||
    fail "there is no ${{NVCC:-nvcc}}: install the CUDA toolkit, say where it is (NVCC=/usr/local/cuda/bin/nvcc ./{0}), or use the CPU (TARGET=cpu ./{0})"
  if [ -z "${{ARCH:-}}" ] && command -v nvidia-smi > /dev/null; then
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1 | tr -d '. ')
    case $capability in [1-9][0-9]*) export ARCH="sm_$capability" ;; esac
  fi ;;
cpu)
  program=./{1}.cpu
  command -v "${{CXX:-c++}}" > /dev/null || command -v g++ > /dev/null || fail "there is no C++ compiler" ;;
*) fail "TARGET is cuda or cpu, not '$TARGET'" ;;
esac
)sh";

constexpr const char* tuneText = R"sh(#!/bin/sh
# Made by Warploom: finds the sizes of params.h with which the kernels of {1} take the least time, and writes them there.
#   ./tune [ARGUMENTS]                the program's arguments: the problem that it is tuned for
#   TARGET=cpu ./tune [ARGUMENTS]     for the kernels' execution on the CPU
#   RUNS=9 ./tune                     times each candidate nine times instead of five
#   BLOCKSIZES="64 128" ./tune        looks at other values; MERGE_LEVELS and SKEW_LEVELS are the same for the other two
# One size after the other, the others at their best so far. A candidate is built, and must print what the original loops print, numbers within 1 in 10,000
# (TOLERANCE); what is not right is not timed. What became of each is in tuning.txt. An interruption leaves params.h as it was.
{0}
BLOCKSIZES=${{BLOCKSIZES-{2}}}
MERGE_LEVELS=${{MERGE_LEVELS-{3}}}
SKEW_LEVELS=${{SKEW_LEVELS-{4}}}
folder=$(mktemp -d) || exit 1
cp params.h "$folder/params.h" || exit 1
trap 'cp "$folder/params.h" params.h; rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM

# size NAME: its value in params.h. set_size NAME VALUE: gives it another.
size() {{ sed -n "s/^#define $1 \([0-9]*\).*/\1/p" params.h; }}
set_size() {{ sed "s/^#define $1 [0-9]*/#define $1 $2/" params.h > "$folder/next.h" && cat "$folder/next.h" > params.h; }}

# run OUTPUT ARGUMENTS: the program, with its kernels on the device; what it says of them is in $folder/times.
run() {{ output=$1; shift; WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 $program "$@" > "$output" 2> "$folder/times" < /dev/null; }}
# Milliseconds that all kernels of the last run took.
milliseconds() {{ awk '/^warploom: region .* path gpu$/ {{ sum += $5 }} END {{ printf "%.4f", sum }}' "$folder/times"; }}

# same A B: whether two texts have the same words, numbers being about the same.
same() {{
  awk -v tolerance="${{TOLERANCE:-1e-4}}" '
    function number(word) {{ return word ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }}
    function size(x) {{ return x < 0 ? -x : x }}
    FILENAME == ARGV[1] {{ first[lines = FNR] = $0; next }}
    {{
      words = split(first[FNR], word)
      if (FNR > lines || words != NF) exit differs = 1
      for (k = 1; k <= NF; k++)
        if (word[k] != $k && !(number(word[k]) && number($k) && size(word[k] - $k) <= tolerance * (size(word[k]) + size($k))))
          exit differs = 1
      others = FNR
    }}
    END {{ exit differs || others != lines }}' "$1" "$2"
}}

# measure ARGUMENTS: builds and runs with the sizes of params.h; sets `time`, empty where there is none, and `outcome`.
measure() {{
  time=
  if ! make > "$folder/make.txt" 2>&1; then
    outcome="does not compile"
  elif ! run "$folder/output" "$@"; then
    outcome="ends with an error"
  elif ! grep -q 'path gpu$' "$folder/times"; then
    outcome="no kernel ran"
  elif ! same "$folder/expected" "$folder/output"; then
    outcome="is wrong"
  else
    k=0
    : > "$folder/runs"
    while [ $k -lt "${{RUNS:-5}}" ]; do
      run "$folder/output" "$@"
      echo "$(milliseconds)" >> "$folder/runs"
      k=$((k + 1))
    done
    time=$(sort -n "$folder/runs" | sed -n "$(((k + 1) / 2))p")
    outcome="$time ms"
  fi
  echo "BLOCKSIZE $(size BLOCKSIZE) MERGE_LEVEL $(size MERGE_LEVEL) SKEW_LEVEL $(size SKEW_LEVEL): $outcome" | tee -a tuning.txt
}}

# try NAME VALUES -- ARGUMENTS: the values of one size, the fastest of which stays. Others must be faster by 3 %.
try() {{
  name=$1 values=$2 known=$(size "$1")
  shift 3
  for value in $values; do
    [ "$value" = "$known" ] && continue
    kept=$(size "$name")
    set_size "$name" "$value"
    measure "$@"
    if [ -n "$time" ] && awk -v a="$time" -v b="$best" 'BEGIN {{ exit !(a < 0.97 * b) }}'; then
      best=$time
    else
      set_size "$name" "$kept"
    fi
  done
}}

make > "$folder/make.txt" 2>&1 || {{ cat "$folder/make.txt" >&2; fail "the program cannot be built"; }}
WARPLOOM_DEVICE=host $program "$@" > "$folder/expected" 2> "$folder/times" < /dev/null ||
  {{ cat "$folder/times" >&2; fail "the program itself ends with an error, its kernels unused"; }}
[ -s "$folder/expected" ] || echo "tune: the program prints nothing, so its results are not compared" >&2
: > tuning.txt
measure "$@"
if [ -z "$time" ]; then
  cat "$folder/times" >&2
  case $outcome in
  "is wrong") fail "what the program prints is not what its original loops print: does it print times, or random numbers?" ;;
  "no kernel ran") fail "no kernel ran on the device; above is why. Without a GPU: TARGET=cpu ./tune" ;;
  *) fail "with the sizes of params.h it $outcome. Without a GPU: TARGET=cpu ./tune" ;;
  esac
fi
usual=$time best=$time
try BLOCKSIZE "$BLOCKSIZES" -- "$@"
try MERGE_LEVEL "$MERGE_LEVELS" -- "$@"
try SKEW_LEVEL "$SKEW_LEVELS" -- "$@"
echo "BLOCKSIZE $(size BLOCKSIZE) MERGE_LEVEL $(size MERGE_LEVEL) SKEW_LEVEL $(size SKEW_LEVEL): $best ms, and $usual ms before"
trap 'rm -rf "$folder"' EXIT
make > "$folder/make.txt" 2>&1
)sh";

constexpr const char* profileText = R"sh(#!/bin/sh
# Made by Warploom: says where the time of {1} goes. Writes, into the folder `profiled`,
#   regions.txt         for each region: how often it ran, where, what kernels and copies took
#   timeline.json       the same over time, for https://ui.perfetto.dev or Chrome's about:tracing
#   resources.txt       registers, shared memory and spills of each kernel, by ptxas
#   kernels.ncu-rep     what Nsight Compute measures in the first 200 launches, where there is ncu
#   ./profile [ARGUMENTS]                the program's arguments
#   TARGET=cpu ./profile [ARGUMENTS]     of the kernels' execution on the CPU: the first two of these
{0}
mkdir -p profiled || exit 1
make || fail "the program cannot be built"
WARPLOOM_TIMING=1 WARPLOOM_TRACE=profiled/timeline.json $program "$@" > profiled/output.txt 2> profiled/regions.txt < /dev/null
status=$?
cat profiled/regions.txt
[ $status = 0 ] || fail "the program ended with status $status"
if ! grep -q 'path gpu$' profiled/regions.txt; then
  echo "profile: no region ran on the device; above is why. WARPLOOM_DEVICE=gpu ./profile leaves out the question whether it is worth it" >&2
fi
[ "$TARGET" = cpu ] && exit 0
make resources > profiled/resources.txt 2>&1 || fail "ptxas does not compile the kernels: see profiled/resources.txt"
if ! command -v "${{NCU:-ncu}}" > /dev/null; then
  echo "profile: there is no ${{NCU:-ncu}}, so no counters of the GPU were read; it comes with the CUDA toolkit as Nsight Compute" >&2
elif ! "${{NCU:-ncu}}" --launch-count 200 --force-overwrite --export profiled/kernels $program "$@" > profiled/ncu.txt 2>&1 < /dev/null; then
  grep '==ERROR==' profiled/ncu.txt >&2
  echo "profile: ncu failed: see profiled/ncu.txt. Counters may need the administrator's permission" >&2
else
  echo "profile: ncu-ui profiled/kernels.ncu-rep shows the kernels"
fi
)sh";

/// The powers of two in a range, as a word of the shell.
std::string powers(int least, int most) {
  std::string text;
  for (int value = 1; value <= most; value *= 2)
    if (value >= least) text += (text.empty() ? "" : " ") + std::to_string(value);
  return "\"" + text + "\"";
}

} // namespace

std::string tuneScript(const ProjectPlan& plan, const ProjectConfig& config, bool merges, bool skews) {
  auto most = [](int bound, int usual) { return bound ? bound : usual; };
  return fmt::format(tuneText, fmt::format(head, "tune", plan.program), plan.program,
                     powers(config.minBlockSize, most(config.maxBlockSize, 1024)),
                     merges ? powers(config.minMergeLevel, most(config.maxMergeLevel, 16)) : "\"\"",
                     skews && config.blockSkew ? powers(config.minSkewLevel, most(config.maxSkewLevel, 8))
                                               : "\"\"");
}

std::string profileScript(const ProjectPlan& plan) {
  return fmt::format(profileText, fmt::format(head, "profile", plan.program), plan.program);
}

} // namespace warploom
