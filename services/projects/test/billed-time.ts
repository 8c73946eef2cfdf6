/** Fixtures for tests of billing: approved time, and the sweeper that completes requests without a response. */
import { afterAll } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { eventPublisher, keysOf, type Member, setUpFixture, type ServiceUnderTest } from '@suite/testing';
import { findOpen, finishBilling } from '../src/billing/billing/draft-request.ts';
import type { Db } from '../src/operations.ts';
import { openProjects } from './fixture.ts';
import { workedProject } from './worked-project.ts';

/** Project with a worker and an approver of time. */
interface BilledProjectFixture {
  owner: Member;
  worker: Member;
  project: { id: string; task_id: string };
}

/**
 * Creates approved time on consecutive days from 1 June, with the given minutes, on the task every other day. @returns
 * the IDs of the entries
 */
async function approveTime(
  { owner, worker, project }: BilledProjectFixture,
  minutes: readonly number[],
): Promise<string[]> {
  const ids = [];
  for (const [at, length] of minutes.entries()) {
    const started_at = new Date(Date.parse('2026-06-01T08:00:00Z') + at * 86_400_000);
    const ended_at = new Date(started_at.getTime() + length * 60_000);
    const task_id = at % 2 === 0 ? project.task_id : null;
    const body = { project_id: project.id, task_id, started_at, ended_at };
    ids.push((await worker.post('/api/add-tracker', body)).body.data.id);
  }
  await worker.post('/api/timesheet/submit', { from: '2026-06-01', to: '2026-07-31' });
  await owner.post('/api/timesheet/approve', { entry_ids: ids });
  return ids;
}

/** Returns the billing schedule, connected to the finance fake. */
function billingSweeper(serving: ServiceUnderTest) {
  const { log, config } = serving.tools;
  const swept = { log, database: serving.database as Database<Db> };
  const rpc = connectRpc(
    { finance: { definition: FinanceServiceDefinition, address: config.addresses['finance']! } },
    keysOf('projects'),
  );
  const sweep = async () => finishBilling(swept, (caller) => rpc.as(caller, ''), await findOpen(swept));
  afterAll(() => rpc.close());
  return sweep;
}

/** Creates a workspace with a customer billed at 80.00 an hour for each test, and the calls for billing. */
export async function openBilling() {
  const fixture = await openProjects();
  const { finance, office, serving } = fixture;
  const set = setUpFixture(async () => {
    const opened = await office();
    const customer_id = finance.customer(opened.workspace);
    const project = await workedProject(opened, { hourly_rate: '80', customer_id });
    return { opened, owner: opened.owner, worker: opened.member(), customer_id, project };
  });
  const entries = async () => (await set.owner.get('/api/time-entries?per_page=100&sort=started_at')).body.data;
  return {
    ...fixture,
    set,
    books: await eventPublisher(serving),
    sweep: billingSweeper(serving),
    invoice: (body: object = {}, query = '', by = set.owner) =>
      by.post(`/api/project/invoice/${set.project.id}${query}`, body),
    entries,
    statusesOf: async () => (await entries()).map(({ status }: { status: string }) => status),
    approved: (...minutes: number[]) => approveTime(set, minutes),
  };
}
