"""Edits of an interpretation in the words of the data: a name, a phrase such as "freight above 100", a period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce
from typing import TypeAlias, TypeVar, get_args

from assistant.analyst import algebra as al
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.times import dated
from assistant.analyst.interpretation.changing import (
    checked,
    condition_of,
    date_of,
    with_column,
    with_comparison,
    with_filters,
    with_groups,
    with_limit,
    with_measures,
    with_order,
    without_group,
    without_measure,
)
from assistant.analyst.interpretation.chips import Chip, ChipKind, is_period
from assistant.analyst.interpretation.choices import candidates, changes_of, choose, with_assumptions
from assistant.analyst.interpretation.comparing import Sides
from assistant.analyst.interpretation.composition import Composed, Composition
from assistant.analyst.interpretation.naming import alike, chosen, exact
from assistant.analyst.linking.tokens import costs
from assistant.analyst.parts import MeasuredFigure
from assistant.core.events import ChartKind
from assistant.errors import InterpretationError

_Item = TypeVar("_Item")
_DERIVATIONS_MAX = 12


def editable(of: Composed) -> Composed:
    """An interpretation whose parts can be edited: a study that followed does not follow another query.

    Raises:
        InterpretationError: it is computed as a whole.
    """
    if of.computed is not None or of.verbatim is not None:
        raise InterpretationError(f"{of.chips[0]} cannot be changed in parts. Start from empty chips, or ask anew.")
    return replace(of, study=None)


# --- measures and groups ---

Texts: TypeAlias = str | Iterable[str] | None


def regrouped(of: Composed, measures: Texts, groups: Texts) -> Composed:
    """With other measures, other groups, or both, in the order in which they go together."""
    edits = [partial(measure, texts=texts_of(measures))] if measures is not None else []
    edits += [partial(group_by, texts=texts_of(groups))] if groups is not None else []
    try:
        return reduce(lambda result, edit: edit(result), edits, of)
    except InterpretationError:
        if len(edits) < 2:
            raise
        try:
            return reduce(lambda result, edit: edit(result), reversed(edits), of)
        except InterpretationError:
            pass
        raise


def measure(of: Composed, texts: Sequence[str]) -> Composed:
    """With the measures that texts name."""
    held_measures = {chip.text: of.measures[chip.place] for chip in of.chips if chip.kind == "Measure"}
    home = of.rows.table if isinstance(of.rows, al.Rows) else ""
    measures = [
        MeasuredFigure(held_measures[text], home) if text in held_measures else _measured(of, text) for text in texts
    ]
    return with_measures(of, measures)


def _measured(of: Composition, text: str) -> MeasuredFigure:
    among = candidates(of, "Measure")
    choice = exact(text, among, kind="Measure")
    if choice is None:
        frames = _frames(of, text, lambda frame: len(frame.figures) == 1 and not (frame.keys or frame.conditions))
        if frames:
            return frames[0].figures[0]
        choice = alike(text, among, kind="Measure")
    return choice.value  # type: ignore[return-value]


def group_by(of: Composed, texts: Sequence[str]) -> Composed:
    """Grouped by what texts name."""
    old_groups = {chip.text: of.groups[chip.place] for chip in of.chips if chip.kind == "Group by"}
    among = candidates(of, "Group by")
    keys: list[object] = []
    for text in texts:
        if text not in old_groups:
            keys.append(chosen(text, among, kind="Group by").value)
            continue
        hidden = [
            g for g in of.groups if of.is_hidden(g) and set(al.tables_here(g)) <= set(al.tables_here(old_groups[text]))
        ]
        keys.extend((*hidden, old_groups[text]))
    return with_groups(of, keys)  # type: ignore[arg-type]


def show(of: Composed, texts: Sequence[str]) -> Composed:
    """A list of rows, with the columns that texts name beside what the rows are called."""
    result = replace(of, columns=(), order=(), limit=None, shown=None) if of.columns else of
    for text in texts:
        result = with_column(result, chosen(text, candidates(result, "Show"), kind="Show").value)  # type: ignore[arg-type]
    return result


# --- filters and periods ---


def filters(of: Composed, texts: Sequence[str]) -> Composed:
    """Only rows that texts describe, and those of the periods there are."""
    old_chips = {chip.text: chip for chip in of.chips if chip.kind == "Filter"}
    periods = [condition for condition in of.filters if is_period(condition)]
    new = [_condition(of, text, old_chips.get(text)) for text in texts]
    rules = {rule.condition for rule in of.data.known.rules}
    standing = [condition for condition in of.filters if condition in rules and condition not in new]
    has_groups = any(chip.place == len(of.filters) and chip.text in texts for chip in old_chips.values())
    result = of if has_groups else replace(of, of_groups=al.NO_FILTER)
    return with_filters(result, (*(condition for condition in new if condition is not None), *periods, *standing))


def _condition(of: Composition, text: str, chip: Chip | None) -> al.Condition | None:
    """The condition of a text; None for that on groups, which is held elsewhere."""
    if chip is not None:
        return of.filters[chip.place] if chip.place < len(of.filters) else None
    among = candidates(of, "Filter")
    choice = exact(text, among, kind="Filter")
    if choice is None and (condition := _described(of, text)) is not None:
        return condition
    return (choice or alike(text, among, kind="Filter")).value  # type: ignore[return-value]


def _described(of: Composition, text: str) -> al.Condition | None:
    """The condition that a phrase describes; of columns that are called alike the one nearest to the rows."""
    frames = _frames(of, text, lambda frame: len(frame.conditions) == 1 and not (frame.figures or frame.keys))
    conditions: list[al.Condition] = []
    for frame in frames:
        with suppress(InterpretationError):
            conditions.append(condition_of(of, frame.conditions[0]))
    return min(conditions, key=lambda condition: _distance(of, condition), default=None)


def _distance(of: Composition, condition: al.Condition) -> int:
    assert isinstance(of.rows, al.Rows), "a filter is about its rows"
    home, path = of.rows.table, of.data.schema.path
    return sum(len(path(home, table) or ()) for table in al.tables_here(condition))


def period(of: Composed, text: str) -> Composed:
    """Of another period; of all times where the text is empty."""
    conditions = tuple(condition for condition in of.filters if not is_period(condition))
    return with_filters(of, (*conditions, _period(of, text)) if text else conditions)


def _period(of: Composition, text: str) -> al.Condition:
    words = of.data.words(text)
    day = date_of(of)
    when = of.data.dates(words)
    is_whole = len(when) == 1 and when[0].start == 0 and when[0].end == len(words)
    plain = dated(of.data.schema, day, when[0].meaning) if is_whole and day is not None else None  # type: ignore[arg-type]
    described = plain or _described(of, text)
    if described is not None and is_period(described):
        return described
    return chosen(text, candidates(of, "Period"), kind="Period").value  # type: ignore[return-value]


# --- order, size, comparison, chart ---


def sort(of: Composed, text: str) -> Composed:
    """In the order that a text names: an output, and "highest first" or "lowest first" behind it."""
    if not text:
        return with_order(of, ())
    return with_order(of, (chosen(text, candidates(of, "Sort"), kind="Sort").value,))  # type: ignore[arg-type]


def compare(of: Composed, text: str) -> Composed:
    """Compared as a text says: among the groups, or two sides such as "2024 and 2025"."""
    if not text:
        return with_comparison(of, None)
    try:
        choice = chosen(text, candidates(of, "Compare"), kind="Compare")
    except InterpretationError:
        sides = _sides(of, text)
        if sides is None:
            raise
        alike = [c for c in of.filters if not is_period(c) or not is_period(sides.first)]
        return with_comparison(replace(of, filters=tuple(alike)), sides)
    return with_comparison(of, choice.value)  # type: ignore[arg-type]


def _sides(of: Composition, text: str) -> Sides | None:
    words, _, last = text.rpartition(",")
    how = last.strip() if words and last.strip() in ("growth", "difference", "ratio") else ""
    sentence = of.data.words(words if how else text)
    day = date_of(of)
    when = of.data.dates(sentence)
    if len(when) == 2 and day is not None:
        first, second = (dated(of.data.schema, day, part.meaning) for part in when)  # type: ignore[arg-type]
        if first is not None and second is not None:
            return Sides(first=first, second=second, how=how or "growth")  # type: ignore[arg-type]
    parts = [part.strip() for part in (words if how else text).replace(" with ", " and ").split(" and ")]
    if len(parts) != 2:
        return None
    first, second = (_condition(of, part, None) for part in parts)
    if first is None or second is None:
        return None
    return Sides(first=first, second=second, how=how or "difference")  # type: ignore[arg-type]


def chart(of: Composed, text: str) -> Composed:
    """Drawn as a kind of chart."""
    if text and text not in get_args(ChartKind):
        raise InterpretationError(f"Chart: there is no {text!r}.", get_args(ChartKind))
    return replace(of, chart=text)


def assume(of: Composed, texts: Sequence[str]) -> Composed:
    """A scenario with the assumptions that texts name."""
    from assistant.analyst.scenarios import read_changes  # few interpretations are scenarios

    call = of.study.call if of.study is not None else None
    changes = read_changes([of.data.words(text) for text in texts], call) if call is not None else ()
    return with_assumptions(of, changes)


# --- whole chips ---


def dropped(of: Composed, chip: Chip) -> Composed:
    """Without a chip.

    Raises:
        InterpretationError: there is no such chip, or what is left cannot be computed.
    """
    if chip not in of.chips:
        raise InterpretationError(f"There is no {chip}.", tuple(map(str, of.chips)))
    if chip.kind == "Unread":
        return replace(of, unread=_without(of.unread, chip.place))
    if chip.kind == "Chart":
        return replace(of, chart="")
    if chip.kind == "Assumption":
        return with_assumptions(of, _without(changes_of(of), chip.place))
    if of.study is not None and chip.text == of.study.subject:
        return replace(of, study=None)
    return _dropped(editable(of), chip)


def _dropped(of: Composed, chip: Chip) -> Composed:
    match chip.kind:
        case "Measure":
            return without_measure(of, chip.place)
        case "Group by":
            return without_group(of, chip.place)
        case "Filter" if chip.place == len(of.filters):
            return checked(replace(of, of_groups=al.NO_FILTER))
        case "Filter" | "Period":
            return with_filters(of, _without(of.filters, chip.place))
        case "Show" if of.rows is not None:
            return checked(replace(of, columns=(), distinct=False, order=(), limit=None, shown=None))
        case "Sort":
            return with_order(of, _without(of.order, chip.place))
        case "Top":
            return with_limit(of, None)
        case "Compare":
            return with_comparison(of, None)
        case _:
            raise InterpretationError(f"{chip} is what the rest is about. Choose another measure instead.")


def _without(items: tuple[_Item, ...], place: int) -> tuple[_Item, ...]:
    return (*items[:place], *items[place + 1 :])


def placed(of: Composed, word: str, kind: ChipKind) -> Composed:
    """With a word that was not understood as a chip of a kind.

    Raises:
        InterpretationError: it is no unread word, or names nothing that fits there.
    """
    if word not in of.unread:
        raise InterpretationError(f"{word!r} is not among the unread words.", of.unread)
    result = editable(of)
    match kind:
        case "Filter":
            condition = _condition(result, word, None)
            result = with_filters(result, (*result.filters, *filter(None, (condition,))))
        case "Period":
            result = period(result, word)
        case "Measure":
            home = result.rows.table if isinstance(result.rows, al.Rows) else ""
            result = with_measures(
                result, [*(MeasuredFigure(m, home) for m in result.measures), _measured(result, word)]
            )
        case _:
            result = choose(result, kind, chosen(word, candidates(result, kind), kind=kind))
    return replace(result, unread=_without(of.unread, of.unread.index(word)))


def _frames(of: Composition, text: str, fits: Callable[[Frame], bool]) -> list[Frame]:
    """What the grammar makes of a phrase, with no word of weight left, the likeliest first."""
    words = of.data.words(text)
    cost = costs(words)
    frames = (d.frame for d in of.data.frames(words)[:_DERIVATIONS_MAX] if not d.unread(cost, 0.5))
    return list(filter(fits, frames))


def texts_of(value: Texts) -> tuple[str, ...]:
    """One text or several."""
    return () if not value else (value,) if isinstance(value, str) else tuple(value)
