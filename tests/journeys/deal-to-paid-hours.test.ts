import { beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitFor } from '@suite/testing/waiting';
import { type SignedIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';
import { waitUntilIdle } from '@suite/tools/calm';
import { firstOf } from '../suite/trade.ts';

/** A won deal starts a project from a template. Its time is tracked, approved, invoiced, posted and paid. */
const suite = await useSharedSuite();
const DAY = '2026-03-02';

let owner: SignedIn;
let worker: SignedIn;
let client: SignedIn;
let customer_id: string;
let tax_id: string;
let deal_id: string;
let project_id: string;
let task_ids: string[];
let entry_ids: string[];
let invoice_id: string;

const get = (path: string, by = owner) => dataOf(by.get(path));
const post = (path: string, body: object = {}, by = owner) => dataOf(by.post(path, body));
const project = (by = owner) => get(`/api/project/show/${project_id}`, by);
const tasks = (by = owner): Promise<{ id: string; title: string; allowed_actions: string[] }[]> =>
  get(`/api/lightproj/projects/${project_id}/tasks?sort=number`, by);
const entries = () => get(`/api/time-entries?project_id=${project_id}&sort=started_at`);
const statesOfTime = async () => (await entries()).map(({ status }: { status: string }) => status);
const invoice = () => get(`/api/sales-invoice/show/${invoice_id}`);
const bill = (query = '', by = owner) =>
  by.post(`/api/project/invoice/${project_id}${query}`, { invoice_date: DAY, taxes: [tax_id] }, withIdempotencyKey());

beforeAll(async () => {
  const acme = await openWorkspace(suite);
  ({ owner } = acme);
  [worker, client] = [await acme.hire('staff', 'Will Work'), await acme.hire('client', 'Clea Client')];
  ({ id: customer_id } = await post('/api/customers/create', { name: 'Grace Hopper', email: 'grace@example.test' }));
  ({ id: tax_id } = await post('/api/tax/create', { name: 'VAT 20 %', rate: '20' }));
}, 600_000);

describe('a won deal', () => {
  test('starts no project until a template is chosen', async () => {
    const template = await post('/api/projects/create', { name: 'Usual website', is_template: true });
    const [first] = await Promise.all([
      post(`/api/project/${template.id}/task/create`, { title: 'Draw', subtasks: [{ name: 'Find a pencil' }] }),
      post('/api/project/milestone/create', { project_id: template.id, title: 'Design' }),
    ]);
    await post(`/api/project/${template.id}/task/create`, { title: 'Build', blocked_by: [first.id] });
    await post('/api/project/settings/update', { deal_template_id: template.id });
    ({ id: deal_id } = await post('/api/deal/create', { name: 'Grace’s website', price: '5000.00', customer_id }));
    expect((await owner.get(`/api/projects?deal_id=${deal_id}`)).body.data).toEqual([]);
  });

  test('starts one, with the tasks, checklists and milestones of the template', async () => {
    const stages: { type: string; id: string }[] = await get('/api/deal-stages?per_page=100');
    const won = stages.find(({ type }) => type === 'won');
    await post(`/api/deal/update/${deal_id}`, { stage_id: won?.id });
    const begun = await waitFor(async () => {
      const [found] = await get(`/api/projects?deal_id=${deal_id}`);
      expect(found).toBeDefined();
      return found;
    });
    project_id = begun.id;
    expect(await project()).toMatchObject({
      name: 'Grace’s website',
      status: 'not_started',
      customer_id,
      is_template: false,
      milestones: [{ title: 'Design' }],
      members: [{ user_id: owner.user.id, role: 'manager' }],
      counts: { tasks: 2, open_tasks: 2 },
    });
    task_ids = (await tasks()).map(({ id }) => id);
    expect((await tasks()).map(({ title }) => title)).toEqual(['Draw', 'Build']);
    expect(await get(`/api/project/task/show/${task_ids[0]}`)).toMatchObject({ subtasks: [{ name: 'Find a pencil' }] });
  });

  test('starts no second project when it is lost and won again', async () => {
    const stages: { type: string; id: string }[] = await get('/api/deal-stages?per_page=100');
    for (const type of ['lost', 'won']) {
      const stage_id = stages.find((stage) => stage.type === type)?.id;
      await post(`/api/deal/update/${deal_id}`, { stage_id, ...(type === 'lost' && { lost_reason: 'Too dear' }) });
    }
    await waitUntilIdle(suite);
    expect(await get(`/api/projects?deal_id=${deal_id}`)).toHaveLength(1);
  });
});

describe('the project', () => {
  test('adds members who see it with its tasks, and a client who sees only shared parts', async () => {
    expect((await worker.get(`/api/project/show/${project_id}`)).status).toBe(404);
    await post(`/api/project/update/${project_id}`, { status: 'in_progress', hourly_rate: '80.00' });
    await post('/api/project/member/create', { project_id, user_id: worker.user.id, role: 'member' });
    await post('/api/project/client/invite', { project_id, client_id: client.user.id });
    await post(`/api/project/${project_id}/task/update/${task_ids[0]}`, {
      assignee_ids: [worker.user.id],
      client_visible: true,
    });
    expect((await tasks(worker)).map(({ id }) => id)).toEqual(task_ids);
    expect((await tasks(client)).map(({ id }) => id)).toEqual([task_ids[0]]);
    expect((await worker.get(`/api/project/show/${project_id}`)).body.data).toMatchObject({ hourly_rate: null });
    expect((await client.get(`/api/project/show/${project_id}`)).body.data).not.toHaveProperty('hourly_rate');
  });
});

describe('time', () => {
  test('is tracked by a single timer, and entered for yesterday', async () => {
    const running = await post('/api/add-tracker', { project_id, task_id: task_ids[0] }, worker);
    expect(running).toMatchObject({ status: 'running', user_id: worker.user.id });
    const stopped = await post('/api/stop-tracker', {}, worker);
    expect(stopped).toMatchObject({ id: running.id, status: 'stopped' });
    expect((await worker.post('/api/stop-tracker', {})).status).toBe(409);
    await dataOf(worker.delete(`/api/time-entry/delete/${running.id}`));
    const written = [];
    for (const [at, hours] of [
      ['08', 2],
      ['13', 1.5],
    ] as const) {
      const started_at = new Date(`${DAY}T${at}:00:00Z`);
      const ended_at = new Date(started_at.getTime() + hours * 3_600_000);
      const hour = { started_at, ended_at, timezone: 'UTC' };
      written.push(await post('/api/add-tracker', { project_id, task_id: task_ids[0], ...hour }, worker));
    }
    entry_ids = written.map(({ id }) => id);
    const overlap = { project_id, started_at: `${DAY}T09:00:00Z`, ended_at: `${DAY}T10:00:00Z` };
    expect((await worker.post('/api/add-tracker', overlap)).status).toBe(409);
    expect(await project()).toMatchObject({ time: { tracked_minutes: 210 } });
  });

  test('ends with its task, and tasks are completed in order of their dependencies', async () => {
    const [done] = await get(`/api/project/task-stages?project_id=${project_id}&group=completed`);
    const complete = (id = '') =>
      worker.post('/api/lightproj/task-stage-update', { task_id: id, stage_id: done.id }, withIdempotencyKey());
    expect(await complete(task_ids[1])).toMatchObject({ status: 409, body: { code: 'blocked' } });
    expect((await complete(task_ids[0])).status).toBe(200);
    expect((await complete(task_ids[1])).status).toBe(200);
    expect(await project()).toMatchObject({ progress: 100, counts: { open_tasks: 0 } });
  });

  test('is invoiced only after another user has approved it', async () => {
    await post('/api/timesheet/submit', { from: DAY, to: DAY }, worker);
    expect(await bill()).toMatchObject({ status: 409, body: { code: 'nothing_to_bill' } });
    expect((await worker.post('/api/timesheet/approve', { entry_ids })).status).toBe(403);
    await post('/api/timesheet/approve', { entry_ids });
    expect(await statesOfTime()).toEqual(['approved', 'approved']);
  });

  test('becomes one draft for concurrent billing requests', async () => {
    const foretold = await bill('?dry_run=true');
    expect(foretold).toMatchObject({ status: 201, body: { data: { sales_invoice_id: null, net: '280.00' } } });
    expect(await statesOfTime()).toEqual(['approved', 'approved']);
    const replies = await Promise.all(Array.from({ length: 5 }, () => bill()));
    const done = replies.filter(({ status }) => status === 201);
    expect(done).toHaveLength(1);
    for (const reply of replies.filter((one) => one !== done[0]))
      expect([reply.status, ['nothing_to_bill', 'billing_pending'].includes(reply.body.code)]).toEqual([409, true]);
    invoice_id = done[0]?.body.data.sales_invoice_id;
    const lines = [{ qty: '3.5', unit_price: '80.00', net: '280.00' }];
    expect(await invoice()).toMatchObject({
      status: 'draft',
      customer_id,
      net_total: '280.00',
      total: '336.00',
      lines,
    });
  });

  test('is released when the draft is deleted, and billed again', async () => {
    await dataOf(owner.delete(`/api/sales-invoice/delete/${invoice_id}`));
    await waitFor(async () => expect(await statesOfTime()).toEqual(['approved', 'approved']));
    invoice_id = (await dataOf(bill())).sales_invoice_id;
    expect(await statesOfTime()).toEqual(['invoiced', 'invoiced']);
    const change = { description: 'Later' };
    expect(await worker.post(`/api/time-entry/update/${entry_ids[0]}`, change)).toMatchObject({
      status: 409,
      body: { code: 'entry_invoiced' },
    });
  });
});

describe('the invoice', () => {
  test('is posted to the ledger', async () => {
    await post(`/api/sales-invoice/post/${invoice_id}`);
    expect(await invoice()).toMatchObject({ status: 'posted', number: 'INV-2026-00001', balance_due: '336.00' });
    const balanced = { debit_total: '336.00', credit_total: '336.00', difference: '0.00' };
    expect(await get('/api/accounting/trial-balance')).toMatchObject(balanced);
  });

  test('is paid, and keeps its hours', async () => {
    const revenue = await post('/api/revenues/create', {
      date: DAY,
      category_id: await firstOf(owner, '/api/revenue-categories'),
      bank_account_id: await firstOf(owner, '/api/bank-accounts'),
      customer_id,
      amount: '336.00',
      invoice_allocations: [{ invoice_id, amount: '336.00' }],
    });
    for (const step of ['approve', 'post']) await post(`/api/revenues/${step}/${revenue.id}`);
    expect(await invoice()).toMatchObject({ status: 'paid', balance_due: '0.00' });
    expect(await entries()).toMatchObject([{ invoice_id }, { invoice_id }]);
    expect(await bill()).toMatchObject({ status: 409, body: { code: 'nothing_to_bill' } });
  });

  test('cannot be cancelled once paid, and releases no hours', async () => {
    expect(await owner.post(`/api/sales-invoice/cancel/${invoice_id}`)).toMatchObject({ status: 409 });
    expect(await statesOfTime()).toEqual(['invoiced', 'invoiced']);
  });
});

test('the auditor finds no fault', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
