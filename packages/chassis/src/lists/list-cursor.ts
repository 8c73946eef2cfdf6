/** Cursors: where a walk through a list goes on. One belongs to the list, the filters and the order that it was made for. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Timestamp } from '../schema/fields.ts';
import { type ColumnKind, VALUES, wrong } from './list-filter.ts';

/** How well a row matches what is searched for, where a list is ordered by that. */
export const RANK = 'rank';

export interface SortKey {
  column: string;
  kind: ColumnKind;
  nullable: boolean;
  descending: boolean;
}
type Value = string | number | boolean | null;

const CURSOR_MAX = 8_000;
const QUESTION = /^([\w-]+)(?:\.(\d{1,9}))?$/;
const DIGEST_LENGTH = 11;

/** A short digest of the filters and the order that a cursor belongs to. Not a secret: a forged one misleads only its forger. */
export const digestOf = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, DIGEST_LENGTH);

/** The content of a cursor: the row that the next page starts after, and how many rows were counted when the walk began. */
export interface Place {
  after: Value[];
  /** Undefined for a cursor that somebody made himself, or got before cursors carried a count. */
  counted: number | undefined;
}

/** The cursor behind a row: what the next page of the same question starts after. */
export function encodeCursor(
  row: Record<string, unknown>,
  { sort, digest, counted }: { sort: readonly SortKey[]; digest: string; counted: number },
): string {
  const values = sort.map(({ column }) => row[column] ?? null);
  return Buffer.from(JSON.stringify([`${digest}.${counted}`, ...values])).toString('base64url');
}

/** Checks a value of a cursor for a column: JSON has numbers and booleans of its own. */
function held({ kind, nullable }: SortKey): z.ZodType<Value> {
  // A row may hold a longer text than a filter may ask for.
  const value = { ...VALUES, integer: z.int(), boolean: z.boolean(), text: z.string(), timestamptz: Timestamp }[kind];
  return nullable ? value.or(z.null()) : value;
}

const shapeOf = (sort: readonly SortKey[]): z.ZodType<[string, ...Value[]]> =>
  z.tuple([z.string(), ...sort.map(held)]) as never;

/** Reads a cursor. @throws Fault 422 that names `cursor` */
export function decodeCursor(text: string, sort: readonly SortKey[], digest: string): Place {
  try {
    if (text.length > CURSOR_MAX) throw new RangeError('No cursor is that long.');
    const [question, ...after] = shapeOf(sort).parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const [, made_for, count] = QUESTION.exec(question) ?? [];
    if (made_for === digest) return { after, counted: count === undefined ? undefined : Number(count) };
  } catch {
    // A malformed cursor gets the same answer as one of another list.
  }
  throw wrong('cursor', 'This cursor does not belong to this list, its filters and its order. Begin without one.');
}
