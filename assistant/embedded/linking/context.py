"""Context: what stands around a word makes some of the things it may name likelier than others.

"The names and ids of all products" speaks of the products' own columns, although every table has a name. Each column
among the options of a span is weighed by the table that the words say it belongs to (its owner), or else by the tables
the question names at all. Nothing is taken away: a weaker option is only read later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.lists import said_together
from assistant.embedded.linking.neighbours import SURE_VALUE, agrees, joined, options_beside, place_of, tables_in_common
from assistant.embedded.linking.options import EXACT, Option, ToColumn, ToNumber, ToPeriod, ToTable, ToTerm, ToValue
from assistant.embedded.linking.owners import (
    SURE_TABLE,
    named_tables,
    noun_before,
    noun_behind,
    owner_after,
    owner_asked,
    owner_before,
)
from assistant.embedded.linking.settling import with_settled_tables
from assistant.embedded.linking.states import is_state
from assistant.embedded.linking.telling import telling
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_stems
from assistant.embedded.words.vocabulary import MOMENTS

_STRANGER = 0.72
_KIN = 0.86
_UNNAMED = 0.8
_UNNAMED_EXACT = 0.95
"""How sure a column is that is called so itself, in a table nobody named, where a named table's is only alike."""
_UNAGREED = 0.9
_OF_THAT_KIND = 1.05
"""How sure a value is where the same word is but another one for its table."""
_APART_FROM_IT = 0.75
"""How sure a value is where the same word names the column of the value beside it."""
_OPTIONS_MAX = 18
"""How many options a span keeps, once they are weighed: in a wide source hundreds of columns go by one name."""


def in_context(spans: Sequence[Span], schema: Schema) -> list[Span]:
    """The same spans, with the options weighed by what stands around them."""
    spans = telling([_figuring(_naming(span, spans[at + 1 :]), spans, at) for at, span in enumerate(spans)])
    spans = with_settled_tables(spans)
    named = named_tables(spans)
    if not named:
        beside = [joined(span.options, tables_in_common(spans, at)) for at, span in enumerate(spans)]
        weighed = [replace(s, options=options[:_OPTIONS_MAX]) for s, options in zip(spans, beside, strict=True)]
        return [said_together(weighed, at) for at in range(len(weighed))]
    weighed = []
    said: set[tuple[str, str]] = set()
    for at, span in enumerate(spans):
        if not any(isinstance(option, ToColumn | ToValue) for option in span.options):
            weighed.append(span)
            continue
        owner = owner_after(spans, at) or owner_before(spans, at) or owner_asked(spans, at)
        beside = options_beside(spans, at)
        dated = _is_dated(spans, at)
        tables = {o.attribute.table for o in span.options if isinstance(o, ToColumn | ToValue)}
        before, first = noun_before(spans, at), next(iter(named))
        held = {o.attribute.table for o in span.options if isinstance(o, ToValue)}
        near = before if before != first and before in held else noun_behind(spans, at) or before
        alike = all(
            o.strength < SURE_VALUE for o in span.options if isinstance(o, ToColumn) and o.attribute.table in named
        )
        options = [_weighed(_dated(o) if dated else o, tables, owner, named, schema, alike=alike) for o in span.options]
        options = [_again(o, said, named, owner) for o in options]
        if span.end - span.start > 1:
            said |= {place_of(o) for o in span.options if isinstance(o, ToColumn) and o.strength > SURE_VALUE}
        if _says_when(spans, at):
            options = [replace(o, strength=o.strength * _STRANGER) if isinstance(o, ToTable) else o for o in options]
        options = _rather_rows(options, {name for name, place in named.items() if place != at})
        if _is_counted(spans, at):
            options = [_held(o, span, named) for o in options]
        if near in held:
            options = [_nearest(o, near, further=near == before != first) for o in options]
        options = _named_after(options, spans[at - 1]) if at else options
        if _breaks_down(spans, at):
            options = [replace(o, strength=o.strength * _SINGLED) if isinstance(o, ToValue) else o for o in options]
        if owner is None:
            options = list(joined(options, tables_in_common(spans, at)))
        if agreed := {type(o) for o in options if agrees(o, beside)}:
            # "born in the state Ohio", where a department is called State: the word is that of the column
            factors = {ToColumn: _UNAGREED, ToValue: _UNAGREED if ToValue in agreed else _APART_FROM_IT}
            options = [
                replace(o, strength=o.strength * factors[type(o)])
                if isinstance(o, ToColumn | ToValue) and not agrees(o, beside)
                else o
                for o in options
            ]
        weighed.append(replace(span, options=tuple(sorted(options, key=lambda o: -o.strength)[:_OPTIONS_MAX])))
    return [said_together(weighed, at) for at in range(len(weighed))]


def _named_after(options: list[Option], before: Span) -> list[Option]:
    """ "the service Education": right behind its noun a value is the name of a row, rather than of its kind."""
    nouns = {o.entity.name: o.entity for o in before.options if isinstance(o, ToTable) and o.strength >= SURE_TABLE}
    held = [o for o in options if isinstance(o, ToValue) and o.attribute.table in nouns]
    named = {o.attribute.table for o in held if o.attribute.name in nouns[o.attribute.table].label}

    def rather(option: Option) -> Option:
        if not isinstance(option, ToValue) or option.attribute.table not in named:
            return option
        is_name = option.attribute.name in nouns[option.attribute.table].label
        return option if is_name else replace(option, strength=option.strength * _KIN)

    return [rather(o) for o in options] if named else options


def _breaks_down(spans: Sequence[Span], at: int) -> bool:
    """ "revenue per store", where stores are also a channel: it is broken down by things rather than by a value."""
    before = spans[at - 1].options if at else ()
    grouped = any(isinstance(o, Cue) and o.kind == "group" for o in before)
    return grouped and any(isinstance(o, ToTable | ToColumn) for o in spans[at].options)


_SINGLED = 0.8
"""How sure a value is behind "per" where the word names things as well."""
_NAMED = frozenset(("named", "called", "titled"))


def _naming(span: Span, behind: Sequence[Span]) -> Span:
    """ "the model named X": the word speaks of a column that holds the value behind it, or of none at all."""
    if span.text.lower() not in _NAMED or not behind:
        return span
    held = {place_of(o) for o in behind[0].options if isinstance(o, ToValue)}
    kept = tuple(o for o in span.options if not held or not isinstance(o, ToColumn) or place_of(o) in held)
    return replace(span, options=kept)


def _figuring(span: Span, spans: Sequence[Span], at: int) -> Span:
    """ "total quantity", where bills have a total: right before a number the word says what to do with it.

    Behind such a word it is the column: in "the lowest total" and "the average total" nothing is added up.
    """
    sums = any(_is_figure(o) for o in span.options)
    if not sums or not any(_is_sure_number(o) for o in span.options):
        return span
    before, behind = spans[at - 1].options if at else (), spans[at + 1].options if at + 1 < len(spans) else ()
    if any(_is_figure(o) for o in before):
        return replace(span, options=tuple(o for o in span.options if not _is_figure(o)))
    if not any(_is_sure_number(o) for o in behind):
        return span
    options = (replace(o, strength=o.strength * _STRANGER) if isinstance(o, ToColumn) else o for o in span.options)
    return replace(span, options=tuple(options))


def _is_figure(option: Option) -> bool:
    return isinstance(option, Cue) and option.kind in _FIGURES


def _is_sure_number(option: Option) -> bool:
    return isinstance(option, ToColumn) and option.attribute.is_number and option.strength > EXACT


_FIGURES = ("sum", "average", "minimum", "maximum")
_COUNTING = ("count", "most", "compare", "or_more")


def _is_counted(spans: Sequence[Span], at: int) -> bool:
    """ "the number of guests", "the most guests", "more than 20 guests"."""
    before = [span for span in spans[max(at - 3, 0) : at] if span.text.lower() != "the"]
    options = before[-1].options if before else ()
    if any(isinstance(o, ToNumber) for o in options):
        options = (*options, *(before[-2].options if len(before) > 1 else ()))
    return any(isinstance(o, Cue) and o.kind in _COUNTING for o in options)


def _held(option: Option, span: Span, named: dict[str, int]) -> Option:
    """Where rows that the question names hold the number of guests, it is meant as likely as guests one by one."""
    if not isinstance(option, ToColumn) or option.attribute.table not in named:
        return option
    stems = option.attribute.stems
    held = stems[0] == "number" and len(stems) > 1 and stems[1:] == name_stems(span.text)
    return replace(option, strength=max(option.strength, _HELD)) if held else option


_HELD = 0.98


def _is_dated(spans: Sequence[Span], at: int) -> bool:
    """ "stores closed in 2025", "shipped after the required date", "when was it closed": the date itself is meant."""
    following = spans[at + 1 : at + 3]
    options = [option for span in following for option in span.options]
    dated = any(isinstance(o, ToPeriod) or (isinstance(o, Cue) and o.kind == "compare") for o in options)
    beside = spans[at + 1].options if at + 1 < len(spans) else ()
    dated = dated or any(isinstance(o, Cue) and o.kind == "grain" for o in beside)  # "bills paid per month"
    return dated or spans[0].text.lower().split()[0] == "when"


def _says_when(spans: Sequence[Span], at: int) -> bool:
    """ "the date it was ordered": the verb speaks of the date rather than of the orders."""
    words = [span.text.lower() for span in spans[max(at - _MOMENT_MAX, 0) : at]]
    return words[-1:] in (["was"], ["were"]) and bool(MOMENTS & set(words))


_MOMENT_MAX = 4


def _dated(option: Option) -> Option:
    state = isinstance(option, ToTerm) and is_state(option.term)
    return replace(option, strength=option.strength * _STRANGER) if state else option


def _nearest(option: Option, near: str, *, further: bool) -> Option:
    """A value belongs to the noun before it, where that has such a value, rather than to another one.

    Of a `further` noun it is surely said: in "guides who train pupils of the north school" the pupils are.
    """
    if not isinstance(option, ToValue):
        return option
    if option.attribute.table == near:
        return replace(option, strength=max(option.strength, SURE_VALUE)) if further else option
    return replace(option, strength=option.strength * _KIN)


def _again(option: Option, said: set[tuple[str, str]], named: dict[str, int], owner: Entity | None) -> Option:
    """ "Which delivery towns ...? Return the town": the column that was said before by more words.

    In "the pet names and the names of the cages" what follows belongs to something else.
    """
    if not isinstance(option, ToColumn) or option.strength >= SURE_VALUE or option.attribute.table not in named:
        return option
    if owner is not None and owner.name != option.attribute.table:
        return option
    return replace(option, strength=SURE_VALUE) if place_of(option) in said else option


def _rather_rows(options: list[Option], named: set[str]) -> list[Option]:
    """ "who never made a transaction": where a word names rows, it is hardly a value in a table that nobody named.

    A suite is a room of that kind, though: by another word for a table a value of its own is meant before all rows.
    """
    tables = {o.entity.name: o.strength for o in options if isinstance(o, ToTable) and o.strength >= SURE_TABLE}
    if not tables:
        return options
    most = max(tables.values())
    kinds = tables if most < EXACT else {}

    def rather(value: ToValue) -> ToValue:
        if value.attribute.table in kinds and value.strength > most * _KIN:
            return replace(value, strength=max(value.strength, most * _OF_THAT_KIND))
        if value.attribute.table not in named:
            return replace(value, strength=min(value.strength, most * _KIN))
        return value

    return [rather(o) if isinstance(o, ToValue) else o for o in options]


def _weighed(
    option: Option, tables: set[str], owner: Entity | None, named: dict[str, int], schema: Schema, *, alike: bool
) -> Option:
    match option:
        case ToColumn():
            table = option.attribute.table
        case ToValue():
            table = option.attribute.table
            owner = None
        case _:
            return option
    if owner is not None and table != owner.name:
        if owner.name in tables:
            return replace(option, strength=option.strength * _STRANGER)
        near = {edge.right for edge in schema.edges.get(owner.name, ())}
        if (noun := schema.nouns.get(owner.name)) is not None and noun.name in tables:
            near = {noun.name}  # "the names of the club members", where the members have a table of their own
        return option if table in near else replace(option, strength=option.strength * _KIN)
    if owner is None and table not in named and tables & set(named):
        exact = alike and isinstance(option, ToColumn) and option.strength > SURE_VALUE
        return replace(option, strength=option.strength * (_UNNAMED_EXACT if exact else _UNNAMED))
    return option
