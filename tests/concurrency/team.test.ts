import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { dataOf, type Member } from '@suite/testing';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';
import { assertionsOn } from './assertions.ts';
import { callAllReplicas, countReplies, TIMES } from './concurrently.ts';
import { atEachReplica } from './replicas.ts';

/** Far longer than needed, so that a busy machine does not fail tests that count results. */
jest.setTimeout(180_000);
/** A team on one project, and the e-mails of one customer, each behind two replicas. */
const suite = await useSharedSuite('doubled');
let acme: Workspace;
let projects: Member[];
let support: Member[];
let project_id: string;

const post = (path: string, body: object = {}) => dataOf(acme.owner.post(path, body));
const get = (path: string) => dataOf(acme.owner.get(path));
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
const { count } = assertionsOn(suite);
const stages = () => get(`/api/project/task-stages?project_id=${project_id}&sort=order&per_page=100`);
const task = async () => (await post(`/api/project/${project_id}/task/create`, { title: randomUUID() })).id as string;

beforeAll(async () => {
  acme = await openWorkspace(suite);
  [projects, support] = ['projects', 'support'].map((service) => atEachReplica(suite, service, acme.owner)) as [
    Member[],
    Member[],
  ];
  const { id: customer_id } = await post('/api/customers/create', { name: 'Grace Hopper' });
  const asked = { name: 'Website', status: 'in_progress', customer_id, hourly_rate: '80' };
  ({ id: project_id } = await post('/api/projects/create', asked));
}, 600_000);

test('runs two replicas of each service', () => {
  expect([projects.length, support.length]).toEqual([2, 2]);
});

describe('fifty concurrent calls over two replicas', () => {
  test('start a timer: one runs in the end, and no two overlap', async () => {
    const replies = await callAllReplicas(projects, (replica) => replica.post('/api/add-tracker', { project_id }));
    const { 201: started = 0, 200: running = 0, '409 already_running': told = 0 } = countReplies(replies);
    expect([started > 0, started + running + told]).toEqual([true, TIMES]);
    expect(await count('projects', 'time_entries WHERE project_id = $1 AND ended_at IS NULL', project_id)).toBe(1);
    const stopped = await callAllReplicas(projects, (replica) => replica.post('/api/stop-tracker', {}));
    expect(await count('projects', 'time_entries WHERE project_id = $1 AND ended_at IS NULL', project_id)).toBe(0);
    const { 200: done = 0, '409 nothing_running': late = 0 } = countReplies(stopped);
    expect([done > 0, done + late]).toEqual([true, TIMES]);
  });

  test('give each card a unique position when all are moved to one place', async () => {
    const [, column] = await stages();
    const cards = await Promise.all(Array.from({ length: TIMES }, task));
    const replies = await callAllReplicas(projects, (replica, at) =>
      replica.post('/api/lightproj/task-stage-update', { task_id: cards[at], stage_id: column.id, position: 0 }),
    );
    expect(countReplies(replies)).toEqual({ 200: TIMES });
    const { columns } = await get(`/api/project/${project_id}/task-board?per_column=100`);
    const { count: all, tasks } = columns.find(({ id }: { id: string }) => id === column.id);
    expect([all, ids(tasks).toSorted()]).toEqual([TIMES, cards.toSorted()]);
    const ranks = await suite.sql('projects', 'SELECT DISTINCT rank FROM work_items WHERE stage_id = $1', [column.id]);
    expect(ranks).toHaveLength(TIMES);
  });

  test('reorder the stages: the result is one of the requested orders, without a gap', async () => {
    const before = ids(await stages());
    const orders = Array.from({ length: TIMES }, (_, at) => [
      ...before.slice(at % before.length),
      ...before.slice(0, at % before.length),
    ]);
    const replies = await callAllReplicas(projects, (replica, at) =>
      replica.post('/api/project/task-stage/order', { project_id, stage_ids: orders[at] }),
    );
    expect(countReplies(replies)).toEqual({ 200: TIMES });
    const after: { id: string; order: number }[] = await stages();
    expect(orders).toContainEqual(ids(after));
    expect(after.map(({ order }) => order)).toEqual([...after.keys()]);
  });

  test('bill the same hours: each is on one invoice', async () => {
    const entries = [];
    for (const day of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      const hour = { started_at: `${day}T08:00:00Z`, ended_at: `${day}T09:00:00Z`, timezone: 'UTC' };
      entries.push((await post('/api/add-tracker', { project_id, ...hour })).id);
    }
    await post('/api/time-settings/update', { self_approval: true });
    await post('/api/timesheet/submit', { from: '2026-03-02', to: '2026-03-04' });
    await post('/api/timesheet/approve', { entry_ids: entries });
    const replies = await callAllReplicas(projects, (replica) =>
      replica.post(`/api/project/invoice/${project_id}`, { to: '2026-03-04' }),
    );
    expect(countReplies(replies)).toEqual({ 201: 1, '409 nothing_to_bill': TIMES - 1 });
    const [bill] = replies.filter(({ status }) => status === 201);
    expect(bill?.body.data).toMatchObject({ entries: 3, net: '240.00' });
    expect(await count('finance', `invoice_lines WHERE source_type = 'time'`)).toBe(1);
    const invoiced = `time_entries WHERE id = ANY($1::uuid[]) AND status = 'invoiced'`;
    expect(await count('projects', invoiced, entries)).toBe(3);
  });

  test('create one ticket and one acknowledgment for an e-mail submitted repeatedly', async () => {
    const address = 'help@northwind.test';
    const { token } = await post('/api/support-ticket/mailbox/store', { address, name: 'Help', from_name: 'Help' });
    const ada = `${randomUUID()}@example.test`;
    const mail = `From: Ada <${ada}>\r\nTo: ${address}\r\nSubject: Help\r\nMessage-ID: <${ada}>\r\n\r\nPlease.\r\n`;
    const strangers = atEachReplica(suite, 'support');
    const headers = { 'content-type': 'message/rfc822', 'x-bearer': token };
    const replies = await callAllReplicas(strangers, (replica) =>
      replica.send('POST', '/api/support-ticket/inbound', mail, headers),
    );
    expect(countReplies(replies)).toEqual({ 201: 1, 200: TIMES - 1 });
    expect(new Set(replies.map(({ body }) => body.data.ticket_id)).size).toBe(1);
    expect(await count('support', 'tickets WHERE requester_email = $1', ada)).toBe(1);
    expect(await count('support', `mails WHERE "to" = $1`, ada)).toBe(1);
  });

  test('open tickets with consecutive numbers', async () => {
    const replies = await callAllReplicas(support, (replica) =>
      replica.post('/api/support-ticket/ticket/store', { subject: 'Help', description: 'Please.' }),
    );
    expect(countReplies(replies)).toEqual({ 201: TIMES });
    const numbers = replies.map(({ body }): number => Number(body.data.number.slice(2))).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at));
  });
});

test('the auditor finds no fault', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
