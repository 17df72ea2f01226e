"""More attempts to break out, as data: family, promise, teeth, code.

`Teeth` says of each whether it is also run without walls, where it must succeed; or why it is not, or must not.
"""

from __future__ import annotations

import enum
import os


class Teeth(enum.Enum):
    """What becomes of an attempt at level `process`. Only those that change nothing on the machine are run there."""

    YES = "succeeds: the walls are what stops it"
    SAME_USER = "succeeds where the session runs as the host's user; with a user of its own, that is a wall itself"
    HELD = "fails as well: what stops it is the host, or a limit that every level has"
    MACHINE = "not run: it succeeds or fails as this machine is built, owned and set"
    RIGHT = "not run: it asks for a right that an ordinary user does not have"
    UNSAFE = "not run: it would change the machine, end its own session, or take the bait away"


YES, SAME_USER, HELD, MACHINE, RIGHT, UNSAFE = Teeth
X86 = os.uname().machine == "x86_64"

# A call that the filter stops answers EPERM or ENOSYS, whatever its arguments; anything else was reached.
REACH = (
    "import ctypes; libc = ctypes.CDLL(None, use_errno=True); call = libc.syscall; call.restype = ctypes.c_long\n"
    "r = call({number}, *[ctypes.c_long(n) for n in {arguments}]); e = ctypes.get_errno()\n"
    "if r >= 0 or e not in (1, 13, 38): print('ESCAPED', r, e)"
)
CALLS = (
    ("new-style mounts (fsopen)", UNSAFE, 430, (0, 0)),
    ("new-style mounts (fsmount)", UNSAFE, 432, (-1, 0, 0)),
    ("new-style mounts (move_mount)", UNSAFE, 429, (-1, 0, -1, 0, 0)),
    ("copies of a mount tree (open_tree)", UNSAFE, 428, (-1, 0, 0)),
    ("another mount's settings (fspick)", UNSAFE, 433, (-1, 0, 0)),
    ("changed mount flags (mount_setattr)", UNSAFE, 442, (-1, 0, 0, 0, 0)),
    ("another namespace (setns)", YES, 308, (-1, 0)),
    ("processes in namespaces (clone3)", YES, 435, (0, 0)),
    ("descriptors of others (pidfd_getfd)", YES, 438, (-1, 0, 0)),
    ("memory of others (process_vm_writev)", YES, 311, (1, 0, 0, 0, 0, 0)),
    ("pages of others (move_pages)", RIGHT, 279, (1, 0, 0, 0, 0, 0)),
    ("comparing kernel objects (kcmp)", RIGHT, 312, (1, 1, 0, 0, 0)),
    ("watching whole file systems (fanotify)", RIGHT, 300, (0, 0)),
    ("the local descriptor table (modify_ldt)", MACHINE, 154, (0, 0, 0)),
    ("I/O ports (ioperm)", RIGHT, 173, (0, 1, 1)),
    ("I/O privilege (iopl)", RIGHT, 172, (3,)),
    ("kernel keys (request_key)", YES, 249, (0, 0, 0, 0)),
    ("kernel messages (syslog)", RIGHT, 103, (3, 0, 0)),
    ("accounting (acct)", RIGHT, 163, (1,)),
    ("swap (swapoff)", RIGHT, 168, (1,)),
    ("kernel modules (delete_module)", RIGHT, 176, (1, 0)),
    ("quotas (quotactl)", MACHINE, 179, (-1, 0, 0, 0)),
    ("files by handle (open_by_handle_at)", MACHINE, 304, (-1, 0, 0)),
    ("secret memory (memfd_secret)", MACHINE, 447, (-1,)),
    ("files without a name (memfd_create)", YES, 319, (0, 0)),
    ("page faults of its own making (userfaultfd)", MACHINE, 323, (-1,)),
)
KERNEL_SURFACE = tuple(
    ("kernel surface", f"the filter stops {what}", teeth, REACH.format(number=number, arguments=arguments))
    for what, teeth, number, arguments in (CALLS if X86 else ())
)

MORE: tuple[tuple[str, str, Teeth, str], ...] = (
    *KERNEL_SURFACE,
    (
        "kernel surface",
        "calls in 32-bit numbers are stopped",
        MACHINE,
        "import os, mmap, ctypes\nm = mmap.mmap(-1, 4096, prot=7)\n"
        "m.write(bytes.fromhex('b814000000cd80c3'))\naddress = ctypes.addressof(ctypes.c_char.from_buffer(m))\n"
        "if ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid(): print('ESCAPED')"
        if X86
        else "pass",
    ),
    (
        "kernel surface",
        "calls in x32 numbers are stopped",
        MACHINE,
        "import ctypes, os\nif ctypes.CDLL(None).syscall(0x40000000 + 39) == os.getpid(): print('ESCAPED')"
        if X86
        else "pass",
    ),
    # network
    (
        "network",
        "nothing listens on a port",
        YES,
        "import socket; s = socket.create_server(('127.0.0.1', 0)); print('ESCAPED')",
    ),
    (
        "network",
        "no IPv6",
        YES,
        "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); print('ESCAPED')",
    ),
    (
        "network",
        "no raw packets",
        RIGHT,
        "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print('ESCAPED')",
    ),
    (
        "network",
        "no netlink",
        YES,
        "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); print('ESCAPED')",
    ),
    (
        "network",
        "no socket to the machine's host (vsock)",
        MACHINE,
        "import socket; socket.socket(40, socket.SOCK_STREAM).connect((2, 2024)); print('ESCAPED')",
    ),
    (
        "network",
        "no HTTP to the host",
        YES,
        "import http.client, socket\nc = socket.create_connection(('localhost', TCP_PORT), 2); print(c.recv(7).decode())",
    ),
    (
        "network",
        "no UDP through a pair made by another family",
        HELD,
        "import socket; socket.socketpair(socket.AF_INET); print('ESCAPED')",
    ),
    (
        "network",
        "no datagram to a Unix socket of the host",
        YES,
        "import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.sendto(b'x', DATAGRAM_PATH); print('ESCAPED')",
    ),
    # files
    ("files", "no listing of the host's folder", YES, "import os; print('ESCAPED' if os.listdir(OUTSIDE) else '')"),
    ("files", "no key of root's", RIGHT, "open('/root/.ssh/id_rsa'); print('ESCAPED')"),
    (
        "files",
        "no file of the host through pathlib, mmap or Arrow",
        YES,
        "import pyarrow as pa; print(pa.memory_map(SECRET).read().decode())",
    ),
    (
        "files",
        "no file of the host through pandas",
        YES,
        "import pandas as pd; print(pd.read_csv(SECRET, header=None).iloc[0, 0])",
    ),
    (
        "files",
        "no file of the host through a child program",
        YES,
        "import subprocess; print(subprocess.run(['cat', SECRET], capture_output=True, text=True).stdout)",
    ),
    (
        "files",
        "no file of the host by a renamed folder",
        UNSAFE,
        "import os; os.rename(OUTSIDE, 'stolen'); print('ESCAPED')",
    ),
    (
        "files",
        "no file of the host through a path of links between folders",
        YES,
        "import os, shutil\nshutil.rmtree('hop', ignore_errors=True); os.makedirs('hop')\nos.symlink('/', 'hop/root')\n"
        "print(open('hop/root' + SECRET).read())",
    ),
    (
        "files",
        "results cannot be removed",
        SAME_USER,
        "import os; os.unlink(os.path.join(DATA, 'result.txt')); print('ESCAPED')",
    ),
    (
        "files",
        "results cannot be replaced by a rename",
        SAME_USER,
        "import os; open('forged', 'w').write('x'); os.replace('forged', os.path.join(DATA, 'result.txt')); print('ESCAPED')",
    ),
    (
        "files",
        "results cannot be shortened",
        SAME_USER,
        "import os; os.truncate(os.path.join(DATA, 'result.txt'), 0); print('ESCAPED')",
    ),
    (
        "files",
        "results cannot be reopened for writing through /proc",
        SAME_USER,
        "import os; f = os.open(os.path.join(DATA, 'result.txt'), os.O_RDONLY); open(f'/proc/self/fd/{f}', 'w').write('x'); print('ESCAPED')",
    ),
    (
        "files",
        "no file with the right of its owner is left in the work folder",
        RIGHT,
        "import os; open('s', 'w').close(); os.chown('s', 0, 0); os.chmod('s', 0o4755); print('ESCAPED')",
    ),
    (
        "files",
        "the libraries cannot be changed",
        MACHINE,
        "import pandas; open(pandas.__file__, 'a').write(''); print('ESCAPED')",
    ),
    (
        "files",
        "the code that runs inside cannot be changed",
        MACHINE,
        "import tandem_guest; open(tandem_guest.__file__, 'a').write(''); print('ESCAPED')",
    ),
    # Landlock sees none of these: they take a path or a number, and open nothing.
    (
        "files",
        "the mode of a host's file cannot be changed",
        SAME_USER,
        "import ctypes\nif ctypes.CDLL(None).chmod(SECRET.encode(), 0o644) == 0: print('ESCAPED')",
    ),
    (
        "files",
        "the mode of a host's file cannot be changed through Python's own functions",
        SAME_USER,
        "import os, pathlib, shutil\nfor change in (lambda: os.chmod(SECRET, 0o644), lambda: pathlib.Path(SECRET).chmod(0o644), lambda: shutil.copymode(SECRET, SECRET)):\n"
        "    try:\n        change(); print('ESCAPED')\n    except OSError:\n        pass",
    ),
    (
        "files",
        "the owner of a host's file cannot be changed",
        SAME_USER,
        "import os; os.chown(SECRET, -1, os.getgid()); print('ESCAPED')",
    ),
    (
        "files",
        "the times of a host's file cannot be changed",
        SAME_USER,
        "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.utimes(SECRET.encode(), None) == 0 or libc.utimensat(-100, SECRET.encode(), None, 0) == 0: print('ESCAPED')",
    ),
    (
        "files",
        "a host's file cannot be shortened",
        SAME_USER,
        # To the length it has.
        "import ctypes, os\nif ctypes.CDLL(None).truncate(SECRET.encode(), ctypes.c_long(7)) == 0: print('ESCAPED')\n"
        "os.truncate(SECRET, 7); print('ESCAPED')",
    ),
    (
        "files",
        "no note is attached to a host's file",
        MACHINE,
        "import os; os.setxattr(SECRET, 'user.tandem', b'x'); print('ESCAPED')",
    ),
    (
        "files",
        "the host's folders cannot be watched",
        YES,
        "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.inotify_add_watch(libc.inotify_init1(0o2000000), OUTSIDE.encode(), 0xFFF) >= 0: print('ESCAPED')",
    ),
    (
        "processes",
        "no process of the host can be slowed down",
        SAME_USER,
        "import os; os.sched_setscheduler(BAIT_PID, os.SCHED_IDLE, os.sched_param(0)); print('ESCAPED')",
    ),
    (
        "processes",
        "no shared memory of the host can be joined",
        YES,
        "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_ssize_t\nif libc.shmat(SHARED, None, 0) != -1: print('ESCAPED')",
    ),
    # other sessions
    (
        "other sessions",
        "no listing of another session's folder",
        SAME_USER,
        "import os; print('ESCAPED' if os.listdir(OTHER_DESK) else '')",
    ),
    (
        "other sessions",
        "another session's folder cannot be written",
        SAME_USER,
        "open(OTHER_DESK + '/planted', 'w').write('x'); print('ESCAPED')",
    ),
    (
        "other sessions",
        "another session's memory cannot be read",
        SAME_USER,
        "open(f'/proc/{OTHER_PID}/mem', 'rb'); print('ESCAPED')",
    ),
    (
        "other sessions",
        "another session's descriptors cannot be listed",
        SAME_USER,
        "import os; os.listdir(f'/proc/{OTHER_PID}/fd'); print('ESCAPED')",
    ),
    (
        "other sessions",
        "another session's environment cannot be read",
        SAME_USER,
        "print('ESCAPED' if open(f'/proc/{OTHER_PID}/environ').read() else '')",
    ),
    (
        "other sessions",
        "another session's limits cannot be changed",
        SAME_USER,
        "import resource; resource.prlimit(OTHER_PID, resource.RLIMIT_NOFILE, (1024, 1024)); print('ESCAPED')",
    ),
    (
        "other sessions",
        "another session's kernel cannot be held by a pidfd",
        SAME_USER,
        "import os, signal; signal.pidfd_send_signal(os.pidfd_open(OTHER_PID), 0); print('ESCAPED')",
    ),
    # environment
    (
        "environment",
        "no command line of the host's processes",
        YES,
        "import glob\nfor p in glob.glob('/proc/[0-9]*/cmdline'):\n    try:\n        text = open(p).read()\n    except OSError:\n        continue\n"
        "    if 'pytest' in text: print('ESCAPED')",
    ),
    (
        "environment",
        "the boot command line is not shown",
        YES,
        "print('ESCAPED' if open('/proc/cmdline').read().strip() else '')",
    ),
    (
        "environment",
        "nothing of the machine's devices and settings in /sys is shown",
        YES,
        "import os; print('ESCAPED' if os.listdir('/sys/kernel') else '')",
    ),
    (
        "environment",
        "no name of a module of the host's tests or application",
        HELD,
        "import sys; print('ESCAPED' if {'assistant', 'ui', 'pytest'} & set(sys.modules) else '')",
    ),
    (
        "environment",
        "what is passed on to a child is clean too",
        HELD,
        "import subprocess; print('ESCAPED' if 'hunter2' in subprocess.run(['env'], capture_output=True, text=True).stdout else '')",
    ),
    # processes
    (
        "processes",
        "the supervisor cannot be stopped",
        UNSAFE,
        "import os, signal, time\np = os.getppid()\nos.kill(p, signal.SIGSTOP); time.sleep(0.1)\n"
        "print('ESCAPED' if open(f'/proc/{p}/stat').read().rpartition(')')[2].split()[0] == 'T' else '')",
    ),
    (
        "processes",
        "the supervisor's limits cannot be changed",
        UNSAFE,
        "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (4, 4)); print('ESCAPED')",
    ),
    (
        "processes",
        "the supervisor's descriptors cannot be taken",
        HELD,
        # At bubblewrap the numbers can be listed; what counts is that none can be followed or opened.
        "import os\nfolder = f'/proc/{os.getppid()}/fd'\nfor fd in os.listdir(folder):\n"
        "    for take in (os.readlink, lambda path: os.open(path, os.O_RDONLY | os.O_NONBLOCK)):\n"
        "        try:\n            take(f'{folder}/{fd}'); print('ESCAPED', fd)\n        except OSError:\n            pass",
    ),
    (
        "processes",
        "no higher priority",
        RIGHT,
        "import os; os.setpriority(os.PRIO_PROCESS, 0, -5); print('ESCAPED')",
    ),
    (
        "processes",
        "no real-time priority",
        RIGHT,
        "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)); print('ESCAPED')",
    ),
    (
        "processes",
        "no limit of the host's own process can be changed",
        SAME_USER,
        "import os, resource; print('ESCAPED' if resource.prlimit(BAIT_PID, resource.RLIMIT_CPU) else '')",
    ),
    # mounts
    (
        "mounts",
        "no private mount by way of a user namespace",
        UNSAFE,
        "import subprocess; print('ESCAPED' if subprocess.run(['unshare', '-Ur', 'true'], capture_output=True).returncode == 0 else '')",
    ),
    (
        "mounts",
        "no work folder bound onto another of its own",
        UNSAFE,
        "import ctypes, os\nos.makedirs('a', exist_ok=True); os.makedirs('b', exist_ok=True)\n"
        "if ctypes.CDLL(None).mount(os.path.abspath('a').encode(), os.path.abspath('b').encode(), None, 4096, None) == 0: print('ESCAPED')",
    ),
    (
        "mounts",
        "no file system mounted by a setuid program",
        UNSAFE,
        "import subprocess, os\nos.makedirs('bait', exist_ok=True)\n"
        "if subprocess.run(['mount', '-t', 'tmpfs', 'none', os.path.abspath('bait')], capture_output=True).returncode == 0: print('ESCAPED')",
    ),
    # devices
    (
        "devices",
        "no terminal of the host's",
        HELD,
        "open('/dev/tty', 'r+b', buffering=0); print('ESCAPED')",
    ),
    (
        "devices",
        "no queue of messages to the kernel (uinput, uhid)",
        RIGHT,
        "import os\nfor p in ('/dev/uinput', '/dev/uhid', '/dev/input/event0', '/dev/dri/card0', '/dev/port'):\n    try:\n        open(p, 'rb'); print('ESCAPED', p)\n    except OSError:\n        pass",
    ),
    (
        "devices",
        "the host's pseudo-terminals are not there",
        MACHINE,
        "import os\nfor n in range(64):\n    try:\n        f = os.open(f'/dev/pts/{n}', os.O_RDWR | os.O_NOCTTY); print('ESCAPED', n)\n    except OSError:\n        pass",
    ),
    # protocol
    (
        "protocol",
        "a forged idle message ends no cell",
        HELD,
        "k = get_ipython().kernel\nk.session.send(k.iopub_socket, 'status', {'execution_state': 'idle'}, parent=k.get_parent(), ident=k._topic('status'))\n"
        "import time; time.sleep(0.3); print('own')",
    ),
    (
        "protocol",
        "messages signed with another key are not heard",
        HELD,
        "from jupyter_client.session import Session\nk = get_ipython().kernel\ns = Session(key=b'other')\n"
        "sent = s.send(k.iopub_socket, 'stream', {'name': 'stdout', 'text': 'ESCAPED'}, parent=k.get_parent())",
    ),
    (
        "protocol",
        "raw bytes on the output channel neither stop nor fool the host",
        HELD,
        "k = get_ipython().kernel\nfor raw in (b'', b'x', b'\\xff' * 1000, b'{}'):\n    k.iopub_socket.send_multipart([raw, b'<IDS|MSG>', raw, raw, raw, raw, raw])",
    ),
    (
        "protocol",
        "output said to be another cell's is not taken",
        HELD,
        "k = get_ipython().kernel\nsent = k.session.send(k.iopub_socket, 'stream', {'name': 'stdout', 'text': 'ESCAPED'}, parent={'header': {'msg_id': 'other'}})",
    ),
    (
        "protocol",
        "a question in another cell's name is refused",
        HELD,
        "import tandem_guest, tandem_guest.channel as c\nc.enter_cell('other')\ntry:\n    print('ESCAPED', c.call('ask'))\nexcept tandem_guest.RequestRefused as e:\n    print(e)",
    ),
    # exhaustion
    (
        "exhaustion",
        "limits cannot be raised",
        HELD,
        "import resource\nfor name in ('DATA', 'FSIZE', 'NPROC', 'NOFILE', 'AS', 'CORE'):\n    r = getattr(resource, 'RLIMIT_' + name)\n    soft, hard = resource.getrlimit(r)\n"
        "    try:\n        resource.setrlimit(r, (hard + 1, hard + 1)); print('ESCAPED', name)\n    except (OSError, ValueError):\n        pass",
    ),
    (
        "exhaustion",
        "no more descriptors than allowed",
        HELD,
        "import os\nheld = []\ntry:\n    for n in range(5000): held.append(os.open('/dev/null', os.O_RDONLY))\n    print('ESCAPED')\nfinally:\n    [os.close(f) for f in held]",
    ),
    (
        "exhaustion",
        "no file larger than allowed",
        HELD,
        "import os, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nwith open('large', 'wb') as f:\n    try:\n        f.truncate(1 << 40); print('ESCAPED')\n    finally:\n        os.unlink('large')",
    ),
    (
        "exhaustion",
        "no more threads than allowed",
        MACHINE,
        "import threading\nstop = threading.Event(); held = []\ntry:\n    for n in range(600):\n        t = threading.Thread(target=stop.wait, daemon=True); t.start(); held.append(t)\n    print('ESCAPED')\n"
        "finally:\n    stop.set(); [t.join() for t in held]",
    ),
    (
        "exhaustion",
        "no queue of POSIX messages",
        HELD,
        "import ctypes\nif ctypes.CDLL(None).mq_open(b'/q', 0o102, 0o600, None) >= 0: print('ESCAPED')",
    ),
    (
        "exhaustion",
        "no core dump",
        HELD,
        "import resource; print('ESCAPED' if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0) else '')",
    ),
    (
        "exhaustion",
        "no more locked memory than allowed",
        HELD,
        "import ctypes, mmap\nm = mmap.mmap(-1, 64 << 20)\nif ctypes.CDLL(None).mlock(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), ctypes.c_size_t(64 << 20)) == 0: print('ESCAPED')",
    ),
    (
        "exhaustion",
        "a heap over the limit is refused",
        HELD,
        "x = bytearray(8 << 30); print('ESCAPED')",
    ),
)
