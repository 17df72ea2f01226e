"""What draws is imported when a cell first uses it, and works as if it had been there from the start."""

from __future__ import annotations

import asyncio
from pathlib import Path

from assistant.cells.first_cell import render_prelude
from sandbox.levels import Level
from sandbox.pool import Pool
from sandbox.results import Execution
from sandbox.zygote import Zygote

LOADED = "import sys; print(sorted({'altair', 'matplotlib'} & set(sys.modules)))"


def executed(level: Level, folder: Path, *codes: str) -> list[Execution]:
    """The results of cells in one kernel of a zygote without the libraries that draw, as `tandem ask` begins it."""

    async def scenario() -> list[Execution]:
        begun = Zygote(warm=True, drawing=False)
        begun.begin()
        async with Pool(level=level, size=0, zygote=begun) as opened:
            kernel = await opened.lease(desk=folder / "desk", data=folder / "data", prelude=render_prelude())
            results = [await kernel.execute(code, timeout_s=120) for code in codes]
        await begun.close()
        return results

    return asyncio.run(scenario())


def printed(result: Execution) -> str:
    assert result.failure is None, result.failure
    return "".join(output.text for output in result.outputs).strip()


def mimes(result: Execution) -> set[str]:
    assert result.failure is None, result.failure
    return {mime for output in result.outputs for mime in output.data}


def test_a_cell_imports_what_draws_when_it_first_draws(best_level: Level, tmp_path: Path) -> None:
    before, chart, charts, figure, both = executed(
        best_level,
        tmp_path,
        f"plt, alt\n{LOADED}",
        "alt.Chart(pd.DataFrame({'x': range(20000)})).mark_bar().encode(x='x:Q')",
        LOADED,
        "plt.plot([1, 2]);",
        f"import altair, matplotlib.pyplot as again\nassert plt.plot is again.plot and alt.Chart is altair.Chart\n{LOADED}",
    )
    assert printed(before) == "[]"
    assert any(mime.startswith("application/vnd.vegalite.") for mime in mimes(chart))
    assert printed(charts) == "['altair']"
    assert "image/png" in mimes(figure)
    assert printed(both) == "['altair', 'matplotlib']"


def test_a_plot_of_a_frame_is_shown_inline_and_names_are_no_variables(best_level: Level, tmp_path: Path) -> None:
    drawn, set_to = executed(
        best_level,
        tmp_path,
        "pd.DataFrame({'x': [1, 2]}).plot();",
        "plt.rcParams['lines.linewidth'] = 3\nplt.mark = 7\nimport matplotlib.pyplot\nprint(matplotlib.pyplot.mark)",
    )
    assert "image/png" in mimes(drawn)
    assert printed(set_to) == "7"
    assert not [variable.name for variable in set_to.variables]
