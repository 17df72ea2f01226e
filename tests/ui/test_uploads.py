"""Files that are added in the chat: data, and what says how it is to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hubs import installed
from streamlit.testing.v1 import AppTest

from assistant import bootstrap
from assistant.core.events import Question, SourceAdded
from assistant.record.store.lock import SessionLock
from assistant.session.session import Session
from assistant.settings.config import Settings
from ui import session_hub

ORDERS = b"no;amount\n00012;1.500\n00013;2.000\n"
READING = b'decimal = ","\n[types]\nno = "text"\n'


@pytest.fixture
def served(tmp_path: Path) -> Iterator[session_hub.SessionHub]:
    own = tmp_path / "own.csv"
    own.write_text("a,b\n1,2\n")
    settings = Settings(home=tmp_path / "home", sources=(str(own),), embeddings="hashing")
    with installed(lambda: bootstrap.open_workspace(settings)) as hub:
        yield hub


def read(page: AppTest) -> AppTest:
    """Draw the page until no data is being read for it."""
    while any(key in page.session_state for key in ("beginning", "connecting", "data-listing")):
        page.run()
    return page


def chat() -> None:
    from ui.screens import chat

    chat.draw()


def test_a_file_is_read_as_its_companion_says_and_another_toml_is_refused(served: session_hub.SessionHub) -> None:
    session = served.create()
    page = AppTest.from_function(chat, default_timeout=120)
    page.query_params["s"] = session.id

    told: list[str] = []

    def added(*files: tuple[str, bytes]) -> list[SourceAdded]:
        page.run()
        for name, content in files:
            page.chat_input(key="composer").upload(name, content)
        page.run()
        assert not page.exception
        told.extend(toast.value for toast in page.toast)
        while served.of(session).activities.describe:
            served.call(session.settled())
        page.run()
        told.extend(toast.value for toast in page.toast)
        return [entry.event for entry in session.events() if isinstance(entry.event, SourceAdded)]

    assert [one.name for one in added(("settings.toml", b""))] == ["own"]
    assert "is no data" in told.pop()
    assert [one.name for one in added(("orders.csv.tandem.toml", READING))] == ["own"]
    assert "did not come with it" in told.pop()
    own, orders = added(("orders.csv.tandem.toml", READING), ("orders.csv", ORDERS))
    assert (own.name, orders.name) == ("own", "orders")
    assert isinstance(session, Session)
    catalog = served.call(session._resources.data.catalogs())[1]
    assert [(column.name, column.kind) for column in catalog.tables[0].columns] == [
        ("no", "text"),
        ("amount", "integer"),
    ]


def test_a_file_that_is_one_table_is_named_once(served: session_hub.SessionHub) -> None:
    session = served.create(bare=True)
    served.call(session.sources.add_files([("orders.csv", ORDERS)]))
    page = AppTest.from_function(chat, default_timeout=120)
    page.query_params["s"] = session.id
    page.run()
    (told,) = [text.value for text in page.markdown if ":material/database:" in text.value]
    assert told == ":gray[:material/database:] **orders** :gray[\\(2 rows\\)]"


@pytest.mark.parametrize(("name", "sources"), [("orders.csv", ["orders"]), ("broken.xlsx", ["own"])])
def test_files_of_the_first_question_are_its_only_data(
    served: session_hub.SessionHub, name: str, sources: list[str]
) -> None:
    page = AppTest.from_function(chat, default_timeout=120).run()
    page.chat_input(key="first").upload(name, ORDERS)
    page.run()
    read(page)
    assert not page.exception
    session = served.open(page.query_params["s"])
    while served.of(session).activities.describe:
        served.call(session.settled())
    page.run()
    assert not page.exception
    assert [one.name for one in served.of(session).view().sources] == sources


def test_several_addresses_are_one_session_and_one_that_fails_leaves_none(
    served: session_hub.SessionHub, tmp_path: Path
) -> None:
    def data() -> None:
        import streamlit as st

        from ui.screens import routes, sources

        st.navigation(list(routes.build_pages().values()), position="hidden")
        sources.draw()

    (tmp_path / "sold.csv").write_text("a,b\n1,2\n")
    page = read(AppTest.from_function(data, default_timeout=120).run())
    for second, names in (("nowhere.csv", []), ("sold.csv", ["first", "sold"])):
        page.text_area(key="address").set_value(f"first={tmp_path / 'own.csv'}\n\n{tmp_path / second}\n")
        next(one for one in page.button if one.label == "Connect" and one.form_id).click().run()
        read(page)
        connected = [one.name for session in served.opened() for one in served.of(session).view().sources]
        assert connected == names
        if not names:
            assert "nowhere.csv" in page.error[0].value.replace("\\", "")


def test_a_question_that_came_with_a_broken_file_is_kept_and_asked_by_one_click(served: session_hub.SessionHub) -> None:
    session = served.create()
    page = AppTest.from_function(chat, default_timeout=120)
    page.query_params["s"] = session.id
    page.run()
    page.chat_input(key="composer").upload("broken.xlsx", b"no workbook").set_value("How many orders are there?")
    page.run()
    while served.of(session).activities.describe:
        served.call(session.settled())
    page.run()
    assert not page.exception
    assert any("How many orders are there" in text.value for text in page.markdown)
    assert not page.toast  # the card says it, and stays
    page.button(key="ask-unasked").click().run()
    served.call(session.settled())
    assert [entry.event.text for entry in session.events() if isinstance(entry.event, Question)] == [
        "How many orders are there?"
    ]
    page.run()
    assert "ask-unasked" not in [button.key for button in page.button]


def test_a_question_to_a_session_that_is_at_work_elsewhere_is_kept_and_asked_by_one_click(
    served: session_hub.SessionHub, tmp_path: Path
) -> None:
    session = served.create()
    page = AppTest.from_function(chat, default_timeout=120)
    page.query_params["s"] = session.id
    page.run()
    with SessionLock(tmp_path / "home" / "sessions" / session.id / "lock"):
        page.chat_input(key="composer").set_value("How many orders are there?").run()
    page.run()
    assert not [entry for entry in session.events() if isinstance(entry.event, Question)]
    assert any("at work in another window" in text.value for text in page.markdown)
    page.button(key="ask-unasked").click().run()
    served.call(session.settled())
    assert [e.event.text for e in session.events() if isinstance(e.event, Question)] == ["How many orders are there?"]
