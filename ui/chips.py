"""The chips of an interpretation in the order in which the page shows them, and the options of each chip. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.api.interpretation import Chip, ChipChoice, ChipKind, Interpretation, InterpretationError, difference
from ui.interpretations import Edit

OFFERED_MAX = 30
"""So many choices are listed; what is typed finds the others."""
PLACES: tuple[ChipKind, ...] = ("Filter", "Group by", "Measure", "Period", "Sort", "Compare")
"""What a word that was not understood can become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A chip of the page: its name, the kinds of parts that it holds, those that are only read, and an icon."""

    name: str
    kinds: tuple[ChipKind, ...]
    read_only: tuple[ChipKind, ...] = ()
    icon: str


SLOTS = (
    Slot(name="Measure", kinds=("Measure", "Show"), read_only=("Of",), icon=":material/functions:"),
    Slot(name="Group by", kinds=("Group by",), icon=":material/category:"),
    Slot(name="Filters", kinds=("Filter",), icon=":material/filter_alt:"),
    Slot(name="Period", kinds=("Period",), icon=":material/calendar_month:"),
    Slot(name="Sort and top", kinds=("Sort", "Top"), icon=":material/sort:"),
    Slot(name="Compare", kinds=("Compare",), icon=":material/compare_arrows:"),
    Slot(name="Assumptions", kinds=("Assumption",), icon=":material/tune:"),
    Slot(name="Chart", kinds=("Chart",), icon=":material/bar_chart:"),
)


def list_slots(of: Interpretation) -> list[Slot]:
    """The slots that are shown: assumptions are those of a scenario alone."""
    is_scenario = any(chip.kind == "Assumption" for chip in of.chips)
    return [slot for slot in SLOTS if slot.name != "Assumptions" or is_scenario]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What a chip may become: its words and the edit. `is_reading`: it comes from another reading of the question."""

    text: str
    edit: Edit
    is_reading: bool = False


def chips_in(of: Interpretation, slot: Slot) -> list[Chip]:
    """The parts that a slot holds and that can be dropped."""
    return [chip for chip in of.chips if chip.kind in slot.kinds]


def describe_slot(of: Interpretation, slot: Slot) -> str:
    """The text of a slot; empty where the slot is empty."""
    text = ", ".join(chip.text for chip in chips_in(of, slot))
    rows = next((chip for chip in of.chips if chip.kind in slot.read_only), None)
    if rows is None:
        return text
    return f"{text} ({rows.text})" if text else rows.text


def words_before(base: Interpretation, current: Interpretation, slot: Slot) -> str | None:
    """What a slot that was changed held before, which may be nothing; None where it was not changed."""
    return describe_slot(base, slot) if set(slot.kinds).intersection(difference(base, current)) else None


def list_fixed_chips(of: Interpretation) -> list[Chip]:
    """Chips that cannot be edited, because they have no parts."""
    return [chip for chip in of.chips if chip.kind == "Computed as"]


def list_options(of: Interpretation, kind: ChipKind, *, search: str = "", instead: Chip | None = None) -> list[Option]:
    """What may be chosen, with one more than are listed where there are more; what was typed comes first."""
    typed = typed_option(of, kind, search, instead)
    choices = of.choices(instead or kind, search=search, most=OFFERED_MAX + 1)
    texts = {choice.text.casefold() for choice in choices}
    first = [typed] if typed is not None and texts.isdisjoint((search.casefold(), typed.text.casefold())) else []
    return [*first, *(_option(choice, instead or kind) for choice in choices)]


def _option(choice: ChipChoice, chip: Chip | ChipKind) -> Option:
    return Option(text=choice.text, edit=lambda of: of.choose(chip, choice), is_reading=choice.is_reading)


def typed_option(of: Interpretation, kind: ChipKind, text: str, instead: Chip | None = None) -> Option | None:
    """What was typed as a part of its own, such as "freight above 100" or "since March"; None where it is none."""
    if not text.strip() or kind == "Chart":
        return None
    edit = _typed_edit(kind, text.strip(), instead)
    try:
        result = edit(of)
    except InterpretationError:
        return None
    new = [chip.text for chip in result.chips if chip.kind == kind and chip not in of.chips]
    return Option(text=", ".join(new), edit=edit) if new else None


def _typed_edit(kind: ChipKind, text: str, instead: Chip | None) -> Edit:
    def edit(of: Interpretation) -> Interpretation:
        old = [chip.text for chip in of.chips if chip.kind == kind]
        texts = [text if instead is not None and old_text == instead.text else old_text for old_text in old]
        every = texts if instead is not None else [*old, text]
        match kind:
            case "Measure":
                return of.replace(measure=every)
            case "Group by":
                return of.replace(group_by=every)
            case "Filter":
                return of.replace(filters=every)
            case "Period":
                return of.replace(period=text)
            case "Sort":
                return of.replace(sort=text)
            case "Top" if text.isdecimal():
                return of.replace(top=int(text))
            case "Compare":
                return of.replace(compare=text)
            case "Assumption":
                return of.replace(assume=every)
            case _:
                raise InterpretationError(f"{kind} is chosen from the list.")

    return edit


def list_placements(of: Interpretation, chip: Chip) -> Iterator[Option]:
    """What a word that was not understood can become as it is."""
    for kind in PLACES:
        try:
            result = of.place(chip.text, kind)
        except InterpretationError:
            continue
        new = [part.text for part in result.chips if part.kind == kind and part not in of.chips]
        if new:
            yield Option(text=f"{kind}: {', '.join(new)}", edit=lambda of, kind=kind: of.place(chip.text, kind))


def meaning_of(chip: Chip, option: Option) -> Option:
    """An option as what a word means that was not understood: the word is then no longer a chip."""

    def edit(of: Interpretation) -> Interpretation:
        word = next((part for part in of.chips if part.kind == "Unread" and part.text == chip.text), None)
        return option.edit(of.drop(word) if word is not None else of)

    return Option(text=option.text, edit=edit)


def drop_chip(chip: Chip) -> Edit:
    """The edit that drops a chip."""
    return lambda of: of.drop(chip)


def clear_chips(of: Interpretation) -> Interpretation:
    """No chips, of the same data."""
    return Interpretation(data=of.data)
