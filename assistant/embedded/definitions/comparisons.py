"""Conditions in plain words: "status is 'active' and total is over 100", a column, a comparison, a value at a time.

The words are those of definitions, which name columns as the schema has them; questions are read elsewhere.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.definitions.expressions import Expressions, Unreadable, value_of
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.naming import linked_stems
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.temporal import day_literal
from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.lexicon import tokens
from assistant.embedded.words.vocabulary import NUMBER_WORDS

if TYPE_CHECKING:
    from sqlglot import exp

_SURE = 0.93
_TRUE, _FALSE = frozenset(("true", "yes", "1", "set", "y")), frozenset(("false", "no", "0", "unset", "n", "not set"))


@dataclass(frozen=True)
class Comparisons:
    """Reads conditions on the columns of a table, and of the tables its rows belong to."""

    linker: Linker
    expressions: Expressions
    today: date

    def condition(self, text: str, entity: Entity) -> exp.Expr:
        """The condition that words say.

        Raises:
            Unreadable: a part is no comparison of a known column with a known value.
        """
        from sqlglot import exp

        for link, connector in ((_AND, exp.and_), (_OR, exp.or_)):
            try:
                return self._comparison(text, entity)
            except Unreadable:
                parts = [_unshielded(part) for part in re.split(link, _shielded(text), flags=re.IGNORECASE)]
            if len(parts) > 1:
                try:
                    return connector(*(self._comparison(part, entity) for part in parts))
                except Unreadable:
                    continue
        raise Unreadable(text)

    def column(self, text: str, entity: Entity) -> Attribute:
        """The column of a table, or of one its rows belong to, that words name.

        Raises:
            Unreadable: they name none, or several.
        """
        words = re.sub(
            r"^(?:(?:the|their|its|a|an|whose|his|her|was|were|is|are|has been|have been)\s+)+",
            "",
            text.strip(),
            flags=re.IGNORECASE,
        )
        words = re.sub(
            rf"\s+of (?:the |a |an )?{re.escape(entity.one)}s?$|\s+(?:column|field)$", "", words, flags=re.IGNORECASE
        )
        table, _, name = words.rpartition(".")
        if table and (found := self.linker.schema.find(table, name)):
            return found
        literal = [a for a in entity.attributes.values() if a.name.lower() == words.lower()]
        if literal:
            return literal[0]
        linked = [o.attribute for o in options(self.linker, words) if isinstance(o, ToColumn) and o.strength >= _SURE]
        own = [a for a in linked if a.table == entity.name] or self._happened(words, entity)
        parents = {e.right for e in self.linker.schema.edges.get(entity.name, ()) if not e.many}
        found = own or [a for a in linked if a.table in parents]
        if len(found) != 1:
            raise Unreadable(text)
        return found[0]

    def _happened(self, words: str, entity: Entity) -> list[Attribute]:
        """ "joined" means the one date of the table that is called so: `join_date`."""
        said = set(linked_stems(words))
        if any(isinstance(o, ToTable) for o in options(self.linker, words)):
            return []  # "with an order" speaks of orders, not of a `last_order_date`
        return [a for a in entity.attributes.values() if a.role == "date" and said and said < set(a.stems)]

    def _in_time(self, text: str, entity: Entity) -> exp.Expr:
        """ "signup_date in the last 30 days", "joined after January 1, 2023": a date column and a period.

        Raises:
            Unreadable: it is no such thing.
        """
        from sqlglot import exp

        for match in _PERIOD.finditer(text):
            cut = tokens(text[match.start("p") :])
            found = time_phrase(cut, 0, self.today) if cut else None
            if found is None or found[1] != len(cut):
                continue
            attribute = self.column(text[: match.start()], entity)
            if attribute.role != "date":
                raise Unreadable(text)
            column, dialect = self.expressions.column(attribute), self.linker.schema.dialect
            start, end = found[0].start, found[0].end
            ends: list[exp.Expr] = []
            if start is not None:
                ends.append(exp.GTE(this=column, expression=day_literal(start, attribute.column, dialect)))
            if end is not None:
                ends.append(exp.LT(this=column.copy(), expression=day_literal(end, attribute.column, dialect)))
            return exp.and_(*ends)
        raise Unreadable(text)

    def _comparison(self, text: str, entity: Entity) -> exp.Expr:
        from sqlglot import exp

        try:
            return self._in_time(text.strip(), entity)
        except Unreadable:
            pass
        for pattern, operator in _COMPARISONS:
            match = pattern.match(text.strip())
            if match is None:
                continue
            try:
                attribute = self.column(match["l"], entity)
            except Unreadable:
                continue
            column = self.expressions.column(attribute)
            right = (match.groupdict().get("r") or "").strip(" ,")
            match operator:
                case "missing":
                    return exp.Is(this=column, expression=exp.Null())
                case "present":
                    return exp.not_(exp.Is(this=column, expression=exp.Null()))
                case "between":
                    low, _, high = right.partition(" and ")
                    ends = [self._value(part, attribute, entity) for part in (low, high)]
                    return exp.Between(this=column, low=ends[0], high=ends[1])
                case "contains" | "starts" | "ends":
                    return _like(column, operator, right)
                case "=" | "!=":
                    return self._equal(attribute, right, entity, negated=operator == "!=")
                case _:
                    kinds = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}
                    return kinds[operator](this=column, expression=self._value(right, attribute, entity))
        return self._there(text.strip(), entity)

    def valued(self, text: str, entity: Entity) -> tuple[Attribute, str] | None:
        """The one column of a table that has a value of this name, and the value as it is written there."""
        held = [(a, value) for a in entity.attributes.values() if (value := value_of(a, text)) is not None]
        return held[0] if len(held) == 1 else None

    def _there(self, text: str, entity: Entity) -> exp.Expr:
        """ "have no shipped date", "with an email", "are active": a column that is filled, or says yes."""
        from sqlglot import exp

        being = _BEING.match(text)
        if being and (held := self.valued(being["l"], entity)) is not None:
            kind = exp.NEQ if being["no"] else exp.EQ
            return kind(this=self.expressions.column(held[0]), expression=exp.Literal.string(held[1]))
        for pattern, flags in ((_BEING, True), (_HAVING, False)):
            match = pattern.match(text)
            if match is None:
                continue
            try:
                attribute = self.column(match["l"], entity)
            except Unreadable:
                continue
            column, negated = (
                self.expressions.column(attribute),
                (match["no"] or "").lower().startswith(("no", "without")),
            )
            if flags and attribute.role == "flag":
                return exp.EQ(this=column, expression=_flag(attribute, positive=not negated))
            if not flags and attribute.role != "flag":
                missing = exp.Is(this=column, expression=exp.Null())
                return missing if negated else exp.not_(missing)
        raise Unreadable(text)

    def _equal(self, attribute: Attribute, right: str, entity: Entity, *, negated: bool) -> exp.Expr:
        from sqlglot import exp

        column = self.expressions.column(attribute)
        several = [p for p in re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+n?or\s+|\s*/\s*", right.strip("()")) if p]
        if len(several) > 1 and value_of(attribute, right.strip("'\"")) is None:
            found = exp.In(this=column, expressions=[self._value(part, attribute, entity) for part in several])
            return exp.not_(found) if negated else found
        kind = exp.NEQ if negated else exp.EQ
        return kind(this=column, expression=self._value(right, attribute, entity))

    def _value(self, text: str, attribute: Attribute, entity: Entity) -> exp.Expr:
        """A value as the column holds it, or another column of its kind."""
        from sqlglot import exp

        quoted = re.fullmatch(r"'([^']*)'|\"([^\"]*)\"", text.strip())
        plain = next(part for part in quoted.groups() if part is not None) if quoted else text.strip()
        if attribute.role == "flag" and plain.lower() in _TRUE | _FALSE:
            return _flag(attribute, positive=plain.lower() in _TRUE)
        if (known := value_of(attribute, plain)) is not None:
            return exp.Literal.string(known)
        if quoted and attribute.column.kind == "text":
            return exp.Literal.string(plain)
        if attribute.role == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
            return day_literal(date.fromisoformat(plain), attribute.column, self.linker.schema.dialect)
        number = _number(plain)
        if number is not None and attribute.column.kind in ("integer", "number"):
            return exp.Literal.number(number)
        other = self.column(plain, entity)
        if other.column.kind != attribute.column.kind or other == attribute:
            raise Unreadable(text)
        return self.expressions.column(other)


_AND = r"\s+and\s+(?:the\s+|whose\s+|with\s+|where\s+)?"
_OR = r"\s+or\s+(?:the\s+|whose\s+|with\s+|where\s+)?"
_WORD = r"(?:'[^']*'|\"[^\"]*\"|[\w-]+)"
_IS = r"(?:is|are|was|were|equals?|being)"
_COMPARISONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"^(?:has |have |having )?(?P<l>[\w. ]+?) ?{pattern}$", re.IGNORECASE), operator)
    for pattern, operator in (
        (rf"\b{_IS} (?:not|never) (?:null|empty|missing|blank|unknown)", "present"),
        (rf"\b{_IS} (?:null|empty|missing|blank|not set|not filled(?: in)?|unknown|not known)", "missing"),
        (rf"\b{_IS} (?:filled(?: in)?|present|known|given)", "present"),
        (rf"\b(?:{_IS} |lies )?between (?P<r>.+ and .+)", "between"),
        (
            rf"(?:\b{_IS} )?(?:\bat least|\b(?:greater|more|higher|larger|later) than or equal to|>=|\b(?:not|no) (?:less|fewer|lower|earlier) than|\bon or after) ?(?P<r>.+)",
            ">=",
        ),
        (
            rf"(?:\b{_IS} )?(?:\bat most|\b(?:less|fewer|lower|smaller|earlier) than or equal to|<=|\b(?:not|no) (?:more|greater|higher|later) than|\bon or before|\bup to) ?(?P<r>.+)",
            "<=",
        ),
        (
            rf"(?:\b{_IS} )?(?:\b(?:greater|more|higher|larger|bigger|later|longer) than|\bover|\babove|\bexceed(?:s|ing)?|\bafter|>) ?(?P<r>.+)",
            ">",
        ),
        (
            rf"(?:\b{_IS} )?(?:\b(?:less|fewer|lower|smaller|earlier|shorter) than|\bunder|\bbelow|\bbefore|<) ?(?P<r>.+)",
            "<",
        ),
        (r"\b(?:contains?|containing|includes?) (?:the (?:word|text) )?(?P<r>['\"].+['\"])", "contains"),
        (r"\b(?:starts?|starting|begins?|beginning) with (?P<r>['\"].+['\"])", "starts"),
        (r"\b(?:ends?|ending) (?:with|in) (?P<r>['\"].+['\"])", "ends"),
        (rf"(?:\b{_IS} (?:not|neither)(?: equal to| one of| any of| in| either)?|<>|!=|\bother than) ?(?P<r>.+)", "!="),
        (
            rf"(?:\b{_IS}(?: equal to| one of| any of| in| either| set to| marked as)?|==?|\bof|\bset to|\bin|\bone of|:) ?(?P<r>.+)",
            "=",
        ),
        (rf" (?P<r>{_WORD}(?:(?:,| or|, or) {_WORD})*)", "="),
    )
)
_PERIOD = re.compile(
    r" (?:(?:is|was|were|are|lies|falls) )?(?P<p>(?:in|within|during|since|after|before|until|from|between|on|over|later than|earlier than|prior to|for) )",
    re.IGNORECASE,
)
_HAVING = re.compile(
    r"^(?:has |have |having )?(?P<no>no |without (?:an? |any )?|not |an? |the |any )(?P<l>[\w. ]+)$", re.IGNORECASE
)
_BEING = re.compile(r"^(?:(?:is|are|was|were|being) )?(?P<no>not )?(?P<l>[\w. ]+)$", re.IGNORECASE)


def options(linker: Linker, text: str) -> list[Option]:
    """What words name in the source; nothing where more than words stands there."""
    if re.search(r"[()=<>*/+,;:]", text):
        return []
    return linker.names(tuple(t.stem for t in tokens(text) if t.lower not in ("of", "the", "a", "an")))


def _like(column: exp.Column, operator: str, right: str) -> exp.Expr:
    from sqlglot import exp

    text = right.strip("'\" ").lower().replace("%", "")
    pattern = {"contains": f"%{text}%", "starts": f"{text}%", "ends": f"%{text}"}[operator]
    return exp.Like(this=exp.Lower(this=column), expression=exp.Literal.string(pattern))


def _flag(attribute: Attribute, *, positive: bool) -> exp.Expr:
    from sqlglot import exp

    if attribute.column.kind == "boolean":
        return exp.Boolean(this=positive)
    if attribute.column.kind == "integer":
        return exp.Literal.number(1 if positive else 0)
    values = (attribute.column.profile.values or ()) if attribute.column.profile else ()
    other = next((v for v in values if v != attribute.true_value), None)
    found = attribute.true_value if positive else other
    if found is None:
        raise Unreadable(attribute.name)
    return exp.Literal.string(str(found))


def _number(text: str) -> str | None:
    low = text.lower().replace(",", "").strip("$€£ ")
    if low in NUMBER_WORDS:
        return str(NUMBER_WORDS[low])
    return low if re.fullmatch(r"-?\d+(?:\.\d+)?", low) else None


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\bbetween\s+\S+\s+and\b", re.IGNORECASE)


def _shielded(text: str) -> str:
    """The text with the links inside quotes, and that of "between", out of the way."""
    return _QUOTED.sub(lambda m: m[0].replace(" ", "\x00"), text)


def _unshielded(text: str) -> str:
    return text.replace("\x00", " ")
