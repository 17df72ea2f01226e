"""Which turns are withheld once a column is masked: those that used it, and those that may speak of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt
from assistant.core.events import (
    Answer,
    AnyEvent,
    Clarification,
    Entry,
    Event,
    Execution,
    ExecutionStarted,
    HistorySummarised,
    Plan,
    Proposal,
    Question,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    TableSummary,
    Usage,
    Withheld,
)
from assistant.query.cells import render_cell
from assistant.query.masks import describe_mask
from assistant.record.store.withholding import hide_withheld
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source
from assistant.sources.withholding import find_withholding, has_mask_changes

MASK = ("shop.member.email",)
ADDED = SourceAdded(
    name="shop",
    dialect="sqlite",
    display="shop.sqlite",
    tables=(
        TableSummary(name="member", columns=("id", "email", "City", "age")),
        TableSummary(name="reach", columns=("id", "mail")),
    ),
)
PLAIN = render_cell("n", "SELECT count(*) FROM member")
EMAILS = render_cell("e", "SELECT id, email FROM member")


class OneSource:
    def __init__(self, source: Source) -> None:
        self.source = source

    async def sources(self) -> tuple[Source, ...]:
        return (self.source,)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE member (id INTEGER, email TEXT, City TEXT, age INTEGER)")
        con.execute("INSERT INTO member VALUES (1, 'ann@x.example', 'Rome', 33), (2, 'Bob@y.example', 'Oslo', 44)")
        con.execute("CREATE VIEW reach AS SELECT id, email AS mail FROM member")
    return path


def withheld(shop: Path, *turns: Sequence[AnyEvent], mask: tuple[str, ...] = MASK) -> dict[int, Withheld]:
    log: list[Event] = [SessionOpened(), ADDED]
    for number, turn in enumerate(turns, start=1):
        log += [event.model_copy(update={"turn": number}) for event in (Question(text="What?"), *turn)]

    async def work() -> tuple[AnyEvent, ...]:
        source = await open_source(parse_addresses(str(shop), PERSON)[0], folder=shop.parent, mask=mask)
        try:
            return await find_withholding(log, mask, OneSource(source), no_question="Withheld")
        finally:
            await source.close()

    found = asyncio.run(work())
    assert not has_mask_changes([*log, *found], mask)
    return {event.turn: event for event in found if isinstance(event, Withheld)}


def proposed(code: str) -> Proposal:
    return Proposal(id="1", step=1, revision=1, language="sql", title="t", code=code)


def ran(code: str) -> tuple[AnyEvent, ...]:
    return (
        ExecutionStarted(id="1", step=1, language="python", code=code),
        Execution(id="1", step=1, language="python", code=code, status="ok"),
    )


@pytest.mark.parametrize(
    ("sql", "goes"),
    [
        ("SELECT email AS reach FROM member", True),
        ("SELECT upper(email) FROM member", True),
        ("SELECT id FROM member WHERE email = 'zoe@z.example'", True),
        ("SELECT mail FROM reach", True),
        ("SELECT who FROM gone", True),
        ("SELECT City, count(*) FROM member GROUP BY City", False),
        ("SELECT count(email) FROM member", False),
    ],
)
def test_a_turn_goes_whose_query_used_the_column_though_it_was_only_proposed(shop: Path, sql: str, goes: bool) -> None:
    assert set(withheld(shop, [proposed(render_cell("x", sql))])) == ({1} if goes else set())


def test_python_after_such_a_query_goes_and_queries_of_other_columns_stay(shop: Path) -> None:
    turns = [ran("print(1)"), ran(EMAILS), ran(PLAIN), ran("print(e)"), [proposed("print(e)")]]
    assert set(withheld(shop, *turns)) == {2, 4}
    assert set(withheld(shop, ran("print(1)"), [proposed(EMAILS)], ran("print(1)"))) == {2}, "it never ran"


def test_what_a_language_model_said_goes_after_such_a_query_or_with_the_columns_name(shop: Path) -> None:
    spoke = Usage(role="planner", model="m")
    plan = Plan(id="p", restated="Mean age", steps=())
    turns = [[spoke, plan], ran(EMAILS), [spoke, plan], [plan]]
    assert set(withheld(shop, *turns)) == {2, 3}
    named = Plan(id="p", restated="The EMAIL with the lowest id", steps=())
    assert set(withheld(shop, [spoke, named], [named])) == {1}


def test_what_says_a_value_goes_whatever_it_is(shop: Path) -> None:
    asked = Clarification(id="c", text="Which?", options=("ANN@x.example", "the city"))
    near = Clarification(id="c", text="Which?", options=("joann@x.example.org", "Rome", "33"))
    assert set(withheld(shop, [asked], [near])) == {1}
    assert set(withheld(shop, [near], mask=("member.City",))) == {1}
    assert set(withheld(shop, [near], mask=("member.age",))) == set(), "numbers are not looked for"


def test_a_partition_that_is_noted_is_not_taken_for_lifted() -> None:
    tables = (
        TableSummary(name="member", columns=("email",)),
        TableSummary(name="member_2024", columns=("email",), part_of="member"),
    )
    notes = ("read day first", describe_mask("member", "email"), describe_mask("member_2024", "email"))
    added = ADDED.model_copy(update={"tables": tables, "notes": notes})
    assert not has_mask_changes([added], ("member.email",))
    assert has_mask_changes([added], ())
    assert has_mask_changes([added.model_copy(update={"notes": notes[:1]})], ("member.email",))
    assert not has_mask_changes([added], ("member.email", "other.table.column", "member.emial"))


def test_a_summary_goes_with_a_turn_it_may_tell_of() -> None:
    summary = HistorySummarised(turn=9, upto=6, text="Ann wrote from ann@x.example (turn 2)")
    for turn, goes in ((2, True), (7, False)):
        log = (Question(turn=turn, text="Who?"), summary, Withheld(turn=turn, columns=("shop.member.email",)))
        entries = tuple(
            Entry.model_validate({"seq": seq, "at": "2026-01-01T00:00:00Z", "event": event})
            for seq, event in enumerate(log, start=1)
        )
        left = [entry.event for entry in hide_withheld(entries) if isinstance(entry.event, HistorySummarised)]
        assert left == ([] if goes else [summary])


def test_a_withheld_turn_keeps_its_places_and_ends_with_a_note() -> None:
    events: list[AnyEvent] = [
        ADDED,
        Question(turn=1, text="Who is Bob?"),
        Plan(turn=1, id="p", restated="planted", steps=()),
        Answer(turn=1, status="answered", text="planted"),
        Question(turn=2, text="How many?"),
        Answer(turn=2, status="answered", text="2"),
        Withheld(turn=1, columns=("shop.member.email",)),
    ]
    entries = tuple(
        Entry.model_validate({"seq": seq, "at": "2026-01-01T00:00:00Z", "event": event})
        for seq, event in enumerate(events, start=1)
    )
    once = hide_withheld(entries)
    assert [entry.seq for entry in once] == [entry.seq for entry in entries]
    assert "planted" not in str(once)
    assert [entry.event.kind for entry in once[1:4]] == ["question", "withheld", "answer"]
    assert once[4:] == entries[4:]
    assert hide_withheld(once) == once
    more = Entry(seq=8, at=entries[0].at, event=Withheld(turn=1, columns=("shop.member.city",), question=True))
    twice = hide_withheld((*once, more))
    assert "shop.member.email and shop.member.city" in str(twice)
    assert "Bob" not in str(twice)
    assert twice == hide_withheld((*entries, more))


def test_a_cell_that_read_a_file_as_it_lies_there_used_every_column_of_it(shop: Path) -> None:
    assert set(withheld(shop, ran("pd.read_csv(files['member.csv'])"), ran("1 + 1"))) == {1, 2}


class NoSources:
    async def sources(self) -> tuple[Source, ...]:
        raise SourceError("The file is gone.")


def found(shop: Path | None, log: Sequence[Event], mask: Sequence[str]) -> tuple[AnyEvent, ...]:
    """What is appended to a log; without a shop its source cannot be opened."""

    async def work() -> tuple[AnyEvent, ...]:
        if shop is None:
            return await find_withholding(log, mask, NoSources(), no_question="Withheld")
        source = await open_source(parse_addresses(str(shop), PERSON)[0], folder=shop.parent, mask=mask)
        try:
            return await find_withholding(log, mask, OneSource(source), no_question="Withheld")
        finally:
            await source.close()

    return asyncio.run(work())


EMAIL, CITY = describe_mask("member", "email"), describe_mask("member", "City")
MAIL = describe_mask("reach", "mail", inherits=True)
ASKED = Question(turn=1, text="Who is ANN@x.example?")


def test_the_masks_are_noted_the_turns_withheld_and_the_session_renamed(shop: Path) -> None:
    noted = ADDED.model_copy(update={"notes": ("read day first", EMAIL, MAIL)})
    withheld = Withheld(turn=1, columns=("shop.member.email",), question=True)
    added = ADDED.model_copy(update={"notes": ("read day first",)})
    assert found(shop, (added, ASKED), MASK) == (noted, withheld, SessionRenamed(title="Withheld"))
    assert found(shop, (added, SessionRenamed(title="Mine"), ASKED), MASK) == (noted, withheld)
    harmless = Question(turn=1, text="How many?")
    said = Answer(turn=1, status="answered", text="ann@x.example")
    silent = withheld.model_copy(update={"question": False})
    assert found(shop, (added, harmless, said), MASK) == (noted, silent)
    assert found(shop, (added, harmless, said, ASKED.model_copy(update={"turn": 2})), MASK) == (
        noted,
        silent,
        withheld.model_copy(update={"turn": 2}),
    )


def test_a_column_that_is_masked_no_more_is_noted_and_nothing_withheld(shop: Path) -> None:
    both = ADDED.model_copy(update={"notes": ("read day first", EMAIL, CITY, MAIL)})
    city = ADDED.model_copy(update={"notes": ("read day first", CITY)})
    assert found(shop, (both, ASKED), ("member.City",)) == (city,)
    assert found(shop, (both, ASKED), (*MASK, "member.City")) == ()
    assert found(shop, (city, ASKED), (*MASK, "member.City", "member.AGE"))[-2:] == (
        Withheld(turn=1, columns=("shop.member.age", "shop.member.email"), question=True),
        SessionRenamed(title="Withheld"),
    )


def test_where_a_source_cannot_be_opened_every_turn_that_queried_it_goes() -> None:
    other = ADDED.model_copy(update={"name": "other"})
    queries = [render_cell("x", "SELECT 1"), render_cell("x", "SELECT 1", source="other"), "print(1)"]
    log: list[Event] = [ADDED, other]
    for turn, code in enumerate(queries, start=1):
        log += [Question(turn=turn, text="?"), proposed(code).model_copy(update={"turn": turn})]
    for mask, turn in ((MASK, 1), (("other.member.email",), 2)):
        events = found(None, log, mask)
        assert [(e.turn, e.columns) for e in events if isinstance(e, Withheld)] == [(turn, mask)]
        assert [e.notes for e in events if isinstance(e, SourceAdded)] == [(EMAIL,)]


def test_a_doubt_about_a_column_goes_with_its_values(shop: Path) -> None:
    doubts = tuple(
        Doubt(kind="column_type", table="member", columns=(name,), chosen=f"{name} is one.")
        for name in ("email", "age")
    )
    sentences = tuple(doubt.sentence for doubt in doubts)
    added = ADDED.model_copy(update={"doubts": doubts, "notes": (*sentences, "read day first")})
    (noted,) = found(shop, (added,), MASK)
    assert isinstance(noted, SourceAdded)
    assert noted.doubts == doubts[1:]
    assert noted.notes == (sentences[1], "read day first", EMAIL, MAIL)
