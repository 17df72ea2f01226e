"""The interpretation bar: what a question computes, as chips that a click changes, and the resulting query.

A change is shown at once. It runs when the person confirms it, as a further question under the same approval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from assistant.api.events import Appearance
from assistant.api.interpretation import Chip, ChipKind, Interpretation
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions, chips
from ui.chips import Option, Slot
from ui.components import editor
from ui.components.chip_keys import chip_keys
from ui.interpretations import NEW, ChipDraft, Edit
from ui.session_hub import SessionHub
from ui.views import cage
from ui.views.text import line, plain, prose, shorten

LABEL_MAX = 60
RUN = ":material/play_arrow:"
_ADD = "In addition"
_MANY: tuple[ChipKind, ...] = ("Measure", "Group by", "Filter")
"""Kinds of which there may be several."""


def draw(live: SessionHub, session: Session, turn: Turn) -> None:
    """Draw what a turn computes, where that is known in chips."""
    if not _is_computed(turn):
        return
    base = live.of(session).interpretations.of(turn)
    if base is None:
        if reason := live.of(session).interpretations.why_none(turn):
            st.markdown(f":gray[:material/info: No chips: {prose(reason)}]")
        return
    look = turn.appearance if turn.end == "answered" else None
    if look is not None and look.chart is not None:
        base = replace(base, chart=look.chart)
    if turn.end == "declined":
        st.markdown(":gray[This is what was understood. Change it, or add what is missing.]")
    has_run, is_open = turn.plan is not None, turn.end == "declined"
    _Bar(live, session, turn.number, base, has_run=has_run, is_open=is_open, look=look).draw()


def draw_empty(live: SessionHub, session: Session) -> None:
    """Draw empty chips to build a query from; of several sources the person chooses one."""
    every = live.of(session).interpretations.empty()
    if not every:
        return
    interpretation = every[0]
    st.markdown(":gray[Build a query from chips, or ask in words below.]")
    if len(every) > 1:
        names = [source.data.name for source in every]
        name = st.selectbox("Data", names, key="build-data", format_func=line)
        interpretation = every[names.index(name)] if name in names else interpretation
    draft = live.of(session).interpretations.draft(NEW)
    if draft is not None and draft.base.data.name != interpretation.data.name:
        live.of(session).interpretations.discard(NEW)
    _Bar(live, session, NEW, interpretation, has_run=False, is_open=True).draw()


def is_changed(live: SessionHub, session: Session, turn: Turn) -> bool:
    """Whether chips of a turn were changed so that another query would run."""
    draft = live.of(session).interpretations.draft(turn.number)
    return draft is not None and draft.is_changed


def _is_computed(turn: Turn) -> bool:
    """Whether there is anything to show: code, a question back, or a question that could not be read."""
    if turn.plan is not None or turn.proposals:
        return True
    if turn.answer is not None:
        return turn.answer.status == "declined"
    return turn.waiting is not None


class _Bar:
    """The chips of one interpretation.

    Args:
        live: The hub.
        session: Whose turn it is.
        number: The turn.
        base: Its chips.
        has_run: Whether its query has run or waits already, so that a change is shown beside it.
        is_open: Whether its query is offered without a change.
        look: How its answer is shown; None where it has none.
    """

    def __init__(
        self,
        live: SessionHub,
        session: Session,
        number: int,
        base: Interpretation,
        *,
        has_run: bool,
        is_open: bool,
        look: Appearance | None = None,
    ) -> None:
        self._live, self._session, self._number, self._base = live, session, number, base
        self._has_run, self._is_open, self._look = has_run, is_open, look
        self._interpretations = live.of(session).interpretations
        self._draft = self._interpretations.draft(number) or ChipDraft(base=base, current=base)

    def draw(self) -> None:
        """Draw the chips, and the query that they become."""
        current = self._draft.current
        with st.container(horizontal=True, gap="xsmall", key=f"chips-{self._number}"):
            for chip in chips.list_fixed_chips(current):
                st.markdown(f":gray-badge[{line(shorten(chip.text, LABEL_MAX))}]")
            if not (current.computed or current.verbatim):
                for slot in chips.list_slots(current):
                    self._slot(slot)
            for chip in current.chips:
                if chip.kind == "Unread":
                    self._unread(chip)
            if current.chips:
                st.button(
                    "Clear",
                    icon=":material/ink_eraser:",
                    type="tertiary",
                    key=f"clear-{self._number}",
                    help="Start from empty chips",
                    on_click=self._edit,
                    args=(chips.clear_chips,),
                )
        for remark in current.remarks:
            st.markdown(f":gray[:material/info: In chips: {prose(remark)}]")
        chip_keys(f"chips-{self._number}", on_drop=self._drop)
        if self._draft.problem:
            st.warning(plain(self._draft.problem), icon=":material/info:")
        if current.query is not None and (self._draft.is_changed or self._is_open):
            self._query(current)

    # --- chips ---

    def _slot(self, slot: Slot) -> None:
        """A chip and what it may be instead."""
        current = self._draft.current
        text = chips.describe_slot(current, slot)
        before = chips.words_before(self._draft.base, current, slot) if self._has_run else None
        label = f"{slot.name}: **{line(shorten(text, LABEL_MAX))}**" if text else slot.name
        if before is not None:
            label += f" :gray[({f'was {line(shorten(before, LABEL_MAX // 2))}' if before else 'added'})]"
        name = self._name(slot)
        state = "set" if text else "empty"
        with st.container(key=f"chip-{state}-{name}", width="content"):
            popover = st.popover(label, icon=slot.icon, key=f"open-{name}", on_change="rerun")
        with popover:
            search = self._search(f"Search: {slot.name}", name, _PLACEHOLDERS[slot.name])
            if popover.open:
                self._inside(slot, name, search)

    def _search(self, label: str, name: str, placeholder: str) -> str:
        """The field that is in an open chip from the start, so that it takes the focus; the rest follows."""
        text = st.text_input(
            label,
            key=f"search-{name}-{st.session_state.get(f'edits-{name}', 0)}",  # empty again after each change
            placeholder=placeholder,
            label_visibility="collapsed",
            icon=":material/search:",
            live=True,
        )
        return text or ""

    def _inside(self, slot: Slot, name: str, search: str) -> None:
        current = self._draft.current
        for n, chip in enumerate(chips.chips_in(current, slot)):
            self._part(f"**{line(chip.text)}**", "Drop", chip, name, key=f"{name}-{n}")
        for kind in slot.kinds:
            instead = self._instead(kind, name)
            if len(slot.kinds) > 1:
                st.caption(kind)
            self._options(chips.list_options(current, kind, search=search, instead=instead), f"{name}-{kind}", name)

    def _part(self, text: str, button: str, chip: Chip, name: str, *, key: str) -> None:
        """What stands in an open chip, and the button that takes it out."""
        with st.container(horizontal=True, vertical_alignment="center", key=f"part-{key}", wrap=False):
            st.markdown(text, width="stretch")
            st.button(
                button,
                icon=":material/close:",
                type="tertiary",
                key=f"drop-{key}",
                on_click=self._edit,
                args=(chips.drop_chip(chip), name),
            )

    def _instead(self, kind: ChipKind, name: str) -> Chip | None:
        """Which part what is place replaces; None where it is a further one."""
        old = [chip for chip in self._draft.current.chips if chip.kind == kind]
        if not old or kind not in _MANY:
            return None
        places: list[Chip | None] = [None, *old] if kind == "Filter" else [*old, None]
        place = st.radio(
            "Where it goes",
            range(len(places)),
            format_func=lambda n: _ADD if (chip := places[n]) is None else f"Instead of {line(shorten(chip.text, 40))}",
            key=f"where-{name}-{len(places)}",
            horizontal=True,
            label_visibility="collapsed",
        )
        return places[place]

    def _options(self, options: Sequence[Option], key: str, name: str) -> None:
        """What may be chosen, each by a button."""
        if not options:
            st.caption("Nothing that fits." if self._draft.current.rows else "Choose a measure first.")
        with st.container(gap=None, key=f"options-{key}"):
            for n, option in enumerate(options[: chips.OFFERED_MAX]):
                st.button(
                    line(option.text),
                    icon=":material/alt_route:" if option.is_reading else None,
                    help="Another reading of your question" if option.is_reading else None,
                    type="tertiary",
                    width="stretch",
                    key=f"choose-{key}-{n}",
                    on_click=self._edit,
                    args=(option.edit, name),
                )
        if len(options) > chips.OFFERED_MAX:
            st.caption("Type to find more.")

    def _unread(self, chip: Chip) -> None:
        """A word that was not understood: what it may mean, or that it is left out."""
        name = f"{self._number}-unread-{chip.place}"
        with st.container(key=f"chip-unread-{name}", width="content"):
            popover = st.popover(
                f"{line(chip.text)}", icon=":material/question_mark:", key=f"open-{name}", on_change="rerun"
            )
        with popover:
            search = self._search("What it means", name, "What does it mean?")
            if not popover.open:
                return
            self._part(f"“{line(chip.text)}” was not understood.", "Leave out", chip, name, key=name)
            current = self._draft.current
            if placements := list(chips.list_placements(current, chip)):
                self._options(placements, f"{name}-placed", name)
            kind = st.selectbox("Use it as", chips.PLACES, key=f"kind-{name}")
            options = [chips.meaning_of(chip, option) for option in chips.list_options(current, kind, search=search)]
            self._options(options, f"{name}-{kind}", name)

    # --- the query ---

    def _query(self, current: Interpretation) -> None:
        """The query that the chips become, and the button that runs it."""
        before = self._draft.base.statement if self._has_run else ""
        with st.container(border=True, key=f"draft-{self._number}", gap="small"):
            st.markdown(f"**{plain(current.sentence)}**")
            if current.unread:
                ignored = ", ".join(f"“{word}”" for word in current.unread)
                st.markdown(f":gray[:material/info: Ignored: {line(ignored)}]")
            editor.show(
                current.statement,
                key=f"draft-sql-{self._number}",
                label="The query that would run",
                original=before or None,
                language="sql",
            )
            cage.draw_note(self._live, self._session)
            with st.container(
                horizontal=True,
                horizontal_alignment="right",
                vertical_alignment="center",
                key=f"draft-buttons-{self._number}",
            ):
                if self._interpretations.draft(self._number) is not None:
                    st.button(
                        "Discard changes",
                        type="tertiary",
                        key=f"discard-chips-{self._number}",
                        on_click=self._interpretations.discard,
                        args=(self._number,),
                    )
                st.button(
                    "Run",
                    type="primary",
                    icon=RUN,
                    # Of this statement alone: a press that was meant for another one runs nothing.
                    key=f"run-chips-{self._number}-{hashlib.sha256(current.statement.encode()).hexdigest()[:12]}",
                    on_click=actions.ask_interpretation,
                    args=(self._live, self._session, self._number, current),
                )

    def _drop(self, name: str) -> None:
        """Drop the last part of the chip of this name; what computes nothing stays."""
        parts = [
            chip
            for slot in chips.SLOTS
            if name == self._name(slot)
            for chip in chips.chips_in(self._draft.current, slot)
        ]
        parts += [
            chip
            for chip in self._draft.current.chips
            if chip.kind == "Unread" and name == f"{self._number}-unread-{chip.place}"
        ]
        if parts:
            self._edit(chips.drop_chip(parts[-1]))

    def _name(self, slot: Slot) -> str:
        return f"{self._number}-{slot.name.lower().replace(' ', '-')}"

    def _edit(self, edit: Edit, name: str = "") -> None:
        """Change the chips, and close what the change was chosen in."""
        draft = self._interpretations.edit(self._number, self._base, edit)
        if self._look is not None and not draft.is_changed and draft.current.chart != self._base.chart:
            look = self._look.model_copy(update={"chart": draft.current.chart or None})
            actions.present(self._live, self._session, self._number, look)
            self._interpretations.discard(self._number)
        if name:
            st.session_state[f"open-{name}"] = False
            st.session_state[f"edits-{name}"] = st.session_state.get(f"edits-{name}", 0) + 1


_PLACEHOLDERS = {
    "Measure": "Search, or write: average …",
    "Group by": "Search, or write: month",
    "Filters": "Search, or write: … above 100",
    "Period": "Search, or write: since March 2025",
    "Sort and top": "Search, or write a number",
    "Compare": "Search, or write: 2024 and 2025",
    "Assumptions": "Search, or write: price +5 %",
    "Chart": "Search",
}
