"""Sources put together: chosen, the keys between them looked for in their values and confirmed; and taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import cast

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.figures import joined
from assistant.api.sources import KeyShown, SourceShown
from ui.reading import Reading
from ui.screens.source_changes import confirmed, done
from ui.session_hub import SessionHub
from ui.views import reading
from ui.views.text import count, line, plain

_LOOKING, _FOUND = "keys-looked-for", "keys-found"


def draw(live: SessionHub, sources: Sequence[SourceShown]) -> None:
    """Draw the way to put sources together, where there are two that are apart."""
    apart = [one.name for one in sources if one.origin not in ("together", "sample") and not one.problem]
    if len(apart) < 2:
        return
    with st.expander("Ask sources together", icon=":material/join_inner:", key="together"):
        st.markdown(
            ":gray[A question can then use the tables of all of them, joined by the keys that you confirm here. Each "
            "stays where it is; what a question needs is brought over when its query is approved.]"
        )
        parts = st.multiselect("Sources", apart, default=apart if len(apart) == 2 else None, key="together-parts")
        if st.button("Look for keys", icon=":material/key:", disabled=len(parts) < 2, key="together-look"):
            work = live.workspace.connections.keys_between(tuple(parts))
            st.session_state[_LOOKING] = (tuple(parts), live.reading("Comparing the values of the sources", work))
        _looked()
        found = st.session_state.get(_FOUND)
        if found is not None and found[0] == tuple(parts):
            _confirm(live, tuple(parts), cast("tuple[KeyShown, ...]", found[1]))


def _looked() -> None:
    """What came of looking for keys, once it has ended."""
    under_way = st.session_state.get(_LOOKING)
    if under_way is None:
        return
    parts, looking = cast("tuple[tuple[str, ...], Reading[tuple[KeyShown, ...]]]", under_way)
    if not reading.ended(looking, "keys"):
        return
    del st.session_state[_LOOKING]
    try:
        st.session_state[_FOUND] = (parts, looking.result())
    except CancelledError:
        st.info("Looking for keys was stopped.", icon=":material/info:")
    except AssistantError as error:
        st.error(plain(str(error)), title="They cannot be put together", icon=":material/error:")


def _confirm(live: SessionHub, parts: tuple[str, ...], found: tuple[KeyShown, ...]) -> None:
    if found:
        st.markdown("**Which of these are keys?** Only you know whether the values mean the same.")
    else:
        st.markdown("**No key between them was found in their values.** If you know one, write it below.")
    keys = [one.key for n, one in enumerate(found) if _is_key(n, one)]
    more = st.text_input("Another key", key="together-key", placeholder="orders.customer_id = customers.id")
    name = st.text_input("Name of the whole", value="_".join(parts)[:40], key="together-name")
    if not st.button("Put them together", type="primary", icon=":material/join_inner:", key="together-go"):
        return
    keys += [more.strip()] if more and more.strip() else []
    try:
        live.call(live.workspace.connections.combine((name or "").strip(), parts, keys), timeout_s=600)
    except AssistantError as error:
        st.error(plain(str(error)), title="They cannot be put together so", icon=":material/error:")
        return
    st.session_state.pop(_FOUND, None)
    done(live, f"{joined(parts)} are asked together from the next question on.")


def _is_key(n: int, found: KeyShown) -> bool:
    rate = found.found / found.filled
    told = "all" if found.found == found.filled else f"{rate:.1%}"
    return st.checkbox(
        f"{line(found.key)} :gray[· {told} of {count(found.filled, 'value')} found there]",
        value=found.found == found.filled,
        key=f"together-key-{n}-{found.key}",
    )


def take_apart(live: SessionHub, source: SourceShown) -> None:
    """The way to ask the parts each by itself again."""
    if confirmed(
        live,
        label="Take apart",
        icon=":material/call_split:",
        key=f"apart-{source.name}",
        told="New questions will ask each of its sources by itself. Conversations that began with it keep it.",
        yes="Take it apart",
        work=lambda: live.workspace.connections.take_apart(source.name),
    ):
        st.session_state.pop(_FOUND, None)
        done(live, f"The sources of {source.name} are asked each by itself again.")
