import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiOperation, apiDocument, operationsIn, pathWith } from '../suite/api-document.ts';
import { pathIds } from '../suite/draft.ts';
import { untilIdle } from '@suite/tools/calm';
import { withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { declared } from '@suite/testing/declared';
import { sharedSuite } from '@suite/testing/suite/started';
import type { Workspace } from '@suite/testing/suite/workspace';
import { type Belonging, checksums, idsOf, type Table, tablesOf, untilMailed, withinReach } from './belongings.ts';
import {
  inParallel,
  leaks,
  type Secrets,
  type Slot,
  slotsOfBody,
  slotsOfPath,
  slotsOfQuery,
  findLeaks,
  type Tools,
} from './intruder.ts';
import { furnishedWorkspace } from '../suite/furnished-workspace.ts';

const suite = await sharedSuite();
const operations = operationsIn(await apiDocument(suite.gateway));

let home: { workspace: Workspace } & Omit<Tools, 'person'>;
let foreign: typeof home;
let intruder: Tools;
let secrets: Secrets;
/** One record of each table. */
let belongings: Belonging[];
let tables: Table[];
let before: Awaited<ReturnType<typeof checksums>>;

beforeAll(async () => {
  [home, foreign] = await Promise.all([
    furnishedWorkspace(suite, operations, `home${randomUUID().slice(0, 8)}`),
    furnishedWorkspace(suite, operations, `foreign${randomUUID().slice(0, 8)}`),
  ]);
  await untilIdle(suite);
  await untilMailed(suite);
  intruder = { person: home.workspace.owner, stock: home.stock, word: home.word };
  tables = await tablesOf(suite);
  belongings = await idsOf(suite, foreign.workspace.id, 1);
  const all = await idsOf(suite, foreign.workspace.id, 10_000);
  secrets = { word: foreign.word, ids: new Set(all.map(({ id }) => id)) };
  before = await checksums(suite, foreign.workspace.id);
}, 600_000);

const WIDTH = 8;
/**
 * Every slot is tried with the records that fit it, and with those of so many tables beside, from another one on for each slot
 * and in each run: all tables come up many times. `ISOLATION_TABLES=1000` tries all of them in every slot.
 */
const TABLES = Number(process.env['ISOLATION_TABLES'] ?? 6);
const SEED = Number(process.env['ISOLATION_SEED'] ?? Math.floor(Math.random() * 1_000));

/** So many of a list, from a place on, and round its end. */
const someFrom = <T>(list: readonly T[], place: number): T[] =>
  [...list, ...list].slice(place % list.length).slice(0, Math.min(TABLES, list.length));
/**
 * Tables whose rows come and go by themselves, or wait for what only somebody else makes: an invoice of an order, an entry
 * that a service posts, a second factor that somebody sets up with an app. Nobody calls crm under a
 * key, and finance only for such an invoice or entry; nothing that projects are asked changes anything.
 */
const PASSING = new Set([
  // Only a deletion leaves one, for two minutes.
  'deletion_fences',
  // A calendar server has to take them first.
  'todo_items',
  'todo_removals',
  // A payment provider makes the ones, time the others.
  'subscriptions',
  'trial_notices',
  // Rows are put off only by faults of ours.
  'postponed_work',
  'discarded_files',
  'leave_recounts',
  // A schedule settles leave again after a change of a leave type.
  'leave_settlements',
  // Nothing is bought where there is no payment provider.
  'checkout_sessions',
  'waiting_refunds',
  'order_invoices',
  // Made for the first invoice of an order or proposal.
  'agreements',
  'requested_entries',
  'event_lanes',
  'received_events',
  'login_challenges',
  'recovery_codes',
  'second_factors',
  // A number counts with a gateway that sends to it, and reminders come with time.
  'sms_factors',
  'task_reminders',
  // Files are counted as they come and go, and reported by time.
  'stored_objects',
  'storage_use',
  'storage_uses',
  // Readers are counted who are no agents.
  'article_views',
  'crm.rpc_keys',
  'projects.rpc_keys',
  'finance.rpc_keys',
  // Nobody calls a service without methods.
  ...declared.filter(({ rpc = [] }) => rpc.length === 0).map(({ name }) => `${name}.rpc_keys`),
]);

const isPassing = (table: string): boolean => PASSING.has(table) || PASSING.has(String(table.split('.')[1]));

/** Which service answers an operation, as the gateway knows it. */
const routes: { operations: { method: string; path: string; service: string }[] } = JSON.parse(
  readFileSync(new URL('../../gateway/src/routes.json', import.meta.url), 'utf8'),
);
const serviceOf = new Map(routes.operations.map(({ method, path, service }) => [`${method} ${path}`, service]));

/** Tries ids of the other workspace in every slot of every operation, of tables that its service can come upon. */
async function expectNoTales(slotsOf: (tools: Tools, operation: ApiOperation) => Slot[]): Promise<void> {
  const tries = operations.flatMap((operation) => {
    const service = String(serviceOf.get(`${operation.method} ${operation.path}`));
    const ids = withinReach(service, belongings);
    const own = tables.filter((one) => one.service === service && one.has_id).map(({ name }) => `${service}.${name}`);
    return slotsOf(intruder, operation).map((slot) => ({ slot, ids, own: own.filter((name) => !isPassing(name)) }));
  });
  expect(tries.length).toBeGreaterThan(0);
  const isWhole = ({ own, ids }: (typeof tries)[number]): boolean =>
    own.length > 0 && own.every((name) => ids.some(({ table }) => table === name));
  expect(tries.filter((one) => !isWhole(one))).toEqual([]);
  const work = tries.map(({ slot, ids }, at) => {
    // A token opens its record to everybody who has it: it is no id.
    const known = slot.noun.endsWith('_token') ? [] : (foreign.stock.get(slot.noun) ?? []);
    const fitting = known.slice(0, 2).map((id) => ({ id, table: slot.noun }));
    return { slot, ids: [...fitting, ...someFrom(ids, SEED + at * TABLES)] };
  });
  const tales = await inParallel(work, WIDTH, ({ slot, ids }) => findLeaks(slot, ids, secrets));
  expect(tales.flat().map((tale) => `${tale} (ISOLATION_SEED=${SEED})`)).toEqual([]);
}

describe('the records of another workspace', () => {
  test('are there in every table, or this test would prove nothing', () => {
    const empty = Object.entries(before).filter(([, { rows }]) => rows === 0);
    expect(empty.map(([table]) => table).filter((table) => !isPassing(table))).toEqual([]);
    const unstocked = operations.filter(({ path_variables }) => path_variables.some((name) => !name.endsWith('token')));
    expect(unstocked.filter((operation) => !pathIds(operation, home.stock)).map(({ path }) => path)).toEqual([]);
  });

  test('look like records that nobody has, in every path', async () => {
    await expectNoTales(slotsOfPath);
  }, 240_000);

  test('look like records that nobody has, in every field of every body', async () => {
    await expectNoTales(slotsOfBody);
  }, 240_000);

  test('look like records that nobody has, in every filter', async () => {
    await expectNoTales(slotsOfQuery);
  }, 240_000);

  test('are in no list, however it is asked for', async () => {
    const { person } = intruder;
    const lists = operations.filter(
      ({ method, query }) => method === 'GET' && query.some(({ name }) => name === 'per_page'),
    );
    expect(lists.length).toBeGreaterThan(5);
    const asked = lists.flatMap((operation) => {
      const { query } = operation;
      const path = pathWith(operation.path, pathIds(operation, home.stock) ?? {});
      const expand = query.find(({ name }) => name === 'expand')?.schema.items?.enum?.join(',');
      const searched = query.some(({ name }) => name === 'q');
      return [
        `${path}?per_page=100${expand ? `&expand=${expand}` : ''}`,
        ...(searched ? [`${path}?q=${foreign.word}`] : []),
        ...query.filter(({ name }) => name === 'name').map(() => `${path}?name[like]=${foreign.word}`),
      ];
    });
    const replies = await inParallel(asked, WIDTH, (path) => person.get(path));
    expect(replies.map(({ status }, at) => `${status} ${asked[at]}`).filter((line) => !line.startsWith('200'))).toEqual(
      [],
    );
    expect(replies.flatMap((reply, at) => leaks(reply, secrets).map((leak) => `${asked[at]}: ${leak}`))).toEqual([]);
  });

  test('are unchanged after all of it, to the last bit', async () => {
    expect(await checksums(suite, foreign.workspace.id)).toEqual(before);
  });

  test('do not answer to an idempotency key that their own people used', async () => {
    const key = withIdempotencyKey();
    const body = { name: `lead ${randomUUID()}` };
    const theirs = await foreign.workspace.owner.post('/api/lead/create', body, key);
    const ours = await intruder.person.post('/api/lead/create', body, key);
    expect([theirs.status, ours.status]).toEqual([201, 201]);
    expect(ours.headers.get('idempotent-replayed')).toBeNull();
    expect(ours.body.data.id).not.toBe(theirs.body.data.id);
  });
});
