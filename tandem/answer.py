"""The answer to a question: text, table, chart, SQL, derivation, and its display in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import JsonValue

    from assistant.analyst.interpretation.interpretation import Interpretation
    from assistant.core.doubts import Doubt

Status = Literal["answered", "partial", "declined", "needs_decision", "needs_clarification", "failed"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to a question, with its data and its evidence.

    `table` is None where the answer has none, `more` are further tables by the name of their result; `chart` is a
    Vega-Lite specification; `sql` are the queries that ran; `derivation` says in words
    how it was computed; `notes` say what was taken for granted or may be meant instead; `doubts` are what
    was chosen while reading the data where it may be otherwise, the heaviest first; `options` are the answers that a
    question back offers, whose text is `text`; `trust` is `verified`,
    `adapted` or `new`; `interpretation` is what was computed, in chips that can be changed and asked again. Where chips
    cannot show it, it is None, and `without_chips` says why.
    """

    question: str
    status: Status
    text: str
    table: pd.DataFrame | None = field(repr=False)
    chart: dict[str, JsonValue] | None = field(repr=False)
    sql: tuple[str, ...] = field(repr=False)
    derivation: tuple[str, ...] = field(repr=False)
    trust: str
    session: str
    follow: Callable[[str | Interpretation], Answer] = field(repr=False)
    notebook: Callable[[], bytes] = field(repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), repr=False)
    options: tuple[str, ...] = ()
    more: Mapping[str, pd.DataFrame] = field(default_factory=dict[str, "pd.DataFrame"], repr=False)
    interpretation: Interpretation | None = field(default=None, repr=False)
    without_chips: str = ""

    def ask(self, question: str | Interpretation) -> Answer:
        """Ask on in the same session, with the same data and the same approvals: in words, or for other chips.

        answer.ask("only 2025")
        answer.ask(answer.interpretation.replace(group_by="region"))
        """
        return self.follow(question)

    def export(self, file: str | Path) -> Path:
        """Write the session as a notebook that runs without Tandem."""
        target = Path(file)
        target.write_bytes(self.notebook())
        return target

    def __str__(self) -> str:
        tables = [("", self.table), *self.more.items()]
        parts = (f"{name}\n{frame.to_string(index=False)}".strip() for name, frame in tables if frame is not None)
        options = "\n".join(f"  - {option}" for option in self.options)
        return "\n\n".join(filter(None, (self.text, options, *self.notes, *parts)))

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(self.text)}</p>", *(f"<p><small>{escape(note)}</small></p>" for note in self.notes)]
        if self.options:
            parts.append(f"<ul>{''.join(f'<li>{escape(option)}</li>' for option in self.options)}</ul>")
        if self.chart is not None:
            parts.append(_svg(self.chart))
        if self.table is not None:
            parts.append(self.table.to_html(index=False, max_rows=50))
        for name, table in self.more.items():
            parts.append(f"<p>{escape(name)}</p>{table.to_html(index=False, max_rows=50)}")
        how = "".join(f"<li>{escape(line)}</li>" for line in self.derivation)
        code = "".join(f"<pre>{escape(sql)}</pre>" for sql in self.sql)
        if how or code:
            parts.append(f"<details><summary>How this was computed</summary><ul>{how}</ul>{code}</details>")
        return "".join(parts)


def _svg(chart: dict[str, JsonValue]) -> str:
    """The chart as a picture that needs no script and no network."""
    import vl_convert

    return vl_convert.vegalite_to_svg(chart)
