"""The filter answers as it says, for both architectures; and ordinary work goes through it."""

from __future__ import annotations

import asyncio
import errno
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from sandbox.cage import calls, linux, seccomp
from sandbox.kernel import Kernel
from sandbox.levels import Level
from sandbox.pool import Pool

ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET = 1, 2, 10, 16, 17


def answer(program: bytes, arch: int, number: int, *arguments: int) -> int:
    """What a filter answers: its program, run step by step as the kernel would."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("HBBI", program))
    accumulator, position = 0, 0
    while True:
        code, if_true, if_false, value = steps[position]
        position += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x15:
                position += if_true if accumulator == value else if_false
            case 0x35:
                position += if_true if accumulator >= value else if_false
            case 0x45:
                position += if_true if accumulator & value else if_false
            case 0x06:
                return value
            case _:
                raise AssertionError(f"no instruction of these filters: {code:#x}")


class Filter:
    """A filter to be asked."""

    def __init__(self, arch: str, *, own_root: bool) -> None:
        self.column = 0 if arch == "x86_64" else 1
        self._arch = ARCHITECTURES[arch]
        self._program = seccomp.assemble_filter(arch, own_root=own_root)

    def number(self, number: int, *arguments: int) -> int:
        return answer(self._program, self._arch, number, *arguments)

    def call(self, name: str, *arguments: int) -> int:
        return self.number(calls.EXAMINED[name][self.column], *arguments)


@pytest.fixture(params=["x86_64", "aarch64"])
def arch(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=[True, False], ids=["own root", "landlock alone"])
def own_root(request: pytest.FixtureRequest) -> bool:
    return request.param


def test_every_number_is_answered_as_the_table_says(arch: str, own_root: bool) -> None:
    asked = Filter(arch, own_root=own_root)
    allowed = calls.list_allowed(arch, by_path=own_root)
    examined = {numbers[asked.column] for numbers in calls.EXAMINED.values()}
    assert not allowed & examined
    for number in (*range(1200), 0x3FFF_FFFF):
        if number in examined:
            continue
        expected = seccomp.DENIED if number < calls.FIRST_PROBED else seccomp.ABSENT
        assert asked.number(number) == (seccomp.ALLOW if number in allowed else expected), number


# Kept apart from the table on purpose: what must never get into it. Name, x86_64, aarch64.
DANGEROUS = """
mount 165 40   umount2 166 39   pivot_root 155 41   chroot 161 51   unshare 272 97   setns 308 268
mount_setattr 442 442   open_tree 428 428   move_mount 429 429   fsopen 430 430   fsconfig 431 431
fsmount 432 432   fspick 433 433   statmount 457 457   listmount 458 458   quotactl 179 60   quotactl_fd 443 443
ptrace 101 117   process_vm_readv 310 270   process_vm_writev 311 271   kcmp 312 272   pidfd_getfd 438 438
process_madvise 440 440   perf_event_open 298 241   lookup_dcookie 212 18   setpriority 141 140
ioprio_set 251 30   bpf 321 280   io_uring_setup 425 425   io_uring_enter 426 426   io_uring_register 427 427
userfaultfd 323 282   add_key 248 217   request_key 249 218   keyctl 250 219   vmsplice 278 75
memfd_secret 447 447   name_to_handle_at 303 264   open_by_handle_at 304 265   fanotify_init 300 262
fanotify_mark 301 263   mq_open 240 180   modify_ldt 154 -   uselib 134 -   remap_file_pages 216 234
mbind 237 235   migrate_pages 256 238   move_pages 279 239   set_mempolicy 238 237
set_mempolicy_home_node 450 450   personality 135 92   ustat 136 -   sysfs 139 -   _sysctl 156 -
nfsservctl 180 42   map_shadow_stack 453 453   uretprobe 335 -   uprobe 336 -   lsm_set_self_attr 460 460
reboot 169 142   kexec_load 246 104   kexec_file_load 320 294   init_module 175 105   finit_module 313 273
delete_module 176 106   create_module 174 -   query_module 178 -   get_kernel_syms 177 -   iopl 172 -
ioperm 173 -   swapon 167 224   swapoff 168 225   acct 163 89   syslog 103 116   settimeofday 164 170
clock_settime 227 112   clock_adjtime 305 266   adjtimex 159 171   vhangup 153 58   sethostname 170 161
setdomainname 171 162   setuid 105 146   setgid 106 144   setreuid 113 145   setregid 114 143   setresuid 117 147
setresgid 119 149   setgroups 116 159   setfsuid 122 151   setfsgid 123 152   capset 126 91   shmget 29 194
semget 64 190   msgget 68 186   memfd_create 319 279   shmat 30 196   shmctl 31 195   shmdt 67 197   semop 65 193
semctl 66 191   semtimedop 220 192   msgsnd 69 189   msgrcv 70 188   msgctl 71 187   mq_unlink 241 181
mq_timedsend 242 182   sched_setparam 142 118   sched_setattr 314 274   io_setup 206 0   io_submit 209 2
rt_sigqueueinfo 129 138   clone3 435 435   mseal 462 462
"""


def test_what_leads_out_is_never_allowed(arch: str, own_root: bool) -> None:
    asked = Filter(arch, own_root=own_root)
    words = DANGEROUS.split()
    rows = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    assert len(rows) > 100
    for name, *numbers in rows:
        number = numbers[asked.column]
        if number != "-":
            assert asked.number(int(number)) in (seccomp.DENIED, seccomp.ABSENT), name


def test_libc_falls_back_from_clone3_to_clone(arch: str, own_root: bool) -> None:
    asked = Filter(arch, own_root=own_root)
    assert asked.number(435) == 0x0005_0000 | errno.ENOSYS
    assert asked.call("clone", 0x003D_0F00) == seccomp.ALLOW  # a thread
    assert asked.call("clone", 0x0120_0011) == seccomp.ALLOW  # a fork


def test_foreign_and_narrow_numbers_end_the_process(arch: str) -> None:
    program = seccomp.assemble_filter(arch)
    foreign = {0x4000_0003, 0x4000_0028, *ARCHITECTURES.values()} - {ARCHITECTURES[arch]}
    assert {answer(program, other, 0) for other in foreign} == {seccomp.KILL}
    if arch == "x86_64":
        assert answer(program, ARCHITECTURES[arch], 0x4000_0000 | 39) == seccomp.KILL


def test_arguments_decide(arch: str, own_root: bool) -> None:
    asked = Filter(arch, own_root=own_root)
    assert (asked.call("socket", AF_UNIX) == seccomp.ALLOW) == own_root
    assert asked.call("socketpair", AF_UNIX) == seccomp.ALLOW
    for family in (0, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, 38, 40):
        assert asked.call("socket", family) == seccomp.NO_FAMILY
        assert asked.call("socketpair", family) == seccomp.NO_FAMILY
    for bit in (0x80, *(1 << shift for shift in (17, 25, 26, 27, 28, 29, 30))):
        assert asked.call("clone", 0x11 | bit) == seccomp.DENIED
    assert asked.call("clone", 0x003D_0F00 & ~0x400) == seccomp.DENIED  # a thread with open files of its own
    assert asked.call("close_range", 3, 9, 0) == asked.call("close_range", 3, 9, 4) == seccomp.ALLOW
    assert asked.call("close_range", 3, 9, 2) == seccomp.DENIED
    assert (asked.call("prctl", 4, 0) == seccomp.ALLOW) == own_root
    assert asked.call("prlimit64", 0) == seccomp.ALLOW
    assert asked.call("prlimit64", 1) == seccomp.DENIED
    assert asked.call("sched_setscheduler", 1, 0) == seccomp.ALLOW
    assert {asked.call("sched_setscheduler", 1, policy) for policy in (1, 2, 3, 5, 6)} == {seccomp.DENIED}
    denied = (0x5412, 0x541C, 0x541D, 0x4008_6602, 0x4030_5828, 0x4030_582A, 0x4030_5839, 0x401C_5820)
    assert {asked.call("ioctl", 0, code) for code in denied} == {seccomp.DENIED}
    assert {asked.call("fallocate", 3, mode) for mode in (0, 1, 0x10, 0x11, 0x20, 0x40, 0x80)} == {seccomp.UNSUPPORTED}
    assert asked.call("fallocate", 3, 3) == seccomp.ALLOW  # blocks are given back
    assert asked.call("ioctl", 0, 0x5401) == seccomp.ALLOW
    assert asked.call("prctl", 35) == seccomp.DENIED
    assert asked.call("prctl", 15) == seccomp.ALLOW


def test_times_change_by_descriptor_alone_where_landlock_is_alone(arch: str) -> None:
    alone, rooted = (Filter(arch, own_root=own_root) for own_root in (False, True))
    for path in (1, 0x7FFF_0000_0000, 0x1_0000_0000):
        assert alone.call("utimensat", 3, path) == seccomp.DENIED
        assert rooted.call("utimensat", 3, path) == seccomp.ALLOW
    assert alone.call("utimensat", 3, 0) == seccomp.ALLOW


def test_what_takes_blocks_at_one_stroke_is_what_the_kernel_calls_so() -> None:
    """Numbers of linux/falloc.h and linux/fs.h: _IOW('X', number, struct)."""

    def iow(number: int, size: int) -> int:
        return 1 << 30 | size << 16 | ord("X") << 8 | number

    space = struct.calcsize("hhqqiI4i")
    assert [iow(number, space) for number in (40, 42, 57)] == [0x4030_5828, 0x4030_582A, 0x4030_5839]
    assert iow(32, 28) == 0x401C_5820


def test_another_architecture_gets_no_filter() -> None:
    with pytest.raises(OSError, match="riscv64"):
        seccomp.assemble_filter("riscv64")


IN_THE_KERNEL = """
import ctypes, os, sys
from sandbox.cage import calls, linux, privileges, seccomp
if os.getuid() == 0:
    os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
privileges.forbid_new()
linux.set_seccomp_filter(seccomp.assemble_filter())
libc = ctypes.CDLL(None, use_errno=True)
column = 0 if linux.ARCH == "x86_64" else 1
passed = calls.list_allowed(linux.ARCH, by_path=True) | {numbers[column] for numbers in calls.EXAMINED.values()}
# uretprobe and uprobe pass every filter (since Linux 6.14), and end whoever makes them by hand.
beyond = {335, 336} if linux.ARCH == "x86_64" else set()
for number in range(600):
    if number not in passed | beyond:
        ctypes.set_errno(0)
        said = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
        expected = 1 if number < calls.FIRST_PROBED else 38
        if (said, ctypes.get_errno()) != (-1, expected):
            print("WRONG", number, said, ctypes.get_errno())
print("asked")
"""


def test_the_kernel_takes_the_filter_and_answers_so() -> None:
    """Every refused call is really made, with senseless arguments."""
    if linux.ARCH not in ARCHITECTURES:
        pytest.skip(f"no filter is written for {linux.ARCH}")
    said = subprocess.run(
        [sys.executable, "-c", IN_THE_KERNEL], capture_output=True, text=True, timeout=120, check=False
    )
    assert said.stdout == "asked\n", said.stderr


WORK = {
    "linear algebra": "import numpy as np\na = np.random.rand(300, 300)\nprint(np.allclose(a @ np.linalg.inv(a), np.eye(300), atol=1e-5))",
    "frames and files": "import pandas as pd\nf = pd.DataFrame({'a': range(1000), 'b': 'x'})\nf.to_parquet('f.parquet'); f.to_csv('f.csv'); f.to_excel('f.xlsx')\nprint(len(pd.read_parquet('f.parquet')) == len(pd.read_csv('f.csv')) == len(pd.read_excel('f.xlsx', engine='openpyxl')))",
    "Arrow in threads": "import pyarrow as pa, pyarrow.compute as pc\nt = pa.table({'a': pa.array(range(1_000_000))})\nprint(pc.sum(t['a']).as_py() == 499999500000 and t.group_by('a', use_threads=True).aggregate([]).num_rows == 1_000_000)",
    "DuckDB in memory and on disk": "import duckdb\nc = duckdb.connect('d.duckdb'); c.execute('create or replace table t as select range as n from range(1000000)')\nc.close()\nprint(duckdb.connect('d.duckdb').execute('select sum(n) from t').fetchone()[0] == 499999500000 and duckdb.sql('select 42').fetchall() == [(42,)])",
    "SQLite": "import sqlite3\nc = sqlite3.connect('s.db'); c.execute('pragma journal_mode=wal'); c.execute('create table if not exists t (a)'); c.commit(); print(True)",
    "SciPy": "import numpy as np\nfrom scipy import fft, optimize, stats\nprint(optimize.minimize(lambda x: (x[0] - 3) ** 2, [0]).success and len(fft.fft(np.ones(64), workers=2)) == 64 and stats.norm.cdf(0) == 0.5)",
    "figures": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title('α'); plt.savefig('p.png'); plt.savefig('p.svg'); plt.savefig('p.pdf'); plt.close('all')\nimport os; print(os.path.getsize('p.png') > 0)",
    "charts through V8": "import altair, pandas as pd\naltair.Chart(pd.DataFrame({'a': [1]})).mark_bar().encode(x='a').save('chart.png')\nimport os; print(os.path.getsize('chart.png') > 0)",
    "threads and locks": "import concurrent.futures as cf, queue, threading\nq = queue.Queue()\nwith cf.ThreadPoolExecutor(8) as pool:\n    print(sum(pool.map(lambda n: n * n, range(100))) == 328350)",
    "asyncio with subprocesses": "import asyncio, sys\nasync def main():\n    p = await asyncio.create_subprocess_exec(sys.executable, '-c', 'print(6 * 7)', stdout=asyncio.subprocess.PIPE)\n    return (await p.communicate())[0]\nprint(await main() == b'42\\n')",
    "command-line programs": "import subprocess\nprint(subprocess.run('printf \"b\\\\na\\\\n\" | sort | tee t | sed s/a/c/ > u; cp u v && cat v | head -1 && tar cf w.tar v && gzip -f w.tar && ls -l | wc -l > x; mkdir -p y/z; mv v y; find y; rm -r y; date', shell=True, capture_output=True, text=True).stderr == '')",
    "processes forked": "import multiprocessing as mp\nfork = mp.get_context('fork'); near, far = fork.Pipe()\np = fork.Process(target=lambda: far.send(6 * 7)); p.start(); print(near.recv() == 42); p.join()",
    "copies and archives": "import os, shutil, tarfile, time, zipfile\nopen('c', 'w').write('x'); shutil.copy2('c', 'd'); os.chmod('d', 0o640); os.utime('d', (1, 2)); s = os.stat('d'); os.truncate('c', 0)\nwith tarfile.open('e.tar', 'w') as t: t.add('d')\nos.makedirs('out', exist_ok=True)\nwith tarfile.open('e.tar') as t: t.extractall('out', **({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}))\nwith zipfile.ZipFile('f.zip', 'w') as z: z.write('c')\nshutil.rmtree('g', ignore_errors=True); shutil.copytree('out', 'g')\nprint(s.st_mode & 0o777 == 0o640 and s.st_mtime == 2 and os.stat('out/d').st_mtime == os.stat('g/d').st_mtime == 2)",
    "temporary files and pipes": "import mmap, os, tempfile\nwith tempfile.NamedTemporaryFile() as f, tempfile.TemporaryDirectory() as d:\n    f.write(b'x' * 4096); f.flush(); m = mmap.mmap(f.fileno(), 0); print(m[0] == 120 and os.path.isdir(d)); m.close()\nos.path.exists('fifo') or os.mkfifo('fifo')",
    "timers and signals": "import select, signal, time\nsignal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause(); time.sleep(0.001); print(select.select([], [], [], 0) == ([], [], []))",
}


@pytest.fixture(scope="module")
def at_work(loop: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Level], Kernel]]:
    """One kernel at each level that is asked for."""
    opened: dict[Level, tuple[Pool, Kernel]] = {}

    async def open_level(level: Level) -> tuple[Pool, Kernel]:
        pool = await Pool(level=level, size=0).__aenter__()
        base = tmp_path_factory.mktemp(f"work-{level}")
        return pool, await pool.lease(desk=base / "desk", data=base / "data")

    def kernel(level: Level) -> Kernel:
        if level not in opened:
            opened[level] = loop.run(open_level(level))
        return opened[level][1]

    yield kernel
    for pool, _ in opened.values():
        loop.run(pool.__aexit__())


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_ordinary_work_goes_through_the_filter(
    loop: asyncio.Runner, at_work: Callable[[Level], Kernel], walled_level: Level, work: str
) -> None:
    done = loop.run(at_work(walled_level).execute(WORK[work], timeout_s=120))
    assert "".join(output.text for output in done.outputs) == "True\n", done.failure
