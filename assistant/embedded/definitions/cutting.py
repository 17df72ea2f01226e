"""Where a formula in words is cut: at "divided by", "minus", "the ratio of A to B", signs and brackets.

Texts only: what the parts mean is not known here. Words have no order of operations, so where words for adding and for
dividing are mixed without a comma or brackets, nothing is cut.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterator

OPEN = "?"
"""The operator where the order of operations is open."""

_WORDS: tuple[tuple[str, str], ...] = (
    (r"(?:is |are |and )?(?:then )?divided by", "/"),
    (r"(?:is |are |and )?(?:then )?multiplied (?:by|with)|times", "*"),
    (r"minus|less(?! than)|reduced by", "-"),
    (r"plus|increased by", "+"),
)
_SIGNS = {"/": "/", "÷": "/", "*": "*", "×": "*", "+": "+", "-": "-", "−": "-", "–": "-"}
_OPERATOR = re.compile(
    "|".join([*(rf"(?P<w{n}>,? \b(?:{words})\b )" for n, (words, _) in enumerate(_WORDS)),
              r"(?P<sign> [-+−–×÷] |(?<=[\w)%'\"]) ?[*/×÷] ?(?=[\w('\"]))"])
)  # fmt: skip

_A, _B = r"(?P<a>.+?)", r"(?P<b>.+)"
SHAPES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"^{pattern}$", re.IGNORECASE), operator)
    for pattern, operator in (
        (rf"(?:the )?(?:ratio|proportion|rate|quotient) (?:of|between) {_A} (?:to|and|over|divided by) {_B}", "/"),
        (rf"(?:to )?(?:divid(?:e|ing)|taking|take) {_A},? (?:and )?(?:dividing it |divide it |divided )?by {_B}", "/"),
        (rf"{_A} (?:expressed |given )?as an? (?:percentage|percent|%) of {_B}", "%"),
        (rf"{_A} (?:expressed |given )?as an? (?:share|fraction|proportion|ratio|part) of {_B}", "/"),
        (rf"(?:the )?(?:percentage|percent|%) that {_A} (?:is|are|makes? up) of {_B}", "%"),
        (rf"(?:to )?multiply(?:ing)? {_A} (?:by|with|and) {_B}", "*"),
        (rf"(?:the )?product of {_A} and {_B}", "*"),
        (r"(?:to )?subtract(?:ing)? (?P<b>.+?) from (?P<a>.+)", "-"),
        (rf"(?:the )?difference (?:between|of) {_A} and {_B}", "-"),
        (rf"(?:to )?add(?:ing)?(?: up)? {_A} (?:and|to) {_B}", "+"),
        (rf"(?:the )?sum of {_A} and {_B}", "+"),
        (rf"{_A} over {_B}", "/"),
    )
)
"""A whole formula by its wording, with the operator it means: "%" is a division in percent."""
PER = re.compile(
    r"^(?P<mean>(?:the )?(?:average|mean) )?(?P<a>.+?) (?:per|for each|for every|by each) (?P<b>[\w ]+)$", re.IGNORECASE
)
SHARE = re.compile(
    r"^(?:the )?(?P<kind>percentage|percent|share|proportion|fraction|rate|part) of (?:all |the )?(?P<rows>.+)$",
    re.IGNORECASE,
)
PERCENT = re.compile(
    r"^(?P<a>.+?)(?:,? (?:expressed |given |shown )?(?:as a|in) percent(?:age)?|,? \((?:in |as a )?(?:percent(?:age)?|%)\)|,? in %)$"
    r"|^(?P<lead>.+?),? (?:\*|×|x|times|multiplied by|and multipl(?:y|ied) (?:it )?by) ?100 ?%?$",
    re.IGNORECASE,
)
WHERE = re.compile(r"^(?P<f>.+?),? (?:where|for rows where|only where|for all rows where) (?P<c>.+)$", re.IGNORECASE)
OVER = re.compile(
    r"^(?P<f>.+) (?:over|in|from|across|of|for) (?:all |the |every |each |an? )*(?P<t>[\w. ]+?)(?: table| rows)?$",
    re.IGNORECASE,
)
SUMMED = re.compile(r",? (?:summed(?: up)?|added up)$", re.IGNORECASE)
_UNIT = r"(?P<u>days?|hours?|minutes?|seconds?|weeks?)"
TIME = re.compile(
    rf"^(?:the )?(?:number of |time in |duration in )?{_UNIT} (?:elapsed |passed )?(?:between|from) (?P<a>.+?) (?:and|to|until|till) (?P<b>.+)$",
    re.IGNORECASE,
)
IN_TIME = re.compile(rf"^(?P<f>.+?),? (?:measured |expressed |counted |given )?in (?:whole )?{_UNIT}$", re.IGNORECASE)
OF_A_DAY: dict[str, float] = {"day": 1, "hour": 24, "minute": 1440, "second": 86400, "week": 1 / 7}
"""How many of a unit of time a day has."""
CALLED = re.compile(r"^(?P<f>sum|count|avg|average|min|max|total) ?\((?P<x>.+)\)$", re.IGNORECASE)
"""A function of SQL about words: "COUNT(active customers)"."""
LOCAL = re.compile(
    r"^(?P<f>.+?),? where (?P<names>[\w ]+ (?:is|are|=|means|stands for|denotes|refers to) .+)$", re.IGNORECASE
)
_NAMED = re.compile(
    r"^(?:the )?(?P<n>[\w ]+?) (?:is|are|=|means|stands for|denotes|refers to) (?P<b>.+)$", re.IGNORECASE
)
COUNTED = re.compile(r"^(?:the )?(?:total )?(?P<rest>[\w ]+?) count$", re.IGNORECASE)
AGGREGATED = re.compile(
    r"^(?:the )?(?P<kind>total (?:number|count)|number|count|total|sum|average|mean|avg|maximum|max|highest|largest|minimum|min"
    r"|lowest|smallest)(?: of)?(?: all)?(?: the)? (?P<rest>.+)$",
    re.IGNORECASE,
)


def splits(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """Every way to cut a text in two by a pattern with the parts `a` and `b`; none inside brackets or quotes."""
    match = pattern.match(text)
    while match is not None:
        left, right = match["a"].strip(" ,"), match["b"].strip(" ,")
        if balanced(left) and balanced(right):
            yield left, right
        end = match.end("a") if match.start("a") < match.start("b") else match.end("b")
        longer = re.compile(
            pattern.pattern.replace(".+?", rf".{{{end - min(match.start('a'), match.start('b')) + 1},}}?", 1),
            re.IGNORECASE,
        )
        match = longer.match(text)


def cut(text: str) -> tuple[str, str, str] | None:
    """A formula at its outermost operator: left, operator, right; None where there is none.

    The operator is `OPEN` where words do not say what comes first.
    """
    found = [
        (m, *_kind(m)) for m in _OPERATOR.finditer(text) if balanced(text[: m.start()]) and balanced(text[m.end() :])
    ]
    if not found:
        return None
    after_comma = [f for f in found if f[0][0].startswith(",")]
    if after_comma:
        chosen = after_comma[-1]
    else:
        weak = [f for f in found if f[1] in "+-"]
        strong = [f for f in found if f[1] in "*/"]
        if weak and strong and any(f[2] for f in found):
            return text, OPEN, ""
        divided = next((n for n, f in enumerate(strong) if f[1] == "/"), len(strong))
        if not weak and divided < len(strong) - 1 and any(f[2] for f in strong):
            return text, OPEN, ""  # "A times B divided by C" is plain, "A divided by B times C" is not
        chosen = (weak or strong)[-1]
    match, operator, _ = chosen
    return text[: match.start()].strip(" ,"), operator, text[match.end() :].strip(" ,")


def signed(text: str) -> str | None:
    """A formula with signs for its operators; None where words leave open what comes first, or a comma says it."""
    found = [_kind(match) for match in _OPERATOR.finditer(text)]
    kinds = [operator for operator, _ in found]
    mixed = bool({"+", "-"} & set(kinds)) and bool({"*", "/"} & set(kinds))
    if not found or "," in text or ((mixed or "/" in kinds[:-1]) and any(words for _, words in found)):
        return None
    return _OPERATOR.sub(lambda match: f" {_kind(match)[0]} ", text)


def _kind(match: re.Match[str]) -> tuple[str, bool]:
    """The operator, and whether it is in words."""
    if match["sign"]:
        return _SIGNS[match["sign"].strip()], False
    return next(operator for n, (_, operator) in enumerate(_WORDS) if match[f"w{n}"]), True


def unfolded(text: str) -> str | None:
    """A formula with the names that it explains itself put in: "A / B, where A is ... and B is ..."; None without any."""
    match = LOCAL.match(text)
    if match is None:
        return None
    formula = match["f"]
    for part in re.split(r",? and (?=[\w ]+? (?:is|are|=|means|stands for|denotes|refers to) )|, ", match["names"]):
        named = _NAMED.match(part)
        if named is None or not re.search(rf"\b{re.escape(named['n'])}\b", formula):
            return None
        formula = re.sub(rf"\b{re.escape(named['n'])}\b", lambda _, body=named["b"]: f"({body})", formula)
    return formula


def balanced(text: str) -> bool:
    """Whether every bracket and quote that opens in a text closes there."""
    depth = 0
    for character in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and not re.search(r"[\"]|(?<!\w)'|'(?!\w)", re.sub(r"'[^']*'|\"[^\"]*\"", "", text))


def enclosed(text: str) -> bool:
    """Whether one pair of brackets holds the whole text."""
    return text.startswith("(") and text.endswith(")") and balanced(text[1:-1])


_LEAD = re.compile(
    r"^(?:(?:defined|calculated|computed|measured|obtained|given|found|determined|derived) (?:as|by|from)|equal to|the (?:result|value) of"
    r"|by|as|simply|always|taking(?! .* (?:and|divid))|take(?! .* (?:and|divid)))\s+",
    re.IGNORECASE,
)


def cleaned(text: str) -> str:
    """A formula without what only introduces it."""
    words = " ".join(text.split()).strip(" .;,")
    for _ in range(3):
        words = _LEAD.sub("", words)
    words = re.sub(r"^count(?:ing)? (?:up )?(?:the )?(?!of\b|distinct_)(?=[a-z])", "number of ", words)
    words = re.sub(
        r"^(?:sum(?:ming)?|add(?:ing)?)(?: up)? (?:the |all )*(?!of\b)(?=[a-z])(?!.* (?:and|to) )",
        "sum of ",
        words,
        flags=re.IGNORECASE,
    )
    return re.sub(r"^averaging (?:the )?", "average ", words, flags=re.IGNORECASE)
