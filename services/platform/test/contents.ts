import type { ServiceUnderTest } from '@suite/testing';

/**
 * Returns all rows of platform as text, to search for data that must not be stored.
 * @param options `without_events` leaves out the events of the journal, which are kept for 30 days
 */
export async function contentsOf(
  { sql, database }: ServiceUnderTest,
  { without_events = false } = {},
): Promise<string> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  const contents = [];
  for (const { name } of tables) {
    const left_out = without_events && name.startsWith('_journal') ? 'events' : '';
    contents.push((await database.pool.query(`SELECT to_jsonb(t) - $1 AS row FROM "${name}" t`, [left_out])).rows);
  }
  return JSON.stringify(contents);
}
