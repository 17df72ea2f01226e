"""What a program with many sessions sets in its interpreter."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc, sys
from assistant.runtime.responsiveness import keep_responsive
class Node: pass
node = Node()
node.itself = node
keep_responsive()
print(sys.getswitchinterval() <= 0.001, gc.get_freeze_count() > 1_000, gc.get_threshold()[0] >= 10_000, gc.isenabled())
"""


def test_threads_give_way_soon_and_what_is_imported_is_never_looked_through_again() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "True True True True\n"
