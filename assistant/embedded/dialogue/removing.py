"""What a follow-up takes away: "drop the filter", "for all regions again", "all years", "not by month", "show all".

A word may name a condition, a group, a figure or a column; it is taken for what the meaning before has of that name.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.dialogue.rankings import choose, ranking_of
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import name_words, stem
from assistant.embedded.words.vocabulary import word_set

Removal = Callable[[Draft], None]

_AWAY = r"(?:drop|remove|delete|clear|reset|forget|skip|undo|cancel|hide|lose|without|no(?: longer)?|ignore|leave out|take (?:away|off|out)|not)"
_CONDITION = r"(?:filters?|conditions?|restrictions?|criteria|criterion|constraints?|selections?)"
_FILTER = re.compile(
    rf"^{_AWAY} (?:(?:the|that|this|any|all|those|these|my|last|previous) )*(?P<x>[\w ]*?) ?(?P<word>{_CONDITION})(?: (?:on|for|of|by) (?:the )?(?P<y>[\w ]+))?$"
    rf"|^(?:un|not )filtered$|^{_AWAY} (?:that|this|it)$",
    re.IGNORECASE,
)
_ONE_FILTER = re.compile(
    r"\b(?:filter|condition|restriction|criterion|constraint|selection|that|this|it)$", re.IGNORECASE
)
_ALL = re.compile(
    r"^(?:(?:for|in|of|with|over|across|from|by|show|and|but|list|now) )*(?:all|any|every|whatever)(?: of)?(?: the)? (?P<x>[\w ]+?)(?: (?:together|combined))?$",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"^(?:(?:show|list|give|with|the) )*(?:all|everything|all of (?:it|them|these|those)|(?:the )?(?:full|whole|complete|entire) list)$"
    r"|^(?:no|without|drop the|remove the) limit$|^unlimited$|^not limited$",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^(?:in total|overall|altogether|all together|all in all|as (?:a |one )?(?:grand )?total|(?:the (?:grand |overall )?|grand |overall )total(?: only)?|(?:no|without|drop the|remove the) (?:grouping|groups?|split|break ?down|dimensions?)|ungrouped|not (?:grouped|split|broken down))$",
    re.IGNORECASE,
)
_AWAY_WITH = re.compile(
    rf"^{_AWAY} (?:(?:split|grouped|broken down|sorted|ordered) )?(?:by )?(?:(?:the|that|this|any|per) )*(?P<x>[\w ]+?)(?: (?:column|columns|split|break ?down|grouping|dimension|figures?))?$",
    re.IGNORECASE,
)
_EVER = re.compile(
    r"^(?:for |in |over |of |across )*(?:(?:all|any|every|the whole|the entire|the full|whatever) (?:the )?(?:years?|times?|dates?|periods?|months?|days?|quarters?|weeks?|time range|data|history)|ever|all[- ]time|regardless of (?:the )?(?:date|time|year|period)|since the beginning|from the beginning)$",
    re.IGNORECASE,
)
_TIME_WORDS = word_set(
    "year years time times date dates period periods month months day days quarter quarters week weeks"
)
_GRAINS = word_set("year month day quarter week")

_AGGREGATES: dict[str, Aggregate] = {
    "average": "average", "averages": "average", "mean": "average", "total": "sum", "totals": "sum", "sum": "sum",
    "maximum": "maximum", "max": "maximum", "highest": "maximum", "minimum": "minimum", "min": "minimum",
    "lowest": "minimum", "count": "count", "counts": "count", "number": "count",
}  # fmt: skip
"""What figures are called by how they are taken together."""


def removal_of(text: str, linker: Linker) -> Removal | None:
    """What the words take away; None where they take nothing away by their form.

    The removal raises Misfit where the meaning has nothing of that name.
    """
    if _EVER.match(text):
        return _periods
    if match := _FILTER.match(text):
        name = (match["x"] or match["y"] or "").strip()
        if not name:
            return _only_filter if _ONE_FILTER.search(text) else _filters
        return _Named(name, linker).condition
    if _TOTAL.match(text):
        return _groups
    if _WHOLE.match(text):
        return _limit
    if match := _ALL.match(text):
        return _Named(match["x"], linker).opened
    if match := _AWAY_WITH.match(text):
        named = _Named(match["x"], linker)
        return named.dropped if named.known else None
    return None


def _periods(draft: Draft) -> None:
    related = [r for r in draft.related if r.period is not None]
    if not draft.periods and not related:
        raise Misfit("There is no period to drop: it is over all time already.", weight=8)
    draft.periods = []
    for counted in related:
        counted.period = None


def _filters(draft: Draft) -> None:
    """All conditions; the periods as well where nothing else is there."""
    if _conditions(draft) == 0:
        _periods(draft)
        return
    draft.filters, draft.terms, draft.related, draft.compared, draft.having = [], [], [], [], []
    draft.among = []


def _only_filter(draft: Draft) -> None:
    """The one condition.

    Raises:
        Misfit: there are several, and nobody can tell which is meant.
    """
    if _conditions(draft) + len(draft.periods) > 1:
        raise Misfit("There is more than one condition; name the one to drop, or say “drop all filters”.", weight=8)
    _filters(draft)


def _conditions(draft: Draft) -> int:
    columns = {f.attribute for f in draft.filters}
    return len(columns) + len(draft.terms) + len(draft.related) + len(draft.compared) + len(draft.having)


def _groups(draft: Draft) -> None:
    if not (draft.groups or draft.grains or draft.parts):
        raise Misfit("There is nothing that it is broken down by.", weight=8)
    if draft.limit or draft.having:
        raise Misfit("These are chosen by their figure; ask for the total as a question of its own.", weight=7)
    draft.groups, draft.grains, draft.parts, draft.ranged, draft.within = [], [], [], [], []
    draft.order, draft.share = [], False


def _limit(draft: Draft) -> None:
    if (ranking := ranking_of(draft)) is not None:
        choose(draft, ranking, None, descending=None)
        return
    if draft.limit is None:
        raise Misfit("All are shown already.", weight=8)
    draft.keep_first(None)


@dataclass(frozen=True, slots=True)
class _Named:
    """Parts of a meaning by their name."""

    name: str
    linker: Linker

    @property
    def stems(self) -> tuple[str, ...]:
        """The words of the name as names are compared."""
        return tuple(stem(word) for word in name_words(self.name) if word not in ("the", "of"))

    @property
    def known(self) -> bool:
        """Whether the source knows the name as one of a table, a column, a figure, or it is one of time."""
        low = self.name.lower()
        return (
            low in _TIME_WORDS
            or low in _AGGREGATES
            or bool(self._named())
            or low.startswith(("number of ", "average ", "total "))
        )

    def _named(self) -> list[Entity | Attribute | str]:
        found: list[Entity | Attribute | str] = []
        for option in self.linker.names(self.stems):
            match option:
                case ToTable():
                    found.append(option.entity)
                case ToColumn():
                    found.append(option.attribute)
                case ToMetric():
                    found.append(option.metric.name)
                case _:
                    continue
        return found

    def _is(self, thing: Attribute | Entity, schema_entity: Entity | None = None) -> bool:
        """Whether a column or a table goes by the name: itself, the table that it names, or the one it refers to."""
        named = self._named()
        if thing in named:
            return True
        if isinstance(thing, Entity):
            return False
        entity = schema_entity
        own_name = entity is not None and entity in named and thing.name in (*entity.label, *entity.key)
        referred = self.linker.schema.referred(thing)
        return own_name or (referred is not None and referred in named) or set(self.stems) == set(thing.own)

    def _speaks(self, draft: Draft, attribute: Attribute) -> bool:
        return self._is(attribute, draft.entity_of(attribute))

    def condition(self, draft: Draft) -> None:
        """ "remove the date filter", "drop the condition on the region"."""
        if self.name.lower() in _TIME_WORDS and draft.periods:
            draft.periods = []
            return
        if not self._condition(draft):
            raise Misfit(f"There is no condition on “{self.name}”.", weight=8)

    def _condition(self, draft: Draft) -> bool:
        low = self.name.lower()
        kept = [f for f in draft.filters if not self._speaks(draft, f.attribute) and not _holds(f.values, low)]
        terms = [t for t in draft.terms if not set(self.stems) & {stem(w) for w in name_words(t[0].name)}]
        compared = [c for c in draft.compared if not self._speaks(draft, c.attribute)]
        related = [r for r in draft.related if r.entity not in self._named()]
        same = (len(kept), len(terms), len(compared), len(related)) == (
            len(draft.filters), len(draft.terms), len(draft.compared), len(draft.related),
        )  # fmt: skip
        draft.filters, draft.terms, draft.compared, draft.related = kept, terms, compared, related
        return not same

    def opened(self, draft: Draft) -> None:
        """ "for all regions", "all customers": no condition on them, and none left out."""
        if self._condition(draft):
            return
        grouped = any(self._is(g) if isinstance(g, Entity) else self._speaks(draft, g) for g in draft.groups)
        if (draft.limit is not None or ranking_of(draft)) and (grouped or draft.subject in self._named()):
            _limit(draft)
        elif draft.subject is not None and draft.subject in self._named() and _conditions(draft):
            _filters(draft)
        else:
            raise Misfit(f"There is no condition on “{self.name}” to drop.", weight=7)

    def dropped(self, draft: Draft) -> None:
        """ "remove the date", "not by month", "without the email": a group, a figure, a column or a condition."""
        low = self.name.lower()
        if self._group(draft) or self._figure(draft) or self._column(draft):
            return
        if low in _TIME_WORDS:
            _periods(draft)
        elif not self._condition(draft):
            raise Misfit(f"There is no “{self.name}” to leave out.", weight=2)

    def _group(self, draft: Draft) -> bool:
        if not (draft.wanted or any(isinstance(t, Wanted) for t, _ in draft.order)):
            return False
        grain = stem(self.name.lower())
        if grain in draft.grains and grain in _GRAINS:
            draft.grains.remove(grain)  # pyright: ignore[reportArgumentType]  # it is in the list
            return True
        kept = [g for g in draft.groups if not (self._is(g) if isinstance(g, Entity) else self._speaks(draft, g))]
        if len(kept) == len(draft.groups):
            return False
        if draft.limit and not kept:
            raise Misfit("These are the first of their kind; without it there is nothing to rank.", weight=7)
        gone = [g for g in draft.groups if g not in kept]
        draft.order = [(t, down) for t, down in draft.order if t not in gone]
        draft.groups = kept
        return True

    def _figure(self, draft: Draft) -> bool:
        kept = [w for w in draft.wanted if not self._is_figure(w)]
        if len(kept) == len(draft.wanted):
            return False
        if not kept:
            raise Misfit("It is the only figure.", weight=7)
        gone = [w for w in draft.wanted if w not in kept]
        if draft.limit and any(t in gone for t, _ in draft.order):
            raise Misfit("They are ranked by that figure.", weight=7)
        draft.order = [(t, down) for t, down in draft.order if t not in gone]
        draft.wanted = kept
        return True

    def _is_figure(self, wanted: Wanted) -> bool:
        low = self.name.lower()
        if low in _AGGREGATES:
            return wanted.metric is None and wanted.aggregate == _AGGREGATES[low]
        if wanted.metric is not None:
            return wanted.metric.name in self._named()
        if wanted.entity is not None:
            return low.startswith("number of ") and low.removeprefix("number of ") == wanted.entity.many
        return wanted.attribute in self._named()

    def _column(self, draft: Draft) -> bool:
        kept = [a for a in draft.shown if not self._speaks(draft, a)]
        if len(kept) == len(draft.shown) or not kept:
            return False
        draft.shown = kept
        return True


def _holds(values: Iterable[object], low: str) -> bool:
    return low in [str(value).lower() for value in values]
