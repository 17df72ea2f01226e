"""A scenario with other assumptions: which function computes it, what it is called, and what it takes for granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.analyst.algebra import Aggregate, Figure
from assistant.analyst.assumptions import Assumption, AssumptionsRead, read_assumptions, text_of
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word
from assistant.analyst.meaning import FunctionCall, Study
from assistant.analyst.wording import is_worth
from assistant.errors import InterpretationError
from assistant.plain_english import joined

_FILE = "scenarios"


def is_changeable(study: Study | None) -> bool:
    """Whether a study has assumptions that a person can change."""
    return study is not None and study.call is not None and bool(study.call.changes)


def with_changes(study: Study, changes: Sequence[Assumption]) -> Study:
    """A scenario with other assumptions; with a range among them it is simulated.

    Raises:
        InterpretationError: no assumption is left, or a growth by month is a range.
    """
    call = study.call
    assert call is not None, "a scenario is computed by a function"
    if not changes:
        raise InterpretationError("A scenario needs an assumption, such as “prices +5 %”.")
    is_range = any(change.is_range for change in changes)
    if is_range and any(change.is_monthly for change in changes):
        raise InterpretationError("A growth by month cannot go together with a range. Give one number.")
    assumptions = tuple(change if change.name else replace(change, name=call.figure) for change in changes)
    unlike = next((change for change in assumptions if not moves(change.name, study.figure, call.figure)), None)
    if unlike is not None:
        raise InterpretationError(f"A change of {unlike.name} does not change “{call.figure}” by a known share.")
    texts = joined([str(change) for change in assumptions])
    if call.function == "sensitivity":
        subject = text_of("sensitivity").format(call.figure, joined([change.name for change in assumptions]))
        return replace(study, subject=subject, call=replace(call, changes=assumptions))
    subject = text_of("subject").format(call.figure[:1].upper() + call.figure[1:], texts)
    function = "simulate" if is_range else "scenario"
    answer = str(section(_FILE, "answers")[function])
    return replace(study, subject=subject, call=replace(call, function=function, changes=assumptions, answer=answer))


def moves(name: str, figure: Figure | None, figure_text: str) -> bool:
    """Whether a figure changes in the same proportion as a driver: prices change revenue, and no number of units."""
    entry = section(_FILE, "drivers").get(name)
    changes = entry["changes"] if isinstance(entry, dict) else None
    if not isinstance(changes, list) or not changes:
        return True
    is_product = isinstance(figure, Aggregate) and is_worth(figure.term)
    return is_product or figure_text.rsplit(maxsplit=1)[-1] in changes


def remarks(study: Study) -> Iterator[str]:
    """What a scenario takes for granted, in sentences."""
    yield from study.assumptions
    call = study.call
    if call is None or not call.changes:
        return
    drivers = section(_FILE, "drivers")
    for change in call.changes:
        entry = drivers.get(change.name)
        yield (str(entry["remark"]) if isinstance(entry, dict) else text_of("own")).format(call.figure)
    if any(change.is_monthly for change in call.changes):
        yield text_of("growth")
    if len(call.changes) > 1 and call.function != "sensitivity":
        yield text_of("independent")
    if call.function == "simulate":
        yield text_of("range")


def read_changes(texts: Sequence[tuple[Word, ...]], call: FunctionCall) -> tuple[Assumption, ...]:
    """The assumptions of some texts as a person writes them into a chip: "prices +7 %".

    Raises:
        InterpretationError: a text is no assumption.
    """
    return tuple(_read_change(read_assumptions(words), words, call) for words in texts)


def _read_change(reading: AssumptionsRead, words: tuple[Word, ...], call: FunctionCall) -> Assumption:
    remainder = " ".join(word.lower for word in reading.remaining if word.is_word)
    names = {change.name.casefold(): change.name for change in call.changes} | {call.figure.casefold(): call.figure}
    if len(reading.assumptions) == 1 and (not remainder or remainder in names):
        change = reading.assumptions[0]
        return change if change.name else replace(change, name=names.get(remainder, call.figure))
    text = " ".join(word.text for word in words)
    raise InterpretationError(f"“{text}” is no assumption. Write it like “prices +5 %” or “customers -2 %”.")
