"""What-if questions: a scenario of changed assumptions, the chance to miss a target, what matters most, break-even.

The base case is the answer before, the groups or the period that the question names, or the last twelve whole months.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date as Day

from assistant.analyst.algebra import Grain, Grouped, Leaf, Order, Rows, Term, Within, both, parts
from assistant.analyst.assumptions import (
    Assumption,
    phrases,
    read_assumptions,
    read_number,
    take_phrase,
    text_of,
)
from assistant.analyst.checking import adds_up
from assistant.analyst.dialogue.cues import without
from assistant.analyst.grammar.building import Builder
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.linking.relative import begin_period
from assistant.analyst.linking.tokens import Word, costs, light
from assistant.analyst.meaning import FunctionCall, Meaning, Study
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.parts import MeasuredFigure, Period, When
from assistant.analyst.scenarios import with_changes
from assistant.analyst.source import AnalystSource
from assistant.analyst.studies.calling import find_figure
from assistant.analyst.studies.study_request import StudyRequest
from assistant.errors import InterpretationError

_FILE = "scenarios"
_MONTHS = 12
_SENSITIVITY = 0.1
_DERIVATIONS_MAX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseCase:
    """The rows whose values are changed: a query with the item, where it has one, and then the value."""

    query: Grouped
    remark: str = ""

    @property
    def inputs(self) -> tuple[tuple[str, int], ...]:
        """The columns by name."""
        keys = len(self.query.keys)
        return ((("item", keys),) if keys else ()) + (("value", 1),)


def what_if(words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None) -> Meaning | Declined | None:
    """The study that a what-if question asks for; None where it asks for none."""
    for kind, make in _MAKERS.items():
        remaining = without(words, "scenarios", kind)
        meaning = make(remaining, words, source, previous) if remaining is not None else None
        if meaning is not None:
            return meaning
    return None


def _requests(
    remaining: tuple[Word, ...], words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None
) -> StudyRequest | Declined:
    """What the words beside the assumptions say: a figure, groups, conditions."""
    fillers = listed(_FILE, "fillers") | light()
    content = [word.text for word in remaining if word.is_word and word.lower not in fillers]
    frame: Frame | None = None if content else Frame()
    for derivation in source.frames(remaining)[:_DERIVATIONS_MAX] if content else ():
        if all(remaining[at].lower in fillers for at in derivation.unread(costs(remaining), 1)):
            frame = derivation.frame
            break
    if frame is None:
        return declined("words of scenario", ", ".join(f"“{word}”" for word in content))
    return StudyRequest(source=source, frame=frame, words=words, previous=previous)


def _scenario(
    remaining: tuple[Word, ...], words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None
) -> Meaning | Declined | None:
    """ "What if prices rise by 5 % and we lose 2 % of customers?" """
    reading = read_assumptions(remaining)
    if not reading.assumptions:
        return None
    request = _requests(reading.remaining, words, source, previous)
    return request if isinstance(request, Declined) else _change(request, reading.assumptions)


def _change(
    request: StudyRequest, changes: tuple[Assumption, ...], function: str = "scenario"
) -> Meaning | Declined | None:
    figure, assumption = _figure(request)
    if figure is None:
        return declined("no figure")
    figure_text = request.said(figure)
    if not adds_up(figure.figure):
        return declined("no sum to change", figure_text.capitalize())
    base = _base(request, figure, is_monthly=any(change.is_monthly for change in changes))
    if isinstance(base, Declined) or base is None:
        return base
    columns = (("value", "value"),) if function == "sensitivity" else (("item", "item"), ("value", "value"))
    call = FunctionCall(
        function=function,
        purpose=text_of(f"purpose of {function}"),
        inputs=base.inputs,
        columns=columns,
        answer=str(section(_FILE, "answers")[function]),
        figure=figure_text,
        chart=function,
    )
    remarks = tuple(filter(None, (assumption, base.remark)))
    study = Study(kind="function", subject="", figure=figure.figure, call=call, assumptions=remarks)
    try:
        study = with_changes(study, changes)
    except InterpretationError as error:
        return Declined(reason=str(error), hint=text_of("hint"))
    return Meaning(source=request.source.name, query=base.query, study=study)


def _figure(request: StudyRequest) -> tuple[MeasuredFigure | None, str]:
    """The figure that changes: "30,000 orders" is a number of orders."""
    is_count = bool(request.frame.things) and not request.frame.figures and not request.frame.keys
    return (request.figures()[0], "") if is_count else find_figure(request)


def _base(request: StudyRequest, figure: MeasuredFigure, *, is_monthly: bool) -> BaseCase | Declined | None:
    """The base case: what the question names, else the answer before, else the last twelve whole months."""
    before = request.previous.query if request.previous is not None and request.previous.study is None else None
    is_before = isinstance(before, Grouped) and before.figures == (figure.figure,) and isinstance(before.of, Rows)
    if is_before and isinstance(before, Grouped):
        base_query = request.source.settled(replace(before, shown=None))
        if isinstance(base_query, Grouped) and not (request.frame.conditions or request.frame.keys or is_monthly):
            return BaseCase(query=replace(base_query, shown=None))
    date = request.date(figure)
    rows = request.rows(figure.table, date)
    if rows is None:
        return None
    keys = Builder(schema=request.schema, home=figure.table, date=date).keys(request.frame.keys)
    terms: tuple[Term, ...] = (*keys.terms, *keys.apart) if keys is not None else ()
    if is_monthly and date is None:
        return declined("no date", request.said(figure))
    if is_monthly or not terms:
        terms = (Grain(date, "month"),) if date is not None else ()
    remark = ""
    is_dated = any(isinstance(part, Within) for part in parts(rows.where))
    if date is not None and not is_dated and not request.frame.keys:
        today = request.source.today
        start, end = begin_period(today, "month", -_MONTHS), begin_period(today, "month")
        rows = Rows(rows.table, both(rows.where, Within(date, start.isoformat(), end.isoformat())))
        remark = text_of("period").format(_MONTHS, f"{start:%Y-%m}", f"{begin_period(end, 'month', -1):%Y-%m}")
    query = request.source.settled(Grouped(rows, terms, (figure.figure,)))
    if not isinstance(query, Grouped):
        return None
    order = tuple(Order(at) for at in range(len(query.keys)))
    return BaseCase(query=replace(query, order=order, shown=None), remark=remark)


def _sensitivity(
    remaining: tuple[Word, ...], words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None
) -> Meaning | Declined | None:
    """ "How sensitive is revenue to prices and customers by 10 %?" """
    reading = read_assumptions(remaining)
    size = max((abs(change.likely) for change in reading.assumptions), default=_SENSITIVITY)
    names: list[str] = []
    remainder = remaining if not reading.assumptions else reading.remaining
    names.extend(change.name for change in reading.assumptions if change.name)
    for driver in section(_FILE, "drivers"):
        is_named, remainder = take_phrase(remainder, phrases("drivers", driver, "words"))
        names.extend([driver] if is_named else [])
    if not names:
        return declined("no driver")
    request = _requests(remainder, words, source, previous)
    if isinstance(request, Declined):
        return request
    changes = tuple(Assumption(name=name, low=-size, likely=0.0, high=size) for name in dict.fromkeys(names))
    return _change(request, changes, "sensitivity")


def _chance(
    remaining: tuple[Word, ...], words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None
) -> Meaning | Declined | None:
    """ "How likely is it that we miss the target of 2 million?" """
    for name in ("miss", "reach", "target"):
        _, remaining = take_phrase(remaining, phrases(name))
    target, remaining = read_number(remaining)
    if target is None:
        return None
    request = _requests(remaining, words, source, previous)
    if isinstance(request, Declined):
        return request
    figure, assumption = _figure(request)
    date = request.date(figure) if figure is not None else None
    if figure is None or date is None:
        return declined("no figure") if figure is None else declined("no date", request.said(figure))
    if not adds_up(figure.figure):
        return declined("no sum to change", request.said(figure).capitalize())
    periods = [c.period for c in request.frame.conditions if isinstance(c, When) and isinstance(c.period, Period)]
    conditions = tuple(c for c in request.frame.conditions if not (isinstance(c, When) and c.period in periods))
    year = Period(*(begin_period(source.today, "year", shift).isoformat() for shift in (0, 1)))
    period = periods[0] if periods else year
    if len(periods) > 1 or not (period.start and period.end) or period.start[8:10] != "01" or period.end[8:10] != "01":
        return declined("no months of target")
    start, end = period.start[:7], f"{begin_period(Day.fromisoformat(period.end[:10]), 'month', -1):%Y-%m}"
    rows = replace(request, frame=replace(request.frame, conditions=conditions)).rows(figure.table, date)
    if rows is None:
        return None
    rows = Rows(rows.table, both(rows.where, Within(date, "", begin_period(source.today, "month").isoformat())))
    figure_text = request.said(figure)
    call = FunctionCall(
        function="target_chance",
        purpose=text_of("purpose of chance"),
        inputs=(("date", 1), ("value", 1)),
        columns=(("date", "date"), ("value", "value")),
        arguments=(("target", target), ("start", start), ("end", end)),
        answer=str(section(_FILE, "answers")["chance"]),
        figure=figure_text,
        chart="scenario",
    )
    texts = (assumption, "" if periods else text_of("year"), text_of("forecast"), text_of("shared"))
    study = Study(
        kind="function",
        subject=text_of("chance").format(figure_text, f"{target:,.0f}", start, end),
        figure=figure.figure,
        call=call,
        assumptions=tuple(filter(None, texts)),
    )
    query = Grouped(rows, (Grain(date, "month"),), (figure.figure,), order=(Order(0),))
    return Meaning(source=source.name, query=query, study=study)


def _break_even(
    remaining: tuple[Word, ...], words: tuple[Word, ...], source: AnalystSource, previous: Meaning | None
) -> Meaning | Declined | None:
    """ "What is the break-even with fixed costs of 500,000?" """
    _, remaining = take_phrase(remaining, phrases("fixed costs"))
    fixed, remaining = read_number(remaining)
    if fixed is None:
        return declined("no fixed costs")
    request = _requests(remaining, words, source, previous)
    if isinstance(request, Declined):
        return request
    figures: dict[str, MeasuredFigure] = {}
    for role, texts in section(_FILE, "figures of break even").items():
        figure = _figure_of(source, [str(text) for text in texts] if isinstance(texts, list) else [])
        if figure is None:
            return declined("no role", text_of("purpose of break even"), role)
        figures[role] = figure
    quantity, margin = figures["quantity"], figures["margin"]
    beside = Builder(schema=source.schema, home=quantity.table).seen(margin)
    base = _base(request, quantity, is_monthly=False)
    if beside is None or isinstance(base, Declined) or base is None:
        return base if isinstance(base, Declined) else declined("no two things")
    names = (request.said(quantity), request.said(margin))
    call = FunctionCall(
        function="break_even",
        purpose=text_of("purpose of break even"),
        inputs=(*base.inputs[:-1], ("quantity", 1), ("margin", 1)),
        columns=(("quantity", "quantity"), ("margin", "margin")),
        values=("quantity", "margin"),
        arguments=(("fixed_cost", fixed),),
        answer=str(section(_FILE, "answers")["break even"]),
        figure=names[0],
    )
    subject = text_of("break even").format(*names, f"{fixed:,.0f}")
    remarks = (text_of("figures").format(*names), base.remark)
    study = Study(
        kind="function", subject=subject, figure=quantity.figure, call=call, assumptions=tuple(filter(None, remarks))
    )
    query = replace(base.query, figures=(quantity.figure, beside))
    return Meaning(source=source.name, query=query, study=study)


def _figure_of(source: AnalystSource, texts: list[str]) -> MeasuredFigure | None:
    """The first figure that one of some texts names in full."""
    for text in texts:
        words = source.words(text)
        for derivation in source.frames(words)[:_DERIVATIONS_MAX]:
            frame = derivation.frame
            is_whole = not derivation.unread(costs(words), 0.5) and not (frame.conditions or frame.keys or frame.things)
            if is_whole and len(frame.figures) == 1 and isinstance(frame.figures[0].figure, Leaf):
                return frame.figures[0]
    return None


_Maker = Callable[[tuple[Word, ...], tuple[Word, ...], AnalystSource, Meaning | None], Meaning | Declined | None]
_MAKERS: dict[str, _Maker] = {
    "chance": _chance,
    "sensitivity": _sensitivity,
    "break even": _break_even,
    "scenario": _scenario,
}
