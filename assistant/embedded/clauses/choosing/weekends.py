"""Some days of the week alone: "excluding weekends", "on weekdays", "on a Friday"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft

_WEEKEND = (6, 7)


def weekends(draft: Draft) -> None:
    """Keep the days of the week that are meant; the date they are of is found with the periods."""
    for i, cue in draft.cues("weekend"):
        denied = draft.before(i, plain_max=1)
        excluded = draft.cue_at(denied, "not", "without") is not None
        draft.use(i)
        if excluded and denied is not None:
            draft.use(denied)
        meant = {int(cue.argument)} if cue.argument.isdigit() else set(_WEEKEND)
        if cue.argument.isdigit() and draft.weekdays and not excluded:
            meant |= set(draft.weekdays)  # "on Mondays and on Fridays"
        draft.weekdays = tuple(d for d in range(1, 8) if (d in meant) != (excluded != (cue.argument == "not")))
