import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiOperation, apiDocument, operationsIn, pathWith } from '../suite/api-document.ts';
import { pathIds } from '../suite/draft.ts';
import { waitUntilIdle } from '@suite/tools/calm';
import { signIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { knownStates } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { waitUntil } from '@suite/testing/waiting';
import { useSharedSuite } from '@suite/testing/suite/started';
import type { Workspace } from '@suite/testing/suite/workspace';
import {
  type WorkspaceRow,
  checksums,
  idsOf,
  type Table,
  tablesOf,
  waitUntilMailed,
  reachableRows,
} from './belongings.ts';
import {
  mapConcurrently,
  leaksOf,
  type Secrets,
  type Slot,
  slotsOfBody,
  slotsOfPath,
  slotsOfQuery,
  findLeaks,
  type IntruderContext,
} from './intruder.ts';
import { createFilledWorkspace } from '../suite/filled-workspace.ts';

const suite = await useSharedSuite();
const operations = operationsIn(await apiDocument(suite.gateway));

let home: { workspace: Workspace } & Omit<IntruderContext, 'person'>;
let otherWorkspace: typeof home;
let intruder: IntruderContext;
let secrets: Secrets;
/** One record of each table. */
let workspaceRows: WorkspaceRow[];
let tables: Table[];
let before: Awaited<ReturnType<typeof checksums>>;

beforeAll(async () => {
  [home, otherWorkspace] = await Promise.all([
    createFilledWorkspace(suite, operations, `home${randomUUID().slice(0, 8)}`),
    createFilledWorkspace(suite, operations, `foreign${randomUUID().slice(0, 8)}`),
  ]);
  await waitUntilIdle(suite);
  await waitUntilMailed(suite);
  // A workspace stores its changes as soon as a user reads the feed.
  await waitUntil('the other workspace has changes', async () => {
    const { body } = await otherWorkspace.workspace.owner.get('/api/changes');
    return body.data?.changes.length > 0;
  });
  intruder = { person: home.workspace.owner, stock: home.stock, word: home.word };
  tables = await tablesOf(suite);
  workspaceRows = await idsOf(suite, otherWorkspace.workspace.id, 1);
  const all = await idsOf(suite, otherWorkspace.workspace.id, 10_000);
  secrets = { word: otherWorkspace.word, ids: new Set(all.map(({ id }) => id)) };
  // The schedule marks no absences in this workspace, which would change its checksums.
  await suite.sql('hr', `UPDATE settings SET absences_through = '2100-01-01' WHERE workspace_id = $1`, [
    otherWorkspace.workspace.id,
  ]);
  before = await checksums(suite, otherWorkspace.workspace.id);
}, 600_000);

/** Renews the session of an owner. */
async function renew({ owner }: Workspace): Promise<void> {
  Object.assign(owner, await signIn(suite.gateway, owner.email, owner.password));
}

// An access token expires after ten minutes. A busy machine needs longer for all tests.
beforeEach(() => renew(home.workspace));

const WIDTH = 8;
/**
 * Number of further tables per slot. Every slot is tried with matching records and with records of this many other
 * tables. The first table differs for each slot and run, so all tables come up many times. `ISOLATION_TABLES=1000`
 * tries all of them in every slot.
 */
const TABLES = Number(process.env['ISOLATION_TABLES'] ?? 6);
const SEED = Number(process.env['ISOLATION_SEED'] ?? Math.floor(Math.random() * 1_000));

/** Returns `TABLES` elements of a list from an index on, wrapping around its end. */
const someFrom = <T>(list: readonly T[], place: number): T[] =>
  [...list, ...list].slice(place % list.length).slice(0, Math.min(TABLES, list.length));
/**
 * Tables whose rows come and go over time, or need an action outside this test. Examples: an invoice of an order, an
 * entry that a service posts, a second factor with an app. No service calls crm with a key, and finance is called only
 * for such an invoice or entry. Calls to projects change nothing.
 */
const PASSING = new Set([
  // Created only by a deletion, for two minutes.
  'deletion_fences',
  // Created only by operators, after a restore.
  'step_repairs',
  // Created only after a calendar server has accepted them.
  'todo_items',
  'todo_removals',
  // Created by a payment provider or by time.
  'subscriptions',
  'trial_notices',
  // Rows are postponed only by bugs.
  'postponed_work',
  'discarded_files',
  'leave_recounts',
  // Created by a schedule that settles leave again after a leave type changes.
  'leave_settlements',
  // Created only with a payment provider.
  'checkout_sessions',
  'waiting_refunds',
  'order_invoices',
  // Created for the first invoice of an order or proposal.
  'agreements',
  'requested_entries',
  'event_lanes',
  'received_events',
  'login_challenges',
  'recovery_codes',
  'second_factors',
  // A phone number needs a gateway that sends to it, and reminders are sent over time.
  'sms_factors',
  'task_reminders',
  // Files are counted when they are added or removed, and reported by a schedule.
  'stored_objects',
  'storage_use',
  'storage_uses',
  // Only readers who are not agents are counted.
  'article_views',
  'crm.rpc_keys',
  'projects.rpc_keys',
  'finance.rpc_keys',
  // A service without methods is never called.
  ...declaredServices.filter(({ rpc = [] }) => rpc.length === 0).map(({ name }) => `${name}.rpc_keys`),
  // Requests of the other services write no copies.
  ...declaredServices
    .filter(({ copies = [] }) => knownStates(copies).length === 0)
    .map(({ name }) => `${name}.known_records`),
]);

const isPassing = (table: string): boolean => PASSING.has(table) || PASSING.has(String(table.split('.')[1]));

/** Maps operations to services, as the gateway does. */
const routes: { operations: { method: string; path: string; service: string }[] } = JSON.parse(
  readFileSync(new URL('../../gateway/src/routes.json', import.meta.url), 'utf8'),
);
const serviceOf = new Map(routes.operations.map(({ method, path, service }) => [`${method} ${path}`, service]));

/** Sends IDs of the other workspace in every slot of every operation, from tables that its service can reach. */
async function expectNoLeaks(slotsOf: (tools: IntruderContext, operation: ApiOperation) => Slot[]): Promise<void> {
  const tries = operations.flatMap((operation) => {
    const service = String(serviceOf.get(`${operation.method} ${operation.path}`));
    const ids = reachableRows(service, workspaceRows);
    const own = tables.filter((one) => one.service === service && one.has_id).map(({ name }) => `${service}.${name}`);
    return slotsOf(intruder, operation).map((slot) => ({ slot, ids, own: own.filter((name) => !isPassing(name)) }));
  });
  expect(tries.length).toBeGreaterThan(0);
  const isWhole = ({ own, ids }: (typeof tries)[number]): boolean =>
    own.length > 0 && own.every((name) => ids.some(({ table }) => table === name));
  expect(tries.filter((one) => !isWhole(one))).toEqual([]);
  const work = tries.map(({ slot, ids }, at) => {
    // A token opens its record to every holder: it is not an ID.
    const known = slot.noun.endsWith('_token') ? [] : (otherWorkspace.stock.get(slot.noun) ?? []);
    const fitting = known.slice(0, 2).map((id) => ({ id, table: slot.noun }));
    return { slot, ids: [...fitting, ...someFrom(ids, SEED + at * TABLES)] };
  });
  const tales = await mapConcurrently(work, WIDTH, ({ slot, ids }) => findLeaks(slot, ids, secrets));
  expect(tales.flat().map((tale) => `${tale} (ISOLATION_SEED=${SEED})`)).toEqual([]);
}

describe('the records of another workspace', () => {
  test('exist in every table, so that this test proves something', () => {
    const empty = Object.entries(before).filter(([, { rows }]) => rows === 0);
    expect(empty.map(([table]) => table).filter((table) => !isPassing(table))).toEqual([]);
    const unstocked = operations.filter(({ path_variables }) => path_variables.some((name) => !name.endsWith('token')));
    expect(unstocked.filter((operation) => !pathIds(operation, home.stock)).map(({ path }) => path)).toEqual([]);
  });

  test('return the same response as unknown records in every path', async () => {
    await expectNoLeaks(slotsOfPath);
  }, 240_000);

  test('return the same response as unknown records in every body field', async () => {
    await expectNoLeaks(slotsOfBody);
  }, 240_000);

  test('return the same response as unknown records in every filter', async () => {
    await expectNoLeaks(slotsOfQuery);
  }, 240_000);

  test('are in no list, for any request', async () => {
    const { person } = intruder;
    const lists = operations.filter(
      ({ method, query }) =>
        method === 'GET' && query.some(({ name }) => name === 'per_page') && !query.some(({ required }) => required),
    );
    expect(lists.length).toBeGreaterThan(5);
    const asked = lists.flatMap((operation) => {
      const { query } = operation;
      const path = pathWith(operation.path, pathIds(operation, home.stock) ?? {});
      const expand = query.find(({ name }) => name === 'expand')?.schema.items?.enum?.join(',');
      const searched = query.some(({ name }) => name === 'q');
      return [
        `${path}?per_page=100${expand ? `&expand=${expand}` : ''}`,
        ...(searched ? [`${path}?q=${otherWorkspace.word}`] : []),
        ...query.filter(({ name }) => name === 'name').map(() => `${path}?name[like]=${otherWorkspace.word}`),
      ];
    });
    const replies = await mapConcurrently(asked, WIDTH, (path) => person.get(path));
    expect(replies.map(({ status }, at) => `${status} ${asked[at]}`).filter((line) => !line.startsWith('200'))).toEqual(
      [],
    );
    expect(replies.flatMap((reply, at) => leaksOf(reply, secrets).map((leak) => `${asked[at]}: ${leak}`))).toEqual([]);
  });

  test('are completely unchanged at the end', async () => {
    expect(await checksums(suite, otherWorkspace.workspace.id)).toEqual(before);
  });

  test('are not returned for an idempotency key that their own users used', async () => {
    await renew(otherWorkspace.workspace);
    const key = withIdempotencyKey();
    const body = { name: `lead ${randomUUID()}` };
    const theirs = await otherWorkspace.workspace.owner.post('/api/lead/create', body, key);
    const ours = await intruder.person.post('/api/lead/create', body, key);
    expect([theirs.status, ours.status]).toEqual([201, 201]);
    expect(ours.headers.get('idempotent-replayed')).toBeNull();
    expect(ours.body.data.id).not.toBe(theirs.body.data.id);
  });
});
