"""Two of a kind against each other: "did Kiel sell more than Bonn?", "who worked more hours, cooks or waiters?".

The figure of each of the two is shown, so that both the answer and by how much can be seen.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.ordering.by_default import default_figure
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.vocabulary import LESS, MORE, word_set

_ASKING = word_set("did do does is are was were has have had who which what where")
_SMALL = word_set("the a an to or in on at for from with of by than ones we us our it they often")
_COMPARING = MORE | LESS
_SELLING = word_set(
    """sell sells sold selling earn earns earned make makes made bring brings brought take takes took
    generate generates generated revenue turnover"""
)


def rivals(draft: Draft) -> None:
    """Show the figure of both, where one is asked whether it has more than the other."""
    words = [piece.span.text.lower() for piece in draft.pieces]
    values = [(i, p.option) for i, p in enumerate(draft.pieces) if isinstance(p.option, ToValue) and not p.used]
    if len(values) != _TWO or not words or words[0].split()[0] not in _ASKING or draft.fragment:
        return
    (first, one), (second, other) = values
    if one.attribute != other.attribute or one.value == other.value:
        return
    more = _more(draft, words, first, second)
    if more is None:
        return
    entity = draft.entity_of(one.attribute)
    figure = _figure(draft, words, more, first, entity, kind=one.attribute.name not in entity.label)
    if figure is None:
        return
    _use_between(draft, words, more, first, second)
    draft.wanted.append(figure)
    draft.groups.append(one.attribute)
    for place, option in values:
        draft.use(place)
        draft.filters.append(FilterWanted(option.attribute, "=", (option.value,), option.known, place))


_TWO = 2


def _more(draft: Draft, words: list[str], first: int, second: int) -> int | None:
    """Where it is said that there is more of it: between the two before a "than", or before both and an "or"."""
    for i, word in enumerate(words):
        cue = draft.cue_at(i, "compare")
        said = word.split()
        bare = said[0] in _COMPARING and (len(said) == 1 or (len(said) == _TWO and said[1] == "than"))
        if not bare or (cue is not None and cue.hints):
            continue
        if first < i < second and any("than" in w.split() for w in words[i:second]):
            return i
        if i < first and any(draft.cue_at(n, "or") for n in range(first, second)):
            return i
    return None


def _figure(draft: Draft, words: list[str], more: int, first: int, entity: Entity, *, kind: bool) -> Wanted | None:
    """What there is more of: what is named behind the word, else what was sold, else the one figure of the two.

    Of two kinds of rows there may be more of these rows: "are there more clients in Ulm or in Kiel".
    """
    behind = more + 1
    if kind and words[behind] in _COMMON:
        return Wanted(aggregate="count", entity=entity)
    if words[behind : behind + 1] == ["per"] and isinstance(rows := draft.open(behind + 1), ToTable):
        amount = amount_of(rows.entity)
        if amount is not None:
            return Wanted(aggregate="average", attribute=amount)
        sold = draft.sold is not None and draft.schema.find_entity(draft.sold.table) == rows.entity
        return Wanted(metric=draft.sold, per=Wanted(aggregate="count", entity=rows.entity)) if sold else None
    match draft.open(behind) if words[more].split()[-1] != "than" else None:
        case ToMetric(metric=metric):
            return Wanted(metric=metric)
        case ToTable(entity=counted) if counted != entity or kind:
            return Wanted(aggregate="count", entity=counted)
        case ToColumn(attribute=number) if number.is_number:
            return Wanted(aggregate="sum" if number.adds_up else "average", attribute=number)
        case None:
            return _by_verb(draft, words, more, first, entity)
        case _:
            return None


_COMMON = frozenset(("common", "frequent", "frequently", "often", "popular", "widespread"))


def _by_verb(draft: Draft, words: list[str], more: int, first: int, entity: Entity) -> Wanted | None:
    """ "sold more", "brought in more": what was sold; else what the rows of such things come to."""
    counted = [p.option.entity for p in draft.pieces[first:more] if isinstance(p.option, ToTable)]
    if "often" in words[more : more + 2]:
        return Wanted(aggregate="count", entity=counted[0] if counted else entity)
    if draft.sold is not None and set(words[min(first, more) : more]) & _SELLING:
        return Wanted(metric=draft.sold)
    return default_figure(draft, entity)


def _use_between(draft: Draft, words: list[str], more: int, first: int, second: int) -> None:
    """Account for the words of the comparison: the verb, the nouns of both, "than", what there is more of."""
    start, end = min(first, more), min(second + 1, len(words) - 1)
    for i in range(start, end + 1):
        option = draft.pieces[i].option
        if isinstance(option, ToTable):
            draft.mention(option.entity.name)
        noun = i > second and not isinstance(option, ToTable) and words[i] not in _SMALL
        if not noun and not isinstance(option, ToValue):
            draft.use(i)
            if not isinstance(option, ToTable):
                draft.pieces[i].option = None
    if more < first:
        for i in range(1, more):
            if isinstance(draft.open(i), ToColumn):
                draft.use(i)  # "who worked more hours"
                draft.pieces[i].option = None
