"""Print documents: pages that the browser prints or saves as PDF, made when their address is opened.

Each document has an address that cannot be guessed, known only to the page that may make the document. When it is
opened, the browser shows its print dialog. No document is stored here.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

PREFIX = "/print/"
KEPT_MAX = 500
_SCRIPT = b"addEventListener('load', () => print())"
_DIGEST = base64.b64encode(hashlib.sha256(_SCRIPT).digest()).decode()
POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src 'sha256-{_DIGEST}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""What such a page may do: be read, and print itself."""
_OWN_POLICY = re.compile(rb'<meta http-equiv="content-security-policy"[^>]*>')

Make = Callable[[], bytes]
"""Makes a document: one HTML file."""


class Prints:
    """The documents that can be printed. Calls may come from any thread."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[Hashable, str] = OrderedDict()
        self._made: dict[str, Make] = {}
        self._lock = threading.Lock()

    def address(self, key: Hashable, make: Make) -> str:
        """Where a document is: the same for a key, until many others were asked for.

        Args:
            key: Tells the document, and the person who may make it, from others.
            make: Makes it, outside of the page's script.
        """
        with self._lock:
            token = self._tokens.setdefault(key, secrets.token_urlsafe(32))
            # Least recently used first, so that addresses of the page that is open are the last to go.
            self._tokens.move_to_end(key)
            self._made[token] = make
            while len(self._tokens) > KEPT_MAX:
                _, oldest = self._tokens.popitem(last=False)
                del self._made[oldest]
        return PREFIX + token

    def document(self, token: str) -> bytes | None:
        """The document, with what prints it; None where there is none, or no longer. Blocks.

        Raises:
            AssistantError: It cannot be made.
        """
        with self._lock:
            make = self._made.get(token)
        return None if make is None else add_print_script(make())


def add_print_script(document: bytes) -> bytes:
    """A document that prints itself once it is drawn; `POLICY` stands for its own, which forbids that. Pure."""
    # Two policies add up: the document's own would still forbid the print script.
    free = _OWN_POLICY.sub(b"", document, count=1)
    return free.replace(b"</body>", b"<script>" + _SCRIPT + b"</script></body>", 1)
