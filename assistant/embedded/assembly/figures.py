"""The figures of a meaning: those asked for, those it is ordered or bound by, and those that go without saying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.figuring.totals import worth_or_count
from assistant.embedded.clauses.wanted import RelatedWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.lexicon import plural, singular

if TYPE_CHECKING:
    from assistant.embedded.assembly.assembler import Assembler


def figures_of(assembler: Assembler) -> list[Wanted]:
    """Every figure that the draft needs; none where it only lists rows. Its groups are settled on the way.

    Raises:
        Misfit: it is not clear what should be counted.
    """
    draft = assembler.draft
    ordered = [t for t, _ in draft.order if isinstance(t, Wanted)]
    figures = [*draft.wanted, *(w for w in ordered if w not in draft.wanted)]
    for wanted, _, _ in draft.having:
        if figures and wanted not in figures:  # the condition is on another figure than those asked for
            wanted.context = True
            figures.append(wanted)
        elif not figures:
            figures.append(wanted)
    if isinstance(draft.rival, Wanted):
        figures.append(draft.rival)
    _settle_groups(draft, figures)
    for wanted in figures:
        _take_once(assembler, wanted)
    if draft.groups:
        figures += _counted_per_group(assembler, figures)
    if (draft.share or draft.grains or draft.parts or draft.groups) and not figures:
        figures = _things_named(draft)
    if draft.share and not figures:
        figures = _of_what(draft)
    if (draft.grains or draft.parts or draft.groups) and not figures:
        figures = _implied_count(draft)
    return figures


def _settle_groups(draft: Draft, figures: Sequence[Wanted]) -> None:
    """What the figures are of: what is ranked first, then those in which a ranking begins anew, then the others."""
    if draft.ranked is not None and figures:
        draft.groups = [g for g in draft.groups if g is not draft.ranked]
        draft.groups.insert(0, draft.ranked)
    if figures:
        draft.groups = [*draft.within, *(g for g in draft.groups if g not in draft.within)]
    if draft.having and not draft.groups and draft.subject:
        draft.groups.append(draft.subject)
        _only_bound(draft)
    if draft.having and not draft.groups and all(_are_kinds(draft, a) for a in draft.shown):
        draft.groups, draft.shown = [*draft.shown], []
        if draft.groups:
            _only_bound(draft)
    if figures and draft.wanted and not (draft.groups or draft.grains or draft.parts or draft.ranked):
        draft.groups += _ordered_by(draft)


def _are_kinds(draft: Draft, attribute: Attribute) -> bool:
    """Whether a column tells kinds of rows, as the number does that the lines of an order share."""
    numbered = attribute.role == "key" and repeats(attribute, draft.entity_of(attribute))
    return attribute.role in ("text", "flag") or numbered


def _take_once(assembler: Assembler, wanted: Wanted) -> None:
    """ "revenue per square metre by store": where each group is one row, its own number is no sum over its sales."""
    per = wanted.per
    if (
        per is None
        or per.aggregate != "sum"
        or per.attribute is None
        or per.attribute.table == assembler.base_of(wanted)
    ):
        return
    draft, number = assembler.draft, per.attribute
    labels = [g.name for g in draft.groups if isinstance(g, Attribute) and g.table == number.table]
    named = bool(labels) and draft.entity_of(number).label == tuple(labels)
    if number.table in draft.grouped_rows() or named:
        wanted.per = replace(per, aggregate="maximum", own=True)


def _only_bound(draft: Draft) -> None:
    """ "jobs with an average wage above 17": the figures of a condition were not asked for themselves."""
    for wanted, _, _ in draft.having:
        wanted.context = wanted not in draft.wanted


def _counted_per_group(assembler: Assembler, figures: Sequence[Wanted]) -> list[Wanted]:
    """ "categories with more than 10 products and an average price over 30": both speak of the group.

    So do "roles with more than one employee, and the number of employees".
    """
    draft = assembler.draft
    asked = {w.entity.name: w for w in figures if w.entity and w.aggregate == "count" and not w.per}
    plain = [r for r in draft.related if r.count > 0 and not (r.filters or r.period or r.several or r.owner)]
    bases = {assembler.base_of(w) for w in figures}
    of_groups = [r for r in plain if r.entity.name in asked or bases == {r.entity.name} or _is_of_group(draft, r)]
    plain = plain if draft.having else of_groups
    draft.related = [r for r in draft.related if r not in plain]
    found: list[Wanted] = []
    for related in plain:
        counted = asked.get(related.entity.name)
        if counted is None:
            counted = Wanted(aggregate="count", entity=related.entity, context=True)
            found.append(counted)
        draft.having.append((counted, related.operator, float(related.count)))
    return found


def _implied_count(draft: Draft) -> list[Wanted]:
    if draft.ranged:
        return _counted_in_ranges(draft, draft.ranged[0])
    if draft.subject is not None and (draft.grains or draft.parts or draft.chart or draft.share):
        return [worth_or_count(draft, draft.subject)]
    if draft.grains or draft.parts:
        raise Misfit("It is not clear what should be shown per period.", weight=3)
    if draft.subject is not None and draft.groups and not draft.shown:
        return [worth_or_count(draft, draft.subject)]
    return []


def _things_named(draft: Draft) -> list[Wanted]:
    """ "orders by month", "share of orders by country", where a file names the order in each of its lines.

    By its groups alone a column is counted only where the question begins with it: "list the names by country".
    """
    told = draft.share and not any(isinstance(p.option, ToTable) for p in draft.pieces)  # only by what they are: late
    if (draft.subject is not None and not told) or len(draft.shown) != 1 or draft.order or draft.all_columns:
        return []
    named, only = draft.shown[0], not (draft.share or draft.grains or draft.parts)
    said = [n for n, p in enumerate(draft.pieces) if isinstance(p.option, ToColumn) and p.option.attribute == named]
    if len(said) != 1 or named.role not in ("text", "key") or not repeats(named, draft.entity_of(named)):
        return []
    words = draft.word(said[0])
    led = any(p.option is not None or p.span.text.lower() in _SHOWING for p in draft.pieces[: said[0]])
    if singular(words) == words or (only and (led or draft.asks_which)):
        return []
    draft.shown.clear()
    draft.assumptions.append(f"{named.things} are counted, each once")
    return [Wanted(aggregate="distinct", attribute=named)]


_SHOWING = frozenset(("show", "list", "give", "name", "display", "get", "find", "return"))


def _of_what(draft: Draft) -> list[Wanted]:
    """The rows that a share is of: those asked about, or those of the one table that anything is said of."""
    tables = {a.table for a in (*draft.shown, *(f.attribute for f in draft.filters))}
    tables |= {g.name if isinstance(g, Entity) else g.table for g in draft.groups}
    entity = draft.subject or (draft.schema.entities[next(iter(tables))] if len(tables) == 1 else None)
    if entity is None or draft.shown:
        raise Misfit("A share of what? Say, for instance, “of orders” or “of revenue”.", weight=5)
    return [Wanted(aggregate="count", entity=entity)]


def _counted_in_ranges(draft: Draft, attribute: Attribute) -> list[Wanted]:
    """ "customers by age group", where the customers may be named by a column of their own table."""
    entity = draft.subject or draft.entity_of(attribute)
    named = {*entity.label, *entity.key}
    if any(a.table != entity.name or a.name not in named for a in draft.shown):
        raise Misfit("It is not clear what should be shown for each range.", weight=4)
    draft.shown.clear()
    draft.assumptions.append(f"{plural(entity.one)} are counted")
    return [Wanted(aggregate="count", entity=entity)]


def _is_of_group(draft: Draft, related: RelatedWanted) -> bool:
    """ "revenue by country, for countries with more than 5 customers": the groups have so many, not the rows."""
    owner = next(
        (p.option for p in reversed(draft.pieces[: related.at]) if isinstance(p.option, ToTable | ToColumn)), None
    )
    group = owner.entity if isinstance(owner, ToTable) else owner.attribute if owner is not None else None
    return group in draft.groups


def _ordered_by(draft: Draft) -> list[Group]:
    """ "the highest price, ordered by type": figures that are in an order of something are of each such thing."""
    figures = [w.attribute for w in draft.wanted]
    asked = [target for target, _ in draft.order if isinstance(target, Attribute) and target not in figures]
    return [a for a in asked if a.role in ("text", "reference", "flag") and all(w.aggregate for w in draft.wanted)]
