/** Somebody of one workspace who tries to get at the records of another, in every place that takes an id. */
import { randomUUID } from 'node:crypto';
import type { Reply } from '@suite/harness';
import { type ApiOperation, idIn, pathWith } from '../suite/api-document.ts';
import { idFields, pathIds, shortDraft, type Stock } from '../suite/draft.ts';
import type { Person } from '../suite/person.ts';
import type { Belonging } from './belongings.ts';

/** One call that names a foreign id, and the same with an id that nobody has. */
export interface Attempt {
  /** `leads.update, stage_id in the body, crm.lead_stages` */
  what: string;
  foreign_id: string;
  call(id: string): Promise<Reply>;
}

/** What an intruder works with: their own workspace is well stocked, so that only the foreign id can be at fault. */
export interface Tools {
  person: Person;
  stock: Stock;
  word: string;
}

function send({ person }: Tools, { method, upload }: ApiOperation, path: string, body: object): Promise<Reply> {
  if (method === 'GET') return person.get(path);
  if (upload) return person.upload(path, upload, new File(['plain text'], 'note.txt', { type: 'text/plain' }));
  return person.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
}

/** Foreign ids in the path: in each variable in turn, with own records in the others. */
export function attemptsOnPath(tools: Tools, operation: ApiOperation, belongings: readonly Belonging[]): Attempt[] {
  const { id, path, path_variables } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  return path_variables.flatMap((variable) =>
    belongings.map(({ id: foreign_id, table }) => ({
      what: `${id}, ${variable} in the path, ${table}`,
      foreign_id,
      call: (value) =>
        send(tools, operation, pathWith(path, { ...own, [variable]: value }), shortDraft(operation, { ...tools, path })),
    })),
  );
}

/** `{ client: { id } }` from the place `['client', 'id']`. */
const nested = ([name = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [name]: rest.length > 0 ? nested(rest, value) : value,
});

/** Foreign ids in the body: in each field that takes one. */
export function attemptsOnBody(tools: Tools, operation: ApiOperation, belongings: readonly Belonging[]): Attempt[] {
  const { id, path } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  return idFields(operation.body ?? {}).flatMap(({ place, takes }) =>
    belongings.map(({ id: foreign_id, table }) => ({
      what: `${id}, ${place.join('.')} in the body, ${table}`,
      foreign_id,
      call(value) {
        const named = nested(place, takes === 'many' ? [value] : value);
        const body = { ...shortDraft(operation, { ...tools, path }), ...named };
        return send(tools, operation, pathWith(path, own), body);
      },
    })),
  );
}

/** Foreign ids in the query: in each filter and parameter that takes one. */
export function attemptsOnQuery(tools: Tools, operation: ApiOperation, belongings: readonly Belonging[]): Attempt[] {
  const { id, path, query } = operation;
  const own = pathIds(operation, tools.stock) ?? {};
  const parameters = query.filter(({ schema }) => idIn(schema));
  const isList = query.some(({ name }) => name === 'per_page');
  return parameters.flatMap(({ name }) =>
    belongings.flatMap(({ id: foreign_id, table }) =>
      (isList ? [name, `${name}[in]`] : [name]).map((parameter) => ({
        what: `${id}, ${parameter} in the query, ${table}`,
        foreign_id,
        call: (value: string) =>
          send(tools, operation, `${pathWith(path, own)}?${new URLSearchParams({ [parameter]: value })}`, {}),
      })),
    ),
  );
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** What must never reach a stranger. */
export interface Secrets {
  word: string;
  ids: ReadonlySet<string>;
}

/** What an answer gives away of a workspace, but for the id that was asked for. */
export function leaks({ body, headers }: Reply, { word, ids }: Secrets, asked?: string): string[] {
  const text = `${JSON.stringify(body)} ${JSON.stringify([...headers])}`;
  const known = [...text.matchAll(UUID)].map(([id]) => id).filter((id) => id !== asked && ids.has(id));
  return [...(text.includes(word) ? [word] : []), ...known];
}

const withoutRequest = ({ status, body }: Reply): string =>
  status < 400 ? String(status) : JSON.stringify({ status, ...body, request_id: '' });

/** What is wrong with the outcome of an attempt; undefined when it told nothing. */
export async function verdict({ what, foreign_id, call }: Attempt, secrets: Secrets): Promise<string | undefined> {
  const nobodys = randomUUID();
  const unknown = await call(nobodys);
  const foreign = await call(foreign_id);
  const told = leaks(foreign, secrets, foreign_id);
  if (told.length > 0) return `${what}: gives away ${told.join(', ')}`;
  if (foreign.status >= 500) return `${what}: ${foreign.status} ${JSON.stringify(foreign.body)}`;
  const [got, expected] = [foreign, unknown].map(withoutRequest).map((text) => text.replaceAll(foreign_id, '').replaceAll(nobodys, ''));
  if (got !== expected) return `${what}: an id that nobody has is answered with ${expected}, this one with ${got}`;
  return undefined;
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
