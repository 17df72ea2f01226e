"""The answers of a session as the person would go through them: a pure function of the log, nothing is stored for it.

"Back" leads to the answer before, and a second time to the one before that, as in a browser: a turn that only went
back is no new answer. The answer before is also what a follow-up refers to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from assistant.embedded.dialogue.earlier import back_of
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Trust
from assistant.embedded.studies.followed import shown
from assistant.embedded.studies.study import Study, study_of
from assistant.embedded.wording.phrases import restated
from assistant.events import Event
from assistant.memory.focus import Focus, answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One answer: what was asked and meant, and what its plan took for granted.

    There is no meaning where somebody else planned the turn, or where the person changed its code by hand. A study has
    the meaning that an ordinary follow-up edits: the figure it is about, in the period it is about.
    """

    question: str = ""
    meaning: Meaning | None = None
    study: Study | None = None
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    trust: Trust = "new"

    @property
    def title(self) -> str:
        """What it is known by, for whoever goes back to it by name."""
        said = self.study.title if self.study else restated(self.meaning) if self.meaning else ""
        return f"{self.question} {said}"


def answer_history(log: Sequence[Event]) -> tuple[Past, ...]:
    """The answers so far, the last one at the end, without those that were gone back from."""
    kept: list[Past] = []
    for one in answered(log):
        found = past(one)
        back = back_of(one.question or "")
        at = back.among([p.title for p in kept]) if back is not None else None
        if at is not None and (kept[at].meaning, kept[at].study) == (found.meaning, found.study):
            if not (back and (back.first or back.named)):
                del kept[at + 1 :]
                continue
            found = kept[at]
        kept.append(found)
    return tuple(kept)


def past(found: Focus) -> Past:
    """An answered turn as it was meant."""
    said = found.proposal_meaning or found.plan_meaning
    question = found.question or ""
    if not said or found.edited:
        return Past(question=question)
    study = study_of(said)
    return Past(
        question=question,
        meaning=rows_of(study) if study else read_back(said),
        study=study,
        assumptions=found.assumptions,
        cited=found.cited,
        trust=found.trust,
    )


def rows_of(study: Study) -> Meaning | None:
    """The meaning that an ordinary follow-up to a study edits: the figure it is about, in the period it is about."""
    return shown(study) if any(meaning.measures for meaning in study.rows) else None


def read_back(said: str) -> Meaning | None:
    """A meaning as it was written down; None where another version of Tandem wrote it in a form of its own."""
    try:
        return Meaning.model_validate_json(said)
    except ValidationError:
        return None
