"""A table as a whole: what its columns hold, what is missing, and what is odd in it.

Everything is looked at row by row in the Python step; the columns' kinds are known from the catalog. What looks odd need
not be wrong, and the answer says how it was looked for.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import Literal

from assistant.embedded.meaning import ColumnRef, Dimension, Meaning
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies.asking import Asked, numbers_rows, titled
from assistant.embedded.studies.drawing import filled, literal
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.study import Description, Field_
from assistant.embedded.studies.telling import Result, Told, number, percent
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.vocabulary import word_set

Aspect = Literal["columns", "missing", "odd"]
_ODD = r"(?:odd|strange|unusual|suspicious|wrong|weird|off|peculiar|abnormal|fishy|surprising|not right)"
_TEXTS: tuple[tuple[Aspect, str], ...] = (
    ("odd", rf"^(?:what(?: is|'s| looks?)?|(?:is|are) there (?:anything|something|things)|anything|does anything look) {_ODD}"
     r"(?: (?:in|with|about|here))*(?: (?P<table>.*))?$"),
    ("odd", r"^(?:(?:is|are) there (?:any )?|find |show |look for |check for |what are )?(?:the )?(?:(?:data )?(?:quality )?"
     r"(?:problems|issues|errors|anomalies|oddities|irregularities)|duplicates)(?: (?:are there|exist))? (?:in|with|of|for)"
     r" (?P<table>.+)$"),
    ("odd", r"^(?:check|inspect|audit|validate)(?: the)? (?:data quality |quality |data )?(?:of |in )?(?P<table>.+?)"
     r"(?: (?:for|on) (?:problems|errors|anomalies|issues|data quality|duplicates|oddities))?$"),
    ("odd", r"^(?:how (?:good|clean) is|is) (?:the )?(?:data|quality|data quality)(?: (?:of|in|for) (?P<table>.+?))?"
     r"(?: (?:clean|ok|okay|good|in order|correct))?$"),
    ("missing", r"^(?:(?:are|is) there (?:any )?|how many |which |where are |show |find |count |what )?(?:the )?"
     r"(?:missing|null|empty|blank|absent) (?:values?|data|entries|cells|fields)(?: (?:are|is) there| exist)?"
     r"(?: (?:in|of|for|from) (?P<table>.+))?$"),
    ("missing", r"^(?:what|which (?:values|columns|data)) (?:is|are) (?:missing|empty|incomplete) (?:in|from) (?P<table>.+)$"),
    ("missing", r"^how complete (?:is|are) (?P<table>.+)$"),
    ("columns", r"^(?:describe|summari[sz]e|profile|overview of|an overview of|a summary of|summary of|explore)"
     r"(?: the| our)? (?P<table>.+)$"),
    ("columns", r"^(?:what(?: is|'s)|what (?:do|can) (?:we|i) (?:have|see|find)) (?:there )?in (?P<table>.+)$"),
    ("columns", r"^what (?:does|do) (?P<table>.+?) (?:contain|hold|include|look like|consist of|have)$"),
    ("columns", r"^what (?:data|information|columns|fields) (?:is|are|do we have|does|do)(?: there)?(?: in)? (?P<table>.+?)"
     r"(?: (?:contain|hold|have))?$"),
)  # fmt: skip
_PATTERNS: tuple[tuple[Aspect, re.Pattern[str]], ...] = tuple(
    (aspect, re.compile(text, re.IGNORECASE)) for aspect, text in _TEXTS
)
_FUTURE_STEMS = word_set(
    "due end expir expiry planned plan scheduled schedul renewal valid target deadlin deadline discontinu closed clos"
)
_WORDS: dict[Aspect, str] = {"columns": "what is in", "missing": "what is missing in", "odd": "what looks odd in"}


def recognise(asked: Asked) -> tuple[Recognised, ...] | None:
    """Read a question about a whole table; None where it names no table."""
    for aspect, pattern in _PATTERNS:
        match = pattern.match(asked.text)
        if match is None:
            continue
        if found := asked.tables(match["table"] or ""):
            return tuple(_study(asked, entity, aspect) for entity in found)
    return None


def _study(asked: Asked, entity: Entity, aspect: Aspect) -> Recognised:
    kept = [a for a in entity.attributes.values() if a.column.kind != "binary"]
    meaning = Meaning(
        source=asked.source_of(entity),
        base=entity.name,
        base_label=entity.many,
        columns=tuple(Dimension(column=ColumnRef(table=entity.name, column=a.name), label=a.words) for a in kept),
    )
    label = entity.many if not entity.nameless else entity.table.name
    study = Description(
        asked=asked.question,
        title=titled(f"{_WORDS[aspect]} {label}"),
        source=meaning.source,
        rows=(meaning,),
        aspect=aspect,
        table=entity.name,
        table_label=label,
        rows_total=entity.table.rows,
        columns=tuple(_field(a, name, entity) for a, name in zip(kept, column_names(meaning), strict=True)),
        today=asked.today,
    )
    return Recognised(study=study)


def _field(attribute: Attribute, name: str, entity: Entity) -> Field_:
    kind: Literal["number", "date", "text", "key", "other"]
    match attribute.role:
        case "number" if numbers_rows(attribute, entity):
            kind = "key"
        case "number" | "flag" if attribute.column.kind in ("integer", "number"):
            kind = "number"
        case "number":
            kind = "number"
        case "date":
            kind = "date"
        case "key" | "reference":
            kind = "key"
        case "text":
            kind = "text"
        case _:
            kind = "other"
    return Field_(
        column=name,
        label=attribute.words,
        kind=kind,
        may_be_future=bool(set(attribute.stems) & _FUTURE_STEMS),
    )


def cell(study: Description, frames: tuple[str, ...]) -> str:
    """The Python step."""
    numbers = [c.column for c in study.columns if c.kind == "number"]
    dates = [c.column for c in study.columns if c.kind == "date"]
    name = {"columns": "description", "missing": "missing", "odd": "oddities"}[study.aspect]
    return filled(
        name,
        frame=frames[0],
        numbers=literal(numbers),
        dates=literal(dates),
        past_dates=literal([c.column for c in study.columns if c.kind == "date" and not c.may_be_future]),
        texts=literal([c.column for c in study.columns if c.kind == "text"]),
        keys=literal([c.column for c in study.columns if c.kind == "key"]),
        today=literal(study.today.isoformat()),
        table=study.table_label,
        title=literal(study.title),
    )


def word(study: Description, result: Result) -> Told:
    """The answer, from a row per column or per finding."""
    match study.aspect:
        case "columns":
            return _columns(study, result)
        case "missing":
            return _missing(study, result)
        case "odd":
            return _odd(study, result)


def _columns(study: Description, result: Result) -> Told:
    rows = result.records
    total = int(number(rows[0]["rows"]))
    kinds = {kind: [str(r["column"]) for r in rows if r["kind"] == kind] for kind in ("date", "number", "text")}
    text = f"**{titled(study.table_label)}** has **{total:,}** rows and **{len(rows)}** columns."
    for row in rows:
        if row["kind"] == "date" and row["lowest"] is not None:
            text += f" {titled(str(row['column']).replace('_', ' '))} runs from {row['lowest']} to {row['highest']}."
            break
    shown = [r for r in rows if r["kind"] == "number" and r["column"] in kinds["number"]][:2]
    for row in shown:
        text += (
            f" {titled(str(row['column']).replace('_', ' '))} lies between {row['lowest']} and {row['highest']}, "
            f"with a median of **{row['middle']}**."
        )
    kind = next((r for r in rows if r["kind"] == "text" and 1 < number(r["distinct"]) <= 20), None)
    if kind is not None:
        text += (
            f" {titled(str(kind['column']).replace('_', ' '))} has {int(number(kind['distinct']))} values, most often "
            f"**{kind['most frequent']}**."
        )
    gaps = [r for r in rows if number(r["missing %"]) > 0]
    notes = ()
    if gaps:
        worst = max(gaps, key=lambda r: number(r["missing %"]))
        notes = (
            f"{len(gaps)} column{'s have' if len(gaps) > 1 else ' has'} missing values, most of all {worst['column']} "
            f"({percent(number(worst['missing %']) / 100)}).",
        )
    return Told(text=text, notes=notes, follow_ups=(f"what is odd in {study.table_label}?",))


def _missing(study: Description, result: Result) -> Told:
    rows = [r for r in result.records if number(r["missing"]) > 0]
    total = int(number(result.records[0]["rows"]))
    if not rows:
        text = f"Nothing is missing: every column of {study.table_label} has a value in all {total:,} rows."
        return Told(text=text, follow_ups=(f"what is odd in {study.table_label}?",))
    parts = [
        f"**{r['column']}** in {int(number(r['missing'])):,} ({percent(number(r['missing %']) / 100)})"
        for r in rows[:6]
    ]
    complete = int(number(rows[0]["rows without a gap"]))
    more = f" and {len(rows) - 6} further columns" if len(rows) > 6 else ""
    text = (
        f"{len(rows)} of {result.total} columns of {study.table_label} have missing values: {joined(parts)}{more}. "
        f"{complete:,} of {total:,} rows ({percent(complete / max(total, 1))}) have none."
    )
    notes = ("A missing value need not be an error: an order that was not shipped has no shipping date.",)
    return Told(text=text, notes=notes, follow_ups=(f"what is odd in {study.table_label}?",))


def _odd(study: Description, result: Result) -> Told:
    rows = result.records
    total = int(number(rows[0]["rows in all"]))
    looked = (
        "Looked for: rows that repeat, keys that repeat, columns with one value or mostly empty, values far outside, numbers "
        "below zero, dates in the future or before 1900, dates in the wrong order, and spellings that differ in case only."
    )
    if rows[0]["what"] == "nothing":
        return Told(text=f"Nothing looks odd in the {total:,} rows of {study.table_label}.", notes=(looked,))
    parts: list[str] = []
    for row in rows[:5]:
        where = f" in **{row['column']}**" if row["column"] else ""
        count = int(number(row["rows"]))
        detail = f" ({row['detail']})" if row["detail"] else ""
        parts.append(
            f"{row['what']}{where}: {count:,} row{'s' if count > 1 else ''}{detail}"
            if count
            else f"{row['what']}{where}{detail}"
        )
    more = f" The table lists {len(rows) - 5} more." if len(rows) > 5 else ""
    found = "1 thing looks" if len(rows) == 1 else f"{len(rows)} things look"
    text = f"{found} odd in the {total:,} rows of {study.table_label}: {'; '.join(parts)}.{more}"
    notes = (looked, "Odd is not wrong: these are rows to look at, not errors to correct.")
    return Told(text=text, notes=notes)
