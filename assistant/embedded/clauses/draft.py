"""A reading in the making: the question's spans with one option each, and what the clauses have found so far.

Mutable on purpose and short-lived: one draft is made, filled by the rules and turned into a meaning (`assembly`) or
thrown away. Columns here are the schema's attributes; the ways to them are found afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.clauses.wanted import (
    BelongsWanted,
    ComparedWanted,
    FilterWanted,
    FirstWanted,
    KinWanted,
    PairWanted,
    PeriodWanted,
    RelatedWanted,
    Wanted,
)
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.meaning import Among, ChartKind, DatePart, Grain, JoinStep, Operator
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.cue_patterns import CueKind
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_words
from assistant.embedded.words.vocabulary import ASKING

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term


class Misfit(Exception):
    """This reading of the question does not hold together. The text says why, for the person."""

    def __init__(self, reason: str, *, weight: int = 0) -> None:
        super().__init__(reason)
        self.weight = weight
        """How much the reason tells: the heaviest among all readings is the one shown."""


@dataclass(slots=True)
class Piece:
    """A span with the option taken in this reading. `used` once a clause has accounted for it.

    A piece set `aside` has said all that it says: what stands before and behind it touches.
    """

    span: Span
    option: Option | None
    used: bool = False
    aside: bool = False

    @property
    def cue(self) -> Cue | None:
        """The cue it is, unless already used."""
        return self.option if isinstance(self.option, Cue) and not self.used else None


KEYS = frozenset(("id", "ids", "identifier", "identifiers", "key", "code", "codes", "number", "no"))

Group = Attribute | Entity
Bound = tuple[Operator, float | None]
"""A bound of which a follow-up does not say what it is of; without a number it is the average."""


@dataclass(slots=True)
class Draft:
    """Everything a reading has found.

    The `grains` go by the date `dated`, if one was named. Only `weekdays` count, Monday being 1, if there are any; with
    `as_zero` a missing number counts as zero. A figure in `having` without a value is compared with the same over all
    rows, or with `part_of_all` of it; with `typical` it is compared with its average over all groups, with a `rival`
    with that of the group which the condition tells, or with that figure. A figure that
    begins at a place of `kinds` is wanted once for each of the kinds of rows told there, and `extra` figures come
    behind those that are read in their places.
    With `with_none` those of which there is nothing to count are told as well.
    With `parts_alone` each group's part of the whole is asked for, not the figure that it is a part of.
    A `fragment` is a follow-up, which need not name what it is about: its `bounds` are of what was shown before. What
    rows must be `among` by the question before stays as it was read, and so does
    whether a share is a `portion` of rows, and which `ways` were taken from one table to another. What was `sold` is
    the figure of the business, as far as there is one; `sold_by_line` that of its lines, where it is another one.
    """

    schema: Schema
    pieces: list[Piece]
    wanted: list[Wanted] = field(default_factory=list)
    extra: list[Wanted] = field(default_factory=list)
    kinds: dict[int, list[list[FilterWanted]]] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    grains: list[Grain] = field(default_factory=list)
    dated: Attribute | None = None
    parts: list[DatePart] = field(default_factory=list)
    ranged: list[Attribute] = field(default_factory=list)
    within: list[Group] = field(default_factory=list)
    each_period: bool = False
    shown: list[Attribute] = field(default_factory=list)
    subject: Entity | None = None
    ranked: Group | None = None
    filters: list[FilterWanted] = field(default_factory=list)
    pairs: list[PairWanted] = field(default_factory=list)
    either: bool = False
    both: bool = False
    terms: list[tuple[Term, bool]] = field(default_factory=list)
    related: list[RelatedWanted] = field(default_factory=list)
    compared: list[ComparedWanted] = field(default_factory=list)
    firsts: list[FirstWanted] = field(default_factory=list)
    kin: list[KinWanted] = field(default_factory=list)
    belongs: list[BelongsWanted] = field(default_factory=list)
    periods: list[PeriodWanted] = field(default_factory=list)
    weekdays: tuple[int, ...] = ()
    as_zero: bool = False
    having: list[tuple[Wanted, Operator, float | None]] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    among: list[Among] = field(default_factory=list)
    ways: dict[tuple[str, str], tuple[JoinStep, ...]] = field(default_factory=dict)
    part_of_all: float = 1.0
    typical: bool = False
    rival: FilterWanted | Wanted | None = None
    order: list[tuple[Wanted | Group | None, bool]] = field(default_factory=list)
    limit: int | None = None
    offset: int = 0
    ties: bool = False
    place: int = 1
    descending: bool = True
    distinct: bool = False
    all_columns: bool = False
    with_none: bool = False
    share: bool = False
    portion: bool | None = None
    parts_alone: bool = False
    asks_which: bool = False
    chart: ChartKind | None = None
    agents: list[Group] = field(default_factory=list)
    via: list[Attribute] = field(default_factory=list)
    bare_keys: list[Attribute] = field(default_factory=list)
    passed: list[Entity] = field(default_factory=list)
    throughout: list[int] = field(default_factory=list)
    mentioned: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)
    penalty: float = 0.0
    fragment: bool = False
    today: date | None = None
    sold: Metric | None = None
    sold_by_line: Metric | None = None
    choice: dict[str, int] = field(default_factory=dict)
    forks: dict[str, int] = field(default_factory=dict)

    def choose(self, key: str, count: int) -> int:
        """Which of several equally good understandings this reading takes; the others are tried as well."""
        self.forks[key] = count
        return min(self.choice.get(key, 0), count - 1)

    def says_key(self, attribute: Attribute) -> bool:
        """Whether the words that name the column ask for its key: "the customer id"."""
        if attribute in self.bare_keys:
            return True
        said = [
            p.span.text.lower()
            for p in self.pieces
            if isinstance(p.option, ToColumn) and p.option.attribute == attribute
        ]
        return any(KEYS & set(name_words(text)) for text in said)

    def grouped_rows(self) -> list[str]:
        """The tables of which each group is one row: grouped by themselves, by their key, or by a key to them."""
        found: list[str] = []
        for group in self.groups:
            if isinstance(group, Entity):
                found.append(group.name)
            elif self.entity_of(group).key == (group.name,):
                found.append(group.table)
            elif (referred := self.schema.referred(group)) is not None:
                found.append(referred.name)
        return found

    def keep_extreme(self) -> None:
        """Keep what has the extreme, all that share it, unless a number was asked for."""
        if self.limit is None:
            self.limit, self.ties = 1, True

    def keep_first(self, count: int | None, *, ties: bool = False, place: int = 1) -> None:
        """Keep the first so many in the place of those that were kept; all of them where no number is given."""
        self.limit, self.offset, self.ties, self.place = count, 0, ties, place

    # --- finding one's way among the pieces ---

    @property
    def asks_who(self) -> bool:
        """Whether people are asked for."""
        return bool(self.pieces) and self.pieces[0].span.text.lower().split()[:1] == ["who"]

    def cues(self, *kinds: CueKind) -> list[tuple[int, Cue]]:
        """The unused cues of these kinds, with their places."""
        return [
            (i, option)  # asked more often than all else, so without the detour over `Piece.cue`
            for i, piece in enumerate(self.pieces)
            if not piece.used and isinstance(option := piece.option, Cue) and option.kind in kinds
        ]

    def after(self, at: int, *, plain_max: int = 2) -> int | None:
        """The next piece that means something, over at most so many plain words."""
        for i in range(at + 1, len(self.pieces)):
            if self.pieces[i].option is not None and not self.pieces[i].aside:
                return i
            plain_max -= not self.pieces[i].aside
            if plain_max < 0:
                return None
        return None

    def before(self, at: int, *, plain_max: int = 2) -> int | None:
        """The piece before that means something."""
        for i in range(at - 1, -1, -1):
            if self.pieces[i].option is not None and not self.pieces[i].aside:
                return i
            plain_max -= not self.pieces[i].aside
            if plain_max < 0:
                return None
        return None

    def touches(self, at: int, following: int | None) -> bool:
        """Whether no word stands between two pieces."""
        return following is not None and self.pieces[at].span.end == self.pieces[following].span.start

    def asks_anew(self, at: int, following: int) -> bool:
        """Whether a request of its own begins between two pieces: "in alphabetical order. Show the name"."""
        return any(self.word(i) in ASKING for i in range(at + 1, following))

    def word(self, at: int) -> str:
        """What the piece says, in lower case; nothing out of range."""
        return self.pieces[at].span.text.lower() if 0 <= at < len(self.pieces) else ""

    def first_table(self, *, before: int) -> Entity | None:
        """The first table that is named before a place."""
        return next((p.option.entity for p in self.pieces[:before] if isinstance(p.option, ToTable)), None)

    def open(self, at: int | None) -> Option | None:
        """What the piece is, unless used or out of range."""
        if at is None or not 0 <= at < len(self.pieces) or self.pieces[at].used:
            return None
        return self.pieces[at].option

    def cue_at(self, at: int | None, *kinds: CueKind) -> Cue | None:
        """The unused cue at a place if it is of these kinds."""
        option = self.open(at)
        return option if isinstance(option, Cue) and option.kind in kinds else None

    def use(self, *places: int) -> None:
        """Mark pieces as accounted for."""
        for at in places:
            self.pieces[at].used = True

    def entity_of(self, attribute: Attribute) -> Entity:
        """The table of a column."""
        return self.schema.entities[attribute.table]

    def mention(self, *tables: str) -> None:
        """Note that the question names these tables: ways through them are preferred."""
        self.mentioned += [t for t in tables if t not in self.mentioned]

    def content_before(self, at: int) -> bool:
        """Whether a table, column or value stands before a place; a follow-up has those of the question before."""
        said = (p.option for p in self.pieces[:at])
        return self.fragment or any(isinstance(o, ToTable | ToColumn | ToMetric | ToValue) for o in said)

    def leftover(self) -> list[Span]:
        """The spans that mean something and were not accounted for."""
        own = [p.span for p in self.pieces if p.option is not None and not p.used]
        inner = [one.draft for one in (*self.firsts, *self.belongs)]
        return own + [span for draft in inner for span in draft.leftover()]


def pieces_of(spans: Sequence[Span], options: Sequence[Option | None]) -> list[Piece]:
    """Pair spans with the options of one reading."""
    return [Piece(span=span, option=option) for span, option in zip(spans, options, strict=True)]
