"""A question that asks for more than a query: trend, forecast, correlation, distribution, outliers, drivers.

A phrase of the lexicon says which; the rest of the question is read by the grammar as any other. What the grammar
cannot tell apart is left to it: without the parts that a study needs there is no study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.analyst.dialogue.cues import begins, meanings, spoken, without
from assistant.analyst.grammar.chart import Derivation, Frame
from assistant.analyst.linking.dates import unbound
from assistant.analyst.linking.tokens import Word, costs, light
from assistant.analyst.meaning import Meaning, StudyKind
from assistant.analyst.names import words_of
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.source import AnalystSource
from assistant.analyst.studies.change import drivers
from assistant.analyst.studies.study_request import StudyRequest
from assistant.analyst.studies.time_series import forecast, trend
from assistant.analyst.studies.values import correlation, difference, distribution, outliers

if TYPE_CHECKING:
    from assistant.analyst.studies.function_study import FunctionStudy

_DERIVATIONS_MAX = 10
_MAKERS: dict[StudyKind, Callable[[StudyRequest], Meaning | Declined | None]] = {
    "forecast": forecast,
    "trend": trend,
    "correlation": correlation,
    "distribution": distribution,
    "outliers": outliers,
    "difference": difference,
    "drivers": drivers,
}


def recognised(question: str, source: AnalystSource, previous: Meaning | None) -> Meaning | Declined | None:
    """The study that a question asks for; None where it asks for none, a refusal where it lacks what one needs.

    A tested function is asked for where its words are no study that is known here, or leave words that this cannot use.
    """
    scenario = _what_if(question, source, previous)
    if scenario is not None:
        return scenario
    outcome = _known(question, source, previous)
    if isinstance(outcome, Meaning) or not source.functions:
        return outcome
    called = _of_function(question, source, previous)
    return called if isinstance(called, Meaning) else outcome or called


def _what_if(question: str, source: AnalystSource, previous: Meaning | None) -> Meaning | Declined | None:
    """A scenario with other assumptions. Few questions ask for one, so that what reads them is loaded when one does."""
    words = spoken(source.words(question))
    if not any(without(words, "scenarios", kind) is not None for kind in meanings("scenarios")):
        return None
    from assistant.analyst.studies.what_if import what_if

    meaning = what_if(words, source, previous if previous is not None and previous.source == source.name else None)
    if not isinstance(meaning, Meaning):
        return meaning
    resolved = replace(meaning, query=source.settled(meaning.query))
    return replace(resolved, assumptions=source.assumed(resolved))


def _known(question: str, source: AnalystSource, previous: Meaning | None) -> Meaning | Declined | None:
    """A study that has templates of its own."""
    words = spoken(source.words(question))
    names = {at for span in source.reader.names(words) for at in range(span.start, span.end)}
    cue = _cue(words, names | _of_names(words, source))
    if cue is None:
        return None
    kind, remaining = cue
    before = previous if previous is not None and previous.source == source.name else None
    refused: Declined | None = None
    dates = tuple(part for part in source.dates(words) if not begins(words[part.start :], "next"))
    for derivation in source.frames(remaining)[:_DERIVATIONS_MAX]:
        if not _is_read(derivation, remaining):
            continue
        request = StudyRequest(source=source, frame=derivation.frame, words=words, previous=before, dates=dates)
        meaning = _MAKERS[kind](request)
        if isinstance(meaning, Meaning) and (unused_parts := unbound(dates, meaning.query)):
            unused = words[unused_parts[0].start : unused_parts[0].end]
            refused = refused or declined("date unused", " ".join(word.text for word in unused))
        elif isinstance(meaning, Meaning):
            resolved = replace(meaning, query=source.settled(meaning.query))
            return replace(resolved, assumptions=source.assumed(resolved))
        elif meaning is not None and not meaning.hint:
            return meaning  # a fact about the data, which another reading of the words would only hide
        else:
            refused = refused or meaning
    return refused


def _of_function(question: str, source: AnalystSource, previous: Meaning | None) -> Meaning | Declined | None:
    """The call of a tested function that a question asks for by one of its phrases."""
    words = spoken(source.words(question))
    names = {at for span in source.reader.names(words) for at in range(span.start, span.end)}
    names |= _of_names(words, source)
    before = previous if previous is not None and previous.source == source.name else None
    dates = tuple(part for part in source.dates(words) if not begins(words[part.start :], "next"))
    refused: Declined | None = None
    for function in source.functions:
        remaining = _without_phrases(words, function, names)
        if remaining is None:
            continue
        from assistant.analyst.studies.calling import call_function  # few questions ask for one

        remaining = _before_next(remaining) if function.has_ahead else remaining
        unread = [word.text for word in remaining if word.lower not in light() and word.is_word]
        derivations = [d.frame for d in source.frames(remaining)[:_DERIVATIONS_MAX] if _is_read(d, remaining)]
        for frame in derivations or (() if unread else (Frame(),)):
            request = StudyRequest(source=source, frame=frame, words=words, previous=before, dates=dates)
            meaning = call_function(request, function)
            if isinstance(meaning, Meaning) and not unbound(dates, meaning.query):
                resolved = replace(meaning, query=source.settled(meaning.query))
                return replace(resolved, assumptions=source.assumed(resolved))
            refused = refused or (meaning if isinstance(meaning, Declined) else None)
        if not derivations and unread:
            name = function.function.replace("_", " ")
            refused = refused or declined("words of function", name, ", ".join(f"“{word}”" for word in unread))
    return refused


def _without_phrases(
    words: tuple[Word, ...], function: FunctionStudy, names: AbstractSet[int]
) -> tuple[Word, ...] | None:
    """The words without those that ask for a function; None where none does. `names`: where words are names of data."""
    asking = _places(words, function.phrases) - names
    if not asking:
        return None
    dropped = asking | _places(words, function.also)
    return tuple(word for at, word in enumerate(words) if at not in dropped)


def _places(words: tuple[Word, ...], phrases: Iterable[str]) -> set[int]:
    """Where the words of some phrases are."""
    lower = [word.lower for word in words]
    spans = (
        range(at, at + len(phrase))
        for phrase in map(str.split, phrases)
        for at in range(len(words))
        if lower[at : at + len(phrase)] == phrase
    )
    return {at for span in spans for at in span}


def _is_read(derivation: Derivation, words: tuple[Word, ...]) -> bool:
    """Whether a derivation leaves no word of weight."""
    return all(words[at].lower in light() for at in derivation.unread(costs(words), 1))


def _of_names(words: tuple[Word, ...], source: AnalystSource) -> set[int]:
    """Where words are part of a column's name: "project" of `project_code`, unless it begins the question as a verb."""
    parts = {part for column in source.schema.typed for part in words_of(column.name)}
    return {at for at, word in enumerate(words) if at and parts & {word.lower, word.lemma}}


def _cue(words: tuple[Word, ...], names: set[int]) -> tuple[StudyKind, tuple[Word, ...]] | None:
    """The study that a phrase names, and the words without it; `names`: where words are names of the data."""
    for kind in _MAKERS:
        remaining = without(words, "studies", kind)
        if remaining is not None and not any(words[at] not in remaining for at in names):
            remaining = without(remaining, "moving", "moving") or without(remaining, "moving", "standing") or remaining
            return kind, _before_next(remaining)
    return None


def _before_next(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without "the next 3 months", which says how far ahead and limits nothing."""
    for at, word in enumerate(words):
        if word.lower in ("next", "coming", "following"):
            size = 3 if at + 2 < len(words) and not words[at + 1].lower.isalpha() else 2
            start = at - 1 if at and words[at - 1].lower in ("the", "for") else at
            return (*words[:start], *words[at + size :])
    return words
