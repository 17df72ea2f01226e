-- What people made in this database among the names of one statement: functions, operators, types that run a function.
-- Whatever has an oid from 16384 on was made after the server itself; some extensions are known to compute only.
WITH RECURSIVE routine AS (
  SELECT p.oid, p.proname, p.pronamespace, p.pronargs, p.proargtypes[0] AS first_type
  FROM pg_proc p
  WHERE p.oid >= 16384 AND NOT EXISTS (
    SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.refclassid = 'pg_extension'::regclass
      AND d.deptype = 'e' AND e.extname = ANY(%(extensions)s::text[]))
), running(oid) AS (
  SELECT c.contypid FROM pg_constraint c
  JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_proc'::regclass
  JOIN routine r ON r.oid = d.refobjid
  WHERE c.contypid <> 0
  UNION
  SELECT t.oid FROM running k
  JOIN pg_type t ON t.typbasetype = k.oid OR t.typelem = k.oid
    OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.atttypid = k.oid)
)
SELECT 'function', n.nspname::text, r.proname::text
FROM routine r JOIN pg_namespace n ON n.oid = r.pronamespace
WHERE r.proname = ANY(%(called)s::text[])
  OR (n.nspname = 'pg_catalog' AND r.proname = ANY(%(qualified)s::text[]))
UNION ALL
SELECT 'function', n.nspname::text, r.proname::text
FROM routine r JOIN pg_namespace n ON n.oid = r.pronamespace JOIN pg_type t ON t.oid = r.first_type
WHERE r.proname = ANY(%(reached)s::text[]) AND r.pronargs >= 1 AND t.typtype IN ('c', 'p')
  AND NOT EXISTS (
    SELECT FROM pg_attribute a
    WHERE a.attname = r.proname AND NOT a.attisdropped AND a.attrelid >= 16384 AND t.typrelid IN (0, a.attrelid))
UNION ALL
SELECT 'operator', n.nspname::text, o.oprname::text
FROM pg_operator o JOIN routine r ON r.oid = o.oprcode JOIN pg_namespace n ON n.oid = o.oprnamespace
UNION ALL
SELECT 'type', n.nspname::text, t.typname::text
FROM running k JOIN pg_type t ON t.oid = k.oid JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typname = ANY(%(types)s::text[])
UNION ALL
SELECT 'type', n.nspname::text, t.typname::text
FROM pg_cast c JOIN routine r ON r.oid = c.castfunc JOIN pg_type t ON t.oid = c.casttarget
JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typname = ANY(%(types)s::text[]) OR format_type(t.oid, NULL) = ANY(%(types)s::text[])
UNION ALL
-- Conversions and orderings that no statement has to name. C is what extensions are written in; SQL text is not.
SELECT 'unasked', n.nspname::text, p.proname::text
FROM routine r JOIN pg_proc p ON p.oid = r.oid JOIN pg_language l ON l.oid = p.prolang
JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE l.lanname NOT IN ('c', 'internal') AND (
  EXISTS (SELECT FROM pg_cast c WHERE c.castfunc = p.oid AND c.castcontext = 'i')
  OR EXISTS (SELECT FROM pg_amproc a WHERE a.amproc::oid = p.oid)
  OR EXISTS (SELECT FROM pg_amop a JOIN pg_operator o ON o.oid = a.amopopr WHERE o.oprcode::oid = p.oid)
  OR EXISTS (SELECT FROM pg_range g WHERE p.oid IN (g.rngcanonical::oid, g.rngsubdiff::oid)))
