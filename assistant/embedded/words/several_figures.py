"""Several figures of one number, said one by one, put together: "prices: lowest, average and highest".

So are ages ("how old is the youngest and how old is the oldest?"), the extremes of different numbers among all rows, and
how many of something each of the rows has. Each rule changes words alone, in order, and never what is asked for.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re

from assistant.embedded.words.rewriting import compiled, rewritten

_WORDS = {
    "minimum": ("minimum", "min", "lowest", "smallest"),
    "maximum": ("maximum", "max", "highest", "largest"),
    "average": ("average", "avg", "mean"),
    "total": ("total", "sum"),
}
_FIGURE = "(?:" + "|".join(word for words in _WORDS.values() for word in words) + ")"
_MARKED = re.compile(
    rf"^(?P<of>(?:(?!(?:what|which|who|how|show|list|give|number|count|{_FIGURE})\b)[a-z][\w' -]*?)): "
    rf"(?:the )?(?P<said>{_FIGURE}(?:(?:,? (?:and|plus|&) |, )(?:the )?{_FIGURE})+)\W*$",
    re.IGNORECASE,
)
_AGES = (
    ("minimum", r"how old (?:is )?the youngest(?: one| of them)?(?: is)?"),
    ("maximum", r"how old (?:is )?the oldest(?: one| of them)?(?: is)?"),
    (
        "average",
        r"(?:what (?:is )?the(?:ir)? average age(?: is)?|how old (?:are they|they are|(?P<rows>[a-z]+) are) on average)",
    ),
)
_AGE = "(?:" + "|".join(re.sub(r"\?P<\w+>", "?:", asked) for _, asked in _AGES) + ")"
_AGES_ASKED = re.compile(rf"(?<![a-z]){_AGE}(?:(?:,? and |, ){_AGE})+", re.IGNORECASE)
_END = r"(?:top|highest|biggest|largest|greatest|lowest|smallest|least)"
_COLUMN = r"(?!(?:and|with|of|in)\b)[a-z]+(?: [a-z]+){0,2}"
_AMONG_ALL = re.compile(
    rf"^(?:among|across|of|for|over) all (?:of )?(?:the |our )?(?P<rows>[a-z]+(?: [a-z]+)?), (?:(?:show|give|list)(?: me)? |what (?:is|are) )?"
    rf"(?P<said>the {_END} {_COLUMN}(?:, the {_END} {_COLUMN})*,? and the {_END} {_COLUMN})\W*$",
    re.IGNORECASE,
)
_RULES: tuple[tuple[str, str], ...] = (
    (r"^(?:if|when) (?:you|we|i|one) (?:add|sum|total|count) up (?:the )?(?P<of>[^,]+?), how many (?:do|would|does|are|is|will)\b[\w ]*\W*$", r"total number of \g<of>"),
    (r"^(?:if|when) (?:you|we|i|one) (?:add|sum|total) up (?:the )?(?P<of>[^,]+?), (?:how much|what) (?:do|would|does|are|is|will)\b[\w ]*\W*$", r"total of \g<of>"),
    (r"^(?:please )?(?:break|split) (?P<down>down )?(?:the )?(?!(?:it|that|this|them|these|those)\b)(?P<of>[^,.;?!]+?)(?(down)| (?:down|up)) (?:by|into|per|across) (?=\w)", r"\g<of> by "),
    (r"^(?:(?:show|list|give)(?: me)? )?(?:all )?(?:the )?(?P<group>[a-z][\w ]*?s),? (?:with|and) (?:the )?number of (?P<rows>[a-z][\w ]*?) (?:in|of|for|at|on|from|per) each(?: one| of them)?\W*$", r"number of \g<rows> by \g<group>"),
    (r"^(?:(?:show|list|give)(?: me)? )?(?:each|every) (?P<group>[a-z]+(?: [a-z]+)?),? (?:and|with) how many (?P<rows>[a-z]+) (?:have|has|had|use|own|hold|take|are in|are on|are at|belong to|there are (?:in|of|for|on|at)) it\W*$", r"number of \g<rows> by \g<group>"),
)  # fmt: skip
_COMPILED = compiled(_RULES)


def together(text: str) -> str:
    """The question with figures that are said one by one put as those of one number."""
    text = _AGES_ASKED.sub(_of_age, text)
    if (found := _MARKED.match(text)) is not None:
        return f"{_listed(re.findall(_FIGURE, found['said'], re.IGNORECASE))} {found['of']}"
    if (among := _AMONG_ALL.match(text)) is not None:
        put = re.sub(
            rf"\bthe (?P<end>{_END})(?= )", lambda end: _figure(end["end"]), among["said"], flags=re.IGNORECASE
        )
        return f"{put} of all {among['rows']}"
    return rewritten(text, _COMPILED)


def _of_age(found: re.Match[str]) -> str:
    """ "how old is the youngest, what is the average age, and how old is the oldest": the three ages in their order."""
    places = {figure: re.search(asked, found[0], re.IGNORECASE) for figure, asked in _AGES}
    asked = sorted((match.start(), figure) for figure, match in places.items() if match is not None)
    average = places["average"]
    rows = average["rows"] if average is not None and average["rows"] else ""
    return f"the {_listed([figure for _, figure in asked])} age{' of ' + rows if rows else ''}"


def _listed(words: list[str]) -> str:
    *others, last = dict.fromkeys(_figure(word) for word in words)
    return f"{', '.join(others)} and {last}" if others else last


def _figure(word: str) -> str:
    """The figure by its plain name; a word for an end of a number is its maximum or its minimum."""
    low = word.lower()
    named = next((figure for figure, words in _WORDS.items() if low in words), "")
    return named or ("minimum" if low == "least" else "maximum")
