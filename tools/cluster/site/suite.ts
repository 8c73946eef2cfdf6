/** The suite on the cluster: two processes of everything, behind HAProxy. */
import { type Suite, startSuite } from '@suite/local/suite';
import { openDatabases } from '@suite/testing/suite/asking';
import type { OwnSuite } from '@suite/testing/suite/started';
import { UNLIMITED } from '@suite/testing/starting/limits';
import { balanced, FRONT, machineRows, REPLICAS, SUITE_PORT } from '../layout/layout.ts';
import { natsUrl } from '../layout/nats-file.ts';
import type { Servers } from './servers.ts';

/** The suite behind HAProxy, with its databases. */
export interface ClusteredSuite extends OwnSuite {
  stop(): Promise<void>;
}

const variables = (
  prefix: string,
  of: readonly { name: string; port: number }[],
  scheme = '',
): Record<string, string> =>
  Object.fromEntries(of.map(({ name, port }) => [`${prefix}_${name.toUpperCase()}`, `${scheme}127.0.0.1:${port}`]));

/** Variables of all processes: they find each other behind HAProxy, and NATS on all machines. */
const COMMON: Record<string, string> = {
  ...variables('UPSTREAM', balanced.http, 'http://'),
  ...variables('RPC', balanced.grpc),
  NATS_REPLICAS: String(machineRows.length),
  TRUST_PROXY: '1',
  RATE_LIMITS: JSON.stringify(UNLIMITED),
  // As on a machine of its own: time-outs decide how long a failure lasts.
  DEADLINE_FACTOR: '1',
};

/** Returns the address of a database through PgBouncer. */
function throughPgbouncer(address: string): string {
  const url = new URL(address);
  url.port = String(FRONT.pgbouncer);
  return url.href;
}

/** Options of a start of the suite. */
export interface ClusteredOptions {
  data: string;
  /** True if PgBouncer is between the services and PostgreSQL. */
  is_pooled: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Starts the suite on the servers, and waits until all processes are ready. */
export async function startClusteredSuite(
  { databases, nats_credentials }: Servers,
  { data, is_pooled, say, signal }: ClusteredOptions,
): Promise<ClusteredSuite> {
  const names = [...Object.keys(databases), 'gateway'];
  const suite: Suite = await startSuite({
    data,
    port: SUITE_PORT,
    replicas: Object.fromEntries(names.map((name) => [name, REPLICAS])),
    demo: false,
    servers: { nats_url: natsUrl, nats_credentials, database_urls: databases },
    environment({ row: { name } }) {
      const direct = databases[name];
      if (!is_pooled || !direct) return COMMON;
      return { ...COMMON, DATABASE_URL: throughPgbouncer(direct), DATABASE_DIRECT_URL: direct };
    },
    say,
    signal,
  });
  const { sql, end } = openDatabases(databases);
  return {
    ...suite,
    gateway: `http://127.0.0.1:${FRONT.api}`,
    sql,
    async stop() {
      await end();
      await suite.stop();
    },
  };
}
