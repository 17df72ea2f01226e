"""Is a question a study? Every kind is asked in turn; the first that knows the question reads it, or says why not.

Recognised before any other reading, because the words that make a study ("why", "trend", "forecast") would only be in
the way there. A question that the knowledge base has verified, or that reads well without being a study, is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.embedded.analyst import Analyst, Understood
from assistant.embedded.dialogue import edits as dialogue
from assistant.embedded.meaning import Meaning
from assistant.embedded.studies import (
    causes,
    description,
    distribution,
    forecast,
    groups,
    growth,
    movers,
    relation,
    risk,
    trend,
    twoperiods,
)
from assistant.embedded.studies.asking import Asked
from assistant.embedded.studies.outcomes import Recognised, Refused, StudyOutcome, Unsure
from assistant.embedded.studies.queries import ROWS_MAX, reads_part
from assistant.embedded.studies.study import Periods, Span, Study

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
    groups.recognise,
)
"""The kinds in the order in which they are asked; an earlier one may know the question better."""

_LINKS = frozenset(("by", "per", "for", "in", "since", "from", "with", "of", "between", "without", "compared", "than"))
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
    compared = (study.now, study.before) if isinstance(study, Periods) else None
    found = _recognised(question, analyst, previous, compared)
    if found is None and study is not None and dialogue.is_follow_up(question):
        again = _recognised(f"{study.asked} {_connected(question)}", analyst, study.rows[0])
        return again if isinstance(again, Recognised | Unsure) and not _same(again, study) else None
    if found is None:
        return None
    plain = analyst.read(question)
    if isinstance(plain, Understood) and plain.trust == "verified":
        return None
    if isinstance(found, Refused) and not found.understood:
        other = Asked(question=question, analyst=analyst).read(question)
        return found if isinstance(other, Refused) else None
    return found


def changed(wish: str, study: Study, analyst: Analyst) -> StudyOutcome | None:
    """What a person wants to be different about a study: the question with the wish at its end, read anew."""
    found = _recognised(f"{study.asked} {_connected(wish)}", analyst, study.rows[0])
    return found if found is not None else _recognised(wish, analyst, study.rows[0])


def _recognised(
    question: str, analyst: Analyst, previous: Meaning | None, compared: tuple[Span, Span] | None = None
) -> StudyOutcome | None:
    asked = Asked(question=question, analyst=analyst, previous=previous, compared=compared)
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


def _connected(follow_up: str) -> str:
    """A follow-up without the words that only tie it to what was before."""
    words = follow_up.strip().rstrip("?!.").split()
    while words and words[0].lower() in ("and", "but", "now", "only", "just", "what", "how", "about", "please", "no"):
        words.pop(0)
    while words and words[-1].lower() in ("instead", "please", "only", "too"):
        words.pop()
    text = " ".join(words)
    tied = text.split(" ", 1)[0].lower() in _LINKS
    return text if tied else f"for {text}"


def _same(found: Recognised | Unsure, study: Study) -> bool:
    return isinstance(found, Recognised) and found.study.model_copy(update={"asked": study.asked}) == study
