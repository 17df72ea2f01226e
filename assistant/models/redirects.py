"""Blocks HTTP redirects: requests stay at the address in the settings, to which the person agreed.

The packages of OpenAI, Anthropic and Ollama follow redirects to anywhere, with the question, the data and, in every
header but `Authorization`, the key.
"""

from __future__ import annotations

from typing import Any, TypeVar

E = TypeVar("E", bound=BaseException)


class RedirectError(RuntimeError):
    """An endpoint wants to send a request on to another address. It was not sent there."""

    def __init__(self, address: str) -> None:
        super().__init__(f"It redirects to {address!r}.")
        self.address = address


class WebPageError(RuntimeError):
    """An endpoint replied with a web page."""


def keep_at_address(client: object) -> None:
    """Have a client's connection refuse any other address than its own (scheme, host and port), and web pages.

    Clients of AutoGen keep the package's client, and that keeps httpx's, both as `_client`. A client of another shape
    is left as it is: it is the person's own class.
    """
    http: Any = getattr(getattr(client, "_client", None), "_client", None)
    own: Any = getattr(http, "base_url", None)
    if not getattr(own, "host", "") or not hasattr(http, "event_hooks"):
        return

    async def require_own(request: Any) -> None:
        url = request.url
        if (url.scheme, url.host, url.port) != (own.scheme, own.host, own.port):
            raise RedirectError(f"{url.scheme}://{url.netloc.decode('ascii')}")

    async def refuse_page(response: Any) -> None:
        if response.is_success and response.headers.get("content-type", "").startswith("text/html"):
            raise WebPageError("It replied with a web page.")

    hooks = http.event_hooks
    http.event_hooks = {
        **hooks,
        "request": [*hooks["request"], require_own],
        "response": [*hooks["response"], refuse_page],
    }


def find_redirect(error: BaseException | None) -> RedirectError | None:
    """The redirect behind an error that a provider's package raised; None where it is another error."""
    return _find_cause(error, RedirectError)


def find_web_page(error: BaseException | None) -> WebPageError | None:
    """The web page behind an error that a provider's package raised; None where it is another error."""
    return _find_cause(error, WebPageError)


def _find_cause(error: BaseException | None, kind: type[E]) -> E | None:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error
