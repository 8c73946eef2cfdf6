/**
 * Creates the demo workspaces, or the missing ones, and writes their logins to DEMO_FILE. Running it again has no
 * effect. Each installation gets a new password, so that no public demo has a known one.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Database } from '@suite/chassis/database';
import { newApiKey } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { UserCreated, UserVerified } from '@suite/proto/platform/v1/events';
import { hashPassword, knownOrigin } from '../identity/passwords/password.ts';
import { tokenHash, keyHints, randomToken } from '../tokens/token.ts';
import { ALL_SCOPES } from '../identity/keys/api-key.rules.ts';
import { withoutCaller, type Db } from '../operations.ts';
import { SEEDED_ROLES } from '../identity/roles/seeded-roles.ts';
import { provisionWorkspace } from '../workspaces/workspaces/workspace.ts';
import { openPlatformDatabase, runAsProcess, settings } from '../cli/config.ts';
import { setPrice } from '../entitlements/plans/plan-catalogue.ts';
import { DEMO_PRICES, DEMO_WORKSPACES, type DemoWorkspace } from './demo-workspaces.ts';

const kindOf = (role: keyof typeof SEEDED_ROLES) => SEEDED_ROLES[role].kind;

/** Returns the contents of the file with the logins of the demo. */
function report(password: string, keys: ReadonlyMap<string, string>) {
  const workspaces = DEMO_WORKSPACES.map(({ id, name, currency, users }) => ({
    id,
    name,
    currency,
    key: keys.get(id),
    users: users.map((user) => ({ ...user, kind: kindOf(user.role) })),
  }));
  const logins = DEMO_WORKSPACES.flatMap(({ name, users }) =>
    users.map(({ role, email }) => ({ workspace: name, role, email })),
  );
  return { password, logins, workspaces };
}

/** Creates one workspace with its users, unless it exists. */
async function seedWorkspace(database: Database<Db>, workspace: DemoWorkspace): Promise<void> {
  const { users, teams, letterhead, ...details } = workspace;
  await database.write(withoutCaller('cli:demo', workspace.id), async (db, emit) => {
    if (await db.workspace.findFirst({ where: { id: workspace.id } })) return;
    const [{ role: _, ...owner }, ...others] = users;
    await provisionWorkspace(db, emit, { ...details, owner });
    await db.workspace.updateMany({ data: letterhead });
    const roles = new Map((await db.role.findMany()).map(({ key, id }) => [key, id]));
    for (const { role, ...person } of others) {
      const kind = kindOf(role);
      await db.user.create({ data: { ...person, kind, role_id: roles.get(role)! } });
      emit(UserCreated, {
        user_id: person.id,
        name: person.name,
        email: person.email,
        kind,
        status: 'invited',
        phone: '',
      });
    }
    await db.user.updateMany({ data: { status: 'active', email_verified_at: clock.now() } });
    for (const { id } of users) emit(UserVerified, { user_id: id, vouched: false });
    for (const { member_ids, ...team } of teams) {
      await db.team.create({ data: team });
      await db.teamMember.createMany({ data: member_ids.map((user_id) => ({ team_id: team.id, user_id })) });
    }
  });
}

/** Sets prices of plans, unless an operator has set any. */
const seedPrices = (database: Database<Db>): Promise<void> =>
  database.writeEverywhere(withoutCaller('cli:demo'), async (all) => {
    if ((await all.price.count()) > 0) return;
    for (const price of DEMO_PRICES) await setPrice(all, { ...price, interval: 'month', per_user: false });
  });

async function setPasswords(database: Database<Db>, { id, users }: DemoWorkspace, hash: string): Promise<void> {
  const hashes = users.map((user) => ({ id: user.id, hash }));
  await database.write(withoutCaller('cli:demo', id), async (db) => {
    await db.password.deleteMany({ where: { id: { in: users.map((user) => user.id) } } });
    await db.password.createMany({ data: hashes });
  });
}

/** Maximum duration of the demo's creation. */
const KEY_LIFETIME_MS = 3_600_000;

/**
 * Creates an API key of a workspace's owner, which the demo uses while it is created. Chosen: an API key needs no
 * sign-in, so failed logins of other callers cannot block the demo.
 */
async function makeKey(database: Database<Db>, { id, users: [owner] }: DemoWorkspace): Promise<string> {
  const token = newApiKey();
  const secret = { ...keyHints(token), secret_hash: tokenHash(token) };
  const expires_at = new Date(clock.now().getTime() + KEY_LIFETIME_MS);
  await database.write(withoutCaller('cli:demo', id), (db) =>
    db.apiKey.create({
      data: { ...secret, user_id: owner.id, name: 'Making of the demo', scopes: [ALL_SCOPES], expires_at },
    }),
  );
  return token;
}

/** Creates the missing parts of the demo, and returns a report. */
export async function seedDemo(database: Database<Db>, file: string): Promise<string> {
  for (const workspace of DEMO_WORKSPACES) await seedWorkspace(database, workspace);
  await seedPrices(database);
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as { password?: string };
    if (known.password) return `The demo already exists. Its logins are in ${file}.`;
  }
  const password = randomToken().slice(0, 16);
  // Chosen: all demo users share one password hash and are listed together.
  const hash = await hashPassword(password, knownOrigin('demo'));
  const keys = new Map<string, string>();
  for (const workspace of DEMO_WORKSPACES) {
    await setPasswords(database, workspace, hash);
    keys.set(workspace.id, await makeKey(database, workspace));
  }
  // Written to a temporary file and renamed, so that readers only ever see the complete file.
  writeFileSync(`${file}.part`, `${JSON.stringify(report(password, keys), null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return `The demo is ready. Its logins are in ${file}.`;
}

/** Opens platform's database with the settings of its process, and makes the demo. Returns a sentence about the result. */
export async function makeDemo(environment?: NodeJS.ProcessEnv): Promise<string> {
  const { DEMO_FILE, ...database_settings } = settings(environment);
  if (!DEMO_FILE) throw new Error('DEMO_FILE is missing. Set it to a file for the logins.');
  const database = openPlatformDatabase(database_settings);
  try {
    return await seedDemo(database, DEMO_FILE);
  } finally {
    await database.close();
  }
}

if (import.meta.main) await runAsProcess(() => makeDemo());
