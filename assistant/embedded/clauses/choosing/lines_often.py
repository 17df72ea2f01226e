"""How often a file of lines tells of somebody: "customers who ordered only once", "with exactly 2 orders", "repeat".

A customer has no row there: what is counted are the different orders among the lines that name him.
"""

from __future__ import annotations

from assistant.embedded.clauses.choosing.no_lines import is_deed, is_noun, is_thing, number_at, thing_before
from assistant.embedded.clauses.choosing.returning import AGAIN, JUST, ONCE, TIMES, WORDS, bound_at
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToPeriod
from assistant.embedded.meaning import Operator
from assistant.embedded.source.numbered import numbering
from assistant.embedded.source.schema import Attribute, unnumbered
from assistant.embedded.words.lexicon import plural


def lines_often(draft: Draft) -> None:
    """So many orders, said by a noun or by a verb."""
    _again(draft)
    for i, piece in enumerate(draft.pieces):
        number = piece.option
        if piece.used or not isinstance(number, ToNumber) or number.number != int(number.number):
            continue
        words = [i, i + 1] if draft.word(i + 1) in TIMES else [i]
        operator: Operator = "="
        place = i - 1
        while place >= 0 and (draft.word(place) in JUST or draft.cue_at(place, "compare")):
            operator = bound_at(draft, place) or operator
            words.append(place)
            place -= 1
        often = draft.word(i + 1) in TIMES or draft.word(i) in WORDS
        at = place if often else i + 1
        thing = thing_before(draft, place)
        if thing is None or not (is_deed if often else is_noun)(draft, at, draft.entity_of(thing)):
            continue
        if not often and operator != "=" and not draft.cues("count"):
            continue  # "customers with more than 5 orders" are shown with their number
        _so_many(draft, thing, (operator, int(number.number)), at=at, said=[*words, at])


def _again(draft: Draft) -> None:
    """ "repeat customers", "one-time customers"."""
    for i, piece in enumerate(draft.pieces[:-1]):
        text = piece.span.text.lower()
        option = draft.open(i + 1)
        if piece.used or piece.option is not None or not isinstance(option, ToColumn) or text not in (*AGAIN, *ONCE):
            continue
        thing, rows = option.attribute, draft.entity_of(option.attribute)
        number, again = numbering(rows), text in AGAIN
        if number is None or not is_thing(draft, thing):
            continue
        _so_many(draft, thing, (">=", 2) if again else ("=", 1), at=i, said=[i])
        several = f"{'more than one' if again else 'one'} {unnumbered(number.name)}"
        draft.assumptions.append(f"“{text}” {plural(thing.words)} have {several}")


def _so_many(draft: Draft, thing: Attribute, bound: tuple[Operator, int], *, at: int, said: list[int]) -> None:
    rows = draft.entity_of(thing)
    number = number_at(draft, at, rows) or numbering(rows)
    draft.use(*said)
    following = draft.after(max(said), plain_max=0)
    when = draft.open(following)
    period = when.period if isinstance(when, ToPeriod) else None  # "ordered at least twice in 2026"
    if following is not None and period is not None:
        draft.use(following)
    draft.related.append(RelatedWanted(rows, *bound, at, period=period, shared=thing, values=number))
    draft.distinct = True
