"""How many false sentences about results are caught, and how many true ones are flagged.

    python benchmarks/claims.py [--list] [--development]

The tables are those of queries on the sample company, and of t-tests on what queries give (`claims_tables.yaml`). The
development sentences are tuned on. The held-out sentences, beside other tables, were written before the reader of
sentences, and nothing is tuned on them. Those of `styles` and `blind` are in five styles beside tables of 14 shapes; the
former are tuned on. The unseen ones are ordinary sentences of answers (conditions, methods, notes
on gaps), written later with the reader in view, and not tuned on either. `--list` names sentences of the parts that are
tuned on. A sentence is flagged where the check of answers (`find_ungrounded`) finds a claim, a figure or a name that
the results do not bear out.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from assistant.agents.model.grounding import find_ungrounded  # noqa: E402
from assistant.cells.tables import TableView  # noqa: E402
from assistant.sample.company import write_sample  # noqa: E402

AS_OF = date(2026, 6, 15)
LISTED = ("development", "styles")
TABLES = {"blind": "styles"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the development sentences that come out wrong")
    parser.add_argument("--development", action="store_true", help="the development half only")
    options = parser.parse_args()
    halves = LISTED if options.development else (*LISTED, "held_out", "unseen", "blind")
    queries = yaml.safe_load((HERE / "claims_tables.yaml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        database = write_sample(Path(folder), as_of=AS_OF).database
        for half in halves:
            tables = {name: read_tables(database, query) for name, query in queries[TABLES.get(half, half)].items()}
            sentences = yaml.safe_load((HERE / f"claims_{half}.yaml").read_text(encoding="utf-8"))
            measure_half(half, tables, sentences, list_them=options.list and half in LISTED)


def measure_half(
    half: str, tables: Mapping[str, Sequence[TableView]], sentences: Mapping[str, Any], *, list_them: bool
) -> None:
    for truth, flag_is_right in (("false", True), ("true", False)):
        flagged: list[tuple[bool, bool]] = []
        noted = 0
        for name, beside in sentences.items():
            for sentence in beside[f"{truth}_sentences"]:
                ungrounded = find_ungrounded(
                    sentence, tables=tables[name], known_texts=(beside["question"],), question=beside["question"]
                )
                is_flagged = bool(ungrounded)
                noted += bool(ungrounded.unproved)
                flagged.append((is_flagged, any(letter.isdigit() for letter in sentence)))
                if list_them and is_flagged != flag_is_right:
                    print(f"  {'missed' if flag_is_right else 'flagged'} ({name}): {sentence}")
        without = [is_flagged for is_flagged, has_digit in flagged if not has_digit]
        count = sum(is_flagged for is_flagged, _ in flagged)
        print(
            f"{half}, {truth}: flagged {count} of {len(flagged)} ({count / len(flagged):.1%}); "
            f"without a digit {sum(without)} of {len(without)}; noted as not checked {noted}"
        )


def read_tables(database: Path, query: Any) -> Sequence[TableView]:
    """The tables as they are written down, or of a query; of a test, the groups and the probability."""
    if isinstance(query, list):
        return tuple(make_table(table["columns"], table["rows"]) for table in query)
    connection = sqlite3.connect(database)
    try:
        cursor = connection.execute(query if isinstance(query, str) else query["query"])
        names, rows = tuple(item[0] for item in cursor.description), cursor.fetchall()
    finally:
        connection.close()
    if isinstance(query, str):
        return (make_table(names, rows),)
    from scipy import stats

    groups: dict[str, list[float]] = {}
    for group, value in rows:
        groups.setdefault(group, []).append(value)
    outcome: Any = stats.ttest_ind(*groups.values(), equal_var=False)
    measure = query["measure"]
    means = [(group, len(values), round(sum(values) / len(values), 3)) for group, values in groups.items()]
    return (
        make_table((names[0], query["counted"], measure), means),
        make_table(("statistic", "p_value"), [(round(float(outcome.statistic), 3), round(float(outcome.pvalue), 4))]),
    )


def make_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> TableView:
    def is_numeric(place: int) -> bool:
        return all(isinstance(row[place], int | float) for row in rows if row[place] is not None)

    numeric = frozenset(name for place, name in enumerate(columns) if is_numeric(place))
    return TableView(columns=tuple(columns), rows=tuple(map(tuple, rows)), total=len(rows), numeric=numeric)


if __name__ == "__main__":
    main()
