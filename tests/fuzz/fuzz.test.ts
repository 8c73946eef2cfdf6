import { beforeAll, expect, test } from '@jest/globals';
import { mapConcurrently } from '../isolation/intruder.ts';
import { type ApiOperation, apiDocument, operationsIn, pathWith } from '../suite/api-document.ts';
import { draftBody, pathIds, type RecordIds } from '../suite/draft.ts';
import { dataOf, type HttpCaller } from '@suite/testing/http';
import { isTooBusy, retryPostponed } from '@suite/testing/waiting';
import { waitForLink } from '@suite/testing/suite/mailbox';
import {
  createOneOfEach,
  initialRecords,
  type CreationAttempt,
  createRecord,
  withNewRecord,
} from '../suite/create-one-of-each.ts';
import { createIntegrations } from '../suite/integration-factories.ts';
import { createTicketRecords, createProject, createStaff } from '../suite/factories.ts';
import { createForms } from '../suite/form-factories.ts';
import { nounOf, nounOfPath } from '../suite/noun.ts';
import { bearer, type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { tradeOneProduct } from '../suite/trade.ts';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { overPreciseBodies, findSilentRounding } from './amounts.ts';
import { findViolation } from './breach.ts';
import { asDryRun, findDryRunDifference, hasDryRun } from './dry-runs.ts';
import { BY_CHANCE, OUT_OF_REACH } from './out-of-reach.ts';
import { strangeRequests } from './strange-input.ts';
import type { StrangeRequest } from './strange-text.ts';
import { unstorableRequests } from './unstorable.ts';

/**
 * Every run sends the same requests, unless the environment sets another seed. `FUZZ_TIMES=130` sends 100 000 calls.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const USUAL_TIMES = 10;
const TIMES = Number(process.env['FUZZ_TIMES'] ?? USUAL_TIMES);
const TIMEOUT_MS_EACH = 60_000;
const WIDTH = 8;
const JSON_TYPE = { 'content-type': 'application/json' };

const suite = await useSharedSuite();
const operations = operationsIn(await apiDocument(suite.gateway));
const stock: RecordIds = new Map();
let owner: SignedIn;

beforeAll(async () => {
  const acme = await openWorkspace(suite);
  owner = acme.owner;
  const things = [...(await initialRecords(owner)), ...(await tradeOneProduct(owner, 'fuzz'))];
  for (const [noun, ids] of things) stock.set(noun, ids);
  stock.set('user', [(await acme.hire('manager')).user.id]).set('client', [(await acme.hire('client')).user.id]);
  stock.set('role', [String(acme.roles['staff'])]);
  const missing = await createOneOfEach(owner, operations, { word: 'fuzz', stock });
  if (missing.length > 0) throw new Error(missing.join('\n'));
  const place = { gateway: suite.gateway, owner, stock, word: 'fuzz' };
  await createProject(place);
  await createStaff(place);
  await createIntegrations(place);
  await createForms(place);
  await createTicketRecords(place, String(stock.get('ticket')?.[0]));
  await createSets();
}, 240_000);

/** Adds sets that are named as a whole, the stages of a board, and the link that only an e-mail contains. */
async function createSets(): Promise<void> {
  const project_id = String(stock.get('project')?.[0]);
  for (const kind of ['task', 'bug']) {
    const path = `/api/project/${kind}-stages?project_id=${project_id}&sort=order&per_page=100`;
    const stages: { id: string }[] = await dataOf(owner.get(path));
    stock.set(
      `project_${kind}_stage`,
      stages.map(({ id }) => id),
    );
  }
  const requester = { name: 'Fuzz', email: 'fuzz-requester@example.test' };
  const asked = { subject: 'fuzz', description: 'fuzz', requester };
  const { id } = await dataOf(owner.post('/api/support-ticket/ticket/store', asked));
  stock.set('public_token', [await waitForLink(suite, requester.email, 'public')]);
  await dataOf(owner.post(`/api/support-ticket/ticket/update/${id}`, { status: 'resolved' }));
}

/** Ranks operations: additions first, then actions that a record allows only once, then deletions. */
function rank({ method, path }: ApiOperation): number {
  if (method === 'DELETE' || /delete|erase/.test(path)) return 2;
  // The operation that closes the books is called after all others have posted.
  if (path.includes('period-locks')) return 0.9;
  // Reordering needs the complete set of stages, so it runs before others are added.
  if (path.endsWith('/order')) return -1;
  // A closed project accepts no new records.
  if (/\/project\/update|project-(?:create-update|status-update)/.test(path)) return 0.8;
  // A return is either completed or cancelled. This test completes it.
  if (path.includes('return/cancel')) return 0.1;
  return /convert|reset|logout/.test(path) ? 0.5 : 0;
}

/** Steps that bring a new record to the state that an operation requires. */
const BEFORE: Readonly<Record<string, [path: string, body: object]>> = {
  'articles.vote': ['/api/support-ticket/knowledge/update/{id}', { status: 'published' }],
  'partners.remove': ['/api/partner/revoke/{id}', {}],
  'proposals.reject': ['/api/sales-proposal/sent/{id}', {}],
  'ticketSteps.close': ['/api/support-ticket/ticket/add-reply/{id}', { body: 'fuzz', status: 'resolved' }],
  'ticketSteps.rate': ['/api/support-ticket/ticket/add-reply/{id}', { body: 'fuzz', status: 'resolved' }],
};

/**
 * Returns the IDs for an operation that uses its record up: a new record first. If none can be created, the last
 * existing one.
 */
async function freshIds(operation: ApiOperation): Promise<RecordIds> {
  const { path, path_variables, id } = operation;
  const fresh = await withNewRecord(owner, operation, operations, { word: 'fuzz', stock });
  const noun = nounOf(path, path_variables.at(-1) ?? 'id');
  const known = stock.get(noun) ?? [];
  if (noun === nounOfPath(path) && fresh.get(noun)?.length === known.length) fresh.set(noun, known.slice(-1));
  const [before, body] = BEFORE[id] ?? [];
  if (before) await dataOf(owner.post(before.replace('{id}', String(fresh.get(noun)?.[0])), body));
  return fresh;
}

const isDone = (made: CreationAttempt | undefined): boolean => (made?.reply.status ?? 400) < 300;

/**
 * Tries an operation as intended: on an existing record, else on a new one. The body is complete, minimal, or lacks one
 * field.
 */
async function attempt(person: HttpCaller, operation: ApiOperation, ids: RecordIds) {
  const full = await createRecord(person, operation, { word: 'fuzz', stock: ids });
  if (isDone(full) || full === undefined) return { ids, tried: full };
  const short = await createRecord(person, operation, { word: 'fuzz', stock: ids, isShort: true });
  if (isDone(short)) return { ids, tried: short };
  for (const left_out of Object.keys(operation.body?.properties ?? {})) {
    const almost = await createRecord(person, operation, { word: 'fuzz', stock: ids, left_out });
    if (isDone(almost)) return { ids, tried: almost };
  }
  return { ids, tried: full };
}

/** Sends amounts with too many decimals in bodies that the operation has accepted. @returns the amounts that it rounds */
async function roundings(
  person: HttpCaller,
  operation: ApiOperation,
  { ids, sound }: { ids: RecordIds; sound: Record<string, unknown> },
): Promise<string[]> {
  const { id, method, path, body: schema = {}, example } = operation;
  // A converted lead returns its deal, regardless of the body.
  if (id === 'leads.convert') return [];
  const found: string[] = [];
  for (const { place } of overPreciseBodies(operation, sound)) {
    // Uses new names that no record has yet.
    const fresh = draftBody(schema, { path, stock: ids, word: 'fuzz' }, example);
    const kept = Object.fromEntries(Object.entries(sound).map(([name, value]) => [name, fresh[name] ?? value]));
    const tried = overPreciseBodies(operation, kept).find((other) => other.place === place);
    if (!tried) continue;
    const send = () =>
      person.send(method, pathWith(path, pathIds(operation, ids) ?? {}), JSON.stringify(tried.body), JSON_TYPE);
    const rounded = findSilentRounding(operation, tried, await retryPostponed(send, isTooBusy));
    if (rounded) found.push(rounded);
  }
  return found;
}

/** Sends strange input to an operation. @returns the violations, and whether any request succeeded or was rejected */
async function interrogate(operation: ApiOperation) {
  // Signing out and the like may work, so these use a session apart from the other calls.
  const isSession = operation.id.startsWith('sessions.');
  const person = operation.message
    ? bearer(suite.gateway, stock.get('mailbox_token')?.[0])
    : isSession
      ? await signIn(suite.gateway, owner.email, owner.password)
      : owner;
  const { method, path, body: schema = {} } = operation;
  const usesUp = rank(operation) >= 1 || path.includes('convert-to-deal');
  let ids = usesUp ? await freshIds(operation) : stock;
  let tried: CreationAttempt | undefined;
  if (!isSession && method !== 'GET' && rank(operation) < 1 && !operation.message) {
    ({ tried } = await attempt(person, operation, ids));
    if (!isDone(tried) && !usesUp) {
      const again = await freshIds(operation);
      const second = await attempt(person, operation, again);
      if (isDone(second.tried)) ({ ids, tried } = second);
    }
  }
  const rounded = isDone(tried) ? await roundings(person, operation, { ids, sound: tried!.body }) : [];
  const fit = Object.keys(tried?.body ?? schema.properties ?? {});
  const address = pathWith(path, pathIds(operation, ids) ?? {});
  const strange = [
    ...strangeRequests(operation, { stock: ids, seed: SEED, times: TIMES, fit }),
    ...unstorableRequests(operation, address, tried?.body ?? {}),
  ];
  const send = ({ path, body, content_type }: StrangeRequest) =>
    // A busy machine is not a fault of the response: retry later, as clients should.
    retryPostponed(() => person.send(method, path, body, { 'content-type': content_type }), isTooBusy);
  const differing: string[] = [];
  const replies = await mapConcurrently(strange, hasDryRun(operation) ? 1 : WIDTH, async (request) => {
    const dry_run = asDryRun(operation, request);
    const dry = dry_run && (await send(dry_run));
    const reply = await send(request).catch(String);
    const difference =
      dry && typeof reply === 'object' ? findDryRunDifference(operation, request, dry, reply) : undefined;
    if (difference) differing.push(difference);
    return reply;
  });
  const statuses = [tried?.reply, ...replies].map((reply) => (typeof reply === 'object' ? reply.status : 0));
  return {
    id: operation.id,
    breaches: [
      ...rounded,
      ...differing,
      ...replies.flatMap((reply, at) => findViolation(operation, strange[at] as StrangeRequest, reply) ?? []),
    ],
    succeeded: statuses.some((status) => status >= 200 && status < 300),
    refused: statuses.some((status) => status >= 400),
  };
}

test(
  'strange input is rejected as documented, and never breaks anything',
  async () => {
    const results = [];
    for (const operation of operations.toSorted((a, b) => rank(a) - rank(b)))
      results.push(await interrogate(operation));
    expect(results.flatMap(({ breaches }) => breaches)).toEqual([]);
    expect((await owner.get('/api/user')).status).toBe(200);
    expect((await bearer(suite.gateway).get('/openapi.json')).status).toBe(200);
    // Every operation must reject some input. If not, the input is too weak.
    expect(results.filter(({ refused }) => !refused).map(({ id }) => id)).toEqual([]);
    const unreached = results.filter(({ succeeded }) => !succeeded).map(({ id }) => id);
    // With more calls, a few more operations are reached by luck.
    const expected = OUT_OF_REACH.filter((id) => TIMES === USUAL_TIMES || unreached.includes(id));
    expect(unreached.filter((id) => !BY_CHANCE.includes(id)).toSorted()).toEqual(expected);
  },
  TIMES * TIMEOUT_MS_EACH,
);
