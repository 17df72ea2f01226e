"""Clauses about small words: "which", "different", "and", "or", "both", "versus"; most of them only connect."""

from __future__ import annotations

from itertools import pairwise

from assistant.embedded.clauses.choosing.pairs import noun_again, sides
from assistant.embedded.clauses.choosing.periods import one_period
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.grouping.by_whom import is_done
from assistant.embedded.clauses.wanted import RelatedWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable, ToValue
from assistant.embedded.words.cues import Cue


def ordering_words(draft: Draft) -> None:
    """A figure that is both asked for and ordered by is one figure, shown because it was asked for."""
    for target, _ in draft.order:
        if isinstance(target, Wanted):
            twin = next((w for w in draft.wanted if _same(w, target)), None)
            if twin is not None:
                target.context = False
                draft.wanted.remove(twin)


def _same(one: Wanted, other: Wanted) -> bool:
    return (
        one.aggregate == other.aggregate
        and one.attribute is other.attribute
        and one.entity is other.entity
        and one.metric is other.metric
        and one.only == other.only
    )


def first_of(draft: Draft) -> None:
    """ "which ..." asks for rows or groups rather than for a figure."""
    for i, _ in draft.cues("which"):
        draft.use(i)
        draft.asks_which = True
    for i, _ in draft.cues("all_columns"):
        draft.use(i)
        if _says_no_more(draft, i):
            continue
        beside = draft.open(draft.before(i, plain_max=0))
        whole = not isinstance(beside, ToColumn) or "all" in draft.pieces[i].span.text.lower().split()
        draft.all_columns = draft.all_columns or whole  # "the committee information of" asks for the committee
    for i, _ in draft.cues("distinct"):
        following = draft.after(i, plain_max=2)
        if i and isinstance(draft.open(i - 1), ToNumber):
            continue  # "at least two different customers"
        if i + 1 < len(draft.pieces) and draft.pieces[i + 1].span.text.lower() in ("from", "than"):
            continue  # "different from the shipping city"
        if draft.word(i + 2) == "than":
            continue  # "in a different city than their boss"
        if following is not None and isinstance(draft.open(following), ToColumn | ToTable):
            draft.use(i)
            draft.distinct = True


def _says_no_more(draft: Draft, at: int) -> bool:
    """ "the information source", "names of customers without address information": it goes with the noun beside it."""
    if len(draft.pieces[at].span.text.split()) > 1:
        return False
    behind, before = draft.after(at, plain_max=0), draft.before(at, plain_max=0)
    if behind == at + 1 and isinstance(draft.open(behind), ToColumn):
        return True
    noun = isinstance(draft.open(before), ToTable | ToColumn)
    return noun and any(isinstance(p.option, ToColumn) for p in draft.pieces[:before])


def connectives(draft: Draft) -> None:
    """ "and" and "with" that nothing needed only connect; a free "or" is a choice we cannot place."""
    for i, _ in draft.cues("and", "with"):
        draft.use(i)
    for i, cue in draft.cues("group"):
        agent = draft.after(i, plain_max=3)
        if cue.argument == "by" and is_done(draft, i) and agent is not None and draft.pieces[agent].used:
            draft.use(i)  # "used by both shops and schools", where another clause has read by whom
    for i, _ in draft.cues("both"):
        draft.both = True
        draft.use(i)
    if len(draft.filters) > _BOTH and any(noun_again(draft, i) and sides(draft, i) for i, _ in draft.cues("or")):
        return  # "clients from Bonn or clients from Ulm over 50": only those from Ulm
    draft.use(*(i for i, _ in draft.cues("or") if _between_values(draft, i)))
    conditions = len(draft.filters) + len(draft.related) + len(draft.having) + len(draft.periods) + len(draft.terms)
    for i, _ in draft.cues("or"):
        if conditions <= 1 or _alternatives(draft):
            draft.use(i)
        elif conditions == 1 + len(draft.cues("or")) and _parted(draft):
            draft.use(*(at for at, _ in draft.cues("or")))
            draft.either = True
            draft.filters.sort(key=lambda f: f.piece)
            break
        elif _between_periods(draft, i) and one_period(draft):
            draft.use(i)
        elif _related_parted(draft):
            draft.use(*(at for at, _ in draft.cues("or")))
            draft.either = True
            for related in draft.related:
                related.alternative = True
            break
        elif sides(draft, i):
            break
        else:
            raise Misfit("Alternatives joined by “or” over different columns are more than I can read.", weight=5)


_BOTH = 2


def both_tables(draft: Draft) -> None:
    """ "customers with both orders and tickets": rows of each must be there."""
    for i, _ in draft.cues("both"):
        first = draft.after(i, plain_max=1)
        link = draft.after(first, plain_max=1) if first is not None else None
        second = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        one, other = draft.open(first), draft.open(second)
        subject = draft.first_table(before=i)
        if (
            not isinstance(one, ToTable)
            or not isinstance(other, ToTable)
            or subject in (None, one.entity, other.entity)
        ):
            continue
        assert first is not None, "it holds the first table"
        assert second is not None, "it holds the second"
        assert link is not None, "it stands between"
        draft.use(i, first, link, second)
        draft.related.append(RelatedWanted(one.entity, ">=", 1, first))
        draft.related.append(RelatedWanted(other.entity, ">=", 1, second))


def _between_values(draft: Draft, at: int) -> bool:
    """ "from France or Spain": two values of one column, which either may be."""
    before = max((f for f in draft.filters if 0 <= f.piece < at), key=lambda f: f.piece, default=None)
    after = min((f for f in draft.filters if f.piece > at), key=lambda f: f.piece, default=None)
    if before is None or after is None or not before.operator == after.operator == "=":
        return False
    return before.attribute == after.attribute


def _between_periods(draft: Draft, at: int) -> bool:
    """ "orders from Berlin in 2024 or 2025"."""
    return len(draft.periods) == 2 and min(p.at for p in draft.periods) < at < max(p.at for p in draft.periods)


def _parted(draft: Draft) -> bool:
    """ "from France or older than 50": one condition between each "or", and nothing else that they could belong to."""
    links = [at for at, _ in draft.cues("or")]
    places = sorted([*(f.piece for f in draft.filters), *(p.at for p in draft.periods)])
    if len(places) != len(links) + 1 or places[0] < 0:
        return False
    plain = all(f.operator not in ("!=", "not in", "missing") for f in draft.filters)
    return plain and all(one < link < other for one, link, other in zip(places, links, places[1:], strict=False))


def _related_parted(draft: Draft) -> bool:
    """ "with more than 5 orders or at least 2 tickets", "over 50 or without a car": one condition between each "or"."""
    links = [at for at, _ in draft.cues("or")]
    places = sorted([*(f.piece for f in draft.filters), *(r.at for r in draft.related)])
    if not draft.related or draft.periods or draft.having or draft.terms or draft.compared or draft.firsts:
        return False
    plain = all(f.operator not in ("!=", "not in", "missing") and f.side is None for f in draft.filters)
    plain = plain and all(r.shared is None and r.owner is None and not r.several for r in draft.related)
    if not plain or len(places) != len(links) + 1:
        return False
    if not all(one < link < other for one, link, other in zip(places, links, places[1:], strict=False)):
        return False
    return all(_is_denied_itself(draft, r, links) for r in draft.related if r.count == 0)


def _is_denied_itself(draft: Draft, related: RelatedWanted, links: list[int]) -> bool:
    """Whether its own words say that there are none: "without cars or bikes" has neither."""
    start = max((link for link in links if link < related.at), default=-1)
    own = any(isinstance(p.option, Cue) and p.option.kind in _DENYING for p in draft.pieces[start + 1 : related.at])
    return own and all((r.operator, r.count) != (">=", 1) for r in draft.related)


_DENYING = ("without", "not", "nothing")


def _alternatives(draft: Draft) -> bool:
    columns = {(f.attribute.table, f.attribute.name) for f in draft.filters if f.operator == "="}
    beside = draft.related or draft.periods
    return len(columns) == 1 and all(f.operator == "=" for f in draft.filters) and not beside


def each_of_both(draft: Draft) -> None:
    """ "the average cost of red boats and of white boats": one figure for each value that has its own noun or "of"."""
    made = [w for w in draft.wanted if w.aggregate in ("average", "minimum", "maximum") and not w.only]
    values = [(i, p.option.attribute) for i, p in enumerate(draft.pieces) if isinstance(p.option, ToValue)]
    chosen = [f.attribute for f in draft.filters if f.operator in ("=", "in") and f.side is None]
    if not made or len(made) != len(draft.wanted) or draft.groups or draft.grains:
        return
    for (first, attribute), (second, other) in pairwise(values):
        if attribute != other or attribute not in chosen:
            continue
        between = draft.pieces[first + 1 : second]
        links = [n for n, p in enumerate(between) if p.span.text.lower() == "and"]
        again = len(links) == 1 and any(p.span.text.lower() in _AGAIN for p in between[links[0] + 1 :])
        nouns = [p.option.entity for p in draft.pieces[first + 1 : second + 2] if isinstance(p.option, ToTable)]
        if len(links) == 1 and (again or (len(nouns) > 1 and nouns[0] == nouns[1])):
            draft.groups.append(attribute)
            return


def separately(draft: Draft) -> None:
    """ "the total fee for open and for paid bills separately": one figure for each value, not for all together."""
    said = [i for i in range(len(draft.pieces)) if draft.word(i) in _APART]
    columns = {(f.attribute.table, f.attribute.name): f.attribute for f in draft.filters if f.operator == "="}
    if said and draft.wanted and len(columns) == 1 and len(draft.filters) > 1:
        attribute = next(iter(columns.values()))
        draft.use(*said)
        if attribute not in draft.groups:
            draft.groups.append(attribute)


_APART = frozenset(("separately", "individually"))
_AGAIN = frozenset(("of", "for", "in", "from"))


def against(draft: Draft) -> None:
    """ "amount claimed vs paid", "raised versus goal": figures side by side, as if "and" stood there."""
    for i, _ in draft.cues("versus"):
        around = (draft.open(draft.before(i, plain_max=1)), draft.open(draft.after(i, plain_max=1)))
        if all(isinstance(o, ToMetric) or (isinstance(o, ToColumn) and o.attribute.is_number) for o in around):
            draft.pieces[i].option = Cue(kind="and")


def versus(draft: Draft) -> None:
    """ "compare the north with the south": the values compared are shown side by side."""
    for i, _ in draft.cues("versus"):
        columns = {(f.attribute.table, f.attribute.name): f.attribute for f in draft.filters if f.operator == "="}
        if len(columns) == 1 and len(draft.filters) > 1:
            draft.use(i)
            attribute = next(iter(columns.values()))
            if attribute not in draft.groups:
                draft.groups.append(attribute)
        elif draft.grains and not draft.filters:
            draft.use(i)
