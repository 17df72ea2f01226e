"""Run, edit, reject and stop by keys; what a screen reader hears; and plan and code that are approved together."""

from __future__ import annotations

import re
from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser, expect

from assistant.core.events import Decision, DecisionRequested, ExecutionStarted, Plan

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")
TABS_MAX = 25
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot) at = at.shadowRoot.activeElement;
  return at?.className ?? "";
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("keys")) as running:
        yield running


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server((*PROGRAM, "free"), tmp_path_factory.mktemp("free")) as running:
        yield running


def test_a_question_is_rejected_edited_and_run_by_keys_alone(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        keys = tab.page.keyboard
        tab.ask("chart total")
        tab.see("Is this the right plan?")
        _hinted(tab, "Start", "Alt + A")
        _hears(tab, "Your approval is needed")
        tab.settle()
        keys.press("Alt+a")
        tab.see("Run this query?")
        for button, hint in (("Run", "Alt + A"), ("Edit", "Alt + E"), ("Reject", "Alt + X")):
            _hinted(tab, button, hint)
        tab.settle()
        keys.press("Alt+x")
        tab.page.get_by_label("What should change?").wait_for()
        _tab_to(tab, "What should change?")
        keys.type("only completed sales")
        keys.press("Tab")
        keys.press("Enter")
        tab.see("You rejected the code")
        assert _decisions(tab)[-1].reason == "only completed sales"

        tab.see("Run this query?")
        tab.settle()
        keys.press("Alt+e")
        tab.page.get_by_label("Edit the code", exact=False).wait_for()
        wait(lambda: "cm-content" in str(tab.page.evaluate(FOCUSED)))
        keys.press("Control+Home")
        keys.type("# by keys\n")
        keys.press("Control+Enter")
        tab.see("Run this Python?")
        assert _started(tab)[0].code.startswith("# by keys\n")
        tab.settle()
        keys.press("Alt+a")
        tab.until("answer")
        tab.see("leads with")
        _hears(tab, "Finished")
        wait(lambda: "st-key-answer-1" in str(tab.page.evaluate("document.activeElement.className")), for_s=30)


def test_what_runs_is_stopped_by_a_key(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.ask("slow")
        tab.see("Run this Python?")
        tab.settle()
        tab.page.keyboard.press("Alt+a")
        tab.until("execution_started")
        tab.see("Running the Python")
        _hears(tab, "Working: running")
        _hinted(tab, "Stop", "Alt + S")
        tab.settle()
        tab.page.keyboard.press("Alt+s")
        tab.until("stopped")


def test_run_all_approves_plan_and_code_with_each_cell_a_click_away(browser: Browser, free: Server) -> None:
    with browsing.tab(browser, free) as tab:
        tab.ask("chart total")
        tab.see("Is this the right plan?")
        for label, code in (("SQL of step 1", "FROM sales"), ("Python of step 2", "mark_bar")):
            tab.settle()
            tab.page.get_by_text(re.compile(rf"{label}$")).click()
            tab.see(code)
        tab.settle()
        assert not _started(tab)
        tab.page.get_by_role("button", name="Run all").click()
        tab.until("answer")
        log = free.log(tab.session)
        plan = next(e for e in log if isinstance(e, Plan))
        assert [e.subject for e in log if isinstance(e, DecisionRequested)] == ["plan"]
        assert [e.code for e in _started(tab)] == [cell.code for cell in plan.cells]


def test_step_by_step_runs_no_code_that_was_not_shown(browser: Browser, free: Server) -> None:
    with browsing.tab(browser, free) as tab:
        tab.ask("chart total")
        tab.see("Is this the right plan?")
        tab.settle()
        tab.page.get_by_role("button", name="Step by step").click()
        for n, (asked, code) in enumerate((("Run this query?", "FROM sales"), ("Run this Python?", "mark_bar"))):
            tab.see(asked)
            tab.see(code)
            assert len(_started(tab)) == n
            tab.run(asked)
            tab.until("execution_started", n + 1)
        tab.until("answer")
        people = [e.subject for e in _decisions(tab) if e.by == "person"]
        assert people == ["plan", "code", "code"]


def _hinted(tab: Tab, name: str, hint: str) -> None:
    """The button shows its key."""
    button = tab.page.get_by_test_id("stBottom").get_by_role("button", name=re.compile(rf"\b{name}\b")).first
    expect(button).to_contain_text(re.compile(hint.replace(" + ", r"\s*\+?\s*")))


def _hears(tab: Tab, said: str) -> None:
    """A screen reader is told."""
    wait(lambda: any(said in text for text in tab.page.locator("[aria-live=polite]").all_text_contents()))


def _tab_to(tab: Tab, label: str) -> None:
    """Press Tab until the field of that label has the focus."""
    has = "label => (document.activeElement.getAttribute('aria-label') ?? '').startsWith(label)"
    for _ in range(TABS_MAX):
        if tab.page.evaluate(has, label):
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError(f"{label!r} is not reached by Tab")


def _decisions(tab: Tab) -> list[Decision]:
    return [e for e in tab.server.log(tab.session) if isinstance(e, Decision)]


def _started(tab: Tab) -> list[ExecutionStarted]:
    return [e for e in tab.server.log(tab.session) if isinstance(e, ExecutionStarted)]
