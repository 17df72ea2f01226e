"""Follow-ups: "only 2025", "by region instead", "as a bar chart", "top 5", "what about 2024?" edit the last meaning.

The follow-up is read by the same clauses as a question; what they find replaces, adds to or narrows what was meant.
A follow-up that is a question by itself is left to `reading`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import cast

from assistant.embedded.assembly.assembler import Assembler
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.every import fill
from assistant.embedded.dialogue.applying import apply
from assistant.embedded.dialogue.leaving_out import left_out
from assistant.embedded.dialogue.removing import Removal, removal_of
from assistant.embedded.dialogue.restoring import draft_of
from assistant.embedded.dialogue.signs import Wish, wish_of
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToNumber, ToPeriod, ToValue
from assistant.embedded.linking.spans import segment
from assistant.embedded.meaning import Form, Meaning, Operator
from assistant.embedded.reading.reader import Candidate, Failure, assignments
from assistant.embedded.source.joins import Joins
from assistant.embedded.words.lexicon import tokens
from assistant.embedded.words.vocabulary import WEAK_WORDS

_SAME_COLUMN = 0.08
"""How much surer a value is that stands in a column which is spoken of already."""
_SAME_TABLE = 0.03
_SURE = 7
"""The weight of a reason from which on the words can mean nothing else."""


@dataclass(frozen=True)
class _Edits:
    """One follow-up to one meaning."""

    previous: Meaning
    wish: Wish
    linker: Linker
    joins: Joins
    today: date

    def read(self) -> tuple[list[Candidate], Failure]:
        """Every way to edit the meaning so, the likeliest first, and why there is none."""
        failure = Failure()
        for cue, reason, weight in _REFUSED:
            if cue.match(self.wish.text):
                return [], Failure(reason=reason, weight=weight)
        if (removal := removal_of(self.wish.text, self.linker)) is not None:
            try:
                found = [c for c in self._merged([], [], removal=removal) if c.meaning != self.previous]
                if found:
                    return found, failure
            except Misfit as misfit:
                failure = Failure(reason=str(misfit), weight=misfit.weight)
                if misfit.weight >= _SURE:
                    return [], failure
        if self.wish.says_all:
            found, other = self._collected([([], [], 0.0)])
        else:
            found, other = self._by_clauses()
        if not found and self.previous.limit and _RANKED_BY.match(self.wish.text):
            text = _RANKED_BY.sub("", self.wish.text)
            by_figure = replace(self.wish, text=text, adds=False, also=False, swaps=False)
            found, _ = replace(self, wish=by_figure)._by_clauses()
            groups = [d.label for d in self.previous.dimensions]
            found = [c for c in found if [d.label for d in c.meaning.dimensions] == groups]
        return sorted(found, key=lambda c: -c.score), max(failure, other, key=lambda f: f.weight)

    def _by_clauses(self) -> tuple[list[Candidate], Failure]:
        spans = segment(tokens(_phrased(self.wish.text)), self.linker, self.today)
        unknown = tuple(span.text for span in spans if span.unknown)
        if unknown and all(word.lower() in _SIGNED for word in unknown):
            text = re.sub(r"\b(?:negative|positive)\b", lambda m: _SIGNED[m[0].lower()], self.wish.text, flags=re.I)
            spans, unknown = segment(tokens(_phrased(text)), self.linker, self.today), ()
        if unknown or not spans:
            return [], Failure(words=unknown, weight=1)
        return self._collected([(spans, options, loss) for options, loss in assignments(spans)])

    def _collected(
        self, readings: Sequence[tuple[Sequence[Span], Sequence[Option | None], float]]
    ) -> tuple[list[Candidate], Failure]:
        """What the readings of the words make of the meaning before, each result once."""
        found: dict[str, Candidate] = {}
        failure = Failure()
        for spans, options, loss in readings:
            try:
                for candidate in self._merged(spans, options, loss=loss):
                    found.setdefault(candidate.meaning.model_dump_json(), candidate)
            except Misfit as misfit:
                reason = Failure(reason=str(misfit), weight=max(misfit.weight, 1))
                failure = max(failure, reason, key=lambda f: f.weight)
        own = found.pop(self.previous.model_dump_json(), None)
        if own is not None and not any(c.score > own.score for c in found.values()):
            return [], Failure(reason="That is what is shown already.", weight=_SURE)
        return list(found.values()), failure

    def _merged(
        self,
        spans: Sequence[Span],
        options: Sequence[Option | None],
        *,
        loss: float = 0.0,
        removal: Removal | None = None,
    ) -> Iterator[Candidate]:
        """The meaning with a change; one for each way where several are equally good."""
        linker, previous = self.linker, self.previous
        choices: list[dict[str, int]] = [{}]
        while choices:
            choice = choices.pop(0)
            draft = self._restored()
            if draft is None:
                raise Misfit(_TOO_MUCH, weight=6)
            draft.choice = choice
            change = self._change(spans, options)
            if not choice and not self._is_whole:
                raise Misfit(_TOO_MUCH, weight=_SURE)
            if removal is not None:
                removal(draft)
            else:
                apply(change, draft, previous, self.wish)
                _account(change)
            assembler = Assembler(joins=self.joins, draft=draft, choice=choice, rules=linker.rules)
            try:
                meaning = assembler.assemble()
            except Misfit:
                if not choice:
                    raise
                continue
            if not choice:
                choices += assembler.other_choices
            yield Candidate(
                meaning=meaning,
                score=max(0.0, 0.97 - 0.22 * loss - assembler.penalty + self._likelier(change)),
                assumptions=tuple(dict.fromkeys([*change.assumptions, *draft.assumptions])),
                cited=tuple(dict.fromkeys(draft.cited)),
            )

    def _restored(self) -> Draft | None:
        """The meaning before as a draft, made anew each time, for it is changed."""
        linker = self.linker
        return draft_of(self.previous, linker.schema, (*linker.metrics, *(m for m, _ in linker.guesses)), linker.terms)

    @cached_property
    def _is_whole(self) -> bool:
        """Whether the meaning before can be taken apart and put together again without losing anything."""
        draft = self._restored()
        if draft is None:
            return False
        try:
            again = Assembler(joins=self.joins, draft=draft, rules=self.linker.rules).assemble()
        except Misfit:
            return False
        return _said(again) == _said(self.previous)

    def _change(self, spans: Sequence[Span], options: Sequence[Option | None]) -> Draft:
        """What the clauses find in the follow-up; made anew each time, for what is found is changed."""
        if not spans:
            return Draft(schema=self.linker.schema, pieces=[])
        change = fill(spans, options, self.linker, about=self.previous.tables())
        for i, cue in change.cues("above_average"):
            change.use(i)
            change.bounds.append((cast(Operator, cue.argument), None))
        grouped = change.groups or change.grains or change.parts or change.order or change.ranked
        filtered = {(f.column.table, f.column.column) for f in self.previous.filters}
        again = any((f.attribute.table, f.attribute.name) in filtered for f in change.filters)
        if _BY.match(self.wish.text) and not (grouped or again) and (change.filters or change.terms):
            raise Misfit("I could not tell by what it should be broken down.", weight=4)
        return change

    def _likelier(self, change: Draft) -> float:
        """How much likelier a change is for speaking of what the meaning before speaks of."""
        columns = {(ref.table, ref.column) for ref in self.previous.references()}
        tables = self.previous.tables()
        return sum(
            _SAME_COLUMN if (f.attribute.table, f.attribute.name) in columns else _SAME_TABLE
            for f in change.filters
            if f.attribute.table in tables
        )


_REFUSED = (
    (
        re.compile(r".*\bof the (?:first|second|third|last|top)(?: one)?$", re.IGNORECASE),
        "I do not know the rows by their place; please name the one you mean.",
        8,
    ),
    (
        re.compile(
            r"(?:go )?back$|(?:the )?(?:one )?before$|undo(?: (?:it|that|this))?$|previous(?: one)?$", re.IGNORECASE
        ),
        "There is nothing to go back to here; please ask the question before it again.",
        7,
    ),
    (
        re.compile(r"(?:by |for |in |compare )?(?:both\b|the two$|them$)", re.IGNORECASE),
        "I cannot tell which two you mean; please name both.",
        7,
    ),
)
"""What is often asked of an answer and cannot be done, with what to do instead."""
_TOO_MUCH = "I cannot change that answer without losing a part of it; please ask for all of it in one question."


def _said(meaning: Meaning) -> tuple[object, ...]:
    """What a meaning says, whatever it is called and in whatever order its parts stand."""
    parts = (meaning, *meaning.beside)
    return (
        [(part.base, _told(part.measures), _told(part.dimensions)) for part in parts],
        _told(meaning.filters),
        _told(meaning.conditions),
        _told(meaning.related),
        _told(meaning.compared),
        _told(meaning.times),
        _told(meaning.having),
        (
            len(meaning.among),
            meaning.portion,
            meaning.limit,
            meaning.offset,
            meaning.ties,
            meaning.place,
            meaning.within,
        ),
        (meaning.divided, meaning.percent),
    )


def _told(forms: Sequence[Form]) -> set[str]:
    """All that parts of a meaning say, but what they are called and whether they were asked for."""
    return {json.dumps(_nameless(form.model_dump(mode="json")), sort_keys=True) for form in forms}


def _nameless(held: object) -> object:
    match held:
        case dict():
            return {key: _nameless(value) for key, value in held.items() if key not in _CALLED}
        case list():
            return [_nameless(value) for value in held]
        case _:
            return held


_CALLED = frozenset(("label", "other_label", "base_label", "title", "context"))
_SIGNED = {"negative": "under 0", "positive": "over 0"}
_RANKED_BY = re.compile(r"^(?:(?:ranked|sorted|sort|rank|order|ordered) )?by (?:the |their )?", re.IGNORECASE)
_BY = re.compile(r"(?:by|per|broken|split|grouped)\b", re.IGNORECASE)


def _account(change: Draft) -> None:
    """Refuse what the follow-up says and no rule could put into the meaning before.

    Raises:
        Misfit: words are left over, or they say what cannot be added to another question.
    """
    left = [span.text for span in change.leftover() if span.text.lower() not in WEAK_WORDS]
    if left:
        raise Misfit(f"I could not place “{left[0]}” in the question before.", weight=3)
    if change.pairs or change.either or change.within or change.kin:
        raise Misfit("That is more than I can change at once; please ask for all of it in one question.", weight=5)


def _phrased(text: str) -> str:
    """The words as the clauses know them: "sort by" is said of a result as "sorted by"."""
    text = re.sub(r"\bsort\b(?!\s+by)", "sorted", text, flags=re.IGNORECASE)
    return re.sub(r"\b(?:order|sort|rank|ranked|ordered) by\b", "sorted by", text, flags=re.IGNORECASE)


def edit(
    question: str, previous: Meaning, linker: Linker, joins: Joins, today: date
) -> tuple[list[Candidate], Failure]:
    """The previous meaning, edited as the follow-up says, the likeliest first; and why, where it cannot be."""
    found, failure = _Edits(previous, wish_of(question), linker, joins, today).read()
    if not found and (without := left_out(question, linker, today)) is not None:
        again, _ = _Edits(previous, wish_of(without), linker, joins, today).read()
        return again, failure
    return found, failure


def names_conditions_only(question: str, linker: Linker, today: date) -> bool:
    """Whether words are values and periods and nothing else, "Berlin", "this week": they ask for nothing."""
    cut = tokens(question)
    if not cut or len(cut) > _BARE_MAX:
        return False
    named = [max(s.options, key=lambda o: o.strength) for s in segment(cut, linker, today) if s.options]
    bare = all(isinstance(option, ToValue | ToPeriod | ToNumber) for option in named)
    return bare and any(isinstance(option, ToValue | ToPeriod) for option in named)


_BARE_MAX = 5
