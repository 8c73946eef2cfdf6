import type { Serving } from '@suite/testing';

/** Every row of every table of platform as text, to look for what must not be kept; but for the tables named. */
export async function contentsOf({ sql, database }: Serving, ...but_for: string[]): Promise<string> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL (${but_for})`;
  const contents = [];
  for (const { name } of tables) {
    contents.push((await database.pool.query(`SELECT to_jsonb(t) AS row FROM "${name}" t`)).rows);
  }
  return JSON.stringify(contents);
}
