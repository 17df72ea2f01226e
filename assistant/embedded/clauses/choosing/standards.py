"""Clauses that compare with what certain rows have: "cheaper than every lamp", "earns more than Ada Korn", "above the
average price of the garden products".

The figure to compare with is read as a question of its own, by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.clauses.naming.adjectives import extent, hinted, tables_in_question
from assistant.embedded.clauses.wanted import ComparedWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToPeriod, ToText, ToValue
from assistant.embedded.meaning import Aggregate, Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_stems
from assistant.embedded.words.vocabulary import LESS, MORE

_AGAIN = frozenset(("the", "of", "that", "those", "any", "all", "every", "each", "other", "for", "in", "a", "an"))


def standards(draft: Draft, rules: Sequence[Callable[[Draft], None]]) -> None:
    """Take a comparison with what certain rows have out of the question, and read their figure by the same rules."""
    for first, last, operator, attribute, said in comparisons(draft):
        end = _end(draft, last)
        tail = range(last + 1, end)
        if not any(isinstance(draft.pieces[n].option, ToValue | ToText | ToNumber) for n in tail):
            continue
        few = _at_least_one(draft, last)
        extreme: Aggregate = "maximum" if (">" in operator) != bool(few) else "minimum"
        inner = _figure(draft, [n for n in tail if n not in few], attribute, said or extreme)
        if inner is None or not _read(inner, rules):
            continue
        draft.compared.append(ComparedWanted(attribute, operator, inner.wanted[0].aggregate or "average", inner))
        before = draft.before(first, plain_max=3)
        named = draft.open(before)
        if before is not None and isinstance(named, ToColumn) and named.attribute == attribute:
            draft.use(before)
        draft.pieces[first:end] = [Piece(span=p.span, option=None, used=True) for p in draft.pieces[first:end]]
        return


def _at_least_one(draft: Draft, at: int) -> list[int]:
    """The words behind a comparison that say that one of them is enough: "than some clerk", "than at least one"."""
    found: list[int] = []
    for n in range(at + 1, len(draft.pieces)):
        text, option = draft.pieces[n].span.text.lower(), draft.open(n)
        if text in ("some", "at least") or (isinstance(option, ToNumber) and option.number == 1 and found):
            found.append(n)
        elif text not in ("that", "of", "those"):
            break
    return found


def comparisons(draft: Draft) -> list[tuple[int, int, Operator, Attribute, Aggregate | None]]:
    """Where something is compared: the first and the last place of the words, which way, and by which number."""
    found: list[tuple[int, int, Operator, Attribute, Aggregate | None]] = []
    for i, cue in draft.cues("compare", "above_average"):
        operator = {"older": ">", "younger": "<"}.get(cue.argument, cue.argument)
        following = draft.after(i, plain_max=2)
        if operator not in ("<", "<=", ">", ">=") or isinstance(draft.open(following), ToNumber | ToPeriod):
            continue
        attribute = _compared(draft, i, cue, following)
        if attribute is not None and attribute.is_number:
            average = "average" if cue.kind == "above_average" else None
            found.append((i, i, cast(Operator, operator), attribute, average))
    for i in range(len(draft.pieces) - 2):
        word, than = draft.pieces[i].span.text.lower(), draft.pieces[i + 2].span.text.lower()
        option = draft.open(i + 1)
        if word in MORE | LESS and than == "than" and isinstance(option, ToColumn) and option.attribute.is_number:
            found.append((i, i + 2, ">" if word in MORE else "<", option.attribute, None))
    return found


def _compared(draft: Draft, at: int, cue: Cue, following: int | None) -> Attribute | None:
    """The number that is compared: the adjective's own, the one before, or the one named behind."""
    if cue.hints:
        return hinted(draft, cue.hints, tables_in_question(draft))
    for place in (draft.before(at, plain_max=3), following):
        option = draft.open(place)
        if isinstance(option, ToColumn) and option.attribute.is_number:
            return option.attribute
    return extent(draft, draft.word(at).split(), tables_in_question(draft)[:1])  # "larger than every lake"


def _end(draft: Draft, at: int) -> int:
    """Where the rows that are compared with end: at the next sentence, "and", "but" or order."""
    for n in range(at + 1, len(draft.pieces)):
        turned = draft.pieces[n].span.text.lower().split()[0] == "but"
        if turned or draft.cue_at(n, "and", "or", "sort", "direction", "versus"):
            return n
    return len(draft.pieces)


def _figure(draft: Draft, tail: list[int], attribute: Attribute, aggregate: Aggregate) -> Draft | None:
    """The figure of those rows, still to be read; the extreme and the number that it is of may be named."""
    while tail:
        piece = draft.pieces[tail[0]]
        extreme = draft.cue_at(tail[0], "best", "maximum", "minimum", "average")
        if extreme is not None and (
            not extreme.hints or hinted(draft, extreme.hints, tables_in_question(draft)) == attribute
        ):
            high = extreme.kind == "maximum" or extreme.argument == "desc"
            aggregate = "average" if extreme.kind == "average" else "maximum" if high else "minimum"
        elif isinstance(piece.option, ToColumn):
            if piece.option.attribute != attribute:
                break
        elif draft.cue_at(tail[0], "sum") and set(name_stems(piece.span.text)) & set(attribute.own):
            pass  # "above the average total of", where a column holds the total
        elif piece.option is not None and piece.span.text.lower() not in _AGAIN:
            break
        tail = tail[1:]
    if not tail:
        return None
    inner = Draft(schema=draft.schema, pieces=[replace(draft.pieces[n]) for n in tail], choice=draft.choice)
    inner.mention(attribute.table)
    inner.wanted.append(Wanted(aggregate=aggregate, attribute=attribute))
    return inner


def _read(inner: Draft, rules: Sequence[Callable[[Draft], None]]) -> bool:
    """Whether the rules place every word and find which rows are meant."""
    try:
        for rule in rules:
            rule(inner)
    except Misfit:
        return False
    plain = not (inner.groups or inner.order or inner.limit or inner.shown or inner.grains or inner.parts)
    return bool(inner.filters) and plain and len(inner.wanted) == 1 and not inner.leftover()
