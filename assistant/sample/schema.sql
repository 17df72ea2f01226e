-- The sample company: a furnishing retailer. Amounts are in EUR, dates are ISO text (YYYY-MM-DD).

CREATE TABLE regions (
    region_id INTEGER PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE,
    manager   TEXT NOT NULL
);

CREATE TABLE stores (
    store_id      INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    city          TEXT    NOT NULL,
    region_id     INTEGER NOT NULL REFERENCES regions (region_id),
    floor_area_m2 INTEGER NOT NULL CHECK (floor_area_m2 > 0),
    opened_date   DATE    NOT NULL,
    closed_date   DATE                 -- NULL: the store is open
);

CREATE TABLE customers (
    customer_id         INTEGER PRIMARY KEY,
    name                TEXT    NOT NULL,
    email               TEXT,          -- NULL: never given
    segment             TEXT    NOT NULL CHECK (segment IN ('consumer', 'small business', 'corporate')),
    city                TEXT    NOT NULL,
    region_id           INTEGER NOT NULL REFERENCES regions (region_id),
    signup_date         DATE    NOT NULL,
    first_purchase_date DATE,          -- NULL: never bought anything; cancelled orders do not count
    last_purchase_date  DATE           -- likewise
);

CREATE TABLE categories (
    category_id INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    department  TEXT NOT NULL
);

CREATE TABLE products (
    product_id        INTEGER PRIMARY KEY,
    name              TEXT    NOT NULL UNIQUE,
    category_id       INTEGER NOT NULL REFERENCES categories (category_id),
    list_price        REAL    NOT NULL CHECK (list_price > 0),
    unit_cost         REAL    NOT NULL CHECK (unit_cost > 0),
    launch_date       DATE    NOT NULL,
    discontinued_date DATE             -- NULL: still sold
);

CREATE TABLE orders (
    order_id    INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    region_id   INTEGER NOT NULL REFERENCES regions (region_id),
    store_id    INTEGER REFERENCES stores (store_id),  -- NULL: not bought in a store
    channel     TEXT    NOT NULL CHECK (channel IN ('store', 'online', 'phone')),
    order_date  DATE    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('completed', 'shipped', 'cancelled'))
);

CREATE TABLE order_lines (
    order_line_id     INTEGER PRIMARY KEY,
    order_id          INTEGER NOT NULL REFERENCES orders (order_id),
    product_id        INTEGER NOT NULL REFERENCES products (product_id),
    quantity          INTEGER NOT NULL CHECK (quantity > 0),
    unit_price        REAL    NOT NULL CHECK (unit_price > 0),
    discount          REAL    NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1),  -- a share: 0.1 is 10 %
    returned_quantity INTEGER NOT NULL DEFAULT 0,
    refunded          REAL    NOT NULL DEFAULT 0,
    UNIQUE (order_id, product_id)
);

CREATE TABLE returns (
    return_id     INTEGER PRIMARY KEY,
    order_line_id INTEGER NOT NULL UNIQUE REFERENCES order_lines (order_line_id),
    return_date   DATE    NOT NULL,
    quantity      INTEGER NOT NULL CHECK (quantity > 0),
    reason        TEXT,                -- NULL: not stated
    refund_amount REAL    NOT NULL
);

CREATE TABLE marketing_spend (
    spend_id    INTEGER PRIMARY KEY,
    spend_month DATE    NOT NULL,      -- the first day of the month
    region_id   INTEGER NOT NULL REFERENCES regions (region_id),
    channel     TEXT    NOT NULL CHECK (channel IN ('search', 'social', 'email', 'print', 'radio')),
    amount      REAL    NOT NULL,
    UNIQUE (spend_month, region_id, channel)
);

CREATE TABLE support_tickets (
    ticket_id    INTEGER PRIMARY KEY,
    customer_id  INTEGER NOT NULL REFERENCES customers (customer_id),
    opened_date  DATE    NOT NULL,
    closed_date  DATE,                 -- NULL: not closed yet
    priority     TEXT    NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
    status       TEXT    NOT NULL CHECK (status IN ('open', 'waiting', 'closed')),
    topic        TEXT    NOT NULL,
    satisfaction INTEGER CHECK (satisfaction BETWEEN 1 AND 5)  -- NULL: not rated
);
