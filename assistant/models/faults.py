"""What went wrong at a model's endpoint, in words that say what to do; the key is in none of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.errors import ModelError

if TYPE_CHECKING:
    from assistant.models.providers import ModelChoice

_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[\w*.\-]{6,}|\bBearer\s+\S+", re.IGNORECASE)
_FORM = re.compile(r"\btool|\bfunction|response_format|json_schema|structured output", re.IGNORECASE)
_DETAIL_CHARS = 240
_KEPT = "Your question is kept."


def without_secrets(text: str, secret: str) -> str:
    """The text without the key, and without what looks like one (providers echo it, partly starred)."""
    if secret:
        text = text.replace(secret, "[key]")
    return _KEYLIKE.sub("[key]", text)


def caught() -> tuple[type[BaseException], ...]:
    """What a client may raise for faults that are not ours.

    The last few are raised by clients that trip over a reply which is no chat completion at all.
    """
    import httpx
    import openai

    return (openai.OpenAIError, httpx.HTTPError, OSError, ValueError, LookupError, TypeError, AttributeError)


def is_about_form(error: BaseException) -> bool:
    """Whether an endpoint turned a request down in a way that it may do for schemas or tools it does not know.

    Most say 400, some 422 or 501; a few say 404 or 500, and then only their words tell.
    """
    import openai

    if not isinstance(error, openai.APIStatusError) or _is_too_long(str(error)):
        return False
    if error.status_code in (400, 422, 501):
        return True
    return error.status_code in (404, 500) and _FORM.search(str(error)) is not None


def model_error(error: BaseException, choice: ModelChoice, *, secret: str = "") -> ModelError:
    """The error that a person is shown for what a client raised."""
    import httpx
    import openai

    where = f"The model {choice.model!r} at {choice.endpoint!r}"
    detail = _detail(error, secret)
    match error:
        case TimeoutError() | openai.APITimeoutError():
            text = f"{where} did not answer within {choice.timeout_s:g} s. {_KEPT} Ask again, or set a longer timeout."
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            text = (
                f"{where} did not accept the key (HTTP {error.status_code}). {_KEPT} "
                f"Set {choice.api_key_env or 'the API key'!r} to a key that is valid there, then ask again."
            )
        case openai.NotFoundError():
            text = f"{where} was not found (HTTP 404). {_KEPT} Check the model's name and the address.{detail}"
        case openai.RateLimitError():
            text = (
                f"{where} is over its rate or quota (HTTP 429), also after {choice.retries_max} more tries. {_KEPT} "
                f"Wait a minute and ask again, or check the account's quota.{detail}"
            )
        case openai.APIStatusError() if _is_too_long(str(error)):
            fewer = f"Set its context to fewer than {choice.context_tokens} tokens."
            text = f"{where} takes no request this long. {_KEPT} {fewer}"
        case openai.APIStatusError() if error.status_code >= 500:
            text = f"{where} has a fault of its own (HTTP {error.status_code}). {_KEPT} Ask again in a while.{detail}"
        case openai.APIStatusError():
            text = f"{where} turned the request down (HTTP {error.status_code}). {_KEPT} Check its settings.{detail}"
        case openai.APIConnectionError() | httpx.HTTPError() | OSError():
            text = f"{where} cannot be reached. {_KEPT} Check the address and the network, then ask again."
        case openai.APIError() if not isinstance(error, openai.APIResponseValidationError):
            text = f"{where} broke off with an error. {_KEPT} Ask again in a while.{detail}"
        case _:
            text = f"{where} gave a reply that no OpenAI-compatible endpoint gives. {_KEPT} Check the address.{detail}"
    return ModelError(text)


def _is_too_long(text: str) -> bool:
    return "context_length" in text or "context length" in text or "maximum context" in text


def _detail(error: BaseException, secret: str) -> str:
    said = " ".join(without_secrets(str(error), secret).split())
    if not said:
        return ""
    return f" It said: {said[:_DETAIL_CHARS]}{'…' if len(said) > _DETAIL_CHARS else ''}"
