/** The auditor of finance: every invariant of its books, asked in one snapshot. The front door `@suite/finance/audit`. */
import { type Check, LEDGER_CHECKS } from './checks.ts';

/** All that is asked. */
export const CHECKS: readonly Check[] = [...LEDGER_CHECKS];

/** What was found to be wrong. */
export interface Violation {
  check: string;
  workspace_id: string;
  detail: string;
}

/** As much of a connection to finance's database, as the owner of its tables, as the auditor needs. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: object[] }>;
}

/** Asks everything, in one read-only snapshot. @param workspace_id only of one workspace */
export async function audit(connection: Connection, workspace_id: string | null = null): Promise<Violation[]> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const found: Violation[] = [];
    for (const { name: check, sql } of CHECKS) {
      const { rows } = await connection.query(
        `SELECT workspace_id, detail FROM (${sql}) AS wrong WHERE $1::uuid IS NULL OR workspace_id = $1::uuid LIMIT 100`,
        [workspace_id],
      );
      found.push(...rows.map((row) => ({ check, ...(row as Omit<Violation, 'check'>) })));
    }
    return found;
  } finally {
    await connection.query('ROLLBACK');
  }
}
