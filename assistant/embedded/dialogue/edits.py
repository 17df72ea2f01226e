"""Follow-ups: "only 2025", "by region instead", "as a bar chart", "top 5", "what about 2024?" edit the last meaning.

The follow-up is read by the same clauses as a question; what they find replaces, adds to or narrows what was meant.
A follow-up that is a question by itself is left to `reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from assistant.embedded.assembly.assembler import Assembler
from assistant.embedded.clauses.draft import Draft, Misfit, Wanted
from assistant.embedded.clauses.every import fill
from assistant.embedded.dialogue.restoring import draft_of
from assistant.embedded.linking.links import Linker
from assistant.embedded.linking.spans import segment
from assistant.embedded.meaning import Meaning
from assistant.embedded.reading.reader import Candidate, assignments
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import tokens
from assistant.embedded.words.vocabulary import WEAK_WORDS

_CUES = re.compile(
    r"^(?:and|only|just|but|now|no|or|then|also|instead|same|what about|how about|show (?:it|this|that|them|me that)"
    r"|make (?:it|that)|sort(?:ed)?|order(?:ed)? by|without|excluding|exclude|except|as |in a |by |per |top |bottom "
    r"|first |for |in |since |until|break|split|group|limit|drop|remove|add|plot|draw|use|with|not )"
    r"|\b(?:instead|too|as well|again|only|please use)\s*$|^(?:it|that|this|them)\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\b(?:instead|again|too|as well|also|only|just|now|then|same(?: thing| question)?|what about|how about|please"
    r"|make (?:it|that)|show (?:it|this|that|them)|rather|but|break (?:it|that|this|them) down"
    r"|split (?:it|that|this|them)|group (?:it|that|them)|add|can you|could you|i meant|i mean|i want|use"
    r"|plot (?:it|this|that)|draw (?:it|this|that)|it should be|should be|that is wrong|wrong|no,|(?<=by )the"
    r"|limit (?:it )?to|the results?|restrict(?:ed)? (?:it )?to|sort (?:it|them)(?= by)|keep)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"^(?:top|bottom|first|plot|draw|sort(?:ed)?|order(?:ed)?|group|drop|use) ", re.IGNORECASE)
_BACK = re.compile(r"^and (?:its|their|his|her)\b", re.IGNORECASE)
_LENGTH_MAX = 12


def is_follow_up(question: str) -> bool:
    """Whether the words say that something before is meant."""
    text = question.strip()
    return bool(_CUES.search(text)) and len(tokens(text)) <= _LENGTH_MAX


def may_stand_alone(question: str) -> bool:
    """Whether the words that say so may as well begin a question of its own: "top 5 customers by revenue"."""
    return bool(_LOOSE.search(question.strip()))


def refers_back(question: str) -> bool:
    """Whether the words cannot be understood without what was before: "and their number of orders"."""
    return bool(_BACK.search(question.strip()))


def edit(question: str, previous: Meaning, linker: Linker, joins: Joins, today: date) -> list[Candidate]:
    """The previous meaning, edited as the follow-up says; none if it says nothing that can be edited in."""
    additive = bool(re.match(r"\s*(?:and|also|add|plus)\b|.*\b(?:too|as well|also)\b", question, re.IGNORECASE))
    text = _NOISE.sub(" ", question)
    text = re.sub(r"^\s*(?:and|plus|or|no)\b", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\bsort\b(?!\s+by)", "sorted", text, flags=re.IGNORECASE)
    text = re.sub(r"\border by\b|\bsort by\b", "sorted by", text, flags=re.IGNORECASE)
    cut = tokens(text)
    if not cut:
        return []
    spans = segment(cut, linker, today)
    if any(span.unknown for span in spans):
        return []
    found: list[Candidate] = []
    seen: set[str] = set()
    for options, loss in assignments(spans):
        try:
            change = fill(spans, options, linker, about=previous.tables())
            left = [s for s in change.leftover() if s.text.lower() not in WEAK_WORDS]
            if left or _says_nothing(change):
                continue
            for candidate in _merged(change, previous, linker, joins, additive=additive, loss=loss):
                key = candidate.meaning.model_dump_json()
                if key not in seen and candidate.meaning != previous:
                    seen.add(key)
                    found.append(candidate)
        except Misfit:
            continue
    return sorted(found, key=lambda c: -c.score)


def _says_nothing(change: Draft) -> bool:
    said = (
        change.wanted, change.groups, change.grains, change.filters, change.terms, change.related, change.compared,
        change.periods, change.having, change.order, change.shown,
    )  # fmt: skip
    return not any(said) and change.limit is None and change.chart is None and not change.ranked and not change.share


def _merged(
    change: Draft, previous: Meaning, linker: Linker, joins: Joins, *, additive: bool, loss: float
) -> Iterator[Candidate]:
    choices: list[dict[str, int]] = [{}]
    while choices:
        choice = choices.pop(0)
        draft = draft_of(previous, linker.schema, (*linker.metrics, *(m for m, _ in linker.guesses)), linker.terms)
        if draft is None:
            return
        draft.choice = choice
        _apply(change, draft, previous, additive=additive)
        assembler = Assembler(joins=joins, draft=draft, choice=choice, rules=linker.rules)
        try:
            meaning = assembler.assemble()
        except Misfit:
            if not choice:
                raise
            continue
        if not choice:
            counts = draft.forks | {target: len(ways) for target, ways in assembler.forks.items()}
            choices += [{key: n} for key, count in counts.items() for n in range(1, count)]
        kept = 0.03 * sum(1 for f in change.filters if f.attribute.table in previous.tables())
        yield Candidate(
            meaning=meaning,
            score=max(0.0, min(1.0, 0.97 - 0.22 * loss - assembler.penalty + kept)),
            assumptions=tuple(dict.fromkeys([*change.assumptions, *draft.assumptions])),
            cited=tuple(dict.fromkeys(draft.cited)),
        )


def _apply(change: Draft, draft: Draft, previous: Meaning, *, additive: bool) -> None:
    """Put what the follow-up says into what was meant before."""
    _figures(change, draft, additive=additive)
    _groups(change, draft, additive=additive)
    for wanted in change.filters:
        same = [
            f for f in draft.filters if f.attribute == wanted.attribute and _kind(f.operator) == _kind(wanted.operator)
        ]
        if not additive:
            draft.filters = [f for f in draft.filters if f not in same]
    draft.filters += change.filters
    draft.terms += [t for t in change.terms if t not in draft.terms]
    draft.related += change.related
    draft.compared += change.compared
    draft.mention(*change.mentioned)
    if change.periods:
        draft.periods = change.periods
        before = {t.column.column: t for t in previous.times}
        for period in draft.periods:
            if period.attribute is None and before:
                first = next(iter(before.values()))
                period.attribute = draft.schema.attribute(first.column.table, first.column.column)
    if change.chart:
        draft.chart = change.chart
    if change.share:
        draft.share = True
    if change.limit is not None:
        draft.limit, draft.ties, draft.place = change.limit, change.ties, change.place
        draft.descending = change.descending
        if draft.wanted and not any(isinstance(t, Wanted) for t, _ in draft.order):
            draft.order = [(draft.wanted.pop(0), change.descending)]
        if change.pieces[0].span.text.lower().startswith(("top", "bottom")):
            draft.order = [(t, change.descending if isinstance(t, Wanted) else down) for t, down in draft.order]
    if change.ranked is not None and not additive:
        draft.groups, draft.grains = [change.ranked], []
    if change.order:
        _reorder(change, draft)
    draft.shown += [a for a in change.shown if a not in draft.shown]


def _kind(operator: str) -> str:
    """Operators that replace one another: an equality an equality, a bound a bound of the same side."""
    return {"in": "=", ">=": ">", "<=": "<", "not in": "!="}.get(operator, operator)


def _figures(change: Draft, draft: Draft, *, additive: bool) -> None:
    if not change.wanted:
        return
    if additive:
        draft.wanted += change.wanted
        return
    ranked = next((n for n, (t, _) in enumerate(draft.order) if isinstance(t, Wanted)), None)
    if ranked is not None:
        draft.order[ranked] = (change.wanted[0], draft.order[ranked][1])
        draft.wanted = change.wanted[1:]
    else:
        draft.wanted = list(change.wanted)
    draft.having = []


def _groups(change: Draft, draft: Draft, *, additive: bool) -> None:
    if not change.groups and not change.grains:
        return
    if additive:
        draft.groups += [g for g in change.groups if g not in draft.groups]
        draft.grains.extend(g for g in change.grains if g not in draft.grains)
        return
    ranked = draft.limit is not None and any(isinstance(t, Wanted) for t, _ in draft.order)
    draft.groups, draft.grains = change.groups, change.grains
    kept = [(t, d) for t, d in draft.order if isinstance(t, Wanted)]
    figures = [t for t, _ in kept]
    if change.grains and ranked:
        draft.limit = None
        draft.wanted = figures + draft.wanted
        kept = []
    draft.order = [*kept]


def _reorder(change: Draft, draft: Draft) -> None:
    """ "sort by name": the label of what is grouped or listed; a figure that is shown; or a column of the rows."""
    figures = [t for t, _ in draft.order if isinstance(t, Wanted)] + draft.wanted
    order: list[tuple[Wanted | Attribute | Entity | None, bool]] = []
    for target, descending in change.order:
        if isinstance(target, Wanted):
            twin = next((w for w in figures if _alike(w, target)), None)
            if twin is None:
                raise Misfit("I can only order by what is shown.", weight=4)
            order.append((twin, descending))
            continue
        if target is None and draft.groups:
            order.append((draft.groups[0], descending))
            continue
        if isinstance(target, Attribute):
            twin = next((w for w in figures if w.attribute == target), None)
            if twin is not None:
                order.append((twin, descending))
                continue
        order.append((target, descending))
    draft.wanted = [w for w in figures if not any(w is t for t, _ in order)]
    draft.order = order


def _alike(one: Wanted, other: Wanted) -> bool:
    return (one.metric, one.entity, one.attribute) == (other.metric, other.entity, other.attribute)
