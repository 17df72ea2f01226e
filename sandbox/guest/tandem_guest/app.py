"""The IPython kernel, started on sockets that the host made: no connection file, no path, no port.

`prepare` does what needs no socket and no thread, and may run before the fork; `serve` does the rest and does not
return.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import ipykernel.debugger
import zmq
from ipykernel.control import ControlThread
from ipykernel.heartbeat import Heartbeat
from ipykernel.iostream import IOPubThread
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.shellchannel import ShellChannelThread
from IPython.core.application import BaseIPythonApplication
from jupyter_client.jsonutil import json_default
from traitlets.config import Config
from zmq.eventloop.zmqstream import ZMQStream

from . import attributes, channel, display, profile
from .streams import OutputBudget

_LOG_LEVEL_ERROR = 40


class _Wiring:
    """Descriptors of the listening sockets by port number; whether Unix sockets may be made, and /tmp is private."""

    descriptors: dict[int, int]
    unix_sockets: bool
    private_tmp: bool

    def __init__(self) -> None:
        self.descriptors = {}
        self.unix_sockets = True
        self.private_tmp = True


_wiring = _Wiring()


class CagedKernel(IPythonKernel):
    """An IPython kernel that also says what each cell left behind."""

    ledger: profile.Ledger | None = None

    async def execute_request(self, stream: Any, ident: Any, parent: Any) -> None:
        """As upstream; what runs from here on asks the host in the name of this cell."""
        OutputBudget.renew()
        channel.enter_cell(str(parent.get("metadata", {}).pop("tandem_token", "")))
        await super().execute_request(stream, ident, parent)

    async def do_execute(self, code: str, silent: bool, *args: Any, **kwargs: Any) -> Any:
        """As upstream, with the variables that changed added to the reply."""
        reply = await super().do_execute(code, silent, *args, **kwargs)
        if self.ledger is not None:
            if silent:
                self.ledger.hide_present()
            else:
                reply["tandem"] = self.ledger.after(code)
        return reply


class _UnixIOPubThread(IOPubThread):
    """Output of forked children travels over a Unix socket in the private /tmp: TCP sockets cannot be made here.

    Where /tmp is the host's, upstream's way is taken, which leaves no file.
    """

    def _setup_pipe_in(self) -> None:
        if not _wiring.private_tmp:
            super()._setup_pipe_in()
            return
        self._pipe_uuid = os.urandom(16)
        self._pipe_address = f"ipc:///tmp/.iopub-{os.urandom(8).hex()}"
        assert self.socket is not None
        pull = self.socket.context.socket(zmq.PULL)
        pull.linger = 0
        pull.bind(self._pipe_address)
        self._pipe_in = ZMQStream(pull, self.io_loop)
        self._pipe_in.on_recv(self._handle_pipe_msg)

    def _setup_pipe_out(self) -> tuple[Any, Any]:
        if not _wiring.private_tmp:
            return super()._setup_pipe_out()
        context = zmq.Context()
        push = context.socket(zmq.PUSH)
        push.linger = 3000
        push.connect(self._pipe_address)
        return context, push

    def _really_send(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """As upstream. A send may swallow the wakeup of a subscription that came meanwhile: look for one.

        Otherwise every tenth client or so would wait for its welcome for ever.
        """
        super()._really_send(msg, *args, **kwargs)
        if self._is_master_process() and self.socket is not None and self.socket.get(zmq.EVENTS) & zmq.POLLIN:
            self._xpub_stream.flush(zmq.POLLIN)


class _CagedApp(IPKernelApp):
    """The application around the kernel: sockets from descriptors, no files, no debugger, no parent to poll."""

    name = "ipython-kernel"

    def _try_bind_socket(self, s: Any, port: int) -> int:
        s.setsockopt(zmq.USE_FD, _wiring.descriptors[port])
        s.bind(f"ipc:///k-{port}")
        return port

    def init_connection_file(self) -> None:
        """There is none."""

    def write_connection_file(self, **kwargs: Any) -> None:
        """There is none."""

    def init_poller(self) -> None:
        """The supervisor watches the host."""
        self.poller = None

    def log_connection_info(self) -> None:
        """Only what the kernel records of its ports."""
        names = ("shell", "iopub", "stdin", "hb", "control")
        self._ports = {name: getattr(self, f"{name}_port") for name in names}

    def init_control(self, context: Any) -> None:
        """As upstream, but the two sockets of the debugger are never connected."""
        self.control_socket = context.socket(zmq.ROUTER)
        self.control_socket.linger = 1000
        self.control_port = self._bind_socket(self.control_socket, self.control_port)
        self.debugpy_socket = context.socket(zmq.STREAM)
        self.debug_shell_socket = context.socket(zmq.DEALER)
        self.control_socket.router_handover = 1
        self.control_thread = ControlThread(daemon=True)
        self.shell_channel_thread = ShellChannelThread(context, daemon=True)

    def init_iopub(self, context: Any) -> None:
        """As upstream; every subscriber is welcomed, and output waits for the host instead of being dropped."""
        self.iopub_socket = context.socket(zmq.XPUB)
        self.iopub_socket.linger = 1000
        self.iopub_socket.setsockopt(zmq.XPUB_VERBOSE, 1)
        self.iopub_socket.setsockopt(zmq.SNDHWM, 0)
        self.iopub_port = self._bind_socket(self.iopub_socket, self.iopub_port)
        self.configure_tornado_logger()
        self.iopub_thread = _UnixIOPubThread(self.iopub_socket, pipe=_wiring.unix_sockets, session=self.session)
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket


class _Packer:
    """As upstream; a text that UTF-8 cannot hold (a lone surrogate) is escaped, where upstream loses the message."""

    def __init__(self, upstream: Callable[[Any], bytes]) -> None:
        self._upstream = upstream

    def __call__(self, value: Any) -> bytes:
        try:
            return self._upstream(value)
        except UnicodeEncodeError:
            return json.dumps(value, default=json_default).encode()


def _bind_heartbeat(self: Any) -> None:
    self.socket.setsockopt(zmq.USE_FD, _wiring.descriptors[self.port])
    self.socket.bind(f"ipc:///k-{self.port}")


def prepare() -> _CagedApp:
    """Everything that needs no socket and no thread: configuration, the shell and what it shows, first-run caches."""
    ipykernel.debugger._is_debugpy_available = False  # pyright: ignore[reportPrivateUsage]  # no public switch
    Heartbeat._try_bind_socket = _bind_heartbeat  # pyright: ignore[reportPrivateUsage]  # no public seam
    sys.argv = ["ipykernel"]
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Context"
    config.ConnectionFileMixin.transport = "ipc"
    config.IPKernelApp.transport = "ipc"
    config.IPKernelApp.ip = "/k"
    config.IPKernelApp.parent_handle = 0
    config.IPKernelApp.outstream_class = "tandem_guest.streams.CappedStream"
    config.IPKernelApp.kernel_class = "tandem_guest.app.CagedKernel"
    config.IPKernelApp.matplotlib = None
    app: Any = _CagedApp.instance(config=config)
    app.log_level = _LOG_LEVEL_ERROR
    BaseIPythonApplication.initialize(app, [])
    app.init_pdb()
    from ipykernel.compiler import XCachingCompiler
    from ipykernel.zmqshell import ZMQInteractiveShell

    shell = ZMQInteractiveShell.instance(
        parent=app,
        profile_dir=app.profile_dir,
        user_module=None,
        user_ns={},
        kernel=None,
        compiler_class=XCachingCompiler,
    )
    shell.run_cell("1", store_history=False, silent=True)
    app.shell = shell
    app.init_path()
    app.init_extensions()
    app.init_code()
    display.install(shell)
    return app


def serve(app: Any, start: dict[str, Any]) -> None:
    """Become the kernel and run until killed.

    Args:
        app: What `prepare` returned, possibly before a fork.
        start: `descriptors` (port to listening socket), `ports` (channel name to port), `rpc` (descriptor), `data`
            (folder of results as seen here), `private_tmp`, and whether the filter lets pass `unix_sockets` and
            `attributes_by_path`.
    """
    rpc = socket.socket(fileno=start["rpc"])
    secret = json.loads(rpc.recv(4096))  # came straight from the host: the zygote has never seen it
    OutputBudget.cell_max, OutputBudget.message_max = secret["output_bytes"], secret["message_bytes"]
    _wiring.descriptors = {int(port): fd for port, fd in start["descriptors"].items()}
    _wiring.unix_sockets, _wiring.private_tmp = start["unix_sockets"], start["private_tmp"]
    app.session.key = secret["key"].encode()
    app.session.pack = _Packer(app.session.pack)
    for name, port in start["ports"].items():
        setattr(app, f"{name}_port", port)
    app.init_blackhole()
    app.init_sockets()
    app.init_heartbeat()
    app.log_connection_info()
    app.init_io()
    app.init_signal()
    app.init_kernel()
    kernel = app.kernel
    kernel.shell.kernel = kernel
    app.init_shell()
    if not start["attributes_by_path"]:
        attributes.go_by_descriptor()
    channel.attach(rpc, start["data"])
    kernel.ledger = profile.Ledger(kernel.shell.user_ns)
    kernel.ledger.hide_present()
    sys.stdout.flush()
    sys.stderr.flush()
    rpc.send(b'{"ready": true}')  # the host reads our process id, as it sees it, off this message
    app.start()
