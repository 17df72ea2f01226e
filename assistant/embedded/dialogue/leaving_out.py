"""What should not count from now on: "leave out the phone channel", "leave cancelled orders out", "ignore Berlin".

Such words may also take away a part of the answer before (`removing`); only where there is no such part, and a value is
named, are the rows meant that have it.
"""

from __future__ import annotations

import re
from datetime import date

from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.options import ToValue
from assistant.embedded.linking.spans import segment
from assistant.embedded.words.lexicon import tokens

_OUT = re.compile(
    r"^(?:please |but |and )*(?:(?:leave out|drop|ignore|skip|take out|remove|hide|omit) (?P<rows>.+)"
    r"|(?:leave|take) (?P<out>.+) out)$",
    re.IGNORECASE,
)


def left_out(question: str, linker: Linker, today: date) -> str | None:
    """The wish as a condition, "excluding the phone channel"; None where it names no value."""
    found = _OUT.match(question.strip().rstrip(".!?"))
    if found is None:
        return None
    rows = found["rows"] or found["out"]
    named = [max(s.options, key=lambda o: o.strength) for s in segment(tokens(rows), linker, today) if s.options]
    return f"excluding {rows}" if any(isinstance(option, ToValue) for option in named) else None
