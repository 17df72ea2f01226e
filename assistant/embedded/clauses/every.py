"""The clauses: every rule that may claim words of a question, in their order, and the draft that they fill.

One rule stands in one room; a word that a rule has claimed is not read by those behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.embedded.clauses.choosing import (
    ages,
    chosen_periods,
    comparing,
    conditions,
    elapsed,
    enduring,
    fellows,
    limits,
    negations,
    nested,
    never_done,
    newcomers,
    numbers,
    one_that,
    own_limits,
    pairs,
    peers,
    periods,
    quantities,
    returning,
    rivals,
    soon_after,
    standards,
    texts,
    throughout,
    undone,
    unknown,
    weekends,
    yardsticks,
)
from assistant.embedded.clauses.closing import and_what, connecting, implied, listing, retold, subjects
from assistant.embedded.clauses.draft import Draft, pieces_of
from assistant.embedded.clauses.figuring import (
    bare_counts,
    differences,
    durations,
    end_to_end,
    figures,
    filling,
    how_much,
    kinds_compared,
    lasting,
    proportions,
    rates,
    ratios,
    side_by_side,
    spells,
)
from assistant.embedded.clauses.grouping import breakdown, ranges
from assistant.embedded.clauses.naming import (
    compounds,
    deed_nouns,
    ends,
    full_names,
    hierarchy,
    qualities,
    twofold,
    verbs,
)
from assistant.embedded.clauses.ordering import (
    by_default,
    newest_of_each,
    peaks,
    per_number,
    portions,
    ranking,
    selling,
    shares_ranked,
    sorting,
    superlatives,
    within,
)
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToTable

RULES: tuple[Callable[[Draft], None], ...] = (
    figures.unsupported,
    figures.charts,
    figures.noise,
    full_names.of_one_person,
    limits.same_day,
    throughout.every_one,
    twofold.twofold,
    compounds.amounts,
    compounds.compounds,
    compounds.kinds,
    compounds.kinds_of_rows,
    verbs.roles,
    verbs.deeds_of_keys,
    verbs.done_rows,
    verbs.ties,
    ends.ends,
    verbs.participles,
    verbs.done_when,
    deed_nouns.deed_nouns,
    deed_nouns.flag_nouns,
    connecting.first_of,
    connecting.against,
    soon_after.soon_after,
    elapsed.elapsed,
    enduring.enduring,
    durations.durations,
    durations.spans_of_time,
    lasting.lasting,
    spells.spells,
    durations.firsts,
    qualities.qualities,
    qualities.lengths_of_time,
    kinds_compared.kinds_compared,
    end_to_end.end_to_end,
    differences.differences,
    differences.of_kinds,
    differences.arithmetic,
    rates.rates,
    filling.filling,
    per_number.fullest,
    figures.extremes,
    figures.listed_extremes,
    ratios.averages_per,
    ratios.figures_per,
    per_number.ranked_per_number,
    proportions.of_kinds,
    ratios.ratios,
    portions.of_the_first,
    portions.over_a_part,
    side_by_side.side_by_side,
    ranking.places,
    newest_of_each.newest_of_each,
    within.within,
    weekends.weekends,
    selling.selling,
    peaks.peaks,
    ranking.ranked_by,
    ranking.tops,
    sorting.by_period,
    undone.not_yet,
    undone.done_by_now,
    newcomers.newcomers,
    chosen_periods.chosen_periods,
    breakdown.named_periods,
    breakdown.grains,
    breakdown.parts,
    pairs.pairs,
    pairs.both_years,
    returning.returning,
    returning.times,
    never_done.nothing,
    never_done.other_periods,
    fellows.same_as,
    fellows.same_as_theirs,
    fellows.from_to,
    fellows.held_by_two,
    connecting.both_tables,
    undone.undone,
    undone.unmet,
    periods.periods,
    unknown.missing,
    ages.ages,
    negations.absences,
    negations.negations,
    peers.peers,
    yardsticks.averages,
    yardsticks.extremes,
    limits.more_than_planned,
    limits.past_a_limit,
    yardsticks.columns_compared,
    yardsticks.columns_alike,
    own_limits.own_limits,
    comparing.comparisons,
    quantities.quantities,
    texts.texts,
    texts.contained,
    texts.mail_providers,
    sorting.sorts,
    ranking.metric_order,
    ranges.ranges,
    breakdown.groups,
    shares_ranked.shares_ranked,
    ratios.share,
    superlatives.superlatives,
    ranking.by_count,
    bare_counts.bare_counts,
    by_default.by_default,
    figures.measures,
    how_much.how_much,
    sorting.by_figure,
    selling.sold,
    implied.of_all,
    sorting.explained,
    texts.quoted,
    numbers.equal_numbers,
    conditions.values,
    conditions.agents,
    conditions.terms,
    conditions.flags,
    conditions.possessions,
    connecting.ordering_words,
    implied.repeated,
    implied.told_as_well,
    implied.implied,
    figures.units,
    subjects.subjects,
    listing.columns,
    implied.counted,
    retold.retold,
    conditions.enumerated,
    conditions.said_of_values,
    conditions.belongs_to_related,
    throughout.throughout,
    connecting.versus,
    connecting.each_of_both,
    connecting.connectives,
    portions.of_the_whole,
    and_what.and_what,
)
"""The clauses in the order in which they may claim words; each claims a word once."""


def fill(
    spans: Sequence[Span],
    options: Sequence[Option | None],
    linker: Linker,
    choice: dict[str, int] | None = None,
    *,
    about: Sequence[str] | None = None,
) -> Draft:
    """Let every clause claim its words. A follow-up need not say what it is `about`: the tables meant before.

    Raises:
        Misfit: a clause found something that cannot be.
    """
    draft = Draft(
        schema=linker.schema,
        pieces=pieces_of(spans, options),
        choice=choice or {},
        fragment=about is not None,
        today=linker.today,
        sold=linker.sold,
    )
    for span, option in zip(spans, options, strict=True):
        if isinstance(option, ToTable):
            draft.mention(option.entity.name)
        elif option is None and (done := linker.deed(span.text)) is not None:
            draft.mention(done.name)
    draft.mention(*(about or ()))
    hierarchy.superiors(draft)
    rivals.rivals(draft)
    nested.firsts(draft, RULES)
    standards.standards(draft, RULES)
    one_that.one_that(draft, RULES)
    for rule in RULES:
        rule(draft)
    return draft
