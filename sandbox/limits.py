"""Resource limits of a session, as values. The cage, the guest and the watchdog enforce them."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The budget of one session.

    Attributes:
        memory_bytes: Memory of all processes of the session together. Heap and anonymous memory of each process
            are held by the kernel's rlimit; the sum is held by a memory cgroup or by the watchdog.
        cpu_s: CPU seconds that one cell may burn, over all processes and threads.
        idle_cpu_s: CPU seconds that background threads may burn between two cells.
        wall_s: Seconds a cell may take before it is interrupted, where the caller names no other time.
        grace_s: Seconds an interrupted cell has to stop before its kernel is killed.
        processes: Processes and threads together.
        open_files: Open descriptors of each process.
        file_bytes: The largest single file.
        desk_bytes: All bytes in the work folder.
        desk_files: All files and folders in the work folder.
        disk_spare_bytes: Free space of the disk that is left to everybody else, or a twentieth of the disk where that
            is less: who writes on when there is no more is ended.
        tmp_bytes: The private /tmp (real cages only).
        shm_bytes: The private /dev/shm (real cages only).
        output_bytes: Output kept of one cell; what exceeds it is counted and cut with a visible marker.
        message_bytes: Largest single piece of one output (one image, one table).
    """

    memory_bytes: int = 4 * GIB
    cpu_s: float = 600.0
    idle_cpu_s: float = 120.0
    wall_s: float = 120.0
    grace_s: float = 2.0
    processes: int = 128
    open_files: int = 1024
    file_bytes: int = 1 * GIB
    desk_bytes: int = 4 * GIB
    desk_files: int = 20_000
    disk_spare_bytes: int = 256 * MIB
    tmp_bytes: int = 256 * MIB
    shm_bytes: int = 128 * MIB
    output_bytes: int = 8 * MIB
    message_bytes: int = 4 * MIB
