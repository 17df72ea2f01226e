"""A question after several answers: going back to one of them, two of them in one, replies to a question back."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.agents.embedded.answer_history import Past, answer_history, rows_of
from assistant.agents.embedded.conversing import read
from assistant.data.adapters.sqlite import SqliteSource
from assistant.data.addresses import addresses
from assistant.embedded.analyst import Analyst
from assistant.embedded.dialogue.earlier import Back, back_of
from assistant.embedded.dialogue.replies import chosen, says_none
from assistant.embedded.dialogue.together import says_all, so_many
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.events import Answer, Event, Plan, Question, Step

SCRIPT = """
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE huts (hut_id INTEGER PRIMARY KEY, name TEXT NOT NULL, valley TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE stays (
    stay_id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    hut_id INTEGER NOT NULL REFERENCES huts (hut_id), arrival DATE NOT NULL, nights INTEGER NOT NULL);
INSERT INTO guests VALUES (1, 'Ada Kern', 'Austria'), (2, 'Bo Lind', 'Sweden'), (3, 'Cy Roth', 'Austria');
INSERT INTO huts VALUES (1, 'Almhof', 'Ziller', 'Austria'), (2, 'Berghaus', 'Inn', 'Austria'), (3, 'Rast', 'Inn', 'Italy');
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("huts") / "huts.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(SCRIPT)
        for n in range(1, 61):
            day = f"{2024 + n % 2}-{n % 12 + 1:02}-{n % 27 + 1:02}"
            con.execute("INSERT INTO stays VALUES (?, ?, ?, ?, ?)", (n, n % 3 + 1, n % 7 % 3 + 1, day, n % 5 + 1))
    return path


@pytest.fixture(scope="module")
def analyst(path: Path) -> Analyst:
    async def catalog():
        source = await SqliteSource.open(addresses(str(path))[0])
        try:
            return await source.catalog()
        finally:
            await source.close()

    return Analyst([asyncio.run(catalog())], (), date(2026, 11, 21))


def _log(analyst: Analyst, *questions: str) -> list[Event]:
    """A session in which every question was read after those before it, and its plan answered."""
    log: list[Event] = []
    for turn, question in enumerate(questions, start=1):
        log.append(Question(turn=turn, text=question))
        outcome = read(question, analyst, answer_history(log))
        steps = (Step(title="Query", language="sql"),)
        match outcome:
            case Understood(meaning=meant, assumptions=assumed):
                said = meant.model_dump_json()
            case Recognised(study=meant, assumptions=assumed):
                said = meant.model_dump_json()
            case _:
                log.append(Answer(turn=turn, status="declined", text=getattr(outcome, "reason", "Which?")))
                continue
        log.append(
            Plan(turn=turn, id=f"{turn}.plan.1", restated=question, steps=steps, meaning=said, assumptions=assumed)
        )
        log.append(Answer(turn=turn, status="answered", text="Done."))
    return log


def _rows(analyst: Analyst, path: Path, log: list[Event]) -> list[tuple[object, ...]]:
    last = answer_history(log)[-1]
    assert last.meaning is not None
    with closing(sqlite3.connect(path)) as con:
        return con.execute(analyst.sql(last.meaning)).fetchall()


BACK = [
    (["number of stays by hut", "only 2025", "back"], 1),
    (["number of stays by hut", "only 2025", "undo that"], 1),
    (["number of stays by hut", "only 2025", "by guest instead", "go back", "and back again"], 1),
    (["number of stays by hut", "only 2025", "by guest instead", "as before"], 2),
    (["number of stays by hut", "only 2025", "by guest instead", "go back two steps"], 1),
    (["number of stays by hut", "only 2025", "by guest instead", "the one before", "number of guests", "back"], 2),
    (["number of stays by hut", "only 2025", "number of guests", "show me the first answer again"], 1),
    (["number of stays by hut", "number of guests", "average nights", "the first answer again", "back"], 3),
    (["number of stays by hut", "number of guests by country", "average nights", "back to the guests"], 2),
    (["number of stays by hut", "what is the flurb?", "only 2025", "back"], 1),
    (["number of stays by hut", "only 2025", "by guest too", "average nights", "back to the stays by hut"], 1),
    (["top 2 huts by number of stays", "the next 1", "undo"], 1),
]


@pytest.mark.parametrize(("questions", "turn"), BACK, ids=[" / ".join(q) for q, _ in BACK])
def test_an_earlier_answer_is_given_again(questions: list[str], turn: int, analyst: Analyst) -> None:
    log = _log(analyst, *questions)
    answers = [
        answer_history(log[: n + 1])[-1] for n, e in enumerate(log) if isinstance(e, Answer) and e.status == "answered"
    ]
    asked = [past.question for past in answers]
    assert answers[-1].meaning == answers[asked.index(questions[turn - 1])].meaning
    assert isinstance(log[-1], Answer)
    assert log[-1].status == "answered"


def test_a_follow_up_goes_on_from_what_was_gone_back_to(analyst: Analyst, path: Path) -> None:
    log = _log(analyst, "number of stays by hut", "only 2025", "by guest instead", "back", "back", "top 1 huts")
    assert [past.question for past in answer_history(log)] == ["number of stays by hut", "top 1 huts"]
    assert len(_rows(analyst, path, log)) == 1


def test_what_was_taken_for_granted_is_said_again(analyst: Analyst) -> None:
    asked = answer_history(_log(analyst, "the last 3 stays", "number of guests"))
    again = read("back", analyst, asked)
    assert isinstance(again, Understood)
    assert again.assumptions == asked[0].assumptions != ()


def test_a_series_is_added_up(analyst: Analyst) -> None:
    log = _log(analyst, "number of stays by month", "running total")
    study = answer_history(log)[-1].study
    assert study is not None
    assert study.title.startswith("Running total of number of stays by month")


def test_a_study_is_made_again(analyst: Analyst) -> None:
    log = _log(analyst, "is there a trend in the number of stays by month?", "number of guests", "back")
    assert answer_history(log)[-1].study is not None


@pytest.mark.parametrize("text", ["back", "undo", "the one before", "show me the previous answer"])
def test_before_the_first_answer_there_is_none(text: str, analyst: Analyst) -> None:
    outcome = read(text, analyst, answer_history(_log(analyst, "number of stays by hut")))
    assert isinstance(outcome, NotUnderstood)
    assert "no answer before" in outcome.reason


def test_code_that_the_person_changed_is_not_made_again(analyst: Analyst) -> None:
    last = answer_history(_log(analyst, "number of guests"))[0]
    outcome = read("back", analyst, (Past(question="number of stays by hut"), last))
    assert isinstance(outcome, NotUnderstood)
    assert "number of stays by hut" in outcome.reason


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("no, go back please", Back()),
        ("show the previous result again", Back()),
        ("take that back", Back()),
        ("two steps back", Back(steps=2)),
        ("back to the start", Back(first=True)),
        ("show the original question again", Back(first=True)),
        ("back to revenue by region", Back(named="revenue by region")),
        ("the month before", None),
        ("the previous year", None),
        ("by region as before", None),
        ("before 2025", None),
        ("the first one", None),
        ("how many came back?", None),
        ("orders before March", None),
    ],
)
def test_words_that_go_back(text: str, back: Back | None) -> None:
    assert back_of(text) == back


TOGETHER = [
    (["number of stays by hut", "average nights by hut", "both"],
     "SELECT h.name, COUNT(*), AVG(nights) FROM stays JOIN huts h USING (hut_id) GROUP BY 1"),
    (["number of stays by hut", "average nights by hut", "compare both"],
     "SELECT h.name, COUNT(*), AVG(nights) FROM stays JOIN huts h USING (hut_id) GROUP BY 1"),
    (["number of guests by country", "number of huts by country", "show me both side by side"],
     "SELECT country, SUM(g), SUM(h) FROM (SELECT country, 1 AS g, NULL AS h FROM guests UNION ALL"
     " SELECT country, NULL, 1 FROM huts) GROUP BY 1"),
    (["guests from Austria", "and from Sweden?", "both"],
     "SELECT name, country FROM guests WHERE country IN ('Austria', 'Sweden')"),
    (["average nights at the Almhof", "and at the Rast?", "both of them"],
     "SELECT h.name, AVG(nights) FROM stays JOIN huts h USING (hut_id) WHERE h.name IN ('Almhof', 'Rast') GROUP BY 1"),
    (["number of stays by hut in 2024", "and in 2025?", "both"],
     "SELECT CAST(substr(arrival, 1, 4) AS INTEGER), h.name, COUNT(*) FROM stays JOIN huts h USING (hut_id) GROUP BY 1, 2"),
    (["number of stays by quarter in 2024", "and in 2025?", "both"],
     "SELECT substr(arrival, 1, 4) || CASE WHEN substr(arrival, 6, 2) < '04' THEN '-01-01' WHEN substr(arrival, 6, 2) < '07'"
     " THEN '-04-01' WHEN substr(arrival, 6, 2) < '10' THEN '-07-01' ELSE '-10-01' END, COUNT(*) FROM stays GROUP BY 1"),
    (["top 2 huts by number of stays in 2024", "and in 2025?", "both"],
     "SELECT y, name, n FROM (SELECT CAST(substr(arrival, 1, 4) AS INTEGER) AS y, h.name, COUNT(*) AS n, ROW_NUMBER() OVER"
     " (PARTITION BY substr(arrival, 1, 4) ORDER BY COUNT(*) DESC, h.name) AS r FROM stays JOIN huts h USING (hut_id)"
     " GROUP BY 1, 2) WHERE r <= 2"),
    (["top 2 guests by number of stays in the Almhof", "and in the Rast?", "both"],
     "SELECT hut, name, n FROM (SELECT h.name AS hut, g.name, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY h.name"
     " ORDER BY COUNT(*) DESC, g.name) AS r FROM stays JOIN huts h USING (hut_id) JOIN guests g USING (guest_id)"
     " WHERE h.name IN ('Almhof', 'Rast') GROUP BY 1, 2) WHERE r <= 2"),
]  # fmt: skip


APART = [
    (["top 2 huts by number of stays", "top 2 guests by number of stays", "both"], "huts and guests", "“back”"),
    (
        ["top 2 huts by number of stays", "top 2 huts by total nights", "both"],
        "rank the huts differently",
        "“and their ",
    ),
    (
        ["top 2 huts by total nights", "bottom 2 huts by total nights", "both"],
        "from the top and the other from the bottom",
        "“show all”",
    ),
]


@pytest.mark.parametrize(("questions", "reason", "hint"), APART, ids=[" / ".join(q) for q, _, _ in APART])
def test_two_rankings_that_are_no_one_list_say_what_to_ask(
    questions: list[str], reason: str, hint: str, analyst: Analyst
) -> None:
    asked = answer_history(_log(analyst, *questions[:-1]))
    outcome = read(questions[-1], analyst, asked)
    assert isinstance(outcome, NotUnderstood)
    assert reason in outcome.reason
    assert hint in outcome.hint
    said = outcome.hint.split("“")[1].partition("”")[0]
    assert isinstance(read(said, analyst, asked), Understood)


@pytest.mark.parametrize(("questions", "by_hand"), TOGETHER, ids=[" / ".join(q) for q, _ in TOGETHER])
def test_two_answers_are_shown_in_one(questions: list[str], by_hand: str, analyst: Analyst, path: Path) -> None:
    found = _rows(analyst, path, _log(analyst, *questions))
    with closing(sqlite3.connect(path)) as con:
        assert sorted(map(repr, found)) == sorted(map(repr, con.execute(by_hand).fetchall()))


def test_two_periods_are_compared_by_a_study(analyst: Analyst) -> None:
    log = _log(analyst, "number of stays in 2024", "and in 2025?", "compare that with the answer before")
    assert answer_history(log)[-1].study is not None


def test_answers_that_differ_in_more_are_not_thrown_together(analyst: Analyst) -> None:
    asked = answer_history(_log(analyst, "number of stays by hut in 2025", "number of guests by country"))
    outcome = read("both", analyst, asked)
    assert isinstance(outcome, NotUnderstood)
    assert "more than one thing" in outcome.reason


def test_of_one_answer_there_are_no_two(analyst: Analyst) -> None:
    outcome = read("both", analyst, answer_history(_log(analyst, "number of stays by hut")))
    assert isinstance(outcome, NotUnderstood)
    assert "which ones" in outcome.reason


def test_how_many_answers_are_meant() -> None:
    assert so_many("Show me both in one table") == so_many("compare that with the previous answer") == 2
    assert so_many("all three of them") == 3
    assert so_many("both years") == so_many("compare it with the previous month") == 0
    assert says_all("all of these")


@pytest.mark.parametrize(
    ("reply", "at"),
    [
        ("the second", 1), ("2", 1), ("option 1 please", 0), ("the last one", 1), ("by hut", 0), ("the guests", 1),
        ("Stays by guest", 1), ("stays", None), ("the third", None), ("how many huts are there?", None),
    ],
)  # fmt: skip
def test_which_reading_a_reply_means(reply: str, at: int | None) -> None:
    assert chosen(reply, ["Stays by hut", "Stays by guest"]) == at


def test_yes_and_no_are_replies() -> None:
    assert chosen("Yes, please.", ["Stays by hut"]) == 0
    assert chosen("yes", ["Stays by hut", "Stays by guest"]) is None
    assert says_none("neither of them")
    assert not says_none("no stays in 2025")


def test_rows_of_a_study_without_a_figure_are_none(analyst: Analyst) -> None:
    outcome = read("what is in the huts table?", analyst, ())
    assert isinstance(outcome, Recognised)
    assert rows_of(outcome.study) is None
