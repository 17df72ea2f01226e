"""Scopes of settings: a mark on each field says who may set it; a field without a mark is the person's.

A file that comes with data may come from anybody. So the marks list what it may set, never what it may not: a new
setting that nobody marked cannot be set from a folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Setter = Literal["folder", "trusted folder", "person"]
"""Who sets: any folder's file, a file that the person agreed to (`tandem trust`), or the person and administrators."""

_ORDER: tuple[Setter, ...] = ("folder", "trusted folder", "person")


@dataclass(frozen=True, slots=True)
class SetBy:
    """The mark of a setting.

    Attributes:
        least: The least trusted who may set it.
        values: The only values that anybody but the person may give it; any value if empty.
    """

    least: Setter
    values: tuple[str, ...] = ()

    def of_value(self, value: object) -> Setter:
        """The least trusted who may set it to this value."""
        return "person" if self.values and value not in self.values else self.least


FOLDER = SetBy("folder")
TRUSTED_FOLDER = SetBy("trusted folder")
PERSON = SetBy("person")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRequest:
    """A setting that a file asks for.

    Attributes:
        place: Its keys, such as `("models", "house", "base_url")`.
        value: What the file sets it to.
        least: The least trusted who may set it so.
        description: What the setting is; empty for one that there is not.
    """

    place: tuple[str, ...]
    value: object
    least: Setter
    description: str = ""

    @property
    def name(self) -> str:
        """The setting as an error names it."""
        return ".".join(self.place)


def mark_of(field: FieldInfo) -> SetBy | None:
    """The mark that a field carries, if it has one."""
    return next((mark for mark in field.metadata if isinstance(mark, SetBy)), None)


def requests_of(kind: type[BaseModel], content: Mapping[str, object]) -> Iterator[SettingRequest]:
    """Each setting that a file's content asks for, tables setting by setting. Pure."""
    yield from _requests(kind, content, (), "folder")


def _requests(
    kind: type[BaseModel], content: Mapping[str, object], place: tuple[str, ...], outer: Setter
) -> Iterator[SettingRequest]:
    for name, value in content.items():
        field = kind.model_fields.get(name)
        mark = (mark_of(field) if field is not None else None) or PERSON
        least = _stricter(outer, mark.of_value(value))
        at = (*place, name)
        table, by_name = _table_of(field) if field is not None else (None, False)
        if table is not None and isinstance(value, Mapping) and value:
            tables = cast("Mapping[str, object]", value)
            if not by_name:
                yield from _requests(table, tables, at, least)
                continue
            for key, entry in tables.items():
                if isinstance(entry, Mapping) and entry:
                    yield from _requests(table, cast("Mapping[str, object]", entry), (*at, key), least)
                else:
                    yield SettingRequest(place=(*at, key), value=entry, least=least)
        else:
            description = (field.description or "") if field is not None else ""
            yield SettingRequest(place=at, value=value, least=least, description=description)


def _table_of(field: FieldInfo) -> tuple[type[BaseModel] | None, bool]:
    """The model of a setting that is a table, and whether it is a table of tables by NAME."""
    annotation = field.annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    kinds = get_args(annotation) if get_origin(annotation) is dict else ()
    if len(kinds) == 2 and isinstance(kinds[1], type) and issubclass(kinds[1], BaseModel):
        return kinds[1], True
    return None, False


def _stricter(first: Setter, second: Setter) -> Setter:
    return _ORDER[max(_ORDER.index(first), _ORDER.index(second))]
