import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
let ada: string;
let holiday: string;
beforeEach(async () => {
  acme = await company();
  // Default leave types were created today, regardless of the test clock.
  await serving.sql`UPDATE leave_types SET active = false WHERE workspace_id = ${acme.workspace}`;
  ada = await acme.employ({ joining_date: '2026-01-01' });
  holiday = await acme.leaveType({ encashable: true });
});

const list = async (query = '', by: Member = acme.owner) => (await by.get(`/api/leave-balances?${query}`)).body.data;
const adjust = (body: object, by: Member = acme.owner) =>
  by.post('/api/leave-balance/adjust', {
    employee_id: ada,
    leave_type_id: holiday,
    days: '5',
    valid_from: '2026-01-01',
    reason: 'Brought along from last year',
    ...body,
  });
const encash = (days: string, by: Member = acme.owner) =>
  by.post('/api/leave-balance/encash', { employee_id: ada, leave_type_id: holiday, days });

/** Creates a leave request, as the application operations do. */
const createLeaveRequest = (days: string[], status = 'pending') =>
  acme.write(async (db) => {
    const [from, to] = [days[0]!, days.at(-1)!].map((day) => `${day}T00:00:00Z`) as [string, string];
    const { id } = await db.leaveApplication.create({
      data: { employee_id: ada, leave_type_id: holiday, from, to, days: days.length, status },
    });
    await db.leaveDay.createMany({
      data: days.map((day) => ({ application_id: id, employee_id: ada, day: `${day}T00:00:00Z`, days: 1 })),
    });
    return id;
  });

describe('balances', () => {
  test('exist before the first ledger line, as of any day', async () => {
    freezeClock('2026-02-10T12:00:00Z');
    expect(await list()).toMatchObject([
      {
        employee_id: ada,
        employee_name: 'Ada Lovelace',
        leave_type_id: holiday,
        leave_type_name: 'Holiday',
        as_of: '2026-02-10',
        entitled: '4',
        available: '4',
        taken: '0',
        pending: '0',
      },
    ]);
    expect((await list('as_of=2026-01-31'))[0]).toMatchObject({ entitled: '2', available: '2' });
    expect((await list('as_of=2026-12-31'))[0]).toMatchObject({ entitled: '24', available: '24' });
    expect(await list('as_of=2025-12-31')).toEqual([]);
    expect(await serving.sql`SELECT 1 FROM leave_ledger WHERE workspace_id = ${acme.workspace}`).toEqual([]);
  });

  // Worked example G16.
  test('use the days that expire first: 3 of 5 carried days, and 2 expire in April', async () => {
    const time = freezeClock('2026-02-10T12:00:00Z');
    expect((await adjust({ valid_to: '2026-03-31' })).status).toBe(200);
    expect((await list('expand=lots'))[0]).toMatchObject({
      available: '9',
      lots: [
        { kind: 'adjustment', days: '5', left: '5', valid_to: '2026-03-31' },
        { kind: 'accrual' },
        { kind: 'accrual' },
      ],
    });
    expect((await encash('3')).body.data.balance).toMatchObject({ encashed: '3', available: '6' });
    const balanceOn = async (day: string) => (await list(`as_of=${day}&expand=lots`))[0];
    expect((await balanceOn('2026-02-10')).lots.map(({ left }: { left: string }) => left)).toEqual(['2', '2', '2']);
    expect(await balanceOn('2026-04-01')).toMatchObject({ available: '8', expired: '2' });
    time.goTo('2026-04-01T12:00:00Z');
    expect(await balanceOn('2026-04-01')).toMatchObject({ available: '8', expired: '2' });
    expect(await balanceOn('2026-02-10')).toMatchObject({ available: '6' });
  });

  test('hold pending days, even for callers who cannot see requests', async () => {
    freezeClock('2026-03-10T12:00:00Z');
    await createLeaveRequest(['2026-03-16', '2026-03-17']);
    const hrUser = acme.member({ can: ['leave_balance.view', 'employee.view'] });
    expect((await list('', hrUser))[0]).toMatchObject({ entitled: '6', pending: '2', available: '4' });
    expect(await encash('4.5')).toMatchObject({
      status: 409,
      body: { details: { available: '4', asked: '4.5', short: '0.5' } },
    });
    expect((await encash('4')).status).toBe(200);
  });

  test('are limited to the team and the caller with the scope team', async () => {
    freezeClock('2026-03-10T12:00:00Z');
    const head = acme.member({ can: ['leave_balance.view', 'employee.view'], name: 'Boss' });
    const head_id = await acme.employ({ name: 'Boss', user_id: head.caller.user_id });
    await acme.employ({ name: 'Bob', manager_id: head_id });
    const names = async (rights: object) => {
      const by = acme.member({ user_id: head.caller.user_id, can: ['leave_balance.view', 'employee.view'], ...rights });
      return (await list('', by)).map(({ employee_name }: { employee_name: string }) => employee_name);
    };
    expect(await names({})).toEqual(['Ada Lovelace', 'Bob', 'Boss']);
    expect(await names({ record_scopes: { leave_balance: 'team' } })).toEqual(['Bob', 'Boss']);
    expect(await names({ record_scopes: { leave_balance: 'own' } })).toEqual(['Boss']);
    expect(await names({ record_scopes: { employee: 'team' } })).toEqual(['Bob', 'Boss']);
    expect(await acme.member({ can: ['leave.view'] }).get('/api/leave-balances')).toMatchObject({ status: 403 });
    expect(await list('', acme.member({ kind: 'client', can: ['leave_balance.view'] }))).toEqual([]);
    const other = await company();
    expect(await list(`employee_id=${ada}`, other.owner)).toEqual([]);
  });

  test('are filtered, sorted and paged like all lists, and reject unknown fields', async () => {
    freezeClock('2026-03-10T12:00:00Z');
    const sick = await acme.leaveType({ code: 's', name: 'Sick', accrual: 'upfront', days_per_year: '10' });
    for (let number = 10; number < 15; number += 1) await acme.employ({ name: `Person ${number}` });
    const { body } = await acme.owner.get('/api/leave-balances?per_page=5');
    expect(body.meta).toMatchObject({ total: 12 });
    const next = await acme.owner.get(`/api/leave-balances?per_page=100&cursor=${body.meta.next_cursor}`);
    const all = [...body.data, ...next.body.data];
    expect(all.map(({ employee_name, leave_type_name }) => `${employee_name} ${leave_type_name}`)).toEqual(
      ['Ada Lovelace', ...[10, 11, 12, 13, 14].map((number) => `Person ${number}`)].flatMap((name) => [
        `${name} Holiday`,
        `${name} Sick`,
      ]),
    );
    expect(await list(`leave_type_id=${sick}&employee_id=${ada}`)).toMatchObject([{ available: '10' }]);
    expect(await list(`id[in]=${all[3].id},${all[4].id}`)).toHaveLength(2);
    expect(await list(`department_id=${all[0].department_id}&branch_id=${all[0].branch_id}`)).toHaveLength(12);
    expect(await list('fields=id,available&per_page=1')).toEqual([{ id: all[0].id, available: '6' }]);
    for (const query of ['as_of=2029-01-01', 'as_of=soon', 'kind=x', 'sort=available', 'expand=people'])
      expect(await acme.owner.get(`/api/leave-balances?${query}`)).toMatchObject({ status: 422 });
  });

  test('return the time of their last change', async () => {
    freezeClock('2026-03-10T12:00:00Z');
    const [updated] = await list();
    expect(await list(`updated_at[gte]=${updated.updated_at}`)).toHaveLength(1);
    await adjust({});
    const [changed] = await list();
    expect(changed.updated_at > updated.updated_at).toBe(true);
  });
});

describe('an adjustment', () => {
  beforeEach(() => {
    freezeClock('2026-03-10T12:00:00Z');
  });

  test('grants days, and withdraws at most the available days', async () => {
    const { body } = await adjust({ days: '2.5', valid_to: '2026-06-30' });
    expect(body.data).toMatchObject({ balance: { entitled: '8.5', available: '8.5' } });
    expect(body.data.ledger_lines.at(-1)).toMatchObject({ kind: 'adjustment', days: '2.5' });
    expect(await adjust({ days: '-9', valid_from: '2026-03-10' })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_balance', details: { available: '8.5', asked: '9', short: '0.5' } },
    });
    expect((await adjust({ days: '-8.5', valid_from: '2026-03-10' })).body.data.balance).toMatchObject({
      available: '0',
    });
  });

  test('can be made for an employee who joins later, for the time after joining', async () => {
    ada = await acme.employ({ name: 'Bob', joining_date: '2026-04-01', status: 'onboarding' });
    expect(await adjust({ valid_from: '2026-04-01' })).toMatchObject({
      status: 200,
      body: { data: { balance: { as_of: '2026-04-01', available: '7' } } },
    });
  });

  test.each([
    ['days', { days: '0' }],
    ['days', { days: '1.234' }],
    ['days', { days: 2 }],
    ['days', { days: '400' }],
    ['reason', { reason: ' ' }],
    ['reason', { reason: undefined }],
    ['valid_from', { valid_from: '2025-12-31' }],
    ['valid_to', { valid_from: '2026-06-01', valid_to: '2026-05-31' }],
    ['valid_to', { days: '-1', valid_to: '2026-12-31' }],
    ['employee_id', { employee_id: '01980000-0000-7000-8000-000000000000' }],
    ['leave_type_id', { leave_type_id: '01980000-0000-7000-8000-000000000000' }],
    ['note', { note: 'x' }],
  ])('is rejected with an invalid %s, and succeeds after a correction', async (field, body) => {
    const reply = await adjust(body);
    expect(reply).toMatchObject({ status: 422 });
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect((await adjust({})).status).toBe(200);
  });

  test('rejects own accounts, accounts outside the scope and former employees', async () => {
    const kim = acme.member({});
    const kim_id = await acme.employ({ name: 'Kim', user_id: kim.caller.user_id });
    expect(await adjust({ employee_id: kim_id }, kim)).toMatchObject({ status: 409, body: { code: 'own_record' } });
    const lead = acme.member({ user_id: kim.caller.user_id, record_scopes: { leave_balance: 'team' } });
    expect(await adjust({}, lead)).toMatchObject({ status: 422, body: { errors: { employee_id: expect.anything() } } });
    await serving.sql`UPDATE employees SET manager_id = ${kim_id} WHERE id = ${ada}`;
    expect((await adjust({}, lead)).status).toBe(200);
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${ada}`;
    expect(await adjust({})).toMatchObject({ status: 409, body: { code: 'employment_ended' } });
    expect(await adjust({}, acme.member({ can: ['leave_balance.view'] }))).toMatchObject({ status: 403 });
  });

  test('withdraws at most the available days in 50 concurrent requests', async () => {
    const replies = await runConcurrently(50, (index) =>
      index % 2 === 0 ? encash('1') : adjust({ days: '-1', valid_from: '2026-03-10' }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(44);
    expect((await list())[0]).toMatchObject({ available: '0' });
  });
});

test('grants unlimited leave without a balance or a shortage', async () => {
  freezeClock('2026-03-10T12:00:00Z');
  const self = acme.member({ can: [], name: 'Bob' });
  ada = await acme.employ({ name: 'Bob', user_id: self.caller.user_id });
  const unpaid = { name: 'Unpaid', code: 'u', days_per_year: '0', paid: false };
  holiday = await acme.leaveType(unpaid);
  await acme.leaveType({ ...unpaid, name: 'Paid', code: 'p', paid: true });
  const body = { employee_id: ada, leave_type_id: holiday, from: '2026-03-16', to: '2026-09-30' };
  const request = (await acme.owner.post('/api/leave-application/create', body)).body.data;
  expect(request).toMatchObject({ balance_before: null, balance_after: null });
  const balance = async () => (await list(`employee_id=${ada}&leave_type_id=${holiday}&expand=lots`))[0];
  expect(await balance()).toMatchObject({ pending: request.days, taken: '0', available: null, lots: [] });
  const status = `/api/leave-application/update-status/${request.id}`;
  expect((await acme.owner.post(status, { action: 'approve' })).status).toBe(200);
  expect(await balance()).toMatchObject({ pending: '0', taken: request.days, entitled: '0', available: null });
  expect((await self.get('/api/hrm/get-leaves-types')).body.data).toMatchObject([
    { name: 'Holiday', limited: true, projected_year_end: '24' },
    { name: 'Paid', limited: true, balance: { available: '0' }, projected_year_end: '0' },
    { name: 'Unpaid', limited: false, balance: { taken: request.days, available: null }, projected_year_end: null },
  ]);
  const { balances } = (await self.get('/api/hrm/home')).body.data;
  expect(balances.find(({ name }: { name: string }) => name === 'Unpaid')).toMatchObject({ available: null });
  expect((await adjust({ days: '2' })).body.data.balance).toMatchObject({ entitled: '2', available: null });
  expect(await adjust({ days: '-3', valid_from: '2026-03-10' })).toMatchObject({ status: 409 });
});

test('pays out days of leave types that allow it', async () => {
  freezeClock('2026-03-10T12:00:00Z');
  const sick = await acme.leaveType({ code: 's', name: 'Sick', accrual: 'upfront', days_per_year: '10' });
  const { body } = await acme.owner.post('/api/leave-balance/encash', {
    employee_id: ada,
    leave_type_id: sick,
    days: '1',
  });
  expect(body).toMatchObject({ code: 'not_encashable' });
});

test('lists ledger lines, newest first, to callers who can see the balances', async () => {
  freezeClock('2026-03-10T12:00:00Z');
  await adjust({ days: '2' });
  await encash('3');
  const lines = async (query = '', by: Member = acme.owner) => (await by.get(`/api/leave-ledger?${query}`)).body.data;
  const kinds = (await lines()).map(({ kind, days }: { kind: string; days: string }) => `${kind} ${days}`);
  expect(kinds.toSorted()).toEqual(
    ['accrual 2', 'accrual 2', 'accrual 2', 'adjustment 2', 'encash -1', 'encash -2'].toSorted(),
  );
  expect(kinds.slice(0, 2).toSorted()).toEqual(['encash -1', 'encash -2']);
  const [granted] = await lines('kind=adjustment');
  expect(granted).toMatchObject({ reason: 'Brought along from last year', valid_from: '2026-01-01', lot_id: null });
  expect(await lines(`employee_id=${ada}&leave_type_id=${holiday}&kind[in]=encash,expiry`)).toHaveLength(2);
  expect(await acme.owner.get('/api/leave-ledger?kind=gift')).toMatchObject({ status: 422 });
  const own = acme.member({ can: ['leave_balance.view'], record_scopes: { leave_balance: 'own' } });
  expect(await lines('', own)).toEqual([]);
  expect(await lines('', (await company()).owner)).toEqual([]);
});
