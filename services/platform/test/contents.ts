import type { ServiceUnderTest } from '@suite/testing';

/** Returns all rows of platform as text, except for the given tables, to search for data that must not be stored. */
export async function contentsOf({ sql, database }: ServiceUnderTest, ...but_for: string[]): Promise<string> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL (${but_for})`;
  const contents = [];
  for (const { name } of tables) {
    contents.push((await database.pool.query(`SELECT to_jsonb(t) AS row FROM "${name}" t`)).rows);
  }
  return JSON.stringify(contents);
}
