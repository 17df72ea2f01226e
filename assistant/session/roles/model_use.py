"""Model use of a session: what models may see, what they were sent, and the usage of their budgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.models.budget import Account
    from assistant.record.store.sent_calls import SentCall
    from assistant.session.roles.disclosing import Disclosure
    from assistant.settings.level_store import Sees


class SessionRoles(Protocol):
    """The models and the embedded analyst that play the roles of a session."""

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent; None where nothing is left to choose."""
        ...

    async def choose(self, endpoints: Sequence[str], level: Sees) -> None:
        """Store what endpoints may see."""
        ...

    def accounts(self) -> tuple[Account, ...]:
        """The limits on models, and what is used of each."""
        ...

    async def analyst(self) -> Analyst:
        """The embedded analyst of the session's data."""
        ...

    async def close(self) -> None:
        """Let the models go."""
        ...


class ModelUse:
    """Models in one session.

    Args:
        roles: The models that play its roles.
        sent_calls: What a model was sent, by the name that its `Usage` carries.
    """

    def __init__(self, roles: SessionRoles, *, sent_calls: Callable[[str], SentCall | None]) -> None:
        self._roles = roles
        self._sent = sent_calls

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent to a model elsewhere; None where nothing is left.

        Callers: The owner.
        """
        return await self._roles.disclosure(question)

    async def choose(self, endpoints: Sequence[str], level: Sees) -> None:
        """Keep what model endpoints may see of the data, from now on.

        Callers: The owner.

        Raises:
            ConfigError: it cannot be written.
        """
        await self._roles.choose(endpoints, level)

    def sent(self, name: str) -> SentCall | None:
        """What a model was sent in the call whose `Usage` carries this name. Reads a file: call it from a thread.

        Callers: The owner.
        """
        return self._sent(name)

    def accounts(self) -> tuple[Account, ...]:
        """The limits on models that are set, and what this session and its last turn have used of each.

        Callers: The owner.
        """
        return self._roles.accounts()
