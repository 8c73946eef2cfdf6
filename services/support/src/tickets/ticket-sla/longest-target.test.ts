import { expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { CREATED, openWithPolicy, createPolicy } from '../../../test/sla-example.ts';

const { violations, office, requests } = await openWithPolicy();

test('supports the longest target of 525,600 minutes, even in the integrity checks', async () => {
  await createPolicy(office.owner, { targets: { medium: { resolution_minutes: 525_600 } } });
  freezeClock(CREATED);
  const { id, sla } = await requests.open();
  expect(sla).toMatchObject({ resolution_due: expect.stringMatching(/^20(29|30|31)-/) });
  expect(await requests.clockOf(id, 'resolution')).toMatchObject({ state: 'running' });
  expect(await violations(office)).toEqual([]);
});
