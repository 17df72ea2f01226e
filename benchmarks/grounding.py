"""How well an answer is compared with its results: false alarms, and mistakes that were planted.

    python benchmarks/grounding.py

The answers are those of the recorded dialogues (`tests/assistant/recordings`). In each of them, one at a time, a figure
is changed or gets a unit that nothing names, a name of a row is replaced by one that stands nowhere, and a figure is
replaced by that of another row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from assistant.agents.model.figures_in_text import find_figures  # noqa: E402
from assistant.agents.model.grounding import find_ungrounded  # noqa: E402
from assistant.cells.tables import TableView  # noqa: E402
from assistant.claims.parts import split_sentences  # noqa: E402

INVENTED = "Zorvan Kelm"
UNIT = "tonnes"


def main() -> None:
    alarms = answers = 0
    planted: dict[str, list[bool]] = {"figure": [], "unit": [], "name": [], "row": []}
    for path in sorted((HERE.parent / "tests/assistant/recordings").glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        said = [*_texts(kept["moves"]), *_texts([reply.get("reply", {}) for reply in kept["replies"]], but=("text",))]
        said += [reply["reply"]["text"] for reply in kept["replies"] if reply.get("reply", {}).get("kind") == "plan"]
        for turn in kept["turns"]:
            tables = _tables(turn)
            text = str(turn["answer"])
            found = find_ungrounded("\n".join((text, *turn["notes"])), tables=tables, known_texts=said)
            answers += 1
            alarms += bool(found)
            for kind, wrong in _planted(text, tables):
                planted[kind].append(bool(find_ungrounded(wrong, tables=tables, known_texts=said)))
    print(f"answers {answers}, with a false alarm {alarms}")
    for kind, noticed in planted.items():
        print(f"planted: {kind:<7} noticed {sum(noticed)} of {len(noticed)}")


def _tables(turn: dict[str, Any]) -> list[TableView]:
    shown = [(turn["columns"], turn["rows"]), *((one["columns"], one["rows"]) for one in turn["more"])]
    return [
        TableView(
            columns=tuple(columns),
            rows=tuple(map(tuple, rows)),
            total=len(rows),
            numeric=frozenset(
                name for place, name in enumerate(columns) if all(isinstance(row[place], int | float) for row in rows)
            ),
        )
        for columns, rows in shown
    ]


def _texts(value: Any, *, but: tuple[str, ...] = ()) -> Iterator[str]:
    """All texts of a JSON value, but those of some fields and of answers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, but=but)
    elif isinstance(value, dict) and "answered" not in value:
        for name, one in value.items():
            if name not in but:
                yield from _texts(one, but=but)


def _planted(text: str, tables: list[TableView]) -> Iterator[tuple[str, str]]:
    """The answer with one mistake, and of what kind it is."""
    for figure in find_figures(text):
        if not figure.is_small and "." in figure.text:
            written = figure.text.split()[0]
            digits = written.replace(",", "").lstrip("+-")
            changed = float(digits) * 1.37
            yield "figure", text.replace(written, f"{changed:.{len(digits.partition('.')[2])}f}", 1)
            yield "unit", text.replace(figure.text, f"{written} {UNIT}", 1)
    for table in tables:
        names = {str(row[0]) for row in table.rows if isinstance(row[0], str) and row[0][:1].isupper()}
        for name in sorted(names):
            if (at := text.find(f" {name}")) > 0:
                yield "name", f"{text[: at + 1]}{INVENTED}{text[at + 1 + len(name) :]}"
        yield from _swapped(text, table, names)


def _swapped(text: str, table: TableView, names: set[str]) -> Iterator[tuple[str, str]]:
    """A sentence with one name, its figure replaced by the same column's of another row."""
    for sentence in split_sentences(text):
        held = [name for name in sorted(names) if name in sentence]
        own = next((row for row in table.rows if held == [row[0]]), None)
        other = next((row for row in table.rows if own is not None and row[0] != own[0]), None)
        for figure in find_figures(sentence) if own is not None and other is not None else ():
            place = next((n for n, cell in enumerate(own) if isinstance(cell, float) and _is(figure.value, cell)), None)
            if place is not None and own[place] != other[place]:
                yield "row", sentence.replace(figure.text.split()[0], f"{other[place]:,.2f}", 1)


def _is(value: float, cell: float) -> bool:
    return abs(abs(cell) - value) < 1e-9 or abs(abs(cell) - 100 * value) < 1e-9


if __name__ == "__main__":
    main()
