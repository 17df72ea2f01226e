"""A proposal to add a Python package: its metadata from the index, its files, and warnings."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import PackageProposed, PackageWheel
from assistant.api.session import Session
from assistant.api.turns import PendingRequest
from ui import actions
from ui.session_hub import SessionHub
from ui.views.plan import MARKS
from ui.views.text import count, line, plain

ADD, LOOK_UP = ":material/deployed_code:", ":material/search:"


def draw_card(waiting: PendingRequest) -> None:
    """The package that waits, and a field for its name where that must be typed out."""
    proposed = waiting.package
    if proposed is None:
        return
    with st.container(border=True, key="card", gap="small"):
        with st.container(key="kicker"):
            st.caption("PACKAGE")
        where = f" in line {proposed.line}" if proposed.line else ""
        st.markdown(f"**The code imports {line(proposed.module)}{where}, which the cage lacks.**")
        draw_facts(proposed)
        if _is_typed_out(proposed):
            st.text_input(
                f"Type {line(proposed.name)} to add it",
                key=_build_key(waiting),
                on_change="ignore",
                placeholder="The package's name",
            )
        st.caption("Its code runs only where cells run. Nothing of it has run yet.")


def draw_facts(proposed: PackageProposed) -> None:
    """What is known of a package, and why it needs a second look."""
    if proposed.wheels:
        size = sum(wheel.size_bytes for wheel in proposed.wheels)
        summary = line(proposed.summary) or "it says nothing of itself"
        st.markdown(
            f"**{line(proposed.name)} {line(proposed.version)}**: {summary}"
            f"  \nPublished by {line(proposed.publisher) or 'nobody that it names'} :gray[(its own word)]"
            f"  \n{count(len(proposed.wheels), 'file')}, {_format_size(size)}"
        )
        with st.expander("Files and hashes", type="compact", key=f"files-{proposed.id}"):
            st.markdown("\n".join(f"- {_describe_file(wheel)}" for wheel in proposed.wheels))
    for doubt in proposed.doubts:
        st.markdown(f"{MARKS['warning']} {plain(doubt)}")


def draw_buttons(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Add it, or look it up; or do without."""
    proposed = waiting.package
    if proposed is None:
        return

    def add() -> None:
        typed = st.session_state.get(_build_key(waiting))
        actions.approve_package(live, session, waiting, typed if isinstance(typed, str) else "")

    def refuse() -> None:
        actions.reject(live, session, waiting, "")

    st.button("Skip this package", type="tertiary", key=f"reject-{waiting.id}", on_click=refuse)
    label, icon = ("Add it", ADD) if proposed.wheels else ("Look it up", LOOK_UP)
    st.button(label, type="primary", icon=icon, key=f"go-{waiting.id}", on_click=add)


def _is_typed_out(proposed: PackageProposed) -> bool:
    """Whether the person must type the package's name: it has doubts against it."""
    return bool(proposed.wheels and proposed.doubts)


def _build_key(waiting: PendingRequest) -> str:
    """The key of the field for the name."""
    return f"name-{waiting.id}"


def _describe_file(wheel: PackageWheel) -> str:
    """A wheel with its size and its digest."""
    return f"{line(wheel.file)} ({_format_size(wheel.size_bytes)}), sha256 `{wheel.sha256}`"


def _format_size(size_bytes: int) -> str:
    """A size in MB, or in kB below 100 kB."""
    return f"{size_bytes / 1e6:,.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:,.1f} kB"
