"""Errors of a model's endpoint as messages that say what to do and never contain the key.

Providers' errors are recognised by class name and HTTP status, so no provider's package is imported.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from assistant.errors import ContextOverflow, ModelError, ModelUnavailable
from assistant.models.redirects import find_redirect, find_web_page

if TYPE_CHECKING:
    from assistant.models.capabilities import Capabilities
    from assistant.models.providers import ModelChoice

_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[\w*.\-]{6,}|\bBearer\s+\S+", re.IGNORECASE)
_FORM = re.compile(r"\btool|\bfunction|response_format|json_schema|structured output|\bformat\b", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context_length|context length|maximum context|prompt is too long|context size|exceed_context", re.IGNORECASE
)
_TOKENS = re.compile(r"\b(\d{1,3}(?:,\d{3})+|\d{3,})\b")
_DETAIL_CHARS = 240
_NOTE = "Your question is kept."
_BASES = {
    "httpx": ("HTTPError",),
    "httpx2": ("HTTPError",),  # what Anthropic's package is built on; its streams raise these as they are
    "openai": ("OpenAIError",),
    "anthropic": ("AnthropicError",),
    "ollama": ("ResponseError", "RequestError"),
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
}


class StreamCutOff(ConnectionError):
    """A stream ended in the middle of the reply."""


def without_secrets(text: str, secret: str) -> str:
    """The text without the key, and without what looks like one (providers echo it, partly starred)."""
    if secret:
        text = text.replace(secret, "[key]")
    return _KEYLIKE.sub("[key]", text)


def list_client_errors() -> tuple[type[BaseException], ...]:
    """What a client may raise for faults that are not ours: of the packages that are loaded.

    The last few are raised by clients that trip over a reply which is no chat completion at all.
    """
    provided = [getattr(sys.modules[name], base) for name in _BASES if name in sys.modules for base in _BASES[name]]
    builtin = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, AssertionError, EOFError)
    return (*provided, *builtin)


def find_status(error: BaseException) -> int | None:
    """The HTTP status that an endpoint replied with, if it replied at all."""
    status = getattr(error, "status_code", None)
    if status is None and isinstance(response := getattr(error, "response", None), dict):
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")  # as boto3 has it
    return status if isinstance(status, int) and status > 0 else None


def is_about_form(error: BaseException) -> bool:
    """Whether an endpoint turned a request down in a way that it may do for schemas or tools it does not know.

    Most say 400, some 422 or 501; a few say 404 or 500, and then only their words tell.
    """
    status = find_status(error)
    if status is None or _TOO_LONG.search(str(error)):
        return False
    return status in (400, 422, 501) or (status in (404, 500) and _FORM.search(str(error)) is not None)


def find_refused_arguments(
    error: BaseException, capabilities: Capabilities, *, streamed: bool
) -> dict[str, Any] | None:
    """What to leave out of the next request, other than its form; None where the error is not about such a thing.

    An endpoint that names what it does not know is believed. One that names nothing is first asked without
    `stream_options`, which the fewest know.
    """
    if not is_about_form(error) or find_status(error) not in (400, 422):
        return None
    text = str(error)
    if capabilities.temperature and "temperature" in text:
        return {"temperature": False}
    if not capabilities.max_completion_tokens and "max_completion_tokens" in text:
        return {"max_completion_tokens": True}
    if streamed and capabilities.stream_options and ("stream_options" in text or not _FORM.search(text)):
        return {"stream_options": False}
    if streamed and re.search(r"\bstream", text):
        return {"streams": False}
    return None


def is_transient(error: BaseException) -> bool:
    """Whether the same request may be taken in a moment: a rate limit, a fault of the endpoint's, a lost connection."""
    status = find_status(error)
    if status is not None:
        return status in (408, 409, 429) or status >= 500
    is_elsewhere = find_redirect(error) is not None or find_web_page(error) is not None
    return not is_silence(error) and is_connection(error) and not is_elsewhere


def is_silence(error: BaseException) -> bool:
    """Whether the endpoint said nothing for too long."""
    return isinstance(error, TimeoutError) or _is_named(error, "TimeoutException", "APITimeoutError")


def is_connection(error: BaseException) -> bool:
    """Whether the endpoint cannot be reached, or hung up."""
    return isinstance(error, OSError) or _is_named(
        error, "HTTPError", "APIConnectionError", "EndpointConnectionError", "ConnectionClosedError"
    )


def make_model_error(error: BaseException, choice: ModelChoice, *, secret: str = "") -> ModelError:
    """The error that a person is shown for what a client raised."""
    where = _describe_place(choice)
    detail = _find_detail(error, secret)
    status = find_status(error)
    if redirect := find_redirect(error):
        text = (
            f"{where} sends requests on to {redirect.address!r}, and nothing was sent there. {_NOTE} If that is the "
            f"right address, set it: {choice.name_setting('base_url')}."
        )
    elif find_web_page(error) is not None:
        text = (
            f"{where} replies with a web page, as a login or a proxy does, and not as a model. {_NOTE} Check the "
            f"address ({choice.name_setting('base_url')}), and whether you must log in there."
        )
    elif is_silence(error):
        text = (
            f"{where} did not answer within {choice.timeout_s:g} s. {_NOTE} "
            f"Ask again, or set a longer time: {choice.name_setting('timeout_s')}."
        )
    elif status is not None:
        text = _describe_status(status, error, choice, secret=secret)
    elif _is_named(error, "StreamCutOff", "RemoteProtocolError", "ReadError"):
        text = f"{where} broke off in the middle of its reply. {_NOTE} Ask again."
    elif is_connection(error):
        text = (
            f"{where} cannot be reached. {_NOTE} Check the network and the address: {choice.name_setting('base_url')}. "
            "Then ask again."
        )
    elif _is_named(error, "APIError") and not _is_named(error, "APIResponseValidationError"):
        text = f"{where} broke off with an error. {_NOTE} Ask again in a while.{detail}"
    else:
        text = (
            f"{where} gave a reply that its kind of endpoint does not give. {_NOTE} Check the address and the "
            f"provider: {choice.name_setting('base_url')}.{detail}"
        )
        return ModelError(text)
    if status is not None and _TOO_LONG.search(str(error)):
        counts = [
            int(count.replace(",", "")) for count in _TOKENS.findall(str(error)) if int(count.replace(",", "")) > status
        ]
        return ContextOverflow(text, tokens_max=min(counts, default=0))
    return ModelUnavailable(text)


def _describe_status(status: int, error: BaseException, choice: ModelChoice, *, secret: str) -> str:
    """What an endpoint's HTTP status means, and what to do."""
    where, detail = _describe_place(choice), _find_detail(error, secret)
    if status in (401, 403):
        key = f"Set {choice.api_key_env!r} to a key that is valid there" if choice.api_key_env else "Give it a key"
        text = (
            f"{where} did not accept the key (HTTP {status}). {_NOTE} {key}, or name the variable that holds it: "
            f"{choice.name_setting('api_key_env')}."
        )
    elif status == 404:
        text = (
            f"{where} was not found (HTTP 404). {_NOTE} Check the model's name and its address: "
            f"{choice.name_setting('base_url')}.{detail}"
        )
    elif status == 429:
        text = (
            f"{where} is over its rate or quota (HTTP 429), also after {choice.retries_max} more tries. {_NOTE} "
            f"Wait a minute and ask again, or name another model to go on with as TANDEM_FALLBACKS.{detail}"
        )
    elif _TOO_LONG.search(str(error)):
        text = (
            f"{where} takes no request this long. {_NOTE} Give it fewer than {choice.context_tokens} tokens: "
            f"{choice.name_setting('context_tokens')}."
        )
    elif status >= 500:
        text = (
            f"{where} has a fault of its own (HTTP {status}). {_NOTE} Ask again in a while, or name another model to "
            f"go on with as TANDEM_FALLBACKS.{detail}"
        )
    else:
        text = (
            f"{where} turned the request down (HTTP {status}). {_NOTE} Check what it takes: "
            f"{choice.name_setting('form')}.{detail}"
        )
    return text


def _describe_place(choice: ModelChoice) -> str:
    return f"The model {choice.model!r} at {choice.endpoint!r}"


def _is_named(error: BaseException, *names: str) -> bool:
    return any(kind.__name__ in names for kind in type(error).__mro__)


def _find_detail(error: BaseException, secret: str) -> str:
    text = " ".join(without_secrets(str(error), secret).split())
    if not text:
        return ""
    return f" It said: {text[:_DETAIL_CHARS]}{'…' if len(text) > _DETAIL_CHARS else ''}"
