"""Disclosure: what an endpoint may see of the data, chosen once by the person before the first question goes to it.

An endpoint on this machine may see rows without asking, and so may one for which the setting `sees` applies. Nothing is
sent to any other endpoint before the person chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assistant.errors import ConfigError
from assistant.settings.level_store import LEVELS, DisclosureLevelStore, Sees

if TYPE_CHECKING:
    from assistant.record.store.sent_calls import SentCall

SUGGESTED: Sees = "results"
"""The level that is chosen where the person has no wish of their own."""

_FORMER: Mapping[str, Sees] = {"nothing": "names", "statistics": "values", "sample": "rows"}
_LEVELS_BY_NAME: Mapping[str, Sees] = {**{level: level for level in LEVELS}, **_FORMER}
ADDS: Mapping[Sees, str] = {
    "names": "names and types of tables and columns, your words, plans, code, and the shape of results",
    "values": "figures about columns, and the values of columns that have few",
    "results": "the results of steps that you approved, at most 50 rows each, printed text and earlier answers",
    "rows": "rows and frequent values of your tables",
}
"""What each level adds to the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What is to be chosen before a question may be sent.

    Attributes:
        endpoints: Host and port of the endpoints that nobody has chosen for yet.
        models: The models that are asked there.
        suggested: The level to begin with.
        adds: What each level adds to the one before.
        first: The first call of this question, to the letter, by level; empty where no model plans.
    """

    endpoints: tuple[str, ...]
    models: tuple[str, ...]
    suggested: Sees = SUGGESTED
    adds: Mapping[Sees, str]
    first: Mapping[Sees, SentCall]


def find_level(sees: str, endpoint: str, store: DisclosureLevelStore) -> Sees | None:
    """What an endpoint may see: as set, as chosen, or as it is on this machine; None where nobody has said it."""
    if sees in _LEVELS_BY_NAME:
        return _LEVELS_BY_NAME[sees]
    stored = store.kept.get(endpoint)
    if stored is not None:
        return stored
    return "rows" if is_loopback(endpoint) else None


def find_least(levels: Sequence[Sees | None]) -> Sees:
    """The level for a request that may go to any of several endpoints: what goes to one may go to each."""
    levels_or_default: list[Sees] = [level or SUGGESTED for level in levels]
    return min(levels_or_default, key=LEVELS.index)


def unchosen(endpoints: Sequence[str]) -> ConfigError:
    """That nothing is sent before the person chose."""
    return ConfigError(
        f"Nothing was sent to {', '.join(map(repr, endpoints))}: nobody has chosen what it may see of your data. Ask "
        "on the page or in a terminal, where you are shown what is sent, or set TANDEM_SEES to names, values, results "
        "or rows."
    )


def is_loopback(endpoint: str) -> bool:
    """Whether a host, with or without a port, is this machine."""
    host = urlsplit(f"//{endpoint}").hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
