import { raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** The kinds of documents that have numbers, and what these begin with. */
const SERIES = {
  quote: { prefix: 'QUO', table: 'quotes' },
  sales_order: { prefix: 'SO', table: 'sales_orders' },
  proposal: { prefix: 'PRO', table: 'proposals' },
} as const;

const DIGITS = 5;

/**
 * Gives a document its number (`QUO-2026-00001`) unless it has one, in the year of its date, and returns it.
 * The counter's row is held until the commit, so that numbers have no gap: call it last. What was given is written down for
 * good, since a document may be deleted after it was rejected.
 */
export async function number(db: Db, type: keyof typeof SERIES, id: string, date: string): Promise<string> {
  const { prefix, table } = SERIES[type];
  const year = Number(date.slice(0, 4));
  const [known] = await db.rows<{ number: string | null }>(
    sql`SELECT number FROM ${raw(table)} WHERE id = ${id}::uuid`,
  );
  if (known?.number) return known.number;
  const [counter] = await db.rows<{ last: number }>(sql`
    INSERT INTO number_counters AS counter (type, year, last) VALUES (${type}, ${year}, 1)
    ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`);
  const sequence = counter!.last;
  const given = `${prefix}-${year}-${String(sequence).padStart(DIGITS, '0')}`;
  await db.rows(sql`
    INSERT INTO given_numbers (type, year, sequence, document_id) VALUES (${type}, ${year}, ${sequence}, ${id}::uuid)`);
  await db.rows(sql`UPDATE ${raw(table)} SET number = ${given} WHERE id = ${id}::uuid`);
  return given;
}
