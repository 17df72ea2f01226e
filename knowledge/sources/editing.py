"""Edits of an entry of the knowledge folder, in the file that holds it, whoever wrote that file.

An edit is drafted first: the draft is the whole file, read by the same reader as the saved file will be. It is saved if
the file is unchanged since the draft. The previous version of an entry is stored beside the folder's files, and the
edit can be undone until somebody changes the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Literal

from knowledge.documents import Document, Metric, Note, Rule, Term, VerifiedQuery
from knowledge.errors import DocumentMalformed, KnowledgeError
from knowledge.sources.entries import load_plain
from knowledge.sources.entry_text import item_of, section_lines, with_fields, with_lines, without_item
from knowledge.sources.file_writer import file_of, format_fields, write_file
from knowledge.sources.folder import TABLES, is_document_file, read_folder, reader_for
from knowledge.sources.markdown import MarkdownSection, signature, split_sections
from knowledge.sources.notes import with_paths
from knowledge.sources.terms import refuse_taken

Value = str | tuple[str, ...]
_BEFORE = ".changes"
"""The folder, hidden from reading, that keeps what an entry's file was before its last change."""

EDITABLE: Mapping[str, tuple[str, ...]] = {
    "term": ("name", "definition", "synonyms", "table", "sql"),
    "metric": (
        "name", "definition", "synonyms", "table", "expression", "joins", "filters", "date_column", "unit",
        "unit_symbol", "dimensions",
    ),
    "rule": ("name", "statement", "applies_to", "condition"),
    "query": ("question", "sql", "tables"),
    "note": ("heading", "body"),
}  # fmt: skip
"""What a person can change of each kind of document, by the names of its fields, the name first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDraft:
    """A change that is not made yet. `document` is what will be read; None where the entry is removed."""

    file: Path
    before: str
    after: str
    was: str
    document: Document | None
    by: str
    on: date


def entry_of(folder: Path, id_: str) -> Document:
    """The document of that id, as the folder holds it now.

    Raises:
        KnowledgeError: It is gone, or it stands in a file that is not changed here.
    """
    entry = next((document for document in read_folder(folder).documents if document.id == id_), None)
    if is_document_file(Path(id_.partition("#")[0])):
        raise KnowledgeError("It stands in a document, which is changed in the program that wrote it.")
    if entry is None:
        raise KnowledgeError("This entry is not there any more: somebody removed or renamed it.")
    file = PurePosixPath(entry.origin)
    if entry.kind not in EDITABLE or file.parent.name == "semantic" or file.suffix.lower() in TABLES:
        raise KnowledgeError(f"It stands in {entry.origin!r}, which is changed in the file itself.")
    return entry


def said_of(folder: Path, document: Document) -> dict[str, Value]:
    """What a person can change of a document, by the names of its fields."""
    current = {field.name: getattr(document, field.name) for field in fields(document)}
    values = {
        name: current[name] or ("" if not isinstance(current[name], tuple) else ()) for name in EDITABLE[document.kind]
    }
    if isinstance(document, Note):  # a long section is several notes, and is changed whole
        section = _section(_text(folder / document.origin), document)
        values |= {"heading": section.heading, "body": section.body}
    return values


def draft_edit(folder: Path, id_: str, values: Mapping[str, Value], *, by: str, on: date) -> EntryDraft:
    """A change of an entry, not made yet.

    Args:
        folder: The knowledge folder.
        id_: The entry.
        values: What its fields shall say; fields that are not named stay.
        by: Who says it.
        on: The day.

    Raises:
        KnowledgeError: The entry is gone, its new name is taken, or it would not be read as it is said.
    """
    document = entry_of(folder, id_)
    file = folder / document.origin
    text = _text(file)
    now = said_of(folder, document)
    changed = {name: value for name, value in values.items() if value != now.get(name)}
    if not changed:
        return EntryDraft(file=file, before=text, after=text, was=id_, document=document, by=by, on=on)
    match document:
        case Term() | Metric() | VerifiedQuery():
            after = _yaml(text, document, changed, by=by, on=on)
        case Rule() | Note():
            after = _markdown(text, document, {**now, **changed}, signed=signature(by, on))
        case _:
            raise KnowledgeError(f"A {document.kind} is not changed here.")
    document_after = _read_again(folder, document, text, after)
    if isinstance(document_after, Term | Metric):
        refuse_taken(folder, document_after, besides=id_)
    return EntryDraft(file=file, before=text, after=after, was=id_, document=document_after, by=by, on=on)


def draft_removal(folder: Path, id_: str, *, by: str, on: date) -> EntryDraft:
    """The removal of an entry, not made yet. A file that holds nothing else is deleted.

    Raises:
        KnowledgeError: The entry is gone, or it stands in a file that is not changed here.
    """
    document = entry_of(folder, id_)
    file = folder / document.origin
    text = _text(file)
    if isinstance(document, Rule | Note):
        _, sections = split_sections(text, origin=document.origin)
        after = with_lines(text, *section_lines(text, sections, _section(text, document)), ()).lstrip("\n")
    else:
        alone = sum(sibling.origin == document.origin for sibling in read_folder(folder).documents) == 1
        after = "" if alone else without_item(text, item_of(text, _named(document)))
    return EntryDraft(file=file, before=text, after=after, was=id_, document=None, by=by, on=on)


def write(folder: Path, draft: EntryDraft) -> Path:
    """Apply a draft. Returns the file that it changed.

    Raises:
        KnowledgeError: The file was changed meanwhile, or cannot be written. Nothing changed.
    """
    if draft.after == draft.before:
        return draft.file
    if _text(draft.file) != draft.before:
        raise KnowledgeError(f"{draft.file.name!r} was changed by somebody else meanwhile. Open the entry again.")
    id_ = draft.document.id if draft.document is not None else draft.was
    fields_ = {
        "origin": draft.file.relative_to(folder).as_posix(),
        "by": draft.by,
        "on": draft.on,
        "removed": "yes" if draft.document is None else "",
        "was": draft.was,
        "after": _digest(draft.after),
        "before": draft.before,
    }
    try:
        write_file(_kept_before(folder, id_), format_fields(fields_), instead=True)
        if draft.after:
            write_file(draft.file, _as_ended(draft.file, draft.after), instead=True)
        else:
            draft.file.unlink()
    except OSError as error:
        raise KnowledgeError(
            f"The change could not be written to {str(draft.file)!r}: {error.strerror}. Make the folder writable."
        ) from error
    return draft.file


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """The last change of an entry, which can be taken back. `was` is the id that the entry had before it."""

    by: str
    on: date
    how: Literal["changed", "removed"]
    was: str


def last_change(folder: Path, id_: str) -> EntryChange | None:
    """The last change of an entry, if it can be taken back: nobody changed its file since."""
    edit = _read_before(folder, id_)
    if edit is None:
        return None
    file = folder / str(edit["origin"])
    now = _text(file) if file.exists() else ""
    if _digest(now) != edit["after"]:
        return None
    how = "removed" if edit.get("removed") else "changed"
    return EntryChange(by=str(edit["by"]), on=date.fromisoformat(str(edit["on"])), how=how, was=str(edit["was"]))


def take_back(folder: Path, id_: str) -> Path:
    """Make an entry's file what it was before the entry's last change. Gives the file.

    Raises:
        KnowledgeError: There is no such change, somebody changed the file since, or it cannot be written.
    """
    edit = _read_before(folder, id_)
    if edit is None or last_change(folder, id_) is None:
        raise KnowledgeError("That change cannot be taken back: its file was changed again since.")
    file = folder / str(edit["origin"])
    try:
        write_file(file, _as_ended(file, str(edit["before"])), instead=True)
        _kept_before(folder, id_).unlink()
    except OSError as error:
        raise KnowledgeError(f"{str(file)!r} could not be written: {error.strerror}.") from error
    return file


def _yaml(
    text: str, document: Term | Metric | VerifiedQuery, changed: Mapping[str, Value], *, by: str, on: date
) -> str:
    signed: dict[str, object] = {"author": by, "updated": on}
    if isinstance(document, VerifiedQuery):
        signed = {"verifier": by, "verified_on": on}  # who changes its SQL says that this one is right
    return with_fields(text, item_of(text, _named(document)), {**changed, **signed})


def _markdown(text: str, document: Rule | Note, values: Mapping[str, Value], *, signed: str) -> str:
    _, sections = split_sections(text, origin=document.origin)
    section = _section(text, document)
    start, end = section_lines(text, sections, section)
    heading = str(values["name" if isinstance(document, Rule) else "heading"]).strip()
    lines = [f"{'#' * section.level} {heading}", ""] if section.level else []
    if isinstance(document, Rule):
        lines += str(values["statement"]).strip().splitlines()
        if values["applies_to"]:
            lines += ["", f"Applies to: {', '.join(values['applies_to'])}"]
        if condition := str(values["condition"]).strip():
            lines += ["", *(["```sql", condition, "```"] if "\n" in condition else [f"Condition: `{condition}`"])]
    else:
        lines += str(values["body"]).strip().splitlines()
    after = with_lines(text, start, end, [*lines, "", signed])
    if len(split_sections(after, origin=document.origin)[1]) != len(sections):
        raise KnowledgeError("A line that begins with # would begin another entry. Write it otherwise.")
    return after


def _section(text: str, document: Document) -> MarkdownSection:
    """The section of a rule or a note.

    Raises:
        KnowledgeError: It is not there.
    """
    _, sections = split_sections(text, origin=document.origin)
    if isinstance(document, Rule):
        matches = [section for section in sections if section.level == 2 and section.heading == document.name]
    else:
        heading = getattr(document, "heading", "")
        matches = [
            section for path, section in with_paths(sections, PurePosixPath(document.origin).stem) if path == heading
        ]
    if len(matches) != 1:
        raise KnowledgeError("Several sections have this heading. Give each one its own, in the file.")
    return matches[0]


def _read_again(folder: Path, document: Document, before: str, after: str) -> Document:
    """The changed document as the changed file is read: it alone may be different.

    Raises:
        KnowledgeError: It cannot be read so, or something else would change.
    """
    file = folder / document.origin
    reader = reader_for(file)
    if reader is None:
        raise KnowledgeError(f"{document.origin!r} is not read.")
    old, new = reader(before, origin=document.origin), reader(after, origin=document.origin)
    if len(new.problems) > len(old.problems):
        raise KnowledgeError(new.problems[-1].message)
    removed, added = _without(old.documents, new.documents), _without(new.documents, old.documents)
    if any(not isinstance(document, Note) and len(part) > 1 for part in (removed, added)) or not added:
        raise KnowledgeError("Written so, it would not be read as one entry. Leave out headings and list signs.")
    entry = next((candidate for candidate in added if candidate.id == document.id), added[0])
    if entry.id != document.id and any(candidate.id == entry.id for candidate in read_folder(folder).documents):
        raise KnowledgeError(f"There is another {document.kind} of that name. Choose another name.")
    return entry


def _without(documents: Sequence[Document], excluded: Sequence[Document]) -> list[Document]:
    return [document for document in documents if document not in excluded]


def _named(document: Document) -> dict[str, str]:
    """What tells an entry from the others of its file."""
    match document:
        case VerifiedQuery():
            return {"question": document.question}
        case Term() | Metric():
            return {"name": document.name}
        case _:
            raise KnowledgeError(f"A {document.kind} is not changed here.")


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{file.name!r} cannot be read. Open the entry again.") from error


def _as_ended(file: Path, text: str) -> str:
    """A text with the line ends that the file has."""
    return text.replace("\n", "\r\n") if file.exists() and b"\r\n" in file.read_bytes() else text


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _kept_before(folder: Path, id_: str) -> Path:
    return file_of(folder, _BEFORE, f"{id_.partition(':')[0]}:{sha256(id_.encode()).hexdigest()[:16]}")


def _read_before(folder: Path, id_: str) -> dict[str, object] | None:
    try:
        edit = load_plain(_kept_before(folder, id_).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentMalformed):
        return None
    complete = isinstance(edit, dict) and {"origin", "by", "on", "was", "after", "before"} <= edit.keys()
    return edit if complete else None
