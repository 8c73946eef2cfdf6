import { expect } from '@jest/globals';
import type { ServiceUnderTest } from './start.ts';

/**
 * Expects that each name is a table of the service's database.
 * @param names exactly the table names of the type: `{ leads: true } satisfies Record<Table, true>`
 */
export async function expectTables({ admin }: ServiceUnderTest, names: Readonly<Record<string, true>>): Promise<void> {
  const { rows } = await admin.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
  );
  const found = new Set(rows.map(({ relname }) => relname));
  expect(Object.keys(names).filter((name) => !found.has(name))).toEqual([]);
}
