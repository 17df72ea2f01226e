"""Figures of different kinds of rows side by side: "the number of approved claims and the number of denied claims".

A condition belongs to one figure alone where another figure of the same rows has another one, or none. It is then no
condition of the whole, and every figure is computed under its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import FilterWanted, Wanted, kind_said
from assistant.embedded.linking.options import Option, ToColumn, ToPeriod, ToTable
from assistant.embedded.meaning import PERCENT
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cue_patterns import CueKind
from assistant.embedded.words.cues import Cue

_FIGURES: tuple[CueKind, ...] = ("count", "average", "sum", "minimum", "maximum", "share")
_ENDS: tuple[CueKind, ...] = ("group", "grain", "sort", "direction", "compare", "between")
_DENYING = ("not", "without")


@dataclass(slots=True)
class _Told:
    """A condition that was said, with its places; `related`: behind its noun, by "that", "with" or the like."""

    wanted: FilterWanted
    places: list[int]
    related: bool = False


@dataclass(slots=True)
class _Figure:
    """What is said of one figure: where it begins, what it is of, and the conditions, in their order."""

    at: int
    kind: str
    of: Entity | Attribute | None = None
    noun: int = -1
    told: list[_Told] = field(default_factory=list)

    def on(self, attribute: Attribute) -> list[_Told]:
        """The conditions on a column."""
        return [t for t in self.told if t.wanted.attribute == attribute]


def side_by_side(draft: Draft) -> None:
    """Give figures the conditions that are theirs alone."""
    figures = _figures(draft)
    for before, figure in pairwise([*figures]):
        if _of_them(draft, before, figure):
            figures.remove(figure)
            if figure.kind == "share" and before.kind == "count" and before.told:
                _keep(draft, before, [[t.wanted for t in before.told]], before.told)
                figures.remove(before)
    figures = [figure for figure in figures if figure.kind != "share"]
    for figure in figures:
        others = [other for other in figures if other is not figure]
        own = _own(figure, others)
        further = [other for other in others if not (other.at > figure.at and _of_those(draft, other))]
        own += [t for t in figure.told if t not in own and any(_of_its_rows(draft, t, other) for other in further)]
        if own:
            _keep(draft, figure, [[t.wanted for t in own]], own)
        elif listed := _listed(draft, figure):
            _keep(draft, figure, [[t.wanted] for t in listed], listed)


def _of_them(draft: Draft, before: _Figure, figure: _Figure) -> bool:
    """ "and how many of them were open", "and the percentage of lost cases": a part of what was counted before."""
    words = {p.span.text.lower() for p in draft.pieces[figure.at + 1 : figure.at + _NEAR]}
    meant = before.of if figure.of is None and words & _THEM else figure.of
    if figure.kind not in ("count", "share") or not figure.told or not isinstance(meant, Entity):
        return False
    if (figure.kind == "count" and figure.of is not None and not words & _THEM) or (
        figure.kind == "share" and before.kind == "share"
    ):
        return False
    only = [t.wanted for t in figure.told]
    whole = Wanted(aggregate="count", entity=meant) if figure.kind == "share" else None
    draft.extra.append(Wanted(aggregate="count", entity=meant, only=only, per=whole, unit=PERCENT if whole else ""))
    places = [place for t in figure.told for place in t.places]
    for place in (figure.at, *places, *([figure.noun] if figure.noun >= 0 else [])):
        draft.pieces[place].used = draft.pieces[place].aside = True
    return True


_THEM = frozenset(("them", "those", "these"))


def _keep(draft: Draft, figure: _Figure, kinds: list[list[FilterWanted]], told: list[_Told]) -> None:
    draft.kinds[figure.at] = kinds
    for place in (place for t in told for place in t.places):
        draft.pieces[place].used = draft.pieces[place].aside = True


def _figures(draft: Draft) -> list[_Figure]:
    """The figures that are asked for, each with what is said of it up to the next."""
    found: list[_Figure] = []
    open_ = False
    for i, piece in enumerate(draft.pieces):
        option = piece.option if not piece.used else None
        if isinstance(option, Cue) and option.kind in _FIGURES:
            if open_ and found[-1].of is None and draft.before(i, plain_max=0) == found[-1].at:
                continue  # "the average number of": one figure
            found.append(_Figure(at=i, kind=option.kind))
            open_ = True
        elif isinstance(option, ToPeriod) or (isinstance(option, Cue) and option.kind in _ENDS):
            open_ = False
        elif open_ and option is not None:
            _note(draft, found[-1], i, option)
    return found


def _note(draft: Draft, figure: _Figure, at: int, option: Option) -> None:
    wanted = kind_said(option, at)
    if wanted is not None:
        before = draft.cue_at(at - 1, *_DENYING) if at else None
        if before is not None:
            wanted.operator = "!="
        words = {p.span.text.lower() for p in draft.pieces[figure.noun + 1 : at]} if figure.noun >= 0 else set[str]()
        told = _Told(wanted, [at - 1, at] if before is not None else [at], bool(words & _RELATIVE))
        figure.told.append(told)
    elif isinstance(option, ToTable) and figure.of is None:
        figure.of, figure.noun = option.entity, at
    elif isinstance(option, ToColumn) and option.attribute.is_number and figure.of is None:
        figure.of, figure.noun = option.attribute, at


_RELATIVE = frozenset(("that", "who", "which", "whose", "with", "without", "not", "in", "from"))


def _own(figure: _Figure, others: list[_Figure]) -> list[_Told]:
    """The conditions that bind this figure alone: another one of the same rows has others on the column, or none."""
    alike = [o for o in others if o.kind == figure.kind and o.of == figure.of and figure.of is not None]
    found: list[_Told] = []
    for told in figure.told:
        here = _said(figure.on(told.wanted.attribute))
        there = [_said(o.on(told.wanted.attribute)) for o in alike]
        near = any(-_NEAR <= place - figure.noun < 0 or told.related for place in told.places)
        if any(said and said != here for said in there) or (near and any(not o.told for o in alike)):
            found.append(told)
    return found


def _of_those(draft: Draft, figure: _Figure) -> bool:
    """ "the value of paid bills and the number of different clients": the clients are those of the paid bills."""
    said = {word for p in draft.pieces[figure.at : figure.noun] for word in p.span.text.lower().split()}
    return bool(said & _DIFFERENT)


_DIFFERENT = frozenset(("distinct", "different", "unique"))


def _of_its_rows(draft: Draft, told: _Told, other: _Figure) -> bool:
    """ "the number of firms and of active contracts": a word before its own rows binds no row that has many of them."""
    rows = draft.pieces[max(told.places) + 1].option if max(told.places) + 1 < len(draft.pieces) else None
    table = told.wanted.attribute.table
    if not isinstance(rows, ToTable) or rows.entity.name != table or not isinstance(other.of, Entity):
        return False
    return other.kind == "count" and ancestor_of(draft, {table}, other.of)


_NEAR = 3
"""How far from its noun a condition may stand that another figure of the same rows lacks."""


def _said(told: list[_Told]) -> list[tuple[object, ...]]:
    return sorted(((t.wanted.operator, *t.wanted.values) for t in told), key=str)


def _listed(draft: Draft, figure: _Figure) -> list[_Told]:
    """ "the number of open, closed and lost cases by month": each of the kinds before the noun, if there are groups."""
    columns = {t.wanted.attribute.name: t.wanted.attribute for t in figure.told}
    grouped = bool(draft.cues("group", "grain"))
    if figure.kind != "count" or not isinstance(figure.of, Entity) or len(columns) != 1 or not grouped:
        return []
    before = [t for t in figure.told if max(t.places) < figure.noun]
    end = figure.noun
    if not before and figure.told:
        before, end = figure.told, max(figure.told[-1].places)  # "how many cases were opened, won and lost by month"
    joined = {p.span.text.lower() for p in draft.pieces[figure.at + 1 : end] if isinstance(p.option, Cue)}
    if len(before) < _SEVERAL or len(before) != len(figure.told) or not joined <= {"and"} or not joined:
        return []
    if draft.choose("kinds side by side", 2) != 0:
        return []
    links = [i for i, _ in draft.cues("and") if figure.at < i < end]
    before[0].places += links
    return before


_SEVERAL = 2
