"""The system calls a session may make, by what they are for; every other one is refused.

An allow-list, so that a call nobody thought of is out of reach. It holds what Python, numpy, pandas, scipy, DuckDB,
Arrow, matplotlib, V8 (charts), threads, asyncio and the usual command-line programs make; `seccomp` turns it into a
filter.

What is left out, and why:
- namespaces, mounts, quotas, handles of files: the way out of the cage;
- ptrace, process_vm_*, kcmp, pidfd_getfd, perf: looking into other processes;
- setpriority, ioprio_set, sched_setattr, and sched_setscheduler but to the ordinary policy (ZMQ insists on that one):
  at level landlock they would slow down the user's other processes; sched_setaffinity could too, and stays, because no
  filter tells a thread of the session from them;
- System V objects and POSIX queues: they outlive their processes, and at level landlock they may be the host's;
- bpf, io_uring, userfaultfd, keyrings, vmsplice, fanotify, old asynchronous I/O: a poor record, and no use here;
- memfd_create, memfd_secret: memory that is charged to no rlimit;
- fallocate but to free blocks, and its ioctls: gigabytes of the disk at one stroke, before anybody can count;
- all that changes the machine or who one is.

Source: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux 6.6.
"""

from __future__ import annotations

# Each entry: name, number on x86_64, number on aarch64; "-" where an architecture has no such call.
_FILES = """
read 0 63           write 1 64          open 2 -            close 3 57          stat 4 -            fstat 5 80
lstat 6 -           lseek 8 62          pread64 17 67       pwrite64 18 68      readv 19 65         writev 20 66
access 21 -         pipe 22 -           dup 32 23           dup2 33 -           sendfile 40 71      fcntl 72 25
flock 73 32         fsync 74 82         fdatasync 75 83     ftruncate 77 46     getdents 78 -
getcwd 79 17        chdir 80 49         fchdir 81 50        rename 82 -         mkdir 83 -          rmdir 84 -
creat 85 -          link 86 -           unlink 87 -         symlink 88 -        readlink 89 -       fchmod 91 52
fchown 93 55        umask 95 166        mknod 133 -         statfs 137 43       fstatfs 138 44      readahead 187 213
fsetxattr 190 7     getxattr 191 8      lgetxattr 192 9     fgetxattr 193 10    listxattr 194 11    llistxattr 195 12
flistxattr 196 13   fremovexattr 199 16 getdents64 217 61   fadvise64 221 223   openat 257 56       mkdirat 258 34
mknodat 259 33      newfstatat 262 79   unlinkat 263 35     renameat 264 38     linkat 265 37       symlinkat 266 36
readlinkat 267 78   faccessat 269 48    splice 275 76       tee 276 77          sync_file_range 277 84
dup3 292 24         pipe2 293 59        preadv 295 69       pwritev 296 70      renameat2 316 276
copy_file_range 326 285                 preadv2 327 286     pwritev2 328 287    statx 332 291
openat2 437 437     faccessat2 439 439
"""
# Landlock does not look at these: they name a file by its path, and change or watch it without opening it (truncate it
# sees since Linux 6.2). Where it is the only wall around files, the user's own files outside would be in reach.
_FILES_UNSEEN_BY_LANDLOCK = """
chmod 90 -          chown 92 -          lchown 94 -         utime 132 -         setxattr 188 5      lsetxattr 189 6
removexattr 197 14  lremovexattr 198 15 utimes 235 -        inotify_add_watch 254 27                fchownat 260 54
futimesat 261 -     fchmodat 268 53     fchmodat2 452 452   truncate 76 45
"""
_WAITING = """
poll 7 -            select 23 -         pselect6 270 72     ppoll 271 73        epoll_create 213 -  epoll_wait 232 -
epoll_ctl 233 21    epoll_pwait 281 22  epoll_create1 291 20                    epoll_pwait2 441 441
eventfd 284 -       eventfd2 290 19     signalfd 282 -      signalfd4 289 74    inotify_init 253 -  inotify_init1 294 26
inotify_rm_watch 255 28                 timerfd_create 283 85                   timerfd_settime 286 86
timerfd_gettime 287 87
"""
_MEMORY = """
mmap 9 222          mprotect 10 226     munmap 11 215       brk 12 214          mremap 25 216       msync 26 227
mincore 27 232      madvise 28 233      mlock 149 228       munlock 150 229     mlockall 151 230    munlockall 152 231
mlock2 325 284      pkey_mprotect 329 288                   pkey_alloc 330 289  pkey_free 331 290   membarrier 324 283
"""
_PROCESSES = """
getpid 39 172       fork 57 -           vfork 58 -          execve 59 221       exit 60 93          wait4 61 260
kill 62 129         uname 63 160        getuid 102 174      getgid 104 176      geteuid 107 175     getegid 108 177
setpgid 109 154     getppid 110 173     getpgrp 111 -       setsid 112 157      getgroups 115 158   getresuid 118 148
getresgid 120 150   getpgid 121 155     getsid 124 156      capget 125 90       getpriority 140 141 sched_yield 24 124
sched_getparam 143 121                  sched_getscheduler 145 120              sched_get_priority_max 146 125
sched_get_priority_min 147 126          sched_rr_get_interval 148 127           sched_setaffinity 203 122
sched_getaffinity 204 123               sched_getattr 315 275                   arch_prctl 158 -    gettid 186 178
tkill 200 130       futex 202 98        set_tid_address 218 96                  restart_syscall 219 128
exit_group 231 94   tgkill 234 131      waitid 247 95       set_robust_list 273 99                  getcpu 309 168
execveat 322 281    rseq 334 293        pidfd_send_signal 424 424               pidfd_open 434 434
getrlimit 97 163    setrlimit 160 164   getrusage 98 165    sysinfo 99 179      times 100 153
"""
_SIGNALS_AND_TIME = """
rt_sigaction 13 134                     rt_sigprocmask 14 135                   rt_sigreturn 15 139
rt_sigpending 127 136                   rt_sigtimedwait 128 137                 rt_sigsuspend 130 133
sigaltstack 131 132 pause 34 -          nanosleep 35 101    getitimer 36 102    alarm 37 -          setitimer 38 103
gettimeofday 96 169 time 201 -          timer_create 222 107                    timer_settime 223 110
timer_gettime 224 108                   timer_getoverrun 225 109                timer_delete 226 111
clock_gettime 228 113                   clock_getres 229 114                    clock_nanosleep 230 115
getrandom 318 278
"""
# Of sockets that exist; which may be made, the filter decides by their family.
_SOCKETS = """
connect 42 203      accept 43 202       sendto 44 206       recvfrom 45 207     sendmsg 46 211      recvmsg 47 212
shutdown 48 210     bind 49 200         listen 50 201       getsockname 51 204  getpeername 52 205  setsockopt 54 208
getsockopt 55 209   accept4 288 242     recvmmsg 299 243    sendmmsg 307 269
"""
# More walls, never fewer: the last ones are put up from inside, and some programs shut themselves in.
_OWN_WALLS = """
seccomp 317 277     landlock_create_ruleset 444 444         landlock_add_rule 445 445
landlock_restrict_self 446 446
"""
_ALWAYS = (_FILES, _WAITING, _MEMORY, _PROCESSES, _SIGNALS_AND_TIME, _SOCKETS, _OWN_WALLS)

# Allowed for some arguments alone: `seccomp` says for which.
EXAMINED = {
    "ioctl": (16, 29),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "close_range": (436, 436),
    "sched_setscheduler": (144, 119),
    "prctl": (157, 167),
    "utimensat": (280, 88),
    "prlimit64": (302, 261),
    "fallocate": (285, 47),
}
# From here on every architecture has the same numbers, and programs try a call without knowing whether it exists.
FIRST_PROBED = 424


def list_allowed(arch: str, *, by_path: bool) -> frozenset[int]:
    """The numbers of the calls that are allowed whatever their arguments.

    Args:
        arch: "x86_64" or "aarch64".
        by_path: Also those that change or watch a file by its path without opening it.
    """
    column = 1 if arch == "x86_64" else 2
    words = " ".join((*_ALWAYS, *((_FILES_UNSEEN_BY_LANDLOCK,) if by_path else ()))).split()
    numbers = (words[start + column] for start in range(0, len(words), 3))
    return frozenset(int(number) for number in numbers if number != "-")
