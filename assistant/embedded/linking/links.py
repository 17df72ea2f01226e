"""Linking: which words of a question may name which table, column, value, metric or term, or be a cue.

The result is a lattice: for each place in the question the spans that begin there, each with its possible options.
Which of them cover the question best is chosen in `spans`; which option of a span is meant is decided by reading on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from assistant.embedded.linking.linker import DONE_BY_SOMEBODY, Linker
from assistant.embedded.linking.options import (
    EXACT,
    Option,
    ToColumn,
    ToNumber,
    ToPeriod,
    ToText,
    ToValue,
    weaker,
)
from assistant.embedded.linking.phrases import COMPARING, DOING, ROOT, SPAN_MAX, links, spelling
from assistant.embedded.source import values
from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.cues import cues_at
from assistant.embedded.words.lexicon import Token
from assistant.embedded.words.vocabulary import STOP_WORDS, word_set

_BEFORE_NOUNS = word_set("a an the each every one per which what any single another same this that")
_OURS = frozenset(("we", "company", "to", "and"))
"""Behind these "spend" is not what customers do."""
_DO = frozenset(("do", "does", "did"))
_PLACES = frozenset(("first", "last"))
_WORKING = frozenset(("work", "works", "worked", "working"))
_PLACES_OF_WORK = frozenset(("at", "in", "for", "on", "with"))
"""Where people work is no number of years or hours that they worked."""
_SUBJECT_MAX = 3
"""How many words may stand between "does" and the verb that it goes with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Words of the question from `start` (inclusive) to `end`, and what they may be; no options: a plain word.

    `likened`: nothing goes by these words, and the options are only like them in meaning; `parted`: a comma or
    another mark stands before them.
    """

    start: int
    end: int
    text: str
    options: tuple[Option, ...] = ()
    unknown: bool = False
    likened: bool = False
    parted: bool = False


def spans_at(tokens: Sequence[Token], at: int, today: date, linker: Linker) -> list[Span]:
    """Every span that begins at a token and may mean something."""
    spans: list[Span] = []
    token = tokens[at]
    if token.kind == "quoted":
        found = linker.index.find(values.index_words(token.text))
        options: list[Option] = [
            ToValue(attribute=f.attribute, value=f.value, strength=f.strength * spelling([token], f.value))
            for f in found
        ]
        spans.append(span_of(tokens, at, at + 1, options or [ToText(text=token.text)]))
        return spans
    by_length: dict[int, list[Option]] = {}
    for cue, taken in cues_at(tokens, at):
        if cue.kind == "count" and _is_its_number(tokens, at, linker):
            continue
        told = token.lower != "all" and tokens[at + taken - 2].lower in ("detail", "details")
        if cue.kind == "all_columns" and told and linker.names(("detail",)):
            continue  # "the details of", where a column is called so
        by_length.setdefault(taken, []).append(cue)
        if (
            cue.kind == "sum" and taken > 1 and (token.parted or tokens[at - 1].lower == "and")
        ):  # "the date and total of each order", where an order has a total
            words = [t.stem for t in tokens[at : at + taken] if t.lower not in ("the", "of")]
            held = (o for o in linker.names(tuple(words)) if isinstance(o, ToColumn) and o.strength > EXACT)
            by_length[taken] += [weaker(option, EXACT) for option in held]
    if period := time_phrase(tokens, at, today):
        by_length.setdefault(period[1], []).append(ToPeriod(period=period[0]))
    if token.number is not None:
        by_length.setdefault(1, []).append(ToNumber(number=token.number))
    if token.lower in STOP_WORDS and at and _leads_to_noun(tokens[at - 1]):
        named = (o for o in linker.tables.get((token.stem,), ()) if o.strength > EXACT)
        by_length.setdefault(1, []).extend(named)
    for length in range(1, min(max(SPAN_MAX, linker.index.longest), len(tokens) - at) + 1):
        part = tokens[at : at + length]
        if any(t.kind == "quoted" for t in part):
            break
        if _ends_in_verb(tokens, at, part):
            continue
        following = tokens[at + length].stem if at + length < len(tokens) else ""
        if length == 1 and at and _compares(tokens[at - 1], token, following):
            continue  # "which lamps cost under 50": what they do is no name
        found = links(part, linker, following, ours=at > 0 and tokens[at - 1].lower in _OURS)
        if length == 1 and token.lower in _WORKING and following in _PLACES_OF_WORK:
            found = [o for o in found if not (isinstance(o, ToColumn) and o.attribute.is_number)]
        if _is_done(tokens, at, part):
            found = [o for o in found if not (isinstance(o, ToValue) and o.strength < _VERY_WORD)]
        rows = any(o.strength > EXACT for o in linker.tables.get((following,), ()))  # "the first order"
        if length == 1 and token.lower in _PLACES and (rows or not _speaks_of_names(tokens)):
            found = [o for o in found if not _is_name_part(o)]
        by_length.setdefault(length, []).extend(found)
    for length, options in by_length.items():
        if options:
            spans.append(span_of(tokens, at, at + length, options))
    return spans


def span_of(tokens: Sequence[Token], start: int, end: int, options: list[Option]) -> Span:
    text = " ".join(t.text for t in tokens[start:end])
    return Span(start=start, end=end, text=text, options=tuple(options), parted=tokens[start].parted)


def _leads_to_noun(token: Token) -> bool:
    """ "each show", "more than one show": a small word behind these is a noun, where a table is called so."""
    return token.lower in _BEFORE_NOUNS or token.number is not None


def _speaks_of_names(tokens: Sequence[Token]) -> bool:
    """Whether "first" or "last" may be short for a name: "the first and last names", "first, last and email"."""
    said = {token.lower for token in tokens}
    return said >= _PLACES or any(token.stem == "name" for token in tokens)


def _is_name_part(option: Option) -> bool:
    """Whether a column is meant that holds a part of a name: "when did Ada last order" asks for none."""
    return isinstance(option, ToColumn) and option.attribute.own[-1] in ("name", "nam")


def _compares(before: Token, verb: Token, following: str) -> bool:
    """Whether a verb stands between what does it and how much of it: "lamps that cost over", "boxes weigh less"."""
    does_it = before.lower in ("that", "which", "who") or (before.lower.endswith("s") and len(before.lower) > ROOT - 1)
    return verb.lower in DOING and following in COMPARING and does_it


def _is_done(tokens: Sequence[Token], at: int, part: Sequence[Token]) -> bool:
    """ "what did we pay": what somebody does is no value that is but like it, as salaries are."""
    before = [token.lower for token in tokens[max(at - _SUBJECT_MAX, 0) : at]]
    return len(part) == 1 and bool(before) and before[-1] not in _BEFORE_NOUNS and bool(_DO & set(before[:-1]))


_VERY_WORD = 0.9
"""From which strength on a value is what was said, and not only like it."""


def _is_its_number(tokens: Sequence[Token], at: int, linker: Linker) -> bool:
    """ "salary and department number of the clerks": a number that each has behind other columns, and no count."""
    if tokens[at].lower != "number" or at < _BEHIND or tokens[at].parted or tokens[at - 1].lower in STOP_WORDS:
        return False
    listed = tokens[at - 2].lower == "and" or tokens[at - 1].parted
    owned = [t.lower for t in tokens[at + 1 : at + 3]] in (
        ["of", "the"],
        ["of", "each"],
        ["of", "all"],
        ["of", "every"],
    )
    named = (*linker.names((tokens[at - 1].stem, "number")), *linker.names((tokens[at - 1].stem, "id")))
    return listed and owned and any(isinstance(o, ToColumn) and o.strength > EXACT for o in named)


_BEHIND = 3
"""Behind how many words at least a number is one of several columns."""


def _ends_in_verb(tokens: Sequence[Token], at: int, part: Sequence[Token]) -> bool:
    """ "how many orders does a customer place": what a customer does is no name, nor a part of one."""
    following = tokens[at + len(part)].lower if at + len(part) < len(tokens) else ""
    asked = any(token.lower in _DO for token in tokens[max(at - _SUBJECT_MAX, 0) : at])
    return asked and part[-1].lower in DONE_BY_SOMEBODY and following not in ("have", "has", "get")
