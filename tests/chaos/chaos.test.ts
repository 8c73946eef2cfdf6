import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findAllViolations } from '@suite/tools/audit';
import { waitUntilIdle } from '@suite/tools/calm';
import { waitFor } from '@suite/testing/waiting';
import { bearer } from '@suite/testing/suite/http-caller';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { discrepancies } from '@suite/tools/load/effects';
import { awaitPublishing, type PublishedBacklog } from './backlog.ts';
import { KILLS, NATS_DOWN_MS, SEED } from './config.ts';
import { planKills, keepDown, killAndAwaitRecovery } from './faults.ts';
import { type Recorder, recorder } from '@suite/tools/load/recorder';
import { inviteAndDeleteUser, convertLead } from '@suite/tools/load/selling';
import { resolveTicket, receiveEmails, openSupportDesk } from './helping.ts';
import { RECOVERY_MS, type Task, runScenarios } from '@suite/tools/load/load-worker';
import {
  purchaseGoods,
  invoiceAndReturn,
  correctAndTransferStock,
  openBusiness,
  orderGoods,
  convertProposal,
} from '@suite/tools/load/trading';
import { watchSuite, type Watch } from './watch.ts';
import { invoiceHours, moveTask, openOffice, trackTime } from './working.ts';

const FREQUENT = ['finance', 'inventory', 'crm', 'projects', 'support', 'nats', 'postgres'];
const RARE = ['platform', 'platform', 'platform', 'gateway', 'gateway'];
const KILLED = Array.from({ length: KILLS }, (_, at) => RARE[at] ?? String(FREQUENT[at % FREQUENT.length]));
/** Maximum number of processes to kill concurrently. The same process drawn twice is killed once. */
const AT_ONCE = 5;
/** Maximum delay of a kill after all processes have recovered from the previous one and have done some work. */
const WITHIN_MS = 1_500;
const DEADLINE_MS = 10_000;
/** Only a hanging run takes longer: about 20 seconds per kill on a busy machine, and the outage of NATS. */
const TIMEOUT_MS = KILLS * 20_000 + NATS_DOWN_MS + 2 * RECOVERY_MS;

const suite = await startSuiteForFile({ durable: true });
let acme: Workspace;
let notes: Recorder;
let tasks: Task[];
let watch: Watch;
const recoveries: { killed: string[]; after_ms: number; took_ms: number; acknowledged: number }[] = [];
let acknowledgedWithoutNats = 0;
let backlog: PublishedBacklog;

const acknowledged = () => notes.outcomes.filter(({ outcome }) => outcome === 'ok').length;

/** Kills all processes one after the other. The load workers continue in between. */
async function strikeAll(): Promise<void> {
  for (const { killed, after_ms } of planKills(SEED, KILLED, AT_ONCE, WITHIN_MS)) {
    await pause(after_ms);
    const before = acknowledged();
    const took_ms = Math.round(await killAndAwaitRecovery(suite, killed, RECOVERY_MS));
    await waitFor(() => expect(acknowledged()).toBeGreaterThan(before + tasks.length), RECOVERY_MS);
    recoveries.push({ killed, after_ms, took_ms, acknowledged: acknowledged() - before });
  }
}

beforeAll(async () => {
  console.info(`Chaos with CHAOS_SEED=${SEED}.`);
  acme = await openWorkspace(suite);
  const { owner, roles } = acme;
  const [, { id: stage_id }] = (await owner.get('/api/lead-stages?sort=position')).body.data;
  const business = await openBusiness(owner);
  const [office, desk] = [await openOffice(owner), await openSupportDesk(suite.gateway, owner)];
  const [over, calm] = [new AbortController(), new AbortController()];
  notes = recorder(join(suite.data, 'recorder.jsonl'), over.signal);
  const trade = [
    invoiceAndReturn,
    invoiceAndReturn,
    purchaseGoods,
    orderGoods,
    convertProposal,
    correctAndTransferStock,
  ];
  tasks = [
    convertLead(stage_id),
    convertLead(stage_id),
    inviteAndDeleteUser(String(roles['staff'])),
    ...trade.map((one) => one(business)),
    moveTask(office),
    trackTime(office),
    invoiceHours(business),
    resolveTicket,
    receiveEmails(desk),
  ];
  const person = bearer(suite.gateway, owner.access_token, DEADLINE_MS);
  const began = performance.now();
  const load = Promise.all(tasks.map((task) => runScenarios(person, notes, task, over.signal)));
  const watching = watchSuite(suite, calm.signal);
  try {
    await strikeAll();
    const before = acknowledged();
    await keepDown(suite, 'nats', NATS_DOWN_MS);
    acknowledgedWithoutNats = acknowledged() - before;
    backlog = await awaitPublishing(suite, RECOVERY_MS);
  } finally {
    over.abort();
    await load;
    calm.abort();
    watch = await watching;
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.info(
    `${acknowledged()} writes acknowledged in ${seconds} s; recoveries: ${JSON.stringify(recoveries)}; ` +
      `the auditor made ${watch.rounds} rounds, and found the database down ${watch.skipped} times; ` +
      `${acknowledgedWithoutNats} writes while NATS was down for ${NATS_DOWN_MS} ms, ` +
      `and ${backlog.events} waiting events were published within ${backlog.took_ms} ms.`,
  );
}, TIMEOUT_MS);

describe('a client that writes with idempotency keys while each process is killed', () => {
  test('gets every write through except impossible ones', () => {
    expect(recoveries.flatMap(({ killed }) => killed).toSorted()).toEqual(KILLED.toSorted());
    const expected = (kind: string) => (kind === 'overselling' ? '409 insufficient_stock' : 'ok');
    const surprises = notes.outcomes.flatMap(({ kind, outcome, reply }) => {
      const came = outcome === 'ok' ? outcome : `${reply?.status} ${reply?.body?.code}`;
      return came === expected(kind) ? [] : [`${kind}: ${came} ${JSON.stringify(reply?.body)}`];
    });
    expect(surprises).toEqual([]);
    expect(notes.outcomes.some(({ tries }) => tries > 1)).toBe(true);
  });

  test('gets the same response when it repeats a request', () => {
    expect(notes.contradictions).toEqual([]);
  });

  test('continues as usual while NATS is down', () => {
    expect(acknowledgedWithoutNats).toBeGreaterThan(2 * tasks.length);
    expect(backlog.events).toBeGreaterThan(0);
  });

  test('breaks no auditor rule at any time', () => {
    expect(watch.found).toEqual([]);
    // A look at a database that is down ends immediately and does not count. Only rounds count.
    expect(watch.rounds).toBeGreaterThan(recoveries.length);
  });

  test('soon finds nothing half done: events are processed, sagas are over', async () => {
    await waitUntilIdle(suite, RECOVERY_MS);
  }, 240_000);

  test('finds every acknowledged write exactly once, and no others', async () => {
    expect(await discrepancies(suite, acme.id, notes.outcomes)).toEqual([]);
  });

  test('finds correct books, stock and numbers, and consistent services', async () => {
    expect(await findAllViolations(suite)).toEqual([]);
  }, 240_000);

  test('finds every event published', async () => {
    for (const service of Object.keys(suite.databases))
      expect(await suite.sql(service, 'SELECT id FROM journal_waiting')).toEqual([]);
  });

  test('finds no work assigned to a former user', async () => {
    const left = await suite.sql(
      'crm',
      `SELECT leads.id FROM leads JOIN users ON users.id = owner_id WHERE users.status = 'former'`,
    );
    expect(left).toEqual([]);
  });
});
