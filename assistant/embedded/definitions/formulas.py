"""Formulas in prose: "total revenue divided by the number of orders", "SUM(price * quantity) / COUNT(*)".

A text is cut at its outermost operation, and each part again, down to what is SQL, a number, a column, a figure that is
already known, or a phrase that the analyst reads without doubt. Where the order of operations is open, nothing is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.embedded.definitions import cutting
from assistant.embedded.definitions.amounts import Amount, Amounts
from assistant.embedded.definitions.comparisons import options
from assistant.embedded.definitions.criteria import Criteria
from assistant.embedded.definitions.expressions import Unreadable
from assistant.embedded.definitions.operands import Operands
from assistant.embedded.linking.options import ToColumn

if TYPE_CHECKING:
    from sqlglot import exp


_SURE = 0.93
_DEEP = 8


@dataclass(frozen=True)
class Formulas:
    """Reads formulas on one source. `read` keeps what was read, for as long as nothing new is learned."""

    operands: Operands
    read: dict[tuple[str, frozenset[str], bool, bool], Amount | None] = field(
        default_factory=dict[tuple[str, frozenset[str], bool, bool], "Amount | None"]
    )

    @property
    def amounts(self) -> Amounts:
        """What puts amounts together."""
        return self.operands.amounts

    @property
    def criteria(self) -> Criteria:
        """What reads which rows are meant."""
        return self.operands.criteria

    def forget(self) -> None:
        """Read everything again from now on: something new was learned."""
        self.read.clear()
        self.criteria.exact.read.clear()

    def _near(self, *tables: str) -> Formulas:
        """Reads where these tables are spoken of."""
        return replace(self, operands=replace(self.operands, near=self.operands.near | set(tables)))

    def amount(self, text: str, *, depth: int = 0, rows: bool = False) -> Amount:
        """What a formula comes to.

        Args:
            text: The formula.
            depth: How often the text was cut before.
            rows: Whether the name of rows alone means how many there are: "completed orders / all orders".

        Raises:
            Unreadable: a part is not known for certain, or the order of operations is open.
        """
        words = cutting.cleaned(text)
        if depth > _DEEP:
            raise Unreadable(text)
        if cutting.enclosed(words):
            return self.amount(words[1:-1], depth=depth + 1, rows=rows)
        key = (words, self.operands.near, self.amounts.days, rows)
        if key not in self.read:
            self.read[key] = self._amount(words, depth, rows=rows)
        found = self.read[key]
        if found is None:
            raise Unreadable(text)
        return found

    def _amount(self, words: str, depth: int, *, rows: bool) -> Amount | None:
        single = self.operands
        for attempt in (single.number, single.known, single.sql, single.columnar):
            try:
                return attempt(words)
            except Unreadable:
                continue
        operated = partial(self._operated, rows=rows)
        for reading in (self._shaped, operated, self._aggregated, self._asked):
            try:
                return reading(words, depth + 1)
            except Unreadable:
                continue
        if not rows:
            return None
        try:
            chosen = self.criteria.rows(words)
        except Unreadable:
            return None
        return self.amounts.count(chosen.table, chosen.conditions)

    def _shaped(self, text: str, depth: int) -> Amount:
        """A formula by the words that open or close it: "the ratio of A to B", "A as a percentage of B"."""
        for attempt in (
            self._over_rows,
            self._in_percent,
            self._times,
            self._of_two,
            self._share,
            self._limited,
            self._per,
        ):
            try:
                return attempt(text, depth)
            except Unreadable:
                continue
        raise Unreadable(text)

    def _over_rows(self, text: str, depth: int) -> Amount:
        """ "SUM(amount) over the payments table", "quantity * price, summed over all order lines"."""
        match = _matched(cutting.OVER, text)
        entity = self.criteria.table(match["t"])
        if entity is None:
            raise Unreadable(text)
        summed = cutting.SUMMED.search(match["f"])
        found = self._near(entity.name).amount(cutting.SUMMED.sub("", match["f"]), depth=depth)
        found = self.amounts.summed(found) if summed else found
        if found.table != entity.name:
            raise Unreadable(text)
        return found

    def _in_percent(self, text: str, depth: int) -> Amount:
        """ "A / B, in percent", "A / B times 100"."""
        match = _matched(cutting.PERCENT, text)
        return self._percent(self.amount(match["a"] or match["lead"], depth=depth))

    def _times(self, text: str, depth: int) -> Amount:
        """ "days between order_date and shipped_date", "closed_at minus opened_at in hours"."""
        from sqlglot import exp

        dated = replace(self, operands=replace(self.operands, amounts=replace(self.amounts, days=True)))
        if match := cutting.IN_TIME.match(text):
            found = dated.amount(match["f"], depth=depth)
            if found.whole or not self.amounts.is_time(found):
                raise Unreadable(text)
        else:
            match = _matched(cutting.TIME, text)
            ends = [self.operands.numbers(match[part]) for part in ("a", "b")]
            bound = self.criteria.expressions.chosen(ends, set(self.operands.near))
            start, end = (self.operands.column(attribute).tree for attribute in bound)
            found = dated.amounts.of_tree(exp.Sub(this=end, expression=start))
        factor = cutting.OF_A_DAY[match["u"].lower().removesuffix("s")]
        if factor == 1:
            return found
        return replace(found, tree=exp.Mul(this=exp.Paren(this=found.tree), expression=exp.Literal.number(factor)))

    def _of_two(self, text: str, depth: int) -> Amount:
        """ "the ratio of A to B", "subtract A from B"."""
        for pattern, operator in cutting.SHAPES:
            for left, right in cutting.splits(pattern, text):
                try:
                    found = self._both(left, "/" if operator == "%" else operator, right, depth)
                except Unreadable:
                    continue
                return self._percent(found) if operator == "%" else found
        raise Unreadable(text)

    def _share(self, text: str, _depth: int) -> Amount:
        """ "the share of orders that were cancelled": how many rows fulfil a condition, of all rows of their table."""
        match = _matched(cutting.SHARE, text)
        part = self.criteria.rows(match["rows"])
        if not part.conditions:
            raise Unreadable(text)
        whole = self._whole(match["rows"], part.table)
        counts = self.amounts.count(part.table, part.conditions), self.amounts.count(part.table, whole)
        share = self.amounts.combined("/", *counts)
        return self._percent(share) if match["kind"].lower().startswith("percent") else share

    def _whole(self, rows: str, table: str) -> tuple[str, ...]:
        """ "delivered parcels that were on time": the conditions before the "that", which choose the whole."""
        head = re.split(r" (?:that|who|which) ", rows, maxsplit=1)[0]
        if head == rows:
            return ()
        try:
            whole = self.criteria.rows(head)
        except Unreadable:
            return ()
        return whole.conditions if whole.table == table else ()

    def _limited(self, text: str, depth: int) -> Amount:
        """ "the sum of amount where status = 'paid'"."""
        match = _matched(cutting.WHERE, text)
        if not cutting.balanced(match["f"]):
            raise Unreadable(text)
        found = self.amount(match["f"], depth=depth)
        if not found.whole or not found.table or found.filters:
            raise Unreadable(text)
        entity = self.criteria.schema.entities[found.table]
        return replace(found, filters=(self.criteria.condition(match["c"], entity),))

    def _per(self, text: str, depth: int) -> Amount:
        """ "revenue per order", "the average quantity per order": one figure by how many of something there are."""
        match = _matched(cutting.PER, text)
        each = self.criteria.rows(match["b"])
        near = {e.right for e in self.criteria.schema.edges.get(each.table, ()) if e.many} | {each.table}
        figure = f"total {match['a']}" if match["mean"] else match["a"]
        whole = self._near(*near).amount(figure, depth=depth, rows=True)
        return self.amounts.combined("/", self.amounts.summed(whole), self.amounts.count(each.table, each.conditions))

    def _percent(self, amount: Amount) -> Amount:
        from sqlglot import exp

        tree = exp.Paren(this=amount.tree) if isinstance(amount.tree, exp.Binary) else amount.tree
        return replace(amount, tree=exp.Mul(this=exp.Literal.number("100.0"), expression=tree), percent=True)

    def _operated(self, text: str, depth: int, *, rows: bool) -> Amount:
        """A formula with operators in words or signs; the weakest is cut first."""
        found = cutting.cut(text)
        if found is None or found[1] == cutting.OPEN:
            raise Unreadable(text)
        return self._both(*found, depth, rows=rows)

    def _both(self, left: str, operator: str, right: str, depth: int, *, rows: bool = False) -> Amount:
        """Two parts put together; what one is sure of decides about names in the other."""
        counted = rows or operator == "/"
        try:
            first = self.amount(left, depth=depth, rows=counted)
        except Unreadable:
            second = self.amount(right, depth=depth, rows=counted)
            first = self._beside(second).amount(left, depth=depth, rows=counted)
        else:
            second = self._beside(first).amount(right, depth=depth, rows=counted)
        return self.amounts.combined(operator, first, second)

    def _beside(self, amount: Amount) -> Formulas:
        """Reads what stands beside an amount: a name that several tables have means the column of its tables."""
        from sqlglot import exp

        tables = {self.criteria.expressions.attribute_of(c).table for c in amount.tree.find_all(exp.Column)}
        return self._near(*tables)

    # --- parts ---

    def _aggregated(self, text: str, depth: int) -> Amount:
        """ "the total of price times quantity", "average price of products that ..."."""
        if call := cutting.CALLED.match(text):
            words = f"{'number' if call['f'].lower() == 'count' else call['f']} of {call['x']}"
            return self._aggregated(words, depth) if cutting.balanced(call["x"]) else self._asked(text, depth)
        if counted := cutting.COUNTED.match(text):
            return self._counted(counted["rest"])
        match = _matched(cutting.AGGREGATED, text)
        kind, rest = match["kind"].lower(), match["rest"]
        if "number" in kind or "count" in kind:
            return self._counted(rest)
        try:
            return self._over(kind, self.amount(rest, depth=depth))
        except Unreadable:
            pass
        for link in re.finditer(r" (?:of|for|from|over|across|in|on) ", rest):
            try:
                chosen = self.criteria.rows(rest[link.end() :])
                inner = self._near(chosen.table).amount(rest[: link.start()], depth=depth)
            except Unreadable:
                continue
            if inner.table == chosen.table and not inner.whole:
                return replace(self._over(kind, inner), filters=chosen.conditions)
        if plain := re.fullmatch(r"(?:value|amount) of (?:all |the )*(?P<what>.+)", rest, re.IGNORECASE):
            return self._over(kind, self.amount(plain["what"], depth=depth))
        chosen = self.criteria.rows(rest)
        entity = self.criteria.schema.entities[chosen.table]
        if kind != "total" or (not chosen.conditions and any(a.adds_up for a in entity.attributes.values())):
            raise Unreadable(text)  # it may be a sum of theirs
        return self.amounts.count(chosen.table, chosen.conditions)

    def _over(self, kind: str, amount: Amount) -> Amount:
        """A figure over all rows: their sum, mean or extreme."""
        from sqlglot import exp

        if amount.whole and kind in ("sum", "total"):  # "total revenue", where revenue is a figure already
            return amount
        if amount.whole or not amount.table:
            raise Unreadable(amount.tree.sql())
        if kind in ("sum", "total"):
            made: type[exp.AggFunc] = exp.Sum
        elif kind in ("average", "mean", "avg"):
            made = exp.Avg
        else:
            made = exp.Max if kind in ("maximum", "max", "highest", "largest") else exp.Min
        return replace(amount, tree=made(this=amount.tree), whole=True, adds_up=False)

    def _counted(self, what: str) -> Amount:
        """ "orders with ...", "distinct customer_id": how many there are."""
        from sqlglot import exp

        distinct = re.match(r"(?:distinct|unique|different) (?P<what>.+)", what, re.IGNORECASE)
        if distinct and self.criteria.table(distinct["what"]) is None:
            named = [o for o in options(self.criteria.exact.linker, distinct["what"]) if isinstance(o, ToColumn)]
            likely = [o.attribute for o in named if o.strength >= _SURE]
            found = self.criteria.expressions.by_name(distinct["what"]) or likely
            attribute = self.criteria.expressions.chosen([found], set())[0]
            column = self.criteria.expressions.column(attribute)
            return Amount(tree=exp.Count(this=exp.Distinct(expressions=[column])), table=attribute.table, whole=True)
        try:
            chosen = self.criteria.rows(distinct["what"] if distinct else what)
        except Unreadable:
            if distinct:
                raise
            numbers = self.operands.numbers(what)
            if len(numbers) != 1 or numbers[0].column.kind != "integer":
                raise
            return self._over("sum", self.operands.column(numbers[0]))  # "number of nights", where each row has some
        return self.amounts.count(chosen.table, chosen.conditions)

    def _asked(self, text: str, _depth: int) -> Amount:
        """What the analyst reads as one figure, without doubt."""
        from sqlglot import exp

        exact = self.criteria.exact
        meaning = exact.meaning(text)
        if meaning is None or not exact.figure(meaning):
            raise Unreadable(text)
        measure = meaning.measures[0]
        filters = exact.conditions(meaning)
        if measure.metric:
            found = self.operands.metric(next(m for m in exact.linker.metrics if m.name == measure.metric))
            return replace(found, filters=(*found.filters, *filters))
        if measure.column is None or measure.aggregate in (None, "count"):
            return self.amounts.count(meaning.base, filters)
        if measure.column.steps:
            raise Unreadable(text)
        column = self.operands.column(self.criteria.schema.attribute(measure.column.table, measure.column.column)).tree
        made: dict[str, exp.AggFunc] = {
            "sum": exp.Sum(this=column),
            "average": exp.Avg(this=column),
            "minimum": exp.Min(this=column),
            "maximum": exp.Max(this=column),
            "distinct": exp.Count(this=exp.Distinct(expressions=[column])),
        }
        return Amount(tree=made[measure.aggregate], table=meaning.base, whole=True, filters=filters)


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """The match of a form.

    Raises:
        Unreadable: the text has another form.
    """
    match = pattern.match(text)
    if match is None:
        raise Unreadable(text)
    return match
