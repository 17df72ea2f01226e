"""What comes of the readings of a question: the likeliest is answered, a few are offered, or it is declined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assistant.embedded.assembly.details import with_details
from assistant.embedded.assembly.known_groups import with_known_groups
from assistant.embedded.definitions import prose
from assistant.embedded.learned import Learned
from assistant.embedded.meaning import Meaning, Measure
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Outcome, Understood
from assistant.embedded.reading.confidence import ANSWERED, OFFERED
from assistant.embedded.reading.evidence import grave, headless
from assistant.embedded.reading.reader import Candidate, Failure, confident, near_best, plausible
from assistant.embedded.wording.coverage import beyond_data, left_out, read_as_days
from assistant.embedded.wording.labels import labelled
from assistant.embedded.wording.phrases import restated

_OPTIONS_MAX = 4
_WHICH = "I can read this in more than one way. Which do you mean?"
_UNSURE = "I am not sure that I read this right. Do you mean this?"
_WORDS_MAX = 4
_READINGS_OFFERED = 3
_FAR = 0.2
"""A reading that is this much less likely than the best is not offered."""


@dataclass(frozen=True, slots=True)
class Decider:
    """Decides on readings of questions on `sources`, by name. `hint` says what could be asked instead."""

    sources: Mapping[str, Learned]
    hint: Callable[[], str]

    def decided(self, candidates: Sequence[Candidate]) -> Outcome:
        """Answer with the likeliest reading, offer the likeliest ones, or decline, by their confidence."""
        whole = [c for c in candidates if c.whole and not any(span.likened for span in c.spans)]
        if any(m.metric and c.cited for c in whole for m in c.meaning.measures):
            # the knowledge base says what is meant, nothing is left over, and no word is but like a name
            return self.outcome(sorted(whole, key=lambda c: -c.score))
        best = candidates[0]
        twins = [c for c in near_best([best, *candidates[1:]]) if restated(c.meaning) == restated(best.meaning)]
        if best.whole and len(twins) > 1:  # the same words by other keys: nothing but the person can tell
            others = labelled(self._made(twins))
            return Ambiguous(text=_WHICH, options=others) if len(others) > 1 else self.understood(best)
        if best.confidence >= ANSWERED and not grave(best):
            return self.understood(best)
        if best.confidence < OFFERED or headless(best):
            return self.unread(best.ignored)
        offered = [c for c in candidates if c.confidence >= best.confidence * _FAR][:_READINGS_OFFERED]
        options = labelled(self._made(offered))
        text = _WHICH
        if best.ignored:
            text = f"{_puzzled(best)} Without it I can show this:"
        elif len(options) == 1:
            text = _UNSURE
        return Ambiguous(text=text, options=options)

    def outcome(self, candidates: Sequence[Candidate]) -> Outcome:
        """Answer with what is clearly the best reading, else offer those about as good, by their scores."""
        near = _different(near_best(candidates))
        if len(near) > 1:
            options = labelled(self._made(near[:_OPTIONS_MAX]))
            if len(options) > 1:
                return Ambiguous(text=_WHICH, options=options)
        best = near[0]
        if not confident(best) and (len(candidates) > 1 or not plausible(best)):
            return Ambiguous(
                text=_UNSURE,
                options=labelled(self._made(candidates[:_OPTIONS_MAX])),
            )
        return self.understood(best)

    def understood(self, best: Candidate) -> Understood:
        """A reading as an answer, with all that it takes for granted."""
        ignored = tuple(f"“{word}” is not taken into account" for word in best.ignored)
        source = self.sources[best.meaning.source]
        defined = dict(prose.said(best.meaning, best.spans, source.known))
        (meaning,) = self._made([best])
        return Understood(
            meaning=with_details(meaning, source.schema),
            restated=restated(meaning),
            tables=meaning.tables(),
            assumptions=(
                *ignored,
                *defined,
                *prose.unused(best.spans, source.known),
                *best.assumptions,
                *beyond_data(best.meaning, source.schema),
                *left_out(best.meaning, source.schema),
                *read_as_days(best.meaning, source.schema),
            ),
            cited=tuple(dict.fromkeys((*best.cited, *defined.values()))),
            confidence=best.confidence or min(1.0, best.score),
        )

    def _made(self, candidates: Sequence[Candidate]) -> list[Meaning]:
        """What the readings compute."""
        return [with_known_groups(c.meaning, self.sources[c.meaning.source].schema) for c in candidates]

    def failed(self, failure: Failure) -> NotUnderstood:
        """Decline for a reason that is weighty enough to be told, else for the words that were not understood."""
        words = tuple(dict.fromkeys(w for w in failure.words if w.strip()))
        if failure.weight >= 3 and failure.reason:
            return self.declined((), failure.reason)
        return self.unread(words, failure.reason)

    def unread(self, words: tuple[str, ...], reason: str = "") -> NotUnderstood:
        """Decline for words that were not understood."""
        if words:
            return self.declined(words, f"I do not know what {_quoted(words)} means here.")
        return self.declined((), reason or "I could not make sense of the question.")

    def declined(self, words: tuple[str, ...], reason: str) -> NotUnderstood:
        """An honest no, with the words that were not understood and what could be asked instead."""
        return NotUnderstood(words=words, reason=reason, hint=self.hint())


def _different(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first of those that compute the same."""
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(_computed(candidate.meaning), candidate)
    return list(first.values())


def _computed(meaning: Meaning) -> str:
    """What a meaning computes, whatever its figures are called: a metric may be the plain sum of a column."""
    measures = [
        measure.model_copy(
            update={"metric": "", "label": "", "unit": "", "aggregate": None, "column": None, "expression": sql}
        )
        if (sql := _in_sql(measure))
        else measure
        for measure in meaning.measures
    ]
    return meaning.model_copy(update={"measures": tuple(measures)}).model_dump_json()


def _in_sql(measure: Measure) -> str:
    """A figure of one column, or a metric's, as SQL; nothing for others."""
    if measure.expression is not None:
        return "".join(measure.expression.lower().split())
    column, name = measure.of_rows, _AGGREGATES.get(measure.aggregate or "")
    return f"{name}({column.table}.{column.column})".lower() if column is not None and name and not column.steps else ""


_AGGREGATES = {"sum": "SUM", "average": "AVG", "minimum": "MIN", "maximum": "MAX"}


def _puzzled(candidate: Candidate) -> str:
    """What was not understood: a word that nothing goes by, or one that found no place in the reading."""
    unknown = tuple(span.text for span in candidate.unknown)
    if unknown:
        return f"I do not know what {_quoted(candidate.ignored)} means here."
    return f"I could not place {_quoted(candidate.ignored)} in the question."


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:_WORDS_MAX])
