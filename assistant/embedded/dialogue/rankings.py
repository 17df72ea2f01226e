"""The ranking that chose the groups of an answer with further figures: "top 5 customers", "and their orders".

It is a condition there. What is said of the first, of all or of the other end is said of it, not of those it chose.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.meaning import Among, Meaning
from assistant.embedded.source.schema import Entity


def ranking_of(draft: Draft) -> Among | None:
    """The ranking that chose the one kind of groups; None where there is none, or where these are ranked themselves."""
    found = _rankings(draft.among)
    ranked = draft.limit is not None or bool(draft.offset)
    if ranked or len(found) != 1 or len(draft.groups) != 1 or draft.grains or draft.parts:
        return None
    group = draft.groups[0]
    table = group.name if isinstance(group, Entity) else group.table
    return found[0] if found[0].column.table == table else None


def _rankings(among: Sequence[Among]) -> list[Among]:
    """Those of what rows must belong to that are the first few of something."""
    return [one for one in among if one.rows.limit is not None and not one.label]


def choose(draft: Draft, ranking: Among, first: int | None, *, descending: bool | None, ties: bool = False) -> None:
    """Choose so many from the end that is named instead, or from the same one; all where there is no number."""
    at = draft.among.index(ranking)
    if first is None:
        del draft.among[at]
        return
    rows = ranking.rows
    down = rows.order[0].descending if descending is None else descending
    order = (rows.order[0].model_copy(update={"descending": down}), *rows.order[1:])
    changed = {"limit": first, "offset": 0, "ties": ties, "place": 1, "order": order, "title": ""}
    draft.among[at] = ranking.model_copy(update={"rows": rows.model_copy(update=changed)})


def turn(draft: Draft, ranking: Among) -> None:
    """As many from the other end."""
    choose(draft, ranking, ranking.rows.limit, descending=not ranking.rows.order[0].descending, ties=ranking.rows.ties)


def chosen_in(meaning: Meaning) -> Among | None:
    """The ranking that chose the groups of an answer."""
    found = _rankings(meaning.among)
    tables = {d.column.table for d in meaning.dimensions}
    same = len(found) == 1 and tables == {found[0].column.table} and meaning.limit is None
    return found[0] if same else None


def with_rows(meaning: Meaning, ranking: Among, rows: Meaning) -> Meaning:
    """The meaning whose groups another ranking chooses, in each of the figures that stand side by side."""

    def among(part: Meaning) -> tuple[Among, ...]:
        return tuple(o.model_copy(update={"rows": rows}) if o.rows == ranking.rows else o for o in part.among)

    beside = tuple(part.model_copy(update={"among": among(part)}) for part in meaning.beside)
    return meaning.model_copy(update={"among": among(meaning), "beside": beside, "title": ""})
