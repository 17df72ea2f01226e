"""Studies of single values: how they are spread, which are unusual, what goes together, whether groups differ."""

from __future__ import annotations

from assistant.analyst.algebra import Column, Grain, Grouped, Listing, Missing, Not, Order, Rows, Term, both
from assistant.analyst.grammar.building import Builder
from assistant.analyst.meaning import Meaning, Study, StudyKind
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.studies.study_request import StudyRequest
from assistant.analyst.wording import named


def distribution(request: StudyRequest) -> Meaning | Declined | None:
    """ "What is the distribution of unit price?" """
    columns = request.columns()
    if not columns:
        return declined("no values of distribution")
    return _of_values(request, "distribution", columns[:1], columns[0].table)


def outliers(request: StudyRequest) -> Meaning | Declined | None:
    """ "Are there outliers in refund amount?" """
    columns = tuple(filter(request.is_of_things, request.columns()))
    if not columns:
        return declined("no values of outliers")
    table = request.schema.tables[columns[0].table]
    label = tuple(c for c in dict.fromkeys((*table.grain, *table.label)) if c != columns[0])
    return _of_values(request, "outliers", (*label, columns[0]), table.name)


def _of_values(request: StudyRequest, kind: StudyKind, outputs: tuple[Column, ...], home: str) -> Meaning | None:
    value = outputs[-1]
    value_text = f"{named(value.name)} of {named(home)}"
    subject = f"Distribution of {value_text}" if kind == "distribution" else f"Outliers in {value_text}"
    return _listed(request, home, outputs, Study(kind=kind, subject=subject), required=(value,))


def correlation(request: StudyRequest) -> Meaning | Declined | None:
    """ "Is there a correlation between discount and quantity?" """
    columns = _near(request, request.columns())
    for home in dict.fromkeys(c.table for c in columns):
        if len(columns) >= 2 and all(request.schema.reaches_one(home, c.table) for c in columns[:2]):
            return _by_row(request, home, columns[0], columns[1])
    return _by_month(request) or declined("no two things")


def _near(request: StudyRequest, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The second column of the first one's table, where that has one of the same name."""
    if len(columns) < 2 or columns[0].table == columns[1].table:
        return columns
    beside = Column(columns[0].table, columns[1].name)
    return (columns[0], beside) if beside in request.schema.typed else columns


def _by_row(request: StudyRequest, home: str, x: Column, y: Column) -> Meaning | None:
    subject = f"Correlation of {named(x.name)} and {named(y.name)}, for each of the {named(home)}"
    return _listed(request, home, (x, y), Study(kind="correlation", subject=subject))  # its step counts the blanks


def _by_month(request: StudyRequest) -> Meaning | None:
    """Two figures, month by month."""
    figures = request.figures()
    if len(figures) < 2:
        return None
    first, second = figures[:2]
    date = request.date(first)
    rows = request.rows(first.table, date)
    beside = Builder(schema=request.schema, home=first.table).seen(second)
    if date is None or rows is None or beside is None:
        return None
    query = Grouped(rows, (Grain(date, "month"),), (first.figure, beside), order=(Order(0),))
    subject = f"Correlation of {request.said(first)} and {request.said(second)} by month"
    study = Study(kind="correlation", subject=subject, grain="month")
    return Meaning(source=request.source.name, query=query, study=study)


def difference(request: StudyRequest) -> Meaning | Declined | None:
    """ "Is satisfaction significantly different between topics?" """
    columns = request.columns()
    if not columns:
        return declined("no values to compare")
    value = columns[0]
    key = _group(request, value.table)
    if key is None:
        return declined("no groups to compare")
    subject = f"Difference of {named(value.name)} between {named(key.name if named(key.name) != 'name' else key.table)}"
    return _listed(request, value.table, (key, value), Study(kind="difference", subject=subject), required=(value,))


def _group(request: StudyRequest, home: str) -> Column | None:
    """What the groups are: a key or column that is named, else the column whose values are."""
    builder = Builder(schema=request.schema, home=home, date=None)
    terms: list[Term] = []
    for entity in request.frame.things:
        if entity.table != home or entity.key is not None:
            terms.extend(builder.identified(entity)[0])
    keys = builder.keys(request.frame.keys)
    terms += list(keys.terms) if keys is not None else []
    terms += [c for c in request.frame.columns if not request.schema.typed[c].is_measured]
    terms += [getattr(c, "term", getattr(c, "left", None)) for c in request.frame.conditions]  # type: ignore[list-item]
    reachable = (t for t in terms if isinstance(t, Column) and request.schema.reaches_one(home, t.table))
    return next(reachable, None)


def _listed(
    request: StudyRequest, home: str, outputs: tuple[Column, ...], study: Study, *, required: tuple[Column, ...] = ()
) -> Meaning | None:
    """A study of some columns of each row that is meant and has values in those that must be known."""
    dates = (c for c, typed in request.schema.typed.items() if typed.role == "date")
    rows = request.rows(home, next((c for c in dates if request.schema.reaches_one(home, c.table)), None))
    if rows is None:
        return None
    complete = Rows(home, both(rows.where, *(Not(Missing(column)) for column in required)))
    return Meaning(source=request.source.name, query=Listing(complete, outputs), study=study)
