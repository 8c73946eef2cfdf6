import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { keysOf, makeCaller, memberOf, start } from '@suite/testing';
import { connectBus, openLog } from '@suite/chassis/gateway';
import { readiness } from '@suite/local/health';
import { freePort } from '@suite/local/ports';
import { copyServiceDatabase, startNats } from '@suite/local/servers';
import { notebook } from '../src/notebook.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TRIAL = fileURLToPath(new URL('./main.ts', import.meta.url));
const beside = await start(notebook);
const { pathname, username } = new URL(beside.database_url);
const DATABASE = pathname.slice(1);
// A write that hangs until its test continues, even on a slow machine.
for (const limit of ['lock_timeout', 'statement_timeout'])
  await beside.admin.query(`ALTER ROLE "${username}_requests" IN DATABASE "${DATABASE}" SET ${limit} = '2min'`);
const directory = mkdtempSync(join(tmpdir(), 'notebook-'));
mkdirSync(join(directory, 'keys/trusted'), { recursive: true });
const { private_key, trusted } = keysOf('notebook');
writeFileSync(join(directory, 'keys/private.pem'), private_key.export({ format: 'pem', type: 'pkcs8' }));
writeFileSync(
  join(directory, 'keys/trusted/gateway.pem'),
  trusted.get('gateway')![0]!.export({ format: 'pem', type: 'spki' }),
);

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const ports = { HTTP_PORT: await freePort(), GRPC_PORT: await freePort(), OPERATIONS_PORT: await freePort() };
const complete = {
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
  NATS_URL: beside.nats_url,
  DATABASE_URL: beside.database_url,
  PUBLIC_URL: 'http://suite.test',
  KEYS_DIR: join(directory, 'keys'),
  FILES_DIR: join(directory, 'files'),
  MAIL_DIR: join(directory, 'mail'),
};

/** Starts the service as a separate process. */
function launch(changes: Record<string, string | undefined> = {}, main = MAIN) {
  const environment = { ...complete, LOG_LEVEL: 'info', SHUTDOWN_GRACE_MS: '0', ...changes };
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
}

const kim = memberOf(
  { name: 'notebook', url: `http://127.0.0.1:${ports.HTTP_PORT}`, gateway: keysOf('gateway') },
  makeCaller({ can: ['note.create', 'note.view'] }),
);
const operations = (path: string) => fetch(`http://127.0.0.1:${ports.OPERATIONS_PORT}${path}`);
const health = () => readiness(`http://127.0.0.1:${ports.OPERATIONS_PORT}`, 10_000);
async function until<T>(what: string, ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<void> {
  for (let tries = 0; tries < 800; tries += 1) {
    if (holds(await ask())) return;
    await pause(25);
  }
  throw new Error(`Timed out waiting until ${what}.`);
}
const untilReady = () => until('it is ready', health, ({ isComplete }) => isComplete);
const count = async (title: string) => (await beside.sql`SELECT FROM notes WHERE title = ${title}`).length;

let letGo = async () => undefined as void;
afterEach(() => letGo());

/** Sends a write that blocks in its transaction until it is released. */
async function hangingWrite(title: string, key: string) {
  const lock = await beside.database.pool.connect();
  await lock.query('BEGIN; LOCK TABLE notes IN SHARE MODE');
  letGo = async () => {
    letGo = async () => undefined;
    await lock.query('COMMIT');
    lock.release();
  };
  const reply = kim.post('/api/note/create', { title }, { headers: { 'idempotency-key': key } }).catch(() => 'cut off');
  const waiting = () =>
    beside.sql`SELECT FROM pg_stat_activity WHERE ${DATABASE} = datname AND wait_event_type = 'Lock'`;
  await until('it hangs', waiting, ({ length }) => length === 1);
  return { reply, letGo: () => letGo() };
}

describe('a process that is stopped', () => {
  test('reports that it is not ready, finishes its requests and exits with 0', async () => {
    const { child, said, ended } = launch({ SHUTDOWN_GRACE_MS: '1500' }, TRIAL);
    await untilReady();
    expect(await (await operations('/metrics')).text()).toMatch(/^journal_waiting \d/m);
    const title = `stopping ${randomUUID()}`;
    const hanging = await hangingWrite(title, randomUUID());

    child.kill('SIGTERM');
    const told = performance.now();
    await until('it is not ready', health, ({ response }) => response.includes('stopping'));
    expect(performance.now() - told).toBeLessThan(1_400);
    expect((await kim.get('/api/trial/who-am-i')).status).toBe(200);

    const refused = () =>
      kim.get('/api/trial/who-am-i').then(
        () => false,
        () => true,
      );
    await until('it accepts no connections', refused, Boolean);
    expect(performance.now() - told).toBeGreaterThanOrEqual(1_500);
    expect((await operations('/health/live')).status).toBe(200);
    expect([child.exitCode, await count(title)]).toEqual([null, 0]);

    await hanging.letGo();
    expect(await hanging.reply).toMatchObject({ status: 201, body: { data: { title } } });
    expect(await ended).toBe(0);
    expect(performance.now() - told).toBeLessThan(25_000);
    expect(said.err).toBe('');
    expect(said.out).toMatch(/"msg":"Service stopped"\}\n$/);
    expect(await beside.sql`SELECT FROM journal_waiting`).toEqual([]);
  }, 240_000);
});

test('commits all or nothing when killed, and the call can be repeated', async () => {
  const [title, key] = [`killed ${randomUUID()}`, randomUUID()];
  const first = launch();
  await untilReady();
  const before = await kim.post('/api/note/create', { title: `before ${title}` });
  const hanging = await hangingWrite(title, key);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await hanging.reply).toBe('cut off');
  await beside.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${DATABASE} = datname AND wait_event_type = 'Lock'`;
  await hanging.letGo();
  expect([await count(title), await count(`before ${title}`)]).toEqual([0, 1]);

  const second = launch();
  await untilReady();
  expect((await kim.get(`/api/note/show/${before.body.data.id}`)).status).toBe(200);
  const again = [1, 2].map(
    () => () => kim.post('/api/note/create', { title }, { headers: { 'idempotency-key': key } }),
  );
  for (const send of again) expect((await send()).status).toBe(201);
  expect(await count(title)).toBe(1);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
}, 240_000);

test('reports a bus of another epoch, and uses the bus only after it was emptied', async () => {
  const place = { directory: join(directory, 'nats'), port: await freePort() };
  const NATS_URL = `nats://127.0.0.1:${place.port}`;
  const first = await startNats(place);
  const other = connectBus({ url: NATS_URL, name: 'platform', log: openLog('platform', 'silent') });
  await until('NATS is there', async () => other.connected(), Boolean);
  const { workspace_id } = kim.caller;
  const ghost = {
    id: randomUUID(),
    type: 'platform.workspace.provisioned',
    schema_version: 'v1',
    workspace_id,
    aggregate_id: workspace_id,
    position: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
    actor: null,
    trace_id: 'trace',
    data: { workspace_id, name: 'Ghost', owner_id: randomUUID() },
  };
  await other.publish(ghost.type, JSON.stringify(ghost), { id: ghost.id, epoch: 7 });

  const template = 'template_notebook';
  const copy = { name: template, password: 'test', database: `epoch_${randomUUID().slice(0, 8)}`, template };
  const DATABASE_URL = await copyServiceDatabase(process.env['SUITE_TEST_ADMIN_URL']!, copy);
  const { child, said, ended } = launch({ NATS_URL, DATABASE_URL });
  await until('it refuses the bus', health, ({ response }) => response.includes('refused'));
  const message = expect.stringMatching(
    /^This database is older than the bus \(epoch 1, but stream PLATFORM has 7\): set DATABASE_URL to /,
  );
  const ready = await operations('/health/ready');
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'refused', message }]);
  const lines = () => said.out.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  await until(
    'it logs',
    async () => lines(),
    (logged) => logged.some(({ level }) => level === 50),
  );
  expect(lines().filter(({ level }) => level === 50)).toMatchObject([{ process: 'notebook', msg: message }]);
  expect((await operations('/health/live')).status).toBe(200);
  expect((await kim.post('/api/note/create', { title: 'waiting' })).status).toBe(201);
  await pause(1_500); // Longer than the relay and the bus wait between two attempts.
  expect(await other.stream('notebook.note.created')).toBeUndefined();

  const notes = await kim.get('/api/notes');
  expect(notes.body.data).toMatchObject([{ title: 'waiting' }]);
  const figures = async () => (await operations('/metrics')).text();
  expect(await figures()).toMatch(/^journal_waiting 1$/m);

  await first.stop();
  rmSync(place.directory, { recursive: true });
  const empty = await startNats(place);
  await untilReady();
  await until('it publishes', figures, (text) => /^journal_waiting 0$/m.test(text));
  await until('the other process is connected again', async () => other.connected(), Boolean);
  expect(await other.stream('notebook.note.created')).toMatchObject({ last: 1, epoch: 1 });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  await other.drain();
  await empty.stop();
}, 240_000);

describe('a process that cannot start', () => {
  const sentence = async (changes: Record<string, string | undefined>) => {
    const { said, ended } = launch(changes);
    return { code: await ended, said: said.err };
  };

  test.each([
    ['a missing setting', { HTTP_PORT: undefined }, 'The settings are not right: HTTP_PORT is missing.'],
    [
      'a wrong setting',
      { NATS_URL: 'nowhere' },
      'The settings are not right: NATS_URL is not valid (write an address like nats://127.0.0.1:4222, or several separated by commas).',
    ],
    ['missing keys', { KEYS_DIR: '/nowhere' }, "ENOENT: no such file or directory, open '/nowhere/private.pem'"],
    [
      'a wrong password',
      { DATABASE_URL: beside.database_url.replace(':test@', ':wrong@') },
      'The database rejected the connection: password authentication failed for user "template_notebook".',
    ],
    [
      'a port that is taken',
      { HTTP_PORT: new URL(beside.url).port },
      `listen EADDRINUSE: address already in use 127.0.0.1:${new URL(beside.url).port}`,
    ],
  ])('reports the reason in one sentence and exits with 1: %s', async (_, changes, why) => {
    expect(await sentence(changes)).toEqual({ code: 1, said: `notebook cannot start: ${why}\n` });
  });

  test('names the migration that its database lacks', async () => {
    const behind = await start(notebook);
    await behind.sql`DELETE FROM _prisma_migrations`;
    expect(await sentence({ DATABASE_URL: behind.database_url })).toEqual({
      code: 1,
      said: 'notebook cannot start: The database of example-service lacks the migration 20261121000000_init.\n',
    });
  });
});
