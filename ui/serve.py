"""The server program: `python -m ui.serve --port 8501`. `tandem serve` starts it as a separate process.

It binds to 127.0.0.1 only. Its first line on stdout is the page's address with the token (`ui.authentication`).
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import os
import socket
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.api.errors import AssistantError, ConfigError
from ui.access_token import read_token
from ui.authentication import Key

if TYPE_CHECKING:
    from assistant.api.opening import OpenWorkspace
    from ui.people import People

PORT = 8501
PORTS_MAX = 20
PORT_MAX = 65535
KERNELS_READY = 1
CONFIG = Path(__file__).parent / "config.toml"


def build_options(port: int) -> dict[str, object]:
    """Streamlit's settings, flat: `{"server.port": 8501, ...}`."""
    return {**dict(_flatten(tomllib.loads(CONFIG.read_text(encoding="utf-8")))), "server.port": port}


def find_port(preferred: int | None) -> int:
    """The wanted port; without a wish the first free one from 8501 on.

    Raises:
        OSError: it is taken (or all that were tried).
    """
    last: OSError | None = None
    for port in (preferred,) if preferred is not None else range(PORT, PORT + PORTS_MAX):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                last = error
                continue
            return int(probe.getsockname()[1])
    raise last or OSError("no port was tried")


def serve(open_workspace: OpenWorkspace, key: Key, people: People | None = None) -> None:
    """Serve a workspace until the process is told to end, to those who show the key, or who sign in (`people`)."""
    from assistant.api.log_lines import set_up
    from ui.asgi import build

    set_up(level=logging.WARNING)
    logging.getLogger("autogen_core").setLevel(logging.CRITICAL)  # it logs a traceback for every stop
    # It warns of every click that meets a page just drawn anew, and says itself that nothing need be done.
    logging.getLogger("streamlit.runtime.scriptrunner.script_runner").addFilter(_is_news)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        build(open_workspace, key, people).run(config=build_options(key.port))  # it would print a banner of its own


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="tandem serve", description="Serve Tandem's page on this machine.")
    parser.add_argument("--port", type=_port, help=f"the port (the first free one from {PORT} on, if not given)")
    parser.add_argument("--host", action="append", default=[], help="a further name the page is reached by; repeatable")
    parser.add_argument("--no-token", action="store_true", help="ask for no token: a login of yours stands before it")
    arguments = parser.parse_args(argv)
    umask = os.umask(0o077)  # whatever is made in the home, by any library, is the owner's alone
    try:
        return _run(arguments)
    finally:
        os.umask(umask)


def _run(arguments: argparse.Namespace) -> int:
    try:
        port = find_port(arguments.port)
    except OSError as error:
        description = (
            f"port {arguments.port}" if arguments.port else f"every port from {PORT} to {PORT + PORTS_MAX - 1}"
        )
        why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be had ({error.strerror})"
        print(f"tandem serve: {description} {why}; choose another with --port", file=sys.stderr)
        return 1
    from streamlit import config, file_util

    from assistant.api.opening import home, open_workspace
    from ui.people import find_sign_in

    try:
        _require_no_secrets(Path.cwd())
    except AssistantError as error:
        print(f"tandem serve: {error}", file=sys.stderr)
        return 1
    # What Streamlit reads from the working folder may have come with data: who signs in, and with which keys.
    file_util.get_project_streamlit_file_path = file_util.get_streamlit_file_path
    # Reading the secrets reads Streamlit's settings; were they read without ours, it would warn that they changed.
    config.get_config_options(force_reparse=True, options_from_flags=build_options(port))
    try:
        people = find_sign_in()
        key = Key(
            token=None if arguments.no_token or people else read_token(home()), port=port, hosts=tuple(arguments.host)
        )
    except (AssistantError, ValueError) as error:
        print(f"tandem serve: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tandem serve: no token can be kept ({error}); name another folder as TANDEM_HOME", file=sys.stderr)
        return 1
    print(f"Tandem: {key.address}", flush=True)
    if key.token is not None:
        print("Open that whole address in a browser. It is the key to the page: do not share it.", flush=True)
    if people is not None:
        print("People sign in, as the section [auth] of Streamlit's secrets says; no token is asked for.", flush=True)
    serve(lambda: open_workspace(kernels_ready=KERNELS_READY), key, people)
    return 0


def _require_no_secrets(folder: Path) -> None:
    """Require that no sign-in comes with the working folder; other settings of Streamlit there are left out, and said.

    Raises:
        ConfigError: It holds secrets of Streamlit.
    """
    streamlit, own = folder / ".streamlit", Path.home() / ".streamlit"
    if streamlit.resolve() == own.resolve():
        return
    if os.path.lexists(streamlit / "secrets.toml"):
        raise ConfigError(
            f"{streamlit / 'secrets.toml'} may have come with data, and could say who signs in here. Move it to "
            f"{own / 'secrets.toml'}, or start Tandem in another folder."
        )
    if os.path.lexists(streamlit / "config.toml"):
        print(
            f"tandem serve: {streamlit / 'config.toml'} is not read, as it may have come with data. Streamlit's "
            f"settings are read from {own / 'config.toml'}.",
            file=sys.stderr,
        )


def _is_news(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Couldn't find fragment")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > PORT_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 0 (any that is free) to {PORT_MAX}")
    return int(text)


def _flatten(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


if __name__ == "__main__":
    sys.exit(main())
