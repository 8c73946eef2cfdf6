import pg from 'pg';

/** A text of SQL with the name that an error gives it. */
export interface Script {
  name: string;
  sql: string;
}

/** Notes in a table that a script was applied. */
interface Note {
  statement: string;
  values: string[];
}

/** Applies scripts and notes each, all in one transaction, so that a failed one leaves nothing behind. */
export async function applyTogether<T extends Script>(
  client: pg.Client,
  scripts: readonly T[],
  noteOf: (script: T) => Note,
): Promise<void> {
  await client.query('begin');
  let current: T | undefined;
  try {
    for (const script of scripts) {
      current = script;
      await client.query(script.sql);
      const { statement, values } = noteOf(script);
      await client.query(statement, values);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const { name, sql } = current!;
    throw new Error(`Migration ${name} failed and left nothing behind: ${explain(error, sql)}`, { cause: error });
  }
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position ? ` (line ${sql.slice(0, Number(error.position)).split('\n').length})` : '';
  return `${error.message}${line}`;
}
