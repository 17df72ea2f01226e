"""An entry of the knowledge folder: its authors, the answers that depend on it, and the form that edits it.

The effect of an edit on the data is shown before and after it is saved. An invalid field shows its error and keeps its
text.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.knowledge import Entry, EntryValue, KnowledgeCard, Outcome
from ui.session_hub import SessionHub
from ui.views import effect
from ui.views.text import line, plain

_CHANGING = "entry-changing"
_OUTCOME = "entry-outcome"
_DONE = "entry-done"
_TAKE_S = 120
_TOLD_S = 60


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the form. `how`: a line, a text, names with commas between them, conditions one a line, a unit."""

    name: str
    label: str
    how: Literal["line", "text", "names", "lines", "unit"]
    hint: str = ""


_FIELDS: Mapping[str, tuple[_Field, ...]] = {
    "term": (
        _Field("name", "Word", "line"),
        _Field("definition", "What it means", "text"),
        _Field("synonyms", "Other words for it", "names", "With commas between them"),
        _Field("sql", "Condition in SQL", "text", "Where it is a condition on rows: `status = 'churned'`"),
        _Field("table", "Table of the condition", "line"),
    ),
    "metric": (
        _Field("name", "Name", "line"),
        _Field("definition", "What it means", "text"),
        _Field("expression", "Formula in SQL", "text", "An aggregate, such as SUM(orders.total)"),
        _Field("filters", "Only where", "lines", "Conditions in SQL that always hold, one on a line"),
        _Field("table", "Table", "line"),
        _Field("joins", "Also reads", "names", "Further tables, with commas between them"),
        _Field("date_column", "Dated by", "line", "The column that periods apply to, as table.column"),
        _Field("unit", "Unit", "unit"),
        _Field("unit_symbol", "Currency or mark", "line", "EUR, for instance"),
        _Field("synonyms", "Other words for it", "names", "With commas between them"),
        _Field("dimensions", "Usually broken down by", "names", "Columns, with commas between them"),
    ),
    "rule": (
        _Field("name", "Rule", "line"),
        _Field("statement", "In words", "text"),
        _Field("condition", "Only rows where", "text", "A condition in SQL, with tables' names: orders.status <> 'x'"),
        _Field("applies_to", "Applies to", "names", "Tables and metrics, with commas between them; empty for all"),
    ),
    "query": (_Field("question", "Question", "line"), _Field("sql", "SQL", "text")),
    "note": (_Field("heading", "Heading", "line"), _Field("body", "Text", "text")),
}
_UNITS = {"": "None: a plain number", "currency": "Money", "percent": "Percent", "count": "A count"}
_CODE = frozenset({"expression", "sql", "condition"})


def draw_outcome(live: SessionHub) -> None:
    """What was done last, for a minute, with the way back where an entry was removed."""
    id_, text, at = st.session_state.get(_DONE) or ("", "", 0.0)
    if time.monotonic() - at > _TOLD_S or not text:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="entry-done-bar"):
        st.success(plain(text), icon=":material/check:")
        if id_ and st.button("Undo", key="entry-undo-last", icon=":material/undo:", type="tertiary"):
            _run(live, lambda: live.call(live.workspace.knowledge.entries.take_back(id_)), "It is as it was before.")


def draw_card(live: SessionHub, entry_card: KnowledgeCard, *, key: str, draw: Callable[[], None]) -> None:
    """An entry, closed; opened with what it says (`draw`), and the ways to change, undo and remove it."""
    opened = st.expander(line(entry_card.title), type="compact", key=key, on_change="rerun")
    if not opened.open:
        return
    with opened:
        if st.session_state.get(_CHANGING) == entry_card.id:
            _draw_form(live, entry_card)
            return
        draw()
        _draw_actions(live, entry_card)
        _draw_effects(entry_card.id)


def _draw_actions(live: SessionHub, entry_card: KnowledgeCard) -> None:
    """Who said it, and what can be done with it."""
    try:
        entry = live.call(live.workspace.knowledge.entries.entry(entry_card.id))
    except AssistantError as error:
        st.markdown(f":gray[{plain(str(error))}]")
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"entry-ways-{entry_card.id}", gap="small"):
        if entry_card.kind != "query" and entry_card.by:
            day = f" on {entry_card.on:%-d %B %Y}" if entry_card.on is not None else ""
            st.markdown(f":gray[:material/person: {line(entry_card.by)}{day}]", width="content")
        if st.button("Change", key=f"entry-change-{entry_card.id}", icon=":material/edit:", type="tertiary"):
            st.session_state[_CHANGING] = entry_card.id
            st.session_state.pop(_OUTCOME, None)
            st.rerun()
        if entry.undo and st.button(
            "Undo the change", key=f"entry-undo-{entry_card.id}", icon=":material/undo:", type="tertiary",
            help=f"Changed by {entry.undo}",
        ):  # fmt: skip
            _run(
                live,
                lambda: live.call(live.workspace.knowledge.entries.take_back(entry_card.id)),
                "It is as it was before.",
            )
        if not entry_card.is_stored and st.button(
            "Remove", key=f"entry-remove-{entry_card.id}", icon=":material/delete:", type="tertiary"
        ):
            text = f"“{entry_card.title}” was removed from {entry_card.origin}."
            _run(
                live,
                lambda: live.call(live.workspace.knowledge.entries.remove(entry_card.id)),
                text,
                undo=entry_card.id,
            )


def _run(live: SessionHub, work: Callable[[], object], text: str, *, undo: str = "") -> None:
    """Do it, say so above the list, and draw the page anew."""
    try:
        work()
    except AssistantError as error:
        st.error(plain(str(error)), title="That was not done", icon=":material/error:")
        return
    st.session_state[_DONE] = (undo, text, time.monotonic())
    st.session_state.pop(_OUTCOME, None)
    live.forget_starters()
    st.rerun()


def _draw_form(live: SessionHub, entry_card: KnowledgeCard) -> None:
    """The fields of a kept entry, or why it cannot be changed."""
    try:
        entry = live.call(live.workspace.knowledge.entries.entry(entry_card.id))
    except AssistantError as error:
        st.error(plain(str(error)), title="It cannot be changed", icon=":material/error:")
        return
    outcome = _find_outcome(entry_card.id)
    faults = outcome.faults if outcome is not None else {}
    with st.form(f"entry-{entry_card.id}", border=False, enter_to_submit=False):
        values = _draw_fields(entry, faults)
        if unplaced := " ".join(text for name, text in faults.items() if name not in values):
            st.error(plain(unplaced), title="It was not kept", icon=":material/error:")
        with st.container(horizontal=True, gap="small"):
            keep = st.form_submit_button("Keep it", type="primary", icon=":material/check:")
            is_trial = st.form_submit_button("Try it", icon=":material/play_arrow:")
            cancel = st.form_submit_button("Cancel")
    if outcome is not None and not faults:
        st.markdown(":gray[What it comes to. It is not kept yet.]")
        effect.draw(outcome.effects, key=f"tried-{entry_card.id}")
    if cancel:
        _close()
    if keep or is_trial:
        _send(live, entry_card, values, keep=keep)


def _send(live: SessionHub, entry_card: KnowledgeCard, values: Mapping[str, EntryValue], *, keep: bool) -> None:
    """Try out or keep what was typed; what comes of it stays for the next drawing."""
    entries = live.workspace.knowledge.entries
    try:
        with st.spinner("Computing it", show_time=True):
            work = entries.keep(entry_card.id, values) if keep else entries.try_out(entry_card.id, values)
            outcome = live.call(work, timeout_s=_TAKE_S)
    except AssistantError as error:
        outcome = Outcome(faults={"": str(error)})
    st.session_state[_OUTCOME] = (entry_card.id, outcome)
    if outcome.id:
        st.session_state.pop(_CHANGING, None)
        st.session_state[_OUTCOME] = (outcome.id, outcome)
        text = f"“{entry_card.title}” is changed, and holds from the next question on."
        st.session_state[_DONE] = ("", text, time.monotonic())
        live.forget_starters()
    st.rerun()


def _close() -> None:
    """Close the form and forget what came of it."""
    st.session_state.pop(_CHANGING, None)
    st.session_state.pop(_OUTCOME, None)
    st.rerun()


def _find_outcome(id_: str) -> Outcome | None:
    """What came of the last try or change, if it was of this entry."""
    stored = st.session_state.get(_OUTCOME)
    return stored[1] if stored and stored[0] == id_ else None


def _draw_effects(id_: str) -> None:
    """What an entry that was kept comes to."""
    outcome = _find_outcome(id_)
    if outcome is not None and outcome.id:
        st.markdown(":green[:material/check:] Kept. This is what it comes to.")
        effect.draw(outcome.effects, key=f"kept-{id_}")


def _draw_fields(entry: Entry, faults: Mapping[str, str]) -> dict[str, EntryValue]:
    """The form's fields: what is long below each other, what is short side by side."""
    fields = _FIELDS[entry.kind]
    long = [field for n, field in enumerate(fields) if n == 0 or field.how in ("text", "lines")]
    values = {field.name: _draw_field(field, entry, faults.get(field.name, "")) for field in long}
    left, right = st.columns(2) if len(fields) > len(long) + 1 else (st.container(), st.container())
    for n, field in enumerate(field for field in fields if field not in long):
        with right if n % 2 else left:
            values[field.name] = _draw_field(field, entry, faults.get(field.name, ""))
    return values


def _draw_field(field: _Field, entry: Entry, fault: str) -> EntryValue:
    """A field with what is wrong with it below."""
    now, key = entry.values.get(field.name, ""), f"entry-{entry.id}-{field.name}"
    value: EntryValue
    match field.how:
        case "line":
            value = st.text_input(field.label, value=str(now), key=key, help=field.hint or None).strip()
        case "text":
            with st.container(key=f"code-{key}" if field.name in _CODE else f"prose-{key}"):
                typed = st.text_area(field.label, value=str(now), key=key, help=field.hint or None, height="content")
            value = typed.strip()
        case "names":
            typed = st.text_input(field.label, value=", ".join(now), key=key, help=field.hint)
            value = tuple(name for part in typed.split(",") if (name := " ".join(part.split())))
        case "lines":
            typed = st.text_area(field.label, value="\n".join(now), key=key, help=field.hint, height="content")
            value = tuple(text_line.strip() for text_line in typed.splitlines() if text_line.strip())
        case "unit":
            units = list(_UNITS)
            at = units.index(str(now)) if now in units else 0
            value = st.selectbox(field.label, units, index=at, key=key, format_func=lambda option: _UNITS[option])
    if fault:
        st.markdown(f":red[:material/error: {plain(fault)}]")
    return value
