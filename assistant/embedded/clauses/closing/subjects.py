"""Clauses about the subject: the table that is left over is what is listed, what must be there, or the group."""

from __future__ import annotations

from assistant.embedded.clauses.closing.beside import asked_for_before, is_listed
from assistant.embedded.clauses.closing.owners import THEIRS
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.naming.counting import ancestor_of, heads_list, parent_of
from assistant.embedded.clauses.wanted import RelatedWanted, Wanted
from assistant.embedded.linking.options import ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue


def subjects(draft: Draft) -> None:
    """The first remaining table is the subject; further ones only say which rows are meant."""
    figures = bool(draft.wanted) or any(isinstance(target, Wanted) for target, _ in draft.order)
    ordered = [target for target, _ in draft.order if isinstance(target, Wanted)]
    counted = {w.entity.name for w in (*draft.wanted, *ordered) if w.entity}
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToTable) or (not figures and is_listed(draft, i)):
            continue
        entity = piece.option.entity
        draft.mention(entity.name)
        if figures:
            _beside_figure(draft, i, entity, counted)
        elif draft.ranked is not None:
            if draft.ranked == entity or _accounted(draft, entity):
                draft.use(i)
            elif _is_added(draft, i) and any(p.span.text.lower() in THEIRS for p in draft.pieces[:i]):
                draft.use(i)  # "the last 5 payments with their amount and customer"
                owner = draft.ranked if isinstance(draft.ranked, Entity) and not draft.shown else None
                draft.shown += [table.attributes[n] for table in (owner, entity) if table for n in table.label]
        elif draft.subject is None:
            owner = asked_for_before(draft, i, entity)
            if owner is not None:
                draft.subject = owner  # "the lamp names and prices that fit no room": the lamps are meant
                if not _accounted(draft, entity):
                    draft.use(i)
                    _must_have(draft, i, entity)
                continue
            draft.use(i)
            draft.subject = entity
        elif entity == draft.subject or _accounted(draft, entity):
            draft.use(i)
        elif _is_added(draft, i):
            draft.use(i)
            for table in (draft.subject, entity):
                label = [table.attributes[name] for name in table.label]
                if table is entity or not draft.shown:
                    draft.shown += [a for a in label if a not in draft.shown]
        elif _beside_value(draft, i):
            draft.use(i)
            draft.passed.append(entity)
        elif _is_denied(draft, i):
            draft.use(i)
        elif _is_said_to_have(draft, i):
            draft.use(i)
            _must_have(draft, i, entity)


def _beside_figure(draft: Draft, at: int, entity: Entity, counted: set[str]) -> None:
    """A table beside a figure: its own ("price of products"), one of a filter, or one whose rows must exist."""
    own = {w.attribute.table for w in draft.wanted if w.attribute} | counted
    own |= {w.metric.table for w in draft.wanted if w.metric}
    if ancestor_of(draft, own, entity) and not (draft.groups or draft.ranked) and _has_figures(draft, at):
        draft.groups.append(entity)
        draft.use(at)
    elif entity.name in own or _accounted(draft, entity) or draft.ranked == entity or entity in draft.groups:
        draft.use(at)
    elif parent_of(draft, own, entity):
        chosen = draft.asks_which or draft.having or any(r.entity.name in counted for r in draft.related)
        chosen = chosen or heads_list(draft, at)
        if chosen and not draft.groups and not draft.ranked:
            draft.groups.append(entity)
        draft.use(at)
    elif _beside_value(draft, at):
        draft.use(at)
        draft.passed.append(entity)
    elif counted or _child_of(draft, own, entity):
        draft.use(at)
        _must_have(draft, at, entity)


def _has_figures(draft: Draft, at: int) -> bool:
    """ "customers from France with their revenue": a figure for each of them, whatever else is said of them."""
    return heads_list(draft, at) and any(p.span.text.lower() in THEIRS for p in draft.pieces[at:])


def _beside_value(draft: Draft, at: int) -> bool:
    """ "rock tracks": the table only leads to the value's column, and must lie on the way to it."""
    return any(
        0 <= place < len(draft.pieces) and isinstance(draft.pieces[place].option, ToValue) for place in (at - 1, at + 1)
    )


def _is_denied(draft: Draft, at: int) -> bool:
    """ "who booked neither the tent nor the hut": what was done is denied of these, and need not have been at all."""
    place = draft.after(at, plain_max=1)
    behind = draft.pieces[place].option if place is not None else None
    denied = isinstance(behind, Cue) and behind.kind == "not"
    return denied and any(f.operator == "!=" and f.piece > at for f in draft.filters)


def _child_of(draft: Draft, tables: set[str], entity: Entity) -> bool:
    edges = (edge for t in tables for edge in draft.schema.edges.get(t, ()))
    return any(edge.right == entity.name and (edge.many or edge.optional) for edge in edges)


def is_only_there(related: RelatedWanted) -> bool:
    """Whether nothing is asked of the rows but that there are any; a group by their table says so by itself."""
    return (related.operator, related.count) == (">=", 1) and not (related.filters or related.period or related.several)


def _must_have(draft: Draft, at: int, entity: Entity) -> None:
    if any(r.count == 0 and r.at < at for r in draft.related):
        # "who did not take any course": what comes after the absence belongs to it, and must not be there as well
        raise Misfit(f"I could not tell how “{entity.many}” belong to what there should be none of.", weight=4)
    draft.related.append(RelatedWanted(entity, ">=", 1, at))


def _is_added(draft: Draft, at: int) -> bool:
    """ "artists and their albums", "artists with their albums": the second table is shown beside the first."""
    before = draft.before(at, plain_max=3)
    cue = draft.pieces[before].option if before is not None else None
    between = {p.span.text.lower() for p in draft.pieces[before + 1 : at]} if before is not None else set[str]()
    if between & {"have", "has", "had"}:
        return False  # "who live in Bonn and have orders": they must be there
    return isinstance(cue, Cue) and (cue.kind == "and" or (cue.kind == "with" and bool(between & {"their", "its"})))


def _is_said_to_have(draft: Draft, at: int) -> bool:
    return any(isinstance(p.option, ToTable) for p in draft.pieces[:at])


def _accounted(draft: Draft, entity: Entity) -> bool:
    """Whether a filter, a shown column, a group or a comparison already speaks of the table."""
    tables = {f.attribute.table for f in draft.filters} | {a.table for a in draft.shown}
    tables |= {c.attribute.table for c in draft.compared}
    tables |= {pair.first[0].attribute.table for pair in draft.pairs}
    tables |= {g.name if isinstance(g, Entity) else g.table for g in draft.groups}
    tables |= {p.attribute.table for p in draft.periods if p.attribute}
    tables |= {t.table for t, _ in draft.terms if t.table}
    tables |= {target.table for target, _ in draft.order if isinstance(target, Attribute)}
    return entity.name in tables
