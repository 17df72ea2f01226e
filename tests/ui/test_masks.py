"""What looks like personal data is put before the person on the page, and one click decides."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hubs import installed
from streamlit.testing.v1 import AppTest

from assistant import bootstrap
from assistant.session.session import Session
from assistant.settings.config import Settings, load
from assistant.settings.masks import masks_decided
from ui import session_hub


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """The home of a page that is served on a database with two columns of personal data."""
    path = tmp_path / "crm.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, reach TEXT, phone TEXT, day DATE)")
        con.executemany(
            "INSERT INTO customer VALUES (?, ?, ?, '2024-01-02')",
            [(n, f"planted{n}@mail.example", f"+41 44 668 18 0{n}") for n in range(9)],
        )
    settings = Settings(home=tmp_path / "home", sources=(str(path),), embeddings="hashing")
    with installed(lambda: bootstrap.open_workspace(settings)):
        yield settings.home


@pytest.mark.slow
def test_one_click_masks_a_column_and_another_dismisses_the_proposal(home: Path) -> None:
    def script() -> None:
        from ui.screens import settings

        settings.draw()

    def buttons(app: AppTest) -> set[str]:
        return {str(button.key) for button in app.button} & {
            f"{what}-crm.customer.{column}" for what in ("mask", "show") for column in ("id", "reach", "phone", "day")
        }

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    assert buttons(app) == {
        f"{what}-crm.customer.{column}" for what in ("mask", "show") for column in ("reach", "phone")
    }
    assert masks_decided(home).mask == (), "nothing is masked before the person says so"
    app = app.button(key="mask-crm.customer.reach").click().run()
    assert not app.exception
    assert buttons(app) == {"mask-crm.customer.phone", "show-crm.customer.phone"}
    assert "crm.customer.reach is masked now" in app.success[0].value.replace("\\", "")
    app = app.button(key="show-crm.customer.phone").click().run()
    assert not app.exception
    assert buttons(app) == set()
    told = "\n".join(str(element.value) for element in app.markdown)
    assert "never shown: customer.reach" in told.replace("\\", "")
    assert "planted" not in told
    decided = masks_decided(home)
    assert (decided.mask, decided.dismissed) == (("crm.customer.reach",), ("crm.customer.phone",))
    assert load({"TANDEM_HOME": str(home)}, folder=home).mask == ("crm.customer.reach",)


def test_a_conversation_that_is_open_shows_nothing_of_the_column_any_more(home: Path) -> None:
    def settings() -> None:
        from ui.screens import settings

        settings.draw()

    def chat() -> None:
        from ui.screens import chat

        chat.draw()

    def drawn() -> str:
        app = AppTest.from_function(chat, default_timeout=120)
        app.query_params["s"] = session.id
        app.run()
        assert not app.exception
        return "\n".join(str(element.value) for element in (*app.markdown, *app.dataframe))

    served = session_hub.current()
    session = served.create()
    assert isinstance(session, Session)
    served.call(session.ask("List the reach of customers", approve=("plan", "query", "python")))
    served.call(session.settled())
    assert "planted3" in drawn()
    app = AppTest.from_function(settings, default_timeout=120).run()
    app = app.button(key="mask-crm.customer.reach").click().run()
    assert "1 answer that used it is withheld" in app.success[0].value
    told = drawn()
    assert "planted" not in told
    assert "crm.customer.reach, masked since" in told
    assert b"planted" not in served.call(session.export())


def test_an_open_page_draws_older_turns_anew_when_one_is_withheld(home: Path) -> None:
    from ui.screens import conversation

    served = session_hub.current()
    session = served.create()
    assert isinstance(session, Session)
    for question in ("List the reach of customers", "How many customers are there?"):
        served.call(session.ask(question, approve=("plan", "query", "python")))
        served.call(session.settled())
    served.of(session).suggest_question(1, wait_s=60)  # it is part of the frame, and found out beside the page
    before = conversation._compute_frame(served, session, served.of(session).view())
    assert conversation._compute_frame(served, session, served.of(session).view()) == before
    assert served.decide_mask("crm.customer.reach", mask=True) == 1
    assert [turn.end for turn in served.of(session).view().turns] == ["declined", "answered"]
    assert conversation._compute_frame(served, session, served.of(session).view()) != before
