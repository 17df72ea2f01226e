"""The laws of `test_metamorphic` on six databases of other shapes, made by a seed: flat, a chain, a table between others.

Every question is asked of the analyst as a session asks it. One that it asks back about, or declines, breaks no law;
each law has a floor of questions that it was held against.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from datetime import date
from functools import cache

import pytest
from composed.domains import LEARNT, MEASURED, Field, Noun, domain, made
from composed.questions import questions

from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.grammar import chart
from assistant.analyst.grammar.chart import RULES
from assistant.analyst.outcomes import Understood

DATABASES = (*MEASURED, *LEARNT)
Rows = list[tuple[object, ...]]


@cache
def analyst(name: str) -> Analyst:
    return Analyst((made(name).catalog(),), (), date(2024, 1, 1))


@cache
def database(name: str) -> sqlite3.Connection:
    return made(name).sqlite()


def rows_of(name: str, sql: str) -> Rows:
    return database(name).execute(sql).fetchall()


def statement(name: str, question: str) -> str | None:
    """The SQL that answers a question, once its likely readings were run; None where it is not answered."""
    runs = QueryRuns()
    analyst(name).read(question, None, runs)
    runs.add({(source, sql): ResultSummary.of(rows_of(name, sql)) for source, sql in runs.wanted})
    outcome = analyst(name).read(question, None, runs)
    return analyst(name).sql(outcome.meaning) if isinstance(outcome, Understood) else None


@cache
def answer(name: str, question: str) -> Rows | None:
    sql = statement(name, question)
    return rows_of(name, sql) if sql is not None else None


def number(name: str, question: str) -> int | float | None:
    """The number that answers a question; None where it is not answered by one."""
    rows = answer(name, question)
    value = rows[0][0] if rows and len(rows) == len(rows[0]) == 1 else None
    return value if isinstance(value, int | float) else None


def opposites(field: Field) -> Iterator[tuple[str, str]]:
    """Two conditions on a column, of which every row with a value meets one."""
    said = field.said
    match field.role:
        case "category":
            yield f"whose {said} is {field.values[0]}", f"whose {said} is not {field.values[0]}"
        case "flag":
            yield f"whose {said} is yes", f"whose {said} is no"
        case "measure" | "rate" | "duration":
            n = field.high // 2
            yield f"with {said} over {n}", f"with {said} of at most {n}"
            yield f"with {said} under {n}", f"whose {said} is at least {n}"
        case "date":
            yield f"{field.verb} in 2020", f"not {field.verb} in 2020"
            yield f"{field.verb} before 2021", f"{field.verb} since 2021"
        case _:
            return


def fields(*roles: str) -> Iterator[tuple[str, Noun, Field]]:
    for name in DATABASES:
        for noun in domain(name).nouns:
            for field in noun.fields:
                if not roles or field.role in roles:
                    yield name, noun, field


@pytest.mark.slow
def test_a_condition_and_its_opposite_and_what_is_unknown_are_all() -> None:
    held = 0
    for name, noun, field in fields():
        for one, other in opposites(field):
            asked = [f"how many {noun.many} {said} are there" for said in (one, other)]
            found = [number(name, question) for question in asked]
            everything = number(name, f"how many {noun.many} are there")
            unknown = number(name, f"how many {noun.many} have no {field.said}") if field.lost else 0
            if None not in (*found, everything, unknown):
                assert sum(map(int, (*found, unknown))) == everything, asked  # type: ignore[arg-type]
                held += 1
    assert held >= 40


def test_things_with_some_and_things_with_none_are_all() -> None:
    held = 0
    for name in DATABASES:
        for noun in domain(name).nouns:
            for child in domain(name).below(noun):
                found = [
                    number(name, f"how many {noun.many} {said} {child.many}") for said in ("that have any", "without")
                ]
                if None not in found:
                    assert sum(map(int, found)) == number(name, f"how many {noun.many} are there"), (name, noun.many)  # type: ignore[arg-type]
                    held += 1
    assert held >= 5


def test_totals_and_counts_of_groups_add_up_to_the_whole() -> None:
    held = 0
    for name, noun, field in fields("category"):
        sums = [f"total {f.said} of {noun.many}" for f in noun.measured if f.adds]
        for whole in (f"number of {noun.many}", *sums[:1]):
            total, groups = number(name, whole), answer(name, f"{whole} by {field.said}")
            if total is not None and groups is not None:
                added = sum(row[-1] for row in groups if isinstance(row[-1], int | float))
                assert added == pytest.approx(total), (name, whole, field.said)
                held += 1
    assert held >= 20


def test_the_first_three_are_the_head_of_the_first_five() -> None:
    held = 0
    for name, noun, field in fields("measure", "duration"):
        for end in ("highest", "lowest"):
            three, five = (answer(name, f"the {n} {noun.many} with the {end} {field.said}") for n in (3, 5))
            if three is not None and five is not None and len({row[-1] for row in five}) == 5:
                assert three == five[:3], (name, noun.many, field.said)
                held += 1
    assert held >= 12


@pytest.mark.slow
def test_another_condition_never_adds_rows() -> None:
    held = 0
    for name in DATABASES:
        for noun in domain(name).nouns:
            said = [pair for field in noun.fields for pair in opposites(field)]
            draw = random.Random(f"{name} {noun.one}")
            for (one, _), (_, other) in (draw.sample(said, 2) for _ in range(4 if len(said) > 2 else 0)):
                fewer = number(name, f"how many {noun.many} {one} and {other} are there")
                more = number(name, f"how many {noun.many} {one} are there")
                if fewer is not None and more is not None:
                    assert fewer <= more, (name, one, other)
                    held += 1
    assert held >= 20


@cache
def some_questions(each: int) -> tuple[tuple[str, str], ...]:
    """Questions of all heads and depths, that are answered, of so many for each database."""
    found = [(name, question.text) for name in DATABASES for question in questions(name, each, seed=9)]
    return tuple((name, text) for name, text in found if statement(name, text) is not None)


def other_forms(text: str) -> tuple[str, ...]:
    """A question in lower case, without its sign, and with courtesies."""
    bare = text.rstrip("?.")
    return text.lower(), bare, f"please {bare[0].lower()}{bare[1:]}", f"Can you show me: {text}"


@pytest.mark.slow
def test_case_courtesies_and_signs_change_no_answer() -> None:
    """Each question in one other form, each form of a quarter of the questions."""
    asked = some_questions(6)
    assert len(asked) >= 40
    for place, (name, text) in enumerate(asked):
        other = other_forms(text)[place % 4]
        assert answer(name, other) == answer(name, text), other


@pytest.mark.slow
def test_no_other_form_of_any_question_changes_its_answer() -> None:
    for name, text in some_questions(12):
        for other in other_forms(text):
            assert answer(name, other) == answer(name, text), other


def test_the_order_of_rules_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {(name, text): answer(name, text) for name, text in some_questions(6)}
    rules = list(RULES)
    random.Random(4).shuffle(rules)
    monkeypatch.setattr(chart, "RULES", rules)
    for name in DATABASES:
        for source in analyst(name).sources.values():
            source._connect()  # forgets the readings that are kept
    for (name, text), rows in before.items():
        sql = statement(name, text)
        assert sql is not None, text
        assert rows_of(name, sql) == rows, text
