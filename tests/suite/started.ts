/** The real suite for one test file: on ports and data of its own, reached through its gateway, gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type Suite, startSuite } from '@suite/local/suite';
import pg from 'pg';

export interface StartedSuite extends Suite {
  /** The gateway, by the address that it listens on. */
  gateway: string;
  /** Asks a service's database as the owner of its tables, over all workspaces. */
  sql<Row extends pg.QueryResultRow = Record<string, ReturnType<typeof JSON.parse>>>(
    service: string,
    statement: string,
    values?: unknown[],
  ): Promise<Row[]>;
}

export interface Wishes {
  /** Whether the demo workspace is made; most tests open workspaces of their own. */
  demo?: boolean;
  replicas?: Record<string, number>;
  environment?: Record<string, string>;
}

/** Far more than any test sends: the published numbers are for people, and have tests of their own. */
export const UNLIMITED = {
  token: 1_000_000,
  workspace: 1_000_000,
  login: 1_000_000,
  public: 1_000_000,
  anonymous: 1_000_000,
};

/** Starts a suite that is stopped after the test file. */
export async function startedSuite({
  demo = false,
  replicas = {},
  environment = {},
}: Wishes = {}): Promise<StartedSuite> {
  const place = mkdtempSync(join(tmpdir(), 'suite-tests-'));
  const pools = new Map<string, pg.Pool>();
  const said: string[] = [];
  const running: Suite[] = [];
  afterAll(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
    for (const suite of running) await suite.stop();
    // To read the logs of what failed: SUITE_TEST_KEEP=1 npm test -- tests/journeys
    if (process.env['SUITE_TEST_KEEP']) console.log(`The data of the suite is kept in ${place}.`);
    else rmSync(place, { recursive: true, force: true });
  }, 60_000);

  const suite = await startSuite({
    data: join(place, 'data'),
    port: 'free',
    demo,
    replicas,
    environment: { RATE_LIMITS: JSON.stringify(UNLIMITED), LOG_LEVEL: 'warn', ...environment },
    say: (line) => said.push(line),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(['The suite did not start.', ...said, reason].join('\n'), { cause: error });
  });
  running.push(suite);
  const { databases, processes } = suite;
  const poolOf = (service: string): pg.Pool => {
    const known = pools.get(service);
    if (known) return known;
    const pool = new pg.Pool({ connectionString: String(databases[service]), max: 2, options: '-c timezone=UTC' });
    // A server that a test kills takes the idle connections with it; the next question opens new ones.
    pool.on('error', () => {});
    pools.set(service, pool);
    return pool;
  };
  return {
    ...suite,
    gateway: String(processes['gateway']?.url),
    sql: async (service, statement, values = []) => (await poolOf(service).query(statement, values)).rows as never,
  };
}
