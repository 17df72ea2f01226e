--- duckdb pass
SELECT net(1) AS x
--- duckdb refuse: leak() is not one of the database's own functions, and may read any table; a person can say in the setting `functions_without_tables` that it reads none
SELECT leak(1) AS x
--- duckdb pass
SELECT id FROM people
--- duckdb refuse: 'shouted' is a view; name its masked columns in the setting `mask`, too
SELECT id FROM shouted
--- duckdb pass id
SELECT id FROM contact
--- duckdb pass id reach•
SELECT * FROM contact
--- duckdb pass n
SELECT count(reach) AS n FROM contact
--- duckdb refuse: the rows of 'elsewhere' are those of something else; name its masked columns, too
SELECT id FROM elsewhere
--- duckdb refuse: 'unknown' is not in the catalog
SELECT id FROM unknown
--- duckdb pass
WITH unknown AS (SELECT 1 AS id) SELECT id FROM unknown
--- duckdb refuse: 'unknown' is not in the catalog
WITH unknown AS (SELECT 1 AS id) SELECT id FROM main.unknown
--- duckdb pass id
WITH x AS (SELECT id FROM customer), customer AS (SELECT 1 AS id) SELECT id FROM customer
--- duckdb pass
SELECT generate_series FROM generate_series(1, 3)
--- duckdb refuse: a * is left that cannot be written out
SELECT * FROM range(3), customer
--- duckdb refuse: read_csv() is not one of the database's own functions, and may read any table; a person can say in the setting `functions_without_tables` that it reads none
SELECT * FROM read_csv('x.csv')
--- duckdb pass
SELECT * FROM unnest([1]) AS t(x)
--- duckdb refuse: duckdb_columns() may tell about any table
SELECT * FROM duckdb_columns()
--- duckdb pass
SELECT amount FROM sale
--- duckdb pass
SELECT upper(email) AS e FROM sale
--- postgres refuse: s.leak is no column that the catalog knows
SELECT s.leak FROM sale s
--- postgres pass
SELECT s.amount, s.ctid, s.* FROM sale s
--- postgres pass
SELECT q.leak FROM (SELECT id FROM sale) AS q
--- postgres refuse: s.leak is no column that the catalog knows
SELECT q.id FROM (SELECT id FROM sale) AS q JOIN sale AS s ON s.leak = q.id
--- postgres refuse: (s.amount).leak reaches into a value
SELECT (s.amount).leak FROM sale s
--- sqlite pass
SELECT s.leak FROM sale s
--- postgres refuse: enum_range() tells what a type or a definition holds, which may be values of a masked column
SELECT enum_range(NULL::mood)
--- postgres refuse: pg_get_viewdef() tells what a type or a definition holds, which may be values of a masked column
SELECT pg_get_viewdef('contact')
--- postgres refuse: the type mood is not one of the database's own, and may tell values of a masked column
SELECT 'a'::mood
--- postgres refuse: the type citext is not one of the database's own, and may tell values of a masked column
SELECT 'a'::citext, '1'::inet FROM sale
--- postgres pass id
SELECT id FROM customer WHERE email IS NOT NULL
--- postgres pass x n
SELECT email IS NULL AS x, count(email) AS n FROM customer GROUP BY id
--- postgres refuse: The column 'email' is masked
SELECT NULL IS email AS x FROM customer
--- postgres refuse: The column 'email' is masked
SELECT count(id, email) AS n FROM customer
--- postgres pass n
SELECT count(DISTINCT email) AS n FROM customer AS c LIMIT 1
--- postgres refuse: The column 'email' is masked
SELECT count(DISTINCT email) AS n FROM customer OFFSET 1
--- postgres refuse: The column 'email' is masked
SELECT count(DISTINCT email) AS n FROM customer TABLESAMPLE SYSTEM (10)
--- postgres refuse: The column 'email' is masked
SELECT count(DISTINCT email) AS n FROM ONLY customer
--- postgres refuse: it cannot be read as a SELECT
SELECT count(DISTINCT ON (id) email) AS n FROM customer
--- postgres refuse: The column 'email' is masked
SELECT 1 + count(DISTINCT email) AS n FROM customer
--- postgres pass id
SELECT DISTINCT id FROM customer
--- postgres refuse: DISTINCT compares the values of a masked column
SELECT DISTINCT email FROM customer
--- postgres pass id email•
SELECT id, email FROM customer ORDER BY id, 1
--- postgres refuse: The column 'email' is masked
SELECT id, email FROM customer ORDER BY id, 2
--- postgres refuse: Unknown output column: 3
SELECT id, email FROM customer ORDER BY 3
--- postgres pass a email•
SELECT id AS a, email FROM customer ORDER BY a
--- postgres pass a email•
SELECT id AS a, email FROM customer WHERE a > 1
--- postgres pass a email•
SELECT id + 1 AS a, email FROM customer GROUP BY a + 1
--- postgres refuse: 'email' is the name of a masked column; give the other another name
SELECT name AS email FROM customer
--- postgres pass email•
SELECT email AS email FROM customer
--- postgres refuse: 'reach' is the name of a masked column; give the other another name
SELECT 1 AS reach FROM (SELECT reach FROM contact) AS q
--- postgres refuse: 'email' is the name of a masked column; give the other another name
SELECT (SELECT 1 AS email FROM sale LIMIT 1) AS x FROM customer
--- postgres pass id x email•
SELECT id, (SELECT max(s.amount) FROM sale s WHERE s.customer_id = c.id) AS x, c.email FROM customer c
--- postgres pass id
SELECT id FROM customer UNION ALL SELECT id FROM sale
--- postgres pass id
SELECT id FROM customer UNION SELECT id FROM sale
--- postgres pass id•
SELECT id FROM sale UNION ALL SELECT email FROM customer
--- postgres pass email•
SELECT email FROM customer UNION ALL (SELECT name FROM people)
--- postgres refuse: the parts of its set operation cannot be matched
SELECT id, email FROM customer UNION ALL SELECT id FROM sale
--- postgres pass id
SELECT id FROM customer INTERSECT SELECT id FROM sale
--- postgres pass id email•
SELECT id, email FROM customer UNION ALL SELECT id, email FROM customer ORDER BY 1
--- postgres refuse: NATURAL and other special joins are not followed; join with ON
SELECT a.id FROM customer AS a NATURAL JOIN sale
--- postgres pass email•
SELECT a.email FROM customer AS a JOIN sale AS b ON a.id = b.id WHERE b.email = 'x'
--- postgres pass e• id
WITH x AS (SELECT email AS e, id FROM customer) SELECT y.e, y.id FROM x AS y WHERE y.id > 1
--- postgres pass n
WITH x AS (SELECT email AS e, id FROM customer) SELECT count(e) AS n FROM x WHERE e IS NOT NULL
--- postgres pass id
SELECT id FROM customer WHERE id IN (SELECT customer_id FROM sale)
--- postgres pass id
SELECT id FROM customer WHERE EXISTS (SELECT email FROM sale)
--- postgres pass id r
SELECT id, rank() OVER (ORDER BY id) AS r FROM customer GROUP BY id HAVING count(email) > 1
--- postgres refuse: only SELECT is run where columns are masked
EXPLAIN SELECT 1
--- postgres refuse: only SELECT is run where columns are masked
VALUES (1)
--- postgres refuse: it cannot be read as a SELECT
SELECT 1 WHERE
--- postgres pass
SELECT
--- postgres refuse: The column 'EMAIL' is masked
SELECT interval '1 email', email FROM customer
--- duckdb refuse: The column 'email' is masked
SELECT struct_pack(email := 1) AS x FROM customer
--- duckdb pass id
SELECT id FROM customer ORDER BY ALL
--- duckdb pass id
SELECT id FROM customer GROUP BY ALL
--- duckdb pass n
SELECT count(*) AS n FROM customer
--- duckdb pass id name email• city
SELECT * FROM customer WHERE id = $1
--- mysql pass email• id
SELECT `Email`, `ID` FROM `Customer`
--- snowflake refuse: PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed
SELECT id FROM customer, LATERAL FLATTEN(input => name) AS f
--- engines pass email•
SELECT email FROM customer
--- engines pass harmless•
SELECT email AS harmless FROM customer
--- engines pass id name email• city
SELECT * FROM customer
--- engines pass id name email• city
SELECT c.* FROM customer AS c
--- engines pass email•
SELECT "EMAIL" FROM CUSTOMER
--- engines pass email•
SELECT c.email FROM customer c JOIN sale s ON s.customer_id = c.id
--- engines pass id customer_id amount email id name email• city
SELECT * FROM sale s JOIN customer c ON s.customer_id = c.id
--- engines pass e•
WITH x AS (SELECT email AS e FROM customer) SELECT e FROM x
--- engines pass b•
WITH x(a, b) AS (SELECT id, email FROM customer) SELECT b FROM x
--- engines pass email•
WITH sale AS (SELECT email FROM customer) SELECT * FROM sale
--- engines pass e•
SELECT q.e FROM (SELECT email AS e FROM customer) AS q
--- engines pass id name email• city
SELECT * FROM (SELECT * FROM (SELECT * FROM customer) AS a) AS b
--- engines pass email•
SELECT email FROM customer UNION ALL SELECT email FROM sale
--- engines pass name•
SELECT name FROM sale JOIN customer ON sale.customer_id = customer.id UNION ALL SELECT email FROM customer
--- engines pass name email•
SELECT name, email FROM customer ORDER BY name
--- engines pass email•
SELECT email FROM customer WHERE city = 'Rome' LIMIT 1
--- engines pass email• n
SELECT email, row_number() OVER (ORDER BY id) AS n FROM customer
--- engines pass email•
SELECT email FROM customer WHERE email IS NOT NULL
--- engines pass email•
SELECT customer.email FROM main.customer
--- engines pass name reach•
WITH x AS (SELECT * FROM customer WHERE id < 3) SELECT x.name, x.email AS reach FROM x
--- engines refuse: The column 'email' is masked
WITH t AS (SELECT email FROM customer WHERE id = 1 UNION ALL SELECT 'ann@planted.example') SELECT n FROM (SELECT count(DISTINCT email) AS n FROM t) AS q
--- engines refuse: The column 'email' is masked
WITH t AS (SELECT email FROM customer WHERE id IN (1, 2)) SELECT (SELECT count(DISTINCT email) FROM t) AS n
--- engines refuse: The column 'email' is masked
WITH t AS (SELECT email FROM customer WHERE id IN (1, 2)), c AS (SELECT count(DISTINCT email) AS n FROM t) SELECT n FROM c
--- engines refuse: The column 'email' is masked
WITH t AS (SELECT email FROM customer WHERE id < 3) SELECT 0 AS n UNION ALL SELECT count(DISTINCT email) FROM t
--- engines refuse: The column 'reach' is masked
SELECT count(DISTINCT reach) AS n FROM contact
--- engines refuse: The column 'email' is masked
SELECT upper(email) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT substr(email, 1, 1) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT email || '' AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT concat(email, 'x') AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT length(email) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT coalesce(email, '') AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT CAST(email AS VARCHAR) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT CASE WHEN id > 0 THEN email END AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT (email) || name AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT max(email) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT group_concat(email) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT email = 'ann@planted.example' AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email = 'ann@planted.example'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email LIKE 'a%'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email > 'b'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email BETWEEN 'a' AND 'b'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email IN ('ann@planted.example')
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE substr(email, 1, 1) = 'a'
--- engines refuse: A subquery gives a masked column to an expression
SELECT name FROM customer WHERE 'ann@planted.example' IN (SELECT email FROM customer)
--- engines refuse: The column 'email' is masked
SELECT name FROM customer c JOIN (SELECT 'ann@planted.example' AS guess) g ON g.guess = c.email
--- engines refuse: The column 'email' is masked
SELECT name FROM customer c JOIN sale s USING (email)
--- engines refuse: NATURAL and other special joins are not followed; join with ON
SELECT name FROM customer NATURAL JOIN sale
--- engines refuse: The column 'email' is masked
SELECT name FROM customer ORDER BY email
--- engines refuse: The column 'email' is masked
SELECT email FROM customer ORDER BY 1
--- engines refuse: The column 'e' is masked
SELECT email AS e FROM customer ORDER BY e
--- engines refuse: The column 'email' is masked
SELECT name, row_number() OVER (ORDER BY email) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT name, count(*) OVER (PARTITION BY email) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT email, count(*) AS n FROM customer GROUP BY email
--- engines refuse: The column 'email' is masked
SELECT email AS e, count(*) AS n FROM customer GROUP BY 1
--- engines refuse: The column 'email' is masked
SELECT city FROM customer GROUP BY city HAVING max(email) > 'b'
--- engines refuse: DISTINCT compares the values of a masked column
SELECT DISTINCT email FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email) AS n FROM customer WHERE id IN (1, 2)
--- engines refuse: The column 'email' is masked
SELECT city, count(DISTINCT email) AS n FROM customer GROUP BY city
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email) OVER () AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email) FILTER (WHERE id < 3) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT lower(email)) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email, city) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT c.email) AS n FROM customer c JOIN sale s ON s.customer_id = c.id
--- engines refuse: The column 'e' is masked
SELECT count(DISTINCT e) AS n FROM (SELECT email AS e FROM customer UNION ALL SELECT 'ann@planted.example') AS q
--- engines refuse: The column 'e' is masked
SELECT count(DISTINCT e) AS n FROM (SELECT email AS e FROM customer WHERE id = 1) AS q
--- engines refuse: The column 'email' is masked
WITH x AS (SELECT email FROM customer LIMIT 2) SELECT count(DISTINCT email) AS n FROM x
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email) > 1 AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(DISTINCT email) AS n FROM customer HAVING max(email) > 'b'
--- engines refuse: The column 'email' is masked
SELECT sum(DISTINCT email) AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT s.id, (SELECT count(DISTINCT c.email) FROM customer c WHERE c.id IN (1, s.id)) AS n FROM sale s
--- engines refuse: Only UNION ALL does not compare the values of a masked column
SELECT email FROM customer UNION SELECT 'ann@planted.example'
--- engines refuse: Only UNION ALL does not compare the values of a masked column
SELECT email FROM customer INTERSECT SELECT 'ann@planted.example'
--- engines refuse: Only UNION ALL does not compare the values of a masked column
SELECT 'ann@planted.example' EXCEPT SELECT email FROM customer
--- engines refuse: A subquery gives a masked column to an expression
SELECT (SELECT email FROM customer LIMIT 1) AS e
--- engines refuse: A subquery gives a masked column to an expression
SELECT upper((SELECT c.email)) AS e FROM customer c
--- engines refuse: A subquery gives a masked column to an expression
SELECT (SELECT c.email) AS e FROM customer c
--- engines refuse: The column 'e' is masked
SELECT upper(e) AS u FROM (SELECT email AS e FROM customer) AS q
--- engines refuse: The column 'e' is masked
WITH x AS (SELECT email AS e FROM customer) SELECT * FROM x WHERE e LIKE 'a%'
--- engines refuse: The column 'e' is masked
WITH x AS (SELECT email AS e FROM customer) SELECT substr(e, 2) AS s FROM x
--- engines refuse: WITH RECURSIVE is not followed
WITH RECURSIVE x(e) AS (SELECT email FROM customer UNION ALL SELECT e FROM x WHERE 1 = 0) SELECT e FROM x
--- engines refuse: Column 'nope' could not be resolved
SELECT nope FROM contact
--- engines refuse: Column 'nope' could not be resolved
SELECT nope, email FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(*) FILTER (WHERE email LIKE 'a%') AS n FROM customer
--- engines refuse: The column 'email' is masked
SELECT email IS 'ann@planted.example' AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE (email, id) = ('ann@planted.example', 1)
--- engines refuse: The column 'email' is masked
SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM sale s WHERE s.email = c.email)
--- engines refuse: The column 'email' is masked
SELECT min(email) OVER () AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT json_object('e', email) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT email AS e, upper(e) AS u FROM customer
--- engines refuse: 'c' may mean a whole row
SELECT c AS whole FROM customer c
--- engines refuse: a table's alias gives its columns other names
SELECT c.name FROM customer AS c(id, email, name, city)
--- engines refuse: a table's alias gives its columns other names
SELECT c.x FROM customer AS c(id, n, x, city)
--- engines refuse: a table's alias gives its columns other names
SELECT name FROM (customer AS c(id, email, name, city))
--- engines refuse: a table's alias gives its columns other names
WITH w AS (SELECT * FROM customer) SELECT w2.name FROM w AS w2(id, email, name, city)
--- engines refuse: PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed
SELECT #3 FROM customer
--- engines refuse: the parts of its set operation are matched by name; match them by place
SELECT city, email FROM sale UNION ALL BY NAME SELECT email AS city, city AS email FROM customer
--- engines refuse: the parts of its set operation are matched by name; match them by place
SELECT id, email AS name FROM sale UNION ALL BY NAME SELECT email AS id, id AS name FROM customer
--- engines refuse: only SELECT is run where columns are masked
EXPLAIN SELECT name FROM customer WHERE email = 'ann@planted.example'
--- engines refuse: only SELECT is run where columns are masked
SUMMARIZE customer
--- engines refuse: 'customer' may mean a whole row
FROM customer SELECT to_json(customer)
--- engines refuse: PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed
SELECT COLUMNS('e.*') || '' FROM customer
--- engines refuse: 'email' is the name of a masked column; give the other another name
SELECT * REPLACE (upper(email) AS email) FROM customer
--- engines refuse: The column 'email' is masked
SELECT * EXCLUDE (id) REPLACE (name || email AS name) FROM customer
--- engines refuse: only SELECT is run where columns are masked
UNPIVOT customer ON name, email INTO NAME k VALUE v
--- engines refuse: only SELECT is run where columns are masked
PIVOT customer ON email USING count(*)
--- engines refuse: pragma_storage_info() may tell about any table
SELECT * FROM pragma_storage_info('customer')
--- engines refuse: 'sqlite_master' is not in the catalog
SELECT sql FROM sqlite_master
--- engines refuse: The column 'email' is masked
SELECT unnest([email]) AS e FROM customer
--- engines refuse: PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed
SELECT e FROM customer, LATERAL (SELECT email || '' AS e) AS q
--- engines refuse: ALL sorts or groups by a masked column
SELECT name, email FROM customer ORDER BY ALL
--- engines refuse: 'email' is the name of a masked column; give the other another name
SELECT name AS email FROM customer WHERE email = 'ann@planted.example'
--- engines refuse: 'email' is the name of a masked column; give the other another name
SELECT name AS email FROM customer ORDER BY upper(email)
--- engines refuse: 'email' is the name of a masked column; give the other another name
SELECT name AS email, count(*) AS n FROM customer GROUP BY email
--- engines refuse: 'e' is the name of a masked column; give the other another name
SELECT id AS e FROM (SELECT id, email AS e FROM customer) AS q WHERE e = 'ann@planted.example'
--- engines refuse: PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed
SELECT email FROM customer ORDER BY #1
--- engines refuse: 'customer' may mean a whole row
SELECT customer FROM customer
--- engines refuse: 'q' means a whole row
SELECT q AS whole FROM (SELECT email FROM customer) AS q
--- engines refuse: The column 'email' is masked
SELECT email FROM customer UNION ALL SELECT name FROM customer ORDER BY 1
--- engines refuse: 'c' means a whole row
SELECT list(c) FROM (SELECT email FROM customer) AS c
--- engines refuse: it holds something else than SELECT
SELECT * FROM (VALUES ((SELECT email FROM customer LIMIT 1))) AS v(x)
--- engines refuse: The column 'email' is masked
SELECT 1 AS one FROM customer LIMIT (SELECT length(email) FROM customer LIMIT 1)
--- engines refuse: The column 'email' is masked
SELECT name FROM customer QUALIFY row_number() OVER (ORDER BY email) = 1
--- engines refuse: email.upper() reaches into a value
SELECT email.upper() AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT email[1] AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT {'a': email} AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT list_transform([1], x -> email) AS e FROM customer
--- engines refuse: ALL sorts or groups by a masked column
SELECT city, email, count(*) AS n FROM customer GROUP BY ALL
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email IS NOT 'ann@planted.example'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE email GLOB 'a*'
--- engines refuse: A subquery gives a masked column to an expression
SELECT name FROM customer ORDER BY (SELECT email)
--- engines refuse: The column 'email' is masked
SELECT first_value(email) OVER (ORDER BY id) AS e FROM customer
--- engines refuse: The column 'email' is masked
SELECT count(CASE WHEN email > 'b' THEN 1 END) AS n FROM customer
--- engines refuse: NATURAL and other special joins are not followed; join with ON
SELECT name FROM customer c POSITIONAL JOIN (SELECT email AS x FROM customer) AS q WHERE x > 'b'
--- engines refuse: The column 'email' is masked
SELECT name FROM customer WHERE EXISTS (SELECT 1 WHERE email LIKE 'a%')
--- engines refuse: The column 'y' is masked
WITH a AS (SELECT email AS x FROM customer), b AS (SELECT x AS y FROM a) SELECT y FROM b WHERE y < 'b'
--- engines refuse: NATURAL and other special joins are not followed; join with ON
SELECT * FROM customer c ASOF JOIN sale s ON c.email >= s.email
--- postgres pass
SELECT s.ctid, s.xmin, s.xmax, s.cmin, s.cmax, s.tableoid, s.rowid, s.rownum FROM sale s
--- postgres refuse: ROWS FROM() may tell about any table
SELECT * FROM ROWS FROM (generate_series(1, 3)) AS t
--- postgres refuse: pg_get_keywords() is not one of the database's own functions, and may read any table; a person can say in the setting `functions_without_tables` that it reads none
SELECT * FROM s.pg_get_keywords()
--- duckdb refuse: json_each() may tell about any table
SELECT * FROM json_each('[1]')
--- redshift refuse: s.leak is no column that the catalog knows
SELECT s.leak FROM sale s
--- oracle refuse: s.leak is no column that the catalog knows
SELECT s.leak FROM sale s
--- materialize refuse: s.leak is no column that the catalog knows
SELECT s.leak FROM sale s
--- risingwave refuse: s.leak is no column that the catalog knows
SELECT s.leak FROM sale s
--- postgres pass
SELECT 'a'::regclass, 'a'::regtype, 1::oid, 'a'::tsvector, 'a'::tsquery, 'a'::cidr, 'a'::macaddr, 'a'::pg_lsn, '1'::varbit FROM sale
