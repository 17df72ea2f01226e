"""Lists the configured models by role, with their budgets, and tests each by one cheap call.

The test sends one fixed sentence and no data; no question of a person is sent from here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assistant.core.events import Role
from assistant.errors import AssistantError
from assistant.models.budget import list_accounts
from assistant.models.providers import ModelChoice, build
from assistant.models.role_models import find_choice, list_names

if TYPE_CHECKING:
    from assistant.settings.settings import Settings

ROLES: tuple[Role, ...] = ("planner", "coder", "reviewer")
QUESTION = "Reply with the single word: ready"
_REPLY_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """One model that some role uses.

    Attributes:
        name: The name that the settings use for it.
        model: The model's name at the endpoint.
        provider: The provider's short name, or the dotted path of a client.
        endpoint: Host and port.
        roles: The roles that ask it first.
        fallbacks: Its place among the models that go on where a role's own cannot be reached, from 1, by role;
            the role is empty where it has that place for all.
    """

    name: str
    model: str
    provider: str
    endpoint: str
    roles: tuple[Role, ...] = ()
    fallbacks: tuple[tuple[Role | Literal[""], int], ...] = ()

    @property
    def use(self) -> str:
        """The purpose of the model, as text."""
        uses = [", ".join(self.roles)] if self.roles else []
        for place in sorted({place for _, place in self.fallbacks}):
            of = ", ".join(role for role, at in self.fallbacks if at == place and role)
            uses.append(f"fallback {place} of {of}" if of else f"fallback {place}")
        return "; ".join(uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelListing:
    """The models, who plays the roles that no model has, and the limits that are set (`budgets.turn.calls`: 60)."""

    models: tuple[ListedModel, ...]
    embedded: tuple[Role, ...]
    limits: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """How the test of a model went. `text` says it in a sentence or two; the key is not in it."""

    ok: bool
    text: str


def list_models(settings: Settings) -> ModelListing:
    """The models that the settings give to the roles, each once, in the order in which they are asked."""
    first = {role: settings.model_of(role) for role in ROLES}
    names = dict.fromkeys(name for role in ROLES for name in list_names(settings, role))
    models: list[ListedModel] = []
    for name in names:
        choice = find_choice(settings, name)
        models.append(
            ListedModel(
                name=name,
                model=choice.model or choice.name,
                provider=choice.provider,
                endpoint=choice.endpoint,
                roles=tuple(role for role in ROLES if first[role] == name),
                fallbacks=_list_addresses(settings, name, [role for role in ROLES if first[role]]),
            )
        )
    return ModelListing(
        models=tuple(models),
        embedded=tuple(role for role in ROLES if not first[role]),
        limits=tuple((account.setting, account.limit) for account in list_accounts(settings.budgets, ())),
    )


def _list_addresses(settings: Settings, name: str, roles: Sequence[Role]) -> tuple[tuple[Role | Literal[""], int], ...]:
    """The place of a model among the fallbacks of each role that has it there."""
    places: list[tuple[Role, int]] = []
    for role in roles:
        chain = settings.fallbacks_of(role)
        if name in chain:
            places.append((role, chain.index(name) + 1))
    if len(places) == len(roles) and len({place for _, place in places}) == 1:
        return (("", places[0][1]),)
    return tuple(places)


async def try_out(
    settings: Settings, name: str, *, environment: Mapping[str, str] | None = None, key: str | None = None
) -> TrialResult:
    """Ask a model for one word, as it would be asked in a session: streamed where it is set to stream.

    What the endpoint cannot take is remembered, as after any other request.

    Args:
        settings: The settings.
        name: The model, as the settings name it.
        environment: Where its key is read from; the process's environment by default.
        key: Its key, where it is not kept anywhere yet.
    """
    choice = replace(find_choice(settings, name), retries_max=0)
    try:
        return await _ask(choice, settings.home, environment, key)
    except AssistantError as error:
        return TrialResult(ok=False, text=str(error).replace("Your question is kept. ", ""))


async def _ask(choice: ModelChoice, home: Path, environment: Mapping[str, str] | None, key: str | None) -> TrialResult:
    from autogen_core.models import UserMessage

    from assistant.models.errors import without_secrets
    from assistant.models.requests import FormRefused, call

    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    model = await asyncio.to_thread(build, choice, environment=environment, home=home, key=key)
    pieces: list[str] = []
    began = time.monotonic()
    try:
        result = await call(model, [UserMessage(content=QUESTION, source="person")], on_piece=pieces.append)
    except FormRefused as refused:
        raise refused.error from None
    finally:
        await model.close()
    seconds = time.monotonic() - began
    reply = " ".join(result.content.split()) if isinstance(result.content, str) else ""
    reply = without_secrets(reply, model.secret)
    quoted = f": “{reply[:_REPLY_CHARS]}{'…' if len(reply) > _REPLY_CHARS else ''}”" if reply else " with nothing"
    arrived = "in pieces" if pieces else "in one piece"
    left_out = _left_out(model.learnt.now.model_dump())
    text = f"Replied{quoted} after {seconds:.1f} s, {arrived}.{left_out}"
    if not reply:
        text += (
            f" Check that a model's endpoint is at its address: {choice.name_setting('base_url')}. A model that thinks "
            "before it replies may have used up its tokens: raise max_tokens in its `config`."
        )
    return TrialResult(ok=bool(reply), text=text)


def _left_out(capabilities: Mapping[str, object]) -> str:
    """What the endpoint does not take, as far as it is known."""
    words = {"streams": "streaming", "stream_options": "stream_options", "temperature": "temperature"}
    refused = [word for field, word in words.items() if capabilities[field] is False]
    return f" The endpoint does not take {', '.join(refused)}: that is left out." if refused else ""
