import { expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();

test('enters expired days by an adjustment, which count only for their period', async () => {
  const acme = await company();
  await serving.sql`UPDATE leave_types SET active = false WHERE workspace_id = ${acme.workspace}`;
  const employee_id = await acme.employ({ joining_date: '2026-01-01' });
  const leave_type_id = await acme.leaveType();
  const list = async (query = '') => (await acme.owner.get(`/api/leave-balances?${query}`)).body.data;
  const reason = 'Brought along';
  const adjust = (body: object) =>
    acme.owner.post('/api/leave-balance/adjust', {
      employee_id,
      leave_type_id,
      days: '5',
      valid_from: '2026-01-01',
      reason,
      ...body,
    });
  freezeClock('2026-06-10T12:00:00Z');
  const before = (await list())[0];
  const { status, body } = await adjust({ valid_to: '2026-03-31' });
  expect(status).toBe(200);
  const written = body.data.ledger_lines.filter(({ kind }: { kind: string }) => kind !== 'accrual');
  expect(written).toMatchObject([
    { kind: 'adjustment', days: '5', valid_from: '2026-01-01', valid_to: '2026-03-31' },
    { kind: 'expiry', days: '-5', valid_from: '2026-04-01' },
  ]);
  expect((await list())[0]).toMatchObject({ available: before.available, expired: '5' });
  expect((await list('as_of=2026-03-31'))[0]).toMatchObject({ available: '11', expired: '0' });
  // An opening balance can expire before the end of the month.
  expect((await adjust({ valid_from: '2026-02-01', valid_to: '2026-02-28' })).status).toBe(200);
  expect((await adjust({ valid_from: '2025-06-01', valid_to: '2025-12-31' })).status).toBe(422);
});
