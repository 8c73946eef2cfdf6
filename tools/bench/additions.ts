/** What requests write: how the bench proves that two programs do the same. */
import type pg from 'pg';
import { connected } from './connect.ts';

/** How many rows each table has. */
async function rowCounts(client: pg.Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${client.escapeIdentifier(name)}`);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

/** What a request adds to the tables of some databases, by the place of the database. */
export async function additions(
  urls: readonly string[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>[]> {
  const count = () => Promise.all(urls.map((url) => connected(url, rowCounts)));
  const before = await count();
  await work();
  const after = await count();
  return after.map((counts, at) => {
    const added = Object.entries(counts).map(([name, rows]) => [name, rows - (before[at]?.[name] ?? 0)] as const);
    return Object.fromEntries(added.filter(([, rows]) => rows !== 0));
  });
}
