import { expect, test } from '@jest/globals';
import { stillClock } from '@suite/testing';
import { CREATED, openPromised, promise } from '../../../test/promises.ts';

const { violations, office, desk } = await openPromised();

test('supports the longest target of 525,600 minutes, also in the integrity checks', async () => {
  await promise(office.owner, { targets: { medium: { resolution_minutes: 525_600 } } });
  stillClock(CREATED);
  const { id, sla } = await desk.open();
  expect(sla).toMatchObject({ resolution_due: expect.stringMatching(/^20(29|30|31)-/) });
  expect(await desk.clockOf(id, 'resolution')).toMatchObject({ state: 'running' });
  expect(await violations(office)).toEqual([]);
});
