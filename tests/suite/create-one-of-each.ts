/** Fills a workspace with a record of every kind that can be made through the API, whatever kinds there are. */
import { setTimeout } from 'node:timers/promises';
import type { HttpCaller, Reply } from '@suite/testing';
import { type ApiOperation, pathWith } from './api-document.ts';
import { draft, type DraftOptions, pathIds, type RecordIds } from './draft.ts';
import { nounOfPath } from './noun.ts';
import { formWith, withIdempotencyKey } from '@suite/testing/suite/http-caller';

/** A picture of one point: every upload takes it. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Making a record: `POST /api/lead/create`, `POST /api/lead-task/create`, `POST /api/v1/settings/api-keys`. */
const makes = ({ method, path }: ApiOperation): boolean =>
  method === 'POST' && /\/(?:create|store|add)(?:\/\{|$)|^\/api\/v1\/settings\/[\w-]+$/.test(path);

interface Account {
  id: string;
  system_role: string | null;
  type: { class: string };
}

/** The records that every workspace has from the beginning, by their kind: accounts of the ledger, a warehouse, a cash box. */
export async function givenStock(person: HttpCaller): Promise<RecordIds> {
  const rows = async <Row extends { id: string }>(path: string): Promise<Row[]> => (await person.get(path)).body.data;
  const accounts = await rows<Account>('/api/gl-accounts?expand=type&per_page=100');
  const ofClass = (name: string) =>
    accounts.filter(({ type, system_role }) => type.class === name && !system_role).map(({ id }) => id);
  const ids = async (path: string) => (await rows(path)).map(({ id }) => id);
  return new Map([
    ['gl_account', ofClass('expense')],
    ['revenue_account', ofClass('revenue')],
    ['expense_account', ofClass('expense')],
    ['warehouse', await ids('/api/warehouse')],
    ['bank_account', await ids('/api/bank-accounts')],
  ]);
}

/** The optional fields that an answer complains about. */
function complaints({ body: answer }: Reply, required: readonly string[]): string[] {
  const named = Object.keys(answer?.errors ?? {}).map((field) => String(field.split(/[.[]/)[0]));
  return named.filter((field) => !required.includes(field));
}

/** The last body that was sent, and the answer to it. */
export interface Made {
  body: Record<string, unknown>;
  reply: Reply;
}

/** Sends a full draft, and again without the optional fields that do not fit together, or when it is told to ask again. */
export async function make(
  person: HttpCaller,
  operation: ApiOperation,
  ink: Omit<DraftOptions, 'path'>,
): Promise<Made | undefined> {
  const { method, path, body: schema = {}, upload, example } = operation;
  const ids = pathIds(operation, ink.stock);
  if (!ids) return undefined;
  const address = pathWith(path, ids);
  const body = draft(schema, { ...ink, path }, example);
  if (upload) {
    const form = formWith(upload, new File([PICTURE], `${ink.word}.png`, { type: 'image/png' }));
    for (const [name, value] of Object.entries(body))
      if (schema.required?.includes(name) && name !== upload) form.set(name, String(value));
    return { body: {}, reply: await person.upload(address, form) };
  }
  const headers = { 'content-type': 'application/json' };
  for (let tries = 0; ; tries += 1) {
    const reply = await person.send(method, address, JSON.stringify(body), {
      ...headers,
      ...withIdempotencyKey().headers,
    });
    // After too many wrong passwords the next one would be as wrong.
    const wait_s = reply.status === 429 ? null : reply.headers.get('retry-after');
    if (tries === 5 || (reply.status !== 422 && !wait_s)) return { body, reply };
    // Goods are still on their way, or the service is busy: it says when to ask again.
    if (wait_s) await setTimeout(Number(wait_s) * 1_000);
    else for (const field of complaints(reply, schema.required ?? [])) delete body[field];
  }
}

/**
 * Makes a record with every operation that makes one; what needs the id of another waits until that is there.
 * @returns the ids by kind, and what could not be made
 */
export async function createOneOfEach(
  person: HttpCaller,
  operations: readonly ApiOperation[],
  ink: { word: string; stock: RecordIds },
): Promise<string[]> {
  const { stock } = ink;
  let waiting = operations.filter(makes);
  const failures = new Map<string, string>();
  for (let round = 0; round < 4 && waiting.length > 0; round += 1) {
    const later: ApiOperation[] = [];
    for (const operation of waiting) {
      const reply = (await make(person, operation, ink))?.reply;
      if (reply && reply.status < 300) {
        failures.delete(operation.id);
        const id = reply.body.data?.id as string | undefined;
        const noun = nounOfPath(operation.path);
        if (id) stock.set(noun, [...(stock.get(noun) ?? []), id]);
      } else {
        failures.set(operation.id, reply ? `${reply.status} ${JSON.stringify(reply.body)}` : 'a record is missing');
        later.push(operation);
      }
    }
    waiting = later;
  }
  return [...failures].map(([id, reason]) => `${id}: ${reason}`);
}
