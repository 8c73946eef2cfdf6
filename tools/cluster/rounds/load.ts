/** The load of a round: 30 keyed writes a second of mixed commands, and reads next to them. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from '@suite/testing/http';
import { bearer, signIn } from '@suite/testing/suite/http-caller';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { runScenarios, type Task } from '../../load/load-worker.ts';
import { openPayroll, payBonus, type Payroll } from '../../load/payroll.ts';
import { type Outcome, type Recorder, recorder } from '../../load/recorder.ts';
import { createLead } from '../../load/selling.ts';
import { type Business, invoiceGoods, openBusiness } from '../../load/trading.ts';
import type { ClusteredSuite } from '../site/suite.ts';
import type { Span } from './gap.ts';

/** Workspaces of the load. In a single one, the postings would wait for each other's invoice numbers. */
export const WORKSPACES = 6;
/** Users of a workspace by task. Each writes once a second, so there are 30 writes a second. */
const USERS = { leads: 2, invoices: 2, payroll: 1 };
const USERS_PER_WORKSPACE = USERS.leads + USERS.invoices + USERS.payroll;
export const WRITES_PER_SECOND = WORKSPACES * USERS_PER_WORKSPACE;
const WRITE_INTERVAL_MS = 1_000;
const READ_INTERVAL_MS = 1_000;
/** Pause of a reader before it repeats a failed read. */
const READ_AGAIN_MS = 200;
/** Patience of a client. Longer than every deadline of the gateway. */
const CLIENT_MS = 10_000;

/** A workspace for the load of all rounds. */
export interface LoadFixture {
  workspace: Workspace;
  business: Business;
  payroll: Payroll;
  /** Outcomes of all rounds. */
  outcomes: Outcome[];
}

async function openFixture(suite: ClusteredSuite): Promise<LoadFixture> {
  const workspace = await openWorkspace(suite);
  const business = await openBusiness(workspace.owner);
  const payroll = await openPayroll(workspace.owner, USERS.payroll);
  return { workspace, business, payroll, outcomes: [] };
}

/** Opens the workspaces of the load, one after the other: new processes respond slowly. */
export async function openLoad(suite: ClusteredSuite): Promise<LoadFixture[]> {
  const fixtures: LoadFixture[] = [];
  while (fixtures.length < WORKSPACES) fixtures.push(await openFixture(suite));
  return fixtures;
}

/** Results of a load. Times are in milliseconds of `performance.now()`. */
export interface LoadResult {
  writes: Outcome[];
  reads: Span[];
  /** Repeated requests with another response than the first one. */
  contradictions: readonly string[];
}

/** A running load. */
export interface RunningLoad {
  /** Time in milliseconds of `performance.now()`. */
  started_at: number;
  /** Waits until the last write is answered. */
  stop(): Promise<LoadResult>;
}

const PATHS = ['/api/leads?per_page=20', '/api/sales-invoice?per_page=20', '/api/payrolls?per_page=20'];

/** Sends one request without a repetition. Returns true if it succeeds. */
type Read = (path: string) => Promise<boolean>;

const readerOf =
  (gateway: string, token: string): Read =>
  async (path) => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await call(gateway, path, { headers, signal: AbortSignal.timeout(CLIENT_MS) }).catch(() => undefined);
    return reply?.status === 200;
  };

/** Reads at intervals, and repeats each failed read until it succeeds. */
async function readRepeatedly(read: Read, at: number, reads: Span[], stopping: AbortSignal): Promise<void> {
  for (let count = at; !stopping.aborted; count += 1) {
    const sent_at = performance.now();
    for (let tries = 1; ; tries += 1) {
      const succeeded = await read(PATHS[count % PATHS.length]!);
      const settled_at = performance.now();
      if (succeeded) {
        reads.push({ group: 'read', sent_at, settled_at, tries });
        break;
      }
      if (stopping.aborted) break;
      await pause(READ_AGAIN_MS);
    }
    await pause(Math.max(0, READ_INTERVAL_MS - (performance.now() - sent_at)));
  }
}

/** Returns the tasks of all users. */
function tasksOf({ business, payroll }: LoadFixture): Task[] {
  return [
    ...Array.from({ length: USERS.leads }, () => createLead),
    ...Array.from({ length: USERS.invoices }, () => invoiceGoods(business)),
    ...payroll.employee_ids.map((employee_id) => payBonus(payroll, employee_id)),
  ];
}

/** The running load of one workspace. */
interface WorkspaceRun {
  fixture: LoadFixture;
  written: Recorder;
  finished: Promise<unknown>;
}

/** Starts the load of a workspace. @param at position of the workspace, so that the workspaces do not write together */
async function startIn(
  { gateway }: ClusteredSuite,
  fixture: LoadFixture,
  at: number,
  { file, over, reads }: { file: string; over: AbortSignal; reads: Span[] },
): Promise<WorkspaceRun> {
  // A token expires after ten minutes, and all rounds take longer.
  const { email, password } = fixture.workspace.owner;
  const { access_token } = await signIn(gateway, email, password);
  const person = bearer(gateway, access_token, CLIENT_MS);
  const written = recorder(file, over, 'retried');
  const pace = (took_ms: number) => Math.max(0, WRITE_INTERVAL_MS - took_ms);
  const running = tasksOf(fixture).map(async (task, position) => {
    // Spread over the first second, so that the load is steady.
    await pause(((at * USERS_PER_WORKSPACE + position) * WRITE_INTERVAL_MS) / WRITES_PER_SECOND);
    await runScenarios(person, written, task, over, pace);
  });
  const reading = readRepeatedly(readerOf(gateway, access_token), at, reads, over);
  const finished = Promise.all([...running, reading]);
  // Reported by `stop`. Without this, a failure before that would end the process.
  finished.catch(() => undefined);
  return { fixture, written, finished };
}

/** Starts the load. @param folder receives the record of all requests and responses */
export async function startLoad(
  suite: ClusteredSuite,
  fixtures: readonly LoadFixture[],
  folder: string,
): Promise<RunningLoad> {
  const over = new AbortController();
  const reads: Span[] = [];
  const options = { file: join(folder, 'writes.jsonl'), over: over.signal, reads };
  const runs = await Promise.all(fixtures.map((fixture, at) => startIn(suite, fixture, at, options)));
  return {
    started_at: performance.now(),
    async stop() {
      over.abort();
      await Promise.all(runs.map(({ finished }) => finished));
      for (const { fixture, written } of runs) fixture.outcomes.push(...written.outcomes);
      return {
        writes: runs.flatMap(({ written }) => written.outcomes),
        reads,
        contradictions: runs.flatMap(({ written }) => written.contradictions),
      };
    },
  };
}
