"""Matrix product, n = 512, double: the CPU execution within 10 times the plain C loop at -O2."""
import os
import re
import sys

from build import build, call, compilers, start

root, folder = start()
program = build(root, folder, compilers()[0], os.path.join(root, "test", "runtime", "matmul.cu"))
done = call([program, "512"])
print(done.stdout)
ratios = [float(r) for r in re.findall(r"ratio ([\d.]+)", done.stdout)]
sys.exit(done.returncode != 0 or not ratios or max(ratios) > 10)
