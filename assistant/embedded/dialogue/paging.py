"""Further places of what was ranked: "the next 5", "show more", "the 5 before", "places 11 to 20".

Only which places are shown changes; everything else that was meant before stays.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.embedded.dialogue.rankings import chosen_in, with_rows
from assistant.embedded.meaning import ALL_THE_REST, Meaning
from assistant.embedded.wording.phrases import side_words
from assistant.embedded.words.lexicon import plural, sentence_of
from assistant.embedded.words.vocabulary import NUMBER_WORDS, ORDINALS, number_said

_N = r"(?:\d+|" + "|".join(NUMBER_WORDS) + ")"
_THAT = r"(?:that|those|these|them)"
_LEAD = re.compile(
    r"^(?:(?:and|now|then|ok|okay|please|just|can (?:you|i)|could you|i want(?: to)?|let me|show|list|give|see|get|display|print|continue with|go to|what (?:are|is|about|were)|all|how about|who (?:are|is|were)|which (?:are|is|were)|me|us|the)\b[\s,]*)+",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?P<said>(?:next|following)(?: {_N})?|(?:some |a few )?more|{_N} more|another {_N}|(?:{_N} |ones? )?(?:after|following) {_THAT}|continue)(?P<rows>(?: \w+)*)$",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"(?:rest|remainder|others?|remaining|other)(?: (?:of {_THAT}|ones?|rows?))?(?: of the list)?$", re.IGNORECASE
)
_PREVIOUS = re.compile(
    rf"(?P<said>(?:previous|preceding|prior) {_N}|previous (?=page)|{_N} before {_THAT})(?P<rows>(?: ?\w+)*)$",
    re.IGNORECASE,
)
_ROWS = re.compile(
    rf"(?:rows?|results?|lines?|entries|records|values?|ones?|places?|page|of {_THAT}|of the list|in (?:the )?(?:list|line|ranking))?$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(?P<place>{'|'.join(ORDINALS.values())}|2nd|3rd|[4-9]th|10th)(?: (?:one|place|best|highest|largest|in line))?(?: (?:of {_THAT}|in the list))?$",
    re.IGNORECASE,
)
_SAID_THE = re.compile(r"\b(?:the|all)\b", re.IGNORECASE)
_PLACES = re.compile(
    r"(?:places?|ranks?|positions?|numbers?|nos?\.?|rows?) (?P<first>\d+) ?(?:to|until|through|till|and|-|–) ?(?P<last>\d+)$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b(?:day|week|month|quarter|year|hour|time|period|step|question|thing)s?$", re.IGNORECASE)
_PAGE_MAX, _NAME_MAX = 1000, 3


class NoFurther(ValueError):
    """There are no further places; the reason is for the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is to be shown: the next or the previous so many, the places from one to another, or all that is left.

    `rows` is what they were called, where they were called by a name of their own.
    """

    direction: int = 0
    count: int | None = None
    first: int = 1
    rows: str = ""
    rest: bool = False

    def of(self, meaning: Meaning) -> Meaning:
        """The meaning with these places.

        Raises:
            NoFurther: it has no others, or not these.
        """
        if self.rows and not _called(self.rows, meaning):
            raise NoFurther(f"It is not “{self.rows}” that were ranked; please ask for them in full.")
        if (ranking := chosen_in(meaning)) is not None:
            return with_rows(meaning, ranking, replace(self, rows="").of(ranking.rows))
        if meaning.limit is None or (meaning.limit == ALL_THE_REST and self.direction > 0):
            raise NoFurther("The answer holds all of them already; none follow.")
        if meaning.keeps_ties or (meaning.within and meaning.ties):
            return self._of_shared(meaning)
        if self.rest and meaning.within:
            raise NoFurther("I can show the next ones of each, but not all that are left; say how many.")
        if self.rest:
            return meaning.model_copy(
                update={"offset": meaning.offset + meaning.limit, "limit": ALL_THE_REST, "title": ""}
            )
        count = self.count or meaning.limit
        offset = self.first - 1
        dated = bool(meaning.columns) and meaning.order[0].by == "column" and side_words(meaning) == "latest"
        earlier = self.direction < 0 and not meaning.offset and dated
        if self.direction > 0 or earlier:  # "the 5 before that" of the latest 5 are those that come next
            offset = meaning.offset + meaning.limit
        elif self.direction < 0:
            if not meaning.offset:
                raise NoFurther("These are the first ones; none come before them.")
            offset = max(0, meaning.offset - count)
            count = min(count, meaning.offset - offset)
        return meaning.model_copy(update={"offset": offset, "limit": count, "ties": False, "title": ""})

    def _of_shared(self, meaning: Meaning) -> Meaning:
        """The next value behind the one that several may share."""
        place = meaning.place + self.direction if self.direction else self.first
        if self.rest or (self.count or 1) > 1 or place not in (1, *ORDINALS):
            raise NoFurther("These all share one place; ask for more of them, as in “top 10”.")
        return meaning.model_copy(update={"place": place, "title": ""})


def page_of(question: str) -> Page | None:
    """Which places the words ask for; None where they ask for something else."""
    text = sentence_of(question)
    text = re.sub(r"[\s,]+(?:please|thanks|then|now|too|as well)$", "", text, flags=re.IGNORECASE)
    text = _LEAD.sub("", text)
    if match := _PLACES.match(text):
        first, last = int(match["first"]), int(match["last"])
        return Page(first=first, count=last - first + 1) if 0 < first <= last < first + _PAGE_MAX else None
    if match := _ORDINAL.match(text):
        first = next(n for n, word in ORDINALS.items() if match["place"].lower() in (word, _short(n)))
        return Page(first=first, count=1)
    if _REST.match(text) and _SAID_THE.search(question):
        return Page(direction=1, rest=True)
    for pattern, direction in ((_NEXT, 1), (_PREVIOUS, -1)):
        if match := pattern.match(text):
            return _page(match["said"], match["rows"].strip(), direction)
    return None


def _short(place: int) -> str:
    return f"{place}{ {2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _page(said: str, rows: str, direction: int) -> Page | None:
    """The next or the previous so many; None where a time is meant, or something else that is more or next."""
    number = next((word for word in said.lower().split() if re.fullmatch(_N, word)), None)
    count = None if number is None else number_said(number)
    own = "" if _ROWS.match(rows) else rows
    if _TIMES.search(own) or (own and count is None) or count == 0 or len(own.split()) > _NAME_MAX:
        return None
    single = rows.lower() in ("one", "place", "row") and count is None
    return Page(direction=direction, count=1 if single else count, rows=own)


def _called(rows: str, meaning: Meaning) -> bool:
    """Whether what was ranked goes by a name."""
    low = rows.lower()
    shown = [d.label for d in (*meaning.dimensions, *meaning.columns)]
    names = {meaning.base_label, *shown, *(plural(label) for label in shown)}
    return any(low in (name, plural(name)) or name.endswith(f" {low}") for name in names)
