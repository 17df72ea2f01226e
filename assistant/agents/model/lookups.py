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
    check_join,
    find_stored_values,
    preview_table,
    profile_table,
)
from assistant.agents.model.metric_steps import MetricQuery, compile_metric_query, describe_metric_lookup
from assistant.agents.model.row_descriptions import describe_profile, describe_rows
from assistant.agents.model.source_descriptions import describe_table, find_nearest_tables, find_table
from assistant.agents.model.spelling import format_prose
from assistant.core.events import Citation
from assistant.core.turns import fold_events
from assistant.errors import DataError
from assistant.record.memory.recall import Compare, PastTurns
from assistant.record.memory.tiers import digest_past_turns
from assistant.record.memory.wording import ROWS_SEEN_MAX, Sees, describe_digest

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
_ELSEWHERE_MAX = 300
"""Turns of other sessions that are searched, the newest sessions first."""


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Search(_Arguments):
    query: str


class _Describe(_Arguments):
    table: str
    matching: str = Field(default="", description="only columns with one of these words")


class _Find(_Arguments):
    text: str
    table: str = ""


class _Preview(_Arguments):
    of: str


class _PreviewOfResult(_Arguments):
    of: str


class _Profile(_Arguments):
    of: str


class _Join(_Arguments):
    left_table: str
    left_columns: tuple[str, ...] = Field(min_length=1)
    right_table: str
    right_columns: tuple[str, ...] = Field(min_length=1)


class _Recall(_Arguments):
    query: str


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
        return ToolSchema(name=self.name, description=self.description, parameters=_make_parameters(self.arguments))


class Disclosure(Protocol):
    """How much of the data whoever looks may see."""

    @property
    def compare(self) -> Compare:
        """Compares texts by meaning."""
        ...

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
    """The lookups of one exchange; they remember which documents were shown, so that only those can be cited.

    Attributes:
        texts: What was shown.
    """

    def __init__(
        self,
        context: SessionContext,
        *,
        dialogue: Disclosure,
        log: Sequence[Event] = (),
        only: Collection[str] = (),
        left_out: Collection[str] = (),
    ) -> None:
        self.texts: list[str] = []
        self._only = only
        self._left_out = left_out
        self._context = context
        self._turns = fold_events(log).turns
        self._past = digest_past_turns(log)
        self._dialogue = dialogue
        self._sees: Sees = dialogue.sees
        self._shown: dict[str, Citation] = {}

    @property
    def offered(self) -> tuple[Lookup, ...]:
        """What is offered: all that the model may look up, without what could find nothing."""
        return tuple(lookup for lookup in self._allowed if lookup.name not in self._left_out)

    @property
    def _allowed(self) -> tuple[Lookup, ...]:
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
                    "What the organisation means by words: terms, metrics, rules, verified queries.",
                    _Search,
                    self._search,
                ),
                ("metric_query", describe_metric_lookup(self._context.metric_names), MetricQuery, self._compile_metric),
                ("describe_table", "A table's columns, keys and profiles.", _Describe, self._describe),
                (
                    "find_values",
                    "Where a value stands and how it is spelt.",
                    _Find,
                    self._find_values,
                ),
                ("preview", *_describe_previews(self._sees), self._preview),
                ("profile", "Figures of each column of a table or result.", _Profile, self._profile),
                ("check_join", "What a join does to the rows.", _Join, self._check_join),
                (
                    "recall",
                    "What was said, decided and answered before.",
                    _Recall,
                    self._recall,
                ),
            )
            if name not in left_out and (not self._only or name in self._only)
        )

    def fence_hits(self, hits: tuple[Hit, ...], *, chars_max: int = _FENCE_CHARS) -> str:
        """Documents as fenced data, from now on citable."""
        from knowledge.fencing import fence

        for hit in hits:
            citation = hit.citation
            self._shown[citation.id] = Citation(
                id=citation.id, title=citation.title, origin=citation.origin, excerpt=citation.excerpt
            )
        return fence(hits, chars_max=chars_max)

    async def search_documents(self, query: str, *, k: int, source_text: str | None) -> str:
        """The documents nearest to a query, without those about tables and columns that are told anyway.

        Args:
            query: The words that are asked about.
            k: Most documents that are searched for.
            source_text: What the prompt tells of the sources; None leaves out all documents of schemas.
        """
        hits = await self._context.search(query, k=k)
        return self.fence_hits(tuple(hit for hit in hits if _has_news(_list_names(hit.document), source_text)))

    def make_citations(self, ids: tuple[str, ...]) -> tuple[Citation, ...]:
        """The citations of ids; ids of documents that were never shown are left out."""
        return tuple(self._shown[name] for name in dict.fromkeys(ids) if name in self._shown)

    async def look_up(self, name: str, arguments: Mapping[str, JsonValue]) -> str:
        """Look something up; what cannot be looked up is said in the result."""
        lookup = next((allowed for allowed in self._allowed if allowed.name == name), None)
        if lookup is None:
            return f"There is no {name!r}. There are: {', '.join(offered.name for offered in self.offered)}."
        try:
            self.texts.append(await lookup.find(arguments))
            return self.texts[-1]
        except ValidationError as error:
            first = error.errors()[0]
            return f"{name} needs other arguments: {'.'.join(str(p) for p in first['loc'])}: {first['msg']}."
        except DataError as error:
            return f"{name} did not work: {error}"

    async def _search(self, arguments: Mapping[str, JsonValue]) -> str:
        hits = await self._context.search(_Search.model_validate(arguments).query, k=_HITS)
        return self.fence_hits(hits) or "Nothing was found. The words may mean what they commonly mean."

    async def _compile_metric(self, arguments: Mapping[str, JsonValue]) -> str:
        query = MetricQuery.model_validate(arguments)
        models, catalogs = await self._context.models(), self._dialogue.readable(await self._context.catalogs())
        return await asyncio.to_thread(compile_metric_query, query, models, catalogs, today=self._context.today)

    async def _recall(self, arguments: Mapping[str, JsonValue]) -> str:
        query = _Recall.model_validate(arguments).query
        compare = self._dialogue.compare
        elsewhere = (await self._context.elsewhere())[:_ELSEWHERE_MAX]
        own_turns = PastTurns(self._past, compare=compare)
        own_digests = await asyncio.to_thread(own_turns.search, query, k=_HITS)
        other_digests = await asyncio.to_thread(PastTurns(elsewhere, compare=compare).search, query, k=_HITS)
        hits = [hit for hit in await self._context.search(query, k=_VERIFIED_AMONG) if hit.document.kind == "query"]
        sections = (
            ("In this session", "\n\n".join(describe_digest(digest, sees=self._sees) for digest in own_digests)),
            ("In other sessions", "\n\n".join(describe_digest(digest, sees=self._sees) for digest in other_digests)),
            ("Verified queries", self.fence_hits(tuple(hits[:_VERIFIED]))),
        )
        result = "\n\n".join(f"## {title}\n{text}" for title, text in sections if text)
        return result or "Nothing said or found before is like these words. Try others, or ask the person."

    async def _describe(self, arguments: Mapping[str, JsonValue]) -> str:
        query = _Describe.model_validate(arguments)
        catalogs = self._dialogue.readable(await self._context.catalogs())
        match = find_table(catalogs, query.table)
        if match is None:
            return self._describe_no_table(catalogs, query.table)
        source, table = match
        return describe_table(table, source=source, sees=self._sees, matching=query.matching)

    async def _find_values(self, arguments: Mapping[str, JsonValue]) -> str:
        query = _Find.model_validate(arguments)
        catalogs = await self._context.catalogs()
        withheld = {
            (catalog.source.casefold(), table, column)
            for catalog in catalogs
            for table, columns in self._dialogue.withheld(catalog).items()
            for column in columns
        }
        lines = await find_stored_values(self._context, catalogs, query.text, table=query.table, withheld=withheld)
        hidden = " Columns that look personal were not looked into." if withheld else ""
        return "\n".join(lines) or f"{query.text!r}, or anything spelt like it, stands in no text column.{hidden}"

    async def _preview(self, arguments: Mapping[str, JsonValue]) -> str:
        of = _Preview.model_validate(arguments).of.strip()
        if (execution := self._find_result(of)) is not None:
            rows = await self._context.rows(execution, rows_max=ROWS_SEEN_MAX)
            return describe_rows(rows, sees=self._sees) if rows is not None else f"The result {of!r} is not a table."
        catalogs = await self._context.catalogs()
        match = find_table(catalogs, of)
        if self._sees != "rows":
            hint = "Propose a step that reads what you need: its result is shown to you."
            return f"There is no result {of!r}. Rows of tables and files are not shown to you. {hint}"
        if match is not None:
            catalog = next(c for c in catalogs if c.source == match[0])
            withheld = self._dialogue.withheld(catalog).get(match[1].name.casefold(), ())
            return await preview_table(self._context, catalog, match[1], withheld=withheld)
        return await self._preview_file(catalogs, of)

    async def _preview_file(self, catalogs: Sequence[Catalog], name: str) -> str:
        """The first lines of a file, where none of its columns is withheld: a line has no columns to leave out."""
        match = await self._context.first_lines(name)
        if match is None:
            return (
                f"There is no result, table or file of text named {name!r}. {self._describe_no_table(catalogs, name)}"
            )
        source, lines = match
        catalog = next((c for c in catalogs if c.source == source), None)
        if catalog is None or self._dialogue.withheld(catalog):
            return f"{name!r} has columns that look personal, so its lines are not shown. Preview its table instead."
        return "\n".join(
            [
                f"First lines of {format_prose(name)}:",
                *(f"| {format_prose(line, chars_max=_LINE_CHARS)}" for line in lines),
            ]
        )

    async def _profile(self, arguments: Mapping[str, JsonValue]) -> str:
        of = _Profile.model_validate(arguments).of.strip()
        if (execution := self._find_result(of)) is not None:
            rows = await self._context.rows(execution, rows_max=PROFILED_ROWS_MAX)
            if rows is None:
                return f"The result {of!r} is not a table."
            partly = f" of {rows.total:,}" if rows.total > len(rows.rows) else ""
            profile = describe_profile(rows, sees=self._sees)
            return f"{format_prose(of)}, {len(rows.rows):,}{partly} rows looked at\n{profile}"
        catalogs = await self._context.catalogs()
        match = find_table(catalogs, of)
        if match is None:
            return f"There is no result {of!r}. {self._describe_no_table(catalogs, of)}"
        catalog = next(c for c in catalogs if c.source == match[0])
        withheld = self._dialogue.withheld(catalog).get(match[1].name.casefold(), ())
        return await profile_table(self._context, catalog, match[1], withheld=withheld)

    async def _check_join(self, arguments: Mapping[str, JsonValue]) -> str:
        query = _Join.model_validate(arguments)
        if len(query.left_columns) != len(query.right_columns):
            return "Name as many columns of the one table as of the other, in the same order."
        catalogs = await self._context.catalogs()
        left, right = find_table(catalogs, query.left_table), find_table(catalogs, query.right_table)
        if left is None or right is None:
            return self._describe_no_table(catalogs, query.left_table if left is None else query.right_table)
        if left[0] != right[0]:
            return "They are in different sources: no query joins them. Fetch both, and merge them in Python."
        for (_, table), columns in ((left, query.left_columns), (right, query.right_columns)):
            absent = [name for name in columns if table.column(name) is None]
            if absent:
                return f"{table.name} has no column {absent[0]!r}. describe_table shows its columns."
        catalog = next(c for c in catalogs if c.source == left[0])
        return await check_join(self._context, catalog, (left[1], query.left_columns), (right[1], query.right_columns))

    def _find_result(self, name: str) -> str | None:
        """The id of the newest execution whose result has this name."""
        results = (item.proposal for turn in reversed(self._turns) for item in reversed(turn.results))
        return next((proposal.id for proposal in results if name and name in (proposal.result, proposal.id)), None)

    @staticmethod
    def _describe_no_table(catalogs: Sequence[Catalog], name: str) -> str:
        return f"There is no table {name!r}. The nearest are: {', '.join(find_nearest_tables(catalogs, name))}."


def _list_names(document: Document) -> set[str]:
    """The table and columns that a document of a schema is about, in lower case; of other documents none."""
    from knowledge.documents import ColumnDoc, TableDoc

    match document:
        case TableDoc(table=table, columns=columns):
            return {name.casefold() for name in (table, *columns)}
        case ColumnDoc(table=table, column=column):
            return {table.casefold(), column.casefold()}
        case _:
            return set()


def _has_news(names: Collection[str], source_text: str | None) -> bool:
    """Whether a document adds to what is told: it is of no schema, or names what is not told."""
    if not names or source_text is None:
        return not names
    text = source_text.casefold()
    words = frozenset(_NAME.findall(text))
    return not all(name in words or (not _NAME.fullmatch(name) and name in text) for name in names)


def _describe_previews(sees: Sees) -> tuple[str, type[BaseModel]]:
    """What a preview is of, and its arguments."""
    if sees == "rows":
        return "First rows of a result, a table, or a file as text.", _Preview
    return "First rows of an earlier result.", _PreviewOfResult


@cache
def _make_parameters(arguments: type[BaseModel]) -> ParametersSchema:
    schema = arguments.model_json_schema()
    left_out = ("title", "default", "minItems")
    properties = {name: {k: v for k, v in p.items() if k not in left_out} for name, p in schema["properties"].items()}
    return ParametersSchema(type="object", properties=properties, required=schema.get("required", []))
