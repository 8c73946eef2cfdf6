/** A request and its answer depend on what the caller may see. */
import { sqltag as sql, raw } from '@prisma/client/runtime/client';
import type { z } from 'zod';
import type { Rows } from '../database/database.ts';
import { asNamed, asSeen } from '../database/running.ts';
import { current } from '../database/running.ts';
import { assertRequestVisible, opens } from '../reading/list-visible.ts';
import { innerFields, tables } from '../schema/fields.ts';
import { isListQuery, type ListRequest } from '../lists/list.ts';
import type { Operation } from '../operation/operation.ts';
import { marked, valuesAt } from '../schema/schema-walk.ts';
import { invalid, NotFound } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';

interface Named {
  params: Record<string, unknown>;
  body: unknown;
}

/** The fields of a body that name records. */
const referencesIn = marked((field) => tables.get(field));

/** The fields of a reply that not all callers see. A field can be hidden within one that is shown to more callers. */
const innerFieldsOf = marked((field) => innerFields.get(field), { nested: true });

/** The place of the first value on a path that is not visible, as the caller wrote it: `lines.1.line_id`, `label_ids`. */
export function placeOf(
  value: unknown,
  [name, ...rest]: readonly string[],
  visible: ReadonlySet<unknown>,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === undefined) return visible.has(value) ? undefined : '';
  const within = name === '*' ? Object.entries(value as unknown[]) : [[name, (value as Record<string, unknown>)[name]]];
  for (const [key, part] of within as [string, unknown][]) {
    const place = placeOf(part, rest, visible);
    if (place !== undefined)
      return [...(name === '*' && rest.length === 0 ? [] : [key]), ...(place ? [place] : [])].join('.');
  }
  return undefined;
}

async function seen(db: Rows, table: string, ids: string[]): Promise<Set<unknown>> {
  const rows = await db.rows<{ id: string }>(sql`SELECT id FROM ${raw(table)} WHERE id = ANY(${ids}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes sure that the caller may see the records that a request names, inside a transaction. Who sees everything is not
 * asked: the operation itself finds out what does not exist.
 * @throws NotFound for a record in the path, a 422 that names the field for one in the body: the same as for an unknown one
 */
export async function assertNamedRecordsVisible(
  db: Rows,
  operation: Operation,
  { params, body }: Named,
): Promise<void> {
  const now = current();
  if (!now.seen) return;
  const named = Object.entries(operation.params ?? {}).flatMap(([name, schema]) => {
    const table = tables.get(schema)?.table;
    return table ? [{ table, id: params[name] as string }] : [];
  });
  // The operation itself looks up the ids that nobody hides from this caller.
  const references = (operation.body ? referencesIn(operation.body) : [])
    .map(({ path, mark }) => ({ path, ...mark, ids: valuesAt(body, path) as string[] }))
    .filter(({ table, ids }) => ids.length > 0 && !now.seen?.whole(table));
  for (const { table, subject, ids } of references) if (subject) named.push(...ids.map((id) => ({ table, id })));
  if (named.length > 0) {
    await asNamed(async () => {
      for (const { table, id } of named) if (!(await seen(db, table, [id])).has(id)) throw NotFound();
    });
  }
  const others = references.filter(({ subject }) => !subject);
  if (others.length === 0) return;
  await asSeen(async () => {
    for (const { path, table, ids } of others) {
      const place = placeOf(body, path, await seen(db, table, ids));
      if (place !== undefined) throw invalid(place, 'Record not found.');
    }
  });
}

/**
 * Takes out of a parsed answer what this caller must not see; the answer is changed.
 * @param value the same before it was parsed: it says whom it is about, whether that is shown or not
 */
export function withoutInnerFields<T>(schema: z.ZodType, answer: T, value: unknown, caller: Caller | null): T {
  for (const { path, mark } of innerFieldsOf(schema)) {
    if (opens(mark, caller)) continue;
    const [field, ...holders] = path.toReversed() as [string, ...string[]];
    const about = mark.person ? valuesAt(value, holders.toReversed()) : [];
    for (const [at, holder] of valuesAt(answer, holders.toReversed()).entries())
      if (!isCaller(about[at], mark.person, caller)) delete (holder as Record<string, unknown>)[field];
  }
  return answer;
}

const isCaller = (about: unknown, person: string | undefined, caller: Caller | null): boolean =>
  person !== undefined && (about as Record<string, unknown> | undefined)?.[person] === (caller?.user_id ?? '');

/** Refuses to order or filter a list by a field that the caller must not see. @throws a 422 that names the parameter */
export function assertListVisible(operation: Operation, request: unknown, caller: Caller | null): void {
  if (isListQuery(operation.query)) assertRequestVisible(request as ListRequest, caller);
}
