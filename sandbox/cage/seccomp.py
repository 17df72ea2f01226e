"""The system-call filter, assembled by hand as classic BPF: no libseccomp.

Denies what a kernel for data analysis never needs, answers ENOSYS for every call newer than the newest this table knows
(so that a new Linux cannot open a hole), and looks at the arguments of socket, clone, prlimit, ioctl and prctl.

Source: Documentation/userspace-api/seccomp_filter.rst; the deny list follows Docker's default profile and adds calls
with a poor record (io_uring, bpf, userfaultfd, keyctl).
"""

from __future__ import annotations

import errno
import platform
import struct

_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_OFFSET_NUMBER, _OFFSET_ARCH, _OFFSET_ARGS = 0, 4, 16
_X32_BIT = 0x4000_0000
_NEWEST_KNOWN = 462  # mseal

# name: (x86_64, aarch64); None where an architecture has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # namespaces and mounts
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount_setattr": (442, 442),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # looking into other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "perf_event_open": (298, 241),
    "lookup_dcookie": (212, 18),
    # slowing others down: where no wall hides them, the user's other processes could be named
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    # kernel features with a poor record
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "vmsplice": (278, 75),
    "memfd_secret": (447, 447),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "mq_open": (240, 180),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "remap_file_pages": (216, 234),
    "mbind": (237, 235),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "personality": (135, 92),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "nfsservctl": (180, 42),
    "map_shadow_stack": (453, 453),
    "uretprobe": (335, None),
    "uprobe": (336, None),
    "lsm_set_self_attr": (460, 460),
    # the whole machine
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "query_module": (178, None),
    "get_kernel_syms": (177, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "vhangup": (153, 58),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # credentials: a session has one identity and keeps it
    "setuid": (105, 146),
    "setgid": (106, 144),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setgroups": (116, 159),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "capset": (126, 91),
    # System V objects outlive their processes
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    # pages of a memfd are charged to no rlimit but FSIZE
    "memfd_create": (319, 279),
}
# Its flags lie behind a pointer that a filter cannot read; libc falls back to clone.
_UNKNOWN = {"clone3": (435, 435)}
_CLONE_NAMESPACES = 0x7E02_0000 | 0x80  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET,TIME}
_SOCKET, _SOCKETPAIR, _CLONE, _IOCTL, _PRCTL = (41, 198), (53, 199), (56, 220), (16, 29), (157, 167)
_PRLIMIT = (302, 261)
_AF_UNIX = 1
# TIOCSTI, TIOCLINUX, TIOCCONS type into someone's terminal; FS_IOC_SETFLAGS makes files that cannot be removed.
_DENIED_IOCTLS = (0x5412, 0x541C, 0x541D, 0x4008_6602)
_PR_SET_MM = 35


def _instruction(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value & 0xFFFF_FFFF)


def _load_argument(index: int) -> bytes:
    return _instruction(_LOAD, 0, 0, _OFFSET_ARGS + 8 * index)


def _answer(value: int) -> bytes:
    return _instruction(_RETURN, 0, 0, value)


def _when(number: int, *body: bytes) -> list[bytes]:
    """Run `body`, which must return, when the call is `number`."""
    return [_instruction(_JUMP_EQUAL, 0, len(body), number), *body]


def _when_argument(value: int, answer: int) -> list[bytes]:
    return [_instruction(_JUMP_EQUAL, 0, 1, value), _answer(answer)]


def program(arch: str | None = None, *, unix_sockets: bool = True) -> bytes:
    """The filter as an array of BPF instructions, 8 bytes each.

    Args:
        arch: "x86_64" or "aarch64"; this machine's by default.
        unix_sockets: Whether sockets of the family AF_UNIX may be made. A cage with its own mount and network
            namespace allows them (they reach nothing outside); Landlock alone cannot hold them. Pairs always may.

    Raises:
        OSError: The architecture is not one of the two.
    """
    arch = arch or platform.machine()
    if arch not in _AUDIT_ARCH:
        raise OSError(errno.ENOSYS, f"no seccomp filter is written for the architecture {arch!r}")
    column = 0 if arch == "x86_64" else 1
    denied, absent = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS

    out = [
        _instruction(_LOAD, 0, 0, _OFFSET_ARCH),
        _instruction(_JUMP_EQUAL, 1, 0, _AUDIT_ARCH[arch]),
        _answer(_KILL),
        _instruction(_LOAD, 0, 0, _OFFSET_NUMBER),
    ]
    if arch == "x86_64":
        out += [_instruction(_JUMP_SET, 0, 1, _X32_BIT), _answer(_KILL)]
    out += [_instruction(_JUMP_GREATER_EQUAL, 0, 1, _NEWEST_KNOWN + 1), _answer(absent)]
    for numbers in _UNKNOWN.values():
        out += _when(numbers[column], _answer(absent))
    for numbers in _DENIED.values():
        number = numbers[column]
        if number is not None:
            out += _when(number, _answer(denied))

    no_family = _ERRNO | errno.EACCES
    families = _when_argument(_AF_UNIX, _ALLOW) if unix_sockets else []
    out += _when(_SOCKET[column], _load_argument(0), *families, _answer(no_family))
    out += _when(_SOCKETPAIR[column], _load_argument(0), *_when_argument(_AF_UNIX, _ALLOW), _answer(no_family))
    namespaced = [_instruction(_JUMP_SET, 0, 1, _CLONE_NAMESPACES), _answer(denied)]
    out += _when(_CLONE[column], _load_argument(0), *namespaced, _answer(_ALLOW))
    # Of itself alone: limits could kill another process of the user, and without a pid namespace that may be the host.
    out += _when(_PRLIMIT[column], _load_argument(0), *_when_argument(0, _ALLOW), _answer(denied))
    ioctls = [step for code in _DENIED_IOCTLS for step in _when_argument(code, denied)]
    out += _when(_IOCTL[column], _load_argument(1), *ioctls, _answer(_ALLOW))
    out += _when(_PRCTL[column], _load_argument(0), *_when_argument(_PR_SET_MM, denied), _answer(_ALLOW))
    return b"".join([*out, _answer(_ALLOW)])
