"""Lists of columns: words that are said once and hold for what stands on both sides of an "and"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.words.lexicon import name_stems

_TOGETHER = 0.97


def said_together(spans: Sequence[Span], at: int) -> Span:
    """ "budget code and description", "departure and arrival dates": words before and behind an "and" hold for both."""
    span = spans[at]
    if not any(isinstance(o, ToColumn) for o in span.options):
        return span
    said = name_stems(span.text)
    shared: list[tuple[str, ...]] = []
    if at > 1 and spans[at - 1].text.lower() == "and":
        before = name_stems(spans[at - 2].text)
        shared += [(*before[:-1], *said)] if len(before) > 1 else []
    if at + 2 < len(spans) and spans[at + 1].text.lower() == "and":
        behind = name_stems(spans[at + 2].text)
        shared += [(*said, behind[-1])] if len(behind) > 1 else []
    if not shared:
        return span
    options = [
        replace(o, strength=_TOGETHER) if isinstance(o, ToColumn) and o.attribute.stems in shared else o
        for o in span.options
    ]
    return replace(span, options=tuple(sorted(options, key=lambda o: -o.strength)))
