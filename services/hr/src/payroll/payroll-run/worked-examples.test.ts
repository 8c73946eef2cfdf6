import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { FLAT_TAX_COMPONENTS, openPayroll, type PayrollFixture, EXAMPLE_COMPONENTS } from '../../../test/payroll.ts';

const { payroll } = await openPayroll();
let acme: PayrollFixture;
beforeEach(async () => {
  freezeClock('2026-06-30T12:00:00Z');
  acme = await payroll();
});

const amounts = (lines: { code: string; amount: string }[]) =>
  Object.fromEntries(lines.map(({ code, amount }) => [code, amount]));
const componentsOf = (ids: Record<string, string>) => Object.values(ids).map((component_id) => ({ component_id }));

// The example payslip and G14 of docs/worked-examples.md.
describe('a payslip', () => {
  test('pays 3,098.47 without a loan for 19.5 of 21 days, with calculation details', async () => {
    const components = componentsOf(await acme.components(EXAMPLE_COMPONENTS));
    await acme.holiday('2026-06-04');
    const ada = await acme.hire({
      salary: { basis: 'monthly', amount: '4250.00', components },
      ytd_opening: { taxable: '19668.10', tax: '3650.44' },
    });
    await acme.leave(ada, '2026-06-10', { paid: false });
    await acme.attend(ada, '2026-06-11', { status: 'half_day' });
    await acme.attend(ada, '2026-06-16', {
      first_in: '2026-06-16T09:00:00+02:00',
      last_out: '2026-06-16T20:00:00+02:00',
    });
    const [day] = (await acme.owner.get('/api/attendances?local_date=2026-06-16')).body.data;
    await acme.owner.post(`/api/attendance/update/${day.id}`, { reason: 'Launch', overtime_approved: true });

    const run = await acme.run(await acme.draft());
    expect(run).toMatchObject({
      status: 'calculated',
      progress: { total: 1, done: 1, failed: 0 },
      gross: '4553.02',
      deductions: '1454.55',
      employer_cost: '772.07',
      net: '3098.47',
      failures: [],
      entries_total: 1,
    });
    const payslip = await acme.slip(run, ada);
    expect(payslip).toMatchObject({ working_days: '21', payment_days: '19.5', lop_days: '1', absent_days: '0.5' });
    expect(payslip).toMatchObject({ overtime_minutes: 150, taxable: '3714.15', tax: '720.68', net: '3098.47' });
    expect(amounts(payslip.earnings)).toEqual({
      basic: '3946.43',
      housing: '394.64',
      transport: '120.00',
      overtime: '91.95',
    });
    expect(amounts(payslip.deductions)).toEqual({
      pension: '412.27',
      health: '306.60',
      income_tax: '720.68',
      union: '15.00',
    });
    expect(amounts(payslip.employer)).toEqual({
      pension_employer: '412.27',
      health_employer: '306.60',
      accident: '53.20',
    });
    expect(payslip.leave).toEqual([expect.objectContaining({ days: '1', paid: false })]);
    expect(payslip.ytd).toEqual({ gross: '4553.02', tax: '4371.12', net: '3098.47' });
    expect(payslip.explain.find(({ component }: { component: string }) => component === 'union')).toEqual({
      component: 'union',
      formula: 'min(basic * 0.005, 15)',
      inputs: { basic: '3946.43' },
      steps: [{ text: 'round(min(3946.43 * 0.005, 15), 2)', value: '15' }],
      result: '15.00',
    });
  });

  test.each([
    ['worked', true],
    ['not recorded', false],
  ])('pays 2,529.65 for 18.5 of 21 days, the other half of the day %s', async (_, isWorked) => {
    const components = componentsOf(await acme.components(FLAT_TAX_COMPONENTS));
    await acme.holiday('2026-06-04');
    const ada = await acme.hire({ salary: { basis: 'monthly', amount: '3000.00', components } });
    await acme.leave(ada, '2026-06-08', { paid: false });
    await acme.leave(ada, '2026-06-09', { paid: false });
    const hours = { first_in: '2026-06-10T09:00:00+02:00', last_out: '2026-06-10T14:00:00+02:00' };
    if (isWorked) await acme.attend(ada, '2026-06-10', hours);
    await acme.leave(ada, '2026-06-10', { paid: false, half: true });
    await acme.leave(ada, '2026-06-11', { paid: true });
    const payslip = await acme.slip(await acme.run(await acme.draft()), ada);
    expect(payslip).toMatchObject({ working_days: '21', payment_days: '18.5', gross: '2942.86', net: '2529.65' });
    expect(amounts([...payslip.earnings, ...payslip.deductions])).toEqual({
      basic: '2642.86',
      allowance: '300.00',
      pension: '132.14',
      flat_tax: '281.07',
    });
  });
});
