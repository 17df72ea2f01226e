"""What the embedded analyst must know of a tested function to call it: how it is asked for and what its table needs.

They are read from the part `study` of the YAML beside the function, so that a function of a knowledge folder is asked
for by name like one that comes with Tandem. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

RoleKind = Literal["thing", "event", "date", "figure", "grain", "ahead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRole:
    """What a function needs of the data.

    Attributes:
        name: The parameter that is given it. Another name is a column that only keeps rows apart.
        kind: `thing`: what the rows belong to, such as a customer. `event`: what happens once at a time, such as an
            order. `date`: its day. `figure`: what is added up. `grain`: "month"; `ahead`: how many periods.
        words: What a table or a column is called that may be it, where the question names none.
    """

    name: str
    kind: RoleKind
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionStudy:
    """A tested function as it is asked for.

    Attributes:
        function: Its name.
        purpose: What it does, in a sentence.
        parameters: The names of its parameters; the first takes the table.
        phrases: Words of a question that ask for it.
        also: Further words that say nothing more beside one of these.
        roles: What its table needs, in the order of the columns.
        subject: What it computes; `$role` stands for what the role is here.
        answer: The answer; `$column` stands for a value of the first row, `$n` for the number of rows.
    """

    function: str
    purpose: str
    parameters: tuple[str, ...]
    phrases: tuple[str, ...]
    roles: tuple[FunctionRole, ...]
    subject: str
    also: tuple[str, ...] = ()
    answer: str = "$subject: $n rows."

    @property
    def has_ahead(self) -> bool:
        """Whether it looks ahead, so that a period that is not over must be left out."""
        return any(role.kind == "ahead" for role in self.roles)


def parse_study(function: str, entry: Mapping[str, Any], *, purpose: str, parameters: Sequence[str]) -> FunctionStudy:
    """How a function is asked for.

    Raises:
        ValueError: the entry has another form.
    """
    phrases, roles, also = entry.get("phrases"), entry.get("roles"), entry.get("also") or []
    if not isinstance(phrases, list) or not isinstance(also, list) or not phrases or not roles:
        raise ValueError("'study' must have a list 'phrases' and a mapping 'roles'.")
    if not isinstance(roles, Mapping):
        raise ValueError("'roles' must be a mapping.")
    texts = {key: str(entry[key]) for key in ("subject", "answer") if entry.get(key)}
    return FunctionStudy(
        function=function,
        purpose=purpose,
        parameters=tuple(parameters),
        phrases=_longest_first(phrases),
        also=_longest_first(also),
        roles=tuple(_parse_role(str(name), role) for name, role in roles.items()),
        **{"subject": function.replace("_", " "), **texts},
    )


def _longest_first(phrases: list[object]) -> tuple[str, ...]:
    return tuple(sorted((str(phrase).casefold() for phrase in phrases), key=lambda text: -len(text.split())))


def _parse_role(name: str, entry: object) -> FunctionRole:
    fields: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
    kind: RoleKind | None = next((kind for kind in get_args(RoleKind) if kind == fields.get("kind")), None)
    words = fields.get("words") or []
    if kind is None or not isinstance(words, list):
        raise ValueError(f"the role {name!r} must have a 'kind': {', '.join(get_args(RoleKind))}.")
    return FunctionRole(name=name, kind=kind, words=tuple(str(word).casefold() for word in words))
