import { beforeEach, expect, test } from '@jest/globals';
import { stillClock } from '@suite/testing';
import { openPayroll, type Payroll } from '../../../test/pay.ts';
import { draftPayrolls } from './draft-due.ts';

const { payroll, serving, tools } = await openPayroll();
let acme: Payroll;
let clock: ReturnType<typeof stillClock>;
beforeEach(async () => {
  clock = stillClock('2026-06-24T12:00:00Z');
  await serving.sql`UPDATE settings SET auto_draft = FALSE`;
  acme = await payroll();
});
const draft = () => draftPayrolls(tools);
const wish = (settings: object) => acme.owner.post('/api/hrm-settings/update', settings);
const runs = async () =>
  (await acme.owner.get('/api/payrolls?sort=period_start')).body.data.map(
    ({ period_start, period_end, status, employee_count }: Record<string, unknown>) => [
      period_start,
      period_end,
      status,
      employee_count,
    ],
  );

test('drafts a month once on its payroll day if the workspace enables drafts', async () => {
  await acme.hire();
  await draft();
  await wish({ auto_draft: true, payroll_day: 25 });
  await draft();
  expect(await runs()).toEqual([]);
  clock.goTo('2026-06-24T22:30:00Z');
  await draft();
  await draft();
  expect(await runs()).toEqual([['2026-06-01', '2026-06-30', 'draft', 1]]);
});

test('catches up on missed months, except months without automatic drafts', async () => {
  await acme.hire();
  await wish({ auto_draft: true, payroll_day: 1 });
  await draft();
  clock.goTo('2026-08-02T12:00:00Z');
  await draft();
  expect((await runs()).map(([from]: string[]) => from)).toEqual(['2026-06-01', '2026-07-01', '2026-08-01']);
  await wish({ auto_draft: false });
  clock.goTo('2026-10-02T12:00:00Z');
  await wish({ auto_draft: true });
  await draft();
  expect((await runs()).map(([from]: string[]) => from).at(-1)).toBe('2026-10-01');
  expect(await runs()).toHaveLength(4);
});

test('skips months with a manual draft or without employees to pay', async () => {
  await wish({ auto_draft: true, payroll_day: 1 });
  await draft();
  expect(await runs()).toEqual([]);
  await acme.hire();
  await draft();
  expect(await runs()).toEqual([]);
  clock.goTo('2026-07-02T12:00:00Z');
  const july = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
  await acme.draft(july);
  await draft();
  expect(await runs()).toHaveLength(1);
});
