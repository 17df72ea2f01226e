"""The question cut into spans: those that explain most of it are chosen, and what nothing claims becomes a plain span.

Which spans may begin where, and what they may mean, is known elsewhere (`links`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assistant.embedded.linking.guessing import guess
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span, span_of, spans_at
from assistant.embedded.linking.options import (
    EXACT,
    Option,
    ToColumn,
    ToMetric,
    ToNumber,
    ToPeriod,
    ToTable,
    ToTerm,
    ToText,
    ToValue,
)
from assistant.embedded.linking.spelling import spelt
from assistant.embedded.linking.units import is_unit
from assistant.embedded.source import values
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import Token, does, is_short
from assistant.embedded.words.vocabulary import STOP_WORDS, WEAK_WORDS

_CALLED = 0.75
"""From which strength on a column, by whatever word, tells that a small word behind it is its value: "group A"."""
_OTHERWISE = 0.9
"""From which strength on a capital is a name of its own: what only belongs to a country may be part of another."""
_NAMES = frozenset(("US", "IT"))
"""Small words that are names when they are shouted: a country must not fall away unnoticed."""
_LOGGED, _ONTO = frozenset(("logged", "signed", "checked")), frozenset(("in", "on", "off", "out"))
_STILL = frozenset(("still", "currently", "now", "are", "is"))
"""Behind these "out" says where something is: "still out"."""
_LEADS = frozenset(("return", "list", "count", "rank", "order", "name", "select"))
_REQUESTS = frozenset(("return", "list", "show", "report", "display"))
_POLITE = frozenset(("please", "pls", "plz"))
_AFTER_LEADS = ("the", "all", "each", "their", "its")


def segment(tokens: Sequence[Token], linker: Linker, today: date) -> list[Span]:
    """Cover the question with the spans that explain most of it, longer and stronger ones first.

    Words that nothing claims become plain spans; those of them that carry meaning are marked unknown.
    """
    tokens = spelt(values.names_apart(tokens, linker.index), linker)
    count = len(tokens)
    best: list[tuple[float, int, Span | None]] = [(0.0, 0, None)] * (count + 1)
    for at in range(count - 1, -1, -1):
        token = tokens[at]
        plain = token.lower in STOP_WORDS and token.text not in _NAMES
        weak = token.lower in WEAK_WORDS
        skip = 0.0 if plain else (-0.15 if weak else -1.0)
        best[at] = (best[at + 1][0] + skip, at + 1, None)
        for span in spans_at(tokens, at, today, linker):
            if (_is_request(tokens, at) or _begins_or_ends(tokens, at)) and span.end == at + 1:
                continue
            if _is_lead(tokens, at) and (span.end == at + 1 or not any(isinstance(o, Cue) for o in span.options)):
                continue
            score = best[span.end][0] + _worth(span, tokens)
            if score > best[at][0] + 1e-9:
                best[at] = (score, span.end, span)
    spans: list[Span] = []
    at = 0
    while at < count:
        _, end, span = best[at]
        spans.append(span or _plain(tokens, at, linker))
        at = end
    named = _with_alternatives(_with_values_of_columns(_with_proper_names(spans, linker), linker), linker)
    return _with_asked_periods(_with_unlisted_values(named))


def _with_asked_periods(spans: Sequence[Span]) -> list[Span]:
    """The same spans; "which month" may be a stretch of time where a column, maybe far away, is called so as well."""
    made: list[Span] = []
    for span in spans:
        unit, asked = span.text.lower(), made[-1].text.lower() if made else ""
        columns = [o for o in span.options if isinstance(o, ToColumn)]
        if columns and unit in _UNITS and asked in _ASKING and len(columns) == len(span.options):
            as_time = Cue(kind="asked_grain", argument=unit, strength=max(o.strength for o in columns))
            made.append(replace(span, options=(*columns, as_time)))
        else:
            made.append(span)
    return made


_UNITS = frozenset(("day", "week", "month", "quarter", "year"))
_ASKING = frozenset(("which", "what"))


def _with_proper_names(spans: Sequence[Span], linker: Linker) -> list[Span]:
    """The same spans; capitals that end in a table's name are a row's name, where not all are known: "Orient Lines"."""
    made: list[Span] = []
    for span in spans:
        before = made[-1] if made else None
        table = next((o.entity for o in span.options if isinstance(o, ToTable) and o.strength > EXACT), None)
        name = linker.schema.attribute(table.name, table.label[0]) if table and len(table.label) == 1 else None
        capital = before is not None and before.start > 0 and before.text.istitle() and span.text.istitle()
        if before is None or not capital or name is None or not _is_open(name) or not _names_nothing(before):
            made.append(span)
            continue
        text = f"{before.text} {span.text}"
        value = ToValue(attribute=name, value=text, strength=0.9, known=False)
        made[-1] = replace(before, end=span.end, text=text, options=(value,), unknown=False)
    return made


def _names_nothing(span: Span) -> bool:
    return not any(o.strength > _OTHERWISE for o in span.options)


def _is_open(attribute: Attribute) -> bool:
    """Whether a text column holds more values than are known."""
    profile = attribute.column.profile
    return attribute.role == "text" and (profile is None or not profile.values)


def _with_values_of_columns(spans: Sequence[Span], linker: Linker) -> list[Span]:
    """The same spans; a common word right behind a column that holds it is its value: "with the status code done"."""
    made: list[Span] = []
    for span in spans:
        word, text = span.text.lower(), span.text
        beside = bool(made) and any(isinstance(o, ToColumn) and o.strength > EXACT for o in made[-1].options)
        capital = text.isupper() or (text.istitle() and beside)  # "with the operating system Any"
        if not span.options and word not in _BEFORE_VALUES and (word not in STOP_WORDS or capital):
            column = next((s for s in reversed(made[-3:]) if s.text.lower() not in _BEFORE_VALUES), None)
            named = {_column(o) for o in column.options if o.strength > _CALLED} if column else set()
            found = [f for f in linker.index.find([word]) if (f.attribute.table, f.attribute.name) in named]
            held = [ToValue(attribute=f.attribute, value=f.value, strength=f.strength) for f in found]
            made.append(replace(span, options=tuple(held), unknown=span.unknown and not held))
        else:
            made.append(span)
    return made


def _with_alternatives(spans: Sequence[Span], linker: Linker) -> list[Span]:
    """The same spans; behind "or" a word may be another value of the column before it: "cancelled or played"."""
    made: list[Span] = []
    for span in spans:
        said = made[-2].options if made[1:] and made[-1].text.lower() in ("or", "nor") else ()
        columns = {(o.attribute.table, o.attribute.name) for o in said if isinstance(o, ToValue)}
        own = any(isinstance(o, ToValue) for o in span.options)
        known = linker.index.find(values.index_words(span.text)) if columns and not own else ()
        found = [f for f in known if f.strength == 1.0 and (f.attribute.table, f.attribute.name) in columns]
        held = [ToValue(attribute=f.attribute, value=f.value, strength=f.strength) for f in found]
        made.append(replace(span, options=(*held, *span.options), unknown=span.unknown and not held) if held else span)
    return made


def _column(option: Option) -> tuple[str, str]:
    return (option.attribute.table, option.attribute.name) if isinstance(option, ToColumn) else ("", "")


_BEFORE_VALUES = frozenset(("of", "is", "was", "in", "named", "called", "the", "equals", "equal", "to", "as"))


def _with_unlisted_values(spans: Sequence[Span]) -> list[Span]:
    """The same spans; a name right behind a column that holds more than is known is a text of it: "city of Perl"."""
    made: list[Span] = []
    at = 0
    while at < len(spans):
        end = at
        while end < len(spans) and spans[end].unknown and spans[end].text[:1].isupper():
            end += 1
        if end == at or not _follows_open_column(spans[:at]):
            made.append(spans[at])
            at += 1
            continue
        text = " ".join(span.text for span in spans[at:end])
        made.append(replace(spans[at], end=spans[end - 1].end, text=text, options=(ToText(text=text),), unknown=False))
        at = end
    return made


def _follows_open_column(spans: Sequence[Span]) -> bool:
    """Whether what stands last, over small words, is a text column that holds more values than are known."""
    for span in reversed(spans[-3:]):
        if span.text.lower() in _BEFORE_VALUES:
            continue
        best = max(span.options, key=lambda o: o.strength, default=None)
        if isinstance(best, ToTable) and best.strength > EXACT and span is spans[-1]:
            return all(_is_open(best.entity.attributes[name]) for name in best.entity.label)  # "the customer Ada Korn"
        return isinstance(best, ToColumn) and _is_open(best.attribute)
    return False


def _is_lead(tokens: Sequence[Token], at: int) -> bool:
    """ "Return the ...", "for each product, list the ...": the word begins what is asked, and names nothing."""
    if tokens[at].lower not in _LEADS or at + 1 == len(tokens) or tokens[at + 1].lower not in _AFTER_LEADS:
        return False
    return at == 0 or tokens[at - 1].lower in _POLITE or tokens[at - 1].lower not in STOP_WORDS


def _is_request(tokens: Sequence[Token], at: int) -> bool:
    """ "... of each customer? Return client name and date": a verb at the head of a sentence or clause."""
    return at > 0 and tokens[at].parted and tokens[at].lower in _REQUESTS


def _begins_or_ends(tokens: Sequence[Token], at: int) -> bool:
    """ "whose name starts with A": how the name is written, though a column says when something starts."""
    if tokens[at].lower not in _ENDING or at + 2 >= len(tokens) or tokens[at + 1].lower != "with":
        return False
    written = tokens[at + 2]
    return written.kind == "quoted" or len(written.text) == 1 or [t.lower for t in tokens[at + 2 : at + 4]] == _LETTER


_LETTER = ["the", "letter"]
_ENDING = frozenset(("start", "starts", "starting", "begin", "begins", "beginning", "end", "ends", "ending"))


def _worth(span: Span, tokens: Sequence[Token]) -> float:
    """Longer spans explain more than their parts; a link to content explains more than a cue of the same words."""
    length = span.end - span.start
    defined = any(isinstance(o, ToMetric | ToTerm) and o.strength > EXACT for o in span.options)
    defined = defined or (length > 1 and any(isinstance(o, ToValue) and o.strength > EXACT for o in span.options))
    in_full = length > 1 and _in_full(span)
    defined = defined or in_full
    content = sum(1 for t in tokens[span.start : span.end] if defined or t.lower not in STOP_WORDS)
    strongest = max(option.strength for option in span.options)
    if any(isinstance(option, Cue) and option.kind == "grain" for option in span.options):
        return 1.1 * length**1.15
    if all(isinstance(option, Cue | ToNumber) for option in span.options):
        whole = any(isinstance(o, Cue) and _says_all(o) for o in span.options)
        sorts = whole and length > 1 and tokens[span.start].lower in _SORTING
        return 0.55 * length**1.15 * strongest + (1.0 if sorts else 0.7 if whole else 0.1)
    if any(isinstance(option, ToPeriod) for option in span.options):
        return 1.05 * length**1.1
    told = length > 1 and tokens[span.end - 1].stem == _TOLD and any(isinstance(o, ToColumn) for o in span.options)
    told = told or (length == 1 and span.start > 0 and _is_written_so(span, tokens[span.start]))
    if content > 1 and strongest >= _SAID_OTHERWISE and not any(_by_itself(t) for t in tokens[span.start : span.end]):
        strongest = (1 + strongest) / 2
    sure = 1.0 if in_full else 0.7 if told else 0.1
    return strongest * (0.85 * content**1.3 + 0.15 * length) + sure


def _in_full(span: Span) -> bool:
    """Whether a column is named word by word, its small words too: "rent per month", "serial no"."""
    said = span.text.lower()
    return any(isinstance(o, ToColumn) and o.attribute.words.lower() == said for o in span.options)


def _is_written_so(span: Span, token: Token) -> bool:
    """Whether a capital within a sentence is a value written just so, though a cue is spelt alike: "the Max plan"."""
    value = any(isinstance(o, ToValue) and o.value == token.text for o in span.options)
    return value and token.text.istitle() and any(isinstance(o, Cue) for o in span.options)


def _by_itself(token: Token) -> bool:
    """Words that are read well alone: a thing beside its name, and what would have to be spelt out."""
    return token.stem == "name" or is_short(token.lower)


_SORTING = frozenset(("ordered", "sorted", "ranked", "listed", "arranged"))
"""What may begin to say in which order, though a column is called so as well: "ordered from low to high"."""
_SAID_OTHERWISE = 0.65
"""From which strength on several words that name one thing together are hardly there by chance, though no name."""
_TOLD = "information"
"""Behind a noun it is the column that tells more of a thing, where there is one, rather than all that is known."""


def _says_all(cue: Cue) -> bool:
    """Whether a cue has all that it needs in its own words: a number, a direction, "the highest paid"."""
    paid = cue.kind == "best" and "salary" in cue.hints
    return paid or cue.kind in ("direction", "sort") or cue.number is not None or cue.kind == "duration"


def _plain(tokens: Sequence[Token], at: int, linker: Linker) -> Span:
    token = tokens[at]
    if _is_lead(tokens, at):
        return Span(start=at, end=at + 1, text=token.text, parted=token.parted)
    if token.lower == "out" and at and tokens[at - 1].lower in _STILL:
        return Span(start=at, end=at + 1, text=token.text, unknown=True, parted=token.parted)
    if token.lower in _LOGGED and at + 1 < len(tokens) and tokens[at + 1].lower in _ONTO:
        return Span(start=at, end=at + 1, text=token.text, unknown=True, parted=token.parted)  # "who are logged in"
    if (token.lower in STOP_WORDS and token.text not in _NAMES) or token.lower in WEAK_WORDS:
        return Span(start=at, end=at + 1, text=token.text, parted=token.parted)
    if at and tokens[at - 1].number is not None and is_unit(token.lower):
        return Span(start=at, end=at + 1, text=token.text, parted=token.parted)
    if any(does(token.stem, other.stem) for other in tokens):
        return Span(start=at, end=at + 1, text=token.text)  # "directors who directed": says nothing more
    guesses = guess(token, linker)
    if not guesses and _is_alone(tokens, at):
        parts = linker.index.part(token.lower)
        guesses += [ToValue(attribute=f.attribute, value=f.value, strength=f.strength) for f in parts]
    if guesses:
        return span_of(tokens, at, at + 1, guesses)
    return Span(start=at, end=at + 1, text=token.text, unknown=True, parted=token.parted)


def _is_alone(tokens: Sequence[Token], at: int) -> bool:
    """Whether a capital within a sentence stands between small letters: no other word belongs to the name."""
    beside = (*tokens[at - 1 : at], *tokens[at + 1 : at + 2])
    return at > 0 and tokens[at].text.istitle() and not any(token.text.istitle() for token in beside)
