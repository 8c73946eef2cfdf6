import pg from 'pg';

/** SQL text with the name that errors show. */
export interface Script {
  name: string;
  sql: string;
}

/** Statement that records an applied script. */
interface RecordStatement {
  statement: string;
  values: string[];
}

/** Applies scripts and records each, all in one transaction. If one fails, nothing changes. */
export async function applyTogether<T extends Script>(
  client: pg.Client,
  scripts: readonly T[],
  recordOf: (script: T) => RecordStatement,
): Promise<void> {
  await client.query('begin');
  let current: T | undefined;
  try {
    for (const script of scripts) {
      current = script;
      await client.query(script.sql);
      const { statement, values } = recordOf(script);
      await client.query(statement, values);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const { name, sql } = current!;
    throw new Error(`Migration ${name} failed and was rolled back: ${explain(error, sql)}`, { cause: error });
  }
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position ? ` (line ${sql.slice(0, Number(error.position)).split('\n').length})` : '';
  return `${error.message}${line}`;
}
