"""An answer tells what matters of its sources: how they were read, once, and which masked columns it reads."""

from __future__ import annotations

from assistant.agents.source_notes import with_source_notes
from assistant.core.events import Answer, Event, Execution, QueryRun, Question, SourceAdded, TableSummary
from assistant.query.masks import note_of

MASKED = note_of("people", "Phone")
ADDED = SourceAdded(
    name="crm",
    display="crm.sqlite",
    dialect="sqlite",
    tables=(TableSummary(name="people", columns=("Name", "Phone")),),
    notes=("One row was left out", MASKED),
)


def told(*queries: str, columns: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The notes of the answers of one turn for each query."""
    log: list[Event] = [ADDED]
    found: list[tuple[str, ...]] = []
    for turn, sql in enumerate(queries, 1):
        ran = QueryRun(sql=sql, source="crm", rows=1, seconds=0.1, columns=columns)
        cell = Execution(turn=turn, id=f"{turn}.1.1", step=1, language="sql", code=sql, status="ok", queries=(ran,))
        log += [Question(turn=turn, text="What?"), cell]
        answer = with_source_notes(Answer(turn=turn, status="answered", text="So."), log)
        log.append(answer)
        found.append(answer.notes)
    return found


def test_a_masked_column_is_told_of_with_every_answer_that_reads_it_and_with_no_other() -> None:
    plain, masked = "SELECT Name FROM people", 'SELECT "phone" FROM people'
    assert told(plain, masked, plain, masked) == [("One row was left out",), (MASKED,), (), (MASKED,)]


def test_a_masked_column_that_no_query_names_is_told_of_where_it_came() -> None:
    (notes,) = told("SELECT * FROM people", columns=("Name", "Phone"))
    assert set(notes) == {"One row was left out", MASKED}
