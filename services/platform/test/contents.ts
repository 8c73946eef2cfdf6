import type { ServiceUnderTest } from '@suite/testing';

/** Returns all rows of platform as text, except for emitted events (kept for 30 days), to search for data that must not be stored. */
export async function contentsOf({ sql, database }: ServiceUnderTest): Promise<string> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  const contents = [];
  for (const { name } of tables) {
    contents.push(
      (
        await database.pool.query(`SELECT to_jsonb(t) - $1 AS row FROM "${name}" t`, [
          name.startsWith('_journal') ? 'events' : '',
        ])
      ).rows,
    );
  }
  return JSON.stringify(contents);
}
