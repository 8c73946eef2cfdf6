import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { eventPublisher, stillClock } from '@suite/testing';
import { openPayroll } from '../../test/pay.ts';

const { payroll, serving } = await openPayroll();
const { announce, heard } = await eventPublisher(serving);
beforeEach(() => {
  stillClock('2026-06-30T12:00:00Z');
});

test('flags unapproved runs while the books of their period are closed', async () => {
  const acme = await payroll();
  await acme.hire();
  const period_id = randomUUID();
  let version = 0;
  const lock = async (scope: string, locked_through: string) => {
    version += 1;
    const told = { period_id, scope, locked_through };
    await heard(await announce(acme.workspace, 'finance.period.locked', told, { version }));
  };
  const [june, july] = [
    await acme.draft(),
    await acme.draft({ period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' }),
  ];
  const noted = async () => [
    (await acme.show(june)).books_locked_through,
    (await acme.show(july)).books_locked_through,
  ];
  await lock('sales', '2026-08-31');
  expect(await noted()).toEqual([null, null]);
  await lock('payroll', '2026-06-30');
  expect(await noted()).toEqual(['2026-06-30', null]);
  await lock('all', '2026-07-31');
  expect(await noted()).toEqual(['2026-07-31', '2026-07-31']);
  await lock('all', '2026-06-29');
  expect(await noted()).toEqual([null, null]);
  await lock('all', '2026-07-31');
  await acme.owner.post(`/api/payroll/update/${july}`, { period_end: '2026-07-30' });
  expect((await noted())[1]).toBeNull();
});
