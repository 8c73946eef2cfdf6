import { expect, test } from '@jest/globals';
import { clock } from '@suite/chassis/runtime';
import { audit } from '@suite/auditor';
import { keysOf } from '@suite/testing';
import { openHr } from '../../test/fixture.ts';
import { checks } from '../payroll/payroll-postings/audit.ts';
import { easterOf, hasWorkingDay } from './public-holidays.ts';
import { seedDemo } from './seed.ts';

const { serving, company } = await openHr();

test('creates 30 demo employees in two branches, with their managers, once', async () => {
  const acme = await company();
  const { user_id } = acme.owner.caller;
  const owner = { id: user_id, name: 'Kim Example', role: 'owner', email: 'owner@demo.test', kind: 'owner' as const };
  const workspace = { id: acme.workspace, name: 'Northwind', currency: 'EUR', users: [owner] };
  const seed = () => seedDemo(serving.database as never, [workspace], keysOf('hr').master);
  expect(await seed()).toContain('30 people');
  expect(await seed()).toBe('Demo companies already exist.');
  const list = async (query: string) => (await acme.owner.get(`/api/employees?per_page=100&${query}`)).body;
  const people = (await list('expand=salary')).data;
  expect(people).toHaveLength(30);
  expect(new Set(people.map(({ branch_id }: { branch_id: string }) => branch_id)).size).toBe(2);
  expect(people.filter(({ manager_id }: { manager_id: string | null }) => manager_id === null)).toHaveLength(1);
  expect(people.every(({ salary }: { salary: object | null }) => salary !== null)).toBe(true);
  const statusesOf = async (noun: string) =>
    ((await acme.owner.get(`/api/${noun}?per_page=100`)).body.data as { status: string }[])
      .map(({ status }) => status)
      .toSorted();
  expect(await statusesOf('promotions')).toEqual(['approved', 'effective', 'pending', 'rejected', 'withdrawn']);
  expect(await statusesOf('employee-transfers')).toEqual(['approved', 'effective', 'pending', 'rejected', 'withdrawn']);
  expect(await statusesOf('resignations')).toEqual(['approved', 'pending', 'rejected']);
  expect(await statusesOf('terminations')).toEqual(['approved', 'pending', 'rejected']);
  expect(await statusesOf('warnings')).toEqual(['acknowledged', 'closed', 'issued']);
  expect(await statusesOf('complaints')).toEqual(['open', 'open', 'resolved']);
  expect((await acme.owner.get('/api/awards')).body.meta.total).toBe(3);
  const year = clock.now().getUTCFullYear();
  for (const one of [year, year + 1])
    expect((await acme.owner.get(`/api/holidays?year=${one}&per_page=100`)).body.data).toHaveLength(9);
  const leader = acme.member({ user_id, can: ['employee.view'], record_scopes: { employee: 'team' } });
  expect((await leader.get('/api/employees?per_page=100')).body.meta.total).toBe(29);
  const balances = await acme.owner.get('/api/leave-balances?per_page=100&expand=lots');
  expect(balances.body.meta.total).toBe(90);
  const lots = balances.body.data.flatMap(({ lots: own }: { lots: { kind: string }[] }) => own);
  expect(new Set(lots.map(({ kind }: { kind: string }) => kind))).toEqual(
    new Set(['accrual', 'allocation', 'adjustment']),
  );
  const [ledger] =
    await serving.sql`SELECT count(*)::int AS lines FROM leave_ledger WHERE workspace_id = ${acme.workspace}`;
  expect(ledger!['lines']).toBeGreaterThan(60);
  const [attended] = await serving.sql`
    SELECT count(*)::int AS days, count(DISTINCT employee_id)::int AS people, count(DISTINCT status)::int AS states,
      count(*) FILTER (WHERE local_date >= (now() AT TIME ZONE 'Europe/Berlin')::date)::int AS to_come FROM attendances
    WHERE workspace_id = ${acme.workspace} AND NOT EXISTS (SELECT FROM leave_days WHERE leave_days.employee_id = attendances.employee_id AND day = local_date)`;
  expect(attended).toMatchObject({ to_come: 0, people: 30 });
  expect(attended!['days']).toBeGreaterThan(1_250);
  expect(attended!['states']).toBeGreaterThanOrEqual(3);
  const [derived] = await serving.sql`
    SELECT count(*)::int AS open FROM attendances WHERE workspace_id = ${acme.workspace} AND state = 'open'`;
  expect(derived).toEqual({ open: 0 });
  const [free] = await serving.sql`
    SELECT count(*)::int AS worked FROM attendances JOIN holidays ON holidays.workspace_id = attendances.workspace_id
      AND local_date BETWEEN holidays.from AND holidays.to
    WHERE attendances.workspace_id = ${acme.workspace}`;
  expect(free).toEqual({ worked: 0 });
  expect(await statusesOf('announcements')).toEqual(['archived', 'draft', 'published', 'published']);
  expect(await statusesOf('events')).toEqual(['cancelled', 'draft', 'published', 'published']);
  expect(await audit(serving.database_url, checks, acme.workspace)).toEqual([]);
});

test('derives movable holidays from Easter', () => {
  const days =
    '1961-04-02 1981-04-19 2000-04-23 2011-04-24 2024-03-31 2026-04-05 2027-03-28 2038-04-25 2049-04-18'.split(' ');
  expect(days.map((day) => easterOf(Number(day.slice(0, 4))))).toEqual(days);
});

test('requests no leave on days off', () => {
  expect(hasWorkingDay('2028-12-23', '2028-12-26')).toBe(false);
  expect(hasWorkingDay('2028-12-23', '2028-12-27')).toBe(true);
  expect(hasWorkingDay('2026-04-03', '2026-04-06')).toBe(false);
});
