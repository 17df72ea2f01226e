"""Clauses about extremes: "the highest price", "the most orders", "the cheapest product"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.naming.adjectives import extents, falls, hinted, tables_in_question
from assistant.embedded.clauses.naming.measuring import measured_by
from assistant.embedded.clauses.ordering.by_default import default_figure, of_lines
from assistant.embedded.clauses.ordering.commonest import commonest, rank_by
from assistant.embedded.clauses.ordering.extremes import by_column, extreme_of, is_figure_asked
from assistant.embedded.clauses.ordering.latest import been_longest, done_when
from assistant.embedded.clauses.ordering.leading import is_which, most, subject_before
from assistant.embedded.clauses.ordering.untold import (
    TOP_DEFAULT,
    beings,
    by_figure,
    figure_of,
    has_no_name,
    one_of_its_numbers,
)
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import is_birth
from assistant.embedded.source.schema import DOES_NOT_ADD, Entity
from assistant.embedded.words.cue_patterns import WHEN
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_stems, name_words
from assistant.embedded.words.vocabulary import HAVING, PEOPLE


def superlatives(draft: Draft) -> None:
    """ "the highest price", "the most orders", "the cheapest product", "the most common genre"."""
    for i, cue in draft.cues("common"):
        commonest(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("most"):
        if not _done_most(draft, i, cue.argument == "desc"):
            most(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("best"):
        if not draft.pieces[i].used:
            _best(draft, i, cue.argument, cue.hints)
    for i, cue in draft.cues("maximum", "minimum"):
        if not draft.pieces[i].used and _says_which(draft, i):
            _best(draft, i, "desc" if cue.kind == "maximum" else "asc", ())
    if not draft.order:
        _named_extremes(draft)
    figures = [target for target, _ in draft.order if isinstance(target, Wanted)]
    if draft.limit == 1 and draft.ties and len(figures) > 1:
        raise Misfit(
            "These are two rankings, and each may have another first one; please ask for one of them.", weight=7
        )


def _named_extremes(draft: Draft) -> None:
    """ "the room with the maximum occupancy", where that is what the column is called."""
    for i, piece in enumerate(draft.pieces):
        option, first = piece.option, piece.span.text.lower().split()[0]
        if piece.used or not isinstance(option, ToColumn) or not option.attribute.is_number or first not in _EXTREME:
            continue
        if i and draft.pieces[i - 1].span.text.lower() == "the" and _says_which(draft, i):
            draft.use(i)
            draft.order.append((option.attribute, _EXTREME[first]))
            draft.keep_extreme()


_EXTREME = {"maximum": True, "max": True, "highest": True, "minimum": False, "min": False, "lowest": False}


_HAVING = HAVING | {"that", "who", "which", "whose", "where"}


def _says_which(draft: Draft, at: int) -> bool:
    """ "the employee with the maximum salary": the one that has it is asked for, not the figure."""
    before = draft.before(at, plain_max=5)
    while before is not None and draft.cue_at(before, "with", "which"):
        before = draft.before(before)
    asked = draft.open(before)
    if draft.groups or draft.wanted:
        return False
    if before is None or not isinstance(asked, ToTable | ToColumn):
        return draft.asks_who
    if is_which(draft, before):
        return True
    words = [word for p in draft.pieces[before + 1 : at] for word in p.span.text.lower().split()]
    return bool(_HAVING.intersection(words))


_FIGURES = ("average", "sum", "count")


def _best(draft: Draft, at: int, argument: str, hints: tuple[str, ...]) -> None:
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if behind is not None and behind.used and isinstance(behind.option, Cue) and behind.option.kind in _FIGURES:
        raise Misfit("I could not tell of what this is the highest or lowest figure.", weight=4)  # it was read alone
    target = _own_number(draft, draft.after(at, plain_max=1), hints)
    option = draft.open(target)
    descending = argument in ("desc", "old")
    if hints == WHEN and done_when(draft, at, descending):
        return
    if been_longest(draft, at):
        return
    if target is not None and draft.cue_at(target, "average", "sum", "count", "most"):
        found = measure_at(draft, target)
        subject = subject_before(draft, at, target) if found else None
        if not found or subject is None:
            return
        found[0].context = True
        verb = draft.open(at - 1) if at else None
        if isinstance(verb, ToColumn) and verb.attribute == found[0].attribute:
            draft.use(at - 1)  # "pays the highest average salary"
        draft.use(at)
        rank_by(draft, subject, found[0], descending)
        return
    if isinstance(option, ToMetric) and target is not None:
        subject = subject_before(draft, at, target)
        if subject is None:
            raise Misfit(f"The highest {option.metric.name} of what?", weight=3)
        draft.use(at, target)
        rank_by(draft, subject, Wanted(metric=option.metric, context=True), descending)
        return
    if isinstance(option, ToColumn) and target is not None and (option.attribute.is_number or option.attribute.is_time):
        attribute = option.attribute
        measures = attribute.adds_up or bool((DOES_NOT_ADD - _COUNTED_UP) & set(attribute.own))
        dateless = hints == WHEN and measures and not attribute.is_time  # "the newest lamp price": no lamp has a day
        if dateless or (attribute.is_time and not hints):
            raise Misfit(f"“{draft.pieces[at].span.text} {draft.pieces[target].span.text}”: by which figure?", weight=4)
        if hints and argument in ("old", "young"):
            descending = falls(attribute, argument)
        draft.use(at, target)
        by_column(draft, at, attribute, descending)
        return
    tables = tables_in_question(draft)
    if isinstance(option, ToTable) and target is not None and draft.pieces[at].span.text.lower().split()[-1] in _LEVEL:
        amount = amount_of(option.entity) if {option.entity.name} != set(tables) else None
        if amount is not None:  # "the movie with the highest rating", where ratings are rows
            draft.use(at, target)
            by_column(draft, at, amount, descending)
            return
    if isinstance(option, ToTable):
        tables = [option.entity.name, *tables]
    attribute = hinted(draft, hints, tables) or hinted(draft, hints, beings(draft, tables)) if hints else None
    if not hints and _best_of_before(draft, at, descending):
        return
    words = draft.pieces[at].span.text.lower().split()
    untold = attribute is None and not hints and words[-1] in _GREAT and not extents(draft, words, tables[:1])
    if (
        untold
        and isinstance(option, ToTable | ToColumn)
        and target is not None
        and not (draft.wanted or draft.fragment)
    ):
        ranked = option.entity if isinstance(option, ToTable) else option.attribute
        figure = default_figure(draft, ranked) if isinstance(ranked, Entity) else of_lines(draft, ranked)
        if figure is not None:
            draft.use(at, target)
            by_figure(draft, target, ranked, figure, descending)
            return
    if attribute is None:
        attribute = figure_of(draft, at, tables, hints)
        if attribute is not None and has_no_name(draft, at, attribute) and not draft.choose("figure or row", 2):
            draft.use(at)
            draft.wanted.append(Wanted(aggregate="maximum" if descending else "minimum", attribute=attribute))
            return
    if attribute is None and not hints and isinstance(option, ToTable):
        attribute = one_of_its_numbers(draft, option.entity)
    if attribute is None:
        noun = draft.pieces[target].span.text if target is not None else "one"
        raise Misfit(f"“{draft.pieces[at].span.text} {noun}”: by which figure?", weight=4)
    if argument in ("old", "young"):
        descending = falls(attribute, argument)
        people = PEOPLE & set(name_words(draft.entity_of(attribute).one))
        if people and attribute.is_time and not is_birth(attribute.name):
            raise Misfit(f"I do not know the age of {draft.entity_of(attribute).many}.", weight=4)
    draft.use(at)
    if is_figure_asked(draft, at, attribute):
        draft.compared.append(extreme_of(attribute, descending=descending))
        return
    draft.order.append((attribute, descending))
    several = target is not None and draft.pieces[target].span.text.lower().endswith("s")
    several = several and isinstance(option, ToTable) and option.entity.one != option.entity.many
    if draft.limit is None and several and not _of_something(draft, at):
        draft.limit = TOP_DEFAULT
        draft.assumptions.append(f"the first {TOP_DEFAULT} are shown")
    draft.keep_extreme()
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {attribute.words}")


_COUNTED_UP = frozenset(name_stems("version year month day level rank"))
"""Of these the latest is the highest."""
_GREAT = frozenset(("biggest", "largest", "best", "worst", "smallest", "strongest", "weakest"))


def _done_most(draft: Draft, at: int, descending: bool) -> bool:
    """ "who earns the most", "which illness costs the least on average", "which hall holds the most people"."""
    attribute = measured_by(draft, at - 1) if at else None
    if attribute is None or draft.groups or draft.wanted or draft.order:
        return False
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if behind is not None and isinstance(behind.option, ToTable | ToColumn | ToValue | ToMetric):
        if not (isinstance(behind.option, ToTable) and is_person(behind.option.entity)):
            return False  # "makes the most orders"
        behind.used = True
    draft.use(at - 1, at)
    by_column(draft, at, attribute, descending)
    return True


def _own_number(draft: Draft, target: int | None, hints: tuple[str, ...]) -> int | None:
    """ "the largest field size", where a field has a size: the number, and the table only says whose it is.

    In "how much does the tallest player weigh" the word speaks of another number than that which follows.
    """
    owner, following = draft.open(target), draft.after(target, plain_max=0) if target is not None else None
    held = draft.open(following)
    if target is None or not isinstance(owner, ToTable) or not isinstance(held, ToColumn):
        return target
    own = held.attribute.is_number and held.attribute.table == owner.entity.name
    other = bool(hints) and not {part for hint in hints for part in name_stems(hint)} & set(held.attribute.stems)
    if not own or other or not draft.touches(target, following):
        return target
    draft.use(target)
    return following


_LEVEL = frozenset(("highest", "lowest", "maximum", "minimum"))


def _best_of_before(draft: Draft, at: int, descending: bool) -> bool:
    """ "whose price is the highest", "in which the average price is the lowest": the figure stands before."""
    place = draft.before(at, plain_max=2)
    option = draft.open(place)
    if place is None or not isinstance(option, ToColumn) or not option.attribute.is_number:
        return False
    start = draft.before(place, plain_max=0)
    averaged = start is not None and draft.cue_at(start, "average", "sum") is not None
    first = start if averaged and start is not None else place
    if not _IS.intersection(p.span.text.lower() for p in draft.pieces[max(first - 1, 0) : at]):
        return False  # "is the average price the lowest" as well
    if averaged and start is not None:
        subject = subject_before(draft, start, at)
        found = measure_at(draft, start) if subject is not None else []
        if subject is None or not found:
            return False
        found[0].context = True
        draft.use(at)
        rank_by(draft, subject, found[0], descending)
        return True
    draft.use(at, place)
    by_column(draft, place, option.attribute, descending)
    return True


_IS = frozenset(("is", "are", "was", "were"))


def _of_something(draft: Draft, at: int) -> bool:
    """ "the city of the oldest customers": something of theirs is asked for, so just those at the end are meant."""
    return any(isinstance(p.option, ToColumn) and not p.used for p in draft.pieces[:at]) or draft.asks_which
