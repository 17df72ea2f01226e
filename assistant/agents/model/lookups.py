"""What a model can look up while it thinks: documents, tables, values, rows, profiles, joins, earlier turns.

Nothing here runs code of a model's or changes anything. What is offered depends on what the model may see.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from autogen_core.tools import ParametersSchema, ToolSchema
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from assistant.agents.model.inspecting import (
    PROFILED_ROWS_MAX,
    first_rows,
    join_checked,
    profile_of_table,
    profiled,
    stored_values,
)
from assistant.agents.model.metric_steps import MetricAsked, compiled_in_words, description
from assistant.agents.model.source_descriptions import described, find_table, nearest_tables, rows_in_words
from assistant.agents.model.spelling import plain
from assistant.core.events import Citation
from assistant.core.turns import fold_events
from assistant.errors import DataError
from assistant.record.memory.recall import PastTurns
from assistant.record.memory.tiers import past_turns
from assistant.record.memory.wording import ROWS_SEEN_MAX, Sees, digest_in_words

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.catalog import Catalog
    from assistant.core.events import Event
    from knowledge.documents import Document
    from knowledge.retrieval import Hit

_HITS = 5
_VERIFIED = 3
_VERIFIED_AMONG = 12
_FENCE_CHARS = 4_000
_NAME = re.compile(r"[^\s,;()]+")
_LINE_CHARS = 300


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Search(_Arguments):
    query: str = Field(description="The business words to look up.")


class _Describe(_Arguments):
    table: str = Field(description="The table's name.")
    matching: str = Field(default="", description="Only columns with one of these words in their name; empty for all.")


class _Find(_Arguments):
    text: str = Field(description="The value as the person wrote it.")
    table: str = Field(default="", description="Look in this table only; empty for all.")


class _Preview(_Arguments):
    of: str = Field(description="The name of an earlier result, of a table, or of a file.")


class _PreviewOfResult(_Arguments):
    of: str = Field(description="The name of an earlier result.")


class _Profile(_Arguments):
    of: str = Field(description="The name of an earlier result or of a table.")


class _Join(_Arguments):
    left_table: str
    left_columns: tuple[str, ...] = Field(description="Its columns that are compared.", min_length=1)
    right_table: str
    right_columns: tuple[str, ...] = Field(description="The other's columns, in the same order.", min_length=1)


class _Recall(_Arguments):
    query: str = Field(description="Words of what was said or found earlier.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """One thing a model can look up."""

    name: str
    description: str
    arguments: type[BaseModel]
    find: Callable[[Mapping[str, JsonValue]], Awaitable[str]]

    @property
    def schema(self) -> ToolSchema:
        """It as a tool, in AutoGen's terms."""
        return ToolSchema(name=self.name, description=self.description, parameters=_parameters(self.arguments))


class Seeing(Protocol):
    """How much of the data whoever looks may see."""

    @property
    def sees(self) -> Sees:
        """The level."""
        ...

    def readable(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        """The catalogs without what is withheld at every level."""
        ...

    def withheld(self, catalog: Catalog) -> Mapping[str, Collection[str]]:
        """The columns that are withheld at every level, by table, in lower case."""
        ...


class Lookups:
    """The lookups of one exchange; they remember which documents were shown, so that only those can be cited."""

    def __init__(self, context: SessionContext, *, dialogue: Seeing, log: Sequence[Event] = ()) -> None:
        self._context = context
        self._turns = fold_events(log).turns
        self._past = past_turns(log)
        self._dialogue = dialogue
        self._sees: Sees = dialogue.sees
        self._shown: dict[str, Citation] = {}

    @property
    def offered(self) -> tuple[Lookup, ...]:
        """All that can be looked up, given what the model may see and whether there is a past."""
        unseen = {"names": ("find_values", "profile", "check_join", "preview"), "values": ("preview",)}
        # Below `rows`, results alone are shown.
        no_results = self._sees == "results" and not any(turn.executions for turn in self._turns)
        left_out = {
            *unseen.get(self._sees, ()),
            *(() if self._context.metric_names else ("metric_query",)),
            *(("preview",) if no_results else ()),
        }
        return tuple(
            Lookup(name=name, description=description, arguments=arguments, find=find)
            for name, description, arguments, find in (
                (
                    "search_knowledge",
                    "Find what the organisation means by a word: terms, metrics, rules, verified queries.",
                    _Search,
                    self._search,
                ),
                ("metric_query", description(self._context.metric_names), MetricAsked, self._metric),
                ("describe_table", "A table's columns with their types, keys and profiles.", _Describe, self._describe),
                ("find_values", "In which columns a value stands, and how it is spelt there.", _Find, self._values),
                ("preview", *_previews(self._sees), self._preview),
                ("profile", "Per column: empty and distinct values, quartiles, mean.", _Profile, self._profile),
                ("check_join", "What a join of two tables does to their rows.", _Join, self._join),
                (
                    "recall",
                    "Find what the person said, decided and was answered before: in this session, in their other "
                    "sessions on this data, and in verified queries.",
                    _Recall,
                    self._recall,
                ),
            )
            if name not in left_out
        )

    def shown(self, hits: tuple[Hit, ...], *, chars_max: int = _FENCE_CHARS) -> str:
        """Documents as fenced data, from now on citable."""
        from knowledge.fencing import fence

        for hit in hits:
            found = hit.citation
            self._shown[found.id] = Citation(id=found.id, title=found.title, origin=found.origin, excerpt=found.excerpt)
        return fence(hits, chars_max=chars_max)

    async def found(self, query: str, *, k: int, told: str | None) -> str:
        """The documents nearest to a query, without those about tables and columns that are told anyway.

        Args:
            query: The words that are asked about.
            k: Most documents that are searched for.
            told: What the prompt tells of the sources; None leaves out all documents of schemas.
        """
        words = None if told is None else {word.casefold() for word in _NAME.findall(told)}
        hits = await self._context.search(query, k=k)
        return self.shown(tuple(hit for hit in hits if _adds(_names(hit.document), words)))

    def cited(self, ids: tuple[str, ...]) -> tuple[Citation, ...]:
        """The citations of ids; ids of documents that were never shown are left out."""
        return tuple(self._shown[name] for name in dict.fromkeys(ids) if name in self._shown)

    async def look_up(self, name: str, arguments: Mapping[str, JsonValue]) -> str:
        """Look something up; what cannot be looked up is said in the result."""
        lookup = next((offered for offered in self.offered if offered.name == name), None)
        if lookup is None:
            return f"There is no {name!r}. There are: {', '.join(offered.name for offered in self.offered)}."
        try:
            return await lookup.find(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            return f"{name} needs other arguments: {'.'.join(str(p) for p in first['loc'])}: {first['msg']}."
        except DataError as error:
            return f"{name} did not work: {error}"

    async def _search(self, arguments: Mapping[str, JsonValue]) -> str:
        hits = await self._context.search(_Search.model_validate(arguments).query, k=_HITS)
        return self.shown(hits) or "Nothing was found. The words may mean what they commonly mean."

    async def _metric(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = MetricAsked.model_validate(arguments)
        models, catalogs = await self._context.models(), self._dialogue.readable(await self._context.catalogs())
        return await asyncio.to_thread(compiled_in_words, asked, models, catalogs, today=self._context.today)

    async def _recall(self, arguments: Mapping[str, JsonValue]) -> str:
        query = _Recall.model_validate(arguments).query
        here = PastTurns(self._past).search(query, k=_HITS)
        others = PastTurns(await self._context.elsewhere()).search(query, k=_HITS)
        hits = [hit for hit in await self._context.search(query, k=_VERIFIED_AMONG) if hit.document.kind == "query"]
        told = (
            ("In this session", "\n\n".join(digest_in_words(one, sees=self._sees) for one in here)),
            ("In other sessions", "\n\n".join(digest_in_words(one, sees=self._sees) for one in others)),
            ("Verified queries", self.shown(tuple(hits[:_VERIFIED]))),
        )
        said = "\n\n".join(f"## {title}\n{text}" for title, text in told if text)
        return said or "Nothing said or found before has these words. Try others, or ask the person."

    async def _describe(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = _Describe.model_validate(arguments)
        catalogs = self._dialogue.readable(await self._context.catalogs())
        found = find_table(catalogs, asked.table)
        if found is None:
            return self._no_table(catalogs, asked.table)
        source, table = found
        return described(table, source=source, sees=self._sees, matching=asked.matching)

    async def _values(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = _Find.model_validate(arguments)
        catalogs = await self._context.catalogs()
        withheld = {
            (catalog.source.casefold(), table, column)
            for catalog in catalogs
            for table, columns in self._dialogue.withheld(catalog).items()
            for column in columns
        }
        found = await stored_values(self._context, catalogs, asked.text, table=asked.table, withheld=withheld)
        hidden = " Columns that look personal were not looked into." if withheld else ""
        return "\n".join(found) or f"{asked.text!r}, or anything spelt like it, stands in no text column.{hidden}"

    async def _preview(self, arguments: Mapping[str, JsonValue]) -> str:
        of = _Preview.model_validate(arguments).of.strip()
        if (execution := self._result(of)) is not None:
            rows = await self._context.rows(execution, rows_max=ROWS_SEEN_MAX)
            return rows_in_words(rows, sees=self._sees) if rows is not None else f"The result {of!r} is not a table."
        catalogs = await self._context.catalogs()
        found = find_table(catalogs, of)
        if self._sees != "rows":
            hint = "Propose a step that reads what you need: its result is shown to you."
            return f"There is no result {of!r}. Rows of tables and files are not shown to you. {hint}"
        if found is not None:
            catalog = next(c for c in catalogs if c.source == found[0])
            withheld = self._dialogue.withheld(catalog).get(found[1].name.casefold(), ())
            return await first_rows(self._context, catalog, found[1], withheld=withheld)
        return await self._file(catalogs, of)

    async def _file(self, catalogs: Sequence[Catalog], name: str) -> str:
        """The first lines of a file, where none of its columns is withheld: a line has no columns to leave out."""
        found = await self._context.first_lines(name)
        if found is None:
            return f"There is no result, table or file of text named {name!r}. {self._no_table(catalogs, name)}"
        source, lines = found
        catalog = next((c for c in catalogs if c.source == source), None)
        if catalog is None or self._dialogue.withheld(catalog):
            return f"{name!r} has columns that look personal, so its lines are not shown. Preview its table instead."
        return "\n".join(
            [f"First lines of {plain(name)}:", *(f"| {plain(line, chars_max=_LINE_CHARS)}" for line in lines)]
        )

    async def _profile(self, arguments: Mapping[str, JsonValue]) -> str:
        of = _Profile.model_validate(arguments).of.strip()
        if (execution := self._result(of)) is not None:
            rows = await self._context.rows(execution, rows_max=PROFILED_ROWS_MAX)
            if rows is None:
                return f"The result {of!r} is not a table."
            partly = f" of {rows.total:,}" if rows.total > len(rows.rows) else ""
            return f"{plain(of)}, {len(rows.rows):,}{partly} rows looked at\n{profiled(rows, sees=self._sees)}"
        catalogs = await self._context.catalogs()
        found = find_table(catalogs, of)
        if found is None:
            return f"There is no result {of!r}. {self._no_table(catalogs, of)}"
        catalog = next(c for c in catalogs if c.source == found[0])
        withheld = self._dialogue.withheld(catalog).get(found[1].name.casefold(), ())
        return await profile_of_table(self._context, catalog, found[1], withheld=withheld)

    async def _join(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = _Join.model_validate(arguments)
        if len(asked.left_columns) != len(asked.right_columns):
            return "Name as many columns of the one table as of the other, in the same order."
        catalogs = await self._context.catalogs()
        left, right = find_table(catalogs, asked.left_table), find_table(catalogs, asked.right_table)
        if left is None or right is None:
            return self._no_table(catalogs, asked.left_table if left is None else asked.right_table)
        if left[0] != right[0]:
            return "They are in different sources: no query joins them. Fetch both, and merge them in Python."
        for (_, table), columns in ((left, asked.left_columns), (right, asked.right_columns)):
            missing = [name for name in columns if table.column(name) is None]
            if missing:
                return f"{table.name} has no column {missing[0]!r}. describe_table shows its columns."
        catalog = next(c for c in catalogs if c.source == left[0])
        return await join_checked(
            self._context, catalog, (left[1], asked.left_columns), (right[1], asked.right_columns)
        )

    def _result(self, name: str) -> str | None:
        """The id of the newest execution whose result has this name."""
        results = (item.proposal for turn in reversed(self._turns) for item in reversed(turn.results))
        return next((proposal.id for proposal in results if name and name in (proposal.result, proposal.id)), None)

    @staticmethod
    def _no_table(catalogs: Sequence[Catalog], name: str) -> str:
        return f"There is no table {name!r}. The nearest are: {', '.join(nearest_tables(catalogs, name))}."


def _names(document: Document) -> set[str]:
    """The table and columns that a document of a schema is about, in lower case; of other documents none."""
    from knowledge.documents import ColumnDoc, TableDoc

    match document:
        case TableDoc(table=table, columns=columns):
            return {name.casefold() for name in (table, *columns)}
        case ColumnDoc(table=table, column=column):
            return {table.casefold(), column.casefold()}
        case _:
            return set()


def _adds(names: Collection[str], told: Collection[str] | None) -> bool:
    """Whether a document adds to what is told: it is of no schema, or names what is not told."""
    return not names or (told is not None and not all(name in told for name in names))


def _previews(sees: Sees) -> tuple[str, type[BaseModel]]:
    """What a preview is of, and its arguments."""
    if sees == "rows":
        return "The first rows of an earlier result, a table, or a file as text.", _Preview
    return "The first rows of an earlier result.", _PreviewOfResult


@cache
def _parameters(arguments: type[BaseModel]) -> ParametersSchema:
    schema = arguments.model_json_schema()
    properties = {name: {k: v for k, v in p.items() if k != "title"} for name, p in schema["properties"].items()}
    return ParametersSchema(type="object", properties=properties, required=schema.get("required", []))
