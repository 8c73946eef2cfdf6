/** The real suite for tests: on its own ports and data, called through its gateway, removed afterwards. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import type { Suite, SuiteProcess } from '@suite/local/suite';
import { createDataDirectory } from './test-place.ts';
import { waitUntil } from '../waiting.ts';
import { type DatabaseAccess, openDatabases } from './asking.ts';
import type { ProcessKind } from '../starting/kinds.ts';
import { startSuiteIn, type SuiteOptions } from '../starting/start-in.ts';
import { sharedPlace } from './stop-shared.ts';

/** Time that a suite has to start, and to create the demo. */
const START_MS = 120_000;
const DEMO_MS = 600_000;

/** Running suite, with the functions that all test files may use. */
export interface SharedSuite extends Pick<Suite, 'url' | 'data' | 'databases' | 'demo'>, Pick<DatabaseAccess, 'sql'> {
  /** The listening address of the gateway. */
  gateway: string;
  processes: Record<string, Pick<SuiteProcess, 'name' | 'url'>>;
}

/** A suite of one test file, which may also kill the suite's processes. */
export interface OwnSuite extends SharedSuite {
  processes: Suite['processes'];
}

const shared_suite = fileURLToPath(new URL('shared-suite.ts', import.meta.url));

/**
 * Starts a suite for one test file and stops it afterwards. For files that kill processes, change settings or damage
 * data.
 */
export async function startSuiteForFile(wishes: SuiteOptions = {}): Promise<OwnSuite> {
  const place = wishes.durable ? mkdtempSync(join(tmpdir(), 'suite-tests-')) : createDataDirectory('suite-tests');
  const endings: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of endings) await end();
    // Preserves the logs of a failure: SUITE_TEST_KEEP=1 npm test -- tests/chaos
    if (process.env['SUITE_TEST_KEEP']) console.log(`Suite data preserved in ${place}`);
    else rmSync(place, { recursive: true, force: true });
  }, 60_000);
  const suite = await startSuiteIn(place, wishes);
  const { sql, end } = openDatabases(suite.databases);
  endings.push(end, suite.stop);
  return { ...suite, gateway: String(suite.processes['gateway']?.url), sql };
}

/**
 * Returns a suite that test files share. The first file that needs a kind starts it, in a process that outlives the
 * worker. The suite stops before a file that needs another kind. Each file opens its own workspaces and must not break
 * the suite.
 */
export async function useSharedSuite(kind: ProcessKind = 'plain'): Promise<SharedSuite & { stripe_port: number }> {
  const place = sharedPlace(kind);
  const facts = join(place, 'suite.json');
  if (!existsSync(place)) {
    mkdirSync(place);
    const run_pid = String(process.env['SUITE_TEST_PID']);
    spawn(process.execPath, [shared_suite, place, run_pid, kind], { stdio: 'ignore' }).unref();
  }
  await waitUntil('the shared suite is ready', () => existsSync(facts), kind === 'demo' ? DEMO_MS : START_MS);
  const suite = JSON.parse(readFileSync(facts, 'utf8')) as Omit<SharedSuite, 'sql'> & {
    stripe_port: number;
    error?: string;
  };
  if (suite.error) throw new Error(suite.error);
  const { sql, end } = openDatabases(suite.databases);
  afterAll(end);
  return { ...suite, sql };
}
