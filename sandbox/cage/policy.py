"""What a session may access: folders, environment variables, masked paths of /proc, rlimits.

Pure values shared by every level; applies nothing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Level = Literal["zygote", "bubblewrap", "landlock", "process"]

HOSTNAME = "sandbox"
USER_INSIDE = 1000
GUEST_INSIDE = "/opt/tandem"

ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "timezone", "mime.types")
DEVICES = ("null", "zero", "full", "random", "urandom")
PROC_MASKED = (
    *("kcore", "keys", "key-users", "kmsg", "kallsyms", "timer_list", "sched_debug", "sysrq-trigger", "config.gz"),
    *("kpagecount", "kpageflags", "kpagecgroup", "vmallocinfo", "slabinfo", "modules", "interrupts", "iomem"),
    *("ioports", "cmdline", "partitions", "diskstats", "swaps", "locks", "bootconfig"),
)
PROC_READ_ONLY = ("sys", "irq", "bus", "fs", "acpi", "scsi", "tty", "driver", "asound")
# What Landlock leaves of /proc, where no private one can be mounted.
PROC_LANDLOCK = (
    *("meminfo", "cpuinfo", "stat", "loadavg", "uptime", "version", "filesystems"),
    *("self", "sys/kernel/osrelease", "sys/vm/overcommit_memory"),
)
PASSWD = f"analyst:x:{USER_INSIDE}:{USER_INSIDE}:analyst:/desk:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n"
GROUP = f"analyst:x:{USER_INSIDE}:\nnogroup:x:65534:\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class CageSpec:
    """One cage to build.

    Attributes:
        level: Which walls.
        desk: Host path of the work folder, the only folder that can be written.
        data: Host path of the folder with query results, read-only inside.
        uid: The host's user and group id this session runs under; None keeps the caller's own.
        python_roots: Folders outside /usr that the interpreter needs, at the same path inside.
        package_root: The folder that holds the `sandbox` package.
        memory_bytes, processes, open_files, file_bytes, tmp_bytes, shm_bytes: See `sandbox.limits.Limits`.
        process_base: Tasks the session's user already runs, where RLIMIT_NPROC counts those too.
        cgroup_files: `cgroup.procs` files the child joins before it gives up its rights.
    """

    level: Level
    desk: str
    data: str
    uid: int | None
    python_roots: tuple[str, ...]
    package_root: str
    memory_bytes: int
    processes: int
    open_files: int
    file_bytes: int
    tmp_bytes: int
    shm_bytes: int
    process_base: int = 0
    cgroup_files: tuple[str, ...] = ()

    @property
    def has_own_root(self) -> bool:
        """Whether the session sees a file system of its own (/desk, /data, /tmp)."""
        return self.level in ("zygote", "bubblewrap")

    @property
    def desk_inside(self) -> str:
        """The work folder as the session sees it."""
        return "/desk" if self.has_own_root else self.desk

    @property
    def data_inside(self) -> str:
        """The data folder as the session sees it."""
        return "/data" if self.has_own_root else self.data

    def to_json(self) -> str:
        """Serialise for the way to the child."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> CageSpec:
        """The inverse of `to_json`."""
        fields: dict[str, Any] = json.loads(text)
        for name in ("python_roots", "cgroup_files"):
            fields[name] = tuple(fields[name])
        return cls(**fields)

    def rlimits(self) -> tuple[tuple[int, int], ...]:
        """The (resource, value) pairs of each process of the session."""
        return (
            # Address space is generous: memory-mapped Arrow files, allocator arenas and what V8 sets aside when a chart
            # is drawn (70 GiB) count, but cost nothing.
            (resource.RLIMIT_AS, 4 * self.memory_bytes + (96 << 30)),
            (resource.RLIMIT_DATA, self.memory_bytes),
            (resource.RLIMIT_FSIZE, self.file_bytes),
            (resource.RLIMIT_NPROC, self.processes + self.process_base),
            (resource.RLIMIT_NOFILE, self.open_files),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 8 << 20),
            (resource.RLIMIT_STACK, 8 << 20),
            *(((resource.RLIMIT_MSGQUEUE, 0),) if hasattr(resource, "RLIMIT_MSGQUEUE") else ()),
        )


def python_roots() -> tuple[str, ...]:
    """The folders outside /usr that this interpreter needs: a virtual environment and what it stands on."""
    roots = {os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)}
    roots.add(os.path.abspath(sys.prefix))
    roots.add(os.path.dirname(os.path.dirname(os.path.realpath(sys.executable))))
    return tuple(sorted(root for root in roots if root not in ("/", "/usr") and not root.startswith("/usr/")))


def package_root() -> str:
    """The folder that holds the `sandbox` package (a checkout, or site-packages)."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def guest_path(root: str) -> str:
    """The folder from which `tandem_guest` is imported, below `root`."""
    return os.path.join(root, "sandbox", "guest")


def environment(*, home: str, tmp: str) -> Mapping[str, str]:
    """The whole environment of a session: nothing of the host's is passed on."""
    cpus = str(min(4, os.cpu_count() or 1))
    scripts = os.path.join(os.path.abspath(sys.prefix), "bin")
    return {
        "PATH": f"{scripts}:/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": tmp,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": f"{tmp}/matplotlib",
        "IPYTHONDIR": f"{tmp}/ipython",
        "XDG_CACHE_HOME": f"{tmp}/cache",
        "JUPYTER_PLATFORM_DIRS": "1",
        "OPENBLAS_NUM_THREADS": cpus,
        "OMP_NUM_THREADS": cpus,
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a process that is forked from should have no thread
        "MALLOC_ARENA_MAX": "4",
        # Large pieces of memory come in large pages: a result of 80 MB then costs a hundred page faults, not 20,000.
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
