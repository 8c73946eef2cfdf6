import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpCaller, Reply } from '@suite/testing/http';
import { startStripe } from '@suite/testing/payments/stripe';
import { sellPlan } from '@suite/testing/suite/instance';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { type ApiOperation, apiDocument, instanceOperationsIn, operationsIn, pathWith } from '../suite/api-document.ts';
import { type FilledInstance, createInstance } from '../suite/instance-factories.ts';
import { mapConcurrently } from './intruder.ts';

const WIDTH = 8;
const suite = await useSharedSuite('selling');
const stripe = await startStripe(suite.stripe_port);
afterAll(stripe.stop);
const document = await apiDocument(suite.gateway);
const operations = instanceOperationsIn(document);
const named = operations.filter(({ path_variables }) => path_variables.some((name) => name !== 'code'));

let home: FilledInstance;
let otherInstance: FilledInstance;
let acme: Workspace;
beforeAll(async () => {
  await sellPlan(suite, 'business', '35.00');
  acme = await openWorkspace(suite);
  [home, otherInstance] = [await createInstance(suite, stripe), await createInstance(suite, stripe)];
}, 120_000);

function send(person: HttpCaller, { method, path }: ApiOperation, ids: Record<string, string>, body: object) {
  const address = pathWith(path, ids);
  if (method === 'GET') return person.get(address);
  return person.send(method, address, JSON.stringify(body), { 'content-type': 'application/json' });
}

const comparableReply = ({ status, body }: Reply, ids: Record<string, string>): string =>
  Object.values(ids).reduce(
    (text, id) => text.replaceAll(id, 'ID'),
    JSON.stringify({ status, body: { ...body, request_id: '' } }),
  );

/** Returns all database rows of an instance. */
async function kept({ id }: FilledInstance): Promise<Record<string, string>> {
  const tables = await suite.sql<{ name: string }>(
    'platform',
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'wl_instance_id' ORDER BY table_name`,
  );
  expect(tables.length).toBeGreaterThan(5);
  const sums = tables.map(async ({ name }) => {
    const rows = await suite.sql<{ text: string }>(
      'platform',
      `SELECT coalesce(string_agg(to_jsonb(t)::text, E'\\n' ORDER BY to_jsonb(t)::text), '') AS text FROM "${name}" AS t WHERE wl_instance_id = $1`,
      [id],
    );
    return [name, rows[0]!.text] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

describe('the records of another partner', () => {
  test('exist in every table, and each operation works for their owner', async () => {
    const empty = Object.entries(await kept(otherInstance)).filter(([, text]) => text === '');
    expect(empty.map(([table]) => table)).toEqual([]);
    expect(named.map(({ id }) => id).toSorted()).toEqual([
      'callback.replay',
      'checkouts.show',
      'soldSubscriptions.cancel',
      'soldSubscriptions.change',
      'soldSubscriptions.resume',
      'soldSubscriptions.show',
    ]);
    const own = await createInstance(suite, stripe);
    for (const operation of operations) {
      const { status, body } = await send(own.program, operation, own.own(operation), own.body(operation));
      expect([operation.id, status < 300 ? 'works' : body]).toEqual([operation.id, 'works']);
    }
  });

  test('return the same response as unknown records in every path, and stay unchanged', async () => {
    const before = await kept(otherInstance);
    const calls = stripe.calls.length;
    for (const operation of named) {
      const body = home.body(operation);
      const theirs = otherInstance.own(operation);
      const nobodys = Object.fromEntries(Object.keys(theirs).map((name) => [name, randomUUID()]));
      const got = await send(home.program, operation, theirs, body);
      expect([operation.id, got.status, got.body.code]).toEqual([operation.id, 404, 'not_found']);
      const unknown = await send(home.program, operation, nobodys, body);
      expect([operation.id, comparableReply(got, theirs)]).toEqual([operation.id, comparableReply(unknown, nobodys)]);
    }
    expect(await kept(otherInstance)).toEqual(before);
    // The payment provider receives no request about them either.
    expect(stripe.calls).toHaveLength(calls);
  });

  test('are in no response to any request', async () => {
    const { client_reference } = (await otherInstance.program.get(`/api/wl/subscription/${otherInstance.ref}`)).body
      .data;
    const paths = operations
      .filter(({ method }) => method === 'GET')
      .map((each) => pathWith(each.path, home.own(each)));
    const searched = ['subscriptions', 'events'].flatMap((list) => [
      `/api/wl/${list}?per_page=100`,
      ...otherInstance.names.map((name) => `/api/wl/${list}?id=${encodeURIComponent(name)}`),
    ]);
    const asked = [...paths, ...searched, `/api/wl/subscriptions?client_reference=${client_reference}`];
    for (const path of asked) {
      const { status, body } = await home.program.get(path);
      expect([path, [200, 422].includes(status)]).toEqual([path, true]);
      const told = JSON.stringify(body.data ?? null);
      expect([path, otherInstance.names.filter((name) => told.includes(name))]).toEqual([path, []]);
    }
  });

  test('are not returned for an idempotency key that their own programs used', async () => {
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const order = ({ body }: FilledInstance) => body(operations.find(({ id }) => id === 'checkouts.create')!);
    const [theirs, ours] = [
      await otherInstance.program.post('/api/wl/checkout', order(otherInstance), key),
      await home.program.post('/api/wl/checkout', order(home), key),
    ];
    expect([theirs.status, ours.status, ours.headers.get('idempotent-replayed')]).toEqual([201, 201, null]);
  });
});

describe('a token of the other class', () => {
  const wrong = async (person: HttpCaller, asked: ApiOperation[]): Promise<string[]> => {
    const replies = await mapConcurrently(asked, WIDTH, (operation) => {
      const ids = Object.fromEntries(operation.path_variables.map((name) => [name, randomUUID()]));
      return send(person, operation, ids, {});
    });
    const refused = ({ status, body }: Reply) => status === 401 && body.code === 'wrong_token_class';
    return asked.filter((_, at) => !refused(replies[at]!)).map(({ id }) => id);
  };

  test('gives users no access to white-label operations', async () => {
    expect(operations.length).toBeGreaterThan(10);
    expect(await wrong(acme.owner, operations)).toEqual([]);
  });

  test('gives partners access to white-label operations only', async () => {
    // Operations for webhook events check their tokens themselves.
    const asked = operationsIn(document).filter(({ is_public, id }) => !is_public && !id.endsWith('.take'));
    expect(asked.length).toBeGreaterThan(300);
    expect(await wrong(home.program, asked)).toEqual([]);
  }, 120_000);
});
