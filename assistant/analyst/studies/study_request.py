"""What a study is wanted of: the phrases of the question, and the answer before where the question says only "it"."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.analyst.algebra import NO_FILTER, Aggregate, Column, Grouped, Leaf, Metric, Rows, Share
from assistant.analyst.grammar.building import Builder, bare, dates
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.figures import counted
from assistant.analyst.linking.tokens import Word
from assistant.analyst.meaning import Meaning
from assistant.analyst.parts import MeasuredFigure, Part
from assistant.analyst.schema import Schema
from assistant.analyst.source import AnalystSource
from assistant.analyst.wording import figure_words


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """The question's phrases, words and dates, its source, and the answer before on the same source."""

    source: AnalystSource
    frame: Frame
    words: tuple[Word, ...]
    previous: Meaning | None
    dates: tuple[Part, ...] = ()

    @property
    def schema(self) -> Schema:
        """The schema of the source."""
        return self.source.schema

    def columns(self) -> tuple[Column, ...]:
        """The columns of quantities that are named: by themselves, or inside a figure."""
        inside = tuple(m.figure.term for m in self.frame.figures if isinstance(m.figure, Aggregate))
        candidates = (*self.frame.columns, *(term for term in inside if isinstance(term, Column)))
        return tuple(dict.fromkeys(c for c in candidates if self.schema.typed[c].is_measured))

    def is_of_things(self, column: Column) -> bool:
        """Whether a column is one of the things that are named besides: "order amount" is none of spending."""
        beside = (c.table for c in self.frame.columns if not self.schema.typed[c].is_measured)
        tables = (*(entity.table for entity in self.frame.things), *beside)
        return all(self.schema.reaches_one(column.table, table) for table in tables)

    def figures(self) -> tuple[MeasuredFigure, ...]:
        """The figures that are named: in full, as a column of quantities, as things to count; else those before."""
        plain = tuple(bare(self.schema, c) for c in self.frame.columns if self.schema.typed[c].is_measured)
        figures = (*self.frame.figures, *plain) or tuple(counted(t) for t in self.frame.things)
        return figures or self.before()

    def before(self) -> tuple[MeasuredFigure, ...]:
        """The figures of the answer before."""
        query = self.previous.query if self.previous else None
        if not isinstance(query, Grouped) or not isinstance(query.of, Rows):
            return ()
        wholes = (f.figure if isinstance(f, Share) else f for f in query.figures)
        return tuple(MeasuredFigure(f, query.of.table) for f in wholes if isinstance(f, Leaf))

    def rows(self, home: str, date: Column | None) -> Rows | None:
        """The rows of the conditions that are named; those of the answer before where it is what is spoken of."""
        rows = Builder(schema=self.schema, home=home, date=date).rows(self.frame.conditions)
        before = self.previous.query if self.previous else None
        spoken_of = not (self.frame.figures or self.frame.columns or self.frame.things)
        if rows is not None and rows.where == NO_FILTER and spoken_of and isinstance(before, Grouped):
            return before.of if isinstance(before.of, Rows) and before.of.table == home else rows
        return rows

    def date(self, figure: MeasuredFigure) -> Column | None:
        """The date that a figure goes by."""
        own = figure.figure.date if isinstance(figure.figure, Metric) else None
        mentioned = next((c for c in self.frame.columns if self.schema.typed[c].role == "date"), None)
        likely = (c for c in dates(self.schema, figure.table, ()) if self.schema.typed[c].role == "date")
        return mentioned or own or next(likely, None)

    def said(self, figure: MeasuredFigure) -> str:
        """A figure in words."""
        figure_in_words: MeasuredFigure = self.schema.said(figure)
        return figure_words(figure_in_words.figure, Grouped(Rows(figure_in_words.table), (), ()))
