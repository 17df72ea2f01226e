"""What a worker may use and reach: put on by the worker itself, before it looks at a file, and never taken off.

Memory by rlimit; files by Landlock; sockets and other doors of the system by seccomp. Where the machine has no Landlock
or its processor no filter of ours, the rest still holds.
"""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Sequence

from sandbox.cage import landlock, linux, policy, privileges, seccomp

_MIB = 1024 * 1024
QUERY_MEMORY_BYTES = 3072 * _MIB
"""What a worker that runs queries may take: DuckDB's own limit of 2 GB, and a result beside it."""
LOADING_MEMORY_BYTES = 2048 * _MIB
"""What a worker that reads a file into tables may take."""
EXTRACTING_MEMORY_BYTES = 1024 * _MIB
"""What a worker that reads a document file may take."""
_FILE_BYTES = 16 << 30
_OPEN_FILES = 256
_CAPABILITIES = "CapEff:"


def confine(*, readable: Sequence[str], writable: Sequence[str], scratch: str, memory_bytes: int) -> bool:
    """Confine this process, for good.

    Args:
        readable: Files it may read.
        writable: Files and folders it may write as well.
        scratch: Its own folder, which is also where it stands.
        memory_bytes: How much memory of its own it may have.

    Returns:
        Whether the system keeps it from reading and writing anything else; its limits hold in any case.
    """
    os.chdir(scratch)
    spec = policy.CageSpec(
        level="landlock",
        desk=scratch,
        data=scratch,
        uid=None,
        python_roots=policy.python_roots(),
        package_root=policy.package_root(),
        memory_bytes=memory_bytes,
        processes=0,
        open_files=_OPEN_FILES,
        file_bytes=_FILE_BYTES,
        tmp_bytes=0,
        shm_bytes=0,
    )
    for kind, limit in spec.rlimits():
        if kind == resource.RLIMIT_NPROC:
            continue  # it counts every thread of the user, the server's as well
        hard = resource.getrlimit(kind)[1]
        value = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (value, value))
    is_walled = False
    with contextlib.suppress(OSError):  # not Linux, or a kernel without it
        is_walled = _wall(spec, readable, writable)
        linux.set_seccomp_filter(seccomp.assemble_filter(own_root=False))
    return is_walled


def has_wall() -> bool:
    """Whether the system itself keeps a worker from writing the files that it may read."""
    return linux.landlock_abi() > 0


def _wall(spec: policy.CageSpec, readable: Sequence[str], writable: Sequence[str]) -> bool:
    privileges.offer_to_oom_killer()
    # Root's files are read by root; a file of another user's needs the right to search that root may have.
    privileges.drop_capabilities(keep_search=_may_search())
    privileges.forbid_new()
    common, own = landlock.paths_for(spec)
    packages = [os.path.join(spec.package_root, name) for name in ("assistant", "knowledge", "sandbox")]
    return landlock.restrict(read_paths=[*common, *packages, *readable], write_paths=[*own, *writable]) > 0


def _may_search() -> bool:
    with open("/proc/self/status", encoding="ascii") as file:
        capabilities_line = next((line for line in file if line.startswith(_CAPABILITIES)), f"{_CAPABILITIES} 0")
    return bool(int(capabilities_line.removeprefix(_CAPABILITIES), 16) >> linux.CAP_DAC_READ_SEARCH & 1)
