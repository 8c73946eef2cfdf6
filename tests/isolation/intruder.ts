/** A user of one workspace who sends IDs of another one in every place that accepts an ID. */
import { randomUUID } from 'node:crypto';
import type { HttpCaller, Reply } from '@suite/testing';
import { formWith } from '@suite/testing/suite/http-caller';
import { type ApiOperation, idIn, pathWith } from '../suite/api-document.ts';
import { idFields, pathIds, draftRequiredFields, type RecordIds } from '../suite/draft.ts';
import { nounOf } from '../suite/noun.ts';
import type { WorkspaceRow } from './belongings.ts';

/** A place of an operation that accepts the ID of a record. */
export interface Slot {
  /** Description of the place: `leads.update, stage_id in the body`. */
  what: string;
  /** The kind of record that the slot takes, derived from its name. */
  noun: string;
  call(id: string): Promise<Reply>;
  /** Checks if a response is the expected one for an unknown ID. */
  isUnknown(reply: Reply): boolean;
}

/** The context of an intruder. Their own workspace has all records, so that only the foreign ID can be at fault. */
export interface IntruderContext {
  person: HttpCaller;
  stock: RecordIds;
  word: string;
}

function send(
  { person }: IntruderContext,
  { method, upload }: ApiOperation,
  path: string,
  body: object,
): Promise<Reply> {
  if (method === 'GET') return person.get(path);
  if (upload)
    return person.upload(path, formWith(upload, new File(['plain text'], 'note.txt', { type: 'text/plain' })));
  return person.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
}

/** Rejections that precede the look-up of an ID. */
const FIRST_REFUSALS = new Set(['link_expired', 'product_has_moved', 'wip_limit', 'nothing_to_bill']);

const isRefused = ({ status, body }: Reply): boolean =>
  status === 404 || status === 422 || FIRST_REFUSALS.has(body?.code);

/** Returns the variables of a path. For each one, the others contain the intruder's own records. */
export function slotsOfPath(tools: IntruderContext, operation: ApiOperation): Slot[] {
  const { id, path, path_variables } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  return path_variables.map((variable) => ({
    what: `${id}, ${variable} in the path`,
    noun: nounOf(path, variable),
    isUnknown: isRefused,
    call: (value) =>
      send(
        tools,
        operation,
        pathWith(path, { ...own, [variable]: value }),
        draftRequiredFields(operation, { ...tools, path }),
      ),
  }));
}

/** Returns `{ client: { id } }` for the place `['client', 'id']`. */
const nestValue = ([name = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [name]: rest.length > 0 ? nestValue(rest, value) : value,
});

/** Returns the fields of a body that accept IDs. */
export function slotsOfBody(tools: IntruderContext, operation: ApiOperation): Slot[] {
  const { id, path } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  const fields = idFields(operation.body ?? {}).filter(({ place }) => !NOT_LOOKED_UP[place.at(-1) ?? '']?.test(path));
  return fields.map(({ place, takes }) => ({
    what: `${id}, ${place.join('.')} in the body`,
    noun: nounOf(path, place.at(-1) ?? ''),
    // A read may accept an ID as a filter and then find nothing.
    isUnknown: (reply) => isRefused(reply) || (operation.kind === 'query' && reply.status === 200),
    call(value) {
      const named = nestValue(place, takes === 'many' ? [value] : value);
      const body = { ...draftRequiredFields(operation, { ...tools, path }), ...named };
      return send(tools, operation, pathWith(path, own), body);
    },
  }));
}

/** Returns the filters and parameters that accept IDs. */
export function slotsOfQuery(tools: IntruderContext, operation: ApiOperation): Slot[] {
  const { id, path, query } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  const isList = query.some(({ name }) => name === 'per_page');
  const names = query.filter(({ schema }) => idIn(schema)).map(({ name }) => name);
  return names
    .flatMap((name) => (isList ? [name, `${name}[in]`] : [name]))
    .map((parameter) => ({
      what: `${id}, ${parameter} in the query`,
      noun: nounOf(path, parameter.replace('[in]', '')),
      // A filtered board may be empty, but still shows its columns.
      isUnknown: (reply) => isRefused(reply) || (reply.status === 200 && (!isList || reply.body.data.length === 0)),
      call: (value) =>
        send(tools, operation, `${pathWith(path, own)}?${new URLSearchParams({ [parameter]: value })}`, {}),
    }));
}

/**
 * IDs that are stored without a check, with their paths: employees and projects of other services, and the records on a
 * user's label.
 */
const NOT_LOOKED_UP: Readonly<Record<string, RegExp>> = {
  employee_id: /^\/api\/(?!attendance|employee|hrm|leave)/,
  // The client's own ID for a punch, which names no record.
  client_id: /clock-in-out/,
  project_id: /^\/api\/(?!project|task|time|add-tracker|milestone|bug)/,
  customer_id: /^\/api\/user/,
  // Looked up, and reported for each ticket separately.
  category_id: /tickets\/bulk/,
  vendor_id: /^\/api\/user/,
};

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** The texts and IDs that must never reach another workspace. */
export interface Secrets {
  word: string;
  ids: ReadonlySet<string>;
}

/** Returns the leaks of a response about a workspace, without the requested ID. */
export function leaksOf({ body, headers }: Reply, { word, ids }: Secrets, asked?: string): string[] {
  const text = `${JSON.stringify(body)} ${JSON.stringify([...headers])}`;
  const known = [...text.matchAll(UUID)].map(([id]) => id).filter((id) => id !== asked && ids.has(id));
  return [...(text.includes(word) ? [word] : []), ...known];
}

/** Returns a response without the parts that differ from request to request. */
const comparableReply = ({ status, body }: Reply, id: string): string =>
  JSON.stringify({ status, body: { ...body, request_id: '' } }).replaceAll(id, 'ID');

/** Tries foreign IDs in a slot. @returns the differences to the response for an unknown ID */
export async function findLeaks(slot: Slot, belongings: readonly WorkspaceRow[], secrets: Secrets): Promise<string[]> {
  const nobodys = randomUUID();
  const unknown = await slot.call(nobodys);
  const expected = comparableReply(unknown, nobodys);
  if (!slot.isUnknown(unknown)) return [`${slot.what}: an unknown id returns ${expected}`];
  const tales: string[] = [];
  for (const { id, table } of belongings) {
    const reply = await slot.call(id);
    const told = leaksOf(reply, secrets, id);
    if (told.length > 0) tales.push(`${slot.what}, ${table}: leaks ${told.join(', ')}`);
    const got = comparableReply(reply, id);
    if (got !== expected) tales.push(`${slot.what}, ${table}: ${got.slice(0, 500)} instead of ${expected}`);
  }
  return tales;
}

/** Processes a list, `width` elements at a time, and returns all results. */
export async function mapConcurrently<T, R>(
  list: readonly T[],
  width: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = list.entries();
  const lane = async () => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
