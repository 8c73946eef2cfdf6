/** Fills a workspace with a record of every kind that the API can create. */
import { setTimeout } from 'node:timers/promises';
import { PICTURE } from '@suite/demo/examples';
import type { HttpCaller, Reply } from '@suite/testing';
import { dataOf } from '@suite/testing/http';
import { type ApiOperation, pathWith } from './api-document.ts';
import { draftBody, type DraftOptions, pathIds, type RecordIds, draftRequiredFields } from './draft.ts';
import { nounOf, nounOfPath } from './noun.ts';
import { waitUntil } from '@suite/testing/waiting';
import { formWith, withIdempotencyKey } from '@suite/testing/suite/http-caller';

/**
 * Checks whether an operation creates a record: `POST /api/lead/create`, `POST /api/lead-task/create`, `POST
 * /api/v1/settings/api-keys`.
 */
export const isCreation = ({ method, path }: ApiOperation): boolean =>
  method === 'POST' && /\/(?:create|store|add)(?:\/\{|$)|^\/api\/v1\/settings\/[\w-]+$/.test(path);

/** Created by fixtures of their own: the employee and the other named records must fit each other. */
const FIXTURE_PATHS = /^\/api\/(?:promotion|employee-transfer|resignation|termination|complaint)\/create$/;

interface Account {
  id: string;
  system_role: string | null;
  type: { class: string };
}

/** Returns the initial records of every workspace by kind: ledger accounts, a warehouse, a cash box. */
export async function initialRecords(person: HttpCaller): Promise<RecordIds> {
  const rows = async <Row extends { id: string }>(path: string): Promise<Row[]> => (await person.get(path)).body.data;
  const accounts = await rows<Account>('/api/gl-accounts?expand=type&per_page=100');
  const ofClass = (name: string) =>
    accounts.filter(({ type, system_role }) => type.class === name && !system_role).map(({ id }) => id);
  const ids = async (path: string) => (await rows(path)).map(({ id }) => id);
  // Leave types that need no document and no notice. They exist a moment after the workspace.
  const unpaid: string[] = [];
  await waitUntil('leave types exist', async () => {
    unpaid.splice(0, 1, ...(await ids('/api/leave-types?code=unpaid')));
    return unpaid.length > 0;
  });
  return new Map([
    ['gl_account', ofClass('expense')],
    ['revenue_account', ofClass('revenue')],
    ['expense_account', ofClass('expense')],
    ['warehouse', await ids('/api/warehouse')],
    ['bank_account', await ids('/api/bank-accounts')],
    ['leave_type', unpaid],
  ]);
}

/** Values that a generated draft cannot contain: a revaluation accepts only rates of foreign currencies. */
const INITIAL_LISTS: Record<string, object> = { 'revaluations.create': { rates: [{ currency: 'USD', rate: '1.10' }] } };

/** Deletes the optional fields that a response rejects, and the rejected parts of required fields. */
function deleteComplaints(body: Record<string, unknown>, { body: answer }: Reply, required: readonly string[]): void {
  for (const field of Object.keys(answer?.errors ?? {})) {
    const words = field.split(/[.[\]]+/).filter(Boolean);
    const path = required.includes(String(words[0])) ? words : words.slice(0, 1);
    if (path.length === 1 && required.includes(field)) continue;
    let inside: unknown = body;
    for (const word of path.slice(0, -1)) inside = (inside as Record<string, unknown> | undefined)?.[word];
    if (typeof inside === 'object' && inside !== null && !Array.isArray(inside))
      delete (inside as Record<string, unknown>)[String(path.at(-1))];
  }
}

/** Last request body, with its response. */
export interface CreationAttempt {
  body: Record<string, unknown>;
  reply: Reply;
}

/** Options for a record to create. */
interface RecordOptions extends Omit<DraftOptions, 'path'> {
  /** Omits all optional fields. */
  isShort?: boolean;
  /** Name of a field to omit. */
  left_out?: string;
}

/**
 * Sends a full draft. Repeats it without optional fields that do not fit together, or when the response asks for a
 * retry.
 */
export async function createRecord(
  person: HttpCaller,
  operation: ApiOperation,
  { isShort = false, left_out = '', ...ink }: RecordOptions,
): Promise<CreationAttempt | undefined> {
  const { method, path, body: schema = {}, upload, example } = operation;
  const ids = pathIds(operation, ink.stock);
  if (!ids) return undefined;
  const address = pathWith(path, ids);
  const body = isShort
    ? draftRequiredFields(operation, { ...ink, path })
    : draftBody(schema, { ...ink, path }, example);
  Object.assign(body, INITIAL_LISTS[operation.id]);
  delete body[left_out];
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
    // After too many wrong passwords, another attempt would fail as well.
    const wait_s = reply.status === 429 ? null : reply.headers.get('retry-after');
    if (tries === 10 || (reply.status !== 422 && !wait_s)) return { body, reply };
    // Goods are still under way, or the service is busy: the response has the time to wait.
    if (wait_s) await setTimeout(Number(wait_s) * 1_000);
    else deleteComplaints(body, reply, schema.required ?? []);
  }
}

/** Records a created record, and the link to its file if it has one. */
function storeRecord(stock: RecordIds, { path }: ApiOperation, { body }: Reply): void {
  const { id, url } = (body.data ?? {}) as { id?: string; url?: string };
  const noun = nounOfPath(path);
  if (id) stock.set(noun, [...(stock.get(noun) ?? []), id]);
  const token = typeof url === 'string' && /\/download\/([^/?]+)$/.exec(url)?.[1];
  if (token) stock.set(`${noun}_token`, [token]);
}

/** Counts the words that two paths have in common. */
const commonWords = (one: ApiOperation, other: ApiOperation): number =>
  one.path.split('/').filter((word) => other.path.split('/').includes(word)).length;

/**
 * Creates a new record for an operation, with its required fields only.
 * @returns the IDs with the new one in front; unchanged if no operation creates such a record
 */
export async function withNewRecord(
  person: HttpCaller,
  operation: ApiOperation,
  operations: readonly ApiOperation[],
  ink: { word: string; stock: RecordIds },
): Promise<RecordIds> {
  const { path, path_variables, body } = operation;
  const noun = nounOf(path, path_variables.at(-1) ?? (body?.properties?.['id'] ? 'id' : ''));
  const stock = new Map(ink.stock);
  // Removing a label from a lead needs one that the lead has, so a new label does not help.
  if (noun !== nounOfPath(path)) return stock;
  const kin = operations.filter((other) => isCreation(other) && nounOfPath(other.path) === noun);
  const [maker] = kin.toSorted((one, other) => commonWords(operation, other) - commonWords(operation, one));
  let made = maker && (await createRecord(person, maker, { ...ink, isShort: true }));
  if (maker && (made?.reply.status ?? 400) >= 300) made = await createRecord(person, maker, ink);
  if (!maker || !made || made.reply.status >= 300) return stock;
  const fresh: RecordIds = new Map();
  storeRecord(fresh, maker, made.reply);
  for (const [kind, ids] of fresh) stock.set(kind, [...ids, ...(stock.get(kind) ?? [])]);
  return stock;
}

/** Adds a salary to an employee: a payroll run pays only employees who have one. */
async function addSalary(person: HttpCaller, { body }: Reply): Promise<void> {
  const salary = { basis: 'monthly', amount: '3000.00' };
  const { id, joining_date: effective_from } = body.data;
  await dataOf(person.post(`/api/employee/update/${id}`, { salary, effective_from }));
}

/**
 * Creates a record with every creating operation. A record that needs the ID of another one waits until the other
 * exists.
 * @returns the IDs by kind, and the records that could not be created
 */
export async function createOneOfEach(
  person: HttpCaller,
  operations: readonly ApiOperation[],
  ink: { word: string; stock: RecordIds },
): Promise<string[]> {
  const { stock } = ink;
  let waiting = operations.filter((operation) => isCreation(operation) && !FIXTURE_PATHS.test(operation.path));
  const failures = new Map<string, string>();
  for (let round = 0; round < 4 && waiting.length > 0; round += 1) {
    const later: ApiOperation[] = [];
    for (const operation of waiting) {
      const reply = (await createRecord(person, operation, ink))?.reply;
      if (reply && reply.status < 300) {
        failures.delete(operation.id);
        storeRecord(stock, operation, reply);
        if (operation.id === 'employees.create') await addSalary(person, reply);
      } else {
        failures.set(operation.id, reply ? `${reply.status} ${JSON.stringify(reply.body)}` : 'a record is missing');
        later.push(operation);
      }
    }
    waiting = later;
  }
  return [...failures].map(([id, reason]) => `${id}: ${reason}`);
}
