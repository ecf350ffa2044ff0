"""The example of docs/runtime.md compiles, runs and says what the page says; so does services.cu, which uses the rest."""
import os
import re
import sys

from build import build, call, compilers, start

root, folder = start()
with open(os.path.join(root, "docs", "runtime.md")) as page:
    text = page.read()
program_text = re.search(r"```cpp\n(// example\.cu.*?)```", text, re.S).group(1)
promised = re.search(r"```\n\$ \./example\n(.*?)```", text, re.S).group(1)
source = os.path.join(folder, "example.cu")
with open(source, "w") as out:
    out.write(program_text)
for compiler, sanitize in zip(compilers(), (False, True)):
    done = call([build(root, folder, compiler, source, sanitize)])
    if done.returncode != 0 or done.stdout != promised or done.stderr:
        sys.exit("%s: status %d\n%s%s" % (compiler, done.returncode, done.stdout, done.stderr))

done = call([build(root, folder, compilers()[0], os.path.join(root, "test", "runtime", "services.cu"))])
if done.returncode != 0 or done.stdout != "ok\n":
    sys.exit("services: status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
