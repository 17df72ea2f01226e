"""A command imports no more than it needs: what takes long to import stays out of the commands that do not use it.

Start time is guarded by what is imported and by how many modules that is, a tenth above today's: both are the same on
every machine. Seconds are measured by `benchmarks/start.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from assistant.delivery.command_line import main
status = main(sys.argv[1:])
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(status)
"""
MODELS = {"autogen_agentchat", "autogen_core", "autogen_ext", "openai", "anthropic", "httpx"}
KNOWLEDGE = {"chromadb", "onnxruntime", "tokenizers", "safetensors"}
PAGE_AND_PICTURES = {"streamlit", "altair", "matplotlib", "vl_convert", "nbformat", "nbclient", "jupyter_client", "zmq"}
FRAMES = {"pandas", "scipy", "sklearn", "statsmodels", "duckdb"}
NEVER_NEEDED = MODELS | KNOWLEDGE | PAGE_AND_PICTURES | FRAMES
ENGINES = {"sqlglot", "pyarrow", "numpy", "simplemma", "yaml"}


def imported(*command: str, modules_max: int) -> set[str]:
    """The top-level packages that a command had imported when it ended, which were so many modules at most."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command],
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = done.stderr.splitlines()[-1].split()
    assert len(modules) <= modules_max, f"{len(modules)} modules; import where it is used (python -X importtime)"
    return {name.partition(".")[0] for name in modules}


def test_the_help_imports_neither_store_nor_settings() -> None:
    unneeded = NEVER_NEEDED | ENGINES | {"sqlalchemy", "pydantic", "sandbox", "knowledge", "ui"}
    assert not sorted(imported("--help", modules_max=420) & unneeded)


def test_the_list_of_sessions_imports_no_engine_and_no_model() -> None:
    assert not sorted(imported("sessions", modules_max=820) & (NEVER_NEEDED | ENGINES))


@pytest.mark.slow
def test_a_question_to_the_embedded_analyst_imports_no_autogen_chroma_or_pandas() -> None:
    unneeded = NEVER_NEEDED | {"requests", "PIL", "google", "opentelemetry", "simplemma"}
    asked = imported("ask", "What was net revenue by region last quarter?", "--yes", modules_max=1_260)
    assert not sorted(asked & unneeded)
