/**
 * Cursors: positions where the reading of a list continues. A cursor is valid for one list, its filters and its order.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Timestamp } from '../schema/fields.ts';
import { type ColumnKind, VALUES, invalidParameter } from './list-filter.ts';

/** Rank of a row: how well it matches the search, in a list ordered by rank. */
export const RANK = 'rank';

export interface SortKey {
  column: string;
  kind: ColumnKind;
  nullable: boolean;
  descending: boolean;
}
type Value = string | number | boolean | null;

const CURSOR_MAX = 8_000;
const DIGEST = /^([\w-]+)(?:\.(\d{1,9}))?$/;
const DIGEST_LENGTH = 11;

/**
 * Returns a short digest of the filters and the order that a cursor belongs to. It is not a secret: a forged digest
 * misleads only the forger.
 */
export const digestOf = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, DIGEST_LENGTH);

/** The content of a cursor: the row before the next page, and the row count at the first page. */
export interface CursorPosition {
  after: Value[];
  /** Undefined for a cursor that a client made up, or that was issued before cursors had a count. */
  counted: number | undefined;
}

/** Returns the cursor after a row, where the next page starts. */
export function encodeCursor(
  row: Record<string, unknown>,
  { sort, digest, counted }: { sort: readonly SortKey[]; digest: string; counted: number },
): string {
  const values = sort.map(({ column }) => row[column] ?? null);
  return Buffer.from(JSON.stringify([`${digest}.${counted}`, ...values])).toString('base64url');
}

/** Returns the schema of a cursor value for a column. JSON has its own numbers and booleans. */
function valueSchema({ kind, nullable }: SortKey): z.ZodType<Value> {
  // A row can contain a longer text than a filter accepts.
  const value = { ...VALUES, integer: z.int(), boolean: z.boolean(), text: z.string(), timestamptz: Timestamp }[kind];
  return nullable ? value.or(z.null()) : value;
}

const shapeOf = (sort: readonly SortKey[]): z.ZodType<[string, ...Value[]]> =>
  z.tuple([z.string(), ...sort.map(valueSchema)]) as never;

/** Decodes a cursor. @throws Fault 422 that names `cursor` */
export function decodeCursor(text: string, sort: readonly SortKey[], digest: string): CursorPosition {
  try {
    if (text.length > CURSOR_MAX) throw new RangeError('This cursor is too long.');
    const [question, ...after] = shapeOf(sort).parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const [, made_for, count] = DIGEST.exec(question) ?? [];
    if (made_for === digest) return { after, counted: count === undefined ? undefined : Number(count) };
  } catch {
    // A malformed cursor gets the same response as a cursor of another list.
  }
  throw invalidParameter(
    'cursor',
    'This cursor does not belong to this list, its filters and its order. Start without a cursor.',
  );
}
