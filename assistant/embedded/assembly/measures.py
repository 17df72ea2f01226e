"""From a figure that is wanted to a measure of the meaning: how it is computed on the base table, and its label."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.clauses.draft import Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.units import factor, ratio, without_unit
from assistant.embedded.meaning import PERCENT, Aggregate, Grain, Measure
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import plural, singular


@dataclass
class Measures:
    """Makes the measures of one draft."""

    router: Router
    timing: Timing

    def measure(self, wanted: Wanted, how_many: int) -> Measure:
        """One figure; `how_many` are wanted in all."""
        if wanted.per is not None:
            over = self.measure(replace(wanted, per=None, unit=""), how_many)
            if wanted.entity is not None and wanted.per.entity is not None and over.aggregate == "count":
                tied = self.router.schema.tied(wanted.entity, [wanted.per.entity.name])
                over = over.model_copy(update={"label": tied})
            if wanted.per.grain is not None:
                return self._per_period(over, wanted.per.grain)
            under = self.measure(wanted.per, how_many)
            if wanted.unit == PERCENT:
                if over.aggregate == "sum" and under.aggregate in ("count", "distinct") and not self._says_number():
                    raise Misfit(f"{over.label.capitalize()} as % of how many {under.label} there are?", weight=5)
                own = wanted.per.attribute if wanted.per.own else None
                label = f"{over.label} as % of {own.words if own is not None else under.label}"
                return over.model_copy(update={"per": under, "label": label, "unit": PERCENT, "factor": 100.0})
            return self._per(over, under, wanted.per)
        if wanted.metric:
            metric = wanted.metric
            if metric.origin:  # a guessed one has none, and nobody wrote it
                self.router.draft.cited.append(metric.id)
            needs = tuple(
                self.router.way(entity.name) for t in metric.joins if (entity := self.router.schema.find_entity(t))
            )
            unit = metric.unit_symbol or ("%" if metric.unit == "percent" else "")
            return Measure(
                metric=metric.name,
                expression=metric.expression,
                requires=metric.filters,
                needs=tuple(way for way in needs if way),
                label=metric.name,
                unit=unit,
                context=wanted.context,
            )
        if wanted.entity:
            return self._count(wanted)
        attribute, aggregate = wanted.attribute, wanted.aggregate
        assert attribute is not None
        profile = attribute.column.profile
        if (
            aggregate == "sum"
            and not attribute.adds_up
            and profile
            and isinstance(profile.high, int | float)
            and profile.high <= 1
        ):
            raise Misfit(
                f"“{attribute.words}” is a share of something: adding it up says nothing. Ask for its average.",
                weight=6,
            )
        if wanted.until is None and attribute.role == "date" and aggregate in ("average", "sum"):
            raise Misfit(f"The {aggregate} of days like the {attribute.words} says nothing.", weight=6)
        if wanted.until is not None and aggregate is not None:
            days = self._days(attribute, wanted.until, aggregate, context=wanted.context)
            if not wanted.unit or wanted.unit == "days":
                return days
            label = days.label.replace("days", wanted.unit, 1)
            return days.model_copy(update={"factor": ratio("days", wanted.unit), "label": label, "unit": wanted.unit})
        if aggregate is None:
            raise Misfit(f"The average, the total or the highest {attribute.words}? Please say which.", weight=6)
        words = attribute.words
        if (
            len(attribute.own) == 1
            and attribute.own == attribute.stems
            and attribute.words in ("total", "amount", "value", "price")
        ):
            words = (
                f"{self.router.schema.entities[attribute.table].one} {words}"
                if words != "total"
                else f"{self.router.schema.entities[attribute.table].one} total"
            )
        label = {
            "sum": words if words.startswith("total ") or words.endswith("total") else f"total {words}",
            "average": f"average {words}",
            "minimum": f"lowest {words}" if not attribute.is_time else f"first {words.removeprefix('first ')}",
            "maximum": f"highest {words}" if not attribute.is_time else f"last {words.removeprefix('last ')}",
            "distinct": attribute.things if how_many and words == attribute.words else words,
            "count": attribute.things if words == attribute.words else plural(words),
        }[aggregate]
        zero = self.router.draft.as_zero and aggregate in ("average", "sum", "minimum", "maximum")
        made = Measure(
            aggregate=aggregate,
            column=self.router.ref(attribute),
            label=label,
            context=wanted.context,
            as_zero=zero and attribute.is_number,
        )
        if made.as_zero:
            self.router.draft.assumptions.append(f"a missing {attribute.words} counts as zero")
        if not wanted.unit:
            return made
        label = f"{label.split()[0]} {without_unit(attribute)} in {wanted.unit}"
        return made.model_copy(update={"factor": factor(attribute, wanted.unit), "label": label, "unit": wanted.unit})

    def _says_number(self) -> bool:
        """Whether the question itself asks for a number of rows; a follow-up leaves that to what it follows."""
        return not self.router.draft.pieces or any(
            isinstance(p.option, Cue) and p.option.kind == "count" for p in self.router.draft.pieces
        )

    def _per(self, over: Measure, under: Measure, wanted: Wanted) -> Measure:
        """A figure divided by another: "orders per customer"."""
        one = wanted.entity.one if wanted.entity else singular(under.label)
        if wanted.own and wanted.attribute is not None:
            one = singular(wanted.attribute.words)
        label = over.label
        if over.aggregate == under.aggregate == "sum":  # the revenue per lead, all of one by all of the other
            label, one = label.removeprefix("total "), one.removeprefix("total ")
        elif over.aggregate == "sum" and under.aggregate == "distinct":
            label = label.removeprefix("total ")
        return over.model_copy(update={"per": under, "label": f"{label} per {one}", "unit": over.unit})

    def _per_period(self, over: Measure, grain: Grain) -> Measure:
        """A figure divided by the number of periods in which there is anything: "orders per day"."""
        date = self.timing.dated(None)
        if date.role == "year" and grain != "year":
            raise Misfit(f"“{date.words}” knows only years.", weight=5)
        periods = Measure(aggregate="distinct", column=self.router.ref(date), grain=grain, label=plural(grain))
        self.router.draft.assumptions.append(f"only {plural(grain)} that have any count")
        return over.model_copy(update={"per": periods, "label": f"average {over.label} per {grain}"})

    def _days(self, start: Attribute, end: Attribute, aggregate: Aggregate, *, context: bool) -> Measure:
        """A figure of the days from one date to another."""
        refs = (self.router.ref(start), self.router.ref(end))
        if any(ref.multiplies for ref in refs):
            raise Misfit(f"I cannot count the days from {start.words} to {end.words} from here.", weight=4)
        side = {"average": "average", "minimum": "fewest", "maximum": "most", "sum": "total"}.get(aggregate)
        if side is None:
            raise Misfit(f"I can only average the days from {start.words} to {end.words}.", weight=4)
        label = f"{side} days from {start.words} to {end.words}"
        return Measure(aggregate=aggregate, column=refs[0], until=refs[1], label=label, unit="days", context=context)

    def _count(self, wanted: Wanted) -> Measure:
        entity = wanted.entity
        assert entity is not None
        if entity.name == self.router.base:
            named = [g.name if isinstance(g, Entity) else g.table for g in self.router.draft.groups]
            label = self.router.schema.tied(entity, named)
            return Measure(aggregate="count", label=label, context=wanted.context)
        if len(entity.key) != 1:
            raise Misfit(f"I cannot count {entity.many} from {self.router.base}: they have no single key.", weight=5)
        if not wanted.context:
            base = self.router.schema.entities[self.router.base].many
            self.router.draft.assumptions.append(f"only {entity.many} that have {base} count")
        key = self.router.schema.attribute(entity.name, entity.key[0])
        return Measure(aggregate="distinct", column=self.router.ref(key), label=entity.many, context=wanted.context)


def shares(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Beside the figures, the first of them as each group's share of the whole."""
    return tuple(
        m.model_copy(update={"share": True, "label": f"share of {m.label}", "unit": "%"}) for m in measures[:1]
    )
