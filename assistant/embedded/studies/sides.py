"""The words that set groups side by side: "revenue Germany vs Austria", "do women earn less than men".

Each pattern tells the two sides `a` and `b`, and the `figure` where one is named; what they are is read elsewhere.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re

_MORE = r"(?:different|higher|lower|larger|smaller|the same|bigger|better|worse|greater|more|less|equal)"
_FEWER = r"(?:(?:have|has|get|gets|make|makes) )?(?:more|less|fewer)"
_AND = r"(?:and|with|to|vs\.?|versus|against|than(?: in| for| at| from)?)"
TWO_SIDES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:is|are|was|were)(?: the| our)? (?P<figure>.+?) (?:significantly |really |much )?{_MORE}"
        rf" (?:between|in|for|across|among|at|from|of)(?: the)? (?P<a>.+?) {_AND}(?: the)? (?P<b>.+)$",
        r"^(?:(?:is|are) there|what (?:is|are)|show|test) (?:a |an |any |the )?(?:\w+ )?(?:differences?|gap) (?:in|of)"
        r"(?: the)? (?P<figure>.+?) between(?: the)? (?P<a>.+?) and(?: the)? (?P<b>.+)$",
        r"^(?:(?:is|are) there|what (?:is|are)|show|test) (?:a |an |any |the )?(?:\w+ )?(?:differences?|gap) between"
        r"(?: the)? (?P<a>.+?) and(?: the)? (?P<b>.+?)(?: (?:in|for|of|by)(?: the)? (?P<figure>.+))?$",
        r"^(?:how )?(?:do|does|did)(?: the| our)? (?P<figure>.+?) (?:differ|vary|compare)(?: significantly)? (?:between|for|in|of)"
        r"(?: the)? (?P<a>.+?) (?:and|with|to|vs\.?|versus)(?: the)? (?P<b>.+)$",
        r"^(?:how )?(?:do|does|did)(?: the| our)? (?P<a>.+?) (?:differ from|compare (?:with|to|against))(?: the)? (?P<b>.+?)"
        r"(?: (?:in|by|on)(?: the)? (?P<figure>.+))?$",
        r"^compare(?: the| our)? (?P<figure>.+?) (?:of|in|for|between|from|at)(?: the)? (?P<a>.+?) (?:and|with|to|vs\.?|versus"
        r"|against)(?: (?:that|those) (?:of|in|for))?(?: the)? (?P<b>.+)$",
        r"^compare(?: the| our)? (?P<a>.+?) (?:and|with|to|vs\.?|versus|against)(?: the)? (?P<b>.+?)"
        r"(?: (?:by|on|in terms of|regarding)(?: the)? (?P<figure>.+))?$",
        r"^(?:the |our )?(?P<figure>.+?)(?: of| in| for| by)?(?: the)? (?P<a>\w+) (?:versus|vs\.?)(?: the)? (?P<b>\w+)$",
        rf"^(?:are|is|do|does)(?: the)? (?P<a>\w+) {_FEWER} (?P<figure>\w+) than(?: the)? (?P<b>\w+)$",
        r"^(?:the )?(?P<a>.+?) (?:versus|vs\.?|compared (?:to|with))(?: the)? (?P<b>.+?)"
        r"(?: (?:by|on|in terms of|regarding)(?: the)? (?P<figure>.+))?$",
    )
)
ACROSS = re.compile(
    r"^(?:is|are|do|does|did)(?: the| our)? (?P<figure>.+?) (?:significantly )?(?:differ|different|vary|depend)(?: significantly)?"
    r" (?:by|across|among|between|on|per)(?: the)? (?P<by>[\w ]+)$",
    re.IGNORECASE,
)
