#!/usr/bin/env python3
"""Do tests notice a small change of the code? Samples edits of the syntax tree and runs the nearest tests on each.

    python benchmarks/mutation.py [AREA ...] [--edits 40] [--seed 1]

An edit turns a comparison, swaps `and` and `or`, changes a constant, removes `not`, swaps signs, returns None, never
takes a branch, or drops a statement. Nothing is edited here: tests of a copy are collected once for each area, and a
forked process changes one function and runs those that call it; an edit of what runs at import starts them anew. Left
out is what changes no behaviour (types, decorators, assertions, logging) and the wording of messages (texts with spaces).
"""

from __future__ import annotations

import argparse
import ast
import gc
import inspect
import os
import pickle
import random
import resource
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import SimpleQueue
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType, FunctionType

import hypothesis
import pytest
from _pytest.main import pytest_runtestloop

ROOT = Path(__file__).resolve().parents[1]
SECONDS_MAX = 90
NOT_IN_PLACE, FAULT = 77, 78
"""The status of an edit that changes what runs at import, so that its tests start anew; and of a fault of this program."""
PYTEST = ("-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
LIBRARIES = ("pydantic", "yaml", "sqlglot.optimizer", "duckdb", "pyarrow", "sqlalchemy", "autogen_core.model_context")
CORE, QUERY, MEMORY = "tests/assistant/core", "tests/assistant/query", "tests/assistant/record/memory"
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "fold": (("assistant/core/turns/*.py",), (f"{CORE}/test_fold.py", f"{CORE}/test_flow.py")),
    "flow": (("assistant/core/flow.py",), (f"{CORE}/test_flow.py", f"{CORE}/test_fold.py")),
    "approval": (("assistant/core/approval/*.py",), (f"{CORE}/approval", "-k", "not waits and not again and not page")),
    "guard": (
        tuple(f"assistant/query/{name}.py" for name in ("guard", "rules", "functions", "pivots", "system_tables")),
        (f"{QUERY}/test_guard.py", "-k", "not any_text and not as_honest"),
    ),
    "masks": (
        ("assistant/query/mask*.py", "assistant/sources/withholding.py"),
        (*(f"{QUERY}/test_mask{part}.py" for part in ("s", "_verdicts", "_inheritance")), "tests/assistant/sources/test_withholding.py", "-k", "not shape"),
    ),
    "memory": (("assistant/record/memory/*.py",), (MEMORY, "-k", "not other_words and not mean_the_same and not nobody_spoke")),
}  # fmt: skip
"""The files of each area, and its nearest tests without the slowest, so that the share is a lower bound."""

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A part of a file, in bytes, and what stands there instead."""

    file: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, code: bytes) -> bytes:
        """The file with the edit."""
        return code[: self.start] + self.text.encode() + code[self.end :]


def list_edits(file: str, code: bytes) -> Iterator[Edit]:
    """Every edit of a file, in order."""
    offsets = [0]
    for line in code.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    for node, change in _walk(ast.parse(code)):
        assert node.end_lineno is not None, "a parsed node has a place"
        assert node.end_col_offset is not None, "likewise"
        start, end = offsets[node.lineno - 1] + node.col_offset, offsets[node.end_lineno - 1] + node.end_col_offset
        breaks = "\n" * (node.end_lineno - node.lineno)  # so that what follows keeps its lines
        text = change.replace("(", f"({breaks}", 1) if change.startswith("(") else change + breaks
        yield Edit(file=file, line=node.lineno, start=start, end=end, text=text)


Part = ast.expr | ast.stmt


def _walk(node: ast.AST) -> Iterator[tuple[Part, str]]:
    """The parts of a tree that can be changed, each with what stands in its place."""
    yield from _change(node)
    for child in _list_parts(node):
        yield from _walk(child)


def _list_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that are behaviour. Within f-strings, positions are not known before Python 3.12."""
    match node:
        case (
            ast.JoinedStr() | ast.Assert() | ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING"))
        ):
            return []
        case ast.Subscript(value=ast.Name(id=name)) if _is_type(node.value) or name in ("list", "dict", "set", "tuple"):
            return []
        case ast.BinOp(op=ast.BitOr()) if _is_type(node.right):
            return []
        case ast.Call(
            func=ast.Name(id="cast" | "assert_never" | "field") | ast.Attribute(value=ast.Name(id="logging"))
        ):
            return []
        case ast.ClassDef(bases=[ast.Name(id="Protocol")]) | ast.Assign(targets=[ast.Name(id="__all__")]):
            return []
        case ast.AnnAssign(value=value):
            return [value] if value is not None else []
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None), *node.body]
        case ast.ClassDef():
            return [*node.body]
        case _:
            return [*ast.iter_child_nodes(node)]


def _is_type(node: ast.expr) -> bool:
    name = getattr(node, "attr", None) or getattr(node, "id", "")
    return name[:1].isupper() and not name.isupper()


def _change(node: ast.AST) -> Iterator[tuple[Part, str]]:  # noqa: C901  one arm for each kind of edit
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield node, f"({ast.unparse(ast.Compare(left, [_TURNED[type(operator)]()], [right]))})"
        case ast.BoolOp(values=values):
            yield node, f"({ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), values))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.BinOp(left=left, right=right) if type(node.op) in _SWAPPED and not _is_type(right):
            yield node, f"({ast.unparse(ast.BinOp(left, _SWAPPED[type(node.op)](), right))})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(number) | float(number)):
            yield node, repr(number + 1)
        case ast.Constant(value=str(text)) if text and not any(map(str.isspace, text)):
            yield node, repr(f"{text}~")
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield node, "return None"
        case ast.If(test=test) | ast.IfExp(test=test) if ast.unparse(test) != "TYPE_CHECKING":
            yield test, "(False)"
        case ast.Expr(
            value=ast.Call(func=ast.Name(id="assert_never")) | ast.Call(func=ast.Attribute(value=ast.Call()))
        ):
            pass  # for the type checker; a call to `super()` or of a logger
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()) | ast.Raise() | ast.AugAssign():
            yield node, "pass"
        case ast.Continue() | ast.Break() | ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple()]):
            yield node, "pass"
        case _:
            pass


def list_functions(code: CodeType) -> Iterator[CodeType]:
    """The code of a module's functions and methods, without those that stand within another."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            is_class = not part.co_flags & inspect.CO_OPTIMIZED
            yield from list_functions(part) if is_class else (part,)


def find_change(before: bytes, after: bytes) -> tuple[CodeType, CodeType] | None:
    """The one function that an edit changes, as it was and as it is; None where it changes what runs at import."""
    old, new = ([*list_functions(compile(code, "", "exec", dont_inherit=True))] for code in (before, after))
    changes = [(first, second) for first, second in zip(old, new, strict=False) if first != second]
    return changes[0] if len(changes) == 1 and len(old) == len(new) else None


def replace_code(module: str, old: CodeType, new: CodeType) -> bool:
    """Change a function of an imported module in place. Whether it is there."""
    for function in gc.get_objects():
        if (
            isinstance(function, FunctionType)
            and function.__module__ == module
            and _key(function.__code__) == _key(old)
        ):
            function.__code__ = new
            return True
    return False


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


class EditLoop:
    """A plugin of pytest that collects once, and runs for each edit, in a process of its own, the tests that reach it."""

    def __init__(self, folder: Path, edits: Sequence[Edit], outcomes: SimpleQueue[int]) -> None:
        self._folder, self._edits, self._outcomes, self._recorded = folder, edits, outcomes, False
        self._reached: dict[str, tuple[float, set[tuple[str, int]]]] = {}
        """For each test how long it takes, and the functions that it calls."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Test without an edit first, then each edit."""
        self._outcomes.put(run_apart(partial(self._test_unedited, session)))
        if (calls := self._folder / "calls.pickle").exists():
            self._reached = pickle.loads(calls.read_bytes())
            for edit in self._edits:
                self._outcomes.put(run_apart(partial(self._test_edit, session, edit)))
        return True

    def _test_unedited(self, session: pytest.Session) -> int:
        self._recorded = True
        outcome = run_loop(session)
        (self._folder / "calls.pickle").write_bytes(pickle.dumps(self._reached))
        return outcome

    def _test_edit(self, session: pytest.Session, edit: Edit) -> int:
        before = (self._folder / edit.file).read_bytes()
        change = find_change(before, edit.apply(before))
        if change is None or not replace_code(edit.file.removesuffix(".py").replace("/", "."), *change):
            return NOT_IN_PLACE
        session.items = [item for item in session.items if _key(change[0]) in self._reached[item.nodeid][1]]
        session.items.sort(key=lambda item: self._reached[item.nodeid][0])
        self._recorded = False
        return run_loop(session)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record what a test calls."""
        if not self._recorded:
            return (yield)
        start, keys = time.process_time(), set[tuple[str, int]]()

        def watch(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                keys.add(_key(frame.f_code))

        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            self._reached[item.nodeid] = time.process_time() - start, keys


def run_loop(session: pytest.Session) -> int:
    """Run the tests up to the first failure."""
    try:
        pytest_runtestloop(session)
    except (session.Failed, session.Interrupted):
        return 1
    return int(session.testsfailed > 0)


def run_apart(work: Callable[[], int], *, has_limit: bool = True) -> int:
    """What work in a forked process gives; something else than 0 where it raises, or takes too much processor time."""
    process = os.fork()
    if process == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        if has_limit:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))
        try:
            os._exit(work())
        finally:
            os._exit(FAULT)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run_pytest(folder: Path, tests: Sequence[str], *plugins: object) -> int:
    """Run pytest in the copy, in a process that has imported nothing of the product."""
    os.chdir(folder)
    os.environ["PYTHONPATH"] = sys.path[0] = str(folder)
    sys.dont_write_bytecode = True  # that of an edit might pass for that of the next
    return int(pytest.main([*PYTEST, *tests], plugins))


def measure(folder: Path, area: str, *, edits_max: int, seed: int) -> tuple[int, int]:
    """Make a sample of an area's edits and print those that no test notices. Gives how many were made and noticed."""
    patterns, tests = AREAS[area]
    files = sorted(path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern))
    edits = [edit for file in files for edit in list_edits(file, (folder / file).read_bytes())]
    edits = sorted(
        random.Random(seed).sample(edits, min(edits_max, len(edits))), key=lambda edit: (edit.file, edit.start)
    )
    outcomes: SimpleQueue[int] = SimpleQueue()
    run_apart(lambda: run_pytest(folder, tests, EditLoop(folder, edits, outcomes)), has_limit=False)
    if outcomes.empty() or outcomes.get() != 0:
        raise SystemExit(f"{area}: the tests fail without any edit. Correct that first: pytest {' '.join(tests)}")
    survivors = 0
    for edit in edits:
        path = folder / edit.file
        code, outcome = path.read_bytes(), outcomes.get()
        if outcome == NOT_IN_PLACE:
            path.write_bytes(edit.apply(code))
            outcome = run_apart(lambda: run_pytest(folder, tests))
            path.write_bytes(code)
        if outcome == FAULT:
            raise SystemExit(f"{edit.file}:{edit.line} could not be tested with {edit.text!r}.")
        if outcome == 0:
            survivors += 1
            before, after = (" ".join(text.split()) for text in (code[edit.start : edit.end].decode(), edit.text))
            print(f"  survives  {edit.file}:{edit.line}\n    - {before}\n    + {after}", flush=True)
    return len(edits), len(edits) - survivors


def main() -> None:
    """Measure areas and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("areas", nargs="*", choices=[*AREAS, []], metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in LIBRARIES:
        import_module(name)
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        max_examples=25,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    hypothesis.settings.load_profile("mutation")
    rows: list[tuple[str, int, int]] = []
    with TemporaryDirectory(prefix="mutation-") as name:
        folder = Path(name)
        for part in ("assistant", "knowledge", "sandbox", "tandem", "ui", "tests", "pyproject.toml"):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
            copy(ROOT / part, folder / part)
        for area in options.areas or AREAS:
            print(area, flush=True)
            rows.append((area, *measure(folder, area, edits_max=options.edits, seed=options.seed)))
    print(f"\n{'area':10} {'edits':>5} {'noticed':>7} {'share':>6}   (seed {options.seed})")
    for area, edits, noticed in rows:
        print(f"{area:10} {edits:5} {noticed:7} {noticed / edits:6.0%}")


if __name__ == "__main__":
    main()
