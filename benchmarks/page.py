"""How fast the page is: first paint, starters, from event to screen, an idle tab, ten open sessions while two run.

    .venv/bin/python benchmarks/page.py [--only paint events idle open] [--times 60] [--idle-seconds 30]

`paint` serves the sample company as `tandem serve` does. The others serve recorded sessions whose last event is another at
every tick: it carries the time at which it came, and the page's own observer tells when it was on the screen, so nothing
of the measuring stands between the two. Figures are of this machine as loaded as it is; the load is printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "ui"), str(ROOT / "tests" / "support")]

import browsing  # noqa: E402 - the tests' own browser
import recorded  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page  # noqa: E402

from assistant.core.events import AnyEvent, Decision, Entry, Execution, ExecutionStarted, Proposal, Review  # noqa: E402

CELLS = 10
STAMP = "came at "
GOALS = {
    "first paint": "2 s",
    "starters": "3 s",
    "event to screen": "250 ms",
    "idle": "0.5 %",
}

# Tells, for each stamp that the page shows for the first time, how long after it came that was.
OBSERVER = """
window.late = [];
const seen = new Set();
new MutationObserver(() => {
  const found = document.body?.innerText.match(/came at (\\d+)/g) ?? [];
  const now = Date.now();
  for (const one of found) if (!seen.has(one)) { seen.add(one); window.late.push(now - Number(one.slice(8))); }
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


# --- what is served -------------------------------------------------------------------------------------------


def cells(turn: int) -> Iterator[AnyEvent]:
    """Ten cells that ran."""
    for step in range(1, CELLS + 1):
        id_ = f"{turn}.{step}.1"
        yield Proposal(
            turn=turn, id=id_, step=step, revision=1, language="sql", title=f"Cell {step}", code=recorded.SQL
        )
        yield Review(turn=turn, proposal=id_, verdict="ok")
        yield Decision(turn=turn, request=f"{id_}?", subject="code", ref=id_, action="approve", by="policy")
        yield ExecutionStarted(turn=turn, id=id_, step=step, language="sql", code=recorded.SQL, cage="full")
        yield Execution(turn=turn, id=id_, step=step, language="sql", code=recorded.SQL, status="ok", seconds=0.3)


@dataclass
class Ticking(recorded.Session):
    """An answered turn, and one of ten cells whose last event is another every `every_s` seconds; never where 0."""

    every_s: float = 0.0
    listeners: set[Callable[[], None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        turn = 2
        question = recorded.FIRST[0].model_copy(update={"turn": turn})
        plan = recorded.FIRST[2].model_copy(update={"turn": turn, "id": "2"})
        self._before = recorded.entries((*recorded.OPENED, *recorded.FIRST, question, plan, *cells(turn)))
        self.log = self._before
        if self.every_s:
            threading.Thread(target=self._tick, daemon=True).start()

    def _tick(self) -> None:
        while True:
            time.sleep(self.every_s)
            if not self.listeners:
                continue
            title = f"{STAMP}{time.time() * 1000:.0f}"
            event = Proposal(turn=2, id="2.11.1", step=11, revision=1, language="sql", title=title, code="SELECT 1")
            at = self._before[-1].at
            self.log = (*self._before, Entry(seq=len(self._before) + 1, at=at, event=event))
            self.version += 1
            for listener in tuple(self.listeners):
                listener()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.listeners.add(callback)
        return lambda: self.listeners.discard(callback)


class Workspace(recorded.Workspace):
    """Sessions `still-N`, and `every-MILLISECONDS-N`, which tick."""

    async def open(self, session_id: str) -> recorded.Session:
        parts = session_id.split("-")
        if parts[0] not in ("still", "every"):
            return await super().open(session_id)
        if session_id not in self.opened:
            every_s = int(parts[1]) / 1000 if parts[0] == "every" else 0.0
            self.opened[session_id] = Ticking(session_id, (), working=bool(every_s), every_s=every_s)
        return self.opened[session_id]


def serve_recorded(port: int) -> None:
    """Serve the sessions above."""
    from collections.abc import AsyncGenerator
    from contextlib import asynccontextmanager

    from ui.authentication import Key
    from ui.serve import serve

    @asynccontextmanager
    async def open_workspace() -> AsyncGenerator[Workspace]:
        yield Workspace()

    serve(open_workspace, Key(token=os.environ["TANDEM_TOKEN"], port=port))


# --- how it is measured ---------------------------------------------------------------------------------------


@contextmanager
def served(*program: str) -> Iterator[browsing.Server]:
    """A server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = {"TANDEM_HOME": str(Path(folder) / "home")}
        with browsing.Server(program, Path(folder), environment=home) as server:
            yield server


@contextmanager
def tab(browser: Browser, server: browsing.Server) -> Iterator[tuple[BrowserContext, Page]]:
    """A tab with nothing in its cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.request.get(f"{server.address}/_stcore/health?token={browsing.TOKEN}")
        page.set_default_timeout(120_000)
        page.add_init_script(OBSERVER)
        yield context, page
    finally:
        context.close()


def paint(browser: Browser, times: int) -> None:
    """From the address to the first thing drawn, the question, and the starters: at once after the start, and later."""
    with served("-m", "ui.serve", "--port", "{port}") as server:
        rows: list[tuple[float, float, float]] = []
        for _ in range(times):
            with tab(browser, server) as (_context, page):
                began = time.monotonic()
                page.goto(server.address, wait_until="commit")
                page.get_by_text("What do you want to know?").wait_for()
                headed = time.monotonic() - began
                page.locator(".st-key-starters button").first.wait_for()
                started = time.monotonic() - began
                first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
                rows.append((first / 1000, headed, started))
    for name, some in (("first tab after the start", rows[:1]), (f"later tabs, median of {len(rows) - 1}", rows[1:])):
        if some:
            first, headed, started = (statistics.median(column) for column in zip(*some, strict=True))
            _row(f"first paint, {name}", f"{first:.2f} s", GOALS["first paint"])
            _row(f"page drawn, {name}", f"{headed:.2f} s", GOALS["first paint"])
            _row(f"starters, {name}", f"{started:.2f} s", GOALS["starters"])


def events(browser: Browser, times: int) -> None:
    """From an event to the screen, in a turn with ten cells below an answer with its chart and table."""
    with served(__file__, "--serve", "{port}") as server, tab(browser, server) as (context, page):
        page.goto(f"{server.address}/?s=every-500-1")
        _drawn(page)
        page.wait_for_timeout(2000)
        devtools = _devtools(context)
        server_before, browser_before = _processor_seconds(server), _task_seconds(devtools)
        late = _late(page, times)
        server_took, browser_took = _processor_seconds(server) - server_before, _task_seconds(devtools) - browser_before
        _told("event to screen, ten cells", late)
        _row("processor time of the server, an event", f"{1000 * server_took / len(late):.0f} ms", "")
        _row("processor time of the browser, an event", f"{1000 * browser_took / len(late):.0f} ms", "")


def idle(browser: Browser, seconds: float) -> None:
    """What a tab costs in which nothing happens, of one processor: at the server, and in the browser."""
    with served(__file__, "--serve", "{port}") as server, tab(browser, server) as (context, page):
        page.goto(f"{server.address}/?s=still-1")
        _drawn(page)
        page.wait_for_timeout(3000)
        one = _server_share(server, page, seconds)
        devtools = _devtools(context)
        before = _task_seconds(devtools)
        page.wait_for_timeout(seconds * 1000)
        browser_share = (_task_seconds(devtools) - before) / seconds
        others = [context.new_page() for _ in range(7)]
        for n, other in enumerate(others):
            other.goto(f"{server.address}/?s=still-{n + 2}")
            _drawn(other)
        page.wait_for_timeout(3000)
        eight = _server_share(server, page, seconds)
        _row("server, one idle tab", f"{100 * one:.2f} %", "")
        _row("server, each further idle tab", f"{100 * (eight - one) / 7:.2f} %", GOALS["idle"])
        _row("browser, one idle tab", f"{100 * browser_share:.2f} %", GOALS["idle"])


def opened(browser: Browser, times: int) -> None:
    """Ten open sessions of which two run: from an event to the screen in those, and from a click in an idle one."""
    with served(__file__, "--serve", "{port}") as server, tab(browser, server) as (context, page):
        others = [context.new_page() for _ in range(9)]
        for n, other in enumerate(others):
            other.add_init_script(OBSERVER)
            other.set_default_timeout(120_000)
            other.goto(f"{server.address}/?s={'every-500-2' if n == 0 else f'still-{n}'}")
            _drawn(other)
        page.goto(f"{server.address}/?s=every-500-1")
        _drawn(page)
        page.wait_for_timeout(2000)
        others[0].evaluate("window.late = []")
        first = _late(page, times)
        second = others[0].evaluate("window.late")
        _told("event to screen, ten sessions open, two run", [*first, *second])
        waits = [_click(others[-1]) for _ in range(12)]
        _told("click to screen in an idle one of them", waits)


def _click(page: Page) -> float:
    """Open what folds an answer's derivation, and close it: milliseconds until it is there."""
    fold = page.get_by_text("How this was computed").first
    began = time.monotonic()
    fold.click()
    page.get_by_text("Filters").first.wait_for()
    took = 1000 * (time.monotonic() - began)
    fold.click()
    page.get_by_text("Filters").first.wait_for(state="detached")
    page.wait_for_timeout(300)
    return took


def _drawn(page: Page) -> None:
    page.get_by_test_id("stChatInputTextArea").wait_for()
    page.locator(".stVegaLiteChart svg, .stVegaLiteChart canvas").first.wait_for()


def _late(page: Page, times: int) -> list[float]:
    """How late events came on the screen, in milliseconds, those of the first drawing left out."""
    page.evaluate("window.late = []")
    page.wait_for_function(f"window.late.length >= {times}", timeout=600_000)
    return list(page.evaluate("window.late"))


def _server_share(server: browsing.Server, page: Page, seconds: float) -> float:
    """The share of a processor that the server takes while nothing happens."""
    before = _processor_seconds(server)
    page.wait_for_timeout(seconds * 1000)
    return (_processor_seconds(server) - before) / seconds


def _processor_seconds(server: browsing.Server) -> float:
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _devtools(context: BrowserContext) -> CDPSession:
    """What tells how long the first tab has worked: time of the processor, not of the wall."""
    devtools = context.new_cdp_session(context.pages[0])
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return devtools


def _task_seconds(devtools: CDPSession) -> float:
    metrics: list[dict[str, float | str]] = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def _told(what: str, late: Sequence[float]) -> None:
    ordered = sorted(late)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    _row(f"{what}, p50 of {len(ordered)}", f"{statistics.median(ordered):.0f} ms", "")
    _row(f"{what}, p95", f"{p95:.0f} ms", GOALS["event to screen"])


def _row(what: str, figure: str, goal: str) -> None:
    print(f"| {what} | {figure} | {goal} |", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", default=["paint", "events", "idle", "open"])
    parser.add_argument("--times", type=int, default=60)
    parser.add_argument("--idle-seconds", type=float, default=30.0)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    os.environ.setdefault("TANDEM_TOKEN", browsing.TOKEN)
    if given.serve:
        serve_recorded(given.serve)
        return 0
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n\n| what | figure | goal |\n|---|---|---|")
    with browsing.chromium() as browser:
        if "paint" in given.only:
            paint(browser, 4)
        if "events" in given.only:
            events(browser, given.times)
        if "idle" in given.only:
            idle(browser, given.idle_seconds)
        if "open" in given.only:
            opened(browser, given.times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
