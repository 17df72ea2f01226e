"""Signed messages in Jupyter's wire format, read in two steps: first the address, then, on request, the content.

So most messages of a flood can be counted and dropped without being parsed. Nothing that arrives raises.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .bounded_json import JsonRefused, read_counted, read_json
from .results import JSON
from .zmtp import Multipart

METADATA_BYTES_MAX = 256 << 10
_DELIMITER = b"<IDS|MSG>"
_IDENTITIES_MAX = 4
_HEADER_BYTES_MAX = 16 << 10
_PARTS = 5  # signature, header, parent header, metadata, content


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A message of which only the address was read, and the signature not yet checked.

    Attributes:
        kind: Its type ("stream", ...).
        parent: The id of the request that it answers.
        size_bytes: What it would cost to keep: metadata, content and buffers.
        parts: Signature, header, parent header, metadata and content; fewer where it was too large to be taken.
    """

    kind: str
    parent: str
    size_bytes: int
    parts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the kernel: its type, the request it answers, its content.

    Attributes:
        size_bytes: What it weighed on the wire, without its headers.
        values: How many JSON values its content holds.
        unfit: Why its content was not taken; None where it was.
    """

    kind: str
    parent: str
    content: Mapping[str, Any] = field(default_factory=dict)
    size_bytes: int = 0
    values: int = 0
    unfit: str | None = None


def read_address(message: Multipart) -> Envelope | None:
    """Where `message` belongs; None where it does not say so."""
    try:
        start = message.frames.index(_DELIMITER, 0, _IDENTITIES_MAX) + 1
        headers = message.frames[start + 1 : start + 3]
        if len(headers) < 2 or max(map(len, headers)) > _HEADER_BYTES_MAX:
            return None
        header, parent = map(read_json, headers)
    except ValueError:
        return None
    if not isinstance(header, dict) or not isinstance(parent, dict):
        return None
    kind, answers = header.get("msg_type"), parent.get("msg_id", "")
    if not isinstance(kind, str) or not isinstance(answers, str):
        return None
    parts = message.frames[start : start + _PARTS] if message.complete else ()
    size = message.size_bytes - sum(map(len, message.frames[: start + 3]))
    return Envelope(kind=kind, parent=answers, size_bytes=size, parts=parts)


def read_message(envelope: Envelope, key: bytes) -> Message | None:
    """The message in `jupyter_messages`; None where it was not signed with `key`.

    Takes milliseconds for each megabyte: call it in a thread where it is large.
    """
    unfit, content, values = None, {}, 0
    if not envelope.parts:
        unfit = f"it has {envelope.size_bytes} bytes"
    elif len(envelope.parts) < _PARTS or not hmac.compare_digest(envelope.parts[0], _sign(envelope.parts[1:], key)):
        return None
    else:
        try:
            content, values = _content(envelope.parts[4])
        except JsonRefused as error:
            unfit = str(error)
    return Message(
        kind=envelope.kind,
        parent=envelope.parent,
        content=content,
        size_bytes=envelope.size_bytes,
        values=values,
        unfit=unfit,
    )


def _content(raw: bytes) -> tuple[Mapping[str, Any], int]:
    content, values = read_counted(raw)
    if not isinstance(content, dict):
        raise JsonRefused("its content is no JSON object")
    if len(raw) > METADATA_BYTES_MAX and len(json.dumps(content.get("metadata"))) > METADATA_BYTES_MAX:
        raise JsonRefused(f"its metadata has more than {METADATA_BYTES_MAX} bytes")
    return content, values


def write_message(
    kind: str, content: Mapping[str, JSON], *, id: str, metadata: Mapping[str, JSON], key: bytes
) -> list[bytes]:
    """The frames of a request to the kernel."""
    date = datetime.now(UTC).isoformat()
    header = {"msg_id": id, "msg_type": kind, "username": "host", "session": "host", "date": date, "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, {}, dict(metadata), dict(content))]
    return [_DELIMITER, _sign(parts, key), *parts]


def _sign(parts: Sequence[bytes], key: bytes) -> bytes:
    digest = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        digest.update(part)
    return digest.hexdigest().encode()
