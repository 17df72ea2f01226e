"""A follow-up as an edit of the last meaning: "only 2024", "and by country", "as percentages", "top 3".

The words are read by the same grammar as any question, into the same phrases; here the phrases are put into the query
there is. A question that names what to count or list stands for itself, unless it says that it goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, cast

from assistant.analyst.algebra import Count, Function, Grouped, Groups
from assistant.analyst.checking import problems
from assistant.analyst.dialogue import changes
from assistant.analyst.dialogue.cues import asks_anew, begins, ends, is_phrase, meanings, phrases, spoken, without
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.interpretation.composition import Composition, with_query
from assistant.analyst.linking.tokens import Word, costs, whole_number
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.parts import Thing
from assistant.analyst.source import AnalystSource
from assistant.errors import InterpretationError

EditKind = Literal["adding", "instead", "keeping", "removing", "presenting", ""]
_READINGS_MAX = 12
_SHORT = 4
"""Of so few words that say that they go on, and cannot be read, the person is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A follow-up without the words that say how it goes on. `is_sure`: it says that it does; `own`: that it does not;
    `is_among`: it asks of the rows of the answer before."""

    words: tuple[Word, ...]
    kind: EditKind
    is_sure: bool
    adds_keys: bool
    own: Literal["question", "display", ""] = ""
    is_among: bool = False


def edited(question: str, previous: Meaning, source: AnalystSource) -> Meaning | Declined | None:
    """The meaning before, changed as the words say; None where the question stands for itself."""
    words = spoken(source.words(question))
    previous = replace(previous, query=changes.inner(previous.query))
    presentation = _presented(words, previous, source)
    if presentation is not None:
        return presentation
    names = {at for span in source.reader.names(words) for at in range(span.start, span.end)}
    follow_up = replace(_continuing(words), own=asks_anew(words, names))
    among = without(words, "among these")
    if among is not None:
        among_rows = replace(_continuing(among), is_sure=True, is_among=True)
        return _tried(among_rows, previous, source) or declined("no change")
    if follow_up.own == "question":
        return None
    edit = _tried(follow_up, previous, source)
    if edit is not None:
        return edit
    return declined("no change") if follow_up.is_sure and len(follow_up.words) <= _SHORT else None


def is_new_question(text: str, source: AnalystSource) -> bool:
    """Whether words are a whole question of their own: with a question word or a verb, and something to compute."""
    words = source.words(text)
    names = {at for span in source.reader.names(words) for at in range(span.start, span.end)}
    return asks_anew(words, names) == "question" and not depends_on_previous(text, source)


def depends_on_previous(question: str, source: AnalystSource) -> bool:
    """Whether a question names nothing to count, to measure or to list: it can only go on from an answer."""
    frames = source.frames(spoken(source.words(question)))
    return not frames or not _stands_alone(frames[0].frame)


# --- what needs no reading ---


def _presented(words: tuple[Word, ...], previous: Meaning, source: AnalystSource) -> Meaning | None:
    """Edits that are a phrase of their own."""
    plain = _bare(words)
    for chart in meanings("charts"):
        if is_phrase(plain, "charts", chart):
            return replace(previous, chart=chart)  # type: ignore[arg-type]
    query = previous.query
    if previous.study is not None or isinstance(query.of, Groups):
        return None
    if (size := _paging(words)) is not None:
        return _made(previous, partial(changes.next_page, size=size), source)
    for category, change in (
        ("percentages", changes.as_shares),
        ("everything", changes.without_limit),
        ("together", changes.without_groups),
        ("turning", changes.turned),
    ):
        if is_phrase(plain, category):
            return _made(previous, change, source)
    function = next((f for f in meanings("functions") if is_phrase(_bare(plain, ("the",)), "functions", f)), None)
    if function is None:
        return None
    return _made(previous, partial(changes.with_function, function=cast("Function", function)), source)


def _paging(words: tuple[Word, ...]) -> int | None:
    """How many more a question asks for: "the next 5"; 0 for as many again, None if it does not ask for more."""
    plain = _bare(words)
    size = begins(plain, "paging")
    remaining = [word for word in plain[size:] if word.lower not in ("please", "ones")]
    if not size or len(remaining) > 1:
        return None
    return whole_number(remaining[0]) if remaining else 0


def _bare(words: tuple[Word, ...], also: tuple[str, ...] = ()) -> tuple[Word, ...]:
    """The words without what only says that it goes on."""
    size = begins(words, "continuing", "presenting")
    remaining = words[size:] if 0 < size < len(words) else words
    size = ends(remaining, "closing")
    remaining = remaining[:-size] if 0 < size < len(remaining) else remaining
    while remaining and remaining[0].lower in also:
        remaining = remaining[1:]
    return remaining


def _made(previous: Meaning, change: Callable[[Composition], Composition], source: AnalystSource) -> Meaning | None:
    """The meaning before with its chips changed; None where that does not fit or changes nothing."""
    try:
        query = change(with_query(Composition(data=source), previous.query)).query
    except InterpretationError:
        return None
    resolved = source.settled(query) if query is not None and query != previous.query else None
    if resolved is None or problems(resolved, source.schema):
        return None
    return replace(previous, query=resolved, study=None, verbatim=None)


# --- what is read ---


def _continuing(words: tuple[Word, ...]) -> FollowUp:
    """How a question goes on, and the rest of it."""
    size = ends(words, "closing")
    closing = " ".join(w.lower for w in words[-size:]) if size else ""
    remaining = words[:-size] if 0 < size < len(words) else words
    adds_keys = any(" ".join(w.lower for w in remaining).startswith(" ".join(p)) for p in phrases("splitting"))
    edit_kind: EditKind = ""
    is_sure = closing in ("instead", "too", "as well")
    again = True
    while again:
        again = False
        for kind in ("removing", "keeping", "instead", "adding", "presenting"):
            size = begins(remaining, "continuing", kind)
            if 0 < size < len(remaining):
                remaining, is_sure, again = remaining[size:], True, True
                edit_kind = kind if kind != "presenting" and edit_kind in ("", "adding") else edit_kind
    if closing == "instead":
        edit_kind = "instead"
    adds_keys = adds_keys or edit_kind == "adding" or closing in ("too", "as well")
    return FollowUp(words=remaining, kind=edit_kind, is_sure=is_sure, adds_keys=adds_keys)


def _tried(follow_up: FollowUp, previous: Meaning, source: AnalystSource) -> Meaning | None:
    """The best reading of the words that changes the meaning and leaves nothing of weight unread."""
    compared = without(follow_up.words, "comparing")
    words = compared or follow_up.words
    for derivation in source.frames(words)[:_READINGS_MAX]:
        if follow_up.own and derivation.frame.conditions:
            return None
        if not follow_up.is_sure and compared is None and _stands_alone(derivation.frame):
            return None
        if derivation.unread(costs(words), 0.5):
            continue
        if isinstance(previous.query.of, Groups):
            return None
        change = partial(_applied, derivation.frame, follow_up, compares=compared is not None)
        edit = _made(previous, change, source) if derivation.frame != Frame() else None
        if edit is not None:
            return edit
    return None


def _stands_alone(frame: Frame) -> bool:
    """Whether a question names what to count, to measure or to list."""
    subject = frame.figures or frame.things or frame.columns or frame.havings
    return bool(subject) or frame.says("count") or any(isinstance(top.by, Thing) for top in frame.tops)


def _applied(frame: Frame, follow_up: FollowUp, of: Composition, *, compares: bool) -> Composition:
    """Chips with all that a frame says put in.

    Raises:
        InterpretationError: something has no place.
    """
    if follow_up.is_among and (frame.says("count") or frame.figures):
        assert of.query is not None, "edits are of one"
        of = with_query(of, Grouped(of.query.of, (), (Count(),)))
    if frame.conditions and compares:
        if len(frame.conditions) > 1:
            raise changes.NO_FIT
        of = changes.beside(of, *frame.conditions)
    elif frame.conditions:
        removing, adding = (follow_up.kind == kind for kind in ("removing", "adding"))
        of = changes.with_conditions(of, frame.conditions, removing=removing, adding=adding)
    of = changes.remeasured(of, frame, adding=follow_up.adds_keys)
    of = changes.regrouped(of, frame, adding=follow_up.adds_keys)
    of = changes.top(of, frame.tops[0]) if frame.tops else of
    of = changes.resorted(of, frame.sorts[0]) if frame.sorts else of
    return changes.as_shares(of) if frame.says("share") and of.measures else of
