"""What the sandbox raises when it fails itself.

    SandboxError
    ├── LevelUnavailable     no acceptable cage holds on this machine
    ├── StartFailed          a caged kernel could not be started
    ├── SandboxBusy          no kernel could be started now; later one can
    │   └── StartLate        a kernel did not come up in time
    ├── KernelClosed         the kernel was closed, or could not be brought back
    └── PreludeFailed        the code run silently after the lease raised

A cell that raises, times out, overflows or dies is not here: that is an `Execution`.
"""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox itself could not do what it was asked to."""


class LevelUnavailable(SandboxError):
    """No level that was allowed holds on this machine; the message says which failed and why."""


class StartFailed(SandboxError):
    """A caged kernel did not come up; the message carries the reason the child gave."""


class SandboxBusy(SandboxError):
    """Everything that a kernel needs is in use: nothing is wrong, and nothing has run. The message says what to do."""


class StartLate(SandboxBusy):
    """A kernel did not come up in time, which a machine at its limit is the usual reason for."""

    def __init__(self, failure: str, *, seconds: float) -> None:
        super().__init__(
            f"{failure} within {seconds:.0f} s: the machine is too busy. Try again in a moment; "
            "`tandem doctor` says whether kernels start here at all."
        )


class KernelClosed(SandboxError):
    """The kernel was closed before, or while, it was used."""


class PreludeFailed(SandboxError):
    """The prelude raised inside the kernel; the message carries its traceback."""
