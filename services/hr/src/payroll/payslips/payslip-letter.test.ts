import { beforeEach, expect, test } from '@jest/globals';
import { pagesOf, stillClock } from '@suite/testing';
import { G14 } from '../../../test/pay.ts';
import { account, openPaying, type Paying } from '../../../test/paying.ts';

const { paying } = await openPaying();
let acme: Paying;
beforeEach(async () => {
  stillClock('2026-06-30T12:00:00Z');
  acme = await paying();
});

test('the payslip PDF lists earnings, deductions and net pay', async () => {
  const components = Object.values(await acme.components(G14)).map((component_id) => ({ component_id }));
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
  const reply = await acme.boss.get(path, { headers: { accept: 'application/pdf' } });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const [text] = await pagesOf(reply.content);
  const slip = (await acme.boss.get(path)).body.data;
  for (const said of [
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
    expect(text).toContain(said);
  const written = (amount: string) => amount.replace(/\B(?=(\d{3})+\.)/, ',');
  for (const { name, amount } of [...slip.earnings, ...slip.deductions]) {
    expect(text).toContain(name);
    expect(text).toContain(written(amount));
  }
  expect(text).toContain(written(slip.net));
  for (const amount of Object.values<string>(slip.ytd)) expect(text).toContain(`: ${written(amount)} EUR`);
  for (const { amount } of slip.deductions) expect(text).toContain(`−${written(amount)}`);
  for (const nothing of ['Quantity', 'Price', 'DRAFT', 'IBAN DE89', account.account_number])
    expect(text).not.toContain(nothing);
});
