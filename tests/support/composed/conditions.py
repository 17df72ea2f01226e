"""Conditions on the rows of a table, each with its words: one way for each operator of the algebra, drawn by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from assistant.analyst.algebra import (
    Aggregate,
    Both,
    Column,
    Compare,
    Comparison,
    Condition,
    Constant,
    Either,
    Function,
    Grain,
    Grouped,
    Missing,
    Not,
    OneOf,
    Quantifier,
    Related,
    Rows,
    Single,
    Text,
    Within,
    here,
    mapped,
    tables_here,
)
from composed.domains import Domain, Field, Noun, Role, made

MONTHS = ("January", "March", "June", "August", "October", "December")
_MONTH = {"January": 1, "March": 3, "June": 6, "August": 8, "October": 10, "December": 12}
_WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


@dataclass(frozen=True)
class Said:
    """A condition in words, and the operators it is made of."""

    words: str
    condition: Condition
    operators: tuple[str, ...]


@cache
def templates() -> dict[str, dict[str, list[str]]]:
    """The paraphrases."""
    found: dict[str, dict[str, list[str]]] = yaml.safe_load(
        Path(__file__).with_name("templates.yaml").read_text(encoding="utf-8")
    )
    return found


def column(field: Field) -> Column:
    """The column of a field."""
    return Column(field.table, field.name)


@dataclass(frozen=True)
class Conditions:
    """Draws conditions in one domain."""

    domain: Domain
    draw: random.Random

    def phrase(self, part: str, operator: str, **words: object) -> str:
        """One of the paraphrases of an operator."""
        return self.draw.choice(templates()[part][operator]).format(**words)

    def some(self, noun: Noun) -> Said | None:
        """A condition on the rows of a noun by an operator drawn at random; None where that does not fit."""
        fit = [kind for kind in _MAKERS if kind not in ("led", "compared") or self.domain.is_led]
        operator = self.draw.choices(fit, [_OFTEN.get(kind, 1) for kind in fit])[0]
        return _MAKERS[operator](self, noun, operator)

    def many(self, noun: Noun, size: int) -> Said | None:
        """So many operators in conditions, joined by "and" or "or"."""
        found = self.some(noun)
        while found is not None and len(found.operators) < size:
            further = self.some(noun)
            if further is None or _spoken(further) & _spoken(found):
                return None  # two conditions on one column, or on rows of one table, are one of another kind
            found = self._joined(found, further, "and")
        return found if found is not None and len(found.operators) == size else None

    def _joined(self, a: Said, b: Said, how: str) -> Said:
        words = self.phrase("joints", how, a=a.words, b=b.words)
        return Said(words, Both((a.condition, b.condition)), (*a.operators, *b.operators))

    def either(self, noun: Noun, _operator: str) -> Said | None:
        """Two conditions of which one must hold."""
        kinds = ("equal", "above", "below", "at least")
        a, b = (_MAKERS[kind](self, noun, kind) for kind in self.draw.sample(kinds, 2))
        if a is None or b is None or _spoken(a) & _spoken(b):
            return None
        words = self.phrase("joints", "or", a=a.words, b=b.words)
        return Said(words, Either((a.condition, b.condition)), (*a.operators, "or", *b.operators)[1:])

    # --- on the row's own columns ---

    def _field(self, noun: Noun, *roles: Role) -> Field | None:
        fields = noun.of_role(*roles)
        return self.draw.choice(fields) if fields else None

    def category(self, noun: Noun, operator: str) -> Said | None:
        """A column that is, or is not, one of some values."""
        field = self._field(noun, "category")
        if field is None:
            return None
        v, w = self.draw.sample(field.values, 2)
        at = column(field)
        condition: Condition = Compare(at, "=", Constant(v))
        if operator in ("one of", "none of"):
            condition = OneOf(at, (v, w))
        if operator in ("not equal", "none of"):
            condition = Not(condition)
        return Said(self.phrase("conditions", operator, c=field.said, v=v, w=w), condition, (operator,))

    def known(self, noun: Noun, operator: str) -> Said | None:
        """A column without a value, or with one."""
        fields = [field for field in noun.fields if field.lost and field.role != "named reference"]
        if not fields:
            return None
        field = self.draw.choice(fields)
        missing = Missing(column(field))
        words = self.phrase("conditions", operator, c=field.said)
        return Said(words, missing if operator == "missing" else Not(missing), (operator,))

    def size(self, noun: Noun, operator: str) -> Said | None:
        """A number compared with a number."""
        field = self._field(noun, "measure", "rate", "duration")
        if field is None:
            return None
        n = self.draw.randint(field.high // 4, field.high * 3 // 4)
        ops: dict[str, Comparison] = {"above": ">", "below": "<", "at least": ">=", "at most": "<="}
        condition = Compare(column(field), ops[operator], Constant(n))
        return Said(self.phrase("conditions", operator, c=field.said, n=n), condition, (operator,))

    def between(self, noun: Noun, operator: str) -> Said | None:
        """A number between two."""
        field = self._field(noun, "measure", "rate", "duration")
        if field is None:
            return None
        n, m = self.draw.randint(1, field.high // 3), self.draw.randint(field.high // 2, field.high)
        at = column(field)
        condition = Both((Compare(at, ">=", Constant(n)), Compare(at, "<=", Constant(m))))
        return Said(self.phrase("conditions", operator, c=field.said, n=n, m=m), condition, (operator,))

    def average(self, noun: Noun, operator: str) -> Said | None:
        """A number compared with its average over all rows."""
        field = self._field(noun, "measure", "rate", "duration")
        if field is None:
            return None
        function: Function = "mean"
        mean = Single(Grouped(Rows(noun.table), (), (Aggregate(function, column(field)),)))
        condition = Compare(column(field), ">" if operator == "above average" else "<", mean)
        return Said(self.phrase("conditions", operator, c=field.said), condition, (operator,))

    def text(self, noun: Noun, operator: str) -> Said | None:
        """A name that starts with, or contains, some letters."""
        if noun.label.role != "label":
            return None
        name = self.draw.choice([str(row[noun.label.name]) for row in made(self.domain.name).tables[noun.table]])
        text = name[0] if operator == "starts" else name.split()[-1][:4]
        said = f'"{text}"'
        condition = Text(column(noun.label), "starts" if operator == "starts" else "contains", text)
        return Said(self.phrase("conditions", operator, c=noun.label.said, v=said), condition, (operator,))

    def flag(self, noun: Noun, operator: str) -> Said | None:
        """A flag that is set, or not."""
        field = self._field(noun, "flag")
        if field is None:
            return None
        condition = Compare(column(field), "=", Constant("yes" if operator == "flag" else "no"))
        return Said(self.phrase("conditions", operator, c=field.said), condition, (operator,))

    def time(self, noun: Noun, operator: str) -> Said | None:
        """A date in, before or after a period."""
        field = self._field(noun, "date")
        if field is None:
            return None
        year, until = self.draw.randint(2019, 2020), self.draw.randint(2021, 2022)
        month = self.draw.choice(MONTHS)
        day = self.draw.randrange(7)
        dates: dict[str, tuple[str, str, Condition]] = {
            "year": (f"{year}", "", Within(column(field), f"{year}-01-01", f"{year + 1}-01-01")),
            "not year": (f"{year}", "", Not(Within(column(field), f"{year}-01-01", f"{year + 1}-01-01"))),
            "since": (f"{until}", "", Within(column(field), f"{until}-01-01", "")),
            "before": (f"{month} {until}", "", Within(column(field), "", f"{until}-{_MONTH[month]:02}-01")),
            "after": (f"{year}", "", Within(column(field), f"{year + 1}-01-01", "")),
            "span": (f"{year}", f"{until}", Within(column(field), f"{year}-01-01", f"{until + 1}-01-01")),
            "month": (month, "", Compare(Grain(column(field), "month of year"), "=", Constant(_MONTH[month]))),
            "weekday": (_WEEKDAYS[day], "", Compare(Grain(column(field), "weekday"), "=", Constant(day))),
        }
        said, end, condition = dates[operator]
        words = self.phrase("conditions", operator, verb=field.verb, date=said, until=end)
        return Said(words, condition, (operator,))

    # --- on rows of other tables ---

    def related(self, noun: Noun, operator: str) -> Said | None:
        """Some, none or so many rows of a table below; sometimes only those that meet a condition."""
        below = self.domain.below(noun)
        if not below:
            return None
        child = self.draw.choice(below)
        inner = self.some(child) if self.draw.random() < 0.4 else None
        if inner is not None and (len(inner.operators) > 1 or not set(_tables(inner)) <= {child.table}):
            return None
        tail = f" {inner.words}" if inner else ""
        kinds: dict[str, tuple[Quantifier, int]] = {
            "some": ("some", 1),
            "none": ("none", 1),
            "many": ("at least", self.draw.randint(2, 6)),
            "few": ("at most", self.draw.randint(1, 5)),
            "exactly": ("exactly", self.draw.randint(1, 4)),
        }
        quantifier, n = kinds[operator]
        rows = Rows(child.table, inner.condition) if inner else Rows(child.table)
        said = self.phrase(
            "conditions", operator, many=child.many + tail, one=child.one + tail, n=n + (operator == "few")
        )
        return Said(said, Related(noun.table, rows, quantifier, n), (operator, *(inner.operators if inner else ())))

    def every(self, noun: Noun, operator: str) -> Said | None:
        """Rows below that all meet a condition."""
        children = [child for child in self.domain.below(noun) if child.measured]
        if not children:
            return None
        child = self.draw.choice(children)
        field = self.draw.choice(child.measured)
        n = max(1, field.high // 12)
        condition = Related(noun.table, Rows(child.table, Compare(column(field), ">", Constant(n))), "every")
        words = self.phrase("conditions", operator, one=child.one, many=child.many, c=field.said, n=n)
        return Said(words, condition, (operator,))

    def parent(self, noun: Noun, operator: str) -> Said | None:
        """A condition on the row of a table above."""
        above = self.domain.above(noun)
        if not above:
            return None
        parent = self.draw.choice(above)
        kind = self.draw.choice(("equal", "not equal", "one of", "missing", "above", "at most"))
        inner = _MAKERS[kind](self, parent, kind)
        if inner is None:
            return None
        words = self.phrase("conditions", operator, rows=f"{parent.many} {inner.words}")
        return Said(words, inner.condition, (operator, *inner.operators))

    def led(self, noun: Noun, operator: str) -> Said | None:
        """A condition on the row that a key of a name leads to."""
        field = self._field(noun, "named reference")
        if field is None:
            return None
        kind = self.draw.choice(("equal", "not equal", "one of", "missing", "above", "at most"))
        inner = _MAKERS[kind](self, self.domain.noun(field.to), kind)
        if inner is None:
            return None
        words = self.phrase("conditions", operator, k=led_words(field, self.domain), inner=inner.words)
        return Said(words, led_to(field, inner.condition), (operator, *inner.operators))

    def compared(self, noun: Noun, operator: str) -> Said | None:
        """A number compared with that of the row that a key of a name leads to."""
        field, key = self._field(noun, "measure", "rate", "duration"), self._field(noun, "named reference")
        if field is None or key is None or key.to != noun.table:
            return None
        words = self.phrase("conditions", operator, c=field.said, k=key.said)
        return Said(words, Compare(column(field), ">", led_to(key, column(field))), (operator,))


def led_to(key: Field, value: Any) -> Any:
    """A value of the algebra that speaks of the row that a key leads to."""
    return mapped(value, lambda part: replace(part, table=key.leads_to) if isinstance(part, Column) else part)


def led_words(key: Field, domain: Domain) -> str:
    """What a row is called that a key leads to."""
    return key.said if key.to == key.table else f"{key.said} {domain.noun(key.to).one}"


_Maker = Callable[[Conditions, Noun, str], Said | None]
_GROUPS: dict[_Maker, tuple[str, ...]] = {
    Conditions.category: ("equal", "not equal", "one of", "none of"),
    Conditions.known: ("missing", "known"),
    Conditions.size: ("above", "below", "at least", "at most"),
    Conditions.between: ("between",),
    Conditions.average: ("above average", "below average"),
    Conditions.text: ("starts", "contains"),
    Conditions.flag: ("flag", "no flag"),
    Conditions.time: ("year", "not year", "since", "before", "after", "span", "month", "weekday"),
    Conditions.related: ("some", "none", "many", "few", "exactly"),
    Conditions.every: ("every",),
    Conditions.parent: ("parent",),
    Conditions.either: ("or",),
    Conditions.led: ("led",),
    Conditions.compared: ("compared",),
}
_MAKERS: dict[str, _Maker] = {operator: maker for maker, operators in _GROUPS.items() for operator in operators}
_OFTEN = {"parent": 4, "or": 4, "led": 6, "compared": 3}
"""Operators that need others, and so fit less often."""


def _spoken(said: Said) -> set[object]:
    """The columns, and the tables of related rows, that a condition speaks of."""
    found = list(here(said.condition))
    return {p for p in found if isinstance(p, Column)} | {p.rows.table for p in found if isinstance(p, Related)}


def _tables(said: Said) -> list[str]:
    return list(tables_here(said.condition))
