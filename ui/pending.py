"""Results of background work: the value if it is ready, else a placeholder."""

from __future__ import annotations

import concurrent.futures
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from assistant.api.errors import AssistantError

log = logging.getLogger(__name__)
T = TypeVar("T")
P = TypeVar("P")
Begin = Callable[[Coroutine[Any, Any, T]], concurrent.futures.Future[T]]
"""Starts a coroutine on the loop."""


def result_so_far(
    future: concurrent.futures.Future[T], wait_s: float = 0, *, pending: P, failed: T | P, description: str
) -> T | P:
    """What is made, `pending` while it is not there, `failed` where it will not be: that is logged, and hides no page.

    Args:
        future: What is made.
        wait_s: How long to wait for it.
        pending: What to give while it is being made.
        failed: What to give where it failed or was stopped.
        description: Its name, for the log.
    """
    try:
        fault = future.exception(wait_s)
    except concurrent.futures.TimeoutError:
        return pending
    except concurrent.futures.CancelledError:
        return failed
    if fault is None:
        return future.result()
    if isinstance(fault, AssistantError):
        log.warning("%s could not be told: %s", description, fault)
    else:
        log.error("%s could not be told, by a fault of ours", description, exc_info=fault)
    return failed
