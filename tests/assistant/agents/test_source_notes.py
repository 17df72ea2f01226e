"""An answer tells what matters of its sources: how they were read, once, and which masked columns it reads."""

from __future__ import annotations

from assistant.agents.source_notes import add_source_notes
from assistant.core.doubts import Doubt
from assistant.core.events import Answer, Event, Execution, QueryRun, Question, SourceAdded, TableSummary
from assistant.query.masks import describe_mask

MASKED = describe_mask("people", "Phone")
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
        answer = add_source_notes(Answer(turn=turn, status="answered", text="So."), log)
        log.append(answer)
        found.append(answer.notes)
    return found


def test_a_masked_column_is_told_of_with_every_answer_that_reads_it_and_with_no_other() -> None:
    plain, masked = "SELECT Name FROM people", 'SELECT "phone" FROM people'
    assert told(plain, masked, plain, masked) == [("One row was left out",), (MASKED,), (), (MASKED,)]


def test_a_masked_column_that_no_query_names_is_told_of_where_it_came() -> None:
    (notes,) = told("SELECT * FROM people", columns=("Name", "Phone"))
    assert set(notes) == {"One row was left out", MASKED}


def test_a_doubt_goes_with_every_answer_that_reads_its_column_and_with_no_other() -> None:
    doubt = Doubt(kind="sentinels", table="days", columns=("temp",), chosen="-200 is counted.", rows=3)
    source = SourceAdded(
        name="crm",
        display="crm.sqlite",
        dialect="sqlite",
        tables=(TableSummary(name="days", columns=("temp", "wind")),),
        notes=(doubt.sentence,),
        doubts=(doubt,),
    )
    log: list[Event] = [source]
    answers: list[Answer] = []
    for turn, sql in enumerate(("SELECT avg(d.temp) FROM days AS d", "SELECT avg(wind) FROM days"), 1):
        ran = QueryRun(sql=sql, source="crm", rows=1, seconds=0.1)
        cell = Execution(turn=turn, id=f"{turn}.1.1", step=1, language="sql", code=sql, status="ok", queries=(ran,))
        log += [Question(turn=turn, text="What?"), cell]
        answers.append(add_source_notes(Answer(turn=turn, status="answered", text="So."), log))
    assert [(answer.notes, answer.doubts) for answer in answers] == [(("-200 is counted.",), (doubt,)), ((), ())]
    worded = Answer(turn=2, status="answered", text="So; 11 without -200.", doubts=(doubt,))
    log[-1] = Execution(
        turn=2,
        id="2.1.1",
        step=1,
        language="sql",
        code="x",
        status="ok",
        queries=(QueryRun(sql="SELECT max(temp) FROM days", source="crm", rows=1, seconds=0.1),),
    )
    assert add_source_notes(worded, log).notes == ()


def test_how_a_file_was_read_is_noted_with_the_first_answer_that_reads_a_table_of_it() -> None:
    doubt = Doubt(kind="encoding", table="plan", chosen="Read as Windows-1252.")
    missing = Doubt(kind="missing_values", table="plan", columns=("State",), chosen="'-' is no value.")
    source = SourceAdded(
        name="crm",
        display="crm/",
        dialect="duckdb",
        tables=(
            TableSummary(name="sales", columns=("amount",), file="sales.csv"),
            TableSummary(name="plan", columns=("goal", "state"), file="plan.xlsx"),
        ),
        notes=(
            "sales.csv: columns are separated by a semicolon",
            "plan.xlsx: 2 rows skipped",
            doubt.sentence,
            missing.sentence,
        ),
        doubts=(doubt, missing),
    )
    log: list[Event] = [source]
    notes: list[tuple[str, ...]] = []
    reads = ("amount FROM sales", "goal FROM plan", "amount FROM sales", "state FROM plan", "goal, state FROM plan")
    for turn, columns in enumerate(reads, 1):
        ran = QueryRun(sql=f"SELECT {columns}", source="crm", rows=1, seconds=0.1)
        cell = Execution(turn=turn, id=f"{turn}.1.1", step=1, language="sql", code="x", status="ok", queries=(ran,))
        log += [Question(turn=turn, text="What?"), cell]
        answer = add_source_notes(Answer(turn=turn, status="answered", text="So."), log)
        log.append(answer)
        notes.append(answer.notes)
    assert notes == [
        ("sales.csv: columns are separated by a semicolon",),
        ("Read as Windows-1252.", "plan.xlsx: 2 rows skipped"),
        (),
        ("'-' is no value.",),
        (),
    ]
