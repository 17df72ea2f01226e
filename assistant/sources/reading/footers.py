"""The lines below a table: notes, sources, whatever does not fit its columns. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from statistics import median

from assistant.sources.reading.headers import name_marks, says_names
from assistant.sources.reading.kinds import Kind, kind_of, text_of
from assistant.sources.reading.views import HEAD_ROWS, ColumnLook, GridView, count_fitting

_FOOTER_MAX = 30


def without_footer(
    view: GridView, body: list[int], profile: list[ColumnLook], header: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The rows of a table without the lines below it: notes, sources, whatever does not fit its columns."""
    grid = view.grid
    is_typed = any(of.is_typed for of in profile)
    width = sum(bool(of.filled) for of in profile)
    kinds: dict[int, list[Kind]] = {
        row: [kind_of(grid.cell(row, column)) for column in view.columns] for row in body[-_FOOTER_MAX - 10 :]
    }
    fills = {row: sum(kind != "empty" for kind in of) for row, of in kinds.items()}
    footer: list[int] = []
    for place in range(max(2, len(body) - _FOOTER_MAX), len(body)):  # all below a blank line that fits nowhere
        rest = body[place:]
        if grid.places[body[place]] - grid.places[body[place - 1]] == 1 or not is_typed:
            continue
        fits = [count_fitting(kinds[row], profile) for row in rest]
        if sum(fit == looked > 0 for fit, looked in fits) <= 0.2 * len(rest) and all(
            fills[row] <= max(2, 0.5 * width) for row in rest
        ):
            footer, body = rest, body[:place]
            break
    upper = body[: max(1, len(body) - 3)][:HEAD_ROWS]
    always = [
        n
        for n, column in enumerate(view.columns)
        if profile[n].filled and sum(bool(text_of(grid.cell(row, column))) for row in upper) >= 0.95 * len(upper)
    ]
    longest = max((len(text_of(grid.cell(row, column))) for row in upper for column in view.columns[:2]), default=0)
    shortest = min((len(grid.rows[row]) for row in upper), default=0)
    begins_with_letters = all(text[:1].isalpha() for row in upper if (text := text_of(grid.cell(row, view.columns[0]))))
    middle = median(fills[row] for row in body if row in fills) if body else 0
    while len(body) > 1 and len(footer) < _FOOTER_MAX and body[-1] in kinds:
        row = body[-1]
        fit, looked = count_fitting(kinds[row], profile)
        texts = [text_of(grid.cell(row, column)) for column in view.columns]
        first = next(filter(None, texts), "")
        is_parted = bool(footer) or grid.places[row] - grid.places[body[-2]] > 1
        missed = sum(kinds[row][n] == "empty" for n in always)
        is_odd = bool(looked) and fit / looked < 0.5 and (looked > 1 or fills[row] <= 0.5 * width)
        is_odd = is_odd or (is_parted and fit < looked and missed > 0)
        is_odd = is_odd or (
            bool(always)
            and missed >= 0.5 * len(always)
            and fills[row] < 0.7 * middle
            and (is_parted or missed == len(always) > 1)
        )
        is_odd = is_odd or (
            fills[row] == 1
            and width > 2
            and not looked
            and is_typed
            and (
                first.endswith(".")
                or len(first) > 1.5 * longest
                or (begins_with_letters and not first[:1].isalpha() and missed >= len(always) - 1 > 0)
            )
        )
        is_thin = width >= 2 and not looked and fills[row] <= max(1, middle / 3)
        is_thin = is_thin and (max(map(len, texts)) > 40 or bool(_note().fullmatch(first)) or is_parted)
        is_uncut = not grid.is_sheet and fills[row] == len(grid.rows[row]) == 1 < shortest
        if not (is_odd or is_thin or is_uncut):
            break
        if is_odd and header and fills[row] > 0.8 * width and says_names(grid, row, name_marks(view, header[-1])):
            break
        footer.insert(0, body.pop())
    return body, footer


@cache
def _note() -> re.Pattern[str]:
    """How a note begins: with one of some words, an asterisk, or a number in brackets."""
    words = (files("assistant.sources.reading") / "note_words.txt").read_text(encoding="utf-8").splitlines()
    return re.compile(rf"(?i)\s*({'|'.join(map(re.escape, words))}|\*|\(\d\)).*")
