import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { openFixture } from '../../test/fixture.ts';
import { openMetrics, showDatabase } from './metrics.ts';
import { serveOperationsPort } from './operations-port.ts';

const fixture = await openFixture();
const metrics = openMetrics();
showDatabase(metrics, fixture.database);
let isStopping = false;
let refusal: string | undefined;
const dependencies = { database: () => Promise.resolve(true), nats: (): Promise<boolean> | boolean => true };
const server = await serveOperationsPort({
  host: '127.0.0.1',
  port: 0,
  registry: metrics.registry,
  isStopping: () => isStopping,
  refusal: () => refusal,
  dependencies: { database: () => dependencies.database(), nats: () => dependencies.nats() },
});
const { port } = server.address() as AddressInfo;

afterAll(async () => {
  server.close();
  await fixture.close();
});

async function get(path: string) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
}
async function figure(name: string): Promise<number> {
  const { text } = await get('/metrics');
  const [, value] = new RegExp(`^${name.replaceAll(/[{}"]/g, String.raw`\$&`)} (.+)$`, 'm').exec(text) ?? [];
  return value === 'Nan' ? Number.NaN : Number(value ?? Number.NEGATIVE_INFINITY);
}

test('is live while the process answers, and ready until it stops', async () => {
  expect(await get('/health/ready')).toMatchObject({ status: 200, text: '{"status":"ready","degraded":[]}' });
  isStopping = true;
  expect(await get('/health/ready')).toMatchObject({ status: 503, text: '{"status":"stopping"}' });
  expect(await get('/health/live')).toMatchObject({ status: 200, type: 'application/json', text: '{"status":"live"}' });
  isStopping = false;
});

test('is live and not ready while an operator must act, and reports the action', async () => {
  refusal = 'Empty the bus';
  const text = '{"status":"refused","message":"Empty the bus"}';
  expect(await get('/health/ready')).toMatchObject({ status: 503, text });
  expect((await get('/health/live')).status).toBe(200);
  refusal = undefined;
  expect((await get('/health/ready')).status).toBe(200);
});

test.each([
  ['is unavailable', () => false],
  ['fails', () => Promise.reject(new Error('connection refused'))],
  ['does not respond', () => new Promise<boolean>(() => undefined)],
])('stays ready and reports the dependency if one %s', async (_, check) => {
  dependencies.nats = check;
  expect(await get('/health/ready')).toMatchObject({ status: 200, text: '{"status":"ready","degraded":["nats"]}' });
  expect(await figure('dependency_available{dependency="nats"}')).toBe(0);
  expect(await figure('dependency_available{dependency="database"}')).toBe(1);
  dependencies.nats = () => true;
  expect(await figure('dependency_available{dependency="nats"}')).toBe(1);
});

test('serves nothing else', async () => {
  expect((await get('/')).status).toBe(404);
  expect((await get('/health')).status).toBe(404);
});

test('counts requests by operation and status', async () => {
  metrics.observe('leads.show', 200, 30);
  metrics.observe('leads.show', 404, 3);
  expect(await figure('request_duration_seconds_count{operation="leads.show",status="200"}')).toBe(1);
  expect(await figure('request_duration_seconds_bucket{le="0.025",operation="leads.show",status="404"}')).toBe(1);
  expect(await figure('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
});

test('reports no age for an empty journal', async () => {
  expect(await figure('journal_waiting')).toBe(0);
  expect(await figure('journal_oldest_seconds')).toBe(0);
  expect(await figure('dead_letters')).toBe(0);
});

test('reports the current state of the journal, dead letters and pool', async () => {
  const row = (age: string) =>
    fixture.pool.query(
      `INSERT INTO journal (workspace_id, at, events) VALUES ('${fixture.workspace_id}', now() - interval '${age}', '[{}]')`,
    );
  await row('2 hours');
  await fixture.pool.query('UPDATE journal_relay SET settled = pg_snapshot_xmax(pg_current_snapshot())');
  await row('90 s');
  await row('1 s');
  const deadLetters = `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts, replayed_at) VALUES ('a', $1, '{}', 'x', 5, $2)`;
  await fixture.pool.query(deadLetters, [randomUUID(), null]);
  await fixture.pool.query(deadLetters, [randomUUID(), new Date(0)]);
  expect(await figure('journal_waiting')).toBe(2);
  expect(await figure('journal_oldest_seconds')).toBeGreaterThanOrEqual(90);
  expect(await figure('journal_oldest_seconds')).toBeLessThan(120);
  expect(await figure('dead_letters')).toBe(1);

  const held = await Promise.all(Array.from({ length: 8 }, () => fixture.database.requests.connect()));
  const waiting = [fixture.database.requests.connect(), fixture.database.requests.connect()];
  const [connections, queue] = [figure('database_pool_connections'), figure('database_pool_waiting')];
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const client of held) client.release();
  for (const client of await Promise.all(waiting)) client.release();
  expect(await connections).toBeGreaterThanOrEqual(8);
  expect(await queue).toBeGreaterThanOrEqual(2);
});

test('shows the metrics of the process while the database is down', async () => {
  const closed = await openFixture();
  const others = openMetrics();
  showDatabase(others, closed.database);
  await closed.close();
  const text = await others.registry.metrics();
  expect(text).toMatch(/^journal_waiting Nan$/m);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
});
