import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@suite/chassis/database';
import { start } from '@suite/testing';
import type { Db } from '../operations.ts';
import { platform as contents } from '../platform.ts';
import { authenticate, signIn } from '../../test/workspace.ts';
import { seedDemo } from '../demo/main.ts';
import { workspaceCommand } from './workspace.ts';

const platform = await start(contents);
const place = { database: platform.database as Database<Db>, public_url: 'http://suite.test/' };
const command = (...words: string[]) => workspaceCommand(words, place);

/** Runs a file of this folder as an operator does. */
function run(
  file: string,
  words: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...words], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('the workspace command', () => {
  test('creates a workspace whose owner can sign in with the printed link', async () => {
    const words = [
      'create',
      '--name',
      'Café Übersee GmbH',
      '--owner',
      'Olga@Cafe.test',
      '--timezone',
      'Europe/Vienna',
      '--currency',
      'EUR',
      '--plan',
      'starter',
    ];
    const environment = { DATABASE_URL: platform.database_url, PUBLIC_URL: 'http://suite.test' };
    const { code, stdout, stderr } = await run('./workspace.ts', words, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, token] = /http:\/\/suite\.test\/api\/one-time-link#accept_invitation=([\w-]{43})$/m.exec(stdout)!;
    const password = 'a password of their own';
    expect((await platform.anonymous.post('/api/accept-invitation', { token, password })).status).toBe(200);
    const olga = await signIn(platform, 'olga@cafe.test', password);
    expect(olga.caller).toMatchObject({
      kind: 'owner',
      role: 'owner',
      timezone: 'Europe/Vienna',
      modules: ['crm', 'products'],
    });
    const { body } = await olga.get('/api/user');
    expect(body.data.workspace).toMatchObject({
      name: 'Café Übersee GmbH',
      slug: 'cafe-ubersee-gmbh',
      fiscal_year_start: '01-01',
    });
  });

  test('gives every workspace a unique short name', async () => {
    await command('create', '--name', 'Twice', '--owner', 'one@twice.test');
    await command('create', '--name', 'Twice', '--owner', 'two@twice.test');
    const slugs = await platform.sql`SELECT slug FROM workspaces WHERE name = 'Twice' ORDER BY created_at`;
    expect(slugs).toEqual([{ slug: 'twice' }, { slug: 'twice-2' }]);
  });

  test('moves a workspace to another plan, suspends and resumes it', async () => {
    await command('create', '--name', 'Mover', '--owner', 'o@mover.test', '--plan', 'starter');
    const [{ id }] = (await platform.sql`SELECT id FROM workspaces WHERE name = 'Mover'`) as [{ id: string }];
    const row = async () => (await platform.sql`SELECT plan_code, status FROM workspaces WHERE id = ${id}`)[0];
    expect(await command('plan', '--id', id, '--plan', 'business')).toContain('business');
    await command('suspend', '--id', id);
    expect(await row()).toEqual({ plan_code: 'business', status: 'suspended' });
    await command('resume', '--id', id);
    expect(await row()).toEqual({ plan_code: 'business', status: 'active' });
    const events =
      await platform.sql`SELECT data FROM journal_events WHERE type = 'platform.workspace.entitlements_changed' AND workspace_id = ${id} ORDER BY position`;
    expect(events.map(({ data }) => data.modules?.length ?? 0)).toEqual([2, 12, 0, 12]);
  });

  test.each([
    ['nothing', [], 'Enter a command. See npm run workspace -- --help.'],
    ['an unknown command', ['destroy'], 'Unknown command "destroy". See npm run workspace -- --help.'],
    ['an unexpected argument', ['resume', 'now'], 'Unexpected argument "now". See npm run workspace -- --help.'],
    ['an option without its value', ['create', '--name'], "Option '--name <value>' argument missing. See npm run"],
    ['no name', ['create', '--owner', 'a@b.test'], '--name: This option is required.'],
    ['an address that is none', ['create', '--name', 'A', '--owner', 'olga'], '--owner: '],
    [
      'an unknown zone',
      ['create', '--name', 'A', '--owner', 'a@b.test', '--timezone', 'Mars'],
      '--timezone: This is not an IANA time zone.',
    ],
    ...['02-29', '02-30', '04-31', '13-01', '4-1'].map((day): [string, string[], string] => [
      `a fiscal year that begins on ${day}`,
      ['create', '--name', 'A', '--owner', 'a@b.test', '--fiscal-year-start', day],
      '--fiscal-year-start: ',
    ]),
    [
      'an unknown plan',
      ['create', '--name', 'A', '--owner', 'a@b.test', '--plan', 'gold'],
      'Plan not found. Plans: starter, business, enterprise.',
    ],
    [
      'an option of another command',
      ['create', '--name', 'A', '--owner', 'a@b.test', '--id', 'x'],
      '--id: Unknown option.',
    ],
    ['an unknown option', ['create', '--nonsense'], "Unknown option '--nonsense'. See npm run workspace -- --help."],
    [
      'an unknown id',
      ['suspend', '--id', '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'],
      'Workspace not found. Check the ID.',
    ],
  ])('reports the error in one sentence for %s', async (_, words, message) => {
    await expect(command(...words)).rejects.toThrow(message);
  });

  test('creates a second workspace for the same owner', async () => {
    await command('create', '--name', 'First', '--owner', 'twice@here.test');
    await command('create', '--name', 'Second', '--owner', 'twice@here.test');
    const owned = await platform.sql`
      SELECT slug FROM workspaces JOIN users ON users.workspace_id = workspaces.id WHERE email = 'twice@here.test' ORDER BY slug`;
    expect(owned).toEqual([{ slug: 'first' }, { slug: 'second' }]);
  });

  test('names the missing environment variables and fails', async () => {
    const { code, stdout, stderr } = await run('./workspace.ts', ['create']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('The settings are not right: DATABASE_URL is missing; PUBLIC_URL is missing.\n');
  });
});

describe('the demo', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'demo-')), 'demo.json');
  const demo = () => JSON.parse(readFileSync(file, 'utf8'));
  beforeAll(async () => {
    await seedDemo(place.database, file);
  });

  test('has a user in every role, who can sign in with the password in its file', async () => {
    const { password, logins, workspaces } = demo();
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(logins.filter(({ workspace }: { workspace: string }) => workspace === 'Northwind Trading')).toHaveLength(10);
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['Northwind Trading', 'Globex']);
    for (const { id, users } of workspaces) {
      for (const user of users) {
        const { caller } = await signIn(platform, user.email, password);
        expect(caller).toMatchObject({
          user_id: user.id,
          workspace_id: id,
          role: user.role,
          kind: user.kind,
          user_name: user.name,
        });
      }
    }
  });

  test('gives owners an API key that failed logins of other callers cannot block', async () => {
    const { workspaces } = demo() as unknown as { workspaces: { id: string; key: string; users: { id: string }[] }[] };
    for (let at = 0; at < 10; at += 1)
      await platform.anonymous.post('/api/login', { email: 'owner@demo.test', password: 'a guess' });
    for (const { id, key, users } of workspaces) {
      const { caller } = await authenticate(platform, { $case: 'api_key', value: key });
      expect(caller).toMatchObject({ workspace_id: id, user_id: users[0]!.id, kind: 'owner' });
    }
    await platform.sql`DELETE FROM login_allowances`;
  });

  test('has plans with prices', async () => {
    const { data } = (await platform.anonymous.get('/api/public/plans?currency=EUR')).body;
    const shown = data.map(({ code, prices }: { code: string; prices: object[] }) => [code, prices.length]);
    expect(shown).toEqual([
      ['starter', 1],
      ['business', 1],
    ]);
  });

  test('changes nothing when it is created again', async () => {
    const before = [
      demo(),
      await platform.sql`SELECT id, version FROM users ORDER BY id`,
      await platform.sql`SELECT count(*) FROM journal_events`,
    ];
    expect(await seedDemo(place.database, file)).toContain('already exists');
    expect([
      demo(),
      await platform.sql`SELECT id, version FROM users ORDER BY id`,
      await platform.sql`SELECT count(*) FROM journal_events`,
    ]).toEqual(before);
  });

  test('gets another password if its file was lost', async () => {
    const { password } = demo();
    rmSync(file);
    await seedDemo(place.database, file);
    expect(demo().password).not.toBe(password);
    await expect(signIn(platform, 'owner@demo.test', demo().password)).resolves.toBeDefined();
    await expect(signIn(platform, 'owner@demo.test', password)).rejects.toThrow('wrong_credentials');
  });
});
