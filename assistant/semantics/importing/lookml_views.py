"""Views of LookML as they count in the end: with what they extend, and with their refinements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.semantics.importing.building import Plain, items, mappings, text

_NAMED = ("dimensions", "dimension_groups", "measures", "filters", "parameters", "sets")
"""What a view has several of, each under a name of its own."""
_OWN = frozenset({"name", "extends", "extends__all", "extension"})
"""What a view does not hand on to those that extend it."""


def whole_views(said: Sequence[Plain]) -> dict[str, Plain]:
    """The views of all files by their names.

    A refinement (`view: +orders`) is laid over its view, in the order of the files; one without its view stays as it
    is, under its own name. A view that extends others has their fields and tables, and its own over them. A circle of
    views that extend each other is cut where it closes.
    """
    views: dict[str, Plain] = {}
    for one in said:
        if not text(one.get("name")).startswith("+"):
            views[text(one.get("name"))] = one
    for one in said:
        name = text(one.get("name"))
        if not name.startswith("+"):
            continue
        refined = views.get(name[1:])
        if refined is None:
            views[name] = one
        else:
            views[name[1:]] = {**_over(refined, one), "name": name[1:]}
    return {name: _extended(name, views, frozenset()) for name in views}


def _extended(name: str, views: Mapping[str, Plain], within: frozenset[str]) -> Plain:
    own = views[name]
    whole: Plain = {}
    for base in _bases(own):
        if base in views and base != name and base not in within:
            found = _extended(base, views, within | {name})
            whole = _over(whole, {key: value for key, value in found.items() if key not in _OWN})
    return _over(whole, own)


def _bases(view: Plain) -> list[str]:
    found: list[str] = []
    for given in (*items(view.get("extends")), *items(view.get("extends__all"))):
        found += [text(one) for one in (given if isinstance(given, list) else [given])]
    return found


def _over(below: Plain, above: Plain) -> Plain:
    """What is said above counts; of what has names, for each name."""
    whole: Plain = {**below, **above}
    for key in _NAMED:
        if key in below and key in above:
            fields = {text(one.get("name")): one for one in mappings(below[key])}
            for one in mappings(above[key]):
                fields[text(one.get("name"))] = {**fields.get(text(one.get("name")), {}), **one}
            whole[key] = list(fields.values())
    return whole
