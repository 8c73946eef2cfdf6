import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock } from '@suite/testing';
import { openPayroll } from '../../test/payroll.ts';

const { payroll, serving } = await openPayroll();
const { announce, heard: emitLock } = await eventPublisher(serving);
beforeEach(() => {
  freezeClock('2026-06-30T12:00:00Z');
});

test('flags unapproved runs while the books of their period are closed', async () => {
  const acme = await payroll();
  await acme.hire();
  const period_id = randomUUID();
  let version = 0;
  const lock = async (scope: string, locked_through: string) => {
    version += 1;
    const lock = { period_id, scope, locked_through };
    await emitLock(await announce(acme.workspace, 'finance.period.locked', lock, { position: version }));
  };
  const [june, july] = [
    await acme.draft(),
    await acme.draft({ period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' }),
  ];
  const lockDatesOfRuns = async () => [
    (await acme.show(june)).books_locked_through,
    (await acme.show(july)).books_locked_through,
  ];
  await lock('sales', '2026-08-31');
  expect(await lockDatesOfRuns()).toEqual([null, null]);
  await lock('payroll', '2026-06-30');
  expect(await lockDatesOfRuns()).toEqual(['2026-06-30', null]);
  await lock('all', '2026-07-31');
  expect(await lockDatesOfRuns()).toEqual(['2026-07-31', '2026-07-31']);
  await lock('all', '2026-06-29');
  expect(await lockDatesOfRuns()).toEqual([null, null]);
  await lock('all', '2026-07-31');
  await acme.owner.post(`/api/payroll/update/${july}`, { period_end: '2026-07-30' });
  expect((await lockDatesOfRuns())[1]).toBeNull();
});
