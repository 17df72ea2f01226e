"""Follow-ups of a study: "for 6 months", "only the south", "and the number of orders?", "compared with last year".

What speaks of the study itself, its periods or how far it goes, is read with the question before. Anything else changes
the figure that the study is about, and the question before is read again of that figure. Nothing is passed over: words
that neither takes are no follow-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.embedded.analyst import Analyst
from assistant.embedded.dialogue import signs
from assistant.embedded.meaning import Meaning, TimeRange
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.asking import Asked, groups_of, over_all_time, stripped
from assistant.embedded.studies.outcomes import Recognised, Refused, StudyOutcome, Unsure
from assistant.embedded.studies.periods import grain_in, period_in
from assistant.embedded.studies.study import Causes, Figure, Forecast, Growth, Periods, Study, Trend

Recognise = Callable[[Asked], StudyOutcome | None]
_LINKS = frozenset(
    ("by", "per", "for", "in", "since", "from", "with", "of", "between", "without", "compared", "than", "versus", "vs",
     "against", "until", "over", "monthly", "weekly", "quarterly", "yearly", "daily")
)  # fmt: skip
_COMPARED = re.compile(
    r"^(?:and |now |but )*(?:compared? (?:it |that |this )?(?:with|to)|with|versus|vs\.?|against)\b\s*(?P<to>.*)$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"^(?:and |now )?(?:year|month|quarter|week)[ -](?:over|on|by)[ -](?:year|month|quarter|week)\b|^yoy\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r"^(?:and|now|but|or|what about|how about|then|the same|same|for|in|of)\b[\s,]*", re.IGNORECASE)
_ONLY_ADDS = re.compile(r"^(?:and|also|plus)\b[\s,]*|[\s,]*\b(?:too|as well|also)[\s?.!]*$", re.IGNORECASE)


def may_follow(question: str) -> bool:
    """Whether the words may go on from a study."""
    text = question.strip()
    return signs.is_follow_up(text) or bool(_COMPARED.match(text) or _OVER.match(text))


def continued(question: str, study: Study, analyst: Analyst, recognise: Recognise) -> StudyOutcome | None:
    """The study before, changed as the words say; None where they do not say how."""
    if not _of_one_figure(study):
        again = recognise(Asked(question=_together(study, question), analyst=analyst, previous=study.rows[0]))
        kept = isinstance(again, Unsure) or (isinstance(again, Recognised) and _labels(again.study) == _labels(study))
        return again if kept and isinstance(again, Recognised | Unsure) and not _same(again, study) else None
    figure = _figure(study)
    return _of_its_own_words(question, study, figure, analyst, recognise) or _of_another_figure(
        question, study, figure, analyst, recognise
    )


def _figure(study: Study) -> Meaning:
    """The figure that a study is about, by its groups where it is followed for each of them."""
    if isinstance(study, Causes | Periods):
        return stripped(over_all_time(study.rows[0]))
    return stripped(study.rows[0]).model_copy(update={"dimensions": groups_of(study.rows[0])})


def _of_one_figure(study: Study) -> bool:
    return isinstance(study, Forecast | Growth | Periods | Trend) or (isinstance(study, Causes) and not study.leading)


def _of_its_own_words(
    question: str, study: Study, figure: Meaning, analyst: Analyst, recognise: Recognise
) -> StudyOutcome | None:
    """What is said of the study itself: its periods, what it is compared with, how far it goes."""
    before = Asked(question=study.asked, analyst=analyst, previous=study.rows[0], instead=figure)
    recognise(before)
    if isinstance(study, Causes | Periods) and (found := _of_other_periods(question, study, analyst, recognise)):
        return found
    if isinstance(study, Periods) or _is_split(study):
        return None
    asked = Asked(question=_together(study, question), analyst=analyst, previous=study.rows[0], instead=figure)
    again = recognise(asked)
    taken = bool(asked.heard) and _bare(asked.heard[-1]) == _bare(before.heard[-1] if before.heard else "")
    kept = isinstance(again, Recognised) and again.study.kind == study.kind
    return again if kept and taken and isinstance(again, Recognised) and not _same(again, study) else None


def _is_split(study: Study) -> bool:
    """Whether two periods are compared group by group."""
    return isinstance(study, Causes) and not study.leading and not study.title.startswith("What the change")


def shown(study: Study) -> Meaning:
    """What a study shows, as the answer that a follow-up goes on from: its figure, by its groups, in its period."""
    if not isinstance(study, Causes | Periods):
        return next((meaning for meaning in study.rows if meaning.measures), study.rows[0])
    by = study.rows[-1] if _is_split(study) else study.rows[0]
    period = by.dimensions[0]
    end = study.now.end
    start = study.now.start
    if study.now.partial and (start.month, start.day) == (1, 1):
        end = start.replace(year=start.year + 1)  # the year is not over; what is compared is cut alike once more
    time = TimeRange(column=period.column, start=start, end=end, label=study.now.label, year_number=not period.grain)
    groups = by.dimensions[1:] if _is_split(study) else ()
    return by.model_copy(update={"dimensions": groups, "times": (time,)})


def _of_other_periods(
    question: str, study: Causes | Periods, analyst: Analyst, recognise: Recognise
) -> StudyOutcome | None:
    """ "and with 2023?": the same period against another one; "and in September?": why it changed there."""
    text = question.strip().rstrip("?!. ")
    match = _COMPARED.match(text)
    words = match["to"] if match else text
    while not match and (tied := _ANOTHER.match(words)) is not None:
        words = words[tied.end() :]
    named = period_in(words, analyst.today)
    last_year = re.fullmatch(r"(?:the )?(?:(?:last|previous|prior) year|year before)", words, re.IGNORECASE)
    if not last_year and (named is None or named[3].strip()):
        return None
    if isinstance(study, Causes) and not _is_split(study):
        if match or last_year:
            return None
        asked = f"why did it {study.claimed or 'change'} in {words}"
    else:
        asked = f"compare it with {words}"
    found = recognise(Asked(question=asked, analyst=analyst, previous=shown(study)))
    return found if isinstance(found, Recognised | Unsure | Refused) else None


def _of_another_figure(
    question: str, study: Study, figure: Meaning, analyst: Analyst, recognise: Recognise
) -> StudyOutcome | None:
    """What is said of the figure: its conditions, or another one in its place."""
    edited = analyst.read(question, figure)
    if not (isinstance(edited, Understood) and _is_figure(edited.meaning)) and _ONLY_ADDS.search(question.strip()):
        edited = analyst.read(_ONLY_ADDS.sub("", question.strip().rstrip("?!. ")) + " instead", figure)
    if not isinstance(edited, Understood) or not _is_figure(edited.meaning):
        return None
    if edited.meaning.dimensions and not _takes_groups(study, question):
        return None
    again = recognise(
        Asked(
            question=study.asked,
            analyst=analyst,
            previous=shown(study),
            compared=(study.now, study.before) if isinstance(study, Causes | Periods) else None,
            instead=edited.meaning,
        )
    )
    if isinstance(again, Refused):
        return again
    return again if isinstance(again, Recognised | Unsure) and not _same(again, study) else None


def _takes_groups(study: Study, question: str) -> bool:
    """Whether a study is followed for each group from now on; "by region instead" of a whole is an ordinary answer."""
    if not isinstance(study, Forecast | Growth | Trend):
        return False
    return study.series.groups is not None or not re.search(r"\binstead\b", question, re.IGNORECASE)


def _is_figure(meaning: Meaning) -> bool:
    """Whether a meaning is one figure under conditions, perhaps by groups, and nothing else."""
    plain = groups_of(meaning) == meaning.dimensions
    plain = plain and not (meaning.columns or meaning.having or meaning.limit or meaning.chart)
    return plain and len(meaning.measures) == 1 and not meaning.measures[0].share and not meaning.beside


def _together(study: Study, follow_up: str) -> str:
    """The question before with a follow-up at its end, without the words that only tie it."""
    words = follow_up.strip().rstrip("?!.").split()
    while words and words[0].lower() in ("and", "but", "now", "only", "just", "what", "how", "about", "please", "no"):
        words.pop(0)
    while words and words[-1].lower() in ("instead", "please", "only", "too"):
        words.pop()
    text = " ".join(words)
    tied = text.split(" ", 1)[0].lower() in _LINKS or bool(_OVER.match(text))
    asked = study.asked.strip().rstrip("?!.")
    if grain_in(text)[0] is not None and not _OVER.match(text):
        asked = grain_in(asked)[1]
    return f"{asked} {text}" if tied else f"{asked} for {text}"


def _labels(study: Study) -> tuple[str, ...]:
    """What the figures of a study are called: a follow-up may not change them unnoticed."""
    figures = [getattr(study, name, None) for name in ("figure", "x", "y")]
    return tuple(f.label for f in figures if isinstance(f, Figure))


def _bare(words: str) -> str:
    return " ".join(word for word in words.split() if word not in _LINKS)


def _same(found: Recognised | Unsure, study: Study) -> bool:
    return isinstance(found, Recognised) and found.study.model_copy(update={"asked": study.asked}) == study
