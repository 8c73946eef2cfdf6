/** Services whose databases are restored to different times, and their reconciliation. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import { backUp } from '@suite/local/backup';
import { databasePasswords } from '@suite/local/keys';
import { freePort } from '@suite/local/ports';
import { restore } from '@suite/local/restore';
import { createServiceDatabase, type PostgresServer, startPostgres } from '@suite/local/servers';
import { declaredServices } from '@suite/testing/declared';
import pg from 'pg';
import { waitUntilIdle } from '../audit/quiescence.ts';
import { findDifferences, repairDifferences } from '../reconcile/reconcile.ts';
import { countViolations, withDatabases } from './audited.ts';
import { type DrilledSuite, startDrilledSuite } from './drilled-suite.ts';
import { type Account, beginLoad, type Places } from './load.ts';

/** The result of a reconciliation. */
export interface Reconciliation {
  /** Service → seconds between its restored time and the middle of all. */
  offsets_s: Record<string, number>;
  violations_before: number;
  /** Rule → number of its differences. */
  found: Record<string, number>;
  /** Differences after the repair. */
  remaining: number;
  violations_after: number;
}

const SPREAD_S = 10;
const KEPT_DAYS = 14;
const REPAIR_MS = 120_000;

interface Cluster {
  service: string;
  server: PostgresServer;
  epoch: number;
}

/** Returns the distance of each service's time from the middle, from -10 s to 10 s. */
function chooseOffsets(): Record<string, number> {
  const names = declaredServices.map(({ name }) => name).toSorted();
  return Object.fromEntries(
    names.map((name, at) => [name, Math.round(-SPREAD_S + (2 * SPREAD_S * at) / (names.length - 1))]),
  );
}

async function restoreCluster(service: string, until: Date, { data, folder }: Places): Promise<Cluster> {
  const own = `${data}.${service}`;
  const { epoch } = await restore({ data: own, folder, until });
  const server = await startPostgres({ directory: join(own, 'postgres'), port: await freePort() });
  return { service, server, epoch };
}

/** Begins an epoch in the database of a cluster's service. @returns the address of the database */
async function openCluster({ service, server }: Cluster, epoch: number, data: string): Promise<string> {
  const names = declaredServices.map(({ name }) => name);
  const password = databasePasswords(join(data, 'secrets.json'), names)[service] ?? '';
  const client = new pg.Client({
    connectionString: Object.assign(new URL(server.adminUrl), { pathname: service }).href,
  });
  await client.connect();
  await client.query('SELECT suite_begin_epoch($1)', [epoch]);
  await client.end();
  return await createServiceDatabase(server.adminUrl, { name: service, password });
}

async function reconcile(suite: DrilledSuite): Promise<Omit<Reconciliation, 'offsets_s'>> {
  await withDatabases(suite, (access) => waitUntilIdle(access));
  const violations_before = await countViolations(suite);
  const findings = await findDifferences(suite.databases);
  const found = Object.fromEntries(findings.map(({ rule, rows }) => [rule, rows.length]));
  const context = { databases: suite.databases, wait_ms: REPAIR_MS, say: (line: string) => console.log(line) };
  const remaining = await repairDifferences(context, findings);
  for (const { rule, rows } of remaining) console.log(`✗ ${rule}\n    ${rows.join('\n    ')}`);
  return {
    violations_before,
    found,
    remaining: remaining.reduce((sum, { rows }) => sum + rows.length, 0),
    violations_after: await countViolations(suite),
  };
}

/** Restores each service to a time of its own, and repairs the differences. Ends the suite. */
export async function reconcileClusters(
  suite: DrilledSuite,
  account: Account,
  places: Places,
): Promise<Reconciliation> {
  await backUp(places.data, KEPT_DAYS);
  const load = await beginLoad(suite, account, SPREAD_S * 2_000);
  const middle = clock.now().getTime();
  await pause(SPREAD_S * 1_000 + 1_000);
  await load.end();
  await suite.end('stop');
  const offsets_s = chooseOffsets();
  const clusters: Cluster[] = [];
  try {
    for (const [service, offset_s] of Object.entries(offsets_s))
      clusters.push(await restoreCluster(service, new Date(middle + offset_s * 1_000), places));
    const epoch = Math.max(...clusters.map((cluster) => cluster.epoch)) + 1;
    const settings: Record<string, string> = {};
    for (const cluster of clusters)
      settings[`DATABASE_URL_${cluster.service.toUpperCase()}`] = await openCluster(cluster, epoch, places.data);
    rmSync(join(places.data, 'nats'), { recursive: true });
    const restored = await startDrilledSuite(places.data, settings);
    try {
      return { offsets_s, ...(await reconcile(restored)) };
    } finally {
      await restored.end('stop');
    }
  } finally {
    await Promise.all(clusters.map(({ server }) => server.stop()));
  }
}
