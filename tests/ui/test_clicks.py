"""Twenty ordinary questions on the sample company cost at most twenty clicks, and how an answer is shown costs none."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser

from assistant.core.events import Answer, Decision, Presented

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

PROGRAM = ("-m", "ui.serve", "--port", "{port}")
QUESTIONS = (
    "revenue by region",
    "as a pie chart",
    "as percentages",
    "sort by name",
    "revenue by month in 2025",
    "as an area chart",
    "top 5 products by revenue",
    "only the top 3",
    "in thousands",
    "how many orders were there in 2025",
    "orders by channel",
    "as bars",
    "average order value by segment",
    "how many customers do we have",
    "gross margin by category",
    "largest first",
    "orders by status",
    "revenue by category in 2025",
    "number of support tickets",
    "as a table",
)
CLICKS_MAX = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("clicks")
    with Server(PROGRAM, folder, environment={"TANDEM_HOME": str(folder / "home")}) as running:
        yield running


def test_twenty_ordinary_questions_cost_at_most_twenty_clicks(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.open()
        clicks = {question: _clicks(tab, question) for question in QUESTIONS}
        assert sum(clicks.values()) <= CLICKS_MAX, clicks
        assert max(clicks.values()) <= 1, clicks
        assert len(clicks) == 20
        answers = [e for e in server.log(tab.session) if isinstance(e, Answer)]
        assert [one.text for one in answers if one.status != "answered"] == [], "what is declined costs no click"
        assert len(answers) == 11
        people = [e for e in server.log(tab.session) if isinstance(e, Decision) and e.by == "person"]
        assert len(people) <= CLICKS_MAX
        shown = [(e.turn, e.said, e.look) for e in server.log(tab.session) if isinstance(e, Presented)]
        assert len(shown) == 9, shown


def test_under_the_second_policy_questions_cost_no_click_and_it_is_kept(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.ask("revenue by region")
        tab.see("Run this query?")
        tab.page.locator('[class*="st-key-more-"] button').first.click()
        tab.page.get_by_text("Run read-only queries that pass all checks").click()
        tab.see("Runs read-only queries")
        assert "execution_started" not in tab.events, "what waits is still the person's to decide"
        tab.run("Run this query?")
        tab.until("answer")
        assert _clicks(tab, "orders by channel") == 0
        assert _clicks(tab, "how many customers do we have") == 0
        tab.open()
        tab.say("revenue by month in 2025")
        tab.until("answer")  # another conversation on the same source: the policy holds there too


def _clicks(tab: Tab, question: str) -> int:
    """Ask, press what must be pressed until there is an answer, and count."""
    before = tab.events if "s=" in tab.page.url else []
    done = before.count("answer") + before.count("presented")
    tab.say(question)
    clicks = 0

    def step() -> bool:
        nonlocal clicks
        now = tab.events
        if now.count("answer") + now.count("presented") > done:
            return True
        button = tab.page.locator('[class*="st-key-go-"] button, [class*="st-key-option-"] button')
        if now[-1] in ("decision_requested", "clarification") and button.count():
            button.first.click()
            clicks += 1
            wait(lambda: len(tab.events) > len(now))
        return False

    wait(step)
    return clicks
