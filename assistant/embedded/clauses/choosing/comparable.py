"""What can be compared with a number, and in which unit: a price with 50, people over 30, minutes with 2 hours."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.naming.adjectives import tables_in_question
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.linking.units import UnitError, in_unit_of
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import name_words, singular
from assistant.embedded.words.vocabulary import PEOPLE


def compares(draft: Draft, option: ToColumn) -> bool:
    """Whether a column can be compared: a key only where it is said, "with a level number above 5"."""
    attribute = option.attribute
    said = option.strength >= _SAID or draft.says_key(attribute)
    said = said or attribute.own[-1] == "number"  # "a level between 5 and 10", where a level has a number
    counted = attribute.role in ("key", "reference") and attribute.column.kind == "integer" and said
    return attribute.is_number or attribute.role == "year" or counted


_SAID = 0.9
"""From which strength on the words are the name of a key itself."""


def age_among(draft: Draft, at: int, number: float) -> Attribute | None:
    """ "customers over 50", "people between 20 and 30": the age of the people, where their rows hold one."""
    said = [name_words(piece.span.text)[-1:] for piece in draft.pieces[max(at - 2, 0) : at] if piece.span.text]
    if not any(words and singular(words[0]) in PEOPLE | {"people"} for words in said):
        return None
    tables = tables_in_question(draft) or list(draft.schema.entities)[:1]
    return next((a for t in tables for a in draft.schema.entities[t].attributes.values() if _is_age(a, number)), None)


def _is_age(attribute: Attribute, number: float) -> bool:
    return attribute.own[-1:] == ("age",) and attribute.is_number and may_hold(attribute, number)


def may_hold(attribute: Attribute, number: float) -> bool:
    """Whether a number lies among the values of a column."""
    profile = attribute.column.profile
    if attribute.as_text:
        return True  # the lowest and the highest of texts say nothing
    if profile is None or profile.low is None or profile.high is None:
        return False
    try:
        return float(str(profile.low)) <= number <= float(str(profile.high))
    except ValueError:
        return False


def in_its_unit(draft: Draft, attribute: Attribute, number: float, at: int) -> int | float:
    """The number in the unit of the column, where a unit stands behind it."""
    beside = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if beside is None or not attribute.is_number:
        return whole(number)
    try:
        value, note = in_unit_of(attribute, number, beside.span.text)
    except UnitError as problem:
        raise Misfit(str(problem), weight=8) from None
    if note:
        draft.assumptions.append(note)
    return whole(value)


def whole(value: float) -> int | float:
    """A number without a needless fraction."""
    return int(value) if value == int(value) else value
