/** Cursors: where a walk through a list goes on. One belongs to the list, the filters and the order that it was made for. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Timestamp } from '../schema/fields.ts';
import { type ColumnKind, VALUES, wrong } from './list-filter.ts';

export interface SortKey {
  column: string;
  kind: ColumnKind;
  nullable: boolean;
  descending: boolean;
}
type Value = string | number | boolean | null;

const CURSOR_MAX = 8_000;
const DIGEST_LENGTH = 11;

/** A short digest of the filters and the order that a cursor belongs to. Not a secret: a forged one misleads only its forger. */
export const digestOf = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, DIGEST_LENGTH);

/** The cursor behind a row: what the next page of the same question starts after. */
export const encodeCursor = (row: Record<string, unknown>, sort: readonly SortKey[], digest: string): string =>
  Buffer.from(JSON.stringify([digest, ...sort.map(({ column }) => row[column] ?? null)])).toString('base64url');

/** Checks a value of a cursor for a column: JSON has numbers and booleans of its own. */
function held({ kind, nullable }: SortKey): z.ZodType<Value> {
  // A row may hold a longer text than a filter may ask for.
  const value = { ...VALUES, integer: z.int(), boolean: z.boolean(), text: z.string(), timestamptz: Timestamp }[kind];
  return nullable ? value.or(z.null()) : value;
}

const shapeOf = (sort: readonly SortKey[]): z.ZodType<[string, ...Value[]]> =>
  z.tuple([z.string(), ...sort.map(held)]) as never;

/** The sort values of the last row that the caller has. @throws Fault 422 that names `cursor` */
export function decodeCursor(text: string, sort: readonly SortKey[], digest: string): Value[] {
  try {
    if (text.length > CURSOR_MAX) throw new RangeError('No cursor is that long.');
    const [made_for, ...values] = shapeOf(sort).parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (made_for === digest) return values;
  } catch {
    // A malformed cursor gets the same answer as one of another list.
  }
  throw wrong('cursor', 'This cursor does not belong to this list, its filters and its order. Begin without one.');
}
