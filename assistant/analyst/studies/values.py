"""Studies of single values: how they are spread, which are unusual, what goes together, whether groups differ."""

from __future__ import annotations

from assistant.analyst.algebra import Column, Grain, Grouped, Listing, Missing, Not, Order, Rows, Term, both
from assistant.analyst.grammar.building import Builder
from assistant.analyst.meaning import Meaning, Study, StudyKind
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.studies.wanted import Wanted
from assistant.analyst.wording import named


def distribution(wanted: Wanted) -> Meaning | Declined | None:
    """ "What is the distribution of unit price?" """
    columns = wanted.columns()
    if not columns:
        return declined("no values of distribution")
    return _of_values(wanted, "distribution", columns[:1], columns[0].table)


def outliers(wanted: Wanted) -> Meaning | Declined | None:
    """ "Are there outliers in refund amount?" """
    columns = wanted.columns()
    if not columns:
        return declined("no values of outliers")
    table = wanted.schema.tables[columns[0].table]
    label = tuple(c for c in dict.fromkeys((*table.grain, *table.label)) if c != columns[0])
    return _of_values(wanted, "outliers", (*label, columns[0]), table.name)


def _of_values(wanted: Wanted, kind: StudyKind, outputs: tuple[Column, ...], home: str) -> Meaning | None:
    value = outputs[-1]
    said = f"{named(value.name)} of {named(home)}"
    subject = f"Distribution of {said}" if kind == "distribution" else f"Outliers in {said}"
    return _listed(wanted, home, outputs, Study(kind=kind, subject=subject), known=(value,))


def correlation(wanted: Wanted) -> Meaning | Declined | None:
    """ "Is there a correlation between discount and quantity?" """
    columns = _near(wanted, wanted.columns())
    for home in dict.fromkeys(c.table for c in columns):
        if len(columns) >= 2 and all(wanted.schema.reaches_one(home, c.table) for c in columns[:2]):
            return _by_row(wanted, home, columns[0], columns[1])
    return _by_month(wanted) or declined("no two things")


def _near(wanted: Wanted, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The second column of the first one's table, where that has one of the same name."""
    if len(columns) < 2 or columns[0].table == columns[1].table:
        return columns
    beside = Column(columns[0].table, columns[1].name)
    return (columns[0], beside) if beside in wanted.schema.typed else columns


def _by_row(wanted: Wanted, home: str, x: Column, y: Column) -> Meaning | None:
    subject = f"Correlation of {named(x.name)} and {named(y.name)}, for each of the {named(home)}"
    return _listed(wanted, home, (x, y), Study(kind="correlation", subject=subject), known=(x, y))


def _by_month(wanted: Wanted) -> Meaning | None:
    """Two figures, month by month."""
    figures = wanted.figures()
    if len(figures) < 2:
        return None
    first, second = figures[:2]
    date = wanted.date(first)
    rows = wanted.rows(first.table, date)
    beside = Builder(schema=wanted.schema, home=first.table).seen(second)
    if date is None or rows is None or beside is None:
        return None
    query = Grouped(rows, (Grain(date, "month"),), (first.figure, beside), order=(Order(0),))
    subject = f"Correlation of {wanted.said(first)} and {wanted.said(second)} by month"
    study = Study(kind="correlation", subject=subject, grain="month")
    return Meaning(source=wanted.source.name, query=query, study=study)


def difference(wanted: Wanted) -> Meaning | Declined | None:
    """ "Is satisfaction significantly different between topics?" """
    columns = wanted.columns()
    if not columns:
        return declined("no values to compare")
    value = columns[0]
    key = _group(wanted, value.table)
    if key is None:
        return declined("no groups to compare")
    subject = f"Difference of {named(value.name)} between {named(key.name if named(key.name) != 'name' else key.table)}"
    return _listed(wanted, value.table, (key, value), Study(kind="difference", subject=subject), known=(value,))


def _group(wanted: Wanted, home: str) -> Column | None:
    """What the groups are: a key or column that is named, else the column whose values are."""
    builder = Builder(schema=wanted.schema, home=home, date=None)
    terms: list[Term] = []
    for thing in wanted.frame.things:
        if thing.table != home or thing.key is not None:
            terms.extend(builder.identified(thing)[0])
    keys = builder.keys(wanted.frame.keys)
    terms += list(keys.terms) if keys is not None else []
    terms += [c for c in wanted.frame.columns if not wanted.schema.typed[c].is_measured]
    terms += [getattr(c, "term", getattr(c, "left", None)) for c in wanted.frame.conditions]  # type: ignore[list-item]
    found = (t for t in terms if isinstance(t, Column) and wanted.schema.reaches_one(home, t.table))
    return next(found, None)


def _listed(
    wanted: Wanted, home: str, outputs: tuple[Column, ...], study: Study, *, known: tuple[Column, ...]
) -> Meaning | None:
    """A study of some columns of each row that is meant and has values in those that must be known."""
    dates = (c for c, typed in wanted.schema.typed.items() if typed.role == "date")
    rows = wanted.rows(home, next((c for c in dates if wanted.schema.reaches_one(home, c.table)), None))
    if rows is None:
        return None
    kept = Rows(home, both(rows.where, *(Not(Missing(column)) for column in known)))
    return Meaning(source=wanted.source.name, query=Listing(kept, outputs), study=study)
