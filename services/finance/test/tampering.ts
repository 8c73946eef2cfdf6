import type { AuditCheck } from '@suite/auditor';
import type { ServiceUnderTest } from '@suite/testing';
import { checks } from '../src/reports/audit/audit.ts';

/** SQL that removes all constraints and triggers that reject an invalid row. */
const UNGUARDED = `DO $$
  DECLARE guard record;
  BEGIN
    FOR guard IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
      WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conparentid = 0
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', guard.place, guard.conname); END LOOP;
    FOR guard IN SELECT DISTINCT tgrelid::regclass AS place FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    LOOP EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', guard.place); END LOOP;
  END $$`;

/**
 * Returns the rules that a statement violates, run as the database owner without constraints. The statement is rolled
 * back.
 * @param rules the rules to check. All rules by default
 */
export async function brokenBy(
  { admin }: ServiceUnderTest,
  workspace: string,
  statement: string,
  rules: readonly AuditCheck[] = checks,
): Promise<string[]> {
  const client = await admin.connect();
  try {
    await client.query('BEGIN');
    await client.query(UNGUARDED);
    await client.query(statement);
    const found: string[] = [];
    for (const { name, sql } of rules) {
      const { rowCount } = await client.query(`SELECT FROM (${sql}) AS wrong WHERE workspace_id = $1`, [workspace]);
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
