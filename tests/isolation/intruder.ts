/** A user of one workspace who tries to get at the records of another, in every place that takes an id. */
import { randomUUID } from 'node:crypto';
import type { HttpCaller, Reply } from '@suite/testing';
import { formWith } from '@suite/testing/suite/http-caller';
import { type ApiOperation, idIn, pathWith } from '../suite/api-document.ts';
import { idFields, pathIds, shortDraft, type RecordIds } from '../suite/draft.ts';
import { nounOf } from '../suite/noun.ts';
import type { Belonging } from './belongings.ts';

/** A place of an operation that takes the id of a record. */
export interface Slot {
  /** `leads.update, stage_id in the body` */
  what: string;
  /** The kind of record that it takes, as far as its name tells. */
  noun: string;
  call(id: string): Promise<Reply>;
  /** Whether this is how an id that nobody has is answered here. */
  isUnknown(reply: Reply): boolean;
}

/** The means of an intruder: their own workspace is well stocked, so that only the foreign id can be at fault. */
export interface Tools {
  person: HttpCaller;
  stock: RecordIds;
  word: string;
}

function send({ person }: Tools, { method, upload }: ApiOperation, path: string, body: object): Promise<Reply> {
  if (method === 'GET') return person.get(path);
  if (upload)
    return person.upload(path, formWith(upload, new File(['plain text'], 'note.txt', { type: 'text/plain' })));
  return person.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
}

/** Refusals that come before an id is looked up. */
const FIRST_REFUSALS = new Set(['link_expired', 'product_has_moved', 'wip_limit', 'nothing_to_bill']);

const isRefused = ({ status, body }: Reply): boolean =>
  status === 404 || status === 422 || FIRST_REFUSALS.has(body?.code);

/** The variables of a path, each with own records in the others. */
export function slotsOfPath(tools: Tools, operation: ApiOperation): Slot[] {
  const { id, path, path_variables } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  return path_variables.map((variable) => ({
    what: `${id}, ${variable} in the path`,
    noun: nounOf(path, variable),
    isUnknown: isRefused,
    call: (value) =>
      send(tools, operation, pathWith(path, { ...own, [variable]: value }), shortDraft(operation, { ...tools, path })),
  }));
}

/** `{ client: { id } }` from the place `['client', 'id']`. */
const nested = ([name = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [name]: rest.length > 0 ? nested(rest, value) : value,
});

/** The fields of a body that take ids. */
export function slotsOfBody(tools: Tools, operation: ApiOperation): Slot[] {
  const { id, path } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  const fields = idFields(operation.body ?? {}).filter(({ place }) => !NOT_LOOKED_UP[place.at(-1) ?? '']?.test(path));
  return fields.map(({ place, takes }) => ({
    what: `${id}, ${place.join('.')} in the body`,
    noun: nounOf(path, place.at(-1) ?? ''),
    // A read may take an id as a filter: nothing is found then.
    isUnknown: (reply) => isRefused(reply) || (operation.kind === 'query' && reply.status === 200),
    call(value) {
      const named = nested(place, takes === 'many' ? [value] : value);
      const body = { ...shortDraft(operation, { ...tools, path }), ...named };
      return send(tools, operation, pathWith(path, own), body);
    },
  }));
}

/** The filters and parameters that take ids. */
export function slotsOfQuery(tools: Tools, operation: ApiOperation): Slot[] {
  const { id, path, query } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  const isList = query.some(({ name }) => name === 'per_page');
  const names = query.filter(({ schema }) => idIn(schema)).map(({ name }) => name);
  return names
    .flatMap((name) => (isList ? [name, `${name}[in]`] : [name]))
    .map((parameter) => ({
      what: `${id}, ${parameter} in the query`,
      noun: nounOf(path, parameter.replace('[in]', '')),
      // A board is narrowed to nothing, too, and still shows its columns.
      isUnknown: (reply) => isRefused(reply) || (reply.status === 200 && (!isList || reply.body.data.length === 0)),
      call: (value) =>
        send(tools, operation, `${pathWith(path, own)}?${new URLSearchParams({ [parameter]: value })}`, {}),
    }));
}

/**
 * Ids that are kept as they were said, and where: of employees elsewhere, of projects elsewhere, and of the records that the
 * account of a user is labelled with.
 */
const NOT_LOOKED_UP: Readonly<Record<string, RegExp>> = {
  employee_id: /^\/api\/(?!attendance|employee|hrm|leave)/,
  // A tap's own, which names no record.
  client_id: /clock-in-out/,
  project_id: /^\/api\/(?!project|task|time|add-tracker|milestone|bug)/,
  customer_id: /^\/api\/user/,
  // Looked up, and told for each ticket by itself.
  category_id: /tickets\/bulk/,
  vendor_id: /^\/api\/user/,
};

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** The texts and ids that must never reach a stranger. */
export interface Secrets {
  word: string;
  ids: ReadonlySet<string>;
}

/** The leaks of an answer about a workspace, but for the id that was asked for. */
export function leaks({ body, headers }: Reply, { word, ids }: Secrets, asked?: string): string[] {
  const text = `${JSON.stringify(body)} ${JSON.stringify([...headers])}`;
  const known = [...text.matchAll(UUID)].map(([id]) => id).filter((id) => id !== asked && ids.has(id));
  return [...(text.includes(word) ? [word] : []), ...known];
}

/** An answer without what differs from request to request. */
const essence = ({ status, body }: Reply, id: string): string =>
  JSON.stringify({ status, body: { ...body, request_id: '' } }).replaceAll(id, 'ID');

/** Tries foreign ids in a slot. @returns what they told that an id that nobody has does not */
export async function findLeaks(slot: Slot, belongings: readonly Belonging[], secrets: Secrets): Promise<string[]> {
  const nobodys = randomUUID();
  const unknown = await slot.call(nobodys);
  const expected = essence(unknown, nobodys);
  if (!slot.isUnknown(unknown)) return [`${slot.what}: an id that nobody has is answered with ${expected}`];
  const tales: string[] = [];
  for (const { id, table } of belongings) {
    const reply = await slot.call(id);
    const told = leaks(reply, secrets, id);
    if (told.length > 0) tales.push(`${slot.what}, ${table}: gives away ${told.join(', ')}`);
    const got = essence(reply, id);
    if (got !== expected) tales.push(`${slot.what}, ${table}: ${got.slice(0, 500)} instead of ${expected}`);
  }
  return tales;
}

/** Works through a list, so many at a time, and keeps what came of each. */
export async function inParallel<T, R>(list: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = list.entries();
  const lane = async () => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
