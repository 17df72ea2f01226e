"""The queries of a study: one for each meaning, or one that puts several groupings of a figure under each other.

Everything comes out of the analyst's own SQL of a meaning. Rows are never cut in silence: what a query may return is
the broker's affair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.sql.headings import column_names, slug
from assistant.embedded.sql.tables import identifier
from assistant.embedded.sql.temporal import day_literal
from assistant.embedded.studies.asking import titled
from assistant.embedded.studies.study import Causes, Description, Groups, Periods, Span, Study
from assistant.embedded.wording.operations import operations
from assistant.embedded.wording.phrases import restated

if TYPE_CHECKING:
    from sqlglot import exp

COMPARED, SPLIT, MEMBER = "compared", "split_by", "member"
"""The columns beside the figure where two periods are compared: which period, which dimension, which of its members."""
ROWS_MAX = 500_000
"""Single rows that a study reads at most; where there are more it says that it saw the first ones."""
WHOLE, YEAR_BEFORE = "everything", "a year before"
"""What the whole is called among the dimensions, and the whole of both periods a year before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyQuery:
    """One query: the kernel's name for its result, its SQL, and how it is told to the person."""

    name: str
    sql: str
    source: str
    title: str
    operations: tuple[str, ...]


def queries(study: Study, analyst: Analyst) -> tuple[StudyQuery, ...]:
    """The queries of a study, in the order in which its Python step names their results."""
    match study:
        case Causes():
            return (_causes(study, analyst),)
        case Periods():
            return (_periods(study, analyst),)
        case Description():
            meaning = study.rows[0]
            return (_query(meaning, _unordered(meaning, analyst), f"{slug(study.table_label)}_rows"),)
        case _:
            names = result_names(study)
            return tuple(
                _query(meaning, analyst.sql(meaning) if meaning.dimensions else _unordered(meaning, analyst), name)
                for meaning, name in zip(study.rows, names, strict=True)
            )


def result_names(study: Study) -> tuple[str, ...]:
    """What the kernel calls the results of a study's queries."""
    match study:
        case Causes():
            return (f"{study.figure.column}_by_part",)
        case Periods():
            return (f"{study.figure.column}_in_two_periods",)
        case Description():
            return (f"{slug(study.table_label)}_rows",)
        case Groups():
            return (f"{study.figures[0].column}_by_group", f"single_{slug(study.units)}")[: len(study.rows)]
        case _:
            names: list[str] = []
            for meaning in study.rows:
                what = slug(meaning.measures[0].label if meaning.measures else meaning.base_label)
                groups = "_and_".join(slug(d.label) for d in meaning.dimensions)
                ending = f"by_{groups}" if groups else "rows"
                name = f"{what}_{ending}"
                names.append(name if name not in names else f"{name}_{len(names) + 1}")
            return tuple(n if n.isidentifier() else f"result_{n}" for n in names)


def _query(meaning: Meaning, sql: str, name: str) -> StudyQuery:
    return StudyQuery(
        name=name, sql=sql, source=meaning.source, title=restated(meaning), operations=operations(meaning)
    )


def _unordered(meaning: Meaning, analyst: Analyst) -> str:
    """The rows of a meaning as they come: a list for statistics needs no order."""
    import sqlglot
    from sqlglot import exp

    dialect = analyst.sources[meaning.source].schema.dialect
    tree = sqlglot.parse_one(analyst.sql(meaning), read=dialect)
    assert isinstance(tree, exp.Query)
    tree.set("order", None)
    if reads_part(meaning, analyst):
        tree = tree.limit(ROWS_MAX)
    return tree.sql(dialect=dialect, pretty=True)


def reads_part(meaning: Meaning, analyst: Analyst) -> bool:
    """Whether only the first rows of a very large table are read, for they go into memory one by one."""
    rows = analyst.sources[meaning.source].schema.entities[meaning.base].table.rows
    return bool(meaning.columns) and rows is not None and rows > ROWS_MAX


# --- two periods ---


def _periods(study: Periods, analyst: Analyst) -> StudyQuery:
    """The figure of both periods as a whole, and, where they are long enough, by shorter periods inside them."""
    from sqlglot import exp

    meaning = study.rows[0]
    blocks = [_block(meaning, analyst, study.now, study.before, {study.period: exp.Null()})]
    names = {study.period: _text(exp.column(study.period))}
    if not study.single:
        blocks.append(_block(meaning, analyst, study.now, study.before, {}, keep_period=True))
    return StudyQuery(
        name=result_names(study)[0],
        sql=_stacked(blocks, analyst, meaning.source, study.figure.column, names),
        source=meaning.source,
        title=study.title,
        operations=(
            *operations(meaning)[:1],
            f"Compute {study.figure.label} for {study.before.label} and for {study.now.label}",
            *(() if study.single else (f"And for every {study.rows[0].dimensions[0].label} of both",)),
        ),
    )


def _causes(study: Causes, analyst: Analyst) -> StudyQuery:
    """The figure of both periods as a whole, and by every member of every dimension."""
    from sqlglot import exp

    whole = study.rows[0]
    blocks = [_block(whole, analyst, study.now, study.before, {SPLIT: exp.Literal.string(WHOLE), MEMBER: exp.Null()})]
    if study.season is not None:
        earlier = {SPLIT: exp.Literal.string(YEAR_BEFORE), MEMBER: exp.Null()}
        blocks.append(_block(whole, analyst, *study.season, earlier))
    for meaning, label in zip(study.rows[1:], study.parts, strict=True):
        blocks.append(
            _block(meaning, analyst, study.now, study.before, {SPLIT: exp.Literal.string(label)}, member=True)
        )
    names = {SPLIT: exp.column(SPLIT), MEMBER: _text(exp.column(MEMBER))}
    return StudyQuery(
        name=result_names(study)[0],
        sql=_stacked(blocks, analyst, whole.source, study.figure.column, names),
        source=whole.source,
        title=f"{titled(study.figure.label)} in both periods, split in {len(study.parts)} ways",
        operations=(
            f"Compute {study.figure.label} for {study.before.label} and for {study.now.label}",
            *(("The same a year before",) if study.season is not None else ()),
            *(f"The same by {label}" for label in study.parts),
        ),
    )


def _stacked(
    blocks: Sequence[exp.Select], analyst: Analyst, source: str, figure: str, first: dict[str, exp.Expr]
) -> str:
    """The blocks under each other, each a subquery of its own so that its names stay its own."""
    from sqlglot import exp

    dialect = analyst.sources[source].schema.dialect
    parts: list[exp.Select] = []
    for n, block in enumerate(blocks, 1):
        shown = [exp.alias_(value.copy(), name) for name, value in first.items()]
        value = exp.Column(this=identifier(figure, dialect))
        part = exp.Select().select(*shown, exp.column(COMPARED), value)
        parts.append(part.from_(block.subquery(f"part_{n}")))
    tree: exp.Query = parts[0]
    for part in parts[1:]:
        tree = exp.union(tree, part, distinct=False, copy=False)
    return tree.sql(dialect=dialect, pretty=True)


def _block(
    meaning: Meaning,
    analyst: Analyst,
    now: Span,
    before: Span,
    columns: Mapping[str, exp.Expr],
    *,
    keep_period: bool = False,
    member: bool = False,
) -> exp.Select:
    """One grouping of a figure in two periods.

    Args:
        meaning: The figure by a period first and, perhaps, by a dimension second; its own ranges are replaced.
        analyst: Who writes the SQL of a meaning.
        now: The later period.
        before: The earlier one.
        columns: Further columns that are the same in every row.
        keep_period: Whether the meaning's own, shorter period stays a column.
        member: Whether the second dimension is called `MEMBER`.
    """
    import sqlglot
    from sqlglot import exp

    schema = analyst.sources[meaning.source].schema
    plain = meaning.model_copy(update={"times": (), "order": ()})
    tree = sqlglot.parse_one(analyst.sql(plain), read=schema.dialect)
    assert isinstance(tree, exp.Select)
    tree.set("order", None)
    names = column_names(plain)
    period, *rest = tree.selects
    dimension = plain.dimensions[0]
    value = period.this if isinstance(period, exp.Alias) else period
    day = _column_of(value, dimension.column.column)
    inside = {span.label: _within(day, span, dimension, analyst, meaning.source) for span in (now, before)}
    which = exp.Case(
        ifs=[exp.If(this=inside[now.label], true=exp.Literal.string("now"))], default=exp.Literal.string("before")
    )
    shown: list[exp.Expr] = [exp.alias_(v, n) for n, v in columns.items()]
    shown.append(exp.alias_(which, COMPARED))
    if keep_period:
        shown.append(exp.alias_(value.copy(), names[0]))
    groups: list[exp.Expr] = [which.copy(), *([value.copy()] if keep_period else [])]
    figures = rest[len(rest) - len(plain.measures) :]
    for alias in rest[: len(rest) - len(plain.measures)]:
        inner = alias.this if isinstance(alias, exp.Alias) else alias
        shown.append(exp.alias_(inner.copy(), MEMBER if member else alias.alias_or_name))
        groups.append(inner.copy())
    tree.set("expressions", [*shown, *figures])
    tree.set("group", exp.Group(expressions=groups))
    return tree.where(exp.paren(exp.or_(*(exp.paren(i) for i in inside.values()))))


def _within(day: exp.Expr, span: Span, dimension: Dimension, analyst: Analyst, source: str) -> exp.Expr:
    """The condition that a row's day lies in a period."""
    from sqlglot import exp

    schema = analyst.sources[source].schema
    column = schema.attribute(dimension.column.table, dimension.column.column).column
    if dimension.grain is None:
        text = column.kind == "text"
        years = [str(span.start.year), str(span.end.year)]
        start, end = (exp.Literal.string(y) if text else exp.Literal.number(y) for y in years)
    else:
        start, end = (day_literal(d, column, schema.dialect) for d in (span.start, span.end))
    return exp.and_(exp.GTE(this=day.copy(), expression=start), exp.LT(this=day.copy(), expression=end))


def _column_of(value: exp.Expr, name: str) -> exp.Expr:
    from sqlglot import exp

    return next(c for c in value.find_all(exp.Column) if c.name == name)


def _text(value: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.cast(value, "text")
