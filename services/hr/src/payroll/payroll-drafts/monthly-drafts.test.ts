import { beforeEach, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { openPayroll, type PayrollFixture } from '../../../test/payroll.ts';
import { draftPayrolls } from './monthly-drafts.ts';

const { payroll, serving, tools } = await openPayroll();
let acme: PayrollFixture;
let clock: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  clock = freezeClock('2026-06-24T12:00:00Z');
  await serving.sql`UPDATE settings SET auto_draft = FALSE`;
  acme = await payroll();
});
const draft = () => draftPayrolls(tools);
const updateSettings = (settings: object) => acme.owner.post('/api/hrm-settings/update', settings);
const listRuns = async () =>
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
  await updateSettings({ auto_draft: true, payroll_day: 25 });
  await draft();
  expect(await listRuns()).toEqual([]);
  clock.goTo('2026-06-24T22:30:00Z');
  await draft();
  await draft();
  expect(await listRuns()).toEqual([['2026-06-01', '2026-06-30', 'draft', 1]]);
});

test('catches up on missed months, except months without automatic drafts', async () => {
  await acme.hire();
  await updateSettings({ auto_draft: true, payroll_day: 1 });
  await draft();
  clock.goTo('2026-08-02T12:00:00Z');
  await draft();
  expect((await listRuns()).map(([from]: string[]) => from)).toEqual(['2026-06-01', '2026-07-01', '2026-08-01']);
  await updateSettings({ auto_draft: false });
  clock.goTo('2026-10-02T12:00:00Z');
  await updateSettings({ auto_draft: true });
  await draft();
  expect((await listRuns()).map(([from]: string[]) => from).at(-1)).toBe('2026-10-01');
  expect(await listRuns()).toHaveLength(4);
});

test('skips months with a manual draft or without employees to pay', async () => {
  await updateSettings({ auto_draft: true, payroll_day: 1 });
  await draft();
  expect(await listRuns()).toEqual([]);
  await acme.hire();
  await draft();
  expect(await listRuns()).toEqual([]);
  clock.goTo('2026-07-02T12:00:00Z');
  const july = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
  await acme.draft(july);
  await draft();
  expect(await listRuns()).toHaveLength(1);
});
