--- sqlite allow
SELECT 1
--- sqlite allow
SELECT replace(name, 'a', 'b') FROM users
--- sqlite allow
SELECT user, "order", [group], `select` FROM t WHERE updated_at > '2024-01-01' AND note = 'a--b'
--- sqlite allow
SELECT 'DROP TABLE x; -- not a comment' AS note;
--- sqlite allow
-- what was asked
SELECT count(*) FROM orders /* DELETE it not */ WHERE deleted = 0
--- sqlite allow
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10) SELECT i FROM n
--- sqlite allow
SELECT a FROM t UNION SELECT b FROM u INTERSECT SELECT c FROM v EXCEPT SELECT d FROM w ORDER BY 1 LIMIT 5
--- sqlite allow
VALUES (1, 'a'), (2, 'b')
--- sqlite allow
(SELECT 1)
--- sqlite allow
SELECT strftime('%Y-%m', d), julianday('now') - julianday(d), date(d, '-3 months'), unixepoch(d) FROM t
--- sqlite allow
SELECT sum(x) OVER (PARTITION BY y ORDER BY z ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t
--- sqlite allow
SELECT j.value FROM t, json_each(t.tags) AS j WHERE json_extract(t.doc, '$.a') = 1
--- sqlite allow
EXPLAIN QUERY PLAN SELECT * FROM t
--- sqlite allow
PRAGMA table_info(users)
--- sqlite allow
SELECT * FROM pragma_table_info('users')
--- sqlite allow
SELECT :region, ?, @limit FROM t WHERE a = $b
--- sqlite allow
SELECT iif(a > 1, 'x', 'y'), group_concat(b, ', '), printf('%d', c), instr(d, 'e'), substr(f, 1, 2) FROM t
--- sqlite allow
SELECT CASE WHEN a LIKE '%into%' THEN 'insert' ELSE 'update' END AS "delete" FROM "create"
--- sqlite refuse: empty
-- nothing here
--- sqlite refuse: reads only
INSERT INTO t VALUES (1)
--- sqlite refuse: reads only
REPLACE INTO t VALUES (1)
--- sqlite refuse: reads only
UPDATE t SET a = 1
--- sqlite refuse: reads only
DELETE FROM t
--- sqlite refuse: reads only
WITH d AS (SELECT 1) DELETE FROM t WHERE a IN (SELECT * FROM d)
--- sqlite refuse: reads only
CREATE TABLE t AS SELECT 1
--- sqlite refuse: reads only
CREATE TEMP VIEW v AS SELECT 1
--- sqlite refuse: reads only
DROP TABLE t
--- sqlite refuse: reads only
ALTER TABLE t RENAME TO u
--- sqlite refuse: reads only
ATTACH DATABASE ':memory:' AS m
--- sqlite refuse: reads only
DETACH DATABASE main
--- sqlite refuse: reads only
VACUUM INTO '/tmp/copy.db'
--- sqlite refuse: reads only
PRAGMA query_only = 0
--- sqlite refuse: reads only
PRAGMA query_only(0)
--- sqlite refuse: reads only
PRAGMA writable_schema = 1
--- sqlite refuse: reads only
PRAGMA main.journal_mode = DELETE
--- sqlite refuse: reads only
BEGIN; SELECT 1
--- sqlite refuse: reads only
EXPLAIN DELETE FROM t
--- sqlite refuse: reads only
EXPLAIN QUERY PLAN DROP TABLE t
--- sqlite refuse: reads only
ANALYZE
--- sqlite refuse: reads only
REINDEX
--- sqlite refuse: one statement
SELECT 1; DROP TABLE t
--- sqlite refuse: one statement
SELECT 1; SELECT 2;
--- sqlite refuse: function
SELECT load_extension('evil.so')
--- sqlite refuse: function
SELECT "load_extension"('evil.so')
--- sqlite refuse: function
SELECT LOAD_EXTENSION /* here */ ('evil.so')
--- sqlite refuse: function
SELECT * FROM (SELECT readfile('/etc/passwd') AS x)
--- sqlite refuse: function
SELECT 1 WHERE EXISTS (SELECT writefile('/tmp/x', 'y'))
--- sqlite refuse: function
SELECT fts3_tokenizer('simple')
--- sqlite refuse: function
SELECT a FROM t ORDER BY edit(a)
--- sqlite refuse: function
SELECT unheard_of(1)
--- sqlite refuse: function
SELECT * FROM pragma_query_only
--- sqlite refuse: parse
SELECT 'open
--- sqlite refuse: parse
SELECT FROM WHERE
--- duckdb allow
SELECT date_trunc('month', d) AS m, sum(x)::DOUBLE FROM t GROUP BY ALL ORDER BY ALL
--- duckdb allow
FROM sales
--- duckdb allow
FROM sales SELECT region, sum(amount) GROUP BY region
--- duckdb allow
SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM t QUALIFY row_number() OVER (PARTITION BY c) = 1
--- duckdb allow
PIVOT sales ON region USING sum(amount) GROUP BY month
--- duckdb allow
SELECT unnest([1, 2, 3]), list_transform([1], lambda x: x + 1), {'a': 1}.a
--- duckdb allow
SELECT * FROM generate_series(1, 10) AS g(i), range(3), unnest([1, 2])
--- duckdb allow
DESCRIBE sales
--- duckdb allow
SUMMARIZE sales
--- duckdb allow
SHOW TABLES
--- duckdb allow
SHOW ALL TABLES
--- duckdb allow
EXPLAIN ANALYZE SELECT 1
--- duckdb allow
SELECT regexp_replace(a, '\d+', ''), strptime(b, '%d.%m.%Y'), arg_max(c, d), median(e), quantile_cont(f, 0.9) FROM t
--- duckdb allow
SELECT COLUMNS('sum_.*') FROM t ASOF JOIN u USING (d)
--- duckdb allow
SELECT * FROM t USING SAMPLE 10%
--- duckdb allow
SELECT "a.csv" FROM t WHERE path = 'data/file.csv'
--- duckdb refuse: function
SELECT * FROM read_csv('/etc/passwd')
--- duckdb refuse: function
SELECT * FROM read_csv_auto('x.csv')
--- duckdb refuse: function
SELECT * FROM read_parquet('s3://bucket/x.parquet')
--- duckdb refuse: function
SELECT content FROM read_text('/etc/passwd')
--- duckdb refuse: function
SELECT * FROM read_blob('/etc/passwd')
--- duckdb refuse: function
SELECT * FROM glob('/home/*')
--- duckdb refuse: function
SELECT * FROM sniff_csv('x.csv')
--- duckdb refuse: function
SELECT * FROM parquet_scan('x')
--- duckdb refuse: function
SELECT * FROM query('DROP TABLE t')
--- duckdb refuse: function
SELECT * FROM query_table('t')
--- duckdb refuse: function
SELECT * FROM t, LATERAL (SELECT * FROM read_text(t.path))
--- duckdb refuse: function
SELECT * FROM json_execute_serialized_sql('{}')
--- duckdb refuse: function
SELECT getenv('HOME')
--- duckdb refuse: function
SELECT 'HOME'.getenv()
--- duckdb refuse: function
SELECT nextval('s')
--- duckdb refuse: function
SELECT write_log('x')
--- duckdb refuse: function
SELECT sleep_ms(10000)
--- duckdb refuse: function
SELECT * FROM duckdb_secrets()
--- duckdb refuse: function
SELECT * FROM which_secret('s3://x', 's3')
--- duckdb refuse: function
SUMMARIZE SELECT * FROM read_csv('x.csv')
--- duckdb refuse: function
DESCRIBE SELECT * FROM read_csv('x.csv')
--- duckdb refuse: function
PIVOT read_csv('x.csv') ON a USING sum(b)
--- duckdb refuse: file
SELECT * FROM 'sales.csv'
--- duckdb refuse: file
FROM '/etc/passwd'
--- duckdb refuse: file
SELECT * FROM "https://example.org/x.parquet"
--- duckdb refuse: file
SELECT * FROM t JOIN 'data/*.json' USING (id)
--- duckdb refuse: file
DESCRIBE 'x.parquet'
--- duckdb refuse: file
SUMMARIZE 'x.parquet'
--- duckdb refuse: file
SELECT * FROM "x.csv.gz"
--- duckdb refuse: reads only
COPY t TO '/tmp/x.csv'
--- duckdb refuse: reads only
COPY (SELECT 1) TO '/tmp/x.csv'
--- duckdb refuse: reads only
EXPORT DATABASE '/tmp/x'
--- duckdb refuse: reads only
IMPORT DATABASE '/tmp/x'
--- duckdb refuse: reads only
INSTALL httpfs
--- duckdb refuse: reads only
LOAD httpfs
--- duckdb refuse: reads only
ATTACH 'x.db' AS x
--- duckdb refuse: reads only
USE x
--- duckdb refuse: reads only
SET VARIABLE x = 1
--- duckdb refuse: reads only
SET enable_external_access = true
--- duckdb refuse: reads only
RESET memory_limit
--- duckdb refuse: reads only
CALL pragma_version()
--- duckdb refuse: reads only
PRAGMA enable_logging
--- duckdb refuse: reads only
CHECKPOINT
--- duckdb refuse: reads only
CREATE SECRET s (TYPE s3)
--- duckdb refuse: reads only
PREPARE p AS SELECT 1
--- duckdb refuse: reads only
EXECUTE p
--- duckdb refuse: reads only
CREATE MACRO f(x) AS x + 1
--- postgres allow
SELECT id::text, now() - interval '1 day', extract(year FROM d), a->>'b', c #>> '{d}' FROM t
--- postgres allow
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC NULLS LAST
--- postgres allow
SELECT count(*) FILTER (WHERE x > 1), array_agg(y ORDER BY z), percentile_cont(0.5) WITHIN GROUP (ORDER BY w) FROM t
--- postgres allow
TABLE users
--- postgres allow
SELECT * FROM generate_series(1, 3) AS g(i), jsonb_array_elements('[1]') AS e
--- postgres allow
SELECT $$ DROP TABLE x; $$ AS text, E'it\'s' AS other
--- postgres allow
SELECT pg_get_viewdef('v'::regclass), pg_size_pretty(pg_total_relation_size('t')), pg_typeof(1)
--- postgres allow
EXPLAIN (FORMAT json) SELECT * FROM t
--- postgres allow
EXPLAIN ANALYZE VERBOSE SELECT * FROM t
--- postgres allow
SELECT pg_read_file, set_config FROM audit
--- postgres refuse: function
SELECT our_own_function(a) FROM t
--- postgres refuse: function
SELECT public.lower(a) FROM t
--- postgres refuse: function
SELECT "Lower"(a) FROM t
--- postgres refuse: function
SELECT * FROM our_rows(1) AS r(a int)
--- postgres refuse: function
SELECT * FROM ROWS FROM (generate_series(1, 2), our_rows(1)) AS r
--- postgres refuse: function
SELECT get_raw_page('t', 0)
--- postgres refuse: function
SELECT * FROM heap_page_items(get_raw_page('t', 0))
--- postgres refuse: function
SELECT filter(a, b) FROM t
--- postgres refuse: function
SELECT a OPERATOR(public.+) b FROM t
--- postgres refuse: function
SELECT count(*) OVER w, our_aggregate(a) OVER w FROM t WINDOW w AS (ORDER BY b)
--- postgres refuse: function
SELECT (SELECT max(our_own_function(x)) FROM unnest(t.a) AS u(x)) FROM t ORDER BY 1
--- postgres allow
SELECT pg_catalog.lower(a), "upper"(b), a OPERATOR(pg_catalog.+) 1 FROM t
--- postgres allow
SELECT similarity(a, b), unaccent(a), st_area(g), digest(a, 'sha256'), a::varchar(10), b::numeric(10, 2) FROM t
--- postgres allow
WITH lowered(a, b) AS (VALUES (1, 2)) SELECT x.c FROM lowered AS x(c, d) GROUP BY GROUPING SETS ((x.c), ())
--- duckdb refuse: function
SELECT our_macro(a) FROM t
--- duckdb refuse: function
SELECT a.our_macro() FROM t
--- duckdb refuse: function
SELECT * FROM our_rows(1)
--- duckdb refuse: function
SELECT list_transform([1], lambda x: our_macro(x))
--- duckdb refuse: function
SELECT * FROM shop.our_rows(1)
--- duckdb refuse: function
SELECT pg_sleep(10)
--- duckdb refuse: function
PIVOT t ON a USING our_macro(b) ORDER BY c
--- duckdb allow
SELECT a.upper().left(3), [x + 1 for x in l if (x > 2)], s.trim() FROM t
--- mysql refuse: function
SELECT shop.leak(a) FROM t
--- mysql refuse: function
SELECT shop.count (a) FROM t
--- mysql refuse: function
SELECT leak(a) FROM t
--- mysql refuse: parse
SELECT "sleep"(5)
--- mysql allow
SELECT group_concat(a ORDER BY b SEPARATOR ','), if(a > 1, 2, 3), left(a, 1), date_add(d, INTERVAL 1 DAY) FROM t
--- clickhouse refuse: function
SELECT leak(a) FROM t
--- clickhouse refuse: function
SELECT * FROM remote('h', 'd', 't')
--- clickhouse refuse: function
SELECT dictGet('d', 'a', 1)
--- clickhouse allow
SELECT sumIf(a, b > 1), quantileTDigestIfOrNull(0.9)(a, b), toStartOfMonth(d), arrayMap(x -> (x + 1), l) FROM t
--- tsql refuse: function
SELECT dbo.leak(a) FROM t
--- snowflake refuse: function
SELECT leak(a) FROM t
--- snowflake allow
SELECT DATEADD(day, 1, d), IFF(a > 1, b, c), TRY_TO_NUMBER(x), f.value FROM t, LATERAL FLATTEN(input => t.l) AS f
--- bigquery refuse: function
SELECT `p.d.leak`(a) FROM t
--- bigquery allow
SELECT SAFE_DIVIDE(a, b), FORMAT_DATE('%Y', d), APPROX_QUANTILES(a, 4)[OFFSET(1)], SAFE.SUBSTR(a, 1), NET.HOST(u) FROM t
--- sqlite refuse: function
SELECT main.abs(a) FROM t
--- postgres refuse: function
SELECT pg_sleep(10)
--- postgres refuse: function
SELECT pg_catalog.pg_sleep(10)
--- postgres refuse: function
SELECT "pg_read_file"('/etc/passwd')
--- postgres refuse: function
SELECT U&"pg_read_file"('/etc/passwd')
--- postgres refuse: function
SELECT * FROM pg_ls_dir('/')
--- postgres refuse: function
SELECT pg_terminate_backend(1)
--- postgres refuse: function
SELECT pg_advisory_lock(1)
--- postgres refuse: function
SELECT set_config('transaction_read_only', 'off', false)
--- postgres refuse: function
SELECT query_to_xml('SELECT 1', true, true, '')
--- postgres refuse: function
SELECT * FROM dblink('host=x', 'DELETE FROM t') AS t(a int)
--- postgres refuse: function
SELECT dblink_exec('x', 'DROP TABLE t')
--- postgres refuse: function
SELECT lo_import('/etc/passwd')
--- postgres refuse: function
SELECT lo_export(1, '/tmp/x')
--- postgres refuse: function
SELECT nextval('s')
--- postgres refuse: function
SELECT setval('s', 1)
--- postgres refuse: function
SELECT * FROM ts_stat('SELECT 1')
--- postgres refuse: function
SELECT aws_lambda.invoke('f', '{}')
--- postgres refuse: function
SELECT net.http_get('http://x')
--- postgres refuse: function
SELECT pg_notify('c', 'p')
--- postgres refuse: into
SELECT * INTO copy FROM t
--- postgres refuse: into
SELECT a INTO TEMP x FROM t
--- postgres refuse: lock
SELECT * FROM t FOR UPDATE
--- postgres refuse: lock
SELECT * FROM t FOR NO KEY UPDATE SKIP LOCKED
--- postgres refuse: lock
SELECT * FROM (SELECT * FROM t FOR SHARE) AS s
--- postgres refuse: reads only
WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d
--- postgres refuse: reads only
WITH i AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM i
--- postgres refuse: reads only
WITH u AS (UPDATE t SET a = 1 RETURNING a) SELECT * FROM u
--- postgres refuse: reads only
COPY t FROM PROGRAM 'id'
--- postgres refuse: reads only
DO $$ BEGIN PERFORM 1; END $$
--- postgres refuse: reads only
EXPLAIN ANALYZE DELETE FROM t
--- postgres refuse: reads only
EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1
--- postgres refuse: reads only
SET ROLE postgres
--- postgres refuse: reads only
RESET ALL
--- postgres refuse: reads only
LISTEN c
--- postgres refuse: reads only
GRANT ALL ON t TO public
--- postgres refuse: reads only
REFRESH MATERIALIZED VIEW v
--- postgres refuse: reads only
LOCK TABLE t
--- postgres refuse: reads only
CALL p()
--- postgres refuse: reads only
DECLARE c CURSOR FOR SELECT 1
--- postgres refuse: reads only
COMMIT
--- postgres refuse: one statement
SELECT 1; COMMIT; DROP TABLE t
--- mysql allow
SELECT `name`, DATE_FORMAT(d, '%Y-%m'), IFNULL(a, 0), CONCAT(b, '\'', c) FROM `t` WHERE e = "x" # so
--- mysql allow
SHOW TABLES
--- mysql allow
SHOW COLUMNS FROM t
--- mysql allow
SHOW CREATE TABLE t
--- mysql allow
DESCRIBE t
--- mysql allow
EXPLAIN FORMAT=JSON SELECT 1
--- mysql allow
SELECT 1 -- trailing
--- mysql refuse: comment
SELECT 1 /*! INTO OUTFILE '/tmp/x' */
--- mysql refuse: comment
SELECT /*!50000 sleep(5) */ 1
--- mysql refuse: comment
/*M! DROP TABLE t */ SELECT 1
--- mysql refuse: one statement
SELECT 1--1;DROP TABLE t
--- mysql refuse: hint
SELECT /*+ SET_VAR(max_execution_time=0) */ 1 FROM t
--- mysql refuse: parse
SELECT * FROM t INTO OUTFILE '/tmp/x'
--- mysql refuse: parse
SELECT 1 INTO DUMPFILE '/tmp/x'
--- mysql refuse: into
SELECT 1 INTO @a
--- mysql refuse: into
SELECT @a := 1
--- mysql refuse: function
SELECT SLEEP(5)
--- mysql refuse: function
SELECT BENCHMARK(1000000000, MD5('x'))
--- mysql refuse: function
SELECT LOAD_FILE('/etc/passwd')
--- mysql refuse: function
SELECT GET_LOCK('x', 10)
--- mysql refuse: function
SELECT `sleep`(5)
--- mysql refuse: lock
SELECT * FROM t LOCK IN SHARE MODE
--- mysql refuse: lock
SELECT * FROM t FOR UPDATE
--- mysql refuse: reads only
SHOW GRANTS
--- mysql refuse: reads only
SHOW PROCESSLIST
--- mysql refuse: reads only
LOAD DATA INFILE 'x' INTO TABLE t
--- mysql refuse: reads only
HANDLER t OPEN
--- mysql refuse: reads only
KILL 1
--- mysql refuse: reads only
SET GLOBAL general_log = 1
--- mysql refuse: reads only
FLUSH TABLES
--- mysql refuse: reads only
INSTALL PLUGIN x SONAME 'y'
--- tsql allow
SELECT TOP 5 [name] FROM [dbo].[t] WHERE a = N'x'
--- tsql refuse: function
SELECT * FROM OPENROWSET('a', 'b', 'c')
--- tsql refuse: function
SELECT * FROM OPENQUERY(x, 'DELETE FROM t')
--- tsql refuse: reads only
EXEC xp_cmdshell 'dir'
--- tsql refuse: into
SELECT * INTO #t FROM u
--- snowflake refuse: function
SELECT SYSTEM$CANCEL_QUERY('x')
--- bigquery refuse: function
SELECT * FROM EXTERNAL_QUERY('c', 'DELETE FROM t')
--- clickhouse refuse: function
SELECT * FROM url('http://x', CSV)
--- clickhouse refuse: function
SELECT * FROM file('/etc/passwd')
--- spark allow
SELECT /*+ BROADCAST(u) */ * FROM t JOIN u USING (id)
--- trino allow
SHOW CATALOGS
--- mysql allow
SELECT 1 /* a -- b */, 2 /* # c */ -- d /*! e */
--- postgres refuse: comment
/* a /* b */ SELECT 1 FROM */ SELECT 1
--- duckdb allow
WITH query(a) AS (SELECT 1) SELECT a FROM query
--- postgres refuse: one statement
SELECT '\'; DROP TABLE t; --'
--- duckdb refuse: one statement
SELECT '\'; DROP TABLE t; --'
--- sqlite refuse: one statement
SELECT '\'; DROP TABLE t; --'
--- mysql allow
SELECT '\'; DROP TABLE t; --'
--- postgres allow
SELECT $a$ $$; DROP TABLE t; -- $a$
--- sqlite refuse: one statement
SELECT [a'b]; DROP TABLE t; --']
--- postgres refuse: system table
SELECT * FROM pg_shadow
--- postgres refuse: system table
SELECT s.passwd FROM PG_Shadow AS s
--- postgres refuse: system table
SELECT * FROM pg_catalog.pg_authid
--- postgres refuse: system table
SELECT * FROM "pg_catalog"."pg_authid"
--- postgres refuse: system table
SELECT * FROM postgres.pg_catalog.pg_authid
--- postgres refuse: system table
TABLE pg_shadow
--- postgres refuse: system table
SELECT * FROM (TABLE ONLY pg_shadow) AS x
--- postgres refuse: system table
SELECT 1 WHERE EXISTS (SELECT 1 FROM pg_authid WHERE rolpassword LIKE 'SCRAM%')
--- postgres refuse: system table
SELECT t.a, p.passwd FROM t, LATERAL (SELECT passwd FROM pg_shadow) AS p
--- postgres refuse: system table
SELECT * FROM (pg_shadow CROSS JOIN t)
--- postgres refuse: system table
SELECT row_to_json(pg_shadow) FROM pg_shadow*
--- postgres refuse: system table
SELECT a FROM t UNION ALL SELECT passwd FROM pg_shadow
--- postgres refuse: system table
SELECT * FROM pg_hba_file_rules
--- postgres refuse: system table
SELECT * FROM pg_file_settings
--- postgres refuse: system table
SELECT * FROM pg_ident_file_mappings
--- postgres refuse: system table
SELECT setting FROM pg_settings WHERE name = 'primary_conninfo'
--- postgres refuse: system table
SELECT umoptions FROM pg_user_mappings
--- postgres refuse: system table
SELECT * FROM pg_user_mapping
--- postgres refuse: system table
SELECT option_value FROM information_schema.user_mapping_options
--- postgres refuse: system table
SELECT * FROM information_schema._pg_user_mappings
--- postgres refuse: system table
SELECT data FROM pg_largeobject
--- postgres refuse: system table
SELECT query FROM pg_stat_activity
--- postgres refuse: system table
SELECT query FROM public.pg_stat_statements
--- postgres refuse: system table
SELECT subconninfo FROM pg_subscription
--- postgres refuse: system table
SELECT stavalues1 FROM pg_statistic
--- postgres refuse: system table
SELECT chunk_data FROM pg_toast.pg_toast_16384
--- postgres refuse: system table
WITH pg_shadow AS (SELECT * FROM pg_shadow) SELECT * FROM pg_shadow
--- postgres refuse: system table
WITH "PG_SHADOW" AS (SELECT 1) SELECT * FROM pg_shadow
--- postgres refuse: system table
WITH pg_shadow AS (SELECT 1) SELECT * FROM pg_catalog.pg_shadow
--- postgres refuse: system table
WITH x AS (SELECT * FROM pg_shadow), pg_shadow AS (SELECT 1) SELECT * FROM x
--- postgres refuse: system table
SELECT * FROM (WITH pg_shadow AS (SELECT 1) SELECT * FROM pg_shadow) AS a, pg_shadow
--- postgres refuse: system table
WITH x AS (TABLE pg_authid) SELECT * FROM x
--- postgres refuse: system table
EXPLAIN ANALYZE SELECT * FROM pg_shadow
--- postgres refuse: system table
SELECT * FROM pg_shadow TABLESAMPLE BERNOULLI (100)
--- postgres refuse: function
SELECT table_to_xml('pg_shadow'::regclass, true, true, '')
--- postgres refuse: function
SELECT * FROM query_to_xml('TABLE pg_shadow', true, true, '')
--- postgres refuse: function
SELECT query FROM pg_stat_get_activity(NULL)
--- postgres refuse: function
SELECT * FROM pg_show_all_file_settings()
--- postgres refuse: function
SELECT * FROM pg_hba_file_rules()
--- postgres refuse: function
SELECT current_setting('primary_conninfo')
--- postgres refuse: function
SELECT pg_get_replication_slots()
--- postgres refuse: function
SELECT loread(0, 1000)
--- postgres refuse: parse
SELECT * FROM U&"pg\005fshadow"
--- postgres refuse: parse
SELECT * FROM ONLY (pg_shadow)
--- postgres allow
WITH pg_shadow AS (SELECT 1 AS a) SELECT a FROM pg_shadow
--- postgres allow
WITH RECURSIVE pg_user AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM pg_user WHERE n < 5) SELECT n FROM pg_user
--- postgres allow
SELECT pg_shadow, passwd FROM users
--- postgres allow
SELECT relname, reltuples FROM pg_class JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
--- postgres allow
SELECT n_live_tup FROM pg_stat_user_tables
--- postgres allow
SELECT table_name FROM information_schema.tables
--- postgres allow
SELECT * FROM pg_ratings
--- mysql refuse: system table
SELECT * FROM mysql.user
--- mysql refuse: system table
SELECT authentication_string FROM `mysql` . `user`
--- mysql refuse: system table
SELECT * FROM MySQL.global_priv
--- mysql refuse: system table
TABLE mysql.user
--- mysql refuse: system table
SELECT * FROM performance_schema.events_statements_history
--- mysql refuse: system table
SELECT info FROM information_schema.processlist
--- mysql refuse: system table
SELECT * FROM INFORMATION_SCHEMA.USER_PRIVILEGES
--- mysql refuse: system table
SELECT * FROM sys.session
--- mysql refuse: system table
WITH user AS (SELECT 1) SELECT * FROM mysql.user
--- mysql allow
SELECT * FROM user JOIN processlist USING (id)
--- mysql allow
SELECT table_name, table_rows FROM information_schema.tables
--- sqlite refuse: system table
SELECT data FROM sqlite_dbpage
--- sqlite refuse: system table
SELECT sql FROM main.sqlite_stmt
--- sqlite allow
SELECT name FROM sqlite_master
--- duckdb refuse: system table
SELECT value FROM pg_settings
--- duckdb refuse: system table
FROM duckdb_logs
--- duckdb refuse: system table
SELECT path FROM duckdb_databases
--- duckdb refuse: system table
SELECT file FROM system.main.pragma_database_list
--- duckdb allow
WITH duckdb_databases AS (SELECT 1 AS path) SELECT path FROM duckdb_databases
--- duckdb refuse: system table
SELECT * FROM pg_catalog.pg_settings
--- duckdb refuse: function
SELECT * FROM duckdb_settings()
--- duckdb refuse: function
SELECT current_setting('s3_secret_access_key')
--- duckdb allow
SELECT table_name FROM duckdb_tables
--- tsql refuse: system table
SELECT name, password_hash FROM sys.sql_logins
--- duckdb allow
PIVOT t ON a USING sum(b) ORDER BY c LIMIT 3
--- duckdb allow
PIVOT t ON a USING sum(b) -- ORDER BY c
--- duckdb allow
SELECT * FROM (DESCRIBE t)
--- duckdb refuse: file
SELECT * FROM (SUMMARIZE 'x.parquet')
--- duckdb refuse: file
SELECT * FROM (DESCRIBE 'x.parquet')
--- duckdb refuse: function
SELECT * FROM (DESCRIBE SELECT * FROM read_csv('x.csv'))
--- duckdb refuse: file
PIVOT 'x.csv' ON a USING sum(b) ORDER BY 1
--- duckdb refuse: function
PIVOT_WIDER read_csv('x.csv') ON a USING sum(b)
--- duckdb refuse: function
PIVOT t ON a USING sum(b) ORDER BY getenv('HOME')
--- duckdb refuse: function
PIVOT t ON a USING sum(b) LIMIT (SELECT count(*) FROM read_csv('x.csv'))
--- duckdb refuse: function
PIVOT t ON a IN (SELECT content FROM read_text('/etc/passwd')) USING sum(b)
--- duckdb refuse: function
EXPLAIN PIVOT read_text('/etc/passwd') ON filename USING max(content)
--- duckdb refuse: one statement
PIVOT t ON a USING sum(b) ORDER BY 1; DROP TABLE t
--- duckdb refuse: one statement
PIVOT t ON a USING sum(b)); DROP TABLE t; (SELECT 1 ORDER BY 1
--- duckdb refuse: lock
PIVOT t ON a USING sum(b) ORDER BY c FOR UPDATE
--- duckdb refuse: parse
PIVOT (DELETE FROM t RETURNING *) ON a USING sum(b)
--- duckdb refuse: reads only
WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM (PIVOT d ON a USING sum(b))
--- duckdb refuse: system table
PIVOT pg_settings ON name USING max(value)
--- postgres refuse: function
SELECT system(10) FROM t TABLESAMPLE SYSTEM (10)
--- postgres refuse: function
SELECT * FROM t TABLESAMPLE SYSTEM (10), system(1)
--- postgres refuse: parse
SELECT tablesample, system(1) FROM t
--- postgres refuse: parse
SELECT * FROM t TABLESAMPLE SYSTEM (pg_sleep(10))
--- postgres refuse: parse
SELECT * FROM t TABLESAMPLE BERNOULLI ((SELECT passwd FROM pg_shadow)::int)
