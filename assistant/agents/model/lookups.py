"""What a model can look up while it thinks: documents, a table, values. Nothing here runs code or changes anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from autogen_core.tools import ParametersSchema, ToolSchema
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from assistant.agents.model.surroundings import described, find_table, matching_values, nearest_tables
from assistant.events import Citation
from assistant.memory.recall import PastTurns
from assistant.memory.tiers import past_turns
from assistant.memory.wording import Sees, digest_in_words

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.data.catalog import Catalog
    from assistant.events import Event
    from knowledge.retrieval import Hit

_HITS = 5
_FENCE_CHARS = 4_000


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


class _Recall(_Arguments):
    query: str = Field(description="Words of what was said or found earlier in this session.")


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


class Lookups:
    """The lookups of one exchange; they remember which documents were shown, so that only those can be cited."""

    def __init__(self, desk: SessionContext, *, dialogue: Seeing, log: Sequence[Event] = ()) -> None:
        self._desk = desk
        self._past = past_turns(log)
        self._dialogue = dialogue
        self._sees: Sees = dialogue.sees
        self._shown: dict[str, Citation] = {}

    @property
    def offered(self) -> tuple[Lookup, ...]:
        """All that can be looked up, given what the model may see."""
        always = (
            Lookup(
                name="search_knowledge",
                description="Find what the organisation means by a word: terms, metrics, rules, verified queries.",
                arguments=_Search,
                find=self._search,
            ),
            Lookup(
                name="describe_table",
                description="A table's columns with their types, keys and profiles.",
                arguments=_Describe,
                find=self._describe,
            ),
        )
        if self._past:
            recall = Lookup(
                name="recall",
                description="Find earlier turns of this session: what the person said, decided and was answered.",
                arguments=_Recall,
                find=self._recall,
            )
            always = (*always, recall)
        if self._sees == "names":
            return always
        values = Lookup(
            name="find_values",
            description="In which columns a value stands, and how it is spelt there.",
            arguments=_Find,
            find=self._values,
        )
        return (*always, values)

    def shown(self, hits: tuple[Hit, ...], *, chars_max: int = _FENCE_CHARS) -> str:
        """Documents as fenced data, from now on citable."""
        from knowledge.fencing import fence

        for hit in hits:
            found = hit.citation
            self._shown[found.id] = Citation(id=found.id, title=found.title, origin=found.origin, excerpt=found.excerpt)
        return fence(hits, chars_max=chars_max)

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

    async def _search(self, arguments: Mapping[str, JsonValue]) -> str:
        hits = await self._desk.search(_Search.model_validate(arguments).query, k=_HITS)
        return self.shown(hits) or "Nothing was found. The words may mean what they commonly mean."

    async def _recall(self, arguments: Mapping[str, JsonValue]) -> str:
        found = PastTurns(self._past).search(_Recall.model_validate(arguments).query, k=_HITS)
        said = "\n\n".join(digest_in_words(digest, sees=self._sees) for digest in found)
        return said or "No earlier turn of this session has these words. Try others, or ask the person."

    async def _describe(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = _Describe.model_validate(arguments)
        name = asked.table
        catalogs = self._dialogue.readable(await self._desk.catalogs())
        found = find_table(catalogs, name)
        if found is None:
            return f"There is no table {name!r}. The nearest are: {', '.join(nearest_tables(catalogs, name))}."
        source, table = found
        return described(table, source=source, sees=self._sees, matching=asked.matching)

    async def _values(self, arguments: Mapping[str, JsonValue]) -> str:
        asked = _Find.model_validate(arguments)
        found = matching_values(
            self._dialogue.readable(await self._desk.catalogs()), asked.text, table=asked.table, sees=self._sees
        )
        return "\n".join(found) or f"{asked.text!r} stands in no column whose values are known."


@cache
def _parameters(arguments: type[BaseModel]) -> ParametersSchema:
    schema = arguments.model_json_schema()
    properties = {name: {k: v for k, v in p.items() if k != "title"} for name, p in schema["properties"].items()}
    return ParametersSchema(type="object", properties=properties, required=schema.get("required", []))
