/** The real suite for one test file: on ports and data of its own, reached through its gateway, gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type Suite, startSuite } from '@suite/local/suite';
import { UNLIMITED } from './limits.ts';
import { type Asking, asking } from './asking.ts';

export interface StartedSuite extends Suite, Pick<Asking, 'sql'> {
  /** The gateway, by the address that it listens on. */
  gateway: string;
}

export interface Wishes {
  /** Whether the demo workspace is made; most tests open workspaces of their own. */
  demo?: boolean;
  /** Whether acknowledged writes reach the disk itself, as in production; a killed process loses none either way. */
  durable?: boolean;
  replicas?: Record<string, number>;
  environment?: Record<string, string>;
}

/** Starts a suite that is stopped after the test file. */
export async function startedSuite({
  demo = false,
  durable = false,
  replicas = {},
  environment = {},
}: Wishes = {}): Promise<StartedSuite> {
  const place = mkdtempSync(join(tmpdir(), 'suite-tests-'));
  const said: string[] = [];
  const endings: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of endings) await end();
    // To read the logs of what failed: SUITE_TEST_KEEP=1 npm test -- tests/journeys
    if (process.env['SUITE_TEST_KEEP']) console.log(`The data of the suite is kept in ${place}.`);
    else rmSync(place, { recursive: true, force: true });
  }, 60_000);

  const suite = await startSuite({
    data: join(place, 'data'),
    port: 'free',
    demo,
    fast: !durable,
    replicas,
    environment: { RATE_LIMITS: JSON.stringify(UNLIMITED), LOG_LEVEL: 'warn', ...environment },
    say: (line) => said.push(line),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(['The suite did not start.', ...said, reason].join('\n'), { cause: error });
  });
  const { sql, end } = asking(suite.databases);
  endings.push(end, suite.stop);
  return { ...suite, gateway: String(suite.processes['gateway']?.url), sql };
}
