"""What something is made up of, as the office says it: "payment mix", "gender split by team", "split of hours".

Such a phrase asks for the parts of a whole. The whole is the figure that is named, what the rows of the column were
sold for, or how many rows there are; of a mix by something else, how many rows there are of each kind within it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.options import EXACT, ToColumn
from assistant.embedded.words.lexicon import name_stems

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Attribute

_ASKED = r"^(?:what(?:'s| is| does) |show (?:me |us )?|give (?:me |us )?|how(?:'s| is) )?(?:the |our |your )?"
_MADE_UP = r"(?:mix|split|breakdown|composition)"
_WHEN = "in|for|of|this|last|since|over|during"
_OF_FIGURE = re.compile(
    rf"{_ASKED}{_MADE_UP} of (?:the |our )?(?P<figure>.+?) (?:by|per|across) (?P<rest>.+)$"
    rf"|{_ASKED}(?P<named>.+?) (?:mix|composition) (?:by|per|across) (?P<kinds>.+)$",
    re.IGNORECASE,
)
_OF_KIND = re.compile(
    rf"{_ASKED}(?P<kind>[\w -]+?) {_MADE_UP}(?: look(?:s)? like)?(?P<rest>(?: (?:by|per|{_WHEN})\b.*)?)$"
    rf"|{_ASKED}{_MADE_UP} (?:by|of) (?:the |our )?(?P<of>[\w -]+?)(?P<later>(?: (?:{_WHEN})\b.*)?)$",
    re.IGNORECASE,
)
_BY = re.compile(r"^ ?(?:by|per) (?P<other>[\w -]+)$", re.IGNORECASE)


def mixed(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put as shares of a whole, and what was taken for granted; None where it asks for no such thing."""
    known = list(linkers)
    found = _OF_KIND.match(text)
    if found is not None:
        kind, rest = found["kind"] or found["of"], found["rest"] or found["later"] or ""
        for linker in known:
            column = _kind(kind, linker)
            if column is not None:
                return _shares(kind, column, rest, linker)
            if linker.sold is not None and linker.tables.get(name_stems(kind)) and not _BY.match(rest):
                figure = linker.sold.name  # "product mix", where products have a table of their own
                return f"share of {figure} by {kind}{rest}", f"the parts are those of {figure}"
    whole = _OF_FIGURE.match(text)
    if whole is None:
        return None
    figure, by = whole["figure"] or whole["named"], whole["rest"] or whole["kinds"]
    return f"share of {figure} by {by}", ""


def _shares(kind: str, column: Attribute, rest: str, linker: Linker) -> tuple[str, str]:
    entity, metric = linker.schema.entities[column.table], linker.sold
    by = _BY.match(rest)
    if by is not None:
        return f"number of {entity.many} by {by['other']} and {kind}", ""
    sold = metric is not None and linker.schema.find_entity(metric.table) == entity
    figure = metric.name if sold and metric is not None else entity.many
    return f"share of {figure} by {kind}{rest}", f"the parts are those of {figure}"


def _kind(words: str, linker: Linker) -> Attribute | None:
    """The column of which the words say the kinds: the payment, the channel."""
    named = [o for o in linker.names(name_stems(words)) if isinstance(o, ToColumn) and o.strength >= _SURE]
    kinds = [o.attribute for o in named if o.attribute.role in ("text", "flag")]
    best = max((o.strength for o in named), default=0.0)
    return kinds[0] if kinds and (len(kinds) == 1 or best > EXACT) else None


_SURE = 0.65
