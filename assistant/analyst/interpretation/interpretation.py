"""The interpretation of a question as a value: it prints, is edited in the words of the data, and has a JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assistant.analyst.algebra import Query
from assistant.analyst.interpretation import editing
from assistant.analyst.interpretation.changing import checked, with_limit
from assistant.analyst.interpretation.chips import Chip, ChipKind
from assistant.analyst.interpretation.choices import CHOICES_MAX, ChipChoice, choices, choose
from assistant.analyst.interpretation.comparing import Across, Sides
from assistant.analyst.interpretation.composition import Composition, with_query
from assistant.analyst.meaning import Meaning, plain, value_of

if TYPE_CHECKING:
    from assistant.analyst.source import AnalystSource

_PARTS = (
    "rows",
    "measures",
    "columns",
    "distinct",
    "groups",
    "filters",
    "of_groups",
    "comparison",
    "order",
    "limit",
    "shown",
    "computed",
    "study",
    "verbatim",
    "chart",
    "unread",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation(Composition):
    """What will be computed. Every edit gives a new one that can be computed, or raises `InterpretationError`."""

    def replace(
        self,
        *,
        measure: str | Iterable[str] | None = None,
        group_by: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        filters: str | Iterable[str] | None = None,
        period: str | None = None,
        sort: str | None = None,
        top: int | None = None,
        compare: str | None = None,
        chart: str | None = None,
        assume: str | Iterable[str] | None = None,
    ) -> Interpretation:
        """With other parts, in the words of the data; what is left out stays as it is.

        Args:
            measure: One or several: "net revenue", "average freight", "number of orders".
            group_by: One or several: "region", "month"; an empty text for none.
            show: Columns of a list of rows instead of measures and groups: "list price", "city".
            filters: Conditions that take the place of all but the period: "online", "freight above 100".
            period: "2025", "last quarter", "since March 2025"; an empty text for all times.
            sort: What it is ordered by, with ", highest first" or ", lowest first" behind it.
            top: How many are shown; 0 for all.
            compare: "share of the total", "2024 and 2025, growth"; an empty text for nothing.
            chart: The kind of chart; an empty text for the usual one.
            assume: The assumptions of a scenario: "prices +5 %", "customers -4 % to -1 %".

        Raises:
            InterpretationError: a name is unknown or ambiguous, or the parts do not go together.
        """
        parts = (measure, group_by, show, filters, period, sort, top, compare)
        result = editing.editable(self) if any(part is not None for part in parts) else self
        result = editing.regrouped(result, measure, group_by)
        result = editing.show(result, editing.texts_of(show)) if show is not None else result
        if filters is not None:
            result = editing.filters(result, editing.texts_of(filters))
        if period is not None:
            result = editing.period(result, period)
        if compare is not None:
            result = editing.compare(result, compare)
        if sort is not None:
            result = editing.sort(result, sort)
        if top is not None:
            result = with_limit(result, top or None)
        if assume is not None:
            result = editing.assume(result, editing.texts_of(assume))
        return editing.chart(result, chart) if chart is not None else result

    def drop(self, chip: Chip) -> Interpretation:
        """Without a chip.

        Raises:
            InterpretationError: there is no such chip, or what is left cannot be computed.
        """
        return editing.dropped(self, chip)

    def place(self, word: str, chip: ChipKind) -> Interpretation:
        """With an unread word as a chip of a kind.

        Raises:
            InterpretationError: it is no unread word, or names nothing that fits there.
        """
        return editing.placed(self, word, chip)

    def choices(self, chip: Chip | ChipKind, *, search: str = "", most: int = CHOICES_MAX) -> tuple[ChipChoice, ...]:
        """What a chip may be instead: other readings first, then all that can be computed."""
        return choices(self, chip, search=search, most=most)

    def choose(self, chip: Chip | ChipKind, choice: ChipChoice) -> Interpretation:
        """With one of the choices.

        Raises:
            InterpretationError: it does not go with the rest.
        """
        is_whole = choice.is_reading or (chip if isinstance(chip, str) else chip.kind) == "Assumption"
        return choose(self if is_whole else editing.editable(self), chip, choice)

    def checked(self) -> Interpretation:
        """Itself.

        Raises:
            InterpretationError: it cannot be computed, and why.
        """
        return checked(self)

    # --- its JSON form ---

    def to_dict(self) -> dict[str, Any]:
        """A form for JSON: the chips in words, and the parts from which `from_dict` makes it again."""
        return {
            "source": self.data.name,
            "chips": [{"kind": chip.kind, "text": chip.text} for chip in self.chips],
            "parts": {name: plain(getattr(self, name)) for name in _PARTS},
        }

    @classmethod
    def from_dict(cls, form: dict[str, Any], data: AnalystSource) -> Interpretation:
        """The interpretation of a form.

        Raises:
            KeyError: another version of Tandem wrote the form.
        """
        parts = {name: value_of(form["parts"][name], Sides, Across) for name in _PARTS}
        return cls(data=data, **parts)


def empty(data: AnalystSource) -> Interpretation:
    """Nothing yet: an interpretation that edits alone fill."""
    return Interpretation(data=data)


def interpret(
    meaning: Meaning | Query, data: AnalystSource, *, unread: Sequence[str] = (), alternatives: Sequence[Query] = ()
) -> Interpretation:
    """The parts of a meaning.

    Args:
        meaning: A meaning, or a query alone.
        data: The source that it is about.
        unread: The words of the question that were not understood.
        alternatives: Other readings of the question.
    """
    bare = Interpretation(data=data, unread=tuple(unread), alternatives=tuple(alternatives))
    if not isinstance(meaning, Meaning):
        return with_query(bare, meaning)
    bare = replace(bare, study=meaning.study, verbatim=meaning.verbatim, chart=meaning.chart)
    return with_query(bare, meaning.query) if meaning.verbatim is None else replace(bare, computed=meaning.query)
