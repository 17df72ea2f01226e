"""The display of a session's answers, and facts and drill-down for their figures. Runs no code.

A change of display is an event, so it survives a reload and is exported. The rows under a figure are a query like any
other, which is proposed, reviewed and approved.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue

from assistant.cells.tables import find_execution
from assistant.core.events import (
    Answer,
    AnyEvent,
    Appearance,
    Decision,
    Disputed,
    Entry,
    Event,
    Execution,
    Plan,
    Presented,
    Proposal,
    Query,
    Question,
    Step,
)
from assistant.core.turns import fold_events, fold_session, fold_turn
from assistant.errors import SessionError
from assistant.output.presentation.columns import FigureProperties, TableRows, columns_of, heading
from assistant.output.presentation.requests import parse_request
from assistant.output.presentation.shaping import shape
from assistant.output.presentation.units import Measured, told_of
from assistant.query.lineage import Lineage, trace_lineage

if TYPE_CHECKING:
    from assistant.output.presentation.drawing import Chart


VEGA_LITE = "https://vega.github.io/schema/vega-lite/v6.json"
MIME = "application/vnd.vegalite.v6+json"


class Log(Protocol):
    """The session's log."""

    @property
    def events(self) -> Sequence[Event]:
        """What happened so far."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Add an event."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a result's figures, and where they come from; None where that cannot be read."""

    properties: Mapping[str, FigureProperties]
    lineage: Lineage | None = None


class Presentation:
    """Presents the answers of one session.

    Args:
        log: The session's log.
        metrics: Gives the metrics of the knowledge base.
        dialect: Gives the SQL dialect of a source.
        keys: Gives the columns of a source that tell rows apart or refer to other tables, as `table.column`.
        person: Gives the name of who judges.
        today: Gives the day.
        render: Makes the cell of a query: the result's name, the SQL, the source.
    """

    def __init__(
        self,
        *,
        log: Log,
        metrics: Callable[[], Awaitable[Sequence[Measured]]],
        dialect: Callable[[str], Awaitable[str]],
        keys: Callable[[str], Awaitable[Collection[str]]],
        person: Callable[[], str],
        today: Callable[[], date],
        render: Callable[[str, str, str | None], str],
    ) -> None:
        self._log = log
        self._metrics = metrics
        self._dialect = dialect
        self._keys = keys
        self._person = person
        self._today = today
        self._render = render

    async def present(self, turn: int, look: Appearance, phrase: str = "") -> None:
        """Show a turn's answer so from now on."""
        await self._log.append(Presented(turn=turn, look=look, said=phrase))

    async def present_in_words(self, text: str) -> bool:
        """Show the last answer as the words say ("as a pie chart", "only the top 3"). False where they say more."""
        events = self._log.events
        turn = fold_turn(events)
        answer = turn.answer if turn is not None else None
        if turn is None or answer is None or answer.status != "answered" or answer.table is None:
            return False
        look = parse_request(text, find_result_columns(events, answer.table), turn.look)
        if look is None:
            return False
        await self.present(turn.number, look, text.strip())
        return True

    async def with_charts(
        self, entries: Sequence[Entry], table: Callable[[str], TableRows | None]
    ) -> tuple[Entry, ...]:
        """The entries with each answer's chart as the page shows it, for an export: a cell behind the answer."""
        from assistant.output.presentation.drawing import draw

        turns = {id(turn.answer): turn for turn in fold_session(entries).turns if turn.answer is not None}
        with_charts: list[Entry] = []
        for entry in entries:
            with_charts.append(entry)
            turn = turns.get(id(entry.event))
            answer = turn.answer if turn is not None else None
            if turn is None or answer is None or answer.table is None or answer.chart is not None:
                continue
            if (rows := table(answer.table)) is None:
                continue
            facts = await self.facts(answer.table)
            columns = columns_of(rows, facts.properties, dict(turn.look.names))
            if (chart := draw(shape(rows, columns, turn.look), turn.look)) is not None:
                with_charts.append(entry.model_copy(update={"event": _chart_cell(chart, answer)}))
        return tuple(with_charts)

    async def dispute(self, turn: int, note: str, *, stands: bool = True) -> None:
        """Say that a turn's answer is wrong, and why; or take that back."""
        by, on = self._person(), self._today()
        await self._log.append(Disputed(turn=turn, by=by, on=on, note=note.strip(), stands=stands))

    async def facts(self, execution: str) -> Facts:
        """What is known of the figures that an execution gave."""
        ran = find_execution(self._log.events, execution)
        if ran is None:
            return Facts(properties={})
        query = ran.queries[-1] if ran.language == "sql" and ran.queries else None
        lineage = (
            None
            if query is None
            else await asyncio.to_thread(trace_lineage, query.sql, await self._dialect(query.source))
        )
        columns = find_result_columns(self._log.events, execution)
        keys = await self._keys(query.source) if query is not None else ()
        return Facts(properties=told_of(columns, lineage, await self._metrics(), keys), lineage=lineage)

    async def under(self, execution: str, row: Mapping[str, object]) -> Callable[[int], tuple[AnyEvent, ...]]:
        """What begins a turn that asks for the rows under one row of a result, by the number of that turn.

        Raises:
            SessionError: the result does not add rows up, or its query cannot be read.
        """
        from assistant.query.drilling import ROWS_MAX, make_drill_query

        ran = find_execution(self._log.events, execution)
        query = ran.queries[-1] if ran is not None and ran.language == "sql" and ran.queries else None
        query_under = None
        if query is not None:
            dialect, keys = await self._dialect(query.source), await self._keys(query.source)
            query_under = await asyncio.to_thread(make_drill_query, query.sql, dialect, row, keys=keys)
        if query is None or query_under is None:
            raise SessionError("There are no rows under this figure: its query adds nothing up, or is too involved.")
        labels = [f"{heading(name)} {value}" for name, value in row.items() if isinstance(value, str)]
        title = f"Show the rows under {', '.join(labels)}" if labels else "Show the rows under this figure"
        turns = fold_events(self._log.events).turns
        several = len(set[str]().union(*(turn.queried_sources for turn in turns))) > 1
        apart = f"Those of the same name are told apart by {', '.join(query_under.apart)}." if query_under.apart else ""
        source = query.source if several else None
        code = self._render("rows_under", query_under.sql, source)
        queries = (Query(sql=query_under.sql, source=source),)
        operations = (f"Read the rows behind the figure, at most {ROWS_MAX:,}.", *filter(None, (apart,)))

        def begin(turn: int) -> tuple[AnyEvent, ...]:
            plan = Plan(turn=turn, id=f"{turn}.plan.1", restated=title, steps=(Step(title=title, language="sql"),))
            return (
                Question(turn=turn, text=title),
                plan,
                Decision(turn=turn, request=f"{plan.id}?", subject="plan", ref=plan.id, action="approve", by="policy"),
                Proposal(
                    turn=turn,
                    id=f"{turn}.1.1",
                    step=1,
                    revision=1,
                    language="sql",
                    title=title,
                    why="The same tables and conditions as the figure's own query, without adding up.",
                    operations=operations,
                    code=code,
                    queries=queries,
                    result="rows_under",
                ),
            )

        return begin


def _chart_cell(chart: Chart, answer: Answer) -> Execution:
    """A chart that the page drew, as a cell that draws it anywhere."""
    text = json.dumps({"$schema": VEGA_LITE, **chart.specification}, default=str)
    spec = chart.specification
    kind = "LayerChart" if "layer" in spec else "FacetChart" if "facet" in spec and "spec" in spec else "Chart"
    code = f"import altair as alt\nimport json\n\nalt.{kind}.from_dict(json.loads({text!r}), validate=False)"
    output: dict[str, JsonValue] = {
        "output_type": "display_data",
        "data": {MIME: json.loads(text), "text/plain": chart.alt},
        "metadata": {},
    }
    return Execution(
        turn=answer.turn,
        id=f"{answer.turn}.chart",
        step=1,
        language="python",
        code=code,
        status="ok",
        outputs=(output,),
    )


def find_result_columns(events: Sequence[Event], execution: str) -> tuple[str, ...]:
    """The names of the columns that an execution gave, as far as the log tells."""
    ran = find_execution(events, execution)
    if ran is None:
        return ()
    if ran.language == "sql" and ran.queries:
        return ran.queries[-1].columns
    return next((variable.columns for variable in reversed(ran.variables) if variable.columns), ())
