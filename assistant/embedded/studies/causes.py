"""Why did it change? The change between two periods, split by each sensible dimension.

It shows which members the change came from and which moved otherwise than the whole. That is a contribution, not a
cause: what made those members change stands in no table, and the answer says so.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from assistant.embedded.dates import period_start
from assistant.embedded.meaning import Dimension, Grain, Meaning
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.asking import Asked, Read, figure_of, over_all_time, stripped, titled
from assistant.embedded.studies.drawing import axis_title, filled, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import before, grain_of, period_in, span, whole, year_before
from assistant.embedded.studies.queries import YEAR_BEFORE
from assistant.embedded.studies.splitting import dimensions_of
from assistant.embedded.studies.study import Causes, Span
from assistant.embedded.studies.telling import Result, Told, amount, difference, lowered, number, percent
from assistant.embedded.studies.twoperiods import TwoSpans, compared_spans
from assistant.embedded.wording.phrases import condition_words, figure_words
from assistant.embedded.wording.plain import joined

TELLING = 0.1
"""A member with a smaller part of the change than this is not named: so many others have as much."""
KEPT = 8
"""So many members of each dimension are shown, the largest changes first."""
_FALL = (
    "fall|fell|fallen|falling|drop|dropped|dropping|decline|declined|declining|decrease|decreased|decreasing|shrink|"
    "shrunk|shrinking|go down|gone down|went down|going down|down|lower|low|worse|weak|bad|dip|plunge|loss"
)
_RISE = (
    "rise|rose|risen|rising|grow|grew|grown|growing|growth|increase|increased|increasing|go up|gone up|went up|going up|"
    "jump|jumped|up|higher|high|better|strong|good|peak|improve|improved"
)
_ANY_MOVE = rf"(?:{_FALL}|{_RISE}|change|changed)"
_MOVE = rf"(?P<verb>{_FALL}|{_RISE}|change|changed|changing|move|moved|differ|different)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^why(?: (?:is|was) (?:that|this|it)(?: so)?)?$",
        rf"^why (?:did|has|have|had|does|do|is|are|was|were)(?: the| our| my)? (?P<figure>.*?) ?(?:been |so |much )*"
        rf"\b{_MOVE}\b(?P<rest> .*)?$",
        rf"^(?:what|which (?:factors?|things?))(?: has| have| is| was| were)? ?(?:caused|causes|causing|drove|drives|driving|explains?"
        rf"|explained|behind|led to|made) (?:the |our |my )?(?:{_MOVE} (?:in|of) )?(?P<figure>.+?)(?: {_ANY_MOVE}(?P<rest> .*)?)?$",
        rf"^(?:explain|decompose|break down|reasons? for|(?:what (?:is|was|are|were) )?(?:the )?(?:reasons?|causes?|drivers?)"
        rf" (?:for|of|behind)) (?:the |our |my )?{_MOVE} (?:in|of)(?: the)? ?(?P<figure>.+)$",
        rf"^where (?:did|does|do) (?:the |our )?{_MOVE} (?:(?:in|of)(?: the)? (?P<figure>.+?) )?come from(?P<rest> .*)?$",
    )
)
_AGAINST_YEAR = re.compile(
    r"\b(?:than|compared (?:to|with)|against|from|over|vs\.?|versus|on)(?: the)?"
    r"(?: same (?:month|period|quarter|time|week))?(?: of| in)? (?:last year|(?:previous|prior) year|year before"
    r"|a year (?:ago|earlier|before))\b|\b(?:year[ -](?:over|on)[ -]year|yoy)\b",
    re.IGNORECASE,
)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for the reasons of a change; None where it asks for something else."""
    text = _AGAINST_YEAR.sub(" ", asked.text)
    against_year = text != asked.text
    text = " ".join(text.split())
    match = next((m for pattern in _PATTERNS if (m := pattern.match(text))), None)
    if match is None:
        return None
    if (refused := _between_groups(asked, text)) is not None:
        return refused
    parts = match.groupdict()
    words = " ".join(part for part in (parts.get("figure"), parts.get("rest")) if part)
    words = re.sub(r"\b(?:so|that|this|much|suddenly|recently|again|down|up)\s*$", " ", words).strip()
    assumptions: tuple[str, ...] = ()
    this_year = against_year and re.search(r"\byear\b", asked.text, re.IGNORECASE) and "same" not in asked.text.lower()
    period = period_in(words, asked.today) or (period_in("this year " + words, asked.today) if this_year else None)
    if period is not None:
        words = period[3]
        assumptions = (period[2],) if period[2] else ()
    found = asked.figure(words)
    if isinstance(found, Refused):
        return found
    verb = (parts.get("verb") or "").lower()
    claimed = "fall" if re.fullmatch(_FALL, verb) else "rise" if re.fullmatch(_RISE, verb) else ""
    named = (period[0], period[1]) if period is not None else None
    studies = [
        _study(asked, read, named=named, against_year=against_year, claimed=claimed, assumptions=assumptions)
        for read in found
    ]
    kept = tuple(s for s in studies if isinstance(s, Recognised))
    return kept or next(s for s in studies if isinstance(s, Refused))


_STANDS = re.compile(
    r"^why (?:is|are|was|were|does|do|has|have)(?: the| our)? (?P<who>.+?)(?: (?:so|much|doing|sell\w*|perform\w*|have|been))*"
    r" (?:higher|lower|better|worse|more|less|bigger|smaller|larger|stronger|weaker|high|low|good|bad|strong|weak)"
    r"(?: (?:sales|revenue))?(?: than(?: in| for| that of)?(?: the| our)? (?P<than>.+))?$",
    re.IGNORECASE,
)


def _between_groups(asked: Asked, text: str) -> Refused | None:
    """ "why is the north higher than the south?": a difference between groups, not a change over time."""
    match = _STANDS.match(text)
    if match is None or (match["than"] and period_in(match["than"], asked.today) is not None):
        return None
    if match["than"] is None and not _names_a_group(asked, match["who"]):
        return None
    return Refused(
        reason="I can split a change over time into its parts, but not say why one group differs from another.",
        hint="Set them side by side, as in “compare the north with the south”, or ask why a figure rose or fell.",
        understood=True,
    )


def _names_a_group(asked: Asked, words: str) -> bool:
    """Whether words are a value by which rows are chosen, and no figure."""
    named = asked.read(words)
    if not isinstance(named, Refused):
        return all(r.meaning.filters and not r.meaning.measures for r in named)
    if asked.previous is None or not asked.previous.measures:
        return False
    alone = stripped(asked.previous)
    chosen = asked.analyst.read(f"only {words}", alone)
    return isinstance(chosen, Understood) and len(chosen.meaning.filters) > len(alone.filters)


def _study(
    asked: Asked,
    read: Read,
    *,
    named: tuple[date, date] | None,
    against_year: bool,
    claimed: str,
    assumptions: tuple[str, ...],
) -> Recognised | Refused:
    by = asked.by_months(read)
    if isinstance(by, Refused):
        return by
    again = asked.compared if named is None and not against_year else None
    chosen = named or _meant(asked, by.meaning)
    if chosen is None:
        return Refused(
            reason=f"I do not know which period of {read.meaning.measures[0].label} you mean.",
            hint="Name it, as in “why did it fall in March?”.",
            understood=True,
        )
    if named is None and again is None:
        assumptions = (*assumptions, "no period was named, so the last whole one is taken")
    earlier = year_before(*chosen) if against_year else before(*chosen)
    now, then = again or compared_spans(asked, by, TwoSpans(now=chosen, earlier=earlier, rest=""))
    if (unknown := asked.outside(by.meaning, now, then)) is not None:
        return unknown
    by = replace(by, meaning=over_all_time(by.meaning))
    dimensions = dimensions_of(asked, by.meaning)
    if not dimensions:
        return Refused(
            reason=f"I found nothing by which {read.meaning.measures[0].label} could be split: no kinds, no places,"
            " no groups belong to it.",
            understood=True,
        )
    season: tuple[Span, Span] | None = None
    if then.end == now.start and grain_of(now.start, now.end) in ("month", "quarter") and by.meaning.over_time:
        season = span(*year_before(now.start, now.end)), span(*year_before(then.start, then.end))
        season = season if asked.outside(by.meaning, *season) is None else None
    figure = figure_words(read.meaning, read.meaning.measures[0])
    conditions = condition_words(read.meaning)
    scope = f", where {joined(conditions)}" if conditions else ""
    study = Causes(
        asked=asked.question,
        title=titled(f"what the change of {figure} came from{scope}: {now.label} against {then.label}"),
        source=read.meaning.source,
        rows=(by.meaning, *(_split(by.meaning, dimension) for dimension in dimensions)),
        figure=figure_of(by.meaning),
        period=by.meaning.dimensions[0].label,
        now=now,
        before=then,
        parts=tuple(dimension.label for dimension in dimensions),
        season=season,
        claimed=claimed,  # pyright: ignore[reportArgumentType]  # one of the words above
    )
    return Recognised(study=study, assumptions=(*by.assumptions, *assumptions), cited=by.cited)


def _meant(asked: Asked, by: Meaning) -> tuple[date, date] | None:
    """The period that is meant where none is named: the one asked for before, else the last whole one."""
    for time in by.times:
        if time.start and time.end and grain_of(time.start, time.end) is not None:
            return time.start, time.end
    held = asked.dates(by)
    if held is None:
        return None
    over = asked.previous.over_time if asked.previous is not None else None
    grain: Grain = "year" if by.over_time is None else (over.grain if over is not None and over.grain else "month")
    first, end, _ = whole(*held, asked.today, grain, days=asked.different_days(by))
    if end <= first:
        return None
    start = before(end, end)[0] if grain == "day" else _last_start(end, grain)
    return start, end


def _last_start(end: date, grain: Grain) -> date:
    return period_start(end, grain, -1)


def _split(by: Meaning, dimension: Dimension) -> Meaning:
    return by.model_copy(update={"dimensions": (by.dimensions[0], dimension)})


def cell(study: Causes, frames: tuple[str, ...]) -> str:
    """The Python step."""
    return filled(
        "causes" if study.figure.adds_up else "own_changes",
        frame=frames[0],
        figure=literal(study.figure.column),
        kept=KEPT if not study.leading else 4 * KEPT,
        title=literal(study.title),
        axis=literal(f"Change of {axis_title(study.figure)}"),
    )


def word(study: Causes, result: Result) -> Told:
    """The answer, from the members of every dimension."""
    whole_row, *others = result.records
    season = next((r for r in others if r["split_by"] == YEAR_BEFORE), None)
    members = [r for r in others if r is not season]
    figure = study.figure
    early, late = number(whole_row["before"]), number(whole_row["now"])
    change = late - early
    moved = "rose" if change > 0 else "fell" if change < 0 else "did not change"
    share = f" ({percent(change / abs(early), signed=True)})" if early else ""
    wrong = (study.claimed == "fall" and change > 0) or (study.claimed == "rise" and change < 0)
    start = f"It did not {study.claimed}: " if wrong else ""
    label = figure.label if wrong else titled(figure.label)
    text = (
        f"{start}{label} {moved} from **{amount(early, figure)}** ({study.before.label}) to **{amount(late, figure)}** "
        f"({study.now.label}): **{difference(change, figure)}**{share}."
    )
    notes = [note for note in (study.now.partial,) if note]
    if season is not None and change and early:
        text += _seasonal(season, change / abs(early))
    if change and members:
        text += _additive(study, members, change) if figure.adds_up else _own(study, members, change)
    notes.append(
        "This says where the change came from, not what caused it: prices, campaigns, competitors and the season are not"
        " told apart here."
    )
    if (
        season is None
        and study.before.end == study.now.start
        and grain_of(study.now.start, study.now.end) in ("month", "quarter")
    ):
        notes.append(
            "The period just before is compared, so the usual course of the year is part of the change; ask “why did "
            f"{figure.label} change in {study.now.label} compared with last year?” to leave it out."
        )
    shown = {str(m["split_by"]) for m in members}
    hidden = [part for part in study.parts if part not in shown]
    if hidden and figure.adds_up:
        notes.append(
            f"By {joined(hidden)} the parts do not add up to the whole, for some rows have none; it is left out."
        )
    if not figure.adds_up:
        notes.append(
            f"{titled(figure.label)} of the parts does not add up to the whole, so there are no contributions."
        )
    return Told(text=text, notes=tuple(notes), follow_ups=(f"compare {figure.label} with last year",))


def _seasonal(season: Mapping[str, object], share: float) -> str:
    """What the same step was a year before: a change that comes every year needs no other explanation."""
    if season["change %"] is None:
        return ""
    then = number(season["change %"]) / 100
    usual = then * share > 0 and abs(then) >= 0.6 * abs(share)
    said = "so most of it looks like the season" if usual else "so it is not just the season"
    return f" A year before, the same step was {percent(then, signed=True)}, {said}."


def _additive(study: Causes, members: Sequence[Mapping[str, object]], change: float) -> str:
    sentences: list[str] = []
    for label in study.parts:
        own = [m for m in members if m["split_by"] == label]
        same = [m for m in own if number(m["change"]) * change > 0]
        if not same:
            continue
        top = max(same, key=lambda m: abs(number(m["change"])))
        if abs(number(top["change"])) < TELLING * abs(change):
            continue
        own_share = f", {percent(number(top['change %']) / 100, signed=True)}" if top["change %"] is not None else ""
        of_all = number(top["share of change %"])
        # Where parts move against each other a part may be more than the whole, and a percentage would only confuse.
        part = f"; {of_all:,.0f} % of the change" if of_all <= 100 else ""
        sentences.append(
            f"by {label}, most came from **{top['member']}** "
            f"({difference(top['change'], study.figure)}{own_share}{part})"
        )
    against = [m for m in members if number(m["change"]) * change < 0]
    text = f" {titled('; '.join(sentences))}." if sentences else ""
    if against:
        other = max(against, key=lambda m: abs(number(m["change"])))
        way = "grew" if number(other["change"]) > 0 else "shrank"
        text += (
            f" Against that, {lowered(str(other['split_by']))} **{other['member']}** {way} by "
            f"{amount(abs(number(other['change'])), study.figure)}."
        )
    return text


def _own(study: Causes, members: Sequence[Mapping[str, object]], change: float) -> str:
    sentences: list[str] = []
    for label in study.parts:
        own = [m for m in members if m["split_by"] == label and m["change"] is not None]
        same = [m for m in own if number(m["change"]) * change > 0]
        if same:
            top = max(same, key=lambda m: abs(number(m["change"])))
            sentences.append(
                f"by {label}, **{top['member']}** moved most ({amount(top['before'], study.figure)} to "
                f"{amount(top['now'], study.figure)})"
            )
    return f" {titled('; '.join(sentences))}." if sentences else ""
