/**
 * A restore with the mistake that epochs prevent: the previous bus is kept, under the previous epoch. The audit must find the
 * records that only the bus knows.
 */
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import { freePort } from '@suite/local/ports';
import { restore } from '@suite/local/restore';
import { startPostgres } from '@suite/local/servers';
import { declaredServices } from '@suite/testing/declared';
import { signIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { waitUntil } from '@suite/testing/waiting';
import pg from 'pg';
import { countViolations, findDrilledViolations, withDatabases } from './audited.ts';
import { type DrilledSuite, startDrilledSuite } from './drilled-suite.ts';
import type { Account, Places } from './load.ts';

/** The result of a restore with the previous bus. */
export interface KeptBus {
  /** Users that exist in crm only, because an event from after the restored time created them. */
  ghosts: number;
  /** Rule of the audit → number of its violations. */
  found: Record<string, number>;
  /** Violations after the same restore with an empty bus. */
  violations_without: number;
}

const GHOSTS = 20;
/** Time between a restored time and the changes before and after it. */
const APART_MS = 1_000;
const CONSUMED_MS = 60_000;

type Epochs = Record<string, string>;

const readEpochs = (suite: DrilledSuite): Promise<Epochs> =>
  withDatabases(suite, async ({ sql }) => {
    const rows = declaredServices.map(
      async ({ name }) => [name, (await sql(name, 'SELECT epoch::text FROM journal_relay'))[0]!['epoch']] as const,
    );
    return Object.fromEntries(await Promise.all(rows));
  });

/** Invites users while crm reads no events. */
async function inviteGhosts(suite: DrilledSuite, { email, password }: Account): Promise<void> {
  const owner = await signIn(suite.gateway, email, password);
  const [role] = (await owner.get('/api/roles')).body.data;
  await suite.freeze('crm');
  for (let number = 1; number <= GHOSTS; number += 1) {
    const user = { name: `Ghost ${number}`, email: `ghost-${randomUUID()}@example.test`, role_id: role.id };
    const { status, body } = await owner.post('/api/user/store', user, withIdempotencyKey());
    if (status !== 201) throw new Error(`The invitation returned ${status}: ${JSON.stringify(body)}`);
  }
  // The relay publishes within milliseconds.
  await pause(APART_MS);
}

/** Returns the databases of a stopped suite to their previous epochs. */
async function setEpochs({ data }: Places, epochs: Epochs): Promise<void> {
  const server = await startPostgres({ directory: join(data, 'postgres'), port: await freePort() });
  try {
    for (const [service, epoch] of Object.entries(epochs)) {
      const connectionString = Object.assign(new URL(server.adminUrl), { pathname: service }).href;
      const client = new pg.Client({ connectionString });
      await client.connect();
      await client.query('UPDATE journal_relay SET epoch = $1', [epoch]);
      await client.end();
    }
  } finally {
    await server.stop();
  }
}

const countGhosts = (suite: DrilledSuite): Promise<number> =>
  withDatabases(suite, async ({ sql }) => {
    const [row] = await sql<{ count: number }>('crm', `SELECT count(*)::int FROM users WHERE name LIKE 'Ghost %'`);
    return row!.count;
  });

/** Restores with the previous bus, and then with an empty one. @returns the restored suite */
export async function keepBus(suite: DrilledSuite, account: Account, places: Places) {
  const epochs = await readEpochs(suite);
  const until = clock.now();
  await pause(APART_MS);
  await inviteGhosts(suite, account);
  await suite.end('lose');
  const [bus, kept] = [join(places.data, 'nats'), `${places.data}.nats`];
  cpSync(bus, kept, { recursive: true });
  await restore({ ...places, until });
  await setEpochs(places, epochs);
  cpSync(kept, bus, { recursive: true });
  rmSync(kept, { recursive: true });

  const haunted = await startDrilledSuite(places.data);
  await waitUntil('crm has read the events', async () => (await countGhosts(haunted)) === GHOSTS, CONSUMED_MS);
  const violations = await findDrilledViolations(haunted);
  const found: Record<string, number> = {};
  for (const { check } of violations) found[check] = (found[check] ?? 0) + 1;
  const ghosts = await countGhosts(haunted);
  await haunted.end('stop');

  await restore({ ...places, until });
  const restored = await startDrilledSuite(places.data);
  const result: KeptBus = { ghosts, found, violations_without: await countViolations(restored) };
  return { restored, result };
}
