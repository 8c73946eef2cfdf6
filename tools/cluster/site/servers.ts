/** All servers of the cluster: three machines, and HAProxy and PgBouncer in front. */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databasePasswords } from '@suite/local/keys';
import { processes } from '@suite/local/processes';
import { createServiceDatabase, NATS_CREDENTIALS, natsUsers } from '@suite/local/servers';
import { waitFor } from '@suite/testing/waiting';
import { haproxyFile } from '../layout/haproxy-file.ts';
import { FRONT, machineRows, serviceNames } from '../layout/layout.ts';
import { pgbouncerFile, pgbouncerUsers } from '../layout/pgbouncer-file.ts';
import { Machine } from './machine.ts';
import { primaryOf, unhealthy } from './members.ts';
import { INSIDE, type Site } from './site.ts';

/** The running servers. */
export interface Servers {
  machines: readonly Machine[];
  /** Service → address of its database, through HAProxy. */
  databases: Record<string, string>;
  /** Process → file with its NATS credentials. */
  nats_credentials: Record<string, string>;
}

/** Time for new or restarted servers until they are complete. */
const COMPLETE_MS = 180_000;

/** Waits until every server is a healthy member of its cluster. @throws an Error that names the missing ones */
export const untilComplete = (machines: readonly Machine[]): Promise<void> =>
  waitFor(async () => {
    const reasons = await unhealthy(machines);
    if (reasons.length > 0) throw new Error(`The cluster is not complete: ${reasons.join('; ')}.`);
  }, COMPLETE_MS);

const secret = (): string => randomBytes(18).toString('base64url');

/** Starts all servers, and creates the databases of the services. @param keys folder for the keys of the processes */
export async function startServers(site: Site, keys: string): Promise<Servers> {
  const passwords = { superuser: secret(), replication: secret(), rewind: secret() };
  const machines = machineRows.map((row) => new Machine(site, row));
  const secrets = { postgres: passwords, nats_users: natsUsers(keys, processes) };
  for (const machine of machines) await machine.open(secrets);
  await Promise.all(machines.map((machine) => machine.startAll()));
  await startFront(site);
  await waitFor(() => primaryOf(machines), COMPLETE_MS);
  await untilComplete(machines);
  const logins = databasePasswords(join(site.folders.state, 'logins.json'), [...serviceNames]);
  const admin = `postgres://postgres:${passwords.superuser}@127.0.0.1:${FRONT.primary}/postgres`;
  const databases: Record<string, string> = {};
  for (const name of serviceNames)
    databases[name] = await createServiceDatabase(admin, { name, password: logins[name] ?? '' });
  await startPgbouncer(site, logins);
  const files = processes.map(({ name }) => [name, join(keys, name, NATS_CREDENTIALS)]);
  return { machines, databases, nats_credentials: Object.fromEntries(files) };
}

async function startFront(site: Site): Promise<void> {
  writeFileSync(join(site.folders.state, 'haproxy.cfg'), haproxyFile());
  await site.start({ name: 'haproxy', words: ['haproxy', '-db', '-f', join(INSIDE, 'haproxy.cfg')] });
}

async function startPgbouncer(site: Site, logins: Record<string, string>): Promise<void> {
  const folder = join(site.folders.state, 'pgbouncer');
  const inside = join(INSIDE, 'pgbouncer');
  mkdirSync(folder, { mode: 0o700 });
  const users = Object.entries(logins).flatMap(([name, password]) => [
    [name, password],
    [`${name}_requests`, password],
  ]);
  writeFileSync(join(folder, 'users.txt'), pgbouncerUsers(Object.fromEntries(users)), { mode: 0o600 });
  writeFileSync(join(folder, 'pgbouncer.ini'), pgbouncerFile(join(inside, 'users.txt')));
  const { uid, gid } = site.account;
  for (const file of ['', 'users.txt', 'pgbouncer.ini']) chownSync(join(folder, file), uid, gid);
  const words = ['pgbouncer', join(inside, 'pgbouncer.ini')];
  await site.start({ name: 'pgbouncer', words, is_unprivileged: true });
}
