"""Foreign keys that nobody declared: found by names, or by values that cannot be a key's by chance.

Either is confirmed by the values where there are any. A key found by names may miss a few rows, which is a doubt.
Only single columns are considered, and only targets that identify a row (`identity`). The caller asks the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.core.catalog import Column, ForeignKey, Table
from assistant.core.doubts import Correction, Doubt
from assistant.sources.catalog.declared import (
    ORPHANS_MAX,
    ROWS_TESTED_MAX,
    Count,
    DeclaredKey,
    count_matches_sql,
)
from assistant.sources.catalog.identity import (
    KEY_ENDINGS,
    abbreviates,
    alike,
    identifiers,
    is_like_key,
    is_telling,
    named_in,
    names_of,
    singular,
    split_words,
    strip_prefix,
    tells,
)
from assistant.sources.catalog.inclusion import Inclusion, KeyCandidates, is_too_low

_AT_WORK = frozenset(
    [
        "manager",
        "mgr",
        "supervisor",
        "boss",
        "superior",
        "rep",
        "representative",
        "agent",
        "clerk",
        "salesperson",
        "seller",
        "assignee",
        "handler",
    ]
)
"""Words for people by what they do in a firm; whatever a table of its people is called, they are among them."""
_SUPERIORS = frozenset(("manager", "mgr", "supervisor", "boss", "superior"))
_TO_WHOM = (["reports", "to"], ["report", "to"], ["assigned", "to"], ["handled", "by"], ["managed", "by"])
_PEOPLE = ("employee", "staff", "person", "people", "worker", "personnel", "user", "member")
_IN_DEEDS = frozenset(
    [
        "sender",
        "receiver",
        "recipient",
        "owner",
        "creator",
        "author",
        "reviewer",
        "approver",
        "requester",
        "requestor",
        "follower",
        "followee",
        "poster",
        "uploader",
        "inviter",
        "invitee",
        "referrer",
        "buyer",
        "seller",
        "caller",
        "callee",
        "payer",
        "payee",
        "borrower",
        "lender",
        "host",
        "guest",
    ]
)
"""Words for people by what they do with one another, whoever they are."""
_ANYBODY = (*_PEOPLE, "customer", "client", "account", "subscriber", "participant", "profile", "student", "patient")
_TARGETS_MAX = 3
_VALUES_TESTED_MAX = 1_000
_VALUES_MIN = 10
"""So many different values must a column have before a few of them may be no keys."""
_NAME_OF_TABLE = 3
_ABBREVIATED = 2
_IN_A_ROLE = 3
"""The fit of `billing_customer_id` and `parent_category_id`: a key with words before it."""
_COUNTS = frozenset(("number", "num", "no", "count", "total", "max", "min", "avg", "average", "per"))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyCandidate:
    """A column that may refer to another table's key, by its name or by its values alone."""

    table: Table
    column: Column
    target: Table
    target_column: Column
    is_named: bool = True

    @property
    def key(self) -> DeclaredKey:
        """The key that it would be."""
        columns, target_columns = (self.column.name,), (self.target_column.name,)
        return DeclaredKey(
            table=self.table,
            key=ForeignKey(
                columns=columns,
                table=self.target.name,
                schema=self.target.schema,
                target_columns=target_columns,
                inferred=True,
            ),
            target=self.target,
        )


def find_candidates(tables: tuple[Table, ...]) -> Iterator[KeyCandidate]:
    """Pairs whose names fit, the best target of each column first; then those whose numbers fit.

    A column with a declared foreign key is left alone, and so is what identifies its own table's rows unless another
    table has the better claim to the name. A key declared to refer to its own table is not believed where another
    table's key has the column's name: such declarations are slips.
    """
    key_columns = {id(table): identifiers(table) for table in tables}
    keys = _by_name(tables, key_columns)
    inclusion = Inclusion.of(tables, key_columns)
    key_names = {(id(table), key.name.casefold()) for same_name in keys.values() for table, key in same_name}
    for table in tables:
        if table.is_view:
            continue
        declared = {
            name.casefold()
            for key in table.usable_keys
            for name in key.columns
            if key.table != table.name or not any(n == name.casefold() and t != id(table) for t, n in key_names)
        }
        own = key_columns[id(table)]
        for column in table.columns:
            if column.name.casefold() in declared:
                continue
            ranked = sorted(
                (
                    (fit, _claim(target, key), target.name, target, key)
                    for target, key in _nearby(keys, column)
                    if target is not table or column is not key
                    if (fit := _fit(column, target, key)) and (target is not table or fit == _IN_A_ROLE)
                    if column not in own or _rather(table, column, target, key, own[0])
                ),
                key=lambda item: item[:3],
            )
            found_by_name = [(target, key) for *_, target, key in ranked[:_TARGETS_MAX]]
            at_work = _at_work(table, column, tables, key_columns)
            by_values = () if column in own else inclusion.targets(table, column)
            for target, key in (*found_by_name, *at_work):
                yield KeyCandidate(table=table, column=column, target=target, target_column=key)
            for target, key in by_values:
                yield KeyCandidate(table=table, column=column, target=target, target_column=key, is_named=False)


def infer_keys(
    tables: tuple[Table, ...], count: Count, *, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> tuple[Table, ...]:
    """The tables with the foreign keys found for them added.

    Args:
        tables: All tables of a source, profiled.
        count: Asks the engine.
        quoted: A name as SQL.
        place: A table as SQL.
    """
    keys: dict[tuple[str | None, str, str], ForeignKey] = {}
    for candidate in find_candidates(tables):
        column = (candidate.table.schema, candidate.table.name, candidate.column.name)
        if column in keys and keys[column].strays is None:
            continue
        matches = count(count_matches_sql(candidate.key, quoted=quoted, place=place, values_max=_VALUES_TESTED_MAX))
        if matches is None:
            continue
        if matches[0] == matches[1]:
            keys[column] = candidate.key.key
        elif column not in keys and candidate.is_named and _may_match(*matches):
            rows = count(count_matches_sql(candidate.key, quoted=quoted, place=place))
            if rows is not None and rows[0] - rows[1] <= ORPHANS_MAX * rows[0]:
                keys[column] = replace(candidate.key.key, strays=rows[0] - rows[1])
    return tuple(
        replace(
            table,
            foreign_keys=(
                *table.foreign_keys,
                *(key for place_of, key in keys.items() if place_of[:2] == (table.schema, table.name)),
            ),
        )
        for table in tables
    )


def _may_match(values: int, matches: int) -> bool:
    """Whether so many of the different values are keys that the others rather miss their row; rows tell the rest."""
    return values >= _VALUES_MIN and 2 * matches >= values


def inferred_doubts(tables: Sequence[Table]) -> Iterator[Doubt]:
    """The inferred keys of which some rows refer to nothing."""
    for table in tables:
        for key in table.usable_keys:
            if not key.inferred or not key.strays:
                continue
            (column,), (target_column,) = key.columns, key.target_columns
            own = table.column(column)
            profile = own.profile if own is not None else None
            rows = min((table.rows or 0) - (profile.nulls if profile is not None else 0), ROWS_TESTED_MAX)
            matching = f"{1 - key.strays / rows:.1%}".replace(".0%", "%") if rows > 0 else "most"
            of = f"the first {ROWS_TESTED_MAX:,}" if rows == ROWS_TESTED_MAX else f"{rows:,}"
            yield Doubt(
                kind="inferred_key",
                table=table.name,
                columns=key.columns,
                chosen=f"{table.name}.{column} is taken to refer to {key.table}.{target_column}: {matching} of {of} "
                f"rows match, {key.strays:,} {'refers' if key.strays == 1 else 'refer'} to no row of {key.table}.",
                rival=f"If it does not, set the role of {column} to “identifier” on the data page.",
                rows=key.strays,
                share=key.strays / table.rows if table.rows else None,
                correction=Correction(setting="role", value={column: "identifier"}),
            )


_Keys = dict[str, list[tuple[Table, Column]]]


def _by_name(tables: tuple[Table, ...], key_columns: KeyCandidates) -> _Keys:
    """Tables with their keys, under each name by which `_fit` could know them: comparing all pairs takes too long."""
    keys: _Keys = {}
    for table in tables:
        for place, key in enumerate(key_columns[id(table)]):
            names = {*names_of(table), singular(split_words(table.name)[-1])} if place == 0 else set[str]()
            if tells(key, table):
                names.add("".join(split_words(key.name)))
            elif place == 0:
                names |= {_short(word) for word in names_of(table)}
            for name in names:
                keys.setdefault(name, []).append((table, key))
    return keys


def _short(name: str) -> str:
    """Under what the abbreviations of a name are found: its first letter."""
    return f"{name[0]}…"


def _nearby(keys: _Keys, column: Column) -> list[tuple[Table, Column]]:
    """The keys that a column's name may mean: by all its words, the last ones, all but the last, the one before it."""
    parts = split_words(column.name)
    names = {"".join(parts[start:]) for start in range(len(parts))} | {"".join(parts[:-1]), *parts[-2:-1]}
    if parts[-1] in KEY_ENDINGS and len(parts) > 1:
        names.add(_short(parts[0]))
    places = [place for name in sorted(names) for place in keys.get(name, ())]
    return list({(id(table), key.name): (table, key) for table, key in places}.values())


def _claim(target: Table, key: Column) -> tuple[int, bool, int]:
    """Which of several tables with such a key is its home, least first: named for it, led by it, the larger."""
    return (-named_in(key.name, target), key is not target.columns[0], -(target.rows or 0))


def _rather(table: Table, column: Column, target: Table, key: Column, own: Column) -> bool:
    """Whether what tells a table's rows apart is rather another table's key: `student_id` in a table of advisers."""
    if not is_telling(key.name) and "".join(split_words(column.name)[:-1]) in names_of(target):
        return column is not own or not named_in(column.name, table)  # restaurant_id, where each has one address
    if not is_telling(key.name) or split_words(column.name) != split_words(key.name):
        return column is not own
    own_claim, target_claim = _claim(table, column), _claim(target, key)
    if column.name in table.primary_key or target_claim[0] != own_claim[0]:
        return target_claim[0] < own_claim[0] and named_in(column.name, table) < _NAME_OF_TABLE
    return target_claim < own_claim


def _fit(column: Column, target: Table, key: Column) -> int:
    """0 for no fit, else a rank, best first: named for the target and its key, the target alone, the key alone."""
    if not alike(column, key):
        return 0
    parts, of_key, names = split_words(column.name), split_words(key.name), names_of(target)
    compact, telling, ends = "".join(parts), tells(key, target), parts[-1] in KEY_ENDINGS
    if ends and "".join(parts[:-1]) in names and is_like_key(key.name):
        return 1
    if telling and compact == "".join(of_key):
        return 2 if named_in(key.name, target) >= _ABBREVIATED else 4
    if telling and len(parts) > len(of_key) and parts[-len(of_key) :] == of_key:
        return _IN_A_ROLE  # billing_customer_id
    if ends and len(parts) > 2 and parts[-2] in names and is_like_key(key.name):
        return _IN_A_ROLE  # home_team_id to team.id
    is_counted = not ends and is_too_low(column, key)
    if compact in names and len(compact) > 2 and not is_counted:
        return _IN_A_ROLE + 1  # team
    if ends and not telling and any(abbreviates("".join(parts[:-1]), name) for name in names):
        return 5 if len("".join(parts[:-1])) > _ABBREVIATED else 0  # cust_id to customers.id
    role_of_table = len(parts) > 1 and parts[-1] in names and not _COUNTS & set(parts) and not is_counted
    if role_of_table:
        return 6  # host_city to city.city_id
    of_name = split_words(target.name)
    kind_of_table = ends and len(parts) > 1 and len(of_name) > 1 and parts[-2] == singular(of_name[-1])
    return 7 if kind_of_table and is_like_key(key.name) else 0  # buyer_account_id to bank_accounts.acc_id


def _is_ranked(table: Table, column: Column, column_words: list[str]) -> bool:
    """Whether a superior is another row of a table that is not known for people: one for several, for somebody none."""
    profile = column.profile
    is_superior = column_words in _TO_WHOM or (column_words and column_words[-1] in _SUPERIORS)
    return bool(is_superior and profile and profile.nulls and 2 * profile.distinct <= (table.rows or 0))


def _at_work(
    table: Table, column: Column, tables: tuple[Table, ...], key_columns: KeyCandidates
) -> list[tuple[Table, Column]]:
    """Whom a manager's or a sender's column refers to: a row of its own table of people, or of the only one there is.

    A parent is another row of the same table.
    """
    found_words = [word for word in split_words(column.name) if word not in KEY_ENDINGS]
    if found_words == ["parent"]:
        targets = [table]
    elif found_words in _TO_WHOM or (found_words and found_words[-1] in _AT_WORK | _IN_DEEDS):
        whoever = _ANYBODY if found_words[-1] in _IN_DEEDS else _PEOPLE
        people = [t for t in tables if not t.is_view and singular(strip_prefix(t.name)) in whoever]
        targets = [table] if table in people or (not people and _is_ranked(table, column, found_words)) else people
    else:
        return []
    if len(targets) != 1:
        return []
    key = next(iter(key_columns[id(targets[0])]), None)
    return [(targets[0], key)] if key is not None and key is not column and alike(column, key) else []
