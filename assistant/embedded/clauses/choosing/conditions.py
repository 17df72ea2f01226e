"""Clauses that choose rows: values, terms, flags, possessions, and what is said of rows that must be related or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from assistant.embedded.clauses.choosing.texts import named_by, taken
from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted
from assistant.embedded.linking.naming import equality
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToTerm, ToValue
from assistant.embedded.linking.states import denied_flag, is_state
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import does, is_past, stem
from assistant.embedded.words.vocabulary import HAVING

if TYPE_CHECKING:
    from knowledge.documents import Term


def values(draft: Draft) -> None:
    """Every value that is named, with the column or table word beside it ("status open", "the Rock genre")."""
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if piece.used or not isinstance(option, ToValue):
            continue
        draft.use(i)
        if _is_grouped_by(draft, i):
            raise Misfit("What stands behind “by” is a table.", weight=2)
        if _says_noun_again(draft, piece) or _says_who(draft, i, option):
            continue
        for place in (draft.before(i, plain_max=2), draft.after(i, plain_max=0), draft.after(i, plain_max=2)):
            beside = draft.open(place)
            if place is None:
                continue
            if isinstance(beside, ToColumn) and beside.attribute == option.attribute:
                draft.use(place)
            elif isinstance(beside, ToColumn) and (noun := named_by(draft, place)) is not None:
                owner = draft.pieces[noun].option
                if isinstance(owner, ToColumn) and owner.attribute == option.attribute:
                    taken(draft, noun)
                    draft.use(place)
            elif isinstance(beside, ToTable) and beside.entity.name == option.attribute.table:
                entity = beside.entity
                if (option.attribute.name in entity.label and abs(place - i) == 1) and _others(draft, place):
                    draft.use(place)
                    draft.mention(entity.name)
            elif (
                isinstance(beside, ToTable)
                and beside.entity == draft.schema.referred(option.attribute)
                and abs(place - i) == 1
                and _others(draft, place)
            ):
                draft.use(place)  # "students in the History department", where a student has its name
        draft.filters.append(FilterWanted(option.attribute, "=", (option.value,), option.known, i))
        if _disagrees(draft, i, option):
            draft.penalty += _APART


_APART = 0.15
"""What it costs that two values with but an "and" or "or" between them are of two columns, where one has both."""


def _disagrees(draft: Draft, at: int, option: ToValue) -> bool:
    link = at - 1
    while link > 0 and draft.pieces[link].option is None and draft.pieces[link].span.text.lower() in _PLACED:
        link -= 1  # "from Kiel and from Riga"
    if link < 1 or not isinstance(cue := draft.pieces[link].option, Cue) or cue.kind not in ("and", "or"):
        return False
    before = draft.pieces[link - 1]
    if not isinstance(before.option, ToValue) or before.option.attribute == option.attribute:
        return False
    return _may_be(draft.pieces[at], before.option.attribute) or _may_be(before, option.attribute)


def _may_be(piece: Piece, attribute: Attribute) -> bool:
    """Whether a word may be a value of that column as well."""
    return any(isinstance(o, ToValue) and o.attribute == attribute for o in piece.span.options)


_PLACED = frozenset(("from", "to", "in", "at", "by", "on", "with", "the"))


def _is_grouped_by(draft: Draft, at: int) -> bool:
    """ "orders by store": each store is meant, and not the channel of that name; "paid by card" is done so."""
    piece, by = draft.pieces[at], draft.pieces[at - 1] if at > 1 else None
    if by is None or by.span.text.lower() != "by" or not any(isinstance(o, ToTable) for o in piece.span.options):
        return False
    return isinstance(draft.pieces[at - 2].option, ToTable | ToMetric)


def _says_noun_again(draft: Draft, piece: Piece) -> bool:
    """ "how often each nominee has been nominated": the verb of a column's noun chooses nothing."""
    text = piece.span.text
    if not is_past(text):
        return False
    columns = [p.option.attribute for p in draft.pieces if isinstance(p.option, ToColumn)]
    return any(a.role == "text" and does(stem(text), a.stems[-1]) for a in columns)


def _says_who(draft: Draft, at: int, option: ToValue) -> bool:
    """ "shipped by Acme", though the column of the agents holds "Ship" as well: the verb chooses nothing."""
    text = draft.pieces[at].span.text
    behind = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 2]]
    return option.strength < _LOOSE and text.endswith("ed") and behind == ["by"]


_LOOSE = 0.6


def _others(draft: Draft, at: int) -> bool:
    """Whether something else than this table is there to be asked for."""
    return any(i != at and isinstance(p.option, ToTable | ToColumn | ToMetric) for i, p in enumerate(draft.pieces))


def terms(draft: Draft) -> None:
    """Glossary terms: their condition becomes a filter. Of two kinds that nothing can be at once, either will do."""
    found: list[tuple[int, Term]] = []
    for i, piece in enumerate(draft.pieces):
        if not piece.used and isinstance(piece.option, ToTerm):
            draft.use(i)
            if _of_nobody_named(draft, piece):
                raise Misfit(f"It is not clear what “{piece.span.text}” means here.", weight=3)
            if not _happened_then(draft, piece.option.term):
                found.append((i, piece.option.term))
    kinds = {i: kind for i, term in found if (kind := _kind(draft, term)) is not None}
    columns = [attribute for attribute, _ in kinds.values()]
    columns += [f.attribute for f in draft.filters if f.operator == "=" and f.piece >= 0]
    for i, term in found:
        attribute, value = kinds.get(i, (None, ""))
        flag = denied_flag(term, draft.schema)
        if flag is not None and _said_as_well(draft, flag):
            if not _of_either_kind(draft, i, flag):  # "both active and inactive customers": no row is both
                draft.filters.append(FilterWanted(flag, "!=", (cast(str, flag.true_value),), piece=i))
            continue
        if attribute is None or columns.count(attribute) == 1:
            draft.terms.append((term, False))
            continue
        draft.filters.append(FilterWanted(attribute, "=", (value,), piece=i))
        draft.cited.append(term.id)


def _said_as_well(draft: Draft, flag: Attribute) -> bool:
    """Whether the words name the flag itself beside those to whom it does not apply."""
    return any(isinstance(p.option, ToColumn) and p.option.attribute == flag for p in draft.pieces)


def _of_either_kind(draft: Draft, at: int, flag: Attribute) -> bool:
    """ "how many active and inactive customers": all of them, each kind for itself where they are counted."""
    first, link = draft.pieces[at - 2].option if at > 1 else None, draft.pieces[at - 1].option
    joined = isinstance(link, Cue) and link.kind in ("and", "or")
    if not joined or not isinstance(first, ToColumn) or first.attribute != flag or draft.content_before(at - 2):
        return False
    draft.use(at - 2, at - 1)
    draft.filters = [f for f in draft.filters if f.attribute != flag]
    draft.subject = draft.subject or draft.entity_of(flag)
    if draft.wanted:
        draft.groups.append(flag)
    return True


def _of_nobody_named(draft: Draft, piece: Piece) -> bool:
    """Whether a state is of rows above those that the question names: "open orders" are not those of open stores."""
    term = piece.option.term if isinstance(piece.option, ToTerm) else None
    owner = draft.schema.find_entity(term.table) if term is not None and term.table and is_state(term) else None
    named = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)}
    if owner is None or not named or owner.name in named or set(owner.stems) & {stem(w) for w in _words(piece)}:
        return False
    return ancestor_of(draft, named, owner)


def _words(piece: Piece) -> list[str]:
    return piece.span.text.lower().split()


def _happened_then(draft: Draft, term: Term) -> bool:
    """ "who left this year", "closed accounts in March": the period is that of the date which tells the state."""
    column, over, _ = (term.sql or "").partition(" IS NOT NULL")
    free = [p for p in draft.periods if p.attribute is None and not p.newcomers]
    day = draft.schema.find(term.table or "", column.strip('"`')) if over and is_state(term) else None
    if day is None or len(free) != 1 or len(draft.periods) != 1:
        return False
    free[0].attribute = day
    draft.mention(day.table)
    return True


def _kind(draft: Draft, term: Term) -> tuple[Attribute, str] | None:
    """The column and the value, where a term only says that a column has a value."""
    said = equality(term.sql or "")
    attribute = draft.schema.find(term.table or "", said[0]) if said else None
    return (attribute, said[1]) if said and attribute else None


def enumerated(draft: Draft) -> None:
    """ "how many low, normal and high priority tickets": each of the kinds named before the noun is shown.

    A sum is one of them all, "the budget of the north and the south"; other figures may be meant in either way.
    """
    figures = {w.aggregate for w in draft.wanted}
    if not (figures or draft.cues("count")) or None in figures:
        return
    for attribute in {f.attribute.name: f.attribute for f in draft.filters if f.operator == "="}.values():
        places = [f.piece for f in draft.filters if f.attribute == attribute and f.operator == "=" and f.piece >= 0]
        if len(places) < _SEVERAL or attribute in draft.groups:
            continue
        first, last = min(places), max(places)
        between = [p for p in draft.pieces[first : last + 1] if not isinstance(p.option, ToValue | ToTerm)]
        joined = {p.span.text.lower() for p in between}
        again = [i for i, _ in draft.cues("count") if first < i < last]
        if joined <= {"and", "are", "is", "were", "was", "how many"} and again and figures <= {"count"}:
            draft.use(*again)  # "how many clerks are male and how many are female"
            draft.groups.append(attribute)
            continue
        noun = next((p.option for p in draft.pieces[last + 1 : last + 3] if isinstance(p.option, ToTable)), None)
        if joined != {"and"} or not (noun is not None or isinstance(draft.pieces[last].option, ToTerm)):
            continue
        if figures <= {"count"} or draft.choose("each of the named", 2) == ("sum" in figures):
            draft.use(*(i for i, _ in draft.cues("and") if first < i < last))
            draft.groups.append(attribute)


_SEVERAL = 2


def agents(draft: Draft) -> None:
    """ "the total bought by the customer called Ada": what is fixed to one is a condition and no group."""
    for i, piece in enumerate(draft.pieces):
        cue = piece.option
        if not isinstance(cue, Cue) or (cue.kind, piece.span.text.lower()) != ("group", "by"):
            continue
        agent = next((p.option for p in draft.pieces[i + 1 : i + 4] if isinstance(p.option, ToTable)), None)
        if agent is None or agent.entity not in draft.groups:
            continue
        fixed = [
            f.attribute.name for f in draft.filters if f.attribute.table == agent.entity.name and f.operator == "="
        ]
        if set(agent.entity.label) <= set(fixed) and len(fixed) == len(set(fixed)):
            draft.groups.remove(agent.entity)


_HAVING = HAVING | {
    "that have",
    "who have",
    "that has",
    "who has",
    "receive",
    "receives",
    "get",
    "gets",
    "got",
    "received",
}
_SOME = frozenset(("a", "an", "any", "some"))


def possessions(draft: Draft) -> None:
    """ "customers who have a company", "with a phone and an email", "with a phone but no email": it is not empty."""
    had_at = -1
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if piece.used or not isinstance(option, ToColumn) or i < _AFTER_HAVING:
            continue
        article, verb = (draft.pieces[n].span.text.lower() for n in (i - 1, i - 2))
        profile = option.attribute.column.profile
        missing = profile is not None and profile.nulls > 0
        zero = option.attribute.is_number and profile is not None and profile.low == 0
        followed = i + 1 < len(draft.pieces) and _says_more(draft.pieces[i + 1]) and not _goes_on(draft, i + 1)
        verbs = verb in _HAVING or (verb in ("and", "but") and had_at == i - _AFTER_HAVING)
        had = article in _SOME and verbs and (missing or zero)
        if not had or followed or not draft.content_before(i):
            continue
        draft.use(i)
        had_at = i
        if draft.cue_at(i - 2, "with", "which", "and"):
            draft.use(i - 2)
        if zero:
            draft.assumptions.append(f"those have {article} {option.attribute.words} where it is over 0")
            draft.filters.append(FilterWanted(option.attribute, ">", (0,), piece=i))
        else:
            draft.filters.append(FilterWanted(option.attribute, "present", (), piece=i))


def _says_more(piece: Piece) -> bool:
    """Whether what stands behind a column says more of it; a new clause or what a figure is broken down by does not."""
    begins = isinstance(piece.option, Cue) and piece.option.kind in _BEGINNING
    return piece.option is not None and not (begins or piece.span.parted)


_BEGINNING = ("group", "grain", "part", "sort", "direction")


def _goes_on(draft: Draft, at: int) -> bool:
    """Whether what somebody has is followed by what they have as well, or have not."""
    if draft.word(at) == "and":
        return draft.word(at + 1) in _SOME
    return draft.word(at).startswith(("but no", "and no", "but not", "but without", "without"))


_AFTER_HAVING = 3
"""Before "have a" stands at least what has it."""


def said_of_values(draft: Draft) -> None:
    """ "guests with platinum status": the word behind a value only says what kind of value it is."""
    for i, piece in enumerate(draft.pieces[1:], 1):
        before = draft.pieces[i - 1]
        held = isinstance(before.option, ToValue) and before.used and before.option.attribute.role == "text"
        said = piece.option is None or (isinstance(piece.option, ToColumn) and not piece.used)
        if held and said and piece.span.text.lower() in _KINDS and draft.touches(i - 1, i):
            draft.use(i)


def _comes_from(draft: Draft, condition: FilterWanted) -> bool:
    """ "customers without orders this year from Bonn": where somebody comes from is no condition on what he did."""
    return draft.word(condition.piece - 1) == "from"


_KINDS = frozenset(("status", "state", "type", "category", "class", "level", "tier", "segment", "priority", "kind"))


def belongs_to_related(draft: Draft) -> None:
    """A value or period right after a related table is about that table: "no orders in 2025"."""
    for related in (r for r in draft.related if r.owner is None):
        for wanted in list(draft.periods):
            if 0 < wanted.at - related.at <= 2 and wanted.attribute is None:
                related.period = wanted.period
                draft.periods.remove(wanted)
        told = related.shared is not None and bool(related.filters or related.other)  # "the same desk as Ada"
        for condition in [] if told else list(draft.filters):
            near = abs(condition.piece - related.at) <= 2 or (related.count == 0 and condition.piece > related.at)
            near = near and not (related.shared is not None and _comes_from(draft, condition))
            near = near and not _parted_by_denial(draft, related, condition)
            near = near or _says_which(draft, related.at, condition)
            if near and condition.attribute.table == related.entity.name:
                related.filters.append(condition)
                draft.filters.remove(condition)


def _parted_by_denial(draft: Draft, related: RelatedWanted, condition: FilterWanted) -> bool:
    """ "songs in French but no songs in Greek": what stands before the "no" is not of what there is none of."""
    between = draft.pieces[condition.piece + 1 : related.at] if condition.piece >= 0 else []
    return related.count == 0 and any(isinstance(p.option, Cue) and p.option.kind in _DENYING for p in between)


_DENYING = ("without", "not")


def _says_which(draft: Draft, at: int, condition: FilterWanted) -> bool:
    """ "at least 2 visits with the outcome code 'sold'": nothing but the column stands between rows and its value."""
    between = draft.pieces[at + 1 : condition.piece] if condition.piece > at else []
    columns = [p.option.attribute for p in between if isinstance(p.option, ToColumn)]
    meant = [p.option for p in between if p.option is not None and not isinstance(p.option, ToColumn)]
    joined = all(isinstance(o, Cue) and o.kind in ("with", "which") for o in meant)
    return bool(between) and joined and all(column == condition.attribute for column in columns)


def entity_terms(draft: Draft) -> Entity | None:
    """The table of the first term: "churned customers" is about customers even if only the term is said."""
    for term, _ in draft.terms:
        if term.table and (entity := draft.schema.find_entity(term.table)):
            return entity
    return None
