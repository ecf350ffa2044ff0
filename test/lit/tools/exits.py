"""`exits.py N command...`: runs the command and succeeds when it ends by itself with status exactly N.

Unlike `not`, a crash, a signal or another status is never taken for the expected failure.
"""

import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
status = subprocess.run(command, check=False).returncode
if status != expected:
    how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    sys.exit(f"exits.py: expected status {expected}, but {command[0]} {how}")
