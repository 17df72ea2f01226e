"""Two numbers against each other: how strongly they go together, and the straight line between them.

Row by row where one table leads to both; period by period where each is a figure of its own. What goes together need
not depend on each other, and the answer says so.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.source.schema import Attribute
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies import groups
from assistant.embedded.studies.asking import Asked, Read, groups_of, stripped, titled, where
from assistant.embedded.studies.drawing import axis_title, filled, frequency, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.series import series_of
from assistant.embedded.studies.study import Figure, Relation
from assistant.embedded.studies.telling import SURE, Result, Told, amount, chance, lowered, number
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural

PAIRS_MIN = 8
_KIND = r"(?:correlations?|relation(?:ship)?s?|associations?|connections?|links?|regression|dependenc[ey])"
_AFFECT = r"(?:affect|influence|impact|drive|determine|predict|explain|change)s?"
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), turned)
    for pattern, turned in (
        (rf"^(?:(?:is|are) there |what (?:is|are) |how strong is |plot |test )?(?:a |an |any |the |some )?(?:\w+ )?{_KIND}"
         r" (?:between|of|for)(?: the)? (?P<a>.+?) (?:and|with|on|against|to)(?: the)? (?P<b>.+)$", False),
        (r"^(?:how )?(?:strongly |closely )?(?:do|does)(?: the| our)? (?P<a>.+?) (?:depend|rely) on(?: the)? (?P<b>.+)$", True),
        (r"^(?:how )?(?:strongly |closely )?(?:do|does)(?: the| our)? (?P<a>.+?) (?:correlate|relate|go together|go up|rise"
         r"|increase|fall|vary|change|move) (?:with|to|together with)(?: the)? (?P<b>.+)$", True),
        (rf"^(?:how )?(?:strongly |much )?(?:do|does)(?: the| our| a| an)? (?:higher |lower |more |larger )?(?P<a>.+?)"
         rf" {_AFFECT}(?: the| our)? (?P<b>.+)$", False),
        (r"^(?:is|are)(?: the| our)? (?P<a>.+?) (?:correlated|related|associated|linked|connected)"
         r" (?:with|to)(?: the)? (?P<b>.+)$", False),
        (r"^(?:is|are)(?: the| our)? (?P<a>.+?) (?:dependent|depending) on(?: the)? (?P<b>.+)$", True),
        (r"^(?:is|are)(?: the| our)? (?P<a>.+?) and(?: the)? (?P<b>.+?) (?:correlated|related|associated|linked)$", False),
        (r"^(?:correlate|regress)(?: the)? (?P<a>.+?) (?:with|and|on|against)(?: the)? (?P<b>.+)$", True),
        (r"^(?:what is )?(?:the )?(?:effect|impact|influence) of(?: the)? (?P<a>.+?) on(?: the)? (?P<b>.+)$", False),
        (r"^(?:plot|draw)(?: the)? (?P<a>.+?) (?:against|versus|vs\.?)(?: the)? (?P<b>.+)$", True),
    )
)  # fmt: skip


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a relation of two numbers; None where it asks for something else."""
    for pattern, turned in _PATTERNS:
        match = pattern.match(asked.text)
        if match is None:
            continue
        first, second = match["a"].strip(), match["b"].strip()
        x, y = (second, first) if turned else (first, second)
        found = _pair(asked, x, y)
        if not isinstance(found, Refused):
            return found
        alone = _alone(asked, x), _alone(asked, y)
        again = _pair(asked, *alone) if alone != (x, y) else found
        return found if isinstance(again, Refused) else again
    return None


def _alone(asked: Asked, words: str) -> str:
    """ "priority of the ticket", "ticket priority", "their priority": without whose it is."""
    bare = re.sub(r"^(?:the|their|its|our|his|her) ", "", words, flags=re.IGNORECASE)
    tables = [e for s in asked.schemas.values() for e in s.entities.values()]
    names = {name.lower() for e in tables for whole in (e.one, e.many) for name in (whole, whole.rpartition(" ")[2])}
    for name in sorted(names, key=len, reverse=True):
        behind = re.fullmatch(rf"(.+) of (?:(?:the|our|each|all|a|an) )?{re.escape(name)}", bare, re.IGNORECASE)
        if behind is not None:
            return behind[1]
        if bare.lower().startswith(f"{name} "):
            return bare[len(name) + 1 :]
    return bare


def _pair(asked: Asked, x: str, y: str) -> tuple[Recognised, ...] | Refused:
    """Both as columns of the same rows; else both as figures over the same periods; else groups of one by the other."""
    if (together := _together(asked, x, y)) is not None:
        return (together,)
    x_column, y_column = _column(asked, x), _column(asked, y)
    if x_column is not None and y_column is not None and (rows := _rows(asked, x_column, y_column)) is not None:
        return (rows,)
    sides = [_figure(asked, words) for words in (x, y)]
    read = [side for side in sides if side is not None]
    if len(read) == 2:
        return _over_time(asked, *read)
    texts = [words for words in (x, y) if _names_text(asked, words)]
    other = _column(asked, y if texts[0] == x else x) if len(texts) == 1 else None
    if other is not None and (differing := groups.across(asked, _plain(other.meaning), texts[0])) is not None:
        return differing
    unknown = [
        words
        for words, side in zip((x, y), sides, strict=True)
        if side is None and words not in texts and not _column(asked, words)
    ]
    quoted = " and ".join(f"“{t}”" for t in texts)
    reasons = [f"{quoted} {'is no number' if len(texts) == 1 else 'are no numbers'}"] if texts else []
    reasons += [f"I know no figure called {joined([f'“{t}”' for t in unknown])}"] if unknown else []
    reasons = reasons or [f"“{x}” and “{y}” are neither numbers of the same rows nor two figures over the same periods"]
    return Refused(
        reason=f"A correlation needs two numbers: {' and '.join(reasons)}.",
        hint="For names and kinds, ask how a figure differs between them: “is the average order value different between "
        "north and south?”.",
    )


def _together(asked: Asked, x: str, y: str) -> Recognised | None:
    """Two number columns that the analyst reads as belonging to the same rows."""
    found = asked.read(f"average {x} and average {y}")
    for read in () if isinstance(found, Refused) else found:
        meaning = read.meaning
        columns = [m.of_rows for m in meaning.measures]
        if len(columns) != 2 or meaning.dimensions or meaning.verified_sql is not None:
            continue
        pair = [
            Dimension(column=c, label=m.label.removeprefix("average "))
            for c, m in zip(columns, meaning.measures, strict=True)
            if c is not None and m.aggregate == "average"
        ]
        if len(pair) != 2 or pair[0].column == pair[1].column or any(d.column.multiplies for d in pair):
            continue
        rows = stripped(meaning).model_copy(update={"measures": (), "columns": tuple(pair)})
        figures = [Figure(column=n, label=d.label) for n, d in zip(column_names(rows), pair, strict=True)]
        return _recognised(asked.question, (rows,), figures, rows.base_label, (read,))
    return None


def _figure(asked: Asked, words: str) -> Read | None:
    """A figure of its own: a metric or a total, or the number of rows where a table's rows are named."""
    found = asked.read(words)
    if not isinstance(found, Refused) and found[0].meaning.measures:
        return replace(found[0], meaning=stripped(found[0].meaning), by=groups_of(found[0].meaning))
    letters = _letters(words)
    tables = [e for s in asked.schemas.values() for e in s.entities.values() if letters == _letters(e.many) and e.dates]
    counted = asked.figure(words) if tables else None
    return counted[0] if counted is not None and not isinstance(counted, Refused) else None


def _column(asked: Asked, words: str) -> Read | None:
    """The number column that words name, with their conditions; a metric is none."""
    found = asked.read(f"average {words}")
    if isinstance(found, Refused):
        return None
    columns = [r for r in found if r.meaning.measures and r.meaning.measures[0].of_rows and not r.meaning.dimensions]
    return replace(columns[0], meaning=stripped(columns[0].meaning)) if columns else None


def _rows(asked: Asked, x: Read, y: Read) -> Recognised | None:
    """Both columns on the rows of one base: that of the one from which the other can be looked up."""
    for base, other in ((y, x), (x, y)):
        if base.meaning.source != other.meaning.source:
            return None
        column = other.meaning.measures[0].of_rows
        assert column is not None
        attribute = asked.schema(base.meaning.source).attribute(column.table, column.column)
        looked_up = asked.dimension(base.meaning, attribute, label=_plain(other.meaning))
        if looked_up is None:
            continue
        own = base.meaning.measures[0].of_rows
        assert own is not None
        mine = Dimension(column=own, label=_plain(base.meaning))
        pair = (looked_up, mine) if base is y else (mine, looked_up)
        if pair[0].column == pair[1].column:
            return None
        # Conditions of the other side can be kept only where they speak of the same rows.
        if other.meaning.base != base.meaning.base and (other.meaning.filters or other.meaning.times):
            continue
        meaning = base.meaning.model_copy(
            update={
                "measures": (),
                "columns": pair,
                "filters": tuple(dict.fromkeys((*base.meaning.filters, *_same_base(base, other)))),
            }
        )
        names = column_names(meaning)
        figures = [Figure(column=n, label=d.label) for n, d in zip(names, pair, strict=True)]
        return _recognised(asked.question, (meaning,), figures, meaning.base_label, (x, y))
    return None


def _same_base(base: Read, other: Read) -> tuple[object, ...]:
    return other.meaning.filters if other.meaning.base == base.meaning.base else ()


def _plain(meaning: Meaning) -> str:
    return meaning.measures[0].label.removeprefix("average ")


def _names_text(asked: Asked, words: str) -> bool:
    """Whether words name a column or table that holds no number."""
    low = "".join(ch for ch in words.lower() if ch.isalnum())
    for schema in asked.schemas.values():
        for entity in schema.entities.values():
            if low in (_letters(entity.one), _letters(entity.many)):
                return True
            if any(
                low in (_letters(a.words), _letters(plural(a.words))) and not _counts(a)
                for a in entity.attributes.values()
            ):
                return True
    return False


def _counts(attribute: Attribute) -> bool:
    return attribute.role in ("number", "year")


def _letters(words: str) -> str:
    return "".join(ch for ch in words.lower() if ch.isalnum())


def _over_time(asked: Asked, x: Read, y: Read) -> tuple[Recognised, ...] | Refused:
    """Two figures of their own by the same whole periods."""
    first = series_of(asked, x, None)
    second = series_of(asked, y, None)
    for made in (first, second):
        if isinstance(made, Refused):
            return made
        if made[1].groups is not None:
            return Refused(
                reason=f"I can set two figures against each other over time, and not once for each {made[1].groups.label}.",
                hint=f"Ask for them as a whole, or of one {made[1].groups.label} alone.",
                understood=True,
            )
    assert not isinstance(first, Refused)
    assert not isinstance(second, Refused)
    if first[1].grain != second[1].grain:
        first, second = series_of(asked, x, "month"), series_of(asked, y, "month")
        if isinstance(first, Refused) or isinstance(second, Refused):
            return Refused(reason="The two figures are not known by the same periods.")
    (x_read, x_series), (y_read, y_series) = first, second
    if stripped(x_read.meaning) == stripped(y_read.meaning):
        return Refused(reason="These are the same figure.")
    found = _recognised(
        asked.question,
        (x_read.meaning, y_read.meaning),
        (x_series.figure, y_series.figure),
        plural(x_series.grain),
        (x_read, y_read),
    )
    study = found.study
    assert isinstance(study, Relation)
    update = {
        "over": x_series.period,
        "grain": x_series.grain,
        "first": max(x_series.first, y_series.first),
        "end": min(x_series.end, y_series.end),
        "cut": tuple(dict.fromkeys((*x_series.cut, *y_series.cut))),
    }
    return (replace(found, study=study.model_copy(update=update)),)


def _recognised(
    question: str, meanings: tuple[Meaning, ...], figures: Sequence[Figure], units: str, sides: Sequence[Read]
) -> Recognised:
    x, y = figures
    study = Relation(
        asked=question,
        title=titled(f"{y.label} against {x.label} over {units}{where(meanings[-1])}"),
        source=meanings[0].source,
        rows=meanings,
        x=x,
        y=y,
        units=units,
    )
    assumptions = tuple(dict.fromkeys(a for side in sides for a in side.assumptions))
    return Recognised(
        study=study, assumptions=assumptions, cited=tuple(dict.fromkeys(c for s in sides for c in s.cited))
    )


def cell(study: Relation, frames: tuple[str, ...]) -> str:
    """The Python step."""
    if study.over:
        assert study.grain is not None
        assert study.first is not None
        assert study.end is not None
        pairs = filled(
            "pairs_by_period",
            x_frame=frames[0],
            y_frame=frames[1],
            period=literal(study.over),
            x=literal(study.x.column),
            y=literal(study.y.column),
            first=literal(study.first.isoformat()),
            end=literal(study.end.isoformat()),
            frequency=literal(frequency(study.grain)),
            grain=study.grain,
        )
    else:
        pairs = filled("pairs_by_row", frame=frames[0], x=literal(study.x.column), y=literal(study.y.column))
    return filled(
        "relation",
        pairs=pairs,
        minimum=PAIRS_MIN,
        units=study.units,
        x_label=study.x.label,
        y_label=study.y.label,
        title=literal(study.title),
        x_axis=literal(axis_title(study.x)),
        y_axis=literal(axis_title(study.y)),
    )


def word(study: Relation, result: Result) -> Told:
    """The answer, from the statistics of the pairs."""
    told = result.measures()
    count = int(number(told["pairs"]))
    r, p, slope, fit = (number(told[k]) for k in ("correlation r", "p-value", "slope", "r squared"))
    rank = number(told["rank correlation"])
    x, y = lowered(study.x.label), lowered(study.y.label)
    strength = (
        "very strongly"
        if abs(r) >= 0.8
        else "strongly"
        if abs(r) >= 0.5
        else "moderately"
        if abs(r) >= 0.3
        else "weakly"
    )
    figures = f"r = **{r:.2f}**, {chance(p)}, {count:,} {study.units}"
    if p >= SURE:
        text = f"There is no correlation to speak of between {x} and {y} ({figures})."
    elif abs(r) < 0.1:
        text = (
            f"Hardly: {x} and {y} go together so weakly that it does not matter in practice ({figures}), even if it is "
            "more than chance."
        )
    else:
        way = "in the same direction" if r > 0 else "in opposite directions"
        text = f"{titled(x)} and {y} move {strength} {way} ({figures})."
    if p < SURE and abs(r) >= 0.1:
        more = "higher" if slope > 0 else "lower"
        one = "1" + (f" {study.x.unit}" if study.x.unit else "")
        text += (
            f" With {x} higher by {one}, {y} is {more} by about **{amount(abs(slope), study.y)}** on average; that line "
            f"explains **{100 * fit:.0f} %** of the differences."
        )
    notes = [*study.cut]
    if study.over:
        notes.append(
            f"Figures that both grow, or share a season, correlate over {study.units} without having to do with each other."
        )
        notes.append(
            f"From one {study.grain} to the next, their changes correlate with r = {number(told['r of changes']):.2f}."
        )
    notes.append("That two figures go together does not say that one causes the other.")
    if abs(rank - r) > 0.2:
        notes.append(f"By ranks the correlation is {rank:.2f}: a few extreme values or a bend make the difference.")
    missing = int(number(told["left out"]))
    if missing:
        notes.append(f"{missing:,} {study.units} lack one of the two and are left out.")
    return Told(text=text, notes=tuple(notes))
