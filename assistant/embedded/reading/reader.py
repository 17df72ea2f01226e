"""Reading: from a question to its likeliest meaning, to two or three that are equally likely, or to an honest no.

The question is cut into spans; every combination of what the spans may mean is a reading, strongest first. The rules
fill a draft from it; a reading in which any meaningful word stays unexplained falls. Those that stand are compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import heappop, heappush

from assistant.embedded.assembly.assembler import Assembler
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.every import fill
from assistant.embedded.linking import persons
from assistant.embedded.linking.context import in_context
from assistant.embedded.linking.likeness import Likeness
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToTable, ToTerm, ToText, ToValue
from assistant.embedded.linking.spans import segment
from assistant.embedded.meaning import Meaning
from assistant.embedded.reading.confidence import confidences
from assistant.embedded.reading.evidence import evidence
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.values import index_words
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import tokens
from assistant.embedded.words.outdoing import utmost
from assistant.embedded.words.vocabulary import ASKING, WEAK_WORDS

_LEFT = 0.12
_UNPLACED = 0.2
_READINGS_MAX = 48
_OPTIONS_PER_SPAN = 5
_UNLIKE = 0.3
"""How sure it is that a word does not mean what it is like."""
_IGNORED = 0.1
_MUCH_ALIKE = 0.7
_NEAR = 0.03
_CONFIDENT = 0.8
_PLAUSIBLE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A reading: its meaning, how well it holds together (`score`, 0 to 1), and what it took for granted.

    `left` are spans that could mean something and that no clause accounted for, `unknown` words that mean nothing
    here, `unplaced` tables that the question names and the meaning does not use. `loss` is what it costs that spans
    are not taken for the likeliest thing they name, `penalty` what its ways and guesses cost; `weakest` and `strength`
    are the least and the mean strength of its links. `guesses` are filter values that the source is not known to hold.
    `confidence` is the probability that it is right, where it was weighed.
    """

    meaning: Meaning
    score: float
    assumptions: tuple[str, ...]
    cited: tuple[str, ...]
    left: tuple[Span, ...] = ()
    unknown: tuple[Span, ...] = ()
    unplaced: tuple[str, ...] = ()
    loss: float = 0.0
    weakest: float = 1.0
    penalty: float = 0.0
    strength: float = 1.0
    guesses: int = 0
    spans: tuple[Span, ...] = ()
    confidence: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether every word is accounted for."""
        return not (self.left or self.unknown or self.unplaced)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The words and names that it does not take into account, as the question has them."""
        spans = sorted((*self.left, *self.unknown), key=lambda span: span.start)
        return tuple(dict.fromkeys((*(span.text for span in spans), *self.unplaced)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why no reading stands: the words not understood, or the weightiest reason a reading fell."""

    words: tuple[str, ...] = ()
    reason: str = ""
    weight: int = 0


def read(question: str, linker: Linker, joins: Joins, today: date) -> list[Candidate] | Failure:
    """All readings of a question on one source that stand, the likeliest first, or why none does."""
    candidates, failure = readings(question, linker, joins, today)
    whole = [c for c in candidates if c.whole]
    return sorted(whole, key=lambda c: -c.score) or failure


def readings(
    question: str, linker: Linker, joins: Joins, today: date, likeness: Likeness | None = None
) -> tuple[list[Candidate], Failure]:
    """Every reading of a question on one source, those that leave words unexplained as well, the likeliest first.

    Beside them stands why none accounts for every word, as far as none does.
    """
    cut = tokens(utmost(question))
    if not cut:
        return [], Failure(reason="The question is empty.", weight=10)
    plain = segment(cut, linker, today)
    alike = likeness.linked(plain) if likeness is not None else plain
    found = _Found(words=tuple(span.text for span in plain if span.unknown))
    for said in persons.people_of(cut, plain, linker.schema):
        found.collect(in_context(segment(said, linker, today), linker.schema), linker, joins)
    for spans in (alike, plain)[: 1 if alike == plain else 2] if not found.candidates else ():
        found.collect(in_context(spans, linker.schema), linker, joins)
    for asked in persons.asked_of(cut, plain, linker.schema):
        found.collect(in_context(segment(asked, linker, today), linker.schema), linker, joins)
    much = {n for s in alike if s.likened and s.options[0].strength > _MUCH_ALIKE for n in range(s.start, s.end)}
    candidates, failure = [_less_sure(c, much) for c in found.candidates], found.failure
    candidates.sort(key=lambda c: -c.score)
    sure = confidences([evidence(question, candidates, at) for at in range(len(candidates))])
    weighed = [replace(c, confidence=held) for c, held in zip(candidates, sure, strict=True)]
    return sorted(weighed, key=lambda c: -c.confidence), failure


def _less_sure(candidate: Candidate, alike: set[int]) -> Candidate:
    """The reading, dearer by every word that it leaves out although something is much like it."""
    cost = _IGNORED * sum(1 for span in candidate.unknown if span.start in alike)
    return replace(candidate, score=max(0.0, candidate.score - cost), penalty=candidate.penalty + cost)


class _Found:
    """The readings of one question so far, each meaning once, and the best reason why none accounts for every word."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.candidates: list[Candidate] = []
        self.failure = Failure(words=words, weight=1 if words else 0)
        self._words = words
        self._seen: set[str] = set()

    def collect(self, spans: Sequence[Span], linker: Linker, joins: Joins) -> None:
        """Read the spans in every way."""
        for options, loss in assignments(spans):
            try:
                read_so = list(_reading(spans, options, loss, linker, joins))
            except Misfit as misfit:
                if not self._is_read_better(loss):
                    self._failed((), str(misfit), max(misfit.weight, 2))
                continue
            for candidate in read_so:
                if candidate.left:
                    self._failed(tuple(span.text for span in candidate.left), "", 2)
                key = candidate.meaning.model_dump_json()
                if key not in self._seen:
                    self._seen.add(key)
                    self.candidates.append(candidate)

    def _is_read_better(self, loss: float) -> bool:
        """Whether likelier senses of the words have made a reading that places all of them: a worse one fails alone."""
        return any(c.loss < loss and not c.left and not c.unplaced for c in self.candidates)

    def _failed(self, left: tuple[str, ...], reason: str, weight: int) -> None:
        if weight > self.failure.weight or not (self.failure.words or self.failure.reason):
            self.failure = Failure(words=self._words or left, reason=reason, weight=weight)


def near_best(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The readings that are about as likely as the best."""
    return [c for c in candidates if c.score >= candidates[0].score - _NEAR][:4]


def confident(candidate: Candidate) -> bool:
    """Whether the reading is sure enough to be proposed."""
    return candidate.score >= _CONFIDENT


def plausible(candidate: Candidate) -> bool:
    """Whether the reading may be proposed where it is the only one."""
    return candidate.score >= _PLAUSIBLE


def assignments(spans: Sequence[Span]) -> Iterator[tuple[list[Option | None], float]]:
    """Combinations of one option per span, by falling total strength."""
    choices: list[list[Option | None]] = []
    losses: list[list[float]] = []
    for span in spans:
        options: list[Option | None] = _few(span.options) if span.options else [None]
        top = _strength(options[0])
        if span.likened:
            options.append(None)  # it may mean something else after all
        choices.append(options)
        weight = max(1, span.end - span.start) ** 0.5
        losses.append([(top - (_strength(o) if o or not span.likened else _UNLIKE)) * weight for o in options])
    start: tuple[int, ...] = tuple(0 for _ in spans)
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, start)]
    seen: set[tuple[int, ...]] = {start}
    given = 0
    while heap and given < _READINGS_MAX:
        loss, index = heappop(heap)
        given += 1
        yield [options[i] for options, i in zip(choices, index, strict=True)], loss
        for at, i in enumerate(index):
            if i + 1 < len(choices[at]):
                following = (*index[:at], i + 1, *index[at + 1 :])
                if following not in seen:
                    seen.add(following)
                    heappush(heap, (loss + losses[at][i + 1] - losses[at][i], following))


def _few(options: Iterable[Option]) -> list[Option | None]:
    """The strongest options. A cue beside other things stays among them, for only the clauses can tell."""
    ordered = sorted(options, key=lambda o: -_strength(o))
    strongest = _strength(ordered[0])
    kept = [o for o in ordered if _strength(o) >= strongest - 0.42]
    columns = [o for o in kept if not isinstance(o, Cue)][: _OPTIONS_PER_SPAN + 3]
    cues = [o for o in kept if isinstance(o, Cue)][:3]
    return sorted([*columns, *cues], key=lambda o: -_strength(o))


def _strength(option: Option | None) -> float:
    return option.strength if option is not None else 1.0


def _reading(
    spans: Sequence[Span],
    options: Sequence[Option | None],
    loss: float,
    linker: Linker,
    joins: Joins,
) -> Iterator[Candidate]:
    draft = fill(spans, options, linker)
    left = tuple(s for s in draft.leftover() if s.text.lower() not in WEAK_WORDS or _is_content(s, options, spans))
    chosen = zip(spans, options, draft.pieces, strict=True)
    unknown = tuple(s for s, o, p in chosen if not p.used and (s.unknown or (s.likened and o is None)))
    for candidate in _assembled(draft, spans, options, linker, joins, loss=loss):
        yield replace(
            candidate,
            left=left,
            unknown=unknown,
            spans=tuple(spans),
            score=max(0.0, candidate.score - _LEFT * len(left) - _UNPLACED * len(candidate.unplaced)),
        )


def _is_content(span: Span, options: Sequence[Option | None], spans: Sequence[Span]) -> bool:
    """Whether a word that otherwise says little cannot be left out: "with the most orders. Show the name and age"."""
    at = list(spans).index(span)
    asked = at - 1
    while asked > 0 and spans[asked].text.lower() in _BEFORE_COLUMNS:
        asked -= 1
    requested = asked > 0 and spans[asked].text.lower() in ASKING
    return isinstance(options[at], Cue | ToMetric | ToTerm) or (requested and isinstance(options[at], ToColumn))


_BEFORE_COLUMNS = frozenset(("the", "its", "their", "his", "her", "me", "just", "only"))


def _assembled(
    draft: Draft, spans: Sequence[Span], options: Sequence[Option | None], linker: Linker, joins: Joins, *, loss: float
) -> Iterator[Candidate]:
    """The meaning of a reading, from its draft; one for each way where several are equally good."""
    choices: list[dict[str, int]] = [{}]
    while choices:
        choice = choices.pop(0)
        if choice:
            draft = fill(spans, options, linker, choice)
        assembler = Assembler(joins=joins, draft=draft, choice=choice, rules=linker.rules)
        try:
            meaning = assembler.assemble()
        except Misfit:
            if not choice:
                raise
            continue
        if not choice:
            choices += assembler.other_choices
        taken = [piece.option for piece in draft.pieces]
        links = [o for o in options if isinstance(o, ToTable | ToColumn | ToValue | ToMetric | ToTerm | ToText)]
        weakest = min((o.strength for o in links), default=1.0)
        score = 1.0 - 0.22 * loss - assembler.penalty - 0.45 * max(0.0, 0.9 - weakest) - draft.penalty
        yield Candidate(
            meaning=meaning,
            score=max(0.0, min(1.0, score)),
            assumptions=tuple(dict.fromkeys([*_loose_links(spans, taken, meaning), *draft.assumptions])),
            cited=tuple(dict.fromkeys(draft.cited)),
            unplaced=tuple(assembler.unplaced),
            loss=loss,
            weakest=weakest,
            penalty=assembler.penalty + draft.penalty,
            strength=sum(o.strength for o in links) / len(links) if links else 0.0,
            guesses=sum(1 for f in draft.filters if not f.known),
        )


def _loose_links(spans: Sequence[Span], options: Sequence[Option | None], meaning: Meaning) -> Iterator[str]:
    """What was taken for granted about words that are not the very names, as far as the meaning rests on it."""
    held = meaning.model_dump_json()
    for span, option in zip(spans, options, strict=True):
        text = span.text.lower()
        match option:
            case ToColumn() if json.dumps(option.attribute.name, ensure_ascii=False)[1:-1] not in held:
                continue  # the word was left out, or it only told that another was meant: "rate"
            case ToMetric() if not option.metric.origin and option.strength < 0.99:
                yield f"“{text}” is taken to mean {option.metric.definition}, for nothing defines it"
            case ToMetric() if option.strength < 0.99:
                yield f"“{text}” means {option.metric.name} ({option.metric.origin})"
            case ToColumn() if option.strength < 0.86 and text not in ("name", "names", "id", "ids"):
                yield f"“{text}” is read as {option.attribute.table}.{option.attribute.name}"
            case ToValue() if len(text.split()) < len(index_words(option.value)):
                yield f"“{span.text}” is read as {option.value}"
            case ToTable() if option.strength < 0.9:
                yield f"“{text}” is read as {option.entity.many}"
            case _:
                continue
