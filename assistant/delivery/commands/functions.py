"""Commands about tested functions that cells may import: list, show, test, add and remove."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.delivery.options import settings
from assistant.delivery.visible_text import make_visible

if TYPE_CHECKING:
    from assistant.api.functions import Function, SuiteRun

functions = typer.Typer(help="Tested functions that cells may import.", no_args_is_help=True)

NameGiven = Annotated[str, typer.Argument(metavar="NAME", help="The function's name.")]
_NAME_WIDTH = 24


@functions.command("list")
def list_() -> int:
    """List the functions, with what each is for."""
    return asyncio.run(_list())


@functions.command()
def show(name: NameGiven) -> int:
    """Show a function: what it takes and gives, its source and its tests."""
    return asyncio.run(_show(name))


@functions.command("test")
def run_tests(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="The functions; all of them by default.")
    ] = None,
) -> int:
    """Run the tests of functions in the cage."""
    return asyncio.run(_test(names or []))


@functions.command()
def keep(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="NAME.py, with test_NAME.py beside it.")],
) -> int:
    """Test a function in the cage, and keep it in the knowledge folder where all of its tests pass."""
    tests = file.with_name(f"test_{file.name}")
    try:
        code, test_code = file.read_text(encoding="utf-8"), tests.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{file} and {tests} are both needed: {error}", file=sys.stderr)
        return 2
    return asyncio.run(_keep(file.stem, code, test_code))


@functions.command()
def remove(name: NameGiven) -> int:
    """Remove a function that was kept."""
    return asyncio.run(_remove(name))


async def _list() -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        for function in await workspace.knowledge.functions.read():
            note = "" if function.is_tested else "  (not tested as it is)"
            print(f"{function.name:{_NAME_WIDTH}} {_escape(function.purpose)}{note}")
        for problem in await workspace.knowledge.functions.list_problems():
            print(problem, file=sys.stderr)
    return 0


async def _show(name: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        listed = {function.name: function for function in await workspace.knowledge.functions.read()}
    if name not in listed:
        print(f"There is no function {name!r}. There are {', '.join(listed)}.", file=sys.stderr)
        return 2
    _print_function(listed[name])
    return 0


def _print_function(function: Function) -> None:
    origin = "shipped with Tandem" if function.is_shipped else f"kept by {function.author} on {function.date}"
    lines = [
        f"{function.signature}\n{function.purpose}\n",
        *(f"  {parameter.name:{_NAME_WIDTH}} {parameter.meaning}" for parameter in function.parameters),
        f"  {'gives':{_NAME_WIDTH}} {function.returns}",
        f"  {'refuses':{_NAME_WIDTH}} {function.raises}",
        f"\n{origin}; sha256 {function.sha256}\n",
        function.source.code,
        f"# --- test_{function.name}.py\n",
        function.tests,
    ]
    print(_escape("\n".join(lines)))


def _escape(text: str) -> str:
    """Lines of a function's files as a terminal can show them."""
    return make_visible(text, keep="\n\t")


async def _test(names: list[str]) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        functions = workspace.knowledge.functions
        runs = [await functions.test(name) for name in names or [function.name for function in await functions.read()]]
    for run in runs:
        _print_run(run)
    return 0 if all(run.all_tests_passed for run in runs) else 1


async def _keep(name: str, code: str, tests: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        run = await workspace.knowledge.functions.keep(name, code, tests)
    _print_run(run)
    print(f"Kept {name}." if run.all_tests_passed else "Nothing was kept.")
    return 0 if run.all_tests_passed else 1


async def _remove(name: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        needing = await workspace.knowledge.functions.remove(name)
    print(f"Removed {name}.")
    if needing:
        print(f"These need it and will not run any more: {', '.join(needing)}.", file=sys.stderr)
    return 0


def _print_run(run: SuiteRun) -> None:
    passed = sum(result.outcome == "passed" for result in run.results)
    print(f"{run.function.name:{_NAME_WIDTH}} {run.error or f'{passed} of {len(run.results)} tests passed'}")
    for result in run.results:
        if result.outcome != "passed":
            print(_escape(f"  {result.outcome}: {result.name}\n{_indent(result.message)}"))


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
