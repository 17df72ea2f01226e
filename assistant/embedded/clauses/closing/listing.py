"""The last clause: what is left over are the columns to show, or the group of a figure.

It accounts for every remaining column, or leaves it, and then the reading falls.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.choosing.conditions import entity_terms
from assistant.embedded.clauses.closing.beside import is_frame, is_listed, of_kinds
from assistant.embedded.clauses.closing.owners import REQUESTS, THEIRS, named_behind, owner_before
from assistant.embedded.clauses.closing.question_words import (
    asked_by_word,
    asked_period,
    end_asked,
    is_asked_when,
    must_be_people,
    named_too,
    where_too,
    who_holds,
)
from assistant.embedded.clauses.closing.saying_which import (
    SURE,
    is_deed,
    is_what_they_do,
    names_a_column,
    only_says_which,
)
from assistant.embedded.clauses.closing.subjects import is_only_there
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import (
    count_per_column,
    group_by_whole_names,
    has_one_each,
    only_qualifies,
    shares_noun,
)
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past, singular

_UNSHOWN = 0.06
"""What it costs to take a column for a part of a condition that no clause could read."""
_TWICE = 0.12
"""What it costs that two words of a list are taken for one and the same column."""
_SURE_NAME = 0.9
_PART_NAMES = frozenset(("first", "last", "family", "given", "personal", "middle"))
_NUMBER_OF = ("number of", "the number of")
_FIGURES = ("count", "average", "sum", "minimum", "maximum", "most", "best", "how_much")


def _rows_of_kind(draft: Draft) -> Entity | None:
    """ "engineers earning over 60000": several of a kind, at the head, are the rows that are of this kind."""
    head = next((p for p in draft.pieces[:_HEAD] if isinstance(p.option, ToValue)), None)
    if head is None or not isinstance(head.option, ToValue) or not head.used or len(draft.filters) < _BESIDE_KIND:
        return None
    text, value = head.span.text.lower(), head.option.value.lower()
    return draft.entity_of(head.option.attribute) if text != value and singular(text) == value else None


_HEAD = 3
_BESIDE_KIND = 2
"""How many conditions there are where something else is said of the rows of a kind."""


def columns(draft: Draft) -> None:
    """Remaining columns: shown, when rows are listed; a group, when a figure is asked of "which" they have."""
    figures = bool(draft.wanted) or any(isinstance(target, Wanted) for target, _ in draft.order)
    for i, piece in enumerate(draft.pieces):
        if not (piece.used or figures) and is_listed(draft, i) and isinstance(piece.option, ToTable):
            draft.use(i)  # "the number, customer and total of each order"
            entity = piece.option.entity
            draft.mention(entity.name)
            draft.shown += [a for name in entity.label if (a := entity.attributes[name]) not in draft.shown]
        if piece.used or not isinstance(piece.option, ToColumn):
            continue
        attribute = piece.option.attribute
        if attribute in draft.within or (attribute in draft.groups and draft.wanted):
            draft.use(i)  # "per tour type, for types with more than 2 tours"
            continue
        if draft.wanted and (key := _key_of_group(draft, attribute)) is not None:
            draft.use(i)  # "orders per customer, with the customer's number"
            _show(draft, key, (key.name,))
            continue
        if (
            piece.option.strength < SURE
            and draft.wanted
            and not (shares_noun(draft, i, attribute) or _is_of_group(draft, i, attribute))
        ):
            continue
        if any(w.attribute == attribute for w in draft.wanted):
            draft.use(i)
        elif attribute.is_number and (bound := _bound_by(draft, i, attribute)) is not None:
            draft.use(i)  # "with an average price above 5? Show the name and the price"
            draft.wanted.append(bound)
        elif not figures and (end := end_asked(draft, attribute)) is not None:
            draft.use(i)
            draft.wanted.append(Wanted(aggregate=end, attribute=attribute))
        elif not figures and is_asked_when(draft, i):
            draft.use(i)
            _show(draft, attribute, (attribute.name,))
        elif not figures and only_says_which(draft, i, piece.option):
            draft.use(i)
            draft.penalty += _UNSHOWN
        elif not figures and is_frame(draft, i):
            draft.use(i)
        elif not figures and attribute.role == "date" and _is_done(draft, i) and _has_object(draft, i):
            draft.use(i)  # "which singers released songs"
        elif not figures and is_deed(draft, i):
            draft.use(i)  # "actors whose play is awarded", "who are from Kent and released a song"
        elif not figures and is_what_they_do(draft, i, piece.option):
            draft.use(i)
        elif not figures and names_a_column(draft, i):
            draft.use(i)  # "the names of studios", where a studio is but a name
        elif draft.ranked is not None and attribute.is_time and is_deed(draft, i):
            draft.use(i)  # "which feed was given most often"
        elif not figures:
            draft.use(i)
            if attribute.is_number and i and draft.pieces[i - 1].span.text.lower() in _NUMBER_OF:
                draft.use(i - 1)  # "the title and the number of stars", where each row has such a number
            if attribute in draft.shown and draft.cue_at(i - 1, "and"):
                draft.penalty += _TWICE
            names = _said_names(draft, piece.span.text, piece.option)
            if not draft.shown and (owner := owner_before(draft, i)) is not None:
                _show(draft, owner.attributes[owner.label[0]], owner.label)
            _show(draft, attribute, names)
        elif attribute.role == "date" and _is_done(draft, i):
            draft.use(i)  # "the number of singers who released songs"
        elif attribute.is_number and (again := [w for w in _ordering(draft) if w.attribute == attribute]):
            draft.use(i)  # "the top 5 by total weight; return the name and the total weight"
            again[0].context = False
        elif attribute.is_number and draft.ranked != draft.entity_of(attribute):
            if _is_counted_by(draft, i, attribute):
                draft.use(i)
                draft.groups.append(attribute)
        elif draft.ranked is not None:
            entity = draft.entity_of(attribute)
            if draft.ranked == entity or (
                isinstance(draft.ranked, Attribute) and draft.ranked.table == attribute.table
            ):
                draft.use(i)
                if isinstance(draft.ranked, Attribute) and _stands_before_ranked(draft, i):
                    draft.groups.append(attribute)  # "which make and model has the highest average price"
                    continue
                if not draft.shown and isinstance(draft.ranked, Entity) and draft.pieces[i - 1].span.text in THEIRS:
                    _show(draft, attribute, draft.ranked.label)  # "the 5 best customers with their town"
                _show(draft, attribute, _said_names(draft, piece.span.text, piece.option))
        elif attribute.table in draft.grouped_rows() and attribute not in draft.groups and not attribute.is_number:
            draft.use(i)
            _show(draft, attribute, _said_names(draft, piece.span.text, piece.option))
        elif not draft.groups and any(c.attribute.table == attribute.table for c in draft.compared):
            draft.use(i)
            draft.groups.append(attribute)  # "the average rating and the title of the newest guide"
        elif attribute in draft.groups or _stands_beside_its_value(draft, attribute):
            draft.use(i)
        elif _is_asked_for(draft, i):
            draft.use(i)
            whole = _is_whole_name(draft, piece.span.text, piece.option)
            draft.groups.append(draft.entity_of(attribute) if whole else attribute)
    if not figures:
        named_behind(draft)
    if draft.subject is None and not figures:
        draft.subject = entity_terms(draft)
    if draft.subject is None and not (figures or draft.shown or draft.groups):
        draft.subject = _rows_of_kind(draft)
    rows = draft.subject or figures or draft.shown or draft.groups or draft.asks_who or draft.cues("count")
    if draft.subject is None and not (rows or draft.fragment):
        # "all languages that contain 'x'", "salaries over 5000": what the condition is on is all that is asked for
        draft.shown += [f.attribute for f in draft.filters[:1] if f.operator not in ("=", "!=", "missing")]
    if not figures:
        of_kinds(draft)
        where_too(draft)
        named_too(draft)
    if not figures and draft.related and (draft.subject is None or has_one_each(draft) or only_qualifies(draft)):
        count_per_column(draft)
    group_by_whole_names(draft)
    grouped = {g.name if isinstance(g, Entity) else g.table for g in draft.groups}
    draft.related = [r for r in draft.related if r.entity.name not in grouped or not is_only_there(r)]
    if draft.asks_who and not who_holds(draft):
        must_be_people(draft)
    if not figures and not draft.shown:
        asked_period(draft)
    if not figures and not draft.shown and draft.subject is not None:
        asked_by_word(draft, draft.subject)


def _is_done(draft: Draft, at: int) -> bool:
    """Whether a verb right behind who did it, or what it was done to, is called like the date of it."""
    before = draft.pieces[at - 1] if at else None
    if before is None or not is_past(draft.word(at)) or " " in draft.word(at):
        return False
    return isinstance(before.option, ToTable) or draft.word(at - 1).split()[-1] in (
        "who",
        "that",
        "which",
        "were",
        "was",
    )


def _has_object(draft: Draft, at: int) -> bool:
    """Whether rows stand behind a verb that it was done to."""
    return isinstance(draft.pieces[draft.after(at, plain_max=2) or at].option, ToTable)


def _is_of_group(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "for each customer id, what is its name": what the one row has that each group is."""
    return draft.pieces[at - 1].span.text.lower() in THEIRS and attribute.table in draft.grouped_rows()


def _key_of_group(draft: Draft, attribute: Attribute) -> Attribute | None:
    """The key of what each group is, where a column that refers to it is asked for as a key."""
    group = draft.schema.referred(attribute)
    if group is None or group not in draft.groups or len(group.key) != 1 or not draft.says_key(attribute):
        return None
    return group.attributes[group.key[0]]


def _bound_by(draft: Draft, at: int, attribute: Attribute) -> Wanted | None:
    """The figure that rows are bound by, where a request at the end names its column again."""
    asked = any(piece.span.parted and piece.span.text.lower() in REQUESTS for piece in draft.pieces[1:at])
    return next((w for w, _, _ in draft.having if asked and w.attribute == attribute and not draft.wanted), None)


def _ordering(draft: Draft) -> list[Wanted]:
    return [target for target, _ in draft.order if isinstance(target, Wanted)]


def _stands_before_ranked(draft: Draft, at: int) -> bool:
    link = at + 1 if at + 1 < len(draft.pieces) and draft.pieces[at + 1].span.text.lower() == "and" else None
    behind = draft.pieces[link + 1].option if link is not None and link + 1 < len(draft.pieces) else None
    return isinstance(behind, ToColumn) and behind.attribute == draft.ranked


def _is_whole_name(draft: Draft, text: str, option: ToColumn) -> bool:
    """ "first and last name": all that names a row, rather than the one column the words are linked to."""
    words = text.lower().split()
    named = words[-1] in ("name", "names") and option.strength < _SURE_NAME
    in_part = bool(_PART_NAMES & set(words)) and "and" not in words
    return named and not in_part and option.attribute.name in draft.entity_of(option.attribute).label


def _said_names(draft: Draft, text: str, option: ToColumn) -> tuple[str, ...]:
    label = draft.entity_of(option.attribute).label
    return label if _is_whole_name(draft, text, option) else (option.attribute.name,)


def _show(draft: Draft, attribute: Attribute, names: Sequence[str]) -> None:
    """Show columns of the attribute's table, none twice."""
    own = draft.entity_of(attribute).attributes
    draft.shown += [own[name] for name in names if own[name] not in draft.shown]


def _is_asked_for(draft: Draft, at: int) -> bool:
    """ "which country ...", "the country and the number of customers": a column before a figure is its group."""
    if draft.groups and not all(isinstance(g, Attribute) for g in draft.groups):
        return False
    start = min(
        (i for i, p in enumerate(draft.pieces) if isinstance(p.option, Cue) and p.option.kind in _FIGURES), default=-1
    )
    return draft.asks_which or at < start or draft.order != []


def _is_counted_by(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "all ages and the number of customers": rows are counted by a number that stands before their count."""
    counted = bool(draft.wanted) and all(w.entity is not None for w in draft.wanted)
    return counted and not draft.groups and not attribute.adds_up and _is_asked_for(draft, at)


def _stands_beside_its_value(draft: Draft, attribute: Attribute) -> bool:
    return any(f.attribute == attribute for f in draft.filters)
