"""The interpretation bar: chips are changed, dropped, placed and built, and what they become runs under the policy."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hubs import installed
from streamlit.testing.v1 import AppTest

import ui
from assistant.api.report import build_report
from assistant.api.session import Session
from assistant.bootstrap import open_workspace
from assistant.core.events import Decision, Finding, Review
from assistant.settings.config import Settings
from ui.actions import is_as_shown
from ui.session_hub import SessionHub

PAGE = Path(ui.__file__).parent / "page.py"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionHub]:
    folder = tmp_path_factory.mktemp("chips")
    database = folder / "shop.sqlite"
    connection = sqlite3.connect(database)
    connection.executescript(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, channel TEXT, amount INTEGER, day DATE);"
        "INSERT INTO orders (city, channel, amount, day) VALUES"
        "  ('Kiel', 'shop', 10, '2025-03-01'), ('Kiel', 'post', 25, '2026-03-02'),"
        "  ('Ulm', 'shop', 30, '2026-04-01'), ('Ulm', 'shop', 40, '2025-05-01');"
    )
    connection.commit()
    connection.close()
    settings = Settings.model_validate(
        {
            "home": folder / "home",
            "sources": (f"shop={database}",),
            "as_of": date(2026, 9, 1),
            "embeddings": "hashing",
        }
    )
    with installed(lambda: open_workspace(settings)) as hub:
        yield hub


@pytest.fixture
def session(live: SessionHub) -> Session:
    return live.create()


def page(session: Session) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=120)
    app.query_params["s"] = session.id
    return app.run()


def ask(live: SessionHub, session: Session, text: str, *, run: bool = True) -> AppTest:
    live.call(session.ask(text))
    live.call(session.settled())
    waiting = session.transcript.waiting
    if run:
        assert waiting is not None
        live.call(session.decide(waiting.id, "approve"))
        live.call(session.settled())
    return page(session)


def open_chip(app: AppTest, name: str, search: str = "") -> AppTest:
    """Open a chip: tests have no popover to click, but its state is the page's."""
    app.session_state[f"open-{name}"] = True
    app.run()
    if search:
        field = next(one for one in app.text_input if str(one.key).startswith(f"search-{name}-"))
        field.set_value(search).run()
    return app


def choose(app: AppTest, name: str, kind: str, text: str) -> AppTest:
    """Choose what an open chip becomes."""
    offered = [b for b in app.button if str(b.key).startswith(f"choose-{name}-{kind}-")]
    next(button for button in offered if button.label == text).click()
    return app.run()


def run_chips(live: SessionHub, session: Session, app: AppTest, number: int) -> None:
    """Press Run under the changed query, and wait."""
    turns = len(session.transcript.turns)
    next(button for button in app.button if str(button.key).startswith(f"run-chips-{number}-")).click().run()
    live.call(_answered(session, turns + 1))


async def _answered(session: Session, turns: int) -> None:
    while len(session.transcript.turns) < turns or session.transcript.turns[-1].end is None:
        await asyncio.sleep(0.02)


def chip(app: AppTest, name: str) -> str:
    """The label of a chip."""
    popovers = (block.proto.popover for block in app.get("popover"))
    return next(str(popover.label) for popover in popovers if popover.id.endswith(f"-open-{name}"))


def rows(session: Session) -> set[tuple[object, ...]]:
    return {tuple(row) for row in build_report(session.id, session.events(), table=session.table).rows}


def test_another_group_runs_as_a_further_question_under_the_default_policy(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "total amount by city")
    open_chip(app, "1-group-by", search="channel")
    choose(app, "1-group-by", "Group by", "channel")
    assert not app.exception
    assert not session.transcript.turns[1:], "a change is shown and not run"
    assert any("Total amount of orders by channel" in str(m.value) for m in app.markdown)
    run_chips(live, session, app, 1)
    assert rows(session) == {("shop", 80), ("post", 25)}
    decision = next(e.event for e in reversed(session.events()) if isinstance(e.event, Decision))
    assert (decision.by, decision.subject, decision.action) == ("person", "code", "approve")


def test_a_changed_chip_shows_what_it_was_and_can_be_discarded(live: SessionHub, session: Session) -> None:
    app = choose(
        open_chip(ask(live, session, "total amount by city"), "1-group-by", "channel"),
        "1-group-by",
        "Group by",
        "channel",
    )
    assert chip(app, "1-group-by") == "Group by: **channel** :gray[(was city)]"
    app.button(key="discard-chips-1").click().run()
    assert chip(app, "1-group-by") == "Group by: **city**"
    assert not [button for button in app.button if str(button.key).startswith("run-chips-1-")]


def test_a_filter_is_dropped(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "total amount by city in shop")
    assert rows(session) == {("Ulm", 70), ("Kiel", 10)}
    open_chip(app, "1-filters")
    app.button(key="drop-1-filters-0").click().run()
    run_chips(live, session, app, 1)
    assert rows(session) == {("Ulm", 70), ("Kiel", 35)}


def test_what_is_typed_becomes_a_filter(live: SessionHub, session: Session) -> None:
    app = open_chip(ask(live, session, "total amount by city"), "1-filters", search="amount above 20")
    choose(app, "1-filters", "Filter", "amount is above 20")
    run_chips(live, session, app, 1)
    assert rows(session) == {("Ulm", 70), ("Kiel", 25)}


def test_a_second_group_is_added(live: SessionHub, session: Session) -> None:
    app = open_chip(ask(live, session, "total amount by city"), "1-group-by", search="channel")
    app.radio(key="where-1-group-by-2").set_value(1).run()
    choose(app, "1-group-by", "Group by", "channel")
    run_chips(live, session, app, 1)
    assert rows(session) == {("Kiel", "post", 25), ("Kiel", "shop", 10), ("Ulm", "shop", 70)}


def test_a_question_that_cannot_be_read_opens_the_bar_with_what_was_understood(
    live: SessionHub, session: Session
) -> None:
    app = ask(live, session, "total amount by star sign of the postman", run=False)
    turn = session.transcript.current
    assert turn is not None
    assert turn.end == "declined"
    assert chip(app, "1-measure") == "Measure: **total amount**"
    assert chip(app, "1-group-by") == "Group by"
    assert "postman" in [chip(app, f"1-unread-{n}") for n in range(3)]
    choose(open_chip(app, "1-group-by", "city"), "1-group-by", "Group by", "city")
    run_chips(live, session, app, 1)
    assert rows(session) == {("Ulm", 70), ("Kiel", 35)}


def test_a_grey_chip_is_placed_and_another_left_out(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "total amount by star sign of the postman", run=False)
    words = [chip(app, f"1-unread-{n}") for n in range(3)]
    place = words.index("postman")
    open_chip(app, f"1-unread-{place}")
    app.selectbox(key=f"kind-1-unread-{place}").set_value("Group by").run()
    choose(app, f"1-unread-{place}", "Group by", "channel")
    assert chip(app, "1-group-by") == "Group by: **channel**"
    open_chip(app, "1-unread-0")
    app.button(key="drop-1-unread-0").click().run()
    assert chip(app, "1-unread-0") == words[1]
    run_chips(live, session, app, 1)
    assert rows(session) == {("shop", 80), ("post", 25)}


def test_an_empty_bar_builds_a_query(live: SessionHub) -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=120)
    app.query_params["build"] = "1"
    app.run()
    session = live.open(app.query_params["s"][0] if isinstance(app.query_params["s"], list) else app.query_params["s"])
    assert not session.transcript.turns
    choose(open_chip(app, "0-measure", "average amount"), "0-measure", "Measure", "average amount")
    choose(open_chip(app, "0-group-by", "city"), "0-group-by", "Group by", "city")
    run_chips(live, session, app, 0)
    assert rows(session) == {("Ulm", 35.0), ("Kiel", 17.5)}


def test_a_change_that_does_not_fit_is_explained_and_changes_nothing(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "total amount by city")
    interpretations = live.of(session).interpretations
    base = interpretations.of(session.transcript.turns[0], wait_s=60)
    assert base is not None
    interpretations.edit(1, base, lambda of: of.replace(group_by="colour of the sky"))
    app = page(session)
    assert any("colour of the sky" in warning.value for warning in app.warning)
    assert chip(app, "1-group-by") == "Group by: **city**"


def test_a_draft_ends_when_a_column_is_masked(live: SessionHub, session: Session) -> None:
    ask(live, session, "total amount by city")
    interpretations = live.of(session).interpretations
    base = interpretations.of(session.transcript.turns[0], wait_s=60)
    assert base is not None
    interpretations.edit(1, base, lambda of: of.replace(group_by="channel"))
    assert interpretations.draft(1) is not None
    session.transcript.withheld += 1
    assert interpretations.draft(1) is None, "its choices may hold what is masked now"


def test_chips_that_compute_nothing_have_nothing_to_run(live: SessionHub, session: Session) -> None:
    app = open_chip(ask(live, session, "number of orders"), "1-measure")
    app.button(key="drop-1-measure-0").click().run()
    assert chip(app, "1-measure").startswith("Measure: **orders**")
    assert not [button for button in app.button if str(button.key).startswith("run-chips-1-")]


def test_the_kind_of_chart_is_shown_at_once_and_nothing_runs(live: SessionHub, session: Session) -> None:
    app = open_chip(ask(live, session, "total amount by city"), "1-chart")
    choose(app, "1-chart", "Chart", "pie")
    assert chip(app, "1-chart") == "Chart: **pie**"
    (turn,) = session.transcript.turns
    assert turn.appearance.chart == "pie"


def test_options_to_choose_from_are_differences_of_chips(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "average karma of amount by city", run=False)
    waiting = session.transcript.waiting
    assert waiting is not None
    assert waiting.clarification is not None
    options = [button for button in app.button if str(button.key).startswith("option-")]
    assert len(options) == len(waiting.clarification.options) > 1
    assert all("\\: " in option.label for option in options), [option.label for option in options]


def test_a_waiting_query_is_changed_in_its_place(live: SessionHub, session: Session) -> None:
    app = ask(live, session, "total amount by city", run=False)
    assert [button for button in app.button if str(button.key).startswith("go-")]
    choose(open_chip(app, "1-group-by", "channel"), "1-group-by", "Group by", "channel")
    assert not [button for button in app.button if str(button.key).startswith("go-")], "one decision at a time"
    run_chips(live, session, app, 1)
    assert rows(session) == {("shop", 80), ("post", 25)}


def test_the_button_that_runs_a_query_is_that_of_this_query_alone(live: SessionHub, session: Session) -> None:
    """A press that was meant for a query that another tab has changed meanwhile runs nothing."""

    def keys(app: AppTest) -> set[str]:
        return {str(button.key) for button in app.button if str(button.key).startswith("run-chips-")}

    app = choose(
        open_chip(ask(live, session, "total amount by city"), "1-group-by", "channel"),
        "1-group-by",
        "Group by",
        "channel",
    )
    first = keys(app)
    second = keys(choose(open_chip(app, "1-sort-and-top", "5"), "1-sort-and-top", "Top", "5"))
    assert len(first) == len(second) == 1
    assert first.isdisjoint(second)


def test_what_waits_is_approved_only_where_it_is_the_query_that_was_shown(live: SessionHub, session: Session) -> None:
    ask(live, session, "total amount by city", run=False)
    waiting = session.transcript.waiting
    assert waiting is not None
    assert waiting.item is not None
    (query,) = waiting.item.proposal.queries
    source = session.transcript.sources[0].name
    assert is_as_shown(waiting, query.sql, source)
    assert not is_as_shown(waiting, f"{query.sql} LIMIT 1", source)
    elsewhere = waiting.item.proposal.model_copy(update={"queries": (query.model_copy(update={"source": "old"}),)})
    assert not is_as_shown(replace(waiting, item=replace(waiting.item, proposal=elsewhere)), query.sql, source)
    of_a_model = waiting.item.proposal.model_copy(update={"meaning": ""})
    assert not is_as_shown(replace(waiting, item=replace(waiting.item, proposal=of_a_model)), query.sql, source)
    review = Review(turn=1, proposal="1.1.1", verdict="concerns", findings=(Finding(level="warning", text="Many"),))
    assert not is_as_shown(replace(waiting, item=replace(waiting.item, review=review)), query.sql, source)
