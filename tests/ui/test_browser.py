"""The whole path in a real browser: a real server, session, review, broker and kernel; only the planner follows a script."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser, Error

from assistant.core.events import Decision, ExecutionStarted, Question, SourceAdded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        yield opened


def test_ask_plan_edit_reject_approve_chart_follow_up_export(tab: Tab) -> None:
    tab.ask("chart total by region")
    tab.see("chart total by region")
    tab.see("Is this the right plan?")
    tab.see("Total: Sum of amount.")
    tab.page.get_by_role("textbox", name="Step 1").fill("Total amount by region, largest first")
    tab.start()
    tab.see("Run this query?")
    assert [s.title for d in _decisions(tab) for s in d.steps or ()][:1] == ["Total amount by region, largest first"]

    tab.say("leave out returned orders")
    tab.until("decision_requested", 3)
    tab.see("You rejected the code")
    assert _decisions(tab)[-1].reason == "leave out returned orders"

    tab.page.get_by_role("button", name="Edit").click()
    editor = tab.page.get_by_label("Edit the code", exact=False)
    editor.click()
    tab.page.keyboard.press("Control+Home")
    tab.page.keyboard.type("# my edit\n")
    tab.page.get_by_role("button", name="Run edited code").click()  # at once, before the editor has told the server
    tab.see("Run this Python?")
    started = [e for e in tab.server.log(tab.session) if isinstance(e, ExecutionStarted)]
    assert started[0].code.startswith("# my edit\n")
    assert _decisions(tab)[-1].action == "edit"

    tab.run("Run this Python?")
    tab.until("answer")
    tab.see("leads with")
    tab.page.locator(".stVegaLiteChart canvas, .stVegaLiteChart svg").first.wait_for()
    tab.page.get_by_test_id("stDataFrame").first.wait_for()
    tab.see("4 rows")
    tab.page.get_by_text("How this was computed").click()
    tab.see("Summed amount by region.")
    tab.see("You edited and approved the code")

    tab.press("total only the North")
    tab.run("Run this query?")
    tab.until("answer", 2)
    wait(lambda: tab.page.get_by_text("leads with").count() == 2)

    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Notebook").click()
        tab.see("Making the notebook")
    tab.page.get_by_text("Making the notebook").wait_for(state="detached")
    notebook = json.loads(Path(download.value.path()).read_text())
    assert notebook["nbformat"] == 4
    assert any("# my edit" in "".join(cell["source"]) for cell in notebook["cells"])


def test_the_table_downloads_as_csv(tab: Tab) -> None:
    _answered(tab)
    tab.settle()
    tab.page.locator('[class*="st-key-download-"] button').first.click()
    for place, first in ((0, "Region,Total"), (1, "region,total")):
        lines = tab.download(tab.page.get_by_role("button", name="CSV").nth(place)).decode("utf-8-sig").splitlines()
        assert (lines[0], lines[1].split(",")[0]) == (first, "North")
    tab.page.keyboard.press("Escape")
    tab.page.locator('[data-testid="stDataFrame"]').first.hover()
    own = tab.page.locator('button[aria-label^="Download as CSV"]')
    assert own.count() >= 1  # the grid's own, which guards against no formula
    assert not any(button.is_visible() for button in own.all())


def test_the_question_is_on_the_page_before_the_session_is(tab: Tab) -> None:
    tab.open()
    hold = tab.server.folder / "hold"
    hold.touch()
    try:
        tab.say("total, shown at once")
        tab.page.locator('[class*="st-key-bubble-"]').get_by_text("total, shown at once").wait_for()
        assert "s=" not in tab.page.url
    finally:
        hold.unlink()
    tab.run("Run this query?")


def test_a_double_click_is_one_decision(tab: Tab) -> None:
    tab.ask("total")
    tab.see("Run this query?")
    tab.page.locator('[class*="st-key-go-"] button').dblclick()
    tab.until("answer")
    assert [d.request for d in _decisions(tab)] == ["1.1.1?"]
    assert tab.events.count("execution") == 1


def test_a_second_tab_follows_and_cannot_decide_twice(tab: Tab, browser: Browser) -> None:
    tab.ask("chart")
    tab.see("Is this the right plan?")
    with browsing.tab(browser, tab.server) as second:
        second.open(f"/?s={tab.session}")
        second.see("Is this the right plan?")
        tab.start()
        second.see("Run this query?")
        tab.see("Run this query?")
        at_once = """(at) => setTimeout(
            () => document.querySelector('[class*="st-key-go-"] button')?.click(), at - Date.now()
        )"""
        when = int(time.time() * 1000) + 500
        for page in (tab.page, second.page):
            page.evaluate(at_once, when)
        second.see("Run this Python?")
        assert tab.events.count("execution") == 1
        assert len({d.request for d in _decisions(tab)}) == len(_decisions(tab))


def test_stop_ends_a_running_cell_and_the_session_goes_on(tab: Tab) -> None:
    tab.ask("slow")
    tab.run("Run this Python?")
    tab.see("Running the Python")
    tab.until("execution_started")
    tab.page.get_by_role("button", name="Stop", exact=False).click()
    tab.until("stopped")
    tab.see("Everything up to here is kept.")
    tab.settle()  # what is typed while the page is drawn anew may be lost
    tab.say("total")
    tab.run("Run this query?")
    tab.until("answer")
    tab.see("leads with")


def test_a_clarification_is_answered_by_a_click(tab: Tab) -> None:
    tab.ask("unclear total")
    tab.see("Which total do you mean?")
    tab.page.get_by_role("button", name="Amount", exact=True).click()  # the starters that fade out name it, too
    tab.run("Run this query?")
    tab.until("answer")


def test_declined_and_failed_say_what_to_do_next(tab: Tab) -> None:
    tab.ask("decline this")
    tab.see("I cannot answer this as it stands")
    tab.see("Ask about sales by region.")
    tab.say("fault")
    tab.see("This question could not be finished")
    tab.see("Everything up to here is kept.")


def test_a_failed_cell_is_diagnosed_on_the_page(tab: Tab) -> None:
    tab.ask("broken")
    tab.start()
    tab.run("Run this query?")
    tab.run("Run this Python?")
    wait(lambda: {"diagnosis", "answer"} <= set(tab.events))
    tab.see("This did not work out")


def test_stop_asking_holds_for_queries_only(tab: Tab) -> None:
    tab.ask("chart")
    tab.start()
    tab.see("Run this query?")
    tab.settle()
    tab.page.locator('[class*="st-key-more-1-1-1"] button:visible').first.click()  # a tooltip doubles it
    try:
        tab.page.get_by_text("Run read-only queries that pass all checks").click()
        tab.see("Runs read-only queries")
        assert "execution_started" not in tab.events, "what waits is still the person's to decide"
        tab.run("Run this query?")
        tab.see("Run this Python?")
        assert [e.kind for e in tab.server.log(tab.session)].count("policy_changed") == 1
        tab.run("Run this Python?")
        tab.until("answer")
        tab.say("total")
        tab.until("answer", 2)
        assert [d.subject for d in _decisions(tab)] == ["plan", "code", "code"]
    finally:  # it is kept for the source, which the other tests use too
        (tab.server.folder / "home" / "policies.json").unlink()


def test_an_uploaded_file_becomes_data(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("day,visits\n2026-01-01,10\n2026-01-02,12\n")
    tab.open()
    tab.attach(file)
    tab.say("total")
    tab.until("question")
    assert [e.name for e in tab.server.log(tab.session) if isinstance(e, SourceAdded)] == ["visits"]
    assert [e.files for e in tab.server.log(tab.session) if isinstance(e, Question)] == [("visits.csv",)]


def test_an_unreadable_file_is_said_and_nothing_is_lost(tab: Tab, tmp_path: Path) -> None:
    _answered(tab)
    file = tmp_path / "broken.xlsx"
    file.write_bytes(b"this is no workbook")
    tab.attach(file)
    tab.say("total")
    tab.see("The file could not be added, so nothing was asked")
    assert tab.page.get_by_test_id("stToast").count() == 0  # its card says why, and stays
    assert tab.events.count("question") == 1
    tab.see("leads with")


HOSTILE = (
    '<img src=x onerror="alert(1)"> ![x](http://evil.example/x.png) [go](javascript:alert(1)) :red[x] $x$ '
    "a.b@evil.example x:@e.example https://evil.example www.evil.example"
)


def test_hostile_text_is_shown_as_it_is(tab: Tab) -> None:
    dialogs: list[str] = []
    tab.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.ask(f"total {HOSTILE}")
    tab.run("Run this query?")
    tab.until("answer")
    bubble = tab.page.locator('[class*="st-key-bubble-"]')
    assert " ".join(bubble.inner_text().split()) == f"total {HOSTILE}"
    tab.see("leads with")
    copy = "e => (getSelection().selectAllChildren(e), getSelection().toString())"
    copied = wait(lambda: str(bubble.evaluate(copy)))  # nothing can be selected in what is being drawn anew
    assert " ".join(copied.split()) == f"total {HOSTILE}"
    assert bubble.locator("img, a").count() == 0
    assert dialogs == []


REACHED = (
    "planned",
    "code",
    "editing",
    "rejected",
    "running",
    "answered",
    "clarifying",
    "declined",
    "failed",
    "stopped",
)


@pytest.mark.parametrize("state", REACHED)
def test_a_refresh_loses_nothing(tab: Tab, state: str) -> None:
    marks = _reach(tab, state)
    before = tab.events
    tab.page.reload()
    for mark in marks:
        tab.see(mark)
    assert tab.events == before
    if state == "editing":
        editor = tab.page.get_by_label("Edit the code", exact=False)
        wait(lambda: "# kept" in editor.inner_text())
    if state in ("code", "rejected"):
        tab.run("Run this query?")
        tab.until("answer")
    if state == "running":
        tab.page.get_by_role("button", name="Stop", exact=False).click()
        tab.until("stopped")


def _reach(tab: Tab, state: str) -> tuple[str, ...]:
    """Bring a session into a state; gives what the page shows in it."""
    match state:
        case "planned":
            tab.ask("chart")
            tab.see("Is this the right plan?")
            return ("Is this the right plan?",)
        case "code":
            tab.ask("total")
            tab.see("Run this query?")
            return ("Run this query?", "Read-only")
        case "editing":
            tab.ask("total")
            tab.see("Run this query?")
            tab.page.get_by_role("button", name="Edit").click()
            tab.page.get_by_label("Edit the code", exact=False).click()
            tab.page.keyboard.press("Control+End")
            tab.page.keyboard.type("  # kept")
            tab.page.wait_for_timeout(1500)
            return ("Your edit is reviewed before it runs.",)
        case "rejected":
            tab.ask("total")
            tab.see("Run this query?")
            tab.say("only the North")
            tab.until("decision_requested", 2)
            tab.see("You rejected the code")
            return ("You rejected the code", "Run this query?")
        case "running":
            tab.ask("slow")
            tab.run("Run this Python?")
            tab.until("execution_started")
            return ("Running the Python", "Working. You can close this tab and come back.")
        case "answered":
            _answered(tab)
            return ("leads with", "4 rows")
        case "clarifying":
            tab.ask("unclear")
            tab.see("Which total do you mean?")
            return ("Which total do you mean?",)
        case "declined":
            tab.ask("decline")
            tab.see("I cannot answer this as it stands")
            return ("I cannot answer this as it stands",)
        case "failed":
            tab.ask("fault")
            tab.see("This question could not be finished")
            return ("This question could not be finished",)
        case _:
            tab.ask("slow")
            tab.run("Run this Python?")
            tab.until("execution_started")
            tab.page.get_by_role("button", name="Stop", exact=False).click()
            tab.until("stopped")
            tab.see("Continue from here")
            return ("Everything up to here is kept.", "Continue from here")


def test_a_killed_server_keeps_the_decision_and_the_tab_heals(browser: Browser, tmp_path: Path) -> None:
    server = Server(PROGRAM, tmp_path)
    server.start()
    try:
        with browsing.tab(browser, server) as tab:
            tab.ask("total")
            tab.see("Run this query?")
            tab.page.evaluate("window.before = true")
            server.kill()
            server.start()
            wait(lambda: _is_new(tab))
            tab.run("Run this query?")
            tab.until("answer")
            tab.see("leads with")
            assert tab.events.count("execution") == 1
    finally:
        server.stop()


def test_a_server_killed_while_a_cell_runs_says_so(browser: Browser, tmp_path: Path) -> None:
    server = Server(PROGRAM, tmp_path)
    server.start()
    try:
        with browsing.tab(browser, server) as tab:
            tab.ask("slow")
            tab.run("Run this Python?")
            tab.until("execution_started")
            session = tab.session
            server.kill()
            server.start()
            tab.open(f"/?s={session}")
            tab.see("Tandem ended while this was under way")
            tab.say("total")
            tab.run("Run this query?")
            tab.until("answer")
    finally:
        server.stop()


def _answered(tab: Tab) -> None:
    tab.ask("total")
    tab.run("Run this query?")
    tab.until("answer")
    tab.see("leads with")


def _decisions(tab: Tab) -> list[Decision]:
    """What the person decided."""
    return [event for event in tab.server.log(tab.session) if isinstance(event, Decision) and event.by == "person"]


def _is_new(tab: Tab) -> bool:
    """Whether the page was loaded anew."""
    try:
        return not tab.page.evaluate("window.before === true")
    except Error:  # it is being loaded just now
        return False


def test_a_question_of_its_own_is_no_change_of_what_waits(tab: Tab) -> None:
    tab.ask("total")
    tab.see("Run this query?")
    tab.say("how many sales are there?")
    tab.until("question", 2)
    assert "reject" not in [decision.action for decision in _decisions(tab)]
