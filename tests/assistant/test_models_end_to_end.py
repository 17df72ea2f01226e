"""A model behind an OpenAI-compatible address plays the roles: the whole session, over real bytes on the loopback."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, fail, say, serving, typed

from assistant.api.report import Report, build_report
from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Event, Execution, Looked, Plan, Usage
from assistant.settings.config import Settings
from assistant.settings.models import BudgetLimits, Budgets, ModelSettings, RoleLimits

PLAN = {
    "kind": "plan",
    "text": "Revenue by region",
    "steps": [
        {"title": "Add up by region", "language": "sql", "instruction": "Sum amount by region", "hard": False},
        {"title": "Total", "language": "python", "instruction": "Add the regions up", "hard": False},
    ],
    "options": [],
    "tables": ["sales"],
    "assumptions": ["Amounts are in euro."],
    "citations": [],
    "hint": "",
}
SQL = {
    "kind": "code",
    "title": "Revenue by region",
    "why": "One query.",
    "operations": ["Add up amount by region"],
    "code": "SELECT region, SUM(amount) AS revenue FROM sales GROUP BY region ORDER BY region",
    "result": "revenue",
    "source": "",
    "text": "",
    "options": [],
}
WRONG_SQL = {**SQL, "code": "SELECT regionn, SUM(amount) FROM sales GROUP BY regionn"}
PYTHON = {**SQL, "title": "Total", "code": "total = int(revenue['revenue'].sum())\ntotal", "result": "total"}
REVIEW = {"verdict": "ok", "findings": []}
ANSWER = {
    "answered": True,
    "text": "North leads with **15**.",
    "notes": ["July is not over."],
    "follow_ups": ["By month?"],
}


def reply_to(asked: Asked) -> Served:
    """What a sensible model says to each role's request, told by the fields that the reply must have."""
    body = asked.text.replace('\\"', '"')  # a schema told in plain text stands there escaped
    if '"verdict"' in body:
        return typed(asked, REVIEW)
    if '"answered"' in body:
        return typed(asked, ANSWER)
    if '"assumptions"' in body:
        return typed(asked, PLAN)
    if "Step 2" in body or "step 2" in body:
        return typed(asked, PYTHON)
    return typed(asked, SQL)


def shop(folder: Path) -> Path:
    path = folder / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE sales (region TEXT, amount INTEGER);"
        "INSERT INTO sales VALUES ('North', 10), ('North', 5), ('South', 7);"
    )
    connection.commit()
    connection.close()
    return path


def conversation(
    tmp_path: Path, url: str, *, roles: tuple[str, ...] = ("",), source: Path | None = None, **more: Any
) -> Report:
    return conversation_and_log(tmp_path, url, roles=roles, source=source, **more)[0]


def conversation_and_log(
    tmp_path: Path, url: str, *, roles: tuple[str, ...] = ("",), source: Path | None = None, **more: Any
) -> tuple[Report, tuple[Event, ...]]:
    models: dict[str, Any] = {f"{role}_model" if role else "model": "some-model" for role in roles} | more

    async def scenario() -> tuple[Report, tuple[Event, ...]]:
        settings = Settings(
            home=tmp_path / "home",
            sources=(f"shop={source or shop(tmp_path)}",),
            base_url=url,
            api_key_env="TEST_KEY",
            embeddings="hashing",
            **models,
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("What is the total of amount by region?", approve=("plan", "query", "python"))
            await session.settled()
            entries = session.events()
            return build_report(session.id, entries, table=session.table), tuple(entry.event for entry in entries)

    return asyncio.run(scenario())


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("forms", [("schema", "functions"), ("functions",), ()], ids=["schema", "functions", "text"])
def test_a_model_plays_every_role(tmp_path: Path, forms: tuple[str, ...]) -> None:
    with serving(reply_to, forms=forms) as server:
        said = conversation(tmp_path, server.url)
    assert said.status == "answered", said
    assert said.answer.startswith("North leads")
    assert said.notes == ("Amounts are in euro.", "July is not over.")
    assert [step.status for step in said.steps] == ["ok", "ok"]
    assert said.usage.calls == len([a for a in server.asked if a.body]) or said.usage.calls >= 5
    assert said.usage.input_tokens > 0
    assert all("sk-planted-secret" not in asked.text for asked in server.asked)
    assert "sk-planted-secret" not in said.model_dump_json()


@pytest.mark.parametrize(("figure", "status"), [("15", "answered"), ("5,841", "partial")])
def test_a_chart_of_an_earlier_answers_table_is_worded_by_its_rows(tmp_path: Path, figure: str, status: str) -> None:
    chart = {
        **SQL,
        "code": "chart = alt.Chart(revenue).mark_bar().encode(x='region:N', y='revenue:Q')\nchart",
        "result": "chart",
    }
    steps = [{"title": "Draw it", "language": "python", "instruction": "Draw revenue", "hard": False}]
    asked_for: list[str] = []

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        second = "Show that as a bar chart" in asked.text
        if served == typed(asked, PLAN):
            return typed(asked, {**PLAN, "steps": steps if second else PLAN["steps"][:1]})
        if second and served == typed(asked, ANSWER):
            asked_for.append(asked.text)
            return typed(asked, {**ANSWER, "text": f"North leads with {figure}."})
        return typed(asked, chart) if second and served == typed(asked, SQL) else served

    async def scenario(url: str) -> Report:
        settings = Settings(
            home=tmp_path / "home",
            sources=(f"shop={shop(tmp_path)}",),
            base_url=url,
            api_key_env="TEST_KEY",
            embeddings="hashing",
            model="some-model",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for question in ("What is the total of amount by region?", "Show that as a bar chart."):
                await session.ask(question, approve=("plan", "query", "python"))
                await session.settled()
            return build_report(session.id, session.events(), table=session.table)

    with serving(script) as server:
        said = asyncio.run(scenario(server.url))
    assert (said.turn, said.status) == (2, status), said
    assert "North | 15" in asked_for[0]
    assert len(asked_for) == (1 if status == "answered" else 2)


def test_a_cell_finds_its_libraries_imported_and_can_import_those_of_statistics(tmp_path: Path) -> None:
    code = (
        "from sklearn.linear_model import LinearRegression\nimport statsmodels.api as sm\n"
        "total = pd.DataFrame({'total': [int(np.sum(revenue['revenue']))]})\ntotal"
    )

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        return typed(asked, {**PYTHON, "code": code}) if served == typed(asked, PYTHON) else served

    with serving(script) as server:
        said = conversation(tmp_path, server.url)
    assert [step.status for step in said.steps] == ["ok", "ok"], said
    assert said.rows == ((22,),)
    assert any("import pandas as pd" in asked.text for asked in server.asked)


LOOKS = (
    ("preview", {"of": "sales"}),
    ("profile", {"of": "sales"}),
    ("find_values", {"text": "north"}),
    (
        "check_join",
        {"left_table": "sales", "left_columns": ["region"], "right_table": "sales", "right_columns": ["region"]},
    ),
)


@pytest.mark.parametrize("forms", [("schema", "functions"), ("functions",), ()], ids=["schema", "functions", "text"])
def test_a_model_looks_first_its_checks_are_made_and_a_failed_one_changes_the_plan(
    tmp_path: Path, forms: tuple[str, ...]
) -> None:
    looks = iter(LOOKS)
    checks = [{"kind": "one_row"}, {"kind": "unique", "columns": ["region"]}]
    judged: list[str] = []

    def script(asked: Asked) -> Served:
        served, body = reply_to(asked), asked.text.replace('\\"', '"')
        if '"go_on"' in body:
            judged.append(body)
            step = {"title": "All", "language": "python", "instruction": "Add up.", "hard": False}
            revised = {"verdict": "revise", "reason": "Two rows, not one.", "steps": [step]}
            return typed(asked, {"reasoning": "", **revised})
        if served == typed(asked, PLAN) and (look := next(looks, None)) is not None:
            name, arguments = look
            wish = say("```json\n" + json.dumps({"lookup": {"name": name, "arguments": arguments}}) + "\n```")
            return wish if asked.form == "text" else Served(calls=((name, arguments),))
        if served == typed(asked, SQL):
            return typed(asked, {**SQL, "checks": checks})
        return served

    with serving(script, forms=forms) as server:
        said, log = conversation_and_log(tmp_path, server.url)
        sent = server.asked[-1].text
    assert said.status == "answered", said
    assert [(e.look, e.role) for e in log if isinstance(e, Looked)] == [(name, "planner") for name, _ in LOOKS]
    assert len(judged) == 1
    first = next(e for e in log if isinstance(e, Execution))
    assert [(check.name, check.ok) for check in first.checks] == [
        ("The result is one row", False),
        ("One row for each region", True),
    ]
    plans = [e for e in log if isinstance(e, Plan)]
    assert [plan.changed for plan in plans] == ["", "Two rows, not one."]
    assert [step.status for step in said.steps] == ["ok", "ok"]
    answer = next(e for e in log if isinstance(e, Answer))
    assert "A check of step 1 does not hold: The result is one row. It has 2 rows." in answer.notes
    assert "FAILS" in sent


@pytest.mark.parametrize("role", ["planner", "coder", "reviewer"])
def test_each_role_can_be_played_alone(tmp_path: Path, role: str) -> None:
    with serving(reply_to) as server:
        said = conversation(tmp_path, server.url, roles=(role,))
    assert bool(server.asked) == (role != "reviewer"), "a plain query without findings costs no call of a reviewer"
    assert said.status == "answered", said


def test_each_role_has_an_address_and_a_key_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODER_KEY", "sk-of-the-coder")
    with serving(reply_to) as one, serving(reply_to) as other, serving(lambda _: fail(503, "down")) as down:
        house = ModelSettings(base_url=one.url, model="house", api_key_env="TEST_KEY")
        coder = ModelSettings(base_url=down.url, model="big", api_key_env="CODER_KEY", retries_max=0)
        spare = ModelSettings(base_url=other.url, model="spare", api_key_env="", price_in=1, price_out=1)
        models = {"house": house, "coder": coder, "spare": spare}
        said = conversation(tmp_path, "", model="house", coder_model="coder", fallbacks=("spare",), models=models)
        asked = [(request.body["model"], request.headers["authorization"]) for request in one.asked]
        assert set(asked) == {("house", "Bearer sk-planted-secret")}
        assert {request.headers["authorization"] for request in down.asked} == {"Bearer sk-of-the-coder"}
        assert {(r.body["model"], r.headers["authorization"]) for r in other.asked} == {("spare", "Bearer none")}
    assert said.status == "answered", said
    assert (tmp_path / "home" / "endpoints.json").exists() is False  # nothing was turned down


def test_a_role_goes_down_its_own_chain_call_by_call_and_the_log_says_so(tmp_path: Path) -> None:
    def spent(asked: Asked) -> Served:
        return fail(429, "quota")

    with serving(reply_to) as one, serving(reply_to) as other, serving(spent) as down:
        models = {
            "house": ModelSettings(base_url=one.url, model="house", api_key_env=""),
            "coder": ModelSettings(base_url=down.url, model="coder", api_key_env="", retries_max=0),
            "gone": ModelSettings(base_url="http://127.0.0.1:9/v1", model="gone", api_key_env="", retries_max=0),
            "spare": ModelSettings(base_url=other.url, model="spare", api_key_env=""),
        }
        said, log = conversation_and_log(
            tmp_path,
            "",
            model="house",
            coder_model="coder",
            fallbacks=("house",),
            coder_fallbacks=("gone", "spare"),
            models=models,
        )
        assert {asked.body["model"] for asked in other.asked} == {"spare"}
        assert len(down.asked) == 1, "what failed in a turn is not asked again in it"
    assert said.status == "answered", said
    notes = [(event.role, event.note) for event in log if isinstance(event, Usage) and event.note]
    assert [role for role, _ in notes] == ["coder"]
    assert notes[0][1].endswith("Went on with 'spare'.")


def test_a_budget_that_is_reached_ends_the_turn_with_what_is_known(tmp_path: Path) -> None:
    with serving(reply_to) as server:
        said = conversation(tmp_path, server.url, budgets=Budgets(turn=RoleLimits(coder=BudgetLimits(calls=1))))
    assert said.status == "partial", said
    assert said.rows == (("North", 15), ("South", 7))
    assert "budgets.turn.coder.calls" in said.model_dump_json()


def test_a_budget_that_is_reached_before_anything_is_known_is_a_clear_failure(tmp_path: Path) -> None:
    with serving(reply_to) as server:
        said = conversation(tmp_path, server.url, budgets=Budgets(session=RoleLimits(tokens=1)))
        assert len(server.asked) == 1
    assert said.status == "failed"
    assert "budgets.session.tokens" in said.answer


def test_a_query_the_database_cannot_plan_goes_back_to_the_model_before_anybody_sees_it(tmp_path: Path) -> None:
    proposed: list[str] = []

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        if served == typed(asked, SQL):
            proposed.append("sql")
            return typed(asked, WRONG_SQL) if len(proposed) == 1 else served
        return served

    with serving(script) as server:
        said = conversation(tmp_path, server.url)
    assert said.status == "answered", said
    assert [step.decision for step in said.steps] == ["auto", "auto"]
    assert len(proposed) == 2


FIRST = ("Ada", "Bela", "Chiara", "Dorte", "Emil", "Farid", "Greta", "Henrik")
LAST = ("Lovelock", "Okafor", "Petrov", "Quist", "Ramires")
PEOPLE = tuple(f"{first} {last}" for first in FIRST for last in LAST)


def people(folder: Path) -> Path:
    path = folder / "people.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customers (name TEXT, amount INTEGER)")
        connection.executemany("INSERT INTO customers VALUES (?, ?)", [(name, n) for n, name in enumerate(PEOPLE)])
    connection.close()
    return path


@pytest.mark.parametrize(
    "code",
    [
        "revenue.set_index('buyer').T",
        "revenue.set_index('buyer')",
        "print(list(revenue['buyer']))",
        "raise ValueError(revenue['buyer'].tolist())",
        "revenue.rename(columns={'buyer': 'x'})",
        "revenue.assign(y=revenue['buyer'].str.upper())[['y']]",
        "alt.Chart(revenue).mark_bar().encode(x=alt.X('buyer', scale=alt.Scale(domain=list(revenue['buyer']))), y='a')",
        "wide = revenue.pivot_table(columns='buyer', values='a')\nwide['nobody']",
    ],
)
def test_no_personal_value_reaches_a_model_whichever_way_it_takes(tmp_path: Path, code: str) -> None:
    query = "SELECT name AS buyer, amount AS a FROM customers"

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        if served == typed(asked, PYTHON):
            return typed(asked, {**PYTHON, "code": code, "result": ""})
        if served == typed(asked, SQL):
            return typed(asked, {**SQL, "code": query})
        return typed(asked, {**PLAN, "tables": ["customers"]}) if served == typed(asked, PLAN) else served

    with serving(script) as server:
        said = conversation(tmp_path, server.url, source=people(tmp_path))
    assert [step.status for step in said.steps][:1] == ["ok"], said
    sent = "\n".join(asked.text for asked in server.asked).casefold()
    assert [name for name in PEOPLE if name.casefold() in sent] == []
    assert "‹" in sent


@pytest.mark.parametrize(("sees", "in_answer"), [("names", False), ("values", False), ("results", True)])
def test_result_tables_are_sent_from_the_level_results_on(tmp_path: Path, sees: str, in_answer: bool) -> None:
    with serving(reply_to) as server:
        conversation(tmp_path, server.url, sees=sees)
    assert ("North | 15" in server.asked[-1].text) == in_answer
    assert ("North" in server.asked[0].text) == (sees != "names"), "few distinct values are shown from values on"


def test_an_endpoint_that_is_down_is_said_and_the_question_is_kept(tmp_path: Path) -> None:
    with serving(lambda _asked: fail(500, "sk-planted-secret leaked by the endpoint")) as server:
        said = conversation(tmp_path, server.url)
    assert said.status == "failed"
    assert "some-model" in said.answer
    assert "sk-planted-secret" not in said.model_dump_json()


@pytest.mark.slow
def test_a_turn_that_failed_goes_on_in_the_terminal_once_the_model_is_back(tmp_path: Path) -> None:
    up = False

    def script(asked: Asked) -> Served:
        return reply_to(asked) if up else fail(401, "not now")

    def ask(*arguments: str, url: str) -> tuple[int, dict[str, object]]:
        settings = {"HOME": str(tmp_path / "home"), "MODEL": "m", "BASE_URL": url, "API_KEY_ENV": "TEST_KEY"}
        done = subprocess.run(
            [str(Path(sys.executable).parent / "tandem"), "ask", *arguments, "--yes", "--json"],
            env=os.environ | {f"TANDEM_{name}": value for name, value in settings.items()},
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, json.loads(done.stdout)

    with serving(script) as server:
        status, said = ask("Total by region?", "--source", f"shop={shop(tmp_path)}", url=server.url)
        assert (status, said["status"]) == (1, "failed")
        up = True
        status, again = ask("--session", str(said["session"]), url=server.url)
    assert (status, again["status"]) == (0, "answered")
    assert again["answer"] == "North leads with **15**."


@pytest.mark.parametrize(
    ("header", "code", "given"),
    [
        ("region,amount", "pd.read_csv(files['sales.csv'], header=None)", True),
        ("region,email", "pd.read_csv(files['sales.csv'], header=None)", False),
        ("region,amount", "name = 'sales' + '.csv'\npd.read_csv(files[name])", False),
        ("region,amount", "pd.read_csv(files['other.csv'])", False),
    ],
    ids=["named", "personal", "made at run time", "no source"],
)
def test_a_cell_reads_the_file_of_a_source_that_it_names_unless_a_column_is_personal(
    tmp_path: Path, header: str, code: str, given: bool
) -> None:
    values = ("ada@lovelace.example", "bo@quist.example") if "email" in header else ("10", "7")
    (tmp_path / "other.csv").write_text("secret\n1\n")
    path = tmp_path / "sales.csv"
    path.write_text(f"{header}\nNorth,{values[0]}\nSouth,{values[1]}\n")
    plan = {**PLAN, "steps": PLAN["steps"][1:], "tables": []}  # type: ignore[index]

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        if served == typed(asked, PLAN):
            return typed(asked, plan)
        if served == typed(asked, SQL):
            return typed(asked, {**PYTHON, "code": code, "result": ""})
        return served

    with serving(script) as server:
        said = conversation(tmp_path, server.url, source=path)
        sent = "\n".join(asked.text for asked in server.asked)
    assert (said.steps[0].status == "ok") == given, said
    assert ("region" in str(said.rows)) == given
    assert "lovelace" not in sent


@pytest.mark.parametrize("sees", ["names", "values", "results", "rows"])
def test_no_personal_value_reaches_a_model_at_any_level_by_a_look_or_a_failure(tmp_path: Path, sees: str) -> None:
    wishes = [
        ("preview", {"of": "customers"}),
        ("preview", {"of": "revenue"}),
        ("profile", {"of": "customers"}),
        ("profile", {"of": "revenue"}),
        ("find_values", {"text": "quist"}),
        ("describe_table", {"table": "customers"}),
    ]
    looks = iter(wishes)

    def script(asked: Asked) -> Served:
        served = reply_to(asked)
        if served == typed(asked, PYTHON):
            if (look := next(looks, None)) is not None:
                return Served(calls=(look,))
            code = "raise KeyError(revenue.set_index('buyer').T.columns.tolist())"
            return typed(asked, {**PYTHON, "code": code, "result": ""})
        if served == typed(asked, SQL):
            return typed(asked, {**SQL, "code": "SELECT name AS buyer, amount AS a FROM customers"})
        return typed(asked, {**PLAN, "tables": ["customers"]}) if served == typed(asked, PLAN) else served

    with serving(script) as server:
        conversation(tmp_path, server.url, source=people(tmp_path), sees=sees)
    assert next(looks, None) is None
    sent = "\n".join(asked.text for asked in server.asked).casefold()
    assert [name for name in PEOPLE if name.casefold() in sent] == []
