import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { company } = await openHr();
let acme: TestWorkspace;
let ada: Member;
beforeEach(async () => {
  acme = await company();
  ada = acme.member({ can: [], name: 'Ada' });
  await acme.employ({ user_id: ada.caller.user_id });
});

const history = async (body: object) => (await ada.post('/api/hrm/attendence-history', body)).body;

describe('looking back', () => {
  test('shows each day, including days without a record', async () => {
    freezeClock('2026-06-10T12:00:00Z');
    await acme.owner.post('/api/holiday/create', { name: 'Corpus Christi', from: '2026-06-04' });
    const { data, meta } = await history({});
    expect(data).toHaveLength(30);
    expect(data.slice(0, 10).map(({ status }: { status: string }) => status)).toEqual([
      'unmarked',
      'unmarked',
      'unmarked',
      'holiday',
      'unmarked',
      'weekly_off',
      'weekly_off',
      'unmarked',
      'unmarked',
      null,
    ]);
    expect(data[3]).toMatchObject({ holiday: 'Corpus Christi', weekday: 4, attendance_id: null });
    expect(meta).toMatchObject({ total: 30, summary: { absent: 0, unmarked: 6, present: 0, worked_minutes: 0 } });
    expect((await history({ status: 'holiday', month: '2026-06' })).data).toHaveLength(1);
    expect((await history({ from: '2026-01-01', to: '2026-12-31', page: 12, per_page: 31 })).data).toHaveLength(24);
  });

  test('rejects invalid ranges', async () => {
    for (const [body, field] of [
      [{ from: '2026-06-02', to: '2026-06-01' }, 'to'],
      [{ month: '2026-06', from: '2026-06-01' }, 'month'],
      [{ month: '2026-13' }, 'month'],
    ] as const)
      expect(await history(body)).toMatchObject({ errors: { [field]: [expect.any(String)] } });
    expect(await history({ from: '2025-01-01', to: '2026-01-02' })).toMatchObject({ code: 'range_too_long' });
    expect((await history({ from: '2025-01-01', to: '2026-01-01' })).data).toHaveLength(31);
  });
});
