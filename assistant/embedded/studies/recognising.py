"""Is a question a study? Every kind is asked in turn; the first that knows the question reads it, or says why not.

Recognised before any other reading, because the words that make a study ("why", "trend", "forecast") would only be in
the way there. A question that the knowledge base has verified, or that reads well without being a study, is left alone.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.embedded.analyst import Analyst
from assistant.embedded.dialogue import signs
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies import (
    causes,
    description,
    distribution,
    followed,
    forecast,
    groups,
    growth,
    movers,
    relation,
    risk,
    trend,
    trend_by_group,
    twoperiods,
)
from assistant.embedded.studies.asking import Asked
from assistant.embedded.studies.outcomes import Recognised, Refused, StudyOutcome, Unsure
from assistant.embedded.studies.queries import ROWS_MAX, reads_part
from assistant.embedded.studies.study import Causes, Periods, Study

KINDS: tuple[Callable[[Asked], Sequence[Recognised] | Refused | None], ...] = (
    forecast.recognise,
    causes.recognise,
    movers.recognise,
    risk.recognise,
    description.recognise,
    distribution.recognise,
    twoperiods.recognise,
    relation.recognise,
    growth.recognise,
    trend.recognise,
    trend_by_group.recognise,
    groups.recognise,
)
"""The kinds in the order in which they are asked; an earlier one may know the question better."""

_OPTIONS_MAX = 4
_WORDS_MAX = 60


def recognise(
    question: str, analyst: Analyst, previous: Meaning | None = None, study: Study | None = None
) -> StudyOutcome | None:
    """Read a question as a study; None where it is none.

    Args:
        question: What was asked.
        analyst: Who reads the words that are not the study's own.
        previous: What was meant before, for "why did it fall?".
        study: The study before, if the turn before was one, for "only the south" and "for 6 months".
    """
    if not analyst.sources or len(question.split()) > _WORDS_MAX:
        return None
    if study is not None and (until := _asks_until(question)):
        return Refused(reason=f"{study.title}.", hint=until, understood=True)
    if study is not None and followed.may_follow(question):
        again = followed.continued(question, study, analyst, _recognised)
        if again is not None:
            return again
    compared = (study.now, study.before) if isinstance(study, Periods | Causes) else None
    whole = question if study is not None else _whole(question, previous)
    found = _recognised(Asked(question=whole, analyst=analyst, previous=previous, compared=compared))
    if found is None and study is not None and signs.needs_more(question) and not _INSTEAD.search(question):
        return Refused(
            reason=f"I cannot change this so: {study.title[:1].lower()}{study.title[1:]}.",
            hint="Ask for it in a question of its own.",
            understood=True,
        )
    if found is None:
        return None
    plain = analyst.read(question)
    if isinstance(plain, Understood) and plain.trust == "verified":
        return None
    if isinstance(found, Refused) and not found.understood:
        other = Asked(question=question, analyst=analyst).read(question)
        return found if isinstance(other, Refused) else None
    return found


_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
"""An ordinary answer is wanted in the place of the study."""
_CHANGE = re.compile(
    r"^(?:and |show |what (?:is|was) |how (?:big|large) (?:is|was) )*(?:the |its |their )?(?:change|growth|difference|development|growth rate)s?$",
    re.IGNORECASE,
)
_ADDED_UP = re.compile(
    r"^(?:and |now |show |make it |(?:as )?(?:a |the ))*(?:running (?:totals?|sums?)|cumulative(?:ly)?(?: (?:totals?|sums?))?|cumulated|added up over time)$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"^(?:and )?(?:(?:un)?til|up to|to|since|from) when|^how far(?: ahead| back)?|^(?:for )?(?:which|what) (?:period|months|time|dates)$",
    re.IGNORECASE,
)


def _whole(question: str, previous: Meaning | None) -> str:
    """ "and the change?" as a question of the figure before: over its periods, or against the period before."""
    text = re.sub(r"[?!.\s]+$", "", question.strip())
    over = previous.over_time if previous is not None and previous.measures else None
    if over and _ADDED_UP.match(text):
        return f"running total of it by {over.grain}"
    if previous is None or not previous.measures or not _CHANGE.match(text):
        return question
    return f"growth of it by {over.grain}" if over else "compare it with the previous period"


def _asks_until(question: str) -> str:
    text = re.sub(r"[?!.\s]+$", "", question.strip())
    return "Ask for another period, as in “for 6 months”." if _UNTIL.match(text) else ""


def changed(wish: str, study: Study, analyst: Analyst) -> StudyOutcome | None:
    """What a person wants to be different about a study: the question with the wish at its end, read anew."""
    again = followed.continued(wish, study, analyst, _recognised)
    return again or _recognised(Asked(question=wish, analyst=analyst, previous=study.rows[0]))


def _recognised(asked: Asked) -> StudyOutcome | None:
    analyst = asked.analyst
    for kind in KINDS:
        found = kind(asked)
        if found is None:
            continue
        if isinstance(found, Refused):
            return found
        found = [_with_limit(option, analyst) for option in found]
        options = {option.study.title: option for option in reversed(found)}
        ordered = [option for option in found if options.get(option.study.title) is option]
        if len(ordered) == 1:
            return ordered[0]
        labelled = tuple((option.study.title, option) for option in ordered[:_OPTIONS_MAX])
        return Unsure(text="I can read this in more than one way. Which do you mean?", options=labelled)
    return None


def _with_limit(option: Recognised, analyst: Analyst) -> Recognised:
    """What is said where a table is too large to be read row by row."""
    if not any(reads_part(meaning, analyst) for meaning in option.study.rows):
        return option
    note = f"only the first {ROWS_MAX:,} rows are read, for there are too many to read them all"
    return replace(option, assumptions=(*option.assumptions, note))
