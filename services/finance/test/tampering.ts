import type { Serving } from '@suite/testing';
import { checks } from '../src/audit/audit.ts';

/** The rules that are broken in a workspace after a statement of the owner's, past every guard; it is undone again. */
export async function brokenBy({ admin }: Serving, workspace: string, statement: string): Promise<string[]> {
  const client = await admin.connect();
  try {
    await client.query('BEGIN');
    await client.query('ALTER TABLE journal_lines DISABLE TRIGGER USER');
    await client.query('ALTER TABLE journal_entries DISABLE TRIGGER USER');
    await client.query(statement);
    const found: string[] = [];
    for (const { name, sql } of checks) {
      const { rowCount } = await client.query(`SELECT FROM (${sql}) AS wrong WHERE workspace_id = $1`, [workspace]);
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
