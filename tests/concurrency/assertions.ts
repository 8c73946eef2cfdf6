/** Assertions on the responses and database rows of concurrent calls. */
import type { Reply } from '@suite/testing';
import type { SharedSuite } from '@suite/testing/suite/started';

interface Level {
  warehouse_id: string;
  on_hand: string;
  reserved: string;
  value: string;
}

/** Returns assertions on the databases of a suite. */
export function assertionsOn({ sql }: SharedSuite) {
  const count = async (service: string, from: string, ...values: unknown[]): Promise<number> => {
    const [row] = await sql<{ times: number }>(service, `SELECT count(*)::int AS times FROM ${from}`, values);
    return row?.times ?? 0;
  };
  return {
    count,
    /** The stock of a product in each warehouse. */
    levels: (product_id: string): Promise<Level[]> =>
      sql(
        'inventory',
        `SELECT warehouse_id, trim_scale(on_hand)::text AS on_hand, trim_scale(reserved)::text AS reserved,
          trim_scale(value)::text AS value FROM stock_levels WHERE product_id = $1`,
        [product_id],
      ),
    /** Counts the movements of goods for a document. */
    movements: (source_id: string) => count('inventory', 'stock_movements WHERE source_id = $1', source_id),
    /** Counts the goods requested by these documents that are neither settled nor reversed. */
    underWay: (documents: readonly string[]) =>
      count(
        'finance',
        `stock_sagas WHERE document_id = ANY($1::uuid[]) AND state NOT IN ('settled', 'reversed')`,
        documents,
      ),
  };
}

/** Returns the distinct values of a field over all responses. */
export const different = (replies: readonly Reply[], field: string): unknown[] => [
  ...new Set<unknown>(replies.map(({ body }) => body.data[field])),
];

/** Returns the assigned numbers in ascending order. */
export const numbersOf = (replies: readonly Reply[]): string[] =>
  replies.map(({ body }): string => body.data.number).toSorted((one, other) => one.localeCompare(other));

/** Returns the first `length` numbers of a series. */
export const expectedNumbers = (series: string, length: number): string[] =>
  Array.from({ length }, (_, at) => `${series}-${String(at + 1).padStart(5, '0')}`);
