"""What recognising a question as a study gives: one study, several to choose from, or an honest no."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.embedded.studies.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """One study, sure enough to propose. `cited` are ids of the documents it rests on."""

    study: Study
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table the study reads."""
        return tuple(dict.fromkeys(name for meaning in self.study.rows for name in meaning.tables()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsure:
    """Two to four studies that are equally likely. Labels differ."""

    text: str
    options: tuple[tuple[str, Recognised], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """It is a study, but this data or these words do not allow it: why, and what could be asked instead.

    `understood`: the words are clear and it is the data that does not allow it, so no other reading is tried.
    """

    reason: str
    hint: str = ""
    understood: bool = False


StudyOutcome = Recognised | Unsure | Refused
