--- duckdb setup
CREATE TABLE sales (id INTEGER PRIMARY KEY, day DATE, region VARCHAR, product VARCHAR, qty INTEGER, amount DOUBLE, customer INTEGER);
INSERT INTO sales SELECT i, DATE '2024-01-01' + CAST(i * 3 AS INTEGER), ['North', 'South', 'East'][i % 3 + 1], ['tea', 'mug'][i % 2 + 1], i % 5 + 1, i * 1.5, i % 7 FROM range(1, 61) AS r(i);
CREATE TABLE customers (id INTEGER, name VARCHAR, city VARCHAR, joined TIMESTAMP, referrer INTEGER);
INSERT INTO customers SELECT i, 'Name ' || i, ['Kiel', 'Bonn'][i % 2 + 1], TIMESTAMP '2023-05-01 10:00:00' + to_days(CAST(i AS INTEGER)), nullif(i - 1, 0) FROM range(1, 7) AS r(i);
CREATE TABLE prices (product VARCHAR, since DATE, price DOUBLE);
INSERT INTO prices VALUES ('tea', '2023-12-01', 3), ('tea', '2024-03-01', 4), ('mug', '2023-11-01', 9);
CREATE TABLE events (id INTEGER, seen TIMESTAMP, doc JSON, tags VARCHAR[], place STRUCT(city VARCHAR, zip INTEGER));
INSERT INTO events VALUES (1, '2024-01-01 08:00', '{"kind": "click", "at": {"x": 1}, "n": [1, 2]}', ['a', 'b'], {'city': 'Kiel', 'zip': 24103}), (2, '2024-01-01 09:30', '{"kind": "view", "at": {"x": 5}, "n": []}', ['b'], {'city': 'Bonn', 'zip': 53111});
CREATE TABLE monthly (emp INTEGER, dept VARCHAR, jan INTEGER, feb INTEGER, mar INTEGER);
INSERT INTO monthly VALUES (1, 'electronics', 1, 2, 3), (2, 'clothes', 10, 20, 30);
CREATE TABLE edges (a INTEGER, b INTEGER);
INSERT INTO edges VALUES (1, 2), (2, 3), (3, 4);
--- duckdb
PIVOT sales ON region USING sum(amount)
--- duckdb
PIVOT sales ON region USING sum(amount) AS total, count(*) AS n GROUP BY product ORDER BY product
--- duckdb
PIVOT sales ON region IN ('North', 'South') USING avg(amount) GROUP BY product
--- duckdb
PIVOT sales ON region, product USING count(*)
--- duckdb
PIVOT sales ON region || '_' || product USING sum(qty) GROUP BY customer
--- duckdb
PIVOT (SELECT region, product, amount FROM sales WHERE qty > 1) ON product USING max(amount) GROUP BY region
--- duckdb
WITH p AS (PIVOT sales ON product USING sum(amount) GROUP BY region) SELECT region, tea + mug AS both FROM p ORDER BY ALL
--- duckdb
SELECT * FROM (PIVOT sales ON region USING sum(qty) GROUP BY product) AS p JOIN prices USING (product)
--- duckdb
PIVOT_WIDER sales ON year(day) USING sum(amount) GROUP BY region LIMIT 2
--- duckdb
FROM sales PIVOT (sum(amount) FOR region IN ('North', 'South') GROUP BY product)
--- duckdb
EXPLAIN PIVOT sales ON region USING sum(amount)
--- duckdb
UNPIVOT monthly ON jan, feb, mar INTO NAME month VALUE sales
--- duckdb
PIVOT_LONGER monthly ON jan, feb INTO NAME month VALUE sales ORDER BY emp, month LIMIT 3
--- duckdb
UNPIVOT monthly ON jan, feb ORDER BY ALL
--- duckdb
UNPIVOT monthly ON COLUMNS(* EXCLUDE (emp, dept)) INTO NAME month VALUE sales
--- duckdb
UNPIVOT monthly ON (jan, feb, mar) AS q1, INTO NAME quarter VALUE m1, m2, m3
--- duckdb
FROM monthly UNPIVOT (sales FOR month IN (jan, feb, mar))
--- duckdb
SELECT * FROM (UNPIVOT monthly ON jan, feb INTO NAME month VALUE n) WHERE n > 1
--- duckdb
FROM sales
--- duckdb
FROM sales SELECT region, sum(amount) AS total WHERE qty > 1 GROUP BY region ORDER BY total DESC
--- duckdb
FROM (FROM sales SELECT region, amount) AS s SELECT max(amount)
--- duckdb
SUMMARIZE sales
--- duckdb
SUMMARIZE SELECT amount, qty FROM sales
--- duckdb
SELECT column_name, null_percentage FROM (SUMMARIZE sales)
--- duckdb
DESCRIBE sales
--- duckdb
DESCRIBE SELECT day, amount FROM sales
--- duckdb
SELECT column_name FROM (DESCRIBE sales)
--- duckdb
SHOW TABLES
--- duckdb
SELECT day, amount, avg(amount) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM sales
--- duckdb
SELECT day, sum(amount) OVER w, min(amount) OVER w FROM sales WINDOW w AS (PARTITION BY region ORDER BY day RANGE BETWEEN INTERVAL 3 DAYS PRECEDING AND INTERVAL 3 DAYS FOLLOWING)
--- duckdb
SELECT day, avg(amount) OVER (ORDER BY day ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) FROM sales
--- duckdb
SELECT day, max(qty) OVER (ORDER BY qty GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM sales
--- duckdb
SELECT region, day, amount FROM sales QUALIFY row_number() OVER (PARTITION BY region ORDER BY amount DESC) <= 2
--- duckdb
SELECT lag(amount, 1, 0) OVER (ORDER BY day), lead(amount) OVER (ORDER BY day), first_value(amount IGNORE NULLS) OVER (ORDER BY day), nth_value(amount, 2) OVER (ORDER BY day), ntile(4) OVER (ORDER BY day), cume_dist() OVER (ORDER BY qty), percent_rank() OVER (ORDER BY qty) FROM sales
--- duckdb
SELECT count(*) FILTER (WHERE qty > 3) AS many, sum(amount) FILTER (region = 'North') AS north FROM sales
--- duckdb
SELECT region, product, sum(amount), grouping(region, product) FROM sales GROUP BY CUBE (region, product)
--- duckdb
SELECT region, product, sum(amount) FROM sales GROUP BY ROLLUP (region, product) ORDER BY ALL
--- duckdb
SELECT region, product, count(*) FROM sales GROUP BY GROUPING SETS ((region, product), (region), ())
--- duckdb
SELECT s.id, p.price FROM sales s ASOF JOIN prices p ON s.product = p.product AND s.day >= p.since
--- duckdb
SELECT * FROM sales ASOF LEFT JOIN prices ON sales.product = prices.product AND sales.day > prices.since
--- duckdb
SELECT a.region, b.name FROM sales a POSITIONAL JOIN customers b
--- duckdb
SELECT name FROM customers SEMI JOIN sales ON customers.id = sales.customer
--- duckdb
SELECT name FROM customers ANTI JOIN sales ON customers.id = sales.customer
--- duckdb
SELECT c.name, top.amount FROM customers c, LATERAL (SELECT amount FROM sales s WHERE s.customer = c.id ORDER BY amount DESC LIMIT 1) AS top
--- duckdb
SELECT * FROM range(3) AS t(i), LATERAL (SELECT i + 1 AS j) AS u
--- duckdb
WITH RECURSIVE path(a, b) AS (SELECT a, b FROM edges UNION SELECT p.a, e.b FROM path p JOIN edges e ON p.b = e.a) SELECT * FROM path ORDER BY ALL
--- duckdb
WITH RECURSIVE fib(n, a, b) USING KEY (n) AS (SELECT 1, 0, 1 UNION SELECT n, b, a + b FROM fib WHERE b < 50) SELECT * FROM fib
--- duckdb
WITH m AS MATERIALIZED (SELECT region, sum(amount) AS total FROM sales GROUP BY region) SELECT * FROM m WHERE total > (SELECT avg(total) FROM m)
--- duckdb
SELECT doc->>'kind', doc->'$.at.x', json_extract_string(doc, '$.kind'), json_array_length(doc, '$.n') FROM events
--- duckdb
SELECT events.id, j.key, j.value FROM events, json_each(doc) AS j
--- duckdb
SELECT json_group_object(region, total) FROM (SELECT region, sum(amount) AS total FROM sales GROUP BY ALL)
--- duckdb
SELECT json_transform(doc, '{"kind": "VARCHAR"}').kind, json_structure(doc), json_keys(doc) FROM events
--- duckdb
SELECT to_json({'a': 1, 'b': [1, 2]}), json_object('k', 1), json_array(1, 2), json_merge_patch('{"a": 1}', '{"b": 2}')
--- duckdb
SELECT id, unnest(tags) AS tag FROM events
--- duckdb
SELECT unnest(place), place.city, place['zip'] FROM events
--- duckdb
SELECT list_transform([1, 2, 3], lambda x: x * 2), list_filter([1, 2, 3], lambda x: x > 1), list_reduce([1, 2, 3], lambda a, b: a + b)
--- duckdb
SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1], [1, 2, 3][2:], list_sort([3, 1]), list_aggregate([1, 2], 'sum'), list_zip([1], ['a'])
--- duckdb
SELECT struct_pack(a := 1, b := 'x'), {'a': 1}.a, struct_insert({'a': 1}, b := 2), map {'k': 1}['k'], map_keys(map([1], ['a']))
--- duckdb
SELECT list(DISTINCT region ORDER BY region), string_agg(product, ', ' ORDER BY id), arg_max(region, amount), mode(product), histogram(qty) FROM sales
--- duckdb
SELECT median(amount), quantile_cont(amount, [0.25, 0.5, 0.75]), approx_count_distinct(customer), stddev_samp(amount), corr(qty, amount), regr_slope(amount, qty), skewness(amount), entropy(region) FROM sales
--- duckdb
SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY region) FROM sales
--- duckdb
SELECT * FROM sales USING SAMPLE 10%
--- duckdb
SELECT * FROM sales USING SAMPLE reservoir(5 ROWS) REPEATABLE (42)
--- duckdb
SELECT * FROM sales TABLESAMPLE bernoulli(20%)
--- duckdb
SELECT * FROM sales TABLESAMPLE SYSTEM (50 PERCENT)
--- duckdb
SELECT date_trunc('month', day) AS m, sum(amount) FROM sales GROUP BY m HAVING sum(amount) > 10 ORDER BY m
--- duckdb
SELECT time_bucket(INTERVAL '1 week', day) AS w, count(*) FROM sales GROUP BY ALL ORDER BY ALL
--- duckdb
SELECT strftime(day, '%Y-%m'), dayname(day), date_diff('day', DATE '2024-01-01', day), last_day(day), age(TIMESTAMP '2024-01-01', TIMESTAMP '2023-01-01'), extract('isodow' FROM day), make_date(2024, 1, 1), epoch(joined) FROM sales JOIN customers ON customers.id = customer
--- duckdb
SELECT d::DATE AS day, coalesce(sum(amount), 0) FROM generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL 1 DAY) AS g(d) LEFT JOIN sales ON day = d GROUP BY ALL
--- duckdb
SELECT regexp_extract(name, '(\w+) (\d+)', 2), regexp_replace(name, '\d', '#', 'g'), regexp_matches(name, '^N'), name SIMILAR TO 'N.*', string_split(name, ' ')[1], format('{:.2f}', 1.5), printf('%d', 3), levenshtein(name, city) FROM customers
--- duckdb
SELECT name[1:4], upper(name), concat_ws('-', name, city), lpad('7', 3, '0'), trim(name), name.lower().replace('name', 'n'), strip_accents('é') FROM customers
--- duckdb
SELECT * EXCLUDE (id) REPLACE (round(amount, 1) AS amount) RENAME (qty AS quantity) FROM sales
--- duckdb
SELECT COLUMNS('^(qty|amount)$'), min(COLUMNS(* EXCLUDE (region, product))) OVER () FROM sales
--- duckdb
SELECT DISTINCT ON (region) region, day, amount FROM sales ORDER BY region, amount DESC
--- duckdb
SELECT region, product FROM sales UNION BY NAME SELECT product FROM prices
--- duckdb
SELECT id FROM customers EXCEPT ALL SELECT customer FROM sales
--- duckdb
VALUES (1, 'a'), (2, 'b')
--- duckdb
SELECT * FROM (VALUES ('tea', 1), ('mug', 2)) AS v(product, n) JOIN prices USING (product)
--- duckdb
SELECT amount AS a, a * 1.19 AS gross FROM sales WHERE a > 10 ORDER BY ALL DESC LIMIT 10% OFFSET 1
--- duckdb
SELECT try_cast('x' AS INTEGER), TRY(1 / 0), CASE WHEN qty BETWEEN 1 AND 2 THEN 'few' ELSE 'many' END, greatest(1, 2), coalesce(NULL, 1), nullif(1, 1), amount // 2, qty % 2, 2 ** 3 FROM sales
--- duckdb
SELECT region, amount > ALL (SELECT price FROM prices), 3 IN (SELECT qty FROM sales), EXISTS (FROM prices) FROM sales
--- duckdb
SELECT bar(amount, 0, 100, 20), hash(region), equi_width_bins(0, 10, 2, true) FROM sales WHERE amount IS NOT DISTINCT FROM amount
--- duckdb
SELECT table_name, estimated_size FROM duckdb_tables()
--- sqlite setup
CREATE TABLE sales (id INTEGER PRIMARY KEY, day TEXT, region TEXT, product TEXT, qty INTEGER, amount REAL, customer INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO sales SELECT i, date('2024-01-01', (i * 3) || ' days'), CASE i % 3 WHEN 0 THEN 'North' WHEN 1 THEN 'South' ELSE 'East' END, CASE i % 2 WHEN 0 THEN 'tea' ELSE 'mug' END, i % 5 + 1, i * 1.5, i % 7 FROM n;
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, referrer INTEGER);
INSERT INTO customers VALUES (1, 'Ada', 'Kiel', NULL), (2, 'Ben', 'Bonn', 1), (3, 'Cem', 'Kiel', 2);
CREATE TABLE events (id INTEGER, doc TEXT);
INSERT INTO events VALUES (1, '{"kind": "click", "at": {"x": 1}, "n": [1, 2]}'), (2, '{"kind": "view", "n": []}');
--- sqlite
SELECT region, sum(amount) FROM sales GROUP BY region HAVING sum(amount) > 10 ORDER BY 2 DESC LIMIT 3 OFFSET 0
--- sqlite
SELECT day, avg(amount) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM sales
--- sqlite
SELECT day, group_concat(region, '.') OVER (ORDER BY day ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM sales
--- sqlite
SELECT day, sum(qty) OVER (ORDER BY qty GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP) FROM sales
--- sqlite
SELECT id, sum(amount) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE TIES) FROM sales
--- sqlite
SELECT id, row_number() OVER w, rank() OVER w, dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(4) OVER w FROM sales WINDOW w AS (PARTITION BY region ORDER BY qty)
--- sqlite
SELECT id, first_value(amount) OVER win, last_value(amount) OVER win, nth_value(amount, 2) OVER win FROM sales WINDOW win AS (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
--- sqlite
SELECT id, lag(amount, 1, 0) OVER (ORDER BY id), lead(amount) OVER (ORDER BY id) FROM sales
--- sqlite
SELECT id, sum(amount) OVER (base ORDER BY id) FROM sales WINDOW base AS (PARTITION BY region)
--- sqlite
SELECT count(*) FILTER (WHERE qty > 3), sum(amount) FILTER (WHERE region = 'North') OVER (ORDER BY id) FROM sales
--- sqlite
WITH RECURSIVE cnt(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM cnt WHERE x < 100) SELECT x FROM cnt
--- sqlite
WITH RECURSIVE chain(id, level) AS (SELECT id, 0 FROM customers WHERE referrer IS NULL UNION ALL SELECT c.id, level + 1 FROM customers c JOIN chain ON c.referrer = chain.id ORDER BY 2 DESC) SELECT substr('..........', 1, level * 3) || id FROM chain
--- sqlite
WITH RECURSIVE days(d) AS (SELECT date('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2024-01-31') SELECT d, coalesce(sum(amount), 0) FROM days LEFT JOIN sales ON day = d GROUP BY d
--- sqlite
WITH totals AS MATERIALIZED (SELECT region, sum(amount) AS t FROM sales GROUP BY region), best AS NOT MATERIALIZED (SELECT max(t) AS m FROM totals) SELECT region FROM totals, best WHERE t = m
--- sqlite
WITH RECURSIVE xaxis(x) AS (VALUES (-2.0) UNION ALL SELECT x + 0.5 FROM xaxis WHERE x < 1.2), m(iter, cx, x) AS (SELECT 0, x, 0.0 FROM xaxis UNION ALL SELECT iter + 1, cx, x * x + cx FROM m WHERE x * x < 4.0 AND iter < 28) SELECT max(iter), cx FROM m GROUP BY cx
--- sqlite
SELECT doc ->> 'kind', doc -> '$.at', json_extract(doc, '$.at.x', '$.kind'), json_type(doc, '$.n'), json_array_length(doc, '$.n') FROM events
--- sqlite
SELECT events.id, j.key, j.value, j.type, j.fullkey FROM events, json_each(events.doc) AS j
--- sqlite
SELECT t.path, t.atom FROM events JOIN json_tree(events.doc, '$.n') AS t WHERE t.atom IS NOT NULL
--- sqlite
SELECT json_group_array(name), json_group_object(name, city), json_object('a', 1, 'b', json_array(1, 2)), json_set('{}', '$.x', 1), json_patch('{"a":1}', '{"b":2}'), json_valid('{}') FROM customers
--- sqlite
SELECT DISTINCT region FROM sales UNION SELECT city FROM customers INTERSECT SELECT 'Kiel' EXCEPT SELECT NULL
--- sqlite
VALUES (1, 'a'), (2, 'b')
--- sqlite
SELECT column1, column2 FROM (VALUES (1, 2), (3, 4))
--- sqlite
SELECT * FROM sales LEFT JOIN customers ON customers.id = sales.customer WHERE customers.id IS NULL
--- sqlite
SELECT * FROM sales FULL OUTER JOIN customers ON customers.id = sales.customer
--- sqlite
SELECT name FROM customers NATURAL JOIN (SELECT id FROM sales) CROSS JOIN (SELECT 1 AS one)
--- sqlite
SELECT strftime('%Y-%m', day) AS m, strftime('%w', day), julianday(day) - julianday('2024-01-01'), date(day, 'start of month', '+1 month', '-1 day'), unixepoch(day) FROM sales
--- sqlite
SELECT datetime('2024-01-01 10:00', 'weekday 0', 'localtime'), time('12:30', '+90 minutes'), date('2024-01-31', '+1 month', 'floor')
--- sqlite
SELECT printf('%.2f', amount), format('%05d', qty), substr(day, 1, 7), instr(day, '-'), replace(region, 'th', ''), trim(region), upper(region) || lower(region), hex('a'), unicode('a'), char(65), quote(region) FROM sales
--- sqlite
SELECT region FROM sales WHERE region LIKE 'N%' ESCAPE '\' OR region GLOB 'S*' OR region IN ('East') OR amount BETWEEN 1 AND 2 OR (qty, id) = (1, 5)
--- sqlite
SELECT CASE WHEN qty > 3 THEN 'many' ELSE 'few' END AS kind, iif(qty > 3, 1, 0), coalesce(NULL, qty), ifnull(NULL, 1), nullif(qty, 1), max(qty, 3), abs(-1), round(amount, 1), sign(-2), sqrt(4), ln(2), pow(2, 3), qty % 2, qty / 2.0, CAST(qty AS REAL), typeof(amount) FROM sales
--- sqlite
SELECT region, max(amount), day FROM sales GROUP BY region
--- sqlite
SELECT region, group_concat(product, ', '), group_concat(DISTINCT product), total(qty) FROM sales GROUP BY 1
--- sqlite
SELECT c.name, (SELECT max(amount) FROM sales s WHERE s.customer = c.id) AS top FROM customers c WHERE EXISTS (SELECT 1 FROM sales s WHERE s.customer = c.id) ORDER BY top DESC NULLS LAST
--- sqlite
SELECT id FROM sales WHERE (region, amount) IN (SELECT region, max(amount) FROM sales GROUP BY region)
--- sqlite
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY region ORDER BY amount DESC) AS place FROM sales) WHERE place <= 2
--- sqlite
SELECT * FROM sales NOT INDEXED ORDER BY random() LIMIT 5
--- sqlite
SELECT region IS NOT DISTINCT FROM 'North', region IS 'North', region COLLATE NOCASE = 'NORTH', NOT qty, -qty, ~qty, qty & 1, qty | 1, qty << 1 FROM sales
--- sqlite
EXPLAIN QUERY PLAN SELECT region, count(*) FROM sales GROUP BY region
--- sqlite
SELECT name, type FROM pragma_table_info('sales')
--- postgres setup
CREATE TABLE sales (id int PRIMARY KEY, day date, region text, product text, qty int, amount numeric, customer int);
INSERT INTO sales SELECT i, date '2024-01-01' + i * 3, (ARRAY['North', 'South', 'East'])[i % 3 + 1], (ARRAY['tea', 'mug'])[i % 2 + 1], i % 5 + 1, i * 1.5, i % 7 FROM generate_series(1, 60) AS i;
CREATE TABLE customers (id int PRIMARY KEY, name text, city text, joined timestamptz, referrer int);
INSERT INTO customers SELECT i, 'Name ' || i, (ARRAY['Kiel', 'Bonn'])[i % 2 + 1], '2023-05-01'::timestamptz + i * interval '1 day', nullif(i - 1, 0) FROM generate_series(1, 6) AS i;
CREATE TABLE events (id int, doc jsonb, tags text[], during tstzrange);
INSERT INTO events VALUES (1, '{"kind": "click", "at": {"x": 1}, "n": [1, 2]}', '{a,b}', '[2024-01-01, 2024-01-02)'), (2, '{"kind": "view", "n": []}', '{b}', NULL);
--- postgres
SELECT * FROM sales TABLESAMPLE BERNOULLI (10)
--- postgres
SELECT * FROM sales TABLESAMPLE SYSTEM (50) REPEATABLE (42)
--- postgres
SELECT count(*) FROM sales AS s TABLESAMPLE SYSTEM(10) WHERE s.qty > 1
--- postgres
SELECT s.id, c.name FROM sales s TABLESAMPLE BERNOULLI (50.5) REPEATABLE (1) JOIN customers c ON c.id = s.customer
--- postgres
SELECT region, sum(amount) FROM sales GROUP BY region ORDER BY 2 DESC FETCH FIRST 2 ROWS WITH TIES
--- postgres
SELECT id FROM sales ORDER BY id OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY
--- postgres
SELECT DISTINCT ON (region) region, day, amount FROM sales ORDER BY region, amount DESC NULLS LAST
--- postgres
SELECT day, avg(amount) OVER (PARTITION BY region ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM sales
--- postgres
SELECT day, sum(amount) OVER (ORDER BY day RANGE BETWEEN '10 days' PRECEDING AND '1 day' FOLLOWING EXCLUDE CURRENT ROW) FROM sales
--- postgres
SELECT day, sum(amount) OVER (ORDER BY qty GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM sales
--- postgres
SELECT rank() OVER w, dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(4) OVER w, lag(amount) OVER w, lead(amount, 2, 0) OVER w, first_value(amount) OVER w, nth_value(amount, 2) OVER w FROM sales WINDOW w AS (PARTITION BY region ORDER BY amount)
--- postgres
SELECT sum(amount) OVER (w ORDER BY day) FROM sales WINDOW w AS (PARTITION BY region)
--- postgres
SELECT count(*) FILTER (WHERE qty > 3), sum(amount) FILTER (WHERE region = 'North') FROM sales
--- postgres
SELECT region, product, sum(amount), GROUPING(region, product) FROM sales GROUP BY CUBE (region, product)
--- postgres
SELECT region, product, sum(amount) FROM sales GROUP BY ROLLUP (region, product)
--- postgres
SELECT region, product, sum(amount) FROM sales GROUP BY GROUPING SETS ((region), (product), ())
--- postgres
SELECT region, product, sum(qty) FROM sales GROUP BY region, ROLLUP (product)
--- postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY region) FROM sales
--- postgres
SELECT rank(30) WITHIN GROUP (ORDER BY amount), cume_dist(30) WITHIN GROUP (ORDER BY amount) FROM sales
--- postgres
SELECT stddev_samp(amount), var_pop(amount), corr(qty, amount), regr_slope(amount, qty), regr_r2(amount, qty), bool_and(qty > 0), bit_or(qty) FROM sales
--- postgres
SELECT string_agg(product, ', ' ORDER BY id), array_agg(DISTINCT region), jsonb_agg(qty), jsonb_object_agg(id, amount), json_agg(row_to_json(s)) FROM sales s
--- postgres
WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 100) SELECT sum(n) FROM t
--- postgres
WITH RECURSIVE chain AS (SELECT id, referrer, 1 AS depth FROM customers WHERE referrer IS NULL UNION ALL SELECT c.id, c.referrer, depth + 1 FROM customers c JOIN chain ON c.referrer = chain.id) SEARCH DEPTH FIRST BY id SET ordercol SELECT * FROM chain ORDER BY ordercol
--- postgres
WITH RECURSIVE chain(id, referrer) AS (SELECT id, referrer FROM customers UNION ALL SELECT c.id, c.referrer FROM customers c, chain WHERE c.id = chain.referrer) CYCLE id SET is_cycle USING path SELECT * FROM chain LIMIT 10
--- postgres
WITH m AS MATERIALIZED (SELECT region, sum(amount) AS t FROM sales GROUP BY region), n AS NOT MATERIALIZED (SELECT * FROM m) SELECT * FROM n WHERE t > (SELECT avg(t) FROM m)
--- postgres
SELECT c.name, top.* FROM customers c LEFT JOIN LATERAL (SELECT amount, day FROM sales s WHERE s.customer = c.id ORDER BY amount DESC LIMIT 2) AS top ON true
--- postgres
SELECT c.name, t.tag FROM customers c CROSS JOIN LATERAL unnest(ARRAY['a', 'b']) WITH ORDINALITY AS t(tag, place)
--- postgres
SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b'])) WITH ORDINALITY AS r(a, b, n)
--- postgres
SELECT d::date, coalesce(sum(amount), 0) FROM generate_series('2024-01-01'::date, '2024-01-31', interval '1 day') AS d LEFT JOIN sales ON day = d GROUP BY d ORDER BY d
--- postgres
SELECT doc->>'kind', doc#>>'{at,x}', doc->'n'->0, doc @> '{"kind": "view"}', doc ? 'at', doc - 'n', jsonb_array_length(doc->'n'), doc['kind'] FROM events
--- postgres
SELECT id, e.key, e.value FROM events, jsonb_each(doc) AS e
--- postgres
SELECT id, n FROM events, jsonb_array_elements_text(doc->'n') WITH ORDINALITY AS e(n, place)
--- postgres
SELECT jsonb_path_query_array(doc, '$.n[*] ? (@ > 1)'), jsonb_path_exists(doc, '$.at'), doc @? '$.n[*]', jsonb_pretty(doc), jsonb_set(doc, '{kind}', '"x"') FROM events
--- postgres
SELECT * FROM jsonb_to_recordset('[{"a": 1, "b": "x"}]') AS r(a int, b text)
--- postgres
SELECT jsonb_build_object('a', 1), to_jsonb(c), json_build_array(1, 2) FROM customers c
--- postgres
SELECT tags[1], array_length(tags, 1), 'a' = ANY (tags), tags && ARRAY['b'], array_to_string(tags, ','), array_position(tags, 'b'), cardinality(tags), tags || '{c}' FROM events
--- postgres
SELECT lower(during), upper(during), during @> '2024-01-01 12:00'::timestamptz, isempty(during) FROM events
--- postgres
SELECT date_trunc('month', day) AS m, extract(isodow FROM day), to_char(day, 'YYYY-MM'), age(day, '2024-01-01'), day + interval '1 month', date_part('year', day), make_date(2024, 1, 1), date_bin('7 days', day::timestamp, '2024-01-01') FROM sales
--- postgres
SELECT joined AT TIME ZONE 'Europe/Berlin', joined::date, now() - joined, current_date - joined::date, to_timestamp(0), localtimestamp FROM customers
--- postgres
SELECT regexp_replace(name, '\d', '#', 'g'), name ~* '^n', regexp_match(name, '(\d+)'), split_part(name, ' ', 2), name SIMILAR TO 'N%', substring(name FROM '\d+'), overlay(name PLACING 'x' FROM 1 FOR 1), position('a' IN name), format('%s-%I', name, city), lpad('7', 3, '0'), initcap(name), left(name, 2), translate(name, 'a', 'b'), name ILIKE '%1' FROM customers
--- postgres
SELECT s.m FROM customers, regexp_matches(name, '\w', 'g') AS s(m)
--- postgres
SELECT * FROM string_to_table('a,b', ',') AS t
--- postgres
SELECT width_bucket(amount, 0, 100, 5) AS bucket, count(*) FROM sales GROUP BY bucket ORDER BY bucket
--- postgres
SELECT CASE WHEN qty > 3 THEN 'many' ELSE 'few' END, coalesce(NULL, qty), nullif(qty, 1), greatest(qty, 2), round(amount, 1), amount::float8, CAST(amount AS int), trunc(amount), mod(qty, 2), power(2, 3), qty IS DISTINCT FROM 1, random() < 2 FROM sales
--- postgres
VALUES (1, 'a'), (2, 'b')
--- postgres
SELECT * FROM (VALUES ('tea', 1), ('mug', 2)) AS v(product, n) JOIN sales USING (product)
--- postgres
TABLE customers
--- postgres
SELECT region FROM sales UNION ALL SELECT city FROM customers INTERSECT SELECT 'Kiel' EXCEPT ALL SELECT 'x'
--- postgres
SELECT * FROM sales FULL JOIN customers ON customers.id = sales.customer
--- postgres
SELECT name FROM customers c WHERE EXISTS (SELECT FROM sales s WHERE s.customer = c.id) AND NOT id = ALL (SELECT 99)
--- postgres
SELECT id FROM sales WHERE (region, amount) IN (SELECT region, max(amount) FROM sales GROUP BY region)
--- postgres
SELECT (s).region, (ARRAY[1, 2, 3])[2:3], ROW(1, 'a') = ROW(1, 'a'), (day, day + 2) OVERLAPS (date '2024-01-01', date '2024-02-01') FROM sales s WHERE false
--- postgres
SELECT to_tsvector('english', name) @@ to_tsquery('english', 'name'), ts_rank(to_tsvector(name), plainto_tsquery('name')) FROM customers
--- postgres
EXPLAIN (COSTS off) SELECT region, sum(amount) FROM sales GROUP BY region
--- postgres
SELECT relname, reltuples, pg_size_pretty(pg_total_relation_size(oid)) FROM pg_class WHERE relname = 'sales'
