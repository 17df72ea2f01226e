"""What every test shares: a home of its own, and skips that are said and, in CI, are failures."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import hypothesis
import pytest
from sqlglot import Dialect
from sqlglot.tokenizer_core import Token

from knowledge import parsing

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program itself sets it
_SKIPPED: list[str] = []

# How long an example takes says nothing here but how busy the machine is.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore
    """No test reads or writes the person's own settings, sessions or keys."""
    for name in [
        name for name in os.environ if name.startswith("TANDEM_") or name in ("OPENAI_API_KEY", "OPENAI_BASE_URL")
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(autouse=True)
def _no_sql_read_on_an_event_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # pyright: ignore
    """Whatever a test runs, no coroutine of the product reads SQL itself, for its event loop would wait."""
    tokenize = parsing.tokenize
    waiting: list[str] = []

    def watch(sql: str, dialect: Dialect | str) -> tuple[Token, ...]:
        caller = _coroutine_around(inspect.currentframe()) if _is_in_event_loop() else None
        if caller is not None and not caller.co_filename.startswith(str(Path(__file__).parent)):
            waiting.append(f"{caller.co_qualname} in {caller.co_filename}")
        return tokenize(sql, dialect)

    monkeypatch.setattr(parsing, "tokenize", watch)
    yield
    assert not waiting, f"SQL is read on an event loop, so call what reads it with asyncio.to_thread: {set(waiting)}"


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _coroutine_around(frame: FrameType | None) -> CodeType | None:
    """The innermost coroutine that waits for what is called; None where a callback of the loop calls it."""
    while frame is not None and not frame.f_code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        frame = frame.f_back
    return frame.f_code if frame is not None else None


@pytest.fixture(autouse=True)
def _umask_unchanged() -> Iterator[None]:  # pyright: ignore
    """No test changes the rights of the files that later tests make."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    after = os.umask(before)
    assert after == before, f"the test left the umask at {after:03o}"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    parameters = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in parameters}))
    return True


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        _SKIPPED.append(f"{report.nodeid}: {report.longrepr[2]}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _SKIPPED and os.environ.get("CI") == "true" and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = len(terminalreporter.stats.get("deselected", []))
    if left_out and "not" in config.option.markexpr:
        rest = "marked slow, browser or server were left out; script/test --all runs them too"
        # script/test --all, which runs all in parts, says what becomes of the others.
        terminalreporter.write_line(f"{left_out} tests {os.environ.get('LEFT_OUT', rest)}.")
    if _SKIPPED and os.environ.get("CI") == "true":
        terminalreporter.write_line("With CI=true a skipped test is a failure: install what it needs.", red=True)
        for line in _SKIPPED:
            terminalreporter.write_line(f"  {line}", red=True)
