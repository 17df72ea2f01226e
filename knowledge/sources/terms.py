"""Terms that a person defined in prose (`terms/*.yaml`): stored, changed and removed here.

Each is a file of its own, so that a revision history shows who defined it. A file that a person wrote is never changed.
"""

from __future__ import annotations

from pathlib import Path

from knowledge.documents import Metric, Term, slug
from knowledge.errors import KnowledgeError
from knowledge.sources.file_writer import file_of, format_fields, write_file
from knowledge.sources.folder import read_folder

_SUBFOLDER = "terms"


def keep_term(folder: Path, term: Term, *, instead_of: str = "") -> Path:
    """Write a term into the knowledge folder, in the place of another where one is named.

    Args:
        folder: The knowledge folder; it is made where it is not there.
        term: What to keep.
        instead_of: The id of the term that it replaces, which `keep_term` wrote.

    Returns:
        The file that holds it.

    Raises:
        KnowledgeError: One of its words is defined already, what it replaces is gone or was written by hand, or the
            folder cannot be written.
    """
    before = _kept(folder, instead_of) if instead_of else None
    refuse_taken(folder, term, besides=instead_of)
    place = _place(folder, term)
    try:
        write_file(place, _written(term), instead=before is not None and _place(folder, before) == place)
        if before is not None and _place(folder, before) != place:
            _place(folder, before).unlink()
    except FileExistsError as error:
        raise KnowledgeError(f"{str(place)!r} is in the way. Fix or move the file, then define it again.") from error
    except OSError as error:
        raise KnowledgeError(
            f"The definition could not be kept in {str(place)!r}: {error.strerror}. Make the folder writable."
        ) from error
    return place


def is_kept(folder: Path, term: Term) -> bool:
    """Whether a term that was read stands in a file just as `keep_term` wrote it, which no person has edited."""
    place = _place(folder, term)
    try:
        return folder / term.origin == place and place.read_text(encoding="utf-8") == _written(term)
    except (OSError, UnicodeDecodeError):
        return False


def remove_term(folder: Path, id_: str) -> Path:
    """Remove a term that `keep_term` wrote and nobody has edited since. Gives the file in which it stood.

    Raises:
        KnowledgeError: A person wrote or edited its file, it is gone, or it cannot be removed.
    """
    place = _place(folder, _kept(folder, id_))
    try:
        place.unlink()
    except OSError as error:
        raise KnowledgeError(f"{str(place)!r} could not be removed: {error.strerror}.") from error
    return place


def remove_term_file(file: Path) -> None:
    """Remove the term that `keep_term` wrote into a file; nothing happens where it is gone.

    Raises:
        KnowledgeError: As `remove_term`.
    """
    folder = file.parent.parent
    terms = (document for document in read_folder(folder).documents if isinstance(document, Term))
    if (term := next((term for term in terms if folder / term.origin == file), None)) is not None:
        remove_term(folder, term.id)


def _kept(folder: Path, id_: str) -> Term:
    """The term of that id, which is Tandem's to change.

    Raises:
        KnowledgeError: It is not.
    """
    term = next((d for d in read_folder(folder).documents if isinstance(d, Term) and d.id == id_), None)
    if term is None:
        raise KnowledgeError("This definition is not there any more: somebody removed or renamed it.")
    if not is_kept(folder, term):
        raise KnowledgeError(f"{term.name!r} was written or edited by hand in {term.origin!r}; change it there.")
    return term


def refuse_taken(folder: Path, term: Term | Metric, *, besides: str) -> None:
    """Refuse a word that means something already: only a person can say which of the two is right.

    Raises:
        KnowledgeError: One of its words is taken.
    """
    words = {slug(name): name for name in (term.name, *term.synonyms)}
    documents = read_folder(folder).documents if folder.is_dir() else ()
    for document in documents:
        if not isinstance(document, Term | Metric) or document.id == besides:
            continue
        for name in (document.name, *document.synonyms):
            if (existing := words.get(slug(name))) is not None:
                also = "" if slug(name) == slug(document.name) else f" (as another word for {document.name!r})"
                raise KnowledgeError(
                    f"{existing!r} is defined already, in {document.origin!r}{also}. "
                    "Change it there, or choose another word."
                )


def _written(term: Term) -> str:
    return format_fields(
        {
            "name": term.name,
            "synonyms": list(term.synonyms),
            "definition": term.definition,
            "author": term.author,
            "updated": term.updated,
            "source": term.source,
        }
    )


def _place(folder: Path, term: Term) -> Path:
    return file_of(folder, _SUBFOLDER, term.id)
