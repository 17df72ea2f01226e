"""Nothing goes round the check: who makes an address, a rights or a connection to data is a short list."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.trust.rights import Rights

ROOT = Path(__file__).parents[3]
ALLOWED = {
    # Addresses are parsed, read back by the same judge, or made of a file that Tandem wrote and nobody named.
    "SourceAddress": {
        "assistant/sources/addresses.py",
        "assistant/sources/address_file.py",
        "assistant/sources/combined/source.py",
        "assistant/sources/workers/worker.py",
    },
    "Rights": {"assistant/bootstrap.py"},
    "EngineSource": {"assistant/sources/opening.py", "assistant/sources/combined/source.py"},
    "ServerSource.open": {"assistant/sources/opening.py"},
    "SqliteSource.open": {"assistant/sources/workers/worker.py"},
    "DuckdbSource.open": {"assistant/sources/workers/worker.py"},
}
NOBODY_NAMED = {"assistant/sources/combined/source.py", "assistant/sources/workers/worker.py"}


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Each call of the product: its file, what is called, and the call."""
    for part in ("assistant", "ui", "tandem"):
        for path in sorted((ROOT / part).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield str(path.relative_to(ROOT)), ast.unparse(node.func), node


@pytest.mark.slow
@pytest.mark.parametrize("name", ALLOWED)
def test_only_these_make_it(name: str) -> None:
    assert {file for file, called, _ in calls() if called == name} == ALLOWED[name]


def test_an_address_that_nobody_is_judged_by_is_a_file_of_tandem() -> None:
    unjudged = {
        file
        for file, called, call in calls()
        for argument in call.keywords
        if called == "SourceAddress" and argument.arg == "rights" and ast.unparse(argument.value) == "None"
    }
    assert unjudged == NOBODY_NAMED


def test_no_address_without_who_asks() -> None:
    assert inspect.signature(parse_addresses).parameters["rights"].default is inspect.Parameter.empty
    defaults = {field.name: field.default for field in fields(SourceAddress)}
    assert defaults["rights"] is MISSING
    required = {field.name for field in fields(Rights) if field.default is MISSING and field.default_factory is MISSING}
    assert required == {"requester", "private"}
