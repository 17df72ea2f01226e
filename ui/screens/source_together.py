"""Combined sources: the person chooses sources and confirms join keys proposed from values, or separates them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import cast

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.figures import joined
from assistant.api.sources import KeyShown, SourceShown
from ui.reading import Reading
from ui.screens.source_changes import draw_confirmation, finish
from ui.session_hub import SessionHub
from ui.views import reading
from ui.views.text import count, line, plain

_LOOKING, _CANDIDATES = "keys-looked-for", "keys-found"


def draw(live: SessionHub, sources: Sequence[SourceShown]) -> None:
    """Draw the way to put sources together, where there are two that are apart."""
    apart = [source.name for source in sources if source.origin not in ("together", "sample") and not source.problem]
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
            st.session_state[_LOOKING] = (tuple(parts), live.begin_reading("Comparing the values of the sources", work))
        _draw_search()
        candidates = st.session_state.get(_CANDIDATES)
        if candidates is not None and candidates[0] == tuple(parts):
            _confirm(live, tuple(parts), cast("tuple[KeyShown, ...]", candidates[1]))


def _draw_search() -> None:
    """What came of looking for keys, once it has ended."""
    search = st.session_state.get(_LOOKING)
    if search is None:
        return
    parts, looking = cast("tuple[tuple[str, ...], Reading[tuple[KeyShown, ...]]]", search)
    if not reading.draw_until_done(looking, "keys"):
        return
    del st.session_state[_LOOKING]
    try:
        st.session_state[_CANDIDATES] = (parts, looking.result())
    except CancelledError:
        st.info("Looking for keys was stopped.", icon=":material/info:")
    except AssistantError as error:
        st.error(plain(str(error)), title="These sources cannot be combined", icon=":material/error:")


def _confirm(live: SessionHub, parts: tuple[str, ...], candidates: tuple[KeyShown, ...]) -> None:
    if candidates:
        st.markdown("**Which of these are keys?** Only you know whether the values mean the same.")
    else:
        st.markdown("**No key between them was found in their values.** If you know one, write it below.")
    keys = [candidate.key for n, candidate in enumerate(candidates) if _is_key(n, candidate)]
    more = st.text_input("Another key", key="together-key", placeholder="orders.customer_id = customers.id")
    name = st.text_input("Name of the whole", value="_".join(parts)[:40], key="together-name")
    if not st.button("Put them together", type="primary", icon=":material/join_inner:", key="together-go"):
        return
    keys += [more.strip()] if more and more.strip() else []
    try:
        live.call(live.workspace.connections.combine((name or "").strip(), parts, keys), timeout_s=600)
    except AssistantError as error:
        st.error(plain(str(error)), title="These sources cannot be combined this way", icon=":material/error:")
        return
    st.session_state.pop(_CANDIDATES, None)
    finish(live, f"{joined(parts)} are asked together from the next question on.")


def _is_key(n: int, candidate: KeyShown) -> bool:
    rate = candidate.matching / candidate.filled
    share = "all" if candidate.matching == candidate.filled else f"{rate:.1%}"
    return st.checkbox(
        f"{line(candidate.key)} :gray[· {share} of {count(candidate.filled, 'value')} found there]",
        value=candidate.matching == candidate.filled,
        key=f"together-key-{n}-{candidate.key}",
    )


def take_apart(live: SessionHub, source: SourceShown) -> None:
    """The way to ask the parts each by itself again."""
    if draw_confirmation(
        live,
        label="Take apart",
        icon=":material/call_split:",
        key=f"apart-{source.name}",
        explanation="New questions will ask each of its sources by itself. Conversations that began with it keep it.",
        yes="Take it apart",
        work=lambda: live.workspace.connections.take_apart(source.name),
    ):
        st.session_state.pop(_CANDIDATES, None)
        finish(live, f"The sources of {source.name} are asked each by itself again.")
