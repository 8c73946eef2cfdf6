import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { openPayroll, type PayrollFixture } from '../../../test/payroll.ts';

const { payroll } = await openPayroll();
let acme: PayrollFixture;
beforeEach(async () => {
  freezeClock('2026-06-30T12:00:00Z');
  acme = await payroll();
});
const week = (from: string, to: string) => ({
  frequency: 'weekly',
  period_start: from,
  period_end: to,
  pay_date: to,
});
const monthly = (amount: string, more: object = {}) => ({ basis: 'monthly', amount, ...more });
const withComponents = async () => {
  const ids = await acme.components([
    { code: 'transport', kind: 'earning', calc: 'fixed', amount: '130.00', prorated: false, position: 1 },
    {
      code: 'yearly_tax',
      kind: 'deduction',
      calc: 'slab',
      annual: true,
      position: 1,
      slabs: [
        { from: '0', to: '12000', rate: '0' },
        { from: '12000', rate: '20' },
      ],
    },
  ]);
  return Object.values(ids).map((component_id) => ({ component_id }));
};

describe('a weekly payroll', () => {
  test('pays 12/52 of a month by weekdays, and deducts 1/52 of the annual tax', async () => {
    const ada = await acme.hire({ salary: monthly('5200.00', { components: await withComponents() }) });
    const payslip = await acme.slip(await acme.run(await acme.draft(week('2026-01-05', '2026-01-11'))), ada);
    expect(payslip).toMatchObject({ working_days: '5', payment_days: '5', gross: '1230.00' });
    // Remaining: 51 weeks. 51 × 1230 = 62 730. The part above the threshold is 50 730, taxed at 20 % and divided by 51.
    expect(payslip.tax).toBe('198.94');
  });

  test('leaves out an unpaid day, and carries the annual tax forward', async () => {
    const ada = await acme.hire({ salary: monthly('5200.00', { components: await withComponents() }) });
    const first = await acme.run(await acme.draft(week('2026-06-01', '2026-06-07')));
    await acme.finalise(first.id);
    await acme.leave(ada, '2026-06-10', { paid: false });
    const payslip = await acme.slip(await acme.run(await acme.draft(week('2026-06-08', '2026-06-14'))), ada);
    expect(payslip).toMatchObject({ working_days: '5', payment_days: '4', lop_days: '1', gross: '990.00' });
    const before = await acme.slip(first, ada);
    expect(Number(payslip.ytd.tax)).toBeCloseTo(Number(before.tax) + Number(payslip.tax), 2);
    expect(payslip.ytd.gross).toBe('2220.00');
  });

  test('cannot overlap a run of the same days, even with another frequency', async () => {
    await acme.hire();
    await acme.draft();
    const reply = await acme.owner.post('/api/payroll/create', week('2026-06-29', '2026-07-05'));
    expect(reply).toMatchObject({ status: 409, body: { code: 'period_overlaps' } });
    await acme.draft(week('2026-07-01', '2026-07-07'));
  });

  test('shows differences from the previous week, not from the month', async () => {
    const ada = await acme.hire({ salary: monthly('5200.00') });
    await acme.finalise((await acme.run(await acme.draft())).id);
    await acme.finalise((await acme.run(await acme.draft(week('2026-07-06', '2026-07-12')))).id);
    await acme.leave(ada, '2026-07-14', { paid: false });
    const run = await acme.run(await acme.draft(week('2026-07-13', '2026-07-19')));
    expect(run.differences).toEqual([
      { employee_id: ada, net_before: '1200.00', net_now: '960.00', causes: ['basic'] },
    ]);
  });
});

test('pays 12/26 of a month in a fortnightly payroll, for at most its days', async () => {
  const ada = await acme.hire({ salary: monthly('5200.00') });
  const fortnight = { ...week('2026-06-01', '2026-06-14'), frequency: 'fortnightly' };
  const payslip = await acme.slip(await acme.run(await acme.draft(fortnight)), ada);
  expect(payslip).toMatchObject({ working_days: '10', gross: '2400.00' });
  const long = await acme.owner.post('/api/payroll/create', { ...fortnight, period_end: '2026-06-15' });
  expect(long).toMatchObject({ status: 422, body: { errors: { period_end: [expect.any(String)] } } });
});

describe('a payroll in another currency', () => {
  test('pays employees with a salary in it, and the regular run pays the others', async () => {
    const ada = await acme.hire();
    const kim = await acme.hire({ name: 'Kim', salary: monthly('4000.00', { currency: 'USD' }) });
    const dollars = await acme.run(await acme.draft({ currency: 'USD' }));
    expect(dollars).toMatchObject({ status: 'calculated', currency: 'USD', employee_count: 1, net: '4000.00' });
    expect(dollars.entries).toMatchObject([{ employee_id: kim }]);
    const euros = await acme.run(await acme.draft());
    expect(euros).toMatchObject({ currency: 'EUR', employee_count: 1, net: '3000.00' });
    expect(euros.entries).toMatchObject([{ employee_id: ada }]);
  });

  test('updates its employees with its currency, and rejects one without employees', async () => {
    await acme.hire();
    const kim = await acme.hire({ name: 'Kim', salary: monthly('4000.00', { currency: 'USD' }) });
    const id = await acme.draft();
    const changed = await acme.owner.post(`/api/payroll/update/${id}`, { currency: 'USD' });
    expect(changed).toMatchObject({ status: 200, body: { data: { currency: 'USD', employee_count: 1 } } });
    expect((await acme.run(id)).entries).toMatchObject([{ employee_id: kim, net: '4000.00' }]);
    const swiss = await acme.owner.post('/api/payroll/create', {
      ...week('2026-07-06', '2026-07-12'),
      currency: 'CHF',
    });
    expect(swiss).toMatchObject({ status: 422, body: { code: 'nobody_to_pay' } });
    expect(
      (await acme.owner.post('/api/payroll/create', { ...week('2026-07-06', '2026-07-12'), currency: 'XXQ' })).body
        .errors,
    ).toHaveProperty('currency');
  });

  test('reports employees whose currency changed within the period', async () => {
    const ada = await acme.hire();
    await acme.owner.post(`/api/employee/update/${ada}`, {
      salary: monthly('4000.00', { currency: 'USD' }),
      effective_from: '2026-06-15',
    });
    expect(await acme.run(await acme.draft())).toMatchObject({
      status: 'failed',
      failures: [{ employee_id: ada, code: 'other_currency' }],
    });
  });
});
