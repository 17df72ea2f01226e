"""The request channel: answers, refusals, garbage, interrupts, and who is served when."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.levels import Level
from sandbox.results import Execution
from sandbox.rpc import REQUEST_BYTES_MAX, KernelRequest, MalformedRequest, RequestRefused, parse_request

ASK = "import tandem_guest as tg\n"


def text(execution: Execution) -> str:
    return "".join(output.text for output in execution.outputs)


async def echo(op: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    match op:
        case "echo":
            return {"got": dict(payload)}
        case "slow":
            await asyncio.sleep(60)
            return {}
        case "long":
            return {"text": "x" * 200_000}
        case "broken":
            raise ZeroDivisionError
        case "no json":
            return {"x": object()}  # type: ignore[dict-item]
        case _:
            raise RequestRefused(f"nobody knows {op!r}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.binary())
def test_any_bytes_are_a_request_or_malformed_and_nothing_else(raw: bytes) -> None:
    with contextlib.suppress(MalformedRequest):
        assert isinstance(parse_request(raw), KernelRequest)


@given(json_values)
def test_any_json_is_a_request_or_malformed_and_nothing_else(value: Any) -> None:
    with contextlib.suppress(MalformedRequest):
        assert isinstance(parse_request(json.dumps(value).encode()), KernelRequest)


@pytest.mark.slow
@given(st.integers(0, 2**53 - 1), st.text(), st.text(min_size=1, max_size=64), st.dictionaries(st.text(), json_values))
def test_a_well_formed_request_comes_through_unchanged(id: int, cell: str, op: str, payload: dict[str, Any]) -> None:
    raw = json.dumps({"id": id, "cell": cell, "op": op, "payload": payload}).encode()
    if len(raw) <= REQUEST_BYTES_MAX:
        assert parse_request(raw) == KernelRequest(id=id, cell=cell, op=op, payload=payload)


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 100_000,
        b'{"id": 1e400, "op": "x", "payload": {}, "cell": ""}',
        b'{"id": NaN}',
        b"9" * 10_000,
        b'{"id": true, "op": "x", "payload": {}, "cell": ""}',
        b" " * (REQUEST_BYTES_MAX + 1),
    ],
)
def test_what_breaks_naive_parsers_is_malformed(raw: bytes) -> None:
    with pytest.raises(MalformedRequest):
        parse_request(raw)


def test_a_cell_asks_and_is_answered_or_refused_word_for_word(
    loop: asyncio.Runner, lease: Any, any_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, requests=echo)
        assert text(await kernel.execute(f"{ASK}tg.call('echo', a=[1, None, 'ü'])")) == "{'got': {'a': [1, None, 'ü']}}"
        refused = await kernel.execute("tg.call('nonsense')")
        assert refused.failure is not None
        assert (refused.failure.name, refused.failure.message) == ("RequestRefused", "nobody knows 'nonsense'")
        for op, words in (("long", "longer than"), ("broken", "host failed"), ("no json", "no JSON")):
            failed = await kernel.execute(f"tg.call({op!r})")
            assert failed.failure is not None
            assert words in failed.failure.message
        too_long = await kernel.execute("tg.call('echo', a='x' * 200_000)")
        assert too_long.failure is not None
        assert too_long.failure.name == "ValueError"
        assert text(await kernel.execute("tg.call('echo', a=1)")) == "{'got': {'a': 1}}"

    loop.run(scenario())


@pytest.mark.slow
def test_an_interrupt_while_waiting_does_not_confuse_later_answers(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        late = asyncio.Event()  # the handler was asked, and stopped

        async def answer(op: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
            if op == "slow":
                try:
                    await asyncio.sleep(600)
                finally:
                    late.set()
            return {"n": payload.get("n", 0)}

        kernel = await lease(best_level, patient=True, requests=answer)
        stopped = await kernel.execute(f"{ASK}tg.call('slow')", timeout_s=4)
        assert (stopped.status, stopped.state_lost) == ("timeout", False)
        assert late.is_set()  # the handler was cancelled with its cell
        for n in range(10):
            assert text(await kernel.execute(f"tg.call('x', n={n})")) == f"{{'n': {n}}}"

    loop.run(scenario())


def test_threads_of_the_running_cell_are_served_each_with_its_own_answer(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, requests=echo)
        code = (
            f"{ASK}from concurrent.futures import ThreadPoolExecutor\n"
            "with ThreadPoolExecutor(8) as pool:\n"
            "    answers = list(pool.map(lambda n: tg.call('echo', n=n)['got']['n'], range(100)))\n"
            "answers == list(range(100))"
        )
        assert text(await kernel.execute(code)) == "True"

    loop.run(scenario())


def test_a_thread_of_an_earlier_cell_is_refused_while_another_cell_runs(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, requests=echo)
        code = (
            f"{ASK}import threading\nsaid, go = [], threading.Event()\n"
            "def late():\n    go.wait()\n    try:\n        said.append(tg.call('echo'))\n"
            "    except tg.RequestRefused as error:\n        said.append(str(error))\n"
            "thread = threading.Thread(target=late); thread.start()"
        )
        assert (await kernel.execute(code)).ok
        later = await kernel.execute("go.set(); thread.join(); print(said)")
        assert "a thread that an earlier cell started" in text(later)

    loop.run(scenario())


# Ways in which an earlier cell asks while another runs. Each calls `ask()` once `go` is set, or at the times given.
LATER = {
    "thread": "threading.Thread(target=ask).start()",
    "thread of another class": ("class Own(threading.Thread):\n    def run(self): ask()\nOwn().start()"),
    "thread below threading": "_thread.start_new_thread(ask, ())",
    "timer": "threading.Timer(0.01, ask).start()",
    "job of a pool": "pool = ThreadPoolExecutor(1); pool.submit(ask)",
    "thread that copies the mark of the main thread": (
        "def copying():\n    go.wait()\n    mark = threading.main_thread().__dict__.get('_tandem_cell')\n"
        "    threading.current_thread().__dict__['_tandem_cell'] = getattr(channel._link, 'cell', mark)\n    ask()\n"
        "threading.Thread(target=copying).start()"
    ),
    "thread that reads the request of the running cell": (
        "def reading():\n    go.wait()\n    header = get_ipython().kernel.get_parent()['header']\n"
        "    getattr(channel, 'enter_cell')(header['msg_id'])\n    ask()\n"
        "threading.Thread(target=reading).start()"
    ),
    "task": "import asyncio\ntask = asyncio.get_running_loop().create_task(asyncio.to_thread(ask))",
    "task on the main thread": (
        "import asyncio\nasync def later():\n    while not go.is_set(): await asyncio.sleep(0.01)\n    ask()\n"
        "task = asyncio.get_running_loop().create_task(later())"
    ),
    "callback of the loop": (
        "import asyncio\nloop = asyncio.get_running_loop()\n"
        "def poll(): ask() if go.is_set() else loop.call_later(0.01, poll)\npoll()"
    ),
    "handler of a signal": (
        "import signal\nsignal.signal(signal.SIGUSR1, lambda *_: ask())\n"
        "def kill():\n    go.wait()\n    signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)\n"
        "threading.Thread(target=kill).start()"
    ),
}


@pytest.mark.parametrize("way", LATER.values(), ids=LATER)
def test_nothing_that_an_earlier_cell_started_is_answered_while_another_cell_runs(
    loop: asyncio.Runner, lease: Any, best_level: Level, way: str
) -> None:
    async def scenario() -> None:
        answered: list[str] = []

        async def answer(op: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
            answered.append(op)
            return {}

        kernel = await lease(best_level, requests=answer)
        before = (
            f"{ASK}import _thread, threading, tandem_guest.channel as channel\n"
            "from concurrent.futures import ThreadPoolExecutor\nsaid, go = [], threading.Event()\n"
            "def ask():\n    go.wait()\n    try:\n        said.append(tg.call('stolen'))\n"
            f"    except tg.RequestRefused as error:\n        said.append(str(error))\n{way}"
        )
        first = await kernel.execute(before)
        assert first.ok, first.failure
        waits = "import asyncio\ntg.call('own')\ngo.set()\nwhile not said: await asyncio.sleep(0.01)\nprint(said)"
        later = await kernel.execute(waits, timeout_s=60)
        assert "the host answers the running cell alone" in text(later), later.failure
        assert answered == ["own"]

    loop.run(scenario())


OWN = {
    "thread": "t = threading.Thread(target=ask); t.start(); t.join()",
    "job of an older pool": "pool.submit(ask).result()",
    "task": "await asyncio.get_running_loop().create_task(asyncio.to_thread(ask))",
    "handler of a signal": (
        "signal.signal(signal.SIGUSR1, lambda *_: ask())\nsignal.raise_signal(signal.SIGUSR1)\n"
        "assert signal.getsignal(signal.SIGUSR1).__name__ == '<lambda>'"
    ),
}


@pytest.mark.parametrize("way", OWN.values(), ids=OWN)
def test_all_that_the_running_cell_starts_is_answered(
    loop: asyncio.Runner, lease: Any, best_level: Level, way: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, requests=echo)
        older = (
            f"{ASK}import asyncio, signal, threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
            "said, pool = [], ThreadPoolExecutor(1)\npool.submit(int).result()\n"
            "def ask(): said.append(tg.call('echo', n=1))"
        )
        await kernel.execute(older)
        asked = await kernel.execute(f"{way}\nprint(said)")
        assert text(asked) == "[{'got': {'n': 1}}]\n", asked.failure

    loop.run(scenario())


def test_what_a_request_nests_or_spells_wrongly_does_not_reach_the_handler(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, requests=echo)
        spelt = await kernel.execute(f"{ASK}ascii(tg.call('echo', a='x\\ud800y'))")
        assert "ufffd" in text(spelt), spelt.failure
        assert "ud800" not in text(spelt)
        nested = "import json, tandem_guest.channel as c\nc._link.sock.send(b'{\"id\": 7, \"x\": ' + b'[' * 700 + b']' * 700 + b'}')"
        await kernel.execute(nested)
        assert text(await kernel.execute("tg.call('echo')")) == "{'got': {}}"

    loop.run(scenario())


def test_a_handler_knows_which_cell_is_running(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        seen: list[str | None] = []

        async def answer(op: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
            seen.append(kernel.running)
            return {}

        kernel = await lease(best_level, requests=answer)
        await kernel.execute(f"{ASK}tg.call('a')")
        await kernel.execute("tg.call('b')")
        assert None not in seen
        assert len(set(seen)) == 2
        assert kernel.running is None

    loop.run(scenario())


def test_a_kernel_with_nobody_to_ask_refuses(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        result = await kernel.execute(f"{ASK}tg.call('echo')")
        assert result.failure is not None
        assert result.failure.message == "this kernel has nobody to ask"

    loop.run(scenario())


def test_results_reach_the_cell_through_the_data_folder(
    loop: asyncio.Runner, lease: Any, any_level: Level, tmp_path: Any
) -> None:
    async def scenario() -> None:
        data = tmp_path / "results"

        async def answer(op: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
            (data / "part").write_text("42")
            (data / "part").chmod(0o600)
            (data / "part").rename(data / "answer.txt")
            return {"name": "answer.txt"}

        kernel = await lease(any_level, data=data, requests=answer)
        code = f"{ASK}print(open(tg.data_path(tg.call('ask')['name'])).read())"
        assert text(await kernel.execute(code)) == "42\n"
        outside = await kernel.execute("tg.data_path('../x')")
        assert outside.failure is not None
        assert outside.failure.name == "ValueError"

    loop.run(scenario())
