"""Attempts to break out, each against a stated promise, on every level with walls.

An attempt prints ESCAPED if it succeeds. Those with teeth are also run without walls, where they must succeed: an attack
that cannot work anywhere proves nothing. Each of the others says why it has none.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import runpy
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sandbox.levels import Level
from sandbox.pool import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attack: the family it belongs to, the promise it attacks, its code, and what becomes of it without walls."""

    family: str
    promise: str
    code: str
    teeth: Any  # a member of Teeth, which stands in attacks.py


# Run by path: the tests are no package, and a table of a hundred lines reads better in a file of its own.
_attacks = runpy.run_path(str(Path(__file__).with_name("attacks.py")))
MORE: tuple[tuple[str, str, Any, str], ...] = _attacks["MORE"]
YES, SAME_USER, HELD, MACHINE, RIGHT, UNSAFE = _attacks["Teeth"]

SYSCALL = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); call = libc.syscall; call.restype = ctypes.c_long\n"
X86 = os.uname().machine == "x86_64"

ATTEMPTS = (
    Attempt(
        family="network",
        promise="no TCP to the host's own services",
        code="import socket; s = socket.create_connection(('127.0.0.1', TCP_PORT), 2); print(s.recv(7).decode())",
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no TCP through a child process",
        code=(
            "import subprocess, sys\n"
            "code = f\"import socket; print(socket.create_connection(('127.0.0.1', {TCP_PORT}), 2).recv(7).decode())\"\n"
            "print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True).stdout)"
        ),
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no UDP to the host",
        code="import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('127.0.0.1', 9)); print('ESCAPED')",
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no socket of any family but Unix",
        code=(
            "import socket\nfor family in range(2, 50):\n    for kind in (1, 2, 3, 5):\n        try:\n"
            "            socket.socket(family, kind)\n        except OSError:\n            continue\n        print('ESCAPED', family, kind)"
        ),
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no Unix socket of the host by path",
        code="import socket; s = socket.socket(socket.AF_UNIX); s.connect(UNIX_PATH); print(s.recv(7).decode())",
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no Unix socket of the host by abstract name",
        code="import socket; s = socket.socket(socket.AF_UNIX); s.connect('\\0' + ABSTRACT); print(s.recv(7).decode())",
        teeth=YES,
    ),
    Attempt(
        family="network",
        promise="no io_uring, which would make sockets that no filter sees",
        teeth=MACHINE,
        code=SYSCALL + "p = ctypes.create_string_buffer(120)\nif call(425, 4, p) >= 0: print('ESCAPED')",
    ),
    Attempt(family="files", promise="no file of the host", code="print(open(SECRET).read())", teeth=YES),
    Attempt(
        family="files",
        promise="no file of the host by a link in the work folder",
        code="import os; os.path.lexists('l') and os.unlink('l'); os.symlink(SECRET, 'l'); print(open('l').read())",
        teeth=YES,
    ),
    Attempt(
        family="files",
        promise="no second name for a file of the host",
        teeth=MACHINE,
        code="import os; os.link(SECRET, 'hard'); print(open('hard').read())",
    ),
    Attempt(
        family="files",
        promise="no way up from the work folder",
        teeth=YES,
        code=(
            "import os\nf = os.open('.', os.O_RDONLY)\ntry:\n    for n in range(12):\n        up = os.open('..', os.O_RDONLY, dir_fd=f); os.close(f); f = up\n"
            "    print(open(os.open(SECRET.lstrip('/'), os.O_RDONLY, dir_fd=f)).read())\nfinally:\n    os.close(f)"
        ),
    ),
    Attempt(
        family="files",
        promise="no way to the host's root through /proc",
        code="import os\nfor p in ('1', str(os.getppid()), 'self'):\n    try:\n        print(open(f'/proc/{p}/root{SECRET}').read())\n    except OSError as e:\n        print(e.errno)",
        teeth=YES,
    ),
    Attempt(
        family="files",
        promise="nothing can be written outside the work folder and temporary folders",
        teeth=UNSAFE,
        code=(
            "import sys, os\nfor f in ('/', '/usr', '/etc', '/usr/lib', sys.prefix, os.path.dirname(os.__file__), DATA, OUTSIDE):\n"
            "    try:\n        open(os.path.join(f, 'planted'), 'w').write('x'); print('ESCAPED', f)\n    except OSError:\n        pass"
        ),
    ),
    Attempt(
        family="files",
        promise="results cannot be changed",
        teeth=SAME_USER,
        code="import os; p = os.path.join(DATA, 'result.txt'); os.chmod(p, 0o777); open(p, 'w').write('forged'); print('ESCAPED')",
    ),
    Attempt(
        family="files",
        promise="no passwords of the system",
        teeth=RIGHT,
        code="open('/etc/shadow').read(); print('ESCAPED')",
    ),
    Attempt(
        family="files",
        promise="no file by handle",
        teeth=MACHINE,
        code=SYSCALL
        + "b = ctypes.create_string_buffer(136); m = ctypes.c_int()\nctypes.memmove(b, (128).to_bytes(4, 'little'), 4)\n"
        "if call(303, -100, b'/', b, ctypes.byref(m), 0) == 0: print('ESCAPED')",
    ),
    Attempt(
        family="files",
        promise="no inherited descriptor leads outside",
        teeth=HELD,
        code=(
            "import os\nfor fd in range(1024):\n    try:\n        print(open(os.open(SECRET.lstrip('/'), os.O_RDONLY, dir_fd=fd)).read())\n"
            "    except OSError:\n        pass"
        ),
    ),
    Attempt(
        family="other sessions",
        promise="no other session's files",
        teeth=SAME_USER,
        code="print(open(OTHER_DESK + '/private.txt').read())",
    ),
    Attempt(
        family="other sessions",
        promise="no other session's kernel can be signalled",
        teeth=SAME_USER,
        code="import os; os.kill(OTHER_PID, 0); print('ESCAPED')",
    ),
    Attempt(
        family="other sessions",
        promise="no other session's channels",
        teeth=SAME_USER,
        code="import socket; s = socket.socket(socket.AF_UNIX); s.connect(OTHER_SOCKET); print('ESCAPED')",
    ),
    Attempt(
        family="environment",
        promise="no variable of the host's environment",
        teeth=SAME_USER,
        code=(
            "import os, glob\ntexts = [str(dict(os.environ))]\nfor p in glob.glob('/proc/[0-9]*/environ') + ['/proc/self/environ']:\n    try:\n"
            "        texts.append(open(p).read())\n    except OSError:\n        pass\nif 'hunter2' in ''.join(texts): print('ESCAPED')"
        ),
    ),
    Attempt(
        family="environment",
        promise="no process of the host can be read in /proc",
        code="print('ESCAPED' if open(f'/proc/{BAIT_PID}/cmdline').read().startswith('sleep') else '')",
        teeth=YES,
    ),
    Attempt(
        family="environment",
        promise="no kernel setting can be written",
        teeth=UNSAFE,
        code="open('/proc/sys/kernel/core_pattern', 'r+').write('|/x'); print('ESCAPED')",
    ),
    Attempt(
        family="environment",
        promise="no kernel log or symbol is shown",
        teeth=YES,
        code=(
            "for p in ('/proc/kmsg', '/proc/kcore', '/proc/kallsyms', '/dev/kmsg', '/proc/sysrq-trigger'):\n    try:\n"
            "        if open(p, 'rb').read(10): print('ESCAPED', p)\n    except OSError:\n        pass"
        ),
    ),
    Attempt(
        family="processes",
        promise="no process of the host can be signalled",
        teeth=SAME_USER,
        code="import os; os.kill(BAIT_PID, 0); print('ESCAPED')",
    ),
    Attempt(
        family="processes",
        promise="the supervisor can be neither ended nor changed",
        teeth=UNSAFE,
        code=(
            "import os, time\np = os.getppid()\nfor attack in (lambda: os.kill(p, 9), lambda: open(f'/proc/{p}/mem', 'r+b')):\n    try:\n        attack()\n"
            "    except OSError:\n        continue\n    time.sleep(0.2)\n    if os.getppid() != p or attack.__code__.co_names[-1] == 'open': print('ESCAPED')"
        ),
    ),
    Attempt(
        family="processes",
        promise="no process can be traced or its memory read",
        teeth=UNSAFE,
        code=SYSCALL + f"import os\nif call({101 if X86 else 117}, 16, os.getppid(), 0, 0) == 0: print('ESCAPED')\n"
        f"if call({310 if X86 else 270}, os.getppid(), 0, 0, 0, 0, 0) == 0: print('ESCAPED')",
    ),
    Attempt(
        family="kernel surface",
        promise="nobody else can be become",
        teeth=RIGHT,
        code="import os\nfor become in (os.setuid, os.setgid):\n    try:\n        become(0); print('ESCAPED')\n    except OSError:\n        pass",
    ),
    Attempt(
        family="kernel surface",
        promise="no bpf, perf, keyring, userfault or module call",
        teeth=UNSAFE,
        code=SYSCALL
        + "for n in (321, 298, 248, 250, 323, 175, 313, 246, 169, 447):\n    if call(n, 0, 0, 0, 0, 0) >= 0: print('ESCAPED', n)"
        if X86
        else "pass",
    ),
    Attempt(
        family="kernel surface",
        promise="a setuid program gives nothing",
        teeth=HELD,
        code="import subprocess; print('ESCAPED' if '\\nNoNewPrivs:\\t0' in open('/proc/self/status').read() else '')",
    ),
    Attempt(
        family="kernel surface",
        promise="no capability is held",
        teeth=HELD,
        code="s = open('/proc/self/status').read(); print('ESCAPED' if any(int(l.split()[1], 16) & ~4 for l in s.splitlines() if l.startswith(('CapEff', 'CapPrm', 'CapInh', 'CapAmb'))) else '')",
    ),
    Attempt(
        family="mounts",
        promise="no new namespace",
        teeth=UNSAFE,
        code=SYSCALL
        + "for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):\n    if libc.unshare(flag) == 0: print('ESCAPED', hex(flag))",
    ),
    Attempt(
        family="mounts",
        promise="nothing can be mounted, unmounted or made the root",
        teeth=UNSAFE,
        code=SYSCALL + "import os\nos.makedirs('bait', exist_ok=True); bait = os.path.abspath('bait').encode()\n"
        "if libc.mount(b'none', bait, b'tmpfs', 0, None) == 0: print('ESCAPED mount')\n"
        "if libc.umount2(bait, 2) == 0: print('ESCAPED umount')\ntry:\n    os.chroot('.'); print('ESCAPED chroot')\nexcept OSError:\n    pass",
    ),
    Attempt(
        family="devices",
        promise="no device can be made or opened",
        teeth=RIGHT,
        code=(
            "import os, stat\ntry:\n    os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0)); open('disk', 'rb'); print('ESCAPED')\nexcept OSError:\n    pass\n"
            "for p in ('/dev/mem', '/dev/sda', '/dev/vda', '/dev/kvm', '/dev/fuse', '/dev/loop0', '/dev/net/tun'):\n    try:\n        open(p, 'rb'); print('ESCAPED', p)\n    except OSError:\n        pass"
        ),
    ),
    Attempt(
        family="devices",
        promise="nothing can be typed into a terminal",
        teeth=MACHINE,
        code="import os, fcntl, pty\nm, s = pty.openpty()\nfcntl.ioctl(s, 0x5412, b'x'); print('ESCAPED')",
    ),
    Attempt(
        family="protocol",
        promise="a thread that outlives its cell is answered no more",
        teeth=HELD,
        code=(
            "import os, threading, time, tandem_guest\ndef late():\n    while not os.path.exists('go'): time.sleep(0.01)\n    try:\n        tandem_guest.call('ask'); said = 'ESCAPED'\n"
            "    except tandem_guest.RequestRefused as e:\n        said = str(e)\n    open('late.part', 'w').write(said); os.rename('late.part', 'late')\n"
            "threading.Thread(target=late).start()"
        ),
    ),
    Attempt(
        family="protocol",
        promise="garbage on the request channel neither stops nor fools the host",
        teeth=HELD,
        code=(
            "import tandem_guest.channel as c\nfor raw in (b'{', b'[]', b'\\xff' * 100, b'{\"id\": 1}', b'[' * 9000, b'null', b'{\"id\":-1,\"op\":\"ask\",\"payload\":{},\"cell\":\"\"}'):\n"
            "    c._link.sock.send(raw)\nprint(c.call('ask'))"
        ),
    ),
)

ATTEMPTS = (
    *ATTEMPTS,
    *(Attempt(family=family, promise=promise, code=code, teeth=teeth) for family, promise, teeth, code in MORE),
)


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Things of the host's that are worth stealing, and open to everybody but for the cage."""
    folder = Path("/tmp") / f"tandem-bait-{os.getpid()}"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    secret = folder / "secret.txt"
    secret.write_text("ESCAPED")
    secret.chmod(0o644)
    tcp = socket.create_server(("127.0.0.1", 0))
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(str(folder / "socket"))
    (folder / "socket").chmod(0o777)
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0tandem-bait-{os.getpid()}")
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    datagrams.bind(str(folder / "datagrams"))
    (folder / "datagrams").chmod(0o777)
    shared = _libc.shmget(0, 4096, 0o1000 | 0o666)  # IPC_PRIVATE, IPC_CREAT
    servers = (tcp, unix, abstract)
    threads = [threading.Thread(target=_greet, args=(server,)) for server in servers]
    for server, thread in zip(servers, threads, strict=True):
        server.listen()
        thread.start()
    os.environ["TANDEM_TEST_PASSWORD"] = "hunter2"
    # Without root's rights, which would be a wall of their own between it and a session of the same user.
    sleep = "import os; from sandbox.cage import privileges; privileges.drop_capabilities(); os.execvp('sleep', ['sleep', '3600'])"
    sleeper = subprocess.Popen([sys.executable, "-c", sleep])
    assert eventually(lambda: Path(f"/proc/{sleeper.pid}/cmdline").read_text().startswith("sleep"))
    yield {
        "SECRET": str(secret),
        "OUTSIDE": str(folder),
        "TCP_PORT": tcp.getsockname()[1],
        "UNIX_PATH": str(folder / "socket"),
        "DATAGRAM_PATH": str(folder / "datagrams"),
        "SHARED": shared,
        "ABSTRACT": f"tandem-bait-{os.getpid()}",
        "BAIT_PID": sleeper.pid,
    }
    del os.environ["TANDEM_TEST_PASSWORD"]
    sleeper.kill()
    sleeper.wait()
    for server, thread in zip(servers, threads, strict=True):
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
    datagrams.close()
    _libc.shmctl(shared, 0, None)  # IPC_RMID
    for left in folder.iterdir():
        left.unlink()
    folder.rmdir()


_libc = ctypes.CDLL(None)


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether `condition` comes true within a minute: ages on a fast machine, and no more on a slow one."""
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _greet(server: socket.socket) -> None:
    while True:
        try:
            peer, _ = server.accept()
        except OSError:
            return
        with peer:
            peer.sendall(b"ESCAPED")


@pytest.fixture(scope="module")
def targets(
    loop: asyncio.Runner, bait: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """Two sessions at each level that is asked for: one attacks, one is another's."""
    opened: dict[str, Any] = {}
    pools: list[Pool] = []

    async def open_level(level: Level) -> Any:
        async def answer(op: str, payload: Any) -> dict[str, Any]:
            return {"answer": op}

        pool = await Pool(level=level, size=0).__aenter__()
        pools.append(pool)
        base = tmp_path_factory.mktemp(f"escape-{level}")
        (base / "data").mkdir()
        (base / "data" / "result.txt").write_text("true")
        other = await pool.lease(desk=base / "other", data=base / "other-data", requests=answer)
        await other.execute("open('private.txt', 'w').write('ESCAPED')")
        process = other._client.process
        real = level in ("zygote", "bubblewrap")
        names = {
            **bait,
            "DESK": "/desk" if real else str(base / "desk"),
            "DATA": "/data" if real else str(base / "data"),
            "OTHER_DESK": str(base / "other"),
            "OTHER_PID": process.pid,
            "OTHER_SOCKET": f"{process.wires.address}-1",
        }
        prelude = "\n".join(f"{name} = {value!r}" for name, value in names.items())
        return await pool.lease(desk=base / "desk", data=base / "data", requests=answer, prelude=prelude), base

    def get(level: Level) -> Any:
        if level not in opened:
            opened[level] = loop.run(open_level(level))
        return opened[level]

    yield {"get": get}
    for pool in pools:
        loop.run(pool.__aexit__())


def said(execution: Any) -> str:
    return "".join(output.text for output in execution.outputs)


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: f"{attempt.family}: {attempt.promise}")
def test_the_cage_holds(loop: asyncio.Runner, targets: dict[str, Any], walled_level: Level, attempt: Attempt) -> None:
    kernel, base = targets["get"](walled_level)
    result = loop.run(kernel.execute(attempt.code, timeout_s=30))
    assert "ESCAPED" not in said(result), f"broken on {walled_level}: {attempt.promise}"
    assert result.status in ("ok", "failed", "died")
    assert (base / "data" / "result.txt").read_text() == "true"
    if "late" in attempt.code:
        (base / "desk" / "go").touch()  # the cell has ended: now its thread may ask
        late = base / "desk" / "late"
        assert loop.run(asyncio.to_thread(eventually, late.exists))  # the host goes on answering meanwhile
        assert "ESCAPED" not in late.read_text()
    after = loop.run(kernel.execute("print(6 * 7)"))
    assert after.status == "died" or said(after).endswith("42\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "attempt",
    [attempt for attempt in ATTEMPTS if attempt.teeth in (YES, SAME_USER, HELD)],
    ids=lambda attempt: f"{attempt.family}: {attempt.promise}",
)
def test_the_walls_are_what_stops_the_attack(
    loop: asyncio.Runner, targets: dict[str, Any], reports: Any, attempt: Attempt
) -> None:
    """Without walls it does what its `teeth` say."""
    if not reports["process"].holds:
        pytest.skip(f"level process: {reports['process'].why_not}")
    kernel, base = targets["get"]("process")
    (base / "data" / "result.txt").write_text("true")  # an attempt before this one may have removed it
    own_user = kernel._client.process.spec.uid is not None
    succeeds = attempt.teeth == YES or (attempt.teeth == SAME_USER and not own_user)
    assert ("ESCAPED" in said(loop.run(kernel.execute(attempt.code, timeout_s=60)))) == succeeds, attempt.teeth.value


def test_attempts_are_many_and_most_have_teeth() -> None:
    assert len({attempt.promise for attempt in ATTEMPTS}) == len(ATTEMPTS) >= 130
    toothless = [attempt for attempt in ATTEMPTS if attempt.teeth in (MACHINE, RIGHT, UNSAFE)]
    assert len(toothless) < len(ATTEMPTS) / 2


PLANTS = (
    *("json.py", "pandas.py", "sitecustomize.py", "usercustomize.py", "tandem_guest.py", "ipykernel/__init__.py"),
    *(".ipython/profile_default/startup/00.py", "ipython_config.py", ".local/lib/python3.11/site-packages/x.pth"),
    *(".config/matplotlib/matplotlibrc", ".tmp/ipython/profile_default/startup/00.py", ".pythonrc.py"),
)


def test_nothing_planted_in_the_work_folder_runs_at_the_next_start(
    loop: asyncio.Runner, lease: Any, walled_level: Level
) -> None:
    """What survives a kernel is its folder: no file in it is code to the next one, until a cell says so."""

    async def scenario() -> None:
        kernel = await lease(walled_level)
        code = (
            "import os\n"
            f"for name in {PLANTS!r}:\n    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)\n"
            "    open(name, 'w').write(f\"import os; open(os.environ['HOME'] + '/ran', 'a').write({name!r})\\n\")\nprint('laid')"
        )
        assert said(await kernel.execute(code)) == "laid\n"
        await kernel.restart()
        assert said(await kernel.execute("import os; print(os.path.exists('ran'))")) == "False\n"

    loop.run(scenario())


DAEMON = (
    "import os, sys, signal, subprocess\n"
    "code = 'import os, signal, time\\nfor n in range(1, 32):\\n    try: signal.signal(n, signal.SIG_IGN)\\n    except (OSError, ValueError): pass\\n"
    "if os.fork(): os._exit(0)\\nos.setsid()\\nif os.fork(): os._exit(0)\\ntime.sleep(600)'\n"
    "subprocess.run([sys.executable, '-c', code, 'MARK'])\nprint('begun')"
)


def alive(mark: str) -> bool:
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if mark in Path(f"/proc/{name}/cmdline").read_text():
                    return True
            except OSError:
                continue
    return False


def begun(mark: str) -> bool:
    # A process that forks while the list is read may be missed: look again.
    return eventually(lambda: alive(mark))


def gone(mark: str) -> bool:
    return eventually(lambda: not alive(mark) and not alive(mark))


def test_no_daemon_survives_its_session(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    mark = f"daemon-{any_level}-{os.getpid()}"
    kernel = loop.run(lease(any_level))
    assert "begun" in said(loop.run(kernel.execute(DAEMON.replace("MARK", mark))))
    assert begun(mark)
    loop.run(kernel.close())
    assert gone(mark)


def test_no_daemon_survives_an_interrupt_that_has_to_kill(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    mark = f"stubborn-{os.getpid()}"
    code = (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        + DAEMON.replace("MARK", mark)
        + "\nimport time\nwhile True: time.sleep(0.01)"
    )

    async def scenario() -> None:
        kernel = await lease(best_level)
        printed = asyncio.Event()
        cell = asyncio.create_task(kernel.execute(code, timeout_s=600, on_output=lambda _: printed.set()))
        await printed.wait()
        assert await asyncio.to_thread(begun, mark)
        await kernel.interrupt()
        assert (await cell).state_lost

    loop.run(scenario())
    assert gone(mark)


def test_cages_die_when_the_host_is_killed(any_level: Level, tmp_path: Path) -> None:
    mark = f"orphan-{any_level}-{os.getpid()}"
    script = (
        "import asyncio, pathlib, sys, time\nfrom sandbox.pool import Pool\n"
        "async def main():\n"
        f"    pool = await Pool(level={any_level!r}, size=0).__aenter__()\n"
        f"    kernel = await pool.lease(desk=pathlib.Path({str(tmp_path / 'desk')!r}), data=pathlib.Path({str(tmp_path / 'data')!r}))\n"
        f"    result = await kernel.execute({DAEMON.replace('MARK', mark)!r})\n"
        "    print(result.outputs[0].text, flush=True)\n    await asyncio.sleep(600)\nasyncio.run(main())"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "begun\n"
        assert begun(mark)
        host.kill()
    assert gone(mark)


def test_a_kernel_can_lie_about_itself(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    """A documented limit: what a kernel says is output and never a fact, because its own code can forge it."""
    forge = (
        "ledger = get_ipython().kernel.ledger\n"
        "ledger.after = lambda code: {'variables': [{'name': 'profit', 'type': 'int', 'shape': None, 'columns': None,"
        " 'size_bytes': 1}], 'gone': []}"
    )
    kernel = loop.run(lease(best_level))
    told = loop.run(kernel.execute(forge))
    assert [variable.name for variable in told.variables] == ["profit"]
    assert said(loop.run(kernel.execute("print('profit' in globals())"))) == "False\n"


def test_at_level_landlock_process_numbers_can_be_guessed(
    loop: asyncio.Runner, bait: dict[str, Any], lease: Any, reports: Any
) -> None:
    """A documented limit: that a process exists can be learnt there, and nothing can be done to it."""
    if not reports["landlock"].holds:
        pytest.skip(f"level landlock: {reports['landlock'].why_not}")
    code = f"import os\ntry:\n    os.kill({bait['BAIT_PID']}, 9)\nexcept OSError as error:\n    print(type(error).__name__)"
    kernel = loop.run(lease("landlock"))
    assert said(loop.run(kernel.execute(code))) == "PermissionError\n"


def test_at_level_landlock_files_can_be_asked_about(
    loop: asyncio.Runner, bait: dict[str, Any], lease: Any, reports: Any
) -> None:
    """A documented limit: that a file exists, its size and its times can be learnt there, and nothing of what it holds."""
    if not reports["landlock"].holds:
        pytest.skip(f"level landlock: {reports['landlock'].why_not}")
    code = (
        f"import os\nprint(os.stat({bait['SECRET']!r}).st_size)\n"
        f"try:\n    open({bait['SECRET']!r})\nexcept OSError as error:\n    print(type(error).__name__)"
    )
    kernel = loop.run(lease("landlock"))
    assert said(loop.run(kernel.execute(code))) == "7\nPermissionError\n"
