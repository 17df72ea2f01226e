"""JSON from untrusted code: limited in size before it is parsed, sanitised before it is used."""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

DEPTH_MAX = 64
VALUES_MAX = 200_000
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_ESCAPED = re.compile(rb"\\u[dD]")  # decoding replaces all other surrogates
_SURROGATE = re.compile("[\ud800-\udfff]")
_EXACT: frozenset[type] = frozenset({str, int, bool, type(None)})
# JSON has no word for infinity or NaN.
_decoder = json.JSONDecoder(parse_constant=lambda _: None)


class JsonRefused(ValueError):
    """This is no JSON that is taken; the message says why, in words that end a sentence about it."""


def read_json(raw: bytes) -> Any:
    """The value of `raw`; nothing in it can break what is built on it.

    It is at most `DEPTH_MAX` levels deep and has at most `VALUES_MAX` values. What UTF-8 cannot hold (a lone half of a
    surrogate pair, a byte out of place) is replaced by U+FFFD; infinity and what is no number by null.

    Raises:
        JsonRefused: It is no JSON, or too much of it; nothing else is ever raised.
    """
    return read_counted(raw)[0]


def read_counted(raw: bytes) -> tuple[Any, int]:
    """What `read_json` gives, and how many values it holds at all levels.

    Raises:
        JsonRefused: As there.
    """
    if _marks(raw) > VALUES_MAX and _marks(_STRING.sub(b"", raw)) > VALUES_MAX:
        raise JsonRefused(f"it has more than {VALUES_MAX} values")
    try:
        value: Any = _decoder.decode(raw.decode("utf-8", "replace"))
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise JsonRefused("it is no JSON") from None
    root = [value]
    return root[0], _clean(root, surrogates=_ESCAPED.search(raw) is not None)


def _marks(raw: bytes) -> int:
    """At least the number of values in `raw`, less one."""
    return raw.count(b",") + raw.count(b"[") + raw.count(b"{")


def _clean(root: list[Any], *, surrogates: bool) -> int:
    """Clean all that is in `root`, in place and without recursion; gives the number of values."""
    values = 0
    level: list[Any] = [root]
    for _ in range(DEPTH_MAX + 1):
        deeper: list[Any] = []
        for container in level:
            values += len(container)
            if container and (surrogates or not _is_plain(container)):
                _clean_items(container, deeper, surrogates=surrogates)
        if not deeper:
            return values
        level = deeper
    raise _too_deep()


def _clean_items(container: Any, deeper: list[Any], *, surrogates: bool) -> None:
    """Clean what is directly in `container`; containers in it are added to `deeper`."""
    if surrogates and isinstance(container, dict):
        _clean_keys(cast("dict[str, Any]", container))
    for key, item in container.items() if isinstance(container, dict) else enumerate(container):
        if isinstance(item, (dict, list)):
            deeper.append(item)
        elif isinstance(item, str):
            if surrogates and not item.isascii():
                container[key] = _SURROGATE.sub("\ufffd", item)
        elif isinstance(item, float) and not math.isfinite(item):
            container[key] = None


def _is_plain(container: Any) -> bool:
    """Whether `container` holds nothing but texts, finite numbers and constants; without a loop in Python."""
    items = container.values() if isinstance(container, dict) else container
    kinds = set(map(type, items))
    if kinds <= _EXACT:
        return True
    return kinds == {float} and all(map(math.isfinite, items))


def _clean_keys(container: dict[str, Any]) -> None:
    if not all(map(str.isascii, container)):
        items = [(_SURROGATE.sub("\ufffd", key), item) for key, item in container.items()]
        container.clear()
        container.update(items)


def _too_deep() -> JsonRefused:
    return JsonRefused(f"it is nested deeper than {DEPTH_MAX} levels")
