"""Parses a request to show an answer differently, such as "as a pie chart". Pure.

Every word must be understood: "as a pie chart" is such a request, "as a pie chart for 2024" is a question, because 2024
is neither a display word nor a column. So nothing that asks for other rows is mistaken for a change of display.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import get_args

import yaml

from assistant.core.events import Appearance, ChartKind
from assistant.output.presentation.columns import words_of
from assistant.output.presentation.styling import HUES

WORDS_MAX = 14
PHRASE_MAX = 3
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ]+|\d+|%")
_TITLE = re.compile(
    r"(?:title|heading) ?[:=] ?(\S.{0,118})"
    r"|(?:please )?(?:call|title) (?:it|the chart) (\S.{0,118})",
    re.IGNORECASE,
)
_HIGHLIGHT = re.compile(r"(?:please )?highlight (?:the )?(\S+(?: \S+){0,2})", re.IGNORECASE)
_KINDS: tuple[ChartKind, ...] = get_args(ChartKind)
_SIMPLE: dict[str, dict[str, object]] = {
    "thousands": {"scale": "thousands", "percent": ()},
    "millions": {"scale": "millions", "percent": ()},
    "plain": {"scale": "", "percent": (), "decimals": None},
    "log": {"log": True},
    "linear": {"log": False},
    "all": {"top": None},
    "no_decimals": {"decimals": 0},
    "upright": {"upright": True},
    "sideways": {"upright": False},
    "grid": {"grid": True},
    "no_grid": {"grid": False},
    "figures": {"figures": True},
    "no_figures": {"figures": False},
    "ascending": {"descending": False},
    "descending": {"descending": True},
}


@dataclass(slots=True)
class _Said:
    """What was found in a text: the meanings, a number, and the columns that were named."""

    tags: set[str] = field(default_factory=set[str])
    number: int | None = None
    columns: list[str] = field(default_factory=list[str])


def parse_request(text: str, columns: Sequence[str], before: Appearance) -> Appearance | None:
    """The look that a text asks for, on top of the one before; None where it says anything else.

    Args:
        text: what the person said.
        columns: the names of the result's columns, which may be named to sort by.
        before: how the answer is shown now.
    """
    if columns and (naming := _read_names(text)):
        return before.model_copy(update=naming)
    words = [word.lower() for word in _TOKEN.findall(text)]
    if not words or len(words) > WORDS_MAX or "?" in text or not columns:
        return None
    request = _read_words([word for word in words if word not in _vocabulary()["filler"]], columns)
    changes = None if request is None else _changes(request, columns)
    if not changes or ("hue" in changes and set(words).isdisjoint(_vocabulary()["colouring"])):
        return None
    return (Appearance() if changes.pop("reset", False) else before).model_copy(update=changes)


def remove_kind(question: str) -> tuple[str, ChartKind | None]:
    """A question without the words for a kind of chart, and the kind: "sales by region as a pie" wants a pie.

    What is nothing but such words is left as it is: it is no question.
    """
    for pattern in _kinds_within():
        if (match := pattern.search(question)) is not None:
            remaining = f"{question[: match.start()].rstrip()} {question[match.end() :].lstrip()}".strip()
            kind = _kind_names()[" ".join(match["kind"].lower().split())]
            return (remaining, kind) if _TOKEN.search(remaining) else (question, None)
    return question, None


def _read_names(text: str) -> dict[str, str]:
    """A title, or the group that is to stand out, where a text is about nothing else."""
    for field_name, pattern in (("title", _TITLE), ("highlight", _HIGHLIGHT)):
        if (match := pattern.fullmatch(text.strip())) is not None:
            return {field_name: next(filter(None, match.groups())).strip(" \"'“”.")}
    return {}


def _read_words(words: Sequence[str], columns: Sequence[str]) -> _Said | None:
    """The meanings of all the words; None where one has none."""
    request, at = _Said(), 0
    while at < len(words):
        if (count := _count(words[at])) is not None and request.number is None:
            request.number, at = count, at + 1
            continue
        column, length = _column(words, at, columns)
        tags: frozenset[str] = frozenset()
        for wide in range(PHRASE_MAX, 0, -1):
            if wide >= length and (tags := _phrases().get(" ".join(words[at : at + wide]), frozenset())):
                length = wide
                break
        if column is not None and not tags:
            request.columns.append(column)
        elif not tags:
            return None
        request.tags |= tags
        at += length
    return request


def _column(words: Sequence[str], at: int, columns: Sequence[str]) -> tuple[str | None, int]:
    """The column that is named here, in full or by a word of it, and in how many words."""
    for name in columns:
        parts = list(words_of(name))
        if parts and list(words[at : at + len(parts)]) == parts:
            return name, len(parts)
    for name in columns:
        if {words[at], words[at].removesuffix("s")} & set(words_of(name)):
            return name, 1
    return None, 0


def _changes(request: _Said, columns: Sequence[str]) -> dict[str, object] | None:
    """What the meanings change together; None where they do not make sense together."""
    tags = request.tags
    changes = _named(tags, columns)
    if request.number is not None:
        if "top" not in tags:
            return None
        changes["top"] = request.number
        return changes
    if request.columns and not tags & {"sort", "percent"}:
        return None
    if "top" in tags and "descending" not in tags:
        return None
    if tags & {"sort", "ascending", "descending", "by_name", "by_figure"}:
        changes |= _order(request, columns)
    return changes


def _named(tags: Collection[str], columns: Sequence[str]) -> dict[str, object]:
    """The changes that each stand in one word or phrase."""
    changes: dict[str, object] = {}
    for kind in _KINDS:
        if f"chart:{kind}" in tags:
            changes["chart"] = kind
    for tag, change in _SIMPLE.items():
        if tag in tags:
            changes |= change
    for hue in HUES:
        if f"hue:{hue}" in tags:
            changes["hue"] = hue
    if "percent" in tags:
        changes["percent"] = tuple(columns)
    if "reset" in tags:
        changes["reset"] = True
    return changes


def _order(request: _Said, columns: Sequence[str]) -> dict[str, object]:
    """By which column, and which way."""
    by_name = "by_name" in request.tags or (bool(request.columns) and request.columns[0] == columns[0])
    column = request.columns[0] if request.columns else columns[0] if by_name else columns[-1]
    falling = "descending" in request.tags or ("ascending" not in request.tags and not by_name)
    return {"sort": column, "descending": falling}


def _count(word: str) -> int | None:
    count = int(word) if word.isdecimal() else _numbers().get(word)
    return count if count is not None and 0 < count <= 1000 else None


@cache
def _vocabulary() -> dict[str, dict[str, object]]:
    return yaml.safe_load((Path(__file__).parent / "requests.yaml").read_text(encoding="utf-8"))


@cache
def _kind_names() -> dict[str, ChartKind]:
    """The kinds of chart by the phrases that name them."""
    return {phrase: kind for kind in _KINDS for phrase, tags in _phrases().items() if f"chart:{kind}" in tags}


@cache
def _kinds_within() -> tuple[re.Pattern[str], ...]:
    """How a kind of chart is said in a question: behind what is asked, within it, or before it."""
    within = {
        name: [str(expression) for expression in patterns]
        for name, patterns in _vocabulary()["within"].items()
        if isinstance(patterns, list)
    }
    every = [phrase for phrase, kind in _kind_names().items() if kind in within["kinds"]]
    kind, name, noun = f"(?P<kind>{_one_of(every)})", f"(?P<kind>{_one_of(within['names'])})", _one_of(within["nouns"])
    sure, open_, first = _one_of(within["sure"]), _one_of(within["open"]), _one_of(within["first"])
    of = _one_of(within["of"])
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"\b(?:{sure}) {kind}(?: (?:{noun}))?\b",
            rf"\b(?:{open_}) {kind} (?:{noun})\b",
            rf"\b(?:{open_}) {name}\b",
            rf"^(?:(?:{first}) )*{kind} (?:{noun}) (?:{of})\b",
            rf"^(?:(?:{first}) )*{name} (?:{of})\b",
        )
    )


def _one_of(phrases: Sequence[str]) -> str:
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in sorted(phrases, key=len, reverse=True))


@cache
def _numbers() -> dict[str, int]:
    return {word: number for word, number in _vocabulary()["numbers"].items() if isinstance(number, int)}


@cache
def _phrases() -> dict[str, frozenset[str]]:
    tags_of: dict[str, set[str]] = {}
    for tag, phrases in _vocabulary().items():
        if tag in ("numbers", "within", "colouring"):
            continue
        groups = (
            {f"{tag}:{kind}": phrases_of_tag for kind, phrases_of_tag in phrases.items()}
            if tag in ("chart", "hue")
            else {tag: phrases}
        )
        for name, phrases_of_tag in groups.items():
            for phrase in phrases_of_tag if isinstance(phrases_of_tag, list) else ():
                tags_of.setdefault(str(phrase), set()).add(name)
    return {phrase: frozenset(tags) for phrase, tags in tags_of.items()}
