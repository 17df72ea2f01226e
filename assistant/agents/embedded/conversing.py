"""A question in the light of all answers before it: going back to one of them, two of them in one, or a follow-up.

A pure function of the words, the analyst and the answers so far (`answer_history`). What refers to the last answer
alone is left to the analyst and to studies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.agents.embedded.answer_history import Past
from assistant.embedded.analyst import Analyst
from assistant.embedded.dialogue.earlier import Back, back_of
from assistant.embedded.dialogue.together import is_ranking, same_but_period, so_many, together
from assistant.embedded.linking import idioms
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import NotUnderstood, Outcome, Trust, Understood
from assistant.embedded.studies.outcomes import Recognised, StudyOutcome
from assistant.embedded.studies.recognising import recognise
from assistant.embedded.wording.phrases import restated
from assistant.embedded.words import sayings
from assistant.embedded.words.lexicon import plural

_COMPARING = re.compile(r"\bcompar", re.IGNORECASE)
_NONE_BEFORE = "There is no answer before this one."
_NONE_SO = "There is no answer before this one that goes by “{name}”."
_NOT_AGAIN = (
    "I cannot make that answer again, for its code was not mine alone. Please ask its question again: “{question}”"
)
_GONE = "The data of that answer is no longer here."
_ONE_ONLY = "I cannot tell which ones you mean; please name them."
_APART = (
    "I cannot show the last two answers in one: they differ in more than one thing. Please name what you want of each."
)


def read(text: str, analyst: Analyst, answer_history: Sequence[Past]) -> Outcome | StudyOutcome:
    """What a question means after the answers before it, the last one at the end of the answer_history."""
    if analyst.recalls(text):
        return _read(text, analyst, answer_history)
    opened = text if answer_history else sayings.plainly(text)
    asked, said = idioms.plain(opened, [source.linker for source in analyst.sources.values()])
    found = _read(asked, analyst, answer_history)
    if said and isinstance(found, Understood | Recognised):
        return replace(found, assumptions=(said, *found.assumptions))
    return found


def _read(text: str, analyst: Analyst, answer_history: Sequence[Past]) -> Outcome | StudyOutcome:
    """What a question means that is put plainly."""
    if answer_history and (back := back_of(text)) is not None:
        return _gone_back(text, back, analyst, answer_history)
    single = [past for past in answer_history if not so_many(past.question)]
    count = so_many(text)
    if 1 < count <= len(single) and (found := _in_one(text, analyst, single[-count:])) is not None:
        return found
    found = _of_last(text, analyst, answer_history)
    return _declined(_ONE_ONLY) if answer_history and count and isinstance(found, NotUnderstood) else found


def understood(
    analyst: Analyst,
    meaning: Meaning,
    *,
    assumptions: tuple[str, ...] = (),
    cited: tuple[str, ...] = (),
    trust: Trust = "new",
) -> Understood:
    """A meaning that needs no reading any more: it was chosen, or was an answer before."""
    return Understood(
        meaning=meaning,
        restated=restated(meaning),
        tables=meaning.tables(),
        assumptions=assumptions,
        cited=tuple(dict.fromkeys((*cited, *analyst.cited(meaning)))),
        trust=trust,
    )


def _of_last(text: str, analyst: Analyst, answer_history: Sequence[Past]) -> Outcome | StudyOutcome:
    """A study first, for its cue words stand in the way of any other reading."""
    last = answer_history[-1] if answer_history else Past()
    return recognise(text, analyst, last.meaning, last.study) or analyst.read(text, last.meaning)


def _gone_back(text: str, back: Back, analyst: Analyst, answer_history: Sequence[Past]) -> Outcome | StudyOutcome:
    """An earlier answer once more, as it was; or what the words mean without one, or why there is none."""
    at = back.among([past.title for past in answer_history])
    if at is None:
        other = _of_last(back.named or text, analyst, answer_history)
        if not isinstance(other, NotUnderstood):
            return other
        return _declined(_NONE_SO.format(name=back.named) if back.named else _NONE_BEFORE)
    past = answer_history[at]
    if past.meaning is None and past.study is None:
        return _declined(_NOT_AGAIN.format(question=past.question))
    meanings = past.study.rows if past.study is not None else (past.meaning,)
    if any(meaning is None or meaning.source not in analyst.sources for meaning in meanings):
        return _declined(_GONE)
    if past.study is not None:
        return Recognised(study=past.study, assumptions=past.assumptions, cited=past.cited)
    assert past.meaning is not None, "it is a study otherwise"
    return understood(analyst, past.meaning, assumptions=past.assumptions, cited=past.cited, trust=past.trust)


def _in_one(text: str, analyst: Analyst, answers: Sequence[Past]) -> Outcome | StudyOutcome | None:
    """The last answers as one; None where they are not the analyst's own, so that the words may mean something else.

    Two periods are compared by a study where that is what is asked for.
    """
    meanings = [past.meaning for past in answers if past.meaning is not None and past.study is None]
    if len(meanings) < len(answers):
        return None
    first, last = meanings[0], meanings[-1]
    found = together(meanings)
    if same_but_period(first, last) and last.measures and (found is None or _COMPARING.search(text)):
        compared = recognise(f"compare it with {first.times[0].label}", analyst, last)
        if isinstance(compared, Recognised):
            return compared
    if found is None and is_ranking(first) and is_ranking(last):
        return _two_rankings(first, last, analyst)
    if found is None or found.source not in analyst.sources:
        return _declined(_APART)
    assumptions = tuple(dict.fromkeys(said for past in answers for said in past.assumptions))
    return understood(analyst, found, assumptions=assumptions)


def _two_rankings(one: Meaning, other: Meaning, analyst: Analyst) -> NotUnderstood:
    """Why two rankings are no one list, and what to say instead; it was read before it is told."""
    ranked, before = (m.dimensions[0].label for m in (other, one))
    if ranked != before:
        reason = f"The last two answers rank different things, {plural(before)} and {plural(ranked)}."
        return _declined(reason, "Say “back” to see the one before again.")
    figure = one.measures[one.order[0].index].label
    if one.order[0].descending != other.order[0].descending:
        reason = f"One ranks the {plural(ranked)} from the top and the other from the bottom."
        hint = f"Say “show all” to see all {plural(ranked)} in one list, from one end to the other."
        return _declined(reason, hint if isinstance(analyst.read("show all", other), Understood) else "")
    wish = f"and their {figure}"
    reason = f"The last two answers rank the {plural(ranked)} differently, and a list has one order."
    beside = isinstance(analyst.read(wish, other), Understood)
    return _declined(reason, f"Say “{wish}” to see it beside the last ranking." if beside else "")


def _declined(reason: str, hint: str = "") -> NotUnderstood:
    return NotUnderstood(words=(), reason=reason, hint=hint)
