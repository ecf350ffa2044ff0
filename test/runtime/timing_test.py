"""WARPLOOM_TIMING and WARPLOOM_DEVICE: the exact line, the forced path, one line per region and path."""
import json
import os
import re
import sys
from xml.etree import ElementTree

from build import build, call, compilers, start

root, folder = start()
source = os.path.join(folder, "timing.cu")
with open(source, "w") as text:
    text.write(r"""
#include "warploom.h"
__global__ void twice(double* __restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
extern "C" int launcher(double* a, const double* b, int n) {
  warploom::Region region("work:7");
  if (!region.useDevice()) return 0;
  if (warploom::overlap(a, n * sizeof(double), b, n * sizeof(double))) return region.stayOnHost("a overlaps b");
  if (n < 10 && !region.deviceForced()) return region.stayOnHost("too little work");
  auto device = region.array<double>("a", {static_cast<std::size_t>(n)});
  region.copyIn(device, a);
  for (int i = 0; i < 3; ++i) region.launch({dim3((n + 31) / 32), dim3(32)}, twice, device, n);
  region.copyOut(a, device);
  return region.finish();
}
int main() {
  double a[100] = {1}, b[100];
  int done = launcher(a, b, 100);
  done = 2 * done + launcher(a, b, 5);
  done = 2 * done + launcher(a, b, 100);
  done = 2 * done + launcher(a, a + 1, 99);
  return done;
}
""")


def gpu(launches):
    return r"warploom: region work:7 kernels \d+\.\d{3} transfers \d+\.\d{3} launches %d path gpu" % launches


def host(reason):
    return r"warploom: region work:7 kernels 0\.000 transfers 0\.000 launches 0 path host:" + reason


HEAD = "warploom: all of it +calls +kernels ms +bytes in +ms +bytes out +ms +host ms +path"


def row(calls, moved, path):
    ms = r"\d+\.\d{3}"
    return rf"warploom: work:7 +{calls} +{ms} +{moved} +{ms} +{moved} +{ms} +{ms}  {path}"


def total(calls, device, moved):
    return f"warploom: total regions {calls} on device {device} bytes in {moved} out {moved}"


EXPECTED = [
    ({}, 10, []),
    ({"WARPLOOM_TIMING": "1"}, 10, [gpu(6), host("too little work"), host("a overlaps b"), HEAD, row(2, 1600, "gpu"),
                                    row(1, 0, "host:too little work"), row(1, 0, "host:a overlaps b"), total(4, 2, 1600)]),
    ({"WARPLOOM_TIMING": "1", "WARPLOOM_DEVICE": "gpu"}, 14,
     [gpu(9), host("a overlaps b"), HEAD, row(3, 1640, "gpu"), row(1, 0, "host:a overlaps b"), total(4, 3, 1640)]),
    ({"WARPLOOM_TIMING": "1", "WARPLOOM_DEVICE": "host"}, 0,
     [host("WARPLOOM_DEVICE"), HEAD, row(4, 0, "host:WARPLOOM_DEVICE"), total(4, 0, 0)]),
    ({"WARPLOOM_DEVICE": "moon"}, 1, ["warploom: WARPLOOM_DEVICE is 'moon'; it may be host, gpu or gpu:NUMBER"]),
]
program = build(root, folder, compilers()[0], source)
for variables, status, lines in EXPECTED:
    done = call([program], env={**os.environ, **variables})
    found = done.stderr.splitlines()
    if done.returncode != status or len(found) != len(lines) or not all(map(re.fullmatch, lines, found)):
        sys.exit("%s: status %d\n%s" % (variables, done.returncode, done.stderr))

# The time line is JSON that Chrome reads: every passage, and what the device did in it.
trace = os.path.join(folder, "trace.json")
call([program], env={**os.environ, "WARPLOOM_TRACE": trace})
with open(trace) as text:
    events = json.load(text)["traceEvents"]
passages = [event for event in events if event["cat"] == "region"]
assert [event["args"]["path"] for event in passages] == ["gpu", "host:too little work", "gpu", "host:a overlaps b"], events
kinds = [event["name"] for event in events if event["cat"] == "device"]
assert kinds == 2 * ["to the device", "kernels", "to the host"], events
assert all(event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0 for event in events), events

# And a picture of it: a row for each kind of work, a bar for each piece.
picture = os.path.join(folder, "trace.svg")
call([sys.executable, os.path.join(root, "bench", "timeline"), trace, picture, "--title", "a < b"])
drawn = ElementTree.parse(picture).getroot()
bars = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
assert len(bars) == len(kinds) and all(re.fullmatch(r"\S+:\d+: [\d.]+ ms", bar) for bar in bars), bars
words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
assert {"a < b", "kernels", "to the device", "to the host"} <= set(words), words
