/**
 * `allowed_actions` in responses. Every record with an operation that updates or deletes it, or changes its state, has the
 * field wherever a response returns it as the main object: lists, shows, creations and updates. Its values are the actions
 * that the caller's permissions, the record scope and the state of the record allow. Operations can still reject an action
 * because of other records, such as a label in use.
 */
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { z } from 'zod';
import type { Caller } from '../identity/identity.ts';
import { marked, valuesAt } from '../schema/schema-walk.ts';

type Row = Record<string, unknown>;

/** The source of the actions of a record: a lifecycle, or the actions on a record without states. */
export interface ShownActions {
  noun: string;
  /** Returns the noun of a row, if the rows of a response have several. */
  nounOf?(row: object): string;
  /** Columns that the actions depend on. Undefined if only a query finds out. */
  reads?: readonly string[] | undefined;
  allowedTo?(caller: Caller | null, row: object): string[];
  shownTo?(caller: Caller, table: string): Sql;
}

/** The fields that contain allowed actions, with their source. */
export const actionFields = z.registry<ShownActions>();

const actionsIn = <A extends string>(words: readonly A[]) => z.array(z.string().pipe(z.enum(words)));

/**
 * Schema of `allowed_actions`. Lists, `readOne` and responses fill the field, unless the handler computes it. For the
 * compiler, handlers may therefore omit it, like a field with a default.
 */
export const Actions = <A extends string>(source: ShownActions & { words: readonly A[] }) =>
  actionsIn(source.words)
    .describe("Actions that the status and the caller's permissions allow.")
    .register(actionFields, source) as unknown as z.ZodDefault<ReturnType<typeof actionsIn<A>>>;

/** Returns the fields of a response that contain allowed actions, with their source. */
export const actionsShownIn = marked((field) => actionFields.get(field));

/** Returns the allowed actions of a row as SQL, for fields that no column or expression of the query provides. */
export function actionColumns(
  schema: z.ZodObject,
  { table, caller, missing }: { table: string; caller: Caller | null; missing(name: string): boolean },
): Record<string, Sql> {
  const found = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
    const shown = missing(name) ? actionFields.get(field)?.shownTo : undefined;
    return shown ? [[name, caller ? shown(caller, table) : sql`'{}'::text[]`] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Adds the allowed actions to the rows of a value that lack them. Changes the value in place. */
export function addActions<T>(schema: z.ZodType, value: T, caller: Caller | null): T {
  for (const { path, mark } of actionsShownIn(schema)) {
    const name = path.at(-1);
    const { reads, allowedTo } = mark;
    if (!name || !reads || !allowedTo) continue;
    for (const row of valuesAt(value, path.slice(0, -1)) as Row[])
      if (row[name] === undefined && reads.every((column) => row[column] !== undefined))
        row[name] = allowedTo(caller, row);
  }
  return value;
}
