"""What will be computed, in the parts that a person sees and changes.

A query of the algebra and its parts are two forms of one thing: `with_query` takes a query apart, `query` puts it
together, and one is the inverse of the other. What cannot be taken apart stays whole (`computed`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from assistant.analyst import algebra as al
from assistant.analyst.checking import problems
from assistant.analyst.interpretation.chips import Chip, chips_of
from assistant.analyst.interpretation.comparing import Comparison, compared, factored
from assistant.analyst.meaning import Chart, Meaning, Study, Verbatim
from assistant.analyst.presenting.headings import statement
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.wording import sentence

if TYPE_CHECKING:
    from assistant.analyst.source import AnalystSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What will be computed.

    Attributes:
        data: The source, whose words edits are read with.
        rows: Whose rows, without the conditions on them; None until something is chosen.
        measures: What is computed of them, without the comparison.
        columns: What is shown of each row, where nothing is computed.
        distinct: Whether equal rows are shown once.
        groups: What the rows are grouped by.
        filters: The conditions on rows, periods among them.
        of_groups: The condition on groups: on places of `outputs`.
        comparison: What the measures are compared with.
        order: By which places of `outputs`.
        limit: How many are shown.
        shown: The places of `outputs` that are shown; None for all.
        computed: The whole query, where it has no such parts.
        study: The computation that follows the query.
        verbatim: The verified query that is used in its stead.
        chart: The kind of chart.
        unread: The words of the question that were not understood.
        alternatives: Other readings of the question, the likeliest first.
        remarks: What it computes a little otherwise than the SQL that it was read from.
    """

    data: AnalystSource = field(compare=False, repr=False)
    rows: al.RowSet | None = None
    measures: tuple[al.Figure, ...] = ()
    columns: tuple[al.Term, ...] = ()
    distinct: bool = False
    groups: tuple[al.Term, ...] = ()
    filters: tuple[al.Condition, ...] = ()
    of_groups: al.Condition = al.NO_FILTER
    comparison: Comparison | None = None
    order: tuple[al.Order, ...] = ()
    limit: al.Limit | None = None
    shown: tuple[int, ...] | None = None
    computed: al.Query | None = None
    study: Study | None = None
    verbatim: Verbatim | None = None
    chart: Chart = ""
    unread: tuple[str, ...] = ()
    alternatives: tuple[al.Query, ...] = field(default=(), compare=False, repr=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)

    # --- what it is ---

    @property
    def query(self) -> al.Query | None:
        """The query; None while nothing is measured, grouped or shown."""
        if self.computed is not None or self.rows is None:
            return self.computed
        where = self.filters[0] if len(self.filters) == 1 else al.Both(self.filters)
        rows = replace(self.rows, where=where)
        if self.columns:
            width = None if self.shown is None else len(self.shown)
            return al.Listing(rows, self.columns, self.distinct, self.order, self.limit, width)
        if not self.measures and not self.groups:
            return None
        return al.Grouped(rows, self.groups, self.figures, self.of_groups, self.order, self.limit, self.shown)

    @property
    def figures(self) -> tuple[al.Figure, ...]:
        """The measures with their comparison."""
        return compared(self.measures, self.comparison)

    @property
    def outputs(self) -> tuple[al.Term | al.Figure, ...]:
        """All that is computed, whether it is shown or not."""
        return self.columns or (*self.groups, *self.figures)

    def is_hidden(self, output: al.Term | al.Figure) -> bool:
        """Whether an output is not shown: it only tells groups apart, or gives an order."""
        if self.shown is None or output not in self.outputs:
            return False
        return self.outputs.index(output) not in self.shown

    @property
    def meaning(self) -> Meaning | None:
        """What the embedded analyst plans from; None while there is no query."""
        query = self.query
        if query is None:
            return None
        plain = Meaning(source=self.data.name, query=query, study=self.study, verbatim=self.verbatim, chart=self.chart)
        return replace(plain, assumptions=self.data.assumed(plain), cited=self.data.cited(plain))

    @property
    def problems(self) -> tuple[str, ...]:
        """Why it cannot be computed; empty where it can, or where nothing is to be computed yet."""
        query = self.query
        return problems(query, self.data.schema) if query is not None else ()

    @property
    def sql(self) -> str:
        """The statement, in the source's dialect; empty while there is no query."""
        query = self.query
        if self.verbatim is not None:
            return self.verbatim.sql
        return to_sql(query, self.data.schema) if query is not None else ""

    @property
    def statement(self) -> str:
        """The statement as it is proposed: in order, with named columns; empty while there is no query."""
        meaning = self.meaning
        return statement(meaning, self.data.schema) if meaning is not None else ""

    @property
    def sentence(self) -> str:
        """What is computed in a sentence; empty while there is no query."""
        query = self.query
        return sentence(self.data.schema.said(query)) if query is not None else ""

    @property
    def chips(self) -> tuple[Chip, ...]:
        """Its parts in words."""
        return chips_of(self)

    def __str__(self) -> str:
        return "\n".join(map(str, self.chips))


Composed = TypeVar("Composed", bound=Composition)


def with_query(of: Composed, query: al.Query) -> Composed:
    """The parts of another query in the place of those there are; its words, chart and study stay."""
    bare = replace(
        of,
        rows=None,
        measures=(),
        columns=(),
        distinct=False,
        groups=(),
        filters=(),
        of_groups=al.NO_FILTER,
        comparison=None,
        order=(),
        limit=None,
        shown=None,
        computed=None,
    )
    parts = _taken_apart(bare, query)
    return parts if parts.query == query else replace(bare, computed=query)


def _taken_apart(bare: Composed, query: al.Query) -> Composed:
    match query:
        case al.Listing(of=rows):
            shown = None if query.shown is None else tuple(range(query.shown))
            result = replace(bare, columns=query.outputs, distinct=query.distinct, shown=shown)
        case al.Grouped(of=rows):
            measures, comparison = factored(query.figures)
            result = replace(bare, groups=query.keys, measures=measures, comparison=comparison, shown=query.shown)
            result = replace(result, of_groups=query.having)
    where = rows.where
    filters = (where,) if isinstance(where, al.Both) and len(where.conditions) == 1 else al.conditions_of(where)
    return replace(
        result, rows=replace(rows, where=al.NO_FILTER), filters=filters, order=query.order, limit=query.limit
    )
