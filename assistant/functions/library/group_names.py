"""Group spellings of the same name."""

import re
import unicodedata

import pandas as pd
from rapidfuzz.distance import JaroWinkler


def group_names(names: pd.Series, likeness_min: float = 0.93) -> pd.DataFrame:
    """Find names that differ in case, accents, punctuation, order of words or a few letters.

    Names with different figures ("Store 1", "Store 2") are never the same. The spelling that stands most often is the
    group's; look at `likeness` before you replace anything.

    Args:
        names: as they were written, one for each row; missing ones are left out.
        likeness_min: Jaro-Winkler similarity, from 0 to 1, from which two names are the same.

    Returns:
        A row for each spelling that is not its group's: `name`, `group`, `rows` (how often it stands), `likeness`;
        the least alike first.

    Raises:
        ValueError: `likeness_min` is not between 0 and 1.
    """
    if not 0 < likeness_min <= 1:
        raise ValueError(f"likeness_min must be between 0 and 1, not {likeness_min}.")
    counts = names.dropna().astype(str).value_counts().sort_index().sort_values(ascending=False, kind="stable")
    groups: list[tuple[str, str]] = []
    rows: list[tuple[str, str, int, float]] = []
    for name, n in counts.items():
        key = normal_form(str(name))
        best, group = max(((_likeness(key, form), label) for form, label in groups), default=(0.0, ""))
        if best >= likeness_min:
            rows.append((str(name), group, int(n), best))
        else:
            groups.append((key, str(name)))
    table = pd.DataFrame(rows, columns=["name", "group", "rows", "likeness"])
    return table.sort_values(["likeness", "name"], ignore_index=True)


def normal_form(name: str) -> str:
    """Lower case, without accents and punctuation, its words in order of the alphabet."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return " ".join(sorted(re.findall(r"\w+", plain)))


def _likeness(first: str, second: str) -> float:
    if re.findall(r"\d+", first) != re.findall(r"\d+", second):
        return 0.0
    return JaroWinkler.normalized_similarity(first, second)
