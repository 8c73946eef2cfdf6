import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor, keysOf, memberOf, type ServiceUnderTest, start } from '@suite/testing';
import { calls } from './operations.ts';
import { platform as contents } from './platform.ts';
import { contentsOf } from '../test/contents.ts';
import { openWorkspace, PASSWORD, rpcOf, signIn } from '../test/workspace.ts';

/** Provides the database for the separate process below. */
const database = await start({ ...contents, schedules: [] });
const directory = mkdtempSync(join(tmpdir(), 'platform-process-'));
let child: ChildProcess;
let written = '';
/** Platform as a separate process with a readable log. */
let platform: ServiceUnderTest;

/** Writes the keys of this test where processes expect them. */
function writeKeys(): void {
  const { private_key, trusted } = keysOf('platform');
  mkdirSync(join(directory, 'trusted'));
  writeFileSync(join(directory, 'private.pem'), private_key.export({ type: 'pkcs8', format: 'pem' }));
  for (const [name, [key]] of trusted)
    writeFileSync(join(directory, 'trusted', `${name}.pem`), key!.export({ type: 'spki', format: 'pem' }));
}

/** Addresses of the called services, where nothing listens. */
const addresses = Object.fromEntries(
  Object.keys(calls).map((name) => [`RPC_${name.split('.')[0]!.toUpperCase()}`, '127.0.0.1:1']),
);

beforeAll(async () => {
  writeKeys();
  const env = {
    HTTP_PORT: '0',
    GRPC_PORT: '0',
    OPERATIONS_PORT: '0',
    SHUTDOWN_GRACE_MS: '0',
    LOG_LEVEL: 'trace',
    NATS_URL: database.nats_url,
    DATABASE_URL: database.database_url,
    ...addresses,
    KEYS_DIR: directory,
    FILES_DIR: join(directory, 'files'),
    MAIL_DIR: join(directory, 'mail'),
    PUBLIC_URL: 'http://suite.test',
  };
  child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], { env });
  const started = new Promise<{ port: number; grpc_port: number }>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`platform did not start: ${written}`)));
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        written += chunk;
        const line = written.split('\n').find((text) => text.includes('"msg":"Service started"'));
        if (line) resolve(JSON.parse(line));
      });
    }
  });
  const { port, grpc_port } = await started;
  const url = `http://127.0.0.1:${port}`;
  const anonymous = memberOf({ name: 'platform', url, gateway: database.gateway }, null);
  platform = { ...database, database: database.database, url, grpc_port, anonymous };
});

afterAll(async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
});

/** Returns the tokens in the sent e-mails. */
async function linksSent(): Promise<string[]> {
  const names = (await readdir(join(directory, 'mail')).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  const mails = await Promise.all(names.map((name) => readFile(join(directory, 'mail', name), 'utf8')));
  const tokens = mails.flatMap((text) =>
    [
      ...text
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
        .matchAll(/#\w+=([\w-]{43})/g),
    ].map(([, token]) => token!),
  );
  // The text and the HTML of an e-mail have the same link.
  return [...new Set(tokens)];
}

test('stores and logs no password, token, key or link in plain text', async () => {
  const acme = await openWorkspace(platform);
  const headers = { 'idempotency-key': 'the same for all' };
  const staff = await signIn(platform, acme.email('staff'));
  const refreshed = await platform.anonymous.post('/api/refresh', { refresh_token: staff.refresh_token }, { headers });
  const key = await staff.post('/api/v1/settings/api-keys', { name: 'Script' }, { headers });
  const { token } = key.body.data;
  await rpcOf(platform).introspect({ credential: { $case: 'api_key', value: token }, address: '' });
  const input = { current_password: PASSWORD, password: 'canary password one' };
  expect((await staff.post('/api/change-password', input, { headers })).status).toBe(200);
  await staff.post('/api/change-password', { ...input, current_password: 'canary wrong guess' });
  await platform.anonymous.post('/api/login', { email: acme.email('staff'), password: 'canary wrong login' });
  await platform.anonymous.post('/api/login', {
    email: acme.email('staff'),
    password: 'canary odd',
    nonsense: 'canary',
  });
  await platform.anonymous.post('/api/accept-invitation', { token: 'canary-token', password: 'canary password two' });
  const client = {
    idempotency_key: 'c',
    name: 'C',
    email: `c.${acme.id}@example.test`,
    phone: '',
    password: 'canary password three',
  };
  await rpcOf(platform, (await acme.as('sales')).caller).ensureClientUser(client);
  await platform.anonymous.post('/api/forgot-password', { email: acme.email('hr') });
  const links = await waitFor(async () => {
    const found = await linksSent();
    expect(found).toHaveLength(1);
    return found;
  });

  const { access_token, refresh_token } = refreshed.body.data;
  const secrets = [
    PASSWORD,
    'canary',
    staff.access_token,
    staff.refresh_token,
    access_token,
    refresh_token,
    token,
    ...links,
  ];
  const everything = await contentsOf(database);
  expect(everything).toContain(acme.email('staff'));
  expect(written).toContain('Service started');
  for (const secret of secrets) {
    expect(everything).not.toContain(secret);
    expect(written).not.toContain(secret);
  }
  const audited =
    await database.sql`SELECT before, after FROM journal_changes WHERE table_name IN ('passwords', 'api_keys')`;
  expect(audited.length).toBeGreaterThan(0);
  expect(JSON.stringify(audited)).not.toMatch(/argon2|secret_hash/);
});
