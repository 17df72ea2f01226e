"""Foreign keys that nobody declared are found by name, and only where a row is identified."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.catalog import Column, ForeignKey, Profile, Table, kind_of_type
from assistant.sources.catalog.keys import infer_keys


def table(name: str, *columns: str, key: str | None = None, rows: int = 10, unique: tuple[str, ...] = ()) -> Table:
    made = tuple(
        Column(
            name=column, type="INT", kind="integer", profile=Profile(distinct=rows if column in unique else 3, nulls=0)
        )
        for column in columns
    )
    return Table(name=name, columns=made, primary_key=(key,) if key else (), rows=rows)


def links(*tables: Table) -> set[str]:
    linked = infer_keys(tables, lambda _sql: (3, 3), quoted=str, place=lambda found: found.name)
    return {
        f"{one.name}.{key.columns[0]} -> {key.table}.{key.target_columns[0]}"
        for one in linked
        for key in one.foreign_keys
    }


def test_a_column_named_for_a_table_refers_to_its_key() -> None:
    customers = table("customers", "id", "name", key="id")
    assert links(customers, table("orders", "id", "customer_id", key="id")) == {"orders.customer_id -> customers.id"}
    assert links(customers, table("orders", "OrderId", "CustomerID", key="OrderId")) == {
        "orders.CustomerID -> customers.id"
    }
    assert links(customers, table("orders", "oid", "billing_customer_id", key="oid")) == {
        "orders.billing_customer_id -> customers.id"
    }


def test_a_column_with_the_keys_own_telling_name_refers_to_it() -> None:
    assert links(table("dim_product", "product_key", key="product_key"), table("fact_sales", "product_key", "n")) == {
        "fact_sales.product_key -> dim_product.product_key"
    }


def test_two_ids_are_no_link() -> None:
    assert links(table("a", "id", key="id"), table("b", "id", key="id")) == set()


def test_a_unique_column_serves_as_key_in_files() -> None:
    regions = table("regions", "region_id", "size", unique=("region_id",))
    assert links(regions, table("sales", "region_id", "size")) == {"sales.region_id -> regions.region_id"}


def test_what_tells_rows_apart_beside_a_declared_key_is_referred_to_as_well() -> None:
    clients = table("clients", "id", "client_number", "name", key="id", unique=("client_number",))
    assert links(clients, table("calls", "id", "client_number", key="id")) == {
        "calls.client_number -> clients.client_number"
    }


def test_a_table_with_one_row_for_each_of_another_does_not_take_its_keys_place() -> None:
    users = table("users", "user_id", "name", key="user_id")
    profiles = table("profiles", "id", "user_id", key="id", unique=("user_id",))
    assert links(users, profiles, table("logins", "id", "user_id", key="id")) == {
        "profiles.user_id -> users.user_id",
        "logins.user_id -> users.user_id",
    }


def test_a_key_declared_on_its_own_table_by_a_slip_is_found_where_it_leads() -> None:
    shows = table("shows", "show_id", "year", key="show_id")
    slip = ForeignKey(columns=("show_id",), table="singers", target_columns=("singer_id",))
    singers = replace(table("singers", "singer_id", "show_id", key="singer_id"), foreign_keys=(slip,))
    assert "singers.show_id -> shows.show_id" in links(shows, singers)


def test_a_key_to_its_own_table_stays_the_only_one() -> None:
    boss = ForeignKey(columns=("manager_id",), table="staff", target_columns=("staff_id",))
    staff = replace(table("staff", "staff_id", "manager_id", key="staff_id"), foreign_keys=(boss,))
    assert links(staff, table("teams", "team_id", key="team_id")) == {"staff.manager_id -> staff.staff_id"}


def numbers(name: str, low: int, high: int, distinct: int) -> Column:
    return Column(
        name=name, type="INT", kind="integer", profile=Profile(distinct=distinct, nulls=0, low=low, high=high)
    )


@pytest.mark.parametrize(
    ("column", "linked"),
    [
        (numbers("mentor", 1012, 8961, 18), True),
        (numbers("mentor", 1012, 8961, 2), False),  # two numbers are keys by chance often enough
        (numbers("mentor", 1012, 2200, 18), False),  # a small part of the range, as places and scores are
        (numbers("mentor", 900, 8961, 18), False),  # below every key
    ],
)
def test_numbers_drawn_from_keys_far_apart_refer_to_them(column: Column, linked: bool) -> None:
    key = numbers("lecturer_no", 1000, 9000, 58)
    lecturers = Table(name="lecturers", columns=(key,), primary_key=("lecturer_no",), rows=58)
    pupils = Table(name="pupils", columns=(column,), rows=400)
    assert links(lecturers, pupils) == ({"pupils.mentor -> lecturers.lecturer_no"} if linked else set())


def test_numbers_among_keys_without_gaps_say_nothing() -> None:
    lecturers = Table(name="lecturers", columns=(numbers("no", 1, 60, 60),), primary_key=("no",), rows=60)
    assert links(lecturers, Table(name="pupils", columns=(numbers("age", 16, 58, 30),), rows=400)) == set()


@pytest.mark.parametrize(
    ("column", "linked"),
    [
        (numbers("cap_parcel", 460, 2840, 10), False),  # a capacity
        (numbers("parcel", 1, 30, 30), False),  # a place in a row
        (numbers("last_parcel", 460, 13_400, 10), True),
        (numbers("last_parcel", 460, 2840, 2), True),  # two are too few to tell
        (numbers("cap_parcel_id", 460, 2840, 10), True),  # it says that it is a key
    ],
)
def test_numbers_that_are_all_low_among_the_keys_count_rather_than_refer(column: Column, linked: bool) -> None:
    parcels = Table(name="parcels", columns=(numbers("id", 1, 14_000, 14_000),), primary_key=("id",), rows=14_000)
    depots = Table(name="depots", columns=(numbers("id", 1, 10, 10), column), primary_key=("id",), rows=10)
    assert links(parcels, depots) == ({f"depots.{column.name} -> parcels.id"} if linked else set())


def test_what_the_values_contradict_is_no_link() -> None:
    tables = (table("customers", "id", key="id"), table("orders", "oid", "customer_id", key="oid"))
    assert all(
        not one.foreign_keys
        for one in infer_keys(tables, lambda _sql: (30, 3), quoted=str, place=lambda found: found.name)
    )


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("INTEGER", "integer"),
        ("NUMERIC(10,2)", "number"),
        ("DECIMAL(12)", "integer"),
        ("number", "number"),
        ("NVARCHAR(40)", "text"),
        ("TIMESTAMP WITH TIME ZONE", "datetime"),
        ("DATE", "date"),
        ("TIME", "time"),
        ("BOOLEAN", "boolean"),
        ("BLOB SUB_TYPE TEXT", "text"),
        ("BYTEA", "binary"),
        ("INTEGER[]", "other"),
        ("STRUCT(a INTEGER)", "other"),
        ("DOUBLE PRECISION", "number"),
        ("BIGINT", "integer"),
        ("", "other"),
        ("INTERVAL", "duration"),
        ("INTERVAL DAY TO SECOND", "duration"),
        ("ENUM('update', 'insert')", "text"),
        ("INT4RANGE", "other"),
        ("VARCHAR[]", "other"),
        ("DECIMAL(10, 2)[]", "other"),
        ("TIMESTAMP_NS", "datetime"),
        ("Nullable(Decimal(10, 2))", "number"),
        ("LowCardinality(Nullable(String))", "text"),
        ("DateTime64(3, 'Europe/Berlin')", "datetime"),
        ("UInt64", "integer"),
        ("Array(UInt64)", "other"),
    ],
)
def test_types_have_kinds(type_name: str, kind: str) -> None:
    assert kind_of_type(type_name) == kind


def test_who_serves_a_customer_is_an_employee() -> None:
    employees = table("employees", "employee_id", "age", key="employee_id")
    customers = table("customers", "id", "SupportRepId", key="id")
    assert links(employees, customers) == {"customers.SupportRepId -> employees.employee_id"}
    tickets = table("tickets", "id", "assigned_to", key="id")
    assert links(employees, tickets) == {"tickets.assigned_to -> employees.employee_id"}
    assert links(employees, table("staff", "id", key="id"), customers) == set()  # one of two: nobody can tell


def test_a_manager_is_another_employee() -> None:
    employees = table("employees", "employee_id", "manager_id", key="employee_id")
    linked = {"employees.manager_id -> employees.employee_id", "departments.manager_id -> employees.employee_id"}
    assert links(employees, table("departments", "id", "manager_id", key="id")) == linked
    assert links(table("staff", "id", "ReportsTo", key="id")) == {"staff.ReportsTo -> staff.id"}
    assert links(table("departments", "id", "manager_id", key="id")) == set()
    assert links(table("categories", "id", "parent_id", key="id")) == {"categories.parent_id -> categories.id"}


def test_a_superior_of_several_rows_is_another_row() -> None:
    drivers = table("drv", "drv_id", "mgr_id", key="drv_id")
    seldom = Profile(distinct=3, nulls=1)
    ranked = replace(drivers, columns=tuple(replace(column, profile=seldom) for column in drivers.columns))
    assert links(ranked) == {"drv.mgr_id -> drv.drv_id"}
    assert links(replace(ranked, rows=5)) == set()  # one for each row: who leads it is no such row
    assert links(drivers) == set()  # nobody is at the top


def test_who_sends_and_who_receives_is_one_of_the_people() -> None:
    accounts, staff = table("accounts", "id", "age", key="id"), table("desks", "id", key="id")
    parcels = table("parcels", "nr", "sender_id", "recipient_id", key="nr")
    linked = {"parcels.sender_id -> accounts.id", "parcels.recipient_id -> accounts.id"}
    assert links(accounts, staff, parcels) == linked


# --- files and databases that declare no keys ---


def file(name: str, *columns: Column, rows: int) -> Table:
    return Table(name=name, columns=columns, rows=rows)


def texts(name: str, *values: str, repeated: bool = False) -> Column:
    held = Profile(distinct=len(values) - repeated, nulls=0, values=tuple(sorted(values)))
    return Column(name=name, type="TEXT", kind="text", profile=held)


def test_the_same_number_in_two_files_leads_to_the_one_it_is_named_for() -> None:
    students = table("students", "stu_no", "house", unique=("stu_no",))
    lockers = table("lockers", "locker_id", "stu_no", unique=("locker_id", "stu_no"))
    prizes = table("prizes", "stu_no", "year")
    assert links(lockers, prizes, students) == {
        "lockers.stu_no -> students.stu_no",
        "prizes.stu_no -> students.stu_no",
    }


def test_the_same_number_in_two_files_leads_to_the_larger_where_no_name_tells() -> None:
    persons = table("persons", "ssn_no", "born", rows=40, unique=("ssn_no",))
    pilots = table("pilots", "ssn_no", "hours", rows=8, unique=("ssn_no",))
    assert links(pilots, persons) == {"pilots.ssn_no -> persons.ssn_no"}


def test_abbreviations_and_roles_name_a_table() -> None:
    customers = table("customers", "id", "age", unique=("id",))
    assert links(customers, table("visits", "n", "cust_id")) == {"visits.cust_id -> customers.id"}
    assert links(customers, table("visits", "n", "referring_customer")) == {"visits.referring_customer -> customers.id"}
    assert links(customers, table("visits", "n", "number_customer")) == set()  # a count of them
    assert links(customers, table("visits", "n", "crate_no")) == set()


def test_the_last_word_of_a_tables_name_names_it() -> None:
    ships = table("hbShip", "shId", "age", unique=("shId",))
    assert links(ships, table("hbCall", "cl_ShipId", "n")) == {"hbCall.cl_ShipId -> hbShip.shId"}


def test_a_key_that_occurs_once_refers_all_the_same() -> None:
    halls = table("halls", "id", "seats", unique=("id",))
    addresses = table("addresses", "hall_id", "zip", rows=8, unique=("hall_id",))
    assert links(halls, addresses) == {"addresses.hall_id -> halls.id"}


def test_short_numbers_run_together_are_keys() -> None:
    planes = table("planes", "pid", "seats", unique=("pid",))
    assert links(planes, table("flights", "flight_no", "pid")) == {"flights.pid -> planes.pid"}


def test_texts_that_are_all_another_files_keys_refer_to_it() -> None:
    states = file("states", texts("state_name", "Bremen", "Hessen", "Saarland", "Berlin"), rows=4)
    rivers = file(
        "rivers", texts("river", "Weser", "Main", "Saar"), texts("traverses", "Bremen", "Hessen", "Berlin"), rows=3
    )
    assert links(states, rivers) == {"rivers.traverses -> states.state_name"}
    other = file("rivers", texts("river", "Weser", "Main"), texts("traverses", "Bremen", "Hessen", "Texas"), rows=3)
    assert links(states, other) == set()
    codes = file("codes", texts("code", "a", "b", "c", "d"), rows=4)
    assert (
        links(codes, file("marks", texts("mark", "a", "b", "c", repeated=True), rows=9)) == set()
    )  # too short to tell


def test_a_column_named_for_its_own_table_is_no_link() -> None:
    rounds = table("rounds", "member_id", "round_id", unique=("member_id",))
    assert links(rounds) == set()
