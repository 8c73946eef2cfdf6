/** Applies visibility rules to requests and responses. */
import { sqltag as sql, raw } from '@prisma/client/runtime/client';
import type { z } from 'zod';
import type { RowReader } from '../database/database.ts';
import { asCallerForLookup, asCaller } from '../database/running.ts';
import { currentTransaction } from '../database/running.ts';
import { assertRequestVisible, showsField } from '../reading/list-visible.ts';
import { innerFields, tables } from '../schema/fields.ts';
import { isListQuery, type ListRequest } from '../lists/list.ts';
import { callerCheckOf } from '../operation/access.ts';
import type { Operation } from '../operation/operation.ts';
import { marked, valuesAt } from '../schema/schema-walk.ts';
import { invalid, NotFound } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';

interface RecordReference {
  params: Record<string, unknown>;
  body: unknown;
  caller: Caller | null;
}

/** Returns the fields of a body that refer to records. */
const referencesIn = marked((field) => tables.get(field));

/** Returns the inner fields of a response. An inner field can be within a field that more callers see. */
const innerFieldsOf = marked((field) => innerFields.get(field), { nested: true });

/** Returns the path of the first value that is not visible, as the caller wrote it: `lines.1.line_id`, `label_ids`. */
export function hiddenPathOf(
  value: unknown,
  [name, ...rest]: readonly string[],
  visible: ReadonlySet<unknown>,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === undefined) return visible.has(value) ? undefined : '';
  const within = name === '*' ? Object.entries(value as unknown[]) : [[name, (value as Record<string, unknown>)[name]]];
  for (const [key, part] of within as [string, unknown][]) {
    const place = hiddenPathOf(part, rest, visible);
    if (place !== undefined)
      return [...(name === '*' && rest.length === 0 ? [] : [key]), ...(place ? [place] : [])].join('.');
  }
  return undefined;
}

async function visibleIds(db: RowReader, table: string, ids: string[]): Promise<Set<unknown>> {
  const rows = await db.rows<{ id: string }>(sql`SELECT id FROM ${raw(table)} WHERE id = ANY(${ids}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Rejects a caller whom the access of an operation excludes. @throws the fault of the check, a 403 */
export async function assertAccepted(operation: Operation, db: RowReader, caller: Caller | null): Promise<void> {
  if (caller) await callerCheckOf(operation)?.(db as never, caller);
}

/**
 * Checks in a transaction that the operation is open to the caller, and that the caller may see the records that a
 * request names. The records are not checked for callers who see everything: the operation itself finds out which ones
 * do not exist.
 * @throws the fault of the access, NotFound for a record in the path, a 422 that names the field for a record in the
 * body: the same as for an unknown record
 */
export async function assertNamedRecordsVisible(
  db: RowReader,
  operation: Operation,
  { params, body, caller }: RecordReference,
): Promise<void> {
  await assertAccepted(operation, db, caller);
  const now = currentTransaction();
  if (!now.seen) return;
  const named = Object.entries(operation.params ?? {}).flatMap(([name, schema]) => {
    const table = tables.get(schema)?.table;
    return table ? [{ table, id: params[name] as string }] : [];
  });
  // The operation itself looks up the IDs in tables that are fully visible to this caller.
  const references = (operation.body ? referencesIn(operation.body) : [])
    .map(({ path, mark }) => ({ path, ...mark, ids: valuesAt(body, path) as string[] }))
    .filter(({ table, ids }) => ids.length > 0 && !now.seen?.whole(table));
  for (const { table, subject, ids } of references) if (subject) named.push(...ids.map((id) => ({ table, id })));
  if (named.length > 0) {
    await asCallerForLookup(async () => {
      for (const { table, id } of named) if (!(await visibleIds(db, table, [id])).has(id)) throw NotFound();
    });
  }
  const others = references.filter(({ subject }) => !subject);
  if (others.length === 0) return;
  await asCaller(async () => {
    for (const { path, table, ids } of others) {
      const place = hiddenPathOf(body, path, await visibleIds(db, table, ids));
      if (place !== undefined) throw invalid(place, 'Record not found.');
    }
  });
}

/**
 * Removes from a parsed response everything that this caller must not see. Changes the response in place.
 * @param value the response before it was parsed. It names its subject, even if that field is not shown
 */
export function withoutInnerFields<T>(schema: z.ZodType, answer: T, value: unknown, caller: Caller | null): T {
  for (const { path, mark } of innerFieldsOf(schema)) {
    if (showsField(mark, caller)) continue;
    const [field, ...holders] = path.toReversed() as [string, ...string[]];
    const about = mark.person ? valuesAt(value, holders.toReversed()) : [];
    for (const [at, holder] of valuesAt(answer, holders.toReversed()).entries())
      if (!isCaller(about[at], mark.person, caller)) delete (holder as Record<string, unknown>)[field];
  }
  return answer;
}

const isCaller = (about: unknown, person: string | undefined, caller: Caller | null): boolean =>
  person !== undefined && (about as Record<string, unknown> | undefined)?.[person] === (caller?.user_id ?? '');

/**
 * Rejects sorting or filtering a list by a field that the caller must not see. @throws a 422 that names the parameter
 */
export function assertListVisible(operation: Operation, request: unknown, caller: Caller | null): void {
  if (isListQuery(operation.query)) assertRequestVisible(request as ListRequest, caller);
}
