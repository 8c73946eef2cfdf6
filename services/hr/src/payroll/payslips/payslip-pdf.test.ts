import { beforeEach, expect, test } from '@jest/globals';
import { pagesOf, freezeClock } from '@suite/testing';
import { FLAT_TAX_COMPONENTS } from '../../../test/payroll.ts';
import { account, openPaymentFixture, type PaymentFixture } from '../../../test/payments.ts';

const { paying } = await openPaymentFixture();
let acme: PaymentFixture;
beforeEach(async () => {
  freezeClock('2026-06-30T12:00:00Z');
  acme = await paying();
});

test('lists earnings, deductions and net pay in the payslip PDF', async () => {
  const components = Object.values(await acme.components(FLAT_TAX_COMPONENTS)).map((component_id) => ({
    component_id,
  }));
  const ada = await acme.hire({
    salary: { basis: 'monthly', amount: '3000.00', components },
    bank: account,
    address: 'Engine House 1',
    tax_id: 'TAX-7',
  });
  const leave_type_id = await acme.leaveType({ accrual: 'upfront', encashable: true });
  await acme.owner.post('/api/leave-balance/encash', { employee_id: ada, leave_type_id, days: '2.5' });
  const { entries } = await acme.approved();
  const path = `/api/payslip/${entries[0].id}`;
  const reply = await acme.approver.get(path, { headers: { accept: 'application/pdf' } });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const [text] = await pagesOf(reply.content);
  const payslip = (await acme.approver.get(path)).body.data;
  for (const expected of [
    'Payslip',
    'PSL-2026-000001',
    'Ada Lovelace',
    'Gross',
    'Net pay',
    'Total deductions',
    'Example Bank',
    '2051',
    'Days: 2.5',
    'Engine House 1',
    'TAX-7',
    'Department',
    'Position',
  ])
    expect(text).toContain(expected);
  const formatAmount = (amount: string) => amount.replace(/\B(?=(\d{3})+\.)/, ',');
  for (const { name, amount } of [...payslip.earnings, ...payslip.deductions]) {
    expect(text).toContain(name);
    expect(text).toContain(formatAmount(amount));
  }
  expect(text).toContain(formatAmount(payslip.net));
  for (const amount of Object.values<string>(payslip.ytd)) expect(text).toContain(`: ${formatAmount(amount)} EUR`);
  for (const { amount } of payslip.deductions) expect(text).toContain(`−${formatAmount(amount)}`);
  for (const nothing of ['Quantity', 'Price', 'DRAFT', 'IBAN DE89', account.account_number])
    expect(text).not.toContain(nothing);
});
