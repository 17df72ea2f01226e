"""`%load_ext tandem`: `%ask` and `%%ask` in IPython and JupyterLab, with the same approvals as elsewhere.

    %%ask --data orders --approve queries
    net revenue by region last quarter

`--data` names a variable of the notebook, a file or a URL; `--on` goes on with the last answer. The answer is shown,
and kept as `answer`.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tandem.answer import Answer

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


_KEPT_AS = "answer"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register `%ask` and `%%ask`."""

    def magic(line: str, cell: str | None = None) -> Answer:
        return _asked(shell, line, cell)

    shell.magics_manager.register_function(magic, magic_kind="line_cell", magic_name="ask")


def _asked(shell: InteractiveShell, line: str, cell: str | None) -> Answer:
    from tandem.asking import ask

    options = _parser().parse_args(shlex.split(line))
    question = " ".join([*options.question, (cell or "").strip()]).strip()
    before = shell.user_ns.get(_KEPT_AS)
    if options.on and isinstance(before, Answer):
        answer = before.ask(question)
    else:
        answer = ask(question, data=_data(shell.user_ns, options.data), approve=options.approve)
    shell.user_ns[_KEPT_AS] = answer
    return answer


def _data(names: dict[str, Any], names_or_paths: list[str]) -> dict[str, Any] | None:
    """What `--data` names: variables of the notebook by their names, else files or URLs."""
    data = {name if name in names else Path(name).stem: names.get(name, name) for name in names_or_paths}
    return data or None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="%ask", description="Ask a question of data.", exit_on_error=False)
    parser.add_argument("question", nargs="*")
    parser.add_argument("--data", action="append", default=[], metavar="NAME", help="a variable, a file or a URL")
    parser.add_argument("--approve", choices=("ask", "queries", "all"), default="ask", help="what runs without asking")
    parser.add_argument("--on", action="store_true", help="go on with the last answer")
    return parser
