"""Yes and no in a column of text, in the words of many languages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.query.quoting import literal
from assistant.sources.reading.guesses import Guess
from assistant.sources.reading.words import read_section


def guess_flag(values: Sequence[str]) -> Guess | None:
    """A column whose values are the two words of a pair, or a column of codes that may be one."""
    lowered = {value.lower(): value for value in values}
    pairs = read_section("yes_no")
    for kind in ("words", "codes"):
        pair = next((pair for pair in pairs[kind] if lowered.keys() == set(pair)), None)
        if pair is None:
            continue
        yes, no = pair
        is_open = kind == "codes"
        return Guess(
            type="BOOLEAN",
            sql=f"CASE lower($v) WHEN {literal(yes)} THEN true WHEN {literal(no)} THEN false END",
            note="" if yes == "true" else f"read as yes and no: {lowered[yes]!r} and {lowered[no]!r}",
            doubt="column_type" if is_open else None,
            rival="They may be codes." if is_open else "",
            rival_type="text" if is_open else "",
        )
    return None


def flag_sql() -> str:
    """The SQL that reads a text as yes or no, in whatever words it says so."""
    pairs = [pair for kind in read_section("yes_no").values() for pair in kind]
    yes, no = (", ".join(map(literal, sorted({pair[place] for pair in pairs}))) for place in (0, 1))
    return f"CASE WHEN lower($v) IN ({yes}, '1') THEN true WHEN lower($v) IN ({no}, '0') THEN false END"
