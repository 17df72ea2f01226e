"""An answer with several results shows each: in the report, at the terminal, in the document and in the notebook."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime

import pytest

from assistant.api.report import build_report
from assistant.cells.tables import TableView
from assistant.core.events import Answer, Entry, Proposal, Question
from assistant.core.turns import Transcript, fold_session
from assistant.delivery.terminal import show_answer
from assistant.errors import SessionError
from assistant.output.notebook.builder import build
from assistant.session.answers.presenting import Facts
from assistant.session.answers.reporting import render_report

TABLES = {
    "1.1.1": TableView(columns=("variant", "buyers"), rows=(("banner", 5), ("plain", 1)), total=2),
    "1.2.1": TableView(columns=("p_value",), rows=((0.207,),), total=1),
}


def put(id_: str, title: str, result: str) -> Proposal:
    step = int(id_[2])
    return Proposal(
        turn=1, id=id_, step=step, revision=1, language="sql", title=title, why=title, code="SELECT 1", result=result
    )


LOG = (
    Question(turn=1, text="Does the banner sell?"),
    put("1.1.1", "Buyers by variant", "buyers"),
    put("1.2.1", "Exact test", "fisher"),
    Answer(turn=1, status="answered", text="It may be chance.", table="1.2.1", more_tables=("1.1.1", "1.9.9")),
)


class Shown:
    """A session that is only read."""

    id = "s"
    title = "Banner"

    def events(self) -> tuple[Entry, ...]:
        return tuple(Entry(seq=n, at=datetime(2026, 1, 1, tzinfo=UTC), event=e) for n, e in enumerate(LOG, 1))

    @property
    def transcript(self) -> Transcript:
        return fold_session(self.events())

    def table(self, execution: str, *, rows_max: int = 1000) -> TableView | None:
        return TABLES.get(execution)

    async def facts(self, execution: str) -> Facts:
        return Facts(properties={})

    async def apply_masks(self) -> None:
        """Nothing is masked."""


def test_the_report_holds_each_table_with_the_name_of_its_result() -> None:
    made = build_report("s", Shown().events(), table=Shown().table)
    assert (made.columns, made.rows) == (("p_value",), ((0.207,),))
    assert [(one.name, one.columns, one.rows) for one in made.more] == [
        ("buyers", ("variant", "buyers"), (("banner", 5), ("plain", 1)))
    ]


def test_the_terminal_prints_each_table_under_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(Shown())  # type: ignore[arg-type]
    printed = capsys.readouterr().out
    assert printed.index("0.207") < printed.index("Buyers by variant") < printed.index("banner")


def test_the_document_gives_each_table_a_section() -> None:
    page = asyncio.run(render_report(Shown(), today=date(2026, 1, 1))).decode()  # type: ignore[arg-type]
    assert page.index("0.207") < page.index("Buyers by variant") < page.index(">banner<")


def test_the_notebook_names_the_results() -> None:
    text = "".join(cell.source for cell in build(Shown().events(), ()).cells)
    assert "**Results:** `fisher`, `buyers`" in text


class Gone(Shown):
    """Its data went away."""

    async def facts(self, execution: str) -> Facts:
        raise SessionError("The source cannot be opened.")


def test_a_document_is_made_also_where_the_data_went_away() -> None:
    page = asyncio.run(render_report(Gone(), today=date(2026, 1, 1))).decode()  # type: ignore[arg-type]
    assert ">banner<" in page
