"""One figure in two periods: "compare revenue with last year", "did revenue grow in 2025?".

Like is compared with like: where the later period is not over, the earlier one stops after as many days.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from assistant.embedded.dates import period_start
from assistant.embedded.meaning import Dimension
from assistant.embedded.studies.asking import Asked, Read, figure_of, groups_of, over_all_time, titled
from assistant.embedded.studies.drawing import axis_title, filled, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import before, grain_in, grain_of, like_for_like, period_in, year_before
from assistant.embedded.studies.study import Causes, Periods, Span
from assistant.embedded.studies.telling import Result, Told, amount, difference, number, percent
from assistant.embedded.wording.phrases import condition_words, figure_words
from assistant.embedded.wording.plain import joined

_LINK = r"(?:compared (?:to|with)|in comparison (?:to|with)|vs\.?|versus|against|relative to|than)"
_COMPARE = re.compile(
    r"\b(?:compare|comparison|compared (?:to|with)|vs\.?|versus|against|relative to)(?= |$)"
    r"|^(?:is|are|was|were|has|have|did|do|does)\b.*\bthan (?:in |during )?(?:the )?"
    r"(?:last|previous|prior|same|a year|\d{4}\b|q[1-4]\b|january|february|march|april|may|june|july|august|september"
    r"|october|november|december)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"^(?:did|has|have|do|does|by how much (?:did|has|have)|how much (?:did|has|have|more|less)|how (?:did|has|have))\b.*"
    r"\b(?:grow|grown|rise|risen|fall|fallen|drop|dropped|increased?|decreased?|changed?|declined?|improved?"
    r"|develop(?:ed)?|gone (?:up|down)|go (?:up|down))\b"
    r"|^(?:did|has|have|do|does|by how much|how much (?:did|have|has))\b.*\b(?:earn(?:ed)?|sell|sold|made?)"
    r" (?:any )?(?:more|less)\b"
    r"|^(?:by )?how much (?:more|less) (?:did|have|has)\b.*\b(?:earn(?:ed)?|sell|sold|made?)\b"
    r"|^[\w ]+? (?:growth|change) (?:in|during|for) (?:the )?(?:last |this )?(?:year|month|quarter|q[1-4]|\w+)(?: \d{4})?$"
    r"|^(?:what (?:is|was) )?(?:the )?(?:growth|change|increase|decrease|drop|rise|fall) (?:of|in|for)\b",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    r"\b(?:(?:to|with|than|from|as|in)? ?(?:the )?same (?:month|period|quarter|time|week|days?)"
    r" (?:of |in )?(?:last year|the (?:previous|prior) year|the year before|a year (?:ago|earlier|before))"
    r"|(?:than |to |with |from )?(?:a|one) year (?:ago|earlier|before)|year[ -](?:over|on)[ -]year|yoy)\b",
    re.IGNORECASE,
)
_JUST_BEFORE = re.compile(
    r"\b(?:to|with|than|from|over|vs\.?|versus|against) (?:the )?(?:(?:previous|prior|preceding) (?:period|month|quarter|week|year)"
    r"|(?:month|quarter|week|period) before)\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    rf"\b(?:compare|comparison(?: of| between)?|{_LINK}|how (?:does|do|did|has|have)|how much (?:did|has|have|more|less)"
    r"|by how much|does|did|has|have|do|grown?|rise|risen|fall(?:en)?|dropp?e?d?|increased?|decreased?|changed?"
    r"|declined?|improved?|develop(?:ed)?|gone|go|up|down|(?:growth|change|increase|decrease|drop) (?:of|in)|growth"
    r"|what (?:is|was)|is|are|was|were|higher|lower|larger|smaller|better|worse|more|less|much|any|we|been)\b",
    re.IGNORECASE,
)


_ENDS = re.compile(
    r"^(?:(?:the|our|my|in|for|of|and|with|to|from|between|by)\b\s*)+|(?:\s*\b(?:in|for|of|to|with|and|the|from|between|by))+$",
    re.IGNORECASE,
)
"""Links that stand at an end when the periods are gone; those inside still say where: "revenue in the south"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSpans:
    """Two periods to compare, as days, and the words that are left."""

    now: tuple[date, date]
    earlier: tuple[date, date]
    rest: str
    assumptions: tuple[str, ...] = ()


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a comparison of two periods; None where it compares something else, or nothing."""
    compares = _COMPARE.search(asked.text) is not None
    if not compares and not _MOVED.search(asked.text):
        return None
    if grain_in(asked.text)[0] is not None and not _YEAR_BEFORE.search(asked.text):
        return None
    spans = _spans_again(asked) or _from_before(asked, compares=compares) or two_spans(asked, compares=compares)
    if spans is None:
        return None
    words = _words(spans.rest)
    found = asked.figure(words)
    if isinstance(found, Refused):
        return found
    before_it = _groups_before(asked) if asked.says_it(words) or asked.instead is not None else ()
    if isinstance(before_it, Refused):
        return before_it
    studies = [_study(asked, read, spans, before_it or read.by) for read in found]
    kept = tuple(s for s in studies if isinstance(s, Recognised))
    return kept or next(s for s in studies if isinstance(s, Refused))


_LAST_YEAR = re.compile(r"\b(?:the )?(?:(?:last|previous|prior) year|year before)\b", re.IGNORECASE)
_BARE_LINK = re.compile(rf"\b(?:{_LINK}|compare|with|to|from)\b", re.IGNORECASE)


def _words(rest: str) -> str:
    """What is left of a question when the words of the comparison are gone."""
    return _ENDS.sub("", " ".join(_NOISE.sub(" ", rest).split()))


def _spans_again(asked: Asked) -> TwoSpans | None:
    """The two periods of the answer before, where it is asked again of another figure."""
    if asked.instead is None or asked.compared is None:
        return None
    now, then = asked.compared
    return TwoSpans(now=(now.start, now.end), earlier=(then.start, then.end), rest="")


def _from_before(asked: Asked, *, compares: bool) -> TwoSpans | None:
    """ "compare with last year" after a figure of a period: that period against the one that is named.

    None where another figure is named, or the answer before was of no period.
    """
    said = asked.previous.times if compares and asked.previous is not None else ()
    shown = next(((t.start, t.end) for t in said if t.start and t.end), None)
    just_before, a_year = _JUST_BEFORE.search(asked.text), _YEAR_BEFORE.search(asked.text)
    last_year = _LAST_YEAR.search(asked.text)
    named = period_in(_BARE_LINK.sub(" ", _JUST_BEFORE.sub(" ", _YEAR_BEFORE.sub(" ", asked.text))), asked.today)
    text = named[3] if named else _LAST_YEAR.sub(" ", _JUST_BEFORE.sub(" ", _YEAR_BEFORE.sub(" ", asked.text)))
    rest = _words(text)
    if shown is None or not asked.says_it(rest):
        return None
    if a_year or (last_year and (named is None or named[:2] == shown or grain_of(*shown) != "year")):
        return TwoSpans(now=shown, earlier=year_before(*shown), rest=rest)
    if just_before or (named is not None and named[:2] == shown):
        return TwoSpans(now=shown, earlier=before(*shown), rest=rest)
    if named is None or grain_of(*named[:2]) != grain_of(*shown):
        return None
    earlier, now = sorted((named[:2], shown))
    return TwoSpans(now=now, earlier=earlier, rest=rest)


def _groups_before(asked: Asked) -> tuple[Dimension, ...] | Refused:
    """By what the answer before was broken down: the comparison is as well."""
    previous = asked.previous
    if previous is None:
        return ()
    groups = groups_of(previous)
    return _too_much(previous.measures[0].label) if groups and (previous.limit or previous.having) else groups


def _too_much(figure: str) -> Refused:
    return Refused(
        reason="I can compare two periods by one kind of groups, all of them.",
        hint=f"Ask for it in one question, as in “compare {figure} with last year”.",
        understood=True,
    )


def two_spans(asked: Asked, *, compares: bool) -> TwoSpans | None:
    """The two periods that a question names or implies; None where it names none."""
    text, assumptions = re.sub(r"\byear to date\b", "ytd", asked.text, flags=re.IGNORECASE), list[str]()
    a_year, just_before = _YEAR_BEFORE.search(text) is not None, _JUST_BEFORE.search(text) is not None
    text = _JUST_BEFORE.sub(" ", _YEAR_BEFORE.sub(" ", text))
    after_link = ""
    if links := list(re.finditer(rf"\b(?:{_LINK}|with|to)(?= )", text, re.IGNORECASE)):
        after_link = text[links[-1].end() :].strip()
    if compares or re.search(r"\bfrom\b.+\bto\b", text):
        # "between 2024 and 2025" are two periods here, not one of two years.
        text = re.sub(r"\b(?:between|from)\b", " ", text, flags=re.IGNORECASE)
        text = re.sub(rf"\b(?:{_LINK}|with|to|and)(?= )", " | ", text, flags=re.IGNORECASE)
    found: list[tuple[date, date]] = []
    rest: list[str] = []
    for part in text.split("|"):
        left = part
        while (period := period_in(left, asked.today)) is not None:
            found.append(period[:2])
            assumptions += [period[2]] if period[2] else []
            left = period[3]
        rest.append(left)
    words = " ".join(rest)
    if len(found) >= 2:
        earlier, now = sorted(found[:2])
        if _LAST_YEAR.search(text) and grain_of(*earlier) == "year" != grain_of(*now):
            earlier = year_before(*now)  # "in October compared with last year": with October of last year
        return TwoSpans(now=now, earlier=earlier, rest=words, assumptions=tuple(assumptions))
    if len(found) == 1:
        if compares and not (a_year or just_before):
            inside = period_in(after_link, asked.today)
            if inside is None or inside[3].strip():
                return None
            grain = grain_of(*found[0])
            following = (period_start(found[0][0], grain, 1), period_start(found[0][0], grain, 2)) if grain else None
            if following is None:
                return None
            return TwoSpans(now=following, earlier=found[0], rest=words, assumptions=tuple(assumptions))
        earlier = year_before(*found[0]) if a_year else before(*found[0])
        return TwoSpans(now=found[0], earlier=earlier, rest=words, assumptions=tuple(assumptions))
    if (a_year or just_before) and compares:
        start = period_start(asked.today, "year" if a_year else "month", 0 if a_year else -1)
        now = (start, period_start(start, "year" if a_year else "month", 1))
        return TwoSpans(now=now, earlier=before(*now), rest=words)
    return None


def _study(asked: Asked, read: Read, spans: TwoSpans, groups: tuple[Dimension, ...]) -> Recognised | Refused:
    group = groups[0] if groups else None
    if group is not None and (len(groups) > 1 or group.more or group.part or group.edges):
        return _too_much(read.meaning.measures[0].label)
    days = (spans.now[1] - spans.now[0]).days
    grain = "month" if days > 80 else "day"
    by = asked.by_months(read, grain)
    if isinstance(by, Refused):
        return by
    again = asked.compared if asked.instead is not None else None
    now, earlier = again or compared_spans(asked, by, spans)
    if (unknown := asked.outside(by.meaning, now, earlier)) is not None:
        return unknown
    by = replace(by, meaning=over_all_time(by.meaning))
    yearly = by.meaning.over_time is None
    figure = figure_words(read.meaning, read.meaning.measures[0])
    conditions = condition_words(read.meaning)
    assumptions = (*by.assumptions, *spans.assumptions, *_left_out(asked, read))
    if group is not None:
        split = Causes(
            asked=asked.question,
            title=titled(f"{figure} by {group.label}{_where(conditions)}: {now.label} against {earlier.label}"),
            source=read.meaning.source,
            rows=(by.meaning, by.meaning.model_copy(update={"dimensions": (by.meaning.dimensions[0], group)})),
            figure=figure_of(by.meaning),
            period=by.meaning.dimensions[0].label,
            now=now,
            before=earlier,
            parts=(group.label,),
        )
        return Recognised(study=split, assumptions=assumptions, cited=by.cited)
    study = Periods(
        asked=asked.question,
        title=titled(f"{figure}{_where(conditions)}: {now.label} against {earlier.label}"),
        source=read.meaning.source,
        rows=(by.meaning,),
        figure=figure_of(by.meaning),
        period="year" if yearly else grain,
        now=now,
        before=earlier,
        single=yearly or days <= 80,
    )
    return Recognised(study=study, assumptions=assumptions, cited=by.cited)


def _left_out(asked: Asked, read: Read) -> tuple[str, ...]:
    """What the answer before showed beside the figure that is compared."""
    shown = asked.previous.measures if asked.previous is not None else ()
    figure = read.meaning.measures[0]
    others = any(not m.context and not m.share and m.label != figure.label for m in shown)
    return (f"only {figure.label} is compared",) if others and any(m.label == figure.label for m in shown) else ()


def compared_spans(asked: Asked, by: Read, spans: TwoSpans) -> tuple[Span, Span]:
    """The two periods, cut alike where the later one is not over."""
    held = asked.dates(by.meaning.model_copy(update={"times": ()}))
    high = held[1] if held is not None and by.meaning.over_time is not None else None
    if high is not None and high + timedelta(days=1) < spans.now[0]:
        high = None
    return like_for_like(*spans.now, spans.earlier, today=asked.today, high=high)


def _where(conditions: list[str]) -> str:
    return f", where {joined(conditions)}" if conditions else ""


def cell(study: Periods, frames: tuple[str, ...]) -> str:
    """The Python step."""
    return filled(
        "two_whole_periods" if study.single else "two_periods",
        frame=frames[0],
        figure=literal(study.figure.column),
        period=literal(study.period),
        now=literal(study.now.label),
        before=literal(study.before.label),
        now_start=literal(study.now.start.isoformat()),
        before_start=literal(study.before.start.isoformat()),
        title=literal(study.title),
        axis=literal(axis_title(study.figure)),
    )


_ASKS = re.compile(r"^\W*(?:is|are|was|were|did|do|does|has|have)\b", re.IGNORECASE)
_UP = frozenset(
    ("higher", "more", "larger", "bigger", "better", "grow", "grown", "rise", "risen", "increase", "increased")
)
_DOWN = frozenset(
    ("lower", "less", "fewer", "smaller", "worse", "fall", "fallen", "drop", "dropped", "decrease", "decreased")
)


def _verdict(asked: str, change: float) -> str:
    """Yes or no, where the question takes a direction for granted."""
    words = set(re.findall(r"[a-z]+", asked.lower()))
    up, down = bool(words & _UP), bool(words & _DOWN)
    if not _ASKS.match(asked) or up == down or not change:
        return ""
    return "Yes: " if up == (change > 0) else "No: "


def word(study: Periods, result: Result) -> Told:
    """The answer, from the two periods as wholes and, where there are any, their months."""
    whole, *months = result.records
    figure = study.figure
    early, late = whole[study.before.label], whole[study.now.label]
    if early is None or late is None:
        missing = study.before.label if early is None else study.now.label
        return Told(text=f"There is nothing to compare: no figure for {missing}.")
    change = number(late) - number(early)
    moved = "rose" if change > 0 else "fell" if change < 0 else "did not change"
    share = f" ({percent(change / abs(number(early)), signed=True)})" if number(early) else ""
    verdict = _verdict(study.asked, change)
    text = f"{verdict}{figure.label if verdict else titled(figure.label)} {moved} from **{amount(early, figure)}** ({study.before.label}) to "
    text += f"**{amount(late, figure)}** ({study.now.label}): **{difference(change, figure)}**{share}."
    if not change:
        text = f"{titled(figure.label)} is the same in both: **{amount(late, figure)}** ({study.before.label}, {study.now.label})."
    known = [m for m in months if m["change"] is not None]
    if len(known) > 1:
        better = sum(1 for m in known if number(m["change"]) > 0)
        text += f" Month by month it was higher in {better} of {len(known)}."
    notes = tuple(dict.fromkeys(note for note in (study.now.partial, study.before.partial) if note))
    named = grain_of(study.now.start, study.now.end) is not None
    ask = f"in {study.now.label}" if named else "compared with last year"
    return Told(text=text, notes=notes, follow_ups=(f"why did {figure.label} change {ask}?",))
