import { expect, test } from '@jest/globals';
import { start } from '@suite/harness';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform as contents } from './platform.ts';
import { deliverMail } from './mail/deliver.ts';
import { openWorkspace, PASSWORD, rpcOf, signIn } from './test-workspace.ts';

/** Everything that this process writes to its log while a test runs. */
const logged: string[] = [];
const write = process.stdout.write.bind(process.stdout);
process.env['SUITE_TEST_LOG'] = 'trace';
process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
  logged.push(String(chunk));
  return String(chunk).startsWith('{') ? true : write(chunk, ...rest);
}) as typeof process.stdout.write;
const platform = await start({ ...contents, schedules: [] });

async function dump(): Promise<string> {
  const tables = await platform.sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  const rows = await Promise.all(
    tables.map(({ name }) => platform.database.pool.query(`SELECT to_jsonb(t) FROM "${name}" t`)),
  );
  return JSON.stringify(rows.map((result) => result.rows));
}

test('no password, token, key or link is kept in clear: not in a table, the audit log, an event, a stored answer or the log', async () => {
  const acme = await openWorkspace(platform);
  const headers = { 'idempotency-key': 'canary' };
  const staff = await signIn(platform, acme.email('staff'));
  const refreshed = await platform.stranger.post('/api/refresh', { refresh_token: staff.refresh_token }, { headers });
  const key = await staff.post('/api/v1/settings/api-keys', { name: 'Canary' }, { headers });
  const wish = { current_password: PASSWORD, password: 'canary password one' };
  expect((await staff.post('/api/change-password', wish, { headers })).status).toBe(200);
  await staff.post('/api/change-password', { ...wish, current_password: 'canary wrong guess' });
  await platform.stranger.post('/api/login', { email: acme.email('staff'), password: 'canary wrong login' });
  await platform.stranger.post('/api/accept-invitation', {
    token: 'canary-token-of-nobody',
    password: 'canary password two',
  });
  const { caller } = await acme.as('sales');
  const client = {
    idempotency_key: 'c',
    name: 'C',
    email: `c.${acme.id}@example.test`,
    phone: '',
    password: 'canary password three',
  };
  await rpcOf(platform, caller).ensureClientUser(client);
  await platform.stranger.post('/api/forgot-password', { email: acme.email('hr') });
  await deliverMail.work(platform.tools as never);
  const letters = await Promise.all(
    (await readdir(platform.mail_directory)).map((name) => readFile(join(platform.mail_directory, name), 'utf8')),
  );
  const links = letters.flatMap((text) =>
    [
      ...text
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
        .matchAll(/#\w+=([\w-]{43})/g),
    ].map(([, token]) => token!),
  );
  expect(links).toHaveLength(1);

  const { access_token, refresh_token } = refreshed.body.data;
  const secrets = [
    PASSWORD,
    'canary',
    staff.access_token,
    staff.refresh_token,
    access_token,
    refresh_token,
    key.body.data.token,
    ...links,
  ];
  const [stored, written] = [await dump(), logged.join('')];
  expect(stored).toContain('idempotency_keys' && acme.email('staff'));
  for (const secret of secrets.filter((word) => word !== 'canary')) {
    expect(stored).not.toContain(secret);
    expect(written).not.toContain(secret);
  }
  for (const canary of ['canary password', 'canary wrong', 'canary-token']) {
    expect(stored).not.toContain(canary);
    expect(written).not.toContain(canary);
  }
  expect(stored).not.toMatch(/"(hash|secret_hash)":[^}]*"table_name"/);
  const audited = await platform.sql`SELECT before, after FROM audit_log WHERE table_name IN ('passwords', 'api_keys')`;
  expect(audited.length).toBeGreaterThan(0);
  expect(JSON.stringify(audited)).not.toMatch(/argon2|secret_hash/);
});
