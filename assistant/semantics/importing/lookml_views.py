"""Views of LookML with their `extends` and refinements applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.semantics.importing.building import Plain, list_items, list_mappings, to_text

_NAMED_LISTS = ("dimensions", "dimension_groups", "measures", "filters", "parameters", "sets")
"""What a view has several of, each under a name of its own."""
_OWN = frozenset({"name", "extends", "extends__all", "extension"})
"""What a view does not hand on to those that extend it."""


def resolve_views(entries: Sequence[Plain]) -> dict[str, Plain]:
    """The views of all files by their names.

    A refinement (`view: +orders`) is laid over its view, in the order of the files; one without its view stays as it
    is, under its own name. A view that extends others has their fields and tables, and its own over them. A circle of
    views that extend each other is cut where it closes.
    """
    views: dict[str, Plain] = {}
    for entry in entries:
        if not to_text(entry.get("name")).startswith("+"):
            views[to_text(entry.get("name"))] = entry
    for entry in entries:
        name = to_text(entry.get("name"))
        if not name.startswith("+"):
            continue
        refined = views.get(name[1:])
        if refined is None:
            views[name] = entry
        else:
            views[name[1:]] = {**_over(refined, entry), "name": name[1:]}
    return {name: _extended(name, views, frozenset()) for name in views}


def _extended(name: str, views: Mapping[str, Plain], within: frozenset[str]) -> Plain:
    own = views[name]
    combined: Plain = {}
    for base in _bases(own):
        if base in views and base != name and base not in within:
            inherited = _extended(base, views, within | {name})
            combined = _over(combined, {key: value for key, value in inherited.items() if key not in _OWN})
    return _over(combined, own)


def _bases(view: Plain) -> list[str]:
    bases: list[str] = []
    for extends in (*list_items(view.get("extends")), *list_items(view.get("extends__all"))):
        bases += [to_text(name) for name in (extends if isinstance(extends, list) else [extends])]
    return bases


def _over(below: Plain, above: Plain) -> Plain:
    """What is said above counts; of what has names, for each name."""
    combined: Plain = {**below, **above}
    for key in _NAMED_LISTS:
        if key in below and key in above:
            fields = {to_text(entry.get("name")): entry for entry in list_mappings(below[key])}
            for entry in list_mappings(above[key]):
                fields[to_text(entry.get("name"))] = {**fields.get(to_text(entry.get("name")), {}), **entry}
            combined[key] = list(fields.values())
    return combined
